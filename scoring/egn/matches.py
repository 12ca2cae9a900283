"""EMN: several EGN games of one match, with the players of each named by their ids."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from scoring.egn.games import EgnGame, read_game
from scoring.egn.writing import MATCH_TYPE, MATCH_VERSION, rewrite_game
from scoring.faults import Fault, fault

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


def write_match(match: EgnMatch) -> dict[str, Any]:
    """The decoded EMN file of a match that was read or put together from games."""
    games = [
        {"gameIndex": place, "players": list(ids), "gameData": rewrite_game(game)}
        for place, (game, ids) in enumerate(zip(match.games, match.seats, strict=True))
    ]
    return {
        "fileType": MATCH_TYPE,
        "version": MATCH_VERSION,
        "metadata": dict(match.about),
        "games": games,
    }


def match_of(
    games: Sequence[EgnGame], seats: Sequence[Sequence[str]], players: Mapping[str, str]
) -> EgnMatch:
    """A match of games already read: `seats` are player ids by game, `players` their names."""
    listed = [{"id": key, "name": name} for key, name in players.items()]
    return EgnMatch(tuple(games), tuple(map(tuple, seats)), {"players": listed})
