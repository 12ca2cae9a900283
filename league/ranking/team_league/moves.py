"""Who goes up and down between the divisions of a team league, and who plays off. Pure.

Nothing is drawn at random: teams that are tied across a line stay where they are until a play-off
or the committee has separated them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from league.ranking.tables import Line
from league.ranking.team_league.rules import Border, LeagueRules
from league.ranking.team_league.table import LeagueTable

BY_PLACE, BY_PLAY_OFF = "place", "play_off"


@dataclass(frozen=True, slots=True)
class TeamMove:
    """A team that changes its division, by its place or by a play-off."""

    team: int
    source: str
    target: str
    how: str = BY_PLACE


@dataclass(frozen=True, slots=True)
class Qualified:
    """A team that its section sends to the play-off, with its place in the section."""

    division: str
    place: int
    team: int


@dataclass(slots=True)
class Ending:
    """What follows from the final tables. `undecided` are teams tied across a line; `due` are
    play-offs between divisions still to be played, the upper team first."""

    moves: list[TeamMove] = field(default_factory=list)
    undecided: list[int] = field(default_factory=list)
    due: list[tuple[int, int]] = field(default_factory=list)
    qualified: list[Qualified] = field(default_factory=list)


def ending_of(
    tables: Mapping[str, LeagueTable],
    rules: LeagueRules,
    played_off: Sequence[tuple[int, int]] = (),
) -> Ending:
    """The moves, play-offs and qualified teams of all divisions whose tables are final.

    `played_off` are the play-offs between divisions played so far, the winner first.
    """
    ending = Ending()
    for border in rules.moves:
        adjacent_tables = [tables.get(name) for name in (border.upper, border.lower)]
        if all(table is not None and table.is_final for table in adjacent_tables):
            _settle_border(ending, border, tables, played_off)
    sections = rules.sections
    if sections is not None:
        section_tables = [tables[name] for name in sections.divisions if name in tables]
        if all(table.is_final for table in section_tables):
            _add_qualified(ending, tables, rules)
    ending.undecided = list(dict.fromkeys(ending.undecided))
    return ending


def _settle_border(
    ending: Ending,
    border: Border,
    tables: Mapping[str, LeagueTable],
    played_off: Sequence[tuple[int, int]],
) -> None:
    upper, lower = tables[border.upper], tables[border.lower]
    departed = len(upper.struck) + len(upper.left)
    best, worst = lower.playing, upper.playing[::-1]
    rising_count = min(border.up, len(best))
    falling_count = min(max(0, border.down - departed), len(worst))
    rising = _first_untied(best, rising_count, ending)
    falling = _first_untied(worst, falling_count, ending)
    moves = [TeamMove(team, border.lower, border.upper) for team in rising]
    moves += [TeamMove(team, border.upper, border.lower) for team in falling]
    ending.moves += moves
    count = min(border.play_off, len(best) - rising_count, len(worst) - falling_count)
    upper_teams = _play_off_teams(worst, falling_count, count, ending)
    lower_teams = _play_off_teams(best, rising_count, count, ending)
    for upper_team, lower_team in zip(upper_teams, lower_teams, strict=False):
        if upper_team is not None and lower_team is not None:
            _settle_play_off(ending, border, (upper_team, lower_team), played_off)


def _first_untied(lines: Sequence[Line], count: int, ending: Ending) -> list[int]:
    """The first `count` teams, without those tied with the first team beyond the line."""
    if not 0 < count < len(lines):
        return [line.who for line in lines[:count]]
    tied_rank = lines[count].rank if lines[count - 1].rank == lines[count].rank else None
    ending.undecided += [line.who for line in lines if line.rank == tied_rank]
    return [line.who for line in lines[:count] if line.rank != tied_rank]


def _play_off_teams(
    lines: Sequence[Line], start: int, count: int, ending: Ending
) -> list[int | None]:
    """The teams of this side that play off, nearest to the line first; None for a tied place."""
    ranks = [line.rank for line in lines]
    teams: list[int | None] = []
    for place in range(start, start + count):
        tied = [index for index, rank in enumerate(ranks) if rank == ranks[place]]
        if len(tied) == 1:
            teams.append(lines[place].who)
        else:
            teams.append(None)
            ending.undecided += [lines[index].who for index in tied]
    return teams


def _settle_play_off(
    ending: Ending,
    border: Border,
    teams: tuple[int, int],
    played_off: Sequence[tuple[int, int]],
) -> None:
    """Move the winner to the upper division; note a play-off that is still to be played."""
    result = next((pair for pair in played_off if set(pair) == set(teams)), None)
    if result is None:
        ending.due.append(teams)
    elif result[0] == teams[1]:
        ending.moves.append(TeamMove(teams[1], border.lower, border.upper, BY_PLAY_OFF))
        ending.moves.append(TeamMove(teams[0], border.upper, border.lower, BY_PLAY_OFF))


def _add_qualified(ending: Ending, tables: Mapping[str, LeagueTable], rules: LeagueRules) -> None:
    assert rules.sections is not None
    for name in rules.sections.divisions:
        if name not in tables:
            continue
        lines = tables[name].playing
        qualified = set(_first_untied(lines, min(rules.sections.places, len(lines)), ending))
        ending.qualified += [
            Qualified(name, line.rank, line.who) for line in lines if line.who in qualified
        ]


def section_ties(qualified: Sequence[Qualified]) -> list[tuple[int, int]]:
    """First matches of a section play-off: each section winner meets the next section's runner-up.

    Empty unless every section sends two teams that are not tied; then the committee draws.
    """
    names = list(dict.fromkeys(entry.division for entry in qualified))
    by_place = {(entry.division, entry.place): entry.team for entry in qualified}
    if len(by_place) != len(qualified) or len(names) < 2:
        return []
    if set(by_place) != {(name, place) for name in names for place in (1, 2)}:
        return []
    next_section = dict(zip(names, [*names[1:], names[0]], strict=True))
    return [(by_place[name, 1], by_place[next_section[name], 2]) for name in names]
