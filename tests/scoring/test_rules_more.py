"""The rules of the turn-up games and options added later, one test a written rule."""

import pytest

from scoring import check_hand, play_game, ruleset
from tests.scoring.builders import call, hand, of, passes

STANDARD = "standard-four-handed"


# -- turn-up games -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (hand(seat=0, trump="h", tricks_won=3, fast_break=True), (0, 0, 0, 0)),
        (hand(seat=0, trump="h", outcome="made", fast_break=True), (0, 0, 0, 0)),
        (hand(seat=0, trump="h", alone=True, tricks_won=3, fast_break=True), (0, 0, 0, 0)),
        (hand(seat=0, trump="h", tricks_won=4, fast_break=True), {"tricks-mismatch"}),
        (hand(seat=0, trump="h", outcome="euchred", fast_break=True), {"tricks-mismatch"}),
    ],
)
def test_in_a_fast_break_nobody_scores(record, expected):
    assert of(STANDARD, record, fast_break=True) == expected
    assert "bad-format" in of(STANDARD, record)


def test_a_fast_break_is_deduced_from_the_tricks():
    tricks = ["As 9s Ts Qs", "Ac 9c Tc Qc", "Kd Jh 9d Td", "Jd 9h Ks Kc", "Kh Qd Js Jc"]
    played = [{"cards": cards.split()} for cards in tricks]
    record = hand(seat=1, trump="h", round=2, dealer=3, tricks=played)
    assert of(STANDARD, record) == (0, 1, 0, 1)
    assert of(STANDARD, record, fast_break=True) == (0, 0, 0, 0)


@pytest.mark.parametrize(("took", "points"), [(5, 8), (3, 1), (4, 1), (2, -2)])
def test_a_jambone_pays_for_all_five_and_is_a_lone_hand_otherwise(took, points):
    paid = of(STANDARD, hand(seat=0, trump="h", special="jambone", tricks_won=took), jambone=8)
    assert paid == ((points, 0, points, 0) if points > 0 else (0, -points, 0, -points))


def test_a_jambone_is_not_played_with_the_partner():
    record = hand(seat=0, trump="h", special="jambone", alone=False, tricks_won=5)
    assert of(STANDARD, record, jambone=8) == {"call-not-allowed"}
    assert of(STANDARD, hand(seat=0, trump="h", special="jambone", tricks_won=5)) == {
        "call-not-allowed"
    }


def test_a_jamboree_is_shown_and_not_played():
    def shown(cards, **more):
        hands = [cards.split(), None, None, None]
        return of(STANDARD, hand(seat=0, trump="h", special="jamboree", hands=hands, **more),
                  jamboree=16)  # fmt: skip

    assert shown("Jh Jd Ah Kh Qh") == (16, 0, 16, 0)
    assert shown("Jh Jd Ah Kh 9s", round=1, upcard="Qh") == (16, 0, 16, 0)
    assert shown("Jh Jd Ah Kh 9h", dealer=3) == {"call-not-allowed"}
    assert shown("Jh Jd Ah Kh Qh", tricks_won=4) == {"tricks-mismatch"}


def test_the_callers_bonus_is_his_own_and_the_game_takes_the_partners_points():
    rules = ruleset(STANDARD, {"caller_bonus": 1})
    march = hand(seat=0, trump="h", alone=True, tricks_won=5)
    assert check_hand(march, rules).points == (5, 0, 4, 0)
    assert play_game(rules, [march]).score == (4, 0)


def test_the_fourth_token_is_a_point_with_its_hand_and_can_win_the_game():
    rules = ruleset(STANDARD, {"four_trick_tokens": True, "target": 5})
    state = play_game(rules, [hand(seat=0, trump="h", tricks_won=4, dealer=n) for n in range(4)])
    assert state.running == ((1, 0), (2, 0), (3, 0), (5, 0))
    assert state.winners == (0, 2)
    made = hand(seat=0, trump="h", outcome="made")
    assert of(STANDARD, made, four_trick_tokens=True) == {"bad-format"}
    assert of(STANDARD, made | {"contract": {**made["contract"], "alone": True}},
              four_trick_tokens=True) == (1, 0, 1, 0)  # fmt: skip


