"""Calendar feeds to subscribe to (iCalendar, RFC 5545), and the sessions as their entries."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.db.models import Exists, OuterRef
from django.urls import reverse

from league.members.models import Club, Member
from league.sessions.models import Session
from league.sessions.queries import current_sign_ups, start_of

LONGEST_PAST = timedelta(days=400)
ESCAPED = re.compile(r"[\\;,]")
CONFIRMED, TENTATIVE, CANCELLED = "CONFIRMED", "TENTATIVE", "CANCELLED"


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a calendar.

    Each area with entries has a function `entries_of(club, since, member)`: it lists the club's
    entries from the day `since` on, or only those of a member. `exchange.views.calendar` gathers
    them.

    `uid` stays the same when the event is renamed, moved or cancelled; `sequence` rises with every
    change, so that calendars update the entry. Without `begins` and `ends` the entry lasts the
    whole day. `path` is the address of its page, without the host.
    """

    uid: str
    name: str
    day: date
    path: str
    made_at: datetime
    sequence: int = 0
    begins: datetime | None = None
    ends: datetime | None = None
    venue: str = ""
    status: str = CONFIRMED


def entries_of(club: Club, since: date, member: Member | None = None) -> list[Entry]:
    """The club's sessions, or those a member is signed up for, the earliest first. One query.

    Sessions of team matches are left out: they are listed with the fixtures of their leagues.
    """
    sessions = club.sessions.select_related("club").filter(held_on__gte=since, of_team_match=False)
    if member is not None:
        rows = current_sign_ups().filter(member=member, session=OuterRef("pk"))
        placed = Exists(rows.exclude(placed_at=None))
        sessions = sessions.filter(Exists(rows)).annotate(placed=placed)
    return [entry_of(session) for session in sessions.order_by("held_on", "pk")]


def entry_of(session: Session) -> Entry:
    """A session as a calendar entry: tentative for a member on its waiting list."""
    status = CONFIRMED if getattr(session, "placed", True) else TENTATIVE
    start = start_of(session) if session.begins_at else None
    return Entry(
        uid=f"{session.public_id}@right-bower",
        name=session.name,
        day=session.held_on,
        path=reverse("session", args=[session.club.slug, session.public_id]),
        made_at=session.made_at,
        sequence=session.revision,
        begins=start,
        ends=start and start + timedelta(minutes=session.club.session_minutes),
        venue=session.club.venue,
        status=CANCELLED if session.state == Session.State.CANCELLED else status,
    )


def calendar_of(
    club: Club, name: str, entries: Iterable[Entry], *, address_of: Callable[[str], str]
) -> bytes:
    """The feed named `name` as bytes; `address_of` turns a path into a full address."""
    from icalendar import Calendar  # slow to import, and needed by few requests

    calendar = Calendar()
    calendar.add("prodid", "-//Right Bower//Sessions//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", name)
    for entry in entries:
        calendar.add_component(_event(club, entry, address_of(entry.path)))
    return bytes(calendar.to_ical())


def _event(club: Club, entry: Entry, address: str) -> Any:
    from icalendar import Event, vText

    class Text(vText):
        """Text that keeps a literal \\N, which the package would turn into a line break."""

        def to_ical(self) -> bytes:
            return ESCAPED.sub(r"\\\g<0>", str(self)).encode()

    event = Event()
    event.add("uid", entry.uid)
    event.add("dtstamp", entry.made_at.astimezone(UTC))
    event.add("sequence", entry.sequence)
    event.add("summary", Text(f"{entry.name} ({club.name})"))
    if entry.venue:
        event.add("location", Text(entry.venue))
    if entry.begins is None or entry.ends is None:
        event.add("dtstart", entry.day)
        event.add("dtend", entry.day + timedelta(days=1))
    else:
        event.add("dtstart", entry.begins.astimezone(UTC))
        event.add("dtend", entry.ends.astimezone(UTC))
    event.add("url", address)
    event.add("transp", "TRANSPARENT")
    event.add("status", entry.status)
    return event
