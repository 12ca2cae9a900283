"""An archive made into a club again: all of it, with equal figures, or nothing."""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from itertools import islice
from typing import Any

from django.db import IntegrityError, models, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.exchange.archive.agreement import Index, agreement_faults, game_faults
from league.exchange.archive.checking import Fault, row_faults, value_of
from league.exchange.archive.writing import (
    FORMAT,
    VERSION,
    archived,
    filled,
    lists,
    plain_fields,
    pointers,
)
from league.live.room import room
from league.members.audit import Actor, changes, log_action
from league.members.models import AuditEntry, Club, Member
from league.pairing.formats.knockout import bracket
from league.pairing.seating import certificate
from league.play.models import Game
from league.play.recount import differences, prefetched_game_log, with_everything
from league.play.sheet import sheet_of
from league.seating.models import Round, Table
from league.seating.queries import draft_of, load_draft, played_tonight
from league.sessions.models import Session
from league.sessions.queries import start_of
from league.standings.careers import ratings_of
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
from league.tournaments.queries import round_sheet
from league.tournaments.stage_state import CLOSED, OF_PAIRS, load_stage
from league.tournaments.standing import standing_of
from league.tournaments.tables import cross_table, prizes, rows_of

# The rules of rows and of what they say of one another come first (`checking`, `agreement`,
# `contests`) and name the field. What is left is whether the hands come to what is stored of them,
# and whether a tournament, a cup or a season can be worked out at all.

GAMES_AT_A_TIME = 500  # games in memory
AT_A_TIME = 500  # rows a statement
MOST_FAULTS = 50  # shown at once; a corrected file is checked again
Ids = dict[type[models.Model], dict[int, int]]
Rows = dict[str, list[dict[str, Any]]]
Format = Stage.Format
WITH_CARDS = (Format.PROGRESSIVE, Format.ROTATION, Format.GROUPS)
PLACE = re.compile(r"[A-Z]\d+-\d+")
REDRAWN = (Format.ROUND_ROBIN, Format.GROUPS)


def proof_faults(club: Club, *, at: datetime) -> Iterator[Fault]:
    """What cannot be read of the club, each thing by its name."""
    yield from _games(club)
    for kind, things, read in (
        ("Session", club.sessions.select_related("club"), _session),
        ("Season", club.seasons.select_related("club"), _season),
        ("Tournament", club.tournaments.select_related("club", "session__club"), read_tournament),
        ("TeamLeague", club.team_leagues.select_related("club", "ruleset"), _league),
        ("AuditEntry", club.audit.all(), _noted),
        ("Club", Club.objects.filter(pk=club.pk), _ratings),
    ):
        for thing in things:
            yield from _read(kind, thing, read, at)


def _read(
    kind: str, thing: Any, read: Callable[[Any, datetime], None], at: datetime
) -> Iterator[Fault]:
    try:
        read(thing, at)
    except Exception:
        yield Fault(f"{kind} “{thing}”", "", _("Its rows don't fit together."))


def _games(club: Club) -> Iterator[Fault]:
    """What is stored of every game has to be what its hands say."""
    games = with_everything(Game.objects.filter(session__club=club).order_by("pk"))
    for game in games.iterator(chunk_size=GAMES_AT_A_TIME):
        name = f"Game {game.public_id}"
        try:
            for difference in differences([game]):
                what = "; ".join(difference.what[:3])
                yield Fault(
                    name, "", _("It does not agree with its hands: %(what)s.") % {"what": what}
                )
            sheet_of(prefetched_game_log(game), _name_of)
        except Exception:
            yield Fault(name, "", _("Its rows don't fit together."))


def _session(night: Session, at: datetime) -> None:
    start_of(night)
    session_standings(night, at=at)
    pot_sheets(night, at=at)
    room(night, at=at)
    certificate(played_tonight(night))
    draft = draft_of(night)
    if draft is not None:
        load_draft(draft)


def _season(season: Any, at: datetime) -> None:
    season_standings(season, at=at)
    for division in season.divisions.all():
        season_standings(season, at=at, division=division)
    pot_sheets(season, at=at)


def read_tournament(cup: Tournament, at: datetime) -> None:
    for stage in Stage.objects.filter(tournament=cup):
        stage.tournament = cup
        state = load_stage(stage)
        standing = standing_of(state)
        rounds_due(state)
        corrections(state)
        bracket_parts(state, _name_of)
        rows_of(state, standing, _name_of)
        cross_table(state, standing, _name_of)
        prizes(state, standing, _name_of)
        for one in state.rounds:
            round_sheet(state, one, _name_of)


def _league(league: TeamLeague, at: datetime) -> None:
    teams, fixtures = list(league.teams.all()), fixtures_of(league)
    tables_of(league, teams, fixtures)
    fixture_rounds_of(fixtures, teams)
    all_matches_of(league)
    for cup in TeamCup.objects.filter(league=league):
        cup.league = league
        matches = cup_matches_of(cup)
        cup_shown(cup_bracket_of(cup, matches), matches, {team.pk: team.name for team in teams})


