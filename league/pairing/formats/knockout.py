"""Knock-out brackets, single or double: drawn by seeding and played match by match."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, groupby

from league.pairing.errors import PairingRefused, gettext_noop
from league.pairing.formats.bracket_matches import (
    LETTERS,
    Kind,
    Match,
    Meeting,
    Part,
    Source,
    State,
    count_sides,
    elimination_rounds,
    has_entry,
    key,
    losers,
    main_rounds,
    pair_neighbours,
    resolve_matches,
    winners,
)
from league.pairing.formats.pairings import EntryId, Pairing
from league.pairing.rng import Rng, in_order

__all__ = ["LETTERS", "Bracket", "Kind", "Match", "Part", "Source", "State", "bracket"]


@dataclass(frozen=True, slots=True)
class Round:
    """The matches of one round of a part."""

    part: Part
    number: int
    matches: tuple[Match, ...]

    @property
    def over(self) -> bool:
        """Whether all its matches are over."""
        return all(match.over for match in self.matches)


@dataclass(frozen=True)
class Bracket:
    """All matches and their results; every change returns a new bracket.

    `results` holds the winner and the loser of each match, by its key. An entry that withdraws
    loses its remaining matches by walk-over. `never_played` are the entries that have not played a
    game so far.
    """

    entries: tuple[EntryId, ...]
    meetings: tuple[Meeting, ...]
    results: Mapping[str, tuple[EntryId, EntryId]] = field(default_factory=dict)
    withdrawn: frozenset[EntryId] = frozenset()
    never_played: frozenset[EntryId] = frozenset()

    @cached_property
    def matches(self) -> Mapping[str, Match]:
        """Every match by its key, as far as its sides are known."""
        return resolve_matches(self.meetings, self.results, self.withdrawn)

    @cached_property
    def side_counts(self) -> Mapping[str, int]:
        """How many sides each match will have, by its key; this is known from the draw on."""
        return count_sides(self.meetings)

    def origin(self, source: Source) -> Source:
        """Follow a source back through matches that are byes, or a first loss to the match after a
        bye, which has no loser."""
        while source.kind is Kind.WINNER and self.side_counts[source.match] == 1:
            meeting = self.matches[source.match].meeting
            source = meeting.first if has_entry(meeting.first, self.side_counts) else meeting.second
        if source.kind is Kind.FIRST_LOSS and self.side_counts[source.match] == 1:
            return replace(source, match=source.next_matches[0])
        return source

    @cached_property
    def rounds(self) -> tuple[Round, ...]:
        """All rounds: the main ones first, then those of the other parts."""
        groups = groupby(self.matches.values(), lambda match: (match.part, match.round))
        return tuple(Round(part, number, tuple(matches)) for (part, number), matches in groups)

    def ready(self) -> tuple[Pairing, ...]:
        """Return the matches that can be played now, labelled by their keys.

        If the same entry is in two of them (the third place and the consolation), only the first is
        returned.
        """
        playing: set[EntryId | None] = set()
        pairings = []
        for match in self.matches.values():
            if match.state is State.READY and playing.isdisjoint(match.sides):
                playing.update(match.sides)
                pairings.append(Pairing(match.first, match.second, match.key))  # type: ignore[arg-type]
        return tuple(pairings)

    def with_result(self, match: str, winner: EntryId) -> "Bracket":
        """Return the bracket after a match was won or an earlier result corrected.

        Results of later matches that no longer have the same two sides are dropped; `undone_by`
        tells beforehand which they are.
        """
        current = self.matches[match]
        if current.state not in (State.READY, State.PLAYED, State.WALKOVER):
            sentence = gettext_noop("This match cannot be decided yet: its sides are not known.")
            raise PairingRefused("not-ready", sentence)
        if winner not in (current.first, current.second):
            raise PairingRefused(
                "not-in-match", gettext_noop("Only a side of this match can win it.")
            )
        loser = current.second if winner == current.first else current.first
        assert loser is not None
        changed = replace(self, results={**self.results, match: (winner, loser)})
        return changed._without_stale_results()

    def undone_by(self, match: str, winner: EntryId) -> tuple[Match, ...]:
        """Return the played matches whose results would be dropped if `winner` won this match."""
        valid_results = self.with_result(match, winner).results
        return tuple(self.matches[key] for key in self.results if key not in valid_results)

    def with_late(
        self,
        entry: EntryId,
        *,
        started: Collection[str] = (),
        instead_of: EntryId | None = None,
    ) -> "Bracket":
        """Return the bracket with a late entry in place of a bye of the first round.

        The lowest seed with a bye gets an opponent, unless that would change the sides of a match
        that has been played or is among those `started`. `instead_of` chooses the bye, by the
        entry that has it.
        """
        locked = {*started, *self.results}
        bye_holders = self.entries if instead_of is None else (instead_of,)
        for holder in reversed(bye_holders):
            changed = self._with_opponent(holder, entry)
            if changed and all(changed.matches[k].sides == self.matches[k].sides for k in locked):
                return changed
        sentence = gettext_noop("Entry is closed: no byes are left.")
        raise PairingRefused("no-place-left", sentence)

    @property
    def over(self) -> bool:
        """Whether every match is over."""
        return all(match.over for match in self.matches.values())

    @property
    def champion(self) -> EntryId | None:
        """The winner of the bracket; None while undecided, and if both finalists withdrew."""
        last = self._last_match(Part.MAIN)
        if any(meeting.part is Part.FINAL for meeting in self.meetings):
            last = self._deciding_final()
        return None if last.winner is None or self._has_withdrawn_winner(last) else last.winner

    @property
    def consolation_champion(self) -> EntryId | None:
        """The winner of the consolation; None while undecided or if there is no consolation."""
        if not any(meeting.part is Part.CONSOLATION for meeting in self.meetings):
            return None
        return self._last_match(Part.CONSOLATION).winner

    def places(self) -> dict[EntryId, int]:
        """Return the places that are certain, best first.

        Entries knocked out in the same round share a place. It is certain once no remaining entry
        can be knocked out in that round or an earlier one. Entries that are out without having
        played a game share the last place; if another one withdraws unplayed, the others move up.
        """
        eliminations = list(self._eliminations())
        eliminated = [entry for _is_over, entries in eliminations for entry in entries]
        unplayed = [entry for entry in eliminated if entry in self.never_played]
        entries_left = len(self.entries) - len(unplayed)
        places = [(entry, entries_left + 1) for entry in unplayed]
        for is_over, entries in eliminations:
            if not is_over:
                break
            players = [entry for entry in entries if entry not in unplayed]
            entries_left -= len(players)
            places += [(entry, entries_left + 1) for entry in players]
        if self.champion is not None:
            places.append((self.champion, 1))
        return dict(reversed(places))

    def _eliminations(self) -> Iterator[tuple[bool, tuple[EntryId, ...]]]:
        """Yield the entries that go out together, the first ones first, and whether it is final."""
        if any(meeting.part is Part.FINAL for meeting in self.meetings):
            losers_part = [round_ for round_ in self.rounds if round_.part is Part.LOSERS]
            yield from map(_defeated_in, losers_part)
            yield (self._deciding_final().over, self._deciding_final().defeated)
            return
        main_part = [round_ for round_ in self.rounds if round_.part is Part.MAIN]
        third_places = [m for m in self.matches.values() if m.part is Part.THIRD_PLACE]
        earlier_rounds = main_part[:-2] if third_places else main_part[:-1]
        yield from map(_defeated_in, earlier_rounds)
        for match in third_places:
            yield match.over, match.defeated
            yield match.over, () if match.winner is None else (match.winner,)
        yield _defeated_in(main_part[-1])

    def _deciding_final(self) -> Match:
        """Return the final of a double knock-out, or the second final if it is needed."""
        final, second_final = (m for m in self.matches.values() if m.part is Part.FINAL)
        return final if second_final.state is State.UNUSED else second_final

    def _has_withdrawn_winner(self, match: Match) -> bool:
        """Whether the winner by walk-over has withdrawn too."""
        return match.state is not State.PLAYED and match.winner in self.withdrawn

    def _last_match(self, part: Part) -> Match:
        return [match for match in self.matches.values() if match.part is part][-1]

    def _with_opponent(self, holder: EntryId, late: EntryId) -> "Bracket | None":
        """Return the bracket with a late entry in place of the holder's bye, None without one."""
        for meeting in self.meetings:
            if meeting.first.kind is not Kind.DRAWN or meeting.first.entry != holder:
                continue
            if meeting.second.kind is not Kind.DRAWN or meeting.second.entry is not None:
                return None
            filled = replace(meeting, second=replace(meeting.second, entry=late))
            meetings = tuple(filled if other is meeting else other for other in self.meetings)
            return replace(self, entries=(*self.entries, late), meetings=meetings)
        return None

    def _without_stale_results(self) -> "Bracket":
        """Return the bracket without results of matches that no longer have the same two sides."""
        valid_results = {
            key: result
            for key, result in self.results.items()
            if self.matches[key].state is State.PLAYED
        }
        return replace(self, results=valid_results)


