"""Meetings put into as few rounds as can be, so that nobody is wanted twice in one of them."""

from collections import Counter
from collections.abc import Collection, Hashable, Sequence

from league.pairing.rng import Rng

TRIES, ENOUGH = 12, 8000
"""How often a number of rounds is tried, each time with another seed, before one more is allowed;
less often where there are so many meetings in all."""
MOVES = 12
"""How often a try may move, for each meeting there is."""
PUT_ASIDE = 1000
"""What it counts to put a meeting aside, next to how often that one has been put aside before."""

Wants = tuple[Hashable, ...]
"""Whom, and what, a meeting takes for a whole round: its two sides, and a venue for one match."""


def pack_rounds(
    meetings: Sequence[Wants],
    *,
    least: int,
    most: int,
    seed: int,
    taken: Sequence[Collection[Hashable]] = (),
) -> list[int] | None:
    """The round (from 0) of each meeting, in as few as are found; None where `most` do not do.

    No two meetings of a round want the same; `taken` says what a round does not have to give. From
    `least` on each number of rounds is tried some times, by hill-climbing as one finds
    one-factorisations (Dinitz and Stinson, 1987): a meeting goes where it puts fewest others
    aside, and these look for another place.
    """
    tries = max(2, min(TRIES, ENOUGH // max(1, len(meetings))))
    for rounds in range(least, most + 1):
        for attempt in range(tries):
            rng = Rng(seed * TRIES + attempt)
            found = _climb(meetings, rounds, rng, taken)
            if found is not None:
                return found
    return None


def _climb(
    meetings: Sequence[Wants],
    rounds: int,
    rng: Rng,
    taken: Sequence[Collection[Hashable]],
) -> list[int] | None:
    rows: list[dict[Hashable, int]] = [{} for _ in range(rounds)]
    closed = [frozenset(one) for one in taken[:rounds]]
    closed += [frozenset()] * (rounds - len(closed))
    place, aside = [-1] * len(meetings), [0] * len(meetings)
    waiting = list(range(len(meetings)))
    for _move in range(MOVES * len(meetings) + 1):
        if not waiting:
            return place
        chosen = rng.below(len(waiting))
        waiting[chosen], waiting[-1] = waiting[-1], waiting[chosen]
        one = waiting.pop()
        where = _best(meetings[one], rows, closed, aside, rng)
        if where is None:
            return None
        for other in {rows[where][want] for want in meetings[one] if want in rows[where]}:
            aside[other] += 1
            waiting.append(other)
            for want in meetings[other]:
                del rows[where][want]
        for want in meetings[one]:
            rows[where][want] = one
        place[one] = where
    return place if not waiting else None


def _best(
    wants: Wants,
    rows: Sequence[dict[Hashable, int]],
    closed: Sequence[Collection[Hashable]],
    aside: Sequence[int],
    rng: Rng,
) -> int | None:
    """The round in which a meeting puts fewest others aside; among equals one at random."""
    least = 0
    best: list[int] = []
    for number, row in enumerate(rows):
        if closed[number] and not closed[number].isdisjoint(wants):  # type: ignore[attr-defined]
            continue
        cost, others = 0, []
        for want in wants:
            other = row.get(want)
            if other is not None and other not in others:
                others.append(other)
                cost += PUT_ASIDE + aside[other]
        if not best or cost < least:
            least, best = cost, [number]
        elif cost == least:
            best.append(number)
    return best[rng.below(len(best))] if best else None


def fewest(meetings: Sequence[Wants], at_once: int) -> int:
    """No fewer rounds can do: whoever meets most needs one for each, and a round has so many
    meetings `at_once`."""
    each = Counter(want for one in meetings for want in one)
    return max([*each.values(), -(-len(meetings) // at_once)], default=0)
