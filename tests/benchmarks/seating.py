"""Measures the seating planner and writes docs/seating-figures.md.

    python -m tests.benchmarks.seating            all figures (some twenty minutes of one core)
    python -m tests.benchmarks.seating --quick    without the thorough searches
    python -m tests.benchmarks.seating --large    only the part about tables of five to eight

Every plan is judged by the independent checker where it is beside the checkout, else by a recount.
"""

import argparse
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from league.pairing.movements import Finished, Moment, preset
from league.pairing.progressive import Steps, by_results
from league.pairing.seating import VERSION, PlayedRound, composition, plan_evening, plan_round
from league.pairing.seating.table_sizes import LARGE_POLICIES
from tests.benchmarks.seating_reference import LIVE, RATIOS, REPEATS_BY_CHANCE
from tests.pairing.seating.evenings import night
from tests.pairing.seating.judging import checker, judge

FIGURES = Path(__file__).parents[2] / "docs" / "seating-figures.md"
LARGE = "## With tables of five, six and eight"
ROOMS = sorted({(n, n - 1) for n in range(4, 17)} | {(n, 8) for n in range(4, 51)})


LARGE_TEXT = """

Evenings of `plan_evening(range(n), rounds, seed=1, policy=...)` for every number from five to
sixty, at most eight rounds; policies that make the same tables share a row. Numbers that make
tables of two to four only have the figures above, where two are above 1.05: five at 3 + 2 (every
evening was tried, none is better) and seven at 4 + 3 (turns at the small table come before
repeats). J and its bound count partners and opponents by the side. These evenings were found
beforehand, as those of four are; planning one takes at most {longest:.2f} CPU seconds. The worst
of {rooms} rooms is at {worst:.4f} of the bound.

| players | tables | policies | rounds | J | bound | ratio |
|---|---|---|---|---|---|---|
{rows}
"""


def main() -> None:
    """Measure everything and write the page."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--quick", action="store_true", help="no thorough searches")
    options.add_argument("--evenings", type=int, default=1000)
    options.add_argument("--large", action="store_true", help="only tables of five to eight")
    chosen = options.parse_args()
    if chosen.large:
        before = FIGURES.read_text(encoding="utf-8").split(LARGE)[0]
        FIGURES.write_text(before + _large_tables(), encoding="utf-8")
        return
    parts = [
        _head(),
        _ahead(thorough=not chosen.quick),
        _live(),
        _large(),
        _nights(chosen.evenings),
        _crossings(),
        _large_tables(),
    ]
    FIGURES.write_text("\n".join(parts), encoding="utf-8")


def _say(line: str) -> None:
    sys.stderr.write(line + "\n")


def _timed(work: Callable[[], Any]) -> tuple[Any, float]:
    start = time.process_time()
    return work(), time.process_time() - start


def _head() -> str:
    who = "the independent checker" if checker() else "a recount (the checker was not at hand)"
    return f"""# How fair the seating is: figures

