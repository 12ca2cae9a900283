"""The forms of an import: the file, the questions about it (who its players are, which column is
which, whether dates begin with the day or the month), and the same content again once it was
checked. Answers about columns are remembered for the club."""

import base64
import binascii
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, Protocol

from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.errors import Refused
from league.exchange.egn_import import is_notation, names_in, recorded_games
from league.exchange.past_games import people_by_name
from league.exchange.sheet_import import refused_sheet
from league.exchange.sheet_reading import (
    DAY,
    MONTH,
    MOST_BYTES,
    MOST_ROWS,
    NO_MATCH,
    BadSheet,
    Begin,
    Columns,
    Match,
    ambiguous,
    begin_of,
    iso_days,
    match_in,
)
from league.exchange.sheets import column_label, column_labels
from league.members.actions.clubs import remember_columns
from league.members.fields import DayField
from league.members.languages import dated
from league.members.models import Club
from league.members.names import name_key
from league.members.queries import people_of

MOST_CARRIED = 800_000
MOST_MATCHED = 20_000
EVERY_LINE = 0  # instead of a line number: all doubtful lines
LEFT_OUT = "-"
MOST_NAMES = 200  # fields in one form
# Common headings in the languages of our clubs. They are used and reported, or suggested where the
# form has to ask about another heading anyway.
OTHER_WORDS = {
    "name": "full name, player, member, nom, spieler, mitglied",
    "first name": "given name, forename, firstname, vorname, prénom",
    "surname": "last name, family name, lastname, nachname, familienname, nom de famille",
    "e-mail": "email, mail, e-mail address, email address, courriel",
    "joined": "member since, since, joined on, mitglied since, mitglied seit, eintritt",
    "under 18": "under age",
    "inactive since": "retired, left, left on, member until, austritt",
    "date": "day, played on, datum, jour",
    "session": "event, evening, night, abend",
    "begins": "time, start, starts, starts at, start time, begin, beginn, uhrzeit",
    "places": "limit, max players, plätze",
    "table": "table no, table number, tisch",
    "round": "round no, runde",
    "game": "game no, spiel",
    "team": "team name, club, mannschaft, équipe",
    "division": "div, section, league, liga, staffel",
    "captain": "skipper, kapitän, capitaine",
    "players": "squad, team members, players' names, joueurs",
    "venue": "pub, place, location, ground, played at, spielort, lieu",
    "points off": "points deducted, deducted, penalty points",
    "home": "home team, hosts, heim, domicile",
    "away": "away team, visitors, visiting team, guests, gast, visiteurs",
    "home games": "home score, games home, home legs, games won at home",
    "away games": "away score, games away, away legs, games won by visitors",
    "home points": "points home, home pts",
    "away points": "points away, away pts",
    "planned": "postponed from, first date",
    "awarded": "awarded to, walk-over, walkover",
} | {
    f"{column} {n}": f"{short}{n}, {short} {n}" for n in range(1, 5)
    for column, short in (("player", "p"), ("points", "score"))
}  # fmt: skip
COLUMN_OF = {word: name for name, words in OTHER_WORDS.items() for word in words.split(", ")}


def _line_numbers() -> list[tuple[str, int]]:
    """The choices of `also`; a function, since copying a list for each form took 0.1 seconds."""
    return [(str(number), number) for number in range(EVERY_LINE, 2 * MOST_ROWS)]


class AgreedForm(forms.Form):
    """Agrees to a preview: its digest, and the doubtful lines to include (0: all of them)."""

    agreed = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)
    also = forms.TypedMultipleChoiceField(required=False, coerce=int, choices=_line_numbers)


