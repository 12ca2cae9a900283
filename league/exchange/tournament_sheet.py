"""Exports and imports a tournament as a sheet: who entered, and the matches and byes of every
round. Standings and brackets follow from them."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from functools import partial
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.exchange.archive_restoring import is_placed, read_tournament
from league.exchange.game_files import UNFINISHED, Namer
from league.exchange.games_import import prepare_evenings, preview_games, store
from league.exchange.past_games import MOST_ROUNDS, MOST_TABLES, day_of, number_of
from league.exchange.results_sheet import (
    ExistingResults,
    ended_games,
    result_rows,
    results_on,
)
from league.exchange.sheet_import import Trouble, import_agreed
from league.exchange.sheet_reading import Row
from league.exchange.sheets import ENTRIES, MORE, PLAYERS, RESULTS, ROUNDS, cell_label
from league.members.audit import PROGRAM, Actor
from league.members.models import Club, Member
from league.members.names import composed, name_key
from league.play.models import Game
from league.seating.models import Table
from league.sessions.models import Session
from league.tournaments.actions.importing import (
    PlayedEntry,
    PlayedMatch,
    PlayedRound,
    PlayedTournament,
    import_tournament,
)
from league.tournaments.models import MOST_ENTRIES, Entry, Match, Stage, Tournament
from league.tournaments.parameters import StageOptions, options_json
from league.tournaments.stage_state import DrawnTable, RoundFacts, StageState

KINDS = TOURNAMENT, ENTRY, MATCH, BYE = "tournament", "entry", "match", "bye"
OF_GAMES = tuple(name for name in RESULTS if name not in MORE and name != "round")
YES = "yes"
Line = dict[str, object]


def round_rows(state: StageState, name_of: Namer) -> Iterator[list[object]]:
    """The lines of a tournament: its format, who entered, every match of every published round but
    those undone (a line for each of its games), and every bye. Six queries."""
    for line in _lines(state, name_of):
        line["tournament"] = state.stage.tournament.name
        yield [line.get(column, "") for column in ROUNDS]


def _lines(state: StageState, name_of: Namer) -> Iterator[Line]:
    yield {
        "kind": TOURNAMENT,
        "format": format_cell(state.stage),
        "state": state.stage.tournament.state,
    }
    numbers = {key: entry.number or "" for key, entry in state.entries.items()}
    for key in sorted(state.entries):
        yield _entry_line(state.entries[key], numbers, name_of)
    games = _games(state, name_of)
    nights = Session.objects.select_related("season").in_bulk(
        {round_.row.seating.session_id for round_ in state.published}
    )
    rounds = [r for r in state.published if r.byes or not all(m.undone for m in r.matches)]
    for number, round_ in enumerate(rounds, 1):
        round_cells = _round_cells(round_, nights) | {"round": number}
        for match in (match for match in round_.matches if not match.undone):
            line = {**round_cells, "kind": MATCH, "match": match.number, "group": match.group or ""}
            line |= {"place": match.place, "decided by": match.decided_by, "reason": match.reason}
            line |= {ENTRIES[place]: numbers[entry] for place, entry in match.sides.items()}
            if match.winner is not None:
                line["winner"] = numbers[match.sides[match.winner]]
            line |= _seats([state.entries[key] for key in match.entries], name_of)
            yield from [line | games[game.table] for game in match.games] or [line]
        for key in round_.byes:
            entry = state.entries[key]
            yield round_cells | {"kind": BYE, "entry 1": numbers[key]} | _seats([entry], name_of)


def _entry_line(entry: Entry, numbers: Mapping[int, object], name_of: Namer) -> Line:
    return {
        "kind": ENTRY,
        "entry 1": numbers[entry.pk],
        "player 1": name_of(entry.member),
        "player 2": name_of(entry.partner) if entry.partner else "",
        "seed": entry.seed or "",
        "late": YES if entry.late else "",
        "bye of": numbers[entry.bye_of_id] if entry.bye_of_id else "",
        "state": "withdrawn" if entry.withdrawn_at else "",
    }


def _seats(entries: Sequence[Entry], name_of: Namer) -> Line:
    """The players of these entries by seat, clockwise, with partners opposite each other."""
    return {
        PLAYERS[place + 2 * position]: name_of(member)
        for place, entry in enumerate(entries)
        for position, member in enumerate(entry.people)
    }


def _games(state: StageState, name_of: Namer) -> dict[int, Line]:
    """The cells of each game by table id; an unfinished game only says where it is played."""
    keys = [game.table for match in state.matches for game in match.games]
    tables = Table.objects.filter(pk__in=keys).values_list("pk", "number", "round__number")
    by_table: dict[int, Line] = {
        pk: {"table": n, "session round": round_, "ended": UNFINISHED} for pk, n, round_ in tables
    }
    games = list(ended_games(Game.objects.filter(table__in=keys)))
    for game, row in zip(games, result_rows(games, name_of), strict=True):
        line = dict(zip(RESULTS, row, strict=True))
        by_table[game.table_id] = {name: line[name] for name in OF_GAMES}
        by_table[game.table_id]["session round"] = game.table.round.number
    return by_table


def _round_cells(round_: RoundFacts, nights: Mapping[int, Session]) -> Line:
    night = nights[round_.row.seating.session_id]
    return {
        "date": night.held_on.isoformat(),
        "session": night.name,
        "season": night.season.name if night.season else "",
        "session round": round_.row.seating.number,
        "ended early": round_.row.forced_reason,
    }


def format_cell(stage: Stage) -> str:
    """A format with its parameters, and the cards drawn up before play, as one cell."""
    defaults = options_json(StageOptions())
    about: dict[str, Any] = {k: v for k, v in stage.parameters.items() if v != defaults[k]}
    about |= {"cards": stage.cards} if stage.cards else {}
    about |= {"redrawn": stage.redrawn} if stage.redrawn else {}
    return f"{stage.format} {json.dumps({**about, 'seed': stage.seed}, sort_keys=True)}"


def stage_in(cell: str) -> Stage | None:
    """The unsaved stage that a cell describes; None for a cell that `format_cell` cannot write."""
    format, _space, text = cell.partition(" ")
    try:
        about = json.loads(text or "{}")
        fields = {name: about.pop(name) for name in ("cards", "redrawn", "seed") if name in about}
        stage = Stage(format=format, parameters=about, **fields)
        stage.clean_fields(exclude=["tournament"])
    except (ValidationError, ValueError, TypeError, AttributeError, RecursionError):
        return None
    return stage


@dataclass
class TournamentPreview:
    """What importing a sheet would do: the tournament (`new` is empty where the club already has
    it), how many of its games the club already has, and every trouble with its line."""

    plan: PlayedTournament | None
    known: int = 0
    troubles: list[Trouble] = field(default_factory=list)
    is_known: bool = False
    agreed: str = ""

    @property
    def new(self) -> list[PlayedTournament]:
        return [] if self.is_known or self.plan is None else [self.plan]


class _SheetReader:
    """Reads the lines of a sheet, checks them against the club's data, and collects `troubles`."""

    def __init__(self, club: Club, rows: Sequence[Row], today: date) -> None:
        self.rows = rows
        self.games, self.troubles = results_on([_as_result(row) for row in rows if row["game"]])
        self.existing = ExistingResults(club, self.games, today)
        self.codes = {game.line: self.existing.code_of(game) for game in self.games}
        self.entries: dict[int, PlayedEntry] = {}
        self.rounds: dict[int, PlayedRound] = {}
        self.format = ""

    @property
    def facts(self) -> tuple[object, ...]:
        """Everything the preview depends on: equal facts give an equal preview."""
        club = self.existing.club_data.club
        return *self.existing.facts, list(club.tournaments.values_list("name", "session", "state"))

    def report(self, row: Row, column: str, sentence: str) -> None:
        self.troubles.append(Trouble(row.line, column, sentence))

    def rows_of_kind(self, kind: str) -> list[Row]:
        return [row for row in self.rows if row["kind"] == kind]

    def plan(self) -> PlayedTournament | None:
        """The tournament of the sheet; None where a line is wrong."""
        heads = self.rows_of_kind(TOURNAMENT)
        if len(heads) != 1:
            sentence = _("A file has one line for the tournament, with its format.")
            self.report(heads[1] if heads else self.rows[0], "kind", sentence)
            return None
        stage = self._stage(heads[0])
        for row in self.rows:
            if row["kind"] not in KINDS:
                labels = ", ".join(cell_label("kind", word) for word in KINDS)
                self.report(row, "kind", _("Enter one of: %(words)s.") % {"words": labels})
        for row in self.rows_of_kind(ENTRY):
            self._entry(row)
        for row in (row for row in self.rows if row["kind"] in (MATCH, BYE)):
            self._match_or_bye(row)
        if not self.troubles and sorted(self.rounds) != list(range(1, len(self.rounds) + 1)):
            self.report(heads[0], "round", _("The rounds are not numbered from 1 without gaps."))
        if self.troubles or stage is None or not self.rounds:
            return None
        rounds = [self.rounds[number] for number in sorted(self.rounds)]
        name = composed(heads[0]["tournament"])
        return PlayedTournament(name, stage, list(self.entries.values()), rounds)

    def _stage(self, head: Row) -> Stage | None:
        stage = stage_in(head["format"])
        if stage is None:
            self.report(head, "format", _("This is not the format of a tournament."))
        else:
            self.format = stage.format
        if head["state"] != Tournament.State.FINISHED:
            sentence = _(
                "Only a finished tournament can be imported. The full backup brings one that is "
                "under way."
            )
            self.report(head, "state", sentence)
        elif not self.rows_of_kind(MATCH):
            self.report(head, "kind", _("This tournament has no matches."))
        return stage

    def _entry(self, row: Row) -> None:
        number = number_of(row["entry 1"], MOST_ENTRIES)
        taken = {member.pk for entry in self.entries.values() for member in entry.people}
        people = [self._person(row, column) for column in PLAYERS[:2] if row[column]]
        if not number or number in self.entries:
            self.report(row, "entry 1", _("Every entry needs a number of its own."))
        elif not people:
            self.report(row, "player 1", _("Enter who took part."))
        elif None not in people:
            players = [person for person in people if person is not None]
            if len({player.pk for player in players} - taken) < len(players):
                self.report(row, "player 1", _("A player can enter only once."))
            self.entries[number] = PlayedEntry(
                number,
                players,
                seed=number_of(row["seed"], MOST_ENTRIES) or None,
                late=row["late"].casefold() == YES,
                bye_of=number_of(row["bye of"], MOST_ENTRIES) or None,
                withdrawn=bool(row["state"]),
            )

    def _person(self, row: Row, column: str) -> Member | None:
        for trouble in self.existing.club_data.player_troubles([row[column]], row.line):
            self.report(row, column, trouble.sentence)
        return self.existing.club_data.people.get(name_key(row[column]))

    def _match_or_bye(self, row: Row) -> None:
        """Add a game of a match, a match without games, or a bye to its round."""
        sides = [number_of(row[column], MOST_ENTRIES) for column in ENTRIES if row[column]]
        number = number_of(row["round"], MOST_ROUNDS)
        day, match = day_of(row["date"]), number_of(row["match"], MOST_ENTRIES)
        if not number or (row["kind"] == MATCH and not match):
            self.report(row, "round" if not number else "match", _("Enter a number."))
        elif not sides or not set(sides) <= set(self.entries) or len(set(sides)) < len(sides):
            self.report(row, "entry 1", _("Enter the numbers of entries of this file."))
        elif day is None:
            self.report(row, "date", _("Enter a date as 2026-11-19."))
        else:
            night = (day, composed(row["session"]))
            seating = number_of(row["session round"], MOST_ROUNDS) or number
            played = self.rounds.setdefault(number, PlayedRound(night, seating, row["ended early"]))
            if row["kind"] == BYE:
                played.byes += sides
            else:
                self._match(row, played, match, sides)

    def _match(self, row: Row, played: PlayedRound, number: int, sides: list[int]) -> None:
        winner, games = number_of(row["winner"], MOST_ENTRIES), self._game(row)
        places = [n for n, match in enumerate(played.matches) if match.drawn.number == number]
        if (row["winner"] and winner not in sides) or not (games or winner):
            self.report(row, "winner", _("Enter the number of the entry that won."))
        elif row["decided by"] not in Match.By.values:
            labels = ", ".join(cell_label("decided by", word) for word in Match.By.values if word)
            self.report(row, "decided by", _("Enter one of: %(words)s.") % {"words": labels})
        elif self.format and not is_placed(
            self.format, number_of(row["group"], MOST_ROUNDS) or None, row["place"]
        ):
            self.report(row, "place", _("There is no such match in this format."))
        elif row["ended"] == UNFINISHED and row["decided by"] != Match.By.WALKOVER:
            self.report(row, "ended", _("A match with an unfinished game can't be imported."))
        elif places:
            before = played.matches[places[0]]
            played.matches[places[0]] = replace(before, games=(*before.games, *games))
        else:
            drawn = DrawnTable(
                tuple(enumerate(sides)),
                group=number_of(row["group"], MOST_ROUNDS) or None,
                place=row["place"],
                winner=sides.index(winner) if winner else None,
                number=number,
            )
            played.matches.append(PlayedMatch(drawn, row["decided by"], row["reason"], games))

    def _game(self, row: Row) -> tuple[str | tuple[int, int], ...]:
        """The code of a line's game; for a table without a game its round and table numbers."""
        if row["game"]:
            return (self.codes.get(row.line, ""),)
        round_ = number_of(row["session round"], MOST_ROUNDS)
        table = number_of(row["table"], MOST_TABLES)
        return ((round_, table),) if round_ and table else ()


