"""A team: its page, entering and changing it, its leaving and coming back, points taken off it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any

from django.contrib import messages
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from league.access import PUBLIC, ClubRequest, club_page
from league.errors import Refused, typed_at, valid
from league.members.actions.roles import invite_player
from league.members.audit import actor_of
from league.members.models import Club, Member
from league.members.names import sort_key
from league.members.public import has_public_page
from league.members.views.roles import invitation_made
from league.ranking.team_league import split_record
from league.sessions.queries import local_date
from league.teams import actions
from league.teams.eligibility import borrowed_counts, small_squad
from league.teams.forms import DeductForm, SignOnForm, TeamForm
from league.teams.match_forms import WithdrawForm
from league.teams.models import Deduction, Team, TeamLeague
from league.teams.queries import (
    MatchRecord,
    all_matches_of,
    fixtures_of,
    league_of,
    players_of,
    recent_messages,
    rules_of,
    table_of,
    tables_of,
    team_of,
)
from league.teams.rules_forms import TransferForm
from league.teams.tables import MatchShown, joined_of, match_shown, rounds_of, rows_of, state_of
from league.teams.text import WITHDRAWALS
from league.teams.views.leagues import leads, league_action, opened, runs, secretary_page


@require_safe
@club_page(PUBLIC)
def team(request: ClubRequest, club: Club, public_id: str, team: str) -> HttpResponse:
    """A team's place, its people, its matches."""
    context = opened(request, club, public_id)
    league = context["league"]
    one = team_of(league, team)
    fixtures = fixtures_of(league)
    tables = tables_of(context["league"], context["teams"], fixtures)
    table = table_of(one, tables)
    rows = rows_of(table, context["teams"])
    deductions = one.deductions.order_by("pk")
    matches = [match_shown(m) for m in fixtures if one.pk in m.met.teams]
    context |= {
        "team": one,
        "may_sign_on": context["organiser"] or (may_sign_on(league) and leads(request, one)),
        "waits": fixtures and not matches and one.withdrawn_at is None,
        "row": next(row for row in rows if row.team == one),
        "people": sorted(
            (_person(request, club, context, who) for who in players_of(one)),
            key=lambda person: sort_key(person[0]),
        ),
        "captain": context["name_of"](one.captain) if one.captain else "",
        "matches": matches,
        "small": small_squad(one) if context["organiser"] else "",
        "joined": joined_of(rounds_of(fixtures, context["teams"]), [one]),
        "deductions": deductions if request.rank else deductions.filter(withdrawn_at=None),
        "deduct_form": DeductForm(typed_at(request, _address("team_deduct", one))),
        "withdraw_form": WithdrawForm(
            typed_at(request, _address("team_withdraw", one)),
            today=local_date(club, timezone.now()),
        ),
        "leaving": WITHDRAWALS[rules_of(league).withdrawal](),
        "halves": split_record(one.pk, table.over, rules_of(league)),
        "transfers": league.transfers.filter(Q(source=one) | Q(target=one)).select_related(
            "member", "source", "target"
        ),
        "transfer_form": _transfer_form(request, one) if context["organiser"] else None,
    }
    return render(request, "teams/team.html", context)


def _transfer_form(request: ClubRequest, one: Team) -> TransferForm:
    return TransferForm(typed_at(request, _address("team_transfer", one)), team=one)


def _address(name: str, one: Team) -> str:
    return reverse(name, args=[one.league.club.slug, one.league.public_id, one.public_id])


def _person(
    request: ClubRequest, club: Club, context: dict[str, Any], member: Member
) -> tuple[str, str]:
    """A name as the reader may see it, with the id of the person's page where there is one."""
    page = member.public_id if has_public_page(member, club, request.rank) else ""
    return context["name_of"](member), page


