"""The layers of a ruleset's data: the chain of `extends`, its outline, the shape of the game."""

from collections.abc import Mapping
from typing import Any

from scoring.cards import RANKS
from scoring.faults import Fault, fault
from scoring.rulesets.options import BID, TURN_UP

LONGEST_TEXT = 400
_MOST_LAYERS = 8
_KEYS = frozenset(
    ("id", "name", "alias", "note", "order", "extends", "shape", "options", "special", "lineage")
)
_SHAPE_VALUES: Mapping[str, Any] = {
    "family": (TURN_UP, BID),
    "players": (2, 3, 4, 6, 8),
    "hand": range(1, 17),
    "copies": (1, 2),
}


def layers_of(source: Any, presets: Mapping[str, Any], faults: list[Fault]) -> list[Any] | None:
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
        faults.append(fault("unknown-option/key", field=short(key), text=short(key)))
    for key in ("id", "name", "alias", "note"):
        if key in source and not _a_name(source[key]):
            faults.append(fault("bad-format/not-a-text", field=key))
    for key in ("shape", "options"):
        if not isinstance(source.get(key, {}), Mapping):
            faults.append(fault("bad-format/not-an-object", field=key))
    lineage = source.get("lineage", [])
    if not isinstance(lineage, list | tuple) or not all(_a_name(name) for name in lineage):
        faults.append(fault("bad-format/not-a-list", field="lineage"))
    specials = source.get("special", [])
    if not isinstance(specials, list | tuple) or not all(isinstance(s, Mapping) for s in specials):
        faults.append(fault("bad-format/not-a-list", field="special"))
    if "extends" not in source and "shape" not in source:
        faults.append(fault("unknown-ruleset/extends", field="extends"))
    return len(faults) == before


def _a_name(value: object) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_TEXT


def short(value: object) -> str:
    return value[:60] if isinstance(value, str) else type(value).__name__


# -- shape ---------------------------------------------------------------------------------------


def shape_of(layers: list[Any], faults: list[Fault]) -> dict[str, Any] | None:
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
                key in _SHAPE_VALUES
                and not isinstance(value, bool)
                and _among(value, _SHAPE_VALUES[key])
            )
        if not good:
            faults.append(fault("unknown-option/shape", field=short(key), text=short(key)))
    needed = {"family", "players", "hand"} | (
        {"ranks", "copies"} if shape.get("family") == BID else set()
    )
    for key in sorted(needed - shape.keys()):
        faults.append(fault("bad-format/missing", field=f"shape.{key}", name=key))
    return shape if len(faults) == before else None


def _among(value: Any, allowed: Any) -> bool:
    return isinstance(value, str | int) and value in allowed
