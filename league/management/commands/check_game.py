"""manage.py check_game FILE...: checks and scores whole games, with one line for each game."""

from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from league.management.commands.check_hands import EXIT_STATUS, add_files, check_files
from scoring.files import check_game_text


class Command(BaseCommand):
    help = (
        "Check games (.egn, .emn, or JSON with ruleset and hands) and print one line a game. "
        + EXIT_STATUS
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        add_files(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        check_files(self, options["files"], _checked_games)


def _checked_games(name: str, text: bytes) -> Iterator[tuple[dict[str, Any], bool]]:
    for game in check_game_text(text):
        yield {"file": name, **game}, game["valid"]
