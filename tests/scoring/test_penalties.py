"""Reneges ruled in a hand and rulings beside the hands: effect, form, window, floor."""

from copy import deepcopy

import pytest

from scoring import (
    Contract,
    HandRecord,
    Penalty,
    Ruling,
    check_hand,
    idle_options,
    play_game,
    ruleset,
)
from tests.scoring.builders import bid, cards, codes, sentences, turn_up, won
from tests.scoring.full_hand import FULL

STANDARD = ruleset("standard-four-handed")
GUIDE = ruleset("guide-four-handed")
CUTTHROAT = ruleset("guide-cutthroat-three-handed")


def ruled(by, *, trick=1, form="add", alone=False, rules=STANDARD, **more):
    contract = {"seat": 0, "trump": "h", "alone": alone} if alone else {"seat": 0, "trump": "h"}
    penalty = {"kind": "renege", "by": by, "trick": trick}
    if form:
        penalty["form"] = form
    record = {"dealer": 2, "contract": contract, "penalties": [penalty], **more}
    return check_hand(record, rules)


@pytest.mark.parametrize(
    ("by", "form", "alone", "paid"),
    [
        (0, "add", False, (0, 2, 0, 2)), (0, "deduct", False, (-2, 0, -2, 0)),
        (1, "add", False, (2, 0, 2, 0)), (1, "deduct", False, (0, -2, 0, -2)),
        (1, "add", True, (4, 0, 4, 0)), (1, "deduct", True, (0, -4, 0, -4)),
        (0, "add", True, (0, 4, 0, 4)), (0, "deduct", True, (-4, 0, -4, 0)),
    ],
)  # fmt: skip
def test_004_137_138_two_points_or_four_when_somebody_plays_alone(by, form, alone, paid):
    """D-24: whichever side reneged; added or taken away as the claimant chose."""
    for rules in (STANDARD, GUIDE):
        assert ruled(by, form=form, alone=alone, rules=rules).points == paid


def test_d24_after_a_proved_renege_the_hand_scores_nothing_else():
    answer = ruled(1, tricks_won=[5, 0, 0, 0])
    assert (answer.outcome, answer.points) == ("renege", (2, 0, 2, 0))
    short = ruled(1, tricks_won=[1, 0, 0, 0])
    assert short.valid


def test_somerset_three_points_or_five():
    rules = ruleset("somerset")
    assert ruled(1, rules=rules).points == (3, 0, 3, 0)
    assert ruled(1, alone=True, rules=rules).points == (5, 0, 5, 0)


def test_d24_the_form_may_be_fixed_by_the_rules():
    rules = ruleset("standard-four-handed", {"renege_form": "deduct"})
    assert ruled(1, form=None, rules=rules).points == (0, -2, 0, -2)
    assert [f.sentence for f in ruled(1, rules=rules).faults] == ["bad-penalty/form-rule"]


def test_where_the_claimant_chooses_and_nobody_wrote_it_down_it_is_added():
    answer = ruled(1, form=None)
    assert answer.points == (2, 0, 2, 0)
    assert [warning.code for warning in answer.warnings] == ["form-assumed"]


@pytest.mark.parametrize(
    ("by", "form", "paid"),
    [
        (0, "add", (0, 2, 2)),
        (0, "deduct", (-2, 0, 0)),
        (1, "add", (2, 0, 0)),
        (1, "deduct", (0, -2, 0)),
    ],
)
def test_where_every_seat_has_its_own_score_a_defenders_renege_is_the_makers_gain(by, form, paid):
    assert ruled(by, form=form, rules=CUTTHROAT).points == paid


def test_d25_by_some_rules_a_renege_is_claimed_before_the_trick_is_turned():
    """A score-only table must still accept a later director's ruling: it is only remarked on."""
    played = deepcopy(FULL) | {
        "penalties": [{"kind": "renege", "by": 3, "trick": 2, "form": "add"}]
    }
    for name in ("tricks_won", "points", "hands", "discards"):
        played.pop(name)
    answer = check_hand(played, GUIDE)
    assert answer.valid
    assert [warning.code for warning in answer.warnings] == ["late-claim"]
    assert check_hand(played, STANDARD).warnings == ()


