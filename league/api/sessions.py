"""API of seasons and sessions: reading them, making and running sessions."""

from collections.abc import Sequence
from typing import Literal

from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from ninja import Query, Router
from pydantic import BaseModel, Field

from league.api.callers import OPEN, ORGANISERS, Caller, caller_of
from league.api.club import SessionPeople, people_of_session
from league.api.operations import (
    POST,
    Page,
    Pagination,
    Whole,
    create_once,
    operation,
    page_of,
    raise_if_unchanged,
    read,
    validated,
)
from league.api.shapes import Day, provided_values
from league.api.shapes.games import GameDetail, GameShape, game_detail, game_fields
from league.api.shapes.people import namer
from league.api.shapes.sessions import (
    CancelRequest,
    CheckInRequest,
    PlayerRequest,
    RevisionShape,
    SeasonDetail,
    SeasonShape,
    SessionDetail,
    SessionRequest,
    SessionShape,
    StandingsShape,
    season_fields,
    session_detail,
    session_shape,
    standings_shape,
)
from league.errors import Refused
from league.members.models import Member
from league.play.models import Game
from league.play.queries import refuse_held_game
from league.play.recount import prefetched_game_log, with_everything
from league.seasons.models import Season
from league.seating import actions as seating
from league.seating.models import Round
from league.sessions import actions, attendance
from league.sessions.forms import NewSessionForm
from league.sessions.models import Session
from league.sessions.queries import (
    local_date,
    refuse_held,
    seasons_of,
    session_of,
    sessions_of,
)
from league.standings import queries, season_queries

router = Router(tags=["Seasons and sessions"])


class SessionFilter(Pagination):
    """Selects sessions of one season or in one state."""

    season: str = Field("", description="The id of a season; empty for all.")
    state: Literal["", "planned", "open", "closed", "cancelled"] = Field(
        "", description="The state; empty for all."
    )


class StandingsQuery(BaseModel):
    """Selects a season's standings: by its rule or by average, up to a day, for a division."""

    by: Literal["rule", "average"] = Field(
        "rule", description="Rank by the season's rule or by the average session."
    )
    upto: Day | None = Field(None, description="The last day that counts; all days if left out.")
    division: Whole = Field(0, ge=0, le=999, description="A division's number; 0 for all.")


@read(router, "/seasons", OPEN, Page[SeasonShape])
def seasons(request: HttpRequest, pagination: Query[Pagination]) -> Page[SeasonShape]:
    """The club's seasons, newest first."""
    caller = caller_of(request)
    name_of = namer(caller, Member.objects.filter(seasons_won__season__club=caller.club))
    all_seasons = seasons_of(caller.club).prefetch_related("divisions")
    return page_of(
        request, all_seasons, pagination, lambda row: SeasonShape(**season_fields(row, name_of))
    )


@read(router, "/seasons/{season_id}", OPEN, SeasonDetail)
def season(request: HttpRequest, season_id: str) -> SeasonDetail:
    """A season: its dates, how its sessions count, its divisions."""
    caller = caller_of(request)
    seasons = seasons_of(caller.club).prefetch_related("divisions")
    chosen = get_object_or_404(seasons, public_id=season_id)
    days = list(dict.fromkeys(day for _id, _name, day, _held in season_queries.evenings_of(chosen)))
    name_of = namer(caller, (champion.member for champion in chosen.champions.all()))
    return SeasonDetail(**season_fields(chosen, name_of), days=days)


@read(router, "/seasons/{season_id}/standings", OPEN, StandingsShape)
def season_standings(
    request: HttpRequest, season_id: str, query: Query[StandingsQuery]
) -> StandingsShape:
    """A season's standings, up to the end of the day `upto`."""
    caller = caller_of(request)
    chosen = get_object_or_404(
        Season.objects.select_related("club"), club=caller.club, public_id=season_id
    )
    by = "average" if query.by == "average" else ""
    division = None
    if query.division:
        division = get_object_or_404(chosen.divisions, number=query.division)
    table = season_queries.season_standings(
        chosen, at=timezone.now(), by=by, upto=query.upto, division=division
    )
    return standings_shape(table, namer(caller, table.people.values()), season=True)


@read(router, "/sessions", OPEN, Page[SessionShape])
def sessions(request: HttpRequest, query: Query[SessionFilter]) -> Page[SessionShape]:
    """The club's sessions, newest first."""
    chosen = sessions_of(caller_of(request).club)
    if query.season:
        chosen = chosen.filter(season__public_id=query.season)
    if query.state:
        chosen = chosen.filter(state=query.state)
    return page_of(request, chosen, query, session_shape)


