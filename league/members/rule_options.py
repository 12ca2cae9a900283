"""A ruleset's options and the presets as a person reads them: in groups, in words, with sources."""

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from scoring import Ruleset, preset_ids, ruleset
from scoring.rulesets.options import OPTIONS, Option

SOURCES = {
    "000": _("Three-Hand Euchre (gamerules.com)"),
    "001": _("Keller, The Game of Euchre (1887)"),
    "002": _("Nanaimo chapter rules (2018-19)"),
    "003": _("Ferguson, How to Play Euchre (2023)"),
    "004": _("Euchre: The Ultimate Guide"),
}

# By value, or by "option=value" where a word means different things.
VALUES = {
    "on": _("yes"),
    "off": _("no"),
    "none": _("no floor: a score may go below nothing"),
    "score_floor=0": _("a score never goes below nothing"),
    "play_on": _("all play on until one is alone in front"),
    "co_winners": _("they win together"),
    "highest_then_play_on": _("the higher wins; if equal, play on"),
    "made_or_set": _("any hand that makes the bid or sets the other side"),
    "made_only": _("only a hand whose bid the side made itself"),
    "any": _("any hand"),
    "bidding_side": _("the side that bid"),
    "highest": _("the higher score"),
    "every_hand": _("after every hand"),
    "every_game": _("after every game"),
    "random": _("drawn by the site"),
    "first_black_jack": _("first black jack dealt"),
    "first_jack": _("first jack dealt"),
    "high_card_suits": _("highest card drawn; hearts, diamonds, spades, clubs break ties"),
    "cut": _("by cutting"),
    "cut_high": _("highest card cut"),
    "cut_low": _("lowest card cut"),
    "any_2_3": _("twos and threes, as the dealer likes"),
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
    "dealer_names_blind_and_makes": _("the dealer names a suit unseen and is the maker"),
    "redeal": _("the hand is dealt again"),
    "fixed_suit": _("it stands for a suit agreed on"),
    "c": _("clubs"),
    "d": _("diamonds"),
    "h": _("hearts"),
    "s": _("spades"),
    "nt": _("no trump"),
    "ntl": _("no trump, low"),
    "mandatory": _("it must be taken"),
    "optional": _("it may be left"),
    "dealer": _("the dealer"),
    "orderer": _("whoever orders it up"),
    "maker": _("the maker alone"),
    "maker_side": _("either of the makers"),
    "with_call": _("with the call"),
    "before_lead": _("before the first card is led"),
    "v_lone_maker": _("only against a lone maker"),
    "eldest_active": _("eldest hand, or the next who plays"),
    "left_of_loner": _("the player left of the lone hand"),
    "same_rule": _("as when one plays alone"),
    "lone_defender": _("the lone defender"),
    "each": _("each scores"),
    "split": _("they share"),
    "elder_hand": _("the elder hand wins"),
    "trick_order": _("whoever took the deciding trick first wins"),
    "third_seat_orderer": _("the dealer, or the third seat if it orders up"),
    "ace": _("an ace"),
    "plain_card": _("any card that is not a trump"),
    "two_cards": _("two cards"),
    "dummy=none": _("no dummy"),
    "lose_at=none": _("no score loses"),
    "defenders": _("paid to the defenders"),
    "makers_lose": _("taken from the makers"),
    "pass_is_final": _("round and round; a pass is final"),
    "play_no_trump": _("played in no trump"),
    "declarer": _("the highest bidder"),
    "eldest": _("eldest hand"),
    "kitty_to=maker": _("the highest bidder"),
    "nobody": _("nobody"),
    "tricks": _("tricks taken"),
    "values=tricks": _("the number of tricks"),
    "avondale": _("by suit and tricks, 40 to 520 points"),
    "bid": _("the bid"),
    "nothing": _("nothing"),
    "misere=open": _("also an open one"),
    "american": _("American rules"),
    "hoffmann": _("Hoffmann's rules"),
    "joint": _("they count together"),
    "one_round": _("once round"),
    "multi_round_reentry": _("round and round; who passed may come back"),
    "until_three_passes_reentry": _("until three pass in turn; who passed may come back"),
    "in_bid": _("with the bid"),
    "after": _("after the bidding"),
    "throw_in_next_dealer": _("thrown in, the next player deals"),
    "same_dealer": _("thrown in, the same dealer deals"),
    "dealer_must_bid_min": _("the dealer must make the least bid"),
    "count": _("they score"),
    "ignore": _("they do not score"),
    "discard_first": _("discard, then take"),
    "take_first": _("take, then discard"),
    "claimant_choice": _("as the other side chooses"),
    "add": _("added to the other side"),
    "deduct": _("taken from the guilty side"),
    "trick": _("until the trick is turned"),
    "until_next_deal": _("until the next deal"),
    "high": _("high"),
    "low": _("low"),
}


