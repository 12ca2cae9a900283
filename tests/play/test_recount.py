"""What is stored of a game is what its hands say, whatever was done to it."""

from io import StringIO

import pytest
from django.core.management import call_command

from league.members.models import ClubRuleset
from league.play.models import Game, Hand, Result
from league.sessions.models import Session
from tests.builders import a_game_table
from tests.play.hands import write

pytestmark = pytest.mark.django_db


def recount(*options):
    """The command's exit status and what it said."""
    output = StringIO()
    try:
        call_command("recount", *options, stdout=output, stderr=StringIO())
    except SystemExit as end:
        return end.code, output.getvalue()
    return 0, output.getvalue()


@pytest.fixture
def table():
    table = a_game_table()
    write(table, (0, 5), (1, 3), (2, 2))
    return table


def test_a_game_as_it_was_entered_is_equal(table):
    assert recount("--check") == (0, "1 games counted, 0 differ, 0 left so.\n")


def test_a_changed_total_is_found_and_put_right(table):
    Result.objects.filter(position=0).update(points=99)
    Game.objects.update(score=[9, 9])
    status, output = recount("--check")
    assert status == 1
    assert "points: stored 99, counted 2" in output
    assert "score: stored [9, 9], counted [2, 3]" in output
    assert recount("--check", "--deep")[0] == 1
    before = Session.objects.get().revision
    assert recount()[0] == 0
    assert recount("--check")[0] == recount("--check", "--deep")[0] == 0
    assert Game.objects.get().score == [2, 3]
    assert Session.objects.get().revision == before + 1  # pages are kept by it


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_deleted_hand_is_found_and_nothing_is_made_up_in_its_place(table, number):
    Hand.objects.filter(number=number).delete()
    status, output = recount("--check")
    assert status == 1
    assert "2 of 3 entries are there" in output
    assert recount()[0] == 1
    assert Game.objects.get().score == [2, 3]


def test_a_changed_winner_is_found(table):
    Game.objects.update(winners=[1, 3])
    assert "winners: stored [1, 3], counted []" in recount("--check")[1]


def test_a_row_of_somebody_who_never_played_is_found_and_removed(table):
    row = Result.objects.get(position=0)
    row.pk, row.position = None, 3
    row.save()
    assert "a row too many" in recount("--check")[1]
    recount()
    assert Result.objects.count() == 4


def test_a_club_that_cannot_be_counted_keeps_no_other_from_it(table):
    other = a_game_table(slug="other")
    write(other, (0, 5))
    ClubRuleset._base_manager.filter(pk=table.ruleset_id).update(body={"extends": "no-such"})
    Game.objects.filter(table=other).update(score=[9, 9])
    status, output = recount("--check")
    assert status == 1
    assert "1 games counted, 1 differ, 2 left so." in output


def test_one_clubs_games_can_be_counted_alone(table):
    assert recount("--check", "--club", "elsewhere")[1].startswith("0 games counted")
