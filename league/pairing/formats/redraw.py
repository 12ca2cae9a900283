"""The rounds still to come of a round robin, drawn anew for somebody who joined a full one."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from league.pairing.formats.alternating_paths import Facing, fill_up
from league.pairing.formats.fair_byes import even_out
from league.pairing.formats.pack_rounds import fewest, filled
from league.pairing.formats.pairings import EntryId, Pairing
from league.pairing.formats.round_robin import Rounds
from league.pairing.seating.people import in_order

NOBODY = ("nobody",)
"""Whom the one meets that sits out, where every round has exactly one to sit out."""
LOTS = 4
"""How many lots are tried for fair byes."""


def still_to_meet(
    entries: Collection[EntryId], met: Iterable[Collection[EntryId]], *, times: int = 1
) -> list[tuple[EntryId, EntryId]]:
    """Who has still to meet whom, each as often as that is, if everybody meets so many `times`."""
    had = Counter(frozenset(one) for one in met)
    return [
        (one, other)
        for one, other in combinations(in_order(entries), 2)
        for _ in range(times - had[frozenset((one, other))])
    ]


def least_rounds(meetings: Sequence[tuple[EntryId, EntryId]]) -> int:
    """No fewer rounds can do: each of one entry's meetings needs one, and a round has room for
    half of the entries."""
    return fewest(meetings, max(1, len({one for both in meetings for one in both}) // 2))


def remaining_rounds(
    entries: Collection[EntryId],
    met: Iterable[Collection[EntryId]],
    *,
    times: int = 1,
    byes: Mapping[EntryId, int] | None = None,
    seed: int,
) -> Rounds:
    """Rounds in which everybody meets whom they have not met yet, and nobody twice in one.

    `met` are the meetings that are played, or being played: they stay as they are. There are as
    few rounds as are found; with a newcomer to 4 to 64 entries that is `least_rounds` of them.
    Early rounds are as full as they can be. Who has no meeting in a round but some to come has a
    bye: as far as that can be, nobody has a second one (of the `byes` had before, too) while
    another has had none.
    """
    meetings = still_to_meet(entries, met, times=times)
    if not meetings:
        return ()
    best: tuple[int, int, list[Facing]] | None = None
    for lot in range(LOTS):
        rounds = _drawn(meetings, LOTS * seed + lot)
        fill_up(rounds)
        early = even_out(rounds, byes or {}, seed=LOTS * seed + lot)
        if best is None or (len(rounds), early) < best[:2]:
            best = (len(rounds), early, rounds)
        if not early:
            break
    assert best is not None
    return tuple(_paired(best[2]))


def _drawn(meetings: Sequence[tuple[EntryId, EntryId]], seed: int) -> list[Facing]:
    least = least_rounds(meetings)
    each = Counter(one for both in meetings for one in both)
    place = None
    if len(each) % 2 and len(meetings) == least * (len(each) // 2):
        # No round has a place to spare: then it is quicker to place those who sit out as well.
        sitting = [(one, NOBODY) for one in each for _ in range(least - each[one])]
        place = filled([*meetings, *sitting], least=least, most=least, seed=seed)
    if place is None:
        place = filled(meetings, least=least, most=least + len(meetings), seed=seed)
    assert place is not None, "a round for each meeting is always enough"
    rounds: list[Facing] = [{} for _ in range(max(place) + 1)]
    for (one, other), number in zip(meetings, place, strict=False):
        rounds[number] |= {one: other, other: one}
    return rounds


def _paired(rounds: Sequence[Facing]) -> Iterator[tuple[Pairing, ...]]:
    """Each round's meetings, and the byes of those who meet nobody in it but somebody later."""
    for number, here in enumerate(rounds):
        met = dict.fromkeys(in_order((one, here[one])) for one in in_order(here))
        later = {one for there in rounds[number + 1 :] for one in there}
        meetings = [Pairing(first, second) for first, second in met]
        byes = [Pairing(one, None) for one in in_order(later - here.keys())]
        yield (*meetings, *byes)
