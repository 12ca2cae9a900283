"""Spreadsheets as people have them: a title above, headings of their own, days in any usual way,
and files that are something else than their name says."""

import io
import json

import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from league.exchange.sheet_import import refused_sheet
from league.exchange.sheet_reading import (
    BadSheet,
    Columns,
    Match,
    ambiguous,
    iso_days,
    match_in,
    read_sheet,
)
from league.members.models import Member
from tests.builders import a_club, a_user
from tests.exchange.test_sheet_jobs import MANY

LIST = """Members of the Thursday club;;;
as of November;;;

Vorname;Nachname;Telefon;Mitglied since
Zoë;Müller;0171 23;19.11.2024
René;Dupont;;3. Mai 2020
"""
ENGLISH = LIST.replace("3. Mai 2020", "3 May 2020")
COLUMNS = Columns(("name", "joined"), ("name",), ("joined",), {"name": ("first name", "surname")})


@pytest.fixture
def club(db):
    return a_club()


@pytest.fixture
def organiser(club, client):
    client.force_login(a_user(club=club))
    return client


def bring(client, club, content, what="people", **more):
    page = reverse(f"import_{what}", args=[club.slug])
    return client.post(page, {"file": SimpleUploadedFile("list", content), **more})


def answer(client, club, question, **answers):
    """Send the page of questions off, as its form would."""
    page = reverse("import_people", args=[club.slug])
    carried = {"carried": question.context["carried"], "match": question.context["match"]}
    return client.post(page, carried | {"answered": "yes"} | answers)


@pytest.mark.parametrize(
    "day",
    ["2026-11-19", "19.11.2026", "19/11/2026", "11/19/2026", "19 Nov 2026", "November 19, 2026",
     "Thursday 19 November 2026", "Do 19.11.2026", "2026/11/19", "19-Nov-26", "20261119"],
)  # fmt: skip
def test_a_day_is_read_in_every_usual_way(day):
    assert iso_days([day]) == ["2026-11-19"]


@pytest.mark.parametrize("text", ["soon", "November 2026", "19 November", "12", "19:30", "2026"])
def test_what_leaves_out_a_part_of_a_day_is_not_guessed(text):
    assert iso_days([text]) == [text]


def test_a_day_that_may_be_two_is_read_as_the_column_shows_and_else_asked_about():
    assert iso_days(["03/04/2026", "25/12/2026"])[0] == "2026-04-03"
    assert iso_days(["03/04/2026", "12/25/2026"])[0] == "2026-03-04"
    assert ambiguous(["03/04/2026", "25/12/2026"]) == ""
    assert (ambiguous(["03/04/2026"]), iso_days(["03/04/2026"])) == ("03/04/2026", ["03/04/2026"])
    assert iso_days(["03/04/2026"], "month") == ["2026-03-04"]


def test_after_the_year_the_month_comes_first_whatever_the_rest_of_the_column_shows():
    days = ["2026/03/04", "2026.03.04", "2026-03-04 00:00:00", "25/12/2026"]
    assert iso_days(days) == ["2026-03-04"] * 3 + ["2026-12-25"]
    assert ambiguous(days[:3]) == ""


def test_lines_above_the_headings_are_passed_over_and_lines_keep_their_numbers():
    columns = {"vorname": "first name", "nachname": "surname", "telefon": ""}
    match = Match(columns=columns | {"mitglied since": "joined"})
    rows = read_sheet(ENGLISH.encode(), COLUMNS, match=match)
    assert [(row.line, row["name"], row["joined"]) for row in rows] == [
        (5, "Zoë Müller", "2024-11-19"),
        (6, "René Dupont", "2020-05-03"),
    ]