def _noted(entry: AuditEntry, at: datetime) -> None:
    changes(entry)


def _ratings(club: Club, at: datetime) -> None:
    ratings_of(club, at=at)


def _name_of(member: Member) -> str:
    return member.name


class BadArchive(ValueError):
    """A file that cannot be restored here; `sentences` say why, each with the row and the field."""

    def __init__(self, *sentences: str) -> None:
        super().__init__("\n".join(sentences))
        self.sentences = sentences


def restore(data: object, *, by: Actor, slug: str = "") -> Club:
    """The club of an archive, with rows of its own. `slug` gives it another web address.

    Raises BadArchive with everything that is wrong, and changes nothing: where the file is no
    archive or another version's, where a row is not what the forms of the site would take, where
    rows do not fit together, or where the club or a part of it is here already.
    """
    rows = _rows_of(data)
    if slug:
        rows["Club"][0]["slug"] = slug
    _refuse(row_faults(rows))
    index = Index(rows)
    _refuse(agreement_faults(index))
    _refuse(contest_faults(index))
    _refuse(game_faults(index))
    try:
        return _stored(rows, by)
    except IntegrityError as error:
        raise BadArchive(_("This club, or a part of it, is here already.")) from error


@transaction.atomic
def _stored(rows: Rows, by: Actor) -> Club:
    ids: Ids = {}
    for model in archived():
        ids[model] = _make(model, rows[model.__name__], ids)
    for model in archived():
        _fill_lists(model, rows[model.__name__], ids)
    club = Club.objects.get(pk__in=ids[Club].values())
    club.sessions.filter(team_match__isnull=False).update(of_team_match=True)
    _refuse(proof_faults(club, at=timezone.now()))
    placed = models.Q(tournaments__isnull=False) | models.Q(player_places__isnull=False)
    for night in club.sessions.filter(placed).distinct():
        save_session_places(night)  # they follow from the tournament, whatever the file says
    log_action(club, by, "restore club", club.slug)
    return club


def _refuse(faults: Any) -> None:
    """Refuse the archive with its faults, if there are any; only so many are shown."""
    first: list[Fault] = list(islice(faults, MOST_FAULTS + 1))
    if first:
        more = [_("There are more errors than these.")] if len(first) > MOST_FAULTS else []
        raise BadArchive(*(str(one) for one in first[:MOST_FAULTS]), *more)


def _rows_of(data: object) -> Rows:
    """The rows of a file of this version or an earlier one, by kind."""
    if not isinstance(data, Mapping) or data.get("format") != FORMAT:
        raise BadArchive(_("This is not a full backup of a club."))
    if data.get("version") != VERSION or isinstance(data["version"], bool):
        raise BadArchive(_other_version())
    rows = _renamed(data.get("rows"))
    kinds = {model.__name__: model for model in archived()}
    if not isinstance(rows, dict) or not {"Club"} <= set(rows) <= set(kinds):
        raise BadArchive(_other_version())
    for name, listed in rows.items():
        if not isinstance(listed, list) or not all(isinstance(row, dict) for row in listed):
            raise BadArchive(_("%(kind)s: this is not a list of rows.") % {"kind": name})
    if len(rows["Club"]) != 1:
        raise BadArchive(_("A full backup holds one club."))
    return {
        name: [filled(model, row) for row in rows.get(name, ())] for name, model in kinds.items()
    }


def _renamed(rows: object) -> object:
    """Rows of an earlier version under the names of this one."""
    if isinstance(rows, dict) and "Wish" in rows:
        return {"SeatingRequest" if name == "Wish" else name: rows[name] for name in rows}
    return rows


def _other_version() -> str:
    return _("This full backup was made by a later version of Right Bower. Update this one first.")


def _make(model: type[models.Model], rows: list[dict[str, Any]], ids: Ids) -> dict[int, int]:
    """Rows of one model, made; their old ids and new. Pointers within the model come last."""
    own = [name for name, to in pointers(model) if to is model]
    made = [_row(model, row, ids, leave=own) for row in rows]
    model._base_manager.bulk_create(made, batch_size=AT_A_TIME)
    new = {row["id"]: one.pk for row, one in zip(rows, made, strict=True)}
    for name in own:
        changed = [
            (one, row[name]) for row, one in zip(rows, made, strict=True) if row[name] is not None
        ]
        for one, old in changed:
            setattr(one, f"{name}_id", new[old])
        model._base_manager.bulk_update([one for one, _old in changed], [name], AT_A_TIME)
    return new


