"""Sheets of results brought in: games of which only the final score is known."""

from datetime import date

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.forms import model_to_dict
from django.test import Client
from django.urls import reverse

from league.errors import Refused
from league.exchange.results_sheet import ended_games, import_results, preview_results, result_rows
from league.exchange.sheet_import import examples
from league.exchange.sheet_reading import Columns, read_sheet
from league.exchange.sheets import RESULTS, sheet
from league.exchange.views.files import RESULTS_NEED
from league.members.models import Member
from league.play.actions import call_time, confirm_game, write_totals
from league.play.models import Game, Result
from league.play.recount import differences, with_everything
from league.seating.actions import substitute
from league.sessions.models import Session
from tests.builders import EIGHT, TEST, a_club, a_session, a_table, a_user, members_of, rulesets_of
from tests.exchange.recorded import a_game_of_counts
from tests.play.hands import write

pytestmark = pytest.mark.django_db

HEAD = "date,session,round,game,table,player 1,player 2,player 3,player 4,points 1,points 2"
HEAD += ",points 3,points 4,ended,winners"
FIRST = "2026-11-05,First Thursday,1,A,1,Rose,Ann,Ted,Bill,10,7,10,7,,"
OTHER = "2026-11-05,First Thursday,1,B,2,Joan,Gus,Sam,Dee,4,11,,,,"
THREE = "2026-11-05,First Thursday,2,C,1,Rose,Joan,Gus,,8,10,3,,,"
EVENING = [HEAD, FIRST, OTHER, THREE]


def rows_of(lines):
    content = lines if isinstance(lines, bytes) else "\n".join(lines).encode()
    return read_sheet(content, Columns(RESULTS, RESULTS_NEED))


def take(club, lines):
    rows = rows_of(lines)
    agreed = preview_results(club, rows, at=EIGHT).agreed
    return import_results(club, rows, agreed=agreed, by=TEST, at=EIGHT)


def troubles(club, *lines):
    found = preview_results(club, rows_of([HEAD, *lines]), at=EIGHT).troubles
    return [(trouble.line, trouble.column) for trouble in found]


def with_(old, new, line=FIRST):
    assert old in line
    return line.replace(old, new, 1)


def written(club, kind):
    games = ended_games(Game.objects.filter(session__club=club))
    return sheet(RESULTS, result_rows(games, lambda member: member.name), kind=kind)


@pytest.fixture
def club():
    made = a_club()
    members_of(made, 8)
    rulesets_of(made)
    return made


def test_results_become_a_closed_evening_that_a_recount_finds_right(club):
    (night,) = take(club, EVENING)
    assert (night.held_on, night.state) == (date(2026, 11, 5), Session.State.CLOSED)
    ended_games = [(game.score, game.winners, game.state) for game in night.games.order_by("pk")]
    assert ended_games == [
        ([10, 7], [0, 2], "confirmed"),
        ([4, 11], [1, 3], "confirmed"),
        ([8, 10, 3], [1], "confirmed"),
    ]
    assert list(night.tables.values_list("round__number", "number")) == [(1, 1), (2, 1), (1, 2)]
    assert Result.objects.get(member__name="Ted").win_share == 1
    assert not any(differences(with_everything(Game.objects.all())))
    assert night.audit.get().new == {"games": 3, "hands": 0}


def test_a_result_is_stored_as_a_table_that_writes_down_its_score_would(club):
    (night,) = take(club, [HEAD, FIRST])
    brought = night.games.get()
    people = [seat.member for seat in brought.table.seats.all()]
    table = a_table(a_session(club, people), people, brought.ruleset, totals_only=True)
    write_totals(table, [10, 7], by=TEST, at=brought.started_at)
    confirm_game(table, by=TEST, at=brought.started_at)
    for played, stored in zip(parts_of(table.games.get()), parts_of(brought), strict=True):
        assert played == stored


def parts_of(game):
    """All that is stored of a game but ids."""
    for rows in ([game], game.results.order_by("member"), game.confirmations.all()):
        yield [model_to_dict(row, exclude=("id", "game", "session", "table")) for row in rows]


def test_the_same_sheet_twice_adds_nothing_even_after_its_evening_was_renamed(club):
    take(club, EVENING)
    Session.objects.update(name="The very first", held_on=date(2026, 11, 6))
    found = preview_results(club, rows_of(EVENING), at=EIGHT)
    assert (found.new, found.known, found.troubles) == ([], 3, [])
    assert take(club, EVENING) == []
    assert (Session.objects.count(), Game.objects.count()) == (1, 3)


def test_a_game_that_is_here_with_another_score_is_told_and_stays(club):
    take(club, EVENING)
    assert troubles(club, FIRST, with_(",4,11,", ",4,10,", OTHER)) == [(3, "points 1")]
    assert troubles(club, with_("7,,", "7,decision,2")) == [(2, "points 1")]


