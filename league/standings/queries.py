"""Standings of a session and its facts: a fixed number of queries."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from typing import Any

from django.db.models import Case, Count, F, Min, Q, QuerySet, Sum, When
from django.db.models.functions import Coalesce

from league.members.models import Club, ClubRuleset, Member
from league.members.public import distinct_names
from league.play.models import Game, Result
from league.play.queries import CREDIT, ENDED, still_provisional
from league.ranking import Line, in_places, rank_players
from league.ranking.measures import (
    GAME_POINTS,
    HEAD_TO_HEAD,
    LOT,
    MEASURES,
    SUMMED,
    Measure,
    Tally,
    compare_games,
    has_credit,
    merged,
    ordered,
)
from league.ranking.season import Entrant
from league.ranking.tie_breaks import PAIR_MEASURES, Finish, Meetings, meetings
from league.sessions.models import Session
from league.standings.models import GivenPlace

BY_HAND = Q(hands__gt=0)
SIXTIETHS = 60  # co-winners take halves and thirds: sums of them are exact in sixtieths
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
    """A ranked table and what a page says around it.

    `open_games` counts each one's games still being played or not yet confirmed: such a line is
    provisional. `before` are the ranks before the latest round with a result, for the movement.
    `season` says of a season which evenings of a person count. `until` is when silence accepts
    the next open game: the table then says something else, without anybody having done anything.
    `places` are those that a tournament gave: then these rank, and `measures` are the tournament's,
    whose figures stand first; none where it says only who went out when. `across_games`: different
    games were played, whose points are not added up; `mixed`: tables of several sizes played.
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
    until: datetime | None = None
    across_games: bool = False
    mixed: bool = False

    @property
    def provisional(self) -> bool:
        return any(self.open_games.values())

    @property
    def credits_in_full(self) -> bool:
        """Whether co-winners have a whole game each in it: games won then exceed games played."""
        return has_credit(self.tallies)

    @property
    def other_columns(self) -> list[Measure]:
        """The columns that it does not rank by."""
        return [measure for measure in self.columns if measure not in self.measures]

    @property
    def lot_seed(self) -> str:
        """The seed of the lots drawn; empty where none had to be."""
        drawn = any(one.measure == LOT.code for line in self.lines for one in line.decisions)
        return self.seed if drawn else ""


def results_of(club_session: Session) -> QuerySet[Result]:
    """The results that count: games that were called off leave nothing."""
    return club_session.results.exclude(game__state=Game.State.ABANDONED)


def people_of(results: QuerySet[Result]) -> dict[int, Member]:
    """Everybody with a result, with what naming them needs."""
    people = Member.objects.filter(pk__in=results.values("member")).order_by("sort_key", "pk")
    return {member.pk: member for member in people}


def names(people: Mapping[int, Member], club: Club, viewer_rank: str | None) -> dict[int, str]:
    """How this viewer may read each name, short ones told apart."""
    return distinct_names(people.values(), club, viewer_rank)


def is_mixed(by_size: Mapping[int, Mapping[tuple[int, int], Any]]) -> bool:
    """Whether games were played at tables of more than one size, in sums whose second key it is."""
    return len({size for keys in by_size.values() for _other, size in keys}) > 1


def session_standings(
    club_session: Session, people: Mapping[int, Member] | None = None, *, at: datetime
) -> Standings:
    """The session's table as it stands, open games as of the moment `at`. `people` may be passed
    by who has them already."""
    results = results_of(club_session)
    people = people_of(results) if people is None else people
    by_round = tallies_by(results, "game__table__round__number", "players")
    chosen = (club_session.measures, club_session.club.measures)
    several = len(scales_played(results)[club_session.pk]) > 1
    measures = measures_for(*chosen, mixed=is_mixed(by_round), across_games=several)
    met = met_in(results, measures)
    seed = club_session.public_id
    tallies = {who: merged(all_of(rounds)) for who, rounds in by_round.items()}
    columns = columns_of(measures, across_games=several, alone=has_lone_hands(tallies))
    open_games, given = open_games_in(results, at), given_places(club_session)
    lines = rank_players(tallies, measures, met=met, seed=seed, columns=columns)
    places = {who: one.place for who, one in given.items()}
    if places:
        figures = {who: one.figures for who, one in given.items()}
        lines = in_places(lines, places, figures)
        measures = tuple((MEASURES | PAIR_MEASURES)[code] for code in next(iter(figures.values())))
        columns = _columns_beside(measures, columns, lines)
    return Standings(
        lines=lines,
        measures=measures,
        columns=columns,
        tallies=tallies,
        people=people,
        open_games=open_games,
        until=next_acceptance(results, at) if open_games else None,
        before={} if places else _before(by_round, measures, seed),
        seed=seed,
        places=places,
        across_games=several,
        mixed=is_mixed(by_round),
    )


