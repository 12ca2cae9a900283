"""The named movements: who goes where, for every number of tables and for odd numbers."""

import random
from collections import Counter, defaultdict
from statistics import mean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.pairing import PairingRefused
from league.pairing.movements import PRESETS, Finished, Moment, Order, preset
from league.pairing.seating import PlayedRound, composition
from tests.pairing.seating.judging import judge

LIVE = [one.code for one in PRESETS if one.next_round]
CARDS = [one.code for one in PRESETS if one.card and one.code != "pairs-stay"]


def everybody(seated):
    return sorted([*(one for table in seated.tables for one in table), *seated.out])


def partners(seated):
    fours = [table for table in seated.tables if len(table) == 4]
    return {frozenset(pair) for table in fours for pair in (table[0::2], table[1::2])}


def play(code, players, rounds, seed=1):
    """Rounds of a live movement under even luck."""
    luck, played, last = random.Random(seed), [], ()
    for number in range(rounds):
        standing = luck.sample(range(players), players)
        moment = Moment(
            tuple(range(players)), seed * 99 + number, last, tuple(played), tuple(standing)
        )
        seated = preset(code).next_round(moment)
        played.append(PlayedRound(seated.tables, seated.out))
        last = tuple(
            Finished(table, table[luck.randrange(2) :: 2] if len(table) == 4 else table[:1])
            for table in seated.tables
        )
    return played


def test_every_movement_explains_itself_and_is_either_a_card_or_moves_by_results():
    assert len({one.code for one in PRESETS}) == len(PRESETS)
    for one in PRESETS:
        assert one.explanation.endswith(".")
        assert one.odd.endswith(".")
        assert (one.card is None) != (one.next_round is None)


@settings(max_examples=12, deadline=None)
@given(st.sampled_from(LIVE), st.integers(2, 30), st.integers(0, 9))
def test_a_live_movement_seats_everybody_once_at_the_clubs_tables(code, players, seed):
    for seated in play(code, players, 3, seed):
        assert everybody(seated) == list(range(players))
        assert tuple(map(len, seated.tables)) == composition(players).sizes


@settings(max_examples=8, deadline=None)
@given(st.sampled_from(CARDS), st.integers(2, 26), st.integers(1, 5))
def test_a_card_seats_everybody_once_in_every_round(code, players, rounds):
    card = preset(code).card(Order(tuple(range(players)), rounds, 3))
    assert len(card) == rounds
    assert all(everybody(seated) == list(range(players)) for seated in card)
    judge(card, "any")


TABLES = (("a", "b", "A", "B"), ("c", "d", "C", "D"), ("e", "f", "E", "F"))
WON = tuple(Finished(table, table[0::2]) for table in TABLES)  # a A, c C and e E win


@pytest.mark.parametrize(
    ("code", "tables"),
    [
        ("winners-up", ("aAcC", "dDeE", "fFbB")),
        ("up-and-down", ("aAcC", "bBeE", "dDfF")),
        ("winners-stay", ("aAfF", "bBcC", "dDeE")),
    ],
)
def test_winners_and_losers_go_where_the_movement_says_and_part(code, tables):
    players = tuple("abcdefABCDEF")
    played = (PlayedRound(TABLES),)
    seated = preset(code).next_round(Moment(players, 1, WON, played))
    assert [set(table) for table in seated.tables] == [set(table) for table in tables]
    before = {frozenset(pair) for table in TABLES for pair in (table[0::2], table[1::2])}
    assert not before & partners(seated)


@pytest.mark.parametrize("seed", range(6))
def test_of_two_ways_to_cross_the_less_used_one_is_taken(seed):
    players = tuple("abAB")
    used = PlayedRound((("a", "A", "b", "B"),))
    last = PlayedRound((("a", "b", "A", "B"),))
    seated = preset("winners-up").next_round(
        Moment(players, seed, (Finished(last.tables[0], ("a", "A")),), (used, last))
    )
    assert partners(seated) == {frozenset("aB"), frozenset("Ab")}


def test_who_comes_back_from_a_small_table_takes_the_places_of_those_who_go_there():
    tables = (("a", "b", "A", "B"), ("c", "d", "C", "D"), ("x", "y", "z"))
    last = (*(Finished(table, table[0::2]) for table in tables[:2]), Finished(tables[2], ("y",)))
    seated = preset("winners-up").next_round(
        Moment(tuple("abcdABCDxyz"), 1, last, (PlayedRound(tables),))
    )
    head, _lower, small = map(set, seated.tables)
    assert small < set("abcdABCD")
    assert head >= set("aAcC") - small  # nobody else's result is lost
    assert len(head & set("xyz")) == len(set("aAcC") & small)
    assert "y" in head or not set("aAcC") & small


def equal_players(code, players, rounds, evenings):
    """Evenings of equal luck: small tables had, first round's table and wins above the even share,
    of every player."""
    for evening in range(evenings):
        rng, played, last = random.Random(evening), [], ()
        small, wins, started = Counter(), Counter(), {}
        for _number in range(rounds):
            standing = sorted(range(players), key=lambda one: (-wins[one], rng.random()))
            moment = Moment(
                tuple(range(players)), rng.randrange(2**31), last, tuple(played), tuple(standing)
            )
            seated = preset(code).next_round(moment)
            played.append(PlayedRound(seated.tables))
            last = tuple(_by_luck(table, rng) for table in seated.tables)
            for table in last:
                small.update(table.seats if len(table.seats) < 4 else ())
                wins.update(dict.fromkeys(table.winners, 1))
                wins.subtract(dict.fromkeys(table.seats, 1 / (3 if len(table.seats) == 3 else 2)))
            started = started or {one: n for n, table in enumerate(seated.tables) for one in table}
        yield small, started, {one: (wins[one], rng.random()) for one in range(players)}


