"""Sheets of hands brought in: rows I2 and I4, our own export, and what the rules say of them."""

from datetime import date

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.forms import model_to_dict
from django.urls import reverse

from league.errors import Refused
from league.exchange.game_files import hand_rows
from league.exchange.games_import import prepare_evenings
from league.exchange.hands_import import import_hands, preview_hands
from league.exchange.sheet_reading import Columns, read_sheet
from league.exchange.sheets import HANDS, sheet
from league.exchange.views.downloads import game_logs_of
from league.exchange.views.files import COLUMNS, HANDS_NEED
from league.members.models import Member
from league.play.actions import confirm_game, record_hand
from league.play.models import Game, Hand, Result
from league.play.recount import differences, with_everything
from league.sessions.models import Session
from tests.builders import EIGHT, TEST, a_club, a_session, a_table, a_user, members_of, rulesets_of
from tests.exchange.recorded import a_game_of_counts

pytestmark = pytest.mark.django_db

HEAD = ",".join((*HANDS[:9], "dealer", "called by", "alone", "outcome"))
# Rose and Ted march five times, the deal going round: ten to nothing.
EVENING = [HEAD] + [
    f"2026-11-05,First Thursday,A,1,{n},Rose,Ann,Ted,Bill,{(n - 1) % 4 + 1},1,no,march"
    for n in range(1, 6)
]


def rows_of(lines):
    content = lines if isinstance(lines, bytes) else "\n".join(lines).encode()
    return read_sheet(content, Columns(COLUMNS, HANDS_NEED))


def take(club, lines):
    rows = rows_of(lines)
    agreed = preview_hands(club, rows, at=EIGHT).agreed
    return import_hands(club, rows, agreed=agreed, by=TEST, at=EIGHT)


def troubles(club, lines):
    found = preview_hands(club, rows_of(lines), at=EIGHT).troubles
    return [(trouble.line, trouble.column) for trouble in found]


def changed(number, old, new):
    lines = list(EVENING)
    assert old in lines[number]
    lines[number] = lines[number].replace(old, new)
    return lines


@pytest.fixture
def club():
    made = a_club()
    members_of(made, 4)
    rulesets_of(made)
    return made


def test_an_evening_written_elsewhere_becomes_a_closed_session_with_its_result(club):
    (night,) = take(club, EVENING)
    assert (night.name, night.held_on, night.state) == (
        "First Thursday",
        date(2026, 11, 5),
        Session.State.CLOSED,
    )
    game = night.games.get()
    assert (game.score, game.winners, game.state) == ([10, 0], [0, 2], Game.State.CONFIRMED)
    wins = dict(Result.objects.values_list("member__name", "win_share"))
    assert wins == {"Rose": 1, "Ted": 1, "Ann": 0, "Bill": 0}
    assert not any(differences(with_everything(Game.objects.all())))
    assert not night.seats.filter(seated=True).exists()


def test_an_imported_game_is_stored_as_its_table_would_have_stored_it(club):
    (night,) = take(club, EVENING)
    brought = night.games.get()
    rules, at = brought.ruleset, brought.started_at
    people = [seat.member for seat in brought.table.seats.all()]
    table = a_table(a_session(club, people), people, rules)
    for hand in brought.hands.all():
        record_hand(table, hand.record, client_id=hand.client_id, by=TEST, at=at)
    confirm_game(table, by=TEST, at=at)
    for played, stored in zip(parts_of(table.games.get()), parts_of(brought), strict=True):
        assert played == stored


def parts_of(game):
    """All that is stored of a game but ids."""
    hands, results = game.hands.order_by("number", "pk"), game.results.order_by("member")
    for rows in ([game], hands, results, game.confirmations.order_by("pk")):
        yield [model_to_dict(row, exclude=("id", "game", "session", "table")) for row in rows]


def said(number, **cells):
    """The evening with more cells in one of its lines."""
    lines = [f"{line}{',' * len(cells)}" for line in EVENING]
    lines[0] = ",".join((HEAD, *cells))
    lines[number] = ",".join((EVENING[number], *cells.values()))
    return lines


