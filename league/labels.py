"""A label before its value, as the language sets it."""

from django.utils.translation import pgettext


def as_label(words: object) -> str:
    """A label with its colon: "Captain:", and in French "Capitaine :"."""
    return pgettext("before a value", "%(label)s:") % {"label": words}
