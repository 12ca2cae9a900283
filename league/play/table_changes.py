"""What a table may still change itself: until its result is confirmed, in time, and never what an
organiser did there.

Who ended a game or entered a penalty is read in the activity log.
"""

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.models import AuditEntry, Club
from league.play.game_log import GameLog
from league.play.models import Confirmation, Game, Hand, Ruling
from league.play.results import is_auto_confirmed
from league.seating.models import Table

State, EndedBy = Game.State, Game.EndedBy
ASK = "ask-organiser"
LOGGED_AS = {
    Ruling.Kind.MISDEAL: "record misdeal",
    Ruling.Kind.RENEGE: "rule",
    Ruling.Kind.ADJUSTMENT: "add or take points",
}
DECLARED = {EndedBy.TIME: "call time", EndedBy.CONCEDED: "concede"}


def refuse_because(reason: str) -> None:
    """Refuse a change by the table itself that only an organiser may make."""
    if reason:
        raise Refused(ASK, reason, status=403)


def reason_not_to_correct(log: GameLog, hand: Hand, *, at: datetime) -> str:
    """Why the table may not correct or delete this hand; empty where it may."""
    return too_late(log, hand, at=at) or changed_by_organiser(log, hand) or ended_by_organiser(log)


def reason_not_to_undo(log: GameLog, hand: Hand, *, at: datetime) -> str:
    """Why the table may not undo this hand, the last one: what follows it would go with it."""
    return reason_not_to_correct(log, hand, at=at) or _ruled_after(log, hand)


def reason_not_to_resume(log: GameLog, *, at: datetime) -> str:
    """Why the table may not take back the concession or the call of time."""
    last_hand = log.hands[-1] if log.hands else None
    return too_late(log, last_hand, at=at) or ended_by_organiser(log)


def reason_not_to_withdraw(log: GameLog, ruling: Ruling, *, at: datetime) -> str:
    """Why the table may not withdraw this penalty or misdeal."""
    if reason := too_late(log, ruling, at=at):
        return reason
    if _is_organisers_ruling(log, ruling):
        text = _("%(who)s entered this. Only an organiser can change it: call the organiser.")
        return text % {"who": ruling.entered_as}
    return ended_by_organiser(log)


def too_late(log: GameLog, entry: Hand | Ruling | None, *, at: datetime) -> str:
    """Why nothing of this age can be changed at the table any more; without an entry, how the game
    ended. Empty where it can."""
    club, state = log.table.session.club, log.game.state
    if state == State.DISPUTED:
        return _("This game is disputed; an organiser decides.")
    if state == State.ABANDONED:
        return log.game.called_off_text
    confirmed = state == State.CONFIRMED or is_auto_confirmed(log.game, at)
    if confirmed and club.confirm != Club.Confirm.NONE and log.was_confirmed:
        return _("This result has been confirmed. Ask the organiser to change it.")
    if confirmed and log.is_decided:
        return _("An organiser decided this result. Ask the organiser to change it.")
    entered_at = entry.entered_at if entry else log.game.finished_at or at
    if at > entered_at + timedelta(minutes=club.correction_minutes):
        return _("The table's time for corrections is over. Ask the organiser.")
    return ""


def changed_by_organiser(log: GameLog, hand: Hand) -> str:
    """Why only an organiser may change this hand, where one has changed it; else empty."""
    is_change = hand.struck or hand.reason  # a hand that was only entered has no reason
    if not is_change or hand.entered_by_id is None or hand.entered_by_id not in log.organisers:
        return ""
    if hand.struck:
        text = _("%(who)s deleted this hand. Only an organiser can change it: call the organiser.")
    else:
        text = _(
            "%(who)s corrected this hand. Only an organiser can change it: call the organiser."
        )
    return text % {"who": hand.entered_as}


def ended_by_organiser(log: GameLog) -> str:
    """Why only an organiser may change this game, where one has called time or conceded it; else
    empty. This binds the table for the hands before the end, too."""
    game = log.game
    if game.ended_by not in DECLARED or game.finished_at is None:
        return ""
    entry = _first_entry(log, DECLARED[EndedBy(game.ended_by)], since=game.finished_at)
    if entry is None or entry.user_id not in log.organisers:
        return ""
    text = _("%(who)s ended this game. Only an organiser can change that: call the organiser.")
    return text % {"who": entry.actor}


def time_was_called(log: GameLog) -> bool:
    """Whether time was called and play has not gone on since. An organiser's decision ends a game
    at its score in the same way; the activity log tells them apart."""
    game = log.game
    if game.ended_by != EndedBy.TIME or not log.is_decided:
        return game.ended_by == EndedBy.TIME
    went_on = Q(action="settle game", new__decision=Confirmation.Decision.PLAY_ON)
    entries = entries_about(log.table).filter(
        Q(action__in=("call time", "concede", "resume game")) | went_on
    )
    if game.started_at is not None:
        entries = entries.filter(at__gte=game.started_at)
    latest = entries.first()
    return latest is not None and latest.action == DECLARED[EndedBy.TIME]


def _ruled_after(log: GameLog, hand: Hand) -> str:
    """A ruling of an organiser after this hand would no longer count without it."""
    following = (
        ruling
        for ruling in log.rulings
        if ruling.withdrawn_at is None and ruling.after_hand >= hand.number
    )
    ruling = next((ruling for ruling in following if _is_organisers_ruling(log, ruling)), None)
    if ruling is None:
        return ""
    text = _(
        "%(who)s changed the score after this hand. Only an organiser can undo it: "
        "call the organiser."
    )
    return text % {"who": ruling.entered_as}


def _is_organisers_ruling(log: GameLog, ruling: Ruling) -> bool:
    if ruling.points is not None:
        return True
    entry = _first_entry(log, logged_as(ruling), since=ruling.entered_at, new__kind=ruling.kind)
    return entry is not None and entry.user_id in log.organisers


def logged_as(ruling: Ruling) -> str:
    """The action of the entry about a ruling in the activity log."""
    return LOGGED_AS[Ruling.Kind(ruling.kind)]


def _first_entry(log: GameLog, action: str, *, since: datetime, **more: Any) -> AuditEntry | None:
    """The entry of the activity log for an action at this table at that moment."""
    entries = entries_about(log.table).filter(action=action, at__gte=since, **more)
    return entries.last()  # entries are in order from the newest


def entries_about(table: Table) -> QuerySet[AuditEntry]:
    """The entries of the activity log about a table; those of earlier versions have no round."""
    subjects = [table.name_in_log, f"table {table.number}"]
    return AuditEntry.objects.filter(session=table.session_id, subject__in=subjects)