@pytest.mark.parametrize(
    ("cells", "column"),
    [
        ({"ended": "time"}, "ended"),
        ({"winners": "2 & 4"}, "winners"),
        ({"rules": "benny-21"}, "rules"),
    ],
)
def test_a_line_that_is_not_the_last_may_not_say_otherwise_than_its_game(club, cells, column):
    assert troubles(club, said(2, **cells)) == [(3, column)]


def test_a_last_line_may_not_name_other_winners_than_the_hands(club):
    assert troubles(club, said(5, winners="2 & 4")) == [(6, "winners")]
    assert troubles(club, said(5, winners="1 & 3")) == []
    early = said(4, ended="time", winners="2 & 4")[:5]
    assert troubles(club, early) == [(5, "winners")]
    assert troubles(club, said(4, ended="decision", winners="2 & 4")[:5]) == []


def test_what_moved_between_the_look_and_the_lock_is_told_and_nothing_is_written(club, monkeypatch):
    rows, agreed = rows_of(EVENING), preview_hands(club, rows_of(EVENING), at=EIGHT).agreed

    def meanwhile(*args, **named):
        Member.objects.filter(name="Rose").update(name="Rosalind", name_key="rosalind")
        return prepare_evenings(*args, **named)

    monkeypatch.setattr("league.exchange.games_import.prepare_evenings", meanwhile)
    with pytest.raises(Refused) as refused:
        import_hands(club, rows, agreed=agreed, by=TEST, at=EIGHT)
    assert refused.value.code == "list-changed"
    assert not Session.objects.exists()


def test_an_evening_brought_in_has_one_entry_that_counts_its_games_and_hands(club):
    (night,) = take(club, EVENING)
    entry = night.audit.get()
    assert entry.new == {"games": 1, "hands": 5}


def test_the_same_sheet_twice_writes_nothing_the_second_time(club):
    take(club, EVENING)
    found = preview_hands(club, rows_of(EVENING), at=EIGHT)
    assert (found.new, found.known, found.troubles) == ([], 1, [])
    assert take(club, EVENING) == []
    assert (Session.objects.count(), Hand.objects.count()) == (1, 5)


def test_a_second_game_at_a_table_is_in_its_second_round(club):
    again = [line.replace(",A,", ",B,") for line in EVENING[1:]]
    (night,) = take(club, EVENING + again)
    assert list(night.tables.values_list("round__number", "number")) == [(1, 1), (2, 1)]


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_our_own_export_read_again_is_nothing_new(kind):
    game = a_game_of_counts((0, 3), (1, 5))
    rows = hand_rows(game_logs_of(game.session), lambda member: member.name)
    content = sheet(HANDS, rows, kind=kind)
    found = preview_hands(game.session.club, rows_of(content), at=EIGHT)
    assert (found.new, found.known, found.troubles) == ([], 1, [])


def test_a_game_that_is_here_with_another_hand_is_told_and_stays(club):
    take(club, EVENING)
    assert troubles(club, changed(3, "march", "made")) == [(4, "hand")]


@pytest.mark.parametrize(
    ("lines", "where"),
    [
        (changed(2, "2026-11-05", "5.11.2026"), (3, "date")),
        (changed(2, "Rose", "Rosie"), (3, "player 1")),
        (changed(2, "Rose,Ann", "Rose,Rose"), (3, "player 1")),
        (changed(2, "march", "wonderful"), (3, "outcome")),
        (changed(2, ",1,no", ",7,no"), (3, "called by")),
        (changed(2, ",no,", ",maybe,"), (3, "alone")),
        (changed(3, "A,1,3", "A,1,1"), (4, "hand")),
        (changed(3, ",3,1,no", ",9,1,no"), (4, "dealer")),
        (changed(3, ",3,1,no", ",4,1,no"), (4, "record")),
        (EVENING[:5], (5, "hand")),
        ([*EVENING, EVENING[5].replace("A,1,5", "A,1,6")], (7, "record")),
        (changed(1, "2026-11-05", "0001-01-01"), (2, "date")),
        (changed(1, "A,1,1", "A,1,x"), (2, "hand")),
        (changed(2, "A,1,2", "A,x,2"), (3, "table")),
        (changed(2, "A,1,2", "A,2,2"), (3, "player 1")),
        (changed(1, "First Thursday", "First\u202eThursday"), (2, "session")),
        (changed(1, "First Thursday", ""), (2, "session")),
        (changed(2, ",2,1,no,march", ",x,1,no,march"), (3, "dealer")),
    ],
)
def test_every_bad_line_is_named_and_nothing_is_written(club, lines, where):
    assert where in troubles(club, lines)
    with pytest.raises(Refused) as refused:
        take(club, lines)
    assert refused.value.code == "bad-lines"
    assert not Session.objects.exists()


