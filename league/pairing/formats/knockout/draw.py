"""Knock-out brackets: who is drawn where, single or double, and the matches beside the main one."""

from collections.abc import Sequence

from league.pairing.errors import PairingRefused
from league.pairing.formats.knockout.bracket_matches import (
    Kind,
    Meeting,
    Part,
    Source,
    key,
    knocked_out,
    losers,
    main_rounds,
    neighbours,
    winners,
)
from league.pairing.formats.knockout.state import Bracket
from league.pairing.formats.pairings import EntryId, gettext_noop
from league.pairing.rng import Rng, in_order


def bracket(
    entries: Sequence[EntryId],
    *,
    double: bool = False,
    consolation: bool = False,
    third_place: bool = False,
    seed: int | None = None,
) -> Bracket:
    """A bracket of entries in the order of their seeding, or drawn at random with a `seed`.

    Up to the next power of two the best seeds have byes in the first round. `double`: only a
    second loss knocks out. `consolation`: whoever loses their first match plays on in a bracket
    of their own. `third_place`: the losers of the semi-finals meet. A double knock-out needs
    neither and has neither.
    """
    if len(entries) < 2:
        raise PairingRefused("too-few", gettext_noop("A knock-out needs at least two entries."))
    drawn = list(entries)
    if seed is not None:
        drawn = list(in_order(entries))
        Rng(seed).shuffle(drawn)
    rounds = main_rounds(drawn)
    beside: list[Meeting] = []
    if double:
        beside = _second_chances(rounds)
    elif third_place and len(drawn) > 3:
        beside += neighbours(Part.THIRD_PLACE, 1, losers(rounds[-2]))
    if consolation and not double and len(rounds) > 1:
        beside += _consolation(rounds)
    return Bracket(tuple(drawn), tuple(one for many in (*rounds, beside) for one in many))


def _consolation(rounds: Sequence[Sequence[Meeting]]) -> list[Meeting]:
    """For those who lose their first match: one place for each match of the first round."""
    sides = [
        Source(Kind.FIRST_LOSS, one.key, then=(key(Part.MAIN, 2, (one.number + 1) // 2),))
        for one in rounds[0]
    ]
    return [one for many in knocked_out(Part.CONSOLATION, sides) for one in many]


def _second_chances(rounds: Sequence[Sequence[Meeting]]) -> list[Meeting]:
    """The losers' rounds and the final of a double knock-out.

    Losers of the first round meet each other. Then, in turn, those still in meet the losers of
    the next main round, and the winners of that meet each other.
    """
    made: list[Meeting] = []
    still_in = losers(rounds[0])
    for number, main in enumerate(rounds[1:], 1):
        meet = neighbours(Part.LOSERS, 2 * number - 1, still_in)
        dropping = _crossed(losers(main), number)
        sides = [side for two in zip(winners(meet), dropping, strict=True) for side in two]
        fall = neighbours(Part.LOSERS, 2 * number, sides)
        still_in = winners(fall)
        made += meet + fall
    return made + _finals(rounds[-1][0], still_in[0])


def _crossed(sides: list[Source], number: int) -> list[Source]:
    """The order in which the losers of a main round join: in turn the other way round, each half
    the other way round, halves swapped, as they are.

    Nobody can meet an opponent again before the second half of the losers' rounds. Of all ways to
    combine these four orders none has fewer rematches before the losers' final (simulated for 8 to
    64 entries; a full bracket of 16 has one in 37 of 100, and had in 51 with halves swapped
    second).
    """
    half = len(sides) // 2
    orders = (
        sides,
        sides[::-1],
        sides[:half][::-1] + sides[half:][::-1],
        sides[half:] + sides[:half],
    )
    return orders[number % 4]


def _finals(last: Meeting, second_chance: Source) -> list[Meeting]:
    """The winners' champion has not lost yet: losing the final, they play it once more."""
    final = Meeting(Part.FINAL, 1, 1, Source(Kind.WINNER, last.key), second_chance)
    again = Meeting(
        Part.FINAL,
        2,
        1,
        Source(Kind.RESET_FIRST, final.key),
        Source(Kind.RESET_SECOND, final.key),
    )
    return [final, again]
