"""The best and the worst place a team can still reach, by points alone. Pure and exact.

Assumes that all games of every open match are played. Level teams count as below for the best
place and as above for the worst. For the best place a team takes all it can from its own matches,
and the question is how few others must pass it; the worst place is the mirror image.

Where the points of a match are divided in equal steps (two for a win, one per game) this is a flow
problem: if the points from a group's matches do not fit under the limit, at least one team of the
group has to pass, and each of them is tried in turn. Other rules are searched outcome by outcome
while there are few. If neither finishes within its limit, the place is None: no claim is made.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from league.ranking.team_league.rules import LeagueRules
from league.ranking.team_league.table import LeagueTable

MOST_ATTEMPTS, MOST_STATES, MOST_MATCHES = 200, 4_000, 24
Outcome = tuple[int, int]
Match = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Reach:
    """The best and the worst place; None where no claim is made."""

    best: int | None = None
    worst: int | None = None


def reaches(table: LeagueTable, rules: LeagueRules) -> dict[int, Reach]:
    """The reach of every team that has not left. Without open matches, best and worst are the
    current place. Where slams count, the number of games in a match is not known in advance and no
    claim is made."""
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
    return reach_of([(match.home, match.away) for match in table.open], points, results)


def cannot_lead(table: LeagueTable, rules: LeagueRules) -> frozenset[int]:
    """The teams that stay behind another even if they take the most points from each of their open
    matches, and it the fewest. No claim is made where `reaches` makes none, nor while a card is not
    confirmed."""
    is_provisional = any(record.provisional for record in table.records.values())
    if not table.open or is_provisional or (rules.slam and rules.repeats):
        return frozenset()
    games = [Fraction(n) for n in range(rules.games + 1)]
    earned = [rules.earned(a, b) for a in games for b in games if a + b <= rules.games]
    most = max(*earned, rules.walkover.win)
    least = min(*earned, rules.walkover.loss) - (rules.late.points if rules.late else 0)
    matches_left = Counter(team for match in table.open for team in match.teams)
    points = {line.who: table.records[line.who].points for line in table.playing}
    to_reach = max(value + least * matches_left[team] for team, value in points.items())
    return frozenset(
        team for team, value in points.items() if value + most * matches_left[team] < to_reach
    )


def reach_of(
    open_matches: Sequence[Match],
    points: Mapping[int, Fraction],
    results: Sequence[tuple[Fraction, Fraction]],
) -> dict[int, Reach]:
    """The reach of every team in `points` (the current points), given the open matches and the
    possible results of a match as points of its two sides."""
    scale = lcm(*(value.denominator for value in points.values()),
                *(value.denominator for result in results for value in result))  # fmt: skip
    scaled_points = {team: int(value * scale) for team, value in points.items()}
    outcomes = sorted({(int(a * scale), int(b * scale)) for a, b in results})
    return {
        team: Reach(_best_place(team, open_matches, scaled_points, outcomes),
                    _worst_place(team, open_matches, scaled_points, outcomes))
        for team in points
    }  # fmt: skip


def _best_place(
    team: int, matches: Sequence[Match], points: Mapping[int, int], outcomes: Sequence[Outcome]
) -> int | None:
    win, loss = max(a for a, _b in outcomes), min(b for _a, b in outcomes)
    if (win, loss) not in outcomes:
        return None
    own_points, other_matches, final_points = _after_own_matches(team, matches, points, (win, loss))
    limit = points[team] + own_points
    caps = {opponent: limit - final_points[opponent] for opponent in final_points}
    passing = fewest_over(caps, other_matches, outcomes)
    return None if passing is None else passing + 1


def _worst_place(
    team: int, matches: Sequence[Match], points: Mapping[int, int], outcomes: Sequence[Outcome]
) -> int | None:
    loss, win = min(a for a, _b in outcomes), max(b for _a, b in outcomes)
    if (loss, win) not in outcomes:
        return None
    own_points, other_matches, final_points = _after_own_matches(team, matches, points, (loss, win))
    limit = points[team] + own_points
    matches_by_team = Counter(side for match in other_matches for side in match)
    mirrored = [(win - a, win - b) for a, b in outcomes]
    caps = {
        opponent: final_points[opponent] + win * matches_by_team[opponent] - limit
        for opponent in final_points
    }
    staying_below = fewest_over(caps, other_matches, mirrored)
    return None if staying_below is None else len(caps) - staying_below + 1


def _after_own_matches(
    team: int, matches: Sequence[Match], points_now: Mapping[int, int], outcome: Outcome
) -> tuple[int, list[Match], dict[int, int]]:
    """What follows if all matches of the team end with `outcome`: the points it gains, the matches
    without it, and the points of the other teams."""
    points = {opponent: value for opponent, value in points_now.items() if opponent != team}
    own_points, other_matches = 0, []
    for match in matches:
        if team in match:
            own_points += outcome[0]
            points[match[1] if match[0] == team else match[0]] += outcome[1]
        else:
            other_matches.append(match)
    return own_points, other_matches, points


def fewest_over(
    caps: Mapping[int, int], matches: Sequence[Match], outcomes: Sequence[Outcome]
) -> int | None:
    """The fewest teams that must gain more than their cap from these matches; None if finding out
    takes too long.

    `outcomes` are the possible points of the two sides of a match, either way round.
    """
    lowest, steps, step = _equal_steps(outcomes)
    matches_by_team = Counter(side for match in matches for side in match)
    room = {team: cap - lowest * matches_by_team[team] for team, cap in caps.items()}
    over_already = sum(1 for value in room.values() if value < 0)
    if over_already == len(caps):
        return over_already
    if not steps:
        return _search_outcomes(caps, matches, outcomes)
    units = {team: value // step for team, value in room.items() if value >= 0}
    pairs = Counter(frozenset(match) for match in matches if set(match) <= set(units))
    shared = {pair: count * steps for pair, count in pairs.items()}
    passing = _fewest_passing(units, shared)
    return None if passing is None else over_already + passing


def _equal_steps(outcomes: Sequence[Outcome]) -> tuple[int, int, int]:
    """The least points of a side, and the number and size of the equal steps in which a match
    divides the rest. (0, 0, 0) where it is not divided in equal steps."""
    values = sorted({a for a, _b in outcomes})
    total = values[0] + values[-1]
    step = values[1] - values[0] if len(values) > 1 else 1
    even = list(range(values[0], values[-1] + 1, step)) == values
    if len(values) < 2 or not even or any(a + b != total for a, b in outcomes):
        return 0, 0, 0
    return values[0], len(values) - 1, step


def _fewest_passing(units: Mapping[int, int], shared: Mapping[frozenset[int], int]) -> int | None:
    """The fewest teams that must pass their cap so that the others can absorb the remaining units:
    at least one of every group whose matches hold more than the group can take."""
    candidates: list[frozenset[int]] = [frozenset()]
    attempts = 0
    while candidates:
        next_candidates: dict[frozenset[int], None] = {}
        for passing in candidates:
            attempts += 1
            if attempts > MOST_ATTEMPTS:
                return None
            crowded = _crowded_teams(units, shared, passing)
            if not crowded:
                return len(passing)
            next_candidates |= dict.fromkeys(passing | {team} for team in sorted(crowded))
        candidates = list(next_candidates)
    return None


def _crowded_teams(
    units: Mapping[int, int], shared: Mapping[frozenset[int], int], passing: frozenset[int]
) -> set[int]:
    """Teams whose matches among themselves hold more units than they can take; empty if all fit.

    The units of every match are dealt out; a team with too many then passes some on along a
    shortest chain of opponents to a team with room (an augmenting path of a flow).
    """
    dealt: dict[int, dict[int, int]] = {team: {} for team in units}
    room = dict(units)
    for pair, count in shared.items():
        if pair & passing:
            continue
        team_a, team_b = sorted(pair)
        units_a = min(
            count, max(0, room[team_a] - max(0, room[team_b] - count)) if room[team_a] > 0 else 0
        )
        dealt[team_a][team_b], dealt[team_b][team_a] = units_a, count - units_a
        room[team_a] -= units_a
        room[team_b] -= count - units_a
    for team in room:
        while room[team] < 0:
            crowded = _relieve(team, room, dealt)
            if crowded:
                return crowded
    return set()


def _relieve(team: int, room: dict[int, int], dealt: Mapping[int, dict[int, int]]) -> set[int]:
    """Pass units on from a team with too many. Returns the teams reached if none has room."""
    previous: dict[int, int] = {team: team}
    reached = [team]
    for current in reached:
        for opponent, count in dealt[current].items():
            if count and opponent not in previous:
                previous[opponent] = current
                reached.append(opponent)
                if room[opponent] > 0:
                    _pass_on(opponent, previous, room, dealt)
                    return set()
    return set(reached)


def _pass_on(
    end: int, previous: Mapping[int, int], room: dict[int, int], dealt: Mapping[int, dict[int, int]]
) -> None:
    """Pass on as many units as fit along the chain that leads to `end`."""
    chain, current = [], end
    while previous[current] != current:
        chain.append((previous[current], current))
        current = previous[current]
    count = min(room[end], -room[current], *(dealt[giver][taker] for giver, taker in chain))
    for giver, taker in chain:
        dealt[giver][taker] -= count
        dealt[taker][giver] = dealt[taker].get(giver, 0) + count
    room[current] += count
    room[end] -= count


def _search_outcomes(
    caps: Mapping[int, int], matches: Sequence[Match], outcomes: Sequence[Outcome]
) -> int | None:
    """`fewest_over` by searching all outcomes match by match. A state holds only as much of each
    team's room as can still matter."""
    if len(matches) > MOST_MATCHES:
        return None
    lowest = min(min(outcome) for outcome in outcomes)
    gains = _smallest_gains(outcomes, lowest)
    largest_gain = max(max(outcome) - lowest for outcome in outcomes)
    matches_left = Counter(team for match in matches for team in match)
    start = {
        team: _clip_room(cap - lowest * matches_left[team], matches_left[team] * largest_gain)
        for team, cap in caps.items()
    }
    states = {tuple(sorted(start.items()))}
    for team_a, team_b in sorted(matches, key=sorted):
        matches_left.subtract((team_a, team_b))
        most_gain = {team: matches_left[team] * largest_gain for team in (team_a, team_b)}
        states = {
            _rooms_after(state, {team_a: a, team_b: b}, most_gain)
            for state in states
            for a, b in gains
        }
        if len(states) > MOST_STATES:
            return None
    return min(sum(room < 0 for _team, room in state) for state in states)


def _smallest_gains(outcomes: Sequence[Outcome], lowest: int) -> list[Outcome]:
    """The possible gains of a match above the least, without those that another one undercuts."""
    gains = {(a - lowest, b - lowest) for x, y in outcomes for a, b in ((x, y), (y, x))}
    return [
        outcome
        for outcome in gains
        if not any(
            smaller != outcome and smaller[0] <= outcome[0] and smaller[1] <= outcome[1]
            for smaller in gains
        )
    ]


Rooms = tuple[tuple[int, int], ...]


def _rooms_after(rooms: Rooms, gained: Mapping[int, int], most_gain: Mapping[int, int]) -> Rooms:
    """The room of each team after a match; a team without room stays so."""
    return tuple(
        (team, _clip_room(room - gained[team] if room >= 0 else room, most_gain[team]))
        if team in gained
        else (team, room)
        for team, room in rooms
    )


def _clip_room(room: int, most_gain: int) -> int:
    """A team's room, limited to what matters: -1 if exceeded, at most what it can still gain."""
    return -1 if room < 0 else min(room, most_gain)
