"""What a hand will pay, before it is saved: the same fold as saving, and nothing written."""

from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from league.play.book import OUT_OF_TURN, Book
from league.play.models import Hand
from league.play.queries import state_of
from league.play.refusing import sentence
from league.play.telling import gained_text, score_text
from scoring import HandRecord, RecordError


@dataclass(frozen=True, slots=True)
class Preview:
    """`text` is what the hand pays or why it cannot be; `after` the score after it."""

    text: str
    after: str = ""
    ends: bool = False
    refused: bool = False


def preview_of(book: Book, record: dict[str, Any], *, number: int | None = None) -> Preview:
    """What would come of this hand as the next one, or in the place of hand `number`."""
    names = [seat.member.name for seat in book.sitting()]
    try:
        written = HandRecord.from_json(record).to_json()
    except RecordError as error:
        return Preview(sentence(error.faults[0], names), refused=True)
    place = number if number and book.hand(number) else book.next_number
    trial = with_hand(book, Hand(number=place, version=0, record=written, current=True))
    wrong = [
        found for found in trial.state.faults if found.hand == place and found.code != OUT_OF_TURN
    ]
    if wrong:
        return Preview(sentence(wrong[0], names), refused=True)
    return _told(trial, place, replaced=number is not None)


def with_hand(book: Book, hand: Hand) -> Book:
    """A book with one hand put in, to look at: the book itself stays as it is."""
    others = [other for other in book.hands if other.number != hand.number]
    return replace(book, versions=[*others, hand])


def _told(trial: Book, place: int, *, replaced: bool) -> Preview:
    state = trial.state
    sides = [side.name for side in state_of(trial).sides]
    before = state.running[place - 2] if place > 1 else (0,) * len(sides)
    gained = [now - then for now, then in zip(state.running[place - 1], before, strict=True)]
    text = gained_text(gained, sides) or _("Nobody scores")
    score = {"score": score_text(state.score)}
    if state.over:
        seats = zip(sides, state.sides, strict=True)
        won = [name for name, side in seats if side[0] in state.winners]
        told = {"names": ", ".join(won), **score}
        return Preview(text, _("%(names)s win, %(score)s") % told, ends=True)
    if replaced:
        return Preview(text, _("The game then stands at %(score)s.") % score)
    return Preview(text, _("%(score)s after this hand") % score)
