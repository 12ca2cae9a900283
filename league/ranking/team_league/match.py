"""A team match and its games: who won, whether it is over, what each side gets. Pure."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction

from league.ranking.team_league.rules import LeagueRules

__all__ = [
    "AWAY",
    "HOME",
    "CardGame",
    "LeagueMatch",
    "card_games",
    "fates",
    "is_void",
    "late_cost",
    "uncounted",
]

HOME, AWAY = 0, 1


@dataclass(frozen=True, slots=True)
class GameScore:
    """A game that counts: the points of the home and away pairs, and the sides that won it.

    A game given to a side has the points that the rules set for it. `worth` is the number of games
    it counts as: 2 for a slam.
    """

    points: tuple[int, int]
    winners: tuple[int, ...]
    worth: int = 1

    def share(self, side: int) -> Fraction:
        """The games that the side won: 1 (2 for a slam), 1/2 for a draw, 0 for a loss."""
        return Fraction(self.worth, len(self.winners)) if side in self.winners else Fraction(0)


def game_score(entry: object, given: tuple[int, int]) -> GameScore | None:
    """The score of an entry on a card: the points of both pairs, home first, or "home" or "away"
    for a game given to that side. None for an entry that does not count ("void" or None)."""
    if entry in ("home", "away"):
        side = HOME if entry == "home" else AWAY
        return GameScore(given if side == HOME else (given[1], given[0]), (side,))
    if not isinstance(entry, list | tuple):
        return None
    home, away = (int(points) for points in entry)
    winners = (HOME, AWAY) if home == away else (HOME,) if home > away else (AWAY,)
    return GameScore((home, away), winners)


@dataclass(frozen=True, slots=True)
class CardGame:
    """A game that counts and its place on the card, from 0.

    `start` are the points that both pairs began with; the score does not include them. `carried`:
    the game was won by points carried over, unplayed; its place is that of the game they come from.
    """

    place: int
    score: GameScore
    start: tuple[int, int] = (0, 0)
    carried: bool = False


def card_games(entries: Sequence[object], rules: LeagueRules) -> list[CardGame]:
    """The games of a card that count, in the order of the card.

    Where the same two pairs meet several times, the winner of a game starts the next one with the
    points above the target (`laps`), and a game won with the losers at 0 counts two (`slam`).
    """
    if not (rules.repeats and rules.target and (rules.laps or rules.slam)):
        scores = [
            (place, game_score(entry, rules.given_game)) for place, entry in enumerate(entries)
        ]
        return [CardGame(place, score) for place, score in scores if score is not None]
    stride = rules.pairs**2  # places on the card between two games of the same two pairs
    series = [range(first, len(entries), stride) for first in range(min(stride, len(entries)))]
    games = [game for places in series for game in _series_games(places, entries, rules)]
    return sorted(games, key=lambda game: (game.place, game.carried))


def uncounted(entries: Sequence[object], rules: LeagueRules) -> list[int]:
    """The places of games on a card that cannot have been played where laps and slams count,
    because points carried over had won them or a pair had already won the match."""
    games = card_games(entries, rules)
    counted_places = {game.place for game in games}
    if rules.repeats and rules.target and (rules.laps or rules.slam) and rules.pairs == 1:
        games_due = len(entries) - entries.count("void")
        counts = range(1, len(games) + 1)
        count_played = next(
            (count for count in counts if _is_decided(games[:count], games_due, rules)), len(games)
        )
        counted_places = {game.place for game in games[:count_played]}
    scores = ((place, game_score(entry, rules.given_game)) for place, entry in enumerate(entries))
    return [place for place, score in scores if score is not None and place not in counted_places]


def _series_games(
    places: Sequence[int], entries: Sequence[object], rules: LeagueRules
) -> list[CardGame]:
    """The games of two pairs that meet at these places of a card, at most one per place."""
    games_due = len([place for place in places if entries[place] != "void"])
    games: list[CardGame] = []
    start = (0, 0)
    for place in places:
        score = game_score(entries[place], rules.given_game)
        if score is None or len(games) == games_due:
            continue
        if entries[place] in ("home", "away"):
            games.append(CardGame(place, score))
            start = (0, 0)
            continue
        home, away = score.points
        slam = rules.slam and len(score.winners) == 1 and min(home, away) <= 0
        own_points = (home - start[HOME], away - start[AWAY])
        games.append(CardGame(place, replace(score, points=own_points, worth=1 + slam), start))
        start = _start_of_next(score, rules)
        while max(start) >= (rules.target or 0) and not _is_decided(games, games_due, rules):
            games.append(CardGame(place, GameScore((0, 0), score.winners), carried=True))
            start = (
                _points_above(start[HOME], rules.target),
                _points_above(start[AWAY], rules.target),
            )
    return games


def _start_of_next(score: GameScore, rules: LeagueRules) -> tuple[int, int]:
    """The points with which both pairs start the next game."""
    if not rules.laps or len(score.winners) != 1:
        return 0, 0
    home, away = (_points_above(points, rules.target) for points in score.points)
    return (home, 0) if score.winners == (HOME,) else (0, away)


def _points_above(points: int, target: int | None) -> int:
    return max(0, points - (target or 0))


def _is_decided(games: Sequence[CardGame], games_due: int, rules: LeagueRules) -> bool:
    """Whether no game remains that points carried over could win."""
    if len(games) >= games_due:
        return True
    games_won = [sum(game.score.share(side) for game in games) for side in (HOME, AWAY)]
    return rules.pairs == 1 and max(games_won) * 2 > games_due


@dataclass(frozen=True, slots=True)
class LeagueMatch:
    """A fixture as the table needs it: the teams by key, and the games played so far.

    `due` is the number of games in a match, and `void` how many of them count for neither side. The
    match was awarded to `given_to`; with `given_nobody` neither team came and both lose. `half` (of
    the season) and `day` are those of the fixture list; it is played on `held_on`, if that is
    another day. `late`: the card came after the deadline. `provisional`: the card is not confirmed
    yet. `decided_by` is the side that won the deciding game after a drawn cup match. Without
    `points_known` only the games won are known, and each has the points of a given game.
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
    held_on: date | None = None
    decided_by: int | None = None
    points_known: bool = True

    @property
    def teams(self) -> tuple[int, int]:
        return self.home, self.away

    @property
    def won(self) -> tuple[Fraction, Fraction]:
        """Games won by each side."""
        return self._games_won(HOME), self._games_won(AWAY)

    def _games_won(self, side: int) -> Fraction:
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
        """Whether its games decided it."""
        return not self.is_walkover and self.over

    @property
    def over(self) -> bool:
        """Whether it is decided: given, all games played, or more than half of them won. A match
        of which every game is void is not played."""
        if self.is_walkover or (self.games and len(self.games) + self.void >= self.due):
            return True
        return max(self.won) * 2 > self.due

    @property
    def winner(self) -> int | None:
        """The team that won; None for an open match, for a draw, and where neither team came."""
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
class SideResult:
    """The result of a match that counts, for one side; pairs are (own, theirs)."""

    result: str
    """"won", "drawn" or "lost"."""
    games: tuple[Fraction, Fraction]
    points: tuple[int, int]
    earned: Fraction
    late: Fraction
    conceded: bool
    away: bool
    provisional: bool


