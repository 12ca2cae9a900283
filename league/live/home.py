"""The home pages of the site and of a club: what is on, what comes next, what to do."""

from dataclasses import dataclass
from typing import Any, cast

from django.conf import settings
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import resolve, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.access import PUBLIC, club_page, rank_of, reaches
from league.live.hub import decisions_of
from league.members import queries
from league.members.languages import follow_account
from league.members.models import Club, User
from league.members.sign_up import may_sign_up, may_start_club, who_starts_clubs
from league.network import is_this_computer
from league.seating.models import Round
from league.sessions.models import Session
from league.sessions.queries import (
    evening_name,
    latest_sessions,
    local_date,
    season_on,
    sessions_tonight,
)
from league.teams.queries import running_leagues
from league.tournaments.models import Tournament
from league.tournaments.queries import running_in


@require_safe
@never_cache
@follow_account
def home(request: HttpRequest) -> HttpResponse:
    """The account's clubs and tonight's sessions; for visitors, an introduction."""
    if not request.user.is_authenticated:
        if settings.LAPTOP:  # no introduction in the hall
            start_page = "demo" if settings.LAPTOP == "demo" else "account_login"
            return redirect(start_page if is_this_computer(request) else "phone_came")
        can_sign_up, has_accounts = may_sign_up(request), User.objects.exists()
        context = {"clubs": queries.listed_clubs()[:50], "may_sign_up": can_sign_up}
        context["is_first"] = can_sign_up and not has_accounts
        return render(request, "members/landing.html", context)
    user, now = request.user, timezone.now()
    context = {
        "clubs": queries.clubs_of(user),
        "tonight": sessions_tonight(user, at=now),
        "invitations": queries.invitations_of(user, at=now),
        "may_start_club": may_start_club(user),
        "who_starts_clubs": who_starts_clubs(),
    }
    return render(request, "members/home.html", context)


@require_safe
@never_cache
def help_page(request: HttpRequest) -> HttpResponse:
    """A short guide to an evening and its problems; docs/club-night.md is the full version."""
    slug = request.GET.get("club", "")
    club = _club_in_help(request.user, slug)
    context: dict[str, Any] = {"at": _pages_of(club) if club else {}}
    if club and club.slug == slug:  # opened from a page of the club: its menu stays
        context["club"] = club
        request.rank = club.rank  # type: ignore[attr-defined]
    return render(request, "members/help.html", context)


CLUB_PAGES = [
    "sessions",
    "rulesets",
    "rules_print",
    "seasons",
    "tournaments",
    "team_leagues",
    "roles",
    "club_files",
    "members",
    "club_settings",
]
SESSION_PAGES = [
    "checkin",
    "seating",
    "paper",
    "board",
    "session",
    "wall_made",
    "final_scores",
    "session_standings",
]


def _club_in_help(user: Any, slug: str) -> Any:
    """The club whose pages the help links to, with the account's rank.

    It is the club with this slug, from which the help was opened; else the only club that the
    account runs, or else is in. Of several clubs it is the one that plays now. None if there is not
    exactly one.
    """
    clubs: list[Any] = list(queries.clubs_of(user)) if user.is_authenticated else []
    own_clubs = [club for club in clubs if club.slug == slug]
    own_clubs = own_clubs or [club for club in clubs if reaches(club.rank, "organiser")] or clubs
    if len(own_clubs) > 1:
        playing = Session.objects.filter(
            club__in=own_clubs, state=Session.State.OPEN, of_team_match=False
        )
        playing_clubs = set(playing.values_list("club", flat=True))
        own_clubs = [club for club in own_clubs if club.pk in playing_clubs]
    return own_clubs[0] if len(own_clubs) == 1 else None


def _pages_of(club: Any) -> dict[str, str]:
    """The URLs of the pages of a club, and of its open session, that the account may open, by
    name."""
    pages = {name: reverse(name, args=[club.slug]) for name in CLUB_PAGES}
    for night in club.sessions.filter(state=Session.State.OPEN, of_team_match=False)[:1]:
        pages |= {name: reverse(name, args=[club.slug, night.public_id]) for name in SESSION_PAGES}
    return {name: url for name, url in pages.items() if reaches(club.rank, _least_rank(url))}


def _least_rank(address: str) -> str:
    return cast(str, resolve(address).func.least_rank)  # type: ignore[attr-defined]


ROBOTS = """User-agent: *
Allow: /$
Allow: /c/*/$
Allow: /help/
Allow: /static/
Disallow: /
"""
"""Search engines may read the home pages and the help; pages about people add `noindex`."""


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """The rules for search engines."""
    return HttpResponse(ROBOTS, content_type="text/plain")


