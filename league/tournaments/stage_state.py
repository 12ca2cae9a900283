"""The state of a stage, read in a fixed number of queries, and the result of a draw."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from league.errors import Refused
from league.pairing.formats import Pairing, Rounds
from league.pairing.seating import Composition
from league.play.models import Game, Result
from league.play.queries import CREDIT
from league.ranking.match_facts import GameFacts, MatchFacts
from league.seating.models import Round
from league.standings.queries import exact
from league.tournaments.models import Bye, Entry, Match, MatchGame, MatchSide, Stage, StageRound
from league.tournaments.parameters import StageOptions, read_options

BRACKETS = (Stage.Format.KNOCKOUT, Stage.Format.DOUBLE)
CLOSED = (*BRACKETS, Stage.Format.GROUPS)
"""Formats that are closed to new entries once they are drawn."""
OF_PAIRS = (Stage.Format.ROUND_ROBIN, Stage.Format.SWISS, *CLOSED)


@dataclass(frozen=True, slots=True)
class RoundFacts:
    """One round of a stage with its matches and the entries that have a bye in it."""

    row: StageRound
    matches: tuple[MatchFacts, ...]
    byes: tuple[int, ...]

    @property
    def number(self) -> int:
        return self.row.number

    @property
    def is_draft(self) -> bool:
        return self.row.seating.state == Round.State.DRAFT

    @property
    def entries(self) -> frozenset[int]:
        """The entries that are in it, with a match or a bye."""
        return frozenset(self.byes).union(*(match.entries for match in self.matches))

    @property
    def open_matches(self) -> tuple[MatchFacts, ...]:
        """The matches that are not over."""
        return tuple(match for match in self.matches if not match.over)

    @property
    def is_undone(self) -> bool:
        """Whether a correction has undone all its matches."""
        return bool(self.matches) and all(match.undone for match in self.matches)

    @property
    def is_forced(self) -> bool:
        return self.row.forced_at is not None


@dataclass(frozen=True)
class StageState:
    """A stage with its options, its entries, and every round so far, in order.

    `apart_pairs` are entries to be kept apart, if a caller has looked them up;
    `apart_by_tournament` are those that the tournament's own organiser asked for.
    """

    stage: Stage
    options: StageOptions
    entries: dict[int, Entry]
    rounds: tuple[RoundFacts, ...]
    apart_pairs: frozenset[frozenset[int]] = frozenset()
    apart_by_tournament: frozenset[frozenset[int]] = frozenset()

    @property
    def cards(self) -> list[dict[str, Any]]:
        """The movement cards so far, with their players as keys of entries."""
        keys = {entry.number: key for key, entry in self.entries.items()}
        return [
            {**card, "players": [keys[number] for number in card["players"]]}
            for card in self.stage.cards
        ]

    def by_numbers(self, card: dict[str, Any]) -> dict[str, Any]:
        """A card as it is stored: players by their draw numbers, which survive an archive."""
        return {**card, "players": [self.entries[key].number for key in card["players"]]}

    @property
    def of_pairs(self) -> bool:
        return self.stage.format in OF_PAIRS

    @property
    def published(self) -> tuple[RoundFacts, ...]:
        return tuple(facts for facts in self.rounds if not facts.is_draft)

    @property
    def draft(self) -> RoundFacts | None:
        return next((facts for facts in self.rounds if facts.is_draft), None)

    @property
    def last(self) -> RoundFacts | None:
        """The latest published round."""
        return self.published[-1] if self.published else None

    @property
    def is_untouched(self) -> bool:
        """Whether the latest round is published and nobody has played or decided anything in it."""
        if self.last is None or self.draft is not None:
            return False
        return self.unbegun.issuperset(match.key for match in self.last.matches if match.games)

    @property
    def unbegun(self) -> frozenset[int]:
        """The keys of the latest round's matches in which nobody has played or decided anything."""
        matches = self.last.matches if self.last and not self.last.is_forced else ()
        return frozenset(m.key for m in matches if m.games and not m.undone and not _is_touched(m))

    def names_by_side(self, match: MatchFacts) -> dict[int, str]:
        """The names of each side of a match, by position."""
        people = {position: self.entries[key].people for position, key in match.sides.items()}
        return {side: " & ".join(one.name for one in people[side]) for side in sorted(people)}

    @property
    def active_entries(self) -> dict[int, Entry]:
        """The entries that have not withdrawn, in the order of the draw."""
        entries = [entry for entry in self.entries.values() if entry.withdrawn_at is None]
        return {entry.pk: entry for entry in sorted(entries, key=_draw_order)}

    @property
    def never_drawn(self) -> frozenset[int]:
        """The entries that withdrew before they were in a published round; a bracket places all."""
        if self.in_bracket:
            return frozenset()
        withdrawn = self.entries.keys() - self.active_entries.keys()
        return frozenset(withdrawn.difference(*(facts.entries for facts in self.published)))

    @property
    def bracket_from(self) -> int | None:
        """The number of the bracket's first round; None if no bracket is drawn (yet)."""
        if self.stage.format in BRACKETS:
            return 1
        has_groups = self.stage.format == Stage.Format.GROUPS
        return int(self.stage.cards[0]["from"]) if has_groups and self.stage.cards else None

    @property
    def in_bracket(self) -> bool:
        """Whether a round of the bracket is published."""
        return self.bracket_from is not None and len(self.published) >= self.bracket_from

    @property
    def uneven_draft(self) -> list[int]:
        """The table sizes of a draft of single players; empty if all are tables of four."""
        if self.draft is None or self.of_pairs:
            return []
        sizes = [len(match.sides) for match in self.draft.matches]
        return sizes if set(sizes) != {4} else []

    @property
    def matches(self) -> list[MatchFacts]:
        """Every match of a published round, without those that a correction has undone."""
        return [m for facts in self.published for m in facts.matches if not m.undone]

    def byes_of(self, facts: RoundFacts) -> list[int]:
        """The entries that have a bye in a round, without those whose bye a late entry took."""
        taken = {entry.bye_of_id for entry in self.entries.values() if entry.late}
        return [entry for entry in facts.byes if entry not in taken]

    def byes_had(self) -> dict[int, int]:
        """The number of byes of each entry that has had one."""
        return dict(Counter(entry for facts in self.published for entry in facts.byes))