def test_a_game_leaves_under_those_who_played_its_last_hand_as_its_results_do(club):
    people = list(club.members.order_by("pk"))
    table = a_table(a_session(club, people), people[:4], club.rulesets.get(players=4))
    write(table, (0, 3), (1, 5))
    substitute(table, 0, people[4], by=TEST)
    call_time(table, by=TEST, at=EIGHT)
    (row,) = rows_of(written(club, "csv"))
    credited = Result.objects.filter(finished=True).order_by("position")
    assert [row[f"player {n}"] for n in (1, 2, 3, 4)] == [one.member.name for one in credited]
    assert row["player 1"] == people[0].name


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_our_own_export_read_again_is_nothing_new(club, kind):
    take(club, [*EVENING, with_("1,A,1,Rose", "2,D,2,Dee").replace("10,7,10,7,,", "6,9,6,9,time,")])
    found = preview_results(club, rows_of(written(club, kind)), at=EIGHT)
    assert (found.new, found.known, found.troubles) == ([], 4, [])


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_games_with_hands_leave_with_their_score_and_come_in_as_known(kind):
    game = a_game_of_counts((0, 5), (2, 5), (0, 5), (2, 5), (0, 5))
    found = preview_results(game.session.club, rows_of(written(game.session.club, kind)), at=EIGHT)
    assert (found.new, found.known, found.troubles) == ([], 1, [])


@pytest.mark.parametrize(
    ("line", "column"),
    [
        (with_("2026-11-05", "5.11.2026"), "date"),
        (with_("2026-11-05", "2026-11-20"), "date"),
        (with_("First Thursday", "First\u202eThursday"), "session"),
        (with_("First Thursday", "x" * 81), "session"),
        (with_("First Thursday", "A\0B"), "session"),
        (with_(",A,", ",,"), "game"),
        (with_(",A,1", ",A,0000019999999"), "table"),
        (with_("Thursday,1", "Thursday,one"), "round"),
        (with_("Ann", "Rose"), "player 1"),
        (with_("Ann", "Zed"), "player 2"),
        (with_("Ann", "Z" * 9_000), "player 2"),
        (with_("Ann", ""), "player 1"),
        (with_("Ann", "nan"), "player 1"),
        (with_("Ann", "inf"), "player 1"),
        (with_("10,7,10,7", "ten,7,10,7"), "points 1"),
        (with_("10,7,10,7", "10,7,9,7"), "points 3"),
        (with_("10,7,10,7", ",7,,7"), "points 1"),
        (with_("10,7,10,7", "9,7,9,7"), "points 1"),
        (with_("10,7,10,7", "10,10,10,10"), "points 1"),
        (with_("10,7,10,7,,", "12,11,12,11,,1 & 3"), "points 2"),
        (with_("10,7,10,7,,", "14,7,14,7,,"), "points 1"),
        (with_("10,7,10,7,,", "10,7,10,7,,2 & 4"), "winners"),
        (with_("10,7,10,7,,", "99,0,99,0,,"), "points 1"),
        (with_("10,7,10,7", "100,7,100,7"), "points 1"),
        (with_("10,7,10,7,,", "10,7,10,7,lunch,"), "ended"),
        (with_("10,7,10,7,,", "10,7,10,7,,5"), "winners"),
        (with_("10,7,10,7,,", "10,7,10,7,,Rose"), "winners"),
        (with_("10,7,10,7,,", "8,7,8,7,time,2"), "winners"),
        (with_("10,7,10,7,,", "8,7,8,7,decision,"), "winners"),
        (with_("10,3,,,", "10,3,7,,", THREE), "points 4"),
    ],
)
def test_every_bad_cell_is_named_and_nothing_is_written(club, line, column):
    assert troubles(club, line) == [(2, column)]
    with pytest.raises(Refused) as refused:
        take(club, [HEAD, line])
    assert refused.value.code == "bad-lines"
    assert not Session.objects.exists()


@pytest.mark.parametrize(
    ("second", "where"),
    [
        (with_("1,A", "2,A"), [(3, "game")]),
        (with_(",B,2,", ",B,1,", OTHER), [(3, "table")]),
        (with_("Joan", "Rose", OTHER), [(3, "player 1")]),
        (with_("Thursday,1", "Thursday,", OTHER), [(3, "round")]),
        (with_("Joan", "Rose", OTHER).replace("Thursday,1", "Thursday,2"), []),
    ],
)
def test_a_game_a_line_and_nobody_at_two_tables_in_a_round(club, second, where):
    assert troubles(club, FIRST, second) == where


def test_rounds_that_are_not_told_are_the_tables_first_and_second_game(club):
    lines = [line.replace("Thursday,1", "Thursday,").replace("Thursday,2", "Thursday,")
             for line in EVENING]  # fmt: skip
    (night,) = take(club, lines)
    assert list(night.tables.values_list("round__number", "number")) == [(1, 1), (2, 1), (1, 2)]


