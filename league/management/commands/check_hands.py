"""manage.py check_hands FILE...: every hand record checked, one answer a line."""

from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from league.management.reading import EXIT_STATUS, add_files, check_files
from scoring.files import check_lines


class Command(BaseCommand):
    help = "Check hand records, one JSON object a line, and print one answer a line. " + EXIT_STATUS
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        add_files(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        check_files(self, options["files"], _hands)


def _hands(_name: str, text: bytes) -> Iterator[tuple[Any, bool]]:
    for found in check_lines(text.split(b"\n")):
        yield found.to_json(), found.valid
