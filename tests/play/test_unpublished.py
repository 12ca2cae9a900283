"""A phone at a table whose round was unpublished."""

import pytest
from django.urls import reverse

from league.play.auth import table_code
from league.seating.actions import publish, take_back
from league.seating.queries import live_tables
from tests.builders import TEST
from tests.play.hands import write
from tests.seating.nights import AT, a_game, a_night, published

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("short_search")]


def test_a_phone_waits_for_the_new_seats_and_is_not_sent_to_those_of_the_round_before(client):
    night, _ = a_night(8)
    published(night)
    for table in live_tables(night):
        a_game(table)
    unpublished = published(night, seed=9)
    table = unpublished.tables.get(number=1)
    client.post(reverse("table_door"), {"code": table_code(table)})
    draft = take_back(unpublished, by=TEST, at=AT)
    page = client.get(reverse("table_entry", args=[table.public_id])).content.decode()
    assert "The new seats appear here by themselves." in page
    assert "Now at table" not in page
    assert "Where everyone plays next" not in page
    publish(draft, by=TEST, at=AT)
    page = client.get(reverse("table_entry", args=[table.public_id])).content.decode()
    assert "Now at table 1" in page


@pytest.mark.parametrize("has_begun", [False, True])
def test_who_sits_at_the_next_table_is_said_until_its_first_hand_is_saved(client, has_begun):
    night, _ = a_night(8)
    published(night)
    table = live_tables(night)[0]
    for each in live_tables(night):
        a_game(each)
    client.post(reverse("table_door"), {"code": table_code(table)})
    published(night, seed=9)
    if has_begun:
        write(live_tables(night)[0], (0, 5))
    page = client.post(reverse("table_follow", args=[table.public_id]), follow=True)
    assert ("Now at table 1" in page.content.decode()) is not has_begun