def _defeated_in(round_: Round) -> tuple[bool, tuple[EntryId, ...]]:
    return round_.over, tuple(entry for match in round_.matches for entry in match.defeated)


def bracket(
    entries: Sequence[EntryId],
    *,
    double: bool = False,
    consolation: bool = False,
    third_place: bool = False,
    seed: int | None = None,
) -> Bracket:
    """Return a bracket of entries in the order of their seeding, or drawn at random with a `seed`.

    The best seeds get the byes that fill the first round to a power of two. `double`: an entry is
    out after its second loss. `consolation`: entries that lose their first match play on in a
    bracket of their own. `third_place`: the losers of the semi-finals meet. A double knock-out has
    neither of these.
    """
    if len(entries) < 2:
        raise PairingRefused("too-few", gettext_noop("A knock-out needs at least two entries."))
    drawn_entries = list(entries)
    if seed is not None:
        drawn_entries = list(in_order(entries))
        Rng(seed).shuffle(drawn_entries)
    rounds = main_rounds(drawn_entries)
    other_parts: list[Meeting] = []
    if double:
        other_parts = _losers_part(rounds)
    elif third_place and len(drawn_entries) > 3:
        other_parts += pair_neighbours(Part.THIRD_PLACE, 1, losers(rounds[-2]))
    if consolation and not double and len(rounds) > 1:
        other_parts += _consolation(rounds)
    return Bracket(tuple(drawn_entries), tuple(chain(*rounds, other_parts)))


