"""What an order's small form says: its values, or the first thing that is wrong with them."""

from typing import Any

from django.forms import BaseForm

from league.errors import Refused


def valid(form: BaseForm) -> dict[str, Any]:
    """The values of a form that is right; refuses another (`bad-form`) with its first sentence."""
    if form.is_valid():
        return form.cleaned_data
    name, sentences = next(iter(form.errors.items()))
    label = form.fields[name].label if name in form.fields else ""
    raise Refused("bad-form", f"{label}: {sentences[0]}" if label else str(sentences[0]))