def side_result(match: LeagueMatch, side: int, rules: LeagueRules) -> SideResult:
    """The result of one side in a match that is over."""
    team = match.teams[side]
    if match.is_walkover:
        is_winner = match.given_to == team
        walkover = rules.walkover
        games, points = walkover.games, walkover.points
        if not is_winner:
            games, points = (games[1], games[0]), (points[1], points[0])
        earned = walkover.win if is_winner else walkover.loss
        return SideResult("won" if is_winner else "lost", games, points, earned, Fraction(0),
                          not is_winner, side == AWAY, match.provisional)  # fmt: skip
    result = "drawn" if match.drawn else "won" if match.winner == team else "lost"
    games_won, games_lost = match.won[side], match.won[1 - side]
    game_points = match.points[side], match.points[1 - side]
    earned = rules.earned(games_won, games_lost)
    return SideResult(result, (games_won, games_lost), game_points, earned,
                      late_cost(match, side, rules), False, side == AWAY,
                      match.provisional)  # fmt: skip


def late_cost(match: LeagueMatch, side: int, rules: LeagueRules) -> Fraction:
    """The points that a late card costs this side. Where the winner pays and there is none, the
    home team does."""
    if rules.late is None or not match.late:
        return Fraction(0)
    payer = rules.late.payer
    if payer == "winner":
        is_payer = match.teams[side] == (match.home if match.winner is None else match.winner)
    else:
        is_payer = payer in ("both", ("home", "away")[side])
    return rules.late.points if is_payer else Fraction(0)


VOID, STANDS, FIRST_HALF = "void", "stands", "first_half"


def fates(
    matches: Collection[LeagueMatch], gone: Mapping[int, date | None], rule: str
) -> dict[int, str]:
    """What happens to the results of each team that left: all become void, all stand, or only
    those of the first half stand. `gone` maps each such team to the day on which it left."""
    second_half_start = min((m.day for m in matches if m.half == 2 and m.day), default=None)

    def fate(team: int, day: date | None) -> str:
        if rule == "half_played":
            own_matches = [match for match in matches if team in match.teams]
            played = sum(match.has_card for match in own_matches)
            return STANDS if 2 * played >= len(own_matches) else VOID
        if rule == "halves":
            in_second = second_half_start is not None and (day is None or day >= second_half_start)
            return FIRST_HALF if in_second else VOID
        return STANDS if rule == "stand" else VOID

    return {team: fate(team, day) for team, day in gone.items()}


def voided_teams(
    matches: Collection[LeagueMatch], gone: Mapping[int, date | None], rule: str
) -> frozenset[int]:
    """Teams that left and whose matches are void."""
    return frozenset(team for team, fate in fates(matches, gone, rule).items() if fate == VOID)


def is_void(match: LeagueMatch, fate: Mapping[int, str]) -> bool:
    """Whether a result is void because of the fate of a team that left."""
    return any(
        fate.get(team) == VOID or (fate.get(team) == FIRST_HALF and match.half == 2)
        for team in match.teams
    )


def counting_matches(
    matches: Collection[LeagueMatch], gone: Mapping[int, date | None], rule: str
) -> list[LeagueMatch]:
    """The matches without those that are void. A match that a team which left can no longer play
    is given to its opponent."""
    fates_by_team = fates(matches, gone, rule)
    counting = []
    for match in matches:
        departed = [team for team in match.teams if team in gone]
        if is_void(match, fates_by_team):
            continue
        if departed and not match.over:
            if len(departed) == 2:
                continue
            winner = match.away if departed[0] == match.home else match.home
            match = replace(match, games=(), void=0, given_to=winner, provisional=False)
        counting.append(match)
    return counting
