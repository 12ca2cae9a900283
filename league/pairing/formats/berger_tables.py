"""Everybody meets everybody, by the Berger tables (FIDE Handbook C.05, Annex 1)."""

from collections.abc import Iterator, Sequence

from league.pairing.formats.pairings import EntryId, Pairing
from league.pairing.rng import Rng, in_order

Rounds = tuple[tuple[Pairing, ...], ...]
Meeting = tuple[int, int]


def round_robin(
    entries: Sequence[EntryId], *, double: bool = False, seed: int | None = None
) -> Rounds:
    """All rounds; the first of a pairing is at home.

    Entries are numbered as they come, or at random with a `seed`. With an odd field whoever would
    meet the number after the last has the bye, so a late entry takes that place and moves nobody.
    A second half (`double`) repeats the first with homes reversed; the last two rounds of the
    first half change places, so that nobody is at home, or away, more than twice in a row.
    """
    numbered = list(entries)
    if seed is not None:
        numbered = list(in_order(entries))
        Rng(seed).shuffle(numbered)
    return tuple(_named(meetings, numbered) for meetings in berger(len(numbered), double=double))


def berger(entries: int, *, double: bool = False) -> tuple[tuple[Meeting, ...], ...]:
    """The rounds as numbers from 1, home first; for an odd field the number above is the bye."""
    if entries < 2:
        return ()
    even = entries + entries % 2
    rounds = [tuple(_round(even, number)) for number in range(1, even)]
    if not double:
        return tuple(rounds)
    rounds[-2:] = reversed(rounds[-2:])
    returned = [tuple((away, home) for home, away in one) for one in rounds]
    return (*rounds, *returned)


def _round(even: int, number: int) -> Iterator[Meeting]:
    """The numbers sit in a circle but for the highest, which meets `against` and takes turns at
    home; two others meet when they sit as far from `against`, the one before it, the other after.
    """
    circle = even - 1
    against = (number - 1) * (even // 2) % circle + 1
    yield (against, even) if number % 2 else (even, against)
    for step in range(1, even // 2):
        yield (against + step - 1) % circle + 1, (against - step - 1) % circle + 1


def _named(meetings: Sequence[Meeting], numbered: Sequence[EntryId]) -> tuple[Pairing, ...]:
    """The pairings of a round, a bye last."""
    pairings = []
    for home, away in meetings:
        one, other = (home, away) if home <= len(numbered) else (away, home)
        met = numbered[other - 1] if other <= len(numbered) else None
        pairings.append(Pairing(numbered[one - 1], met))
    return tuple(sorted(pairings, key=lambda one: one.second is None))
