"""Reading sessions: when they are, who is here, who is coming, what the clock says."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.db.models import Count, Prefetch, Q, QuerySet
from django.http import Http404
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from league.access import reaches
from league.compiled_sql import read
from league.errors import Refused
from league.members.audit import club_language
from league.members.languages import dated
from league.members.models import Club, Member, Role, User
from league.seasons.models import Champion, Season
from league.sessions.models import Attendance, Session, SignUp

# Every page of a session begins with this.
BY_ID = "FROM league_session WHERE club_id = %s AND public_id = %s"
YELLOW, RED = timedelta(minutes=5), timedelta(minutes=1)
"""When the clock turns yellow and red: time left."""


def local_date(club: Club, at: datetime) -> date:
    """The date on the club's own wall at the moment `at`."""
    return club.local(at).date()


def evening_name(club: Club | None, held_on: date) -> str:
    """What a session is called when nobody says otherwise: "Thursday 19 November".

    In the club's language; in the site's own for a file that is read for any club.
    """
    with club_language(club):
        return capfirst(dated(held_on, _("l j F")))


def free_name(club: Club, held_on: date) -> str:
    """What a new session of that day is called: where one has that name, "… (2)", and so on."""
    name = evening_name(club, held_on)
    taken = set(club.sessions.filter(held_on=held_on).values_list("name", flat=True))
    numbered = (f"{name} ({number})" for number in range(2, len(taken) + 2))
    return next((one for one in (name, *numbered) if one not in taken), name)


def season_on(club: Club, day: date) -> Season | None:
    """The season a session of that day is for, until somebody says otherwise."""
    return club.seasons.filter(starts_on__lte=day).exclude(ends_on__lt=day).first()


def session_of(club: Club, public_id: str) -> Session:
    """The club's session of this id; 404 for another club's as for none."""
    sessions = read(Session, BY_ID, club.pk, public_id)
    if not sessions:
        raise Http404
    sessions[0].club = club  # at hand already: no need to read it a second time
    return sessions[0]


def is_held_from(club_session: Session, rank: str | None) -> bool:
    """Whether somebody of this rank in the club has to wait for the standings."""
    return club_session.standings_held and not reaches(rank, Role.Rank.ORGANISER)


def refuse_held(club_session: Session, rank: str | None) -> None:
    """Refuse (`standings-held`) anyone who has to wait for them."""
    if is_held_from(club_session, rank):
        message = _("The standings are held back until the prize-giving.")
        raise Refused("standings-held", message, status=403)


def released_session(club: Club, public_id: str, rank: str | None) -> Session:
    """The club's session, for somebody who may see who stands where in it; else refused."""
    club_session = session_of(club, public_id)
    refuse_held(club_session, rank)
    return club_session


def sessions_of(club: Club) -> QuerySet[Session]:
    """The club's sessions, latest first, each with how many came (`came`).

    Those of team matches are listed in their leagues and not here.
    """
    return (
        club.sessions.filter(of_team_match=False)
        .select_related("season")
        .annotate(came=Count("attendances"))
        .order_by("-held_on", "-id")
    )


def next_planned(club_session: Session) -> Session | None:
    """The club's next planned session after one that is closed."""
    if club_session.state != Session.State.CLOSED:
        return None
    later = sessions_of(club_session.club).filter(held_on__gt=club_session.held_on)
    return later.filter(state=Session.State.PLANNED).order_by("held_on", "begins_at", "pk").first()


def on_tonight(user: User, *, at: datetime) -> list[Session]:
    """What is on now in the account's clubs: open sessions and those of today. One query."""
    near = Q(held_on__range=((at - timedelta(days=1)).date(), (at + timedelta(days=1)).date()))
    wanted = Q(state="open") | near & Q(state="planned")
    sessions = Session.objects.filter(wanted, club__roles__user=user).select_related("club")
    sessions = sessions.annotate(here=_here()).order_by("held_on", "id")[:20]
    return [s for s in sessions if s.state == "open" or s.held_on == local_date(s.club, at)]


