"""A player who withdraws from a progressive while a published round still seats them."""

import pytest
from django.urls import reverse

from league.seating.actions import substitute
from league.seating.models import Seat
from league.sessions.attendance import arrive
from league.tournaments import actions
from league.tournaments.draws import rounds_due
from league.tournaments.next_step import next_action
from tests.builders import EIGHT, TEST, a_user, members_of
from tests.pages import squeezed
from tests.tournaments.playing import a_tournament, play_round, published, state_of
from tests.tournaments.test_pages import address

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup():
    cup = a_tournament(8)
    published(cup)
    play_round(cup)
    published(cup, seed=2)
    return cup


def test_a_withdrawn_player_who_is_still_seated_is_warned_of_with_a_way_out(client, cup):
    client.force_login(a_user(club=cup.club))
    entry = cup.entries.first()
    answer = client.post(address("tournament_withdraw", cup, entry.pk), follow=True).text
    assert "They have a seat now: put in a substitute" in answer
    hub = squeezed(client.get(address("tournament", cup)).text)
    assert "A withdrawn player still has a seat" in hub
    assert f"Withdrawn: {entry.member.name}" in hub
    games = client.get(reverse("tables_to_enter", args=[cup.club.slug, cup.session.public_id])).text
    assert f"Withdrawn: {entry.member.name}" in games
    actions.take_draw_back(cup, by=TEST, at=EIGHT)
    published(cup, seed=3)
    assert "still has a seat" not in client.get(address("tournament", cup)).text


def test_a_substitute_in_the_seat_of_a_withdrawn_player_ends_the_warning(cup):
    entry = cup.entries.first()
    actions.withdraw_entry(entry, by=TEST, at=EIGHT)
    step = next_action(state_of(cup), rounds_due(state_of(cup)))
    assert step.title == "A withdrawn player still has a seat"
    seat = Seat.objects.get(member=entry.member, seated=True)
    newcomer = members_of(cup.club, 9)[8]
    arrive(cup.session, newcomer, by=TEST, at=EIGHT)
    substitute(seat.table, seat.position, newcomer, by=TEST)
    step = next_action(state_of(cup), rounds_due(state_of(cup)))
    assert step.title != "A withdrawn player still has a seat"
