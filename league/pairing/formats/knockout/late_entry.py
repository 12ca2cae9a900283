"""A late entry in a bracket whose places are taken: a match before somebody's first one."""

from collections.abc import Sequence
from dataclasses import replace

from league.pairing.formats.knockout.bracket_matches import Kind, Meeting, Part, Source
from league.pairing.formats.pairings import EntryId


def before_the_first(
    meetings: Sequence[Meeting], entry: EntryId, opponent: EntryId
) -> tuple[Meeting, ...]:
    """The meetings with one of a late entry before an opponent's first: who wins plays that.

    Who loses has lost once, as has who loses the first match then. Where that leads on to a place,
    of a losers' bracket or of a consolation, the two meet for the place in a round 0 of that part.
    """
    play_ins = [one for one in meetings if one.part is Part.PLAY_IN]
    rest = [one for one in meetings if one.part is not Part.PLAY_IN]
    drawn = Source(Kind.DRAWN, entry=opponent)
    late = Source(Kind.DRAWN, entry=entry)
    before = Meeting(Part.PLAY_IN, 1, len(play_ins) + 1, drawn, late)
    first = next(one for one in rest if drawn in (one.first, one.second))
    for place in _places_after_a_loss(first, rest):
        for_it = _for_the_place(place, before, first, opponent)
        rest = _instead(rest, place, Source(Kind.WINNER, for_it.key))
        where = next(n for n, one in enumerate(rest) if one.part in (for_it.part, Part.FINAL))
        rest.insert(where, for_it)
    return (*play_ins, before, *_instead(rest, drawn, Source(Kind.WINNER, before.key)))


def _places_after_a_loss(first: Meeting, meetings: Sequence[Meeting]) -> list[Source]:
    """The place to which who loses a first match goes on; none where they are out."""
    double = any(one.part is Part.FINAL for one in meetings)
    kind = Kind.LOSER if double else Kind.FIRST_LOSS
    sides = [side for one in meetings for side in (one.first, one.second)]
    return [side for side in sides if side.kind is kind and side.match == first.key]


def _for_the_place(place: Source, before: Meeting, first: Meeting, opponent: EntryId) -> Meeting:
    """Who lost the match before the first one, against who lost the first; to a consolation only
    whose first loss that was, which whoever had won the match before has not."""
    if place.kind is Kind.LOSER:
        lost = Source(Kind.LOSER, before.key)
        return Meeting(Part.LOSERS, 0, before.number, lost, place)
    lost = Source(Kind.FIRST_LOSS, before.key, then=(first.key, *place.then))
    waits = first.first if first.second.entry == opponent else first.second
    other = Source(Kind.DRAWN) if waits.entry is None else replace(place, entry=waits.entry)
    return Meeting(Part.CONSOLATION, 0, before.number, lost, other)


def _instead(meetings: Sequence[Meeting], old: Source, new: Source) -> list[Meeting]:
    """The meetings with a side from elsewhere."""
    return [
        replace(
            one,
            first=new if one.first == old else one.first,
            second=new if one.second == old else one.second,
        )
        for one in meetings
    ]
