"""The results, matches and tables of a league as plain text, for a message or a newspaper; the
result of a match for its captains."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.ranking.team_league.match import HOME
from league.ranking.team_league.rules import LeagueRules
from league.standings.labels import figure
from league.teams.models import TeamDivision, TeamLeague, TeamMatch
from league.teams.tables import MatchShown, Row
from league.teams.text import deducted_line, earned_rule


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
    """A table with a line for each team, then its deductions. It has no columns: few messages have
    letters of one width."""
    with_draws = any(row.record.draws for row in rows)
    with_games = any(row.decided for row in rows)  # games come first in most tie-breaks
    lines = []
    for row in rows:
        figures = [
            (pgettext("matches", "Played"), row.record.played),
            (pgettext("matches", "Won"), row.record.wins),
            *([(pgettext("matches", "Drawn"), row.record.draws)] if with_draws else []),
            (pgettext("matches", "Lost"), row.record.losses),
            *([(_("Games"), row.games)] if with_games else []),
            (_("Points"), row.points),
        ]
        record = " · ".join(f"{label} {figure}" for label, figure in figures)
        lines.append(f"{row.place} {row.team.name}: {record}{_marks(row)}")
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


def own_result(shown: MatchShown, side: int) -> str:
    """The result on the card, for the captain of this side."""
    if not shown.games or shown.match.is_given:
        return ""
    words: dict[str, Any] = {"own": shown.games[side], "theirs": shown.games[1 - side]}
    won = shown.home_won if side == HOME else shown.away_won
    if shown.match.decider:
        words |= {"own_points": shown.match.decider[side]}
        words |= {"their_points": shown.match.decider[1 - side]}
        text = _("You lost %(own)s–%(theirs)s, deciding game %(own_points)s–%(their_points)s.")
        if won:
            text = _("You won %(own)s–%(theirs)s, deciding game %(own_points)s–%(their_points)s.")
        return text % words
    if shown.home_won or shown.away_won:
        text = _("You won %(own)s–%(theirs)s.") if won else _("You lost %(own)s–%(theirs)s.")
        return text % words
    return _("You drew %(own)s–%(theirs)s.") % words


def disputed_result(
    match: TeamMatch, won: Sequence[Fraction], copy: Sequence[Fraction] | None, *, wrote: bool
) -> str:
    """What a disputed card says to a captain, who `wrote` it or not, and what the other captain's
    `copy` says, if there is one."""

    def score(games: Sequence[Fraction]) -> str:
        home, away = (figure("won", number) for number in games)
        return f"{match.home.name} {home}, {match.away.name} {away}"

    if copy is not None:
        own, theirs = (won, copy) if wrote else (copy, won)
        words = {"own": score(own), "theirs": score(theirs)}
        return _("Your card: %(own)s. Theirs: %(theirs)s.") % words
    if wrote:
        return _("Your card: %(own)s. The other captain disputes it.") % {"own": score(won)}
    return _("The card: %(own)s. It is disputed.") % {"own": score(won)}


def points_lines(rules: LeagueRules, rows: Sequence[Row]) -> list[str]:
    """How the points of a table come about: what a match gives, and points for walk-overs; and why
    a team that has left stands last."""
    lines = [" ".join(earned_rule(rules))]
    awarded = [(row.team.name, row.record.awarded) for row in rows if row.record.awarded]
    if awarded:
        teams = ", ".join(f"{name} {figure('league_points', points)}" for name, points in awarded)
        lines.append(_("Points for walk-overs: %(teams)s.") % {"teams": teams})
    if any(row.team.withdrawn_at and not row.struck for row in rows):
        lines.append(_("A team that has left is below all that play on."))
    return lines