def _as_result(row: Row) -> Row:
    """The line as a sheet of results has it."""
    return Row(row.line, {**row.cells, "round": row["session round"]})


def preview_tournament(club: Club, rows: Sequence[Row], *, at: datetime) -> TournamentPreview:
    """What importing the sheet would do, tried out and rolled back. A tournament that the club
    already has stays as it is."""
    return _preview(_SheetReader(club, rows, club.local(at).date()), at)


def _preview(reader: _SheetReader, at: datetime) -> TournamentPreview:
    plan = reader.plan()
    games = preview_games(reader.existing, reader.games, reader.troubles)
    text = "\n".join(repr(sorted(row.cells.items())) for row in reader.rows)
    agreed = hashlib.sha256(text.encode()).hexdigest()[:32]
    preview = TournamentPreview(plan, games.known, games.troubles, agreed=agreed)
    if plan is None or preview.troubles:
        return preview
    last, club = plan.rounds[-1].night, reader.existing.club_data.club
    preview.is_known = any(
        tournament.name == plan.name
        and (tournament.session.held_on, tournament.session.name) == last
        for tournament in club.tournaments.select_related("session")
    )
    if not preview.is_known:
        preview.troubles += _save_troubles(reader, plan, at)
    return preview


def _save_troubles(reader: _SheetReader, plan: PlayedTournament, at: datetime) -> Iterator[Trouble]:
    """Why the tournament cannot be saved: saves it and rolls back."""
    try:
        with transaction.atomic():
            _save(reader, plan, by=PROGRAM, at=at)
            transaction.set_rollback(True)
    except Refused as refused:
        yield Trouble(reader.rows[0].line, "tournament", refused.message)
    except Exception:  # what no check covers: numbers of another draw, matches listed twice
        sentence = _("The lines of this tournament don't fit together.")
        yield Trouble(reader.rows[0].line, "tournament", sentence)


