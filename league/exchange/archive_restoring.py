"""Restores a club from an archive: all of it, with the same figures, or nothing."""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from itertools import islice
from typing import Any

from django.db import IntegrityError, models, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.exchange.archive_agreement import Index, agreement_faults, game_faults
from league.exchange.archive_checking import Fault, row_faults, value_of
from league.exchange.archive_upgrading import brought_up, has_payments_without_kinds
from league.exchange.archive_writing import (
    FORMAT,
    VERSION,
    archived,
    filled,
    lists,
    plain_fields,
    pointers,
)
from league.live.room import room
from league.members.audit import Actor, log_action
from league.members.audit_changes import changes
from league.members.models import AuditEntry, Club, Member
from league.pairing.formats.knockout import bracket
from league.pairing.seating import certificate
from league.play.models import Game, Result
from league.play.recount import differences, prefetched_game_log, with_everything
from league.play.sheet import sheet_of
from league.seating.draft_queries import load_draft, played_tonight
from league.seating.models import Round, Table
from league.seating.queries import draft_of
from league.sessions.models import Session
from league.sessions.queries import start_of
from league.standings.careers import ratings_of
from league.standings.models import Payment
from league.standings.old_payments import name_old_payments
from league.standings.pot_queries import pot_sheets
from league.standings.queries import session_standings
from league.standings.season_queries import season_standings
from league.teams.cups import bracket_of as cup_bracket_of
from league.teams.cups import cup_shown
from league.teams.models import CupPlace, TeamCup, TeamLeague, TeamMatch
from league.teams.queries import PLANNER, all_matches_of, cup_matches_of, fixtures_of, tables_of
from league.teams.tables import rounds_of as fixture_rounds_of
from league.tournaments.actions.setup import save_session_places
from league.tournaments.bracket_page import bracket_parts
from league.tournaments.draws import rounds_due
from league.tournaments.draws.knockout import corrections
from league.tournaments.models import Match, MatchSide, Stage, StageRound, Tournament
from league.tournaments.prizes import prizes
from league.tournaments.round_sheets import round_sheet
from league.tournaments.stage_state import CLOSED, OF_PAIRS, load_stage
from league.tournaments.standing import standing_of
from league.tournaments.tables import cross_table, rows_of

# `checking` and `agreement` check rows and their relations first, and name the faulty field. What
# remains is whether stored results match the hands, and whether tournaments, cups and seasons can
# be computed at all.

GAMES_AT_A_TIME = 500  # games in memory
AT_A_TIME = 500  # rows per statement
MOST_FAULTS = 50  # shown at once
Ids = dict[type[models.Model], dict[int, int]]
Rows = dict[str, list[dict[str, Any]]]
Format = Stage.Format
WITH_CARDS = (Format.PROGRESSIVE, Format.ROTATION, Format.GROUPS)
PLACE = re.compile(r"[A-Z]\d+-\d+")
REDRAWN = (Format.ROUND_ROBIN, Format.GROUPS)


def proof_faults(club: Club, *, at: datetime) -> Iterator[Fault]:
    """Objects of the restored club that cannot be read or computed, by name."""
    yield from _result_faults(club)
    for kind, objects, read in (
        ("Session", club.sessions.select_related("club"), _read_session),
        ("Season", club.seasons.select_related("club"), _read_season),
        ("Tournament", club.tournaments.select_related("club", "session__club"), read_tournament),
        ("TeamLeague", club.team_leagues.select_related("club", "ruleset"), _read_league),
        ("AuditEntry", club.audit.all(), _read_log_entry),
        ("Club", Club.objects.filter(pk=club.pk), _read_ratings),
    ):
        for instance in objects:
            yield from _reading_faults(kind, instance, read, at)


def _reading_faults(
    kind: str, instance: Any, read: Callable[[Any, datetime], None], at: datetime
) -> Iterator[Fault]:
    try:
        read(instance, at)
    except Exception:
        yield Fault(f"{kind} “{instance}”", "", _("Its rows don't fit together."))


