"""The forms that bring a file: the file itself, what has to be asked about it, and then the same
content with what was agreed to."""

import base64
import binascii
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from django import forms
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.exchange.days import DAY, MONTH, iso_days
from league.exchange.match import NO_MATCH, Match, match_in
from league.exchange.reading import MOST_BYTES, MOST_ROWS, Begin, Columns

MOST_CARRIED = 800_000
MOST_MATCHED = 20_000
EVERY_LINE = 0  # beside the numbers of lines: all of those that are asked about


def _line_numbers() -> list[tuple[str, int]]:
    """Made when something was ticked: copying it for each form took a tenth of a second."""
    return [(str(number), number) for number in range(EVERY_LINE, 2 * MOST_ROWS)]


class AgreedForm(forms.Form):
    """The order to do what was seen: its mark, and the doubtful lines that are meant (0: all)."""

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

    again = forms.BooleanField(required=False, widget=forms.HiddenInput)

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


class PlayersForm(forms.Form):
    """Who the players of a file of games are, and on which day they played."""

    def __init__(
        self, *args: Any, names: Sequence[str], players: Sequence[str], day: bool, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.names, self.players = names, players
        choices = [(name, name) for name in players]
        for place, name in enumerate(names):
            # One list for all fields: one each would be a page of megabytes in a large club.
            widget = forms.TextInput(attrs={"list": "players", "autocomplete": "off"})
            self.fields[f"person_{place}"] = forms.ChoiceField(
                label=name, choices=choices, widget=widget
            )
        if day:
            widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
            self.fields["day"] = forms.DateField(label=_("Date of the games"), widget=widget)

    def answered(self, match: Match) -> Match:
        """What was known before, with the answers of this form."""
        data = self.cleaned_data
        people = {name: data[f"person_{place}"] for place, name in enumerate(self.names)}
        day = data["day"].isoformat() if data.get("day") else match.day
        return replace(match, people={**match.people, **people}, day=day)


LEFT_OUT = "-"


class ColumnsForm(forms.Form):
    """Which column each heading of a sheet is; `begin` are its headings, `guessed` a first answer
    for each."""

    def __init__(
        self, *args: Any, begin: Begin, columns: Columns, guessed: Mapping[str, str], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.columns, self.headings = columns, list(guessed)
        self.others = [one for one in begin.headings if one not in guessed]
        choices = [(LEFT_OUT, _("Leave out")), *((word, word) for word in columns.words)]
        for place, heading in enumerate(self.headings):
            shown = begin.below(begin.headings.index(heading))[:2]
            self.fields[f"column_{place}"] = forms.ChoiceField(
                label=heading,
                choices=choices,
                initial=guessed[heading] or LEFT_OUT,
                help_text=", ".join(cell[:40] for cell in shown),
            )

    def clean(self) -> dict[str, Any]:
        """Each column at most once, and all that are needed."""
        data = super().clean() or {}
        chosen = [self._column(place) for place in range(len(self.headings))]
        for place, column in enumerate(chosen):
            if column and [*self.others, *chosen].count(column) > 1:
                self.add_error(f"column_{place}", _("This column is chosen twice."))
        if missing := self.columns.missing([*self.others, *chosen]):
            needed = ", ".join(missing)
            self.add_error(None, _("Choose which column is: %(needed)s.") % {"needed": needed})
        return data

    def answered(self, match: Match) -> Match:
        """What was known before, with the answers of this form."""
        chosen = {head: self._column(place) for place, head in enumerate(self.headings)}
        return replace(match, columns=chosen)

    def _column(self, place: int) -> str:
        """The column that was chosen; "" for one that is left out."""
        chosen: str = self.cleaned_data.get(f"column_{place}", LEFT_OUT)
        return "" if chosen == LEFT_OUT else chosen


class DaysForm(forms.Form):
    """What stands first in days that can be read in two ways; `cell` is one of them."""

    first = forms.ChoiceField(widget=forms.RadioSelect)

    def __init__(self, *args: Any, cell: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        read = {order: date.fromisoformat(iso_days([cell], order)[0]) for order in (DAY, MONTH)}
        field = self.fields["first"]
        field.label = _("Which day is %(cell)s?") % {"cell": cell}
        field.choices = [  # type: ignore[attr-defined]
            (order, date_format(day, gettext("j F Y"))) for order, day in read.items()
        ]

    def answered(self, match: Match) -> Match:
        """What was known before, with the answer of this form."""
        return replace(match, first=self.cleaned_data["first"])


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
