"""Files that leave the site: no text runs as a formula, numbers stay numbers."""

import csv
import io
from fractions import Fraction

import openpyxl
import pytest

from league.exchange.sheets import cell, sheet

EVIL = ["=HYPERLINK(1)", "+1", "-1", "@x", "\tx", "\rx", "=1+1"]


@pytest.mark.parametrize("text", EVIL)
def test_a_text_a_spreadsheet_would_run_gets_an_apostrophe(text: str) -> None:
    assert cell(text) == f"'{text}"


@pytest.mark.parametrize(
    ("number", "kept"), [(-3, -3), (Fraction(-3), -3), (Fraction(-1, 2), -0.5), (0, 0)]
)
def test_a_negative_number_stays_a_number(number: object, kept: float) -> None:
    assert cell(number) == kept
    assert isinstance(cell(number), int | float)


def test_the_csv_opens_with_accents_and_plain_negative_numbers() -> None:
    content = sheet(["Player", "±"], [["Zoé", Fraction(-2)], ["=1+1", 3]], kind="csv")
    assert content.startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))
    assert rows == [["Player", "±"], ["Zoé", "-2"], ["'=1+1", "3"]]


def test_the_spreadsheet_holds_numbers_and_no_formula() -> None:
    content = sheet(["Player", "±"], [["=1+1", Fraction(-5, 2)]], kind="xlsx")
    page = openpyxl.load_workbook(io.BytesIO(content)).active
    assert page["A2"].value == "'=1+1"
    assert page["A2"].data_type == "s"
    assert page["B2"].value == -2.5
