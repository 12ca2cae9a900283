"""Queries of sessions: their dates, who is present, who is signed up, the clock."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import Enum

from django.db.models import Count, Exists, F, OuterRef, Prefetch, Q, QuerySet
from django.http import Http404
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from league.access import reaches
from league.compiled_sql import read
from league.errors import Refused
from league.members.audit import club_language
from league.members.languages import dated
from league.members.models import AuditEntry, Club, Member, Role, User
from league.seasons.models import Champion, Season
from league.sessions.models import Attendance, Session, SignUp, turned_up

# Every page of a session begins with this.
BY_ID = "FROM league_session WHERE club_id = %s AND public_id = %s"
SOONEST_FIRST = ("held_on", F("begins_at").asc(nulls_first=True), "pk")
YELLOW, RED = timedelta(minutes=5), timedelta(minutes=1)
"""The time left when the clock turns yellow or red."""


def local_date(club: Club, at: datetime) -> date:
    """The date in the club's time zone at `at`."""
    return club.local(at).date()


def evening_name(club: Club | None, held_on: date) -> str:
    """The default name of a session: "Thursday 19 November", in the club's language.

    Without a club (for a file that belongs to none) it is in the site's language.
    """
    with club_language(club):
        return capfirst(dated(held_on, _("l j F")))


def free_name(club: Club, held_on: date) -> str:
    """The default name of a new session on that day, with "(2)" and so on if it is taken."""
    name = evening_name(club, held_on)
    taken_names = set(club.sessions.filter(held_on=held_on).values_list("name", flat=True))
    numbered = (f"{name} ({number})" for number in range(2, len(taken_names) + 2))
    return next((one for one in (name, *numbered) if one not in taken_names), name)


def season_on(club: Club, day: date, *, but: Season | None = None) -> Season | None:
    """The season, other than `but`, that a session on that day belongs to by default."""
    running = club.seasons.filter(starts_on__lte=day, closed_at=None)
    return running.exclude(ends_on__lt=day).exclude(pk__in=[but.pk] if but else []).first()


def session_of(club: Club, public_id: str) -> Session:
    """The club's session with this id; 404 if the club has none."""
    sessions = read(Session, BY_ID, club.pk, public_id)
    if not sessions:
        raise Http404
    sessions[0].club = club  # saves another query
    return sessions[0]


def is_held_from(club_session: Session, rank: str | None) -> bool:
    """Whether the session's standings are held back from users of this role."""
    return club_session.standings_held and not reaches(rank, Role.Rank.ORGANISER)


def refuse_held(club_session: Session, rank: str | None) -> None:
    """Refuse (`standings-held`) users from whom the standings are held back."""
    if is_held_from(club_session, rank):
        message = _("The standings are held back until the prize-giving.")
        raise Refused("standings-held", message, status=403)


def released_session(club: Club, public_id: str, rank: str | None) -> Session:
    """The club's session; refused (`standings-held`) if its standings are held back."""
    club_session = session_of(club, public_id)
    refuse_held(club_session, rank)
    return club_session


def sessions_of(club: Club) -> QuerySet[Session]:
    """The club's sessions, latest first, annotated with the number of players who `came`.

    Sessions of team matches are left out: they are listed with their leagues.
    """
    return (
        club.sessions.filter(of_team_match=False)
        .select_related("season")
        .annotate(came=Count("attendances", filter=turned_up("pk", "attendances__member")))
        .order_by("-held_on", "-id")
    )


def next_planned(club_session: Session, *, at: datetime) -> Session | None:
    """The club's next planned session from today on, if this one is closed or cancelled."""
    club, today = club_session.club, local_date(club_session.club, at)
    if club_session.state not in (Session.State.CLOSED, Session.State.CANCELLED):
        return None
    is_closed = club_session.state == Session.State.CLOSED
    first_day = max(today, club_session.held_on) if is_closed else today
    planned = sessions_of(club).filter(state=Session.State.PLANNED, held_on__gte=first_day)
    return planned.order_by(*SOONEST_FIRST).first()


