"""Loads the demo club, once, and prints how to sign in and a table's code."""

from argparse import ArgumentParser
from datetime import timedelta
from random import Random
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from league.exchange.demo import evenings
from league.exchange.demo.competitions import play_team_league, play_tournament
from league.exchange.demo.evenings import current_evening, next_evening, past_evenings
from league.members.models import Club, Member
from league.play.auth import table_link
from league.seasons.models import Season
from league.seating.models import Table

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
        club = Club.objects.filter(slug=evenings.SLUG).first()
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
        for username, rank, name in evenings.ACCOUNTS:
            write(f"  {username:<6}{evenings.password_of(username):<26}{rank.label}, {name}")
        table = _open_table(club)
        if table is not None:
            address = f"{settings.SITE_ADDRESS}{table_link(table)}"
            write(f"\nTonight's table {table.number}, for a phone without an account:\n{address}")
            write(_qr(address))


def _load() -> Club:
    """Make the whole club in one transaction."""
    rng, now = Random(SEED), timezone.now()  # noqa: S311 - for play, not for secrets
    with transaction.atomic():
        club = evenings.make_club()
        members = list(Member.objects.filter(club=club).order_by("pk"))
        starts_on = (now - timedelta(weeks=10)).date()
        season = Season.objects.create(club=club, name=f"Season {now.year}", starts_on=starts_on)
        cast = evenings.Cast(club, season, evenings.skills_of(members, rng), rng)
        past_evenings(cast, now=now)
        play_tournament(cast, at=now - timedelta(days=24))
        current_evening(cast, now=now)
        next_evening(cast, now=now)
        play_team_league(cast, now=now)
    return club


def _empty_the_database() -> None:
    """Empty a database with no other clubs; single clubs are never deleted."""
    if Club.objects.exclude(slug=evenings.SLUG).exists():
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
