"""Swiss by standing: the leaders meet the leaders, each round anew."""

from __future__ import annotations

from league.pairing.movements.crossing import Met, cross, small_tables
from league.pairing.movements.preset import Moment, Preset, Seated
from league.pairing.rng import Rng
from league.pairing.seating.composition import Composition
from league.pairing.seating.people import in_order


def next_round(moment: Moment) -> Seated:
    """Tables of four down the standing; who is not in it comes last, drawn by lot.

    The small tables go to those who have had fewest of them, the lowest in the standing first.
    """
    chance = Rng(moment.seed)
    met = Met(moment.history)
    here = set(moment.players)
    ranked = [one for one in moment.standing if one in here]
    others = list(in_order(here - set(ranked)))
    chance.shuffle(others)
    ranked += others
    rule = Composition(moment.tables_for(len(ranked)))
    times = small_tables(moment.history)
    place = {one: number for number, one in enumerate(ranked)}
    lowest_first = sorted(ranked, key=lambda one: (times.get(one, 0), -place[one]))
    short = set(lowest_first[: rule.short])
    order = [one for one in ranked if one not in short] + [one for one in ranked if one in short]
    tables, start = [], 0
    for size in rule.sizes:
        tables.append(cross(order[start : start + size], met, chance))
        start += size
    return Seated(tuple(tables))


PRESET = Preset(
    code="by-standing",
    name="Swiss by standing",
    explanation=(
        "The first four in the standing meet at table one, the next four at table two, and so on. "
        "Of the ways to pair you the one used least is taken."
    ),
    odd="Small tables go to those who have had fewest, the lowest in the standing first.",
    next_round=next_round,
)
