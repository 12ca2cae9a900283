"""A round of a tournament as pages show it: its matches with names, its seats and its byes."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from django.utils.translation import gettext as _

from league.errors import Refused
from league.labels import as_partners, table_and_seat
from league.members.models import Member
from league.members.names import sort_key
from league.pairing.formats import Rounds
from league.pairing.formats.knockout import Bracket, Part
from league.play.text import score_text
from league.ranking.match_facts import MatchFacts
from league.seating.models import Table
from league.seating.planner_adapter import rule_for
from league.seating.queries import current_seats_prefetch
from league.standings.cached_tables import cached
from league.tournaments.draws.groups import rounds_of_groups, withdrawn_early
from league.tournaments.draws.knockout import bracket_of, match_numbers
from league.tournaments.draws.rounds import (
    as_played_round,
    card_for,
    fixtures_of,
    planned_rounds,
    round_of_fixtures,
)
from league.tournaments.models import Match, Stage, match_name
from league.tournaments.queries import NameOf, entry_name, left_open
from league.tournaments.stage_state import RoundDraw, RoundFacts, StageState
from league.tournaments.ties import contenders


@dataclass(frozen=True, slots=True)
class SideSheet:
    """One side of a match: its players, their seats, points of the game, games won."""

    names: tuple[str, ...]
    seats: tuple[tuple[int, str], ...]
    position: int
    points: int | None
    wins: str
    won: bool

    @property
    def name(self) -> str:
        return as_partners(list(self.names))


@dataclass(frozen=True, slots=True)
class MatchSheet:
    """A match as a page shows it.

    `state` is ready, playing, tied, again (needs one more game), done, void (marked as not played),
    walkover or undone.
    `own_position` is the reader's seat, None if they do not sit at it. `title` names a match of a
    bracket, if its round has several; `number` is its number in the bracket. `withdrawn` names the
    pairs that have withdrawn and leave it open.
    """

    facts: MatchFacts
    table: Table | None
    sides: tuple[SideSheet, ...]
    state: str
    own_position: int | None = None
    title: str = ""
    number: int | None = None
    withdrawn: tuple[str, ...] = ()

    @property
    def is_void(self) -> bool:
        """Whether its latest game was marked as not played."""
        is_waiting = self.state == "again" and not self.facts.games[-1].counts
        return self.state == "void" or is_waiting

    @property
    def is_mine(self) -> bool:
        """Whether the reader sits at it."""
        return self.own_position is not None

    @property
    def where(self) -> str:
        """The reader's table and seat, "table 7, North"."""
        assert self.table is not None
        assert self.own_position is not None
        return table_and_seat(self.table.number, self.table.players, self.own_position)

    @property
    def partners(self) -> list[str]:
        """The names of the reader's partners."""
        seats = [seat for side in self.sides if self._is_own(side) for seat in side.seats]
        return [name for position, name in seats if position != self.own_position]

    @property
    def opponents(self) -> list[tuple[str, ...]]:
        """The names of each side that the reader plays against."""
        return [side.names for side in self.sides if not self._is_own(side)]

    @property
    def contenders(self) -> list[SideSheet]:
        """The sides that are tied for the win."""
        tied = contenders(self.facts) if self.facts.tied else []
        return [side for side in self.sides if side.position in tied]

    def without_score(self) -> "MatchSheet":
        """The match without its score, and without a tie, which would give it away."""
        state = "done" if self.state == "tied" else self.state
        sides = (replace(side, points=None, wins="", won=False) for side in self.sides)
        return replace(self, sides=tuple(sides), state=state)

    def _is_own(self, side: SideSheet) -> bool:
        return any(position == self.own_position for position, _name in side.seats)


@dataclass(frozen=True, slots=True)
class RoundSheet:
    """A round with its matches and who has a bye."""

    facts: RoundFacts
    matches: tuple[MatchSheet, ...]
    byes: tuple[str, ...]
    resting: tuple[tuple[str, ...], ...] = ()
    """The names of the players of each entry that has a bye or sits out."""

    def without_scores(self) -> "RoundSheet":
        """The round with no result but that of the reader's own match."""
        matches = (match if match.is_mine else match.without_score() for match in self.matches)
        return replace(self, matches=tuple(matches))

    @property
    def places(self) -> list[tuple[str, int | None, str]]:
        """Each player's name, table and partners, by name; without a table for a bye."""
        at_tables = [
            (side.names, match.table.number)
            for match in self.matches
            if match.table is not None
            for side in match.sides
        ]
        places = [
            (name, table, as_partners([other for other in names if other != name]))
            for names, table in [*at_tables, *((names, None) for names in self.resting)]
            for name in names
        ]
        return sorted(places, key=lambda place: sort_key(place[0]))


