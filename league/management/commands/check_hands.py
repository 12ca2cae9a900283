"""manage.py check_hands FILE...: every hand record checked, one answer a line."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from league.management.reading import answer, contents
from scoring.files import check_lines


class Command(BaseCommand):
    help = (
        "Check hand records, one JSON object a line, and print one answer a line. "
        "Exit status: 0 all valid, 1 something is not, 2 a file could not be read."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", help="- is standard input")

    def handle(self, *args: Any, **options: Any) -> None:
        status = 0
        for _name, text in contents(self, options["files"]):
            if text is None:
                status = 2
                continue
            for found in check_lines(text.split(b"\n")):
                answer(self, found.to_json())
                status = max(status, 0 if found.valid else 1)
        sys.exit(status)
