"""Knock-out brackets, single or double: drawn by seeding, then played match by match."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby

from league.pairing.errors import PairingRefused, gettext_noop
from league.pairing.formats.bracket_matches import (
    Kind,
    Match,
    Meeting,
    Part,
    Source,
    State,
    comers,
    comes,
    key,
    knocked_out,
    losers,
    main_rounds,
    neighbours,
    resolved,
    winners,
)
from league.pairing.formats.pairings import EntryId, Pairing
from league.pairing.rng import Rng, in_order

__all__ = ["Bracket", "Kind", "Match", "Part", "Source", "State", "bracket"]


@dataclass(frozen=True, slots=True)
class Round:
    """The matches of one round of a part."""

    part: Part
    number: int
    matches: tuple[Match, ...]

    @property
    def over(self) -> bool:
        """Whether nothing of it is left to play."""
        return all(match.over for match in self.matches)


@dataclass(frozen=True)
class Bracket:
    """All matches and what has come of them; every change gives a new bracket.

    `results` holds, by the key of the match, its winner and its loser. Anyone who withdraws loses
    the matches not played yet by walk-over. `never_played` are those who have not played a game
    so far.
    """

    entries: tuple[EntryId, ...]
    meetings: tuple[Meeting, ...]
    results: Mapping[str, tuple[EntryId, EntryId]] = field(default_factory=dict)
    withdrawn: frozenset[EntryId] = frozenset()
    never_played: frozenset[EntryId] = frozenset()

    @cached_property
    def matches(self) -> Mapping[str, Match]:
        """Every match by its key, as far as it is known."""
        return resolved(self.meetings, self.results, self.withdrawn)

    @cached_property
    def comers(self) -> Mapping[str, int]:
        """How many come to each match, by its key: one has a bye, as is known from the draw on."""
        return comers(self.meetings)

    def origin(self, source: Source) -> Source:
        """Where a side comes from in the end: through matches that are byes."""
        while source.kind is Kind.WINNER and self.comers[source.match] == 1:
            meeting = self.matches[source.match].meeting
            source = meeting.first if comes(meeting.first, self.comers) else meeting.second
        return source

    @cached_property
    def rounds(self) -> tuple[Round, ...]:
        """Round after round, part after part: the main rounds, then those beside."""
        groups = groupby(self.matches.values(), lambda one: (one.part, one.round))
        return tuple(Round(part, number, tuple(many)) for (part, number), many in groups)

    def ready(self) -> tuple[Pairing, ...]:
        """The matches that can be played now, labelled by their keys; of two that want the same
        entry, a match for third place and one of a consolation, the first."""
        playing: set[EntryId | None] = set()
        pairings = []
        for match in self.matches.values():
            if match.state is State.READY and playing.isdisjoint(match.sides):
                playing.update(match.sides)
                pairings.append(Pairing(match.first, match.second, match.key))  # type: ignore[arg-type]
        return tuple(pairings)

    def with_result(self, match: str, winner: EntryId) -> "Bracket":
        """The bracket after a match was won, also when an earlier result is put right.

        Results of later matches that no longer have the same two sides fall; `undone_by` names
        them beforehand.
        """
        known = self.matches[match]
        if known.state not in (State.READY, State.PLAYED, State.WALKOVER):
            sentence = gettext_noop("This match cannot be decided yet: its sides are not known.")
            raise PairingRefused("not-ready", sentence)
        if winner not in (known.first, known.second):
            raise PairingRefused(
                "not-in-match", gettext_noop("Only a side of this match can win it.")
            )
        loser = known.second if winner == known.first else known.first
        assert loser is not None
        return self._standing(replace(self, results={**self.results, match: (winner, loser)}))

    def undone_by(self, match: str, winner: EntryId) -> tuple[Match, ...]:
        """The played matches whose results would fall if this match were won by `winner`."""
        after = self.with_result(match, winner).results
        return tuple(self.matches[key] for key in self.results if key not in after)

    def with_late(
        self,
        entry: EntryId,
        *,
        started: Collection[str] = (),
        instead_of: EntryId | None = None,
    ) -> "Bracket":
        """The bracket with a late entry in place of a bye of the first round.

        The lowest seed with a bye gets an opponent, unless that would change the sides of a match
        that has been played or is among those `started`. `instead_of` names whose bye it is.
        """
        touched = {*started, *self.results}
        holders = self.entries if instead_of is None else (instead_of,)
        for holder in reversed(holders):
            changed = self._with_opponent(holder, entry)
            if changed and all(changed.matches[k].sides == self.matches[k].sides for k in touched):
                return changed
        sentence = gettext_noop("Entry is closed: no byes are left.")
        raise PairingRefused("no-place-left", sentence)

    @property
    def over(self) -> bool:
        """Whether every match is over."""
        return all(match.over for match in self.matches.values())

    @property
    def champion(self) -> EntryId | None:
        """Who won the bracket; None while that is open, and when both finalists withdrew."""
        last = self._last(Part.MAIN)
        if any(meeting.part is Part.FINAL for meeting in self.meetings):
            last = self._deciding_final()
        return None if last.winner is None or self._walked_off(last) else last.winner

    @property
    def consolation_champion(self) -> EntryId | None:
        """Who won the consolation; None while that is open or when there is none."""
        if not any(meeting.part is Part.CONSOLATION for meeting in self.meetings):
            return None
        return self._last(Part.CONSOLATION).winner

    def places(self) -> dict[EntryId, int]:
        """The place of everybody whose place is certain, best first.

        Those knocked out in one round share a place. It is certain once nobody still in can be
        knocked out in that round or an earlier one; only if somebody withdraws without ever having
        played, the others move up, since those out who never played a game share the last place.
        """
        leaving = list(self._leaving())
        idle = [entry for _over, out in leaving for entry in out if entry in self.never_played]
        left = len(self.entries) - len(idle)
        placed = [(entry, left + 1) for entry in idle]
        for over, out in leaving:
            if not over:
                break
            players = [entry for entry in out if entry not in idle]
            left -= len(players)
            placed += [(entry, left + 1) for entry in players]
        if self.champion is not None:
            placed.append((self.champion, 1))
        return dict(reversed(placed))

    def _leaving(self) -> Iterator[tuple[bool, tuple[EntryId, ...]]]:
        """Who leaves together, the first to leave first; and whether that is settled."""
        if any(meeting.part is Part.FINAL for meeting in self.meetings):
            yield from (_out(one) for one in self.rounds if one.part is Part.LOSERS)
            yield (self._deciding_final().over, self._deciding_final().out)
            return
        main = [one for one in self.rounds if one.part is Part.MAIN]
        third = [m for m in self.matches.values() if m.part is Part.THIRD_PLACE]
        yield from (_out(one) for one in (main[:-2] if third else main[:-1]))
        for match in third:
            yield match.over, match.out
            yield match.over, () if match.winner is None else (match.winner,)
        yield _out(main[-1])

    def _deciding_final(self) -> Match:
        """The final of a double knock-out, or the one played again."""
        final, again = (m for m in self.matches.values() if m.part is Part.FINAL)
        return final if again.state is State.UNUSED else again

    def _walked_off(self, match: Match) -> bool:
        """Whether the winner by walk-over has withdrawn too."""
        return match.state is not State.PLAYED and match.winner in self.withdrawn

    def _last(self, part: Part) -> Match:
        return [match for match in self.matches.values() if match.part is part][-1]

    def _with_opponent(self, holder: EntryId, late: EntryId) -> "Bracket | None":
        """The bracket in which the late entry takes the bye of this one; None without a bye."""
        for one in self.meetings:
            if one.first.kind is not Kind.DRAWN or one.first.entry != holder:
                continue
            if one.second.kind is not Kind.DRAWN or one.second.entry is not None:
                return None
            filled = replace(one, second=replace(one.second, entry=late))
            meetings = tuple(filled if one is meeting else meeting for meeting in self.meetings)
            return replace(self, entries=(*self.entries, late), meetings=meetings)
        return None

    @staticmethod
    def _standing(changed: "Bracket") -> "Bracket":
        """Without the results that no longer have the same two sides."""
        valid = {
            key: result
            for key, result in changed.results.items()
            if changed.matches[key].state is State.PLAYED
        }
        return replace(changed, results=valid)


def _out(one: Round) -> tuple[bool, tuple[EntryId, ...]]:
    return one.over, tuple(entry for match in one.matches for entry in match.out)


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
    second loss knocks out. `consolation`: anyone who loses their first match plays on in a bracket
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
        dropping = _losers_order(losers(main), number)
        sides = [side for two in zip(winners(meet), dropping, strict=True) for side in two]
        fall = neighbours(Part.LOSERS, 2 * number, sides)
        still_in = winners(fall)
        made += meet + fall
    return made + _finals(rounds[-1][0], still_in[0])


def _losers_order(sides: list[Source], number: int) -> list[Source]:
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
