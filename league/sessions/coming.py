"""Who is signed up for coming sessions, for their pages: each with a fixed number of queries."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Prefetch, Q, QuerySet

from league.members.models import Club, Member
from league.sessions.models import Session, SignUp
from league.sessions.queries import local_date, takes_sign_ups

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
    return members.exclude(signed).order_by("name_key", "pk")


def signed_up(club_session: Session) -> dict[int, bool]:
    """Who is signed up, and whether they have a place, by member. One query."""
    rows = current_sign_ups().filter(session=club_session)
    return {row.member_id: bool(row.placed_at) for row in rows}
