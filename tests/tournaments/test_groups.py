"""Groups, then a knock-out: fixtures side by side, the best of each group, corrections between."""

import re

import pytest
from django.urls import reverse
from hypothesis import given, settings
from hypothesis import strategies as st

from league.play.actions import settle_game
from league.seating.models import Table
from league.tournaments import actions
from league.tournaments.draws.groups import group_states, groups_of, qualifiers
from league.tournaments.draws.knockout import bracket_of
from league.tournaments.standing import standing_of
from tests.builders import EIGHT, TEST, a_user
from tests.tournaments.playing import of_pairs, play_round, published, state_of
from tests.tournaments.test_laws import rounds, simulated
from tests.tournaments.test_progressive import refusal


@settings(max_examples=30, deadline=None)
@given(st.integers(6, 16), st.integers(0, 2**20), st.integers(1, 3))
def test_every_group_plays_itself_out_and_its_best_reach_the_bracket(count, seed, groups):
    stage = simulated("groups", count, seed, groups=groups, through=2)
    for _round in rounds(stage, 40):
        pass
    played = stage.state
    for number, group in enumerate(groups_of(played), 1):
        met = [frozenset(m.entries) for m in played.matches if m.group == number]
        assert len(met) == len(set(met)) == len(group) * (len(group) - 1) // 2
    through = [line.who for one in group_states(played) for line in standing_of(one).lines[:2]]
    assert set(bracket_of(played).entries) == set(through)
    assert bracket_of(played).over


@pytest.mark.django_db
def test_groups_too_small_are_refused_before_anything_is_drawn():
    cup = of_pairs(3, "groups", groups=2)
    assert refusal(published, cup) == "groups-too-small"


@pytest.mark.django_db
def test_a_group_result_corrected_before_the_bracket_is_published_wants_another_draw():
    cup = of_pairs(4, "groups", groups=2, through=1)
    published(cup)
    play_round(cup)
    actions.draw_round(cup, by=TEST, seed=2)
    assert set(bracket_of(state_of(cup)).entries) == set(qualifiers(state_of(cup)))
    table = Table.objects.get(pk=state_of(cup).last.matches[0].games[0].table)
    losers = [seat for seat in range(4) if seat not in table.games.get().winners]
    settle_game(table, "decided", winners=losers, reason="Mixed up.", by=TEST, at=EIGHT)
    assert refusal(actions.publish_draw, cup, by=TEST, at=EIGHT) == "result-changed"
    published(cup, seed=2)
    assert set(state_of(cup).last.matches[0].entries) == set(qualifiers(state_of(cup)))


def test_if_a_group_has_too_few_left_as_many_of_each_group_go_through():
    stage = simulated("groups", 7, 1, groups=2, through=3)
    small = min(groups_of(stage.state), key=len)
    for number in range(3):
        stage.draws()
        if number == 1:
            stage.leaves(small[0])
    assert len(qualifiers(stage.state)) == 4


@pytest.mark.django_db
def test_places_over_all_are_listed_as_well_as_the_groups_once_the_bracket_is_on(client):
    cup = of_pairs(4, "groups", groups=2, through=1)
    client.force_login(a_user(club=cup.club))
    pages = [
        reverse(p, args=[cup.club.slug, cup.public_id])
        for p in ("tournament", "tournament_standings")
    ]
    published(cup)
    play_round(cup)
    assert not [page for page in pages if ">Places<" in client.get(page).content.decode()]
    published(cup, seed=2)
    play_round(cup)
    for page in pages:
        shown = client.get(page).content.decode()
        assert shown.index(">Places<") < shown.index(">Group 1<")
        ids = re.findall(r'id="(why-[^"]+)"', shown)
        assert len(ids) == len(set(ids))