def test_a_name_of_two_people_is_told_at_its_chair(club):
    Member.objects.create(club=club, name="Ted")
    (found,) = preview_results(club, rows_of([HEAD, FIRST]), at=EIGHT).troubles
    assert found.column == "player 3"
    assert "players are called Ted" in str(found)


def test_a_line_with_one_bad_cell_is_looked_at_further(club):
    line = with_("Ann", "Zed").replace("2026-11-05", "2026-11-20").replace(",,", ",lunch,7")
    expected = [(2, "winners"), (2, "ended"), (2, "date"), (2, "player 2")]
    assert sorted(troubles(club, line)) == sorted(expected)
    assert troubles(club, with_("10,7,10,7", ",7,,7"), THREE.replace("8,10,3", ",10,")) == [
        (2, "points 1"),
        (3, "points 1"),
        (3, "points 3"),
    ]


def test_where_the_score_does_not_say_who_won_the_line_does(club):
    lines = [
        with_("10,7,10,7,,", "11,10,11,10,decision,2 & 4"),
        with_("4,11,,,,", "8,8,8,8,time,", OTHER),
        with_("8,10,3,,,", "8,2,3,,decision,3", THREE),
    ]
    (night,) = take(club, [HEAD, *lines])
    endings = [(game.winners, game.ended_by) for game in night.games.order_by("pk")]
    assert endings == [([1, 3], "decision"), ([0, 1, 2, 3], ""), ([2], "decision")]
    rows = rows_of(written(club, "csv"))
    endings = [(row["ended"], row["winners"]) for row in rows]
    assert sorted(endings) == [("decision", "2 & 4"), ("decision", "3"), ("time", "")]
    shares = dict(night.results.filter(game__table__number=2).values_list("position", "win_share"))
    assert shares == dict.fromkeys(range(4), 0.5)
    assert not any(differences(with_everything(Game.objects.all())))


def test_an_evening_goes_into_the_season_that_its_lines_name(club):
    season = club.seasons.create(name="Autumn", starts_on=date(2026, 9, 1))
    head, first = f"{HEAD},season", f"{FIRST},autumn"
    assert take(club, [head, first, f"{OTHER},autumn"])[0].season == season
    rows = rows_of(
        [head, f"{FIRST},Spring".replace("First", "Second"), f"{OTHER},".replace("First", "Second")]
    )
    found = preview_results(club, rows, at=EIGHT).troubles
    assert [(one.line, one.column) for one in found] == [(2, "season"), (3, "season")]


def test_typed_cells_of_a_spreadsheet_are_read_like_texts(club):
    import io

    import openpyxl

    book = openpyxl.Workbook()
    book.active.append(HEAD.split(","))
    cells = [date(2026, 11, 5), "First", 1, "A", 1.0, "Rose", "Ann", "Ted", "Bill", 10, 7.0, 10, 7]
    book.active.append(cells)
    content = io.BytesIO()
    book.save(content)
    (night,) = take(club, content.getvalue())
    assert (night.held_on, night.games.get().score) == (date(2026, 11, 5), [10, 7])


def test_the_page_shows_what_it_would_do_and_then_does_it(club, client):
    client.force_login(a_user(club=club))
    page = reverse("import_results", args=[club.slug])
    file = SimpleUploadedFile("x.csv", "\n".join(EVENING).encode())
    looked = client.post(page, {"file": file})
    assert (looked.status_code, Session.objects.count()) == (200, 0)
    text = looked.content.decode()
    assert "3 games are new" in text
    assert all(f">{score}<" in text for score in ("10 – 7", "4 – 11", "8 – 10 – 3"))
    data = {"carried": looked.context["carried"], "agreed": looked.context["found"].agreed}
    assert client.post(page, data).status_code == 302
    night = Session.objects.get()
    exported = client.get(reverse("session_results", args=[club.slug, night.public_id, "csv"]))
    assert exported.content.decode("utf-8-sig").count("First Thursday") == 3
    standings = client.get(reverse("session_standings", args=[club.slug, night.public_id]))
    assert "Euchres</dt>" not in standings.content.decode()  # of no hand, nothing is told
    assert client.post(page, {"file": SimpleUploadedFile("x", b"game\n1\n")}).status_code == 422


def test_the_example_can_be_read_by_whoever_has_such_people(club):
    example = examples(EIGHT.date())["results"]
    content = sheet(example.headings, example.lines, kind="xlsx")
    assert preview_results(club, rows_of(content), at=EIGHT).troubles == []


def test_in_public_a_sheet_of_results_names_people_as_the_pages_do(club):
    (night,) = take(club, [HEAD, FIRST])
    club.visibility = "standings"
    club.save()
    Member.objects.filter(name="Rose").update(name="Rose Whitfield")
    Member.objects.filter(name="Ann").update(name="=Ann", shown="name")
    answer = Client().get(reverse("session_results", args=[club.slug, night.public_id, "csv"]))
    text = answer.content.decode("utf-8-sig")
    assert "Whitfield" not in text
    assert "Rose W." in text
    assert "'=Ann" in text