def _is_touched(match: MatchFacts) -> bool:
    """Whether a match has been played in or decided."""
    has_play = any(game.hands or game.over for game in match.games)
    return bool(match.decided_by) or len(match.games) > 1 or has_play


def _draw_order(entry: Entry) -> tuple[bool, int, int]:
    return entry.number is None, entry.number or 0, entry.pk


def load_stage(stage: Stage) -> StageState:
    """Read a stage, in eight queries whatever its size; one more where a win was shared."""
    options = read_options(stage.parameters)
    entries = Entry.objects.filter(tournament=stage.tournament_id)
    rows = list(stage.rounds.select_related("seating").order_by("number"))
    for row in rows:
        row.stage = stage
    matches = _read_matches(stage, options, rows)
    byes = defaultdict(list)
    for bye in Bye.objects.filter(stage_round__stage=stage).order_by("id"):
        byes[bye.stage_round_id].append(bye.entry_id)
    return StageState(
        stage=stage,
        options=options,
        entries={entry.pk: entry for entry in entries.select_related("member", "partner")},
        rounds=tuple(
            RoundFacts(row, tuple(matches.get(row.pk, ())), tuple(byes[row.pk])) for row in rows
        ),
    )


def _read_matches(
    stage: Stage, options: StageOptions, rows: Sequence[StageRound]
) -> dict[int, list[MatchFacts]]:
    """The matches of each round, by the round's key; five queries."""
    forced = {row.pk for row in rows if row.forced_at is not None}
    published = [row.pk for row in rows if row.seating.state != Round.State.DRAFT]
    sides: dict[int, dict[int, int]] = defaultdict(dict)
    for side in MatchSide.objects.filter(match__stage_round__stage=stage):
        sides[side.match_id][side.position] = side.entry_id
    games = _read_games(stage)
    of_pairs = stage.format in OF_PAIRS
    by_round: dict[int, list[MatchFacts]] = defaultdict(list)
    for match in Match.objects.filter(stage_round__stage=stage).order_by("number"):
        is_undone = stage.format in CLOSED and match.group is None and not match.place
        facts = MatchFacts(
            key=match.pk,
            number=match.number,
            group=match.group,
            place=match.place,
            sides=sides[match.pk],
            games=tuple(games.get(match.pk, ())),
            winner=match.winner,
            decided_by=match.decided_by,
            reason=match.reason,
            best_of=options.games if of_pairs else 1,
            of_pairs=of_pairs,
            closed=is_undone or match.stage_round_id in forced,
            undone=is_undone,
            laps=of_pairs and options.games > 1 and options.laps,
            slam=of_pairs and options.games > 1 and options.slam,
        )
        # Later matches of a bracket rely on the decision: it follows when the organiser updates it.
        is_relied_on = facts.place and match.stage_round_id not in published[-1:]
        by_round[match.stage_round_id].append(facts if is_relied_on else facts.as_games_say())
    return by_round


def _read_games(stage: Stage) -> dict[int, list[GameFacts]]:
    links = list(
        MatchGame.objects.filter(match__stage_round__stage=stage)
        .select_related("table")
        .order_by("number")
    )
    tables = [link.table_id for link in links]
    games = {game.table_id: game for game in Game.objects.filter(table__in=tables)}
    rows = Result.objects.filter(game__table__in=tables)
    if any(0 < row.win_share < 1 for row in rows):  # else there is none, and it is slow to read
        rows = rows.annotate(credit=CREDIT)
    figures = _seat_figures(rows)
    by_match: dict[int, list[GameFacts]] = defaultdict(list)
    for link in links:
        game = games.get(link.table_id)
        by_match[link.match_id].append(_game_facts(link, game, figures))
    return by_match