def game_scores(match: MatchFacts, first: int | str | None) -> str:
    """The scores of a match of several games, with the points of its `first` entry in front."""
    order = sorted(match.sides, key=lambda position: match.sides[position] != first)
    games = [game for game in match.games if game.score] if match.best_of > 1 else []
    return ", ".join(score_text([game.score[position] for position in order]) for game in games)


def match_titles(state: StageState, facts: RoundFacts) -> dict[str, str]:
    """The titles of matches of this round, by their keys: of the final, of matches outside the
    main rounds, and of all matches if the round plays several main rounds at once.

    Empty without a bracket, and if the round itself has the name of its only match.
    """
    if state.bracket_from is None or (len(facts.matches) < 2 and facts.row.label):
        return {}
    if state.bracket_from != 1 and not state.cards:
        return {}
    named = {
        Part.FINAL: _("Final"),
        Part.LOSERS: _("Losers' bracket"),
        Part.CONSOLATION: _("Consolation"),
        Part.THIRD_PLACE: _("Third place"),
    }
    bracket = bracket_of(state)
    matches = bracket.matches.values()
    titles = {match.key: named[match.part] for match in matches if match.part in named}
    finals = [match for match in matches if match.part is Part.FINAL]
    titles |= {match.key: _("Second final") for match in finals if match.round > 1}
    if finals:
        return titles
    return titles | _main_titles(bracket, {match.place for match in facts.matches})


def _main_titles(bracket: Bracket, places: set[str]) -> dict[str, str]:
    """The final's title, and those of all main rounds if `places` are of more than one."""
    main = [match for match in bracket.matches.values() if match.part is Part.MAIN]
    is_mixed = len({match.round for match in main if match.key in places}) > 1
    sizes = Counter(match.round for match in main)
    return {
        match.key: match_name(2 * sizes[match.round])
        for match in main
        if is_mixed or (match.round == max(sizes) and sizes[match.round] == 1)
    }


def round_sheet(
    state: StageState, facts: RoundFacts, name_of: NameOf, reader_key: int | None = None
) -> RoundSheet:
    """A round with the players now at its tables, including substitutes; three queries."""
    keys = [match.games[-1].table for match in facts.matches if match.games]
    tables = {
        table.pk: table
        for table in Table.objects.filter(pk__in=keys)
        .select_related("ruleset")
        .prefetch_related(current_seats_prefetch())
        .order_by("pk")
    }
    titles, left = match_titles(state, facts), left_open(state)
    has_places = any(match.place or match.undone for match in facts.matches)
    numbers = match_numbers(bracket_of(state)) if has_places else {}
    places = {number: place for place, number in numbers.items()}  # a void match has lost its own
    sheets = [_match_sheet(state, match, tables, name_of, reader_key) for match in facts.matches]
    return RoundSheet(
        facts=facts,
        matches=tuple(
            replace(
                sheet,
                title=titles.get(sheet.facts.place or places.get(sheet.facts.number, ""), ""),
                number=numbers.get(sheet.facts.place),
                withdrawn=tuple(entry_name(e, name_of) for e in left.get(sheet.facts.key, ())),
            )
            for sheet in sheets
        ),
        byes=tuple(entry_name(state.entries[key], name_of) for key in state.byes_of(facts)),
        resting=tuple(
            tuple(map(name_of, state.entries[key].people)) for key in state.byes_of(facts)
        ),
    )


def _match_sheet(
    state: StageState,
    match: MatchFacts,
    tables: Mapping[int, Table],
    name_of: NameOf,
    reader_key: int | None,
) -> MatchSheet:
    table = tables.get(match.games[-1].table) if match.games else None
    if table is None:
        sides = tuple(
            SideSheet(
                tuple(name_of(member) for member in state.entries[entry].people),
                (),
                position,
                None,
                "",
                position == match.winner,
            )
            for position, entry in sorted(match.sides.items())
        )
        return MatchSheet(match, None, sides, _match_state(match))
    seats = {seat.position: seat.member for seat in table.current_seats}
    count = table.ruleset.sides
    sides = tuple(_side_sheet(match, seats, side, count, name_of) for side in range(count))
    own = next((p for p, member in seats.items() if member.pk == reader_key), None)
    return MatchSheet(match, table, sides, _match_state(match), own)


def _side_sheet(
    match: MatchFacts, members: Mapping[int, Member], side: int, count: int, name_of: NameOf
) -> SideSheet:
    seats = tuple((p, name_of(m)) for p, m in sorted(members.items()) if p % count == side)
    score = match.latest_score
    games_won = match.wins.get(side, Fraction(0))
    return SideSheet(
        names=tuple(name for _position, name in seats),
        seats=seats,
        position=side,
        points=score[side] if len(score) > side else None,
        wins=str(games_won) if match.best_of > 1 else "",
        won=match.won_by_now(side),
    )


