"""The standings of a session, and the queries that all standings share."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from typing import Any

from django.db.models import Case, Count, Exists, F, Min, OuterRef, Q, QuerySet, Sum, When
from django.db.models.functions import Coalesce

from league.members.models import Club, Member, distinct_names
from league.play.models import Game, Result
from league.play.queries import CO_WON, CREDIT, ENDED, still_provisional
from league.ranking import Line, in_places, rank_players
from league.ranking.measures import (
    GAME_POINTS,
    HEAD_TO_HEAD,
    LOT,
    MEASURES,
    SUMMED,
    Measure,
    Tally,
    has_credit,
    merged,
    total,
)
from league.ranking.season import Entrant
from league.ranking.tie_breaks import PAIR_MEASURES, Finish, Meetings, meetings
from league.sessions.models import Session
from league.standings.models import GivenPlace, TournamentRanking, tournament_ranking
from league.standings.ranking_rule import is_across_games, is_mixed, kinds_of_tables, measures_for

BY_HAND = Q(hands__gt=0)
SIXTIETHS = 60  # co-winners get halves and thirds, whose sums are exact in sixtieths
ALWAYS_SHOWN = ("points", "difference", "lone_marches")
ALWAYS_SHOWN_ACROSS_GAMES = ("share", "lone_marches")
_SUMS: dict[str, Any] = {
    "games": Sum("games", filter=ENDED, default=0),
    "hands": Sum("hands", default=0),
    "won": Sum("win_share", filter=ENDED, default=0.0),
    "credit": Sum(CREDIT, filter=ENDED, default=0.0),
    "expected": Sum("expected", filter=ENDED, default=0.0),
    "points": Sum("points", default=0),
    "in_finished": Sum("points", filter=ENDED, default=0),
    "against": Sum("points_against", default=0.0),
    "by_hand": Sum("points", filter=BY_HAND, default=0),
    "by_hand_against": Sum("points_against", filter=BY_HAND, default=0.0),
}
_SUMS |= {name: Sum(name, default=0) for name in SUMMED if name not in _SUMS}


@dataclass(frozen=True, slots=True)
class Standings:
    """A ranked table and what a page shows with it.

    `open_games` counts each player's games that are not over or not confirmed; their lines are
    provisional. `before` are the ranks before the latest round with a result (in a season, before
    the latest evening), to show movement.
    `season` has, for a season, which evenings of a player count. `until` is the time at which the
    next open game is confirmed because nobody disputed it, which changes the table. `places` are
    those given by tournaments (`ranking`): then the table ranks by them, and `measures` are the
    first one's, shown first (empty if it only says who was eliminated when).
    `outdated`: these places do not follow a corrected result yet. `across_games`: different games
    are played, whose points are not added up. `mixed`: tables of several sizes are played.
    """

    lines: list[Line]
    measures: tuple[Measure, ...]
    columns: tuple[Measure, ...]
    tallies: Mapping[int, Sequence[Tally]]
    people: Mapping[int, Member]
    open_games: Mapping[int, int] = field(default_factory=dict)
    before: Mapping[int, int] = field(default_factory=dict)
    evenings: Mapping[int, int] = field(default_factory=dict)
    season: Mapping[int, Entrant] = field(default_factory=dict)
    seed: str = ""
    places: Mapping[int, int] = field(default_factory=dict)
    ranking: TournamentRanking = field(default_factory=TournamentRanking)
    outdated: bool = False
    until: datetime | None = None
    across_games: bool = False
    mixed: bool = False

    @property
    def provisional(self) -> bool:
        return any(self.open_games.values())

    @property
    def credits_in_full(self) -> bool:
        """Whether co-winners get a whole game won each, so that games won exceed games played."""
        return has_credit(self.tallies)

    @property
    def shown_columns(self) -> tuple[Measure, ...]:
        """The columns of a page; no figure explains places of a bracket and another tournament."""
        has_several = bool(self.places) and len(self.ranking.tournaments) > 1
        return () if has_several and not self.measures else self.columns

    @property
    def other_columns(self) -> list[Measure]:
        """The columns that do not affect the ranking."""
        return [measure for measure in self.shown_columns if measure not in self.measures]

    @property
    def lot_seed(self) -> str:
        """The seed of the random draw; empty if there was none."""
        decisions = [decision for line in self.lines for decision in line.decisions]
        return self.seed if any(one.measure == LOT.code for one in decisions) else ""


def results_of(club_session: Session) -> QuerySet[Result]:
    """The results of a session, without those of games that were not played."""
    return club_session.results.exclude(game__state=Game.State.ABANDONED)


def people_of(results: QuerySet[Result], others: Iterable[int] = ()) -> dict[int, Member]:
    """The members with a result and these others, by id, in order of name."""
    is_shown = Q(pk__in=results.values("member")) | Q(pk__in=[*others])
    people = Member.objects.filter(is_shown).order_by("sort_key", "pk")
    return {member.pk: member for member in people}


def names(people: Mapping[int, Member], club: Club, viewer_rank: str | None) -> dict[int, str]:
    """The names as this viewer may see them, with equal short names made distinct."""
    return distinct_names(people.values(), club, viewer_rank)


def session_standings(
    club_session: Session,
    people: Mapping[int, Member] | None = None,
    *,
    at: datetime,
    only_finished: bool = False,
) -> Standings:
    """The standings of a session, with open games as of the moment `at`. Callers that already have
    the `people` may pass them. With `only_finished` they leave out players who have finished no
    game."""
    results, given_places_by_player = results_of(club_session), given_places(club_session)
    people = people_of(results, given_places_by_player) if people is None else people
    by_round = tallies_by(results, "game__table__round__number")
    by_round |= {player: {} for player in given_places_by_player if player not in by_round}
    if only_finished:
        ended = {who for who, rounds in by_round.items() if total(all_tallies(rounds), "games")}
        by_round = {who: rounds for who, rounds in by_round.items() if who in ended}
    kinds = kinds_of_tables(results, club_session.tables.all())[club_session.pk]
    across_games = is_across_games(kinds)
    measures = measures_for(club_session.measures, club_session.club.measures, kinds=kinds)
    head_to_head = meetings_in(results, measures)
    seed = club_session.public_id
    tallies = {player: merged(all_tallies(rounds)) for player, rounds in by_round.items()}
    columns = columns_of(measures, across_games=across_games, alone=has_lone_hands(tallies))
    open_games = open_games_in(results, at)
    lines = rank_players(tallies, measures, met=head_to_head, seed=seed, columns=columns)
    places = {player: given_place.place for player, given_place in given_places_by_player.items()}
    if places:
        figures = {player: given.figures for player, given in given_places_by_player.items()}
        lines = in_places(lines, places, figures)
        measures = tuple((MEASURES | PAIR_MEASURES)[code] for code in next(iter(figures.values())))
        columns = _tournament_columns(measures, columns, lines)
    return Standings(
        lines=lines,
        measures=measures,
        columns=columns,
        tallies=tallies,
        people=people,
        open_games=open_games,
        until=next_auto_confirmation(results, at) if open_games else None,
        before={} if places else _ranks_before_latest_round(by_round, measures, seed),
        seed=seed,
        places=places,
        ranking=tournament_ranking(club_session) if places else TournamentRanking(),
        outdated=bool(places) and not measures and any(waits(club_session) for waits in OUTDATED),
        across_games=across_games,
        mixed=is_mixed(kinds),
    )


def given_places(club_session: Session) -> dict[int, GivenPlace]:
    """The places that a tournament gave the players of a session; empty without a tournament."""
    rows = club_session.player_places.values_list("member", "place", "figures")
    return {member: GivenPlace.of(place, figures) for member, place, figures in rows}


STILL_TO_PLAY: list[Callable[[Session], bool]] = []
"""Whether something in a session is not over: the later areas add theirs (in `league.apps`)."""
OUTDATED: list[Callable[[Session], bool]] = []
"""Whether the places given in a session wait for a correction, like `STILL_TO_PLAY`."""


def has_winners(club_session: Session) -> bool:
    """Whether the session is closed, and nobody can still win what was played in it."""
    if club_session.state != Session.State.CLOSED:
        return False
    return not any(is_to_be_played(club_session) for is_to_be_played in STILL_TO_PLAY)


def _tournament_columns(
    tournament_measures: Sequence[Measure], columns: Sequence[Measure], lines: Iterable[Line]
) -> tuple[Measure, ...]:
    """The columns of a tournament's table: its measures, then the usual ones. `GAME_POINTS` are
    included where they differ from the tournament's points, which may compensate small tables."""
    if not tournament_measures:
        return tuple(columns)
    game_columns = [column for column in columns if column.code in ("won", *ALWAYS_SHOWN)]
    values = [line.values for line in lines if GAME_POINTS.code in line.values]
    extra = [GAME_POINTS] if any(v["points"] != v[GAME_POINTS.code] for v in values) else []
    return tuple(dict.fromkeys([*tournament_measures, *extra, *game_columns]))


