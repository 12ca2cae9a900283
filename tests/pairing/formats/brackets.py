"""Plays a bracket to its end by lot."""

import random


def seeds(entries):
    return list(range(1, entries + 1))


def play(bracket, seed, *, gone=(), matches=None):
    """The bracket after all matches, or so many; those `gone` withdraw one after each match."""
    chance, leaving = random.Random(seed), sorted(gone)
    while matches is None or matches > 0:
        if leaving:
            bracket = bracket.with_withdrawal(leaving.pop())
        elif not bracket.ready():
            break
        if bracket.ready():
            one = chance.choice(bracket.ready())
            bracket = bracket.with_result(one.label, chance.choice((one.first, one.second)))
            matches = matches and matches - 1
    return bracket


def met_in(bracket, part):
    """Everybody who came to a match of this part."""
    matches = (one for one in bracket.matches.values() if one.part is part)
    return {one for match in matches for one in match.sides if one is not None}
