"""Rulesets: presets and a club's own rules, resolved from data, with all problems reported."""

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib import resources
from types import MappingProxyType
from typing import Any

from scoring.cards import JOKER
from scoring.faults import Fault
from scoring.rulesets.options import BID, OPTIONS, sides_of
from scoring.rulesets.resolving import Resolved, option_fits, resolve
from scoring.rulesets.shapes import Choice, Special, deck_of


class RulesetError(ValueError):
    """Data that is not a valid ruleset; `faults` has every problem, each with its `field`."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        super().__init__("; ".join(fault.message for fault in faults))
        self.faults = faults


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One game's rules, resolved and frozen.

    `sides` are tuples of seats that score together; `deck` lists every card, twins twice; `target`
    is None if a fixed number of `hands` is played. If a partner is called for each hand
    (`partner_called`), every seat has its own score; with `partnership` seats score together.
    `counts_down`: the score goes down to the target, and the lowest wins. `joker_names`: the joker
    of a bid game follows any lead in no trump, and names the suit. `more_pickups`: in a turn-up
    game cards other than the up-card can change hands before the play. `options` maps every option
    to its value; `choices` has each value's source ("004:133" is line 133 of seed 004), decision
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
    partner_called: bool
    partnership: bool
    counts_down: bool
    joker_names: bool
    more_pickups: bool
    options: Mapping[str, Any]
    choices: Mapping[str, Choice]
    specials: tuple[Special, ...]
    lineage: tuple[str, ...]
    _source: Mapping[str, Any] = field(repr=False, compare=False)
    engine: dict[str, Any] = field(repr=False, compare=False)

    @property
    def target(self) -> int | None:
        """The points that win the game, or None if a fixed number of hands is played."""
        return self.options.get("target")

    @property
    def hands(self) -> int | None:
        """The fixed number of hands, or None if the game has a target."""
        return self.options.get("hands")

    @property
    def start(self) -> int:
        """The points with which everyone starts a game."""
        return int(self.options.get("start", 0))

    @property
    def kitty_size(self) -> int:
        """The number of cards left over after the deal, including the up-card."""
        return len(self.deck) - self.players * self.hand_size

    @property
    def taken_kitty(self) -> int:
        """The number of left-over cards that the maker takes up in a bid game."""
        return self.kitty_size if self.options.get("kitty_to") == "maker" else 0

    def to_dict(self) -> dict[str, Any]:
        """The whole ruleset as JSON data, from which `ruleset` makes an equal one. Games store
        this."""
        return json.loads(json.dumps(dict(self._source)))

    def __hash__(self) -> int:
        return hash((self.id, self.players, tuple(self.options.items())))

    def __reduce__(self) -> tuple[Any, ...]:
        return ruleset, (self.to_dict(),)


def preset_ids() -> tuple[str, ...]:
    """The ids of all presets, the turn-up games first (rules.md section 0).

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
        except (TypeError, AttributeError):  # unhashable values; resolving reports what is wrong
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


_MORE_PICKUPS = {"dummy": "none", "partners_best": "off"}


def _ruleset(resolved: Resolved) -> Ruleset:
    shape, choices = resolved.shape, resolved.choices
    values = {name: choice.value for name, choice in choices.items()}
    players, sides, deck = shape["players"], sides_of(shape), deck_of(shape, values)
    target, start = values.get("target"), values.get("start", 0)
    return Ruleset(
        id=resolved.id,
        name=resolved.name,
        alias=resolved.alias,
        note=resolved.note,
        family=shape["family"],
        players=players,
        hand_size=shape["hand"],
        deck=deck,
        sides=(tuple(range(0, players, 2)), tuple(range(1, players, 2)))
        if sides == "pairs"
        else tuple((seat,) for seat in range(players)),
        partner_called=sides == "called",
        partnership=sides == "pairs",
        counts_down=target is not None and start > target,
        joker_names=shape["family"] == BID and JOKER in deck,
        more_pickups=any(values.get(name, off) != off for name, off in _MORE_PICKUPS.items()),
        options=MappingProxyType(values),
        choices=MappingProxyType(choices),
        specials=resolved.specials,
        lineage=resolved.lineage,
        _source=resolved.to_dict(),
        engine={},
    )


@cache
def _preset_data() -> Mapping[str, Mapping[str, Any]]:
    """The data of every preset by id, sorted by its `order`."""
    folder = resources.files("scoring") / "presets"
    presets = [
        tomllib.loads(file.read_text("utf-8"))
        for file in folder.iterdir()
        if file.name.endswith(".toml")
    ]
    presets.sort(key=lambda data: (data["order"], data["id"]))
    return MappingProxyType({data["id"]: MappingProxyType(data) for data in presets})


def reshaped(
    rules: Ruleset,
    shape: Mapping[str, Any],
    special: Sequence[Mapping[str, Any]] | None = None,
) -> dict[str, Any]:
    """The data of these rules with changes to their shape, and other special bids.

    Options that the new game cannot have are left out; new ones take the value of the original
    preset. Nothing is validated: `ruleset` does that.

    >>> from scoring import ruleset
    >>> len(ruleset(reshaped(ruleset("bid-racehorse"), {"ranks": "JQKA", "hand": 4})).deck)
    16
    """
    data = rules.to_dict()
    data["shape"] = {**data["shape"], **shape}
    if special is not None:
        data["special"] = [dict(bid) for bid in special]
    original = rules.lineage[0] if rules.lineage else ""
    if original in preset_ids():
        data["options"] = {**ruleset(original).to_dict()["options"], **data["options"]}
        ends = {"target", "hands"} - {"hands" if rules.target is None else "target"}
        for name in ends:
            data["options"].pop(name, None)
    data["options"] = {
        name: value
        for name, value in data["options"].items()
        if option_fits(OPTIONS[name], data["shape"], data["special"])
    }
    return data