def _result_faults(club: Club) -> Iterator[Fault]:
    """The stored result of every game must match its hands."""
    games = with_everything(Game.objects.filter(session__club=club).order_by("pk"))
    for game in games.iterator(chunk_size=GAMES_AT_A_TIME):
        name = f"Game {game.public_id}"
        try:
            for difference in differences([game]):
                reasons = "; ".join(difference.what[:3])
                yield Fault(
                    name, "", _("It does not agree with its hands: %(what)s.") % {"what": reasons}
                )
            sheet_of(prefetched_game_log(game), _name_of)
        except Exception:
            yield Fault(name, "", _("Its rows don't fit together."))


def _read_session(night: Session, at: datetime) -> None:
    start_of(night)
    session_standings(night, at=at)
    pot_sheets(night, at=at)
    room(night, at=at)
    certificate(played_tonight(night))
    draft = draft_of(night)
    if draft is not None:
        load_draft(draft)


def _read_season(season: Any, at: datetime) -> None:
    season_standings(season, at=at)
    for division in season.divisions.all():
        season_standings(season, at=at, division=division)
    pot_sheets(season, at=at)


def read_tournament(tournament: Tournament, at: datetime) -> None:
    """Compute everything that pages show of a tournament; raises whatever goes wrong."""
    for stage in Stage.objects.filter(tournament=tournament):
        stage.tournament = tournament
        state = load_stage(stage)
        standing = standing_of(state)
        rounds_due(state)
        corrections(state)
        bracket_parts(state, _name_of)
        rows_of(state, standing, _name_of)
        cross_table(state, standing, _name_of)
        prizes(state, standing, _name_of)
        for round_ in state.rounds:
            round_sheet(state, round_, _name_of)


def _read_league(league: TeamLeague, at: datetime) -> None:
    teams, fixtures = list(league.teams.all()), fixtures_of(league)
    tables_of(league, teams, fixtures)
    fixture_rounds_of(fixtures, teams)
    all_matches_of(league)
    for cup in TeamCup.objects.filter(league=league):
        cup.league = league
        matches = cup_matches_of(cup)
        cup_shown(cup_bracket_of(cup, matches), matches, {team.pk: team.name for team in teams})


def _read_log_entry(entry: AuditEntry, at: datetime) -> None:
    changes(entry)


def _read_ratings(club: Club, at: datetime) -> None:
    ratings_of(club, at=at)


def _name_of(member: Member) -> str:
    return member.name


class BadArchive(ValueError):
    """A file that cannot be restored; `sentences` say why, each naming the row and the field."""

    def __init__(self, *sentences: str) -> None:
        super().__init__("\n".join(sentences))
        self.sentences = sentences


def restore(data: object, *, by: Actor, slug: str = "") -> Club:
    """Create the club of an archive. `slug` gives it another web address.

    Raises BadArchive with everything that is wrong, and changes nothing, if the file is not an
    archive of this version, if rows are invalid or do not fit together, or if the club or a part
    of it already exists.
    """
    is_without_kinds = has_payments_without_kinds(data)
    rows = _rows_of(data)
    if slug:
        rows["Club"][0]["slug"] = slug
    _refuse(row_faults(rows))
    index = Index(rows)
    _refuse(agreement_faults(index))
    _refuse(contest_faults(index))
    _refuse(game_faults(index))
    try:
        return _store(rows, by, is_without_kinds=is_without_kinds)
    except IntegrityError as error:
        raise BadArchive(_("This club, or a part of it, is here already.")) from error


@transaction.atomic
def _store(rows: Rows, by: Actor, *, is_without_kinds: bool) -> Club:
    ids: Ids = {}
    for model in archived():
        ids[model] = _create(model, rows[model.__name__], ids)
    for model in archived():
        _create_links(model, rows[model.__name__], ids)
    club = Club.objects.get(pk__in=ids[Club].values())
    of_match = models.Q(team_match__isnull=False) | models.Q(rounds__planner=PLANNER)
    club.sessions.filter(of_match).update(of_team_match=True)
    if is_without_kinds:
        name_old_payments(Payment.objects.filter(pot__club=club), Result.objects.all())
    _refuse(proof_faults(club, at=timezone.now()))
    has_places = models.Q(tournaments__isnull=False) | models.Q(player_places__isnull=False)
    for night in club.sessions.filter(has_places).distinct():
        save_session_places(night)  # computed from the tournament, not taken from the file
    log_action(club, by, "restore club", club)
    return club


