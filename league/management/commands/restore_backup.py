"""`restore_backup FILE`: all of a laptop's backup into this site's empty database."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from league.laptop.moving import CannotMove, move_in


class Command(BaseCommand):
    help = (
        "Restore a backup that Right Bower made by itself on a laptop, or a copy of an SQLite "
        "database, into this site's empty database, PostgreSQL too: clubs, results and accounts."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="the backup: right-bower-….zip or ….sqlite3")
        parser.add_argument("--words", default="", help="the six words of the recovery sheet")

    def handle(self, *args: Any, file: Path, words: str, **options: Any) -> None:
        try:
            key = move_in(file, words=words)
        except CannotMove as error:
            raise CommandError(str(error)) from error
        if key:
            self.stdout.write("Restored. For printed codes to work, put this line into .env:")
            self.stdout.write(f"SECRET_KEY={key}")
        else:
            self.stdout.write(
                "Restored. Without the six words, table codes have to be printed again."
            )
