"""manage.py check_hands FILE...: every hand record checked, one answer a line."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NoReturn

from django.core.management.base import BaseCommand, CommandParser

from scoring.files import check_lines

Check = Callable[[str, bytes], Iterable[tuple[Any, bool]]]
"""A file's name and bytes: the answers in it, each with whether it says "valid"."""

EXIT_STATUS = "Exit status: 0 all valid, 1 something is not, 2 a file could not be read."


def add_files(parser: CommandParser) -> None:
    """The files, as words of the command line."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="- is standard input")


def check_files(command: BaseCommand, names: list[str], check: Check) -> NoReturn:
    """Print every answer as a line, and exit with the status of the worst (`EXIT_STATUS`)."""
    status = 0
    for name, text in _contents(command, names):
        if text is None:
            status = 2
            continue
        for answer, valid in check(name, text):
            _answer(command, answer)
            status = max(status, 0 if valid else 1)
    sys.exit(status)


def _contents(command: BaseCommand, names: list[str]) -> Iterator[tuple[str, bytes | None]]:
    """Each file's name and bytes (`-` is standard input); None, said in one line, if unreadable."""
    for name in names:
        try:
            yield name, sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            command.stderr.write(f"{name}: {reason}")
            yield name, None


def _answer(command: BaseCommand, data: Any) -> None:
    """Print data as one line of JSON: in letters people read, or escaped where they cannot be.

    File names and a terminal's own encoding can hold what UTF-8 does not.
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
        check_files(self, options["files"], _hands)


def _hands(_name: str, text: bytes) -> Iterator[tuple[Any, bool]]:
    for answer in check_lines(text.split(b"\n")):
        yield answer.to_json(), answer.valid
