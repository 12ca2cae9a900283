"""A bracket in play: what is known of every match, what can be played now, who stands where."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from itertools import groupby

from league.pairing.errors import PairingRefused
from league.pairing.formats.knockout.bracket_matches import Kind, Meeting, Part, Source
from league.pairing.formats.pairings import EntryId, Pairing, gettext_noop


class State(StrEnum):
    """How far a match is. `UNUSED`: nobody comes to it."""

    WAITING = "waiting"
    READY = "ready"
    PLAYED = "played"
    WALKOVER = "walkover"
    BYE = "bye"
    UNUSED = "unused"


OPEN = (State.WAITING, State.READY)


@dataclass(frozen=True, slots=True)
class Match:
    """A match as it stands. A side is None while unknown and when nobody comes (then `known`)."""

    meeting: Meeting
    first: EntryId | None = None
    second: EntryId | None = None
    known: tuple[bool, bool] = (False, False)
    state: State = State.WAITING
    winner: EntryId | None = None
    loser: EntryId | None = None

    @property
    def key(self) -> str:
        return self.meeting.key

    @property
    def part(self) -> Part:
        return self.meeting.part

    @property
    def round(self) -> int:
        return self.meeting.round

    @property
    def number(self) -> int:
        return self.meeting.number

    @property
    def sides(self) -> tuple[EntryId | None, EntryId | None]:
        return self.first, self.second

    @property
    def over(self) -> bool:
        """Whether nothing is left to play."""
        return self.state not in OPEN

    @property
    def out(self) -> tuple[EntryId, ...]:
        """Who came to it and did not win it, once it is over."""
        sides = self.sides if self.over else ()
        return tuple(one for one in sides if one is not None and one != self.winner)


@dataclass(frozen=True, slots=True)
class _Side:
    known: bool
    entry: EntryId | None = None


NOBODY = _Side(known=True)
UNKNOWN = _Side(known=False)


def resolved(
    meetings: Iterable[Meeting],
    results: Mapping[str, tuple[EntryId, EntryId]],
    withdrawn: Collection[EntryId],
) -> dict[str, Match]:
    """Every match by its key. A result counts only between the sides it was made between."""
    known: dict[str, Match] = {}
    for meeting in meetings:
        first, second = _side(meeting.first, known), _side(meeting.second, known)
        match = Match(meeting, first.entry, second.entry, (first.known, second.known))
        known[meeting.key] = _decided(match, results.get(meeting.key), withdrawn)
    return known


def _decided(
    match: Match, result: tuple[EntryId, EntryId] | None, withdrawn: Collection[EntryId]
) -> Match:
    if not all(match.known):
        return match
    came = [one for one in (match.first, match.second) if one is not None]
    if len(came) < 2:
        return _with(match, State.BYE if came else State.UNUSED, *came)
    if result and set(result) == set(came):
        return _with(match, State.PLAYED, *result)
    here = [one for one in came if one not in withdrawn]
    if len(here) == 2:
        return _with(match, State.READY)
    # If both are gone the first goes on, to lose the next match by walk-over.
    return _with(match, State.WALKOVER, *sorted(came, key=lambda one: one not in here))


def _with(
    match: Match, state: State, winner: EntryId | None = None, loser: EntryId | None = None
) -> Match:
    return replace(match, state=state, winner=winner, loser=loser)


def _side(source: Source, known: Mapping[str, Match]) -> _Side:
    """Who comes from there."""
    if source.kind is Kind.DRAWN:
        return _Side(known=True, entry=source.entry)
    match = known[source.match]
    if not match.over:
        return UNKNOWN
    if source.kind is Kind.WINNER:
        return _Side(known=True, entry=match.winner)
    if source.kind is Kind.LOSER:
        return _Side(known=True, entry=match.loser)
    if source.kind is Kind.FIRST_LOSS:
        return _first_loss(source, known)
    if match.winner is None or match.winner != match.second or match.first is None:
        return NOBODY
    return _Side(True, match.first if source.kind is Kind.RESET_FIRST else match.second)


def _first_loss(source: Source, known: Mapping[str, Match]) -> _Side:
    """The loser of a match that was played; else its winner, if they lost the one after it."""
    match = known[source.match]
    who = match.loser if match.state is State.PLAYED else None
    if match.state is not State.PLAYED and match.winner is not None:
        for key in source.then:
            after = known[key]
            if not after.over:
                return UNKNOWN
            if after.loser == match.winner:
                who = match.winner
            if after.state is State.PLAYED:
                break
    return _Side(known=True, entry=who)


@dataclass(frozen=True, slots=True)
class Round:
    """The matches of one round of a part."""

    part: Part
    number: int
    matches: tuple[Match, ...]

    @property
    def over(self) -> bool:
        """Whether nothing of it is left to play."""
        return all(one.over for one in self.matches)


@dataclass(frozen=True)
class Bracket:
    """All matches and what has come of them; every change gives a new bracket.

    `results` holds, by the key of the match, its winner and its loser. Whoever withdraws loses
    the matches not played yet by walk-over.
    """

    entries: tuple[EntryId, ...]
    meetings: tuple[Meeting, ...]
    results: Mapping[str, tuple[EntryId, EntryId]] = field(default_factory=dict)
    withdrawn: frozenset[EntryId] = frozenset()

    @cached_property
    def matches(self) -> Mapping[str, Match]:
        """Every match by its key, as far as it is known."""
        return resolved(self.meetings, self.results, self.withdrawn)

    @cached_property
    def rounds(self) -> tuple[Round, ...]:
        """Round after round, part after part: the main rounds, then those beside."""
        groups = groupby(self.matches.values(), lambda one: (one.part, one.round))
        return tuple(Round(part, number, tuple(many)) for (part, number), many in groups)

    def ready(self) -> tuple[Pairing, ...]:
        """The matches that can be played now, labelled by their keys; of two that want the same
        entry, a match for third place and one of a consolation, the first."""
        playing: set[EntryId | None] = set()
        found = []
        for one in self.matches.values():
            if one.state is State.READY and playing.isdisjoint(one.sides):
                playing.update(one.sides)
                found.append(Pairing(one.first, one.second, one.key))  # type: ignore[arg-type]
        return tuple(found)

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
        return all(one.over for one in self.matches.values())

    @property
    def champion(self) -> EntryId | None:
        """Who won the bracket; None while that is open, and when both finalists withdrew."""
        last = self._last(Part.MAIN)
        if any(one.part is Part.FINAL for one in self.meetings):
            last = self._deciding_final()
        return None if last.winner is None or self._walked_off(last) else last.winner

    @property
    def consolation_champion(self) -> EntryId | None:
        """Who won the consolation; None while that is open or when there is none."""
        if not any(one.part is Part.CONSOLATION for one in self.meetings):
            return None
        return self._last(Part.CONSOLATION).winner

    def places(self) -> dict[EntryId, int]:
        """The place of everybody whose place is certain, best first.

        Those knocked out in one round share a place. It is certain once nobody still in can be
        knocked out in that round or an earlier one.
        """
        placed: list[tuple[EntryId, int]] = []
        left = len(self.entries)
        for over, out in self._leaving():
            if not over:
                break
            left -= len(out)
            placed += [(entry, left + 1) for entry in out]
        if self.champion is not None:
            placed.append((self.champion, 1))
        return dict(reversed(placed))

    def _leaving(self) -> Iterator[tuple[bool, tuple[EntryId, ...]]]:
        """Who leaves together, the first to leave first; and whether that is settled."""
        if any(one.part is Part.FINAL for one in self.meetings):
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
        return [one for one in self.matches.values() if one.part is part][-1]

    def _with_opponent(self, holder: EntryId, late: EntryId) -> "Bracket | None":
        """The bracket in which the late entry takes the bye of this one; None without a bye."""
        for one in self.meetings:
            if one.first.kind is not Kind.DRAWN or one.first.entry != holder:
                continue
            if one.second.kind is not Kind.DRAWN or one.second.entry is not None:
                return None
            pack_rounds = replace(one, second=replace(one.second, entry=late))
            meetings = tuple(
                pack_rounds if one is meeting else meeting for meeting in self.meetings
            )
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
