"""A ruleset's options and the presets as a person reads them: in groups, in words, with sources."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from league.members.game_facts import facts
from league.members.rule_questions import MOST_QUESTIONS, QUESTIONS, question_of
from league.members.rule_texts import BLURBS, GROUPS, NAMES, RULES, WHY_IDLE, special_name
from scoring import Ruleset, idle_options, preset_ids, ruleset
from scoring.rulesets.options import OPTIONS, Option

SOURCES = {
    "000": _("Three-Hand Euchre (gamerules.com)"),
    "001": _("Keller, The Game of Euchre (1887)"),
    "002": _("Nanaimo chapter rules (2018-19)"),
    "003": _("Ferguson, How to Play Euchre (2023)"),
    "004": _("Euchre: The Ultimate Guide"),
}

# What stands in place of a book's title, by how presets have it. Titles are in no language.
NO_BOOKS = {
    "Keller": SOURCES["001"],
    "Keller 1887": SOURCES["001"],
    "Somerset Club": _("laws of the Somerset Club"),
    "British rules": _("British rules"),
    "Hoyle has none": _("Hoyle has none"),
    "agreed at the table": _("agreed at the table"),
    "decided here": _("decided here"),
    "in no source": _("in no source"),
    "not stated": _("not stated"),
    "standard": _("usual"),
}

# By value, or by "option=value" where a word means different things.
VALUES = {
    "on": _("yes"),
    "off": _("no"),
    "none": _("none: a score can go below zero"),
    "score_floor=0": _("zero: a score never goes below it"),
    "play_on": _("play on until one player leads"),
    "co_winners": _("they win together"),
    "highest_then_play_on": _("the higher wins; tied, play on"),
    "made_or_set": _("making a bid, or setting the others"),
    "made_only": _("only making your own bid"),
    "any": _("any hand"),
    "bidding_side": _("the side that bid"),
    "highest": _("the higher score"),
    "every_hand": _("after every hand"),
    "every_game": _("after every game"),
    "random": _("random draw"),
    "first_black_jack": _("first black jack"),
    "first_jack": _("first jack"),
    "high_card_suits": _("highest card, then highest suit"),
    "cut": _("by cutting"),
    "cut_high": _("highest card cut"),
    "cut_low": _("lowest card cut"),
    "any_2_3": _("twos and threes, dealer's choice"),
    "3-2": _("three, then two"),
    "2-3": _("two, then three"),
    "one_at_a_time": _("one at a time"),
    "right": _("the player on the right"),
    "left": _("the player on the left"),
    "same": _("the same dealer"),
    "next": _("the next player"),
    "never": _("never"),
    "always": _("always"),
    "second_round": _("in the second round"),
    "target": _("the whole target"),
    "dealer_names_blind_and_makes": _("dealer names trump, cards unseen"),
    "redeal": _("deal again"),
    "fixed_suit": _("it counts as an agreed suit"),
    "c": _("clubs"),
    "d": _("diamonds"),
    "h": _("hearts"),
    "s": _("spades"),
    "nt": _("no trump"),
    "ntl": _("no trump, low"),
    "mandatory": _("yes, always"),
    "optional": _("no, it can be left"),
    "dealer": _("the dealer"),
    "orderer": _("the player who orders it up"),
    "maker": _("the maker alone"),
    "maker_side": _("either of the makers"),
    "with_call": _("with the call"),
    "before_lead": _("before the first card is led"),
    "v_lone_maker": _("only against a lone maker"),
    "eldest_active": _("first one in, left of the dealer"),
    "left_of_loner": _("the player left of the lone hand"),
    "same_rule": _("as with one player alone"),
    "lone_defender": _("the lone defender"),
    "each": _("each scores"),
    "split": _("they share it"),
    "elder_hand": _("first from the dealer's left wins"),
    "trick_order": _("first to the deciding trick wins"),
    "third_seat_orderer": _("the dealer, or a third seat that orders"),
    "ace": _("an ace"),
    "plain_card": _("any card that is not a trump"),
    "two_cards": _("two cards"),
    "dummy=none": _("no dummy"),
    "lose_at=none": _("no score loses"),
    "defenders": _("paid to the defenders"),
    "makers_lose": _("taken from the makers"),
    "pass_is_final": _("several rounds, a pass is final"),
    "play_no_trump": _("play the hand in no trump"),
    "declarer": _("the highest bidder"),
    "eldest": _("the player left of the dealer"),
    "kitty_to=maker": _("the highest bidder"),
    "nobody": _("nobody"),
    "tricks": _("tricks taken"),
    "values=tricks": _("the number of tricks"),
    "avondale": _("by suit and tricks, 40 to 520"),
    "bid": _("the bid"),
    "nothing": _("nothing"),
    "misere=open": _("yes, and open misère"),
    "american": _("American rules"),
    "hoffmann": _("Hoffmann's rules"),
    "joint": _("they count together"),
    "one_round": _("once round the table"),
    "multi_round_reentry": _("several rounds, back in after a pass"),
    "until_three_passes_reentry": _("until three pass in a row"),
    "in_bid": _("with the bid"),
    "after": _("after the bidding"),
    "throw_in_next_dealer": _("thrown in, next player deals"),
    "same_dealer": _("thrown in, same player deals"),
    "dealer_must_bid_min": _("dealer must make the lowest bid"),
    "count": _("they score"),
    "ignore": _("they do not score"),
    "discard_first": _("discard, then take"),
    "take_first": _("take, then discard"),
    "claimant_choice": _("the other side chooses"),
    "add": _("added to the other side"),
    "deduct": _("taken from the side at fault"),
    "trick": _("until the trick is turned over"),
    "until_next_deal": _("until the next deal"),
    "high": _("high"),
    "low": _("low"),
}


# What stands in a note of a source for our own ears: numbers of decisions, texts and lines.
_OURS = re.compile(r"\s*\((?:D-\d+|seed \d{3}|\d{3}:[\d-]+)\)|^Seed \d{3}\. |: win_rule = any")
_FOR_US_ALONE = re.compile(r"\b\d{3}:\d|\bD-\d|\b\d{3} and \d{3}\b|we do not have")
_PAGE = re.compile(r",? (?:p\.|ch\.|laws?) [\d and-]+$")
_PLACE = re.compile(r"^(\d{3}):[\d-]+$")


@dataclass(frozen=True, slots=True)
class Row:
    """One rule in words. `question` and `example` are empty but for those that clubs ask first."""

    name: str
    title: str
    meaning: str
    value: str
    question: str
    example: str
    search: str
    source: str
    note: str


def option_field(name: str) -> str:
    """The form field that holds an option; the prefix keeps it apart from the form's own fields."""
    bare = name.removeprefix("options.")
    return f"option_{bare}" if bare in OPTIONS else bare


