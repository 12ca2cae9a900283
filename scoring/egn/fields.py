"""The fields of EGN that are read; any other is warned of, never dropped in silence."""

from collections.abc import Iterator, Mapping
from typing import Any

from scoring.faults import Fault, fault

_PHASE = {"phaseNumber", "type", "isAlone"}
KNOWN = {
    "the file": {"fileType", "version", "metadata", "deals"},
    "metadata": {"gameId", "title", "description", "players", "initialScore", "finalScore", "date",
                 "ruleset"},
    "the deal": {"dealNumber", "initialState", "phases", "alternativeLines"},
    "initialState": {"dealer", "upCard", "playerCards", "player_cards", "kitty"},
    "EUCHRE_BIDDING": _PHASE | {"calls", "aloneDefender", "discard", "cardExchanges",
                                "callAnnotations"},
    "TRICK_PLAY": _PHASE | {"tricks", "initialLead", "playAnnotations"},
}  # fmt: skip
_MOST_TOLD = 5
_VERSIONS = ("1.2", "1.3", "1.4")


def strange_fields(path: str, data: Mapping[str, Any]) -> Iterator[Fault]:
    """A warning for every field of `data` that EGN does not have at `path`, the first few."""
    for name in [name for name in data if name not in KNOWN[path]][:_MOST_TOLD]:
        yield fault("kept-as-is/field", text=shown(name), path=path)


def strange_version(data: Mapping[str, Any]) -> Iterator[Fault]:
    """A warning for a file of a version that may mean something else by the same words."""
    version = data.get("version")
    if not isinstance(version, str) or version[:3] not in _VERSIONS:
        yield fault("kept-as-is/version", field="version", text=shown(version))


def shown(value: object) -> str:
    """A few printable characters of a value."""
    return "".join(sign if sign.isprintable() else "?" for sign in str(value)[:20])
