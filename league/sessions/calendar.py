"""A club's sessions as an iCalendar feed (RFC 5545): whole days, since a session has no hour."""

from collections.abc import Callable, Iterable
from datetime import UTC, timedelta
from typing import Any

from league.members.models import Club
from league.sessions.models import Session

LONGEST_PAST = timedelta(days=400)


def calendar_of(
    club: Club, sessions: Iterable[Session], *, address_of: Callable[[Session], str]
) -> bytes:
    """The feed. A session keeps its identity when it is renamed, moved or called off; its number
    (SEQUENCE) rises with every change, so that calendars take the change over."""
    from icalendar import Calendar  # takes a while to load, and few requests need it

    calendar = Calendar()
    calendar.add("prodid", "-//Right Bower//Sessions//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", club.name)
    for club_session in sessions:
        calendar.add_component(_event(club_session, address_of(club_session)))
    return bytes(calendar.to_ical())


def _event(club_session: Session, address: str) -> Any:
    from icalendar import Event

    event = Event()
    event.add("uid", f"{club_session.public_id}@right-bower")
    event.add("dtstamp", club_session.made_at.astimezone(UTC))
    event.add("sequence", club_session.revision)
    event.add("summary", f"{club_session.name} ({club_session.club.name})")
    event.add("dtstart", club_session.held_on)
    event.add("dtend", club_session.held_on + timedelta(days=1))
    event.add("url", address)
    event.add("transp", "TRANSPARENT")
    called_off = club_session.state == Session.State.CANCELLED
    event.add("status", "CANCELLED" if called_off else "CONFIRMED")
    return event