@read(router, "/sessions/{session_id}", OPEN, SessionDetail)
def session(request: HttpRequest, session_id: str) -> SessionDetail:
    """A session: its clock and, once it is closed, its totals."""
    club = caller_of(request).club
    chosen = get_object_or_404(sessions_of(club), public_id=session_id)
    chosen.club = club
    raise_if_unchanged(request, chosen)
    return session_detail(chosen)


@read(router, "/sessions/{session_id}/revision", OPEN, RevisionShape)
def session_revision(request: HttpRequest, session_id: str) -> RevisionShape:
    """The session's revision number: poll this, and fetch the rest only when it has changed."""
    club_sessions = caller_of(request).club.sessions.order_by()
    revision = club_sessions.filter(public_id=session_id).values_list("revision", flat=True).first()
    if revision is None:
        raise Http404
    return RevisionShape(revision=revision)


@read(router, "/sessions/{session_id}/standings", OPEN, StandingsShape)
def session_standings(request: HttpRequest, session_id: str) -> StandingsShape:
    """A session's current standings."""
    club_session = changed_session(request, session_id)
    refuse_held(club_session, caller_of(request).rank)
    table = queries.session_standings(club_session, at=timezone.now())
    return standings_shape(table, namer(caller_of(request), table.people.values()))


@read(router, "/sessions/{session_id}/games", OPEN, Page[GameShape])
def session_games(
    request: HttpRequest, session_id: str, pagination: Query[Pagination]
) -> Page[GameShape]:
    """A session's games, by table, without their hands."""
    club_session = changed_session(request, session_id)
    refuse_held(club_session, caller_of(request).rank)
    name_of = namer(caller_of(request), session_members(club_session))
    games = with_everything(Game.objects.filter(session=club_session))
    return page_of(
        request,
        games.order_by("table__number", "pk"),
        pagination,
        lambda game: GameShape(**game_fields(prefetched_game_log(game), name_of)),
    )


@read(router, "/games/{game_id}", OPEN, GameDetail)
def game(request: HttpRequest, game_id: str) -> GameDetail:
    """A game, with its hands as hand records."""
    caller = caller_of(request)
    games = Game.objects.filter(session__club=caller.club)
    chosen = get_object_or_404(games.select_related("session__club"), public_id=game_id)
    raise_if_unchanged(request, chosen.session)
    game_log = prefetched_game_log(with_everything(games).get(pk=chosen.pk))
    refuse_held_game(game_log, caller.rank, None)
    name_of = namer(caller, (seat.member for seat in game_log.seats))
    return game_detail(game_log, name_of, with_reasons=caller.rank is not None)


def session_members(club_session: Session) -> QuerySet[Member]:
    """All members who sat at a table or sat out in a session."""
    seated = Q(seats__session=club_session)
    sat_out = Q(pk__in=Round.objects.filter(session=club_session).values("sits_out"))
    return Member.objects.filter(seated | sat_out).distinct()


def changed_session(request: HttpRequest, session_id: str) -> Session:
    """The session with this id; raises `NotModified` if the caller has its current state."""
    club_session = session_of(caller_of(request).club, session_id)
    raise_if_unchanged(request, club_session)
    return club_session


@operation(router, POST, "/sessions", ORGANISERS, SessionDetail)
def make_session(request: HttpRequest, body: SessionRequest) -> SessionDetail:
    """Create a session, exactly once.

    Sending the same `client_id` again returns the session created before. A session for a later day
    is planned; one for today is open.
    """
    caller = caller_of(request)
    session_key = create_once(
        caller, "session", body.client_id, lambda: _create_session(caller, body)
    )
    return session_as_read(caller, session_key)


def _create_session(caller: Caller, body: SessionRequest) -> Session:
    club, now = caller.club, timezone.now()
    data = body.model_dump(exclude={"client_id", "season_id"})
    data["held_on"] = body.held_on or local_date(club, now)
    data["name"] = body.name or str(data["held_on"])  # `start_session` names it after its day
    if body.season_id:
        chosen = club.seasons.filter(public_id=body.season_id).first()
        data["season"] = chosen.pk if chosen else body.season_id
    form = validated(NewSessionForm(data, club=club), {"season": "season_id"})
    values = {**form.cleaned_data, "name": form.cleaned_data["name"] if body.name else ""}
    return actions.start_session(club, by=caller.by, at=now, **values)


