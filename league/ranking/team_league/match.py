"""What follows from the games of a team match: who won, whether it is over, what it gives. Pure."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction

from league.ranking.team_league.rules import LeagueRules

__all__ = [
    "AWAY",
    "HOME",
    "CardGame",
    "Met",
    "card_games",
    "fates",
    "is_void",
    "late_cost",
    "uncounted",
]

HOME, AWAY = 0, 1


@dataclass(frozen=True, slots=True)
class GameScore:
    """One game of a match that counts: the points of the home pair and of the visitors, and who
    won it. A game given to a side stands with the points that the league gives for it. `worth` is
    how many games it counts: 2 for a slam."""

    points: tuple[int, int]
    winners: tuple[int, ...]
    worth: int = 1

    def share(self, side: int) -> Fraction:
        """The games a side won by it: 1, 2 for a slam, 1/2 for one that was drawn."""
        return Fraction(self.worth, len(self.winners)) if side in self.winners else Fraction(0)


def game_score(entry: object, given: tuple[int, int]) -> GameScore | None:
    """A game as a card has it: two points home first, "home" or "away" for one that was given,
    "void" or None for one that counts for nobody (then None)."""
    if entry in ("home", "away"):
        side = HOME if entry == "home" else AWAY
        return GameScore(given if side == HOME else (given[1], given[0]), (side,))
    if not isinstance(entry, list | tuple):
        return None
    home, away = (int(one) for one in entry)
    winners = (HOME, AWAY) if home == away else (HOME,) if home > away else (AWAY,)
    return GameScore((home, away), winners)


@dataclass(frozen=True, slots=True)
class CardGame:
    """A game that counts and its place on the card, from 0. `start`: the points that both pairs
    began with; those are no part of the score's own points. `carried`: won by points carried over,
    without a hand; its place is that of the game they come from."""

    place: int
    score: GameScore
    start: tuple[int, int] = (0, 0)
    carried: bool = False


def card_games(entries: Sequence[object], rules: LeagueRules) -> list[CardGame]:
    """The games of a card that count, in its order.

    Where the same two pairs meet several times, the winner of a game starts the next one with the
    points above the target (`laps`), and a game won with the losers at 0 counts two (`slam`).
    """
    if not (rules.repeats and rules.target and (rules.laps or rules.slam)):
        scores = [(place, game_score(one, rules.given_game)) for place, one in enumerate(entries)]
        return [CardGame(place, score) for place, score in scores if score is not None]
    apart = rules.pairs**2  # how far on the card the same two pairs meet again
    runs = [range(first, len(entries), apart) for first in range(min(apart, len(entries)))]
    games = [game for places in runs for game in _run(places, entries, rules)]
    return sorted(games, key=lambda one: (one.place, one.carried))


def uncounted(entries: Sequence[object], rules: LeagueRules) -> list[int]:
    """The places of games written on a card that cannot have been played where laps and slams
    count: points carried over had won them, or one pair had won its match before."""
    games = card_games(entries, rules)
    counted = {game.place for game in games}
    if rules.repeats and rules.target and (rules.laps or rules.slam) and rules.pairs == 1:
        most = len(entries) - entries.count("void")
        ends = range(1, len(games) + 1)
        end = next((n for n in ends if _ended(games[:n], most, rules)), len(games))
        counted = {game.place for game in games[:end]}
    scores = ((place, game_score(one, rules.given_game)) for place, one in enumerate(entries))
    return [place for place, score in scores if score is not None and place not in counted]


def _run(places: Sequence[int], entries: Sequence[object], rules: LeagueRules) -> list[CardGame]:
    """The games of two pairs that meet at these places; beyond as many nothing counts."""
    most = len([place for place in places if entries[place] != "void"])
    games: list[CardGame] = []
    start = (0, 0)
    for place in places:
        score = game_score(entries[place], rules.given_game)
        if score is None or len(games) == most:
            continue
        if entries[place] in ("home", "away"):
            games.append(CardGame(place, score))
            start = (0, 0)
            continue
        home, away = score.points
        slam = rules.slam and len(score.winners) == 1 and min(home, away) <= 0
        own = (home - start[HOME], away - start[AWAY])
        games.append(CardGame(place, replace(score, points=own, worth=1 + slam), start))
        start = _excess(score, rules)
        while max(start) >= (rules.target or 0) and not _ended(games, most, rules):
            games.append(CardGame(place, GameScore((0, 0), score.winners), carried=True))
            start = (_less(start[HOME], rules.target), _less(start[AWAY], rules.target))
    return games


def _excess(score: GameScore, rules: LeagueRules) -> tuple[int, int]:
    """What both pairs start the next game with."""
    if not rules.laps or len(score.winners) != 1:
        return 0, 0
    home, away = (_less(points, rules.target) for points in score.points)
    return (home, 0) if score.winners == (HOME,) else (0, away)


def _less(points: int, target: int | None) -> int:
    return max(0, points - (target or 0))


def _ended(games: Sequence[CardGame], most: int, rules: LeagueRules) -> bool:
    """Whether the excess of the last game lapses: nothing is left that it could win."""
    if len(games) >= most:
        return True
    won = [sum(game.score.share(side) for game in games) for side in (HOME, AWAY)]
    return rules.pairs == 1 and max(won) * 2 > most


@dataclass(frozen=True, slots=True)
class Met:
    """A fixture as the table needs it: teams by key, the games written down, who was given it.

    `due` is how many games a match has, `void` how many of them count for nobody. `given_to` was
    given the match; `given_nobody`: neither team came, and both lose. `half` of the season and
    `day` are those of the fixture list. `late`: the card came after the deadline.
    `provisional`: somebody has still to confirm the card. `decided_by` is the side that won the
    one game more after a drawn cup match. Without `points_known` only the games won are known, and
    each stands with the points of a given one.
    """

    home: int
    away: int
    due: int
    games: tuple[GameScore, ...] = ()
    given_to: int | None = None
    provisional: bool = False
    void: int = 0
    given_nobody: bool = False
    late: bool = False
    half: int = 1
    day: date | None = None
    decided_by: int | None = None
    points_known: bool = True

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
    def is_walkover(self) -> bool:
        return self.given_to is not None or self.given_nobody

    @property
    def has_card(self) -> bool:
        """Whether it was decided by its games."""
        return not self.is_walkover and bool(self.games or self.void) and self.over

    @property
    def over(self) -> bool:
        """Whether it is decided: given, all games played, or more than half of them won."""
        if self.is_walkover or len(self.games) + self.void >= self.due:
            return True
        return max(self.won) * 2 > self.due

    @property
    def winner(self) -> int | None:
        """The team that won; None while it is open, for a draw, and where neither came."""
        if self.is_walkover:
            return self.given_to
        home, away = self.won
        if not self.over:
            return None
        if home == away:
            return None if self.decided_by is None else self.teams[self.decided_by]
        return self.home if home > away else self.away

    @property
    def drawn(self) -> bool:
        return self.over and not self.is_walkover and self.winner is None


@dataclass(frozen=True, slots=True)
class Taken:
    """What one side took from a match that counts."""

    result: str
    """"won", "drawn" or "lost"."""
    games: tuple[Fraction, Fraction]
    points: tuple[int, int]
    earned: Fraction
    late: Fraction
    conceded: bool
    away: bool
    provisional: bool


def taken(met: Met, side: int, rules: LeagueRules) -> Taken:
    """What a side took from a match that is over."""
    team = met.teams[side]
    if met.is_walkover:
        won = met.given_to == team
        walkover = rules.walkover
        games, points = walkover.games, walkover.points
        if not won:
            games, points = (games[1], games[0]), (points[1], points[0])
        earned = walkover.win if won else walkover.loss
        return Taken("won" if won else "lost", games, points, earned, Fraction(0), not won,
                     side == AWAY, met.provisional)  # fmt: skip
    result = "drawn" if met.drawn else "won" if met.winner == team else "lost"
    own, theirs = met.won[side], met.won[1 - side]
    scored = met.points[side], met.points[1 - side]
    late = late_cost(met, side, rules)
    return Taken(result, (own, theirs), scored, rules.earned(own, theirs), late,
                 False, side == AWAY, met.provisional)  # fmt: skip


def late_cost(met: Met, side: int, rules: LeagueRules) -> Fraction:
    """What a late card costs this side; with no winner the home team pays."""
    if rules.late is None or not met.late:
        return Fraction(0)
    payer = rules.late.payer
    if payer == "winner":
        pays = met.teams[side] == (met.home if met.winner is None else met.winner)
    else:
        pays = payer in ("both", ("home", "away")[side])
    return rules.late.points if pays else Fraction(0)


VOID, STANDS, FIRST_HALF = "void", "stands", "first_half"


def fates(met: Collection[Met], gone: Mapping[int, date | None], rule: str) -> dict[int, str]:
    """What becomes of the results of each team that left: all void, all standing, or those
    of the first half standing and the others void. `gone` has the day on which each left."""
    second = min((one.day for one in met if one.half == 2 and one.day), default=None)

    def fate(team: int, day: date | None) -> str:
        if rule == "half_played":
            mine = [one for one in met if team in one.teams]
            return STANDS if 2 * sum(one.has_card for one in mine) >= len(mine) else VOID
        if rule == "halves":
            in_second = second is not None and (day is None or day >= second)
            return FIRST_HALF if in_second else VOID
        return STANDS if rule == "stand" else VOID

    return {team: fate(team, day) for team, day in gone.items()}


def struck_out(met: Collection[Met], gone: Mapping[int, date | None], rule: str) -> frozenset[int]:
    """Teams that left and whose matches count for nobody."""
    return frozenset(team for team, fate in fates(met, gone, rule).items() if fate == VOID)


def is_void(met: Met, fate: Mapping[int, str]) -> bool:
    """Whether a result counts for nobody, since of its teams one that left has this fate."""
    return any(
        fate.get(team) == VOID or (fate.get(team) == FIRST_HALF and met.half == 2)
        for team in met.teams
    )


def standing(met: Collection[Met], gone: Mapping[int, date | None], rule: str) -> list[Met]:
    """The matches that are still of the league: without those that are void, and with those given
    that a team which has left can no longer play."""
    fate = fates(met, gone, rule)
    counted = []
    for one in met:
        left = [team for team in one.teams if team in gone]
        if is_void(one, fate):
            continue
        if left and not one.over:
            if len(left) == 2:
                continue
            to = one.away if left[0] == one.home else one.home
            one = replace(one, games=(), void=0, given_to=to, provisional=False)
        counted.append(one)
    return counted
