"""Loads the demo club, once, with its tournament and its team league, and prints how to sign in."""

from argparse import ArgumentParser
from datetime import datetime, timedelta
from random import Random
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from league.exchange import demo_club
from league.exchange.demo_club import (
    Cast,
    accept,
    at_the_door,
    current_evening,
    next_evening,
    past_evenings,
    play,
    start_table,
    start_time,
)
from league.members.models import Club, Member
from league.play.auth import table_link
from league.seasons.models import Season
from league.seating.actions.draft import ruleset_for
from league.seating.models import Table
from league.sessions.actions import close_session, start_session
from league.sessions.attendance import arrive
from league.teams import actions
from league.teams.actions import Card
from league.teams.card import meetings_of
from league.teams.models import Team, TeamLeague, TeamMatch
from league.teams.queries import players_of
from league.tournaments import actions as tournament_actions
from league.tournaments.models import Match, Tournament
from league.tournaments.parameters import StageOptions
from league.tournaments.stage_state import load_stage
from league.tournaments.ties import contenders, open_ties

SEED = 19


class Command(BaseCommand):
    help = "Load a demo club: forty members, a season, a league of teams, an evening that is on."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--fresh",
            action="store_true",
            help="empty the database first; refused where any other club is in it",
        )

    def handle(self, *args: Any, fresh: bool, **options: Any) -> None:
        club = Club.objects.filter(slug=demo_club.SLUG).first()
        if fresh:
            _empty_the_database()
            club = None
        if club is None:
            if Club.objects.exists():
                raise CommandError(
                    "This database has a club of its own, so the demo is not loaded into it. "
                    "bin/demo serves the demo from a database of its own."
                )
            self.stdout.write("Loading the demo club: its season is played hand by hand …")
            self.stdout.flush()
            club = _load()
        self._print_sign_in(club)

    def _print_sign_in(self, club: Club) -> None:
        write = self.stdout.write
        write(f"\n{club.name}: {settings.SITE_ADDRESS}/c/{club.slug}/\n\nSign in as")
        for username, rank, name in demo_club.ACCOUNTS:
            write(f"  {username:<6}{demo_club.password_of(username):<26}{rank.label}, {name}")
        table = _open_table(club)
        if table is not None:
            address = f"{settings.SITE_ADDRESS}{table_link(table)}"
            write(f"\nTonight's table {table.number}, for a phone without an account:\n{address}")
            write(_qr(address))


def _load() -> Club:
    """Make the whole club in one transaction."""
    rng, now = Random(SEED), timezone.now()  # noqa: S311 - for play, not for secrets
    with transaction.atomic():
        club = demo_club.make_club()
        members = list(Member.objects.filter(club=club).order_by("pk"))
        starts_on = (now - timedelta(weeks=10)).date()
        season = Season.objects.create(club=club, name=f"Season {now.year}", starts_on=starts_on)
        cast = demo_club.Cast(club, season, demo_club.skills_of(members, rng), rng)
        past_evenings(cast, now=now)
        play_tournament(cast, at=at_the_door(club, now - timedelta(days=24)))
        current_evening(cast, now=now)
        next_evening(cast, now=now)
        play_team_league(cast, now=now)
    return club


def _empty_the_database() -> None:
    """Empty a database with no other clubs; single clubs are never deleted."""
    if Club.objects.exclude(slug=demo_club.SLUG).exists():
        raise CommandError("There are other clubs in this database: it is not emptied for a demo.")
    call_command("flush", interactive=False, verbosity=0)


def _open_table(club: Club) -> Table | None:
    """One of tonight's tables that is in the middle of a game."""
    tables = Table.objects.filter(session__club=club, is_live=True, games__state="playing")
    return tables.filter(games__hands_played__gt=0).order_by("number").first()


def _qr(address: str) -> str:
    """The address as a QR code for a terminal."""
    import io

    import segno

    output = io.StringIO()
    segno.make(address, error="m").terminal(output, compact=True)
    return output.getvalue()


PLAYERS, ROUNDS = 14, 3
ROUND = timedelta(minutes=35)


def play_tournament(cast: Cast, *, at: datetime) -> Tournament:
    """A tournament outside the season, from its entries to its end."""
    begins_at = start_time(cast.club, at)
    day = start_session(cast.club, by=cast.by, at=at, name="Harvest Cup", begins_at=begins_at)
    members = list(Member.objects.filter(club=cast.club, is_guest=False).order_by("pk"))
    for member in members[:PLAYERS]:
        arrive(day, member, by=cast.by, at=at)
    tournament = tournament_actions.start_tournament(
        day,
        name="Harvest Cup",
        format="progressive",
        choice=StageOptions(rounds=ROUNDS),
        seed=cast.rng.randrange(2**31),
        by=cast.by,
    )
    tournament_actions.enter_present(tournament, by=cast.by, at=at)
    for _round in range(ROUNDS):
        at += ROUND
        _play_round(tournament, cast, at)
    tournament_actions.finish_tournament(tournament, by=cast.by, at=at + ROUND)
    close_session(day, by=cast.by, at=at + ROUND)
    return tournament


