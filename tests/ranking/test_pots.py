"""What pots hold and who takes them: worked examples, and the laws of every pot."""

from dataclasses import replace
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from league.ranking.pots import (
    AMOUNTS,
    EACH_LONER,
    ENTRY,
    EUCHRED,
    KEPT,
    MOST_EUCHRES,
    MOST_LONERS,
    ONCE,
    PLACES,
    PRIZE,
    REFUND,
    RETURN,
    STAKE,
    SUM,
    Balance,
    Counted,
    PotLine,
    PotRule,
    balance_of,
    ledger,
)

ROSE, ANN, TED = 1, 2, 3
SEASON = {
    ROSE: Counted(evenings=3, euchred=2, euchres=5, lone_marches=2, rank=1),
    ANN: Counted(evenings=3, euchred=0, euchres=5, lone_marches=1, rank=2),
    TED: Counted(evenings=1, euchred=5, euchres=1, lone_marches=2, rank=2),
}


def won(rule: PotRule) -> dict[int, int]:
    return {who: line.won for who, line in ledger(rule, SEASON).lines.items() if line.won}


def test_an_entry_fee_is_paid_for_each_evening_or_once() -> None:
    each = ledger(PotRule(ENTRY, 200, KEPT), SEASON)
    assert {who: line.owes for who, line in each.lines.items()} == {ROSE: 600, ANN: 600, TED: 200}
    assert (each.times, each.holds, each.left) == (7, 1400, 1400)
    assert ledger(PotRule(ONCE, 500, KEPT), SEASON).holds == 1500


def test_whoever_calls_and_is_euchred_pays_each_time() -> None:
    fines = ledger(PotRule(EUCHRED, 25, KEPT), SEASON)
    assert {who: line.owes for who, line in fines.lines.items()} == {ROSE: 50, ANN: 0, TED: 125}


def test_a_fixed_sum_is_owed_by_nobody() -> None:
    prize = ledger(PotRule(SUM, 5000, MOST_LONERS), SEASON)
    assert prize.holds == 5000
    assert not any(line.owes for line in prize.lines.values())


def test_the_most_lone_marches_take_all_and_who_share_them_share_it() -> None:
    assert won(PotRule(SUM, 1001, MOST_LONERS)) == {ROSE: 500, TED: 500}
    assert ledger(PotRule(SUM, 1001, MOST_LONERS), SEASON).left == 1
    assert won(PotRule(SUM, 1000, MOST_EUCHRES)) == {ROSE: 500, ANN: 500}


def test_a_pot_is_shared_out_by_lone_marches() -> None:
    assert won(PotRule(SUM, 1000, EACH_LONER)) == {ROSE: 400, ANN: 200, TED: 400}


def test_nobody_takes_the_loner_pot_while_there_is_no_lone_march() -> None:
    none = {ROSE: Counted(evenings=1), ANN: Counted(evenings=1)}
    for payout in (MOST_LONERS, EACH_LONER):
        assert ledger(PotRule(ENTRY, 100, payout), none).left == 200


def test_people_level_on_a_place_share_the_percents_of_the_places_they_take_up() -> None:
    shares = (Fraction(50), Fraction(30), Fraction(20))
    assert won(PotRule(SUM, 10_000, PLACES, shares)) == {ROSE: 5000, ANN: 2500, TED: 2500}
    assert won(PotRule(SUM, 10_000, PLACES, shares[:2])) == {ROSE: 5000, ANN: 1500, TED: 1500}


def test_partners_who_have_a_place_together_do_not_share_it_with_another_entry() -> None:
    ranks = {ROSE: 1, ANN: 1, TED: 2, 4: 2, 5: 2, 6: 2, 7: 4, 8: 4}
    people = {player: Counted(evenings=1, rank=rank) for player, rank in ranks.items()}
    lines = ledger(PotRule(SUM, 100, PLACES, (Fraction(100),)), people).lines
    assert [lines[player].shared_by for player in (ROSE, TED, 7)] == [1, 2, 1]


def test_who_has_no_place_in_the_table_takes_no_percent() -> None:
    people = {ROSE: Counted(evenings=1), ANN: Counted(evenings=9, rank=1)}
    found = ledger(PotRule(SUM, 100, PLACES, (Fraction(100),)), people)
    assert (found.lines[ROSE].won, found.lines[ANN].won) == (0, 100)


def test_what_is_open_is_what_is_owed_and_won_less_what_was_paid() -> None:
    line = PotLine(times=3, owes=75, won_by=2, won=500)
    open_ = balance_of(line, [(STAKE, 50), (STAKE, 25), (PRIZE, 200)])
    assert (open_.to_pay, open_.to_get) == (0, 300)
    # After a correction less is owed than was paid.
    assert Balance(owes=50, paid=75).to_pay == -25


