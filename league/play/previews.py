"""Previews of what a hand or a penalty would pay and of the resulting score; stores nothing."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.play.game_log import OUT_OF_TURN, GameLog, gained_in
from league.play.models import Hand, Ruling
from league.play.queries import short_names_at, side_names_at
from league.play.text import gained_text, hand_note, minus, named_score, score_text, sentence
from scoring import Fault, GameState, HandRecord, RecordError


@dataclass(frozen=True, slots=True)
class Preview:
    """`text` is what the hand pays or why it is not possible; `after` is the score after it."""

    text: str
    after: str = ""
    ends: bool = False
    refused: bool = False


def preview_of(log: GameLog, record: dict[str, Any], *, number: int | None = None) -> Preview:
    """The effect of this hand as the next one, or in place of hand `number`."""
    place = number if number and log.hand(number) else log.next_number
    trial, faults = try_hand(log, record, place)
    if faults:
        names = [seat.member.label for seat in log.seats_of(number)]
        return Preview(sentence(faults[0], names), refused=True)
    preview = _preview_in_place(trial, place, replaced=number is not None)
    if log.state.over and not trial.state.over:
        return replace(preview, after=f"{preview.after} {_('The game is then unfinished.')}")
    return preview


def try_hand(log: GameLog, record: dict[str, Any], place: int) -> tuple[GameLog, list[Fault]]:
    """The log with this hand at number `place`, and the faults of the hand there."""
    try:
        strict = HandRecord.from_json(record).to_json()
    except RecordError as error:
        return log, list(error.faults)
    trial = with_hand(log, Hand(number=place, version=0, record=strict, current=True))
    faults = [
        fault for fault in trial.state.faults if fault.hand == place and fault.code != OUT_OF_TURN
    ]
    return trial, faults


def preview_of_penalty(log: GameLog, ruling: Ruling) -> Preview:
    """The effect of a penalty, or of an organiser's points, after the last hand."""
    ruling.after_hand = len(log.hands)
    trial = replace(log, rulings=[*log.rulings, ruling])
    names = [seat.member.label for seat in log.sitting()]
    faults = [fault for fault in trial.state.faults if fault.field == "rulings"]
    if faults:
        return Preview(sentence(faults[0], names), refused=True)
    sides = side_names_at(trial)
    text = _gained_by(trial, log)
    if ruling.kind == Ruling.Kind.ADJUSTMENT:
        preview = _preview_with_score(trial.state, sides, text)
    else:
        values = {"name": _offender(log, ruling), "points": text}
        said = _("%(name)s reneged: %(points)s") % values
        preview = _preview_with_score(trial.state, sides, said)
    return preview if preview.ends else replace(preview, after=_stands_at(sides, trial.state))


def preview_of_choice(log: GameLog, ruling: Ruling) -> Preview:
    """What the other side can choose for a renege: points for them, or taken from the guilty."""
    ruling.after_hand = len(log.hands)
    ways = []
    for ruling.form in ("add", "deduct"):
        trial = replace(log, rulings=[*log.rulings, ruling])
        ways.append(_gained_by(trial, log))
    values = {"name": _offender(log, ruling), "added": ways[0], "taken": ways[1]}
    said = _("%(name)s reneged. The other side chooses: %(added)s, or %(taken)s.")
    if len(log.rules.sides) > 2:
        said = _("%(name)s reneged. The other players choose: %(added)s, or %(taken)s.")
    return Preview(said % values)


def _gained_by(trial: GameLog, log: GameLog) -> str:
    gained = [new - old for new, old in zip(trial.state.score, log.state.score, strict=True)]
    return gained_text(gained, side_names_at(trial)) or _("Nobody scores")


def _offender(log: GameLog, ruling: Ruling) -> str:
    return short_names_at(log, log.next_number)[ruling.by_seat or 0]


def with_hand(log: GameLog, hand: Hand) -> GameLog:
    """A copy of the log with one hand added or replaced."""
    other_hands = [existing for existing in log.hands if existing.number != hand.number]
    return replace(log, versions=[*other_hands, hand])


def _preview_in_place(trial: GameLog, place: int, *, replaced: bool) -> Preview:
    state, hand = trial.state, place if replaced else None
    text = gained_text(gained_in(trial, place), side_names_at(trial, hand)) or _("Nobody scores")
    note = hand_note(trial, place, short_names_at(trial, hand))
    if note:
        text = _("%(points)s (%(note)s)") % {"points": text, "note": note}
    sides = side_names_at(trial)
    if replaced and not state.over:
        return Preview(text, _stands_at(sides, state))
    return _preview_with_score(state, sides, text)


def _stands_at(sides: Sequence[str], state: GameState) -> str:
    return _("The score is then %(score)s.") % {"score": named_score(sides, state.score)}


def _preview_with_score(state: GameState, sides: Sequence[str], text: str) -> Preview:
    """A preview with the resulting score, or with the result if the game ends."""
    score = {"score": named_score(sides, state.score)}
    if state.over:
        seats = list(zip(sides, state.sides, state.score, strict=True))
        winner_names = [name for name, side, _points in seats if side[0] in state.winners]
        if len(sides) == 2:  # the winner's number first
            seats.sort(key=lambda row: row[1][0] not in state.winners)
            score = {"score": score_text([points for _name, _side, points in seats])}
        elif len(winner_names) == 1:  # the sentence already names the winner
            winner, *losers = sorted(seats, key=lambda row: row[0] != winner_names[0])
            loser_scores = ", ".join(f"{name} {minus(points)}" for name, _side, points in losers)
            score = {"score": f"{minus(winner[2])} ({loser_scores})"}
        values = {"names": ", ".join(winner_names), **score}
        winner_count = len(state.winners)
        result = ngettext("%(names)s wins, %(score)s", "%(names)s win, %(score)s", winner_count)
        return Preview(text, result % values, ends=True)
    return Preview(text, _("%(score)s after this hand") % score)
