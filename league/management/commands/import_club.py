"""`import_club FILE`: restores a club from a file of `export_club`."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.core.validators import validate_slug
from django.db import transaction

from league.errors import Refused
from league.exchange.archive_checking import read_json
from league.exchange.archive_restoring import BadArchive, restore
from league.members.actions.roles import give_role
from league.members.audit import PROGRAM
from league.members.models import Club, Role


class Command(BaseCommand):
    help = (
        "Restore a club from the file that export_club wrote: all of it or nothing. Every game is "
        "counted anew from its hands and has to come to what the file says."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file")
        parser.add_argument("--slug", default="", help="another address for the club")
        parser.add_argument(
            "--owner", metavar="USER", required=True, help="the account that will own it"
        )

    def handle(self, *args: Any, file: str, slug: str, owner: str, **options: Any) -> None:
        try:
            data = read_json(Path(file).read_bytes())
        except (OSError, ValueError) as error:
            raise CommandError(f"{file} cannot be read: {error}") from error
        try:
            club = self._restore(data, slug=slug, owner=owner)
        except (BadArchive, Refused, ValidationError) as error:
            raise CommandError(f"{_sentence(error)} Nothing was restored.") from error
        self.stdout.write(f"{club.name} is at /c/{club.slug}/")

    @transaction.atomic
    def _restore(self, data: object, *, slug: str, owner: str) -> Club:
        if slug:
            validate_slug(slug)
        club = restore(data, by=PROGRAM, slug=slug)
        give_role(club, username=owner, rank=Role.Rank.OWNER, by=PROGRAM)
        return club


def _sentence(error: Exception) -> str:
    return " ".join(error.messages) if isinstance(error, ValidationError) else str(error)