Made by `python -m tests.benchmarks.seating`, planner version {VERSION}, judged by {who}. What the
measures mean is explained in [seating.md](seating.md). Times are CPU seconds of one core.
"""


def _ahead(*, thorough: bool) -> str:
    lines = [
        "## Evenings planned ahead",
        "",
        "Ratio is J over its lower bound: 1 is the best possible. *Reference* is the best figure "
        "of the study the planner was built from (annealing in compiled code, a minute a room). "
        "Repeats count those above the bound. *Turn* counts small tables given twice in a row "
        "while another player had had fewer, *range* the largest difference in small tables at any "
        "moment.",
        "",
        "| players | tables | rounds | quick | s | thorough | s | reference | partner / opponent / "
        "meeting repeats above the bound | turn | range |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for players, rounds in ROOMS:
        lines.append(_room(players, rounds, thorough=thorough))
        _say(lines[-1])
    return "\n".join([*lines, ""])


def _room(players: int, rounds: int, *, thorough: bool) -> str:
    plan, seconds = _timed(lambda: plan_evening(range(players), rounds, seed=1))
    report = judge(plan.rounds)
    best, longer, more = plan, "", ""
    if thorough:
        best, spent = _timed(
            lambda: plan_evening(range(players), rounds, seed=1, effort="thorough")
        )
        longer, more = f"{judge(best.rounds)['ratio']:.4f}", f"{spent:.2f}"
    proof = best.certificate
    repeats = (proof.partner_repeats, proof.opponent_repeats, proof.meeting_repeats)
    known = RATIOS.get((players, rounds))
    cells = [
        players,
        _sizes(players),
        rounds,
        f"{report['ratio']:.4f}",
        f"{seconds:.2f}",
        longer,
        more,
        f"{known:.4f}" if known else "",
        " / ".join(str(one.excess) for one in repeats),
        proof.twice_running,
        proof.short_range,
    ]
    return "| " + " | ".join(map(str, cells)) + " |"


def _sizes(players: int) -> str:
    sizes = composition(players).sizes
    fours = sizes.count(4)
    parts = [f"{fours} x 4" if fours > 1 else "4"] if fours else []
    return " + ".join([*parts, *(str(size) for size in sizes if size < 4)])


def _live() -> str:
    lines = [
        "## Round by round",
        "",
        "The same rooms when the length of the evening is not known; worst of three seeds.",
        "",
        "| players | rounds | ratio | reference | range | s a round |",
        "|---|---|---|---|---|---|",
    ]
    for players in (*range(5, 21), 24, 28, 32, 36, 40):
        rounds = min(players - 1, 8)
        found = [_one_by_one(players, rounds, seed * 100) for seed in range(3)]
        worst, spread, spent = (max(figures) for figures in zip(*found, strict=True))
        known = LIVE.get(players)
        lines.append(
            f"| {players} | {rounds} | {worst:.3f} | {f'{known:.3f}' if known else ''} "
            f"| {spread} | {spent:.2f} |"
        )
        _say(lines[-1])
    return "\n".join([*lines, ""])


def _one_by_one(players: int, rounds: int, seed: int) -> tuple[float, int, float]:
    """Ratio, range and the longest round of one evening seated round by round."""
    played: list[PlayedRound] = []
    spent = 0.0
    for number in range(rounds):
        past = tuple(played)
        start = time.process_time()
        plan = plan_round(range(players), seed=seed + number, history=past)
        spent = max(spent, time.process_time() - start)
        played.append(plan.played())
    report = judge(played)
    return report["ratio"], max(report["prefix_range"].values()), spent


def _large() -> str:
    """Two hundred players against a season of thirty nights of eight rounds."""
    season: list[PlayedRound] = []
    for night_number in range(30):
        for number in range(8):
            shift = night_number * 8 + number
            people = [(one * 37 + shift * 61) % 200 for one in range(200)]
            tables = tuple(tuple(people[start : start + 4]) for start in range(0, 200, 4))
            season.append(PlayedRound(tables, age=30 - night_number))
    plan, seconds = _timed(lambda: plan_round(range(200), seed=1, history=season))
    judge([plan])
    return (
        "## A large room\n\n"
        f"One round for 200 players against 240 rounds of history: {seconds:.2f} s.\n"
    )


def _nights(many: int) -> str:
    """Random evenings with arrivals, leavers and reseating of finished tables."""
    spreads: dict[bool, list[int]] = {True: [], False: []}
    broken = passed = wishful = refusals = placed = 0
    needless: list[int] = []
    start = time.process_time()
    for seed in range(many):
        it = night(seed)
        broken += len(it.broken)
        passed += it.passed_over
        needless += [seed] * len(it.needless)
        wishful += it.wishful
        refusals += it.refusals
        placed += len(it.played)
        spreads[it.whole_room].append(max(it.spread(it.short), it.spread(it.outs)))
    spent = (time.process_time() - start) / max(1, placed)
    rows = "\n".join(
        f"| {name} | {len(found)} | " + " | ".join(str(found.count(k)) for k in range(4)) + " |"
        for name, found in (
            ("the whole room each time", spreads[True]),
            ("only the tables that had finished", spreads[False]),
        )
    )
    return f"""## {many} evenings at random

