"""What follows from the games of a team match: who won, whether it is over. Pure."""

from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction

HALF = Fraction(1, 2)
HOME, AWAY = 0, 1


@dataclass(frozen=True, slots=True)
class GameScore:
    """One game of a match: the points of the home pair and of the visitors, and who won it."""

    points: tuple[int, int]
    winners: tuple[int, ...]

    def share(self, side: int) -> Fraction:
        """1 for the game won, 1/2 for one that was drawn."""
        return Fraction(1, len(self.winners)) if side in self.winners else Fraction(0)


@dataclass(frozen=True, slots=True)
class Met:
    """A fixture as the table needs it: teams by key, the games written down, who was given it.

    `due` is how many games a match has. `provisional`: somebody has still to confirm the card.
    """

    home: int
    away: int
    due: int
    games: tuple[GameScore, ...] = ()
    given_to: int | None = None
    provisional: bool = False

    @property
    def teams(self) -> tuple[int, int]:
        return self.home, self.away

    @property
    def won(self) -> tuple[Fraction, Fraction]:
        """Games won by each side."""
        return self._won(HOME), self._won(AWAY)

    def _won(self, side: int) -> Fraction:
        return sum((game.share(side) for game in self.games), Fraction(0))

    @property
    def points(self) -> tuple[int, int]:
        """The points of all games by side."""
        return sum(g.points[HOME] for g in self.games), sum(g.points[AWAY] for g in self.games)

    @property
    def over(self) -> bool:
        """Whether it is decided: given, all games played, or more than half of them won."""
        if self.given_to is not None or len(self.games) >= self.due:
            return True
        return max(self.won) * 2 > self.due

    @property
    def winner(self) -> int | None:
        """The team that won; None while it is open, and for a draw."""
        if self.given_to is not None:
            return self.given_to
        home, away = self.won
        if not self.over or home == away:
            return None
        return self.home if home > away else self.away

    @property
    def drawn(self) -> bool:
        return self.over and self.winner is None

    def took(self, team: int) -> Fraction:
        """1 for the match won, 1/2 for a draw."""
        return HALF if self.drawn else Fraction(self.winner == team)


def struck_out(met: Collection[Met], gone: Collection[int]) -> frozenset[int]:
    """Teams that left before they had played half their matches: these count for nobody."""
    return frozenset(team for team in gone if 2 * _played(team, met) < _due(team, met))


def _played(team: int, met: Collection[Met]) -> int:
    return sum(team in one.teams and bool(one.games) and one.over for one in met)


def _due(team: int, met: Collection[Met]) -> int:
    return sum(team in one.teams for one in met)


def counted(met: Collection[Met], gone: Collection[int]) -> list[Met]:
    """The matches the table is made of: without those struck out, and with those given that a team
    which has left can no longer play."""
    struck = struck_out(met, gone)
    found = []
    for one in met:
        if struck & set(one.teams):
            continue
        here = [team for team in one.teams if team not in gone]
        if not one.over and len(here) == 1:
            one = Met(one.home, one.away, one.due, one.games, given_to=here[0])
        found.append(one)
    return found
