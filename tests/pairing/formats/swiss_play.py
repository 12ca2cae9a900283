"""Plays a Swiss at random, and judges a round by its own reckoning."""

import random
from collections import Counter
from dataclasses import dataclass, field

from league.pairing.formats.pairings import PlayedMatch
from league.pairing.formats.swiss import swiss_round
from tests.pairing.formats.matching import least

A_REMATCH = 10**6


@dataclass
class Swiss:
    """A tournament under way."""

    entries: list
    played: list = field(default_factory=list)
    byes: Counter = field(default_factory=Counter)
    withdrawn: set = field(default_factory=set)
    missed: set = field(default_factory=set)

    def draw(self, seed, entries=None, played=None):
        return swiss_round(
            self.entries if entries is None else entries,
            self.played if played is None else played,
            byes=self.byes,
            withdrawn=self.withdrawn,
            missed=self.missed,
            seed=seed,
        )

    def play(self, pairings, rng):
        for one in pairings:
            if one.second is None:
                self.byes[one.first] += 1
            else:
                self.played.append(result(one.first, one.second, rng))

    @property
    def here(self):
        return [one for one in self.entries if one not in self.withdrawn]

    def times_met(self, one, other):
        return sum({one, other} == {m.first, m.second} for m in self.played if not m.walkover)

    def score(self, one):
        """Match points: 1 for a win or a bye, a half for a draw."""
        won = sum(match.winner == one for match in self.played)
        drawn = sum(m.winner is None and one in (m.first, m.second) for m in self.played)
        return self.byes[one] + won + drawn / 2

    def standing(self, one):
        """What the lowest placed is told by."""
        ahead = sum(
            (m.first_points - m.second_points) * (1 if m.first == one else -1)
            for m in self.played
            if one in (m.first, m.second)
        )
        return self.score(one), ahead


def result(one, other, rng):
    """A game to 10; one in eight matches is drawn."""
    less = rng.randrange(10)
    winner = rng.choice((one, other))
    if rng.random() < 1 / 8:
        return PlayedMatch(one, other, less, less, None)
    scores = (10, less) if winner == one else (less, 10)
    return PlayedMatch(one, other, *scores, winner)


def costs(swiss, people):
    """What each meeting costs: far more for a rematch than for any difference of scores."""
    scores = {one: swiss.score(one) for one in people}
    met = Counter(frozenset((m.first, m.second)) for m in swiss.played if not m.walkover)
    return [
        [
            met[frozenset((a, b))] ** 2 * A_REMATCH + round(4 * (scores[a] - scores[b]) ** 2)
            for b in people
        ]
        for a in people
    ]


def cost_of(swiss, pairings):
    """What a round costs by the same reckoning."""
    met = [(one.first, one.second) for one in pairings if one.second is not None]
    return sum(
        swiss.times_met(a, b) ** 2 * A_REMATCH + round(4 * (swiss.score(a) - swiss.score(b)) ** 2)
        for a, b in met
    )


def faults(swiss, pairings, cheapest=least):
    """What is wrong with a round; nothing when no better one can be drawn."""
    found = []
    named = [one for p in pairings for one in (p.first, p.second) if one is not None]
    if Counter(named) != Counter(swiss.here):
        found.append("not everybody is in it once")
    alone = [one.first for one in pairings if one.second is None]
    if len(alone) != len(swiss.here) % 2:
        found.append("a bye too many or too few")
    paired = [one for one in swiss.here if one not in alone]
    cost = cost_of(swiss, pairings)
    if cost > _at_least(swiss, paired) and cost > cheapest(costs(swiss, paired)):
        found.append("nearer scores could meet")
    for one in alone:
        found += _faults_of_bye(swiss, one, cost // A_REMATCH, cheapest)
    return found


def _at_least(swiss, people):
    """No round costs less than neighbours in order of score would, had nobody met."""
    scores = sorted(swiss.score(one) for one in people)
    twos = zip(scores[::2], scores[1::2], strict=True)
    return sum(round(4 * (a - b) ** 2) for a, b in twos)


def _faults_of_bye(swiss, alone, rematches, cheapest):
    fewest = min(swiss.byes[one] for one in swiss.here)
    if swiss.byes[alone] > fewest:
        return ["a bye to one who has had more than another"]
    candidates = [one for one in swiss.here if swiss.byes[one] == fewest]
    candidates = [one for one in candidates if one not in swiss.missed] or candidates
    if alone not in candidates:
        return ["a bye to one who has missed a round"]
    for other in candidates:
        if other == alone:
            continue
        lower = swiss.standing(other) < swiss.standing(alone)
        if not (lower or rematches):
            continue
        rest = [one for one in swiss.here if one != other]
        needed = cheapest(costs(swiss, rest)) // A_REMATCH if rest else 0
        if needed < rematches:
            return ["a rematch that another bye would avoid"]
        if lower and needed == rematches:
            return ["a bye to somebody who is not the lowest placed"]
    return []


def tournament(entries, seed, rounds):
    """Plays so many rounds and gives, before each is played, the state and the round drawn."""
    rng = random.Random(seed)
    swiss = Swiss(list(range(1, entries + 1)))
    for number in range(rounds):
        drawn = swiss.draw(seed + number)
        yield swiss, drawn
        swiss.play(drawn, rng)