def latest_sessions(club: Club) -> dict[str, list[Session]]:
    """The club's sessions as its page shows them: `open`, `planned` (next first), `closed`.

    Three lists of at most five, in one query each. Team matches stand in their leagues.
    """
    sessions = club.sessions.filter(of_team_match=False).annotate(here=_here())
    return {
        "open": list(sessions.filter(state="open").order_by("-held_on", "-id")[:5]),
        "planned": list(sessions.filter(state="planned").order_by("held_on", "id")[:5]),
        "closed": list(sessions.filter(state="closed").order_by("-held_on", "-id")[:5]),
    }


def _here() -> Count:
    return Count("attendances", filter=Q(attendances__left_at=None))


def takes_sign_ups(club_session: Session, at: datetime) -> bool:
    """Whether somebody may still sign up or withdraw: until the night is over."""
    coming = club_session.state in (Session.State.PLANNED, Session.State.OPEN)
    return coming and club_session.held_on >= local_date(club_session.club, at)


def begins(club_session: Session) -> datetime:
    """When the night begins; where no hour is given, the first minute of its day."""
    at = club_session.begins_at or time.min
    return datetime.combine(club_session.held_on, at, club_session.club.zone)


def attendances(club_session: Session) -> QuerySet[Attendance]:
    """Everybody who came tonight, in the order they came; those who have left too."""
    return club_session.attendances.select_related("member")


def present(club_session: Session) -> QuerySet[Member]:
    """Who is here now, resting or not, by name."""
    here = Q(attendances__session=club_session, attendances__left_at=None)
    return Member.objects.filter(here).order_by("sort_key", "pk")


def ready(club_session: Session) -> QuerySet[Member]:
    """Who is here and wants to play, by name."""
    here = Q(
        attendances__session=club_session, attendances__left_at=None, attendances__resting=False
    )
    return Member.objects.filter(here).order_by("sort_key", "pk")


def last_time(club_session: Session) -> QuerySet[Member]:
    """The active members who came to the club's session before this one; none for the first."""
    before = (
        Session.objects.filter(club=club_session.club_id, of_team_match=False)
        .filter(attendances__isnull=False)
        .filter(Q(held_on__lt=club_session.held_on))
        .exclude(state=Session.State.CANCELLED)
        .order_by("-held_on", "-id")
        .values("pk")[:1]
    )
    return Member.objects.filter(
        attendances__session__in=before, retired_at=None, is_guest=False
    ).order_by("sort_key", "pk")


@dataclass(frozen=True, slots=True)
class Clock:
    """The round's clock at a moment. `seconds` left (negative: over); `zone` its colour's name."""

    seconds: int
    running: bool
    zone: str
    ends_at: datetime | None


def clock_at(club_session: Session, at: datetime) -> Clock | None:
    """What the clock shows at `at`; None while it is put away."""
    if club_session.clock_paused_seconds is not None:
        left = club_session.clock_paused_seconds
        return Clock(left, False, _zone(left), None)
    if club_session.clock_ends_at is None:
        return None
    left = round((club_session.clock_ends_at - at).total_seconds())
    return Clock(left, True, _zone(left), club_session.clock_ends_at)


def _zone(seconds: int) -> str:
    if seconds <= 0:
        return "over"
    if seconds <= RED.total_seconds():
        return "red"
    return "yellow" if seconds <= YELLOW.total_seconds() else "green"


def door_names(club_session: Session) -> QuerySet[Member]:
    """The members whose names may hang at the door, where anybody with the code reads them.

    Who is hidden in public, or under age without a choice of their own, types the name instead.
    """
    return Member.objects.current().filter(
        _at_door(club_session.club), club=club_session.club_id, is_guest=False
    )


def _at_door(club: Club) -> Q:
    """Who may be read by name, in full or shortened; the rest of `public_name`'s rule as SQL."""
    chosen = Q(shown__in=(Member.Shown.NAME, Member.Shown.INITIALS))
    if club.names_in_public == Club.Names.HIDDEN:
        return chosen
    return chosen | Q(shown=Member.Shown.AS_CLUB, is_minor=False)


