"""Importing a tournament from a spreadsheet: entries, rounds as drawn, and results of matches.

Its games are in the club already.
"""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from datetime import date, datetime

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, log_action
from league.members.models import Member
from league.play.models import Game
from league.seating.models import Round, Table
from league.sessions.models import Session
from league.tournaments.actions.drawing import PLANNER, people_at, save_matches, seat_tables
from league.tournaments.actions.setup import refuse_singles, touch
from league.tournaments.draws.knockout import bracket_of, field_size, is_bracket_match
from league.tournaments.models import Bye, Entry, Match, MatchGame, Stage, StageRound, Tournament
from league.tournaments.stage_state import OF_PAIRS, DrawnTable, load_stage


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match; `drawn` has its entries by their numbers.

    `decided_by` and `reason` say how it was won if the games do not. `games` are the public ids of
    its games in order, or for a table without play the numbers of the session's round and table.
    """

    drawn: DrawnTable
    decided_by: str = ""
    reason: str = ""
    games: tuple[str | tuple[int, int], ...] = ()


@dataclass
class PlayedRound:
    """A round, with the session (`night`) and the session's round (`seating`) it was played in.

    `byes` are numbers of entries; `forced` is the reason if the organiser ended the round early.
    """

    night: tuple[date, str]
    seating: int
    forced: str = ""
    matches: list[PlayedMatch] = field(default_factory=list)
    byes: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class PlayedEntry:
    """An entry by its number in the draw; `bye_of` is the number of another entry."""

    number: int
    people: Sequence[Member]
    seed: int | None = None
    late: bool = False
    bye_of: int | None = None
    withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class PlayedTournament:
    """A finished tournament, checked line by line; `stage` has its format, options, cards, seed."""

    name: str
    stage: Stage
    entries: Sequence[PlayedEntry]
    rounds: Sequence[PlayedRound]


@transaction.atomic
def import_tournament(
    plan: PlayedTournament, nights: Mapping[tuple[date, str], Session], *, by: Actor, at: datetime
) -> Tournament:
    """Create the finished tournament of a plan, in the session of its last round.

    Refuses matches that do not fit their tables (`match-size`, `plays-alone`) or do not make the
    bracket of its entries (`bracket-misfit`).
    """
    night = nights[plan.rounds[-1].night]
    finished = {"state": Tournament.State.FINISHED, "finished_at": at}
    tournament = Tournament.objects.create(
        club=night.club, session=night, name=plan.name, made_by=by.user, **finished
    )
    stage = copy(plan.stage)
    stage.tournament = tournament
    stage.save()
    entries = _create_entries(tournament, plan.entries, at=at)
    matches = [match for played in plan.rounds for match in played.matches]
    codes = [str(code) for match in matches for code in match.games]
    games = Game.objects.filter(session__club=tournament.club, public_id__in=codes)
    tables = {
        game.public_id: game.table
        for game in games.select_related("table__round", "table__ruleset")
    }
    for number, played in enumerate(plan.rounds, 1):
        row = _create_round(stage, number, played, nights[played.night], tables, by=by, at=at)
        _create_matches(row, played, entries, tables, by=by, at=at)
        byes = [entries[number] for number in played.byes]
        Bye.objects.bulk_create(Bye(stage_round=row, entry=entry) for entry in byes)
        row.seating.sits_out.set([member for entry in byes for member in entry.people])
    _set_field_sizes(stage)
    new = {"entries": len(entries), "rounds": len(plan.rounds)}
    log_action(tournament.club, by, "import tournament", tournament, session=night, new=new)
    touch(tournament)
    return tournament


def _create_entries(
    tournament: Tournament, entries: Sequence[PlayedEntry], *, at: datetime
) -> dict[int, Entry]:
    rows = Entry.objects.bulk_create(
        Entry(
            tournament=tournament,
            member=entry.people[0],
            partner=entry.people[1] if len(entry.people) > 1 else None,
            number=entry.number,
            seed=entry.seed,
            late=entry.late,
            entered_at=at,
            withdrawn_at=at if entry.withdrawn else None,
        )
        for entry in entries
    )
    by_number = {row.number or 0: row for row in rows}
    for entry in entries:
        by_number[entry.number].bye_of = by_number[entry.bye_of] if entry.bye_of else None
    Entry.objects.bulk_update(rows, ["bye_of"])
    return by_number


def _create_round(
    stage: Stage,
    number: int,
    played: PlayedRound,
    night: Session,
    tables: Mapping[str, Table],
    *,
    by: Actor,
    at: datetime,
) -> StageRound:
    """Create a round on the seating round of its first game, or on its own if it has no game."""
    games = (code for match in played.matches for code in match.games[:1])
    first_table = next((tables[code] for code in games if isinstance(code, str)), None)
    seating = first_table.round if first_table else _get_seating(night, played.seating, at)
    Round.objects.filter(pk=seating.pk).update(by_tournament=True, planner=PLANNER)
    forced = {"forced_reason": played.forced, "forced_as": by.label[:80], "forced_at": at}
    return StageRound.objects.create(
        stage=stage, number=number, seating=seating, **(forced if played.forced else {})
    )


def _get_seating(night: Session, number: int, at: datetime) -> Round:
    seating, _made = Round.objects.exclude(state=Round.State.WITHDRAWN).get_or_create(
        session=night,
        number=number,
        defaults={"state": Round.State.PUBLISHED, "seed": 0, "published_at": at},
    )
    return seating


def _create_matches(
    row: StageRound,
    played: PlayedRound,
    entries: Mapping[int, Entry],
    tables: Mapping[str, Table],
    *,
    by: Actor,
    at: datetime,
) -> None:
    drawn = []
    for match in played.matches:
        sides = ((place, entries[number].pk) for place, number in match.drawn.sides)
        drawn.append(replace(match.drawn, sides=tuple(sides)))
    rows = save_matches(row, drawn)
    links = []
    by_key = {entry.pk: entry for entry in entries.values()}
    for match, match_row, drawn_match in zip(played.matches, rows, drawn, strict=True):
        people = people_at(drawn_match, by_key)
        match_tables = []
        for code in match.games:
            if isinstance(code, str):
                match_tables.append(tables[code])
            else:
                seating = _get_seating(row.seating.session, code[0], at)
                match_tables += seat_tables(row.stage, seating, {code[1]: people})
        match_row.decided_by, match_row.reason = match.decided_by, match.reason
        match_row.decided_as = by.label[:80] if match.decided_by else ""
        _refuse_size(row.stage, match, match_tables)
        links += [
            MatchGame(match=match_row, table=table, number=number)
            for number, table in enumerate(match_tables, 1)
        ]
    Match.objects.bulk_update(rows, ["decided_by", "reason", "decided_as"])
    MatchGame.objects.bulk_create(links)


def _refuse_size(stage: Stage, match: PlayedMatch, tables: Sequence[Table]) -> None:
    """Refuse a match that has not two pairs or, with individuals, one for each seat."""
    pairs = stage.format in OF_PAIRS
    for table in tables:
        if pairs:
            refuse_singles(table.ruleset)
        if (len(match.drawn.sides), table.players) != ((2, 4) if pairs else (table.players,) * 2):
            sentence = _("Match %(n)d has too few or too many entries for its table.")
            raise Refused("match-size", sentence % {"n": match.drawn.number})


def _set_field_sizes(stage: Stage) -> None:
    """Set the field sizes of a bracket's rounds.

    Refuses (`bracket-misfit`) matches that do not follow from its draw and its results.
    """
    state = load_stage(stage)
    if state.bracket_from is None:
        return
    bracket = bracket_of(state)
    latest = {match.place: match for match in state.matches if match.place}
    for match in latest.values():
        if not is_bracket_match(match, bracket):
            sentence = _("Match %(n)d has different entries from those in the bracket.")
            raise Refused("bracket-misfit", sentence % {"n": match.number})
    for facts in state.rounds[state.bracket_from - 1 :]:
        facts.row.field_size = field_size(bracket, [match.place for match in facts.matches])
        facts.row.save(update_fields=["field_size"])
