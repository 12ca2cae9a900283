"""A ruleset's options and the presets for display: in groups, in words, with their sources."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from league.members.game_facts import deck_words, facts
from league.members.rule_questions import MOST_QUESTIONS, QUESTIONS, question_of
from league.members.rule_texts import GROUPS, NAMES, RULES, special_name
from scoring import Ruleset, idle_options
from scoring.rulesets.options import OPTIONS, Option

SOURCES = {
    "000": _("Three-Hand Euchre (gamerules.com)"),
    "001": _("Keller, The Game of Euchre (1887)"),
    "002": _("Nanaimo chapter rules (2018-19)"),
    "003": _("Ferguson, How to Play Euchre (2023)"),
    "004": _("Euchre: The Ultimate Guide"),
}

# Shown in place of a book's title, by the text in presets. Titles themselves aren't translated.
NO_BOOKS = {
    "Keller": SOURCES["001"],
    "Keller 1887": SOURCES["001"],
    "Somerset Club": _("laws of the Somerset Club"),
    "British rules": _("British rules"),
    "Hoyle has none": _("Hoyle has none"),
    "agreed at the table": _("agreed at the table"),
    "decided here": _("decided here"),
    "in no source": _("not in any source"),
    "not stated": _("not stated"),
    "standard": _("usual"),
}

NO_VALUE = "–"
"""In place of a value that a game doesn't have."""

# By value, or by "option=value" where a value means different things.
VALUES = {
    "on": _("yes"),
    "off": _("no"),
    "none": _("none, a score can go below zero"),
    "score_floor=0": _("zero, a score never goes below it"),
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
    "dealer_names_blind_and_makes": _("dealer names trump before seeing cards"),
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
    "maker": _("only the maker"),
    "maker_side": _("the maker or the partner"),
    "with_call": _("with the call"),
    "before_lead": _("before the first card is led"),
    "v_lone_maker": _("only against a lone maker"),
    "eldest_active": _("first from the dealer's left who plays"),
    "left_of_loner": _("the player left of the lone hand"),
    "same_rule": _("the same as against one loner"),
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
    "claimant_choice": _("the opponents choose"),
    "add": _("added to the other side"),
    "deduct": _("taken from the side at fault"),
    "trick": _("until the trick is turned over"),
    "until_next_deal": _("until the next deal"),
    "high": _("high"),
    "low": _("low"),
}


# Notes with references that only we can look up: numbers of decisions, texts and lines.
_INTERNAL_NOTE = re.compile(r"\b\d{3}:\d|\bD-\d|\b\d{3} and \d{3}\b|we do not have")
_PAGE_REFERENCE = re.compile(r",? (?:p\.|ch\.|laws?) [\d and-]+$")
_LINE_REFERENCE = re.compile(r"^(\d{3}):[\d-]+$")


@dataclass(frozen=True, slots=True)
class Row:
    """A rule in words. Only rules that clubs ask about first have a `question` and an `example`."""

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
    """The name of an option's form field; the prefix avoids clashes with the form's own fields."""
    option = name.removeprefix("options.")
    return f"option_{option}" if option in OPTIONS else option


def asked_first(rules: Ruleset) -> list[str]:
    """The options of this ruleset that clubs ask about first, at most `MOST_QUESTIONS`."""
    unfitting = {*idle_options(rules)} | ({"tie_rule"} if rules.partnership else {"both_over"})
    return [n for n in QUESTIONS if n in rules.options and n not in unfitting][:MOST_QUESTIONS]


# Options for points that mean "no such rule" when they are 0.
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


def grouped_options(
    rules: Ruleset, without: Collection[str] = ()
) -> list[tuple[str, list[Option]]]:
    """The ruleset's options in groups: those that clubs ask about first, then the others."""
    first = ["target", "hands", *asked_first(rules)[1:]]
    unlisted = {*first, *without}
    remaining = [name for name in OPTIONS if name in rules.options and name not in unlisted]
    grouped = [(gettext("What clubs ask first"), first)]
    for heading, group in GROUPS:
        names = [name for name in group.split() if name in remaining]
        grouped.append((str(heading), names))
        remaining = [name for name in remaining if name not in names]
    grouped.append((gettext("More"), remaining))
    return [(heading, [OPTIONS[n] for n in names]) for heading, names in grouped if names]


def rule_groups(rules: Ruleset) -> list[tuple[str, list[Row]]]:
    """The ruleset in words, in groups: what clubs ask about first, then the rest.

    Options without effect are left out.
    """
    idle = idle_options(rules)
    grouped = [
        (heading, [_make_row(rules, option) for option in options if option.name in rules.options])
        for heading, options in grouped_options(rules, without=idle)
    ]
    return [(heading, listed) for heading, listed in grouped if listed]


def used_groups(rules: Ruleset, groups: list[tuple[str, list[Row]]]) -> list[tuple[str, list[Row]]]:
    """The groups without unused options, that is, those at the value that means "no such rule"."""
    filtered = (
        (heading, [row for row in listed if not _is_unused(rules, row.name)])
        for heading, listed in groups
    )
    return [(heading, listed) for heading, listed in filtered if listed]


