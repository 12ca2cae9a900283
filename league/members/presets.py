"""The presets that a club can choose, by table size, with a search by any of their names."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from functools import cache

from django.conf import settings
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from rapidfuzz import fuzz, process

from league.labels import as_label
from league.members.game_facts import deck_words, key_facts
from league.members.languages import in_language
from league.members.models import ClubRuleset
from league.members.rule_options import (
    NO_VALUE,
    asked_first,
    differences,
    plain_name,
    search_words,
    title,
    value_of,
    value_words,
)
from league.members.rule_texts import BLURBS, special_name
from scoring import Ruleset, preset_ids, ruleset
from scoring.rulesets.options import OPTIONS, TURN_UP

# References in notes that only we can look up: numbers of decisions, texts and lines.
_OUR_REFERENCES = re.compile(
    r"\s*\((?:D-\d+|seed \d{3}|\d{3}:[\d-]+)\)|^Seed \d{3}\. |: win_rule = any"
)

DEFAULT_PRESETS = {2: "nanaimo-two-handed", 3: "nanaimo-three-handed", 4: "standard-four-handed"}
"""The presets of a new club by table size: Hoyle's game for four, and games for two and three."""


@cache
def offered() -> tuple[str, ...]:
    """The ids of presets that a club can choose, turn-up games first."""
    return preset_ids()


def find_games(query: str) -> list[tuple[int, list[tuple[Ruleset, str, str]]]]:
    """The presets with all these words in their names or description, by table size; where there
    are none, those with words spelt nearly so."""
    words = folded(query).split()
    return _games_by_size(words, _contains) or _games_by_size(words, _nearly_contains)


def _games_by_size(
    words: list[str], fits: Callable[[str, str], bool]
) -> list[tuple[int, list[tuple[Ruleset, str, str]]]]:
    by_players = []
    for players, presets in presets_by_size():
        matches = [preset for preset in presets if _matches(words, fits, *preset)]
        if matches:
            by_players.append((players, matches))
    return by_players


# Other spellings: a game whose text contains the key is also found by the value.
SPELLINGS = {
    "cut throat": "cutthroat",
    "cutthroat": "cut throat",
    "pepper": "hasenpfeffer hassenpfeffer hasenpfefer",
    "hoosier": "indiana",
    "misere": "misery nullo",
    "five hundred": "500",
    "set back": "setback",
    "bid euchre": "bideuchre auction",
    "double deck": "double decker",
    "two decks": "double decker",
    "napoleon": "nappy",
    "benny": "bennie best bower two of spades",
    "st austell": "cornwall devon",
    "standard four handed": "progressive farmers hand screw stick the dealer",  # rules to switch on
}
SEARCHED_RULES = ("stick_the_dealer", "no_trump")
"""A game is also found by the names of these rules where it plays them."""
NOT_PLAYED = (None, False, "off", "none", "never")
HANDED = {
    2: _("two-handed"),
    3: _("three-handed"),
    4: _("four-handed"),
    5: _("five-handed"),
    6: _("six-handed"),
    8: _("eight-handed"),
}


def _matches(
    words: list[str], fits: Callable[[str, str], bool], rules: Ruleset, name: str, note: str
) -> bool:
    text = _search_text(rules, name, note)
    return all(fits(text, word) for word in words)


def _contains(text: str, word: str) -> bool:
    return word in text


def _nearly_contains(text: str, word: str) -> bool:
    """Whether the text has a word spelt like this one: euchre for eucre."""
    return process.extractOne(word, text.split(), scorer=fuzz.ratio, score_cutoff=80) is not None


def _search_text(rules: Ruleset, name: str, note: str) -> str:
    """The text in which a game is searched for."""
    n = rules.players
    sizes = f"{n} handed {n} players {HANDED[n]}"
    bids = (special_name(bid["name"]) for bid in rules.to_dict()["special"])
    played = [n for n in SEARCHED_RULES if rules.options.get(n) not in NOT_PLAYED]
    texts = [name, rules.name, rules.alias, rules.id, note, source_note(rules)]
    text = folded(" ".join([*texts, sizes, *bids, *map(search_words, played)]))
    if "B" not in rules.deck:  # "played without the joker" is no game with the joker, B
        text = text.replace("joker", "")
    return " ".join([text, *(spelling for words, spelling in SPELLINGS.items() if words in text)])


