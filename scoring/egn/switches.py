"""EGN's ruleset switches and our options, both ways; what has no counterpart is said."""

from collections.abc import Mapping
from typing import Any

from scoring.egn.fields import shown
from scoring.faults import Fault, fault
from scoring.rulesets import Ruleset, ruleset

BASE = "standard-four-handed"
# EGN has no switch for laying the up-card away again, and recorded games show it done.
ALWAYS = {"may_discard_upcard": True}

_LEADS = {"LEFT_OF_DEALER": "eldest_active", "LEFT_OF_LONER": "left_of_loner"}
_DECKS = {(9, False): 24, (9, True): 25, (8, False): 28, (7, False): 32, (7, True): 33}
_NUMBERS = {
    "winning_score": "target",
    "num_deals": "hands",
    "loner_march_score": "lone_march",
    "loner_euchred_score": "lone_euchred",
}
_FLAGS = {
    "std": ("stick_the_dealer", False, True),
    "canadian": ("partner_order_alone", False, True),
    "defend_alone": ("defend_alone", "never", "v_lone_maker"),
    "allow_no_trump": ("no_trump", "never", "second_round"),
}
_DEFAULTS = {"std": True}
# Switches of EGN that no rule of ours stands for: these change the score of a hand ...
SCORING_ONLY = ("fast_break", "four_trick_tokens")
# ... and these allow exchanges of cards before the play.
EXCHANGES = ("farmers", "partners_best", "go_under")


KNOWN = {*_FLAGS, *_NUMBERS, *SCORING_ONLY, *EXCHANGES}
KNOWN |= {"min_rank", "joker", "num_players", "loner_lead"}


def read_switches(data: object) -> tuple[dict[str, Any], list[Fault], list[Fault]]:
    """Our options for an EGN ruleset, with the faults and the warnings met on the way.

    Switches left out mean their EGN defaults: the dealer is stuck, ten points win.
    """
    options: dict[str, Any] = dict(ALWAYS)
    if data is None:
        data = {}
    if not isinstance(data, Mapping):
        return options, [fault("bad-format/not-an-object", field="ruleset")], []
    faults: list[Fault] = []
    warnings: list[Fault] = []
    for switch, (option, off, on) in _FLAGS.items():
        value = data.get(switch, _DEFAULTS.get(switch, False))
        if not isinstance(value, bool):
            faults.append(fault("bad-format/not-yes-or-no", field=f"ruleset.{switch}"))
        options[option] = on if value is True else off
    _read_numbers(data, options, faults)
    _read_deck(data, options, faults)
    _read_words(data, options, faults)
    for switch in (*SCORING_ONLY, *EXCHANGES):
        if data.get(switch):
            field = f"ruleset.{switch}"
            if switch in SCORING_ONLY:
                faults.append(fault("unknown-option/egn", field=field, text=switch))
            else:
                warnings.append(fault("kept-as-is/switch", field=field, text=switch))
    for switch in [name for name in data if name not in KNOWN][:5]:
        warnings.append(fault("kept-as-is/field", text=shown(switch), path="ruleset"))
    return options, faults, warnings


def _read_numbers(data: Mapping[str, Any], options: dict[str, Any], faults: list[Fault]) -> None:
    for switch, option in _NUMBERS.items():
        value = data.get(switch)
        if value is None or (option in ("target", "hands") and value == 0):
            continue
        if type(value) is not int or not 0 <= value <= 500:
            faults.append(fault("bad-format/not-a-number", field=f"ruleset.{switch}"))
        else:
            options[option] = value
    if "hands" in options and "target" in options:
        faults.append(fault("unknown-option/egn-two-ends", field="ruleset.num_deals"))
        del options["hands"]


def _read_deck(data: Mapping[str, Any], options: dict[str, Any], faults: list[Fault]) -> None:
    lowest, joker = data.get("min_rank", 9), data.get("joker", False)
    deck = _DECKS.get((lowest, joker)) if _is_deck(lowest, joker) else None
    if deck is None:
        faults.append(fault("unknown-option/egn-deck", field="ruleset.min_rank"))
    else:
        options["deck"] = deck
    players = data.get("num_players", 4)
    if players != 4 or isinstance(players, bool):
        faults.append(fault("unknown-option/egn-players", field="ruleset.num_players"))


def _is_deck(lowest: object, joker: object) -> bool:
    return type(lowest) is int and isinstance(joker, bool)


def _read_words(data: Mapping[str, Any], options: dict[str, Any], faults: list[Fault]) -> None:
    lead = data.get("loner_lead", "LEFT_OF_DEALER")
    if isinstance(lead, str) and lead in _LEADS:
        options["loner_lead"] = _LEADS[lead]
    else:
        choices = ", ".join(_LEADS)
        faults.append(fault("bad-format/not-one-of", field="ruleset.loner_lead", choices=choices))


def write_switches(options: Mapping[str, Any]) -> dict[str, Any]:
    """The EGN ruleset for the options of one of our turn-up games of four."""
    data: dict[str, Any] = {}
    for switch, (option, off, _on) in _FLAGS.items():
        data[switch] = options.get(option, off) != off
    decks = {number: key for key, number in _DECKS.items()}
    data["min_rank"], data["joker"] = decks[options.get("deck", 24)]
    for switch, option in _NUMBERS.items():
        if options.get(option) is not None:
            data[switch] = options[option]
    leads = {ours: theirs for theirs, ours in _LEADS.items()}
    data["loner_lead"] = leads[options.get("loner_lead", "eldest_active")]
    return data


def unwritable(rules: Ruleset) -> list[str]:
    """The options that EGN's switches cannot say: read back, they would be something else."""
    options, _faults, _warnings = read_switches(write_switches(rules.options))
    back = ruleset(BASE, options).options
    return [
        name
        for name, value in rules.options.items()
        if name not in ALWAYS and back.get(name) != value
    ]
