"""Sheets of people brought in: rows I1 to I4, P2 and P7 of the list of attacks."""

import io
import time
import zipfile

import openpyxl
import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from league.errors import Refused
from league.exchange.forms import packed, unpacked
from league.exchange.people_import import MOST_DOUBTFUL, import_people, people_rows, preview_import
from league.exchange.sheet_reading import MOST_BYTES, MOST_ROWS, BadSheet, Columns, read_sheet
from league.exchange.sheets import MEMBERS, sheet
from league.members.actions.erasing import erase_member
from league.members.models import AuditEntry, Member
from tests.builders import EIGHT, TEST, a_club, a_user, members_of

LISTED = "name;kind;e-mail\nZoë Müller;guest;zoe@example.org\nRené;member;\n"
NAMES = ["Zoë Müller", "René"]


def read(content):
    return read_sheet(content, Columns(MEMBERS, ("name",)))


def names(content):
    return [row["name"] for row in read(content)]


def trouble(content):
    with pytest.raises(BadSheet) as caught:
        read(content)
    return caught.value.code, caught.value.line


def workbook(*rows):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def take(club, content, also=()):
    rows = read(content)
    found = preview_import(club, rows)
    return import_people(club, rows, agreed=found.agreed, by=TEST, also=also)


@pytest.fixture
def club(db):
    return a_club()


@pytest.fixture
def organiser(club, client):
    client.force_login(a_user(club=club))
    return client


def bring(client, club, content, name="people.csv"):
    page = reverse("import_people", args=[club.slug])
    return client.post(page, {"file": SimpleUploadedFile(name, content)})


@pytest.mark.parametrize(
    "content",
    [
        LISTED.encode(),
        LISTED.encode("utf-8-sig"),
        LISTED.encode("utf-16"),
        LISTED.encode("utf-16-le"),
        LISTED.encode("utf-16-be"),
        LISTED.encode("latin-1"),
        LISTED.replace("\n", "\r").encode(),
        LISTED.replace("\n", "\r\n").encode(),
        LISTED.replace(";", ",").encode(),
        LISTED.replace(";", "\t").encode(),
        workbook(*[line.split(";") for line in LISTED.splitlines()]),
    ],
    ids=["utf-8", "mark", "utf-16", "le", "be", "latin-1", "cr", "crlf", "comma", "tab", "xlsx"],
)
def test_letters_line_ends_and_separators_of_every_kind_are_read(content):
    assert names(content) == NAMES


def test_an_unbalanced_quote_is_refused_with_the_line_where_it_opens():
    assert trouble(b'name,kind\nAnn,member\n"Bob,member\nTed,guest\n') == ("quotes", 3)


def test_lines_are_numbered_as_in_the_file_after_blank_ones_and_quoted_breaks():
    rows = read(b'name,kind\n\n"An\nn",member\nBob,guest\n')
    assert [row.line for row in rows] == [3, 5]


def test_one_bad_line_of_a_hundred_and_nobody_is_added_and_every_bad_cell_is_named(organiser, club):
    lines = [f"Player {n},member,p{n}@example.org" for n in range(1, 101)]
    lines[55] = "\u202eevil,member,"
    lines[70] = "Somebody,king,nowhere"
    answer = bring(organiser, club, "\n".join(["name,kind,e-mail", *lines]).encode())
    text = answer.content.decode()
    assert answer.status_code == 422
    for where in ("Line 57, name", "Line 72, kind", "Line 72, e-mail"):
        assert where in text
    assert not Member.objects.exists()


def test_the_same_file_twice_adds_nobody_the_second_time(club):
    assert [one.name for one in take(club, LISTED.encode())] == NAMES
    assert take(club, LISTED.encode()) == []
    assert Member.objects.count() == 2


def test_bad_lines_are_refused_by_the_order_too(club):
    rows = read(b"name,joined\nAnn,yesterday\nBob,\n")
    agreed = preview_import(club, rows).agreed
    with pytest.raises(Exception, match="Nothing was imported"):
        import_people(club, rows, agreed=agreed, by=TEST)
    assert not Member.objects.exists()


