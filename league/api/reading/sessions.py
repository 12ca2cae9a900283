"""Seasons and sessions: rounds, games, standings."""

from typing import Literal

from django.db.models import Prefetch, Q, QuerySet
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.utils import timezone
from ninja import Query, Router
from pydantic import BaseModel, Field

from league.api.callers import OPEN, Caller, caller_of
from league.api.operations import Day, Page, Part, Whole, page_of, read, unless_changed
from league.api.shapes.games import GameDetail, GameShape, game_detail, game_fields
from league.api.shapes.people import namer
from league.api.shapes.sessions import (
    RevisionShape,
    RoundShape,
    SeasonDetail,
    SeasonShape,
    SessionDetail,
    SessionShape,
    StandingsShape,
    round_shape,
    season_fields,
    session_detail,
    session_shape,
    standings_shape,
)
from league.members.models import Member
from league.play.models import Game
from league.play.recount import prefetched_game_log, with_everything
from league.seasons.models import Season
from league.seasons.queries import seasons_of
from league.seating.models import Round, Seat, Table
from league.seating.queries.room import published_rounds
from league.sessions.models import Session
from league.sessions.queries import session_of, sessions_of
from league.standings import queries, season_queries
from league.standings.holding import refuse_held

router = Router(tags=["Seasons and sessions"])


class Evenings(Part):
    """Which sessions: of one season, in one state."""

    season: str = Field("", description="The id of a season; empty for all.")
    state: Literal["", "planned", "open", "closed", "cancelled"] = Field(
        "", description="In which state; empty for all."
    )


class AsOf(BaseModel):
    """How a season's table is read: by its rule or the mean evening, as of a day."""

    by: Literal["rule", "average"] = Field("rule", description="What counts.")
    upto: Day | None = Field(None, description="The last day that counts.")
    division: Whole = Field(0, ge=0, le=999, description="A division's number; 0 for all.")


@read(router, "/seasons", OPEN, Page[SeasonShape])
def seasons(request: HttpRequest, part: Query[Part]) -> Page[SeasonShape]:
    """The club's seasons, the latest first."""
    caller = caller_of(request)
    name_of = namer(caller, Member.objects.filter(seasons_won__season__club=caller.club))
    found = seasons_of(caller.club).prefetch_related("divisions")
    return page_of(request, found, part, lambda one: SeasonShape(**season_fields(one, name_of)))


@read(router, "/seasons/{season_id}", OPEN, SeasonDetail)
def season(request: HttpRequest, season_id: str) -> SeasonDetail:
    """One season: when it is, how its evenings count, its divisions."""
    caller = caller_of(request)
    seasons = seasons_of(caller.club).prefetch_related("divisions")
    found = get_object_or_404(seasons, public_id=season_id)
    days = season_queries.days_of(found)
    name_of = namer(caller, (one.member for one in found.champions.all()))
    return SeasonDetail(**season_fields(found, name_of), days=days)


@read(router, "/seasons/{season_id}/standings", OPEN, StandingsShape)
def season_standings(request: HttpRequest, season_id: str, asked: Query[AsOf]) -> StandingsShape:
    """A season's table by its rules, as it stood when the evening of `upto` was over."""
    caller = caller_of(request)
    found = get_object_or_404(
        Season.objects.select_related("club"), club=caller.club, public_id=season_id
    )
    by = "average" if asked.by == "average" else ""
    division = None
    if asked.division:
        division = get_object_or_404(found.divisions, number=asked.division)
    table = season_queries.season_standings(
        found, at=timezone.now(), by=by, upto=asked.upto, division=division
    )
    return standings_shape(table, namer(caller, table.people.values()), season=True)


@read(router, "/sessions", OPEN, Page[SessionShape])
def sessions(request: HttpRequest, part: Query[Evenings]) -> Page[SessionShape]:
    """The club's sessions, the latest first."""
    found = sessions_of(caller_of(request).club)
    if part.season:
        found = found.filter(season__public_id=part.season)
    if part.state:
        found = found.filter(state=part.state)
    return page_of(request, found, part, session_shape)


