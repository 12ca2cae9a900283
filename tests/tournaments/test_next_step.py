"""What the pages tell an organiser to do next, and how they say a round was drawn."""

import pytest
from django.urls import reverse

from league.tournaments.next_step import next_action
from tests.builders import a_user
from tests.tournaments.playing import drawn, of_pairs, play_round, published, state_of

pytestmark = pytest.mark.django_db


def page(client, name, cup, *more):
    answer = client.get(reverse(name, args=[cup.club.slug, cup.public_id, *more]))
    return " ".join(answer.content.decode().split())


def test_a_later_round_of_a_swiss_is_drawn_by_match_points_not_at_random(client):
    cup = of_pairs(6, "swiss", rounds=3)
    client.force_login(a_user(club=cup.club))
    drawn(cup)
    assert "At random, from the draw number 1" in page(client, "tournament_draw", cup)
    published(cup)
    play_round(cup)
    drawn(cup)
    draft = page(client, "tournament_draw", cup)
    assert "Pairs with about as many match points meet" in draft
    assert "At random" not in draft


def test_after_the_groups_the_semi_finals_are_drawn_and_follow_from_the_groups(client):
    cup = of_pairs(6, "groups", groups=2, through=2)
    client.force_login(a_user(club=cup.club))
    for _round in range(3):
        published(cup)
        play_round(cup)
    step = next_action(state_of(cup), None)
    assert (step.title, step.label) == ("The group matches are over", "Draw the semi-finals")
    drawn(cup)
    draft = page(client, "tournament_draw", cup)
    assert "follow from the places in the groups" in draft
    assert "Redraw" not in draft
    assert "At random" not in draft
    published(cup)
    play_round(cup)
    drawn(cup)
    assert "follow from the bracket" in page(client, "tournament_draw", cup)
