"""The home pages of the site and of a club: what is on, what comes next, what to do."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby
from operator import attrgetter
from typing import Any

from django.conf import settings
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.access import PUBLIC, club_page, rank_of, reaches
from league.live.hub import Step as HubStep
from league.live.hub import decision_step
from league.live.place import Place, about_seatless, place_of, whats_next
from league.live.room import Room, room
from league.members import queries
from league.members.languages import follow_account
from league.members.models import Club, Member, User
from league.members.sign_up import may_sign_up, may_start_club, who_starts_clubs
from league.network import address_for_phones, is_this_computer
from league.play.models import Game
from league.play.queries import BEGUN, TO_DECIDE, unsettled_games
from league.seating.models import Round, Seat, Table
from league.sessions.models import Attendance, Session
from league.sessions.queries import (
    SignUps,
    evening_name,
    is_held_from,
    latest_sessions,
    local_date,
    season_on,
    sessions_tonight,
    upcoming_sign_ups,
)
from league.standings.views.pots import own_debts_context
from league.teams.led_teams import cards_for_captain, leagues_to_confirm, running_leagues
from league.teams.models import MatchMessage, TeamLeague, TeamMatch
from league.teams.views.leagues import last_read
from league.tournaments.games_of_matches import result_in_games
from league.tournaments.models import Entry, Stage, Tournament
from league.tournaments.queries import latest_in, running_in, tournaments_of
from league.tournaments.session_places import shown_in


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
    tonight = sessions_tonight(user, at=now)
    context = {
        "clubs": queries.clubs_of(user),
        "tonight": tonight,
        "own_lines": _own_lines(user, tonight),
        "invitations": queries.invitations_of(user, at=now),
        "leagues_to_confirm": leagues_to_confirm(user),
        "may_start_club": may_start_club(user),
        "who_starts_clubs": who_starts_clubs(),
    }
    return render(request, "members/home.html", context)


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
    now = timezone.now()
    today = local_date(club, now)
    sessions = latest_sessions(club, today)
    context = {"club": club, "sessions": sessions, "here": "club", "today": today}
    context["closed_today"] = closed = _closed_today(sessions["closed"], today)
    context["held_today"] = [one for one in closed if is_held_from(one, rank_of(request))]
    unsettled = Game.objects.filter(unsettled_games(now) | BEGUN, session__in=closed)
    context["unsettled_today"] = set(unsettled.values_list("session_id", flat=True))
    organiser = reaches(rank_of(request), "organiser")
    context["leagues"] = leagues = running_leagues(
        club, since=today, user=request.user.pk, organiser=organiser, read=last_read(request)
    )
    context["match_messages"] = _messages_to_read(leagues, request) if organiser else []
    context["entry_forms"] = _open_entry_forms(club)
    player = queries.player_of(club, request.user)
    context["player"] = player
    if player and context["leagues"]:
        context["own_cards"] = cards_for_captain(club, request.user.pk, at=now)
    own_rooms = _own_rooms(player, sessions["open"]) if player and sessions["open"] else []
    places = [place for _night, _room, place in own_rooms if place]
    context["places"] = [place for place in places if not place.tile.is_over]
    context["own_lines"] = _lines_of(player, own_rooms)
    context |= own_debts_context(club, player)
    if rank_of(request) is None:
        upcoming = upcoming_sign_ups(club, at=now)
        next_night = next(iter(upcoming), None)
        context["upcoming"] = upcoming
        calendar = reverse("club_calendar", args=[club.slug])
        context["calendar_address"] = address_for_phones(request, calendar)
        context["next_night"] = next_night
        context["draws_partners"] = _draws_partners(next_night, sessions)
    if player and sessions["planned"]:
        context["nights"] = upcoming_sign_ups(club, at=now, player=player)
    if organiser:
        context["to_do"] = _first_steps(club)
        context["decisions"] = calls_of(club) + decisions_of(club)
        context["with_requests"] = tournaments_of(club).exclude(requests=None)
        context["unlinked"] = list(queries.unlinked_roles(club).values_list("pk", flat=True))
    return render(request, "members/club.html", context)


OwnRoom = tuple[Session, Room, Place | None]
DRAWS_PARTNERS = (Stage.Format.PROGRESSIVE, Stage.Format.ROTATION)


def calls_of(club: Club) -> list[tuple[Session, HubStep]]:
    """The tables that call an organiser: one step per table, the longest wait first. One query."""
    tables = Table.objects.filter(
        session__club=club,
        session__state=Session.State.OPEN,
        is_live=True,
        called_at__isnull=False,
        coming_at=None,
    )
    steps = []
    for table in tables.select_related("session").order_by("called_at", "pk"):
        board = reverse("board", args=[club.slug, table.session.public_id])
        title = _("Table %(n)s needs you") % {"n": table.number}
        url = f"{board}#table-{table.number}"
        steps.append((table.session, HubStep(title, "", _("Open the board"), url, urgent=True)))
    return steps


def decisions_of(club: Club) -> list[tuple[Session, HubStep]]:
    """The decisions an organiser has to make: one step per session, the latest first."""
    games = Game.objects.filter(TO_DECIDE, session__club=club).select_related(
        "table", "session__team_match__league"
    )
    by_session = groupby(
        games.order_by("-session__held_on", "-session_id", "table__number"),
        key=attrgetter("session"),
    )
    steps = []
    for night, session_games in by_session:
        disputes = reverse("disputes", args=[club.slug, night.public_id])
        if match := getattr(night, "team_match", None):  # its games are one card
            step = _card_step(club, match)
        else:
            step = decision_step(club, list(session_games), disputes)
        steps.append((night, step))
    return steps


def _card_step(club: Club, match: TeamMatch) -> HubStep:
    """The step for a disputed card of a team league, which is one decision."""
    url = reverse("team_match", args=[club.slug, match.league.public_id, match.public_id])
    text = _("The players are waiting.")
    return HubStep(
        _("A card is disputed"), text, _("Decide the card"), url + "#decide", urgent=True
    )


def _messages_to_read(
    leagues: Iterable[TeamLeague], request: HttpRequest
) -> list[tuple[TeamLeague, QuerySet[MatchMessage]]]:
    """The messages on matches that wait for an organiser, by league. One query for each."""
    to_read = MatchMessage.objects.latest_to_read
    return [
        (league, to_read(league, request.user.pk, last_read(request)))
        for league in leagues
        if league.state == TeamLeague.State.RUNNING and league.has_messages  # type: ignore[attr-defined]
    ]


def _closed_today(closed_sessions: list[Session], today: date) -> list[Session]:
    """The sessions of last night or tonight that were closed today."""
    latest = [night for night in closed_sessions if night.held_on >= today - timedelta(days=1)]
    return [
        night
        for night in latest
        if night.closed_at and local_date(night.club, night.closed_at) == today
    ]


def _draws_partners(next_night: SignUps | None, sessions: dict[str, list[Session]]) -> bool:
    """Whether players find partners in the club's next session, or else in its latest: not where a
    tournament is played by pairs. One query."""
    latest = [*sessions["open"], *sessions["closed"]][:1]
    nights = [next_night.club_session] if next_night else latest
    by_pairs = Stage.objects.filter(tournament__session__in=nights)
    by_pairs = by_pairs.exclude(tournament__state=Tournament.State.CANCELLED)
    return bool(nights) and not by_pairs.exclude(format__in=DRAWS_PARTNERS).exists()


def _own_rooms(player: Member, open_sessions: list[Session]) -> list[OwnRoom]:
    """The sessions in which a player has a seat or is checked in, with the room and the seat, if
    any. One query, and those of each room."""
    is_there = Q(seats__member=player, seats__seated=True)
    is_there |= Q(attendances__member=player, attendances__left_at=None)
    own_sessions = Session.objects.filter(is_there, pk__in=[night.pk for night in open_sessions])
    own_keys = set(own_sessions.values_list("pk", flat=True))
    nights = [night for night in open_sessions if night.pk in own_keys]
    rooms = [(night, room(night, at=timezone.now())) for night in nights]
    return [
        (night, the_room, place_of(the_room, player, whole_round=False))
        for night, the_room in rooms
    ]


def _lines_of(player: Member | None, own_rooms: list[OwnRoom]) -> list[tuple[int, str]]:
    """What a player without a game reads of each session, as its own page says it: why they have
    no seat, or the result of their match of a tournament, and what comes next."""
    lines = []
    for night, the_room, place in own_rooms:
        latest = latest_in(night)
        seated_by = shown_in(night, latest)
        if place is None:
            texts = about_seatless(the_room, player, seated_by, latest)
            lines.append((night.pk, " ".join(filter(None, texts))))
        elif place.tile.is_over and the_room.is_of_tournament:
            result = result_in_games(seated_by, player) or place.result
            texts = (result, whats_next(seated_by, latest, player))
            lines.append((night.pk, " · ".join(filter(None, texts))))
    return [(session, line) for session, line in lines if line]


def _own_lines(user: User, tonight: list[Session]) -> list[tuple[int, str]]:
    """Where the account's player is in each open session: at which table, or checked in without
    one that still plays; and the tournaments, not drawn yet, that the player has entered. At most
    two queries."""
    entered = _entered_lines(user, tonight) if tonight else []
    open_sessions = [night for night in tonight if night.state == Session.State.OPEN]
    if not open_sessions:
        return entered
    seats = Seat.objects.filter(session=OuterRef("session"), member=OuterRef("member"), seated=True)
    games = Game.objects.filter(table=OuterRef("table"))
    unfinished = games.filter(TO_DECIDE | Q(state=Game.State.PLAYING))
    seats = seats.filter(~Exists(games) | Exists(unfinished))
    own = Attendance.objects.filter(session__in=open_sessions, member__user=user, left_at=None)
    own = own.annotate(table_number=Subquery(seats.values("table__number")[:1]))
    return entered + [
        (session, _("You: %(where)s") % {"where": _("table %(n)d") % {"n": number}})
        if number
        else (session, _("You are checked in"))
        for session, number in own.values_list("session", "table_number")
    ]


def _entered_lines(user: User, tonight: list[Session]) -> list[tuple[int, str]]:
    own = Q(member__user=user) | Q(partner__user=user)
    entries = Entry.objects.filter(own, withdrawn_at=None, tournament__session__in=tonight)
    waiting = entries.filter(tournament__state=Tournament.State.SETUP).order_by("pk")
    return [
        (session, _("You are entered: %(name)s") % {"name": name})
        for session, name in waiting.values_list("tournament__session", "tournament__name")
    ]


def _open_entry_forms(club: Club) -> QuerySet[Tournament]:
    """The tournaments whose public entry form is open, until their first draw. One query."""
    preparing = club.tournaments.filter(state=Tournament.State.SETUP).exclude(places=None)
    return preparing.exclude(stages__rounds__isnull=False)


def _first_steps(club: Club) -> dict[str, int]:
    """The numbers of active players, sessions and rulesets, to see what a new club lacks. One
    query."""
    active = Q(members__retired_at=None, members__merged_into=None, members__erased_at=None)
    counts = Club.objects.filter(pk=club.pk).aggregate(
        people=Count("members", filter=active, distinct=True),
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
        sentence = _("Players scan one to enter hands. No printer? They can scan your screen.")
        return _step("cards", title, sentence, _("Print table cards"), "print_cards", *url_args)
    if Round.State.DRAFT in round_states:
        title = _("Publish the tables")
        sentence = _("Check who sits where. Publishing shows it on phones and on the wall.")
        return _step("publish", title, sentence, _("View the tables"), "seating", *url_args)
    title = _("Check in and make tables")
    if night.attendances.filter(left_at=None).count() < 2:
        sentence = _("Tap each name as people arrive, or check in everyone. Then make the tables.")
        return _step("checkin", title, sentence, _("Check in"), "checkin", *url_args)
    sentence = _("Once everyone is checked in, tap Make tables.")
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