def _match_state(match: MatchFacts) -> str:
    if match.undone:
        return "undone"
    if match.decided_by == Match.By.WALKOVER or not match.games:
        return "walkover"
    if not match.games[-1].counts and match.over:
        return "void"
    if match.needs_another:
        return "again"
    if match.over:
        return "tied" if match.tied else "done"
    has_begun = len(match.games) > 1 or any(game.hands for game in match.games)
    return "playing" if has_begun else "ready"


def fixtures_to_come(
    state: StageState, name_of: NameOf
) -> list[tuple[int, list[tuple[int | None, str]], list[str]]]:
    """The rounds of fixtures that are not published: number, matches with their group, and byes."""
    fixtures: Rounds = ()
    if state.stage.format == Stage.Format.ROUND_ROBIN:
        fixtures = fixtures_of(state)
    elif state.stage.format == Stage.Format.GROUPS and state.bracket_from is None:
        fixtures = rounds_of_groups(state)
    number = len(state.published)
    if not number or number >= len(fixtures):
        return []
    names = {key: entry_name(entry, name_of) for key, entry in state.entries.items()}
    left = withdrawn_early(state)
    draws = [round_of_fixtures(state, pairings, left) for pairings in fixtures[number:]]
    return [
        (
            n,
            [(t.group, " – ".join(names[key] for _p, key in t.sides)) for t in draw.tables],
            [names[key] for key in draw.byes],
        )
        for n, draw in enumerate(draws, number + 1)
    ]


@dataclass(frozen=True, slots=True)
class CardLine:
    """A round on a player's card: the seat, the partners and each side of opponents. A player
    without a seat (`where`) sits out."""

    number: int
    where: str = ""
    partners: tuple[str, ...] = ()
    opponents: tuple[tuple[str, ...], ...] = ()


def player_cards(state: StageState, name_of: NameOf) -> dict[int, list[CardLine]]:
    """The card of each entry of a rotation: its rounds so far, and those to come as planned."""
    cards: dict[int, list[CardLine]] = defaultdict(list)
    if state.stage.format != Stage.Format.ROTATION:
        return cards
    names = {key: entry_name(entry, name_of) for key, entry in state.entries.items()}
    keys = [game.table for match in state.matches for game in match.games]
    numbers = dict(Table.objects.filter(pk__in=keys).values_list("pk", "number"))
    for facts in state.published:
        tables = [(numbers[m.games[-1].table], m.sides) for m in facts.matches if m.games]
        for entry, line in _card_lines(facts.number, tables, facts.byes, names):
            cards[entry].append(line)
    for number, draw in _rounds_to_come(state):
        tables = [(place, dict(table.sides)) for place, table in enumerate(draw.tables, 1)]
        for entry, line in _card_lines(number, tables, draw.byes, names):
            cards[entry].append(line)
    return cards


def next_seat(state: StageState, lines: Sequence[CardLine]) -> CardLine | None:
    """A player's next round by their card, once no match of the current one is open."""
    if state.last is None or state.last.open_matches:
        return None
    return next((line for line in lines if line.number > state.last.number), None)


def _card_lines(
    number: int,
    tables: Iterable[tuple[int, Mapping[int, int]]],
    byes: Iterable[int],
    names: Mapping[int, str],
) -> Iterator[tuple[int, CardLine]]:
    """Each entry's line of a round, from its numbered tables with the entries by position."""
    for table, sides in tables:
        count = 2 if len(sides) == 4 else len(sides)
        for own, entry in sides.items():
            others: list[list[str]] = [[] for _side in range(count)]
            for position, other in sorted(sides.items()):
                if position != own:
                    others[position % count].append(names[other])
            partners = tuple(others.pop(own % count))
            where = table_and_seat(table, len(sides), own)
            yield entry, CardLine(number, where, partners, tuple(map(tuple, others)))
    yield from ((entry, CardLine(number)) for entry in byes)


def _rounds_to_come(state: StageState) -> list[tuple[int, RoundDraw]]:
    """The rounds of a rotation that are not published, by number, as they are planned; empty if the
    field has changed since, or if they are drawn one by one."""
    number, tournament = len(state.published) + 1, state.stage.tournament
    if not state.published or number > state.options.rounds:
        return []
    card = card_for(state, number, seed=0)
    if card.is_new:
        return []
    try:
        rule = rule_for(tournament.club, len(card.players), tournament.session.seating_policy)
    except Refused:  # the sizes of tables were changed since the draw
        return []
    earlier = [as_played_round(facts) for facts in state.published if facts.number < card.first]
    drawn = cached(
        "rotation",
        (tournament.pk, card, rule, earlier),
        lambda: planned_rounds(state, card, rule),
        is_valid=lambda _drawn: True,
    )
    return [(n, drawn[n - card.first]) for n in range(number, card.last + 1)] if drawn else []
