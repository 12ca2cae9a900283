"""Two spare cards show as many pips as there are points."""

from math import cos, pi, radians, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.templatetags.cards import HEIGHT, WIDTH, LaidCard, lay, pair_for, pips, reach

GAMES = [(10, True), (10, False), (5, True), (7, True), (11, True), (11, False), (12, True)]
EVERY = [(n, target, american) for target, american in GAMES for n in range(target + 1)]
PIP_RADIUS = 4.6


def covers(card, point):
    """Whether a point of the table lies under this card."""
    dx, dy = point[0] - card.x, point[1] - card.y
    turned = radians(card.turn)
    across, down = dx * cos(turned) + dy * sin(turned), -dx * sin(turned) + dy * cos(turned)
    return 0 <= across <= WIDTH and 0 <= down <= HEIGHT


def visible_pips(cards):
    """How many pips a player counts: those no later card lies over."""
    seen = 0
    for index, card in enumerate(cards):
        spots = [card.place(pip) for pip in card.pips]
        seen += sum(not any(covers(other, spot) for other in cards[index + 1 :]) for spot in spots)
    return seen


@pytest.mark.parametrize(("points", "target", "american"), EVERY)
def test_a_player_counts_as_many_pips_as_points(points, target, american):
    assert visible_pips(lay(points, target, american=american)) == points


@pytest.mark.parametrize(("points", "target", "american"), EVERY)
def test_no_pip_is_half_covered(points, target, american):
    lower, upper = lay(points, target, american=american)
    for pip in lower.pips:
        x, y = lower.place(pip)
        rim = [
            (x + PIP_RADIUS * cos(k * pi / 8), y + PIP_RADIUS * sin(k * pi / 8)) for k in range(16)
        ]
        assert len({covers(upper, point) for point in rim}) == 1


def test_americans_keep_two_fives_and_others_a_six_and_a_four():
    assert [card.rank for card in lay(10, 10)] == [5, 5]
    assert [card.rank for card in lay(10, 10, american=False)] == [6, 4]


def test_up_to_one_card_of_points_the_other_lies_face_down_over_it():
    assert [[card.rank for card in lay(n, 10)] for n in (1, 4, 5)] == [[5, 0]] * 3


def test_nought_is_two_backs():
    assert [card.rank for card in lay(0, 10)] == [0, 0]


@given(st.integers(-60, -1), st.integers(1, 60))
def test_points_below_nought_have_no_cards(points, target):
    assert lay(points, target) == ()


@given(st.integers(11, 40))
def test_points_over_the_target_show_both_cards_whole(points):
    assert visible_pips(lay(points, 10)) == 10


@given(st.integers(0, 99), st.integers(13, 60))
def test_a_far_target_has_no_cards(points, target):
    assert pair_for(target) is None
    assert lay(points, target) == ()


def test_a_score_that_pips_cannot_count_stands_alone():
    assert pips(600, 500) == pips(-2, 10) == ""
    assert "<svg" in pips(7, 10)


@given(st.integers(0, 15), st.integers(1, 12), st.booleans())
def test_the_drawing_is_as_wide_as_the_cards_reach(points, target, american):
    left, right = reach(lay(points, target, american=american))
    assert left < 0
    assert 40 < right - left < 110


def test_a_turned_card_covers_what_lies_beneath_it():
    sideways = LaidCard(5, x=0, y=40, turn=-90)
    assert covers(sideways, (50, 20))
    assert not covers(sideways, (20, 50))
