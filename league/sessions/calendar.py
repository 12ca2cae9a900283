"""What stands in a calendar to subscribe to (iCalendar, RFC 5545), and the sessions among it."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.db.models import Exists, OuterRef
from django.urls import reverse

from league.members.models import Club, Member
from league.sessions.models import Session
from league.sessions.queries import begins, current_sign_ups

LONGEST_PAST = timedelta(days=400)
ESCAPED = re.compile(r"[\\;,]")
CONFIRMED, TENTATIVE, CANCELLED = "CONFIRMED", "TENTATIVE", "CANCELLED"


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing in a calendar. Every area that has some lists them with a function
    `entries_of(club, since, member)`: the club's from the day `since` on or, with a member, those
    that are theirs; `exchange.views.calendar` gathers them.

    `uid` stays when the thing is renamed, moved or called off; `sequence` rises with every
    change, so that calendars take it over. `begins` and `ends` are hours on the day `day`; without
    them the entry is a whole day. `path` is the address of its page, without the host.
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
    """The club's sessions, or those a member is signed up for, the first first. One query.

    Those of team matches stand among the fixtures of their leagues.
    """
    nights = club.sessions.select_related("club").filter(held_on__gte=since, of_team_match=False)
    if member is not None:
        rows = current_sign_ups().filter(member=member, session=OuterRef("pk"))
        placed = Exists(rows.exclude(placed_at=None))
        nights = nights.filter(Exists(rows)).annotate(placed=placed)
    return [entry_of(night) for night in nights.order_by("held_on", "pk")]


def entry_of(night: Session) -> Entry:
    """A session's date."""
    status = CONFIRMED if getattr(night, "placed", True) else TENTATIVE
    first = begins(night) if night.begins_at else None
    return Entry(
        uid=f"{night.public_id}@right-bower",
        name=night.name,
        day=night.held_on,
        path=reverse("session", args=[night.club.slug, night.public_id]),
        made_at=night.made_at,
        sequence=night.revision,
        begins=first,
        ends=first and first + timedelta(minutes=night.club.session_minutes),
        venue=night.club.venue,
        status=CANCELLED if night.state == Session.State.CANCELLED else status,
    )


def calendar_of(
    club: Club, name: str, entries: Iterable[Entry], *, address_of: Callable[[str], str]
) -> bytes:
    """The feed called `name`; `address_of` makes a whole address of a path."""
    from icalendar import Calendar  # takes a while to load, and few requests need it

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
        """The package takes \\N in a name for a line break."""

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
