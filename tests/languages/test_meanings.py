"""An English word with two meanings is two words in the languages that have two."""

import pytest
from django.utils import translation
from django.utils.translation import gettext, ngettext, pgettext

from tests.languages.extracting import Text, texts


@pytest.mark.parametrize(
    ("word", "context"), [("Table", "of figures"), ("Open", "verb"), ("Home", "a team")]
)
def test_a_word_of_two_meanings_is_two_words_in_german(word, context):
    with translation.override("de"):
        assert pgettext(context, word) != gettext(word)
        assert pgettext(context, word) != word


def test_what_a_special_prize_is_won_with_is_a_text_of_the_catalogues():
    assert Text(None, "%(n)d lone march", "%(n)d lone marches") in texts()
    with translation.override("de"):
        assert ngettext("%(n)d lone march", "%(n)d lone marches", 2) != "%(n)d lone marches"
