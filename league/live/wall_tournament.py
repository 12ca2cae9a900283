"""What the wall and phones show of the session's tournament: its rankings and its bracket."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.live.room import Room
from league.members.models import Member
from league.pairing.formats.knockout import Part
from league.ranking import Line
from league.sessions.models import Session
from league.standings.labels import Text
from league.standings.queries import Standings
from league.tournaments.bracket_page import BracketPart, bracket_parts
from league.tournaments.draws.groups import group_states
from league.tournaments.draws.knockout import corrections
from league.tournaments.games_of_matches import people_out
from league.tournaments.models import Stage, Tournament
from league.tournaments.prizes import Prize, prizes
from league.tournaments.queries import NameOf, is_played_out, latest_in, stage_of
from league.tournaments.session_places import begun_in, shown_in
from league.tournaments.stage_state import StageState, load_stage
from league.tournaments.standing import Standing, standing_of
from league.tournaments.tables import Row, codes_of, columns_of, made_up_text, rows_of

TOURNAMENT_COLUMNS, PHONE_COLUMNS = 4, 2
BRACKET_ROUNDS = 2
BRACKET_PLACES = 4
"""Rounds of a bracket on a panel, and matches in each; more cannot be read at ten metres."""


@dataclass(frozen=True, slots=True)
class Places:
    """A ranking of a tournament, with only the first figures of each row, and after which round
    they are; `outdated` while its bracket does not follow a corrected result. `note` says how
    points that were not made at the tables are counted."""

    title: str
    heads: Sequence[Text]
    rows: Sequence[Row]
    of_pairs: bool
    outdated: bool
    after: str = ""
    note: str = ""


def stage_state_of(club_session: Session) -> StageState | None:
    """The state of the tournament that a session shows; None if it has none."""
    tournament = shown_in(club_session, latest_in(club_session))
    return load_stage(stage_of(tournament)) if tournament else None


def players_without_table(the_room: Room, state: StageState | None) -> list[Member]:
    """The checked-in players without a seat; during a tournament only those still in it."""
    out = people_out(state, seats_shown=the_room.is_of_tournament)
    seatless = [member for member in the_room.seatless if member.pk not in out]
    if state is None or not the_room.is_of_tournament:
        return seatless
    entered = {member.pk for entry in state.entries.values() for member in entry.people}
    return [member for member in seatless if member.pk in entered]


def special_prizes(state: StageState | None, name_of: NameOf) -> list[Prize]:
    """The prizes of the session's tournaments, up to this one, for other feats than their first
    three places."""
    if state is None:
        return []
    tournament = state.stage.tournament
    earlier = begun_in(tournament.session).filter(pk__lt=tournament.pk)
    states = [*(load_stage(stage_of(one)) for one in earlier), state]
    won = [prize for one in states for prize in prizes(one, standing_of(one), name_of)]
    return [prize for prize in won if prize.special]


def tournament_places(
    state: StageState | None,
    name_of: NameOf,
    standings: Standings,
    *,
    columns: int = TOURNAMENT_COLUMNS,
) -> list[Places]:
    """The rankings of a tournament; empty without one, before its first result, and after it where
    it ranks only some of the session's players, as a final does: then `standings` say more. With so
    many figures, or more if more decide between two entries."""
    if state is None or not any(match.over for match in state.matches):
        return []
    if len(standings.ranking.tournaments) > 1 and is_played_out(state) and not corrections(state):
        return []
    places = [_places(state, name_of, state.stage.tournament.name, columns)]
    if state.stage.format == Stage.Format.GROUPS and not state.in_bracket:
        places = [
            _places(group, name_of, _("Group %(n)d") % {"n": number}, columns)
            for number, group in enumerate(group_states(state), 1)
        ]
    return [replace(place, after=_after_round(state)) for place in places]


def _after_round(state: StageState) -> str:
    """ "after round 2", or that a round is in play some of which counts already; empty before there
    is a result, in a bracket, and once the tournament is closed."""
    last, tournament = state.last, state.stage.tournament
    if last is None or state.in_bracket or tournament.state == Tournament.State.FINISHED:
        return ""
    if last.open_matches and any(match.over for match in last.matches):
        return _("round %(n)d in play") % {"n": last.number}
    number = last.number - 1 if last.open_matches else last.number
    return _("after round %(n)d") % {"n": number} if number else ""


def replay_text(state: StageState | None) -> str:
    """That the void matches of the latest round of a running tournament are played again."""
    last = state.last if state else None
    if state is None or last is None or state.stage.tournament.state != Tournament.State.RUNNING:
        return ""
    void = [match for match in last.matches if match.undone]
    if last.row.field_size == 2 and any(match.number % 2 for match in void):
        return _("The final is played again.")  # the match for third place has an even number
    text = ngettext("A match is played again.", "Some matches are played again.", len(void))
    return text if void else ""


def bracket_panels(
    state: StageState | None, name_of: NameOf, tables: Mapping[int, int]
) -> list[BracketPart]:
    """The bracket of a tournament, cut into legible panels; empty without a bracket.

    `tables` are the numbers of the room's tables, by their keys. A panel on which no pair is known
    yet says nothing, so it is left out. The match for third place stands below the final, which
    is played with it.
    """
    parts = bracket_parts(state, name_of, tables, spaced=sign_kept) if state else []
    panels = [panel for part in parts for panel in part.panels(BRACKET_ROUNDS, BRACKET_PLACES)]
    return [panel for panel in _below_the_final(parts, panels) if panel.names_a_pair]


def sign_kept(pair: str) -> str:
    """The names of partners, unbroken each; a line may begin but not end with the sign "&"."""
    first_names, _space, last = pair.rpartition(" ")
    return f"{first_names}\N{NO-BREAK SPACE}{last}" if first_names else last


def _below_the_final(
    parts: Sequence[BracketPart], panels: Sequence[BracketPart]
) -> list[BracketPart]:
    """The panels, with the match for third place on that of the final if there is one."""
    by_code = {part.code: part.rounds[-1] for part in parts}
    final, third = by_code.get(Part.MAIN), by_code.get(Part.THIRD_PLACE)
    if third is None or not any(panel.rounds[-1] == final for panel in panels):
        return list(panels)
    return [
        replace(panel, rounds=(*panel.rounds[:-1], replace(panel.rounds[-1], below=third)))
        if panel.rounds[-1] == final
        else panel
        for panel in panels
        if panel.code != Part.THIRD_PLACE
    ]


def _places(state: StageState, name_of: NameOf, title: str, most: int) -> Places:
    """The ranking of a stage with `most` figures, or more if more decided.

    They include every figure that decided between two entries. A tie-break without a figure, such
    as head-to-head, is named beside the name.
    """
    standing = standing_of(state)
    columns, codes = columns_of(state, standing), codes_of(standing)
    visible = _visible_columns(standing, codes, len(columns), most)
    last_measures = {
        line.who: line.decisions[-1].measure for line in standing.lines if line.decisions
    }
    rows = []
    for row in rows_of(state, standing, name_of):
        is_figure_shown = last_measures.get(row.who, codes[0]) in codes
        cells = tuple(row.cells[n] for n in visible)
        decided = "" if row.shared or is_figure_shown else row.decided
        rows.append(replace(row, cells=cells, decided=decided))
    heads = [columns[n].brief or columns[n].column for n in visible]
    return Places(
        title,
        heads,
        rows,
        state.of_pairs,
        outdated=bool(corrections(state)),
        note=made_up_text(standing),
    )


def _visible_columns(standing: Standing, codes: Sequence[str], count: int, most: int) -> list[int]:
    """The positions of the columns to show, of `count` in all: the main measure and deciding
    tie-breaks first, then others while there is room."""
    deciders = deciding_codes(standing.lines)
    needed = [n for n, code in enumerate(codes) if n == 0 or code in deciders]
    optional = [n for n in range(count) if n not in needed]
    return sorted(needed + optional[: max(0, most - len(needed))])


def deciding_codes(lines: Iterable[Line]) -> set[str]:
    """The codes of all measures that decided between two of these."""
    return {decision.measure for line in lines for decision in line.decisions}
