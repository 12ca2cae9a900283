"""The rules of the bid games added later: one test a written rule, named by it."""

import pytest

from scoring import play_game, ruleset
from tests.scoring.builders import call, hand, of, passes


def bid(seat, tricks, trump=None, **more):
    """A bid of so many tricks."""
    return call(seat, "bid", tricks=tricks, **({"trump": trump} if trump else {}), **more)


def test_a_pass_is_final():
    def bidding(*calls):
        return of("five-hundred-four", hand(auction=list(calls), tricks_won=7))

    assert bidding(bid(1, 7, "h"), *passes(2, 3, 0)) == (30, 200, 30, 200)
    assert bidding(bid(1, 7, "s"), *passes(2), bid(3, 7, "c"), *passes(0),
                   bid(1, 7, "d"), *passes(3)) == (30, 180, 30, 180)  # fmt: skip
    assert "call-out-of-turn" in bidding(
        bid(1, 6, "h"), *passes(2), bid(3, 7, "s"), *passes(0), bid(2, 8, "h")
    )
    assert bidding(bid(1, 7, "h"), *passes(2, 3, 0, 1)) == {"call-not-allowed"}
    assert "call-not-allowed" in bidding(bid(1, 7, "h"), bid(2, 7, "s"), *passes(3, 0))


def test_misere_can_only_be_bid_after_someone_has_bid_seven():
    def misere(before, after=(), **options):
        auction = [*before, call(2, "bid", special="misere"), *after]
        return of("five-hundred-four", hand(auction=auction, tricks_won=0), **options)

    assert misere([bid(1, 7, "h")], passes(3, 0, 1)) == (250, 0, 250, 0)
    assert misere([bid(1, 6, "h")], passes(3, 0, 1)) == {"call-not-allowed"}
    assert misere([bid(1, 8, "s")], passes(3, 0, 1)) == {"call-not-allowed"}
    assert misere([bid(1, 7, "h")], passes(3, 0, 1), misere="off") != (250, 0, 250, 0)


def test_a_misere_has_no_tricks_and_no_trump_and_stops_with_the_trick_taken():
    def misere(won, **more):
        return of("five-hundred-four", hand(seat=0, special="misere", tricks_won=won, **more))

    assert misere(0) == misere(0, tricks_bid=0, trump="nt") == (250, 0, 250, 0)
    assert misere([1, 2, 0, 1]) == (-250, 0, -250, 0)
    assert misere([0, 2, 0, 1]) == {"wrong-trick-count"}
    assert misere(0, trump="h") == misere(0, tricks_bid=7) == {"call-not-allowed"}


def test_open_misere_is_bid_over_ten_diamonds_where_it_is_played():
    auction = [bid(1, 10, "d"), call(2, "bid", special="open_misere"), *passes(3, 0, 1)]
    record = hand(auction=auction, tricks_won=0)
    assert of("five-hundred-four", record, misere="open") == (500, 0, 500, 0)
    assert "call-not-allowed" in of("five-hundred-four", record)


def test_each_player_scores_ten_points_for_each_trick_when_all_pass():
    passed = hand(contract=None, tricks_won=[5, 3, 2])
    assert of("five-hundred-three", passed) == (50, 30, 20)
    assert of("five-hundred-three", hand(auction=passes(1, 2, 0), tricks_won=[5, 3, 2])) == (
        50, 30, 20,
    )  # fmt: skip
    assert of("five-hundred-three", hand(contract=None)) == {"bad-format"}
    assert of("five-hundred-three", {**passed, "tricks_won": {"makers": 5}}) == {"bad-format"}
    assert of("five-hundred-four", hand(contract=None)) == (0, 0, 0, 0)


def test_he_who_first_makes_the_trick_that_brings_his_score_over_500():
    """From a sheet, where the order is not known, the higher of the two wins (D-79)."""
    rules = ruleset("five-hundred-three")
    sheet = hand(seat=0, trump="s", tricks_bid=7, tricks_won=[4, 3, 3])
    state = play_game(rules, [sheet], initial_score=(0, 470, 480))
    assert state.winners == (2,)
    state = play_game(rules, [sheet], initial_score=(500, 470, 480))
    assert state.winners == (2,)