def test_what_is_added_is_what_was_looked_at(organiser, club):
    page = reverse("import_people", args=[club.slug])
    agreed = preview_import(club, read(LISTED.encode())).agreed
    Member.objects.create(club=club, name="René")
    data = {"carried": packed(LISTED.encode()), "agreed": agreed}
    answer = organiser.post(page, data)
    assert (answer.status_code, Member.objects.count()) == (409, 1)
    agreed = preview_import(club, read(LISTED.encode())).agreed
    assert organiser.post(page, data | {"agreed": agreed}).status_code == 302
    assert sorted(Member.objects.values_list("name", flat=True)) == sorted(NAMES)
    assert AuditEntry.objects.filter(action="import people").count() == 1


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"name\n" + b"x\n" * (MOST_ROWS + 1), "long"),
        (b"name\n" + b"x" * 20_000, "cell"),
        (b"name\n" + b"a," * 10_000, "wide"),
        (",".join(f"c{n}" for n in range(10_000)).encode(), "wide"),
        (b"name\n" + b"x" * MOST_BYTES, "large"),
        (b"PK\x03\x04 and then nothing", "damaged"),
        (b"", "missing"),
        (b"name\n", "empty"),
        (b"kind\nguest\n", "missing"),
        (b"name,name\nAnn,Bob\n", "twice"),
        (b"name\n\x00\x00\x00", "missing"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR name\nAnn\n", "damaged"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF\0 name\nAnn\n", "damaged"),
    ],
)
def test_what_is_too_much_or_no_sheet_is_refused(content, why):
    assert trouble(content)[0] == why


def test_more_people_than_can_be_compared_in_a_moment_are_refused(organiser, club):
    began = bring(organiser, club, ("name\n" + "Ann\n" * 5001).encode())
    answer = organiser.get(began["Location"])
    assert "Line 5002: There are more than 5000 lines." in answer.content.decode()


def test_a_line_of_millions_of_cells_is_refused_before_it_is_taken_apart():
    def cost(content):
        began = time.process_time()
        assert trouble(content)[1] == 1
        return time.process_time() - began

    one_cell = cost(b"x" * 4_900_000)
    assert cost(b"name" + b"," * 4_900_000) < 20 * one_cell + 0.05


def zipped(name, content):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packing:
        packing.writestr(name, content)
    return buffer.getvalue()


def test_a_spreadsheet_that_unpacks_to_much_is_refused_before_it_does():
    bomb = zipped("xl/worksheets/sheet1.xml", b"0" * 60_000_000)
    assert len(bomb) < 100_000
    began = time.process_time()
    assert trouble(bomb)[0] == "bomb"
    assert time.process_time() - began < 0.5


def test_a_spreadsheet_that_declares_entities_is_refused():
    evil = b'<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>'
    assert trouble(zipped("xl/workbook.xml", evil))[0] == "damaged"


def test_an_upload_of_many_megabytes_is_refused_unread(organiser, club):
    answer = bring(organiser, club, b"name\n" + b"x" * 2 * MOST_BYTES)
    assert answer.status_code in (400, 413)


def test_the_name_of_the_file_means_nothing(organiser, club):
    answer = bring(organiser, club, LISTED.encode(), name="../../x.xlsx")
    assert answer.status_code == 200
    assert "2 players are new" in answer.content.decode()


@pytest.mark.parametrize("column", ["club_id", "is_staff", "id", "user", "erased_at"])
def test_a_column_that_means_nothing_here_is_asked_about_and_means_one_of_ours(
    organiser, club, column
):
    answer = bring(organiser, club, f"name,{column}\nAnn,1\n".encode())
    field = answer.context["form"].fields["column_0"]
    assert (field.label, column in dict(field.choices)) == (column, False)
    assert trouble(f"name,{column}\nAnn,1\n".encode()) == ("strange", 1)


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_our_own_export_read_again_is_nothing_new_and_restores_every_name(club, kind):
    for name in ("=HYPERLINK(1)", "+1", "-1", "@x", "O'Neil", "Zoë"):
        Member.objects.create(club=club, name=name, is_guest=name == "+1")
    Member.objects.create(club=club, name="Al", is_minor=True, retired_at=EIGHT, shown="name")
    content = sheet(MEMBERS, people_rows(club), kind=kind)
    assert take(club, content) == []
    other = a_club("Other", "other")
    assert len(take(other, content, also=range(2, 9))) == 7  # "-1" looks like "+1", and asks
    kept = ("name", "is_guest", "is_minor", "shown", "email")
    assert list(other.members.values(*kept)) == list(club.members.values(*kept))
    assert other.members.get(name="Al").retired_at.date() == EIGHT.date()


