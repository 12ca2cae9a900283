"""The hall: a club with tables of four, ready to play, made once and copied for each test.

`python -m tests.faults.hall 12` fills the database of the environment and prints the tables.
"""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KEY = "a key for servers that are only there to be killed, and long enough for the checks"
ORGANISER, PASSWORD = "olive", "correct horse battery"
LONG_GAME = 500  # points: no burst ends a game
PREVIOUS = "previous.sqlite3"


@dataclass(frozen=True, slots=True)
class Place:
    """One table: its number, its public id, and the code that opens it."""

    number: int
    id: str
    code: str

    @property
    def path(self) -> str:
        return f"/t/{self.id}/"


Places = list[Place]


def environment(database_url: str, folder: Path) -> dict[str, str]:
    """What a server of ours is started with: nothing of this machine's but the PATH."""
    return {
        "PATH": os.environ["PATH"],
        "RIGHT_BOWER_ENV_FILE": os.devnull,
        "SECRET_KEY": KEY,
        "DATABASE_URL": database_url,
        "STATIC_ROOT": str(folder / "static"),
        "LOG_LEVEL": "WARNING",
    }


def furnish(database_url: str, folder: Path, *, tables: int, empty: Path | None = None) -> Places:
    """Make the database and the hall in it, by a process of its own. `empty` is one to begin
    with, where there is one."""
    begins = [str(empty)] if empty else []
    made = subprocess.run(
        [sys.executable, "-m", "tests.faults.hall", str(tables), *begins],
        cwd=ROOT,
        env=environment(database_url, folder),
        capture_output=True,
        text=True,
    )
    assert made.returncode == 0, made.stderr
    return [Place(**place) for place in json.loads(made.stdout.splitlines()[-1])]


def main(tables: int, empty: str = "") -> None:
    """Migrate, collect the static files, and seat the people."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
    import django

    django.setup()
    from django.core.management import call_command

    _previous(empty)
    call_command("migrate", verbosity=0, interactive=False)
    call_command("collectstatic", verbosity=0, interactive=False)
    sys.stdout.write(json.dumps(_seated(tables)) + "\n")


def _previous(empty: str) -> None:
    """Beside an SQLite database, one of an earlier version with a club in it."""
    from django.db import connection

    from tests.faults.previous.filling import fill, make_tables

    if connection.vendor != "sqlite":
        return
    here = Path(connection.settings_dict["NAME"])
    make_tables()
    fill(4)
    connection.close()
    here.rename(here.with_name(PREVIOUS))
    if empty:
        shutil.copy(empty, here)


def _seated(tables: int) -> list[dict]:
    from league.play.auth import table_code
    from tests.builders import a_club, a_ruleset, a_session, a_table, a_user, members_of

    club = a_club()
    a_user(ORGANISER, club=club)
    rules = a_ruleset(club, target=LONG_GAME)
    club.rulesets.update(is_default=True)
    people = members_of(club, 4 * tables)
    night = a_session(club, people)
    fours = [people[first : first + 4] for first in range(0, len(people), 4)]
    made = [a_table(night, four, rules) for four in fours]
    return [{"number": t.number, "id": t.public_id, "code": table_code(t)} for t in made]


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])