def folded(text: str) -> str:
    """The text without accents, capitals and punctuation: "Misère" and "misere" are equal."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return re.sub(r"[^\w]+", " ", "".join(c for c in decomposed if not unicodedata.combining(c)))


@cache
def presets_for(players: int) -> tuple[Ruleset, ...]:
    """Every preset for this number of players, turn-up games first."""
    return tuple(rules for name in offered() if (rules := ruleset(name)).players == players)


def preset_choices(players: int) -> tuple[list[tuple[str, str]], str]:
    """Choices for a form, and the default among them, which comes first."""
    choices = [(rules.id, plain_name(rules)) for rules in presets_for(players)]
    default = DEFAULT_PRESETS.get(players, choices[0][0] if choices else "")
    return sorted(choices, key=lambda choice: choice[0] != default), default


def plain_note(rules: Ruleset) -> str:
    """A description of the preset; "" if the club plays it otherwise, since it may say so."""
    return "" if changed_rules(rules) else str(BLURBS.get(rules.id) or "") or source_note(rules)


def changed_rules(rules: Ruleset) -> list[str]:
    """The rules that the club plays otherwise than its preset: "Lone march (4 points)"."""
    preset = ruleset(rules.id) if rules.id in preset_ids() else rules
    old, new = preset.options, rules.options
    changed = [
        f"{title(name)} ({value_of(preset, name, old[name])})"
        for name in OPTIONS
        if name in old and old[name] != new.get(name)
    ]
    if preset.deck != rules.deck and old.get("deck") == new.get("deck"):
        changed.append(f"{title('deck')} ({deck_words(preset)})")
    return changed + [gettext("Special bids")] * (preset.specials != rules.specials)


# A changed rule in few words, by the rule or by its new value.
CHANGED_TO = {
    "march": _("a march pays %(n)s"),
    "lone_march": _("a lone march pays %(n)s"),
    "euchre": _("a euchre pays %(n)s"),
    "renege_points": _("a renege costs %(n)s"),
    "set_costs": _("a failed bid costs %(n)s"),
    "set_costs=bid": _("a failed bid costs what was bid"),
    "set_costs=nothing": _("a failed bid costs nothing"),
    "stick_the_dealer=False": _("the dealer can pass"),
    "partner_order_alone=False": _("no Canadian loner"),
    "no_trump=never": _("every hand has a trump suit"),
    "farmers=off": _("no farmer's hand"),
    "defend_alone=never": _("no defending alone"),
    "defend_alone=always": _("any defender can play alone"),
    "defend_alone=v_lone_maker": _("a defender can play alone against a loner"),
    "dealer_may_equal=False": _("the dealer has to bid higher"),
    "r2_exclude_turned=True": _("the suit turned down is barred"),
    "r2_exclude_turned=False": _("the suit turned down can be named"),
    "upcard_goes_to=dealer": _("the dealer takes the up-card"),
    "upcard_goes_to=orderer": _("the player who orders up takes the up-card"),
}


def words_for_changes(old: Ruleset, new: Ruleset) -> list[str]:
    """What clubs ask first in which a new ruleset differs, in few words: "to 7", "a march pays 3".
    If only other rules differ, those."""
    return _in_few_words(new, _changed_options(old, new))


def _changed_options(old: Ruleset, new: Ruleset) -> list[str]:
    changed = [n for n in OPTIONS if old.options.get(n) != new.options.get(n)]
    asked = [n for n in ("target", "hands", *asked_first(new)) if n in changed]
    return asked or [n for n in changed if n in new.options]


def _in_few_words(rules: Ruleset, names: Iterable[str]) -> list[str]:
    facts = key_facts(rules, with_deck=True)
    facts["target"] = facts["hands"] = facts["target"][:1].lower() + facts["target"][1:]
    return list(dict.fromkeys(_changed_to(name, rules, facts) for name in names))


def _changed_to(name: str, rules: Ruleset, facts: Mapping[str, str]) -> str:
    """The value of a changed rule in few words; `facts` are those of its rules."""
    value = rules.options.get(name)
    words = CHANGED_TO.get(f"{name}={value}") or CHANGED_TO.get(name) or facts.get(name)
    if name == "euchre" and "euchre" in facts:  # it costs the makers
        words = facts["euchre"]
    if words is None:
        return f"{as_label(title(name))} {value_words(name, value)}"
    return str(words) % {"n": value}


MOST_CHANGES = 3


def unlike_usual(usual: ClubRuleset | None, other: ClubRuleset) -> str:
    """In what rules differ from the club's usual ones of their size, in few words; "" if they are
    the same, another game, or differ in much."""
    if usual is None or usual.preset != other.preset:
        return ""
    changes = words_for_changes(usual.rules, other.rules)
    return ", ".join(changes) if len(changes) <= MOST_CHANGES else ""


def said_changes(old: Ruleset, new: Ruleset, *, without: str = "") -> list[str]:
    """All in which a new ruleset differs, `without` one rule, and with what it was before:
    "March: 3 points instead of 2 points"."""
    return [
        _said_change(rule, before, after)
        for rule, before, after in differences(old, new)
        if after != NO_VALUE and rule != without
    ]


def _said_change(rule: str, before: str, after: str) -> str:
    if before == NO_VALUE or {before, after} == {gettext("yes"), gettext("no")}:
        return f"{as_label(rule)} {after}"
    values = {"rule": as_label(rule), "after": after, "before": before}
    return gettext("%(rule)s %(after)s instead of %(before)s") % values


MOST_CHANGES_NAMED = 2
SHORT_NAMES = {"standard-four-handed": _("Euchre")}  # with changes, it is the standard no more


def name_with_changes(club_ruleset: ClubRuleset, version: str = "") -> str:
    """The ruleset's name; if that begins with its preset's own, with all changes: "Euchre, to 5".
    What a single table or session changed comes last: "Euchre, to 5, but a march pays 3".

    With a `version`, the number of its version follows, as in its `str`.
    """
    rules = club_ruleset.rules
    count = len(changed_rules(rules))
    start_of_name, _colon, own_changes = club_ruleset.name.partition(": ")
    if not count or start_of_name not in _names_of(rules.id):
        return str(club_ruleset) if version else club_ruleset.name
    own = _named_options(rules, own_changes) if own_changes else []
    changed = [n for n in _changed_options(ruleset(rules.id), rules) if n not in own]
    words = _in_few_words(rules, changed)
    changes = words[:MOST_CHANGES_NAMED]
    if not (changes or own):
        changes = [ngettext("%(n)d change", "%(n)d changes", count) % {"n": count}]
    elif len(changes) < (len(words) if own else count):
        changes.append("…")
    name = ", ".join([str(SHORT_NAMES.get(rules.id, start_of_name)), *changes])
    if not own:
        return name
    values = {"rules": name, "changes": ", ".join(_in_few_words(rules, own))}
    return gettext("%(rules)s, but %(changes)s") % values


def _named_options(rules: Ruleset, words: str) -> list[str]:
    """The options whose present values these words name, in one of the site's languages."""
    words = re.sub(r" \(\d+\)$", "", words)
    whole, cut = words.split(", "), words.rpartition(", ")[2].partition("…")
    named = []
    for code, _language in settings.LANGUAGES:
        with in_language(code):
            for name in ("target", "hands", *asked_first(rules)):
                said = _in_few_words(rules, [name])[0]
                if said in whole or (cut[1] and said.startswith(cut[0])):
                    named.append(name)
    return list(dict.fromkeys(named))