def test_a_side_that_falls_to_500_below_nothing_has_lost():
    rules = ruleset("five-hundred-four")
    fails = hand(seat=0, trump="nt", tricks_bid=10, tricks_won=9)
    assert play_game(rules, [fails]).winners == (1, 3)
    tricks = hand(seat=0, trump="s", tricks_bid=6, tricks_won=6)
    state = play_game(rules, [tricks], initial_score=(0, 480))
    assert (state.score, state.over) == ((40, 520), False)


@pytest.mark.parametrize(
    ("by", "revoke", "won", "expected"),
    [
        (0, "american", [5, 3, 2], (-140, 30, 20)),
        (0, "hoffmann", [5, 3, 2], (-140, 30, 20)),
        (0, "american", None, {"bad-format"}),
        (1, "american", None, (140, 0, 0)),
        (1, "hoffmann", [7, 3, 0], (140, -100, 0)),
        (1, "hoffmann", None, {"bad-format"}),
    ],
)
def test_a_revoke_of_five_hundred(by, revoke, won, expected):
    record = hand(seat=0, trump="s", tricks_bid=7, penalties=[{"kind": "renege", "by": by}])
    record |= {} if won is None else {"tricks_won": won}
    assert of("five-hundred-three", record, revoke_500=revoke) == expected
    record["penalties"][0]["form"] = "add"
    assert "bad-penalty" in of("five-hundred-three", record, revoke_500=revoke)


def test_whatever_suit_is_first_led_by_the_caller_is_trumps():
    lead = [{"cards": ["2h", "3h", "4h", "5h"]}, {"cards": ["6s", "7s", "8s", "9s"]}]
    record = hand(seat=1, trump="s", tricks_bid=1, tricks=lead)
    assert "contract-mismatch" in of("napoleon", record)
    assert of("napoleon", hand(seat=1, trump="nt", tricks_bid=1, tricks_won=1)) == {
        "call-not-allowed"
    }


@pytest.mark.parametrize(
    ("by", "won", "expected"),
    [
        (0, None, (-9, 3, 3, 3)),
        (1, 3, (9, -9, 0, 0)),
        (1, 2, (0, -6, 3, 3)),
        (1, None, {"bad-format"}),
    ],
)
def test_a_revoke_at_napoleon_is_paid_in_stakes(by, won, expected):
    record = hand(seat=0, tricks_bid=3, penalties=[{"kind": "renege", "by": by}])
    record |= {} if won is None else {"tricks_won": {"makers": won}}
    assert of("napoleon", record) == expected


def test_wellington_is_bid_over_nap_and_misery_between_three_and_four():
    def bidding(first, second, won, **options):
        auction = [bid(1, first), call(2, "bid", special=second), *passes(3, 0)]
        return of("napoleon", hand(auction=auction, tricks_won=won), **options)

    assert bidding(5, "wellington", 5, wellington=True) == (-20, -20, 60, -20)
    assert bidding(4, "wellington", 5, wellington=True) == {"call-not-allowed"}
    assert bidding(3, "misery", 0, misery=True) == (-3, -3, 9, -3)
    assert bidding(4, "misery", 0, misery=True) == {"call-not-allowed"}
    assert "call-not-allowed" in bidding(3, "misery", 0)


def test_the_bidder_discards_two_and_the_partners_pass_one_each():
    def shoot(given, laid="9s Ts"):
        exchange = [{"from": seat, "to": 0, "cards": cards.split()} for seat, cards in given]
        discards = [laid.split(), *[None] * 5]
        return of("bid-six-handed", hand(seat=0, trump="h", special="shoot", exchange=exchange,
                                         discards=discards, tricks_won=8))  # fmt: skip

    assert shoot([(2, "Ah"), (4, "Kh")]) == (12, 0, 12, 0, 12, 0)
    assert "bad-exchange" in shoot([(2, "Ah")], laid="9s")
    assert "bad-exchange" in shoot([(2, "Ah Kh")])
