"""A spreadsheet has the words of the reader's language, and comes in again in any other."""

import pytest
from django.conf import settings
from django.utils import translation

from league.exchange.fixture_sheets import FIXTURES
from league.exchange.league_sheets import TEAMS
from league.exchange.sheet_reading import Columns, read_sheet
from league.exchange.sheets import (
    BY_HAND,
    CELLS,
    COLUMNS,
    HANDS,
    MEMBERS,
    PLAYERS,
    POINTS,
    SESSIONS,
    cell_label,
    cell_of,
    column_label,
    column_of,
    sheet,
)

LANGUAGES = [code for code, _name in settings.LANGUAGES]
KNOWN = (*COLUMNS, *PLAYERS, *POINTS, *(f"game {n}" for n in range(1, 10)))
SHEETS = {
    "teams": TEAMS,
    "fixtures": (*FIXTURES, "game 1", "game 2"),
    "people": MEMBERS,
    "hands": (*HANDS, *BY_HAND),
    "sessions": SESSIONS,
}


def a_row(columns, place):
    """A line with every word that programs know, in turn, and numbers elsewhere."""
    return [
        [*CELLS[column]][place % len(CELLS[column])] if column in CELLS else str(place + 1)
        for column in columns
    ]


@pytest.mark.parametrize("columns", SHEETS.values(), ids=SHEETS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_spreadsheet_of_one_language_comes_in_again_in_another(language, columns):
    rows = [a_row(columns, place) for place in range(5)]
    with translation.override(language):
        content = sheet(columns, rows, kind="xlsx")
    for reader in LANGUAGES:
        with translation.override(reader):
            found = read_sheet(content, Columns(columns))
            assert [[row[column] for column in columns] for row in found] == rows


def test_a_spreadsheet_has_the_readers_words_and_a_file_for_programs_has_ours():
    with translation.override("de"):
        assert b"code,name,kind" in sheet(MEMBERS, [], kind="csv")
        assert [column_label(one) for one in ("name", "kind", "player 3")] == [
            "Name",
            "Art",
            "Spieler 3",
        ]
        assert cell_label("kind", "guest") == "Gast"
        assert cell_label("name", "guest") == "guest"


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_heading_and_no_word_of_a_language_means_two_things(language):
    with translation.override(language):
        assert {one: column_of(column_label(one).casefold(), KNOWN) for one in KNOWN} == {
            one: one for one in KNOWN
        }
        for column, words in CELLS.items():
            assert [cell_of(column, cell_label(column, word)) for word in words] == [*words]
