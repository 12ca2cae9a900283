"""Who goes up and down between the divisions of a team league, and who plays off. Pure.

Nothing is decided by lot: teams level across a line stay where they are until a play-off or the
committee has parted them.
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
    """A team that its section sends to the play-off, with its place there."""

    division: str
    place: int
    team: int


@dataclass(slots=True)
class Ending:
    """What follows from the final tables. `undecided`: teams level across a line; `due`: play-offs
    between divisions that are still to be played, the upper team first."""

    moves: list[TeamMove] = field(default_factory=list)
    undecided: list[int] = field(default_factory=list)
    due: list[tuple[int, int]] = field(default_factory=list)
    qualified: list[Qualified] = field(default_factory=list)


def ending_of(
    tables: Mapping[str, LeagueTable],
    rules: LeagueRules,
    played_off: Sequence[tuple[int, int]] = (),
) -> Ending:
    """Moves, play-offs and who qualifies, of all divisions that have no open match any more.

    `played_off` are the play-offs between divisions so far, the winner first.
    """
    ending = Ending()
    for border in rules.moves:
        both = [tables.get(name) for name in (border.upper, border.lower)]
        if all(table is not None and not table.open for table in both):
            _at_border(ending, border, tables, played_off)
    sections = rules.sections
    if sections is not None:
        there = [tables[name] for name in sections.divisions if name in tables]
        if not any(table.open for table in there):
            _qualify(ending, tables, rules)
    ending.undecided = list(dict.fromkeys(ending.undecided))
    return ending


def _at_border(
    ending: Ending,
    border: Border,
    tables: Mapping[str, LeagueTable],
    played_off: Sequence[tuple[int, int]],
) -> None:
    upper, lower = tables[border.upper], tables[border.lower]
    gone = len(upper.struck) + len(upper.left)
    best, worst = lower.playing, upper.playing[::-1]
    up = min(border.up, len(best))
    down = min(max(0, border.down - gone), len(worst))
    rising, falling = _cut(best, up, ending), _cut(worst, down, ending)
    moves = [TeamMove(team, border.lower, border.upper) for team in rising]
    moves += [TeamMove(team, border.upper, border.lower) for team in falling]
    ending.moves += moves
    count = min(border.play_off, len(best) - up, len(worst) - down)
    above = _next_to(worst, down, count, ending)
    below = _next_to(best, up, count, ending)
    for one, other in zip(above, below, strict=False):
        if one is not None and other is not None:
            _play_off(ending, border, (one, other), played_off)


def _cut(lines: Sequence[Line], count: int, ending: Ending) -> list[int]:
    """The first `count` that are not level with the one after the line."""
    if not 0 < count < len(lines):
        return [line.who for line in lines[:count]]
    across = lines[count].rank if lines[count - 1].rank == lines[count].rank else None
    ending.undecided += [line.who for line in lines if line.rank == across]
    return [line.who for line in lines[:count] if line.rank != across]


def _next_to(lines: Sequence[Line], start: int, count: int, ending: Ending) -> list[int | None]:
    """Who plays off from this side, nearest to the line first; None where two are level on it."""
    ranks = [line.rank for line in lines]
    chosen: list[int | None] = []
    for place in range(start, start + count):
        level = [n for n, rank in enumerate(ranks) if rank == ranks[place]]
        if len(level) == 1:
            chosen.append(lines[place].who)
        else:
            chosen.append(None)
            ending.undecided += [lines[n].who for n in level]
    return chosen


def _play_off(
    ending: Ending,
    border: Border,
    both: tuple[int, int],
    played_off: Sequence[tuple[int, int]],
) -> None:
    """The winner plays in the upper division."""
    result = next((one for one in played_off if set(one) == set(both)), None)
    if result is None:
        ending.due.append(both)
    elif result[0] == both[1]:
        ending.moves.append(TeamMove(both[1], border.lower, border.upper, BY_PLAY_OFF))
        ending.moves.append(TeamMove(both[0], border.upper, border.lower, BY_PLAY_OFF))


def _qualify(ending: Ending, tables: Mapping[str, LeagueTable], rules: LeagueRules) -> None:
    assert rules.sections is not None
    for name in rules.sections.divisions:
        if name not in tables:
            continue
        lines = tables[name].playing
        through = set(_cut(lines, min(rules.sections.places, len(lines)), ending))
        ending.qualified += [Qualified(name, x.rank, x.who) for x in lines if x.who in through]


def section_ties(qualified: Sequence[Qualified]) -> list[tuple[int, int]]:
    """First matches of a section play-off: each winner meets the next section's runner-up.

    Only where every section sends two that are parted; else the committee draws.
    """
    names = list(dict.fromkeys(one.division for one in qualified))
    by_place = {(one.division, one.place): one.team for one in qualified}
    if len(by_place) != len(qualified) or len(names) < 2:
        return []
    if set(by_place) != {(name, place) for name in names for place in (1, 2)}:
        return []
    after = dict(zip(names, [*names[1:], names[0]], strict=True))
    return [(by_place[name, 1], by_place[after[name], 2]) for name in names]
