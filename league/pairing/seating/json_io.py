"""Planning an evening from JSON to JSON, for the command `plan_seating`."""

from __future__ import annotations

import json
from dataclasses import asdict
from fractions import Fraction
from typing import Any

from league.pairing.errors import PairingRefused, PlayerId
from league.pairing.seating.constraints import Constraints, Pair
from league.pairing.seating.fairness import Certificate, PlayerLine
from league.pairing.seating.history import PlayedRound
from league.pairing.seating.planner import EFFORTS, EveningPlan, plan_evening
from league.pairing.seating.table_sizes import LARGEST, POLICIES

__all__ = ["plan_from_json"]

KEYS = (
    "players", "rounds", "policy", "fixed", "apart", "apart_partner", "together", "avoid",
    "guests", "history", "presence", "seed", "effort", "level_always",
)  # fmt: skip


def plan_from_json(text: str) -> str:
    """Return the plan for a request, both as JSON.

    Raises PairingRefused if the request cannot be read, or if no seating keeps its constraints.
    """
    request = _load_request(text)
    players = _player_ids(request.get("players"), "players")
    policy = request.get("policy", "club")
    effort = request.get("effort", "quick")
    _require(policy in POLICIES, f"policy must be one of {', '.join(POLICIES)}.")
    _require(effort in EFFORTS, f"effort must be one of {', '.join(EFFORTS)}.")
    _require(isinstance(request.get("level_always", False), bool), "level_always is true or false.")
    constraints = Constraints(
        never=_pairs(request, "apart", players),
        fixed=_pairs(request, "fixed", players),
        apart_partner=_pairs(request, "apart_partner", players),
        together=_pairs(request, "together", players),
        avoid=_pairs(request, "avoid", players),
        guests=frozenset(_known_players(request.get("guests", []), "guests", players)),
    )
    rounds = _integer(request, "rounds", None, least=1)
    plan = plan_evening(
        players,
        rounds,
        seed=_integer(request, "seed", 1),
        history=_history(request.get("history", [])),
        constraints=constraints,
        policy=policy,
        presence=_presence(request.get("presence", {}), players, rounds),
        effort=effort,
        level_always=request.get("level_always", False),
    )
    _raise_if_broken(plan)
    return json.dumps(_document(request, players, policy, plan), indent=1)


def _require(condition: bool, sentence: str) -> None:
    if not condition:
        raise PairingRefused("bad-order", sentence)


def _load_request(text: str) -> dict[str, Any]:
    try:
        request = json.loads(text)
    except ValueError as error:
        raise PairingRefused("bad-order", f"This is not JSON: {error}.") from error
    _require(isinstance(request, dict), "The order must be one JSON object.")
    unknown = [key for key in request if key not in KEYS]
    _require(not unknown, f"Unknown keys: {', '.join(unknown)}. Known are {', '.join(KEYS)}.")
    for key in ("players", "rounds"):
        _require(key in request, f"The order lacks {key}.")
    return request


def _is_id(value: object) -> bool:
    return isinstance(value, int | str) and not isinstance(value, bool)


def _player_ids(value: object, label: str) -> list[PlayerId]:
    _require(
        isinstance(value, list) and all(map(_is_id, value)),
        f"{label} must be a list of ids, whole numbers or strings.",
    )
    people: list[PlayerId] = list(value)  # type: ignore[call-overload]
    repeated = [player for index, player in enumerate(people) if player in people[:index]]
    _require(not repeated, f"{label} names {', '.join(map(str, repeated))} twice.")
    return people


def _known_players(value: object, label: str, players: list[PlayerId]) -> list[PlayerId]:
    people = _player_ids(value, label)
    unknown = [str(person) for person in people if person not in players]
    _require(not unknown, f"{label} names {', '.join(unknown)}, who is no player here.")
    return people


def _pairs(request: dict[str, Any], key: str, players: list[PlayerId]) -> tuple[Pair, ...]:
    value = request.get(key, [])
    _require(isinstance(value, list), f"{key} must be a list of pairs.")
    pairs = []
    for pair in value:
        _require(isinstance(pair, list) and len(pair) == 2, f"{key} must be a list of pairs.")
        first, second = _known_players(pair, key, players)
        pairs.append((first, second))
    return tuple(pairs)


