"""`recount [--check]`: compares stored scores, winners and results with a recount of the hands."""

import logging
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from league.members.models import Club
from league.play.models import Game
from league.play.recount import Difference, differing, rebuild
from league.tournaments.actions import rank_again
from league.tournaments.session_places import wrong_places

log = logging.getLogger(__name__)


class Command(BaseCommand):
    help = (
        "Counts every game from its hands, and the places of tournaments from their games, and "
        "puts right what is stored of them. With --check nothing is changed. Ordinary games "
        "are counted in a quick way, and in full where anything is out of the ordinary or "
        "differs; with --deep every game is counted in full, which takes several times as "
        "long. A game with missing hands is told and left alone. Exit status: 0 "
        "all equal (or put right), 1 something differs that was not put right."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="change nothing, only compare")
        parser.add_argument(
            "--deep",
            action="store_true",
            help="look at every game in full, also at those a quicker count has found right",
        )
        parser.add_argument("--club", metavar="SLUG", help="the games of one club alone")

    def handle(self, *args: Any, **options: Any) -> None:
        clubs = Club.objects.order_by("pk")
        if options["club"]:
            clubs = clubs.filter(slug=options["club"])
        game_count = differing_count = wrong_count = 0
        for club in clubs:
            games = Game.objects.filter(session__club=club)
            try:
                differences = list(differing(games, deep=options["deep"]))
            except Exception:
                log.exception("the games of the club %s cannot be counted", club.slug)
                self.stderr.write(f"{club.slug}: its games cannot be counted; see the log.")
                wrong_count += 1
                continue
            game_count, differing_count = (
                game_count + games.count(),
                differing_count + len(differences),
            )
            for difference in differences:
                wrong_count += not self._settle(difference, check=options["check"])
            wrong_count += self._settle_places(club, check=options["check"])
        self.stdout.write(
            f"{game_count} games counted, {differing_count} differ, {wrong_count} left so."
        )
        if wrong_count:
            sys.exit(1)

    def _settle_places(self, club: Club, *, check: bool) -> int:
        """Print which sessions have other places than their tournament gives, and correct them
        unless `check`; return how many are still wrong."""
        wrong_sessions = list(wrong_places(club))
        for club_session, stored, counted in wrong_sessions:
            self.stdout.write(f"{club.slug}, {club_session}: places of its tournament:")
            for member in sorted(stored.keys() | counted.keys()):
                old, new = stored.get(member), counted.get(member)
                if old != new:
                    same_place = old and new and old.place == new.place  # then the figures differ
                    before, after = (
                        entry and (entry.stored if same_place else entry.place)
                        for entry in (old, new)
                    )
                    self.stdout.write(f"  member {member}: stored {before}, counted {after}")
            if not check:
                rank_again(club_session)
                self.stdout.write("  put right")
        return len(wrong_sessions) if check else 0

    def _settle(self, difference: Difference, *, check: bool) -> bool:
        """Print a difference and, unless `check`, correct it; return whether it is corrected."""
        game = difference.game
        club, table = game.table.session.club.slug, game.table.number
        self.stdout.write(f"{club}, {game.table.session}, table {table} (game {game.public_id}):")
        for reason in difference.what:
            self.stdout.write(f"  {reason}")
        if difference.lost:
            self.stdout.write("  hands are missing: restore them from a backup")
            return False
        if not check:
            rebuild(game)
            self.stdout.write("  put right")
        return not check
