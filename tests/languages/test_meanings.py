"""An English word with two meanings is two words in the languages that have two."""

import re
from datetime import date, time

import pytest
from django import forms
from django.conf import settings
from django.template import Context, Template
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.formats import date_format, time_format
from django.utils.translation import gettext, ngettext, pgettext

from league.labels import as_label, as_partners
from league.members.forms.rulesets import WordOrNumber
from league.members.languages import dated
from league.members.models import ClubRuleset
from league.play.entry import cards_in
from league.standings.text import place
from league.teams.presets import PRESETS
from league.teams.rules_forms import quote_printed_rules
from scoring.rulesets.options import OPTIONS
from tests.languages.extracting import Text, texts


@pytest.mark.parametrize(("word", "context"), [("Table", "of figures"), ("Open", "verb")])
def test_a_word_of_two_meanings_is_two_words_in_german(word, context):
    with translation.override("de"):
        assert pgettext(context, word) != gettext(word)
        assert pgettext(context, word) != word


def test_what_a_special_prize_is_won_with_is_a_text_of_the_catalogues():
    assert Text(None, "%(n)d lone march", "%(n)d lone marches") in texts()
    with translation.override("de"):
        assert ngettext("%(n)d lone march", "%(n)d lone marches", 2) != "%(n)d lone marches"


def test_the_march_of_the_rules_is_not_the_month():
    """Django asks the catalogues for "March" when it writes a date."""
    with translation.override("fr-ca"):
        assert date_format(date(2026, 3, 1), "j F Y") == "1 mars 2026"
        assert pgettext("a rule", "March") == "Capot"
    with translation.override("de"):
        assert date_format(date(2026, 3, 1), "j. F Y") == "1. März 2026"
        assert pgettext("a rule", "March") == "Durchmarsch"


def test_who_play_together_are_joined_by_the_word_of_the_language():
    assert as_partners(["Rose", "Ann", "Bill"]) == "Rose, Ann & Bill"
    with translation.override("fr-ca"):
        assert as_partners(["Rose", "Ann"]) == "Rose et Ann"


@pytest.mark.parametrize(("language", "said"), [("de", "Do, 29. Okt."), ("fr-ca", "jeu. 29 oct.")])
def test_a_shortened_month_has_its_full_stop(language, said):
    with translation.override(language):
        assert date_format(date(2026, 10, 29), gettext("D j M Y")) == f"{said} 2026"
        assert date_format(date(2026, 10, 29), gettext("j M")) in said


@pytest.mark.parametrize(
    ("language", "said"),
    [("fr-ca", "1er novembre, 2 novembre"), ("de", "1. November, 2. November")],
)
def test_the_first_of_a_month_is_written_as_the_language_has_it(language, said):
    days = {"one": date(2026, 11, 1), "two": date(2026, 11, 2)}
    source = "{% load i18n %}{{ one|date:_('j F') }}, {{ two|date:_('j F') }}"
    with translation.override(language):
        assert Template(source).render(Context(days)) == said
        assert f"{dated(days['one'], gettext('j F'))}, 2" in said


@pytest.mark.parametrize(
    ("language", "said"),
    [("en-gb", "11th 21st 103rd"), ("de", "11. 21. 103."), ("fr-ca", "11e 21e 103e")],
)
def test_a_rank_in_figures_ends_as_the_language_has_it(language, said):
    with translation.override(language):
        assert " ".join(map(place, (11, 21, 103))) == said


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_a_time_of_day_says_its_hour_once(language):
    with translation.override(language):
        said = time_format(time(19, 6))
    assert said in {"7:06 p.m.", "19 h 06".replace(" ", "\xa0"), "19:06"}


@pytest.mark.parametrize(("language", "said"), [("de", "Name:"), ("fr-ca", "Name\xa0:")])
def test_a_label_has_the_colon_of_the_language(language, said):
    with translation.override(language):
        assert as_label("Name") == said
        assert Template("{{ name|as_label }}").render(Context({"name": "Name"})) == said
        assert as_label("Name?") == "Name?"


def test_a_rule_is_typed_in_the_readers_words_and_in_those_of_the_source():
    option = OPTIONS["set_costs"]
    with translation.override("de"):
        field = WordOrNumber(option, initial="bid")
        assert field.initial == "Gebot"
        assert [field.clean(one) for one in ("Gebot", "nichts", "bid", "-3")] == [
            "bid",
            "nothing",
            "bid",
            -3,
        ]


def test_house_rules_are_named_with_their_version_in_the_readers_language():
    rules = ClubRuleset(name="Zott", players=4, version=2)
    with translation.override("de"):
        assert str(rules) == "Zott, Fassung 2"


@pytest.mark.parametrize(
    ("language", "typed"), [("fr-ca", "R♦ V♠ D♥ 10♣ Kd Bh"), ("de", "K♦ B♠ D♥ 10♣ Kd Bh")]
)
def test_a_card_is_read_as_the_page_shows_it(language, typed):
    with translation.override(language):
        assert cards_in(typed) == ["K♦", "J♠", "Q♥", "10♣", "Kd", "Bh"]


@pytest.mark.parametrize(
    ("language", "letters"), [("en-gb", "NESW"), ("fr-ca", "NESO"), ("de", "NOSW")]
)
def test_the_keys_of_the_seats_are_the_languages_own_letters(language, letters):
    with translation.override(language):
        page = render_to_string("play/_keys.html", {"seats": letters})
    there = page.partition('id="seat-keys"')[2].partition("</dt>")[0]
    assert "".join(re.findall("<kbd>(.)</kbd>", there)) == letters


def test_a_quoted_rule_is_marked_as_english_at_its_field():
    form = forms.Form()
    form.fields["late_day"] = forms.CharField(help_text="Zibb.")
    with translation.override("de"):
        quote_printed_rules(form, PRESETS["st-austell"])
    text = form.fields["late_day"].help_text
    assert text.startswith('Zibb. Regel 7b: „<span lang="en">cards must be returned')
