"""A button that is tapped twice says once what it did."""

import pytest
from django.urls import reverse

from tests.builders import a_game_table, a_user
from tests.play.hands import write

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(client):
    table = a_game_table()
    write(table, (0, 3))
    client.force_login(a_user(club=table.session.club))
    return table


def test_a_correction_saved_by_a_double_tap_says_only_that_the_hand_was_corrected(client, table):
    address = reverse("table_correct", args=[table.public_id, 1])
    sent = {"client_id": "correct-1", "number": 1, "dealer": 0, "maker": 0, "tricks": 5}
    sent |= {"version": 1, "reason": "Miscounted"}
    client.post(address, sent)
    page = client.post(address, sent, follow=True).text
    assert page.count("Hand 1 corrected.") == 1
    assert "Nothing was changed" not in page


def test_a_message_that_waits_twice_is_shown_once(client, table):
    night = table.session
    address = reverse("standings_hold", args=[night.club.slug, night.public_id])
    client.post(address)
    page = client.post(address, follow=True).text
    assert page.count("Standings held back. Only organisers see them.") == 1