def _row(
    model: type[models.Model], row: dict[str, Any], ids: Ids, *, leave: list[str]
) -> models.Model:
    values = {field.name: value_of(field, row[field.name]) for field in plain_fields(model)}
    for name, to in pointers(model):
        if name not in leave and row[name] is not None:
            values[f"{name}_id"] = ids[to][row[name]]
    made = model(**values)
    if isinstance(made, Member):
        made.set_keys()  # as saving does: they follow from the name
    return made


def _fill_lists(model: type[models.Model], rows: list[dict[str, Any]], ids: Ids) -> None:
    for name, to in lists(model):
        field: Any = model._meta.get_field(name)
        mine, theirs = field.m2m_field_name(), field.m2m_reverse_field_name()
        through = field.remote_field.through
        made = [
            through(
                **{
                    f"{mine}_id": ids[model][row["id"]],
                    f"{theirs}_id": ids[to][old],
                }
            )
            for row in rows
            for old in row[name]
        ]
        through._base_manager.bulk_create(made, batch_size=AT_A_TIME)


def contest_faults(index: Index) -> Iterator[Fault]:
    """What is wrong with matches, stages and fixtures whose rows are each good by themselves."""
    yield from _matches(index)
    yield from _stages(index)
    yield from _cups(index)
    yield from _table_numbers(index)
    yield from _fixture_rounds(index)
    rounds = index.grouped(Round, "session")
    for where, row in index.every(TeamMatch):
        of_session = rounds.get(row["session"], ()) if row["session"] else ()
        if any(one["planner"] != PLANNER for _where, one in of_session):
            yield Fault(where, "session", _("The games of this session are not a team match's."))


def _table_numbers(index: Index) -> Iterator[Fault]:
    """Tables that the site drew have the lowest free numbers; those of past games any."""
    tables = index.grouped(Table, "session")
    for where, row in index.every(Table):
        drawn = index.at(Table, row, "round__seed") != 0
        if drawn and row["number"] > len(tables[row["session"]]):
            yield Fault(where, "number", _("This session has fewer tables."))


def _fixture_rounds(index: Index) -> Iterator[Fault]:
    """Each round of a league has a match, so there are no more rounds than matches."""
    matches = index.grouped(TeamMatch, "league")
    for where, row in index.every(TeamMatch):
        if row["round"] > len(matches[row["league"]]):
            yield Fault(where, "round", _("This league has fewer rounds."))


def _matches(index: Index) -> Iterator[Fault]:
    by_match = index.grouped(MatchSide, "match")
    for where, row in index.every(Match):
        stage = index.at(Match, row, "stage_round__stage")
        format = index.by_id[Stage][stage]["format"]
        sides = by_match[row["id"]]
        positions = sorted(side["position"] for _where, side in sides)
        if positions != list(range(len(positions))) or len(positions) > _most(format):
            at = max(sides, key=lambda side: side[1]["position"])[0]
            yield Fault(at, "position", _("There is no such place in this match."))
        elif row["winner"] is not None and row["winner"] not in positions:
            yield Fault(where, "winner", _("No one plays at this place in the match."))
        if format in OF_PAIRS:
            for at, side in sides:
                if index.at(MatchSide, side, "entry__partner") is None:
                    yield Fault(at, "entry", _("Pairs play in this format."))
        if not is_placed(format, row["group"], row["place"]):
            yield Fault(where, "place", _("There is no such match in this format."))


def is_placed(format: str, group: int | None, place: str) -> bool:
    """Whether a match of this format may be in this group, or at this place of a bracket."""
    if group is not None:
        return format == Format.GROUPS and not place
    return bool(PLACE.fullmatch(place)) if format in CLOSED else not place


def _keys(teams: int, *, third_place: bool) -> set[str]:
    """The places of a cup's bracket; none for teams too few, which is a fault of its own."""
    if teams < 2:
        return set()
    return {meeting.key for meeting in bracket(range(teams), third_place=third_place).meetings}


def _most(format: str) -> int:
    return 2 if format in OF_PAIRS else 4


def _stages(index: Index) -> Iterator[Fault]:
    rounds = index.grouped(StageRound, "stage")
    for where, row in index.every(Stage):
        wrong = (
            (row["cards"] and row["format"] not in WITH_CARDS)
            or (row["redrawn"] and row["format"] not in REDRAWN)
            or (row["id"] in rounds and row["format"] == Format.ROTATION and not row["cards"])
        )
        if wrong:
            yield Fault(where, "format", _("Its rounds were drawn in another format."))


def _cups(index: Index) -> Iterator[Fault]:
    places = index.grouped(CupPlace, "cup")
    keys: dict[int | None, set[str]] = {None: {""}}  # a fixture of the league has no such place
    keys |= {
        row["id"]: _keys(len(places[row["id"]]), third_place=row["third_place"])
        for _where, row in index.every(TeamCup)
    }
    for where, row in index.every(TeamMatch):
        if row["place"] not in keys[row["cup"]]:
            yield Fault(where, "place", _("There is no such place in the bracket."))
