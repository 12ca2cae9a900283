"""What a league puts on a notice-board: results as text, and every game of its cards by pair."""

from collections.abc import Sequence
from fractions import Fraction

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.members.models import Member
from league.play.models import Game
from league.ranking.team_league import Played
from league.seating.models import Seat
from league.teams.models import TeamDivision, TeamLeague
from league.teams.queries import PLANNER
from league.teams.tables import MatchShown, RoundShown, Row

WIDEST = 30


def results_text(
    name: str, last: RoundShown | None, divisions: Sequence[tuple[TeamDivision | None, list[Row]]]
) -> str:
    """The last round and the tables in lines of plain text."""
    lines = [name]
    if last is not None:
        title = _("Round %(n)d") % {"n": last.number}
        day = date_format(last.held_on, _("j F Y")) if last.held_on else ""
        lines += ["", f"{title}, {day}" if day else title]
        lines += [result_line(one) for one in last.matches]
    for division, rows in divisions:
        lines += ["", division.name if division else pgettext("of figures", "Table")]
        team, played, points = _("Team"), _("Played"), _("Points")
        wide = min(WIDEST, max((len(row.team.name) for row in rows), default=len(team)))
        lines.append(f"   {team:<{wide}} {played} {points}")
        lines += [
            f"{row.rank or '-':>2} {row.team.name:<{wide}} {row.record.played:>{len(played)}}"
            f" {row.points:>{len(points)}}"
            for row in rows
        ]
    return "\n".join(lines)


def result_line(one: MatchShown) -> str:
    """A match with its score, or with how it was decided without one."""
    match, score = one.match, one.score
    if match.given_nobody:
        score = _("neither came")
    elif match.given_to is not None:
        score = _("awarded to %(team)s") % {"team": match.given_to.name}
    return f"{match.home.name} – {match.away.name}: {score or _('to play')}"


def played_games(league: TeamLeague) -> tuple[list[Played], dict[int, Member]]:
    """Every game at a table of the league's matches in order of play, and who played; two
    queries."""
    games = Game.objects.filter(
        session__team_match__league=league,
        session__team_match__cup=None,
        table__round__planner=PLANNER,
    ).exclude(totals=None)
    games = games.exclude(state=Game.State.ABANDONED)
    games = games.order_by("session__held_on", "session", "table__round__number", "table__number")
    listed = list(games.only("table_id", "winners", "session_id"))
    tables = [game.table_id for game in listed]
    chairs: dict[int, dict[int, Member]] = {}
    for seat in Seat.objects.filter(table__in=tables, until_hand=None).select_related("member"):
        chairs.setdefault(seat.table_id, {})[seat.position] = seat.member
    found: list[Played] = []
    members: dict[int, Member] = {}
    for game in listed:
        at = chairs[game.table_id]
        sides = {seat % 2 for seat in game.winners}
        for side in (0, 1):
            one, other = at[side], at[side + 2]
            members |= {one.pk: one, other.pk: other}
            share = Fraction(1, len(sides)) if side in sides else Fraction(0)
            found.append(Played((one.pk, other.pk), share))
    return found, members
