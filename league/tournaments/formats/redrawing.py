"""The rounds still to come of a round robin, drawn anew for somebody who joined a full one."""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from itertools import combinations

from league.seating.refusal import in_order
from league.tournaments.formats.filling import Wants, by_round, fewest, filled, paths
from league.tournaments.formats.pairings import EntryId, Pairing
from league.tournaments.formats.round_robin import Rounds

NOBODY = ("nobody",)
"""Whom the one meets that sits out, where every round has exactly one to sit out."""
ROUNDS_LOOKED_AT = 4
"""How often the byes are evened out, round by round, at most."""
LOTS, ENOUGH = 8, 6000
"""How many lots are tried for fair byes, fewer where there are so many meetings in all."""
Round = list[Wants]


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
    best: tuple[int, int, list[Round]] | None = None
    for lot in range(max(1, min(LOTS, ENOUGH // len(meetings)))):
        rounds = _drawn(meetings, LOTS * seed + lot)
        _fill_up(rounds)
        _even_out(rounds, byes or {})
        early = early_second_byes(rounds, byes or {})
        if best is None or (len(rounds), early) < best[:2]:
            best = (len(rounds), early, rounds)
        if not early:
            break
    assert best is not None
    return _paired(best[2])


def early_second_byes(rounds: Sequence[Round], byes: Mapping[EntryId, int]) -> int:
    """How often somebody has a further bye while another has had none and could have had it: one
    with meetings to come, but not in every round that is left."""
    had: Counter[Hashable] = Counter(byes)
    due = Counter(side for one in rounds for meeting in one for side in meeting)
    early = 0
    for number, one in enumerate(rounds):
        sitting = _sitting(rounds, number)
        had.update(sitting)
        spared = any(not had[who] and 0 < many < len(rounds) - number for who, many in due.items())
        early += sum(had[who] > 1 for who in sitting) if spared else 0
        due.subtract(side for meeting in one for side in meeting)
    return early


def _drawn(meetings: Sequence[tuple[EntryId, EntryId]], seed: int) -> list[Round]:
    least = least_rounds(meetings)
    each = Counter(one for both in meetings for one in both)
    wanted: list[Wants] = list(meetings)
    if len(each) % 2 and len(meetings) == least * (len(each) // 2):
        # No round has a place to spare: then it is quicker to place those who sit out as well.
        sitting = [(one, NOBODY) for one in each for _ in range(least - each[one])]
        place = filled([*wanted, *sitting], least=least, most=least, seed=seed)
        if place is not None:
            return by_round(wanted, place[: len(wanted)])
    place = filled(wanted, least=least, most=least + len(meetings), seed=seed)
    assert place is not None, "a round for each meeting is always enough"
    return by_round(wanted, place)


def _fill_up(rounds: list[Round]) -> None:
    """Move meetings to the rounds before, as long as one can take one more from a later one."""
    moved = True
    while moved:
        moved = False
        for early, late in combinations(range(len(rounds)), 2):
            for here, there in paths(rounds[early], rounds[late]):
                if len(there) > len(here):
                    _swap(rounds, early, late, here, there)
                    moved = True
    rounds[:] = [one for one in rounds if one]


def _swap(rounds: list[Round], one: int, other: int, here: Round, there: Round) -> None:
    rounds[one] = [meeting for meeting in rounds[one] if meeting not in here] + there
    rounds[other] = [meeting for meeting in rounds[other] if meeting not in there] + here


def _even_out(rounds: list[Round], byes: Mapping[EntryId, int]) -> None:
    """Let nobody have a second bye before others have had one, as far as chains allow it."""
    for _look in range(ROUNDS_LOOKED_AT):
        changed = [_evened(rounds, number, byes) for number in range(len(rounds) - 1)]
        if not any(changed):
            return


def _evened(rounds: list[Round], number: int, byes: Mapping[EntryId, int]) -> bool:
    """One round, if it can be, with byes for those who have had fewer; whether that was done."""
    had: Counter[Hashable] = Counter(byes)
    for earlier in range(number):
        had.update(_sitting(rounds, earlier))
    changed = False
    for later in range(number + 1, len(rounds)):
        for here, there in list(paths(rounds[number], rounds[later])):
            if len(here) != len(there):
                continue
            now = _cost(rounds, number, had)
            _swap(rounds, number, later, here, there)
            if _cost(rounds, number, had) < now:
                changed = True
            else:
                _swap(rounds, number, later, there, here)
    return changed


def _cost(rounds: Sequence[Round], number: int, had: Counter[Hashable]) -> int:
    """Byes had before by those who sit out in a round, each counted as often as it is had."""
    return sum(1 + 2 * had[one] for one in _sitting(rounds, number))


def _sitting(rounds: Sequence[Round], number: int) -> list[Hashable]:
    """Who has a bye in a round: no meeting in it, but one in a later round."""
    here = {side for meeting in rounds[number] for side in meeting}
    later = {side for one in rounds[number + 1 :] for meeting in one for side in meeting}
    return [side for side in dict.fromkeys(later) if side not in here]


def _paired(rounds: Sequence[Round]) -> Rounds:
    made = []
    for number, one in enumerate(rounds):
        meetings = [Pairing(first, second) for first, second in one]  # type: ignore[arg-type]
        alone = in_order(_sitting(rounds, number))
        made.append((*meetings, *(Pairing(who, None) for who in alone)))
    return tuple(made)
