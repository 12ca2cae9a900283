"""A small sheet of each kind that the site reads: headings, and a line or two as an example."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from league.exchange.sheet_words import BY_HAND, MEMBERS, PLANNED, PLAYERS, RESULTS

HANDS = ("date", "session", "game", "table", "hand", *PLAYERS, "dealer", "outcome", *BY_HAND[:2])


@dataclass(frozen=True, slots=True)
class Example:
    """The headings of a sheet, and lines that show what belongs under them."""

    headings: Sequence[str]
    lines: Sequence[Sequence[object]]


def examples(today: date) -> dict[str, Example]:
    """The examples by the kind of sheet, with days that would do today."""
    past, coming = (today - timedelta(7)).isoformat(), (today + timedelta(7)).isoformat()
    four = ("Rose", "Ann", "Ted", "Bill")
    joined = ("", "Rose Whitfield", "member", "", "no", "club", past, "")
    return {
        "people": Example(MEMBERS, [joined]),
        "sessions": Example(PLANNED, [(coming, "Thursday night", "19:30", "", "", "")]),
        "results": Example(
            RESULTS,
            [
                (past, "Thursday night", "", 1, "A", 1, *four, 10, 7, 10, 7, "", ""),
                (past, "Thursday night", "", 2, "B", 1, *four, 8, 6, 8, 6, "time", ""),
            ],
        ),
        "hands": Example(
            HANDS,
            [
                (past, "Thursday night", "A", 1, 1, *four, 1, "made", 2, "no"),
                (past, "Thursday night", "A", 1, 2, *four, 2, "euchred", 1, "no"),
            ],
        ),
    }
