"""Money is written as the language writes it: "£26.00" in English, "26,00 €" in German."""

import pytest
from django.utils import translation

from league.members.models import Club
from league.standings.labels import figure
from league.templatetags.figures import money


@pytest.mark.parametrize(
    ("currency", "written"),
    [("£", "£26.00"), ("EUR", "EUR\u00a026.00"), ("", "26.00")],
)
def test_english_puts_the_currency_first(currency, written):
    assert money(2600, Club(currency=currency)) == written


def test_german_puts_it_last():
    with translation.override("de"):
        assert money(2600, Club(currency="€")) == "26,00\u00a0€"


@pytest.mark.parametrize("language", ["en", "de", "fr-ca"])
def test_a_minus_sign_stays_with_its_amount_where_a_line_ends(language):
    with translation.override(language):
        assert money(-500, Club(currency="$")).startswith("−\N{WORD JOINER}")


def test_a_negative_share_has_a_true_minus():
    from fractions import Fraction

    assert figure("share", Fraction(-27, 100)).startswith("−27")
