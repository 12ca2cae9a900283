"""Merging and forgetting people change no result: a recount from the hands agrees."""

from datetime import UTC, datetime
from io import StringIO

import pytest
from django.core.management import call_command

from league.members import actions
from league.play.actions import record_hand
from league.play.models import Result
from league.sessions.models import Session
from tests.builders import TEST, a_game_table

pytestmark = pytest.mark.django_db
AT = datetime(2026, 11, 19, 20, 0, tzinfo=UTC)
MARCH = {"contract": {"seat": 1, "trump": "h", "alone": True}, "outcome": "march"}


@pytest.fixture
def table():
    """A table whose game seats 1 and 3 have won with three lone marches."""
    table = a_game_table()
    for number in range(3):
        record = {"dealer": number, **MARCH}
        record_hand(table, record, client_id=f"hand-{number}", by=TEST, at=AT)
    return table


def results():
    return list(Result.objects.order_by("position").values("position", "points", "win_share"))


def recounted():
    output = StringIO()
    call_command("recount", "--check", stdout=output)
    return output.getvalue()


def test_a_merged_persons_results_move_and_count_as_before(table):
    played = table.seats.get(position=1).member
    real = actions.add_member(played.club, name="Annabel", by=TEST)
    before = results()
    actions.merge_members(played, into=real, by=TEST, at=AT)
    assert results() == before
    assert Result.objects.get(position=1).member == real
    assert "0 differ" in recounted()


def test_a_forgotten_persons_results_count_as_before(table):
    played = table.seats.get(position=1).member
    before = results()
    Session.objects.update(state="closed")
    actions.erase_member(played, by=TEST, at=AT)
    assert results() == before
    assert Result.objects.get(position=1).win_share == 1
    assert "0 differ" in recounted()
