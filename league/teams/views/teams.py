"""A team: its page, adding and editing it, withdrawal and return, deductions, transfers."""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

from django.contrib import messages
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.defaultfilters import floatformat
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from league.access import PUBLIC, ClubRequest, club_page
from league.errors import Refused, typed_at, valid
from league.members.actions.roles import invite_player
from league.members.audit import actor_of
from league.members.models import Club, Member, has_public_page
from league.members.names import sort_key
from league.members.views.roles import invitation_made
from league.ranking.team_league import split_record
from league.sessions.queries import local_date
from league.teams import actions
from league.teams.eligibility import borrowed_counts, small_squad
from league.teams.fixtures import teams_without_fixtures
from league.teams.forms import DeductForm, SignOnForm, TeamForm
from league.teams.led_teams import cards_for_captain, late_points, led_team
from league.teams.models import Deduction, Team, TeamLeague
from league.teams.queries import (
    MatchRecord,
    all_matches_of,
    league_of,
    players_of,
    rules_of,
    table_of,
    tables_of,
    team_of,
    withdrawal_days,
)
from league.teams.rules_forms import TransferForm, WithdrawForm
from league.teams.tables import MatchShown, late_teams, match_shown, rounds_of, rows_of
from league.teams.text import WITHDRAWALS, squad_rule
from league.teams.views.leagues import (
    cards_to_fill,
    is_captain,
    league_action,
    league_context,
    may_run,
    messages_to_read,
    secretary_page,
)


@require_safe
@club_page(PUBLIC)
def team(request: ClubRequest, club: Club, public_id: str, team: str) -> HttpResponse:
    """A team's rank, players and matches."""
    context = league_context(request, club, public_id)
    league = context["league"]
    selected_team = team_of(league, team)
    all_matches = all_matches_of(league)
    fixtures = [m for m in all_matches if m.match.cup_id is None]
    tables = tables_of(context["league"], context["teams"], fixtures)
    table = table_of(selected_team, tables)
    rows = rows_of(table, context["teams"])
    deductions = selected_team.deductions.order_by("pk")
    today = local_date(club, timezone.now())
    matches, upcoming = matches_by_date(selected_team, all_matches, today)
    league_matches = [m for m in fixtures if selected_team.pk in m.met.teams]
    context |= {
        "team": selected_team,
        "may_sign_on": may_add_players(request, selected_team),
        "waits": selected_team in teams_without_fixtures(context["teams"], fixtures),
        "row": next(row for row in rows if row.team == selected_team),
        "people": sorted(
            (
                (
                    *_person(request, club, context, member),
                    member.pk == selected_team.captain_id and not selected_team.lost_captain,
                )
                for member in players_of(selected_team)
            ),
            key=lambda person: sort_key(person[0]),
        ),
        "captain": context["name_of"](selected_team.captain) if selected_team.captain else "",
        "matches": matches,
        "upcoming": upcoming,
        "cards_to_fill": cards_to_fill(
            request, league, context["teams"], all_matches, until=today + SOON
        ),
        "small": small_squad(selected_team) if context["organiser"] else "",
        "joined": late_teams(rounds_of(fixtures, context["teams"]), [selected_team]),
        "deductions": deductions if request.rank else deductions.filter(withdrawn_at=None),
        "late": late_points(selected_team, fixtures),
        "deduct_form": DeductForm(typed_at(request, _address("team_deduct", selected_team))),
        "withdraw_form": WithdrawForm(
            typed_at(request, _address("team_withdraw", selected_team)), today=today
        ),
        "played": sum(m.met.has_card for m in league_matches),
        "due": len(league_matches),
        "left_on": withdrawal_days(league, [selected_team]).get(selected_team.pk),
        "leaving": WITHDRAWALS[rules_of(league).withdrawal](),
        "halves": split_record(selected_team.pk, table.over, rules_of(league)),
        "transfers": league.transfers.filter(
            Q(source=selected_team) | Q(target=selected_team)
        ).select_related("member", "source", "target"),
        "transfer_form": _transfer_form(request, selected_team) if context["organiser"] else None,
    }
    return render(request, "teams/team.html", context)


SOON = timedelta(days=6)
"""How long before a match its card is offered on the page of a team."""


def matches_by_date(
    team: Team, matches: Sequence[MatchRecord], today: date
) -> tuple[list[MatchShown], MatchShown | None]:
    """All matches of a team by their day, those without a day last, and the one that comes next."""
    listed = [match_shown(m) for m in matches if team.pk in m.met.teams]
    listed.sort(key=lambda shown: shown.match.held_on or date.max)
    to_come = (shown for shown in listed if shown.state in ("to_play", "postponed"))
    return listed, next((m for m in to_come if (m.match.held_on or date.max) >= today), None)


