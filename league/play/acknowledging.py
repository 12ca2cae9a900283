"""What the phone's queue is told of a hand it sent: that it is stored, or what it clashes with."""

from typing import Any

from django.http import JsonResponse

from league.errors import Refused
from league.play.entry_page import EntryPage
from league.play.models import Hand
from league.play.problems import problem
from league.play.telling import gained_text, hand_text, points_by_side
from scoring import check_hand


def acknowledged(page: EntryPage, hand: Hand) -> JsonResponse:
    """The word that a hand is stored: its id and number, and how the table stands now.

    `counts` is false for a hand that was taken back or replaced since it was first sent.
    """
    told = {"client_id": hand.client_id, "hand": hand.number, "version": hand.version}
    return JsonResponse({**told, "counts": hand.current, **standing(page)})


def clash(page: EntryPage, record: dict[str, Any] | None, refused: Refused) -> JsonResponse:
    """Why a hand was not stored, with both sides of a clash in words.

    `mine` is the hand that was sent, `theirs` the one that is there in its place; each is left out
    where there is none, or where the rules make nothing of it. `same`: they say the same.
    """
    more = standing(page)
    if record is not None and (words := _words(page, record)):
        more["mine"] = words
    there = refused.details.get("hand")
    if isinstance(there, Hand):
        more["theirs"] = _words(page, there.record)
        more["same"] = bool(refused.details.get("same"))
    return problem(refused, **more)


def standing(page: EntryPage) -> dict[str, Any]:
    """How the table stands: the score by side, the next hand's number and dealer."""
    score = [side.points for side in page.sides]
    return {"score": score, "next": page.number, "dealer": page.dealer, "phase": page.phase}


def _words(page: EntryPage, record: dict[str, Any]) -> str:
    """A hand and what it pays, in words; nothing where the rules make nothing of it."""
    answer = check_hand(record, page.book.rules)
    if not answer.valid:
        return ""
    gained = points_by_side(answer, page.told.state.sides)
    paid = gained_text(gained, page.told.sides_named)
    text = hand_text(record, answer, page.told.shorts)
    return f"{text} · {paid}" if paid else text
