"""The club's leagues: their list, creating and editing one, and a league's own page."""

import secrets
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from functools import wraps
from typing import Any

from django.contrib import messages
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.access import PUBLIC, ClubRequest, club_page, reaches
from league.errors import Refused, keep_typed, typed_at
from league.labels import as_label
from league.members.account_mail import address_of_site
from league.members.audit import actor_of
from league.members.models import Club, Role, namer
from league.network import is_only_nearby
from league.sessions.queries import local_date
from league.teams import actions, promotion, results_text
from league.teams.cup_forms import CupForm, play_off_forms
from league.teams.cups import bracket_of
from league.teams.fixtures import starts_at
from league.teams.forms import EndForm, LeagueForm
from league.teams.front_page import OPEN, latest_results, next_step, unfinished
from league.teams.led_teams import unconfirmed_cards, with_cards_to_check
from league.teams.models import CardPhotograph, Deduction, MatchMessage, Team, TeamCup, TeamLeague
from league.teams.presets import PRESETS, printed_rules
from league.teams.promotion import ending_shown, play_offs_shown, ranked_divisions, winners_of
from league.teams.queries import (
    MatchRecord,
    Tables,
    all_matches_of,
    last_round_played,
    league_members,
    league_of,
    leagues_of,
    rules_of,
    tables_of,
)
from league.teams.rules_forms import SecondForm, quote_printed_rules
from league.teams.tables import brought_forward, in_state, overdue_matches, round_to_play, rounds_of
from league.teams.text import points_rule, table_rule


def may_run(request: HttpRequest, league: TeamLeague) -> bool:
    """Whether the user may run this league, as an organiser or as its secretary."""
    if reaches(getattr(request, "rank", None), Role.Rank.ORGANISER):
        return True
    secretary = league.secretary
    return bool(
        getattr(request, "rank", None)
        and secretary
        and secretary.user_id is not None
        and secretary.user_id == request.user.pk
    )


