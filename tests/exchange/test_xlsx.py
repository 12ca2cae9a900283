"""XLSX files: what spreadsheet programs write is read, and no file costs more than that."""

import io
import time
import tracemalloc
import zipfile
from datetime import date, datetime

import openpyxl
import pytest

from league.exchange import packed_xml, xlsx
from league.exchange.packed_xml import BadSheet
from league.exchange.sheet_reading import MOST_ROWS, Columns, read_sheet

KNOWN = ("name", "kind", "joined")
SHEET, STYLES, BOOK = "xl/worksheets/sheet1.xml", "xl/styles.xml", "xl/workbook.xml"
STRINGS = "xl/sharedStrings.xml"
EVENING = datetime.fromisoformat("2026-11-19 19:30")
XF = b"<xf/>"


def workbook(rows, change=None):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    if change:
        change(book)
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def parts_of(content):
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


# A file whose texts are shared by its cells, as most programs write them.
PARTS = parts_of(workbook([KNOWN, ["Ann", "member", None]])) | {
    STRINGS: b"<sst><si><t>Ann</t></si><si><t>member</t></si></sst>",
    SHEET: b'<worksheet><sheetData><row r="1"><c r="A1" t="str"><v>name</v></c>'
    b'<c r="B1" t="str"><v>kind</v></c></row><row r="2"><c r="A2" t="s"><v>0</v></c>'
    b'<c r="B2" t="s"><v>1</v></c></row></sheetData></worksheet>',
}
LINKS = "xl/_rels/workbook.xml.rels"
if b"/sharedStrings" not in PARTS[LINKS]:
    PARTS[LINKS] = PARTS[LINKS].replace(
        b"</Relationships>",
        b'<Relationship Id="strings" Target="/xl/sharedStrings.xml" Type="x/sharedStrings"/>'
        b"</Relationships>",
    )