@pytest.mark.parametrize(
    ("reason", "cards", "good"),
    [
        ("farmers", "9c Tc 9d Ah Kh", True),
        ("farmers", "9c Tc Qd Ah Kh", False),
        ("no_ace_no_face", "9c Tc 9d Td 9s", True),
        ("no_ace_no_face", "9c Tc 9d Td Qs", False),
        ("no_ace_no_face", "9c Tc 9d Td Th", False),
    ],
)
def test_a_poor_hand_is_dealt_again_by_the_same_dealer(reason, cards, good):
    declared = hand(dealer=2, upcard="9h", hands=[None, cards.split(), None, None],
                    auction=[call(1, "redeal", special=reason)])  # fmt: skip
    answer = check_hand(declared, ruleset(STANDARD, {reason: "redeal"}))
    if good:
        assert (answer.points, answer.next_dealer) == ((0, 0, 0, 0), 2)
    else:
        assert [fault.code for fault in answer.faults] == ["call-not-allowed"]
    assert "call-not-allowed" in of(STANDARD, declared)
    late = hand(auction=[*passes(1), call(2, "redeal", special=reason)])
    assert "call-not-allowed" in of(STANDARD, late, **{reason: "redeal"})


def test_who_goes_under_lays_three_low_cards_away():
    def under(discards, cards="9c Tc 9d Ah Kh", **options):
        auction = [call(1, "go-under"), *passes(1), call(2, "order-up")]
        hands = [None, cards.split(), None, None]
        laid = [None, discards.split(), None, None]
        return of(STANDARD, hand(upcard="9h", hands=hands, auction=auction, discards=laid,
                                 tricks_won=3), **options)  # fmt: skip

    assert under("9c Tc 9d", go_under=True) == (1, 0, 1, 0)
    assert under("9c Tc", go_under=True) == {"bad-discard"}
    assert under("9c Tc Ah", go_under=True) == {"bad-discard"}
    assert "call-not-allowed" in under("9c Tc 9d", cards="9c Tc Qd Ah Kh", go_under=True)
    assert "call-not-allowed" in under("9c Tc 9d")


@pytest.mark.parametrize("place", [1, 2])
def test_one_player_a_deal_goes_under_and_only_before_the_first_call(place):
    auction = [call(1, "go-under"), *passes(1), call(2, "order-up")]
    auction.insert(place, call(2, "go-under"))
    played = hand(upcard="9h", auction=auction, tricks_won=3)
    assert of(STANDARD, played, go_under=True) == {"call-not-allowed"}


def test_the_second_card_turned_is_seen_and_never_taken():
    def second(card, trump="s", **more):
        record = hand(upcard="9h", upcard2=card, seat=1, trump=trump, tricks_won=3, **more)
        return of(STANDARD, record, second_upcard=True)

    assert second("9s", round=2) == (0, 1, 0, 1)
    assert second("9h", round=2) == {"duplicate-card"}
    assert second("7s", round=2) == {"card-not-in-deck"}
    assert second("9s", trump="h", round=1) == {"bad-format"}
    in_hand = [None, ["9s", "Tc", "Qd", "Ah", "Kh"], None, None]
    assert second("9s", round=2, hands=in_hand) == {"upcard-in-hand"}
    assert of(STANDARD, hand(upcard="9h", upcard2="9s", seat=1, trump="s", tricks_won=3)) == {
        "bad-format"
    }


def test_he_then_discards_a_card_and_takes_the_turned_up_card_into_his_hand():
    """002:129, of the third seat; after any other maker the dealer does (002:127)."""

    def laid_by(seat, maker):
        discards = [None] * 4
        discards[seat] = ["9s"]
        record = hand(upcard="9h", seat=maker, trump="h", round=1, discards=discards, tricks_won=3)
        return of(STANDARD, record, upcard_goes_to="third_seat_orderer")

    assert laid_by(3, maker=3) == (0, 1, 0, 1)
    assert laid_by(0, maker=3) == {"bad-discard"}
    assert laid_by(0, maker=2) == (1, 0, 1, 0)