@require_safe
@club_page(PUBLIC)
def club(request: HttpRequest, club: Club) -> HttpResponse:
    """A club's home page: tonight, next and past sessions, and what to do next."""
    context = {"club": club, "sessions": latest_sessions(club), "here": "club"}
    today = local_date(club, timezone.now())
    organiser = reaches(rank_of(request), "organiser")
    context["leagues"] = running_leagues(
        club, since=today, user=request.user.pk, organiser=organiser
    )
    context["entry_forms"] = _open_entry_forms(club)
    context["player"] = queries.player_of(club, request.user)
    if organiser:
        context["to_do"] = _first_steps(club)
        context["decisions"] = decisions_of(club)
        context["unlinked"] = list(queries.unlinked_roles(club).values_list("pk", flat=True))
    return render(request, "members/club.html", context)


def _open_entry_forms(club: Club) -> QuerySet[Tournament]:
    """The tournaments whose public entry form is open, until their first draw. One query."""
    preparing = club.tournaments.filter(state=Tournament.State.SETUP).exclude(places=None)
    return preparing.exclude(stages__rounds__isnull=False)


def _first_steps(club: Club) -> dict[str, int]:
    """The numbers of people, sessions and rulesets, to see what a new club lacks. One query."""
    counts = Club.objects.filter(pk=club.pk).aggregate(
        people=Count("members", distinct=True),
        sessions=Count("sessions", distinct=True),
        rulesets=Count("rulesets", filter=Q(rulesets__is_default=True), distinct=True),
    )
    return {name: int(number) for name, number in counts.items()}


STEPS = ("players", "session", "checkin", "publish", "cards")


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the first night: its number, what to do, and the page or form for it.

    On the page named `page` the button is left out. With `fields` the button posts them.
    """

    number: int
    of: int
    title: str
    sentence: str
    label: str
    page: str
    address: str
    fields: dict[str, Any]


def next_step(club: Club) -> Step | None:
    """The next step of the first night, in at most seven queries.

    None once hands are entered or a session is over, and in a session with a tournament, whose own
    page says what comes next.
    """
    if club.sessions.filter(state=Session.State.CLOSED).exists():
        return None
    if not club.members.exists():
        return _step(
            "players",
            _("Add your players"),
            _("Paste the list you have, or add them one by one."),
            _("Paste a list of names"),
            "members_paste",
            club.slug,
        )
    night = club.sessions.filter(state=Session.State.OPEN).order_by("-held_on", "-id").first()
    if night is None:
        today = local_date(club, timezone.now())
        return _step(
            "session",
            _("Start a session"),
            _("A session is one evening of your club. You can start it before people arrive."),
            _("Start tonight's session"),
            "session_new",
            club.slug,
            fields={
                "name": evening_name(club, today),
                "held_on": today.isoformat(),
                "season": season.pk if (season := season_on(club, today)) else "",
            },
        )
    return _session_step(club, night)


def _session_step(club: Club, night: Session) -> Step | None:
    url_args = (club.slug, night.public_id)
    if running_in(night) is not None:
        return None
    round_states = set(night.rounds.values_list("state", flat=True))
    if Round.State.PUBLISHED in round_states:
        has_play = Q(games__hands_played__gt=0) | Q(games__results__finished=True)
        if night.tables.filter(has_play).exists():
            return None
        title = _("Print the table cards")
        sentence = _("Put one on each table. Players scan it to enter hands, without an account.")
        return _step("cards", title, sentence, _("Print table cards"), "print_cards", *url_args)
    if Round.State.DRAFT in round_states:
        title = _("Publish the tables")
        sentence = _("Check who sits where. Publishing shows it on phones and on the wall.")
        return _step("publish", title, sentence, _("View the tables"), "seating", *url_args)
    if night.attendances.filter(left_at=None).count() < 2:
        title = _("Check in your players")
        sentence = _("Tap each name as people arrive, or check in everyone. Then make the tables.")
        return _step("checkin", title, sentence, _("Check in"), "checkin", *url_args)
    title, sentence = _("Make tables"), _("Once everyone is checked in, tap Make tables.")
    return _step("checkin", title, sentence, _("Go to check-in"), "checkin", *url_args)


def _step(
    code: str,
    title: str,
    sentence: str,
    label: str,
    page: str,
    *url_args: str,
    fields: dict[str, Any] | None = None,
) -> Step:
    number = STEPS.index(code) + 1
    address = reverse(page, args=url_args)
    return Step(number, len(STEPS), title, sentence, label, page, address, fields or {})
