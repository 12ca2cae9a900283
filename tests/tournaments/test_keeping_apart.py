"""The organiser of a tournament keeps two entries from meeting, in this tournament alone."""

import pytest
from django.urls import reverse

from tests.builders import a_user
from tests.tournaments.playing import drawn, of_pairs, state_of

pytestmark = pytest.mark.django_db


def first_round(cup):
    return [set(match.sides.values()) for match in state_of(cup).draft.matches]


def press(client, cup, button, one, other):
    where = reverse(button, args=[cup.club.slug, cup.public_id])
    return client.post(where, {"one": one, "other": other})


def test_two_who_should_not_meet_are_not_drawn_against_each_other(client):
    cup = of_pairs(4, "swiss")
    client.force_login(a_user("olive", club=cup.club))
    drawn(cup)
    one, other = sorted(first_round(cup)[0])
    press(client, cup, "tournament_keep_apart", one, other)
    page = client.get(reverse("tournament_entries", args=[cup.club.slug, cup.public_id]))
    assert page.context["kept_apart"]
    for seed in range(6):
        drawn(cup, seed)
        assert {one, other} not in first_round(cup)
    press(client, cup, "tournament_let_meet", one, other)
    page = client.get(reverse("tournament_entries", args=[cup.club.slug, cup.public_id]))
    assert not page.context["kept_apart"]


def test_an_entry_is_not_kept_apart_from_itself_nor_from_another_tournament_s(client):
    cup = of_pairs(2, "swiss")
    client.force_login(a_user("olive", club=cup.club))
    one = cup.entries.first().pk
    press(client, cup, "tournament_keep_apart", one, one)
    press(client, cup, "tournament_keep_apart", one, 99_999)
    assert not cup.entries.first().apart_from.exists()
