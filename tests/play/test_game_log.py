"""A game folded anew at every hand: each hand is judged once, and by what it says now."""

import pytest

from league.play import game_log as books
from league.play.actions import correct_hand
from scoring import check_hand
from tests.builders import EIGHT, TEST, a_game_table, a_ruleset, a_table, members_of
from tests.play.hands import log_of, made, write

pytestmark = pytest.mark.django_db


@pytest.fixture
def judged(monkeypatch):
    """The hands that the engine is asked about, from now on."""
    records = []

    def ask(record, rules):
        records.append(record)
        return check_hand(record, rules)

    books._check_cached.cache_clear()
    monkeypatch.setattr(books, "check_hand", ask)
    yield records
    books._check_cached.cache_clear()


def test_a_hand_written_down_is_judged_and_those_before_it_are_not_judged_again(judged):
    table = a_game_table()
    write(table, (0, 3), (1, 3), (2, 4))
    assert len(judged) == 3


def test_the_same_hand_under_other_rules_is_judged_by_those(judged):
    table = a_game_table()
    write(table, (0, 5))
    rules = a_ruleset(table.session.club, march=4)
    other = a_table(table.session, members_of(table.session.club, 4), rules)
    write(other, (0, 5))
    assert [log_of(one).state.score for one in (table, other)] == [(2, 0), (4, 0)]
    assert len(judged) == 2


def test_a_corrected_hand_is_judged_by_what_it_says_now(judged):
    table = a_game_table()
    write(table, (0, 3), (1, 3))
    correct_hand(
        table, 1, made(0, 5), reason="five", expected_version=1, client_id="better-1", by=TEST,
        at=EIGHT,
    )  # fmt: skip
    assert (log_of(table).state.score, len(judged)) == ((2, 1), 3)