def test_an_old_sheet_flags_who_asked_to_be_forgotten_and_does_not_add_them(club):
    (rose,) = members_of(club, 1)
    content = sheet(MEMBERS, people_rows(club), kind="csv")
    erase_member(rose, by=TEST, at=EIGHT)
    (line,) = preview_import(club, read(content)).lines
    assert (line.verdict, line.asks) == ("erased", True)
    assert take(club, content) == []


def test_a_doubtful_line_is_added_when_it_is_said_to_be_somebody_else(club):
    Member.objects.create(club=club, name="Katherine Olsen")
    content = b"name\nKatherine Olson\n"
    assert take(club, content) == []
    assert len(take(club, content, also=[2])) == 1


def test_what_travels_in_the_page_unpacks_to_no_more_than_a_file_may_hold():
    assert unpacked(packed(b"abc")) == b"abc"
    assert unpacked(packed(b"0" * 50_000_000)) == b""
    assert unpacked("no such text") == b""


def test_more_questions_than_a_form_can_answer_ask_for_smaller_files(organiser, club, monkeypatch):
    take(club, b"name\nRose Wynter\nAnn Baker\nTed Mills\n")
    content = b"name\nRose Winter\nAnne Baker\nTed Mils\n"
    monkeypatch.setattr("league.exchange.people_import.MOST_DOUBTFUL", 3)
    assert 'name="agreed"' in bring(organiser, club, content).text
    monkeypatch.setattr("league.exchange.people_import.MOST_DOUBTFUL", 2)
    answer = bring(organiser, club, content).text
    assert "Split this file into smaller ones" in answer
    assert "3 names look like another player" in answer
    assert 'name="agreed"' not in answer
    assert 'name="also"' not in answer
    with pytest.raises(Refused):
        take(club, content)


def test_the_most_questions_of_one_form_fit_into_what_the_site_takes():
    assert MOST_DOUBTFUL + 10 < settings.DATA_UPLOAD_MAX_NUMBER_FIELDS


def test_all_names_that_look_like_others_are_added_by_one_tick(organiser, club):
    for name in ("Rosemary Whitfield", "Theodore Kowalczyk"):
        Member.objects.create(club=club, name=name)
    alike = ["Rosemary Whitfeld", "Theodore Kowalczik"]
    names = [*alike, "Rosemary Whitfield", "Zebedee"]
    seen = bring(organiser, club, "\n".join(["name", *names]).encode())
    text = " ".join(seen.content.decode().split())
    assert "1 player is new. Nothing is saved yet. 1 line adds no one. 2 more look like" in text
    order = {"carried": seen.context["carried"], "agreed": seen.context["seen"].agreed}
    organiser.post(reverse("import_people", args=[club.slug]), order | {"also": ["0"]})
    assert set(club.members.values_list("name", flat=True)) == {*names, "Theodore Kowalczyk"}


@pytest.mark.parametrize("written", ["nan", "inf", "#REF!", "#N/A"])
def test_what_a_program_writes_into_an_empty_cell_is_nobodys_name(club, written):
    found = preview_import(club, read(f"name\n{written}\n".encode()))
    assert [trouble.column for trouble in found.troubles] == ["name"]


def test_a_sheet_with_the_headings_of_before_is_read(organiser, club):
    content = b"name,under age,retired\nAnn,yes,2026-01-02\n"
    page = bring(organiser, club, content).content.decode()
    assert "1 player is new" in page
    assert "“under age” is the column “under 18”" in page
    assert "“retired” is the column “inactive since”" in page
