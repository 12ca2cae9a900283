"""A person's figures: what each counts, from how many, and the laws they keep."""

from datetime import date
from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from league.ranking.statistics import (
    Deal,
    PlayedGame,
    Rate,
    Runs,
    beaten_word,
    calls_by_place,
    calls_by_round,
    company,
    habits,
    runs,
    trend,
)

DAY = date(2026, 11, 19)


def deal(seat: int = 0, caller: int | None = 0, outcome: str = "made", **more: object) -> Deal:
    usual: dict[str, object] = {
        "session": 1,
        "players": 4,
        "dealer": 3,
        "round": None,
        "alone": False,
        "sides": 2,
    }
    return Deal(seat=seat, caller=caller, outcome=outcome, **{**usual, **more})  # type: ignore[arg-type]


def game(won: float, session: int = 1, **more: Any) -> PlayedGame:
    return PlayedGame(session, DAY, 4, Fraction(won), Fraction(1, 2), **more)


def test_calls_made_and_euchred_are_of_own_calls_and_not_of_the_partners() -> None:
    hands = [deal(), deal(outcome="march"), deal(outcome="euchred"), deal(caller=2)]
    found = habits(hands)
    assert found["called"] == Rate(Fraction(3), 4)
    assert found["made"] == Rate(Fraction(2), 3)
    assert found["euchred"] == Rate(Fraction(1), 3)


def test_euchres_are_of_hands_defended() -> None:
    hands = [deal(caller=1, outcome="euchred"), deal(caller=3), deal(caller=None, outcome="")]
    assert habits(hands)["euchres"] == Rate(Fraction(1), 2)


def test_a_bid_game_has_no_marches_and_a_lone_bid_made_is_a_lone_march() -> None:
    hands = [deal(bid=True, lone=False), deal(bid=True, alone=True), deal(outcome="march")]
    found = habits(hands)
    assert found["lone_tried"] == Rate(Fraction(1), 2)  # of hands that one may play alone
    assert found["marches"] == Rate(Fraction(1), 1)
    assert found["lone_marches"] == Rate(Fraction(1), 1)


def test_a_march_counts_for_the_side_and_a_lone_march_for_the_caller() -> None:
    hands = [
        deal(caller=2, outcome="march", alone=True),
        deal(outcome="march", alone=True),
        deal(outcome="made", alone=True),
        deal(),
    ]
    found = habits(hands)
    assert found["marches"] == Rate(Fraction(2), 4)
    assert found["lone_tried"] == Rate(Fraction(2), 3)
    assert found["lone_marches"] == Rate(Fraction(1), 2)


def test_at_three_hands_nobody_else_is_on_the_makers_side() -> None:
    assert habits([deal(players=3, sides=3, caller=2, dealer=0)])["euchres"] == Rate(Fraction(0), 1)


def test_places_are_told_from_the_dealer_at_every_size_of_table() -> None:
    four = [deal(dealer=d).place for d in (3, 2, 1, 0)]
    three = [deal(players=3, dealer=d).place for d in (2, 1, 0)]
    two = [deal(players=2, dealer=d).place for d in (1, 0)]
    assert four == ["eldest", "partner", "right", "dealer"]
    assert three == ["eldest", "right", "dealer"]
    assert two == ["eldest", "dealer"]


def test_the_seats_of_a_table_of_six_add_up_to_all_its_hands() -> None:
    hands = [deal(players=6, dealer=d, caller=1) for d in range(6)]
    places = {one.kind: one.hands for one in calls_by_place(hands)}
    assert places == {"eldest": 1, "partner": 2, "right": 1, "dealer": 1, "other": 1}


def test_a_failed_call_is_euchred_set_or_both_as_the_games_have_it() -> None:
    assert beaten_word([]) == beaten_word([False]) == "euchred"
    assert beaten_word([True, True]) == "set"
    assert beaten_word([True, False]) == "both"


def test_calls_are_counted_by_place_and_by_round_where_it_is_written_down() -> None:
    hands = [
        deal(dealer=0, round=1),
        deal(dealer=0, caller=1),
        deal(round=2, outcome="euchred"),
        deal(),
    ]
    places = {one.kind: (one.hands, one.made) for one in calls_by_place(hands)}
    assert places["dealer"] == (2, Rate(Fraction(1), 1))
    assert places["eldest"] == (2, Rate(Fraction(1), 2))
    rounds = {one.kind: one.made for one in calls_by_round(hands)}
    assert rounds == {"1": Rate(Fraction(1), 1), "2": Rate(Fraction(0), 1)}


def test_no_figure_comes_out_of_nothing() -> None:
    assert all(one.share is None for one in habits([]).values())


def test_partners_and_opponents_each_have_their_games() -> None:
    games = [
        game(1, partners=(7,), opponents=(8, 9)),
        game(0, partners=(8,), opponents=(7, 9)),
        game(0.5, opponents=(9,)),
    ]
    found = {one.who: (one.together, one.against) for one in company(games)}
    assert found[7] == (Rate(Fraction(1), 1), Rate(Fraction(0), 1))
    assert found[9] == (Rate(Fraction(0), 0), Rate(Fraction(3, 2), 3))
    assert company(games)[0].who == 9


def test_runs_are_the_longest_rows_and_the_present_one() -> None:
    assert runs(game(won) for won in (1, 0.5, 0, 0, 0, 1)) == Runs(won=2, lost=3, now=1)
    assert runs([]) == Runs(0, 0, 0)
    assert runs([game(1), game(0), game(0)]).now == -2


def test_a_tied_game_is_no_win_and_no_loss_and_ends_either_run() -> None:
    tied = game(0.5, tied=True)
    assert runs([game(1), tied, game(1), tied]) == Runs(won=1, lost=0, now=0)
    assert runs([game(0), tied, game(0)]) == Runs(won=0, lost=1, now=-1)


def test_the_trend_adds_wins_above_expectation_up_evening_by_evening() -> None:
    by_score_alone = game(0, 2, difference=Fraction(-4))
    steps = trend([game(1, hands=2, difference=Fraction(2)), game(1), by_score_alone])
    assert [step.above for step in steps] == [1, Fraction(1, 2)]
    assert [step.a_hand for step in steps] == [Rate(Fraction(2), 2), Rate(Fraction(0), 0)]


def test_the_dealers_partner_is_on_the_dealers_side() -> None:
    """At tables of six two sit opposite who are neither; among single players nobody is."""
    places = [deal(seat=seat, dealer=0, players=6).place for seat in range(6)]
    assert places == ["dealer", "eldest", "partner", "other", "partner", "right"]
    alone = [deal(seat=seat, dealer=0, players=5, sides=5).place for seat in range(5)]
    assert alone == ["dealer", "eldest", "other", "other", "right"]


shares = st.lists(st.sampled_from([0, 0.5, 1]), max_size=30)


@given(shares)
def test_runs_never_exceed_the_games_and_the_trend_ends_at_the_sum(won: list[float]) -> None:
    games = [game(one, session=number // 3) for number, one in enumerate(won)]
    found = runs(games)
    assert found.won + found.lost <= len(games) or not games
    steps = trend(games)
    above = sum((one.won - one.expected for one in games), Fraction(0))
    assert (steps[-1].above if steps else 0) == above
