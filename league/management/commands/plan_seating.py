"""`plan_seating FILE`: plans a session's seating from JSON; `-` is standard input."""

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from league.pairing import PairingRefused
from league.pairing.seating.json_io import plan_from_json


class Command(BaseCommand):
    """Prints the plan and its certificate as JSON; exits with status 2 if there is no plan."""

    help = "Plan an evening's seating from a JSON order and print it as JSON."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="the order as JSON, or - for standard input")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self.stdout.write(plan_from_json(_read(options["file"])))
        except PairingRefused as refused:
            raise CommandError(str(refused), returncode=2) from refused


def _read(name: str) -> str:
    try:
        if name == "-":
            return sys.stdin.read()
        return Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{name} cannot be read: {error}", returncode=2) from error
