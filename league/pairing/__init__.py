"""The pairing engine: who meets whom. Pure, and the same on every machine for the same seed.

    seating      one round or a whole evening at tables of two to eight: table sizes, plans,
                 the cost of a swap, and a certificate of fairness
    movements    the named movements of a progressive night: who goes where next
    formats      round robin, Swiss, knock-out and groups of pairs and teams; league fixtures

Each of these packages is a front door: outside code imports nothing deeper. They share

    PairingRefused    the one exception: a request that cannot be met, with a code and a sentence
    PlayerId          a player: a whole number or a string
    Rng               the one seeded generator

Nothing is read or stored: the same players, history, constraints and seed give the same plan.
docs/seating.md and docs/tournaments.md explain how it works.

>>> from league.pairing import seating
>>> str(seating.composition(11))
'4 + 4 + 3'
>>> plan = seating.plan_round(["Ann", "Bob", "Cy", "Di", "Eve", "Flo"], seed=7)
>>> sorted(map(len, plan.tables))
[2, 4]
"""

from league.pairing import formats, movements, seating
from league.pairing.errors import PairingRefused, PlayerId
from league.pairing.rng import Rng

__all__ = ["PairingRefused", "PlayerId", "Rng", "formats", "movements", "seating"]
