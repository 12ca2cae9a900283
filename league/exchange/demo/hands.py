"""Hands as a table's phone sends them: played out by chance, in as much detail as people write."""

from collections.abc import Sequence
from random import Random
from typing import Any

from scoring import Ruleset, check_hand
from scoring.playouts import random_hand, thinned

# How much a table writes down: mostly the tricks, now and then the calls or every card.
TOLD = {"counts": 0.6, "auction": 0.2, "outcome": 0.12, "cards": 0.08}
TRIES = 50
ALONE = 0.12
CALLED_AFTER_ALL = 0.85  # people pass less than the play-outs do


def a_hand(
    chance: Random, rules: Ruleset, *, dealer: int, skills: Sequence[float]
) -> dict[str, Any]:
    """One hand that the rules allow and nobody would ask about.

    `skills` by seat, 0 to 1: of the euchres the better makers would suffer, some are dealt away.
    """
    for _ in range(TRIES):
        hand = random_hand(rules, chance.getrandbits(32), dealer=dealer)
        answer = check_hand(hand, rules)
        if answer.outcome == "thrown-in" and chance.random() < CALLED_AFTER_ALL:
            continue
        makers = [skills[seat] for seat in answer.makers or ()]
        if answer.outcome == "euchred" and chance.random() < sum(makers) / len(makers) - 0.2:
            continue
        level = chance.choices(list(TOLD), weights=list(TOLD.values()))[0]
        told = _bolder(chance, rules, thinned(hand, rules, level).to_json())
        answer = check_hand(told, rules)
        if answer.valid and not answer.warnings:
            return told
    raise ValueError(f"No hand found for {rules.id} in {TRIES} tries.")


def _bolder(chance: Random, rules: Ruleset, told: dict[str, Any]) -> dict[str, Any]:
    """People go alone more often than the play-outs do: some counted hands become lone ones."""
    won, contract = told.get("tricks_won"), told.get("contract")
    if rules.players != 4 or not isinstance(won, list) or not contract or chance.random() > ALONE:
        return told
    maker = contract["seat"]
    partner = (maker + 2) % 4
    counted = [*won]
    counted[maker], counted[partner] = won[maker] + won[partner], 0
    return {**told, "contract": {**contract, "alone": True}, "tricks_won": counted}
