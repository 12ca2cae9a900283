"""Everybody meets everybody by the Berger tables, the rest redrawn for somebody who joins, and
matches put into as few rounds as can be."""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from league.pairing.formats.pairings import EntryId, Pairing
from league.pairing.rng import Rng, in_order

Rounds = tuple[tuple[Pairing, ...], ...]
Meeting = tuple[int, int]


def round_robin(
    entries: Sequence[EntryId], *, double: bool = False, first_last: bool = False
) -> Rounds:
    """All rounds; the first of a pairing is at home.

    Entries are numbered as they come. With an odd field anyone who would meet the number after
    the last has the bye, so a late entry takes that place and moves nobody. A second half
    (`double`) repeats the first with homes reversed; the last two rounds of the first half change
    places, so that nobody is at home, or away, more than twice in a row. `first_last` does it
    otherwise, with fewer such rows: the return of the first round comes last.
    """
    numbered = list(entries)
    rounds = berger(len(numbered), double=double, first_last=first_last)
    return tuple(_named(meetings, numbered) for meetings in rounds)


def berger(
    entries: int, *, double: bool = False, first_last: bool = False
) -> tuple[tuple[Meeting, ...], ...]:
    """The rounds as numbers from 1, home first; for an odd field the number above is the bye."""
    if entries < 2:
        return ()
    even = entries + entries % 2
    rounds = [tuple(_round(even, number)) for number in range(1, even)]
    if not double:
        return tuple(rounds)
    if not first_last:
        rounds[-2:] = reversed(rounds[-2:])
    returned = [tuple((away, home) for home, away in one) for one in rounds]
    if first_last:
        returned.append(returned.pop(0))
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


Facing = dict[EntryId, EntryId]
"""Whom everybody meets in a round; who is not in it meets nobody."""


def chain(here: Facing, there: Facing, start: EntryId) -> list[EntryId]:
    """From one who plays `there` and not `here`: the opponent there, that one's opponent here, and
    so on. Where these are an even number, `there` has one meeting more of the chain."""
    sides = [start]
    turn, other = there, here
    while (met := turn.get(sides[-1])) is not None:
        sides.append(met)
        turn, other = other, turn
    return sides


def linked(here: Facing, there: Facing, start: EntryId) -> list[EntryId]:
    """Everybody whom meetings of the two rounds join with one, be it a chain or a ring."""
    before = {start: None}
    to_see = [start]
    while to_see:
        side = to_see.pop()
        for met in (here.get(side), there.get(side)):
            if met is not None and met not in before:
                before[met] = None
                to_see.append(met)
    return list(before)


def trade(here: Facing, there: Facing, sides: Iterable[EntryId]) -> None:
    """Let two rounds exchange the meetings of those who are linked."""
    for side in sides:
        met_here, met_there = here.pop(side, None), there.pop(side, None)
        if met_there is not None:
            here[side] = met_there
        if met_here is not None:
            there[side] = met_here


def fill_up(rounds: list[Facing]) -> None:
    """Move meetings to the rounds before, as long as one can take one more from a later one."""
    moved = True
    while moved:
        moved = False
        for early, late in combinations(rounds, 2):
            for side in [one for one in late if one not in early]:
                if side in late and side not in early:
                    sides = chain(early, late, side)
                    if len(sides) % 2 == 0:
                        trade(early, late, sides)
                        moved = True
    rounds[:] = [one for one in rounds if one]


SHAKES = 40_000
"""How often two rounds are shaken where byes are not fair yet, in all rounds together."""


