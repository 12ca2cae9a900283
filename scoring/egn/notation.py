"""EGN's vocabulary: its cards, its fields, and its ruleset switches with our options."""

from collections.abc import Iterator, Mapping
from typing import Any

from scoring.cards import JOKER, RANKS, SAME_COLOUR, SUITS
from scoring.faults import Fault, fault
from scoring.rulesets import Ruleset, ruleset

UNKNOWN = "Xx"


def read_card(text: object, trump: str | None = None) -> str | None:
    """One EGN card in our strict form; `Xx` for one that is not fully known; None for no card.

    `N` is the nine; `R`, `L` and the generic suits `t` (trump) and `n` (next) need the trump.

    >>> read_card("Nc"), read_card("L", "h"), read_card("Kt", "s"), read_card("Xc"), read_card("Zz")
    ('9c', 'Jd', 'Ks', 'Xx', None)
    """
    if not isinstance(text, str) or not 1 <= len(text) <= 2:
        return None
    if text == JOKER:
        return JOKER
    suits: Mapping[str, str] = {}
    if trump in SAME_COLOUR:
        suits = {"t": str(trump), "n": SAME_COLOUR[str(trump)]}
    if text in ("R", "L"):
        return "J" + suits["t" if text == "R" else "n"] if suits else UNKNOWN
    if len(text) != 2:
        return None
    rank, suit = text[0].replace("N", "9"), text[1].lower()
    if rank not in RANKS + "X" or suit not in SUITS + "xtng":
        return None
    suit = suits.get(suit, suit)
    return rank + suit if rank in RANKS and suit in SUITS else UNKNOWN


def suit_of(text: object) -> str | None:
    """The suit of an EGN card of which at least the suit is known ("Xs").

    >>> suit_of("Xs"), suit_of("Jx")
    ('s', None)
    """
    if isinstance(text, str) and len(text) == 2 and text[1].lower() in SUITS:
        return text[1].lower()
    return None


_PHASE = {"phaseNumber", "type", "isAlone"}
FIELDS = {
    "the file": {"fileType", "version", "metadata", "deals"},
    "metadata": {"gameId", "title", "description", "players", "initialScore", "finalScore", "date",
                 "ruleset"},
    "the deal": {"dealNumber", "initialState", "phases", "alternativeLines"},
    "initialState": {"dealer", "upCard", "playerCards", "player_cards", "kitty"},
    "EUCHRE_BIDDING": _PHASE | {"calls", "aloneDefender", "discard", "cardExchanges",
                                "callAnnotations"},
    "TRICK_PLAY": _PHASE | {"tricks", "initialLead", "playAnnotations"},
}  # fmt: skip
_MOST_REPORTED = 5
_VERSIONS = ("1.2", "1.3", "1.4")


def strange_fields(path: str, data: Mapping[str, Any]) -> Iterator[Fault]:
    """Warnings for the first few fields of `data` that EGN does not have at `path`."""
    for name in [name for name in data if name not in FIELDS[path]][:_MOST_REPORTED]:
        yield fault("kept-as-is/field", text=shown(name), path=path)


def strange_version(data: Mapping[str, Any]) -> Iterator[Fault]:
    """A warning for a file of an unknown version, in which words may mean something else."""
    version = data.get("version")
    if not isinstance(version, str) or version[:3] not in _VERSIONS:
        yield fault("kept-as-is/version", field="version", text=shown(version))


def shown(value: object) -> str:
    """A few printable characters of a value."""
    return "".join(sign if sign.isprintable() else "?" for sign in str(value)[:20])


BASE = "standard-four-handed"
# EGN has no switch for discarding the up-card, but recorded games do it.
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
    "fast_break": ("fast_break", False, True),
    "four_trick_tokens": ("four_trick_tokens", False, True),
}
_SELDOM = ("fast_break", "four_trick_tokens")  # only written if they are on
_DEFAULTS = {"std": True}
# EGN's switches for exchanges of cards before the play, which are not checked.
EXCHANGES = ("farmers", "partners_best", "go_under")


KNOWN = {*_FLAGS, *_NUMBERS, *EXCHANGES}
KNOWN |= {"min_rank", "joker", "num_players", "loner_lead"}


def read_switches(data: object) -> tuple[dict[str, Any], list[Fault], list[Fault]]:
    """Our options for an EGN ruleset, with faults and warnings.

    Missing switches have their EGN defaults: the dealer is stuck, ten points win.
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
    for switch in EXCHANGES:
        if data.get(switch):
            field = f"ruleset.{switch}"
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
        if switch not in _SELDOM or options.get(option, off) != off:
            data[switch] = options.get(option, off) != off
    decks = {number: key for key, number in _DECKS.items()}
    data["min_rank"], data["joker"] = decks[options.get("deck", 24)]
    for switch, option in _NUMBERS.items():
        if options.get(option) is not None:
            data[switch] = options[option]
    leads = {our_word: egn_word for egn_word, our_word in _LEADS.items()}
    data["loner_lead"] = leads[options.get("loner_lead", "eldest_active")]
    return data


def unwritable(rules: Ruleset) -> list[str]:
    """The options that EGN's switches cannot express: read back, they would differ."""
    options, _faults, _warnings = read_switches(write_switches(rules.options))
    read_back = ruleset(BASE, options).options
    return [
        name
        for name, value in rules.options.items()
        if name not in ALWAYS and read_back.get(name) != value
    ]
