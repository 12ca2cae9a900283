"""Round robins: Berger tables, the remaining rounds redrawn, matches packed into few rounds."""

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
    """Return all rounds; the first of a pairing is at home.

    Entries are numbered in the order given. With an odd number, the entry that would meet the
    number after the last has the bye, so a late entry takes that number and nobody else moves. A
    second half (`double`) repeats the first with homes reversed; the last two rounds of the first
    half are swapped, so that nobody is at home, or away, more than twice in a row. With
    `first_last` the return of the first round comes last instead, which makes fewer such runs.
    """
    numbered = list(entries)
    rounds = berger(len(numbered), double=double, first_last=first_last)
    return tuple(_to_pairings(meetings, numbered) for meetings in rounds)


def berger(
    entries: int, *, double: bool = False, first_last: bool = False
) -> tuple[tuple[Meeting, ...], ...]:
    """Return the rounds as pairs of numbers from 1, home first.

    With an odd number of entries, the one that meets the number above the last has the bye.
    """
    if entries < 2:
        return ()
    even = entries + entries % 2
    rounds = [tuple(_berger_round(even, number)) for number in range(1, even)]
    if not double:
        return tuple(rounds)
    if not first_last:
        rounds[-2:] = reversed(rounds[-2:])
    return_rounds = [tuple((away, home) for home, away in meetings) for meetings in rounds]
    if first_last:
        return_rounds.append(return_rounds.pop(0))
    return (*rounds, *return_rounds)