def even_out(rounds: list[Facing], byes: Mapping[EntryId, int], *, seed: int) -> int:
    """Let byes be fair, in place, `byes` being those had before; how many are still too early.

    A bye is too early if it is somebody's second while another has had none and could have had it:
    one with meetings to come, but not in every round that is left. Rounds trade chains of meetings
    until nothing gets better. Where that does not do, two are shaken up at random, one of them at
    or after the first round that is not fair, and again; kept is what is no less fair and full.
    """
    rng = Rng(seed)
    early = _relieve(rounds, byes)
    for _shake in range(SHAKES // len(rounds)):
        if not early:
            break
        tried = [dict(one) for one in rounds]
        if _shake_up(tried, early[0], rng):
            fill_up(tried)
            still = _relieve(tried, byes)
            if (len(still), _emptiness(tried)) <= (len(early), _emptiness(rounds)):
                rounds[:], early = tried, still
    return len(early)


def _relieve(rounds: Sequence[Facing], byes: Mapping[EntryId, int]) -> list[int]:
    """Round by round give byes to those who have had fewer, as far as one chain with a later round
    does it. The rounds (from 0) of the second byes that are still too early."""
    had = Counter(byes)
    due = Counter(side for one in rounds for side in one)
    early: list[int] = []
    for number, here in enumerate(rounds):
        for side in [one for one in _sitting(here, due) if had[one]]:
            _seat(side, here, rounds[number + 1 :], had)
        sitting = _sitting(here, due)
        had.update(sitting)
        left = len(rounds) - number
        if any(0 < many < left and not had[one] for one, many in due.items()):
            early += [number for one in sitting if had[one] > 1]
        due.subtract(here.keys())
    return early


def _sitting(here: Facing, due: Mapping[EntryId, int]) -> list[EntryId]:
    """Who has a bye in a round: no meeting in it, but some `due` from it on."""
    return [one for one, many in due.items() if many and one not in here]


def _seat(side: EntryId, here: Facing, later: Sequence[Facing], had: Mapping[EntryId, int]) -> None:
    """Let one play in a round in place of another that has had fewer byes, if a chain does it."""
    for there in later:
        if side in there and side not in here:
            sides = chain(here, there, side)
            if len(sides) % 2 and had[sides[-1]] < had[side]:
                trade(here, there, sides)


def _shake_up(rounds: Sequence[Facing], unfair: int, rng: Rng) -> bool:
    """Let two random rounds, the later no earlier than the `unfair` one, trade as many meetings of
    those linked with a random one; whether they could."""
    one = rng.below(min(unfair + 1, len(rounds) - 1))
    first = max(one + 1, unfair)
    other = first + rng.below(len(rounds) - first)
    here, there = rounds[one], rounds[other]
    playing = list(dict.fromkeys((*here, *there)))
    sides = linked(here, there, playing[rng.below(len(playing))])
    if sum(side in here for side in sides) != sum(side in there for side in sides):
        return False
    trade(here, there, sides)
    return True


def _emptiness(rounds: Sequence[Facing]) -> list[int]:
    """The lower, the fuller the early rounds are."""
    return [-len(one) for one in rounds]


NOBODY = ("nobody",)
"""Whom the one meets that sits out, where every round has exactly one to sit out."""
ATTEMPTS = 4
"""How many seeds are tried for fair byes."""


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
    for attempt in range(ATTEMPTS):
        rounds = _drawn(meetings, ATTEMPTS * seed + attempt)
        fill_up(rounds)
        early = even_out(rounds, byes or {}, seed=ATTEMPTS * seed + attempt)
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
        place = pack_rounds([*meetings, *sitting], least=least, most=least, seed=seed)
    if place is None:
        place = pack_rounds(meetings, least=least, most=least + len(meetings), seed=seed)
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


TRIES, ENOUGH = 12, 8000
"""How often a number of rounds is tried, each time with another seed, before one more is allowed;
less often where there are so many meetings in all."""
MOVES = 12
"""How often a try may move, for each meeting there is."""
PUT_ASIDE = 1000
"""What it counts to put a meeting aside, next to how often that one has been put aside before."""

Wants = tuple[Hashable, ...]
"""Whom, and what, a meeting takes for a whole round: its two sides, and a venue for one match."""


def pack_rounds(
    meetings: Sequence[Wants],
    *,
    least: int,
    most: int,
    seed: int,
    taken: Sequence[Collection[Hashable]] = (),
) -> list[int] | None:
    """The round (from 0) of each meeting, in as few as are found; None where `most` do not do.

    No two meetings of a round want the same; `taken` says what a round does not have to give. From
    `least` on each number of rounds is tried some times, by hill-climbing as one finds
    one-factorisations (Dinitz and Stinson, 1987): a meeting goes where it puts fewest others
    aside, and these look for another place.
    """
    tries = max(2, min(TRIES, ENOUGH // max(1, len(meetings))))
    for rounds in range(least, most + 1):
        for attempt in range(tries):
            rng = Rng(seed * TRIES + attempt)
            packed = _climb(meetings, rounds, rng, taken)
            if packed is not None:
                return packed
    return None


def _climb(
    meetings: Sequence[Wants],
    rounds: int,
    rng: Rng,
    taken: Sequence[Collection[Hashable]],
) -> list[int] | None:
    rows: list[dict[Hashable, int]] = [{} for _ in range(rounds)]
    closed = [frozenset(one) for one in taken[:rounds]]
    closed += [frozenset()] * (rounds - len(closed))
    place, aside = [-1] * len(meetings), [0] * len(meetings)
    waiting = list(range(len(meetings)))
    for _move in range(MOVES * len(meetings) + 1):
        if not waiting:
            return place
        chosen = rng.below(len(waiting))
        waiting[chosen], waiting[-1] = waiting[-1], waiting[chosen]
        one = waiting.pop()
        where = _best(meetings[one], rows, closed, aside, rng)
        if where is None:
            return None
        for other in {rows[where][want] for want in meetings[one] if want in rows[where]}:
            aside[other] += 1
            waiting.append(other)
            for want in meetings[other]:
                del rows[where][want]
        for want in meetings[one]:
            rows[where][want] = one
        place[one] = where
    return place if not waiting else None


def _best(
    wants: Wants,
    rows: Sequence[dict[Hashable, int]],
    closed: Sequence[Collection[Hashable]],
    aside: Sequence[int],
    rng: Rng,
) -> int | None:
    """The round in which a meeting puts fewest others aside; among equals one at random."""
    least = 0
    best: list[int] = []
    for number, row in enumerate(rows):
        if closed[number] and not closed[number].isdisjoint(wants):  # type: ignore[attr-defined]
            continue
        cost, others = 0, []
        for want in wants:
            other = row.get(want)
            if other is not None and other not in others:
                others.append(other)
                cost += PUT_ASIDE + aside[other]
        if not best or cost < least:
            least, best = cost, [number]
        elif cost == least:
            best.append(number)
    return best[rng.below(len(best))] if best else None


def fewest(meetings: Sequence[Wants], at_once: int) -> int:
    """No fewer rounds can do: anyone who meets most needs one for each, and a round has so many
    meetings `at_once`."""
    each = Counter(want for meeting in meetings for want in meeting)
    return max([*each.values(), -(-len(meetings) // at_once)], default=0)
