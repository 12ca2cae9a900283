"""A ruleset's options as a person reads them: in groups, in words, each with its source."""

import re
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.utils.translation import ngettext

from league.members.rule_words import SOURCES, VALUES
from scoring import Ruleset
from scoring.rulesets.options import OPTIONS, Option

GROUPS = (
    (lazy("The end of the game"), "target hands tie_rule win_rule both_over laps slam score_floor"),
    (
        lazy("Points"),
        "made march euchre lone_made lone_march lone_euchred super_euchre lone_def_euchre "
        "lone_def_march defenders_score moon_two_cards moon_one_card overtricks "
        "three_player_defence defenders_score_on_failed_special",
    ),
    (
        lazy("Cards and dealing"),
        "deck first_dealer dealer_rotates deal_pattern cut_by passout_dealer misdeal_dealer "
        "seat_nine mcevoy joker_turned_up joker_suit",
    ),
    (
        lazy("Making trump"),
        "stick_the_dealer r2_exclude_turned no_trump forbidden_trumps dirty_clubs upcard_pickup "
        "upcard_goes_to may_discard_upcard second_upcard smitty smitty_solo smitty_game chuck",
    ),
    (
        lazy("Bidding"),
        "auction min min_nt nt dealer_may_equal eldest_must_open denomination all_pass "
        "exchange_order lone_over_max shooter_gets_kitty shooter_exchange",
    ),
    (
        lazy("Alone"),
        "alone_by alone_window partner_order_alone defend_alone loner_lead two_loner_lead",
    ),
    (lazy("Penalties"), "renege_points renege_points_lone renege_form renege_window"),
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
    told = {name for _heading, listed in grouped for name in listed}
    grouped.append((_("More"), [name for name in names if name not in told]))
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
    return _(OPTIONS[name].meaning)


def value_words(name: str, value: Any) -> str:
    """A value in words; a dash where the ruleset has no such option."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, tuple | list):
        return ", ".join(word(name, item) for item in value) or _("none")
    if isinstance(value, int) and OPTIONS[name].kind in ("points", "word_or_points"):
        return _number(name, value)
    return word(name, value)


def word(name: str, value: Any) -> str:
    """One allowed word of an option, said plainly."""
    plain = VALUES.get(f"{name}={value}") or VALUES.get(str(value))
    return str(plain) if plain else str(value).replace("_", " ")


def plain_note(rules: Ruleset) -> str:
    """The ruleset's description without the numbers its sources have among us."""
    return _SEED.sub("", _(rules.note) if rules.note else "").strip()


def why(rules: Ruleset, name: str) -> tuple[str, str, str]:
    """(source, decision, note) of a value: "Nanaimo rules, line 149", "D-14", a sentence."""
    choice = rules.choices.get(name)
    if choice is None:
        return "", OPTIONS[name].decision, ""
    sources = [_source(part.strip()) for part in choice.source.split(";") if part.strip()]
    return "; ".join(sources), choice.decision or OPTIONS[name].decision, choice.note


def _row(rules: Ruleset, option: Option) -> Row:
    source, decision, note = why(rules, option.name)
    source = source or _("the club's own choice")
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
        return _("%(source)s, line %(line)s") % {"source": SOURCES[place[1]], "line": place[2]}
    return text
