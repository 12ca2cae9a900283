"""manage.py check_game FILE...: whole games checked and folded, one line a game."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from league.management.reading import answer, contents
from scoring.files import check_game_text


class Command(BaseCommand):
    help = (
        "Check games (.egn, .emn, or JSON with ruleset and hands) and print one line a game. "
        "Exit status: 0 all valid, 1 something is not, 2 a file could not be read."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", help="- is standard input")

    def handle(self, *args: Any, **options: Any) -> None:
        status = 0
        for name, text in contents(self, options["files"]):
            if text is None:
                status = 2
                continue
            for found in check_game_text(text):
                answer(self, {"file": name, **found})
                status = max(status, 0 if found["valid"] else 1)
        sys.exit(status)
