"""Plays a bracket to its end at random."""

import random
from dataclasses import replace


def seeds(entries):
    return list(range(1, entries + 1))


def withdraw(bracket, *entries):
    return replace(bracket, withdrawn=bracket.withdrawn | {*entries})


def play(bracket, seed, *, gone=(), matches=None):
    """The bracket after all matches, or so many; those `gone` withdraw one after each match."""
    rng, leaving = random.Random(seed), sorted(gone)
    while matches is None or matches > 0:
        if leaving:
            bracket = withdraw(bracket, leaving.pop())
        elif not bracket.ready():
            break
        if bracket.ready():
            one = rng.choice(bracket.ready())
            bracket = bracket.with_result(one.label, rng.choice((one.first, one.second)))
            matches = matches and matches - 1
    return bracket


def met_in(bracket, part):
    """Everybody who came to a match of this part."""
    matches = (one for one in bracket.matches.values() if one.part is part)
    return {one for match in matches for one in match.sides if one is not None}
