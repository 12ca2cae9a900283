"""What the rows of tournaments and leagues say of one another: sides, winners, places, formats."""

import re
from collections.abc import Iterator

from django.utils.translation import gettext as _

from league.exchange.archive.agreement import Index
from league.exchange.archive.checking import Fault
from league.pairing.formats.knockout import bracket
from league.seating.models import Round, Table
from league.teams.models import CupPlace, TeamCup, TeamMatch
from league.teams.queries import PLANNER
from league.tournaments.models import Match, MatchSide, Stage, StageRound
from league.tournaments.stage_state import CLOSED, OF_PAIRS

Format = Stage.Format
WITH_CARDS = (Format.PROGRESSIVE, Format.ROTATION, Format.GROUPS)
PLACE = re.compile(r"[A-Z]\d+-\d+")
REDRAWN = (Format.ROUND_ROBIN, Format.GROUPS)


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
        if not _is_placed(format, row["group"], row["place"]):
            yield Fault(where, "place", _("There is no such match in this format."))


def _is_placed(format: str, group: int | None, place: str) -> bool:
    """Whether a match of this format may be in this group, or at this place of a bracket."""
    if group is not None:
        return format == Format.GROUPS and not place
    return bool(PLACE.fullmatch(place)) if format in CLOSED else not place


def _keys(teams: int, *, third_place: bool) -> set[str]:
    """The places of a cup's bracket; none for teams too few, which is a fault of its own."""
    if teams < 2:
        return set()
    return {one.key for one in bracket(range(teams), third_place=third_place).meetings}


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
