"""A small tournament of the demo club that is over: Progressive Euchre, three rounds."""

from datetime import datetime, timedelta

from league.exchange.demo.people import Cast
from league.exchange.demo.tables import play, sit_down
from league.members.models import Member
from league.play.actions import confirm_game
from league.seating.models import Table
from league.sessions.actions import arrive, close_session, start_session
from league.tournaments import actions
from league.tournaments.models import Match, Tournament
from league.tournaments.parameters import Chosen
from league.tournaments.picture import picture_of
from league.tournaments.ties import open_ties

PLAYERS, ROUNDS = 14, 3
ROUND = timedelta(minutes=35)


def a_cup(cast: Cast, *, at: datetime) -> Tournament:
    """An afternoon outside the season, from the entries to the closed tournament."""
    day = start_session(cast.club, by=cast.by, at=at, name="Harvest Cup")
    members = list(Member.objects.filter(club=cast.club, is_guest=False).order_by("pk"))
    for member in members[:PLAYERS]:
        arrive(day, member, by=cast.by, at=at)
    cup = actions.start_tournament(
        day,
        name="Harvest Cup",
        format="progressive",
        choice=Chosen(rounds=ROUNDS),
        seed=cast.chance.randrange(2**31),
        by=cast.by,
    )
    actions.enter_present(cup, by=cast.by, at=at)
    for _round in range(ROUNDS):
        at += ROUND
        _play_round(cup, cast, at)
    actions.finish_tournament(cup, by=cast.by, at=at + ROUND)
    close_session(day, by=cast.by, at=at + ROUND)
    return cup


def _play_round(cup: Tournament, cast: Cast, at: datetime) -> None:
    actions.draw_round(cup, by=cast.by, seed=cast.chance.randrange(2**31))
    row = actions.publish_draw(cup, by=cast.by, at=at)
    tables = Table.objects.filter(round=row.seating_id).select_related("ruleset", "session__club")
    for table in tables.order_by("number"):
        going = sit_down(table, cast.skills, at)
        play(going, cast.chance, until=at + timedelta(hours=2), pace=0.3)
        confirm_game(table, by=cast.by, at=going.at + timedelta(seconds=20), seat=1)
    for tie in open_ties(picture_of(row.stage)):
        match = Match.objects.get(pk=tie.key)
        winner = cast.chance.randrange(2)
        actions.decide_match(cup, match, winner, how="extra_hand", by=cast.by, at=at)
