"""A bracket in play: what is known of every match, what can be played now, who stands where."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby

from league.pairing.errors import PairingRefused
from league.pairing.formats.knockout.bracket_matches import Kind, Meeting, Part
from league.pairing.formats.knockout.matches import Match, State, resolved
from league.pairing.formats.pairings import EntryId, Pairing
from league.pairing.formats.sentences import gettext_noop


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

    def with_withdrawal(self, entry: EntryId) -> "Bracket":
        """The bracket without an entry: who should meet it next has a walk-over."""
        return replace(self, withdrawn=self.withdrawn | {entry})

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
        sentence = gettext_noop("Nobody can enter any more: no bye is left to give up.")
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
            filled = replace(one, second=replace(one.second, entry=late))
            meetings = tuple(filled if one is meeting else meeting for meeting in self.meetings)
            return replace(self, entries=(*self.entries, late), meetings=meetings)
        return None

    @staticmethod
    def _standing(changed: "Bracket") -> "Bracket":
        """Without the results that no longer have the same two sides."""
        kept = {
            key: result
            for key, result in changed.results.items()
            if changed.matches[key].state is State.PLAYED
        }
        return replace(changed, results=kept)


def _out(one: Round) -> tuple[bool, tuple[EntryId, ...]]:
    return one.over, tuple(entry for match in one.matches for entry in match.out)
