"""Who meets whom: the pairing engine. Pure, and the same on every machine for the same seed.

    seating      one round or a whole evening at tables of two, three and four: table sizes, plans,
                 what a swap would cost, and a certificate of how fair it was
    movements    the named movements of a progressive night, each a file: who goes where next
    formats      round robin, Swiss, knock-out, groups and league fixtures of pairs and teams
    rng          the one seeded generator
    errors       `PairingRefused`, the one exception: the person's trouble, with a code

Players and entries are whole numbers or strings. Nothing is read or kept: the same people, history,
requests and seed give the same plan. docs/seating.md and docs/tournaments.md explain how.
"""