def first_questions(rules: Ruleset) -> list[str]:
    """The options of this ruleset that clubs ask for first, at most `MOST_QUESTIONS`."""
    elsewhere = {*idle_options(rules)} | ({"tie_rule"} if rules.partnership else {"both_over"})
    return [n for n in QUESTIONS if n in rules.options and n not in elsewhere][:MOST_QUESTIONS]


# Points that no game pays or costs where they are 0.
ZERO_IS_NO = frozenset(
    [
        "start",
        "caller_bonus",
        "no_trick_costs",
        "all_tricks_least",
        "false_claim_points",
        "table_talk_points",
        "abandon_points",
    ]
)

# Options that change nothing at a table of this site, and why: shown, and not to be chosen.
IN_MATCHES = _(
    "It counts in matches of several games by the same sides. Switch it on in the settings of a "
    "tournament whose matches are best of 3 or more, or of a league whose pairs meet again."
)
WITHOUT_EFFECT = {
    "laps": IN_MATCHES,
    "slam": IN_MATCHES,
}


def why_idle(rules: Ruleset) -> dict[str, str]:
    """Why options of this ruleset change nothing as its others stand, in a sentence each."""
    return {name: str(WHY_IDLE[idle.reason]) for name, idle in idle_options(rules).items()}


def never_here(rules: Ruleset) -> list[tuple[str, str]]:
    """(rule, why) of the options that nothing on the form of this game could give an effect."""
    idle_here = idle_options(rules).items()
    return [(title(n), str(WHY_IDLE[idle.reason])) for n, idle in idle_here if not idle.wakers]


def options_of(rules: Ruleset, without: Collection[str] = ()) -> list[tuple[str, list[Option]]]:
    """The options this ruleset has: what clubs ask first, then in groups without the empty ones."""
    first = ["target", "hands", *first_questions(rules)[1:]]
    unlisted = {*first, *without}
    others = [name for name in OPTIONS if name in rules.options and name not in unlisted]
    grouped = [(gettext("What clubs ask first"), first)]
    for heading, listed in GROUPS:
        grouped.append((str(heading), [name for name in listed.split() if name in others]))
        others = [name for name in others if name not in grouped[-1][1]]
    grouped.append((gettext("More"), others))
    return [(heading, [OPTIONS[n] for n in listed]) for heading, listed in grouped if listed]


def rows(rules: Ruleset) -> list[tuple[str, list[Row]]]:
    """The ruleset in words: what clubs ask first, then the rest, group by group.

    What changes nothing where it stands is left out.
    """
    idle = idle_options(rules)
    grouped = [
        (heading, [_row(rules, option) for option in options if option.name in rules.options])
        for heading, options in options_of(rules, without=idle)
    ]
    return [(heading, listed) for heading, listed in grouped if listed]


def in_use(rules: Ruleset, groups: list[tuple[str, list[Row]]]) -> list[tuple[str, list[Row]]]:
    """The groups without what nobody plays: options at the value of a game that lacks them."""
    kept = (
        (heading, [row for row in listed if not _unused(rules, row.name)])
        for heading, listed in groups
    )
    return [(heading, listed) for heading, listed in kept if listed]


def _unused(rules: Ruleset, name: str) -> bool:
    value = rules.options[name]
    if name == "min_nt":
        return bool(value <= rules.options["min"])
    nothing = value in (False, "off", "none", "never", ()) or (value == 0 and name in ZERO_IS_NO)
    return bool(nothing) and OPTIONS[name].default in (None, value)