def _transfer_form(request: ClubRequest, team: Team) -> TransferForm:
    initial = {"day": local_date(team.league.club, timezone.now())}
    typed = typed_at(request, _address("team_transfer", team))
    return TransferForm(typed, team=team, initial=initial)


def _address(name: str, team: Team) -> str:
    return reverse(name, args=[team.league.club.slug, team.league.public_id, team.public_id])


def _person(
    request: ClubRequest, club: Club, context: dict[str, Any], member: Member
) -> tuple[str, str]:
    """A name as the reader may see it, and the id of the player's page, or ""."""
    page = member.public_id if has_public_page(member, club, request.rank) else ""
    return context["name_of"](member), page


@require_http_methods(["GET", "HEAD", "POST"])
@secretary_page
def team_new(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Add a team."""
    league = league_of(club, public_id)
    form = TeamForm(request.POST or None, league=league)
    listed = set(club.members.values_list("pk", flat=True)) if form.is_bound else set()
    if form.is_valid() and (added := _save_team(request, league, None, form)):
        new_players = [row.member.name for row in added.players.exclude(member__in=listed)]
        messages.success(request, _added_text(added, new_players))
        if league.matches.filter(cup=None).exists():
            return redirect("team_join", club.slug, public_id, added.public_id)
        return redirect("team_league", club.slug, public_id)
    return _render_form(request, league, form, None)


def _added_text(team: Team, new_players: list[str]) -> str:
    """What was added: the team, and the players whom the club did not have."""
    sentence = _("Added %(team)s.") % {"team": team.name}
    if not new_players:
        return sentence
    new = ngettext("New player: %(names)s.", "New players: %(names)s.", len(new_players))
    return f"{sentence} {new % {'names': ', '.join(new_players)}}"


@require_http_methods(["GET", "HEAD", "POST"])
@secretary_page
def team_edit(request: HttpRequest, club: Club, public_id: str, team: str) -> HttpResponse:
    """Edit a team: its name, venue and players."""
    league = league_of(club, public_id)
    selected_team = team_of(league, team)
    form = TeamForm(request.POST or None, league=league, team=selected_team)
    if form.is_valid() and _save_team(request, league, selected_team, form):
        messages.success(request, _("Saved."))
        return redirect("team", club.slug, public_id, team)
    return _render_form(request, league, form, selected_team)


def _save_team(
    request: HttpRequest, league: TeamLeague, team: Team | None, form: TeamForm
) -> Team | None:
    try:
        return actions.save_team(
            league, team, by=actor_of(request), at=timezone.now(), **form.cleaned_data
        )
    except Refused as refused:
        refused.show_in(form)
        return None


def _render_form(
    request: HttpRequest, league: TeamLeague, form: TeamForm, team: Team | None
) -> HttpResponse:
    context = {"club": league.club, "here": "leagues", "league": league, "form": form}
    context |= {"team": team, "drawn": league.matches.filter(cup=None).exists()}
    status = 422 if form.errors else 200
    return render(request, "teams/team_form.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@club_page("member")
def team_sign_on(request: ClubRequest, club: Club, public_id: str, team: str) -> HttpResponse:
    """Add a new player to a team; its captain may do so if the league's rules allow it."""
    league = league_of(club, public_id)
    selected_team = team_of(league, team)
    _refuse_other_captains(request, selected_team)
    form = SignOnForm(request.POST or None, organiser=may_run(request, league))
    if form.is_valid():
        try:
            actions.sign_on(
                selected_team, by=actor_of(request), at=timezone.now(), **form.cleaned_data
            )
        except Refused as refused:
            refused.show_in(form)
        else:
            messages.success(request, _("Added %(name)s.") % {"name": form.cleaned_data["name"]})
            return redirect("team", club.slug, public_id, team)
    context = {
        "club": club,
        "here": "leagues",
        "league": league,
        "form": form,
        "team": selected_team,
    }
    return render(request, "teams/sign_on.html", context, status=422 if form.errors else 200)


def _refuse_other_captains(request: ClubRequest, team: Team) -> None:
    if not may_add_players(request, team):
        message = _("An organiser adds players to this team.")
        raise Refused("not-captain", message, status=403)


def may_add_players(request: ClubRequest, team: Team) -> bool:
    """Whether the reader may add players to this team."""
    is_allowed = may_sign_on(team.league) and is_captain(request, team)
    return may_run(request, team.league) or is_allowed


def may_sign_on(league: TeamLeague) -> bool:
    """Whether captains may add players to their teams."""
    return bool(league.squad_rules.get("sign_on"))


@require_http_methods(["GET", "HEAD", "POST"])
@secretary_page
def team_invite(request: HttpRequest, club: Club, public_id: str, team: str) -> HttpResponse:
    """Create a link with which a team's captain gets an account; it is shown once.

    Opening the page again, for example at the site's address for phones, leads back to the team.
    """
    selected_team = team_of(league_of(club, public_id), team)
    team_url = reverse("team", args=[club.slug, public_id, team])
    if request.method != "POST":
        return redirect(team_url)
    try:
        if selected_team.captain is None:
            raise Refused("no-captain", _("This team has no captain."), status=409)
        invitation = invite_player(selected_team.captain, by=actor_of(request), at=timezone.now())
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect(team_url)
    return invitation_made(request, *invitation, back=team_url)


@league_action
def team_drop(request: ClubRequest, league: TeamLeague, team: str) -> str:
    """Delete a team that has no matches yet."""
    selected_team = team_of(league, team)
    actions.drop_team(selected_team, by=actor_of(request))
    return _("Removed %(team)s.") % {"team": selected_team.name}


@league_action
def team_withdraw(request: ClubRequest, league: TeamLeague, team: str) -> str:
    """A team leaves the league; its results stay on record."""
    selected_team, now = team_of(league, team), timezone.now()
    today = local_date(league.club, now)
    data = valid(WithdrawForm(request.POST, today=today))
    day = data["day"] or today
    at = now if day == today else datetime.combine(day, time(12), tzinfo=league.club.zone)
    actions.withdraw_team(selected_team, reason=data["reason"], by=actor_of(request), at=at)
    return _("%(team)s has left the league.") % {"team": selected_team.name}


@league_action
def team_return(request: ClubRequest, league: TeamLeague, team: str) -> str:
    """A team that has left comes back."""
    selected_team = team_of(league, team)
    actions.return_team(selected_team, by=actor_of(request), at=timezone.now())
    return _("%(team)s is back in the league.") % {"team": selected_team.name}


@league_action
def team_deduct(request: ClubRequest, league: TeamLeague, team: str) -> str:
    """Deduct points, with a reason."""
    data = valid(DeductForm(request.POST))
    actions.deduct(team_of(league, team), by=actor_of(request), at=timezone.now(), **data)
    amount = abs(data["points"])
    form = ngettext("Deducted %(n)s point.", "Deducted %(n)s points.", 1 if amount == 1 else 2)
    if data["points"] < 0:
        form = ngettext("Added %(n)s point.", "Added %(n)s points.", 1 if amount == 1 else 2)
    return form % {"n": floatformat(amount)}


@league_action
def team_give_back(request: ClubRequest, league: TeamLeague, team: str, deduction: int) -> str:
    """Withdraw a deduction of points."""
    selected_team = team_of(league, team)
    row = get_object_or_404(Deduction, team=selected_team, pk=deduction)
    row.team = selected_team
    actions.give_back(row, by=actor_of(request), at=timezone.now())
    return _("Took the points back.") if row.points < 0 else _("Gave the points back.")


@require_safe
@club_page("member")
def team_mine(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """The teams that the reader leads, and the other teams of the same houses."""
    context = league_context(request, club, public_id)
    league: TeamLeague = context["league"]
    matches, borrowed = all_matches_of(league), borrowed_counts(league)
    today = local_date(club, timezone.now())
    deductions = Deduction.objects.filter(team__league=league, withdrawn_at=None)
    context["led"] = [
        led_team(
            team,
            matches,
            is_own=is_captain(request, team),
            today=today,
            people=[(player.name, borrowed[player.pk]) for player in players_of(team)],
            deductions=[one for one in deductions if one.team_id == team.pk],
            may_sign_on=may_sign_on(league) and is_captain(request, team),
        )
        for team in teams_led(request, league)
    ]
    own_teams = [led.team for led in context["led"] if led.is_own]
    context["own_cards"] = cards_for_captain(club, request.user.pk, at=timezone.now())
    context["squads"] = squad_rule(league)
    context["recent"] = messages_to_read(request, league, own_teams)
    context["cards_to_fill"] = cards_to_fill(
        request, league, own_teams, matches, until=today + SOON
    )
    return render(request, "teams/mine.html", context)


def teams_led(request: ClubRequest, league: TeamLeague) -> list[Team]:
    """The teams this account leads, then those of the same house."""
    if not request.user.is_authenticated:
        return []
    own_teams = league.teams.filter(captain__user=request.user)
    houses = [house for house in own_teams.values_list("house", flat=True) if house]
    led_or_same_house = Q(captain__user=request.user) | Q(house__in=houses)
    teams = list(
        league.teams.filter(led_or_same_house, withdrawn_at=None)
        .select_related("captain")
        .distinct()
    )
    for team in teams:
        team.league = league
    return sorted(teams, key=lambda team: not is_captain(request, team))


@league_action
def team_transfer(request: ClubRequest, league: TeamLeague, team: str) -> str:
    """Transfer a player from another team."""
    target = team_of(league, team)
    data = valid(TransferForm(request.POST, team=target))
    member = data.pop("member")
    actions.transfer_player(member, target, by=actor_of(request), at=timezone.now(), **data)
    return _("%(name)s now plays for %(team)s.") % {"name": member.name, "team": target.name}