def _consolation(rounds: Sequence[Sequence[Meeting]]) -> list[Meeting]:
    """Return the consolation, which has one place for each match of the first round."""
    sides = [
        Source(
            Kind.FIRST_LOSS,
            meeting.key,
            next_matches=(key(Part.MAIN, 2, (meeting.number + 1) // 2),),
        )
        for meeting in rounds[0]
    ]
    return list(chain(*elimination_rounds(Part.CONSOLATION, sides)))


def _losers_part(rounds: Sequence[Sequence[Meeting]]) -> list[Meeting]:
    """Return the losers' rounds and the final of a double knock-out.

    The losers of the first main round meet each other. Then, in turn, the winners of that meet the
    losers of the next main round, and the winners of that meet each other.
    """
    meetings: list[Meeting] = []
    survivors = losers(rounds[0])
    for number, main_round in enumerate(rounds[1:], 1):
        among_survivors = pair_neighbours(Part.LOSERS, 2 * number - 1, survivors)
        dropping = _losers_order(losers(main_round), number)
        sides = chain(*zip(winners(among_survivors), dropping, strict=True))
        with_dropping = pair_neighbours(Part.LOSERS, 2 * number, list(sides))
        survivors = winners(with_dropping)
        meetings += among_survivors + with_dropping
    return meetings + _finals(rounds[-1][0], survivors[0])


def _losers_order(sides: list[Source], number: int) -> list[Source]:
    """Return the losers of a main round in the order in which they join the losers' rounds.

    The order changes from round to round: reversed, each half reversed, halves swapped, unchanged.
    So nobody can meet an opponent again before the second half of the losers' rounds. No other
    combination of these four orders has fewer rematches before the losers' final (simulated for 8
    to 64 entries; of 100 full brackets of 16, 37 have one, against 51 with halves swapped second).
    """
    half = len(sides) // 2
    orders = (
        sides,
        sides[::-1],
        sides[:half][::-1] + sides[half:][::-1],
        sides[half:] + sides[:half],
    )
    return orders[number % 4]


def _finals(last: Meeting, losers_champion: Source) -> list[Meeting]:
    """Return the final, and a second one that is played if the unbeaten side loses the first."""
    final = Meeting(Part.FINAL, 1, 1, Source(Kind.WINNER, last.key), losers_champion)
    second_final = Meeting(
        Part.FINAL,
        2,
        1,
        Source(Kind.RESET_FIRST, final.key),
        Source(Kind.RESET_SECOND, final.key),
    )
    return [final, second_final]
