"""No text of ours becomes a formula, whatever separates the cells where a file is opened; and our
own sheets come in again as they were."""

import csv
import io
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.exchange.sheet_reading import Columns, read_sheet
from league.exchange.sheets import SIGNS, cell, protected, sheet, unprotected

SEPARATORS = ",;\t|"
NASTY = [
    "Rose;=1+1", "＝1+1", "＠SUM(1)", "＋1", "－1", " =1", "\u00a0=1", "a,=1", "a|@x", "a\t+1",
    "\t=1", "\r=1", "\n=1", "a\r\n=1", '";=1', 'a;"=1"', "a; =1", "'=1", "''=1", "a;'=1", ";;=1",
    "−1", "﹦1", "⁼1", "=", ";", "O'Neill", "-", "'", "'a", "Anne-Marie", "a;b", "a - b", "x=1;y=2",
    "\u200b=1", "\u200e=1", "\u202a=1", "\xad=1", "\u061c=1", "\u180e=1", "\u2063=1", "\x7f=1",
    "a;\u200e=1", "a\u2028=1", "a\x85=1", 'a;""=1',
    "cmd|' /C calc'!A0", "=cmd|' /C calc'!A0", "a;\u3000=1",
]  # fmt: skip


def cells_as_opened(content: bytes, separator: str) -> list[str]:
    """Every cell that a spreadsheet finds which separates by this, as lax with quotes as it is."""
    text = io.StringIO(content.decode("utf-8-sig"), newline="")
    cells = [one for row in csv.reader(text, delimiter=separator) for one in row]
    return [line for one in cells for line in one.splitlines()]


def is_formula(opened: str) -> bool:
    """Whether a spreadsheet would run the cell: by its first sign, in any width."""
    shown = "".join(sign for sign in opened if unicodedata.category(sign) not in ("Cf", "Cc"))
    first = shown.strip().strip('"').strip()[:1]
    return first != "" and (unicodedata.normalize("NFKC", first)[0] in "=+-@" or first == "−")


def dangerous(text: str) -> list[tuple[str, str]]:
    """The cells that are formulas, of a file with this text in every column."""
    content = sheet(["Name", "Club", "Note"], [[text] * 3, ["x", text, text]], kind="csv")
    found = [(s, one) for s in SEPARATORS for one in cells_as_opened(content, s)]
    return [(separator, one) for separator, one in found if is_formula(one)]


@pytest.mark.parametrize("text", NASTY)
def test_no_text_is_a_formula_under_any_separator(text: str) -> None:
    assert dangerous(text) == []


ALPHABET = "=+-@'\"; ,|\t\r\na1＝＠－−\u00a0"


@given(st.text(st.sampled_from(ALPHABET), max_size=12))
def test_no_text_at_all_is_a_formula_under_any_separator(text: str) -> None:
    assert dangerous(text) == []


@given(st.one_of(st.text(st.sampled_from(ALPHABET), max_size=12), st.text(max_size=20)))
def test_what_was_protected_is_as_it_was_again(text: str) -> None:
    assert unprotected(protected(text)) == text


def test_a_comma_alone_needs_no_apostrophe() -> None:
    """A text with a comma stands in quotes, so a spreadsheet that separates by commas keeps it."""
    assert cell("2 wins, +1 against the average") == "2 wins, +1 against the average"


def test_every_sign_that_looks_like_the_start_of_a_formula_is_known() -> None:
    wide = {
        sign
        for sign in map(chr, range(0x110000))
        if unicodedata.normalize("NFKC", sign)[:1] in ("=", "+", "-", "@")
    }
    assert wide <= {*SIGNS, "-"}


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_our_own_sheet_comes_in_again_as_it_was(kind: str) -> None:
    texts = [text for text in NASTY if text.strip() == text and "\r" not in text]  # lines
    texts += ["_x0041_", "0012", "1e5", "TRUE", "2026-11-19", "12:30", "#REF!", "é", "e\u0301"]
    content = sheet(["name", "kind"], [[text, "x"] for text in texts], kind=kind)
    rows = read_sheet(content, Columns(["name", "kind"], ["name"]))
    assert [row["name"] for row in rows] == texts


@given(st.lists(st.text(max_size=20), min_size=1, max_size=4))
def test_a_sheet_of_any_texts_comes_in_again(texts: list[str]) -> None:
    texts = [" ".join(cell(text).split()) for text in texts if isinstance(cell(text), str)]
    plain = [unprotected(text) for text in texts]
    content = sheet(["name", "kind"], [[text, "x"] for text in plain], kind="csv")
    rows = read_sheet(content, Columns(["name", "kind"], ["name"]))
    assert [row["name"] for row in rows] == [text.strip(" ") for text in plain]
