"""The figures of a long run as a table, put into docs/reliability.md in place of the last ones."""

import os
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tests.faults.hall import ROOT

if TYPE_CHECKING:
    from tests.faults.__main__ import Row

PAGE = ROOT / "docs" / "reliability.md"
BEGINS, ENDS = "<!-- long run: begins -->", "<!-- long run: ends -->"
NUMBERS = {
    "kill_server": "F1",
    "kill_worker": "F2",
    "send_twice": "F3",
    "race": "F4",
    "two_workers_race": "F4",
    "correct_in_a_race": "F5",
    "hold_the_lock_4s": "F6",
    "hold_it_too_long": "F6",
    "fill_the_disk": "F7",
    "move_the_clock": "F8",
    "restart_postgres": "F9",
    "cut_connections": "F9",
    "lose_power": "F10",
    "kill_import": "F11",
    "kill_restore": "F11",
    "kill_upgrade": "F12",
    "phone_offline": "F13",
    "freeze": "F14",
    "redeploy": "F14",
    "large_backup": "F15",
    "little_memory": "F17",
    "old_process": "F18",
    "kill_one_of_two": "6.1",
}


def table_of(rows: Iterable["Row"], *, rounds: int, phones: int) -> str:
    """A line a fault, its figures on both databases side by side."""
    found: dict[str, dict[str, Row]] = {}
    for row in rows:
        found.setdefault(row.name, {})[row.database] = row
    wrong = sum(bool(row.wrong) for told in found.values() for row in told.values())
    lines = [
        f"{datetime.now(UTC):%-d %B %Y}: {rounds} rounds with {phones} phones on {os.cpu_count()} "
        f"cores, load {os.getloadavg()[2]:.1f} over the last quarter of an hour. "
        + ("Nothing was wrong." if not wrong else f"**{wrong} rows were wrong.**"),
        "",
        "| Fault | SQLite | PostgreSQL (2 processes, 4 threads) |",
        "|---|---|---|",
    ]
    for name, told in sorted(found.items(), key=lambda one: list(NUMBERS).index(one[0])):
        cells = " | ".join(_cell(told.get(kind)) for kind in ("SQLite", "PostgreSQL"))
        lines.append(f"| {NUMBERS[name]} `{name}` | {cells} |")
    return "\n".join(lines)


def _cell(row: "Row | None") -> str:
    if row is None:
        return ""
    figures = ", ".join(f"{name} {value:g}" for name, value in row.figures.items())
    return f"{'**WRONG** ' * bool(row.wrong)}{figures}; took {row.seconds:.0f} s"


def put_into_page(table: str) -> None:
    """Replace what stands between the two marks of the page."""
    text = PAGE.read_text("utf-8")
    before, rest = text.split(BEGINS)
    _last, after = rest.split(ENDS)
    PAGE.write_text(f"{before}{BEGINS}\n{table}\n{ENDS}{after}", "utf-8")