GROUPS = (
    (
        _("The end of the game"),
        "target hands start tie_rule win_rule both_over lose_at laps slam score_floor",
    ),
    (
        _("Points"),
        "made march euchre euchre_pays lone_made lone_march lone_euchred super_euchre "
        "lone_def_euchre lone_def_march defenders_score moon_two_cards moon_one_card overtricks "
        "three_player_defence defenders_score_on_failed_special values set_costs "
        "set_gives made_gives trick_points all_tricks_least no_trick_costs level_payment "
        "jambone jamboree fast_break four_trick_tokens caller_bonus",
    ),
    (
        _("Cards and dealing"),
        "deck first_dealer dealer_rotates deal_pattern cut_by passout_dealer misdeal_dealer "
        "seat_nine mcevoy farmers no_ace_no_face go_under joker_turned_up joker_suit dummy bowers "
        "kitty_to",
    ),
    (
        _("Making trump"),
        "stick_the_dealer r2_exclude_turned no_trump forbidden_trumps dirty_clubs upcard_pickup "
        "upcard_goes_to may_discard_upcard second_upcard smitty smitty_solo smitty_game chuck "
        "call_card drop_out",
    ),
    (
        _("Bidding"),
        "auction min min_nt nt dealer_may_equal eldest_must_open denomination all_pass "
        "exchange_order lone_over_max shooter_gets_kitty shooter_exchange lead trump_by_lead "
        "misere wellington misery",
    ),
    (
        _("Alone"),
        "alone_by alone_window partner_order_alone defend_alone loner_lead two_loner_lead "
        "partners_best",
    ),
    (
        _("Penalties"),
        "renege_points renege_points_lone renege_form renege_window revoke_500 "
        "false_claim_points table_talk_points abandon_points",
    ),
)
_SEED = re.compile(r"\s*\(seed \d{3}\)|^Seed \d{3}\. ")
_PLACE = re.compile(r"^(\d{3}):([\d-]+)$")


@dataclass(frozen=True, slots=True)
class Row:
    """One option of a ruleset in words."""

    name: str
    meaning: str
    value: str
    source: str
    decision: str
    note: str


def option_field(name: str) -> str:
    """The form field that holds an option; the prefix keeps it apart from the form's own fields."""
    bare = name.removeprefix("options.")
    return f"option_{bare}" if bare in OPTIONS else bare


def options_of(rules: Ruleset) -> list[tuple[str, list[Option]]]:
    """The options this ruleset has, in groups: (heading, options), empty groups left out."""
    both_ends = {"target", "hands"}
    names = [name for name in OPTIONS if name in rules.options or name in both_ends]
    grouped = [
        (str(heading), [n for n in listed.split() if n in names]) for heading, listed in GROUPS
    ]
    grouped_names = {name for _heading, listed in grouped for name in listed}
    grouped.append((gettext("More"), [name for name in names if name not in grouped_names]))
    return [(heading, [OPTIONS[n] for n in listed]) for heading, listed in grouped if listed]


def rows(rules: Ruleset) -> list[tuple[str, list[Row]]]:
    """The ruleset in words, group by group."""
    return [
        (heading, [_row(rules, option) for option in options if option.name in rules.options])
        for heading, options in options_of(rules)
    ]


def differences(one: Ruleset, other: Ruleset) -> list[tuple[str, str, str]]:
    """(meaning, value here, value there) of every option the two do not share."""
    names = [n for n in OPTIONS if one.options.get(n) != other.options.get(n)]
    return [
        (meaning(n), value_words(n, one.options.get(n)), value_words(n, other.options.get(n)))
        for n in names
    ]


