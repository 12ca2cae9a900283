"""From ruleset data to resolved values: `extends`, overrides, and everything wrong with them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scoring.cards import RANKS
from scoring.combinations import combination_faults
from scoring.faults import Fault, fault
from scoring.options import BID, OPTIONS, SYNONYMS, TURN_UP, UNUSABLE, Option

_KEYS = {
    "id",
    "name",
    "alias",
    "note",
    "order",
    "extends",
    "shape",
    "options",
    "special",
    "lineage",
}
_SHAPE_KEYS = {
    "family": (TURN_UP, BID),
    "players": (2, 3, 4, 6, 8),
    "hand": range(1, 17),
    "copies": (1, 2),
}
_MOST_LAYERS = 8
_LONGEST = 400
_CHOICE_KEYS = {"value", "source", "decision", "note"}


@dataclass(frozen=True, slots=True)
class Choice:
    """One value and why: `source` is "seed:line" or words, `decision` a D-number of rules.md."""

    value: Any
    source: str = ""
    decision: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Special:
    """A special bid: what it undertakes and pays. `step` ranks it above a plain bid of `tricks`.

    `plain`: a plain bid of so many tricks is this bid. `exchange` is the least and most cards
    changed with the partner. `names_after`: trump is named after the auction. `equalled_by_dealer`:
    the dealer, and only he, may overcall it with the same bid.
    """

    name: str
    tricks: int
    won: int
    lost: int
    alone: bool = False
    also: tuple[str, ...] = ()
    step: int = 1
    plain: bool = False
    exchange: tuple[int, int] = (0, 0)
    kitty: bool = True
    names_after: bool = False
    equalled_by_dealer: bool = False
    ends_auction: bool = False


_SPECIAL_KEYS = set(Special.__slots__) | {"source", "note"}  # type: ignore[attr-defined]


@dataclass(slots=True)
class Resolved:
    """What the layers of a ruleset come to, before it is frozen."""

    id: str
    name: str
    alias: str
    note: str
    shape: dict[str, Any]
    choices: dict[str, Choice]
    special_data: list[dict[str, Any]]
    specials: tuple[Special, ...]
    lineage: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """The resolved data in the form `resolve` reads."""
        options = {
            name: {
                key: list(value) if isinstance(value, tuple) else value
                for key, value in (("value", choice.value), ("source", choice.source),
                                   ("decision", choice.decision), ("note", choice.note))
                if value != "" or key == "value"
            }
            for name, choice in self.choices.items()
        }  # fmt: skip
        texts = {"id": self.id, "name": self.name, "alias": self.alias, "note": self.note}
        return {
            **{key: text for key, text in texts.items() if text},
            "lineage": list(self.lineage),
            "shape": self.shape,
            "options": options,
            "special": self.special_data,
        }


def resolve(
    source: Any, overrides: Any, presets: Mapping[str, Mapping[str, Any]]
) -> tuple[Resolved | None, list[Fault]]:
    """The resolved ruleset, or None, and every problem on the way."""
    faults: list[Fault] = []
    layers = _layers(source, presets, faults)
    if layers is None:
        return None, faults
    shape = _shape(layers, faults)
    if shape is None:
        return None, faults
    special_data = next(
        (list(layer["special"]) for layer in reversed(layers) if "special" in layer), []
    )
    choices: dict[str, Choice] = {}
    for depth, layer in enumerate(layers):
        own = depth == len(layers) - 1
        _lay_over(
            choices, layer.get("options", {}), shape, special_data, layer["name"], own, faults
        )
    if overrides:
        _lay_over(choices, overrides, shape, special_data, layers[-1]["name"], True, faults)
    specials = _specials(special_data, choices, shape, faults)
    if not faults:
        faults += combination_faults(
            shape, {name: choice.value for name, choice in choices.items()}, specials
        )
    last = layers[-1]
    lineage = tuple(last.get("lineage", ())) or tuple(layer["id"] for layer in layers)
    return Resolved(
        last["id"], last["name"], last.get("alias", ""), last.get("note", ""),
        shape, choices, special_data, specials, lineage,
    ), faults  # fmt: skip


# -- layers --------------------------------------------------------------------------------------


def _layers(source: Any, presets: Mapping[str, Any], faults: list[Fault]) -> list[Any] | None:
    """The chain of data from the oldest ancestor to the source itself."""
    layers: list[Any] = []
    while len(layers) < _MOST_LAYERS:
        if isinstance(source, str):
            if source not in presets:
                faults.append(fault("unknown-ruleset/id", field="ruleset", text=source[:60]))
                return None
            source = presets[source]
        elif not _well_formed(source, faults):
            return None
        layers.insert(0, _named(source))
        if "extends" not in source:
            return layers
        source = source["extends"]
        if not isinstance(source, str):
            break
    faults.append(fault("unknown-ruleset/extends", field="extends"))
    return None


def _named(source: Mapping[str, Any]) -> dict[str, Any]:
    name = source.get("name") or source.get("id") or "this ruleset"
    return {**source, "name": name, "id": source.get("id") or "own-rules"}


def _well_formed(source: Any, faults: list[Fault]) -> bool:
    """Whether a club's own data have the right outline; otherwise everything wrong with it."""
    if not isinstance(source, Mapping):
        faults.append(fault("bad-format/not-an-object", field="ruleset"))
        return False
    before = len(faults)
    for key in list(source.keys() - _KEYS)[:8]:
        faults.append(fault("unknown-option/key", field=_short(key), text=_short(key)))
    for key in ("id", "name", "alias", "note"):
        if key in source and not (isinstance(source[key], str) and len(source[key]) <= _LONGEST):
            faults.append(fault("bad-format/not-a-text", field=key))
    for key in ("shape", "options"):
        if not isinstance(source.get(key, {}), Mapping):
            faults.append(fault("bad-format/not-an-object", field=key))
    specials = source.get("special", [])
    if not isinstance(specials, list | tuple) or not all(isinstance(s, Mapping) for s in specials):
        faults.append(fault("bad-format/not-a-list", field="special"))
    if "extends" not in source and "shape" not in source:
        faults.append(fault("unknown-ruleset/extends", field="extends"))
    return len(faults) == before