def test_what_is_wrong_with_a_hand_calls_its_players_by_their_names(club):
    found = preview_hands(club, rows_of(changed(3, ",3,1,no", ",4,1,no")), at=EIGHT).troubles
    said = " ".join(trouble.sentence for trouble in found if trouble.column == "record")
    assert "Bill" in said
    assert "West" not in said


def test_unknown_people_a_future_day_and_missing_rules_are_told(club):
    lines = [line.replace("2026-11-05", "2027-01-01").replace("Ann", "Zed") for line in EVENING]
    assert troubles(club, lines) == [(2, "date"), (2, "player 2")]
    club.rulesets.update(is_default=False)
    assert (2, "player 1") in troubles(club, EVENING)


def test_one_person_by_two_names_sits_on_no_two_chairs(club):
    Member.objects.filter(name="Rose").update(former_names=["Rosie"])
    lines = [line.replace("Bill", "Rosie") for line in EVENING]
    assert troubles(club, lines) == [(2, "player 4")]


def test_points_beside_a_hand_are_checked_and_never_trusted(club):
    lines = [f"{line},2,0,2,0" for line in EVENING]
    lines[0] = f"{HEAD},points 1,points 2,points 3,points 4"
    assert troubles(club, lines) == []
    lines[3] = lines[3].replace(",2,0,2,0", ",4,0,4,0")
    assert troubles(club, lines) == [(4, "points 1")]


def test_an_evening_of_that_name_and_day_is_not_written_into(club):
    Session.objects.create(club=club, name="First Thursday", held_on=date(2026, 11, 5))
    assert troubles(club, EVENING) == [(2, "session")]


def test_the_page_shows_what_it_would_do_and_then_does_it(club, client):
    client.force_login(a_user(club=club))
    page = reverse("import_hands", args=[club.slug])
    file = SimpleUploadedFile("x.csv", "\n".join(EVENING).encode())
    looked = client.post(page, {"file": file})
    text = looked.content.decode()
    assert (looked.status_code, Session.objects.count()) == (200, 0)
    assert "1 game is new" in text
    data = {"carried": looked.context["carried"], "agreed": looked.context["found"].agreed}
    assert client.post(page, data).status_code == 302
    assert Session.objects.get().games.get().score == [10, 0]


def test_a_column_that_means_nothing_here_is_asked_about(club, client):
    client.force_login(a_user(club=club))
    file = SimpleUploadedFile("x.csv", (HEAD + ",club_id\n" + EVENING[1] + ",2\n").encode())
    answer = client.post(reverse("import_hands", args=[club.slug]), {"file": file})
    assert answer.context["form"].headings == ["club_id"]


def test_hands_go_into_the_season_that_their_lines_name(club):
    season = club.seasons.create(name="Autumn", starts_on=date(2026, 9, 1))
    lines = [f"{HEAD},season", *(f"{line},Autumn" for line in EVENING[1:])]
    assert take(club, lines)[0].season == season
    other = [line.replace("First", "Second") for line in lines]
    assert troubles(club, [*other[:3], other[3].replace("Autumn", ""), *other[4:]])[0] == (
        4,
        "season",
    )


def test_somebody_who_has_retired_keeps_their_old_evenings(club):
    Member.objects.filter(name="Ted").update(retired_at=EIGHT)
    take(club, EVENING)
    assert Result.objects.get(member__name="Ted").win_share == 1
