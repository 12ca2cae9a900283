"""A season's calendar brought in as a sheet, and the club's sessions taken out as one."""

import io
from datetime import date, time

import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from league.errors import Refused
from league.exchange.sessions_import import (
    import_sessions,
    preview_sessions,
    session_of_line,
    session_rows,
)
from league.exchange.sheet_import import examples
from league.exchange.sheet_reading import Columns, read_sheet
from league.exchange.sheets import SESSIONS, sheet
from league.sessions.models import Session
from league.sessions.queries import evening_name, local_date
from tests.builders import EIGHT, TEST, a_club, a_ruleset, a_session, a_table, a_user, members_of

pytestmark = pytest.mark.django_db

HEAD = "date,session,begins,places,season,minutes a round,state"
LINE = "2026-12-03,Christmas euchre,19:30,24,Autumn,20,"


def rows_of(lines):
    content = lines if isinstance(lines, bytes) else "\n".join(lines).encode()
    return read_sheet(content, Columns(SESSIONS, ("date",)))


def take(club, lines):
    rows = rows_of(lines)
    agreed = preview_sessions(club, rows, at=EIGHT).agreed
    return import_sessions(club, rows, agreed=agreed, by=TEST, at=EIGHT)


def troubles(club, lines):
    found = preview_sessions(club, rows_of(lines), at=EIGHT).troubles
    return [(trouble.line, trouble.column) for trouble in found]


@pytest.fixture
def club():
    made = a_club()
    made.seasons.create(name="Autumn", starts_on=date(2026, 9, 1))
    return made


def test_a_calendar_becomes_planned_sessions_with_all_that_it_says(club):
    night, plain, tonight = take(club, [HEAD, LINE, "2026-12-10,,,,,,", "2026-11-19,,,,,,"])
    night.refresh_from_db()
    assert (night.state, night.held_on, night.name) == ("planned", date(2026, 12, 3), LINE[11:27])
    assert (night.begins_at, night.places, night.round_minutes) == (time(19, 30), 24, 20)
    assert (night.season.name, plain.name, plain.season) == ("Autumn", "Thursday 10 December", None)
    assert tonight.state == "open"  # as when it is made on the page
    assert (night.audit.get().action, tonight.audit.get().action) == (
        "plan session",
        "start session",
    )


def test_a_calendar_without_a_column_of_seasons_counts_in_the_season_of_each_day(club, client):
    club.seasons.update(ends_on=date(2026, 12, 5))
    club.seasons.create(name="Over", starts_on=date(2026, 12, 6), closed_at=EIGHT)
    club.seasons.create(name="Winter", starts_on=date(2026, 12, 6))
    nights = take(club, ["date", "2026-12-03", "2026-12-10", "2026-12-17"])
    assert [night.season.name for night in nights] == ["Autumn", "Winter", "Winter"]
    nights = take(club, ["date,season", "2026-12-24,", "2026-12-31,Winter"])
    assert [str(night.season) for night in nights] == ["None", "Winter"]


def test_a_column_of_names_is_read_as_the_sessions(club, client):
    client.force_login(a_user(club=club))
    page, file = reverse("import_sessions", args=[club.slug]), b"Date,Name\n2126-12-03,Candles\n"
    seen = client.post(page, {"file": SimpleUploadedFile("x.csv", file)}).content.decode()
    assert "<b>Candles</b>" in seen
    assert "Autumn" in seen  # its season is on the page that asks


def test_a_season_that_the_club_does_not_have_is_named_once_with_a_link_to_make_it(club, client):
    client.force_login(a_user(club=club))
    page = reverse("import_sessions", args=[club.slug])
    days = "\n".join(f"2126-12-{day:02},Winter" for day in (1, 8, 15))
    file = SimpleUploadedFile("x.csv", f"Date,Season\n{days}\n".encode())
    seen = client.post(page, {"file": file}).text
    assert seen.count("The club has no season called Winter.") == 1
    assert "Line 2, season" in seen
    assert f'href="{reverse("season_new", args=[club.slug])}"' in seen


def test_the_preview_writes_the_day_of_a_session_once(club, client):
    client.force_login(a_user(club=club))
    page, day = reverse("import_sessions", args=[club.slug]), local_date(club, timezone.now())
    file = SimpleUploadedFile("x.csv", f"Date\n{day}\n".encode())
    name = evening_name(club, day)
    assert client.post(page, {"file": file}).text.count(name) == 1


