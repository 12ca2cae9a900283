"""Hands as a table's phone sends them, drawn by chance: contract and tricks, as people play."""

from collections.abc import Sequence
from random import Random
from typing import Any

from scoring import Ruleset, check_hand

SUITS = "cdhs"
RANKS = "9TJQKA"
THROWN_IN, SECOND_ROUND, ALONE, UPCARD_TOLD = 0.03, 0.3, 0.12, 0.5
TRIES = 50


def a_hand(
    chance: Random, rules: Ruleset, *, dealer: int, skills: Sequence[float]
) -> dict[str, Any]:
    """One hand that the rules allow and nobody would ask about, of a turn-up game.

    `skills` by seat, 0 to 1: the better call more often and are euchred less.
    """
    for _ in range(TRIES):
        record = _drawn(chance, rules, dealer, skills)
        answer = check_hand(record, rules)
        if answer.valid and not answer.warnings:
            return record
    raise ValueError(f"No hand found for {rules.id} in {TRIES} tries.")


def _drawn(chance: Random, rules: Ruleset, dealer: int, skills: Sequence[float]) -> dict[str, Any]:
    if chance.random() < THROWN_IN:
        return {"dealer": dealer, "contract": None}
    seat = chance.choices(range(rules.players), weights=[0.4 + skill for skill in skills])[0]
    contract: dict[str, Any] = {"seat": seat, "trump": chance.choice(SUITS), "round": 1}
    if chance.random() < SECOND_ROUND:
        contract["round"] = 2
    if rules.players == 4:
        contract["alone"] = chance.random() < ALONE
    record = {"dealer": dealer, "contract": contract}
    if contract["round"] == 1 and chance.random() < UPCARD_TOLD:
        record["upcard"] = chance.choice(RANKS) + contract["trump"]
    record["tricks_won"] = {"makers": _tricks(chance, rules, skills[seat])}
    return record


def _tricks(chance: Random, rules: Ruleset, skill: float) -> int:
    """Euchred about one call in four, a march about one in six; the skilled do better."""
    euchred, march = 0.34 - 0.18 * skill, 0.1 + 0.12 * skill
    lot = chance.random()
    if lot < euchred:
        return chance.choice((1, 2, 2))
    return rules.hand_size if lot < euchred + march else chance.choice((3, 3, 4))
