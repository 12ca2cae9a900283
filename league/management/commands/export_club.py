"""`export_club SLUG FILE`: writes a whole club to a JSON file, to keep or for another server."""

import json
import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from league.exchange.archive_writing import archive_of
from league.members.models import Club


class Command(BaseCommand):
    help = "Write a whole club, without accounts and passwords, to one JSON file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the club's address: the part after /c/")
        parser.add_argument("file", help="where to write; it must not be there yet")

    def handle(self, *args: Any, slug: str, file: str, **options: Any) -> None:
        club = Club.objects.filter(slug=slug).first()
        if club is None:
            raise CommandError(f"There is no club at the address {slug}.")
        data = archive_of(club, at=timezone.now())
        try:
            descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}") from error
        with open(descriptor, "w", encoding="utf-8") as output:
            json.dump(data, output, ensure_ascii=False)
        row_count = sum(len(rows) for rows in data["rows"].values())
        self.stdout.write(f"{file}: {row_count} rows, {Path(file).stat().st_size // 1024} KB")