def test_the_same_calendar_twice_adds_nothing_and_changes_nothing(club):
    lines = [HEAD, LINE, "2026-12-10,,,,,,"]
    take(club, lines)
    Session.objects.update(places=8)
    assert take(club, lines) == []
    assert list(Session.objects.values_list("places", flat=True)) == [8, 8]
    found = preview_sessions(club, rows_of(lines), at=EIGHT)
    assert (found.new, found.known) == ([], 2)


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_our_own_export_tells_every_session_and_is_nothing_new(club, kind):
    (coming,) = take(club, [HEAD, LINE])
    people = members_of(club, 4)
    a_table(a_session(club, people, state="closed"), people, a_ruleset(club))
    rows = rows_of(sheet(SESSIONS, session_rows(club), kind=kind))
    written = [[row[column] for column in ("session", "state", "tables", "people")] for row in rows]
    assert written == [["Thursday night", "closed", "1", "4"], [coming.name, "planned", "0", "0"]]
    found = preview_sessions(club, rows, at=EIGHT)
    assert (found.new, found.known, found.troubles) == ([], 2, [])


def test_why_a_session_was_cancelled_goes_out_and_comes_in_again(club):
    night = a_session(club, state="cancelled", cancel_reason="The hall is shut")
    rows = rows_of(sheet(SESSIONS, session_rows(club), kind="csv"))
    night.delete()
    agreed = preview_sessions(club, rows, at=EIGHT).agreed
    (again,) = import_sessions(club, rows, agreed=agreed, by=TEST, at=EIGHT)
    assert (again.state, again.cancel_reason) == ("cancelled", "The hall is shut")
    line = f"2026-12-10,,,,,,cancelled,{'x' * 201}"
    assert troubles(club, [f"{HEAD},reason", line]) == [(2, "reason")]


def test_a_past_evening_of_our_list_that_nobody_closed_comes_in_closed(club):
    forgotten = a_session(club, name="Forgotten", held_on=date(2026, 11, 5))
    rows = rows_of(sheet(SESSIONS, session_rows(club), kind="csv"))
    forgotten.delete()
    agreed = preview_sessions(club, rows, at=EIGHT).agreed
    (night,) = import_sessions(club, rows, agreed=agreed, by=TEST, at=EIGHT)
    assert (night.name, night.state) == ("Forgotten", "closed")


@pytest.mark.parametrize(
    ("old", "new", "column"),
    [
        ("2026-12-03", "3.12.2026", "date"),
        ("2026-12-03", "2026-11-18", "date"),
        ("2026-12-03", "9999-12-31", "date"),
        ("Christmas", "Christ\u202emas", "session"),
        ("Christmas", "C" * 9_000, "session"),
        ("Christmas", "C\0", "session"),
        ("19:30", "25:00", "begins"),
        ("19:30", "half past seven", "begins"),
        (",24,", ",0,", "places"),
        (",24,", ",20000,", "places"),
        ("Autumn", "Spring", "season"),
        (",20,", ",241,", "minutes a round"),
        (",20,", ",20,closed", "date"),
        (",20,", ",20,lost", "state"),
    ],
)
def test_every_bad_cell_is_named_and_nothing_is_planned(club, old, new, column):
    assert old in LINE
    lines = [HEAD, "2026-12-10,,,,,,", LINE.replace(old, new, 1)]
    assert troubles(club, lines) == [(3, column)]
    with pytest.raises(Refused) as refused:
        take(club, lines)
    assert (refused.value.code, Session.objects.count()) == ("bad-lines", 0)


def test_a_session_twice_on_the_sheet_and_a_season_of_two_are_told(club):
    assert troubles(club, [HEAD, LINE, LINE]) == [(3, "session")]
    club.seasons.create(name="AUTUMN", starts_on=date(2027, 9, 1))
    assert troubles(club, [HEAD, LINE]) == [(2, "season")]


@pytest.mark.parametrize("late", [False, True])
def test_what_moved_between_the_look_and_the_lock_is_told(club, monkeypatch, late):
    rows = rows_of([HEAD, LINE])
    agreed = preview_sessions(club, rows, at=EIGHT).agreed

    def meanwhile(*cells):
        Session.objects.create(club=club, name="Christmas euchre", held_on=date(2026, 12, 3))
        return session_of_line(*cells)

    if late:
        monkeypatch.setattr("league.exchange.sessions_import.session_of_line", meanwhile)
    else:
        Session.objects.create(club=club, name="Christmas euchre", held_on=date(2026, 12, 3))
    with pytest.raises(Refused) as refused:
        import_sessions(club, rows, agreed=agreed, by=TEST, at=EIGHT)
    assert (refused.value.code, Session.objects.count()) == ("list-changed", 1)


