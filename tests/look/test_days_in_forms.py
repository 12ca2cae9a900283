"""A field for a day comes filled in: browsers take days only as 2026-09-03, in every language."""

from datetime import date

import pytest
from django import forms
from django.conf import settings
from django.utils.translation import override


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_a_day_is_written_as_the_browsers_field_takes_it(language):
    widget = forms.DateInput(attrs={"type": "date"})
    with override(language):
        assert widget.format_value(date(2026, 9, 3)) == "2026-09-03"
