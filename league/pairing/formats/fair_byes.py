"""Byes of rounds to come: nobody has a second one while another has had none."""

from collections import Counter
from collections.abc import Mapping, Sequence

from league.pairing.formats.alternating_paths import Facing, chain, fill_up, linked, trade
from league.pairing.formats.pairings import EntryId
from league.pairing.rng import Rng

SHAKES = 40_000
"""How often two rounds are shaken where byes are not fair yet, in all rounds together."""


def even_out(rounds: list[Facing], byes: Mapping[EntryId, int], *, seed: int) -> int:
    """Let byes be fair, in place, `byes` being those had before; how many are still too early.

    A bye is too early if it is somebody's second while another has had none and could have had it:
    one with meetings to come, but not in every round that is left. Rounds trade chains of meetings
    until nothing gets better. Where that does not do, two are shaken up by lot, one of them at or
    after the first round that is not fair, and again; kept is what is no less fair and full.
    """
    chance = Rng(seed)
    early = _relieve(rounds, byes)
    for _shake in range(SHAKES // len(rounds)):
        if not early:
            break
        tried = [dict(one) for one in rounds]
        if _shake_up(tried, early[0], chance):
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


def _shake_up(rounds: Sequence[Facing], unfair: int, chance: Rng) -> bool:
    """Let two rounds by lot, the later no earlier than the `unfair` one, trade as many meetings of
    those linked with one by lot; whether they could."""
    one = chance.below(min(unfair + 1, len(rounds) - 1))
    first = max(one + 1, unfair)
    other = first + chance.below(len(rounds) - first)
    here, there = rounds[one], rounds[other]
    playing = list(dict.fromkeys((*here, *there)))
    sides = linked(here, there, playing[chance.below(len(playing))])
    if sum(side in here for side in sides) != sum(side in there for side in sides):
        return False
    trade(here, there, sides)
    return True


def _emptiness(rounds: Sequence[Facing]) -> list[int]:
    """The lower, the fuller the early rounds are."""
    return [-len(one) for one in rounds]
