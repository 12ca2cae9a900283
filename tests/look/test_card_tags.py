"""The template tags say in words what they draw."""

import pytest
from django.template import Context, Template
from django.utils import translation
from django.utils.translation import gettext

from league.play.text import card_face
from league.templatetags.cards import (
    ICONS,
    badge,
    by_side,
    card,
    icon,
    minus,
    score,
    signed,
    suit,
)
from scoring.faults import fault


def drawn(source, **context):
    return Template("{% load cards %}" + source).render(Context(context))


@pytest.mark.parametrize(
    ("code", "glyph", "word"),
    [("s", "♠", "spades"), ("h", "♥", "hearts"), ("d", "♦", "diamonds"), ("c", "♣", "clubs")],
)
def test_a_suit_is_a_glyph_and_a_word(code, glyph, word):
    html = suit(code)
    assert glyph in html
    assert word in html
    assert suit(code.upper()) == html


def test_no_trump_is_a_word_and_no_suit_is_nothing():
    assert "no trump" in suit("nt")
    assert suit(None) == ""


def test_a_card_is_heard_as_its_name():
    html = card("Jh")
    assert "J♥" in html
    assert "jack of hearts" in html
    assert "10 of diamonds" in card("Td")
    assert "joker" in card("B")


def test_a_card_nobody_knows_is_shown_as_written_and_harmless():
    assert "&lt;b&gt;" in card("<b>")
    assert card("") == ""


def test_the_spare_cards_are_one_drawing_with_a_name():
    html = drawn("{% pips 7 10 %}")
    assert html.count("<svg") == 1
    assert 'role="img" aria-label="7 points of 10"' in html
    assert "1 point of 10" in drawn("{% pips 1 10 %}")


def test_the_spare_cards_tell_the_true_number_beyond_their_pips():
    assert 'aria-label="12 points of 10"' in drawn("{% pips 12 10 %}")
    assert drawn("{% pips n t %}", n=None, t=None).count("<rect") == 2


def test_ornament_is_not_heard():
    html = drawn("{% pips 7 10 hidden=True %}")
    assert 'aria-hidden="true"' in html
    assert "aria-label" not in html


def test_the_other_side_has_pips_of_another_shape():
    assert drawn("{% pips 3 10 %}") != drawn('{% pips 3 10 suit="s" %}').replace("spade", "heart")


@pytest.mark.parametrize(
    ("number", "text"), [(3, "+3"), (0, "0"), (-2, "−2"), (1.5, "+1.5"), (None, "")]
)
def test_a_difference_has_its_sign(number, text):
    assert signed(number) == text


def test_a_score_is_one_line_for_two_sides_or_three():
    assert score(7, 4) == '<span class="score">7<i>–</i>4</span>'
    assert score(5, 5, None).count("<i>") == 2


def test_a_badge_never_speaks_by_colour_alone():
    for kind in ("good", "warn", "bad"):
        html = badge("Done", kind)
        assert "<svg" in html
        assert "Done" in html


def test_every_icon_kept_can_be_drawn():
    for file in ICONS.glob("*.svg"):
        assert "<path" in icon(file.stem) or "<circle" in icon(file.stem)


def test_an_icon_with_a_label_speaks_and_one_without_is_silent():
    assert 'aria-label="Menu"' in icon("menu", "Menu")
    assert 'aria-hidden="true"' in icon("menu")


def test_every_figure_below_nought_has_the_same_true_minus():
    assert (minus(-3), minus(3), minus(None)) == ("−3", "3", "")
    assert by_side([-2, 10]) == "−2 to 10"
    assert signed(-2) == "−2"


@pytest.mark.parametrize(("language", "letters"), [("de", "DB"), ("fr-ca", "DV"), ("en-gb", "QJ")])
def test_a_card_has_the_letter_of_the_readers_language(language, letters):
    with translation.override(language):
        assert card_face("Qd") == f"{letters[0]}♦"
        assert f"{letters[1]}♥" in card("Jh")
        said = fault("card-not-held/held", 4, seat=1, trick=3, card="Jc").say(translate=gettext)
    assert f"{letters[1]}♣" in said


def test_a_score_below_nought_is_said_with_a_word():
    assert by_side([200, -190]) == "200 to −190"
    assert by_side([7, 4]) == "7 – 4"
    assert by_side([3, -2, 5]) == "3, −2, 5"