def test_a_lone_hand_may_call_for_the_best_card_of_the_partner():
    def called(order="take_first", cards=("Ah",), laid="9s", giver=2, taker=0, alone=True):
        discards = [laid.split(), None, None, None]
        record = hand(seat=0, trump="h", round=2, dealer=3, discards=discards, tricks_won=5,
                      exchange=[{"from": giver, "to": taker, "cards": list(cards)}],
                      **({"alone": True} if alone else {}))  # fmt: skip
        return of("railroad", record, partners_best=order)

    assert called() == (4, 0, 4, 0)
    assert called(laid="Ah") == (4, 0, 4, 0)
    assert called("discard_first", laid="Ah") == {"bad-discard"}
    assert "bad-discard" in called(laid="9s Ts")
    assert "bad-exchange" in called(cards=("Ah", "Kh"), laid="9s Ts")
    assert "bad-exchange" in called(giver=1)
    assert "bad-exchange" in called(alone=False)
    assert "bad-exchange" in called("off")


def test_those_who_together_carry_both_out_the_elder_hand_is_the_winner():
    """D-68: whatever the scores, the first to the left of that hand's dealer."""
    rules = ruleset("hoyle-1909-three-handed")
    start, euchre = (4, 3, 0), hand(dealer=2, seat=2, trump="h", tricks_won=0)
    state = play_game(rules, [euchre], initial_score=start)
    assert (state.score, state.winners) == ((6, 5, 0), (0,))
    state = play_game(rules, [{**euchre, "dealer": 0}], initial_score=start)
    assert state.winners == (1,)


# -- a partner called ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (hand(seat=0, trump="h", tricks_won=3), {"bad-format"}),
        (hand(seat=0, trump="h", partner=0, tricks_won=3), {"bad-partner"}),
        (hand(seat=0, trump="h", alone=True, partner=1, tricks_won=3), {"bad-partner"}),
        (hand(seat=0, trump="h", call_card="Kh", partner=1, tricks_won=3), {"call-not-allowed"}),
        (hand(seat=0, trump="h", call_card="Ah", alone=True, tricks_won=3), {"call-not-allowed"}),
        (hand(seat=0, trump="h", alone=True, tricks_won=5), (4, 0, 0, 0)),
        (hand(seat=0, trump="h", partner=None, tricks_won=5), (4, 0, 0, 0)),
    ],
)
def test_the_partner_is_who_holds_the_card_called(record, expected):
    assert of("call-ace-four", record) == expected


def test_the_partner_is_known_from_the_hands_and_must_be_that_one():
    hands = ["9h Th Qh Kh Ah", "9s Ts Qs Ks As", "9c Tc Qc Kc Ac", "9d Td Qd Kd Ad"]
    dealt = [cards.split() for cards in hands]
    record = hand(dealer=3, seat=0, trump="h", round=2, call_card="Ac", hands=dealt, tricks_won=3)
    assert of("call-ace-four", record) == (1, 0, 1, 0)
    assert of("call-ace-four", {**record, "partner": 1}) == {"bad-partner"}
    assert of("call-ace-four", {**record, "partner": None}) == {"bad-partner"}


def test_a_plain_card_is_any_that_is_no_trump():
    def called(card):
        record = hand(seat=0, trump="h", call_card=card, partner=1, tricks_won=3)
        return of("call-ace-five", record, call_card="plain_card")

    assert called("Kc") == (1, 1, 0, 0, 0)
    assert called("Jd") == {"call-not-allowed"}
    assert called("9h") == {"call-not-allowed"}


