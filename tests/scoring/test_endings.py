"""Who wins where standing at the target is not enough: penalties, thrown-in hands, playing on."""

import pytest

from scoring import Ruling, play_game, ruleset
from tests.scoring.builders import bid, call, turn_up

GENERAL = ruleset("bid-general", {"target": 32})
HOOSIER = ruleset("bid-hoosier-three-player")
# North–South come to 33 by odd tricks: «the game continues» (004:27).
BY_ODD_TRICKS = bid(GENERAL, 1, 7, tricks=3, won=[2, 5, 3, 2])


def ruled_on(seat, form):
    """The next hand, ended by a renege of this seat."""
    penalty = {"kind": "renege", "by": seat, "form": form}
    return bid(GENERAL, 1, 7, dealer=1, tricks=3) | {"penalties": [penalty]}


@pytest.mark.parametrize(
    ("seat", "form", "score", "winners"),
    [
        (0, "add", (33, 9), ()),
        (1, "deduct", (33, 5), ()),
        (1, "add", (35, 7), (0, 2)),
    ],
)
def test_004_27_a_renege_wins_a_bid_game_only_for_the_side_it_is_paid_to(
    seat, form, score, winners
):
    """Nobody wins by their own renege, or without a point because the others lost some."""
    hands = [BY_ODD_TRICKS, ruled_on(seat, form)]
    state = play_game(GENERAL, hands, initial_score=[28, 0])
    assert (state.score, state.winners) == (score, winners)


@pytest.mark.parametrize(
    ("ruling", "winners"),
    [
        (Ruling(after=1, by=0, form="add"), ()),
        (Ruling(after=1, by=1, form="deduct"), ()),
        (Ruling(after=1, kind="adjustment", points=(0, -1)), ()),
        (Ruling(after=1, by=1, form="add"), (0, 2)),
    ],
)
def test_004_27_a_ruling_wins_a_bid_game_only_for_the_side_it_is_paid_to(ruling, winners):
    state = play_game(GENERAL, [BY_ODD_TRICKS], initial_score=[28, 0], rulings=[ruling])
    assert state.winners == winners


def test_004_27_odd_tricks_win_nothing_when_two_defenders_tied_before():
    """D-42: B and C tie at the target and play on; B makes a bid, C is ahead by odd tricks."""
    hands = [
        bid(HOOSIER, 0, 8, tricks=10, won=[8, 1, 1]),
        bid(HOOSIER, 1, 4, dealer=1, tricks=1, won=[1, 4, 5]),
    ]
    state = play_game(HOOSIER, hands, initial_score=[0, 31, 31])
    assert (state.running, state.winners) == (((-16, 32, 32), (-15, 36, 37)), (1,))


@pytest.mark.parametrize(
    "thrown_in",
    [{"dealer": 1, "contract": None}, {"dealer": 1, "auction": [call(2, "mcevoy")]}],
)
def test_000_19_a_hand_thrown_in_is_not_the_one_more_that_is_played(thrown_in):
    """000:19 «play another around until there is a winner»: 11 to 10 is settled by playing."""
    rules = ruleset("three-hand-gamerules", {"stick_the_dealer": False, "mcevoy": True})
    tied = [turn_up(rules, 2, 0), thrown_in]
    state = play_game(rules, tied, initial_score=[9, 8, 0])
    assert (state.score, state.over) == ((11, 10, 0), False)
    played = turn_up(rules, 2, 3, dealer=state.next_dealer)
    state = play_game(rules, [*tied, played], initial_score=[9, 8, 0])
    assert (state.score, state.winners) == ((11, 10, 1), (0,))


def test_001_27_a_co_winner_whose_points_are_taken_away_has_not_won():
    """001:27 «all that are necessary to complete the five points»: B is left with four."""
    rules = ruleset("keller-1887-three-handed")
    euchred = [turn_up(rules, 2, 1, dealer=2)]
    taken = Ruling(after=1, by=1, form="deduct")
    state = play_game(rules, euchred, initial_score=[4, 4, 0], rulings=[taken])
    assert (state.score, state.over, state.winners) == ((6, 4, 0), True, (0,))
