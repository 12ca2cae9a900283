"""The best and the worst place a team can still take, by points alone. Pure and exact.

Every open match ends with all its games played; level teams count below for the best place, above
for the worst. For the best place a team takes all it can from its own matches, and the
question is how few others must pass it; for the worst the same, turned round. Where the points of
a match are shared out in equal steps (two for a win, a point a game) that is a flow: if the points
of a group's matches do not fit under the line, at least one of the group has to pass, and each is
tried. Other rules are tried outcome by outcome as long as there are few. Where neither ends soon
enough the answer is None: no claim is made.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from league.ranking.team_league.rules import LeagueRules
from league.ranking.team_league.table import LeagueTable

TRIED, STATES, FEW = 200, 4_000, 24
Outcome = tuple[int, int]
Match = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Reach:
    """The best and the worst place; None where no claim is made."""

    best: int | None = None
    worst: int | None = None


def reaches(table: LeagueTable, rules: LeagueRules) -> dict[int, Reach]:
    """Of every team that plays on. Without open matches both are its place; where slams count
    nobody can say how many games a match will come to, and no claim is made."""
    if not table.open:
        return {line.who: Reach(line.rank, line.rank) for line in table.playing}
    if rules.slam and rules.repeats:
        return {line.who: Reach() for line in table.playing}
    points = {line.who: table.records[line.who].points for line in table.playing}
    games = [Fraction(n) for n in range(rules.games + 1)]
    results = [
        (rules.earned(own, rules.games - own), rules.earned(rules.games - own, own))
        for own in games
    ]
    return reach_of([(one.home, one.away) for one in table.open], points, results)


def reach_of(
    open_matches: Sequence[Match],
    points: Mapping[int, Fraction],
    results: Sequence[tuple[Fraction, Fraction]],
) -> dict[int, Reach]:
    """The same out of plain figures: who is still to meet, the points now, what a match may give
    to its two sides."""
    scale = lcm(*(x.denominator for x in points.values()),
                *(x.denominator for both in results for x in both))  # fmt: skip
    now = {team: int(value * scale) for team, value in points.items()}
    outcomes = sorted({(int(a * scale), int(b * scale)) for a, b in results})
    return {
        team: Reach(_best(team, open_matches, now, outcomes),
                    _worst(team, open_matches, now, outcomes))
        for team in points
    }  # fmt: skip


def _best(
    team: int, matches: Sequence[Match], now: Mapping[int, int], outcomes: Sequence[Outcome]
) -> int | None:
    most, least = max(a for a, _b in outcomes), min(b for _a, b in outcomes)
    if (most, least) not in outcomes:
        return None
    mine, others, gains = _own_matches(team, matches, now, (most, least))
    line = now[team] + mine
    caps = {other: line - gains[other] for other in gains}
    over = fewest_over(caps, others, outcomes)
    return None if over is None else over + 1


def _worst(
    team: int, matches: Sequence[Match], now: Mapping[int, int], outcomes: Sequence[Outcome]
) -> int | None:
    least, most = min(a for a, _b in outcomes), max(b for _a, b in outcomes)
    if (least, most) not in outcomes:
        return None
    mine, others, gains = _own_matches(team, matches, now, (least, most))
    line = now[team] + mine
    played = Counter(one for match in others for one in match)
    lost = [(most - a, most - b) for a, b in outcomes]
    caps = {other: gains[other] + most * played[other] - line for other in gains}
    below = fewest_over(caps, others, lost)
    return None if below is None else len(caps) - below + 1


def _own_matches(
    team: int, matches: Sequence[Match], now: Mapping[int, int], outcome: Outcome
) -> tuple[int, list[Match], dict[int, int]]:
    """What the team gains if its matches all end so, the other matches, the others' points."""
    points = {other: value for other, value in now.items() if other != team}
    mine, others = 0, []
    for match in matches:
        if team in match:
            mine += outcome[0]
            points[match[1] if match[0] == team else match[0]] += outcome[1]
        else:
            others.append(match)
    return mine, others, points


