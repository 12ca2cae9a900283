"""The files a command is given, read one after the other; its answers, a line of JSON each."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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


def answer(command: BaseCommand, data: Any) -> None:
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
