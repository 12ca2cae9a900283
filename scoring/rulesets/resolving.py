"""Resolves ruleset data (`extends`, overrides, options) to values, and reports all faults."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from scoring.faults import Fault, fault
from scoring.rulesets.options import OPTIONS, SYNONYMS, UNUSABLE, Option
from scoring.rulesets.shapes import (
    Choice,
    Special,
    combination_faults,
    read_specials,
    shape_of,
    short,
)

LONGEST_TEXT = 400
_MOST_LAYERS = 8
_KEYS = frozenset(
    ("id", "name", "alias", "note", "order", "extends", "shape", "options", "special", "lineage")
)


def layers_of(source: Any, presets: Mapping[str, Any], faults: list[Fault]) -> list[Any] | None:
    """The chain of data from the oldest ancestor to the source itself."""
    layers: list[Any] = []
    while len(layers) < _MOST_LAYERS:
        if isinstance(source, str):
            if source not in presets:
                faults.append(fault("unknown-ruleset/id", field="ruleset", text=source[:60]))
                return None
            source = presets[source]
        elif not _is_well_formed(source, faults):
            return None
        layers.insert(0, _with_name(source))
        if "extends" not in source:
            return layers
        source = source["extends"]
        if not isinstance(source, str):
            break
    faults.append(fault("unknown-ruleset/extends", field="extends"))
    return None


def _with_name(source: Mapping[str, Any]) -> dict[str, Any]:
    name = source.get("name") or source.get("id") or "this ruleset"
    return {**source, "name": name, "id": source.get("id") or "own-rules"}


def _is_well_formed(source: Any, faults: list[Fault]) -> bool:
    """Whether a club's own data has the right form; adds everything wrong with it to `faults`."""
    if not isinstance(source, Mapping):
        faults.append(fault("bad-format/not-an-object", field="ruleset"))
        return False
    before = len(faults)
    for key in list(source.keys() - _KEYS)[:8]:
        faults.append(fault("unknown-option/key", field=short(key), text=short(key)))
    for key, (fits, sentence) in _OUTLINE.items():
        if key in source and not fits(source[key]):
            faults.append(fault(sentence, field=key))
    if "extends" not in source and "shape" not in source:
        faults.append(fault("unknown-ruleset/extends", field="extends"))
    return len(faults) == before


def _is_text(value: object) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_TEXT


def _is_object(value: object) -> bool:
    return isinstance(value, Mapping)


def _is_list_of_texts(value: object) -> bool:
    return isinstance(value, list | tuple) and all(map(_is_text, value))


def _is_list_of_objects(value: object) -> bool:
    return isinstance(value, list | tuple) and all(map(_is_object, value))


# The check for each part of a club's own data, and the sentence if it fails.
_OUTLINE: Mapping[str, tuple[Callable[[object], bool], str]] = {
    **dict.fromkeys(("id", "name", "alias", "note"), (_is_text, "bad-format/not-a-text")),
    **dict.fromkeys(("shape", "options"), (_is_object, "bad-format/not-an-object")),
    "lineage": (_is_list_of_texts, "bad-format/not-a-list"),
    "special": (_is_list_of_objects, "bad-format/not-a-list"),
}


_CHOICE_KEYS = {"value", "source", "decision", "note"}


@dataclass(slots=True)
class Resolved:
    """The merged layers of a ruleset, before it is frozen."""

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
        """The resolved data in the form that `resolve` reads."""
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
    """The resolved ruleset, or None, and every problem found."""
    faults: list[Fault] = []
    layers = layers_of(source, presets, faults)
    if layers is None:
        return None, faults
    shape = shape_of(layers, faults)
    if shape is None:
        return None, faults
    special_data = next(
        (list(layer["special"]) for layer in reversed(layers) if "special" in layer), []
    )
    choices: dict[str, Choice] = {}
    for depth, layer in enumerate(layers):
        is_own = depth == len(layers) - 1
        _apply_options(
            choices, layer.get("options", {}), shape, special_data, layer["name"], is_own, faults
        )
    if overrides:
        _apply_options(choices, overrides, shape, special_data, layers[-1]["name"], True, faults)
    _add_defaults(choices, shape, special_data)
    specials = read_specials(special_data, choices, shape, faults)
    if not faults:
        faults += combination_faults(
            shape, {name: choice.value for name, choice in choices.items()}, specials
        )
    last = layers[-1]
    stored = last.get("lineage", ())  # a ruleset that was resolved before has no parents
    lineage = tuple(stored) or tuple(layer["id"] for layer in layers)
    return Resolved(
        last["id"], last["name"], last.get("alias", ""), last.get("note", ""),
        shape, choices, special_data, specials, lineage,
    ), faults  # fmt: skip


