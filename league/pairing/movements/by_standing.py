"""Swiss by standing: the leaders meet the leaders, each round again."""

from __future__ import annotations

from league.pairing.movements.crossing import SMALL_TABLES, next_at_small_tables, seat_in_order
from league.pairing.movements.definition import Moment, Preset, Seated
from league.pairing.rng import Rng, in_order


def next_round(moment: Moment) -> Seated:
    """Tables of four down the standing; who is not in it comes last, in random order."""
    rng = Rng(moment.seed)
    here = set(moment.players)
    ranked = [one for one in moment.standing if one in here]
    others = list(in_order(here - set(ranked)))
    rng.shuffle(others)
    ranked += others
    short = next_at_small_tables(moment, ranked, rng)
    order = sorted(ranked, key=lambda one: one in short)
    return seat_in_order(moment, order, rng)


PRESET = Preset(
    code="by-standing",
    name="Swiss by standing",
    explanation=(
        "The first four in the standings meet at table one, the next four at table two, and "
        "so on. You get the partner you have had least often."
    ),
    odd=f"{SMALL_TABLES} If several are due, a random draw decides.",
    next_round=next_round,
)