# -- dropping out and counting down --------------------------------------------------------------


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (hand(seat=0, trump="h", tricks_won=3), {"wrong-trick-count"}),
        (hand(seat=0, trump="h", tricks_won=5), (-5, 5, 5, 5)),
        (hand(seat=0, trump="h", out=[0], tricks_won=[3, 2, 0, 0]), {"call-not-allowed"}),
        (hand(seat=0, trump="h", out=[1], tricks_won=[3, 2, 0, 0]), {"partner-played"}),
        (hand(seat=0, trump="h", outcome="made"), {"bad-format"}),
        (hand(upcard="9c", seat=0, trump="h", tricks_won=[3, 2, 0, 0]), {"call-not-allowed"}),
        (hand(seat=1, trump="c", special="dirty_clubs", tricks_won=[3, 2, 0, 0]),
         {"call-not-allowed"}),
        (hand(seat=0, trump="d", special="dirty_clubs", tricks_won=[3, 2, 0, 0]),
         {"call-not-allowed"}),
        (hand(upcard="9h", seat=0, special="dirty_clubs", tricks_won=[3, 2, 0, 0]),
         {"call-not-allowed"}),
        (hand(seat=0, special="dirty_clubs", out=[2], tricks_won=[3, 2, 0, 0]),
         {"call-not-allowed"}),
        (hand(contract=None), (0, 0, 0, 0)),
    ],
)  # fmt: skip
def test_in_buck_everybody_counts_his_tricks_down(record, expected):
    assert of("buck-euchre", record) == expected


def test_the_lowest_at_nothing_or_below_wins_and_level_players_play_on():
    rules = ruleset("buck-euchre")
    assert play_game(rules, []).score == (25, 25, 25, 25)
    end = hand(seat=0, trump="h", tricks_won=[3, 2, 0, 0])
    state = play_game(rules, [end], initial_score=(3, 1, 9, 9))
    assert (state.score, state.winners) == ((0, -1, 14, 14), (1,))
    state = play_game(rules, [end], initial_score=(3, 2, 9, 9))
    assert (state.over, state.needs) == (False, (0, 0, 14, 14))


# -- penalties -----------------------------------------------------------------------------------


def test_false_claims_and_table_talk_cost_beside_the_hands_own_score():
    talk = hand(seat=0, trump="h", tricks_won=3, penalties=[{"kind": "table-talk", "by": 1}])
    assert of(STANDARD, talk, table_talk_points=2) == (3, 0, 3, 0)
    assert of(STANDARD, talk) == {"bad-penalty"}
    claim = {**talk, "penalties": [{"kind": "false-claim", "by": 0}]}
    assert of(STANDARD, claim, false_claim_points=2) == (1, 2, 1, 2)


def test_a_hand_abandoned_against_a_lone_hand_pays_the_makers_five():
    """Somerset Club law 50."""
    left = hand(seat=0, trump="h", alone=True, penalties=[{"kind": "abandoned", "by": 1}])
    assert of("somerset", left) == (5, 0, 5, 0)
    assert of("somerset", {**left, "penalties": [{"kind": "abandoned", "by": 0}]}) == {
        "bad-penalty"
    }
    together = hand(seat=0, trump="h", penalties=[{"kind": "abandoned", "by": 1}])
    assert of("somerset", together) == {"bad-penalty"}
    assert of(STANDARD, left) == {"bad-penalty"}


def test_a_renege_where_no_two_sides_play():
    """D-98: the maker's opponents who play gain; by another, the maker and the partner called."""

    def renege(preset, by, form="add", **more):
        penalties = [{"kind": "renege", "by": by, "form": form}]
        return of(preset, hand(seat=0, trump="h", penalties=penalties, **more))

    assert renege("call-ace-four", 2, partner=2) == (0, 2, 0, 2)
    assert renege("call-ace-four", 1, partner=2) == (2, 0, 2, 0)
    assert renege("buck-euchre", 1, out=[2]) == (-2, 0, 0, 0)
    assert renege("buck-euchre", 0, out=[2]) == (0, -2, 0, -2)
    assert renege("buck-euchre", 0, "deduct") == (2, 0, 0, 0)
    assert renege("buck-euchre", 2, out=[2]) == {"bad-penalty"}