def _berger_round(even: int, number: int) -> Iterator[Meeting]:
    """Yield the meetings of one round.

    All numbers but the highest sit in a circle. The highest meets the `pivot`, at home and away in
    turn; the others meet across it: the number k places before it against the one k places after.
    """
    circle = even - 1
    pivot = (number - 1) * (even // 2) % circle + 1
    yield (pivot, even) if number % 2 else (even, pivot)
    for step in range(1, even // 2):
        yield (pivot + step - 1) % circle + 1, (pivot - step - 1) % circle + 1


def _to_pairings(meetings: Sequence[Meeting], numbered: Sequence[EntryId]) -> tuple[Pairing, ...]:
    """Return the pairings of a round, a bye last."""
    pairings = []
    for home, away in meetings:
        first, second = (home, away) if home <= len(numbered) else (away, home)
        opponent = numbered[second - 1] if second <= len(numbered) else None
        pairings.append(Pairing(numbered[first - 1], opponent))
    return tuple(sorted(pairings, key=lambda pairing: pairing.second is None))


Opponents = dict[EntryId, EntryId]
"""The opponent of each entry in a round; entries without a meeting are not in it."""


def alternating_path(first: Opponents, second: Opponents, start: EntryId) -> list[EntryId]:
    """Follow opponents from an entry that plays in the second round but not in the first.

    The path goes to its opponent in the second round, from there to that one's opponent in the
    first, and so on. If it has an even number of entries, one more of its meetings is in the
    second round than in the first.
    """
    path = [start]
    current, other = second, first
    while (opponent := current.get(path[-1])) is not None:
        path.append(opponent)
        current, other = other, current
    return path


def linked_entries(first: Opponents, second: Opponents, start: EntryId) -> list[EntryId]:
    """Return all entries that the meetings of two rounds link with `start`, directly or not."""
    visited = {start: None}
    unvisited = [start]
    while unvisited:
        entry = unvisited.pop()
        for opponent in (first.get(entry), second.get(entry)):
            if opponent is not None and opponent not in visited:
                visited[opponent] = None
                unvisited.append(opponent)
    return list(visited)


def swap_meetings(first: Opponents, second: Opponents, entries: Iterable[EntryId]) -> None:
    """Exchange the meetings of linked entries between two rounds."""
    for entry in entries:
        from_first, from_second = first.pop(entry, None), second.pop(entry, None)
        if from_second is not None:
            first[entry] = from_second
        if from_first is not None:
            second[entry] = from_first


def fill_early_rounds(rounds: list[Opponents]) -> None:
    """Move meetings to earlier rounds while one of these can take one more from a later round."""
    has_changed = True
    while has_changed:
        has_changed = False
        for early, late in combinations(rounds, 2):
            for entry in [entry for entry in late if entry not in early]:
                if entry in late and entry not in early:
                    path = alternating_path(early, late, entry)
                    if len(path) % 2 == 0:
                        swap_meetings(early, late, path)
                        has_changed = True
    rounds[:] = [opponents for opponents in rounds if opponents]


SHAKES = 40_000
"""The most random changes to make byes fair, divided among the rounds."""


def share_byes(rounds: list[Opponents], earlier_byes: Mapping[EntryId, int], *, seed: int) -> int:
    """Make byes fair, in place; return how many still come too early.

    A bye is too early if it is an entry's second (`earlier_byes` included) while another entry has
    had none and could have had it: one that has meetings to come, but not in every remaining round.
    Rounds swap alternating paths until nothing improves. If that is not enough, meetings of two
    rounds are swapped at random, one of these the first unfair round or later; a change is kept if
    the rounds are no less fair and no less full.
    """
    rng = Rng(seed)
    unfair_rounds = _move_byes(rounds, earlier_byes)
    for _shake in range(SHAKES // len(rounds)):
        if not unfair_rounds:
            break
        candidate = [dict(opponents) for opponents in rounds]
        if _swap_at_random(candidate, unfair_rounds[0], rng):
            fill_early_rounds(candidate)
            still_unfair = _move_byes(candidate, earlier_byes)
            if _badness(still_unfair, candidate) <= _badness(unfair_rounds, rounds):
                rounds[:], unfair_rounds = candidate, still_unfair
    return len(unfair_rounds)


def _move_byes(rounds: Sequence[Opponents], earlier_byes: Mapping[EntryId, int]) -> list[int]:
    """Round by round, give byes to entries that have had fewer, by single swaps with later rounds.

    Return the round (from 0) of each second bye that still comes too early.
    """
    byes = Counter(earlier_byes)
    meetings_left = Counter(entry for opponents in rounds for entry in opponents)
    unfair_rounds: list[int] = []
    for number, opponents in enumerate(rounds):
        for entry in [entry for entry in _bye_entries(opponents, meetings_left) if byes[entry]]:
            _pass_on_bye(entry, opponents, rounds[number + 1 :], byes)
        bye_entries = _bye_entries(opponents, meetings_left)
        byes.update(bye_entries)
        rounds_left = len(rounds) - number
        if any(0 < n < rounds_left and not byes[entry] for entry, n in meetings_left.items()):
            unfair_rounds += [number for entry in bye_entries if byes[entry] > 1]
        meetings_left.subtract(opponents.keys())
    return unfair_rounds


def _bye_entries(opponents: Opponents, meetings_left: Mapping[EntryId, int]) -> list[EntryId]:
    """Return the entries with a bye in a round: no meeting in it, but some later."""
    return [entry for entry, count in meetings_left.items() if count and entry not in opponents]


def _pass_on_bye(
    entry: EntryId,
    opponents: Opponents,
    later_rounds: Sequence[Opponents],
    byes: Mapping[EntryId, int],
) -> None:
    """Let an entry play instead of one with fewer byes, if an alternating path allows it."""
    for later in later_rounds:
        if entry in later and entry not in opponents:
            path = alternating_path(opponents, later, entry)
            if len(path) % 2 and byes[path[-1]] < byes[entry]:
                swap_meetings(opponents, later, path)


def _swap_at_random(rounds: Sequence[Opponents], unfair: int, rng: Rng) -> bool:
    """Swap the meetings of a random entry, and all linked with it, between two random rounds.

    The later of these is no earlier than the `unfair` round. Return False, and change nothing, if
    the two rounds would not keep their numbers of meetings.
    """
    early = rng.below(min(unfair + 1, len(rounds) - 1))
    lowest = max(early + 1, unfair)
    late = lowest + rng.below(len(rounds) - lowest)
    first, second = rounds[early], rounds[late]
    playing = list(dict.fromkeys((*first, *second)))
    entries = linked_entries(first, second, playing[rng.below(len(playing))])
    if sum(entry in first for entry in entries) != sum(entry in second for entry in entries):
        return False
    swap_meetings(first, second, entries)
    return True


def _badness(unfair_rounds: Sequence[int], rounds: Sequence[Opponents]) -> tuple[int, list[int]]:
    """Return a key that is lower with fewer unfair byes, then with fuller early rounds."""
    return len(unfair_rounds), [-len(opponents) for opponents in rounds]


NOBODY = ("nobody",)
"""The opponent of an entry with a bye, where every round has exactly one bye."""
ATTEMPTS = 4
"""How many seeds are tried for fair byes."""


def remaining_meetings(
    entries: Collection[EntryId], played: Iterable[Collection[EntryId]], *, times: int = 1
) -> list[tuple[EntryId, EntryId]]:
    """Return the meetings to be played until all entries have met each other so many `times`."""
    played_times = Counter(frozenset(pair) for pair in played)
    return [
        (first, second)
        for first, second in combinations(in_order(entries), 2)
        for _ in range(times - played_times[frozenset((first, second))])
    ]


def least_rounds(meetings: Sequence[tuple[EntryId, EntryId]]) -> int:
    """Return a lower bound on the number of rounds, with room for half of the entries in each."""
    entries = {entry for meeting in meetings for entry in meeting}
    return lower_bound(meetings, per_round=max(1, len(entries) // 2))


def remaining_rounds(
    entries: Collection[EntryId],
    met: Iterable[Collection[EntryId]],
    *,
    times: int = 1,
    byes: Mapping[EntryId, int] | None = None,
    seed: int,
) -> Rounds:
    """Return rounds in which all entries meet whom they have not met yet, once a round at most.

    `met` holds the meetings that have been played or have begun; these stay as they are. There are
    as few rounds as are found; for a newcomer to 4 to 64 entries that is `least_rounds`. Early
    rounds are as full as possible. An entry with no meeting in a round but some to come has a bye:
    as far as possible nobody has a second one, those in `byes` included, while another has had
    none.
    """
    meetings = remaining_meetings(entries, met, times=times)
    if not meetings:
        return ()
    best: tuple[int, int, list[Opponents]] | None = None
    for attempt in range(ATTEMPTS):
        rounds = _draw_rounds(meetings, ATTEMPTS * seed + attempt)
        fill_early_rounds(rounds)
        unfair_byes = share_byes(rounds, byes or {}, seed=ATTEMPTS * seed + attempt)
        if best is None or (len(rounds), unfair_byes) < best[:2]:
            best = (len(rounds), unfair_byes, rounds)
        if not unfair_byes:
            break
    assert best is not None
    return tuple(_with_byes(best[2]))


def _draw_rounds(meetings: Sequence[tuple[EntryId, EntryId]], seed: int) -> list[Opponents]:
    least = least_rounds(meetings)
    counts = Counter(entry for meeting in meetings for entry in meeting)
    places = None
    if len(counts) % 2 and len(meetings) == least * (len(counts) // 2):
        # No round has a place to spare, so it is quicker to place the byes as well.
        byes = [(entry, NOBODY) for entry in counts for _ in range(least - counts[entry])]
        places = pack_rounds([*meetings, *byes], least=least, most=least, seed=seed)
    if places is None:
        places = pack_rounds(meetings, least=least, most=least + len(meetings), seed=seed)
    assert places is not None, "a round for each meeting is always enough"
    rounds: list[Opponents] = [{} for _ in range(max(places) + 1)]
    for (first, second), number in zip(meetings, places, strict=False):
        rounds[number] |= {first: second, second: first}
    return rounds


def _with_byes(rounds: Sequence[Opponents]) -> Iterator[tuple[Pairing, ...]]:
    """Yield the pairings of each round, with a bye for each entry that plays only later."""
    for number, opponents in enumerate(rounds):
        pairs = dict.fromkeys(in_order((entry, opponents[entry])) for entry in in_order(opponents))
        later = {entry for later_round in rounds[number + 1 :] for entry in later_round}
        meetings = [Pairing(first, second) for first, second in pairs]
        byes = [Pairing(entry, None) for entry in in_order(later - opponents.keys())]
        yield (*meetings, *byes)


TRIES, MEETING_LIMIT = 12, 8000
"""How often a number of rounds is tried, each time with another seed, before one more is allowed;
fewer times if that would place more meetings than the limit in all."""
MOVES = 12
"""The most moves of a try, for each meeting."""
DISPLACING = 1000
"""The cost of displacing a meeting; each time it has been displaced before adds 1."""

Needs = tuple[Hashable, ...]
"""What a meeting occupies for a whole round: its two sides and, if shared, its venue."""


def pack_rounds(
    meetings: Sequence[Needs],
    *,
    least: int,
    most: int,
    seed: int,
    taken: Sequence[Collection[Hashable]] = (),
) -> list[int] | None:
    """Return the round (from 0) of each meeting, in as few rounds as are found.

    Return None if even `most` rounds are not enough. No two meetings of a round need the same
    thing, nor anything `taken` in that round. Each number of rounds from `least` on is tried
    several times by hill-climbing, as used to find one-factorisations (Dinitz and Stinson, 1987):
    a meeting goes where it displaces the fewest others, which then look for another place.
    """
    tries = max(2, min(TRIES, MEETING_LIMIT // max(1, len(meetings))))
    for rounds in range(least, most + 1):
        for attempt in range(tries):
            rng = Rng(seed * TRIES + attempt)
            packed = _climb(meetings, rounds, rng, taken)
            if packed is not None:
                return packed
    return None


def _climb(
    meetings: Sequence[Needs], rounds: int, rng: Rng, taken: Sequence[Collection[Hashable]]
) -> list[int] | None:
    """Make one hill-climbing try; None if it fails."""
    occupants: list[dict[Hashable, int]] = [{} for _ in range(rounds)]
    blocked = [frozenset(resources) for resources in taken[:rounds]]
    blocked += [frozenset()] * (rounds - len(blocked))
    places, displacements = [-1] * len(meetings), [0] * len(meetings)
    unplaced = list(range(len(meetings)))
    for _move in range(MOVES * len(meetings) + 1):
        if not unplaced:
            return places
        position = rng.below(len(unplaced))
        unplaced[position], unplaced[-1] = unplaced[-1], unplaced[position]
        meeting = unplaced.pop()
        place = _best_round(meetings[meeting], occupants, blocked, displacements, rng)
        if place is None:
            return None
        round_ = occupants[place]
        for other in {round_[need] for need in meetings[meeting] if need in round_}:
            displacements[other] += 1
            unplaced.append(other)
            for need in meetings[other]:
                del round_[need]
        for need in meetings[meeting]:
            round_[need] = meeting
        places[meeting] = place
    return places if not unplaced else None


def _best_round(
    needs: Needs,
    occupants: Sequence[dict[Hashable, int]],
    blocked: Sequence[Collection[Hashable]],
    displacements: Sequence[int],
    rng: Rng,
) -> int | None:
    """Return the round in which a meeting displaces the fewest others; ties at random."""
    least = 0
    best: list[int] = []
    for number, meeting_at in enumerate(occupants):
        if blocked[number] and not blocked[number].isdisjoint(needs):  # type: ignore[attr-defined]
            continue
        cost, displaced = 0, []
        for need in needs:
            meeting = meeting_at.get(need)
            if meeting is not None and meeting not in displaced:
                displaced.append(meeting)
                cost += DISPLACING + displacements[meeting]
        if not best or cost < least:
            least, best = cost, [number]
        elif cost == least:
            best.append(number)
    return best[rng.below(len(best))] if best else None


def lower_bound(meetings: Sequence[Needs], per_round: int) -> int:
    """Return a lower bound on the rounds: for all meetings, and for those of each participant."""
    uses = Counter(need for meeting in meetings for need in meeting)
    return max([*uses.values(), -(-len(meetings) // per_round)], default=0)
