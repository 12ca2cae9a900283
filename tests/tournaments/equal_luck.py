"""Progressive nights of equally good players: who comes where, by turns at small tables."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from random import Random

from league.pairing.movements import Finished, Moment, preset
from league.pairing.seating import PlayedRound
from league.ranking.measures import points_made_up

WORTH = (1, 1, 1, 1, 1, 1, 1, 2, 2, 4)
HANDS, ROUNDS = 8, 8


@lru_cache(maxsize=64)
def played(players: int, seed: int) -> tuple[Counter, Counter, dict]:
    """One night: turns at small tables or sitting out, games won, points of each round at four."""
    rng, history, last = Random(seed), [], ()
    wins, away, points = Counter(), Counter(), defaultdict(list)
    for _number in range(ROUNDS):
        moment = Moment(tuple(range(players)), rng.randrange(2**31), last, tuple(history))
        seated = preset("winners-up").next_round(moment)
        history.append(PlayedRound(seated.tables, seated.out))
        last = tuple(_by_luck(table, rng, points) for table in seated.tables)
        for table in last:
            away.update(table.seats if len(table.seats) < 4 else ())
            wins.update(table.winners)
        away.update(seated.out)
    return away, wins, points


def a_night(players: int, seed: int, *, made_up: bool = True) -> Iterator[tuple[int, float]]:
    """Of everybody: their turns at small tables or sitting out, and their place (the mean of the
    places they share), ranked by points and then games won as a tournament does."""
    away, wins, points = played(players, seed)
    given = points_made_up(points, away) if made_up else {}
    score = {
        one: (sum(points.get(one, ()), Fraction(0)) + given.get(one, 0), wins[one])
        for one in range(players)
    }
    for one, own in score.items():
        better = sum(other > own for other in score.values())
        level = sum(other == own for other in score.values())
        yield away[one], better + (level + 1) / 2


def _by_luck(table, rng, points):
    sides = 2 if len(table) == 4 else len(table)
    score = [0] * sides
    for _hand in range(HANDS):
        score[rng.randrange(sides)] += rng.choice(WORTH)
    if len(table) == 4:
        for position, one in enumerate(table):
            points[one].append(Fraction(score[position % 2]))
    best = [side for side in range(sides) if score[side] == max(score)]
    side = rng.choice(best)
    return Finished(table, table[side::2] if len(table) == 4 else table[side : side + 1])


def expected_places(
    players: int, nights: int, *, made_up: bool = True
) -> dict[int, tuple[float, float, int]]:
    """By turns at small tables: how far the mean place is from the middle one, its standard error,
    and how many places that is the mean of."""
    groups: dict[int, list[float]] = defaultdict(list)
    for night in range(nights):
        for turns, place in a_night(players, 1000 * night + players, made_up=made_up):
            groups[turns].append(place - (players + 1) / 2)
    return {
        turns: (sum(own) / len(own), (players**2 / 12 / len(own)) ** 0.5, len(own))
        for turns, own in sorted(groups.items())
    }
