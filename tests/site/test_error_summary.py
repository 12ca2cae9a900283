"""The summary above a refused form counts the sentences it lists."""

from django import forms
from django.template.loader import render_to_string


class Two(forms.Form):
    name = forms.CharField(validators=[lambda _text: _refuse()])


def _refuse():
    raise forms.ValidationError([forms.ValidationError("too short"), forms.ValidationError("odd")])


def test_two_sentences_at_one_field_are_two_things_to_fix():
    page = render_to_string("parts/_error_summary.html", {"form": Two({"name": "x"})})
    assert "2 things to fix" in page
    assert page.count("<li>") == 2
