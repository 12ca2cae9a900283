"""The summary above a refused form counts the lines it lists: one per field."""

from django import forms
from django.template.loader import render_to_string


class Two(forms.Form):
    name = forms.CharField(validators=[lambda _text: _refuse()])


def _refuse():
    raise forms.ValidationError(
        [forms.ValidationError("Too short."), forms.ValidationError("Odd.")]
    )


def test_two_sentences_at_one_field_are_one_line_and_one_thing_to_fix():
    page = render_to_string("parts/_error_summary.html", {"form": Two({"name": "x"})})
    assert "One thing to fix" in page
    assert page.count("<li>") == 1
    assert "</a> Too short. Odd.</li>" in page
