"""Games and hands in words: who called, what came of it, what it paid, the score after it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.play.answer_fields import OUTCOMES, SUIT_NAMES
from league.play.results import caller
from scoring import Answer

DASH = "\u2009–\u2009"


def short_names(names: Sequence[str]) -> list[str]:
    """First names, and as much more as tells two people at one table apart.

    >>> short_names(["Rose Field", "Ann Smith", "Ann Stone", "Ted"])
    ['Rose', 'Ann Sm.', 'Ann St.', 'Ted']
    """
    return [_short(name, [other for other in names if other is not name]) for name in names]


def _short(name: str, others: Sequence[str]) -> str:
    first, _space, rest = name.partition(" ")
    same = [other for other in others if other.partition(" ")[0] == first]
    if not same or not rest:
        return first
    for length in range(1, len(rest)):
        if not any(other.startswith(f"{first} {rest[:length]}") for other in same):
            return f"{first} {rest[:length]}."
    return name


def side_name(names: Sequence[str]) -> str:
    """What a side is called: its people."""
    if len(names) == 2:
        return _("%(first)s & %(second)s") % {"first": names[0], "second": names[1]}
    return ", ".join(names)


def score_text(score: Sequence[int]) -> str:
    """A score by side: 7 – 4.

    >>> score_text([7, 4])
    '7\\u2009–\\u20094'
    """
    return DASH.join(minus(points) for points in score)


def minus(points: int) -> str:
    """A number with a true minus."""
    return f"−{-points}" if points < 0 else str(points)


def gained_text(gained: Sequence[int], sides: Sequence[str]) -> str:
    """Who got what from a hand: "Rose & Ted +2"; nothing where nobody got anything."""
    told = [
        f"{name} {'+' if points > 0 else '−'}{abs(points)}"
        for name, points in zip(sides, gained, strict=True)
        if points
    ]
    return ", ".join(told)


def points_by_side(answer: Answer, sides: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """What a hand pays each side; nothing for a hand that does not count."""
    points = answer.points if answer.valid and answer.points else (0,) * 8
    return tuple(points[side[0]] for side in sides)


def hand_text(
    record: Mapping[str, Any], answer: Answer, names: Sequence[str], *, name_trump: bool = True
) -> str:
    """A hand in a few words: "Ann alone in hearts: march", or without its trump."""
    if not name_trump:
        answer = replace(answer, trump=None)
    if answer.declared_by is not None:
        return _("%(who)s declared a McEvoy hand") % {"who": names[answer.declared_by]}
    if answer.outcome == "thrown-in":
        return _("Passed out")
    if answer.outcome == "renege":
        by = record["penalties"][0]["by"]
        return _("Renege by %(who)s") % {"who": names[by]}
    seat = caller(record)
    who = names[seat] if seat is not None else "?"
    if answer.outcome in ("made", "set") and _bid(record):
        return _bid_text(record, answer, who)
    return _turn_up_text(record, answer, who)


def _turn_up_text(record: Mapping[str, Any], answer: Answer, who: str) -> str:
    what = str(OUTCOMES.get(answer.outcome or "", answer.outcome))
    tricks = makers_tricks(record, answer)
    if tricks is not None and answer.outcome in ("made", "euchred"):
        count = ngettext("%(n)d trick", "%(n)d tricks", tricks) % {"n": tricks}
        what = _("%(outcome)s, %(tricks)s") % {"outcome": what, "tricks": count}
    words = {"who": who, "what": what, "trump": SUIT_NAMES.get(answer.trump or "", "")}
    if set(answer.alone) & set(answer.makers):
        if answer.trump:
            return _("%(who)s alone in %(trump)s: %(what)s") % words
        return _("%(who)s alone: %(what)s") % words
    if answer.trump:
        return _("%(who)s in %(trump)s: %(what)s") % words
    return _("%(who)s: %(what)s") % words


def _bid(record: Mapping[str, Any]) -> Any:
    contract = record.get("contract") or {}
    calls = [call for call in record.get("auction") or () if call["call"] == "bid"]
    last = calls[-1] if calls else {}
    for where in (contract, last):
        if where.get("special") or where.get("tricks"):
            return where.get("special") or where["tricks"]
    return None


def _bid_text(record: Mapping[str, Any], answer: Answer, who: str) -> str:
    tricks = makers_tricks(record, answer)
    words = {
        "who": who,
        "bid": _bid(record),
        "trump": SUIT_NAMES.get(answer.trump or "", ""),
        "tricks": tricks if tricks is not None else "?",
    }
    if answer.trump:
        return _("%(who)s bid %(bid)s in %(trump)s, took %(tricks)s") % words
    return _("%(who)s bid %(bid)s, took %(tricks)s") % words


def makers_tricks(record: Mapping[str, Any], answer: Answer) -> int | None:
    """How many tricks the makers took, where the record or the engine knows."""
    won = record.get("tricks_won")
    if isinstance(won, Mapping):
        return int(won["makers"])
    by_seat = won or answer.tricks_won
    if by_seat is None:
        return None
    return sum(by_seat[seat] for seat in answer.makers)