def _is_unused(rules: Ruleset, name: str) -> bool:
    value = rules.options[name]
    if name == "min_nt":
        return bool(value <= rules.options["min"])
    is_off = value in (False, "off", "none", "never", ()) or (value == 0 and name in ZERO_IS_NO)
    return bool(is_off) and OPTIONS[name].default in (None, value)


def differences(rules: Ruleset, other: Ruleset) -> list[tuple[str, str, str]]:
    """(rule, value, other value) of all options, and facts, in which two rulesets differ."""
    other_facts = {fact.title: fact.value for fact in facts(other)}
    lines = [
        (fact.title, fact.value, other_facts[fact.title])
        for fact in facts(rules)
        if fact.value != other_facts.get(fact.title, fact.value)
    ]
    if rules.specials != other.specials:
        lines.append((gettext("Special bids"), _bids_summary(rules), _bids_summary(other)))
    names = [n for n in OPTIONS if rules.options.get(n) != other.options.get(n)]
    return lines + [
        (title(n), value_words(n, rules.options.get(n)), value_words(n, other.options.get(n)))
        for n in names
    ]


def _bids_summary(rules: Ruleset) -> str:
    bids = (f"{label} +{bid.won}/−{bid.lost}" for label, bid in special_bids(rules))
    return ", ".join(bids) or gettext("none")


def title(name: str) -> str:
    """The name of a rule."""
    return str(RULES[name].name)


def meaning(name: str) -> str:
    """A sentence that explains a rule."""
    return str(RULES[name].sentence)


def search_words(name: str) -> str:
    """The words by which a rule can be found, besides the text on the page."""
    return f"{name.replace('_', ' ')} {title(name)} {meaning(name)} {RULES[name].also}"


def value_words(name: str, value: Any) -> str:
    """A value in words; a dash if the ruleset has no such option."""
    if value is None:
        return NO_VALUE
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if isinstance(value, tuple | list):
        return ", ".join(word(name, item) for item in value) or gettext("none")
    if isinstance(value, int) and OPTIONS[name].kind in ("points", "word_or_points"):
        return _number_words(name, value)
    if name == "deck":
        return ngettext("%(n)d card", "%(n)d cards", value) % {"n": value}
    return word(name, value)


def value_of(rules: Ruleset, name: str, value: Any) -> str:
    """A value in words for this game: in a game that counts down, the lower score wins."""
    if name == "tie_rule" and value == "highest_then_play_on" and rules.counts_down:
        return gettext("the lower wins; tied, play on")
    return value_words(name, value)


def word(name: str, value: Any) -> str:
    """An option's code for a value, in plain words."""
    words = VALUES.get(f"{name}={value}") or VALUES.get(str(value))
    return str(words) if words else str(value).replace("_", " ")


def plain_name(rules: Ruleset) -> str:
    """The name of a preset in the reader's language."""
    return str(NAMES.get(rules.name) or gettext(rules.name))


def plain_choice_note(choice: Any) -> str:
    """A source's note about a value; "" if it is an internal note."""
    return gettext(choice.note) if choice.note and not _INTERNAL_NOTE.search(choice.note) else ""


def origin(rules: Ruleset, name: str) -> tuple[str, str]:
    """(source, note) of a value: "Nanaimo chapter rules (2018-19)", and a sentence or ""."""
    choice = rules.choices.get(name)
    if choice is None:
        return "", ""
    sources = dict.fromkeys(_source_name(part.strip()) for part in choice.source.split(";"))
    return "; ".join(filter(None, sources)), plain_choice_note(choice)


def _make_row(rules: Ruleset, option: Option) -> Row:
    name = option.name
    source, note = origin(rules, name)
    question = question_of(rules, name) if name in asked_first(rules) else None
    texts = [str(text) for text in question or ()]
    value = deck_words(rules) if name == "deck" else value_of(rules, name, rules.options[name])
    return Row(
        name=name,
        title=title(name),
        meaning=meaning(name),
        value=value,
        question=texts[0] if texts else "",
        example=texts[1] if texts else "",
        search=" ".join([search_words(name), value, *texts]).lower(),
        source=source or gettext("the club's own choice"),
        note=note,
    )


def _number_words(name: str, value: int) -> str:
    if name in ("min", "min_nt"):
        return ngettext("%(n)d trick", "%(n)d tricks", value) % {"n": value}
    if name == "hands":
        return ngettext("%(n)d hand", "%(n)d hands", value) % {"n": value}
    return ngettext("%(n)d point", "%(n)d points", value) % {"n": value}


def _source_name(text: str) -> str:
    """The name of a source, without page or line."""
    place = _LINE_REFERENCE.match(text)
    if place and place[1] in SOURCES:
        return str(SOURCES[place[1]])
    name = _PAGE_REFERENCE.sub("", text)
    return "" if "D-" in text else str(NO_BOOKS.get(name, name))


def special_bids(rules: Ruleset) -> list[tuple[str, Any]]:
    """The special bids of a bid game, each with its name in words."""
    return [(special_name(special.name), special) for special in rules.specials]