4 to 26 players, nine seatings, arrivals and departures, three policies; {wishful} of them
with requests (never together, fixed pairs, not partners, together, guests). Seated twice or
forgotten: 0. Hard requests broken: {broken}. Small tables or sit-outs given to a player who had
had more of them than another who could have had it: {passed}. Of these seatings, those for
which a fairer one keeps every request (found by an exhaustive search that shares no code with the
planner): {len(needless)}{f", in evenings {needless}" if needless else ""}. Waits for
one more table because of requests or a lone player: {refusals} of {placed} seatings.
{spent:.3f} s a seating.

Largest difference in small tables or sit-outs among those who played throughout (fixed pairs,
who always need a table of four, left out):

| reseated | evenings | 0 | 1 | 2 | 3 |
|---|---|---|---|---|---|
{rows}

Reseating part of the room can only share among those who have finished, so a difference above one
can arise there although each choice was fair.
"""


def _crossings() -> str:
    lines = [
        "## Winners up, partners change",
        "",
        "Partner repeats of ten rounds, mean of thirty evenings of even luck: the less used "
        "crossing against the reference's crossing by chance.",
        "",
        "| players | less used crossing | by chance |",
        "|---|---|---|",
    ]
    for players in (12, 16, 20, 24, 32, 40):
        found = [_progressive(players, seed) for seed in range(30)]
        lines.append(
            f"| {players} | {sum(found) / len(found):.1f} | {REPEATS_BY_CHANCE[players]} |"
        )
        _say(lines[-1])
    return "\n".join([*lines, ""])


def _large_tables() -> str:
    """Every room of five to sixty that has a table of more than four, once for all its policies."""
    rooms: dict[tuple[int, str], list[str]] = {}
    for policy in LARGE_POLICIES:
        for players in range(5, 61):
            tables = composition(players, policy)
            if max(tables.sizes) > 4:
                rooms.setdefault((players, str(tables)), []).append(policy)
    rows, worst, longest = [], 1.0, 0.0
    for (players, tables), policies in sorted(rooms.items()):
        rounds = min(players - 1, 8)
        plan, spent = _timed(
            lambda: plan_evening(range(players), rounds, seed=1, policy=policies[0])  # noqa: B023
        )
        proof = plan.certificate
        worst = max(worst, float(proof.ratio))
        longest = max(longest, spent)
        cells = [
            players,
            tables,
            ", ".join(policies),
            rounds,
            f"{float(proof.cost):g}",
            f"{float(proof.cost_bound):g}",
            f"{float(proof.ratio):.4f}",
        ]
        rows.append("| " + " | ".join(map(str, cells)) + " |")
        _say(rows[-1])
    return LARGE + LARGE_TEXT.format(
        rooms=len(rooms),
        worst=worst,
        longest=longest,
        rows="\n".join(rows),
    )


def _progressive(players: int, seed: int) -> int:
    rule = preset("winners-up").next_round or by_results(Steps(-1, 0, head_losers_last=True))
    played: list[PlayedRound] = []
    last: tuple[Finished, ...] = ()
    luck = random.Random(seed)
    for number in range(10):
        moment = Moment(tuple(range(players)), seed * 100 + number, last, tuple(played))
        seated = rule(moment)
        played.append(PlayedRound(seated.tables))
        last = tuple(Finished(table, table[luck.randrange(2) :: 2]) for table in seated.tables)
    partners: dict[frozenset[Any], int] = {}
    for one in played:
        for table in one.tables:
            for pair in (frozenset(table[0::2]), frozenset(table[1::2])):
                partners[pair] = partners.get(pair, 0) + 1
    return sum(times - 1 for times in partners.values())


if __name__ == "__main__":
    main()