RENEGED = deepcopy(FULL)
RENEGED["tricks"][0]["cards"] = cards("Ac As Tc 9h")  # East holds the queen of clubs
RENEGED["tricks"][3]["cards"] = cards("Qc Qs Kh Kc")
RENEGED["tricks"][4]["cards"] = cards("Qd 9s Th 9d")
for _name in ("tricks_won", "points"):
    del RENEGED[_name]


def test_a_renege_found_in_the_cards_is_settled_by_its_penalty():
    assert codes(STANDARD, RENEGED) == ["renege"]
    penalty = {"kind": "renege", "by": 1, "trick": 1, "form": "add"}
    answer = check_hand(RENEGED | {"penalties": [penalty]}, STANDARD)
    assert (answer.outcome, answer.points) == ("renege", (2, 0, 2, 0))
    stopped = RENEGED | {"penalties": [penalty], "tricks": RENEGED["tricks"][:1]}
    assert check_hand(stopped, STANDARD).points == (2, 0, 2, 0)
    in_mid_trick = deepcopy(stopped)
    in_mid_trick["tricks"][0]["cards"] = cards("Ac As")
    assert check_hand(in_mid_trick, STANDARD).points == (2, 0, 2, 0)


@pytest.mark.parametrize(
    ("penalty", "found"),
    [
        ({"by": 1, "trick": 2}, ["renege", "bad-penalty"]),
        ({"by": 3, "trick": 1}, ["renege", "bad-penalty"]),
        ({"by": 3}, ["renege", "bad-penalty"]),
        ({"by": 1}, []),
    ],
)
def test_a_ruling_must_be_borne_out_where_the_hand_is_known(penalty, found):
    record = RENEGED | {"penalties": [{"kind": "renege", "form": "add", **penalty}]}
    assert sorted(codes(STANDARD, record)) == sorted(found)


@pytest.mark.parametrize(
    ("penalties", "sentence"),
    [
        ([{"kind": "renege", "by": 1, "trick": 6}], "bad-penalty/trick"),
        ([{"kind": "renege", "by": 1, "trick": 0}], "bad-penalty/trick"),
        ([{"kind": "renege", "by": 1, "trick": 1}] * 2, "bad-penalty/twice"),
        ([{"kind": "renege", "by": 2, "trick": 1}], "bad-penalty/sits-out"),
        ([{"kind": "renege", "by": 5, "trick": 1}], "bad-seat/none-such"),
        ([{"kind": "misdeal", "by": 1}], "bad-penalty/kind"),
        ([{"kind": "renege", "by": 1, "form": "double"}], "bad-penalty/form"),
        ([{"kind": "renege", "by": 1, "trick": 1}] * 1000, "bad-format/too-long"),
    ],
)
def test_penalties_that_cannot_be(penalties, sentence):
    record = turn_up(STANDARD, 0, 3, alone=True, penalties=penalties)
    assert sentence in sentences(STANDARD, record)


def test_nothing_is_ruled_on_a_hand_thrown_in():
    record = {"dealer": 0, "contract": None, "penalties": [{"kind": "renege", "by": 1}]}
    assert codes(STANDARD, record) == ["bad-penalty"]


# -- rulings beside the hands --------------------------------------------------------------------


def test_a_later_ruling_is_an_entry_of_its_own_beside_the_hands():
    """The running score changes where it took effect; the hands keep their own points."""
    hands = won(STANDARD, (0, 3), (1, 3), (0, 5))
    ruling = Ruling(after=2, by=0, hand=1, form="add")
    state = play_game(STANDARD, hands, rulings=[ruling])
    assert state.running == ((1, 0), (1, 3), (3, 3))
    paid = [answer.points for answer in state.answers]
    assert paid == [(1, 0, 1, 0), (0, 1, 0, 1), (2, 0, 2, 0)]