def test_typed_cells_of_a_spreadsheet_are_read_like_texts(club):
    book = openpyxl.Workbook()
    book.active.append(HEAD.split(","))
    book.active.append([date(2026, 12, 3), "=1+1", time(19, 30), 24, "Autumn", 20.0])
    book.active["B2"].data_type = "s"
    content = io.BytesIO()
    book.save(content)
    (night,) = take(club, content.getvalue())
    assert (night.name, night.begins_at, night.round_minutes) == ("=1+1", time(19, 30), 20)
    assert b",'=1+1,19:30," in sheet(SESSIONS, session_rows(club), kind="csv")


def test_the_page_shows_what_it_would_do_and_then_does_it(club, client):
    client.force_login(a_user(club=club))
    page = reverse("import_sessions", args=[club.slug])
    example = examples(Session(club=club).made_at.date())["sessions"]
    file = SimpleUploadedFile("x.csv", sheet(example.headings, example.lines, kind="csv"))
    looked = client.post(page, {"file": file})
    assert (looked.status_code, Session.objects.count()) == (200, 0)
    assert "1 session is new" in looked.content.decode()
    assert "7:30 p.m." in looked.content.decode()
    data = {"carried": looked.context["carried"], "agreed": looked.context["found"].agreed}
    assert client.post(page, data).status_code == 302
    assert Session.objects.get().state == "planned"


def test_the_page_passes_over_what_only_our_own_export_tells(club, client):
    take(club, [HEAD, LINE])
    client.force_login(a_user(club=club))
    export = client.get(reverse("export_sessions", args=[club.slug, "csv"])).content
    page = reverse("import_sessions", args=[club.slug])
    looked = client.post(page, {"file": SimpleUploadedFile("x.csv", export)})
    assert looked.status_code == 200
    assert (looked.context["found"].known, looked.context["found"].troubles) == (1, [])


def test_everything_that_goes_in_or_out_is_on_one_page(club, client):
    client.force_login(a_user(club=club))
    text = client.get(reverse("club_files", args=[club.slug])).content.decode()
    for name in ("import_people", "import_sessions", "import_results", "import_hands"):
        page = reverse(name, args=[club.slug])
        assert page in text
        assert "example-" in client.get(page).content.decode()
    client.force_login(a_user("mia", club=club, rank="member"))
    text = client.get(reverse("club_files", args=[club.slug])).content.decode()
    assert reverse("club_results", args=[club.slug, "csv"]) in text
    assert "/import/" not in text


def test_two_sessions_of_one_day_and_name_come_in_again_from_the_clubs_own_list():
    lines = [HEAD, *["2026-12-03,Christmas euchre,,,,,planned"] * 2]
    club = a_club()
    assert len(take(club, lines)) == 2
    assert take(club, lines) == []
    assert club.sessions.count() == 2


@pytest.mark.parametrize("text", ["19:30", "19.30", "7:30 pm", "7:30PM", "7:30 p.m.", "19:30:00"])
def test_an_hour_is_read_in_every_usual_way(club, text):
    (night,) = preview_sessions(club, rows_of([HEAD, LINE.replace("19:30", text)]), at=EIGHT).new
    assert night.begins_at == time(19, 30)


def test_an_owner_finds_the_full_backup_among_the_files(client):
    club = a_club()
    page, backup = (reverse(name, args=[club.slug]) for name in ("club_files", "club_archive"))
    client.force_login(a_user("bill", club=club))
    assert backup not in client.get(page).text
    client.force_login(a_user("rose", club=club, rank="owner"))
    assert backup in client.get(page).text


def test_two_sessions_without_a_name_at_two_times_of_a_day_are_two_sessions(club):
    lines = [HEAD, "2026-12-10,,19:30,,,,", "2026-12-10,,20:00,,,,"]
    first, second = take(club, lines)
    assert (first.name, second.name) == ("Thursday 10 December", "Thursday 10 December (2)")
    assert take(club, lines) == []
    assert troubles(club, [*lines, "2026-12-10,,20:00,,,,"]) == [(4, "session")]