def _refuse(faults: Any) -> None:
    """Raise BadArchive with the first `MOST_FAULTS` faults, if there are any."""
    first_faults: list[Fault] = list(islice(faults, MOST_FAULTS + 1))
    if first_faults:
        more = [_("There are more errors than these.")] if len(first_faults) > MOST_FAULTS else []
        raise BadArchive(*(str(fault) for fault in first_faults[:MOST_FAULTS]), *more)


def _rows_of(data: object) -> Rows:
    """The rows of a file of this version or an earlier one, by model name."""
    if not isinstance(data, Mapping) or data.get("format") != FORMAT:
        raise BadArchive(_("This is not a full backup of a club."))
    if data.get("version") != VERSION or isinstance(data["version"], bool):
        raise BadArchive(_other_version())
    rows = brought_up(data.get("rows"))
    kinds = {model.__name__: model for model in archived()}
    if not isinstance(rows, dict) or not {"Club"} <= set(rows) <= set(kinds):
        raise BadArchive(_other_version())
    for name, model_rows in rows.items():
        if not isinstance(model_rows, list) or not all(isinstance(r, dict) for r in model_rows):
            raise BadArchive(_("%(kind)s: this is not a list of rows.") % {"kind": name})
    if len(rows["Club"]) != 1:
        raise BadArchive(_("A full backup holds one club."))
    return {
        name: [filled(model, row) for row in rows.get(name, ())] for name, model in kinds.items()
    }


def _other_version() -> str:
    return _("This full backup was made by a later version of Right Bower. Update this one first.")


def _create(model: type[models.Model], rows: list[dict[str, Any]], ids: Ids) -> dict[int, int]:
    """Create the rows of one model, and return their new ids by old id.

    Pointers within the model are filled in last.
    """
    self_pointers = [name for name, target in pointers(model) if target is model]
    instances = [_instance(model, row, ids, skip=self_pointers) for row in rows]
    model._base_manager.bulk_create(instances, batch_size=AT_A_TIME)
    pairs = list(zip(rows, instances, strict=True))
    new_ids = {row["id"]: instance.pk for row, instance in pairs}
    for name in self_pointers:
        changed = [(instance, row[name]) for row, instance in pairs if row[name] is not None]
        for instance, old_id in changed:
            setattr(instance, f"{name}_id", new_ids[old_id])
        model._base_manager.bulk_update(
            [instance for instance, _old_id in changed], [name], AT_A_TIME
        )
    return new_ids


def _instance(
    model: type[models.Model], row: dict[str, Any], ids: Ids, *, skip: list[str]
) -> models.Model:
    values = {field.name: value_of(field, row[field.name]) for field in plain_fields(model)}
    for name, target in pointers(model):
        if name not in skip and row[name] is not None:
            values[f"{name}_id"] = ids[target][row[name]]
    instance = model(**values)
    if isinstance(instance, Member):
        instance.set_keys()  # bulk_create does not call save, which derives them from the name
    return instance


def _create_links(model: type[models.Model], rows: list[dict[str, Any]], ids: Ids) -> None:
    """Create the rows of the model's many-to-many tables."""
    for name, target in lists(model):
        field: Any = model._meta.get_field(name)
        source_name, target_name = field.m2m_field_name(), field.m2m_reverse_field_name()
        through = field.remote_field.through
        links = [
            through(
                **{
                    f"{source_name}_id": ids[model][row["id"]],
                    f"{target_name}_id": ids[target][old_id],
                }
            )
            for row in rows
            for old_id in row[name]
        ]
        through._base_manager.bulk_create(links, batch_size=AT_A_TIME)


