"""The forms that bring a file: the file itself, what has to be asked about it, and then the same
content with what was agreed to."""

import base64
import binascii
import zlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from league.exchange.match import NO_MATCH, Match, match_in
from league.exchange.reading import MOST_BYTES, MOST_ROWS

MOST_CARRIED = 800_000
MOST_MATCHED = 20_000


def _line_numbers() -> list[tuple[str, int]]:
    """Made when something was ticked: copying it for each form took a tenth of a second."""
    return [(str(number), number) for number in range(1, 2 * MOST_ROWS)]


class AgreedForm(forms.Form):
    """The order to do what was seen: its mark, and the doubtful lines that are meant."""

    agreed = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)
    also = forms.TypedMultipleChoiceField(required=False, coerce=int, choices=_line_numbers)


class SheetForm(AgreedForm):
    """`content` is what the file held. Between look and order it travels packed in `carried`, so
    that nothing of it is kept on the server; what comes back is read and judged anew."""

    file = forms.FileField(
        label=_("CSV or XLSX file"),
        error_messages={"required": _("Choose a file.")},
        widget=forms.ClearableFileInput(attrs={"accept": ".csv,.xlsx,.txt"}),
    )
    carried = forms.CharField(required=False, max_length=MOST_CARRIED, widget=forms.HiddenInput)

    match = forms.CharField(required=False, max_length=MOST_MATCHED, widget=forms.HiddenInput)

    content = b""
    matched = NO_MATCH

    def __init__(self, *args: Any, notation: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if notation:
            self.fields["file"].label = _("CSV, XLSX, EGN or EMN file")
            self.fields["file"].widget.attrs["accept"] = ".csv,.xlsx,.txt,.egn,.emn,.json"
        # With the order the file comes packed; the form that is shown again asks for another.
        self.fields["file"].required = not self.data.get("carried")

    def clean_match(self) -> str:
        """What was answered about the file before; what is no such text is refused."""
        text: str = self.cleaned_data["match"]
        try:
            self.matched = match_in(text)
        except (ValueError, RecursionError) as error:
            raise forms.ValidationError(_("Choose the file again."), code="damaged") from error
        return text

    def clean(self) -> dict[str, Any] | None:
        data = super().clean() or {}
        uploaded, carried = data.get("file"), data.get("carried")
        if uploaded is not None:
            self.content = uploaded.read(MOST_BYTES + 1)
        elif carried:
            self.content = unpacked(carried)
        if not self.content and "file" not in self.errors:
            self.add_error("file", _("Choose a file."))
        if len(packed(self.content)) > MOST_CARRIED:
            self.add_error("file", _("The file is too large."))
        return data


class MatchForm(forms.Form):
    """What has to be asked about a file before it can be looked at: who its players are, and on
    which day they played."""

    def __init__(
        self, *args: Any, names: Sequence[str], players: Sequence[str], day: bool, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.names = names
        choices = [("", _("Choose a player")), *((name, name) for name in players)]
        for place, name in enumerate(names):
            self.fields[f"person_{place}"] = forms.ChoiceField(label=name, choices=choices)
        if day:
            widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
            self.fields["day"] = forms.DateField(label=_("Date of the games"), widget=widget)

    def answered(self, match: Match) -> Match:
        """What was known before, with the answers of this form."""
        data = self.cleaned_data
        people = {name: data[f"person_{place}"] for place, name in enumerate(self.names)}
        day = data["day"].isoformat() if data.get("day") else match.day
        return replace(match, people={**match.people, **people}, day=day)


def packed(content: bytes) -> str:
    """The content as text for a hidden field."""
    return base64.b64encode(zlib.compress(content)).decode()


def unpacked(carried: str) -> bytes:
    """The content again; nothing where it is no such text, or unpacks to too much."""
    try:
        reader = zlib.decompressobj()
        content = reader.decompress(base64.b64decode(carried, validate=True), MOST_BYTES + 1)
    except (binascii.Error, zlib.error, ValueError):
        return b""
    return content if reader.eof else b""
