"""Every round drawn by lot."""

from __future__ import annotations

from league.pairing.movements.preset import Moment, Preset, Seated
from league.pairing.rng import Rng
from league.pairing.seating.people import in_order


def next_round(moment: Moment) -> Seated:
    """Shuffle everybody and fill the club's tables; nothing else is looked at."""
    people = list(in_order(moment.players))
    Rng(moment.seed).shuffle(people)
    tables, start = [], 0
    for size in moment.tables_for(len(people)):
        tables.append(tuple(people[start : start + size]))
        start += size
    return Seated(tuple(tables))


PRESET = Preset(
    code="random-draw",
    name="Drawn by lot",
    explanation="Every round is drawn by lot. You may meet the same people again.",
    odd="The last tables have three or two players, as the draw will have it.",
    next_round=next_round,
)