def may_repeat(club_session: Session, at: datetime) -> bool:
    """Whether the same can be planned a week later: once a session is open, or cancelled, if that
    day is still to come and has no session yet. From one cancelled there, the week after it can."""
    if club_session.state == Session.State.PLANNED:
        return True
    week_later = club_session.held_on + timedelta(days=7)
    if club_session.of_team_match or week_later <= local_date(club_session.club, at):
        return False
    return not sessions_of(club_session.club).filter(held_on=week_later).exists()


def may_unopen(club_session: Session, at: datetime) -> bool:
    """Whether an open session can be planned again: before its day is past, and while no player has
    been checked in."""
    is_past = club_session.held_on < local_date(club_session.club, at)
    is_open = club_session.state == Session.State.OPEN and not club_session.of_team_match
    return is_open and not is_past and not club_session.attendances.exists()


def sessions_tonight(user: User, *, at: datetime) -> list[Session]:
    """The open sessions of the user's clubs, and those planned for today, even if they have been
    cancelled since: today's first. One query."""
    days = ((at - timedelta(days=1)).date(), (at + timedelta(days=1)).date())
    is_wanted = Q(state="open") | Q(held_on__range=days, state__in=("planned", "cancelled"))
    sessions = Session.objects.filter(is_wanted, club__roles__user=user).select_related("club")
    sessions = sessions.annotate(here=_present_count()).order_by(*SOONEST_FIRST)[:20]
    tonight = [s for s in sessions if s.state == "open" or s.held_on == local_date(s.club, at)]
    return sorted(tonight, key=lambda s: s.held_on != local_date(s.club, at))


def latest_sessions(club: Club, today: date) -> dict[str, list[Session]]:
    """The sessions for the club's page: `open`, `planned` (next first, with those that are
    cancelled until their day is past), `later` ones and `closed`. Three queries.

    Three planned ones, five of the others, and all `later`. Sessions of team matches are left out.
    """
    sessions = club.sessions.filter(of_team_match=False).annotate(here=_present_count())
    to_come = sessions.filter(state__in=("planned", "cancelled"), held_on__gte=today)
    coming: list[Session] = list(to_come.order_by(*SOONEST_FIRST)[:MOST_UPCOMING])
    places = [place for place, one in enumerate(coming, 1) if one.state == "planned"]
    first = max([3, *places[:3]])  # a cancelled session does not push out its replacement
    return {
        "open": list(sessions.filter(state="open").order_by("-held_on", "-id")[:5]),
        "planned": coming[:first],
        "later": coming[first:],
        "closed": list(sessions.filter(state="closed").order_by("-held_on", "-id")[:5]),
    }


def _present_count() -> Count:
    return Count("attendances", filter=Q(attendances__left_at=None))


def takes_sign_ups(club_session: Session, at: datetime) -> bool:
    """Whether members can still sign up or withdraw: until the session is over."""
    is_upcoming = club_session.state in (Session.State.PLANNED, Session.State.OPEN)
    return is_upcoming and club_session.held_on >= local_date(club_session.club, at)


def start_of(club_session: Session) -> datetime:
    """When the session begins; midnight at the start of its day if it has no start time."""
    start = club_session.begins_at or time.min
    return datetime.combine(club_session.held_on, start, club_session.club.zone)


def end_of(club_session: Session) -> datetime | None:
    """When the session is due to end, by the club's length of a session; None without a start."""
    club, start = club_session.club, start_of(club_session).astimezone(UTC)  # clocks may change
    end = (start + timedelta(minutes=club.session_minutes)).astimezone(club.zone)
    return None if club_session.begins_at is None else end


def attendances(club_session: Session) -> QuerySet[Attendance]:
    """The session's attendances in order of arrival, including players who have left."""
    return club_session.attendances.select_related("member")


def came_to(club_session: Session) -> QuerySet[Member]:
    """The players who were checked in at any time, including those who have left."""
    return Member.objects.filter(attendances__session=club_session)


