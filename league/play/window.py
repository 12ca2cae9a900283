"""How long a table may change what it wrote down; after that it is an organiser's to change."""

from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.models import Club
from league.play.book import Book
from league.play.derived import accepted_by_silence
from league.play.models import Game, Hand

State = Game.State
ASK = "ask-organiser"


def may_change(book: Book, hand: Hand, *, at: datetime) -> bool:
    """Whether the table itself may still take back or correct this hand."""
    return _why_not(book, hand, at) == ""


def refuse_too_late(book: Book, hand: Hand, *, at: datetime, as_organiser: bool) -> None:
    """Refuse the table's own change once it is the organiser's to make."""
    why = "" if as_organiser else _why_not(book, hand, at)
    if why:
        raise Refused(ASK, why, status=403)


def _why_not(book: Book, hand: Hand, at: datetime) -> str:
    club, state = book.table.session.club, book.game.state
    if state == State.DISPUTED:
        return _("This game is disputed; an organiser decides.")
    if state == State.ABANDONED:
        return _("This game was not played.")
    confirmed = state == State.CONFIRMED or accepted_by_silence(book.game, at)
    if confirmed and club.confirm != Club.Confirm.NONE:
        return _("This result has been confirmed. Ask the organiser to change it.")
    if at > hand.entered_at + timedelta(minutes=club.correction_minutes):
        return _("The table's time for corrections is over. Ask the organiser.")
    return ""
