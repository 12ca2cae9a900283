"""Hands as a table's phone sends them: played out by chance, in as much detail as people write."""

from collections.abc import Sequence
from random import Random
from typing import Any

from scoring import Ruleset, check_hand
from scoring.playouts import random_hand, thinned

# How much a table writes down: mostly the tricks, now and then the calls or every card.
TOLD = {"counts": 0.6, "auction": 0.2, "outcome": 0.12, "cards": 0.08}
TRIES = 50


def a_hand(
    chance: Random, rules: Ruleset, *, dealer: int, skills: Sequence[float]
) -> dict[str, Any]:
    """One hand that the rules allow and nobody would ask about.

    `skills` by seat, 0 to 1: of the euchres the better makers would suffer, some are dealt away.
    """
    for _ in range(TRIES):
        hand = random_hand(rules, chance.getrandbits(32), dealer=dealer)
        answer = check_hand(hand, rules)
        makers = [skills[seat] for seat in answer.makers or ()]
        if answer.outcome == "euchred" and chance.random() < sum(makers) / len(makers):
            continue
        told = thinned(hand, rules, chance.choices(list(TOLD), weights=list(TOLD.values()))[0])
        answer = check_hand(told, rules)
        if answer.valid and not answer.warnings:
            return told.to_json()
    raise ValueError(f"No hand found for {rules.id} in {TRIES} tries.")
