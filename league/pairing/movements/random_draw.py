"""Every round drawn at random."""

from __future__ import annotations

from itertools import islice

from league.pairing.movements.crossing import SMALL_TABLES, next_at_small_tables
from league.pairing.movements.definition import Moment, Preset, Seated
from league.pairing.rng import Rng, in_order


def next_round(moment: Moment) -> Seated:
    """Shuffle everybody and fill the club's tables; only the small ones go by turn."""
    people = list(in_order(moment.players))
    rng = Rng(moment.seed)
    rng.shuffle(people)
    short = next_at_small_tables(moment, people, rng)
    people.sort(key=lambda one: one in short)
    places = iter(people)
    sizes = moment.tables_for(len(people))
    return Seated(tuple(tuple(islice(places, size)) for size in sizes))


PRESET = Preset(
    code="random-draw",
    name="Random draw",
    explanation="Every round is drawn at random. You may meet the same players again.",
    odd=f"The last tables have three or two players. {SMALL_TABLES}",
    next_round=next_round,
)
