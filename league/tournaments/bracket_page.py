"""The bracket as it is read: parts, their rounds, each match with its sides or whence they come."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from django.utils.translation import gettext as _

from league.pairing.formats import Bracket, Kind, Match, Part, Source, State
from league.ranking import MatchFacts
from league.standings.labels import figure
from league.tournaments.draws.knockout import bracket_of
from league.tournaments.models import round_name
from league.tournaments.queries import NameOf, entry_name
from league.tournaments.stage_state import StageState

NOT_SHOWN = (State.BYE, State.UNUSED)


@dataclass(frozen=True, slots=True)
class SideOfBracket:
    """A pair in a match, or the words for whence one will come (then not `known`)."""

    name: str
    known: bool
    won: bool
    score: str


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """A match of the bracket; `number` is what others call it by."""

    number: int
    sides: tuple[SideOfBracket, ...]
    walkover: bool
    open: bool


@dataclass(frozen=True, slots=True)
class BracketRound:
    """A round of a part, with its name."""

    title: str
    matches: tuple[BracketMatch, ...]


@dataclass(frozen=True, slots=True)
class BracketPart:
    """One part: the main bracket, the losers' rounds, the consolation, the final."""

    title: str
    rounds: tuple[BracketRound, ...]


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
        shown = [m for m in now.matches.values() if m.state not in NOT_SHOWN]
        self.numbers = {match.key: number for number, match in enumerate(shown, 1)}

    def parts(self) -> Iterator[BracketPart]:
        titles = {
            Part.MAIN: _("Bracket"),
            Part.LOSERS: _("Losers' bracket"),
            Part.CONSOLATION: _("Consolation"),
            Part.THIRD_PLACE: _("Third place"),
            Part.FINAL: _("Final"),
        }
        if any(one.part is Part.LOSERS for one in self.now.meetings):
            titles[Part.MAIN] = _("Winners' bracket")
        for part, rounds in groupby(self.now.rounds, lambda one: one.part):
            shown = [one for one in rounds if any(m.key in self.numbers for m in one.matches)]
            if shown:
                numbered = enumerate(shown, 1)
                named = [self._round(part, n, one.matches) for n, one in numbered]
                yield BracketPart(titles[part], tuple(named))

    def _round(self, part: Part, number: int, matches: tuple[Match, ...]) -> BracketRound:
        double = any(one.part is Part.LOSERS for one in self.now.meetings)
        title = _("Round %(n)d") % {"n": number}
        if part is Part.MAIN and not double:
            title = round_name(2 * len(matches))
        if part is Part.THIRD_PLACE:
            title = _("Beside the final")
        if part is Part.FINAL:
            title = _("Final") if number == 1 else _("Second final")
        shown = (self._match(one) for one in matches if one.key in self.numbers)
        return BracketRound(title, tuple(shown))

    def _match(self, match: Match) -> BracketMatch:
        meeting = match.meeting
        sides = ((match.first, meeting.first, 0), (match.second, meeting.second, 1))
        return BracketMatch(
            number=self.numbers[match.key],
            sides=tuple(self._side(match, *side) for side in sides),
            walkover=match.state is State.WALKOVER,
            open=not match.over,
        )

    def _side(
        self, match: Match, entry: int | str | None, source: Source, position: int
    ) -> SideOfBracket:
        if entry is None:
            return SideOfBracket(self._whence(source), False, False, "")
        won = match.over and match.winner == entry
        score = _score(self.facts.get(match.key), int(entry))
        return SideOfBracket(self.names[int(entry)], True, won, score)

    def _whence(self, source: Source) -> str:
        number = self.numbers.get(source.match)
        if number is None:
            return _("to come")
        if source.kind is Kind.WINNER:
            return _("winner of match %(n)d") % {"n": number}
        if source.kind in (Kind.LOSER, Kind.FIRST_LOSS):
            return _("loser of match %(n)d") % {"n": number}
        return _("only if the unbeaten lose match %(n)d") % {"n": number}


def _score(facts: MatchFacts | None, entry: int) -> str:
    """Games won in a match of several, else the points of its game."""
    if facts is None or not facts.games:
        return ""
    position = next((p for p, one in facts.sides.items() if one == entry), None)
    if position is None:
        return ""
    if facts.best_of > 1:
        return figure("won", facts.wins[position])
    return str(facts.games[-1].score[position]) if facts.games[-1].score else ""