def test_money_given_back_in_either_direction_settles_what_was_too_much() -> None:
    moved_prize = PotLine(times=0, owes=0, won_by=0, won=280)
    assert balance_of(moved_prize, [(PRIZE, 840)]).to_get == -560
    given_back = balance_of(moved_prize, [(PRIZE, 840), (RETURN, 560)])
    assert given_back == Balance(won=280, got=280, given_back=560)
    smaller_fine = PotLine(times=1, owes=25, won_by=0, won=0)
    paid_back = balance_of(smaller_fine, [(STAKE, 100), (REFUND, 75)])
    assert paid_back == Balance(owes=25, paid=25, paid_back=75)


def test_a_stake_given_back_and_a_prize_of_the_same_sum_differ() -> None:
    line = PotLine(times=1, owes=200, won_by=3, won=200)
    refunded = balance_of(line, [(STAKE, 200), (REFUND, 200)])
    assert (refunded.to_pay, refunded.to_get) == (200, 200)
    winner = balance_of(line, [(STAKE, 200), (PRIZE, 200)])
    assert (winner.to_pay, winner.to_get) == (0, 0)


def test_what_was_paid_and_received_too_much_is_set_against_each_other() -> None:
    nothing = PotLine(times=0, owes=0, won_by=0, won=0)
    doris = balance_of(nothing, [(STAKE, 200), (PRIZE, 640)])
    assert (doris.to_give_back, doris.to_get_back) == (440, 0)
    settled = balance_of(nothing, [(STAKE, 200), (PRIZE, 640), (RETURN, 440)])
    assert (settled.fees_in, settled.prizes_out, settled.given_back) == (200, 640, 440)
    assert (settled.to_pay, settled.to_get) == (0, 0)


def test_a_prize_given_back_is_due_again_once_a_correction_moves_it_back() -> None:
    payments = [(STAKE, 335), (PRIZE, 134), (RETURN, 134)]
    moved_back = balance_of(PotLine(times=1, owes=335, won_by=1, won=134), payments)
    assert moved_back == Balance(owes=335, paid=335, won=134, got=0, given_back=134)
    assert (moved_back.to_pay, moved_back.to_get) == (0, 134)


cents = st.integers(0, 20)
kinds = st.sampled_from([STAKE, REFUND, PRIZE, RETURN])
payment_lists = st.lists(st.tuples(kinds, st.integers(1, 20)), max_size=6)


@given(owes=cents, won=cents, payments=payment_lists)
def test_no_cent_of_a_payment_is_lost_and_no_one_has_paid_and_received_too_much(
    owes: int, won: int, payments: list[tuple[str, int]]
) -> None:
    found = balance_of(PotLine(times=1, owes=owes, won_by=1, won=won), payments)
    for kind, total in (
        (STAKE, found.fees_in),
        (REFUND, found.paid_back),
        (PRIZE, found.prizes_out),
        (RETURN, found.given_back),
    ):
        assert total == sum(cents for own, cents in payments if own == kind)
    assert not (found.to_get_back and found.to_give_back)


counted = st.builds(
    Counted,
    evenings=st.integers(0, 40),
    euchred=st.integers(0, 99),
    euchres=st.integers(0, 99),
    lone_marches=st.integers(0, 20),
    rank=st.one_of(st.none(), st.integers(1, 6)),
)
rules = st.builds(
    PotRule,
    source=st.sampled_from([ENTRY, ONCE, EUCHRED, SUM]),
    unit=st.sampled_from([1, 5, 50, 100]),
    cents=st.integers(1, 10_000),
    payout=st.sampled_from([PLACES, AMOUNTS, MOST_LONERS, EACH_LONER, MOST_EUCHRES, KEPT]),
    shares=st.sampled_from([(), (Fraction(100),), (Fraction(50), Fraction(30), Fraction(20))]),
)


def in_places(people: dict[int, Counted]) -> dict[int, Counted]:
    """Ranks as a table gives them: who shares one takes up the places after it."""
    placed = sorted((one.rank, who) for who, one in people.items() if one.rank)
    first = {rank: place for place, (rank, _who) in reversed(list(enumerate(placed, 1)))}
    return {
        who: replace(one, rank=first[one.rank] if one.rank else None) for who, one in people.items()
    }


@given(rule=rules, people=st.dictionaries(st.integers(1, 9), counted, max_size=8))
def test_no_pot_pays_out_more_than_it_holds_and_every_cent_is_told(
    rule: PotRule, people: dict[int, Counted]
) -> None:
    found = ledger(rule, in_places(people))
    assert found.holds >= found.won >= 0
    assert found.holds == found.won + found.left
    assert 0 <= found.rounded_off <= found.left
    assert not any(line.won % rule.unit for line in found.lines.values())
    assert all(
        line.won >= 0 and line.owes == line.times * rule.cents for line in found.lines.values()
    )
    if rule.source != SUM:
        assert found.holds == sum(line.owes for line in found.lines.values())


FOUR = {
    number: Counted(evenings=1, lone_marches=number, rank=rank)
    for number, rank in ((1, 1), (2, 2), (3, 2), (4, 4))
}
SHARES = (Fraction(50), Fraction(30), Fraction(20))