def club_revision(club: Club) -> tuple[int, int]:
    """The number of the club's sessions and the sum of their revisions. Every action changes it."""
    sums = club.sessions.aggregate(count=Count("pk"), sum=Sum("revision", default=0))
    return sums["count"], sums["sum"]


def columns_of(
    measures: Iterable[Measure], *, across_games: bool = False, alone: bool = True
) -> tuple[Measure, ...]:
    """The measures a table shows: those that rank, then a few popular ones. Lone marches are only
    included if `alone` (playing alone is possible)."""
    ranking_measures = [measure for measure in measures if not measure.among]
    always_shown = ALWAYS_SHOWN_ACROSS_GAMES if across_games else ALWAYS_SHOWN
    codes = [code for code in always_shown if alone or code != "lone_marches"]
    return tuple(dict.fromkeys([*ranking_measures, *(MEASURES[code] for code in codes)]))


def has_lone_hands(tallies: Mapping[int, Sequence[Tally]]) -> bool:
    """Whether any player has played a hand alone."""
    return any(tally.lone_tried for own_tallies in tallies.values() for tally in own_tallies)


def tallies_by(
    results: QuerySet[Result], *by: str, every_hand: bool = False
) -> dict[int, dict[Any, list[Tally]]]:
    """Sums by member, then by the fields `by` (a round, a table size), in one grouped query.

    The second key is a tuple if `by` has several fields. Unfinished games count as zeros, unless
    `every_hand` is set, as for statistics, which show how many hands they are based on.
    """
    tallies: dict[int, dict[Any, list[Tally]]] = defaultdict(lambda: defaultdict(list))
    grouped = with_end(results).order_by().values("member", *by, "target", "game_ended")
    for row in grouped.annotate(**_sum_annotations()):
        is_counted = row["game_ended"] or every_hand
        sums = (exact(row[f"sum_{name}"]) for name in SUMMED) if is_counted else ()
        key = row[by[0]] if len(by) == 1 else tuple(row[name] for name in by)
        tallies[row["member"]][key].append(Tally(row["target"], *sums))
    return tallies


