"""A seeding round of individuals, partners by its standings, then pairs to the end."""

from random import Random

import pytest

from league.tournaments import actions
from league.tournaments.models import Tournament
from league.tournaments.parameters import StageOptions
from league.tournaments.standing import seeding_places
from tests.builders import EIGHT, TEST
from tests.tournaments.playing import a_tournament, of_pairs, play_round, published, state_of
from tests.tournaments.test_play_through import FORMATS, Organiser
from tests.tournaments.test_progressive import refusal

pytestmark = pytest.mark.django_db


def after_a_seeding_round(people, partners, format="swiss"):
    seeding = a_tournament(people, "rotation", rounds=1)
    published(seeding)
    play_round(seeding)
    return follow(seeding, partners, format)


def follow(seeding, partners, format="swiss"):
    choice = StageOptions(partners=partners, rounds=2)
    return actions.play_on_as_pairs(
        seeding, name="Pairs", format=format, choice=choice, seed=1, by=TEST, at=EIGHT
    )


def pairs_by_place(cup):
    places = seeding_places(cup)
    return sorted(
        tuple(sorted(places[one.pk] for one in entry.people))
        for entry in state_of(cup).entries.values()
        if entry.partner_id
    )


def test_everybody_has_a_place_of_their_own_though_many_are_level():
    cup = after_a_seeding_round(11, "picked")
    assert sorted(seeding_places(cup).values()) == list(range(1, 12))
    cup.follows.refresh_from_db()
    assert cup.follows.state == "finished"


def test_the_best_placed_pick_in_turn():
    cup = after_a_seeding_round(6, "picked")
    by_place = {seeding_places(cup)[e.member_id]: e for e in state_of(cup).entries.values()}
    actions.pick_partner(cup, by_place[4], by=TEST)
    assert refusal(actions.pick_partner, cup, by_place[2], by=TEST) == "not-to-be-picked"
    actions.pick_partner(cup, by_place[6], by=TEST)
    actions.pick_partner(cup, by_place[5], by=TEST)
    assert pairs_by_place(cup) == [(1, 4), (2, 6), (3, 5)]
    assert sorted(entry.seed for entry in state_of(cup).entries.values()) == [1, 2, 3]


def test_who_is_parted_again_picks_again_in_their_old_turn():
    cup = after_a_seeding_round(4, "picked")
    by_place = {seeding_places(cup)[e.member_id]: e for e in state_of(cup).entries.values()}
    pair = actions.pick_partner(cup, by_place[2], by=TEST)
    actions.part_partners(pair, by=TEST)
    actions.pick_partner(cup, by_place[3], by=TEST)
    assert pairs_by_place(cup) == [(1, 3)]


def test_the_first_plays_with_the_last():
    cup = after_a_seeding_round(7, "folded")
    actions.pair_by_places(cup, seed=1, by=TEST)
    assert pairs_by_place(cup) == [(1, 7), (2, 6), (3, 5)]


def test_the_upper_half_draws_out_of_the_lower_half():
    cup = after_a_seeding_round(8, "drawn")
    actions.pair_by_places(cup, seed=3, by=TEST)
    assert all(one <= 4 < other for one, other in pairs_by_place(cup))


def test_where_partners_are_picked_none_are_drawn():
    cup = after_a_seeding_round(4, "picked")
    assert refusal(actions.pair_by_places, cup, seed=1, by=TEST) == "picked"


def test_who_left_the_seeding_round_is_not_entered_again():
    seeding = a_tournament(9, "rotation", rounds=1)
    published(seeding)
    play_round(seeding)
    gone = next(iter(state_of(seeding).active_entries.values()))
    actions.withdraw_entry(gone, by=TEST, at=EIGHT)
    cup = follow(seeding, "picked")
    members = {entry.member_id for entry in state_of(cup).entries.values()}
    assert len(members) == 8
    assert gone.member_id not in members


def test_a_seeding_round_is_of_individuals():
    assert refusal(follow, of_pairs(2, "swiss"), "picked") == "of-pairs"


def test_nobody_picks_before_the_seeding_round_is_over():
    seeding = a_tournament(8, "rotation")
    assert refusal(follow, seeding, "picked") == "round-open"
    published(seeding)
    assert refusal(follow, seeding, "picked") == "round-open"


def test_partners_are_picked_over_the_pages_until_one_is_left_over(client):
    desk = Organiser(client, 11)
    desk.sets_up("progressive", **FORMATS["progressive"] | {"rounds": 1})
    desk.publishes()
    desk.plays(Random(1))
    assert client.get(desk.address("tournament")).context["may_pair"]
    url = desk.address("tournament_pairs")
    assert client.get(url).status_code == 200
    questions = {"name": "Pairs", "groups": 1, "through": 4, "games": 1, "partners": "picked"}
    answer = client.post(f"{url}?format=groups", questions | {"partners": "x"})
    assert answer.status_code == 422
    answer = client.post(f"{url}?format=groups", questions)
    assert answer.status_code == 302
    desk.cup = Tournament.objects.get(name="Pairs")
    said = desk.presses("by_places")
    assert said == ["In this tournament the best placed pick their partners."]
    page = client.get(desk.address("tournament_entries"))
    while page.context["picks"]:
        desk.presses("pick", partner=page.context["choices"][-1].pk)
        page = client.get(desk.address("tournament_entries"))
    assert "No partner is left for" in page.content.decode()
    desk.presses("drop", entry=page.context["left_over"].pk)
    desk.publishes()
    assert len(state_of(desk.cup).last.matches) == 2  # of five pairs