@cache
def _names_of(preset: str) -> frozenset[str]:
    """The preset's name in every language of the site."""
    names = set()
    for code, _language in settings.LANGUAGES:
        with in_language(code):
            names.add(plain_name(ruleset(preset)))
    return frozenset(names)


USUAL_TARGETS = range(3, 33)
"""The targets to which games with a card turned up are played."""


def has_odd_target(rules: Ruleset) -> bool:
    """Whether hardly anybody plays to this target; one of a bid game is compared with its preset's.

    False for games without a target, and for those that count down to it.
    """
    if rules.target is None or rules.counts_down:
        return False
    if rules.family == TURN_UP:
        return rules.target not in USUAL_TARGETS
    preset_target = ruleset(rules.id).target if rules.id in preset_ids() else None
    return preset_target is not None and not preset_target <= 3 * rules.target <= 9 * preset_target


def source_note(rules: Ruleset) -> str:
    """The preset's own description, without references that only we can look up."""
    note = _OUR_REFERENCES.sub("", rules.note or "").strip()
    return gettext(note) if note else ""


def presets_by_size() -> list[tuple[int, list[tuple[Ruleset, str, str]]]]:
    """Every table size with its presets, each with its name and description."""
    sizes = sorted({ruleset(name).players for name in offered()})
    return [
        (players, [(p, plain_name(p), plain_note(p)) for p in presets_for(players)])
        for players in sizes
    ]