# A game that ended early at equal scores: the sides in front share the win.
TIED = Case(When(Q(win_share__gt=0, win_share__lt=1) & ~CO_WON, then=True), default=False)


def with_co_winners(games: QuerySet[Game]) -> QuerySet[Any]:
    """The games, annotated with whether several sides have all won (`co_won`), not tied."""
    return games.annotate(co_won=Exists(Result.objects.filter(CO_WON, game=OuterRef("pk"))))


def with_end(results: QuerySet[Result]) -> QuerySet[Any]:
    """The results, annotated with whether their game has ended (`game_ended`). Only then do they
    count, including those of players who were replaced before the end."""
    finished_games = results.order_by().filter(ENDED).values("game")
    return results.annotate(
        game_ended=Case(When(game__in=finished_games, then=True), default=False)
    )


def _sum_annotations() -> dict[str, Any]:
    return {f"sum_{name}": _SUMS[name] for name in SUMMED}


def exact(number: float) -> int | Fraction:
    """The exact value of a stored float: co-winners' halves and thirds as fractions."""
    if number == int(number):  # most are whole, and integers add up ten times as fast
        return int(number)
    return Fraction(number).limit_denominator(SIXTIETHS)


def all_tallies(parts: Mapping[Any, Sequence[Tally]]) -> list[Tally]:
    """The tallies of all parts (rounds, sizes, evenings) as one list."""
    return [tally for tallies in parts.values() for tally in tallies]