class _SeatFigures(NamedTuple):
    """The figures of one seat in a game, except points; substitutes' shares are added up."""

    lone_marches: int = 0
    lone_tried: int = 0
    credit: Fraction = Fraction(0)
    target: int = 0


def _seat_figures(rows: Iterable[Any]) -> dict[tuple[int, int], _SeatFigures]:
    """The figures by game and position."""
    figures: dict[tuple[int, int], _SeatFigures] = {}
    for row in rows:
        previous = figures.get((row.game_id, row.position), _SeatFigures())
        figures[row.game_id, row.position] = _SeatFigures(
            previous.lone_marches + row.lone_marches,
            previous.lone_tried + row.lone_tried,
            previous.credit + exact(getattr(row, "credit", 0)),
            row.target,
        )
    return figures


def _game_facts(
    link: MatchGame, game: Game | None, figures: Mapping[tuple[int, int], _SeatFigures]
) -> GameFacts:
    if game is None:
        return GameFacts(link.table_id, link.table.players, False, True, (), ())
    positions = range(link.table.players)
    seats = {p: figures[game.pk, p] for p in positions if (game.pk, p) in figures}
    return GameFacts(
        table=link.table_id,
        players=link.table.players,
        over=game.state != Game.State.PLAYING,
        counts=game.state != Game.State.ABANDONED,
        score=tuple(game.score),
        winners=tuple(game.winners),
        hands=game.hands_played,
        target=min((row.target for row in seats.values()), default=0),
        start=tuple(link.table.carried),
        lone={p: row.lone_marches for p, row in seats.items()},
        loners={p: row.lone_tried for p, row in seats.items()},
        credit={p: row.credit for p, row in seats.items()},
        public_id=game.public_id,
    )


Sizes = Callable[[int], Composition]
"""Gives the table sizes for a number of players by the club's rule."""


@dataclass(frozen=True, slots=True)
class DrawnTable:
    """A match to be played: entries by position, in a group or at a place in the bracket.

    A walk-over has a `winner` and no table. `number` is the match's number in the bracket.
    """

    sides: tuple[tuple[int, int], ...]
    players: int = 4
    group: int | None = None
    place: str = ""
    winner: int | None = None
    number: int | None = None


@dataclass(frozen=True, slots=True)
class RoundDraw:
    """A drawn round, the head table first.

    `card` has the inputs of a new movement card. `field_size` is the number of entries that begin
    the round, if it is a main round of a bracket.
    """

    tables: tuple[DrawnTable, ...]
    byes: tuple[int, ...] = ()
    field_size: int | None = None
    card: dict[str, Any] | None = None


NextDraw = Callable[[StageState, int, Sizes], RoundDraw]


def no_more_rounds(message: str) -> Refused:
    """The refusal to draw another round of a finished stage."""
    return Refused("no-more-rounds", message, status=409)


NEWCOMER = 0
"""Key of an entry that does not exist yet."""


def redrawn_rounds(state: StageState, group: int = 0) -> Rounds:
    """The rounds of the fixtures (of a group) as last redrawn, with earlier rounds left empty.

    Empty if they were never redrawn.
    """
    redraws = [redraw for redraw in state.stage.redrawn if redraw["group"] == group]
    if not redraws:
        return ()
    latest = redraws[-1]
    keys = {entry.number or 0: key for key, entry in state.entries.items()}
    rounds = tuple(
        tuple(_pairing(numbers, keys) for numbers in pairings) for pairings in latest["rounds"]
    )
    return ((),) * latest["after"] + rounds


def _pairing(numbers: Sequence[int], keys: Mapping[int, int]) -> Pairing:
    return Pairing(keys[numbers[0]], keys[numbers[1]] if len(numbers) > 1 else None)


def group_joined(state: StageState, entry: int) -> int | None:
    """The group that was redrawn for a late entry; None if the entry took the place of a bye."""
    number = state.entries[entry].number
    redraws = state.stage.redrawn
    return next((redraw["group"] for redraw in redraws if redraw["late"] == number), None)


def redraw_record(
    rounds: Rounds, numbers: Mapping[int, int], *, late: int, group: int, after: int, seed: int
) -> dict[str, Any]:
    """The JSON record of redrawn rounds, with entries by their `numbers` in the draw."""
    return {
        "late": late,
        "group": group,
        "after": after,
        "seed": seed,
        "rounds": [
            [
                [numbers[int(entry)] for entry in (pair.first, pair.second) if entry is not None]
                for pair in pairings
            ]
            for pairings in rounds
        ],
    }
