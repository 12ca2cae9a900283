"""Every pair of colours that meet on a page can be read, in the light and in the dark."""

from itertools import pairwise

import pytest

from tests.look.colours import blocks, contrast, lightness

ALWAYS = blocks()[":root"]
LIGHT = ALWAYS | blocks()[':root, [data-theme="light"]']
DARK = ALWAYS | blocks()['[data-theme="dark"]']
THEMES = {"light": LIGHT, "dark": DARK}

# What stands on what. Text needs 4.5 (WCAG 2.2, 1.4.3) ...
TEXT = {
    "ink": ["paper", "card", "sunk", "tint", "good-bg", "warn-bg", "bad-bg"],
    "soft": ["paper", "card", "sunk", "good-bg", "warn-bg", "bad-bg"],
    "link": ["paper", "card", "sunk", "tint", "good-bg", "warn-bg", "bad-bg"],
    "brass": ["paper", "card", "tint"],
    "bad": ["paper", "card", "bad-bg"],
    "danger": ["paper", "card", "sunk"],
    "spade": ["paper", "card", "sunk", "tint"],
    "heart": ["paper", "card", "sunk", "tint"],
    "diamond": ["paper", "card", "sunk", "tint"],
    "club": ["paper", "card", "sunk", "tint"],
    "good": ["good-bg"],
    "warn": ["warn-bg"],
    "calm": ["calm-bg"],
    "paper": ["ink", "bad"],
    "on-felt": ["felt"],
    "felt-soft": ["felt"],
    "on-deep": ["deep"],
    "on-primary": ["primary", "primary-hover"],
    "on-chosen": ["chosen"],
    "on-danger": ["danger"],
    "on-tint": ["tint"],
    "face-spade": ["face"],
    "face-heart": ["face"],
    "face-diamond": ["face"],
    "face-club": ["face"],
}
# ... what only has to be made out needs 3 (1.4.11).
SHAPES = {
    "edge": ["paper", "card", "sunk"],
    "focus": ["paper", "card", "sunk", "tint", "good-bg", "warn-bg", "bad-bg", "calm-bg"],
    "chosen": ["paper", "card", "sunk"],
    "primary": ["paper", "card"],
    "brass-line": ["paper", "card", "tint"],
    "good": ["paper", "card"],
    "warn": ["paper", "card"],
    "bad": ["paper", "card"],
    "face-edge": ["face"],
    "face-back-line": ["face-back"],
}
# Hairlines between rows carry no meaning.
ORNAMENT = {"line"}

PAIRS = [
    (theme, front, back, least)
    for least, stands_on in ((4.5, TEXT), (3.0, SHAPES))
    for front, backs in stands_on.items()
    for back in backs
    for theme in THEMES
]


@pytest.mark.parametrize(("theme", "front", "back", "least"), PAIRS)
def test_a_pair_of_colours_has_the_contrast_it_needs(theme, front, back, least):
    colours = THEMES[theme]
    assert contrast(colours[front], colours[back]) >= least


def test_the_wall_clock_can_be_read_in_each_of_its_zones():
    for front, back in (("brass", "paper"), ("deep", "brass"), ("bad-bg", "bad")):
        assert contrast(DARK[front], DARK[back]) >= 4.5


def test_no_colour_token_is_left_unmeasured():
    measured = {name for _, front, back, _ in PAIRS for name in (front, back)}
    assert set(LIGHT) == set(DARK) == measured | ORNAMENT


def test_the_dark_of_the_device_and_of_the_switch_are_one():
    assert blocks()[":root:not([data-theme])"] == blocks()['[data-theme="dark"]']


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("prefix", ["", "face-"])
def test_four_suits_have_four_lightnesses(theme, prefix):
    colours = THEMES[theme]
    ladder = sorted(
        lightness(colours[prefix + suit]) for suit in ("spade", "heart", "diamond", "club")
    )
    assert min(b - a for a, b in pairwise(ladder)) >= 5


def test_contrast_of_black_and_white_is_twenty_one():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