# -- options -------------------------------------------------------------------------------------


def _apply_options(
    choices: dict[str, Choice],
    options: Any,
    shape: Mapping[str, Any],
    special_data: list[Any],
    name: str,
    is_own: bool,
    faults: list[Fault],
) -> None:
    """Apply one layer's options to the choices so far.

    Options that do not fit the game are ignored if an ancestor has them, but are a fault of the
    ruleset itself.
    """
    if not isinstance(options, Mapping):
        faults.append(fault("bad-format/not-an-object", field="options"))
        return
    named: set[str] = set()
    for key, raw in list(options.items())[:200]:
        target, allowed = _option_named(key, shape)
        if target is None:
            faults.append(fault("unknown-option/name", field=short(key), text=short(key)))
            continue
        if not option_fits(target, shape, special_data):
            if is_own:
                faults.append(fault("unknown-option/fit", field=key, text=key, name=name))
            choices.pop(target.name, None)
            continue
        choice = _choice(target, raw)
        has_no_target = choice is not None and target.name == "target" and not choice.value
        if has_no_target and not _counts_down(choices, options):
            choice = None
        if choice is None or (allowed and choice.value not in allowed):
            words = ", ".join(map(str, allowed)) if allowed else _allowed(target)
            faults.append(fault("unknown-option/value", field=key, text=key, choices=words))
            continue
        if target.name in named and choices[target.name].value != choice.value:
            faults.append(fault("unknown-option/twice", field=key, text=key, name=target.name))
        choices[target.name] = choice
        named.add(target.name)
    _one_end(choices, named, faults)


def _counts_down(choices: Mapping[str, Choice], options: Mapping[Any, Any]) -> bool:
    """Whether everyone starts with points, so that the target can be 0."""
    raw = options.get("start", choices.get("start", 0))
    choice = raw if isinstance(raw, Choice) else _choice(OPTIONS["start"], raw)
    return choice is not None and choice.value > 0


def _add_defaults(
    choices: dict[str, Choice], shape: Mapping[str, Any], special_data: list[Any]
) -> None:
    """Add the default values of options that no layer has."""
    for name, option in OPTIONS.items():
        missing = name not in choices and option.default is not None
        if missing and option_fits(option, shape, special_data):
            choices[name] = Choice(option.default, "standard", option.decision)


def _option_named(key: Any, shape: Mapping[str, Any]) -> tuple[Option | None, tuple[int, ...]]:
    if key in SYNONYMS and SYNONYMS[key][1] == shape["players"]:
        name, _, values = SYNONYMS[key]
        return OPTIONS[name], values
    return (OPTIONS.get(key) if isinstance(key, str) else None), ()


def option_fits(option: Option, shape: Mapping[str, Any], special_data: list[Any]) -> bool:
    """Whether a game of this shape with these special bids can have the option."""
    if not option.fits(shape):
        return False
    if option.special in ("exchange", "ends_auction"):
        return any(special.get(option.special) for special in special_data)
    return not option.special or any(
        option.special in special.values() or option.special in _when(special)
        for special in special_data
        if all(isinstance(v, str | int | list | tuple) for v in special.values())
    )


def _when(special: Mapping[str, Any]) -> Any:
    when = special.get("when", ())
    return when if isinstance(when, list | tuple) else ()


def _allowed(option: Option) -> str:
    """The allowed values in words; a target is at least 1, unless the score counts down."""
    return (replace(option, lowest=1) if option.name == "target" else option).allowed()


def _choice(option: Option, raw: Any) -> Choice | None:
    texts: dict[str, str] = {}
    if isinstance(raw, Mapping):
        if "value" not in raw or not raw.keys() <= _CHOICE_KEYS:
            return None
        texts = {key: text for key, text in raw.items() if key != "value"}
        if not all(isinstance(text, str) and len(text) <= LONGEST_TEXT for text in texts.values()):
            return None
        raw = raw["value"]
    value = option.read(raw)
    if value is UNUSABLE:
        return None
    return Choice(value, **{"decision": option.decision, **texts})


def _one_end(choices: dict[str, Choice], named: set[str], faults: list[Fault]) -> None:
    """A game has a target or a fixed number of hands: a later layer's choice replaces the other.

    With a fixed number of hands the same dealer deals again after a pass-out, unless the rules say
    otherwise (D-16).
    """
    if {"target", "hands"} <= named:
        faults.append(fault("unknown-option/one-end", field="hands"))
    elif "target" in named:
        choices.pop("hands", None)
    elif "hands" in named:
        choices.pop("target", None)
        if "passout_dealer" in choices and "passout_dealer" not in named:
            note = "Fixed number of hands: the same dealer deals again."
            choices["passout_dealer"] = Choice("same", "rules.md D-16", "D-16", note)
