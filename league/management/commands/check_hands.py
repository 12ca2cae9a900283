"""manage.py check_hands FILE...: checks hand records, with one answer per line."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NoReturn

from django.core.management.base import BaseCommand, CommandParser

from scoring.files import check_lines

Check = Callable[[str, bytes], Iterable[tuple[Any, bool]]]
"""Returns the answers for a file's name and content, each with whether it is valid."""

EXIT_STATUS = "Exit status: 0 all valid, 1 something is not, 2 a file could not be read."


def add_files(parser: CommandParser) -> None:
    """Add the command line's argument for files."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="- is standard input")


def check_files(command: BaseCommand, names: list[str], check: Check) -> NoReturn:
    """Print one line for each answer, and exit with the worst status (`EXIT_STATUS`)."""
    status = 0
    for name, text in _contents(command, names):
        if text is None:
            status = 2
            continue
        for answer, valid in check(name, text):
            _print_json(command, answer)
            status = max(status, 0 if valid else 1)
    sys.exit(status)


def _contents(command: BaseCommand, names: list[str]) -> Iterator[tuple[str, bytes | None]]:
    """The name and content of each file (`-` is standard input); None for an unreadable file, for
    which one line is printed."""
    for name in names:
        try:
            yield name, sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            command.stderr.write(f"{name}: {reason}")
            yield name, None


def _print_json(command: BaseCommand, data: Any) -> None:
    """Print data as one line of JSON, escaped only if UTF-8 cannot be used.

    File names may not be valid Unicode, and a terminal may have another encoding.
    """
    text = json.dumps(data, ensure_ascii=False)
    encoding = (getattr(command.stdout, "encoding", None) or "utf-8").lower().replace("-", "")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        encoding = "unknown"
    command.stdout.write(text if encoding == "utf8" else json.dumps(data))


class Command(BaseCommand):
    help = "Check hand records, one JSON object a line, and print one answer a line. " + EXIT_STATUS
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        add_files(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        check_files(self, options["files"], _checked_hands)


def _checked_hands(_name: str, text: bytes) -> Iterator[tuple[Any, bool]]:
    for answer in check_lines(text.split(b"\n")):
        yield answer.to_json(), answer.valid
