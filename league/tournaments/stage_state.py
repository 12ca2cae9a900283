"""A stage as it stands, read in a fixed number of queries, and what a draw makes of it."""

from collections import defaultdict
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
from league.tournaments.parameters import Chosen, chosen

BRACKETS = (Stage.Format.KNOCKOUT, Stage.Format.DOUBLE)
CLOSED = (*BRACKETS, Stage.Format.GROUPS)
"""Formats that take nobody in once they are drawn."""
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
    def open(self) -> tuple[MatchFacts, ...]:
        """The matches with something left to play."""
        return tuple(match for match in self.matches if not match.over)

    @property
    def forced(self) -> bool:
        return self.row.forced_at is not None


@dataclass(frozen=True)
class StageState:
    """A stage, what was chosen for it, who plays in it, and every round so far, in order.

    `apart`: entries that the club or the tournament asks to keep apart, where somebody has looked
    that up; `apart_here`: those of them that this tournament alone asks for.
    """

    stage: Stage
    chosen: Chosen
    entries: dict[int, Entry]
    rounds: tuple[RoundFacts, ...]
    apart: frozenset[frozenset[int]] = frozenset()
    apart_here: frozenset[frozenset[int]] = frozenset()

    @property
    def cards(self) -> list[dict[str, Any]]:
        """The cards drawn up so far, with the keys of their players."""
        keys = {entry.number: key for key, entry in self.entries.items()}
        return [
            {**card, "players": [keys[number] for number in card["players"]]}
            for card in self.stage.cards
        ]

    def by_numbers(self, card: dict[str, Any]) -> dict[str, Any]:
        """A card as it is stored: its players by their numbers, which an archive keeps too."""
        return {**card, "players": [self.entries[key].number for key in card["players"]]}

    @property
    def of_pairs(self) -> bool:
        return self.stage.format in OF_PAIRS

    @property
    def published(self) -> tuple[RoundFacts, ...]:
        return tuple(one for one in self.rounds if not one.is_draft)

    @property
    def draft(self) -> RoundFacts | None:
        return next((one for one in self.rounds if one.is_draft), None)

    @property
    def last(self) -> RoundFacts | None:
        """The round published last."""
        return self.published[-1] if self.published else None

    @property
    def untouched(self) -> bool:
        """Whether the latest round is published and nobody has played or decided anything in it."""
        if self.last is None or self.draft is not None or self.last.forced:
            return False
        return not any(_is_touched(match) for match in self.last.matches if match.games)

    @property
    def playing(self) -> dict[int, Entry]:
        """The entries still in it, in the order of the draw."""
        here = [entry for entry in self.entries.values() if entry.withdrawn_at is None]
        return {one.pk: one for one in sorted(here, key=_order)}

    @property
    def bracket_from(self) -> int | None:
        """The round with which the bracket begins; None where there is none (yet)."""
        if self.stage.format in BRACKETS:
            return 1
        of_groups = self.stage.format == Stage.Format.GROUPS
        return int(self.stage.cards[0]["from"]) if of_groups and self.stage.cards else None

    @property
    def in_bracket(self) -> bool:
        """Whether a round of the bracket is published."""
        return self.bracket_from is not None and len(self.published) >= self.bracket_from

    @property
    def matches(self) -> list[MatchFacts]:
        """Every match of a published round."""
        return [match for one in self.published for match in one.matches]

    def byes_had(self) -> dict[int, int]:
        """How many byes each entry has had."""
        had: dict[int, int] = defaultdict(int)
        for one in self.published:
            for entry in one.byes:
                had[entry] += 1
        return dict(had)


def _is_touched(match: MatchFacts) -> bool:
    """Whether somebody has played in a match or decided it."""
    played = any(game.hands or game.over for game in match.games)
    return bool(match.decided_by) or len(match.games) > 1 or played


def _order(entry: Entry) -> tuple[bool, int, int]:
    return entry.number is None, entry.number or 0, entry.pk


def load_stage(stage: Stage) -> StageState:
    """Read a stage; eight queries however large it is."""
    choice = chosen(stage.parameters)
    entries = Entry.objects.filter(tournament=stage.tournament_id)
    rows = list(stage.rounds.select_related("seating").order_by("number"))
    for row in rows:
        row.stage = stage
    matches = _matches(stage, choice, {row.pk for row in rows if row.forced_at is not None})
    byes = defaultdict(list)
    for bye in Bye.objects.filter(stage_round__stage=stage).order_by("id"):
        byes[bye.stage_round_id].append(bye.entry_id)
    return StageState(
        stage=stage,
        chosen=choice,
        entries={entry.pk: entry for entry in entries.select_related("member", "partner")},
        rounds=tuple(
            RoundFacts(row, tuple(matches.get(row.pk, ())), tuple(byes[row.pk])) for row in rows
        ),
    )


