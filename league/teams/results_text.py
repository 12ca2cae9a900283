"""The results, matches and tables of a league as plain text, for a message or a newspaper."""

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.teams.models import TeamDivision, TeamLeague
from league.teams.tables import Row
from league.teams.text import deducted_line

MAX_WIDTH = 30


def results_text(
    league: TeamLeague,
    results: Sequence[tuple[str, Sequence[str]]],
    cups: Iterable[tuple[str, Sequence[str]]],
    to_play: Sequence[tuple[str, Sequence[str]]],
    divisions: Sequence[tuple[TeamDivision | None, list[Row]]],
) -> str:
    """The names of the club and the league, the results, the cups by name, the matches to play and
    the tables, as plain text."""
    lines = [league.club.name, league.name]
    for title, listed in (*results, *cups, *to_play):
        lines += ["", title, *listed] if listed else []
    for division, rows in divisions:
        lines += ["", division.name if division else pgettext("of figures", "Table")]
        lines += _table_lines(rows)
    return "\n".join(lines)


def _table_lines(rows: Sequence[Row]) -> list[str]:
    """A table in columns of plain text, then its deductions."""
    width = min(MAX_WIDTH, max((len(row.team.name) for row in rows), default=0))
    columns: list[tuple[str, list[int] | list[str]]] = [
        (pgettext("matches", "Played"), [row.record.played for row in rows]),
        (pgettext("matches", "Won"), [row.record.wins for row in rows]),
        (pgettext("matches", "Drawn"), [row.record.draws for row in rows]),
        (pgettext("matches", "Lost"), [row.record.losses for row in rows]),
    ]
    if not any(row.record.draws for row in rows):  # the line fits a phone without them
        del columns[2]
    if any(row.decided for row in rows):  # games come first in most tie-breaks
        columns.append((_("Games"), [row.games for row in rows]))
    labels = [*(label for label, _figures in columns), _("Points")]
    lines = [" ".join([f"   {_('Team'):<{width}}", *labels])]
    for number, row in enumerate(rows):
        figures = [*(figures[number] for _label, figures in columns), row.points]
        cells = [f"{n:>{len(label)}}" for n, label in zip(figures, labels, strict=True)]
        name = row.team.name if len(row.team.name) <= width else f"{row.team.name[: width - 1]}…"
        lines.append(" ".join([f"{row.place:>2} {name:<{width}}", *cells]) + _marks(row))
    return lines + [deducted_line(row) for row in rows if row.deducted]


def _marks(row: Row) -> str:
    """What follows a row of the table: an asterisk for a deduction, and notes in brackets."""
    notes = [
        _("champions") if "champions" in row.status else "",
        row.decided,
        _("results void") if row.struck else _("left") if row.team.withdrawn_at else "",
        _("provisional") if row.record.provisional else "",
    ]
    return ("*" if row.deducted else "") + "".join(f" ({note})" for note in notes if note)