def fewest_over(
    caps: Mapping[int, int], matches: Sequence[Match], outcomes: Sequence[Outcome]
) -> int | None:
    """How few teams must gain more than their cap from these matches; None if it takes too long.

    `outcomes` are what a match may give to its two sides, either way round.
    """
    lowest, steps, step = _steps(outcomes)
    if not steps:
        return _tried(caps, matches, outcomes)
    played = Counter(one for match in matches for one in match)
    room = {team: cap - lowest * played[team] for team, cap in caps.items()}
    over = sum(1 for value in room.values() if value < 0)
    units = {team: value // step for team, value in room.items() if value >= 0}
    pairs = Counter(frozenset(match) for match in matches if set(match) <= set(units))
    shared = {pair: count * steps for pair, count in pairs.items()}
    more = _fewest_passing(units, shared)
    return None if more is None else over + more


def _steps(outcomes: Sequence[Outcome]) -> tuple[int, int, int]:
    """The least a side gets, and in how many steps of what size the rest is shared out; no steps
    where it is not shared out evenly."""
    values = sorted({a for a, _b in outcomes})
    total = values[0] + values[-1]
    step = values[1] - values[0] if len(values) > 1 else 1
    even = list(range(values[0], values[-1] + 1, step)) == values
    if len(values) < 2 or not even or any(a + b != total for a, b in outcomes):
        return 0, 0, 0
    return values[0], len(values) - 1, step


def _fewest_passing(units: Mapping[int, int], shared: Mapping[frozenset[int], int]) -> int | None:
    """How few teams must be let through so that the others can take up what is left: one of every
    group that is too small for its own matches."""
    waiting: list[frozenset[int]] = [frozenset()]
    tried = 0
    while waiting:
        longer: dict[frozenset[int], None] = {}
        for passing in waiting:
            tried += 1
            if tried > TRIED:
                return None
            crowded = _crowded(units, shared, passing)
            if not crowded:
                return len(passing)
            longer |= dict.fromkeys(passing | {team} for team in sorted(crowded))
        waiting = list(longer)
    return None


def _crowded(
    units: Mapping[int, int], shared: Mapping[frozenset[int], int], passing: frozenset[int]
) -> set[int]:
    """Teams whose matches among themselves hold more than they can take; none if all fits.

    The units of every match are dealt out, and who has too many passes some on along a shortest
    chain of opponents to somebody with room: augmenting paths of a flow.
    """
    dealt: dict[int, dict[int, int]] = {team: {} for team in units}
    room = dict(units)
    for pair, count in shared.items():
        if pair & passing:
            continue
        one, other = sorted(pair)
        first = min(count, max(0, room[one] - max(0, room[other] - count)) if room[one] > 0 else 0)
        dealt[one][other], dealt[other][one] = first, count - first
        room[one] -= first
        room[other] -= count - first
    for team in room:
        while room[team] < 0:
            seen = _relieve(team, room, dealt)
            if seen:
                return seen
    return set()


def _relieve(team: int, room: dict[int, int], dealt: Mapping[int, dict[int, int]]) -> set[int]:
    """Pass units on from a team with too many; the teams reached where nobody has room."""
    before: dict[int, int] = {team: team}
    order = [team]
    for at in order:
        for other, count in dealt[at].items():
            if count and other not in before:
                before[other] = at
                order.append(other)
                if room[other] > 0:
                    _pass_on(other, before, room, dealt)
                    return set()
    return set(order)


def _pass_on(
    end: int, before: Mapping[int, int], room: dict[int, int], dealt: Mapping[int, dict[int, int]]
) -> None:
    """As much as fits along the chain that leads to `end`."""
    chain, at = [], end
    while before[at] != at:
        chain.append((before[at], at))
        at = before[at]
    count = min(room[end], -room[at], *(dealt[one][other] for one, other in chain))
    for one, other in chain:
        dealt[one][other] -= count
        dealt[other][one] = dealt[other].get(one, 0) + count
    room[at] += count
    room[end] -= count


def _tried(
    caps: Mapping[int, int], matches: Sequence[Match], outcomes: Sequence[Outcome]
) -> int | None:
    """Match by match, keeping of each team only what room it has left while that matters."""
    if len(matches) > FEW:
        return None
    lowest = min(min(one) for one in outcomes)
    gains = _lightest(outcomes, lowest)
    most = max(max(one) - lowest for one in outcomes)
    rest = Counter(team for match in matches for team in match)
    start = {
        team: _clipped(cap - lowest * rest[team], rest[team] * most) for team, cap in caps.items()
    }
    states = {tuple(sorted(start.items()))}
    for one, other in sorted(matches, key=sorted):
        rest.subtract((one, other))
        left = {team: rest[team] * most for team in (one, other)}
        states = {_after(state, {one: a, other: b}, left) for state in states for a, b in gains}
        if len(states) > STATES:
            return None
    return min(sum(room < 0 for _team, room in state) for state in states)


def _lightest(outcomes: Sequence[Outcome], lowest: int) -> list[Outcome]:
    """What a match can give above the least, without results that give both sides no less."""
    both = {(a - lowest, b - lowest) for x, y in outcomes for a, b in ((x, y), (y, x))}
    return [o for o in both if not any(p != o and p[0] <= o[0] and p[1] <= o[1] for p in both)]


Rooms = tuple[tuple[int, int], ...]


def _after(rooms: Rooms, gained: Mapping[int, int], left: Mapping[int, int]) -> Rooms:
    """The teams' rooms after a match: who had none left still has none."""
    return tuple(
        (team, _clipped(room - gained[team] if room >= 0 else room, left[team]))
        if team in gained
        else (team, room)
        for team, room in rooms
    )


def _clipped(room: int, most: int) -> int:
    """What matters of a team's room: none left, or more than all it can still gain."""
    return -1 if room < 0 else min(room, most)
