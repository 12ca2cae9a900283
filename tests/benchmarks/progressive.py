"""Expected places of equal players on progressive nights of 8 to 60, by turns at small tables.

    python -m tests.benchmarks.progressive [nights] [as-before]

Prints for every number of players how far the mean place of those with so many turns lies from the
middle of the table, in standard errors, and the spread of all of these: 1 is pure noise.
`as-before` leaves out the points made up for small tables, to see what they are for.
"""

import sys
from statistics import mean

from tests.tournaments.equal_luck import expected_places

ENOUGH = 20
"""Places in a group that a mean is taken of."""


def main(nights: int, *, made_up: bool = True) -> None:
    sys.stdout.write(
        "| players | turns: places from the middle (standard errors) |\n|---|---|" + "\n"
    )
    every = []
    for players in range(8, 61):
        found = expected_places(players, nights, made_up=made_up)
        cells = []
        for turns, (far, error, many) in found.items():
            if many >= ENOUGH:
                every.append(far / error)
                cells.append(f"{turns}: {far:+.2f} ({far / error:+.1f})")
        sys.stdout.write(f"| {players} | {'; '.join(cells)} |" + "\n")
    spread = mean(one * one for one in every) ** 0.5
    largest = max(map(abs, every))
    words = f"{len(every)} means; spread {spread:.2f} standard errors, largest {largest:.1f}."
    sys.stdout.write(f"\n{words}\n")


if __name__ == "__main__":
    main(int((sys.argv[1:] or ["100"])[0]), made_up="as-before" not in sys.argv)
