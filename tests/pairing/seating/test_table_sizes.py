"""How many tables of which size: the Nanaimo table, its closed form, and the clubs' other rules."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.pairing import PairingRefused
from league.pairing.seating import Composition, alternatives, composition
from league.pairing.seating.table_sizes import LARGE_POLICIES

NANAIMO = {
    2: (2,), 3: (3,), 4: (4,), 5: (3, 2), 6: (4, 2), 7: (4, 3), 8: (4, 4),
    9: (4, 3, 2), 10: (4, 4, 2), 11: (4, 4, 3), 12: (4, 4, 4),
}  # fmt: skip
rooms = st.integers(2, 400)


@pytest.mark.parametrize(("players", "sizes"), NANAIMO.items())
def test_two_to_twelve_players_sit_as_the_nanaimo_table_says(players, sizes):
    assert composition(players) == Composition(sizes)


@given(rooms)
def test_the_rule_seats_everybody_at_as_many_tables_of_four_as_can_be(players):
    rule = composition(players)
    most = max(fours for fours in range(players // 4 + 1) if players - 4 * fours != 1)
    assert rule.players == players
    assert rule.out == 0
    assert rule.sizes.count(4) == most
    assert list(rule.sizes) == sorted(rule.sizes, reverse=True)


@given(rooms, st.sampled_from(["club", "no_twos", "sitout"]))
def test_every_older_policy_places_everybody_at_tables_of_two_to_four(players, policy):
    rule = composition(players, policy)
    assert rule.players == players
    assert set(rule.sizes) <= {2, 3, 4}


@given(st.integers(4, 60), st.sampled_from(sorted(LARGE_POLICIES)))
def test_every_policy_with_large_tables_places_everybody_at_its_sizes(players, policy):
    rule = composition(players, policy)
    assert rule.players == players
    assert set(rule.sizes) <= set(LARGE_POLICIES[policy][1])


@given(rooms.filter(lambda players: players not in (2, 5)))
def test_without_twos_nobody_sits_at_a_table_of_two_and_nobody_out(players):
    rule = composition(players, "no_twos")
    assert 2 not in rule.sizes
    assert rule.out == 0


def test_without_twos_five_play_four_and_one_sits_out():
    assert composition(5, "no_twos") == Composition((4,), 1)
    assert composition(2, "no_twos") == Composition((2,))


@given(st.integers(4, 400))
def test_with_sit_outs_all_tables_are_full_and_fewer_than_four_sit_out(players):
    rule = composition(players, "sitout")
    assert set(rule.sizes) == {4}
    assert rule.out == players % 4


def test_six_and_nine_may_play_in_threes():
    assert composition(6, table={6: (3, 3)}) == Composition((3, 3))
    assert composition(9, table={9: (3, 3, 3)}) == Composition((3, 3, 3))
    assert composition(9, table={6: (3, 3)}) == Composition((4, 3, 2))


def test_a_clubs_own_table_rules_where_it_names_the_number():
    own = {11: (4, 4), 7: (3, 4)}
    assert composition(11, table=own) == Composition((4, 4), 3)
    assert composition(7, table=own) == Composition((4, 3))
    assert composition(10, table=own) == composition(10)


@pytest.mark.parametrize("row", [(9,), (), (4, 4, 4), (1, 4)])
def test_a_row_of_the_clubs_own_table_that_cannot_be_is_refused(row):
    with pytest.raises(PairingRefused) as refused:
        composition(9, table={9: row})
    assert refused.value.code == "bad-rule-table"
    assert "9 players" in str(refused.value)


@pytest.mark.parametrize(("players", "code"), [(0, "nobody-present"), (1, "one-player")])
def test_nobody_and_one_player_get_a_sentence(players, code):
    with pytest.raises(PairingRefused) as refused:
        composition(players)
    assert refused.value.code == code
    assert str(refused.value).endswith(".")


def test_an_unknown_policy_is_our_mistake():
    with pytest.raises(ValueError, match="musical"):
        composition(8, "musical chairs")


def test_eleven_players_may_choose_among_several_rooms():
    offered = alternatives(11)
    assert offered[0] == Composition((4, 4, 3))
    assert Composition((4, 4, 2), 1) in offered
    assert Composition((4, 4), 3) in offered
    assert str(offered[1]) == "4 + 4 + 2 and 1 out"


@given(st.integers(2, 120))
def test_every_alternative_places_everybody_once_and_the_rule_comes_first(players):
    offered = alternatives(players)
    assert offered[0] == composition(players)
    assert len(set(offered)) == len(offered) <= 6
    assert all(one.players == players and one.sizes for one in offered)
