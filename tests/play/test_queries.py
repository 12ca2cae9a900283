"""What a hand and the pages about games cost in statements: counted, so that it stays so."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.play.actions import rule_penalty
from league.play.auth import table_code
from league.play.models import Game, Hand
from tests.builders import EIGHT, TEST, a_game_table, a_table, a_user, members_of
from tests.play.hands import write

pytestmark = pytest.mark.django_db(transaction=True)
FRAME = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")


def statements(work):
    """The statements of some work, without the frame of its transaction."""
    with CaptureQueriesContext(connection) as captured:
        answer = work()
    queries = [query["sql"] for query in captured.captured_queries]
    return answer, [sql for sql in queries if not sql.startswith(FRAME)]


@pytest.fixture
def table():
    return a_game_table()


@pytest.fixture
def phone(client, table):
    client.post(reverse("table_door"), {"code": table_code(table)})
    return client


def a_hand(number):
    return {
        "client_id": f"client-id-{number}",
        "number": number,
        "dealer": (number - 1) % 4,
        "maker": 1,
        "outcome": "made",
    }


def test_a_hand_from_the_tables_phone_takes_seven_statements_at_most(phone, table):
    """The table, the lock, its book; then the hand, the game, the results and the audit entry."""
    write(table, (0, 3), (1, 3), (0, 3))
    url = reverse("save_hand", args=[table.public_id])
    answer, queries = statements(lambda: phone.post(url, a_hand(4)))
    assert (answer.status_code, Hand.objects.count()) == (302, 4)
    assert len(queries) <= 7, "\n".join(queries)


def test_the_first_hand_of_a_game_takes_one_more_and_later_ones_the_same_with_rulings_too(
    phone, table
):
    url = reverse("save_hand", args=[table.public_id])

    def cost(number):
        answer, queries = statements(lambda: phone.post(url, a_hand(number)))
        assert answer.status_code == 302
        return len(queries)

    first, second = cost(1), cost(2)
    rule_penalty(table, by_seat=0, form="deduct", client_id="renege-01", by=TEST, at=EIGHT)
    assert (first - 1, cost(3)) == (second, second)


def test_somebody_signed_in_costs_three_more_the_session_the_account_and_the_rank(client, table):
    client.force_login(a_user(club=table.session.club))
    write(table, (0, 3))
    url = reverse("save_hand", args=[table.public_id])
    answer, queries = statements(lambda: client.post(url, a_hand(2)))
    assert answer.status_code == 302
    assert len(queries) <= 10, "\n".join(queries)


def test_of_the_game_a_hand_stores_only_what_it_changes(phone, table):
    write(table, (0, 3))
    url = reverse("save_hand", args=[table.public_id])
    _answer, queries = statements(lambda: phone.post(url, a_hand(2)))
    (update,) = [sql for sql in queries if sql.startswith('UPDATE "league_game"')]
    assert {"state", "totals", "started_at"}.isdisjoint(re.findall(r'"(\w+)" =', update))
    assert {"score", "hands_played"} <= set(re.findall(r'"(\w+)" =', update))


def test_the_tables_page_takes_two_statements(phone, table):
    write(table, (0, 3), (1, 3), (0, 3))
    url = reverse("table_entry", args=[table.public_id])
    _answer, queries = statements(lambda: phone.get(url))
    assert len(queries) <= 2, "\n".join(queries)


def test_the_list_of_games_costs_the_same_for_two_tables_and_for_six(client, table):
    session, club = table.session, table.session.club
    client.force_login(a_user(club=club))
    url = reverse("tables_to_enter", args=[club.slug, session.public_id])

    def one_more(over):
        more = a_table(session, members_of(club, 4), table.ruleset)
        if over:
            write(more, *[(0, 5)] * 5)

    one_more(over=True)
    _answer, two = statements(lambda: client.get(url))
    for over in (True, False, True, False):
        one_more(over)
    _answer, six = statements(lambda: client.get(url))
    assert len(six) == len(two)


def test_a_score_sheet_costs_the_same_for_two_hands_and_for_nine(client, table):
    client.force_login(a_user(club=table.session.club))
    write(table, (0, 3), (1, 3))
    club = table.session.club
    url = reverse("game", args=[club.slug, Game.objects.get().public_id])
    _answer, short = statements(lambda: client.get(url))
    write(table, *[(0, 3), (1, 3)] * 3)
    _answer, long = statements(lambda: client.get(url))
    assert len(long) == len(short)
