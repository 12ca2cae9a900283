"""An evening ordered and delivered as JSON: what `plan_seating` reads and prints."""

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
    """The plan for an order, both as JSON.

    Raises PairingRefused with a sentence for an order that cannot be read or that nothing fits.
    """
    order = _object(text)
    players = _people(order.get("players"), "players")
    policy = order.get("policy", "club")
    effort = order.get("effort", "quick")
    _require(policy in POLICIES, f"policy must be one of {', '.join(POLICIES)}.")
    _require(effort in EFFORTS, f"effort must be one of {', '.join(EFFORTS)}.")
    _require(isinstance(order.get("level_always", False), bool), "level_always is true or false.")
    constraints = Constraints(
        never=_pairs(order, "apart", players),
        fixed=_pairs(order, "fixed", players),
        apart_partner=_pairs(order, "apart_partner", players),
        together=_pairs(order, "together", players),
        avoid=_pairs(order, "avoid", players),
        guests=frozenset(_known(order.get("guests", []), "guests", players)),
    )
    rounds = _whole(order, "rounds", None, least=1)
    plan = plan_evening(
        players,
        rounds,
        seed=_whole(order, "seed", 1),
        history=_history(order.get("history", [])),
        constraints=constraints,
        policy=policy,
        presence=_presence(order.get("presence", {}), players, rounds),
        effort=effort,
        level_always=order.get("level_always", False),
    )
    _refuse_broken(plan)
    return json.dumps(_document(order, players, policy, plan), indent=1)


def _require(holds: bool, sentence: str) -> None:
    if not holds:
        raise PairingRefused("bad-order", sentence)


def _object(text: str) -> dict[str, Any]:
    try:
        order = json.loads(text)
    except ValueError as error:
        raise PairingRefused("bad-order", f"This is not JSON: {error}.") from error
    _require(isinstance(order, dict), "The order must be one JSON object.")
    unknown = [key for key in order if key not in KEYS]
    _require(not unknown, f"Unknown keys: {', '.join(unknown)}. Known are {', '.join(KEYS)}.")
    for key in ("players", "rounds"):
        _require(key in order, f"The order lacks {key}.")
    return order


def _is_id(one: object) -> bool:
    return isinstance(one, int | str) and not isinstance(one, bool)


def _people(value: object, what: str) -> list[PlayerId]:
    _require(
        isinstance(value, list) and all(map(_is_id, value)),
        f"{what} must be a list of ids, whole numbers or strings.",
    )
    people: list[PlayerId] = list(value)  # type: ignore[call-overload]
    twice = [one for place, one in enumerate(people) if one in people[:place]]
    _require(not twice, f"{what} names {', '.join(map(str, twice))} twice.")
    return people


def _known(value: object, what: str, players: list[PlayerId]) -> list[PlayerId]:
    people = _people(value, what)
    strangers = [str(person) for person in people if person not in players]
    _require(not strangers, f"{what} names {', '.join(strangers)}, who is no player here.")
    return people


def _pairs(order: dict[str, Any], key: str, players: list[PlayerId]) -> tuple[Pair, ...]:
    value = order.get(key, [])
    _require(isinstance(value, list), f"{key} must be a list of pairs.")
    pairs = []
    for pair in value:
        _require(isinstance(pair, list) and len(pair) == 2, f"{key} must be a list of pairs.")
        first, second = _known(pair, key, players)
        pairs.append((first, second))
    return tuple(pairs)


def _whole(order: dict[str, Any], key: str, default: int | None, least: int | None = None) -> int:
    value = order.get(key, default)
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
        good = isinstance(span, list) and len(span) == 2
        _require(good and all(isinstance(one, int) for one in span), sentence)
        presence[by_name[name][0]] = (span[0], span[1])
    return presence


def _history(value: object) -> list[PlayedRound]:
    if not isinstance(value, list):
        raise PairingRefused("bad-order", "history must be a list of rounds.")
    return [_played(number, one) for number, one in enumerate(value, 1)]


def _played(number: int, value: object) -> PlayedRound:
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
        people = _people(table, f"history, round {number}, a table")
        _require(2 <= len(people) <= LARGEST, sentence)
        seated.append(tuple(people))
    played = PlayedRound(tuple(seated), tuple(_people(body.get("out", []), "out")), age)
    _people(list(played.present), f"history, round {number},")
    return played


def _refuse_broken(plan: EveningPlan) -> None:
    if plan.broken:
        named = " ".join(f"Round {number}: {one.sentence}" for number, one in plan.broken)
        people = tuple(dict.fromkeys(who for _, one in plan.broken for who in one.people))
        raise PairingRefused(
            "constraints-unkept", f"No seating keeps every request. {named}", people
        )


def _document(
    order: dict[str, Any], players: list[PlayerId], policy: str, plan: EveningPlan
) -> dict[str, Any]:
    document: dict[str, Any] = {"players": players, "policy": policy}
    for key in ("fixed", "apart", "apart_partner"):
        if order.get(key):
            document[key] = order[key]
    document["rounds"] = [
        {
            "tables": [list(table) for table in one.tables],
            "out": list(one.out),
            "present": [player for player in players if player in one.played().present],
        }
        for one in plan.rounds
    ]
    document["certificate"] = {"way": plan.way, **figures(plan.certificate)}
    return document


MEASURES = ("partner_repeats", "opponent_repeats", "meeting_repeats", "shares", "dealer")


def figures(proof: Certificate) -> dict[str, Any]:
    """A certificate as plain JSON values."""
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
            name: {"value": _number(one.value), "bound": _number(one.bound)}
            for name, one in measures.items()
        },
        "short_range": proof.short_range,
        "out_range": proof.out_range,
        "twice_running": proof.twice_running,
        "players": [_player(line) for line in proof.players],
    }


def _player(line: PlayerLine) -> dict[str, Any]:
    document = asdict(line) | {"deals_due": _number(line.deals_due)}
    return document | {"current_seats": list(document.pop("seats"))}


def _number(value: Fraction) -> int | float:
    return int(value) if value.denominator == 1 else round(float(value), 4)
