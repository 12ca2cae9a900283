"""API of tournaments: reading and making them, entering players, drawing rounds."""

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from ninja import Query, Router

from league.api.callers import OPEN, ORGANISERS, Caller, caller_of
from league.api.operations import (
    POST,
    Page,
    Pagination,
    create_once,
    operation,
    page_of,
    read,
    seed_or_random,
    validated,
)
from league.api.rounds import draft_shape, round_as_read
from league.api.shapes import provided_values
from league.api.shapes.people import NameOf, namer
from league.api.shapes.sessions import DraftShape, PublishRequest, RoundShape
from league.api.shapes.tournaments import (
    DrawRequest,
    EntryRequest,
    TournamentDetail,
    TournamentRequest,
    TournamentRoundShape,
    TournamentShape,
    TournamentStandingShape,
    standing_shape,
    tournament_detail,
    tournament_fields,
)
from league.api.shapes.tournaments import rounds_shape as tournament_rounds_shape
from league.errors import Refused
from league.sessions.queries import refuse_held
from league.tournaments import actions
from league.tournaments.entry_forms import EnterForm
from league.tournaments.forms import TournamentForm
from league.tournaments.models import Tournament
from league.tournaments.queries import not_entered, stage_of, tournament_of, tournaments_of
from league.tournaments.stage_state import BRACKETS, OF_PAIRS, StageState, load_stage

router = Router(tags=["Tournaments"])


@read(router, "/tournaments", OPEN, Page[TournamentShape])
def tournaments(request: HttpRequest, pagination: Query[Pagination]) -> Page[TournamentShape]:
    """The club's tournaments, newest first."""
    return page_of(
        request,
        tournaments_of(caller_of(request).club),
        pagination,
        lambda row: TournamentShape(**tournament_fields(row, row.entered)),
    )


@read(router, "/tournaments/{tournament_id}", OPEN, TournamentDetail)
def tournament(request: HttpRequest, tournament_id: str) -> TournamentDetail:
    """A tournament: its format, its settings, and its entries."""
    return tournament_detail(*named_stage(request, tournament_id))


@read(router, "/tournaments/{tournament_id}/rounds", OPEN, list[TournamentRoundShape])
def tournament_rounds(request: HttpRequest, tournament_id: str) -> list[TournamentRoundShape]:
    """The published rounds: their matches, the results, and who had a bye."""
    state, name_of = named_stage(request, tournament_id)
    if state.stage.format not in BRACKETS:  # rounds by points reveal the standings
        refuse_held(state.stage.tournament.session, caller_of(request).rank)
    return tournament_rounds_shape(state, name_of)


@read(router, "/tournaments/{tournament_id}/standings", OPEN, TournamentStandingShape)
def tournament_standings(request: HttpRequest, tournament_id: str) -> TournamentStandingShape:
    """A tournament's standings, with the reasons for each place."""
    state, name_of = named_stage(request, tournament_id)
    refuse_held(state.stage.tournament.session, caller_of(request).rank)
    return standing_shape(state, name_of)


def named_stage(request: HttpRequest, tournament_id: str) -> tuple[StageState, NameOf]:
    """The current stage of a tournament, and a function that names its players for this caller."""
    caller = caller_of(request)
    state = load_stage(stage_of(tournament_of(caller.club, tournament_id)))
    people = (member for entry in state.entries.values() for member in entry.people)
    return state, namer(caller, people)


@operation(router, POST, "/tournaments", ORGANISERS, TournamentDetail)
def make_tournament(request: HttpRequest, body: TournamentRequest) -> TournamentDetail:
    """Create a tournament in a session, exactly once.

    Next, enter players and make the draw. Sending the same `client_id` again returns the tournament
    created before.
    """
    caller = caller_of(request)
    tournament_key = create_once(
        caller, "tournament", body.client_id, lambda: _create_tournament(caller, body)
    )
    return _detail_of(request, tournament_key)


