"""A tournament's files to download: standings, the bracket, every round as it was drawn."""

from django.http import HttpResponse
from django.utils.translation import gettext as _

from league.access import ClubRequest, club_page
from league.exchange.sheets import ROUNDS, download, sheet
from league.exchange.tournament_sheet import round_rows
from league.members.models import Club
from league.members.public import namer
from league.standings.labels import LABELS
from league.standings.queries import refuse_held
from league.tournaments.bracket_page import bracket_parts
from league.tournaments.draws.groups import group_states
from league.tournaments.models import Stage
from league.tournaments.queries import NameOf, stage_of, tournament_of
from league.tournaments.stage_state import BRACKETS, StageState, load_stage
from league.tournaments.standing import standing_of
from league.tournaments.tables import rows_of as tournament_rows


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
    """The tournament with all its rounds; the sheet comes in again once it is finished."""
    state = load_stage(stage_of(tournament_of(club, public_id)))
    tournament = state.stage.tournament
    if state.stage.format not in BRACKETS:  # by points: its rounds add up to the standings
        refuse_held(tournament.session, request.rank)
    rows = round_rows(state, _entered(state, club, request.rank))
    content = sheet(ROUNDS, rows, kind=kind)
    return download(content, name=f"{tournament.name} rounds", kind=kind)
