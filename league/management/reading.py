"""Reading the files that a command is given, one after the other."""

import sys
from collections.abc import Iterator
from pathlib import Path

from django.core.management.base import BaseCommand


def contents(command: BaseCommand, names: list[str]) -> Iterator[tuple[str, bytes | None]]:
    """Each file's name and bytes (`-` is standard input); None, said in one line, if unreadable."""
    for name in names:
        try:
            yield name, sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            command.stderr.write(f"{name}: {reason}")
            yield name, None
