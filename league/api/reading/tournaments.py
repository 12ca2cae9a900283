"""Tournaments: entries, rounds, standing."""

from django.http import HttpRequest
from ninja import Query, Router

from league.api.callers import OPEN, caller_of
from league.api.operations import read
from league.api.paging import Page, Part, page_of
from league.api.shapes.people import NameOf, namer
from league.api.shapes.tournaments import (
    TournamentDetail,
    TournamentRoundShape,
    TournamentShape,
    TournamentStandingShape,
    rounds_shape,
    standing_shape,
    tournament_detail,
    tournament_fields,
)
from league.tournaments.picture import Picture, picture_of
from league.tournaments.queries import stage_of, tournament_of, tournaments_of

router = Router(tags=["Tournaments"])


@read(router, "/tournaments", OPEN, Page[TournamentShape])
def tournaments(request: HttpRequest, part: Query[Part]) -> Page[TournamentShape]:
    """The club's tournaments, the latest first."""
    return page_of(
        request,
        tournaments_of(caller_of(request).club),
        part,
        lambda one: TournamentShape(**tournament_fields(one, one.entered)),
    )


@read(router, "/tournaments/{tournament_id}", OPEN, TournamentDetail)
def tournament(request: HttpRequest, tournament_id: str) -> TournamentDetail:
    """One tournament: its format, what was chosen for it, and who entered."""
    return tournament_detail(*_named(request, tournament_id))


@read(router, "/tournaments/{tournament_id}/rounds", OPEN, list[TournamentRoundShape])
def tournament_rounds(request: HttpRequest, tournament_id: str) -> list[TournamentRoundShape]:
    """The rounds that were published: who met whom, how it ended, and who had a bye."""
    return rounds_shape(*_named(request, tournament_id))


@read(router, "/tournaments/{tournament_id}/standings", OPEN, TournamentStandingShape)
def tournament_standings(request: HttpRequest, tournament_id: str) -> TournamentStandingShape:
    """How a tournament stands, with the reasons."""
    return standing_shape(*_named(request, tournament_id))


def _named(request: HttpRequest, tournament_id: str) -> tuple[Picture, NameOf]:
    """The tournament's stage as it stands, and how this caller may read those who entered."""
    caller = caller_of(request)
    picture = picture_of(stage_of(tournament_of(caller.club, tournament_id)))
    entered = (one for entry in picture.entries.values() for one in entry.people)
    return picture, namer(caller, entered)
