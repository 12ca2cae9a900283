"""What an organiser's program does with tournaments and leagues: make, enter, draw, start."""

import secrets
from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from league.api.callers import ORGANISERS, Caller, caller_of
from league.api.operations import operation
from league.api.reading.competitions import (
    league_as_read,
    leagues_router,
    named_stage,
    team_fixtures_of,
    tournaments_router,
)
from league.api.reading.sessions import round_as_read
from league.api.shapes.leagues import FixtureRound, LeagueDetail
from league.api.shapes.orders import (
    DraftShape,
    DrawOrder,
    EntryOrder,
    LeagueOrder,
    PublishOrder,
    TeamOrder,
    TournamentOrder,
    given,
)
from league.api.shapes.sessions import RoundShape
from league.api.shapes.tournaments import TournamentDetail, tournament_detail
from league.api.writing.once import cleaned, once
from league.api.writing.sessions import POST, SEEDS, draft_shape
from league.errors import Refused
from league.teams import actions as teams
from league.teams.forms import LeagueForm, TeamForm
from league.teams.models import Team, TeamLeague
from league.teams.queries import league_of
from league.tournaments import actions
from league.tournaments.forms import EnterForm, TournamentForm
from league.tournaments.models import Tournament
from league.tournaments.queries import not_entered, stage_of, tournament_of
from league.tournaments.stage_state import OF_PAIRS


@operation(tournaments_router, POST, "/tournaments", ORGANISERS, TournamentDetail)
def make_tournament(request: HttpRequest, body: TournamentOrder) -> TournamentDetail:
    """Make a tournament on a session, exactly once; then enter players and draw.

    The same `client_id` again answers the tournament already made.
    """
    caller = caller_of(request)
    made = once(caller, "tournament", body.client_id, lambda: _made_tournament(caller, body))
    return _shown(request, made)


def _made_tournament(caller: Caller, body: TournamentOrder) -> Tournament:
    form = TournamentForm(format=body.format)
    choices = given(body.choices)
    strange = [name for name in choices if name not in form.names]
    if strange:
        sentence = _("This format asks nothing of this name.")
        message = _("Nothing was done: something here cannot be.")
        raise Refused("bad-form", message, fields={f"choices.{one}": [sentence] for one in strange})
    club_session = caller.club.sessions.filter(public_id=body.session_id).first()
    if club_session is None:
        message = _("There is no such session.")
        raise Refused("unknown-session", message, fields={"session_id": [message]})
    data = {**form.initial, **choices, "name": body.name or form.initial["name"]}
    names = {name: f"choices.{name}" for name in form.names}
    cleaned(bound := TournamentForm(data, format=body.format), names)
    return actions.start_tournament(
        club_session,
        name=bound.cleaned_data["name"],
        format=body.format,
        choice=bound.choice,
        seed=secrets.randbelow(SEEDS),
        by=caller.by,
    )


def _shown(request: HttpRequest, tournament_id: str) -> TournamentDetail:
    return tournament_detail(*named_stage(request, tournament_id))


@operation(
    tournaments_router, POST, "/tournaments/{tournament_id}/entries", ORGANISERS, TournamentDetail
)
def enter_tournament(
    request: HttpRequest, tournament_id: str, body: EntryOrder
) -> TournamentDetail:
    """Enter a player, with a partner where pairs play."""
    caller = caller_of(request)
    tournament = tournament_of(caller.club, tournament_id)
    pairs = stage_of(tournament).format in OF_PAIRS
    if body.partner_id and not pairs:
        message = _("Everybody enters this format alone.")
        raise Refused("bad-form", message, fields={"partner_id": [message]})
    data = {"member": body.member_id, "partner": body.partner_id}
    form = EnterForm(data, free=not_entered(tournament), pairs=pairs)
    cleaned(form, {"member": "member_id", "partner": "partner_id"})
    actions.enter(tournament, **form.cleaned_data, by=caller.by, at=timezone.now())
    return _shown(request, tournament_id)


@operation(
    tournaments_router,
    POST,
    "/tournaments/{tournament_id}/entries/present",
    ORGANISERS,
    TournamentDetail,
)
def enter_present(request: HttpRequest, tournament_id: str) -> TournamentDetail:
    """Enter everybody who is checked in and not entered yet."""
    caller = caller_of(request)
    tournament = tournament_of(caller.club, tournament_id)
    actions.enter_present(tournament, by=caller.by, at=timezone.now())
    return _shown(request, tournament_id)


