"""Rulesets: presets and a club's own rules, resolved from data, every problem told at once."""

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib import resources
from types import MappingProxyType
from typing import Any

from scoring.cards import DECKS, build_deck
from scoring.faults import Fault
from scoring.rulesets.options import TURN_UP
from scoring.rulesets.resolving import Resolved, resolve
from scoring.rulesets.specials import Choice, Special


class RulesetError(ValueError):
    """Data that make no ruleset; `faults` holds every problem found, each with its `field`."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        super().__init__("; ".join(fault.message for fault in faults))
        self.faults = faults


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One game's rules, resolved and frozen.

    `sides` are tuples of seats that score together; `deck` lists every card, twins twice;
    `target` is None when a fixed number of `hands` is played. `options` maps every option to its
    value; `choices` gives each value's source ("004:133" is line 133 of seed 004), decision
    ("D-22") and note.
    """

    id: str
    name: str
    alias: str
    note: str
    family: str
    players: int
    hand_size: int
    deck: tuple[str, ...]
    sides: tuple[tuple[int, ...], ...]
    options: Mapping[str, Any]
    choices: Mapping[str, Choice]
    specials: tuple[Special, ...]
    lineage: tuple[str, ...]
    _source: Mapping[str, Any] = field(repr=False, compare=False)
    engine: dict[str, Any] = field(repr=False, compare=False)

    @property
    def target(self) -> int | None:
        """Points that win the game, or None when a fixed number of hands is played."""
        return self.options.get("target")

    @property
    def hands(self) -> int | None:
        """The fixed number of hands, or None when a target is played to."""
        return self.options.get("hands")

    @property
    def kitty_size(self) -> int:
        """Cards left over after the deal, counting the up-card."""
        return len(self.deck) - self.players * self.hand_size

    @property
    def partnership(self) -> bool:
        """Whether seats score together; if not, every seat has its own score."""
        return len(self.sides) < self.players

    def to_dict(self) -> dict[str, Any]:
        """The whole ruleset as JSON data; `ruleset` of it gives an equal one. Games store this."""
        return json.loads(json.dumps(dict(self._source)))

    def __hash__(self) -> int:
        return hash((self.id, self.players, tuple(self.options.items())))

    def __reduce__(self) -> tuple[Any, ...]:
        return ruleset, (self.to_dict(),)


def preset_ids() -> tuple[str, ...]:
    """The ids of every preset shipped, the turn-up games first (rules.md section 0).

    >>> "keller-1887-three-handed" in preset_ids()
    True
    """
    return tuple(_preset_data())


def ruleset(
    source: "str | Mapping[str, Any] | Ruleset", options: Mapping[str, Any] | None = None
) -> Ruleset:
    """A preset by id, or a club's own rules (`{"id", "name", "extends", "options"}`), resolved.

    `options` override single values by the names of rules.md section 4. Raises RulesetError with
    every problem at once: unknown names, wrong values, options that do not fit, games that
    cannot be dealt.

    >>> ruleset("nanaimo-four-handed").options["march"]
    4
    >>> ruleset({"extends": "standard-four-handed", "options": {"target": 15}}).target
    15
    """
    if isinstance(source, Ruleset):
        source = source._source
    if isinstance(source, str) and not options:
        return _preset(source)
    if isinstance(source, str):
        try:
            return _preset_with(source, _key(options))
        except (TypeError, AttributeError):  # unhashable values; resolving tells what is wrong
            return _build(source, options)
    return _build(source, options)


def _key(options: Any) -> tuple[tuple[str, type, Any], ...]:
    """Options as a cache key; the type keeps true and 1 apart."""
    frozen = ((name, tuple(v) if isinstance(v, list) else v) for name, v in options.items())
    return tuple((name, type(value), value) for name, value in frozen)


@cache
def _preset(name: str) -> Ruleset:
    return _build(name, None)


@lru_cache(maxsize=256)
def _preset_with(name: str, options: tuple[tuple[str, type, Any], ...]) -> Ruleset:
    return _build(name, {option: value for option, _, value in options})


def _build(source: Any, options: Any) -> Ruleset:
    resolved, faults = resolve(source, options, _preset_data())
    if resolved is None or faults:
        raise RulesetError(tuple(faults))
    return _ruleset(resolved)


def _ruleset(resolved: Resolved) -> Ruleset:
    shape, choices = resolved.shape, resolved.choices
    values = {name: choice.value for name, choice in choices.items()}
    players = shape["players"]
    own = players < 4
    return Ruleset(
        id=resolved.id,
        name=resolved.name,
        alias=resolved.alias,
        note=resolved.note,
        family=shape["family"],
        players=players,
        hand_size=shape["hand"],
        deck=_deck(shape, values),
        sides=tuple((seat,) for seat in range(players))
        if own
        else (tuple(range(0, players, 2)), tuple(range(1, players, 2))),
        options=MappingProxyType(values),
        choices=MappingProxyType(choices),
        specials=resolved.specials,
        lineage=resolved.lineage,
        _source=resolved.to_dict(),
        engine={},
    )


def _deck(shape: Mapping[str, Any], values: Mapping[str, Any]) -> tuple[str, ...]:
    if shape["family"] == TURN_UP:
        ranks, joker = DECKS[values["deck"]]
        return build_deck(ranks, joker=joker)
    return build_deck(shape["ranks"], shape["copies"])


@cache
def _preset_data() -> Mapping[str, Mapping[str, Any]]:
    """Every preset file by id, in the order of their file names' `order`."""
    folder = resources.files("scoring") / "presets"
    found = [
        tomllib.loads(file.read_text("utf-8"))
        for file in folder.iterdir()
        if file.name.endswith(".toml")
    ]
    found.sort(key=lambda data: (data["order"], data["id"]))
    return MappingProxyType({data["id"]: MappingProxyType(data) for data in found})
