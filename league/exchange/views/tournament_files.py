"""A tournament's files to download: standings, the bracket, every round as it was drawn."""

from collections.abc import Iterator, Mapping

from django.http import HttpResponse
from django.utils.translation import gettext as _

from league.access import ClubRequest, club_page
from league.exchange.sheets import download, sheet
from league.labels import as_partners
from league.members.models import Club
from league.members.public import namer
from league.standings.labels import LABELS
from league.standings.queries import refuse_held
from league.tournaments.bracket_page import bracket_parts
from league.tournaments.draws.groups import group_states
from league.tournaments.models import Stage
from league.tournaments.queries import (
    MatchSheet,
    NameOf,
    RoundSheet,
    entry_name,
    round_sheet,
    stage_of,
    tournament_of,
)
from league.tournaments.stage_state import BRACKETS, StageState, load_stage
from league.tournaments.standing import standing_of
from league.tournaments.tables import rows_of as tournament_rows

SIDES = 4
"""The most sides of a table in a tournament."""


@club_page("member")
def export_tournament_standings(
    request: ClubRequest, club: Club, public_id: str, kind: str
) -> HttpResponse:
    """Everybody who entered with all figures, and why they stand where they do; group by group."""
    state = load_stage(stage_of(tournament_of(club, public_id)))
    refuse_held(state.stage.tournament.session, request.rank)
    name_of = _entered(state, club, request.rank)
    in_groups = state.stage.format == Stage.Format.GROUPS and bool(state.published)
    groups = group_states(state) if in_groups else [state]
    measures = [measure for measure in standing_of(groups[0]).measures if not measure.among]
    headers = [_("Group"), _("Place"), _("Tied"), _("Name"), _("Withdrawn")]
    headers += [str(LABELS[measure.code].name) for measure in measures]
    yes, lines = _("yes"), []
    for number, group in enumerate(groups, 1):
        standing = standing_of(group)
        values = {line.who: line.values for line in standing.lines}
        for row in tournament_rows(group, standing, name_of):
            line: list[object] = [number if in_groups else "", row.rank or ""]
            line += [yes if row.shared else "", row.name, yes if row.withdrawn else ""]
            line += [values[row.who][measure.code] for measure in measures]
            lines.append([*line, " ".join(row.why)])
    content = sheet([*headers, _("How the place was decided")], lines, kind=kind)
    return download(content, name=state.stage.tournament.name, kind=kind)


@club_page("member")
def export_bracket(request: ClubRequest, club: Club, public_id: str, kind: str) -> HttpResponse:
    """Every match of a bracket: who met whom, or whence they will come, the score, who won.
    No line where a tournament has no bracket."""
    state = load_stage(stage_of(tournament_of(club, public_id)))
    parts = bracket_parts(state, _entered(state, club, request.rank))
    headers = [_("Bracket"), _("Round"), _("Match"), _("First"), _("Second")]
    headers += [_("Score of the first"), _("Score of the second"), _("Winner"), _("Not played")]
    lines = []
    for title, round_ in ((part.title, one) for part in parts for one in part.rounds):
        for match in round_.matches:
            line: list[object] = [title, round_.title, match.number]
            line += [side.name for side in match.sides] + [side.score for side in match.sides]
            line.append(next((side.name for side in match.sides if side.won), ""))
            lines.append([*line, _("yes") if match.walkover else ""])
    name = f"{state.stage.tournament.name} bracket"
    return download(sheet(headers, lines, kind=kind), name=name, kind=kind)


def _entered(state: StageState, club: Club, rank: str | None) -> NameOf:
    """The names of those who entered, as this rank may read them."""
    people = [one for entry in state.entries.values() for one in entry.people]
    return namer(people, club, rank)


@club_page("member")
def export_rounds(request: ClubRequest, club: Club, public_id: str, kind: str) -> HttpResponse:
    """Every match of every published round: table, sides, score, who won; and who had a bye."""
    state = load_stage(stage_of(tournament_of(club, public_id)))
    tournament = state.stage.tournament
    if state.stage.format not in BRACKETS:  # by points: its rounds add up to the standings
        refuse_held(tournament.session, request.rank)
    name_of = _entered(state, club, request.rank)
    headers = [_("Round"), _("Table"), _("Match")]
    headers += [_("First"), _("Second"), _("Third"), _("Fourth")]
    headers += [_("Score of the first"), _("Score of the second"), _("Score of the third")]
    headers += [_("Score of the fourth"), _("Winner"), _("Not played")]
    rounds = (round_sheet(state, one, name_of) for one in state.published)
    names = {key: entry_name(one, name_of) for key, one in state.entries.items()}
    lines = [line for one in rounds for line in _lines_of(one, names)]
    return download(sheet(headers, lines, kind=kind), name=f"{tournament.name} rounds", kind=kind)


def _lines_of(one: RoundSheet, names: Mapping[int, str]) -> Iterator[list[object]]:
    number = one.facts.number
    for match in one.matches:
        yield [number, *_line_of(match, names)]
    for name in one.byes:
        yield [number, "", "", name, *[""] * (2 * SIDES), _("bye")]


def _line_of(match: MatchSheet, names: Mapping[int, str]) -> list[object]:
    """Games won where a match is of several, else points. Sides are named by who entered: a
    substitute's result stays with the entry."""
    count = len(match.sides)
    none = [""] * (SIDES - count)
    entered: list[list[str]] = [[] for _side in match.sides]
    for position, entry in sorted(match.facts.sides.items()):
        entered[position % count].append(names[entry])
    sides = [as_partners(side) for side in entered]
    scores = [side.wins or side.points for side in match.sides]
    winner = next((sides[side.position] for side in match.sides if side.won), "")
    line: list[object] = [match.table.number if match.table else "", match.facts.number]
    line += [*sides, *none, *scores, *none, winner]
    return [*line, _("yes") if match.state == "walkover" else ""]
