"""The bracket as it is read: parts, their rounds, each match with its sides or whence they come."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from django.utils.translation import gettext as _

from league.pairing.formats.knockout import Bracket, Kind, Match, Part, Source, State
from league.ranking.match_facts import MatchFacts
from league.standings.labels import figure
from league.tournaments.draws.knockout import bracket_of, match_numbers
from league.tournaments.models import Match as StoredMatch
from league.tournaments.models import Stage, round_name
from league.tournaments.queries import NameOf, entry_name
from league.tournaments.stage_state import StageState

Given = StoredMatch.By
NO_MATCH = (State.BYE, State.UNUSED)


@dataclass(frozen=True, slots=True)
class SideOfBracket:
    """A pair in a match, or the words for whence one will come (then not `known`)."""

    name: str
    known: bool
    won: bool
    score: str
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """A match of the bracket; `number` is what others call it by, the same from the draw on.

    `corrected`: by its games, put right since, the other side won.
    """

    number: int
    sides: tuple[SideOfBracket, ...]
    walkover: bool
    open: bool
    corrected: bool = False


@dataclass(frozen=True, slots=True)
class Slot:
    """A place in the picture: a match; or the pair with a `bye`, named where no line comes in (is
    `fed`); or only a line that goes `through`. Nothing of it is drawn where nobody comes.
    """

    match: BracketMatch | None = None
    bye: SideOfBracket | None = None
    through: bool = False
    fed: bool = False
    number: int = 0
    """Of the match that a bye stands for."""

    @property
    def empty(self) -> bool:
        return self.match is None and self.bye is None and not self.through


@dataclass(frozen=True, slots=True)
class BracketRound:
    """A round of a part, with its name. `leads`: how lines go to the next column, two by two
    (`pairs`), straight, or not at all."""

    title: str
    slots: tuple[Slot, ...]
    leads: str = ""

    @property
    def matches(self) -> list[BracketMatch]:
        return [slot.match for slot in self.slots if slot.match is not None]


@dataclass(frozen=True, slots=True)
class BracketPart:
    """One part: the main bracket with the final, the losers' rounds, the consolation."""

    code: str
    title: str
    rounds: tuple[BracketRound, ...]

    @property
    def size(self) -> int:
        """The most places in one column."""
        return max(len(one.slots) for one in self.rounds)

    def panels(self, most: int) -> "list[BracketPart]":
        """The rounds that are on and those to come, cut into parts of so many places a column."""
        last = len(self.rounds) - 1
        small = (n for n, one in enumerate(self.rounds) if len(one.slots) <= most)
        running = (n for n, one in enumerate(self.rounds) if any(m.open for m in one.matches))
        rounds = self.rounds[next(running, next(small, last)) :]
        count = max(1, -(-len(rounds[0].slots) // most))
        return [replace(self, rounds=tuple(_cut(rounds, at, count))) for at in range(count)]


def _cut(rounds: Sequence[BracketRound], at: int, count: int) -> Iterator[BracketRound]:
    for one in rounds:
        each = len(one.slots) // count
        if each:
            leads = one.leads if each > 1 or count == 1 else ""
            yield replace(one, slots=one.slots[at * each : (at + 1) * each], leads=leads)


def bracket_parts(state: StageState, name_of: NameOf) -> list[BracketPart]:
    """Every part in order; empty for other formats and before the first round is published."""
    if not state.in_bracket:
        return []
    page = _Page(state, bracket_of(state), name_of)
    return list(page.parts())


class _Page:
    """What naming the sides needs: the matches by key, their numbers, the games played."""

    def __init__(self, state: StageState, now: Bracket, name_of: NameOf) -> None:
        self.now = now
        self.names = {key: entry_name(one, name_of) for key, one in state.entries.items()}
        self.facts = {match.place: match for match in state.matches}
        self.numbers = match_numbers(now)
        self.seeds = {key: one.seed for key, one in state.entries.items()}
        if state.stage.format == Stage.Format.GROUPS:
            self.seeds = {int(key): seed for seed, key in enumerate(now.entries, 1)}
        self.double = any(meeting.part is Part.LOSERS for meeting in now.meetings)

    def parts(self) -> Iterator[BracketPart]:
        titles = {
            Part.MAIN: _("Winners' bracket") if self.double else _("Bracket"),
            Part.LOSERS: _("Losers' bracket"),
            Part.CONSOLATION: _("Consolation"),
            Part.THIRD_PLACE: _("Third place"),
        }
        final = [one.matches for one in self.now.rounds if one.part is Part.FINAL]
        for part, rounds in groupby(self.now.rounds, lambda one: one.part):
            if part is Part.FINAL:
                continue
            columns = [one.matches for one in rounds] + (final if part is Part.MAIN else [])
            shown = [column for column in columns if any(map(self._is_match, column))]
            if shown:
                yield BracketPart(part.value, titles[part], tuple(self._rounds(shown)))

    def _rounds(self, columns: Sequence[tuple[Match, ...]]) -> Iterator[BracketRound]:
        before: tuple[Slot, ...] = ()
        for number, matches in enumerate(columns, 1):
            many = len(before) // len(matches)  # so many places of the column before lead to one
            slots = tuple(
                self._slot(match, before[at * many : (at + 1) * many])
                for at, match in enumerate(matches)
            )
            after = len(columns[number]) if number < len(columns) else 0
            leads = {len(slots): "straight", len(slots) // 2: "pairs"}.get(after, "")
            yield BracketRound(self._title(matches[0], number), slots, leads if after else "")
            before = slots

    def _title(self, first: Match, number: int) -> str:
        if first.part is Part.FINAL:
            return _("Final") if first.round == 1 else _("Second final")
        if first.part is Part.THIRD_PLACE:
            return _("Third place")
        if first.part is Part.MAIN and not self.double:
            same = (m for m in self.now.matches.values() if m.part is Part.MAIN)
            return round_name(2 * sum(m.round == first.round for m in same))
        return _("Round %(n)d") % {"n": number}

    def _slot(self, match: Match, feeding: Sequence[Slot]) -> Slot:
        fed = any(not one.empty for one in feeding)
        if self._is_match(match):
            return Slot(self._match(match), fed=fed)
        if match.state is State.UNUSED or not self.now.side_counts[match.key]:
            return Slot()
        if fed:
            return Slot(through=True, fed=True)
        return Slot(bye=self._alone(match), number=self.numbers[match.key])

    def _is_match(self, match: Match) -> bool:
        """Whether two meet in it: what the byes of the draw rule out is none from the first day."""
        return match.state not in NO_MATCH and self.now.side_counts[match.key] == 2

    def _match(self, match: Match) -> BracketMatch:
        meeting, facts = match.meeting, self.facts.get(match.key)
        sides = ((match.first, meeting.first), (match.second, meeting.second))
        return BracketMatch(
            number=self.numbers[match.key],
            sides=tuple(self._side(match, *side) for side in sides),
            walkover=match.state is State.WALKOVER or _is_given(facts),
            open=not match.over,
            corrected=facts is not None and facts.corrected_since,
        )

    def _alone(self, match: Match) -> SideOfBracket:
        """Who has the bye, or whence they will come."""
        if match.winner is None:
            return SideOfBracket(self._whence(Source(Kind.WINNER, match.key)), False, False, "")
        key = int(match.winner)
        return SideOfBracket(self.names[key], True, False, "", self.seeds[key])

    def _side(self, match: Match, entry: int | str | None, source: Source) -> SideOfBracket:
        if entry is None:
            return SideOfBracket(self._whence(source), False, False, "")
        won = match.over and match.winner == entry
        score = _score(self.facts.get(match.key), int(entry))
        return SideOfBracket(self.names[int(entry)], True, won, score, self.seeds[int(entry)])

    def _whence(self, source: Source) -> str:
        source = self.now.origin(source)
        number = self.numbers.get(source.match)
        if number is None:
            return _("to come")
        if source.kind is Kind.WINNER:
            return _("winner of match %(n)d") % {"n": number}
        if source.kind in (Kind.LOSER, Kind.FIRST_LOSS):
            return _("loser of match %(n)d") % {"n": number}
        return _("only if the unbeaten side loses match %(n)d") % {"n": number}


def _is_given(facts: MatchFacts | None) -> bool:
    return facts is not None and facts.decided_by == Given.WALKOVER


def _score(facts: MatchFacts | None, entry: int) -> str:
    """Games won in a match of several, else the points of its game."""
    if facts is None or not facts.games:
        return ""
    position = next((p for p, one in facts.sides.items() if one == entry), None)
    if position is None:
        return ""
    if facts.best_of > 1:
        return figure("won", facts.wins[position])
    return str(facts.latest_score[position]) if facts.latest_score else ""