class SheetForm(AgreedForm):
    """Uploads a file. Between preview and import its `content` travels packed in `carried`, so that
    the server stores nothing; what comes back is read and checked again."""

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
        # An agreement sends the file packed in `carried`; otherwise the form asks for a file.
        self.fields["file"].required = not self.data.get("carried")

    def clean_match(self) -> str:
        """The earlier answers about the file; refuses a text that `Match.to_text` cannot write."""
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
    """Asks who the players of a file of games are, and on which day they played."""

    def __init__(
        self, *args: Any, names: Sequence[str], players: Sequence[str], day: bool, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.names, self.players = names, players
        choices = [(name, name) for name in players]
        for place, name in enumerate(names):
            # All fields share one list: in a large club a list for each would take megabytes.
            widget = forms.TextInput(attrs={"list": "players", "autocomplete": "off"})
            self.fields[f"person_{place}"] = forms.ChoiceField(
                label=name, choices=choices, widget=widget
            )
        if day:
            self.fields["day"] = DayField(label=_("Date of the games"))

    def answered(self, match: Match) -> Match:
        """The earlier answers together with those of this form."""
        data = self.cleaned_data
        people = {name: data[f"person_{place}"] for place, name in enumerate(self.names)}
        day = data["day"].isoformat() if data.get("day") else match.day
        return replace(match, people={**match.people, **people}, day=day)


class ColumnsForm(forms.Form):
    """Asks which column each heading of a sheet is.

    `begin` has the headings and first lines of the sheet, `guessed` the headings to ask about,
    each with a suggested column or "".
    """

    def __init__(
        self, *args: Any, begin: Begin, columns: Columns, guessed: Mapping[str, str], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.columns, self.headings = columns, list(guessed)
        self.known_columns = [heading for heading in begin.headings if heading not in guessed]
        choices = [
            (LEFT_OUT, _("Leave out")),
            *((word, column_label(word)) for word in columns.words),
        ]
        for place, heading in enumerate(self.headings):
            samples = begin.below(begin.headings.index(heading))[:2]
            self.fields[f"column_{place}"] = forms.ChoiceField(
                label=heading,
                choices=choices,
                initial=guessed[heading] or LEFT_OUT,
                help_text=", ".join(cell[:40] for cell in samples),
            )

    def clean(self) -> dict[str, Any]:
        """Check that no column is chosen twice and none of the needed ones is missing."""
        data = super().clean() or {}
        chosen = [self._column(place) for place in range(len(self.headings))]
        for place, column in enumerate(chosen):
            if column and [*self.known_columns, *chosen].count(column) > 1:
                self.add_error(f"column_{place}", _("This column is chosen twice."))
        if missing := self.columns.missing([*self.known_columns, *chosen]):
            needed = column_labels(missing)
            self.add_error(None, _("Choose which column is: %(needed)s.") % {"needed": needed})
        return data

    def answered(self, match: Match) -> Match:
        """The earlier answers together with those of this form."""
        chosen = {heading: self._column(place) for place, heading in enumerate(self.headings)}
        return replace(match, columns=chosen)

    def _column(self, place: int) -> str:
        """The chosen column; "" for a heading that is left out."""
        chosen: str = self.cleaned_data.get(f"column_{place}", LEFT_OUT)
        return "" if chosen == LEFT_OUT else chosen


class DaysForm(forms.Form):
    """Asks whether ambiguous dates begin with the day or the month; `cell` is one of them."""

    first = forms.ChoiceField(widget=forms.RadioSelect)

    def __init__(self, *args: Any, cell: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        readings = {order: date.fromisoformat(iso_days([cell], order)[0]) for order in (DAY, MONTH)}
        field = self.fields["first"]
        field.label = _("Which day is %(cell)s?") % {"cell": cell}
        field.choices = [  # type: ignore[attr-defined]
            (order, dated(day, gettext("j F Y"))) for order, day in readings.items()
        ]

    def answered(self, match: Match) -> Match:
        """The earlier answers together with that of this form."""
        return replace(match, first=self.cleaned_data["first"])


def packed(content: bytes) -> str:
    """The content as text for a hidden field."""
    return base64.b64encode(zlib.compress(content)).decode()


def unpacked(carried: str) -> bytes:
    """The content of a text from `packed`; empty for any other text, or too much content."""
    try:
        reader = zlib.decompressobj()
        content = reader.decompress(base64.b64decode(carried, validate=True), MOST_BYTES + 1)
    except (binascii.Error, zlib.error, ValueError):
        return b""
    return content if reader.eof else b""


Questions = PlayersForm | ColumnsForm | DaysForm


class Kind(Protocol):
    """What the questions need to know about a kind of import."""

    @property
    def what(self) -> str: ...
    @property
    def notation(self) -> bool: ...
    @property
    def sheet(self) -> Columns: ...
    @property
    def unlike(self) -> object: ...


def questions_of(request: HttpRequest, club: Club, kind: Kind, form: SheetForm) -> Questions | None:
    """The form with the next questions about the file; None where nothing is left to ask.

    Answers, from this request or remembered for the club, are stored in `form.matched`.
    """
    for data in (request.POST, None) if "answered" in request.POST else (None,):
        again = bool(form.cleaned_data["again"]) and data is None
        questions = _open_questions(club, kind, form, data, again=again)
        if questions is None or not questions.is_valid():
            return questions
        form.matched = questions.answered(form.matched)
        if isinstance(questions, ColumnsForm):
            remember_columns(club, kind.what, form.matched.columns)
    return None


def _open_questions(
    club: Club, kind: Kind, form: SheetForm, data: Any, *, again: bool
) -> Questions | None:
    if kind.notation and is_notation(form.content):
        return _players_form(club, form, data)
    try:
        begin = begin_of(form.content, kind.sheet, form.matched)
    except BadSheet as error:
        raise refused_sheet(error) from error
    if kind.unlike and not set(kind.sheet.needed) & set(begin.headings):
        raise Refused("another-sheet", str(kind.unlike), fields={"file": [str(kind.unlike)]})
    return _columns_form(club, kind, form, begin, data, again=again) or _days_form(
        kind.sheet, form.matched, begin, data
    )


def _players_form(club: Club, form: SheetForm, data: Any) -> PlayersForm | None:
    games = recorded_games(form.content)
    people, _shared = people_by_name(club)
    names = [name for name in names_in(games) if name_key(name) not in people]
    names = [name for name in names if name not in form.matched.people]
    if len(names) > MOST_NAMES:
        sentence = gettext(
            "This file names %(n)d players who are not on the list. At most %(most)d can be matched"
            " at once. Split the file."
        ) % {"n": len(names), "most": MOST_NAMES}
        raise Refused("too-many-names", sentence, fields={"file": [sentence]})
    day = not form.matched.day and any(not game.day for game in games)
    if not names and not day:
        return None
    players = [member.name for member in people_of(club).order_by("sort_key")]
    return PlayersForm(data, names=names, players=players, day=day)


def _columns_form(
    club: Club, kind: Kind, form: SheetForm, begin: Begin, data: Any, *, again: bool
) -> ColumnsForm | None:
    """The question about columns, where the meaning of a heading is unknown, or a needed column is
    missing; otherwise the known meanings are stored in `form.matched`."""
    columns, match = kind.sheet, form.matched
    foreign_headings = [
        heading for heading in dict.fromkeys(begin.headings) if heading not in columns.words
    ]
    if not foreign_headings or (match.columns and set(foreign_headings) <= set(match.columns)):
        return None
    meanings = {
        heading: column
        for heading, column in _known_meanings(club, kind, foreign_headings)
        if not column or column in columns.words
    }
    columns_in_sheet = [meanings.get(heading, heading) for heading in begin.headings]
    used = [column for column in columns_in_sheet if column]
    is_clear = set(foreign_headings) <= set(meanings) and len(set(used)) == len(used)
    if is_clear and not columns.missing(columns_in_sheet) and not again:
        form.matched = replace(match, columns=meanings)
        return None
    guessed = {heading: meanings.get(heading, "") for heading in foreign_headings}
    return ColumnsForm(data, begin=begin, columns=columns, guessed=guessed)


def _known_meanings(club: Club, kind: Kind, headings: list[str]) -> Iterator[tuple[str, str]]:
    """The club's earlier answers about these headings, else their usual meanings."""
    answers = club.sheet_columns.get(kind.what, {})
    for heading in headings:
        if heading in answers:
            yield heading, answers[heading]
        elif heading in COLUMN_OF:
            yield heading, COLUMN_OF[heading]


def _days_form(columns: Columns, match: Match, begin: Begin, data: Any) -> DaysForm | None:
    if match.first:
        return None
    columns_in_sheet = [match.columns.get(heading, heading) for heading in begin.headings]
    cells = (
        ambiguous(begin.below(columns_in_sheet.index(day)))
        for day in columns.days
        if day in columns_in_sheet
    )
    cell = next((cell for cell in cells if cell), "")
    return DaysForm(data, cell=cell) if cell else None