def _play_round(tournament: Tournament, cast: Cast, at: datetime) -> None:
    tournament_actions.draw_round(tournament, by=cast.by, seed=cast.rng.randrange(2**31))
    row = tournament_actions.publish_draw(tournament, by=cast.by, at=at)
    tables = Table.objects.filter(round=row.seating_id).select_related("ruleset", "session__club")
    for table in tables.order_by("number"):
        table_play = start_table(table, cast.skills, at)
        play(table_play, cast.rng, until=at + timedelta(hours=2), pace=0.3)
        accept(table_play)
    for tie in open_ties(load_stage(row.stage)):
        match = Match.objects.get(pk=tie.key)
        winner = cast.rng.choice(contenders(tie))
        tournament_actions.decide_match(
            tournament, match, winner, how="extra_hand", by=cast.by, at=at
        )


TEAMS = {
    "Lighthouse": "The Lamp Room",
    "Harbour Wall": "The Lamp Room",
    "Lifeboat": "The Slipway Inn",
    "Chandlers": "The Rope Loft",
}
PAIRS, TARGET, PLAYED = 3, 21, 3
WEEK = timedelta(weeks=1)

Pair = tuple[Member, Member]


def play_team_league(cast: Cast, *, now: datetime) -> TeamLeague:
    """A league of four teams of three pairs, home and away; two teams share a venue."""
    league = actions.make_league(
        cast.club,
        name="Coast League",
        season=None,
        ruleset=ruleset_for(cast.club, 4),
        target=TARGET,
        pairs=PAIRS,
        turns=PAIRS,
        borrowed=2,
        twice=True,
        starts_on=(cast.club.local(now) - PLAYED * WEEK + timedelta(days=2)).date(),
        days_between=WEEK.days,
        fixture_rules={"starts_at": "19:30"},
        seed=cast.rng.randrange(2**31),
        by=cast.by,
    )
    _enter_teams(league, cast)
    actions.make_fixtures(league, seed=league.seed, by=cast.by)
    past_matches = list(
        league.matches.filter(round__lte=PLAYED).select_related("league", "home", "away")
    )
    for match in past_matches[:-1]:
        _play(match, cast, at=now)
    _postpone(past_matches[-1], cast, now=now)
    return league


def _enter_teams(league: TeamLeague, cast: Cast) -> None:
    members = list(Member.objects.filter(club=cast.club, is_guest=False).order_by("pk"))
    for number, (name, venue) in enumerate(TEAMS.items()):
        names = [member.name for member in members[number :: len(TEAMS)][: 2 * PAIRS]]
        actions.save_team(
            league,
            None,
            by=cast.by,
            name=name,
            venue=venue,
            roomy=False,
            names=names,
            captain=names[0],
        )


def _play(match: TeamMatch, cast: Cast, *, at: datetime) -> None:
    """Enter a card as an organiser does, with only the score of every game."""
    home, away = _pairs(match.home), _pairs(match.away)
    scores = {
        (meeting.turn, meeting.home_pair): _score(
            cast, home[meeting.home_pair - 1], away[meeting.away_pair - 1]
        )
        for meeting in meetings_of(match.league)
    }
    card = Card(match.held_on or cast.club.local(at).date(), home, away, scores)
    actions.write_card(match, card, side=None, by=cast.by, at=at)


def _pairs(team: Team) -> list[Pair]:
    players = players_of(team)
    return list(zip(players[::2], players[1::2], strict=True))


def _score(cast: Cast, *pairs: Pair) -> tuple[int, int]:
    """A random score in which one side reaches the target, more likely the more skilful one."""
    first, second = (sum(cast.skills[member.pk] for member in pair) for pair in pairs)
    losing_score = cast.rng.randrange(TARGET // 3, TARGET)
    first_wins = cast.rng.random() < first / (first + second)
    return (TARGET, losing_score) if first_wins else (losing_score, TARGET)


def _postpone(match: TeamMatch, cast: Cast, *, now: datetime) -> None:
    actions.move_match(
        match,
        held_on=(cast.club.local(now) + WEEK).date(),
        venue=match.venue,
        reason="Four of the visitors have a cold",
        by=cast.by,
    )
