"""Sentences about the places of a session."""

from collections.abc import Collection, Iterator
from datetime import datetime

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.sessions.models import Session, SignUp
from league.sessions.queries import current_sign_ups, places_by_member


def moved_up_text(moved_up: Collection[SignUp]) -> str:
    """Which players got a place from the waiting list."""
    text = ngettext(
        "%(names)s got a place from the waiting list.",
        "%(names)s got places from the waiting list.",
        len(moved_up),
    )
    return text % {"names": get_text_list([row.member.name for row in moved_up], _("and"))}


def waiting_again_text(waiting: Collection[SignUp]) -> str:
    """Which players are back on the waiting list."""
    text = ngettext(
        "%(names)s is back on the waiting list.",
        "%(names)s are back on the waiting list.",
        len(waiting),
    )
    return text % {"names": get_text_list([row.member.name for row in waiting], _("and"))}


def places_texts(club_session: Session, *, changed_at: datetime) -> Iterator[str]:
    """What follows from another number of places: who moved up, or that more players have one."""
    moved_up = current_sign_ups().filter(session=club_session, moved_up=True, placed_at=changed_at)
    if moved_up:
        yield moved_up_text(moved_up)
    taken = sum(places_by_member(club_session).values())
    if club_session.places is not None and taken > club_session.places:
        text = ngettext(
            "%(n)d player has a place already and stays signed up.",
            "%(n)d players have a place already and stay signed up.",
            taken,
        )
        yield text % {"n": taken}
