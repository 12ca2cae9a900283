"""`import_league FILE --club CLUB`: creates a league of a club from a JSON file, all or nothing."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from league.exchange.archive_checking import read_json
from league.exchange.league_import import BadLeagueFile, import_document
from league.members.audit import PROGRAM
from league.members.models import Club


class Command(BaseCommand):
    help = "Make a league in a club out of the file that export_league writes."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file")
        parser.add_argument("--club", required=True, help="the part after /c/ of its address")
        parser.add_argument("--dry-run", action="store_true", help="only check the file")

    def handle(self, *args: Any, file: str, club: str, dry_run: bool, **options: Any) -> None:
        target_club = Club.objects.filter(slug=club).first()
        if target_club is None:
            raise CommandError(f"There is no club at the address {club}.")
        try:
            data = read_json(Path(file).read_bytes())
            imported = import_document(
                target_club, data, by=PROGRAM, at=timezone.now(), dry_run=dry_run
            )
        except (OSError, ValueError) as error:
            raise CommandError(f"{file} cannot be read: {error}") from error
        except BadLeagueFile as bad:
            raise CommandError("\n".join([*bad.faults, "Nothing was imported."])) from bad
        counts = f"{imported.league.name}: {imported.teams} teams, {imported.matches} matches."
        if dry_run:
            self.stdout.write(f"{counts} Nothing was imported.")
        else:
            self.stdout.write(f"{counts}\n{imported.league.public_id}")
