"""Games written as a score sheet has them, turned into what the pure table ranks by."""

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction

from league.standings.measures import Tally
from league.standings.meetings import Chair


@dataclass(frozen=True)
class Sheet:
    """One finished game: who sat where, the score by seat, the target, how many hands."""

    seats: tuple[str, ...]
    score: tuple[int, ...]
    target: int = 10
    hands: int = 10

    @property
    def sides(self) -> tuple[int, ...]:
        return tuple(i % 2 if len(self.seats) == 4 else i for i in range(len(self.seats)))

    @property
    def shares(self) -> tuple[Fraction, ...]:
        """Each seat's share of the win; co-winning sides share it."""
        best = max(self.score)
        winners = {
            side for side, score in zip(self.sides, self.score, strict=True) if score == best
        }
        return tuple(Fraction(s in winners, len(winners)) for s in self.sides)

    def against(self, seat: int) -> Fraction:
        others = [p for s, p in zip(self.sides, self.score, strict=True) if s != self.sides[seat]]
        return Fraction(sum(others), len(others))


def tallies_of(sheets: list[Sheet], keys: dict[str, int]) -> dict[int, list[Tally]]:
    tallies: dict[int, list[Tally]] = defaultdict(list)
    for sheet in sheets:
        for seat, name in enumerate(sheet.seats):
            tallies[keys[name]].append(
                Tally(
                    target=sheet.target,
                    games=1,
                    hands=sheet.hands,
                    won=sheet.shares[seat],
                    expected=Fraction(1, 3 if len(sheet.seats) == 3 else 2),
                    points=sheet.score[seat],
                    in_finished=sheet.score[seat],
                    against=sheet.against(seat),
                )
            )
    return dict(tallies)


def chairs_of(sheets: list[Sheet], keys: dict[str, int]) -> list[list[Chair]]:
    return [
        [Chair(keys[n], side, won) for n, side, won in zip(s.seats, s.sides, s.shares, strict=True)]
        for s in sheets
    ]