def _by_luck(table, rng):
    side = rng.randrange(3 if len(table) == 3 else 2)
    return Finished(table, table[side::2] if len(table) == 4 else table[side : side + 1])


PROGRESSIVE = ["winners-up", "up-and-down", "winners-stay", "by-standing", "random-draw"]


@pytest.mark.parametrize("code", PROGRESSIVE)
@pytest.mark.parametrize("players", [9, 10, 14, 23, 35])
def test_nobody_has_a_second_turn_at_a_small_table_before_everybody_has_had_a_first(code, players):
    for small, _started, _wins in equal_players(code, players, 8, 3):
        turns = [small[one] for one in range(players)]
        assert max(turns) - min(turns) <= 1


@pytest.mark.parametrize(
    ("players", "evenings"),
    [(8, 150), (23, 60)],
)
def test_equal_players_can_expect_equal_places_wherever_they_start(players, evenings):
    """Ranked by wins above the even share of each table; `started` is the first round's table."""
    groups = defaultdict(list)
    for _small, started, wins in equal_players("winners-up", players, 8, evenings):
        ranked = sorted(range(players), key=wins.get, reverse=True)
        for place, one in enumerate(ranked, 1):
            groups[started[one]].append(place)
    for places in groups.values():
        noise = (players**2 / 12 / len(places)) ** 0.5
        assert abs(mean(places) - (players + 1) / 2) < 4 * noise + 0.01


def test_who_comes_starts_at_the_bottom_and_who_has_left_is_missed():
    played = (PlayedRound(TABLES),)
    players = (*tuple("abcdefABCDE"), "new", "newer")
    seated = preset("winners-up").next_round(Moment(players, 1, WON, played))
    assert tuple(map(len, seated.tables)) == (4, 4, 3, 2)
    assert {"new", "newer"} <= set(seated.tables[-1] + seated.tables[-2])
    assert "F" not in everybody(seated)


def test_a_game_not_decided_is_cut_for():
    undecided = tuple(Finished(table) for table in TABLES)
    seated = preset("winners-up").next_round(Moment(tuple("abcdefABCDEF"), 5, undecided))
    assert len(set(seated.tables[0]) & set("aAbB")) == 2


@pytest.mark.parametrize("code", ["fixed-seat", "colours"])
@pytest.mark.parametrize("tables", [5, 7, 11])
def test_with_no_multiple_of_two_or_three_tables_nobody_meets_twice(code, tables):
    card = preset(code).card(Order(tuple(range(4 * tables)), tables, 2))
    assert judge(card)["meeting"]["F"] == 0


def test_north_keeps_the_table_and_red_and_black_go_opposite_ways():
    fixed = preset("fixed-seat").card(Order(tuple(range(20)), 3, 2))
    assert [table[0] for table in fixed[0].tables] == [table[0] for table in fixed[1].tables]
    colours = preset("colours").card(Order(tuple(range(20)), 2, 2))
    before, after = colours[0].tables, colours[1].tables
    assert after[1][0] == before[0][0]  # red North one up
    assert after[0][2] == before[1][2]  # black South one down


@pytest.mark.parametrize("players", [18, 19, 26, 27])
def test_empty_chairs_make_small_tables_that_go_round(players):
    card = preset("fixed-seat").card(Order(tuple(range(players)), 4, 2))
    sizes = {tuple(sorted(map(len, seated.tables))) for seated in card}
    assert all(min(one) >= 3 for one in sizes)
    assert all(not seated.out for seated in card)


@pytest.mark.parametrize("pairs", [2, 3, 4, 5, 6, 7])
def test_pairs_that_stay_together_meet_every_other_pair_once(pairs):
    couples = tuple((2 * one, 2 * one + 1) for one in range(pairs))
    rounds = pairs if pairs % 2 else pairs - 1
    card = preset("pairs-stay").card(Order(tuple(range(2 * pairs)), rounds, 4, couples))
    met = [frozenset((table[0] // 2, table[1] // 2)) for seated in card for table in seated.tables]
    assert len(met) == len(set(met)) == pairs * (pairs - 1) // 2
    judge(card, "any", fixed=[list(pair) for pair in couples])
    assert all(len(seated.out) == (2 if pairs % 2 else 0) for seated in card)


def test_who_has_no_partner_cannot_stay_with_one():
    with pytest.raises(PairingRefused) as refused:
        preset("pairs-stay").card(Order((1, 2, 3, 4, 5), 2, 1, ((1, 2), (3, 4))))
    assert (refused.value.code, refused.value.people) == ("no-partner", (5,))


def test_the_leaders_meet_the_leaders():
    standing = tuple(range(12))
    seated = preset("by-standing").next_round(Moment(standing, 1, standing=standing))
    assert [set(table) for table in seated.tables] == [{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}]


def test_the_last_in_the_standing_do_not_keep_the_small_table():
    standing = tuple(range(10))
    played, small = [], []
    for number in range(5):
        seated = preset("by-standing").next_round(
            Moment(standing, number, (), tuple(played), standing)
        )
        played.append(PlayedRound(seated.tables))
        small += seated.tables[-1]
    assert sorted(small) == list(range(10))


def test_a_draw_by_lot_depends_on_nothing_but_the_seed():
    one, same, other = (
        preset("random-draw").next_round(Moment(tuple(range(12)), seed)) for seed in (1, 1, 2)
    )
    assert one == same != other


def test_the_rotation_is_the_best_evening_known():
    card = preset("rotation").card(Order(tuple(range(16)), 8, 1))
    assert judge(card)["partner"]["F"] == 0
