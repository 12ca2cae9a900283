"""Why seven players in six rounds stay above the study's figure: turns come before repeats."""

from collections import Counter
from itertools import combinations

SEVEN = range(7)
TRIOS = list(combinations(SEVEN, 3))
FEWEST = 12 * 3 + 9 * 1  # 54 meetings on 21 pairs: twelve pairs meet three times, nine twice


def _repeats(trios):
    """Meetings beyond the first, counted by pairs of rounds; who has the trio says it all."""
    met = Counter()
    for trio in trios:
        for table in (trio, [one for one in SEVEN if one not in trio]):
            met.update(combinations(table, 2))
    return sum(times * (times - 1) // 2 for times in met.values())


def _fair_evenings(trios, times):
    """Every way of giving six rounds' trios out in which nobody has one twice before all."""
    if len(trios) == 6:
        if max(times) - min(times) == 1:
            yield trios
        return
    for trio in TRIOS:
        spared = min(times[one] for one in SEVEN if one not in trio)
        unfair = any(one in trios[-1] and times[one] > spared for one in trio)
        had = [count + (one in trio) for one, count in enumerate(times)]
        if max(had) <= 3 and not unfair:
            yield from _fair_evenings([*trios, trio], had)


def test_no_evening_of_seven_has_both_fair_turns_and_fewest_repeats():
    fair = list(_fair_evenings([(0, 1, 2)], [1, 1, 1, 0, 0, 0, 0]))
    assert fair
    assert min(map(_repeats, fair)) > FEWEST


def test_without_turns_such_an_evening_exists():
    trios = [(1, 3, 5), (2, 3, 6), (0, 5, 6), (1, 4, 6), (0, 3, 4), (0, 1, 2)]
    assert _repeats(trios) == FEWEST
