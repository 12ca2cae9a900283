"""`export_league LEAGUE`: writes a league with its results and tables as JSON."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from league.exchange.league_export import league_document
from league.teams.models import TeamLeague


class Command(BaseCommand):
    help = (
        "Write a league of teams, its results and what its tables make of them, as one JSON file. "
        "Nobody's name is in it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("league", help="its id (the part after /leagues/), or its name")
        parser.add_argument("--output", metavar="FILE", help="a new file, instead of the screen")

    def handle(self, *args: Any, league: str, output: str | None, **options: Any) -> None:
        leagues = TeamLeague.objects.select_related("club", "ruleset")
        matches = leagues.filter(public_id=league) or leagues.filter(name=league)
        if len(matches) != 1:
            raise CommandError(f"There is no league {league}, or more than one.")
        text = json.dumps(league_document(matches[0]), ensure_ascii=False, indent=1)
        if output is None:
            self.stdout.write(text)
            return
        try:
            with Path(output).open("x", encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            raise CommandError(f"{output}: {error.strerror}") from error