def differences(one: Ruleset, other: Ruleset) -> list[tuple[str, str, str]]:
    """(rule, value here, value there) of every option the two do not share, and of the deck."""
    facts_there = {fact.title: fact.value for fact in facts(other)}
    lines = [
        (fact.title, fact.value, facts_there[fact.title])
        for fact in facts(one)
        if fact.value != facts_there[fact.title]
    ]
    if one.specials != other.specials:
        lines.append((gettext("Special bids"), _bids_in_short(one), _bids_in_short(other)))
    names = [n for n in OPTIONS if one.options.get(n) != other.options.get(n)]
    return lines + [
        (title(n), value_words(n, one.options.get(n)), value_words(n, other.options.get(n)))
        for n in names
    ]


def _bids_in_short(rules: Ruleset) -> str:
    bids = (f"{label} +{bid.won}/−{bid.lost}" for label, bid in special_bids(rules))
    return ", ".join(bids) or gettext("none")


def title(name: str) -> str:
    """What people call a rule."""
    return str(RULES[name].name)


def meaning(name: str) -> str:
    """What a rule is about, in one sentence."""
    return str(RULES[name].sentence)


def search_words(name: str) -> str:
    """What a rule can be found by besides the text on the page."""
    return f"{name.replace('_', ' ')} {title(name)} {meaning(name)}"


def value_words(name: str, value: Any) -> str:
    """A value in words; a dash where the ruleset has no such option."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if isinstance(value, tuple | list):
        return ", ".join(word(name, item) for item in value) or gettext("none")
    if isinstance(value, int) and OPTIONS[name].kind in ("points", "word_or_points"):
        return _number(name, value)
    if name == "deck":
        return ngettext("%(n)d card", "%(n)d cards", value) % {"n": value}
    return word(name, value)


def value_of(rules: Ruleset, name: str, value: Any) -> str:
    """A value of an option in words, of this game: counting down, the lower wins."""
    if name == "tie_rule" and value == "highest_then_play_on" and rules.counts_down:
        return gettext("the lower wins; tied, play on")
    return value_words(name, value)


def word(name: str, value: Any) -> str:
    """One allowed word of an option, said plainly."""
    plain = VALUES.get(f"{name}={value}") or VALUES.get(str(value))
    return str(plain) if plain else str(value).replace("_", " ")


def plain_name(rules: Ruleset) -> str:
    """What a preset is called in the reader's language."""
    return str(NAMES.get(rules.name) or gettext(rules.name))


def plain_note(rules: Ruleset) -> str:
    """What the game is like; "" where the club plays it with another deck or table."""
    if rules.id in preset_ids() and ruleset(rules.id).deck != rules.deck:
        return ""
    return str(BLURBS.get(rules.id) or "") or source_note(rules)


def source_note(rules: Ruleset) -> str:
    """The preset's own description, without references that nobody outside can look up."""
    note = _OURS.sub("", rules.note or "").strip()
    return gettext(note) if note else ""


def plain_choice_note(choice: Any) -> str:
    """What a source says of a value; "" where the note is for ourselves alone."""
    return gettext(choice.note) if choice.note and not _FOR_US_ALONE.search(choice.note) else ""


def origin(rules: Ruleset, name: str) -> tuple[str, str]:
    """(source, note) of a value: "Nanaimo chapter rules (2018-19)", and a sentence or ""."""
    choice = rules.choices.get(name)
    if choice is None:
        return "", ""
    sources = dict.fromkeys(_source(part.strip()) for part in choice.source.split(";"))
    return "; ".join(filter(None, sources)), plain_choice_note(choice)


def _row(rules: Ruleset, option: Option) -> Row:
    name = option.name
    source, note = origin(rules, name)
    question = question_of(rules, name) if name in first_questions(rules) else None
    return Row(
        name=name,
        title=title(name),
        meaning=meaning(name),
        value=value_of(rules, name, rules.options[name]),
        question=str(question.text) if question else "",
        example=str(question.example) if question else "",
        search=search_words(name).lower(),
        source=source or gettext("the club's own choice"),
        note=note,
    )


def _number(name: str, value: int) -> str:
    if name in ("min", "min_nt"):
        return ngettext("%(n)d trick", "%(n)d tricks", value) % {"n": value}
    if name == "hands":
        return ngettext("%(n)d hand", "%(n)d hands", value) % {"n": value}
    return ngettext("%(n)d point", "%(n)d points", value) % {"n": value}


def _source(text: str) -> str:
    """The name of a source, without the place in it."""
    place = _PLACE.match(text)
    if place and place[1] in SOURCES:
        return str(SOURCES[place[1]])
    name = _PAGE.sub("", text)
    return "" if "D-" in text else str(NO_BOOKS.get(name, name))


def special_bids(rules: Ruleset) -> list[tuple[str, Any]]:
    """The special bids of a bid game, each with what people call it."""
    return [(special_name(special.name), special) for special in rules.specials]