def given_places(club_session: Session) -> dict[int, GivenPlace]:
    """The places that a tournament gave the players of its session; empty without one."""
    rows = club_session.player_places.values_list("member", "place", "figures")
    return {member: GivenPlace.of(place, figures) for member, place, figures in rows}


def _columns_beside(
    own: Sequence[Measure], columns: Sequence[Measure], lines: Iterable[Line]
) -> tuple[Measure, ...]:
    """The figures a tournament ranks by, then the usual ones; the points of the games as
    `GAME_POINTS` where the tournament has other points, as it counts something for small tables."""
    if not own:
        return tuple(columns)
    usual = [column for column in columns if column.code in ("won", *ALWAYS_SHOWN)]
    values = [line.values for line in lines if GAME_POINTS.code in line.values]
    differ = any(one["points"] != one[GAME_POINTS.code] for one in values)
    return tuple(dict.fromkeys([*own, *([GAME_POINTS] if differ else []), *usual]))


def club_revision(club: Club) -> tuple[int, int]:
    """Moves when anything in any session of the club does: how many, and their revisions."""
    counted = club.sessions.aggregate(count=Count("pk"), sum=Sum("revision", default=0))
    return counted["count"], counted["sum"]


def measures_for(
    *lists: Sequence[str], mixed: bool, across_games: bool = False
) -> tuple[Measure, ...]:
    """What a table ranks by: the first list that is chosen, else what suits its tables."""
    measures = ordered(*lists, mixed=mixed or across_games)
    return compare_games(measures) if across_games else measures


def columns_of(
    measures: Iterable[Measure], *, across_games: bool = False, alone: bool = True
) -> tuple[Measure, ...]:
    """The measures a table shows: those that rank, then a few everybody asks for; lone marches
    only where somebody can play `alone`."""
    shown = [measure for measure in measures if not measure.among]
    usual = ALWAYS_SHOWN_ACROSS_GAMES if across_games else ALWAYS_SHOWN
    codes = [code for code in usual if alone or code != "lone_marches"]
    return tuple(dict.fromkeys([*shown, *(MEASURES[code] for code in codes)]))


def has_lone_hands(tallies: Mapping[int, Sequence[Tally]]) -> bool:
    """Whether anybody has played a hand alone."""
    return any(tally.lone_tried for own in tallies.values() for tally in own)


def scales_played(results: QuerySet[Result], by: str = "session") -> dict[int, set[str]]:
    """How the games of every session (or table size) score (`ClubRuleset.scale`): with more than
    one, different games were played, whose points do not compare."""
    played = set(results.order_by().values_list(by, "game__ruleset").distinct())
    keys = {rules for _key, rules in played}
    rulesets = ClubRuleset.objects.in_bulk(keys) if len(keys) > 1 else {}
    scales: dict[int, set[str]] = defaultdict(set)
    for key, rules in played:
        scales[key].add(rulesets[rules].scale if rulesets else "")
    return scales


def tallies_by(
    results: QuerySet[Result], *by: str, every_hand: bool = False
) -> dict[int, dict[Any, list[Tally]]]:
    """Sums by member, then by `by` (a round, a table size): one grouped query. The second key is a
    tuple where `by` has several fields. A game that goes on leaves noughts, unless `every_hand`
    counts, as in figures of play, which each say how many hands they are of.
    """
    tallies: dict[int, dict[Any, list[Tally]]] = defaultdict(lambda: defaultdict(list))
    grouped = with_end(results).order_by().values("member", *by, "target", "game_ended")
    for row in grouped.annotate(**_aliased()):
        counts = row["game_ended"] or every_hand
        sums = (exact(row[f"sum_{name}"]) for name in SUMMED) if counts else ()
        key = row[by[0]] if len(by) == 1 else tuple(row[name] for name in by)
        tallies[row["member"]][key].append(Tally(row["target"], *sums))
    return tallies


def with_end(results: QuerySet[Result]) -> QuerySet[Any]:
    """The results with whether their game is finished (`game_ended`): only then do they count,
    those of players who were replaced before its end too."""
    ended = results.order_by().filter(ENDED).values("game")
    return results.annotate(game_ended=Case(When(game__in=ended, then=True), default=False))