def _integer(
    request: dict[str, Any], key: str, default: int | None, least: int | None = None
) -> int:
    value = request.get(key, default)
    limit = "" if least is None else f" of at least {least}"
    sentence = f"{key} must be a whole number{limit}."
    if not isinstance(value, int) or isinstance(value, bool):
        raise PairingRefused("bad-order", sentence)
    _require(least is None or value >= least, sentence)
    return value


def _presence(value: object, players: list[PlayerId], rounds: int) -> dict[PlayerId, Any]:
    sentence = 'presence must be an object like {"id": [first round, last round]}.'
    _require(isinstance(value, dict), sentence)
    by_name: dict[str, list[PlayerId]] = {}
    for player in players:
        by_name.setdefault(str(player), []).append(player)
    presence = {}
    for name, span in value.items():  # type: ignore[attr-defined]
        _require(len(by_name.get(name, ())) == 1, f"presence names {name}, who is no one player.")
        is_pair = isinstance(span, list) and len(span) == 2
        _require(is_pair and all(isinstance(number, int) for number in span), sentence)
        presence[by_name[name][0]] = (span[0], span[1])
    return presence


def _history(value: object) -> list[PlayedRound]:
    if not isinstance(value, list):
        raise PairingRefused("bad-order", "history must be a list of rounds.")
    return [_played_round(number, played) for number, played in enumerate(value, 1)]


def _played_round(number: int, value: object) -> PlayedRound:
    sentence = (
        f"history, round {number}: a round is a list of tables of 2 to 8 ids, "
        'or {"tables": [...], "out": [...], "age": sessions ago}.'
    )
    body: dict[str, Any] = value if isinstance(value, dict) else {"tables": value}
    _require(set(body) <= {"tables", "out", "present", "age"}, sentence)
    tables, age = body.get("tables"), body.get("age", 0)
    _require(isinstance(tables, list) and isinstance(age, int) and age >= 0, sentence)
    seated = []
    for table in tables:  # type: ignore[union-attr]
        people = _player_ids(table, f"history, round {number}, a table")
        _require(2 <= len(people) <= LARGEST, sentence)
        seated.append(tuple(people))
    played = PlayedRound(tuple(seated), tuple(_player_ids(body.get("out", []), "out")), age)
    _player_ids(list(played.present), f"history, round {number},")
    return played


def _raise_if_broken(plan: EveningPlan) -> None:
    if plan.broken:
        sentences = " ".join(
            f"Round {number}: {violation.sentence}" for number, violation in plan.broken
        )
        people = tuple(
            dict.fromkeys(player for _, violation in plan.broken for player in violation.people)
        )
        raise PairingRefused(
            "constraints-unkept", f"No seating keeps every request. {sentences}", people
        )


def _document(
    request: dict[str, Any], players: list[PlayerId], policy: str, plan: EveningPlan
) -> dict[str, Any]:
    document: dict[str, Any] = {"players": players, "policy": policy}
    for key in ("fixed", "apart", "apart_partner"):
        if request.get(key):
            document[key] = request[key]
    document["rounds"] = [
        {
            "tables": [list(table) for table in plan_of_round.tables],
            "out": list(plan_of_round.out),
            "present": [player for player in players if player in plan_of_round.played().present],
        }
        for plan_of_round in plan.rounds
    ]
    document["certificate"] = {"way": plan.way, **figures(plan.certificate)}
    return document


MEASURES = ("partner_repeats", "opponent_repeats", "meeting_repeats", "shares", "dealer")


def figures(proof: Certificate) -> dict[str, Any]:
    """Return a certificate as plain JSON values."""
    measures = {name: getattr(proof, name) for name in MEASURES}
    measures |= {"current_seats": proof.seats, "back_to_back": proof.back_to_back}
    return {
        "version": proof.version,
        "seed": proof.seed,
        "rounds": proof.rounds,
        "ratio": round(float(proof.ratio), 6),
        "J": _number(proof.cost),
        "LB_J": _number(proof.cost_bound),
        **{
            name: {"value": _number(measure.value), "bound": _number(measure.bound)}
            for name, measure in measures.items()
        },
        "short_range": proof.short_range,
        "out_range": proof.out_range,
        "twice_running": proof.twice_running,
        "players": [_player_document(line) for line in proof.players],
    }


def _player_document(line: PlayerLine) -> dict[str, Any]:
    document = asdict(line) | {"deals_due": _number(line.deals_due)}
    return document | {"current_seats": list(document.pop("seats"))}


def _number(value: Fraction) -> int | float:
    return int(value) if value.denominator == 1 else round(float(value), 4)
