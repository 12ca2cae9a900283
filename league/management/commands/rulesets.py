"""manage.py rulesets [ID]: lists the presets, or shows one with the source of every choice."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from scoring import Ruleset, RulesetError, preset_ids, ruleset


class Command(BaseCommand):
    help = "List the presets, or show one in full with the source of every choice."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("id", nargs="?", metavar="ID")
        parser.add_argument("--json", action="store_true", help="as data, to store or to extend")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["id"] is None:
            presets = [ruleset(name) for name in preset_ids()]
            lines = [f"{rules.id:<32} {rules.players}  {rules.name}" for rules in presets]
            data: Any = [rules.id for rules in presets]
        else:
            try:
                rules = ruleset(options["id"])
            except RulesetError as error:
                raise CommandError(str(error), returncode=1) from error
            lines, data = list(_lines(rules)), rules.to_dict()
        if options["json"]:
            lines = [json.dumps(data, ensure_ascii=False, indent=2)]
        self.stdout.write("\n".join(lines))


def _lines(rules: Ruleset) -> Any:
    yield f"{rules.id}: {rules.name}"
    if rules.note:
        yield rules.note
    kitty = f"kitty {rules.kitty_size}" if rules.kitty_size else "no kitty"
    yield f"{rules.players} players, {len(rules.deck)} cards, {rules.hand_size} each, {kitty}"
    yield ""
    for name, choice in rules.choices.items():
        value = json.dumps(choice.value, ensure_ascii=False)
        source = ", ".join(part for part in (choice.source, choice.decision) if part)
        yield f"{name} = {value}" + (f"   [{source}]" if source else "")
        if choice.note:
            yield f"    {choice.note}"
    for special in rules.specials:
        yield f"special bid: {special}"