def _save(reader: _SheetReader, plan: PlayedTournament, *, by: Actor, at: datetime) -> Tournament:
    """Save the new games and the tournament, and check that the tournament can be read back."""
    existing, club = reader.existing, reader.existing.club_data.club
    new_games = [game for game in reader.games if not existing.has(game)]

    def make_game(game: Any, table: Any, seats: Any, time: datetime) -> Any:
        return existing.make_game(game, table, seats, by=by, at=time)

    store(club, prepare_evenings(existing.club_data, new_games, make_game, by=by), by=by)
    nights = {(session.held_on, session.name): session for session in club.sessions.order_by("pk")}
    if any(round_.night not in nights for round_ in plan.rounds):
        raise Refused("no-session", _("A round without a game needs a session that is here."))
    tournament = import_tournament(plan, nights, by=by, at=at)
    read_tournament(tournament, at)
    return tournament


def import_tournament_sheet(
    club: Club, rows: Sequence[Row], *, agreed: str, by: Actor, at: datetime
) -> list[Tournament]:
    """Save the tournament of a sheet with its games, or nothing."""
    today = club.local(at).date()
    made: list[Tournament] = []

    def save(plans: list[PlayedTournament]) -> None:
        made.extend(_save(_SheetReader(club, rows, today), plan, by=by, at=at) for plan in plans)

    import_agreed(
        club,
        partial(_SheetReader, club, rows, today),
        lambda reader: _preview(reader, at),
        lambda _reader, preview: preview.new,
        save,
        agreed=agreed,
    )
    return made
