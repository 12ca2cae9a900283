"""From ruleset data to resolved values: `extends`, overrides, impossible combinations, all faults."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.cards import DECKS, SUITS, build_deck
from scoring.faults import Fault, fault
from scoring.rulesets.layers import LONGEST_TEXT, layers_of, shape_of, short
from scoring.rulesets.options import BID, OPTIONS, SYNONYMS, TURN_UP, UNUSABLE, Option
from scoring.rulesets.specials import Choice, Special, read_specials

_CHUCK_KITTY = 4
_TURN_UP_HAND = 5


def combination_faults(
    shape: Mapping[str, Any], values: Mapping[str, Any], specials: Sequence[Any]
) -> list[Fault]:
    """Every combination that cannot be played, as faults placed at one of its fields."""
    family = shape["family"]
    return [
        fault(sentence, field=field)
        for field, only, sentence, broken in _RULES
        if only in ("", family) and broken(shape, values, specials)
    ]


def _cards(shape: Mapping[str, Any], values: Mapping[str, Any]) -> int:
    if shape["family"] == TURN_UP:
        ranks, joker = DECKS[values["deck"]]
        return len(build_deck(ranks, joker=joker))
    return len(build_deck(shape["ranks"], shape["copies"]))


def _deal_too_big(shape: Any, values: Any, _: Any) -> bool:
    upcard = shape["family"] == TURN_UP
    return shape["hand"] * shape["players"] + upcard > _cards(shape, values)


def _chuck_without_kitty(shape: Any, values: Any, _: Any) -> bool:
    kitty = _cards(shape, values) - shape["hand"] * shape["players"]
    return bool(values.get("chuck")) and kitty != _CHUCK_KITTY


_Rule = tuple[str, str, str, Callable[[Any, Any, Any], bool]]
_RULES: tuple[_Rule, ...] = (
    ("hand", "", "unknown-option/deal-too-big", _deal_too_big),
    ("hand", TURN_UP, "unknown-option/turn-up-hand", lambda s, v, p: s["hand"] != _TURN_UP_HAND),
    ("players", TURN_UP, "unknown-option/turn-up-players", lambda s, v, p: s["players"] > 4),
    ("players", BID, "unknown-option/bid-players", lambda s, v, p: s["players"] < 3),
    ("target", "", "unknown-option/no-end", lambda s, v, p: not ("target" in v or "hands" in v)),
    ("chuck", TURN_UP, "unknown-option/chuck-kitty", _chuck_without_kitty),
    ("chuck", TURN_UP, "unknown-option/chuck-stick",
     lambda s, v, p: bool(v.get("chuck")) and not v["stick_the_dealer"]),
    ("forbidden_trumps", TURN_UP, "unknown-option/all-forbidden",
     lambda s, v, p: len(v["forbidden_trumps"]) >= len(SUITS) - v["r2_exclude_turned"]
     and v["no_trump"] == "never"),
    ("dirty_clubs", TURN_UP, "unknown-option/clubs-forbidden",
     lambda s, v, p: v["dirty_clubs"] and "c" in v["forbidden_trumps"]),
    ("defenders_score", TURN_UP, "unknown-option/odd-split",
     lambda s, v, p: v.get("defenders_score") == "split" and v["euchre"] % 2 == 1),
    ("slam", TURN_UP, "unknown-option/laps-target",
     lambda s, v, p: "on" in (v["laps"], v["slam"]) and "target" not in v),
    ("min", BID, "unknown-option/min-too-big",
     lambda s, v, p: max(v["min"], v["min_nt"]) > s["hand"]),
    ("special", BID, "unknown-option/alone-without-partner",
     lambda s, v, p: s["players"] < 4 and any(special.alone for special in p)),
    ("special", BID, "unknown-option/special-twice",
     lambda s, v, p: len({special.name for special in p}) < len(p)),
)  # fmt: skip


_CHOICE_KEYS = {"value", "source", "decision", "note"}


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
        own = depth == len(layers) - 1
        _lay_over(
            choices, layer.get("options", {}), shape, special_data, layer["name"], own, faults
        )
    if overrides:
        _lay_over(choices, overrides, shape, special_data, layers[-1]["name"], True, faults)
    specials = read_specials(special_data, choices, shape, faults)
    if not faults:
        faults += combination_faults(
            shape, {name: choice.value for name, choice in choices.items()}, specials
        )
    last = layers[-1]
    stored = last.get("lineage", ())  # a ruleset resolved before has no parents any more
    lineage = tuple(stored) or tuple(layer["id"] for layer in layers)
    return Resolved(
        last["id"], last["name"], last.get("alias", ""), last.get("note", ""),
        shape, choices, special_data, specials, lineage,
    ), faults  # fmt: skip


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
            faults.append(fault("unknown-option/name", field=short(key), text=short(key)))
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
    if option.special in ("exchange", "ends_auction"):
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
        if not all(isinstance(text, str) and len(text) <= LONGEST_TEXT for text in why.values()):
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