def test_headings_of_a_club_are_matched_on_a_page_once_and_then_remembered(organiser, club):
    content = ENGLISH.replace("Vorname", "Given name").replace("Nachname", "Last name")
    question = bring(organiser, club, content.encode())
    form = question.context["form"]
    assert form.headings == ["given name", "last name", "telefon", "mitglied since"]
    guessed = {name: field.initial for name, field in form.fields.items()}
    assert list(guessed.values()) == ["first name", "surname", "-", "joined"]
    twice = answer(organiser, club, question, **guessed | {"column_2": "joined"})
    assert twice.status_code == 422
    assert "chosen twice" in twice.content.decode()
    missing = answer(organiser, club, question, **dict.fromkeys(guessed, "-"))
    assert "Choose which column is: name" in missing.content.decode()
    seen = answer(organiser, club, question, **guessed)
    assert "2 players are new" in seen.content.decode()
    assert "Left out: telefon" in seen.content.decode()
    order = {name: seen.context[name] for name in ("carried", "match")}
    order["agreed"] = seen.context["seen"].agreed
    assert organiser.post(reverse("import_people", args=[club.slug]), order).status_code == 302
    joined = Member.objects.get(name="Zoë Müller").joined_at.date()
    assert joined.isoformat() == "2024-11-19"
    again = bring(organiser, club, content.replace("Zoë", "Ann").encode())
    assert "1 player is new" in again.content.decode()  # nothing is asked
    page = reverse("import_people", args=[club.slug])
    once_more = organiser.post(page, {"carried": again.context["carried"], "again": "yes"})
    assert once_more.context["form"].headings == form.headings


def test_headings_in_other_usual_words_are_taken_without_asking(organiser, club):
    content = b"Full name,Email,Member since\nAnn,ann@example.org,2024-11-19\n"
    seen = bring(organiser, club, content)
    assert "1 player is new" in seen.content.decode()
    assert "“full name” is the column “name”" in " ".join(seen.content.decode().split())


def test_which_part_of_a_day_stands_first_is_asked_when_the_column_does_not_show_it(
    organiser, club
):
    question = bring(organiser, club, b"name,joined\nAnn,03/04/2024\n")
    assert dict(question.context["form"].fields["first"].choices) == {
        "day": "3 April 2024",
        "month": "4 March 2024",
    }
    seen = answer(organiser, club, question, first="month")
    assert "1 player is new" in seen.content.decode()
    assert json.loads(seen.context["match"])["first"] == "month"


def test_a_large_list_is_matched_before_it_is_worked_on_beside_the_pages(organiser, club):
    lines = ["Nom;Joined", *(f"{name};19.11.2024" for name in MANY)]
    bring(organiser, club, "\n".join(lines).encode())
    job = club.jobs.get()
    assert (job.state, job.params["match"]) != ("failed", "")
    assert f"{len(MANY)} players are new" in " ".join(job.preview.split())


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "xls"),
        (b"PK\x03\x04" + b"\0" * 26 + b"mimetypeapplication/vnd.oasis.opendocument.s", "ods"),
        (b"%PDF-1.7\n", "pdf"),
        (b"<html><table>", "html"),
    ],
)
def test_a_file_of_another_kind_is_named_for_what_it_is(content, code):
    with pytest.raises(BadSheet) as caught:
        read_sheet(content, COLUMNS)
    assert caught.value.code == code
    assert "Save" in refused_sheet(caught.value).fields["file"][0]


def test_a_formula_without_its_result_is_named_with_its_line():
    book = openpyxl.Workbook()
    for row in (["name", "joined"], ["Ann", "=TODAY()"]):
        book.active.append(row)
    buffer = io.BytesIO()
    book.save(buffer)
    with pytest.raises(BadSheet) as caught:
        read_sheet(buffer.getvalue(), COLUMNS)
    assert (caught.value.code, caught.value.line) == ("formula", 2)


@pytest.mark.parametrize("text", ["[]", "{", '{"x": 1}', '{"columns": []}', '{"people": {"a": 1}}'])
def test_answers_that_are_none_are_refused(text):
    with pytest.raises(ValueError, match=r"."):
        match_in(text)
    assert match_in(Match(first="day").to_text()) == Match(first="day")