def meaning(name: str) -> str:
    """What an option is about, in one sentence."""
    return gettext(OPTIONS[name].meaning)


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
    return word(name, value)


def word(name: str, value: Any) -> str:
    """One allowed word of an option, said plainly."""
    plain = VALUES.get(f"{name}={value}") or VALUES.get(str(value))
    return str(plain) if plain else str(value).replace("_", " ")


def plain_note(rules: Ruleset) -> str:
    """The ruleset's description without the numbers its sources have among us."""
    return _SEED.sub("", gettext(rules.note) if rules.note else "").strip()


def why(rules: Ruleset, name: str) -> tuple[str, str, str]:
    """(source, decision, note) of a value: "Nanaimo rules, line 149", "D-14", a sentence."""
    choice = rules.choices.get(name)
    if choice is None:
        return "", OPTIONS[name].decision, ""
    sources = [_source(part.strip()) for part in choice.source.split(";") if part.strip()]
    return "; ".join(sources), choice.decision or OPTIONS[name].decision, choice.note


def _row(rules: Ruleset, option: Option) -> Row:
    source, decision, note = why(rules, option.name)
    source = source or gettext("the club's own choice")
    value = value_words(option.name, rules.options[option.name])
    return Row(option.name, meaning(option.name), value, source, decision, note)


def _number(name: str, value: int) -> str:
    if name in ("min", "min_nt"):
        return ngettext("%(n)d trick", "%(n)d tricks", value) % {"n": value}
    if name == "hands":
        return ngettext("%(n)d hand", "%(n)d hands", value) % {"n": value}
    return ngettext("%(n)d point", "%(n)d points", value) % {"n": value}


def _source(text: str) -> str:
    place = _PLACE.match(text)
    if place and place[1] in SOURCES:
        return gettext("%(source)s, line %(line)s") % {
            "source": SOURCES[place[1]],
            "line": place[2],
        }
    return text


USUAL = {2: "nanaimo-two-handed", 3: "nanaimo-three-handed", 4: "nanaimo-four-handed"}


# Games the engine scores that no table can play on this site yet: take a line out to offer one.
NOT_AT_TABLES_YET = frozenset(
    [
        "keller-1887-four-handed",
        "railroad",
        "benny-21",
        "benny-21-guernsey",
        "set-minus",
        "six-handed-euchre",
        "hoyle-1909-three-handed",
        "set-back-three-handed",
        "call-ace-four",
        "call-ace-five",
        "call-ace-six",
        "ghost-hand-two",
        "buck-euchre",
        "buck-euchre-bid",
        "auction-euchre",
        "auction-euchre-six",
        "pepper",
        "pepper-eight",
        "pepper-eight-six",
        "five-hundred-three",
        "five-hundred-four",
        "napoleon",
        "ghost-hand-three",
        "bid-six-handed",
        "bid-hoosier-two-player",
        "bid-hoosier-five-player",
        "bid-hoosier-six-player",
        "bid-hoosier-eight-player",
    ]
)


@cache
def offered() -> tuple[str, ...]:
    """The presets a club can choose, turn-up games first."""
    return tuple(name for name in preset_ids() if name not in NOT_AT_TABLES_YET)


@cache
def presets_for(players: int) -> tuple[Ruleset, ...]:
    """Every preset for this number of players, turn-up games first."""
    return tuple(rules for name in offered() if (rules := ruleset(name)).players == players)


def preset_choices(players: int) -> tuple[list[tuple[str, str]], str]:
    """Choices for a form and the one chosen at first: Nanaimo's rules, as the club plays."""
    choices = [(rules.id, rules.name) for rules in presets_for(players)]
    usual = USUAL.get(players, choices[0][0] if choices else "")
    return sorted(choices, key=lambda choice: choice[0] != usual), usual


def presets_by_size() -> list[tuple[int, list[tuple[Ruleset, str]]]]:
    """Every table size that has presets, with them and what they are in plain words."""
    sizes = sorted({ruleset(name).players for name in offered()})
    return [(players, [(p, plain_note(p)) for p in presets_for(players)]) for players in sizes]
