"""The form that brings a sheet: first the file, then the same content with what was agreed to."""

import base64
import binascii
import zlib
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from league.exchange.reading import MOST_BYTES, MOST_ROWS

MOST_CARRIED = 800_000


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

    content = b""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # With the order the file comes packed; the form that is shown again asks for another.
        self.fields["file"].required = not self.data.get("carried")

    def clean(self) -> dict[str, Any] | None:
        told = super().clean() or {}
        uploaded, carried = told.get("file"), told.get("carried")
        if uploaded is not None:
            self.content = uploaded.read(MOST_BYTES + 1)
        elif carried:
            self.content = unpacked(carried)
        if not self.content and "file" not in self.errors:
            self.add_error("file", _("Choose a file."))
        if len(packed(self.content)) > MOST_CARRIED:
            self.add_error("file", _("The file is too large."))
        return told


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