@operation(
    tournaments_router, POST, "/tournaments/{tournament_id}/partners", ORGANISERS, TournamentDetail
)
def draw_partners(request: HttpRequest, tournament_id: str, body: DrawOrder) -> TournamentDetail:
    """Draw partners for all who entered alone."""
    caller = caller_of(request)
    tournament = tournament_of(caller.club, tournament_id)
    actions.draw_partners(tournament, seed=_seed(body), by=caller.by)
    return _shown(request, tournament_id)


@operation(tournaments_router, POST, "/tournaments/{tournament_id}/draw", ORGANISERS, DraftShape)
def draw_tournament(request: HttpRequest, tournament_id: str, body: DrawOrder) -> DraftShape:
    """Draw the next round as a draft, replacing the draft there was."""
    caller = caller_of(request)
    row = actions.draw_round(
        tournament_of(caller.club, tournament_id), by=caller.by, seed=_seed(body)
    )
    return draft_shape(caller, row.seating)


@operation(
    tournaments_router, POST, "/tournaments/{tournament_id}/draw/publish", ORGANISERS, RoundShape
)
def publish_tournament(request: HttpRequest, tournament_id: str, body: PublishOrder) -> RoundShape:
    """Publish the drawn round: its tables play. The first one starts the tournament."""
    caller, at = caller_of(request), timezone.now()
    tournament = tournament_of(caller.club, tournament_id)
    row = actions.publish_draw(tournament, by=caller.by, at=at, version=body.version)
    return round_as_read(caller, row.seating_id)


@operation(
    tournaments_router, POST, "/tournaments/{tournament_id}/finish", ORGANISERS, TournamentDetail
)
def finish_tournament(request: HttpRequest, tournament_id: str) -> TournamentDetail:
    """Close a tournament."""
    caller, at = caller_of(request), timezone.now()
    actions.finish_tournament(tournament_of(caller.club, tournament_id), by=caller.by, at=at)
    return _shown(request, tournament_id)


def _seed(body: DrawOrder) -> int:
    return secrets.randbelow(SEEDS) if body.seed is None else body.seed


@operation(leagues_router, POST, "/leagues", ORGANISERS, LeagueDetail)
def make_league(request: HttpRequest, body: LeagueOrder) -> LeagueDetail:
    """Make a league of teams, exactly once; then enter the teams and make the fixtures.

    The same `client_id` again answers the league already made.
    """
    caller = caller_of(request)
    made = once(caller, "league", body.client_id, lambda: _made_league(caller, body))
    return league_as_read(request, made)


def _made_league(caller: Caller, body: LeagueOrder) -> TeamLeague:
    club = caller.club
    form = LeagueForm(club=club)
    data: dict[str, Any] = {name: field.initial for name, field in form.fields.items()}
    data |= given(body)
    rulesets = club.rulesets.filter(players=4, retired=False)
    chosen = {"public_id": body.ruleset_id} if body.ruleset_id else {"is_default": True}
    data["ruleset"] = rulesets.filter(**chosen).values_list("pk", flat=True).first()
    if body.season_id:
        season = club.seasons.filter(public_id=body.season_id).first()
        data["season"] = season.pk if season else body.season_id
    form = LeagueForm(data, club=club)
    cleaned(form, {"ruleset": "ruleset_id", "season": "season_id"})
    seed = secrets.randbelow(SEEDS)
    return teams.make_league(club, seed=seed, by=caller.by, **form.cleaned_data)


@operation(leagues_router, POST, "/leagues/{league_id}/teams", ORGANISERS, LeagueDetail)
def make_team(request: HttpRequest, league_id: str, body: TeamOrder) -> LeagueDetail:
    """Enter a team, exactly once.

    422 `similar-name` for a name that looks like another's.
    """
    caller = caller_of(request)
    league = league_of(caller.club, league_id)
    once(caller, "team", body.client_id, lambda: _made_team(caller, league, body))
    return league_as_read(request, league_id)


def _made_team(caller: Caller, league: TeamLeague, body: TeamOrder) -> Team:
    data = body.model_dump(exclude={"client_id", "names", "even_if_similar"})
    data |= {"names": "\n".join(body.names), "same_name": body.even_if_similar}
    form = TeamForm(data)
    cleaned(form)
    return teams.save_team(league, None, by=caller.by, **form.cleaned_data)


@operation(leagues_router, POST, "/leagues/{league_id}/fixtures", ORGANISERS, list[FixtureRound])
def make_fixtures(request: HttpRequest, league_id: str, body: DrawOrder) -> list[FixtureRound]:
    """Draw the fixtures and start the league."""
    caller = caller_of(request)
    league = league_of(caller.club, league_id)
    teams.make_fixtures(league, seed=_seed(body), by=caller.by)
    return team_fixtures_of(league)
