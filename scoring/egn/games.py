"""A whole EGN game, read from its decoded file."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from scoring.egn.deals import Deal, read_deal
from scoring.egn.fields import strange_fields, strange_version
from scoring.egn.switches import BASE, read_switches
from scoring.faults import Fault, fault
from scoring.rulesets import Ruleset, RulesetError, ruleset

FILE_TYPE = "Euchre Game Notation"
_MOST_DEALS = 100
_KEPT = ("gameId", "title", "description", "date", "players")


@dataclass(frozen=True, slots=True)
class EgnGame:
    """A game read from EGN: its rules, deals, scores and what its metadata say.

    `about` keeps title, date, description and players as they stood; `rules` is None when the
    switches make no game we know. `faults` and `warnings` are those of the file, not of a deal.
    """

    rules: Ruleset | None
    deals: tuple[Deal, ...]
    initial_score: tuple[int, ...] = (0, 0)
    final_score: tuple[int, ...] | None = None
    about: Mapping[str, Any] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()
    warnings: tuple[Fault, ...] = ()

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names by seat, as far as given."""
        named = self.about.get("players")
        found = named if isinstance(named, list) else []
        return tuple(str(p.get("name", "")) if isinstance(p, Mapping) else str(p) for p in found)


def read_game(data: object) -> EgnGame:
    """Read a decoded `.egn` file. Nothing is raised: what is wrong stands in the game's faults.

    >>> read_game({"fileType": "something else"}).faults[0].code
    'bad-format'
    """
    if not isinstance(data, Mapping) or data.get("fileType") != FILE_TYPE:
        return EgnGame(None, (), faults=(fault("bad-format/not-egn", field="fileType"),))
    about = data.get("metadata")
    about = about if isinstance(about, Mapping) else {}
    options, faults, warnings = read_switches(about.get("ruleset"))
    warnings += [*strange_version(data), *strange_fields("the file", data)]
    warnings += strange_fields("metadata", about)
    rules = None
    if not faults:
        try:
            rules = ruleset(BASE, options)
        except RulesetError as error:
            faults.extend(error.faults)
    deals = data.get("deals")
    if not isinstance(deals, list) or len(deals) > _MOST_DEALS:
        faults.append(fault("bad-format/not-a-list", field="deals"))
        deals = []
    return EgnGame(
        rules,
        tuple(read_deal(deal) for deal in deals),
        _score(about, "initialScore", faults) or (0, 0),
        _score(about, "finalScore", faults),
        {name: about[name] for name in _KEPT if name in about},
        tuple(faults),
        tuple(warnings),
    )


def _score(about: Mapping[str, Any], name: str, faults: list[Fault]) -> tuple[int, ...] | None:
    value = about.get(name)
    if value is None:
        return None
    if isinstance(value, list) and len(value) == 2 and all(_is_points(n) for n in value):
        return tuple(value)
    faults.append(fault("bad-format/score-length", field=name, count=2))
    return None


def _is_points(value: object) -> bool:
    return type(value) is int and abs(value) <= 1000
