"""The style sheets keep to their own rules: small, by token, calm, for either way of writing."""

import gzip
import re

import pytest

from league.static_files import SHEETS as SHEETS_OF
from tests.look.colours import SHEETS

COMMON = SHEETS_OF["site"]
ALL = sorted(SHEETS.glob("*.css"))
PAPER = {"print", "paper"}  # ink is black and paper white there


def rules(sheet):
    return re.sub(r"/\*.*?\*/", "", sheet.read_text(), flags=re.S)


def test_the_common_sheets_weigh_at_most_ten_kilobytes():
    together = b"".join((SHEETS / f"{name}.css").read_bytes() for name in COMMON)
    assert len(gzip.compress(together, 9)) <= 10_000


@pytest.mark.parametrize("sheet", [s for s in ALL if s.stem not in PAPER | {"tokens"}], ids=str)
def test_only_the_tokens_name_a_colour(sheet):
    assert re.findall(r"#[0-9a-fA-F]{3,8}\b|\brgba?\(|\bhsla?\(", rules(sheet)) == []


@pytest.mark.parametrize("sheet", ALL, ids=str)
def test_nothing_is_shaded(sheet):
    assert re.findall(r"gradient|box-shadow|text-shadow|drop-shadow", rules(sheet)) == []


@pytest.mark.parametrize("sheet", ALL, ids=str)
def test_nothing_depends_on_left_and_right(sheet):
    physical = (
        r"(?:margin|padding|border)-(?:left|right)|[;{ ](?:left|right):"
        r"|(?:align|float): (?:left|right)"
    )
    assert re.findall(physical, rules(sheet)) == []


@pytest.mark.parametrize("sheet", ALL, ids=str)
def test_every_token_that_is_used_is_there(sheet):
    known = set(re.findall(r"--([\w-]+):", rules(SHEETS / "tokens.css") + rules(sheet)))
    assert set(re.findall(r"var\(--([\w-]+)", rules(sheet))) <= known


@pytest.mark.parametrize("sheet", ALL, ids=str)
def test_nothing_is_fetched_from_elsewhere(sheet):
    assert re.findall(r"url\(\s*[\"']?(?:https?:)?//|@import", rules(sheet)) == []