@require_http_methods(["GET", "HEAD", "POST"])
@secretary_page
def team_new(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Enter a team."""
    league = league_of(club, public_id)
    form = TeamForm(request.POST or None, league=league)
    if form.is_valid() and (made := _saved(request, league, None, form)):
        messages.success(request, _("Added %(team)s.") % {"team": made.name})
        if league.matches.filter(cup=None).exists():
            return redirect("team_join", club.slug, public_id, made.public_id)
        return redirect("team_league", club.slug, public_id)
    return _form(request, league, form, None)


@require_http_methods(["GET", "HEAD", "POST"])
@secretary_page
def team_edit(request: HttpRequest, club: Club, public_id: str, team: str) -> HttpResponse:
    """Change a team: its name, its venue, its people."""
    league = league_of(club, public_id)
    one = team_of(league, team)
    form = TeamForm(request.POST or None, league=league, team=one)
    if form.is_valid() and _saved(request, league, one, form):
        messages.success(request, _("Saved."))
        return redirect("team", club.slug, public_id, team)
    return _form(request, league, form, one)


def _saved(
    request: HttpRequest, league: TeamLeague, team: Team | None, form: TeamForm
) -> Team | None:
    try:
        return actions.save_team(
            league, team, by=actor_of(request), at=timezone.now(), **form.cleaned_data
        )
    except Refused as refused:
        refused.show_in(form)
        return None


def _form(
    request: HttpRequest, league: TeamLeague, form: TeamForm, team: Team | None
) -> HttpResponse:
    context = {"club": league.club, "here": "leagues", "league": league, "form": form}
    context |= {"team": team, "drawn": league.matches.filter(cup=None).exists()}
    status = 422 if form.errors else 200
    return render(request, "teams/team_form.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@club_page("member")
def team_sign_on(request: ClubRequest, club: Club, public_id: str, team: str) -> HttpResponse:
    """A new player joins a team: by its captain, where the league's rules say so."""
    league = league_of(club, public_id)
    one = team_of(league, team)
    _refuse_other_captains(request, one)
    form = SignOnForm(request.POST or None, organiser=runs(request, league))
    if form.is_valid():
        try:
            actions.sign_on(one, by=actor_of(request), at=timezone.now(), **form.cleaned_data)
        except Refused as refused:
            refused.show_in(form)
        else:
            messages.success(request, _("Added %(name)s.") % {"name": form.cleaned_data["name"]})
            return redirect("team", club.slug, public_id, team)
    context = {"club": club, "here": "leagues", "league": league, "form": form, "team": one}
    return render(request, "teams/sign_on.html", context, status=422 if form.errors else 200)


def _refuse_other_captains(request: ClubRequest, team: Team) -> None:
    if runs(request, team.league):
        return
    if not (may_sign_on(team.league) and leads(request, team)):
        message = _("An organiser adds players to this team.")
        raise Refused("not-captain", message, status=403)


def may_sign_on(league: TeamLeague) -> bool:
    """Whether captains may add players to their teams."""
    return bool(league.squad_rules.get("sign_on"))


@require_http_methods(["GET", "HEAD", "POST"])
@secretary_page
def team_invite(request: HttpRequest, club: Club, public_id: str, team: str) -> HttpResponse:
    """Make a link by which a team's captain gets an account; it is shown once. Its page opened
    again, as at an address for phones, leads back to the team."""
    one = team_of(league_of(club, public_id), team)
    back = reverse("team", args=[club.slug, public_id, team])
    if request.method != "POST":
        return redirect(back)
    try:
        if one.captain is None:
            raise Refused("no-captain", _("This team has no captain."), status=409)
        made = invite_player(one.captain, by=actor_of(request), at=timezone.now())
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect(back)
    return invitation_made(request, *made, back=back)


@league_action
def team_drop(request: ClubRequest, league: TeamLeague, team: str) -> str:
    """A team that has no matches yet is taken off the list."""
    one = team_of(league, team)
    actions.drop_team(one, by=actor_of(request))
    return _("Removed %(team)s.") % {"team": one.name}


@league_action
def team_withdraw(request: ClubRequest, league: TeamLeague, team: str) -> str:
    """A team leaves the league; what it has played stands."""
    one, now = team_of(league, team), timezone.now()
    today = local_date(league.club, now)
    day = valid(WithdrawForm(request.POST, today=today))["day"] or today
    at = now if day == today else datetime.combine(day, time(12), tzinfo=league.club.zone)
    actions.withdraw_team(one, by=actor_of(request), at=at)
    return _("%(team)s has left the league.") % {"team": one.name}


@league_action
def team_return(request: ClubRequest, league: TeamLeague, team: str) -> str:
    """A team that had left plays on."""
    one = team_of(league, team)
    actions.return_team(one, by=actor_of(request))
    return _("%(team)s is back in the league.") % {"team": one.name}


@league_action
def team_deduct(request: ClubRequest, league: TeamLeague, team: str) -> str:
    """Points are taken off, with a reason."""
    data = valid(DeductForm(request.POST))
    actions.deduct(team_of(league, team), by=actor_of(request), at=timezone.now(), **data)
    return _("Deducted the points.")


@league_action
def team_give_back(request: ClubRequest, league: TeamLeague, team: str, deduction: int) -> str:
    """Points that were taken off are given back."""
    one = team_of(league, team)
    row = get_object_or_404(Deduction, team=one, pk=deduction)
    row.team = one
    actions.give_back(row, by=actor_of(request), at=timezone.now())
    return _("Gave the points back.")


@dataclass(frozen=True, slots=True)
class Led:
    """A team on its captain's page: the cards to confirm, those whose day is past and that are
    missing, the next matches, the last results, the people with how often each has been
    borrowed."""

    team: Team
    cards: Sequence[MatchShown]
    overdue: Sequence[MatchShown]
    coming: Sequence[MatchShown]
    last: Sequence[MatchShown]
    people: Sequence[tuple[str, int]]
    may_sign_on: bool


@require_safe
@club_page("member")
def team_mine(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """The teams that the reader leads, and the others of their houses; no one else's."""
    context = opened(request, club, public_id)
    league: TeamLeague = context["league"]
    matches, borrowed = all_matches_of(league), borrowed_counts(league)
    today = local_date(club, timezone.now())
    context["led"] = [
        Led(
            one,
            *_matches(one, matches, own=leads(request, one), today=today),
            [(who.name, borrowed[who.pk]) for who in players_of(one)],
            may_sign_on(league) and leads(request, one),
        )
        for one in teams_led(request, league)
    ]
    own = [one.team for one in context["led"] if leads(request, one.team)]
    context["recent"] = recent_messages(league, timezone.now(), own)
    return render(request, "teams/mine.html", context)


def teams_led(request: ClubRequest, league: TeamLeague) -> list[Team]:
    """The teams this account leads, then those of the same house."""
    if not request.user.is_authenticated:
        return []
    own = league.teams.filter(captain__user=request.user)
    houses = [house for house in own.values_list("house", flat=True) if house]
    mine = Q(captain__user=request.user) | Q(house__in=houses)
    teams = list(league.teams.filter(mine, withdrawn_at=None).select_related("captain").distinct())
    for team in teams:
        team.league = league
    return sorted(teams, key=lambda team: not leads(request, team))


COMING = 3


def _matches(
    team: Team, matches: Sequence[MatchRecord], *, own: bool, today: date
) -> tuple[list[MatchShown], list[MatchShown], list[MatchShown], list[MatchShown]]:
    """The cards that wait for the captain of the `own` team, the matches whose card is missing,
    the next ones and the last results; of the league and of its cups."""
    mine = [match for match in matches if team.pk in match.met.teams]
    waiting = [match_shown(one) for one in mine if own and _waits_for(one, team)]
    open_ones = [one for one in mine if state_of(one) in ("to_play", "postponed")]
    open_ones.sort(key=lambda one: (one.match.held_on is None, one.match.held_on, one.match.pk))
    past = [one for one in open_ones if one.match.held_on and one.match.held_on < today]
    coming = [one for one in open_ones if one not in past][:COMING]
    done = [one for one in mine if state_of(one) in ("done", "given")]
    done.sort(key=lambda one: (one.match.held_on or date.min, one.match.pk), reverse=True)
    last = [match_shown(one) for one in done[:COMING]]
    return waiting, [match_shown(one) for one in past], [match_shown(one) for one in coming], last


def _waits_for(one: MatchRecord, team: Team) -> bool:
    return one.is_disputed or (one.waits and one.match.written_by_id != team.pk)


@league_action
def team_transfer(request: ClubRequest, league: TeamLeague, team: str) -> str:
    """Somebody comes from another team."""
    target = team_of(league, team)
    data = valid(TransferForm(request.POST, team=target))
    member = data.pop("member")
    actions.transfer_player(member, target, by=actor_of(request), at=timezone.now(), **data)
    return _("%(name)s now plays for %(team)s.") % {"name": member.name, "team": target.name}
