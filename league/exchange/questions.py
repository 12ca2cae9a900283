"""What has to be asked about a file before it can be looked at: who its players are, which column
is which, what stands first in a day. Answers about columns are remembered for the club."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Protocol

from django.http import HttpRequest
from django.utils.translation import gettext as _

from league.errors import Refused
from league.exchange.days import ambiguous
from league.exchange.egn_import import is_notation, names_in, recorded_games
from league.exchange.forms import ColumnsForm, DaysForm, PlayersForm, SheetForm
from league.exchange.match import Match
from league.exchange.past_games import people_by_name
from league.exchange.reading import BadSheet, Begin, Columns, begin_of
from league.exchange.sheet_text import refused_sheet
from league.members.actions.clubs import remember_columns
from league.members.models import Club
from league.members.names import name_key
from league.members.queries import people_of

MOST_NAMES = 200  # a field each, in one form
Questions = PlayersForm | ColumnsForm | DaysForm

# What people write over a column, in the languages our clubs write in. A first answer only where
# another heading has to be asked about; else it is taken, and said.
OTHER_WORDS = {
    "name": "full name, player, member, nom, spieler, mitglied",
    "first name": "given name, forename, firstname, vorname, prénom",
    "surname": "last name, family name, lastname, nachname, familienname, nom de famille",
    "e-mail": "email, mail, e-mail address, email address, courriel",
    "joined": "member since, since, joined on, mitglied since, mitglied seit, eintritt",
    "retired": "left, left on, member until, austritt",
    "date": "day, played on, datum, jour",
    "session": "event, evening, night, abend",
    "begins": "time, start, starts, starts at, start time, begin, beginn, uhrzeit",
    "places": "limit, max players, plätze",
    "table": "table no, table number, tisch",
    "round": "round no, runde",
    "game": "game no, spiel",
} | {
    f"{column} {n}": f"{short}{n}, {short} {n}" for n in range(1, 5)
    for column, short in (("player", "p"), ("points", "score"))
}  # fmt: skip
COLUMN_OF = {word: name for name, words in OTHER_WORDS.items() for word in words.split(", ")}


class Kind(Protocol):
    """A kind of import, as far as questions need it."""

    @property
    def what(self) -> str: ...
    @property
    def notation(self) -> bool: ...
    @property
    def sheet(self) -> Columns: ...


def questions_of(request: HttpRequest, club: Club, kind: Kind, form: SheetForm) -> Questions | None:
    """The form of what has to be asked next about the file; None where nothing is left to ask.

    What is answered, now or by what the club said of such a sheet before, is in `form.matched`.
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
        return _about_players(club, form, data)
    try:
        begin = begin_of(form.content, kind.sheet, form.matched)
    except BadSheet as error:
        raise refused_sheet(error) from error
    return _about_columns(club, kind, form, begin, data, again=again) or _about_days(
        kind.sheet, form.matched, begin, data
    )


def _about_players(club: Club, form: SheetForm, data: Any) -> PlayersForm | None:
    games = recorded_games(form.content)
    known, _shared = people_by_name(club)
    names = [name for name in names_in(games) if name_key(name) not in known]
    names = [name for name in names if name not in form.matched.people]
    if len(names) > MOST_NAMES:
        sentence = _(
            "This file names %(n)d players who are not on the list. At most %(most)d can be matched"
            " at once. Split the file."
        ) % {"n": len(names), "most": MOST_NAMES}
        raise Refused("too-many-names", sentence, fields={"file": [sentence]})
    day = not form.matched.day and any(not one.day for one in games)
    if not names and not day:
        return None
    players = [member.name for member in people_of(club).order_by("sort_key")]
    return PlayersForm(data, names=names, players=players, day=day)


def _about_columns(
    club: Club, kind: Kind, form: SheetForm, begin: Begin, data: Any, *, again: bool
) -> ColumnsForm | None:
    """Asked where a heading is neither ours nor known from before, or a needed column is missing
    that one of them might be."""
    columns, match = kind.sheet, form.matched
    others = [one for one in dict.fromkeys(begin.headings) if one not in columns.words]
    if not others or (match.columns and set(others) <= set(match.columns)):
        return None
    known = {
        heading: column
        for heading, column in _known(club, kind, others)
        if not column or column in columns.words
    }
    named = [known.get(one, one) for one in begin.headings]
    used = [one for one in named if one]
    clear = set(others) <= set(known) and len(set(used)) == len(used)
    if clear and not columns.missing(named) and not again:
        form.matched = replace(match, columns=known)
        return None
    guessed = {heading: known.get(heading, "") for heading in others}
    return ColumnsForm(data, begin=begin, columns=columns, guessed=guessed)


def _known(club: Club, kind: Kind, headings: list[str]) -> Iterator[tuple[str, str]]:
    """What the club said of these headings before, else what they usually mean."""
    before = club.sheet_columns.get(kind.what, {})
    for heading in headings:
        if heading in before:
            yield heading, before[heading]
        elif heading in COLUMN_OF:
            yield heading, COLUMN_OF[heading]


def _about_days(columns: Columns, match: Match, begin: Begin, data: Any) -> DaysForm | None:
    if match.first:
        return None
    named = [match.columns.get(one, one) for one in begin.headings]
    found = (ambiguous(begin.below(named.index(one))) for one in columns.days if one in named)
    cell = next((one for one in found if one), "")
    return DaysForm(data, cell=cell) if cell else None
