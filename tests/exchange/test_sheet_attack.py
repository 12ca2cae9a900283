"""Sheets that somebody has changed: refused with line and column, or what they bring in is what
the site's own forms would take.

`SHEET_CHANGES=3000 bin/test tests/exchange/test_sheet_attack.py` tries so many of each kind.
"""

import os
from random import Random

import pytest
from django.db import transaction

from league.errors import Refused
from league.exchange.archive_agreement import Index, agreement_faults, game_faults
from league.exchange.archive_checking import row_faults
from league.exchange.archive_writing import archive_of
from league.exchange.hands_import import import_hands, preview_hands
from league.exchange.people_import import import_people, preview_import
from league.exchange.results_sheet import import_results, preview_results
from league.exchange.sessions_import import import_sessions, preview_sessions
from league.exchange.sheet_reading import Columns, read_sheet
from league.exchange.sheets import BY_HAND, HANDS, MEMBERS, RESULTS, SESSIONS, sheet
from league.exchange.xlsx import BadSheet
from tests.builders import EIGHT, TEST, a_club, members_of, rulesets_of

CHANGES = int(os.environ.get("SHEET_CHANGES", "12"))
SEED = int(os.environ.get("SHEET_SEED", "1"))

CELLS = (
    "", " ", "0", "-1", "1", "2", "3", "5", "10", "99", "999", "1000", "32768", "2147483648",
    "9" * 30, "1e3", "5.0", "+1", "٣", "½", "NaN", "true", "yes", "no", "x", "Rose", "rose",
    "0001-01-01", "9999-12-31", "1899-12-31", "2200-12-31", "2026-02-30", "2026-11-19",
    "2026-W01-1", "24:00", "23:59", "0:0", "made", "march", "time", "decision", "closed",
    "planned", "open", "guest", "hidden", "a@b", "a@example.org", "x" * 61, "x" * 81,
    "x" * 9000, "a\0b", "a\u202eb", "\ud800", "a\nb", "e\u0301", "=1+1", "＝1", "1 & 3", "1&9",
    "4 3 2 1", "{}", "[]", "null", "{", "[" * 200, '{"dealer": 0}', '{"dealer": 99}',
    '{"dealer": 0, "contract": null}', '{"dealer": 1e999}', '{"dealer": NaN}',
    '{"dealer": 0, "contract": {"seat": 0}, "tricks_won": {"makers": 99}}',
    '{"dealer": 0, "contract": {"seat": 0}, "outcome": "march", "ruleset": "bid-barrie"}',
)  # fmt: skip


def hands():
    """Five marches: ten to nothing."""
    for number in range(1, 6):
        row = dict.fromkeys((*HANDS, *BY_HAND), "")
        row |= {"date": "2026-11-05", "session": "First", "game": "A", "table": "1"}
        row |= {"player 1": "Rose", "player 2": "Ann", "player 3": "Ted", "player 4": "Bill"}
        row |= {"hand": str(number), "dealer": str((number - 1) % 4 + 1), "season": "Autumn"}
        yield row | {"called by": "1", "alone": "no", "outcome": "march"}


def results():
    for number, points in enumerate((("10", "7"), ("4", "11"), ("12", "9")), 1):
        row = dict.fromkeys(RESULTS, "")
        row |= {"date": "2026-11-05", "session": "Second", "season": "Autumn", "round": str(number)}
        row |= {"player 1": "Rose", "player 2": "Ann", "player 3": "Ted", "player 4": "Bill"}
        row |= {"game": f"G{number}", "table": "1", "points 1": points[0], "points 2": points[1]}
        yield row


def sessions():
    for number in range(1, 4):
        row = dict.fromkeys(SESSIONS, "")
        row |= {"date": f"2026-12-0{number}", "session": f"Night {number}", "begins": "19:30"}
        yield row | {"places": "24", "season": "Autumn", "minutes a round": "20"}


def people():
    for name in ("Zoe", "Yan", "Xia"):
        row = dict.fromkeys(MEMBERS, "")
        row |= {"name": name, "kind": "member", "e-mail": f"{name.lower()}@example.org"}
        row |= {"under 18": "no", "shown in public": "club", "joined": "2026-01-02"}
        yield row


def take_hands(club, rows):
    agreed = preview_hands(club, rows, at=EIGHT).agreed
    import_hands(club, rows, agreed=agreed, by=TEST, at=EIGHT)


def take_results(club, rows):
    agreed = preview_results(club, rows, at=EIGHT).agreed
    import_results(club, rows, agreed=agreed, by=TEST, at=EIGHT)


def take_sessions(club, rows):
    agreed = preview_sessions(club, rows, at=EIGHT).agreed
    import_sessions(club, rows, agreed=agreed, by=TEST, at=EIGHT)


def take_people(club, rows):
    found = preview_import(club, rows)
    also = [line.number for line in found.lines if line.asks]
    import_people(club, rows, agreed=found.agreed, by=TEST, also=also)


KINDS = {
    "hands": (hands, take_hands, (*HANDS, *BY_HAND)),
    "results": (results, take_results, RESULTS),
    "sessions": (sessions, take_sessions, SESSIONS),
    "people": (people, take_people, MEMBERS),
}


def changed(rows, chance):
    """The rows with a cell or two changed, or a line too many or too few."""
    rows = [dict(row) for row in rows]
    for _change in range(chance.choice((1, 1, 1, 2))):
        row = chance.choice(rows)
        how = chance.random()
        if how < 0.85:
            row[chance.choice(sorted(row))] = chance.choice(CELLS)
        elif how < 0.95:
            rows.append(dict(row))
        elif len(rows) > 1:
            rows.remove(row)
    return rows


def faults(club):
    """What the club's own archive would be refused for."""
    rows = archive_of(club, at=EIGHT)["rows"]
    found = list(row_faults(rows))
    if not found:
        index = Index(rows)
        found = [*agreement_faults(index), *game_faults(index)]
    return [str(one) for one in found]


@pytest.fixture
def club():
    made = a_club()
    members_of(made, 4)
    rulesets_of(made)
    made.seasons.create(name="Autumn", starts_on="2026-09-01")
    return made


@pytest.mark.django_db
@pytest.mark.parametrize("kind", KINDS)
def test_a_changed_sheet_is_refused_or_brings_in_what_a_form_would_take(club, kind):
    rows_of, take, columns = KINDS[kind]
    chance, taken = Random(f"{SEED} {kind}"), 0
    for number in range(CHANGES):
        rows = changed(rows_of(), chance) if number else list(rows_of())
        cells = [[row[column] for column in columns] for row in rows]
        with transaction.atomic():
            try:
                read = read_sheet(written(columns, cells), Columns(columns, ()))
                take(club, read)
            except (BadSheet, Refused):
                pass
            else:
                taken += 1
                assert faults(club) == [], rows
            transaction.set_rollback(True)
    assert taken


def written(columns, cells):
    """The sheet as a file; what UTF-8 cannot hold comes as its sign of lost letters."""
    lines = [[one.replace("\ud800", "\ufffd") for one in row] for row in cells]
    return sheet(columns, lines, kind="csv")
