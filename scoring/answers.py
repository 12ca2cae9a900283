"""The answer to a hand record: what it came to, or everything wrong with it."""

from dataclasses import dataclass
from typing import Any

from scoring.faults import Fault


@dataclass(frozen=True, slots=True)
class Answer:
    """What the engine says of one hand (hand-record.md, "The answer").

    `outcome` is made, march or euchred in turn-up games, made or set in bid games, `thrown-in`
    or `renege`. `tricks_won` and `points` go by seat; partners both carry their side's points.
    `tricks_won` is None where the record does not say who of a side won them. `alone` are the seats
    that played alone. `wins_game` marks a hand that ends the game whatever the score (Smitty,
    004:181); `declared_by` is who declared a McEvoy hand (004:182).
    """

    valid: bool
    outcome: str | None = None
    trump: str | None = None
    makers: tuple[int, ...] = ()
    tricks_won: tuple[int, ...] | None = None
    points: tuple[int, ...] | None = None
    next_dealer: int | None = None
    faults: tuple[Fault, ...] = ()
    warnings: tuple[Fault, ...] = ()
    alone: tuple[int, ...] = ()
    wins_game: bool = False
    declared_by: int | None = None

    def to_json(self) -> dict[str, Any]:
        """The answer as JSON data; one that is not valid has no points."""
        told = {
            "faults": [fault.to_json() for fault in self.faults],
            "warnings": [warning.to_json() for warning in self.warnings],
        }
        if not self.valid:
            return {"valid": False, **told}
        won, points = self.tricks_won, self.points
        return {
            "valid": True,
            "outcome": self.outcome,
            "trump": self.trump,
            "makers": list(self.makers),
            "tricks_won": None if won is None else list(won),
            "points": None if points is None else list(points),
            "next_dealer": self.next_dealer,
            **told,
        }