def _matches(stage: Stage, choice: Chosen, forced: set[int]) -> dict[int, list[MatchFacts]]:
    """The matches of each round by its key; five queries."""
    sides: dict[int, dict[int, int]] = defaultdict(dict)
    for side in MatchSide.objects.filter(match__stage_round__stage=stage):
        sides[side.match_id][side.position] = side.entry_id
    games = _games(stage)
    of_pairs = stage.format in OF_PAIRS
    by_round: dict[int, list[MatchFacts]] = defaultdict(list)
    for match in Match.objects.filter(stage_round__stage=stage).order_by("number"):
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
            best_of=choice.games if of_pairs else 1,
            of_pairs=of_pairs,
            closed=match.stage_round_id in forced,
            laps=of_pairs and choice.games > 1 and choice.laps,
            slam=of_pairs and choice.games > 1 and choice.slam,
        )
        by_round[match.stage_round_id].append(facts)
    return by_round


def _games(stage: Stage) -> dict[int, list[GameFacts]]:
    links = list(
        MatchGame.objects.filter(match__stage_round__stage=stage)
        .select_related("table")
        .order_by("number")
    )
    tables = [link.table_id for link in links]
    games = {game.table_id: game for game in Game.objects.filter(table__in=tables)}
    rows = Result.objects.filter(game__table__in=tables).annotate(credit=CREDIT)
    by_seat = _by_seat(rows)
    by_match: dict[int, list[GameFacts]] = defaultdict(list)
    for link in links:
        game = games.get(link.table_id)
        by_match[link.match_id].append(_facts(link, game, by_seat))
    return by_match


class _SeatFigures(NamedTuple):
    """What all who sat on a seat took together in a game, beside its points."""

    lone_marches: int = 0
    lone_tried: int = 0
    credit: Fraction = Fraction(0)
    target: int = 0


def _by_seat(rows: Iterable[Any]) -> dict[tuple[int, int], _SeatFigures]:
    """The figures by game and seat."""
    figures: dict[tuple[int, int], _SeatFigures] = {}
    for row in rows:
        before = figures.get((row.game_id, row.position), _SeatFigures())
        figures[row.game_id, row.position] = _SeatFigures(
            before.lone_marches + row.lone_marches,
            before.lone_tried + row.lone_tried,
            before.credit + exact(row.credit),
            row.target,
        )
    return figures


def _facts(
    link: MatchGame, game: Game | None, by_seat: Mapping[tuple[int, int], _SeatFigures]
) -> GameFacts:
    if game is None:
        return GameFacts(link.table_id, link.table.players, False, True, (), ())
    here = range(link.table.players)
    seats = {p: by_seat[game.pk, p] for p in here if (game.pk, p) in by_seat}
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
    )


Sizes = Callable[[int], Composition]
"""The tables for so many people by the club's rule."""


@dataclass(frozen=True, slots=True)
class DrawnTable:
    """A match to be played: entries by position, in a group or at a place of the bracket.

    A walk-over has a `winner` and no table. `number` is its number in the bracket.
    """

    sides: tuple[tuple[int, int], ...]
    players: int = 4
    group: int | None = None
    place: str = ""
    winner: int | None = None
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Drawn:
    """A round drawn, the head table first. `card`: what a new movement card was made from.

    `field_size`: how many entries begin it, where it is a main round of a bracket.
    """

    tables: tuple[DrawnTable, ...]
    byes: tuple[int, ...] = ()
    field_size: int | None = None
    card: dict[str, Any] | None = None


NextDraw = Callable[[StageState, int, Sizes], Drawn]


def no_more_rounds(message: str) -> Refused:
    """The stage has been played to its end."""
    return Refused("no-more-rounds", message, status=409)


NEWCOMER = 0
"""Stands for somebody who has no entry yet."""


def redrawn_rounds(state: StageState, group: int = 0) -> Rounds:
    """All rounds of the fixtures (of a group) as they were redrawn last, those before as empty;
    none where they are as they were drawn first."""
    redrawn = [one for one in state.stage.redrawn if one["group"] == group]
    if not redrawn:
        return ()
    keys = {entry.number or 0: key for key, entry in state.entries.items()}
    rounds = tuple(tuple(_pairing(met, keys) for met in one) for one in redrawn[-1]["rounds"])
    return ((),) * redrawn[-1]["after"] + rounds


def _pairing(met: Sequence[int], keys: Mapping[int, int]) -> Pairing:
    return Pairing(keys[met[0]], keys[met[1]] if len(met) > 1 else None)


def group_joined(state: StageState, entry: int) -> int | None:
    """The group that was redrawn for a late entry; None where it took the place of a bye."""
    number = state.entries[entry].number
    return next((one["group"] for one in state.stage.redrawn if one["late"] == number), None)


def stored(
    rounds: Rounds, numbers: Mapping[int, int], *, late: int, group: int, after: int, seed: int
) -> dict[str, Any]:
    """What is stored of rounds redrawn: who meets whom by `numbers`, those of the draw."""
    return {
        "late": late,
        "group": group,
        "after": after,
        "seed": seed,
        "rounds": [
            [
                [numbers[int(who)] for who in (one.first, one.second) if who is not None]
                for one in each
            ]
            for each in rounds
        ],
    }