def test_a_ruling_looks_up_whether_somebody_played_alone_in_the_hand_it_is_about():
    hands = [turn_up(STANDARD, 0, 3, alone=True), turn_up(STANDARD, 0, 3, dealer=1)]
    about_first = play_game(STANDARD, hands, rulings=[Ruling(after=2, by=1, hand=1, form="add")])
    about_second = play_game(STANDARD, hands, rulings=[Ruling(after=2, by=1, form="add")])
    assert (about_first.score, about_second.score) == ((6, 0), (4, 0))


def test_a_ruling_may_be_an_adjustment_of_both_sides():
    state = play_game(STANDARD, [], rulings=[Ruling(after=0, kind="adjustment", points=(1, -1))])
    assert state.score == (1, -1)


def test_a_ruling_can_win_the_game_and_can_reopen_it():
    added = play_game(
        STANDARD, [], initial_score=[8, 9], rulings=[Ruling(after=0, by=1, form="add")]
    )
    assert (added.score, added.winners, added.reason) == (
        (10, 9),
        (0, 2),
        "Reached 10 by a penalty",
    )
    hands = won(STANDARD, (0, 3), (1, 3))
    taken = Ruling(after=1, by=0, form="deduct")
    assert play_game(STANDARD, hands[:1], initial_score=[9, 9]).over
    state = play_game(STANDARD, hands, initial_score=[9, 9], rulings=[taken])
    assert (state.score, state.winners, state.faults) == ((8, 10), (1, 3), ())


def test_d24_a_floor_keeps_a_deduction_from_going_below_nothing():
    ruling = Ruling(after=0, by=1, form="deduct")
    assert play_game(STANDARD, [], rulings=[ruling]).score == (0, -2)
    floored = ruleset("standard-four-handed", {"score_floor": 0})
    assert play_game(floored, [], rulings=[ruling]).score == (0, 0)
    assert play_game(floored, [], initial_score=[0, -3], rulings=[ruling]).score == (0, -3)
    contract = Contract(0, "h")
    hand = HandRecord(dealer=3, contract=contract, penalties=(Penalty("renege", 0, 1, "deduct"),))
    assert play_game(floored, [hand], initial_score=[1, 0]).score == (0, 0)


@pytest.mark.parametrize(
    ("ruling", "sentence"),
    [
        (Ruling(after=9, by=1), "game-over/ruling"),
        (Ruling(after=-1, by=1), "game-over/ruling"),
        (Ruling(after=0, by=7), "bad-penalty/side"),
        (Ruling(after=0), "bad-penalty/side"),
        (Ruling(after=0, kind="fine", by=1), "bad-penalty/kind"),
        (Ruling(after=0, by=1, form="halve"), "bad-penalty/form"),
        (Ruling(after=0, kind="adjustment", points=(1,)), "bad-format/score-length"),
        (Ruling(after=0, kind="adjustment", points=(1, "2")), "bad-format/score-length"),
    ],
)
def test_rulings_that_cannot_be_are_told(ruling, sentence):
    state = play_game(STANDARD, [], rulings=[ruling])
    assert [fault.sentence for fault in state.faults] == [sentence]
    assert state.score == (0, 0)


@pytest.mark.parametrize("preset", ["five-hundred-three", "five-hundred-four", "napoleon"])
def test_a_renege_with_a_rule_of_its_own_cannot_be_ruled_beside_the_hands(preset):
    """D-99, `revoke_500`: what it costs hangs on the bid and the tricks of its hand."""
    state = play_game(ruleset(preset), [], rulings=[Ruling(after=0, by=1)])
    assert [fault.sentence for fault in state.faults] == ["bad-penalty/of-a-hand"]
    idle = idle_options(ruleset(preset))
    assert {"renege_points", "renege_form"} <= set(idle)
    beside = ruleset("five-hundred-four", {"revoke_500": "off"})
    assert "renege_points" not in idle_options(beside)


def test_a_renege_in_a_bid_game_replaces_the_bid():
    rules = ruleset("bid-shawn")
    record = bid(rules, 0, 5, tricks=5, won=[0] * 4)
    record |= {"penalties": [{"kind": "renege", "by": 0, "trick": 3, "form": "add"}]}
    assert check_hand(record, rules).points == (0, 2, 0, 2)
