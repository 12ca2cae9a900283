"""Reads files of hands and of games, checks them, and returns the lines that commands print."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from scoring.checks import check_hand
from scoring.egn import check_game as check_egn
from scoring.egn import read_game, read_match
from scoring.egn.games import FILE_TYPE, MATCH_TYPE
from scoring.faults import Answer, Fault, fault
from scoring.games import play_game
from scoring.matches import Match, play_match
from scoring.rulesets import Ruleset, RulesetError, ruleset

__all__ = ["check_game_text", "check_lines"]

MOST_BYTES = 64 * 1024  # of one record: a hand of twelve tricks with every card is under six
MOST_FILE_BYTES = 16 * 1024 * 1024


class _Refused(ValueError):
    """Raised inside the JSON reader; carries the sentence's key."""


def decode(text: bytes, limit: int = MOST_BYTES) -> tuple[Any, Fault | None]:
    """The data in a JSON text, or the fault that makes it unreadable.

    >>> decode(b'{"dealer": 0}')
    ({'dealer': 0}, None)
    >>> decode(b'{"dealer": 0, "dealer": 1}')[1].message
    'dealer appears twice in one object.'
    """
    if len(text) > limit:
        return None, fault("bad-format/too-big", count=limit // 1024)
    try:
        return (
            json.loads(
                text.decode("utf-8-sig"),
                object_pairs_hook=_unique_names,
                parse_constant=_no_constant,
                parse_float=_finite,
            ),
            None,
        )
    except _Refused as refused:
        return None, fault("bad-format/doubled", text=str(refused))
    except (ValueError, RecursionError):
        return None, fault("bad-format/not-json")


def _unique_names(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        count = Counter(name for name, _ in pairs)
        repeated = next(name for name in count if count[name] > 1)
        raise _Refused("".join(sign if sign.isprintable() else "?" for sign in repeated[:20]))
    return fields


def _no_constant(text: str) -> float:
    raise ValueError(text)


def _finite(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise ValueError(text)
    return number


_GAME_FIELDS = ("ruleset", "options", "players", "hands", "first_dealer", "initial_score")
_MATCH_FIELDS = ("ruleset", "options", "players", "match", "games")
_MOST_HANDS, _MOST_GAMES = 10_000, 500


def check_lines(lines: Iterable[bytes]) -> Iterator[Answer]:
    """One answer for each line of a JSON Lines file of hand records; blank lines are ignored.

    >>> [answer.valid for answer in check_lines([b"not json", b""])]
    [False]
    """
    for line in lines:
        if line.strip():
            data, wrong = decode(line)
            yield check_hand(data) if wrong is None else Answer(False, faults=(wrong,))


def check_game_text(text: bytes) -> list[dict[str, Any]]:
    """The answers to a file of one game, or of a match: EGN, EMN, or a game of hand records."""
    data, wrong = decode(text, limit=MOST_FILE_BYTES)
    if wrong is not None:
        return [_unreadable(wrong)]
    if not isinstance(data, Mapping):
        return [_unreadable(fault("bad-format/not-a-game", field="fileType"))]
    if data.get("fileType") == MATCH_TYPE:
        match = read_match(data)
        if match.faults:
            return [_unreadable(*match.faults)]
        return [check_egn(game).to_json() for game in match.games]
    if data.get("fileType") == FILE_TYPE:
        return [check_egn(read_game(data)).to_json()]
    if "fileType" in data:
        return [_unreadable(fault("bad-format/not-a-game", field="fileType"))]
    return [check_records(data)]


def check_records(data: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to `{"ruleset", "options", "players", "hands": [records]}`, or to a match.

    A match has `"match": {"best_of": n}` or `{"games": n}`, and `"games": [{"hands"}, ...]`.
    """
    is_match = "match" in data or "games" in data
    match = Match.from_json(data.get("match")) if is_match else None
    faults = _match_faults(data, match) if is_match else _game_faults(data)
    rules = None
    try:
        rules = ruleset(data.get("ruleset"), data.get("options"))  # type: ignore[arg-type]
    except RulesetError as error:
        faults += error.faults
    dealer = data.get("first_dealer")
    if rules is not None and not faults:
        faults += _seating_faults(rules, data.get("players"), dealer)
    if faults or rules is None:
        return _unreadable(*faults, parts="games" if is_match else "hands")
    if match is not None:
        return play_match(rules, match, data["games"]).to_json()
    state = play_game(
        rules,
        data["hands"],
        first_dealer=dealer,
        initial_score=data.get("initial_score"),
    )
    return state.to_json()


def _seating_faults(rules: Ruleset, players: object, dealer: int | None) -> Iterator[Fault]:
    """A dealer who is not at the table, or a wrong number of players."""
    if dealer is not None and dealer >= rules.players:
        yield fault("bad-seat/none-such", rules.players, field="first_dealer")
    count = len(players) if isinstance(players, list) else players
    if players is not None and (type(count) is not int or count != rules.players):
        yield fault("bad-format/wrong-length", rules.players, field="players", count=rules.players)


def _game_faults(data: Mapping[str, Any]) -> list[Fault]:
    faults = _unknown_fields(data, _GAME_FIELDS, "the game")
    if not isinstance(data.get("hands"), list):
        faults.append(fault("bad-format/not-a-list", field="hands"))
    elif len(data["hands"]) > _MOST_HANDS:
        faults.append(fault("bad-format/too-long", field="hands", limit=_MOST_HANDS))
    if not isinstance(data.get("options", {}), dict | None):
        faults.append(fault("bad-format/not-an-object", field="options"))
    if not isinstance(data.get("initial_score", []), list | None):
        faults.append(fault("bad-format/not-a-list", field="initial_score"))
    dealer = data.get("first_dealer")
    if dealer is not None and not (type(dealer) is int and 0 <= dealer < 8):
        faults.append(fault("bad-seat/none-such", field="first_dealer"))
    return faults


def _match_faults(data: Mapping[str, Any], match: Match | None) -> list[Fault]:
    """Everything that is wrong with the form of a match of games."""
    faults = _unknown_fields(data, _MATCH_FIELDS, "the match")
    if match is None:
        faults.append(fault("bad-format/match", field="match"))
    if not isinstance(data.get("options", {}), dict | None):
        faults.append(fault("bad-format/not-an-object", field="options"))
    games = data.get("games")
    if not isinstance(games, list):
        return [*faults, fault("bad-format/not-a-list", field="games")]
    if len(games) > _MOST_GAMES:
        return [*faults, fault("bad-format/too-long", field="games", limit=_MOST_GAMES)]
    for number, game in enumerate(games, start=1):
        if not isinstance(game, dict):
            faults.append(fault("bad-format/not-an-object", field="games", game=number))
            continue
        strange = _unknown_fields(game, ("hands", "first_dealer"), "the game")
        game_faults = strange + _game_faults(
            {k: game[k] for k in ("hands", "first_dealer") if k in game}
        )
        faults += [replace(wrong, game=number) for wrong in game_faults]
    return faults


def _unknown_fields(data: Mapping[str, Any], known: tuple[str, ...], path: str) -> list[Fault]:
    faults = []
    for name in [name for name in data if name not in known][:5]:
        printable = "".join(sign if sign.isprintable() else "?" for sign in str(name)[:20])
        faults.append(fault("bad-format/unknown-field", text=printable, path=path))
    return faults


def _unreadable(*faults: Fault, parts: str = "hands") -> dict[str, Any]:
    data = [wrong.to_json() for wrong in faults]
    return {"valid": False, "score": [], "over": False, "winners": [], parts: [], "faults": data}
