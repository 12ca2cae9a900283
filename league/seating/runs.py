"""Who has small tables (or sit-outs) twice running, and how far apart people ever are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass
class Watch:
    """Follows one kind of seat through the rounds, by player.

    `unfair` counts those who had it again at once though another who was there, and was spared,
    had had it less often. `spread` is the largest difference reached after any round among those
    present in every round so far. The `exempt`, who cannot have it, are not looked at.
    """

    always: set[int]
    times: dict[int, int] = field(default_factory=dict)
    last: set[int] = field(default_factory=set)
    unfair: int = 0
    spread: int = 0
    exempt: frozenset[int] = frozenset()

    def copy(self) -> Watch:
        """Another watch that goes on from here."""
        return Watch(
            set(self.always),
            dict(self.times),
            set(self.last),
            self.unfair,
            self.spread,
            self.exempt,
        )

    def see(self, now: Iterable[int], here: Iterable[int]) -> None:
        """One round: who had it, and everybody who was there."""
        having, present = set(now), set(here) - self.exempt
        times = self.times
        spared = min((times.get(one, 0) for one in present - having), default=None)
        if spared is not None:
            self.unfair += sum(times.get(one, 0) > spared for one in having & self.last)
        for one in having:
            times[one] = times.get(one, 0) + 1
        self.last = (self.last - present) | having
        self.always &= present
        if self.always:
            counts = [times.get(one, 0) for one in self.always]
            self.spread = max(self.spread, max(counts) - min(counts))
