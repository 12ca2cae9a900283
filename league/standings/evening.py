"""What a finished evening came to: its games as rows, and what one person has come to over all."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

from django.core.cache import caches
from django.db.models import Count, Max, Q, QuerySet, Sum
from django.utils import timezone

from league.members.models import Club, Member
from league.members.public import namer
from league.play.models import Game
from league.play.results import as_of
from league.ranking.measures import MEASURES, Tally, total
from league.seasons.models import Season
from league.sessions.models import Session
from league.standings.careers import games_that_count
from league.standings.queries import order_of_play, results_of, tallies_by, with_end


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a game: its people as the viewer may read them, its points, whether it won."""

    names: tuple[str, ...]
    points: int
    won: bool


def games_of(club_session: Session) -> QuerySet[Game]:
    """The session's games with their tables and everybody who played, latest round first."""
    return (
        club_session.games.select_related("table", "table__round")
        .prefetch_related("results__member")
        .order_by("-table__round__number", "table__number", "number")
    )


def with_sides(games: Iterable[Game], club: Club, viewer_rank: str | None) -> list[Any]:
    """The games as a list, each with its `sides`."""
    now = timezone.now()
    listed: list[Any] = [as_of(game, now) for game in games]
    people = [row.member for game in listed for row in game.results.all()]
    name_of = namer(people, club, viewer_rank)
    for game in listed:
        game.sides = sides_of(game, name_of)
    return listed


def sides_of(game: Any, name_of: Callable[[Member], str]) -> list[Side]:
    """The sides in seat order. A substitute stands beside whoever she took over from."""
    results = sorted(game.results.all(), key=lambda r: (r.position, r.pk))
    count = len(game.score) or game.table.players
    sides = []
    for side in range(count):
        chairs = [r for r in results if r.position % count == side]
        names = tuple(name_of(r.member) for r in chairs)
        points = game.score[side] if side < len(game.score) else 0
        sides.append(Side(names, points, bool({r.position for r in chairs} & set(game.winners))))
    return sides


LATEST = 10


@dataclass(frozen=True, slots=True)
class Facts:
    """What a finished evening came to."""

    games: int
    hands: int
    people: int
    longest: int
    euchres: int
    lone_marches: int


def session_facts(club_session: Session) -> Facts:
    """The evening in numbers, from its finished games; kept while its revision stands."""
    key = f"facts:{club_session.pk}:{club_session.revision}"
    facts: Any = caches["pages"].get_or_set(key, lambda: _facts(club_session))
    return cast(Facts, facts)


def _facts(club_session: Session) -> Facts:
    games = club_session.games.filter(finished_at__isnull=False)
    counted = games.exclude(state=Game.State.ABANDONED).aggregate(
        games=Count("pk"), hands=Sum("hands_played", default=0), longest=Max("hands_played")
    )
    ended = Q(game_ended=True)
    took = with_end(results_of(club_session)).aggregate(
        people=Count("member", distinct=True),
        euchres=Sum("euchred", filter=ended, default=0),
        lone=Sum("lone_marches", filter=ended, default=0),
    )
    return Facts(
        games=counted["games"],
        hands=counted["hands"],
        people=took["people"],
        longest=counted["longest"] or 0,
        euchres=took["euchres"],
        lone_marches=took["lone"],
    )


@dataclass(frozen=True, slots=True)
class RecordLine:
    """One person's games at tables of one size; `players` 0 for all sizes together."""

    players: int
    games: Fraction
    hands: Fraction
    values: dict[str, Fraction | None]
    calls: Fraction
    calls_made: Fraction
    euchred: Fraction
    lone_tried: Fraction


def record_of(member: Member, season: Season | None = None) -> list[RecordLine]:
    """One person's record by table size, then all together; empty before the first game."""
    games = games_that_count(member, season).order_by()
    results = member.results.filter(game__in=games.values("pk"))
    by_size = tallies_by(results, "players", every_hand=True).get(member.pk, {})
    if not by_size:
        return []
    lines = [_line(size, by_size[size]) for size in sorted(by_size)]
    return [*lines, _line(0, [tally for tallies in by_size.values() for tally in tallies])]


def _line(players: int, tallies: list[Tally]) -> RecordLine:
    counts = ("games", "hands", "calls", "calls_made", "euchred", "lone_tried")
    return RecordLine(
        players=players,
        values={code: m.value(tallies) for code, m in MEASURES.items() if not m.among},
        **{name: total(tallies, name) for name in counts},
    )


def latest_games(member: Member, season: Season | None = None) -> QuerySet[Game]:
    """The person's latest games with everybody who played in them."""
    return (
        games_that_count(member, season)
        .select_related("table", "session")
        .prefetch_related("results__member")
        .order_by(*order_of_play())
        .reverse()[:LATEST]
    )