MOST = 30
"""Coming sessions on one page."""


@dataclass(frozen=True, slots=True)
class SignUps:
    """Everybody signed up for a session, in order; `mine` is the reader's own row."""

    club_session: Session
    rows: Sequence[SignUp]
    is_open: bool
    player: Member | None = None

    @property
    def placed(self) -> list[SignUp]:
        return [row for row in self.rows if row.placed_at]

    @property
    def waiting(self) -> list[SignUp]:
        return [row for row in self.rows if not row.placed_at]

    @property
    def free(self) -> int | None:
        """Places left; None where there is no limit."""
        places = self.club_session.places
        return None if places is None else max(0, places - len(self.placed))

    @property
    def mine(self) -> SignUp | None:
        who = self.player.pk if self.player else None
        return next((row for row in self.rows if row.member_id == who), None)

    @property
    def my_turn(self) -> int:
        """The reader's number on the waiting list; 0 where they do not wait."""
        mine = self.mine
        return self.waiting.index(mine) + 1 if mine and not mine.placed_at else 0


def current_sign_ups() -> QuerySet[SignUp]:
    """Sign-ups of people who may come, in order."""
    current = SignUp.objects.filter(member__retired_at=None).select_related("member")
    return current.order_by("pk")


def sign_ups_of(club_session: Session, *, at: datetime, player: Member | None = None) -> SignUps:
    """The session's list. One query."""
    rows = list(current_sign_ups().filter(session=club_session))
    return SignUps(club_session, rows, takes_sign_ups(club_session, at), player)


def coming(club: Club, *, at: datetime, player: Member | None = None) -> list[SignUps]:
    """The club's sessions to which nobody has come yet, with their lists, the next first. Two
    queries."""
    not_begun = Q(state=Session.State.PLANNED) | Q(state=Session.State.OPEN, attendances=None)
    nights = club.sessions.filter(not_begun, held_on__gte=local_date(club, at))
    nights = nights.select_related("club", "season")
    rows = Prefetch("sign_ups", queryset=current_sign_ups(), to_attr="current_sign_ups")
    nights = nights.prefetch_related(rows).order_by("held_on", "begins_at", "pk")[:MOST]
    return [SignUps(night, night.current_sign_ups, True, player) for night in nights]


def may_sign_up(club_session: Session) -> QuerySet[Member]:
    """The members who are not signed up yet, by name."""
    signed = Q(pk__in=club_session.sign_ups.values("member"))
    members = Member.objects.current().filter(club=club_session.club_id, is_guest=False)
    return members.exclude(signed).order_by("sort_key", "pk")


def signed_up(club_session: Session) -> dict[int, bool]:
    """Who is signed up, and whether they have a place, by member. One query."""
    rows = current_sign_ups().filter(session=club_session)
    return {row.member_id: bool(row.placed_at) for row in rows}


def outside_seasons(season: Season) -> QuerySet[Session]:
    """The sessions in a season's dates that are in no season, the earliest first: open or closed,
    and no match of a league."""
    states = (Session.State.OPEN, Session.State.CLOSED)
    sessions = season.club.sessions.filter(
        season=None, state__in=states, held_on__gte=season.starts_on, of_team_match=False
    )
    sessions = sessions.filter(held_on__lte=season.ends_on) if season.ends_on else sessions
    return sessions.order_by("held_on", "pk")


def seasons_of(club: Club) -> QuerySet[Season]:
    """The club's seasons, latest first: how many sessions each has (`nights`, cancelled ones not
    counted) and who won those that are closed."""
    nights = Count("sessions", filter=~Q(sessions__state="cancelled"))
    champions = Prefetch(
        "champions", queryset=Champion.objects.select_related("member__club", "division")
    )
    return club.seasons.annotate(nights=nights).prefetch_related(champions)