def contest_faults(index: Index) -> Iterator[Fault]:
    """Where valid rows of matches, stages, cups and fixtures contradict each other."""
    yield from _match_faults(index)
    yield from _stage_faults(index)
    yield from _cup_faults(index)
    yield from _table_number_faults(index)
    yield from _fixture_round_faults(index)
    rounds = index.grouped(Round, "session")
    for where, row in index.every(TeamMatch):
        session_rounds = rounds.get(row["session"], ()) if row["session"] else ()
        if any(round_["planner"] != PLANNER for _where, round_ in session_rounds):
            yield Fault(where, "session", _("The games of this session are not a team match's."))


def _table_number_faults(index: Index) -> Iterator[Fault]:
    """Tables that the site drew have the lowest free numbers; those of imported games have any."""
    tables = index.grouped(Table, "session")
    for where, row in index.every(Table):
        is_drawn = index.at(Table, row, "round__seed") != 0
        if is_drawn and row["number"] > len(tables[row["session"]]):
            yield Fault(where, "number", _("This session has fewer tables."))


def _fixture_round_faults(index: Index) -> Iterator[Fault]:
    """Each round of a league has a match, so round numbers do not exceed the number of matches."""
    matches = index.grouped(TeamMatch, "league")
    for where, row in index.every(TeamMatch):
        if row["round"] > len(matches[row["league"]]):
            yield Fault(where, "round", _("This league has fewer rounds."))


def _match_faults(index: Index) -> Iterator[Fault]:
    sides_by_match = index.grouped(MatchSide, "match")
    for where, row in index.every(Match):
        stage = index.at(Match, row, "stage_round__stage")
        format = index.by_id[Stage][stage]["format"]
        sides = sides_by_match[row["id"]]
        positions = sorted(side["position"] for _where, side in sides)
        most = 2 if format in OF_PAIRS else 4
        if positions != list(range(len(positions))) or len(positions) > most:
            last_side = max(sides, key=lambda side: side[1]["position"])[0]
            yield Fault(last_side, "position", _("There is no such place in this match."))
        elif row["winner"] is not None and row["winner"] not in positions:
            yield Fault(where, "winner", _("No one plays at this place in the match."))
        if format in OF_PAIRS:
            for side_name, side in sides:
                if index.at(MatchSide, side, "entry__partner") is None:
                    yield Fault(side_name, "entry", _("Pairs play in this format."))
        is_undone = row["group"] is None and not row["place"]  # in a bracket, by a correction
        if not is_undone and not is_placed(format, row["group"], row["place"]):
            yield Fault(where, "place", _("There is no such match in this format."))


def is_placed(format: str, group: int | None, place: str) -> bool:
    """Whether a match of this format can have this group, or this place in a bracket."""
    if group is not None:
        return format == Format.GROUPS and not place
    return bool(PLACE.fullmatch(place)) if format in CLOSED else not place


def _bracket_places(teams: int, *, third_place: bool) -> set[str]:
    """The places in a cup's bracket; none for fewer than two teams (`agreement.NEEDED`)."""
    if teams < 2:
        return set()
    return {meeting.key for meeting in bracket(range(teams), third_place=third_place).meetings}


def _stage_faults(index: Index) -> Iterator[Fault]:
    rounds = index.grouped(StageRound, "stage")
    for where, row in index.every(Stage):
        is_other_format = (
            (row["cards"] and row["format"] not in WITH_CARDS)
            or (row["redrawn"] and row["format"] not in REDRAWN)
            or (row["id"] in rounds and row["format"] == Format.ROTATION and not row["cards"])
        )
        if is_other_format:
            yield Fault(where, "format", _("Its rounds were drawn in another format."))


def _cup_faults(index: Index) -> Iterator[Fault]:
    teams = index.grouped(CupPlace, "cup")
    places: dict[int | None, set[str]] = {None: {""}}  # a league fixture has no bracket place
    places |= {
        row["id"]: _bracket_places(len(teams[row["id"]]), third_place=row["third_place"])
        for _where, row in index.every(TeamCup)
    }
    for where, row in index.every(TeamMatch):
        if row["place"] not in places[row["cup"]]:
            yield Fault(where, "place", _("There is no such place in the bracket."))
