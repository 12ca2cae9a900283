"""Days and squads as people type and paste them, in a season from 15 October 2026."""

from datetime import date

import pytest
from django.core.exceptions import ValidationError
from django.utils import translation

from league.teams.forms import TeamForm
from league.teams.rule_fields import parse_day, parse_days, read_days

SINCE = date(2026, 10, 15)
EVE, NOVEMBER, MARCH = date(2026, 12, 24), date(2026, 11, 12), date(2027, 3, 4)


@pytest.mark.parametrize(
    ("language", "text", "day"),
    [
        ("en-gb", "2026-12-24", EVE),
        ("en-gb", "12/11/2026", NOVEMBER),
        ("en-gb", "24.12.26", EVE),
        ("en-gb", "24/12", EVE),
        ("en-gb", "12 November", NOVEMBER),
        ("en-gb", "Thursday 12th November 2026", NOVEMBER),
        ("en-gb", "4 Mar", MARCH),
        ("en-us", "11/12/2026", NOVEMBER),
        ("en-us", "March 4, 2027", MARCH),
        ("de", "Donnerstag, 24. Dezember", EVE),
        ("de", "4. März", MARCH),
        ("fr-ca", "24 décembre 2026", EVE),
        ("fr-ca", "1er janvier", date(2027, 1, 1)),
        ("en-gb", "32 December", None),
        ("en-gb", "30/2/2027", None),
        ("en-gb", "Easter", None),
        ("en-gb", "24", None),
        ("en-gb", "12 November or so", None),
    ],
)
def test_a_day_is_read_in_any_usual_format_and_without_a_year_is_in_the_season(language, text, day):
    with translation.override(language):
        assert parse_day(text, SINCE) == day


def test_days_are_on_one_line_or_several_and_every_invalid_one_is_named():
    with translation.override("en-gb"):
        text = "24 December\n2026-11-12 2027-03-04\n\n12 November, 24/12/2026"
        assert parse_days(text, SINCE) == [NOVEMBER, EVE, MARCH]
        with pytest.raises(ValueError, match="Whitsun"):
            parse_days("24 December\nWhitsun", SINCE)
        with pytest.raises(ValidationError) as refused:
            read_days("Whitsun\n24 December\n32/12/2026", 9, SINCE)
        assert [text.split("”")[0] for text in refused.value.messages] == [
            "“Whitsun",
            "“32/12/2026",
        ]


def test_a_pasted_squad_comes_in_without_its_numbers_and_bullets():
    pasted = "1. Alan Pascoe\n2) Betty Rowe <betty@example.org>\n- Colin Rowe\n• Dingle, Alan\n"
    form = TeamForm({"name": "Ship A", "names": pasted})
    assert form.is_valid()
    names = ["Alan Pascoe", "Betty Rowe", "Colin Rowe", "Alan Dingle"]
    assert form.cleaned_data["names"] == names