def _aliased() -> dict[str, Any]:
    return {f"sum_{name}": _SUMS[name] for name in SUMMED}


def exact(number: float) -> int | Fraction:
    """A stored figure as it was meant: co-winners' halves and thirds are no rounded numbers."""
    if number == int(number):  # most are whole, and whole numbers add up ten times as fast
        return int(number)
    return Fraction(number).limit_denominator(SIXTIETHS)


def all_of(parts: Mapping[Any, Sequence[Tally]]) -> list[Tally]:
    """The tallies of all parts (rounds, sizes, evenings) in one list."""
    return [tally for tallies in parts.values() for tally in tallies]


def order_of_play(game: str = "") -> tuple[Any, ...]:
    """What puts games in the order they were played in, wherever they came from: by day, by the
    moment of the first hand (or score), then by session, round and table. `game` is the way to
    the game of what is ordered ("game__")."""
    begun = Coalesce(f"{game}started_at", f"{game}finished_at")
    # `session_id`: "session" would bring the order of lists of sessions in, the newest first.
    return (
        f"{game}session__held_on",
        begun,
        f"{game}session_id",
        f"{game}table__round__number",
        f"{game}table__number",
        f"{game}number",
        f"{game}id",
    )


def met_in(results: QuerySet[Result], measures: Iterable[Measure]) -> Meetings:
    """Who beat whom; asked of the database only where head-to-head counts."""
    if HEAD_TO_HEAD not in measures:
        return {}
    return meetings(seats for games in games_by_session(results).values() for seats in games)


def games_by_session(results: QuerySet[Result]) -> dict[int, list[list[Finish]]]:
    """Who sat where at the end of every finished game, by session: one query."""
    games: dict[int, dict[int, list[Finish]]] = defaultdict(lambda: defaultdict(list))
    seats = results.filter(ENDED).order_by("game_id", "position")
    fields = ("session", "game", "member", "position", "expected", "games_won")
    seats = seats.annotate(games_won=F("win_share") + CREDIT)
    for session, game, member, position, expected, won in seats.values_list(*fields):
        side = side_of(position, expected)
        games[session][game].append(Finish(member, side, Fraction(exact(won))))
    return {session: list(by_game.values()) for session, by_game in games.items()}


def side_of(position: int, expected: float) -> int:
    """The side of a seat in a game that has ended: a win to be expected of one in so many sides."""
    return position % round(1 / expected)


def open_games_in(results: QuerySet[Result], at: datetime) -> dict[int, int]:
    """How many of each one's games are still being played, disputed or not yet confirmed."""
    waiting = _waiting(results, at).order_by()
    return dict(waiting.values_list("member").annotate(Count("game", distinct=True)))


def sessions_with_open_games(results: QuerySet[Result], at: datetime) -> list[str]:
    """The names of the sessions that these games are of, the earliest first."""
    waiting = _waiting(results, at).order_by("session__held_on", "session")
    return list(dict.fromkeys(waiting.values_list("session__name", flat=True)))


def next_acceptance(results: QuerySet[Result], at: datetime) -> datetime | None:
    """When silence accepts the next of the games that are open now; None where none ever is."""
    soon = _waiting(results, at).filter(game__reopened=False, game__state=Game.State.FINISHED)
    moment: datetime | None = soon.aggregate(first=Min("game__accept_at"))["first"]
    return moment


def _waiting(results: QuerySet[Result], at: datetime) -> QuerySet[Result]:
    going_on = Q(game__state__in=(Game.State.PLAYING, Game.State.DISPUTED))
    return results.filter(going_on | still_provisional(at))


def _before(
    by_round: Mapping[int, Mapping[tuple[int, int], list[Tally]]],
    measures: Sequence[Measure],
    seed: str,
) -> dict[int, int]:
    """Everybody's rank before the latest round; empty while there has been only one.

    Head-to-head is left out of it: the movement says roughly who climbs, not why.
    """
    latest = max((number for rounds in by_round.values() for number, _size in rounds), default=0)
    earlier = {
        who: merged(all_of({key: t for key, t in rounds.items() if key[0] < latest}))
        for who, rounds in by_round.items()
    }
    earlier = {who: tallies for who, tallies in earlier.items() if tallies}
    plain = [measure for measure in measures if not measure.among]
    lines = rank_players(earlier, plain, seed=seed)
    return {line.who: line.rank for line in lines}


HELD = Q(session__standings_held=True)
"""Games and results of sessions held back: they count in no season, record or rating yet."""
