"""The largest sheets: processor seconds, memory, and how long nobody else can write meanwhile.

python -m tests.benchmarks.sheets                    on a new SQLite file
python -m tests.benchmarks.sheets --history 100000   beside so many hands that are there already
"""

import argparse
import os
import re
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

SYLLABLES = re.findall(
    "[a-z]+", "an bel car da el fre gor hil in jo ka lin mar nor ol pe ro sam win"
)
AT_A_TABLE, TABLES = 10, 10  # hands of a game, tables of an evening


def a_sheet(hands: int, names: list[str]) -> bytes:
    """Evenings of ten tables of four, each table's game ten hands long."""
    head = "date,session,game,table,hand,player 1,player 2,player 3,player 4"
    lines = [f"{head},dealer,called by,alone,outcome"]
    for place in range(hands // AT_A_TABLE):
        evening, table = divmod(place, TABLES)
        people = ",".join(names[4 * table : 4 * table + 4])
        day = f"20{10 + evening // 12:02}-{evening % 12 + 1:02}-05"
        for hand in range(1, AT_A_TABLE + 1):
            # one point a hand for the first side: the tenth ends the game
            called = f"{(hand - 1) % 4 + 1},1,no,made"
            lines.append(f"{day},Night {evening},G{place},{table + 1},{hand},{people},{called}")
    return "\n".join(lines).encode()


class Clock:
    """Seconds by the name of what took them: of the processor, and on the wall."""

    def __init__(self) -> None:
        self.times: dict[str, tuple[float, float]] = {}

    @contextmanager
    def of(self, name: str) -> Iterator[None]:
        began = time.process_time(), time.perf_counter()
        yield
        self.times[name] = time.process_time() - began[0], time.perf_counter() - began[1]

    def timed(self, name: str, do: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*values: Any, **named: Any) -> Any:
            with self.of(name):
                return do(*values, **named)

        return timed


def hands(clock: Clock, rows: int, history: int) -> None:
    """A sheet of hands, looked at and ordered."""
    from league.exchange import hands_import
    from league.exchange import sheet_import as saving
    from league.exchange.sheet_import import read_rows
    from league.exchange.sheet_reading import Columns
    from league.exchange.views.files import COLUMNS, HANDS_NEED
    from tests.benchmarks.history import written
    from tests.builders import EIGHT, TEST, rulesets_of

    club = written(history, seed=1)
    rulesets_of(club)
    people = list(club.members.order_by("pk").values_list("name", flat=True))
    content = a_sheet(rows, people)
    with clock.of("hands: reading the file"):
        read = read_rows(content, Columns(COLUMNS, HANDS_NEED), most=rows)
    with clock.of("hands: looking at it"):
        agreed = hands_import.preview_hands(club, read, at=EIGHT).agreed
    locked = clock.timed("hands: of that, while locked", saving.store)
    with clock.of("hands: ordering it"), mock.patch.object(saving, "store", locked):
        made = hands_import.import_hands(club, read, agreed=agreed, by=TEST, at=EIGHT)
    made_games = sum(night.games.count() for night in made)
    assert made_games == rows // AT_A_TABLE, made_games


def results(clock: Clock, rows: int) -> None:
    """A sheet of results, looked at and ordered, beside the hands that are there."""
    from league.exchange import results_sheet
    from league.exchange import sheet_import as saving
    from league.exchange.sheet_import import read_rows
    from league.exchange.sheet_reading import Columns
    from league.exchange.sheets import RESULTS
    from league.members.models import Club
    from tests.builders import EIGHT, TEST

    club = Club.objects.get()
    names = list(club.members.order_by("pk").values_list("name", flat=True))
    lines = ["date,session,game,table,player 1,player 2,player 3,player 4,points 1,points 2"]
    for place in range(rows):
        evening, table = divmod(place, TABLES)
        people = ",".join(names[4 * (table % TABLES) : 4 * (table % TABLES) + 4])
        day = f"{1960 + evening // 12}-{evening % 12 + 1:02}-05"
        lines.append(f"{day},Score {evening},S{place},{table + 1},{people},10,{place % 10}")
    content = "\n".join(lines).encode()
    with clock.of("results: reading the file"):
        read = read_rows(content, Columns(RESULTS, ("date",)), most=rows)
    with clock.of("results: looking at it"):
        agreed = results_sheet.preview_results(club, read, at=EIGHT).agreed
    locked = clock.timed("results: of that, while locked", saving.store)
    with clock.of("results: ordering it"), mock.patch.object(saving, "store", locked):
        made = results_sheet.import_results(club, read, agreed=agreed, by=TEST, at=EIGHT)
    assert sum(night.games.count() for night in made) == rows


def people(clock: Clock, rows: int) -> None:
    """A sheet of people, looked at and ordered, into a club that has as many."""
    from league.exchange import people_import
    from league.exchange import sheet_import as saving
    from league.exchange.sheet_import import read_rows
    from league.exchange.sheet_reading import Columns
    from league.exchange.sheets import MEMBERS
    from league.members.models import Member
    from league.members.names import name_key
    from tests.builders import TEST, a_club

    club, chance = a_club("Many", "many"), Random(1)
    names = sorted({a_name(chance) for _ in range(3 * rows)})[: 2 * rows]
    chance.shuffle(names)
    Member.objects.bulk_create(
        Member(club=club, name=name, name_key=name_key(name)) for name in names[:rows]
    )
    content = "\n".join(["name", *names[rows:]]).encode()
    with clock.of("people: reading the file"):
        read = read_rows(content, Columns(MEMBERS, ("name",)), most=rows)
    with clock.of("people: looking at it"):
        found = people_import.preview_import(club, read)
    locked = clock.timed("people: of that, while locked", saving.store)
    with clock.of("people: ordering it"), mock.patch.object(saving, "store", locked):
        also = [line.number for line in found.lines]
        made = people_import.import_people(club, read, agreed=found.agreed, by=TEST, also=also)
    assert len(made) == rows, len(made)


def a_name(chance: Random) -> str:
    """A first and a last name of two to four syllables."""
    words = ("".join(chance.choices(SYLLABLES, k=chance.choice((2, 2, 3)))) for _ in range(2))
    return " ".join(word.capitalize() for word in words)


def main() -> int:
    parser = argparse.ArgumentParser(
        "tests.benchmarks.sheets",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--rows", type=int, default=5000)
    parser.add_argument("--history", type=int, default=1000)
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("DATABASE_URL", f"sqlite:///{Path(folder)}/club.sqlite3")
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
        clock, before = Clock(), _memory()
        hands(clock, options.rows, options.history)
        results(clock, options.rows)
        people(clock, options.rows)
        for name, (cpu, wall) in clock.times.items():
            sys.stdout.write(f"{name:34} {cpu:6.2f} s of CPU  {wall:6.2f} s\n")
        sys.stdout.write(f"{'memory more than before':34} {_memory() - before:6.0f} MB\n")
    return 0


def _memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    sys.exit(main())
