"""A field for a day comes filled in: browsers take days only as 2026-09-03, in every language."""

from datetime import date

import pytest
from django import forms
from django.conf import settings
from django.urls import get_resolver
from django.utils.translation import override

from league.members.fields import DayField


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_a_day_is_written_as_the_browsers_field_takes_it(language):
    with override(language):
        assert DayField().widget.format_value(date(2026, 9, 3)) == "2026-09-03"


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
@pytest.mark.parametrize("typed", ["2026-09-03", "3.9.2026"])
def test_a_typed_day_is_the_same_in_every_language(language, typed):
    with override(language):
        assert DayField().clean(typed) == date(2026, 9, 3)


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_a_day_whose_month_could_be_either_is_refused(language):
    with override(language), pytest.raises(forms.ValidationError):
        DayField().clean("03/09/2026")


def _all_forms(kind=forms.BaseForm):
    for one in kind.__subclasses__():
        yield one
        yield from _all_forms(one)


def test_every_field_for_a_day_of_a_form_is_the_one_that_browsers_take():
    assert get_resolver().url_patterns  # every view, and so every form, is loaded
    ours = [form for form in _all_forms() if form.__module__.startswith("league.")]
    days = [
        (form.__name__, name, type(field))
        for form in ours
        for name, field in getattr(form, "base_fields", {}).items()
        if isinstance(field, forms.DateField)
    ]
    assert len(days) > 10
    assert {kind for *_field, kind in days} == {DayField}