def present(club_session: Session) -> QuerySet[Member]:
    """The players who are checked in, including those sitting out, by name."""
    checked_in = Q(attendances__session=club_session, attendances__left_at=None)
    return Member.objects.filter(checked_in).order_by("sort_key", "pk")


def to_check_in(club_session: Session) -> QuerySet[Member]:
    """The club's members who are not checked in."""
    members = Member.objects.current().filter(club=club_session.club_id, is_guest=False)
    return members.exclude(pk__in=present(club_session).values("pk"))


def ready(club_session: Session) -> QuerySet[Member]:
    """The players who are checked in and not sitting out, by name."""
    available = Q(
        attendances__session=club_session, attendances__left_at=None, attendances__resting=False
    )
    return Member.objects.filter(available).order_by("sort_key", "pk")


class KnownBy(Enum):
    """Where an expected number of players comes from."""

    CHECK_IN = "check-in"
    SIGN_UP = "sign-up"
    LAST_TIME = "last time"


def expected_players(club_session: Session, *, at_least: int = 4) -> tuple[int, KnownBy]:
    """How many players to plan for: those checked in, and before `at_least` are, those who have
    signed up and got a place, or came last time. At most three queries."""
    here = present(club_session).count()
    if here >= at_least:
        return here, KnownBy.CHECK_IN
    if (signed_up := sum(places_by_member(club_session).values())) >= at_least:
        return signed_up, KnownBy.SIGN_UP
    return players_last_time(club_session).count(), KnownBy.LAST_TIME


def players_last_time(club_session: Session) -> QuerySet[Member]:
    """The active members who came to the club's previous session; empty for the first."""
    previous = (
        Session.objects.filter(club=club_session.club_id, of_team_match=False)
        .filter(attendances__isnull=False, held_on__lt=club_session.held_on)
        .exclude(state=Session.State.CANCELLED)
        .order_by("-held_on", "-id")
        .values("pk")[:1]
    )
    return Member.objects.filter(
        attendances__session__in=previous, retired_at=None, is_guest=False
    ).order_by("sort_key", "pk")


@dataclass(frozen=True, slots=True)
class Clock:
    """The state of the round clock. `seconds` left are negative once over; `zone` is a colour."""

    seconds: int
    running: bool
    zone: str
    ends_at: datetime | None


def clock_at(club_session: Session, at: datetime) -> Clock | None:
    """The state of the clock at `at`; None if there is no clock, or while the session is closed or
    cancelled: reopening brings the clock back."""
    if club_session.state in (Session.State.CLOSED, Session.State.CANCELLED):
        return None
    if club_session.clock_paused_seconds is not None:
        seconds_left = club_session.clock_paused_seconds
        return Clock(seconds_left, False, _clock_zone(seconds_left), None)
    if club_session.clock_ends_at is None:
        return None
    seconds_left = round((club_session.clock_ends_at - at).total_seconds())
    return Clock(seconds_left, True, _clock_zone(seconds_left), club_session.clock_ends_at)


def clock_started_at(club_session: Session) -> datetime | None:
    """When the clock was last started or resumed, as the activity log has it."""
    started = AuditEntry.objects.filter(session=club_session, action="start clock")
    return started.order_by("-at").values_list("at", flat=True).first()


def _clock_zone(seconds: int) -> str:
    if seconds <= 0:
        return "over"
    if seconds <= RED.total_seconds():
        return "red"
    return "yellow" if seconds <= YELLOW.total_seconds() else "green"


def door_names(club_session: Session) -> QuerySet[Member]:
    """The members, and guests checked in, whom the self check-in page may name to anyone with the
    code.

    Members hidden in public, and those under 18 without a choice of their own, type their names.
    """
    listed = Q(is_guest=False) | Q(pk__in=present(club_session).values("pk"))
    return Member.objects.current().filter(
        listed, _may_be_shown_at_door(club_session.club), club=club_session.club_id
    )


def _may_be_shown_at_door(club: Club) -> Q:
    """The rule of `public_name` as SQL: members shown by name, in full or shortened."""
    own_choice = Q(shown__in=(Member.Shown.NAME, Member.Shown.INITIALS))
    if club.names_in_public == Club.Names.HIDDEN:
        return own_choice
    return own_choice | Q(shown=Member.Shown.AS_CLUB, is_minor=False)


