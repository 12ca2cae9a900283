"""The presets that a club can choose, by table size, with a search by any of their names."""

import re
import unicodedata
from collections.abc import Callable
from functools import cache

from django.conf import settings
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from rapidfuzz import fuzz, process

from league.members.game_facts import deck_words
from league.members.languages import in_language
from league.members.models import ClubRuleset
from league.members.rule_changes import changed_options, in_few_words
from league.members.rule_options import (
    asked_first,
    plain_name,
    search_words,
    title,
    value_of,
)
from league.members.rule_texts import special_name
from scoring import Ruleset, preset_ids, ruleset
from scoring.rulesets.options import OPTIONS

# References in notes that only we can look up: numbers of decisions, texts and lines.
_OUR_REFERENCES = re.compile(
    r"\s*\((?:D-\d+|seed \d{3}|\d{3}:[\d-]+)\)|^Seed \d{3}\. |: win_rule = any"
)

DEFAULT_PRESETS = {2: "nanaimo-two-handed", 3: "nanaimo-three-handed", 4: "standard-four-handed"}
"""The presets of a new club by table size: Hoyle's game for four, and games for two and three."""


# Descriptions by preset; without one, the preset's own note is shown.
BLURBS = {
    "standard-four-handed": _("The usual game: two pairs, nines to aces, a card turned up."),
    "three-hand-gamerules": _("Three players, sevens to aces; the dealer must name trump."),
    "keller-1887-two-handed": _("For two with 32 cards, to five points."),
    "keller-1887-three-handed": _("For three with 32 cards, to five points; two can win together."),
    "nanaimo-two-handed": _("For two with 32 cards, to ten points."),
    "nanaimo-three-handed": _("For three with 32 cards, to ten points."),
    "nanaimo-four-handed": _("Two pairs, 32 cards; every march pays 4, alone or not."),
    "ferguson-2023-four-handed": _("Two pairs, 24 cards; the dealer can leave the card turned up."),
    "guide-four-handed": _("Two pairs, 24 cards; a defender can play alone against a loner."),
    "guide-benny-25": _("The British game: the joker is the best trump."),
    "guide-32": _("Two pairs with sevens and eights added."),
    "guide-cutthroat-three-handed": _("Three players, each for themselves, with 24 cards."),
    "set-minus": _("Makers who are euchred lose points and nobody gains; eight hands."),
    "bid-general": _("Two pairs, two decks, bids from one trick; for rules of your own."),
    "bid-barrie": _("Two decks from jack to ace; call for one or two cards, or shoot the moon."),
    "bid-midwest-double-deck": _("Two decks, several rounds of bidding, and a lone bid of 24."),
    "bid-hoosier-four-player": _("Ten cards each; shoot for 16, or the moon alone for 32."),
    "bid-hoosier-three-player": _("Ten cards each, everyone for themselves, and a kitty of two."),
    "bid-hoosier-two-player": _("Bid Euchre for two: ten cards each, all ten tricks pay 16."),
    "bid-hoosier-five-player": _(
        "Bid Euchre for five: everyone for themselves, a whole deck, a kitty of two."
    ),
    "bid-hoosier-six-player": _("Bid Euchre for six in two teams: ten cards each, three decks."),
    "bid-hoosier-eight-player": _("Bid Euchre for eight in two teams: ten cards each, four decks."),
    "bid-kokomo-kitty": _("Two decks, eleven cards each; the highest bidder takes four more."),
    "bid-purdue-cutthroat": _(
        "Three players, each for themselves: seven cards, and a kitty of three."
    ),
    "bid-shawn": _("Two decks from jack to ace, bids from three; seven or eight alone."),
    "bid-racehorse": _("Six cards each; the dealer can take the bid, and must if all pass."),
    "bid-racehorse-six": _("Euchre for six in two teams, with bidding and two decks."),
    "bid-racehorse-eight": _("Euchre for eight in two teams, with bidding and two decks."),
    "bid-alber-double-deck": _("Two decks from ten to ace; shoot the moon with one card or two."),
    "bid-indiana-double-deck": _("Two decks, bids from three; the first player must bid."),
    "five-hundred-four": _("Two pairs, 43 cards and misère, as in Australia; −500 loses."),
}


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
    "benny": "bennie best bower two of spades english england englisch anglais",
    "st austell": "cornwall devon",
    # Where it is at home, and rules to switch on.
    "standard four handed": "american amerikanisch america usa canadian kanadisch canadien canada "
    "progressive farmers hand screw stick the dealer ace no face loner lone hand going alone with "
    "the call partners best no trump",
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


MOST_CHANGES_NAMED = 2
SHORT_NAMES = {"standard-four-handed": _("Euchre")}  # with changes, it is the standard no more


def name_with_changes(club_ruleset: ClubRuleset, version: str = "") -> str:
    """The ruleset's name; if that begins with its preset's own, with all changes: "Euchre, to 5";
    or with none if they are many: "Euchre, house rules".
    What a single table or session changed comes last: "Euchre, to 5, but a march pays 3".

    With a `version`, the number of its version follows, as in its `str`.
    """
    rules = club_ruleset.rules
    count = len(changed_rules(rules))
    start_of_name, _colon, own_changes = club_ruleset.name.partition(": ")
    if not count or not is_named_by_changes(club_ruleset):
        return str(club_ruleset) if version else club_ruleset.name
    own = _named_options(rules, own_changes) if own_changes else []
    changed = [n for n in changed_options(ruleset(rules.id), rules) if n not in own]
    changes = in_few_words(rules, changed)
    if len(changes) > MOST_CHANGES_NAMED or not (own or len(changes) == count):
        changes = [gettext("house rules")]
    name = ", ".join([str(SHORT_NAMES.get(rules.id, start_of_name)), *changes])
    if not own:
        return name
    values = {"rules": name, "changes": ", ".join(in_few_words(rules, own))}
    return gettext("%(rules)s, but %(changes)s") % values


def is_named_by_changes(club_ruleset: ClubRuleset) -> bool:
    """Whether the name begins with the preset's own, so that it is shown with what is changed."""
    preset, start_of_name = club_ruleset.rules.id, club_ruleset.name.partition(": ")[0]
    return preset in preset_ids() and start_of_name in _names_of(preset)


def _named_options(rules: Ruleset, words: str) -> list[str]:
    """The options whose present values these words name, in one of the site's languages."""
    words = re.sub(r" \(\d+\)$", "", words)
    whole, cut = words.split(", "), words.rpartition(", ")[2].partition("…")
    named = []
    for code, _language in settings.LANGUAGES:
        with in_language(code):
            for name in ("target", "hands", *asked_first(rules)):
                said = in_few_words(rules, [name])[0]
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
