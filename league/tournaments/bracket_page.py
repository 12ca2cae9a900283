"""The bracket as pages show it: parts, rounds, matches, and where open sides come from."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from django.utils.translation import gettext as _

from league.labels import one_stop
from league.pairing.formats.knockout import Bracket, Kind, Match, Part, Source, State
from league.ranking.match_facts import MatchFacts
from league.standings.labels import figure
from league.tournaments.draws.knockout import bracket_of, match_numbers
from league.tournaments.models import Match as StoredMatch
from league.tournaments.models import Stage, round_name
from league.tournaments.queries import NameOf, entry_name
from league.tournaments.round_sheets import game_scores
from league.tournaments.stage_state import StageState

Given = StoredMatch.By
NO_MATCH = (State.BYE, State.UNUSED)
LOSERS = (Kind.LOSER, Kind.FIRST_LOSS)


@dataclass(frozen=True, slots=True)
class BracketSide:
    """A pair in a match, or if it is not `known` yet a text that says where it will come from."""

    name: str
    known: bool
    won: bool
    score: str
    seed: int | None = None
    entry: int | None = field(default=None, compare=False)
    """The pair's key, by which a page marks the reader's own."""


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """A match of the bracket; other matches refer to it by its fixed `number`.

    `corrected` says that its games were corrected and the other side has won since, `tied` that it
    needs a winner, `extra_hand` that one more hand decided it. `table` is the number of the table
    at which it is being played, for a page that shows it; `games` are the scores of several games.
    """

    number: int
    sides: tuple[BracketSide, ...]
    walkover: bool
    open: bool
    corrected: bool = False
    tied: bool = False
    extra_hand: bool = False
    games: str = ""
    table: int | None = None


@dataclass(frozen=True, slots=True)
class Slot:
    """A place in the picture: a match, a `bye`, a line that goes `through`, or nothing.

    It is `fed` if a line leads to it from the column before; a bye is named only if it is not.
    """

    match: BracketMatch | None = None
    bye: BracketSide | None = None
    through: bool = False
    fed: bool = False
    number: int = 0
    """The number of the match that a bye replaces in the main bracket."""

    @property
    def empty(self) -> bool:
        return self.match is None and self.bye is None and not self.through


@dataclass(frozen=True, slots=True)
class BracketRound:
    """A round of a part, with its name.

    `leads` says how lines go to the next column: in pairs (`pairs`), `straight`, or not at all.
    `below` is the round of another part that a wall shows in the same column.
    """

    title: str
    slots: tuple[Slot, ...]
    leads: str = ""
    below: "BracketRound | None" = None

    @property
    def matches(self) -> list[BracketMatch]:
        return [slot.match for slot in self.slots if slot.match is not None]


@dataclass(frozen=True, slots=True)
class BracketPart:
    """A part of the bracket: main bracket with final, losers' bracket, consolation, third place."""

    code: str
    title: str
    rounds: tuple[BracketRound, ...]

    @property
    def size(self) -> int:
        """The number of places in the longest column."""
        return max(len(column.slots) for column in self.rounds)

    @property
    def current(self) -> int:
        """The number of the first round with an open match, from 1; the last one if none is."""
        numbered = enumerate(self.rounds, 1)
        open_rounds = (n for n, column in numbered if any(m.open for m in column.matches))
        return next(open_rounds, len(self.rounds))

    @property
    def names_a_pair(self) -> bool:
        """Whether one of the pairs in it is known."""
        slots = [slot for column in self.rounds for slot in column.slots]
        sides = [side for slot in slots if slot.match for side in slot.match.sides]
        return any(side.known for side in [*sides, *(slot.bye for slot in slots if slot.bye)])

    def panels(self, most_rounds: int, most_places: int) -> "list[BracketPart]":
        """The current and next rounds, cut into panels of at most `most_places` in a column. The
        final has a place beside them as soon as it alone is left. From the semi-finals of a larger
        bracket on, only they stay beside it, so that names are in larger letters.

        Of a round that is mainly byes, panels without an open match give way to the next round,
        most of which is played with it.
        """
        first = self.current - 1
        last_fit = max(0, len(self.rounds) - most_rounds - 1)
        if last_fit and first > last_fit:
            last_fit += 1
        if first >= last_fit and len(self.rounds[last_fit].slots) <= most_places:
            return self._cut(last_fit, most_rounds, most_places)
        column = self.rounds[first]
        panels = self._cut(first, most_rounds, most_places)
        playing = [one for one in panels if any(match.open for match in one.rounds[0].matches)]
        if len(playing) == len(panels) or 2 * len(column.matches) >= len(column.slots):
            return panels
        return playing + self._cut(first + 1, most_rounds, most_places)

    def _cut(self, first: int, most_rounds: int, most_places: int) -> "list[BracketPart]":
        """The rounds from `first` (from 0) on, cut into panels."""
        rounds = self.rounds[first : first + most_rounds]
        count = -(-len(rounds[0].slots) // most_places)
        if count == 1 and len(self.rounds) == first + most_rounds + 1:
            rounds = self.rounds[first:]
        return [replace(self, rounds=tuple(_slice(rounds, n, count))) for n in range(count)]


def _slice(rounds: Sequence[BracketRound], number: int, count: int) -> Iterator[BracketRound]:
    """The part `number` (from 0) of the rounds cut into `count` horizontal parts."""
    sizes = [len(column.slots) // count for column in rounds]
    for column, size, next_size in zip(rounds, sizes, [*sizes[1:], 0], strict=True):
        if size:
            slots = column.slots[number * size : (number + 1) * size]
            yield replace(column, slots=slots, leads=column.leads if next_size else "")


def bracket_parts(
    state: StageState,
    name_of: NameOf,
    tables: Mapping[int, int] | None = None,
    *,
    spaced: Callable[[str], str] = str,
) -> list[BracketPart]:
    """All parts in order; empty for other formats and before the first round is published.

    `tables` are the numbers of the tables to show at open matches, by the tables' keys. `spaced`
    sets the spaces in the name of a pair.
    """
    if not state.in_bracket:
        return []
    names = {key: spaced(entry_name(entry, name_of)) for key, entry in state.entries.items()}
    builder = _PartBuilder(state, bracket_of(state), names, tables or {})
    return list(builder.parts())


def whats_at_stake(
    state: StageState, entry: int, name_of: NameOf, tables: Mapping[int, int]
) -> str:
    """Whom an entry with a match to play now meets if it wins, and that it plays for third place if
    it loses. `tables` as for `bracket_parts`."""
    bracket = bracket_of(state)
    own = next((m for m in bracket.matches.values() if not m.over and entry in m.sides), None)
    if own is None:
        return ""
    texts = [_if_you_win(state, bracket, own.key, name_of, tables)]
    if _loser_plays_for_third(bracket, own.key):
        texts.append(_("If you lose, you play for third place."))
    return " ".join(filter(None, texts))


def _loser_plays_for_third(bracket: Bracket, key: str) -> bool:
    meetings = [m for m in bracket.meetings if m.part is Part.THIRD_PLACE]
    origins = [bracket.origin(source) for m in meetings for source in (m.first, m.second)]
    has_two_sides = all(bracket.side_counts[meeting.key] == 2 for meeting in meetings)
    return has_two_sides and any(o.kind in LOSERS and o.match == key for o in origins)


def _if_you_win(
    state: StageState, bracket: Bracket, key: str, name_of: NameOf, tables: Mapping[int, int]
) -> str:
    """Whom the winner of this match meets; empty after the final, and where that depends on who
    loses."""
    source = _other_source(bracket, key)
    if source is None:
        return ""
    other = bracket.origin(source)
    match = bracket.matches.get(other.match)
    is_winner = other.kind is Kind.WINNER and match is not None
    known = match.winner if is_winner and match else other.entry
    if known is not None:
        names = entry_name(state.entries[int(known)], name_of)
        return one_stop(_("If you win, you play %(names)s next.") % {"names": names})
    if match is None or not is_winner:
        return ""
    builder = _PartBuilder(state, bracket, {}, tables)
    if table := builder._table(match.key):
        return _("If you win, you play the winner of table %(n)d next.") % {"n": table}
    text = _("If you win, you play the winner of match %(n)d next.")
    return text % {"n": builder.numbers[match.key]}


def opponent_to_come(
    state: StageState, bracket: Bracket, entry: int, tables: Mapping[int, int]
) -> str:
    """That an entry whose next opponent is not known yet plays the winner of a match; empty if its
    opponent comes from elsewhere. `tables` as for `bracket_parts`."""
    own = next((m for m in bracket.matches.values() if not m.over and entry in m.sides), None)
    if own is None:
        return ""
    source = own.meeting.second if own.first == entry else own.meeting.first
    other = bracket.origin(source)
    if other.kind is not Kind.WINNER or other.match not in bracket.matches:
        return ""
    builder = _PartBuilder(state, bracket, {}, tables)
    if table := builder._table(other.match):
        return _("You play the winner of table %(n)d next.") % {"n": table}
    return _("You play the winner of match %(n)d next.") % {"n": builder.numbers[other.match]}


def _other_source(bracket: Bracket, key: str) -> Source | None:
    """Where the side comes from that the winner of this match meets."""
    for meeting in bracket.meetings:
        sources = (meeting.first, meeting.second)
        if bracket.side_counts[meeting.key] != 2:
            continue
        for source, other in (sources, sources[::-1]):
            origin = bracket.origin(source)
            if origin.kind is Kind.WINNER and origin.match == key:
                return other
    return None


class _PartBuilder:
    """Builds the parts from the bracket, the numbers of its matches and the games played."""

    def __init__(
        self,
        state: StageState,
        bracket: Bracket,
        names: Mapping[int, str],
        tables: Mapping[int, int],
    ) -> None:
        self.bracket, self.tables, self.names = bracket, tables, names
        self.facts = {match.place: match for match in state.matches}
        self.numbers = match_numbers(bracket)
        self.seeds = {key: entry.seed for key, entry in state.entries.items()}
        if state.stage.format == Stage.Format.GROUPS:
            self.seeds = {int(key): seed for seed, key in enumerate(bracket.entries, 1)}
        self.is_double = any(meeting.part is Part.LOSERS for meeting in bracket.meetings)

    def parts(self) -> Iterator[BracketPart]:
        titles = {
            Part.MAIN: _("Winners' bracket") if self.is_double else _("Bracket"),
            Part.LOSERS: _("Losers' bracket"),
            Part.CONSOLATION: _("Consolation"),
            Part.THIRD_PLACE: _("Third place"),
        }
        final = [round_.matches for round_ in self.bracket.rounds if round_.part is Part.FINAL]
        for part, rounds in groupby(self.bracket.rounds, lambda round_: round_.part):
            if part is Part.FINAL:
                continue
            columns = [round_.matches for round_ in rounds] + (final if part is Part.MAIN else [])
            columns = [column for column in columns if any(map(self._is_match, column))]
            if columns:
                yield BracketPart(part.value, titles[part], tuple(self._rounds(columns)))

    def _rounds(self, columns: Sequence[tuple[Match, ...]]) -> Iterator[BracketRound]:
        previous: tuple[Slot, ...] = ()
        for number, matches in enumerate(columns, 1):
            feeders = len(previous) // len(matches)  # places of the last column that lead to one
            slots = tuple(
                self._slot(match, previous[n * feeders : (n + 1) * feeders])
                for n, match in enumerate(matches)
            )
            next_size = len(columns[number]) if number < len(columns) else 0
            leads = {len(slots): "straight", len(slots) // 2: "pairs"}.get(next_size, "")
            yield BracketRound(self._title(matches[0], number), slots, leads if next_size else "")
            previous = slots

    def _title(self, first: Match, number: int) -> str:
        if first.part is Part.FINAL:
            return _("Final") if first.round == 1 else _("Second final")
        if first.part is Part.THIRD_PLACE:
            return _("Third place")
        if first.part is Part.MAIN and not self.is_double:
            main = (m for m in self.bracket.matches.values() if m.part is Part.MAIN)
            return round_name(2 * sum(m.round == first.round for m in main))
        return _("Stage %(n)d") % {"n": number}  # not a round of the evening

    def _slot(self, match: Match, feeders: Sequence[Slot]) -> Slot:
        fed = any(not slot.empty for slot in feeders)
        if self._is_match(match):
            return Slot(self._match(match), fed=fed)
        if match.state is State.UNUSED or not self.bracket.side_counts[match.key]:
            return Slot()
        if fed:
            return Slot(through=True, fed=True)
        number = self.numbers[match.key] if match.part is Part.MAIN else 0
        return Slot(bye=self._bye_side(match), number=number)

    def _is_match(self, match: Match) -> bool:
        """Whether two entries meet in it, or will: byes of the draw rule some matches out."""
        return match.state not in NO_MATCH and self.bracket.side_counts[match.key] == 2

    def _match(self, match: Match) -> BracketMatch:
        meeting, facts = match.meeting, self.facts.get(match.key)
        sides = ((match.first, meeting.first), (match.second, meeting.second))
        return BracketMatch(
            number=self.numbers[match.key],
            sides=tuple(self._side(match, *side) for side in sides),
            walkover=match.state is State.WALKOVER
            or (facts is not None and facts.decided_by == Given.WALKOVER),
            open=not match.over,
            corrected=facts is not None and facts.corrected_since,
            tied=facts is not None and facts.tied,
            extra_hand=_is_by_extra_hand(facts),
            games=game_scores(facts, match.first) if facts else "",
            table=self._table(match.key),
        )

    def _table(self, key: str) -> int | None:
        """The table at which this match is being played, if the page shows it."""
        match, facts = self.bracket.matches.get(key), self.facts.get(key)
        games = facts.games if facts and match and not match.over else ()
        return self.tables.get(games[-1].table) if games else None

    def _bye_side(self, match: Match) -> BracketSide:
        """The side that has the bye, or where it will come from."""
        if match.winner is None:
            return BracketSide(self._source_text(Source(Kind.WINNER, match.key)), False, False, "")
        key = int(match.winner)
        return BracketSide(self.names[key], True, False, "", self.seeds[key], key)

    def _side(self, match: Match, entry: int | str | None, source: Source) -> BracketSide:
        if entry is None:
            return BracketSide(self._source_text(source), False, False, "")
        facts = self.facts.get(match.key)
        won = match.over and match.winner == entry
        if facts and facts.corrected_since:
            won = any(facts.won_by_now(p) for p, key in facts.sides.items() if key == entry)
        score = _score(facts, int(entry))
        key = int(entry)
        return BracketSide(self.names[key], True, won, score, self.seeds[key], key)

    def _source_text(self, source: Source) -> str:
        source = self.bracket.origin(source)
        number, table = self.numbers.get(source.match), self._table(source.match)
        if number is None:
            return _("to come")
        is_winner, is_loser = source.kind is Kind.WINNER, source.kind in LOSERS
        if table and (is_winner or is_loser):  # the match shows its table instead of its number
            text = _("winner of table %(n)d") if is_winner else _("loser of table %(n)d")
            number = table
        elif is_winner:
            text = _("winner of match %(n)d")
        elif is_loser:
            text = _("loser of match %(n)d")
        else:
            text = _("only if the unbeaten side loses match %(n)d")
        return text.replace(" %(n)d", "\N{NO-BREAK SPACE}%(n)d") % {"n": number}


def _is_by_extra_hand(facts: MatchFacts | None) -> bool:
    return facts is not None and facts.decided_by == Given.EXTRA_HAND and facts.by_games is None


def _score(facts: MatchFacts | None, entry: int) -> str:
    """The games won in a match of several games, else the points of its game."""
    if facts is None or not facts.games:
        return ""
    position = next((p for p, key in facts.sides.items() if key == entry), None)
    if position is None:
        return ""
    if facts.best_of > 1:
        return figure("won", facts.wins[position])
    return str(facts.latest_score[position]) if facts.latest_score else ""