MOST_UPCOMING = 30
"""Upcoming sessions on one page."""


@dataclass(frozen=True, slots=True)
class SignUps:
    """The sign-ups for a session, in order. `player` is the reader, `mine` their own sign-up,
    `is_in` whether they are checked in."""

    club_session: Session
    rows: Sequence[SignUp]
    is_open: bool
    player: Member | None = None
    is_in: bool = False

    @property
    def placed(self) -> list[SignUp]:
        return [row for row in self.rows if row.placed_at]

    @property
    def waiting(self) -> list[SignUp]:
        return [row for row in self.rows if not row.placed_at]

    @property
    def free(self) -> int | None:
        """Places left; None if there is no limit."""
        places = self.club_session.places
        return None if places is None else max(0, places - len(self.placed))

    @property
    def mine(self) -> SignUp | None:
        player_id = self.player.pk if self.player else None
        return next((row for row in self.rows if row.member_id == player_id), None)

    @property
    def my_turn(self) -> int:
        """The reader's number on the waiting list; 0 if they are not on it."""
        mine = self.mine
        return self.waiting.index(mine) + 1 if mine and not mine.placed_at else 0


def current_sign_ups() -> QuerySet[SignUp]:
    """The sign-ups of active members, in order."""
    current = SignUp.objects.filter(member__retired_at=None).select_related("member")
    return current.order_by("pk")


def sign_ups_of(club_session: Session, *, at: datetime, player: Member | None = None) -> SignUps:
    """The session's sign-ups. One query."""
    rows = list(current_sign_ups().filter(session=club_session))
    return SignUps(club_session, rows, takes_sign_ups(club_session, at), player)


def upcoming_sign_ups(
    club: Club,
    *,
    at: datetime,
    player: Member | None = None,
    most: int = MOST_UPCOMING,
    with_cancelled: bool = False,
) -> list[SignUps]:
    """The sign-ups of the club's sessions that nobody has come to yet, the next session first.

    Two queries.
    """
    states = [Session.State.PLANNED, *([Session.State.CANCELLED] if with_cancelled else [])]
    not_begun = Q(state__in=states) | Q(state=Session.State.OPEN, attendances=None)
    sessions = club.sessions.filter(not_begun, held_on__gte=local_date(club, at)).distinct()
    sessions = sessions.select_related("club", "season")
    sign_ups = Prefetch("sign_ups", queryset=current_sign_ups(), to_attr="current_sign_ups")
    own = Attendance.objects.filter(session=OuterRef("pk"), member=player, left_at=None)
    sessions = sessions.annotate(is_in=Exists(own)).prefetch_related(sign_ups)
    return [
        SignUps(one, one.current_sign_ups, takes_sign_ups(one, at), player, one.is_in)
        for one in sessions.order_by(*SOONEST_FIRST)[:most]
    ]


def players_not_signed_up(club_session: Session) -> QuerySet[Member]:
    """The players who are not signed up for the session yet, by name: the members, then guests."""
    signed_up_already = Q(pk__in=club_session.sign_ups.values("member"))
    players = Member.objects.current().filter(club=club_session.club_id)
    return players.exclude(signed_up_already).order_by("is_guest", "sort_key", "pk")


def places_by_member(club_session: Session) -> dict[int, bool]:
    """Whether each member signed up has a place, by member key. One query."""
    rows = current_sign_ups().filter(session=club_session)
    return {row.member_id: bool(row.placed_at) for row in rows}


def seasons_of(club: Club) -> QuerySet[Season]:
    """The club's seasons, latest first, with their champions and their number of sessions
    (`nights`, without cancelled ones)."""
    nights = Count("sessions", filter=~Q(sessions__state="cancelled"))
    champions = Prefetch(
        "champions", queryset=Champion.objects.select_related("member__club", "division")
    )
    return club.seasons.annotate(nights=nights).prefetch_related(champions)
