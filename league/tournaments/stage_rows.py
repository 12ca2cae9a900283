"""The rows that the state of a stage is computed from, read in one statement."""

from operator import attrgetter
from typing import NamedTuple

from league.compiled_sql import read_together
from league.members.models import Member
from league.play.models import Game
from league.seating.models import Round, Table
from league.tournaments.models import Bye, Entry, Match, MatchGame, MatchSide, Stage, StageRound

ENTRIES = "FROM league_entry WHERE tournament_id = %s"
PEOPLE = (
    f"FROM league_member WHERE id IN (SELECT member_id {ENTRIES} UNION SELECT partner_id {ENTRIES})"
)
ROUNDS = "FROM league_stageround WHERE stage_id = %s"
SEATINGS = f"FROM league_round WHERE id IN (SELECT seating_id {ROUNDS})"
BYES = f"FROM league_bye WHERE stage_round_id IN (SELECT id {ROUNDS})"
MATCHES = f"FROM league_match WHERE stage_round_id IN (SELECT id {ROUNDS})"
SIDES = f"FROM league_matchside WHERE match_id IN (SELECT id {MATCHES})"
LINKS = f"FROM league_matchgame WHERE match_id IN (SELECT id {MATCHES})"
TABLES = f"FROM league_table WHERE id IN (SELECT table_id {LINKS})"
GAMES = f"FROM league_game WHERE table_id IN (SELECT table_id {LINKS})"


class StageRows(NamedTuple):
    """The rows of a stage in their order, except the results of its games."""

    entries: list[Entry]
    members: list[Member]
    rounds: list[StageRound]
    seatings: list[Round]
    byes: list[Bye]
    matches: list[Match]
    sides: list[MatchSide]
    links: list[MatchGame]
    tables: list[Table]
    games: list[Game]


def read_rows(stage: Stage) -> StageRows:
    """The rows of a stage, in one statement: pages and buttons of tournaments begin with it."""
    of_tournament, of_stage = [stage.tournament_id], [stage.pk]
    rows = StageRows(
        *read_together(
            (Entry, ENTRIES, of_tournament),
            (Member, PEOPLE, of_tournament * 2),
            (StageRound, ROUNDS, of_stage),
            (Round, SEATINGS, of_stage),
            (Bye, BYES, of_stage),
            (Match, MATCHES, of_stage),
            (MatchSide, SIDES, of_stage),
            (MatchGame, LINKS, of_stage),
            (Table, TABLES, of_stage),
            (Game, GAMES, of_stage),
        )
    )
    for unordered in (rows.entries, rows.byes):
        unordered.sort(key=attrgetter("pk"))
    for unordered in (rows.rounds, rows.matches, rows.links):
        unordered.sort(key=attrgetter("number", "pk"))
    return rows
