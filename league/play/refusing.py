"""How the engine's faults are told: each in the players' names, at the field that it is about."""

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _

from league.errors import Refused
from scoring import Fault

# A record's field, or what a fault is about, and the field of the page that asks for it.
FIELDS = {
    "dealer": "dealer",
    "contract": "maker",
    "tricks_won": "tricks",
    "outcome": "outcome",
    "upcard": "upcard",
    "auction": "auction",
    "lone_maker": "lone_maker",
    "lone_defender": "lone_defender",
    "hands": "hand0",
    "discards": "discard0",
    "exchange": "passed0",
    "tricks": "trick1",
    "penalties": "renege_by",
}
BY_CODE = {
    "wrong-dealer": "dealer",
    "call-out-of-turn": "auction",
    "call-not-allowed": "auction",
    "auction-unfinished": "auction",
    "contract-mismatch": "maker",
    "wrong-trick-count": "tricks",
    "tricks-mismatch": "tricks",
    "bad-penalty": "renege_by",
    "partner-played": "alone",
}
BY_SEAT = {"wrong-hand-size": "hand", "bad-discard": "discard", "upcard-in-hand": "hand"}


def sentence(found: Fault, names: Sequence[str]) -> str:
    """What is wrong, with the people at the table called by their names."""
    return found.say(names=names, translate=_)


def field_of(found: Fault) -> str:
    """The field of the page at which a fault is told."""
    if found.trick is not None:
        return f"trick{found.trick}"
    if found.field:
        head, _dot, rest = found.field.replace("[", ".").partition(".")
        if head == "contract" and rest in ("trump", "round", "alone"):
            return rest
        if head == "contract" and rest in ("tricks", "special"):
            return "bid"
        place = rest.rstrip("]").split("]")[0]
        if head == "tricks" and place.isdecimal():
            return f"trick{int(place) + 1}"
        return FIELDS.get(head, "")
    if found.code in BY_SEAT and found.seat is not None:
        return f"{BY_SEAT[found.code]}{found.seat}"
    return BY_CODE.get(found.code, "")


def refusal(faults: Iterable[Fault], names: Sequence[str]) -> Refused:
    """A hand the rules do not allow: every fault, each at its field."""
    faults = list(faults)
    fields: dict[str, list[str]] = {}
    for found in faults:
        fields.setdefault(field_of(found), []).append(sentence(found, names))
    told = [found.to_json() for found in faults]
    message = sentence(faults[0], names)
    return Refused(faults[0].code, message, fields=fields, details={"faults": told})


def unlikely(warnings: Iterable[Fault], names: Sequence[str]) -> Refused:
    """A hand the rules allow but nobody expects: saved once somebody says that it was so."""
    warnings = list(warnings)
    message = _("Is this right? Save it again to confirm.")
    fields = {"confirm_unlikely": [sentence(found, names) for found in warnings]}
    told = [found.to_json() for found in warnings]
    return Refused("unlikely", message, fields=fields, details={"warnings": told})
