"""G8: what keeping scores and results up to date costs: hands written with them and without.

python -m tests.benchmarks.upkeep

In one process, without a server, table by table in turns; CPU, so that other work counts little.
"""

import os
import tempfile
import time
from contextlib import nullcontext
from pathlib import Path
from statistics import median
from unittest import mock

from tests.faults.hall import environment, furnish

TABLES, HANDS = 60, 10


def hands_written(table, **instead):
    """CPU seconds for a game's hands at one table, with some of the order's steps replaced."""
    from django.utils import timezone

    from league.play.actions import record, record_hand
    from tests.builders import TEST

    with mock.patch.multiple(record, **instead) if instead else nullcontext():
        began = time.process_time()
        for number in range(1, HANDS + 1):
            hand = {
                "dealer": (number - 1) % 4,
                "contract": {"seat": number % 4, "trump": "shdc"[number % 4]},
                "outcome": ("made", "march", "euchred")[number % 3],
            }
            record_hand(
                table, hand, client_id=f"hand-{number:04}", number=number, by=TEST,
                at=timezone.now(),
            )  # fmt: skip
        return time.process_time() - began


def nothing(*_args, **_kwargs):
    """In the place of keeping what follows from a hand."""


def main():
    with tempfile.TemporaryDirectory(prefix="right-bower-bench-") as name:
        folder = Path(name)
        url = f"sqlite:///{folder}/club.sqlite3"
        places = furnish(url, folder, tables=TABLES)
        os.environ.update(environment(url, folder) | {"DJANGO_SETTINGS_MODULE": "league.settings"})
        import django

        django.setup()
        from league.seating.models import Table

        tables = [Table.objects.get(public_id=place.id) for place in places]
        ratios = []
        for first, second in zip(tables[::2], tables[1::2], strict=True):
            without = hands_written(first, save_derived=nothing)
            ratios.append(hands_written(second) / without)
        line = f"G8   hands with totals / without {median(ratios[2:]):8.2f} x  must be <= 1.3 (1.2)"
        print(line)  # noqa: T201


if __name__ == "__main__":
    main()