def secretary_page(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorate a view for the club's organisers and the league's secretary; other members get a
    403."""

    @club_page("member")
    @wraps(view)
    def guarded(request: ClubRequest, club: Club, public_id: str, **kwargs: Any) -> HttpResponse:
        if not reaches(request.rank, Role.Rank.ORGANISER) and not may_run(
            request, league_of(club, public_id)
        ):
            message = _("Only an organiser or the secretary of this league can do that.")
            raise Refused("not-secretary", message, status=403)
        return view(request, club, public_id, **kwargs)

    guarded.least_rank = Role.Rank.ORGANISER.value  # type: ignore[attr-defined]
    return guarded


def run_action(request: HttpRequest, act: Callable[[], str]) -> None:
    """Run `act` and show the message that it returns. If it is refused, show the refusal and keep
    what was typed for the form."""
    try:
        messages.success(request, act())
    except Refused as refused:
        messages.error(request, refused.message)
        keep_typed(request)


def league_action(
    act: Callable[..., str], *, page: str = "team_league"
) -> Callable[..., HttpResponse]:
    """Make a view for an organiser's action on a league, or on a team or cup of it.

    `act` gets the request, the league and the other URL arguments, and returns a message. The view
    redirects to the page of the team or cup, or else to this `page` of the league.
    """

    @require_POST
    @secretary_page
    @wraps(act)
    def view(request: ClubRequest, club: Club, public_id: str, **kwargs: Any) -> HttpResponse:
        league = league_of(club, public_id)
        run_action(request, lambda: act(request, league, **kwargs))
        if league.teams.filter(public_id=kwargs.get("team", "")).exists():
            return redirect("team", club.slug, public_id, kwargs["team"])
        if league.cups.filter(public_id=kwargs.get("cup", "")).exists():
            return redirect("team_cup", club.slug, public_id, kwargs["cup"])
        if league.pairs_cups.filter(public_id=kwargs.get("pairs", "")).exists():
            return redirect("team_pairs", club.slug, public_id, kwargs["pairs"])
        return redirect(page, club.slug, public_id)

    return view


SEEDS = 2**31
State = TeamLeague.State


@require_safe
@club_page(PUBLIC)
def team_leagues(request: ClubRequest, club: Club) -> HttpResponse:
    """The list of the club's leagues."""
    organiser, user = reaches(request.rank, Role.Rank.ORGANISER), request.user.pk
    leagues = with_cards_to_check(leagues_of(club), club, user, organiser=organiser)[:100]
    context = {"club": club, "here": "leagues", "leagues": leagues, "organiser": organiser}
    return render(request, "teams/leagues.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@club_page("organiser")
def team_league_new(request: HttpRequest, club: Club) -> HttpResponse:
    """Create a league, optionally from a printed rulebook."""
    preset = PRESETS.get(request.POST.get("preset") or request.GET.get("preset") or "")
    form = LeagueForm(request.POST or None, club=club, preset=preset)
    quote_printed_rules(form, preset)
    if form.is_valid():
        seed, by = secrets.randbelow(SEEDS), actor_of(request)
        try:
            league = actions.make_league(club, seed=seed, by=by, **form.cleaned_data)
        except Refused as refused:
            refused.show_in(form)
        else:
            return redirect("team_league", club.slug, league.public_id)
    context = {"club": club, "here": "leagues", "form": form, "printed": printed_rules(preset)}
    context |= {"preset": preset, "presets": PRESETS.values()}
    return render(request, "teams/setup.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@secretary_page
def team_league_edit(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Edit a league. The page also leads to those that close or cancel it."""
    league = league_of(club, public_id)
    appoints = reaches(request.rank, Role.Rank.ORGANISER)
    form = LeagueForm(request.POST or None, club=club, league=league, appoints=appoints)
    quote_printed_rules(form, PRESETS.get(league.preset))
    if form.is_valid():
        before = promotion.leaders_of(league)
        try:
            league = actions.change_league(league, by=actor_of(request), **form.cleaned_data)
        except Refused as refused:
            refused.show_in(form)
        else:
            messages.success(request, promotion.saved_text(league, before))
            return redirect("team_league", club.slug, public_id)
    context = {"club": club, "here": "leagues", "league": league, "form": form}
    context["may_delete"] = not actions.has_results(league)
    return render(request, "teams/setup.html", context, status=422 if form.errors else 200)


def league_context(request: ClubRequest, club: Club, public_id: str) -> dict[str, Any]:
    """The template context shared by all pages of a league."""
    league = league_of(club, public_id)
    people = () if request.rank else league_members(league)  # to tell short names apart
    return {
        "club": club,
        "here": "leagues",
        "league": league,
        "teams": list(league.teams.with_captains()),
        "organiser": may_run(request, league),
        "starts_at": starts_at(league),
        "today": local_date(club, timezone.now()),
        "name_of": namer(people, club, request.rank),
    }


PLAY_OFF_FORMS = ("team_play_off", "team_play_off_match")


@require_safe
@club_page(PUBLIC)
def team_league(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """A league's own page: what to do next, the table, the current round."""
    context = league_context(request, club, public_id)
    league, teams, today = context["league"], context["teams"], context["today"]
    all_matches = all_matches_of(league)
    fixtures = [m for m in all_matches if m.match.cup_id is None]
    rules, tables = rules_of(league), tables_of(league, teams, fixtures)
    rounds = rounds_of(fixtures, teams)
    open_states = () if league.is_closed else OPEN
    current_round = round_to_play(rounds, open_states, today)
    context |= {
        "divisions": ranked_divisions(league, tables, teams, rules),
        "rule": table_rule(rules),
        "points": points_rule(rules),
        "rounds": rounds,
        "now": current_round,
        "brought_forward": brought_forward(rounds, current_round, today),
        "put_off": in_state(("postponed",), [r for r in rounds if r is not current_round]),
        "overdue": overdue_matches(rounds, current_round, today),
        "results": latest_results(rounds, today, current_round),
        "cups": cups_with_winners(league, teams),
        "pairs_cups": list(league.pairs_cups.all()),
        "play_offs": play_offs_shown(league, teams),
        "mine": my_team(request, league),
        "leads_a_team": any(is_captain(request, team) for team in teams),
        "cards_to_fill": cards_to_fill(request, league, teams, fixtures),
    }
    rows = [row for _division, rows in context["divisions"] for row in rows]
    context["points_lines"] = results_text.points_lines(rules, rows)
    if any(row.climbed for row in rows):
        context["moved_since"] = last_round_played(fixtures)
    if league.state == State.FINISHED:
        context["winners"] = winners_of(context["divisions"])
        context["unconfirmed"] = unconfirmed_cards(all_matches)
    if not context["organiser"]:
        context["own_overdue"] = _has_own_overdue(context)
    context["deductions"] = deductions_to_read(request, league, tables)
    if not rounds:
        listed = league.teams.with_captains().select_related("division")
        listed = listed.annotate(squad=Count("players"))
        context |= {"entered": listed, "has_divisions": league.divisions.exists()}
    if context["organiser"]:
        ending = ending_shown(league, teams, tables, rules)
        context |= _organiser_context(request, league, ending)
        due = [play_off.name for play_off in ending["play_offs"]]
        context["next"] = next_step(league, teams, fixtures, all_matches, due)
    return render(request, "teams/league.html", context)


def deductions_to_read(request: ClubRequest, league: TeamLeague, tables: Tables) -> list[Deduction]:
    """The deductions behind these tables, whose reasons only members of the club read."""
    if not request.rank or not any(table.has_deductions for table in tables.values()):
        return []
    deductions = Deduction.objects.filter(team__league=league, withdrawn_at=None)
    return list(deductions.select_related("team__division"))


def _has_own_overdue(context: dict[str, Any]) -> bool:
    """Whether the reader may fill in an overdue card: a captain's own are not folded away."""
    return any(s.match.public_id in context["cards_to_fill"] for s in context["overdue"])


def cups_with_winners(league: TeamLeague, teams: Sequence[Team]) -> list[tuple[TeamCup, str]]:
    """The league's cups, each with its winners once the league is closed."""
    names = {team.pk: team.name for team in teams}
    cups = league.cups.all()
    if not league.is_closed:
        return [(cup, "") for cup in cups]
    return [(cup, names.get(int(bracket_of(cup).champion or 0), "")) for cup in cups]


def _organiser_context(
    request: ClubRequest, league: TeamLeague, ending: dict[str, Any]
) -> dict[str, Any]:
    """The forms and messages on a league's page that only organisers see."""
    url_args = [league.club.slug, league.public_id]
    typed = [typed_at(request, reverse(name, args=url_args)) for name in PLAY_OFF_FORMS]
    return {
        "may_import": league.state in (State.SETUP, State.RUNNING),
        "recent": messages_to_read(request, league),
        "cup_form": CupForm(),
        "second_form": SecondForm(typed_at(request, reverse("team_second", args=url_args))),
        **_embed_context(request, league, reverse("team_embed", args=url_args)),
        "due": [(p, *play_off_forms(league, p, typed)) for p in ending["play_offs"]],
        "ending": ending,
    }


def cards_to_fill(
    request: ClubRequest,
    league: TeamLeague,
    teams: Sequence[Team],
    fixtures: Sequence[MatchRecord],
    until: date = date.max,
) -> set[str]:
    """Public ids of the matches `until` a day whose card the user may now fill in."""
    if league.state not in (State.SETUP, State.RUNNING):
        return set()
    own_teams = {team.pk for team in teams if is_captain(request, team) or may_run(request, league)}
    return {
        fixture.match.public_id
        for fixture in fixtures
        if fixture.is_to_come and fixture.match.is_untouched
        if (fixture.match.held_on or until) <= until
        if fixture.match.home_id in own_teams or fixture.match.away_id in own_teams
    }


def _embed_context(request: ClubRequest, league: TeamLeague, path: str) -> dict[str, Any]:
    """The code that shows the table on another website."""
    page = address_of_site(request, path)
    title = f"{as_label(league.club.name)} {league.name}"
    return {"embed_page": page, "embed_only_here": is_only_nearby(page), "embed_title": title}


def my_team(request: ClubRequest, league: TeamLeague) -> Team | None:
    """The team for which the user plays, if any."""
    if not request.user.is_authenticated:
        return None
    return league.teams.filter(players__member__user=request.user).first()


def _end_league(
    request: ClubRequest, club: Club, public_id: str, to: TeamLeague.State, done: str
) -> HttpResponse:
    """Ask before a league ends, saying what is lost; a POST ends it and shows `done`."""
    league = league_of(club, public_id)
    if league.is_closed:
        return redirect("team_league", club.slug, public_id)
    form = EndForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        actions.set_league_state(league, to, by=actor_of(request), at=timezone.now())
        messages.success(request, done)
        return redirect("team_league", club.slug, public_id)
    photographs = CardPhotograph.objects.filter(match__league=league).defer("image")
    photographs = photographs.select_related("team", "match__home", "match__away")
    matches = all_matches_of(league)
    context = {
        "club": club,
        "here": "leagues",
        "league": league,
        "form": form,
        "cancels": to == State.CANCELLED,
        "unfinished": unfinished(league, matches),
        "unconfirmed": unconfirmed_cards(matches),
        "photographs": photographs.order_by("match__round", "match__number", "pk"),
    }
    return render(request, "teams/close.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@secretary_page
def team_league_close(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Close the league: its table is final."""
    return _end_league(request, club, public_id, State.FINISHED, _("Closed the league."))


@require_http_methods(["GET", "HEAD", "POST"])
@secretary_page
def team_league_cancel(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Cancel the league."""
    return _end_league(request, club, public_id, State.CANCELLED, _("Called off the league."))


@league_action
def team_league_reopen(request: ClubRequest, league: TeamLeague) -> str:
    """Reopen a closed league."""
    actions.set_league_state(league, State.RUNNING, by=actor_of(request), at=timezone.now())
    return _("Reopened the league.")


def is_captain(request: ClubRequest, team: Team) -> bool:
    """Whether the user is the team's captain, and still in the club."""
    return bool(request.rank and team.captain and team.captain.user_id == request.user.pk)


# The messages on matches that a reader has marked as read: until they sign out.
READ = "match-messages-read"


def last_read(request: HttpRequest) -> dict[int, int]:
    """The last message that the reader has marked as read, by league."""
    return {int(league): last for league, last in request.session.get(READ, {}).items()}


def messages_to_read(
    request: ClubRequest, league: TeamLeague, teams: Iterable[Team] | None = None
) -> QuerySet[MatchMessage]:
    """The latest messages to read on matches of the league, or of these teams."""
    read = last_read(request)
    return MatchMessage.objects.latest_to_read(league, request.user.pk, read, teams)


@require_POST
@club_page("member")
def team_messages_read(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Mark the messages on a league's matches as read, up to the `last` one shown."""
    league = league_of(club, public_id)
    last = request.POST.get("last", "")
    if last.isdecimal() and len(last) < 19:
        request.session[READ] = {**request.session.get(READ, {}), str(league.pk): int(last)}
    if request.POST.get("page") == "club":
        return redirect("club", club.slug)
    page = "team_mine" if request.POST.get("page") == "mine" else "team_league"
    return redirect(page, club.slug, public_id)