def _create_tournament(caller: Caller, body: TournamentRequest) -> Tournament:
    form = TournamentForm(format=body.format)
    choices = provided_values(body.choices)
    unknown_choices = [name for name in choices if name not in form.names]
    if unknown_choices:
        sentence = _("This format has no setting with this name.")
        message = _("Nothing was changed: something here isn't possible.")
        raise Refused(
            "bad-form", message, fields={f"choices.{name}": [sentence] for name in unknown_choices}
        )
    club_session = caller.club.sessions.filter(public_id=body.session_id).first()
    if club_session is None:
        message = _("There is no such session.")
        raise Refused("unknown-session", message, fields={"session_id": [message]})
    data = {**form.initial, **choices, "name": body.name or form.initial["name"]}
    names = {name: f"choices.{name}" for name in form.names}
    validated(bound := TournamentForm(data, format=body.format), names)
    return actions.start_tournament(
        club_session,
        name=bound.cleaned_data["name"],
        format=body.format,
        choice=bound.choice,
        seed=seed_or_random(None),
        by=caller.by,
    )


def _detail_of(request: HttpRequest, tournament_id: str) -> TournamentDetail:
    return tournament_detail(*named_stage(request, tournament_id))


@operation(router, POST, "/tournaments/{tournament_id}/entries", ORGANISERS, TournamentDetail)
def enter_tournament(
    request: HttpRequest, tournament_id: str, body: EntryRequest
) -> TournamentDetail:
    """Enter a player, with a partner in a format for pairs."""
    caller = caller_of(request)
    tournament = tournament_of(caller.club, tournament_id)
    is_of_pairs = stage_of(tournament).format in OF_PAIRS
    if body.partner_id and not is_of_pairs:
        message = _("Players enter this format without a partner.")
        raise Refused("bad-form", message, fields={"partner_id": [message]})
    data = {"member": body.member_id, "partner": body.partner_id}
    form = EnterForm(data, tournament=tournament, free=not_entered(tournament), pairs=is_of_pairs)
    validated(form, {"member": "member_id", "partner": "partner_id"})
    actions.enter(tournament, **form.cleaned_data, by=caller.by, at=timezone.now())
    return _detail_of(request, tournament_id)


@operation(
    router,
    POST,
    "/tournaments/{tournament_id}/entries/present",
    ORGANISERS,
    TournamentDetail,
)
def enter_present(request: HttpRequest, tournament_id: str) -> TournamentDetail:
    """Enter all players who are checked in and not entered yet."""
    caller = caller_of(request)
    tournament = tournament_of(caller.club, tournament_id)
    actions.enter_present(tournament, by=caller.by, at=timezone.now())
    return _detail_of(request, tournament_id)


@operation(router, POST, "/tournaments/{tournament_id}/partners", ORGANISERS, TournamentDetail)
def draw_partners(request: HttpRequest, tournament_id: str, body: DrawRequest) -> TournamentDetail:
    """Draw partners for all players who entered alone."""
    caller = caller_of(request)
    tournament = tournament_of(caller.club, tournament_id)
    actions.draw_partners(tournament, seed=seed_or_random(body.seed), by=caller.by)
    return _detail_of(request, tournament_id)


@operation(router, POST, "/tournaments/{tournament_id}/draw", ORGANISERS, DraftShape)
def draw_tournament(request: HttpRequest, tournament_id: str, body: DrawRequest) -> DraftShape:
    """Draw the next round as a draft, replacing any earlier draft."""
    caller = caller_of(request)
    row = actions.draw_round(
        tournament_of(caller.club, tournament_id), by=caller.by, seed=seed_or_random(body.seed)
    )
    return draft_shape(caller, row.seating)


@operation(router, POST, "/tournaments/{tournament_id}/draw/publish", ORGANISERS, RoundShape)
def publish_tournament(
    request: HttpRequest, tournament_id: str, body: PublishRequest
) -> RoundShape:
    """Publish the drawn round, so that its tables can play.

    Publishing the first round starts the tournament.
    """
    caller, at = caller_of(request), timezone.now()
    tournament = tournament_of(caller.club, tournament_id)
    row = actions.publish_draw(tournament, by=caller.by, at=at, version=body.version)
    return round_as_read(caller, row.seating_id)


@operation(router, POST, "/tournaments/{tournament_id}/finish", ORGANISERS, TournamentDetail)
def finish_tournament(request: HttpRequest, tournament_id: str) -> TournamentDetail:
    """Finish a tournament."""
    caller, at = caller_of(request), timezone.now()
    actions.finish_tournament(tournament_of(caller.club, tournament_id), by=caller.by, at=at)
    return _detail_of(request, tournament_id)