def _short(value: object) -> str:
    return value[:60] if isinstance(value, str) else type(value).__name__


# -- shape ---------------------------------------------------------------------------------------


def _shape(layers: list[Any], faults: list[Fault]) -> dict[str, Any] | None:
    """Family, players, hand and deck of the game; a child may change them, a record may not."""
    shape: dict[str, Any] = {}
    for layer in layers:
        shape |= layer.get("shape", {})
    before = len(faults)
    for key, value in shape.items():
        if key == "ranks":
            good = isinstance(value, str) and 0 < len(value) <= 8 and set(value) <= set(RANKS)
        else:
            good = (
                key in _SHAPE_KEYS
                and not isinstance(value, bool)
                and _among(value, _SHAPE_KEYS[key])
            )
        if not good:
            faults.append(fault("unknown-option/shape", field=_short(key), text=_short(key)))
    needed = {"family", "players", "hand"} | (
        {"ranks", "copies"} if shape.get("family") == BID else set()
    )
    for key in sorted(needed - shape.keys()):
        faults.append(fault("bad-format/missing", field=f"shape.{key}", name=key))
    return shape if len(faults) == before else None


def _among(value: Any, allowed: Any) -> bool:
    return isinstance(value, str | int) and value in allowed


# -- options -------------------------------------------------------------------------------------


def _lay_over(
    choices: dict[str, Choice],
    given: Any,
    shape: Mapping[str, Any],
    special_data: list[Any],
    name: str,
    own: bool,
    faults: list[Fault],
) -> None:
    """Put one layer's options over the choices so far.

    What an ancestor says of another kind of game is left out; what the ruleset itself says and
    does not fit is a fault.
    """
    if not isinstance(given, Mapping):
        faults.append(fault("bad-format/not-an-object", field="options"))
        return
    said: set[str] = set()
    for key, raw in list(given.items())[:200]:
        target, allowed = _option_named(key, shape)
        if target is None:
            faults.append(fault("unknown-option/name", field=_short(key), text=_short(key)))
            continue
        if not _fits(target, shape, special_data):
            if own:
                faults.append(fault("unknown-option/fit", field=key, text=key, name=name))
            choices.pop(target.name, None)
            continue
        choice = _choice(target, raw)
        if choice is None or (allowed and choice.value not in allowed):
            words = ", ".join(map(str, allowed)) if allowed else target.allowed()
            faults.append(fault("unknown-option/value", field=key, text=key, choices=words))
            continue
        if target.name in said and choices[target.name].value != choice.value:
            faults.append(fault("unknown-option/twice", field=key, text=key, name=target.name))
        choices[target.name] = choice
        said.add(target.name)
    _one_end(choices, said, faults)