@read(router, "/sessions/{session_id}", OPEN, SessionDetail)
def session(request: HttpRequest, session_id: str) -> SessionDetail:
    """One session: its clock, and what it came to once it is closed."""
    club = caller_of(request).club
    found = get_object_or_404(sessions_of(club), public_id=session_id)
    found.club = club
    unless_changed(request, found)
    return session_detail(found)


@read(router, "/sessions/{session_id}/revision", OPEN, RevisionShape)
def session_revision(request: HttpRequest, session_id: str) -> RevisionShape:
    """What the session is at: ask this, and the rest only when it has moved."""
    nights = caller_of(request).club.sessions.order_by()
    found = nights.filter(public_id=session_id).values_list("revision", flat=True).first()
    if found is None:
        raise Http404
    return RevisionShape(revision=found)


@read(router, "/sessions/{session_id}/rounds", OPEN, list[RoundShape])
def session_rounds(request: HttpRequest, session_id: str) -> list[RoundShape]:
    """The rounds that were published, in order: who sat where, and who sat out."""
    club_session = _session(request, session_id)
    name_of = namer(caller_of(request), _everybody(club_session))
    rounds = _with_tables(published_rounds(club_session))
    return [round_shape(one, name_of) for one in rounds]


def round_as_read(caller: Caller, pk: int) -> RoundShape:
    """One round, drafted or published: who sits where, and who sits out."""
    return round_shape(_with_tables(Round.objects.all()).get(pk=pk), namer(caller))


def _with_tables(rounds: QuerySet[Round]) -> QuerySet[Round]:
    seats = Seat.objects.select_related("member").order_by("position", "from_hand")
    tables = Table.objects.select_related("ruleset").prefetch_related(
        Prefetch("seats", queryset=seats), "games"
    )
    return rounds.prefetch_related(
        Prefetch("tables", queryset=tables.order_by("number")), "sits_out"
    )


@read(router, "/sessions/{session_id}/standings", OPEN, StandingsShape)
def session_standings(request: HttpRequest, session_id: str) -> StandingsShape:
    """A session's table as it stands now."""
    club_session = _session(request, session_id)
    refuse_held(club_session, caller_of(request).rank)
    table = queries.session_standings(club_session, at=timezone.now())
    return standings_shape(table, namer(caller_of(request), table.people.values()))


@read(router, "/sessions/{session_id}/games", OPEN, Page[GameShape])
def session_games(request: HttpRequest, session_id: str, part: Query[Part]) -> Page[GameShape]:
    """A session's games by table, without their hands."""
    club_session = _session(request, session_id)
    refuse_held(club_session, caller_of(request).rank)
    name_of = namer(caller_of(request), _everybody(club_session))
    found = with_everything(Game.objects.filter(session=club_session))
    return page_of(
        request,
        found.order_by("table__number", "pk"),
        part,
        lambda game: GameShape(**game_fields(prefetched_game_log(game), name_of)),
    )


@read(router, "/games/{game_id}", OPEN, GameDetail)
def game(request: HttpRequest, game_id: str) -> GameDetail:
    """A game with its hands as hand records."""
    caller = caller_of(request)
    games = Game.objects.filter(session__club=caller.club)
    found = get_object_or_404(games.select_related("session__club"), public_id=game_id)
    unless_changed(request, found.session)
    book = prefetched_game_log(with_everything(games).get(pk=found.pk))
    name_of = namer(caller, (seat.member for seat in book.seats))
    return game_detail(book, name_of, said=caller.rank is not None)


def _everybody(club_session: Session) -> QuerySet[Member]:
    """Everybody who sat, or sat out, in a session."""
    sat = Q(seats__session=club_session)
    out = Q(pk__in=Round.objects.filter(session=club_session).values("sits_out"))
    return Member.objects.filter(sat | out).distinct()


def _session(request: HttpRequest, session_id: str) -> Session:
    """The club's session of this id, if it has moved since what the program has."""
    found = session_of(caller_of(request).club, session_id)
    unless_changed(request, found)
    return found
