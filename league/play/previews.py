"""What a hand or a penalty would pay, and what the game would come to; nothing is stored."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.play.game_log import OUT_OF_TURN, GameLog, gained_in
from league.play.models import Hand, Ruling
from league.play.queries import state_of
from league.play.text import gained_text, hand_note, minus, named_score, score_text, sentence
from scoring import Fault, GameState, HandRecord, RecordError


@dataclass(frozen=True, slots=True)
class Preview:
    """`text` is what the hand pays or why it cannot be; `after` the score after it."""

    text: str
    after: str = ""
    ends: bool = False
    refused: bool = False


def preview_of(log: GameLog, record: dict[str, Any], *, number: int | None = None) -> Preview:
    """What would come of this hand as the next one, or in the place of hand `number`."""
    place = number if number and log.hand(number) else log.next_number
    trial, wrong = tried(log, record, place)
    if wrong:
        names = [seat.member.name for seat in log.sitting()]
        return Preview(sentence(wrong[0], names), refused=True)
    return _data(trial, place, replaced=number is not None)


def tried(log: GameLog, record: dict[str, Any], place: int) -> tuple[GameLog, list[Fault]]:
    """The log with this hand in that place, and everything wrong with the hand there."""
    try:
        written = HandRecord.from_json(record).to_json()
    except RecordError as error:
        return log, list(error.faults)
    trial = with_hand(log, Hand(number=place, version=0, record=written, current=True))
    faults = [
        fault for fault in trial.state.faults if fault.hand == place and fault.code != OUT_OF_TURN
    ]
    return trial, faults


def preview_of_penalty(log: GameLog, ruling: Ruling) -> Preview:
    """What would come of a penalty after the last hand."""
    ruling.after_hand = len(log.hands)
    trial = replace(log, rulings=[*log.rulings, ruling])
    names = [seat.member.name for seat in log.sitting()]
    wrong = [fault for fault in trial.state.faults if fault.field == "rulings"]
    if wrong:
        return Preview(sentence(wrong[0], names), refused=True)
    sides = [side.name for side in state_of(trial).sides]
    gained = [new - old for new, old in zip(trial.state.score, log.state.score, strict=True)]
    return _come_to(trial.state, sides, gained_text(gained, sides) or _("Nobody scores"))


def with_hand(log: GameLog, hand: Hand) -> GameLog:
    """A log with one hand put in, to look at: the log itself stays as it is."""
    others = [other for other in log.hands if other.number != hand.number]
    return replace(log, versions=[*others, hand])


def _data(trial: GameLog, place: int, *, replaced: bool) -> Preview:
    state = trial.state
    sides = [side.name for side in state_of(trial).sides]
    text = gained_text(gained_in(trial, place), sides) or _("Nobody scores")
    note = hand_note(trial, place, state_of(trial).shorts)
    if note:
        text = _("%(points)s (%(note)s)") % {"points": text, "note": note}
    if replaced and not state.over:
        score = {"score": named_score(sides, state.score)}
        return Preview(text, _("The game then stands at %(score)s.") % score)
    return _come_to(state, sides, text)


def _come_to(state: GameState, sides: Sequence[str], text: str) -> Preview:
    """The score that points lead to, or how the game ends with them."""
    score = {"score": named_score(sides, state.score)}
    if state.over:
        seats = list(zip(sides, state.sides, state.score, strict=True))
        won = [name for name, side, _points in seats if side[0] in state.winners]
        if len(sides) == 2:  # the winner's number first
            seats.sort(key=lambda one: one[1][0] not in state.winners)
            score = {"score": score_text([points for _name, _side, points in seats])}
        elif len(won) == 1:  # the winner's name is said already
            first, *others = sorted(seats, key=lambda one: one[0] != won[0])
            rest = ", ".join(f"{name} {minus(points)}" for name, _side, points in others)
            score = {"score": f"{minus(first[2])} ({rest})"}
        words = {"names": ", ".join(won), **score}
        many = len(state.winners)
        result = ngettext("%(names)s wins, %(score)s", "%(names)s win, %(score)s", many)
        return Preview(text, result % words, ends=True)
    return Preview(text, _("%(score)s after this hand") % score)