def _option_named(key: Any, shape: Mapping[str, Any]) -> tuple[Option | None, tuple[int, ...]]:
    if key in SYNONYMS and SYNONYMS[key][1] == shape["players"]:
        name, _, values = SYNONYMS[key]
        return OPTIONS[name], values
    return (OPTIONS.get(key) if isinstance(key, str) else None), ()


def _fits(option: Option, shape: Mapping[str, Any], special_data: list[Any]) -> bool:
    if not option.fits(shape["family"], shape["players"]):
        return False
    if option.special in ("exchange", "alone"):
        return any(special.get(option.special) for special in special_data)
    return not option.special or any(
        option.special in special.values()
        for special in special_data
        if all(isinstance(v, str | int | list) for v in special.values())
    )


def _choice(option: Option, raw: Any) -> Choice | None:
    why: dict[str, str] = {}
    if isinstance(raw, Mapping):
        if "value" not in raw or not raw.keys() <= _CHOICE_KEYS:
            return None
        why = {key: text for key, text in raw.items() if key != "value"}
        if not all(isinstance(text, str) and len(text) <= _LONGEST for text in why.values()):
            return None
        raw = raw["value"]
    value = option.read(raw)
    if value is UNUSABLE:
        return None
    return Choice(value, **{"decision": option.decision, **why})


def _one_end(choices: dict[str, Choice], said: set[str], faults: list[Fault]) -> None:
    """A game has a target or a fixed number of hands: the later layer's word replaces the other.

    In rounds of a fixed number of hands the same dealer deals again after a pass-out, unless the
    rules say otherwise (D-16).
    """
    if {"target", "hands"} <= said:
        faults.append(fault("unknown-option/one-end", field="hands"))
    elif "target" in said:
        choices.pop("hands", None)
    elif "hands" in said:
        choices.pop("target", None)
        if "passout_dealer" in choices and "passout_dealer" not in said:
            note = "Fixed number of hands: the same dealer deals again."
            choices["passout_dealer"] = Choice("same", "rules.md D-16", "D-16", note)


# -- specials ------------------------------------------------------------------------------------


def _specials(
    data: list[Any], choices: Mapping[str, Choice], shape: Mapping[str, Any], faults: list[Fault]
) -> tuple[Special, ...]:
    specials = []
    for place, raw in enumerate(data):
        special = _special(raw, choices)
        if special is None or not 1 <= special.tricks <= shape["hand"]:
            faults.append(fault("unknown-option/special", field=f"special[{place}]"))
        else:
            specials.append(special)
    return tuple(specials)


def _special(raw: Mapping[str, Any], choices: Mapping[str, Choice]) -> Special | None:
    """A special bid; a text where a number is due names the option that holds it."""
    if not raw.keys() <= _SPECIAL_KEYS or not {"name", "tricks", "won", "lost"} <= raw.keys():
        return None
    values = {
        key: _referred(key, value, choices)
        for key, value in raw.items()
        if key not in ("source", "note")
    }
    exchange = values.get("exchange", (0, 0))
    if type(exchange) is int:
        exchange = (exchange, exchange)
    values |= {"exchange": tuple(exchange) if isinstance(exchange, list | tuple) else None,
               "also": tuple(values.get("also", ()))}  # fmt: skip
    special = Special(**values)
    return special if _good_special(special) else None


def _referred(key: str, value: Any, choices: Mapping[str, Choice]) -> Any:
    if key in ("won", "lost", "exchange", "kitty") and isinstance(value, str) and value in choices:
        return choices[value].value
    return value


def _good_special(special: Special) -> bool:
    numbers = (special.tricks, special.won, special.lost, special.step)
    switches = (special.alone, special.plain, special.kitty, special.names_after,
                special.equalled_by_dealer, special.ends_auction)  # fmt: skip
    return (
        all(type(number) is int and 0 <= number <= 500 for number in numbers)
        and all(isinstance(switch, bool) for switch in switches)
        and all(
            isinstance(text, str) and 0 < len(text) <= 40 for text in (special.name, *special.also)
        )
        and isinstance(special.exchange, tuple)
        and len(special.exchange) == 2
        and all(type(count) is int and 0 <= count <= 8 for count in special.exchange)
    )