def order_of_play(game: str = "") -> tuple[Any, ...]:
    """The fields to sort games by in order of play, wherever they came from: by day, by the time of
    the first hand (or score), then by session, round and table. `game` is the lookup prefix that
    leads to the game ("game__")."""
    start = Coalesce(f"{game}started_at", f"{game}finished_at")
    # `session_id`, because "session" would apply that model's ordering, newest first.
    return (
        f"{game}session__held_on",
        start,
        f"{game}session_id",
        f"{game}table__round__number",
        f"{game}table__number",
        f"{game}number",
        f"{game}id",
    )


def meetings_in(results: QuerySet[Result], measures: Iterable[Measure]) -> Meetings:
    """Who beat whom; queried only where head-to-head counts."""
    if HEAD_TO_HEAD not in measures:
        return {}
    return meetings(seats for games in games_by_session(results).values() for seats in games)


def games_by_session(results: QuerySet[Result]) -> dict[int, list[list[Finish]]]:
    """The players at the end of every finished game, by session, in one query."""
    games: dict[int, dict[int, list[Finish]]] = defaultdict(lambda: defaultdict(list))
    seats = results.filter(ENDED).order_by("game_id", "position")
    fields = ("session", "game", "member", "position", "expected", "games_won")
    seats = seats.annotate(games_won=F("win_share") + CREDIT)
    for session, game, member, position, expected, games_won in seats.values_list(*fields):
        side = side_of(position, expected)
        games[session][game].append(Finish(member, side, Fraction(exact(games_won))))
    return {session: list(by_game.values()) for session, by_game in games.items()}


def side_of(position: int, expected: float) -> int:
    """The side of a seat in a finished game. `expected` is 1 / the number of sides."""
    return position % round(1 / expected)


def open_games_in(results: QuerySet[Result], at: datetime) -> dict[int, int]:
    """The number of each player's games that are being played, disputed or not yet confirmed."""
    open_results = _open_results(results, at).order_by()
    return dict(open_results.values_list("member").annotate(Count("game", distinct=True)))


def sessions_with_open_games(results: QuerySet[Result], at: datetime) -> dict[str, str]:
    """The sessions with open games, earliest first: the name of each by its public id."""
    open_results = _open_results(results, at).order_by("session__held_on", "session")
    return dict(open_results.values_list("session__public_id", "session__name"))


def next_auto_confirmation(results: QuerySet[Result], at: datetime) -> datetime | None:
    """When the next open game will be confirmed for lack of a dispute; None if no game will."""
    awaiting_confirmation = _open_results(results, at).filter(
        game__reopened=False, game__state=Game.State.FINISHED
    )
    moment: datetime | None = awaiting_confirmation.aggregate(first=Min("game__accept_at"))["first"]
    return moment


def _open_results(results: QuerySet[Result], at: datetime) -> QuerySet[Result]:
    in_progress = Q(game__state__in=(Game.State.PLAYING, Game.State.DISPUTED))
    return results.filter(in_progress | still_provisional(at))


def _ranks_before_latest_round(
    by_round: Mapping[int, Mapping[int, list[Tally]]],
    measures: Sequence[Measure],
    seed: str,
) -> dict[int, int]:
    """Every player's rank before the latest round; empty while there has been only one.

    Ignores head-to-head: the movement shows roughly who climbs, not why.
    """
    latest = max((number for rounds in by_round.values() for number in rounds), default=0)
    earlier = {
        player: merged(all_tallies({number: t for number, t in rounds.items() if number < latest}))
        for player, rounds in by_round.items()
    }
    earlier = {player: tallies for player, tallies in earlier.items() if tallies}
    plain_measures = [measure for measure in measures if not measure.among]
    lines = rank_players(earlier, plain_measures, seed=seed)
    return {line.who: line.rank for line in lines}


HELD = Q(session__standings_held=True)
"""Games and results of sessions whose standings are held back: they do not count elsewhere yet."""
