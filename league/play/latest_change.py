"""The latest change of a game, in words for the phone at its table."""

from dataclasses import dataclass, replace
from datetime import datetime

from django.utils.translation import gettext as _

from league.members.models import User
from league.play.game_log import GameLog
from league.play.models import Game, Hand, Ruling
from league.play.queries import HandSummary, hand_summary, ruling_summaries
from league.play.text import named_score

State = Game.State


@dataclass(frozen=True, slots=True)
class Change:
    """A change in words, when it was made, and the hand that it changed (None for points)."""

    text: str
    at: datetime
    hand: HandSummary | None = None


def latest_change(log: GameLog, sides: list[str], reader: User | None) -> Change | None:
    """What was last entered in a game, if it is a change made from an account that is not the
    reader's, or an organiser's decision to play on. The next entry of the table replaces it."""
    if log.game.state == State.ABANDONED:
        return None
    latest = _latest_entry(log)
    change = _play_on_decided(log, latest)
    if change is None and latest is not None:
        change = _change_of(log, latest, reader)
    if change is None or _is_undone_since(log, change.at):
        return None
    return replace(change, text=f"{change.text} {_score_now(log, sides)}")


def _latest_entry(log: GameLog) -> Hand | Ruling | None:
    entries: list[Hand | Ruling] = [*log.versions, *log.rulings]
    return max(entries, key=lambda entry: entry.entered_at, default=None)


def changed_last(log: GameLog) -> str:
    """The hand that was corrected, deleted or undone last, in words; empty if a hand or a ruling
    was entered since."""
    latest = _latest_entry(log)
    undone = [(hand.undone_at, hand.number) for hand in log.versions if hand.undone_at]
    if undone and latest and max(undone)[0] >= latest.entered_at:
        return _("Hand %(number)d was undone.") % {"number": max(undone)[1]}
    if not isinstance(latest, Hand) or not latest.reason:
        return ""
    text = _("Hand %(number)d was corrected.")
    if latest.struck:
        text = _("Hand %(number)d was deleted.")
    return text % {"number": latest.number}


def _is_undone_since(log: GameLog, at: datetime) -> bool:
    moments = [hand.undone_at for hand in log.versions]
    moments += [ruling.withdrawn_at for ruling in log.rulings]
    return any(moment is not None and moment >= at for moment in moments)


def _play_on_decided(log: GameLog, latest: Hand | Ruling | None) -> Change | None:
    """The decision that this game goes on, if nothing was entered in it since."""
    decision = max(log.play_on, key=lambda decision: decision.at, default=None)
    if decision is None or log.game.state != State.PLAYING:
        return None
    if latest is not None and latest.entered_at > decision.at:
        return None
    values = {"who": decision.said_as, "why": decision.reason}
    return Change(_("%(who)s decided: “%(why)s”.") % values, decision.at)


def _change_of(log: GameLog, latest: Hand | Ruling, reader: User | None) -> Change | None:
    if isinstance(latest, Ruling):
        return _points_changed(log, latest) if latest.points is not None else None
    by = latest.entered_by_id
    if by is None or (reader is not None and by == reader.pk):
        return None
    summary = hand_summary(log, latest.number)
    if summary.change is None:  # entered, not corrected
        return None
    text = _("%(who)s corrected hand %(number)d: “%(why)s”.")
    if latest.struck:
        text = _("%(who)s deleted hand %(number)d: “%(why)s”.")
    values = {"who": latest.entered_as, "number": latest.number, "why": latest.reason}
    return Change(text % values, latest.entered_at, summary)


def _points_changed(log: GameLog, ruling: Ruling) -> Change:
    gained = ruling_summaries(log)[-1].gained
    values = {"who": ruling.entered_as, "points": gained, "why": ruling.reason}
    text = _("%(who)s changed the score, %(points)s: “%(why)s”.") % values
    return Change(text, ruling.entered_at)


def _score_now(log: GameLog, sides: list[str]) -> str:
    score = {"score": named_score(sides, log.game.score)}
    if log.game.state == State.PLAYING:
        return _("Play on: %(score)s.") % score
    if log.game.state == State.CONFIRMED and not log.game.reopened:
        return _("The score is %(score)s.") % score
    return _("The score is now %(score)s.") % score