def session_as_read(caller: Caller, session_id: str) -> SessionDetail:
    club_session = get_object_or_404(sessions_of(caller.club), public_id=session_id)
    club_session.club = caller.club
    return session_detail(club_session)


@operation(router, POST, "/sessions/{session_id}/open", ORGANISERS, SessionDetail)
def open_session(request: HttpRequest, session_id: str) -> SessionDetail:
    """Open a planned session, or reopen one that was closed or cancelled."""
    caller, at = caller_of(request), timezone.now()
    actions.open_session(session_of(caller.club, session_id), by=caller.by, at=at)
    return session_as_read(caller, session_id)


@operation(router, POST, "/sessions/{session_id}/close", ORGANISERS, SessionDetail)
def close_session(request: HttpRequest, session_id: str) -> SessionDetail:
    """Close a session: nothing in it can change until it is reopened."""
    caller, at = caller_of(request), timezone.now()
    actions.close_session(session_of(caller.club, session_id), by=caller.by, at=at)
    return session_as_read(caller, session_id)


@operation(router, POST, "/sessions/{session_id}/cancel", ORGANISERS, SessionDetail)
def cancel_session(
    request: HttpRequest, session_id: str, body: CancelRequest | None = None
) -> SessionDetail:
    """Cancel a session: nothing that was entered in it counts."""
    caller, at = caller_of(request), timezone.now()
    club_session = session_of(caller.club, session_id)
    actions.cancel_session(club_session, by=caller.by, at=at, **provided_values(body))
    return session_as_read(caller, session_id)


@operation(router, POST, "/sessions/{session_id}/check-in", ORGANISERS, SessionPeople)
def check_in(request: HttpRequest, session_id: str, body: CheckInRequest) -> SessionPeople:
    """Check in players, by id or by name.

    Sending this twice changes nothing. 409 `similar-name` if a new name looks like an existing one;
    then nobody is checked in.
    """
    caller, now = caller_of(request), timezone.now()
    club_session = session_of(caller.club, session_id)
    members = _members(caller, body.member_ids)
    if not members and not body.names:
        raise Refused(
            "nobody-named", _("List the players who are here."), fields={"member_ids": []}
        )
    with transaction.atomic():
        attendance.arrive_names(
            club_session, body.names, by=caller.by, at=now, even_if_similar=body.even_if_similar
        )
        attendance.arrive_all(club_session, members, by=caller.by, at=now)
    return people_of_session(caller, club_session)


def _members(caller: Caller, ids: Sequence[str]) -> list[Member]:
    """The club's active members with these ids, each once. Refuses unknown ids."""
    by_id = {
        member.public_id: member for member in Member.objects.current().filter(club=caller.club)
    }
    unknown = [key for key in ids if key not in by_id]
    if unknown:
        message = _("There is no such player.")
        raise Refused("unknown-member", message, fields={"member_ids": unknown}, status=404)
    return [by_id[key] for key in dict.fromkeys(ids)]


def _member(caller: Caller, body: PlayerRequest) -> Member:
    return get_object_or_404(Member, club=caller.club, public_id=body.member_id)


@operation(router, POST, "/sessions/{session_id}/leave", ORGANISERS, SessionPeople)
def leave(request: HttpRequest, session_id: str, body: PlayerRequest) -> SessionPeople:
    """Mark a player as having left."""
    caller, at = caller_of(request), timezone.now()
    club_session = session_of(caller.club, session_id)
    seating.depart(club_session, _member(caller, body), by=caller.by, at=at)
    return people_of_session(caller, club_session)


@operation(router, POST, "/sessions/{session_id}/sit-out", ORGANISERS, SessionPeople)
def sit_out(request: HttpRequest, session_id: str, body: PlayerRequest) -> SessionPeople:
    """Let a player who is checked in sit out."""
    caller = caller_of(request)
    club_session = session_of(caller.club, session_id)
    attendance.rest(club_session, _member(caller, body), by=caller.by)
    return people_of_session(caller, club_session)


@operation(router, POST, "/sessions/{session_id}/play-again", ORGANISERS, SessionPeople)
def play_again(request: HttpRequest, session_id: str, body: PlayerRequest) -> SessionPeople:
    """Let a player who sat out or had left play in the next round."""
    caller = caller_of(request)
    club_session = session_of(caller.club, session_id)
    attendance.play_again(club_session, _member(caller, body), by=caller.by)
    return people_of_session(caller, club_session)