def test_without_the_first_who_is_not_in_the_pot_the_places_of_the_others_close_up() -> None:
    pot = ledger(PotRule(ENTRY, 200, PLACES, SHARES), FOUR, not_in={1})
    # 6.00 in it: the tied two take 50 + 30 percent, the last one 20.
    assert (pot.holds, pot.times, pot.left) == (600, 3, 0)
    lines = {who: (line.owes, line.won_by, line.won) for who, line in pot.lines.items()}
    assert lines == {2: (200, 1, 240), 3: (200, 1, 240), 4: (200, 3, 120)}


def test_without_a_tied_player_the_other_takes_one_place_and_no_prize_is_put_together() -> None:
    pot = ledger(PotRule(ENTRY, 200, PLACES, SHARES), FOUR, not_in={3})
    assert {who: line.won for who, line in pot.lines.items()} == {1: 300, 2: 180, 4: 120}
    assert pot.lines[2].shared_by == 1


def test_a_player_whose_partner_is_not_in_the_pot_takes_the_prize_of_the_pair() -> None:
    pairs = {number: Counted(evenings=1, rank=(number + 1) // 2) for number in range(1, 7)}
    pot = ledger(PotRule(SUM, 1000, PLACES, SHARES[:2]), pairs, not_in={2})
    assert {who: line.won for who, line in pot.lines.items() if line.won} == {
        1: 500,
        3: 150,
        4: 150,
    }
    assert pot.left == 200


def test_the_most_and_the_shares_by_hands_are_those_of_the_players_in_the_pot() -> None:
    most = ledger(PotRule(ENTRY, 100, MOST_LONERS), FOUR, not_in={4}).lines
    assert {who: line.won for who, line in most.items()} == {1: 0, 2: 0, 3: 300}
    each = ledger(PotRule(ENTRY, 100, EACH_LONER), FOUR, not_in={4}).lines
    assert {who: line.won for who, line in each.items()} == {1: 50, 2: 100, 3: 150}


def test_prizes_are_rounded_down_to_the_unit_and_the_rest_is_left() -> None:
    thirds = PotRule(SUM, 5000, PLACES, (Fraction(50), Fraction(30), Fraction(20)), unit=100)
    state = ledger(thirds, SEASON)
    assert {who: line.won for who, line in state.lines.items()} == {
        ROSE: 2500,
        ANN: 1200,
        TED: 1200,
    }
    assert (state.won, state.left) == (4900, 100)
    assert won(PotRule(SUM, 333, EACH_LONER, unit=50)) == {ROSE: 100, ANN: 50, TED: 100}


def test_a_prize_smaller_than_the_unit_is_rounded_down_too_and_stays_in_the_pot() -> None:
    four = {number: Counted(evenings=1, rank=1) for number in range(4)}
    pot = ledger(PotRule(SUM, 300, PLACES, (Fraction(100),), unit=100), four)
    assert (pot.won, pot.left, pot.rounded_off) == (0, 300, 300)


TWENTY_TEN_FIVE = (Fraction(2000), Fraction(1000), Fraction(500))


def test_fixed_amounts_are_paid_to_the_places_and_what_is_above_them_is_left() -> None:
    people = {number: Counted(evenings=1, rank=number) for number in range(1, 5)}
    pot = ledger(PotRule(ENTRY, 1000, AMOUNTS, TWENTY_TEN_FIVE), people)
    assert {who: line.won for who, line in pot.lines.items()} == {1: 2000, 2: 1000, 3: 500, 4: 0}
    assert (pot.holds, pot.left) == (4000, 500)


def test_tied_players_share_the_amounts_of_their_places() -> None:
    assert won(PotRule(SUM, 10_000, AMOUNTS, TWENTY_TEN_FIVE)) == {ROSE: 2000, ANN: 750, TED: 750}


def test_amounts_above_the_pot_are_paid_in_the_order_of_the_places_until_it_is_empty() -> None:
    assert won(PotRule(SUM, 2400, AMOUNTS, TWENTY_TEN_FIVE)) == {ROSE: 2000, ANN: 200, TED: 200}
    pot = ledger(PotRule(SUM, 1500, AMOUNTS, TWENTY_TEN_FIVE), SEASON)
    assert {who: line.won for who, line in pot.lines.items()} == {ROSE: 1500, ANN: 0, TED: 0}
    assert pot.left == 0


def test_a_first_place_without_a_share_leaves_the_prize_to_the_second() -> None:
    shares = (Fraction(0), Fraction(100))
    people = {number: Counted(evenings=1, rank=number) for number in (1, 2)}
    for payout, all_of_it in ((PLACES, shares), (AMOUNTS, (shares[0], Fraction(200)))):
        lines = ledger(PotRule(SUM, 200, payout, all_of_it), people).lines
        assert {who: line.won for who, line in lines.items()} == {1: 0, 2: 200}