def with_parts(parts):
    """The file with some parts changed, each by a function of what was there; None takes it out."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as new:
        for name, content in PARTS.items():
            change = parts.get(name, bytes)
            if change is not None:
                new.writestr(name, change(content))
    return buffer.getvalue()


def before(mark, added):
    return lambda part: part.replace(mark, added + mark)


def cells(content):
    return [list(row.cells.values()) for row in read_sheet(content, Columns(KNOWN, ["name"]))]


def refusal(content):
    with pytest.raises(BadSheet) as caught:
        read_sheet(content, Columns(KNOWN, ("name",)))
    return caught.value.code, caught.value.line


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (date(2026, 11, 19), "2026-11-19"),
        (EVENING, "2026-11-19"),
        (date(1900, 1, 1), "1900-01-01"),
        (EVENING.time(), "19:30"),
        (True, "yes"),
        (False, "no"),
        (7, "7"),
        (-2.0, "-2"),
        (10.5, "10.5"),
        ("007", "007"),
        (" Zoë & <Ann> ", "Zoë & <Ann>"),
        ("'=1+1", "=1+1"),
        ("two\nlines", "two\nlines"),
    ],
)
def test_a_cell_of_every_kind_is_read_as_people_see_it(written, read):
    assert cells(workbook([KNOWN, ["Ann", None, written]])) == [["Ann", "", read]]


@pytest.mark.parametrize("form", ["dd/mm/yyyy", '"on" d. mmm', "[$-409]d-mmm-yy", "[Red]yyyy"])
def test_a_day_in_a_format_of_ones_own_is_a_day(form):
    def change(book):
        book.active["C2"].number_format = form

    assert cells(workbook([KNOWN, ["Ann", "", 46345]], change))[0][2] == "2026-11-19"


@pytest.mark.parametrize("form", ["0.00", '0 "days"', "[Red]0", "# ##0_d"])
def test_a_number_in_a_format_of_ones_own_is_a_number(form):
    def change(book):
        book.active["C2"].number_format = form

    assert cells(workbook([KNOWN, ["Ann", "", 46345]], change))[0][2] == "46345"


def test_days_counted_from_1904_are_the_same_days():
    def change(book):
        book.epoch = openpyxl.utils.datetime.CALENDAR_MAC_1904

    content = workbook([KNOWN, ["Ann", "", date(2026, 11, 19)]], change)
    assert cells(content)[0][2] == "2026-11-19"


def test_letters_of_several_looks_are_one_text_without_its_reading_aloud():
    rich = b"<si><r><t>An</t></r><r><t>n</t></r><rPh><t>x</t></rPh></si>"
    content = with_parts({STRINGS: lambda part: part.replace(b"<si><t>Ann</t></si>", rich)})
    assert cells(content) == [["Ann", "member"]]


def test_texts_inside_their_cells_and_texts_of_formulas_are_read_and_no_number_is_needed():
    rows = (
        b'<row><c t="inlineStr"><is><t>Bob</t></is></c><c t="str"><f>A1</f><v>guest</v></c></row>'
    )
    assert cells(with_parts({SHEET: before(b"</sheetData>", rows)}))[1] == ["Bob", "guest"]


def test_the_first_sheet_is_read_wherever_its_part_stands():
    def change(book):
        book.create_sheet("First", 0).append(KNOWN)
        book["First"].append(["Zoë"])

    assert cells(workbook([["strange"]], change)) == [["Zoë"]]


def test_a_sheet_of_as_many_lines_as_are_taken_with_seventeen_columns_is_read():
    names = [f"c{n}" for n in range(17)]
    texts = b"".join(b"<si><t>%d</t></si>" % n for n in range(17 * MOST_ROWS))
    rows = b"".join(
        b"<row>%s</row>"
        % b"".join(b'<c s="0" t="s"><v>%d</v></c>' % (17 * m + n) for n in range(17))
        for m in range(MOST_ROWS)
    )
    heads = "".join(f'<c t="str"><v>{name}</v></c>' for name in names)
    sheet = b"<x><sheetData><row>" + heads.encode() + b"</row>" + rows + b"</sheetData></x>"
    content = with_parts(
        {STRINGS: lambda _part: b"<sst>" + texts + b"</sst>", SHEET: lambda _part: sheet}
    )
    found = read_sheet(content, Columns(names, names))
    assert (len(found), found[-1]["c16"]) == (MOST_ROWS, "84999")


BOMBS = {
    "styles": {STYLES: before(b"</cellXfs>", XF * 3_800_000)},
    "rows": {SHEET: before(b"</sheetData>", b"<row/>" * 3_000_000)},
    "cells": {SHEET: before(b"</sheetData>", b"<row><c/></row>" * 400_000)},
    "attributes": {SHEET: before(b"</sheetData>", b"<row" + b' a=""' * 3_000_000 + b"/>")},
    "a comment": {SHEET: before(b"</sheetData>", b"<!--" + b"x" * 19_000_000 + b"-->")},
    "one within another": {SHEET: before(b"</sheetData>", b"<row>" * 3_000_000)},
    "strings": {STRINGS: before(b"</sst>", b"<si/>" * 3_000_000)},
    "sheets": {BOOK: before(b"</sheets>", b'<sheet id="rId1"/>' * 1_000_000)},
    "many parts": {SHEET: before(b"</sheetData>", b"x" * 30_000_000)},
}


@pytest.mark.parametrize("parts", BOMBS.values(), ids=BOMBS)
def test_a_file_that_unpacks_to_much_is_refused_with_no_more_work_than_an_honest_one(
    parts, monkeypatch
):
    opened = []

    class Watched(packed_xml.Package):
        def __init__(self, content):
            opened.append(self)
            self.steps = self.unpacked = 0
            super().__init__(content)

    monkeypatch.setattr(xlsx, "Package", Watched)
    monkeypatch.setattr(packed_xml, "MOST_STEPS", 20_000)
    content = with_parts(parts)
    assert len(content) < 200_000
    assert refusal(content)[0] == "bomb"
    (package,) = opened
    assert package.steps <= 20_000 + 2
    assert package.unpacked <= packed_xml.MOST_UNPACKED + packed_xml.CHUNK


def test_two_megabytes_of_styles_cost_less_than_fifteen_sheets_of_five_thousand_lines():
    honest = workbook([KNOWN, *([f"Player {n}", "member", None] for n in range(MOST_ROWS))])
    heavy = with_parts({STYLES: before(b"</cellXfs>", XF * 400_000)})

    def cost(content):
        began = time.process_time()
        cells(content)
        return time.process_time() - began

    assert cost(heavy) < 15 * cost(honest)


def test_styles_take_little_memory():
    content = with_parts({STYLES: before(b"</cellXfs>", XF * 40_000)})
    tracemalloc.start()
    cells(content)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3_000_000


def test_one_long_text_that_many_cells_share_counts_for_each():
    text = b"<si><t>" + b"x" * 9_000 + b"</t></si>"
    rows = b'<row><c t="s"><v>2</v></c></row>' * 2_000
    parts = {STRINGS: before(b"</sst>", text), SHEET: before(b"</sheetData>", rows)}
    assert refusal(with_parts(parts))[0] == "large"


def test_a_day_that_no_calendar_has_is_refused_when_days_are_counted_from_1904():
    def late(book):
        book.epoch = openpyxl.utils.datetime.CALENDAR_MAC_1904
        book.active["C2"] = 2_958_465
        book.active["C2"].number_format = "yyyy-mm-dd"

    assert refusal(workbook([KNOWN, ["Ann", "member", 1]], late)) == ("damaged", 0)


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (b'<row r="9"><c r="XFD9"><v>1</v></c></row>', ("wide", 9)),
        (b'<row r="9"><c t="str"><v>' + b"x" * 10_001 + b"</v></c></row>", ("cell", 9)),
        (b'<row r="9"><c t="s"><v>99</v></c></row>', ("damaged", 0)),
        (b'<row r="9"><c r="9"><v>1</v></c></row>', ("damaged", 0)),
        (b'<row r="x"><c><v>1</v></c></row>', ("damaged", 0)),
        (b'<row r="9"><c><v>one</v></c></row>', ("damaged", 0)),
        *[(b'<row r="9"><c><v>' + number + b"</v></c></row>", ("damaged", 9))
          for number in (b"nan", b"inf", b"1e999")],
        (b'<row r="9"><c r="A0"><v>1</v></c></row>', ("damaged", 0)),
        (b'<row r="9"><c t="d"><v>one</v></c></row>', ("damaged", 0)),
        (b"<row><c><v>1</v></c></row>" * (MOST_ROWS + 1), ("long", MOST_ROWS + 2)),
        (b"<row>", ("damaged", 0)),
    ],
)  # fmt: skip
def test_rows_that_cannot_be_are_refused(row, why):
    assert refusal(with_parts({SHEET: before(b"</sheetData>", row)})) == why


@pytest.mark.parametrize("part", [SHEET, STYLES, STRINGS, BOOK, "_rels/.rels"])
@pytest.mark.parametrize("coding", ["utf-8", "utf-16"])
def test_a_part_that_declares_entities_is_refused_and_opens_nothing(part, coding):
    declared = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]><x>&e;</x>'
    assert refusal(with_parts({part: lambda _part: declared.encode(coding)})) == ("damaged", 0)


@pytest.mark.parametrize("part", [SHEET, BOOK, "_rels/.rels", LINKS])
def test_a_file_without_a_part_it_needs_is_refused(part):
    assert refusal(with_parts({part: None})) == ("damaged", 0)


def test_more_parts_than_a_spreadsheet_has_are_refused_before_their_list_is_read():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as packing:
        for number in range(5_000):
            packing.writestr(f"{number}", b"")
    assert refusal(buffer.getvalue())[0] == "bomb"


def test_a_part_whose_length_is_a_lie_is_refused():
    content = bytearray(with_parts({SHEET: before(b"</sheetData>", b" " * 1_000_000)}))
    entry = content.rindex(SHEET.encode()) - 46  # of the directory; its length stands at 24
    content[entry + 24 : entry + 28] = (500).to_bytes(4, "little")
    assert refusal(bytes(content)) == ("damaged", 0)
