"""Draws Swiss tournaments: CPU time of the slowest round, rematches, byes, differences of score.

python -m tests.benchmarks.swiss
"""

import time
from math import log2

from tests.pairing.formats.swiss_play import Swiss, tournament

FIELDS = (8, 9, 16, 33, 64, 100, 200, 201)


def main():
    head = f"{'pairs':>6}{'rounds':>8}{'slowest, s':>12}{'mean, s':>9}"
    print(head + f"{'rematches':>11}{'byes at most':>14}{'mean gap':>10}")  # noqa: T201
    for entries in FIELDS:
        print(_row(entries, int(log2(entries)) + 2))  # noqa: T201
    print(_row(200, 40), " a long one")  # noqa: T201


def _row(entries, rounds):
    seconds, gaps = [], []
    swiss = Swiss([])
    begun = time.process_time()
    for swiss, drawn in tournament(entries, 1, rounds):
        seconds.append(time.process_time() - begun)
        met = [one for one in drawn if one.second is not None]
        gaps += [abs(swiss.score(one.first) - swiss.score(one.second)) for one in met]
        begun = time.process_time()
    met = [frozenset((one.first, one.second)) for one in swiss.played]
    times = f"{max(seconds):>12.2f}{sum(seconds) / rounds:>9.2f}"
    counts = f"{len(met) - len(set(met)):>11}{max(swiss.byes.values(), default=0):>14}"
    return f"{entries:>6}{rounds:>8}{times}{counts}{sum(gaps) / len(gaps):>10.2f}"


if __name__ == "__main__":
    main()
