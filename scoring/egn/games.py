"""Whole EGN games, and the matches (EMN) that gather them, read from their decoded files."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from scoring.egn.deals import Deal, read_deal
from scoring.egn.notation import BASE, read_switches, strange_fields, strange_version
from scoring.faults import Fault, fault
from scoring.rulesets import Ruleset, RulesetError, ruleset

FILE_TYPE = "Euchre Game Notation"
MATCH_TYPE = "Euchre Match Notation"
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


_MOST_GAMES = 500


@dataclass(frozen=True, slots=True)
class EgnMatch:
    """A match read from EMN: `games` with the ids of their four players, `about` its metadata."""

    games: tuple[EgnGame, ...]
    seats: tuple[tuple[str, ...], ...] = ()
    about: Mapping[str, Any] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()


def read_match(data: object) -> EgnMatch:
    """Read a decoded `.emn` file; what is wrong with one game stands in that game's faults."""
    if not isinstance(data, Mapping) or data.get("fileType") != MATCH_TYPE:
        return EgnMatch((), faults=(fault("bad-format/not-emn", field="fileType"),))
    about = data.get("metadata")
    about = about if isinstance(about, Mapping) else {}
    entries = data.get("games")
    if not isinstance(entries, list) or len(entries) > _MOST_GAMES:
        return EgnMatch((), about=about, faults=(fault("bad-format/not-a-list", field="games"),))
    names = _names(about.get("players"))
    read = [_entry(entry, names) for entry in entries]
    return EgnMatch(tuple(game for game, _ in read), tuple(ids for _, ids in read), about)


def _names(players: object) -> dict[str, str]:
    listed = players if isinstance(players, list) else []
    return {
        str(player["id"]): str(player.get("name", player["id"]))
        for player in listed
        if isinstance(player, Mapping) and "id" in player
    }


def _entry(entry: object, names: Mapping[str, str]) -> tuple[EgnGame, tuple[str, ...]]:
    entry = entry if isinstance(entry, Mapping) else {}
    game = read_game(entry.get("gameData"))
    # EMN 1.2 calls the same list playersOverride.
    ids = entry.get("players", entry.get("playersOverride"))
    good = isinstance(ids, list) and len(ids) == 4 and all(isinstance(one, str) for one in ids)
    if not good or not isinstance(ids, list) or not set(ids) <= names.keys():
        wrong = fault("bad-format/egn-players", field="players")
        return replace(game, faults=(*game.faults, wrong)), ()
    about = {**game.about, "players": [names[one] for one in ids]}
    return replace(game, about=about), tuple(ids)


def match_of(
    games: Sequence[EgnGame], seats: Sequence[Sequence[str]], players: Mapping[str, str]
) -> EgnMatch:
    """A match of games already read: `seats` are player ids by game, `players` their names."""
    listed = [{"id": key, "name": name} for key, name in players.items()]
    return EgnMatch(tuple(games), tuple(map(tuple, seats)), {"players": listed})
