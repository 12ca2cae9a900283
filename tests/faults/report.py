"""The figures of a long run, put into docs/reliability-proof.md in place of the last ones."""

import os
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tests.faults.hall import ROOT

if TYPE_CHECKING:
    from tests.faults.__main__ import Row

PAGE = ROOT / "docs" / "reliability-proof.md"
BEGINS, ENDS = "<!-- long run: begins -->", "<!-- long run: ends -->"
FAULTS = {
    "kill_server": ("F1", "the server killed"),
    "kill_worker": ("F2", "its worker killed"),
    "send_twice": ("F3", "every hand sent twelve times over"),
    "race": ("F4", "two phones, one hand"),
    "two_workers_race": ("F4", "the same with two workers"),
    "correct_in_a_race": ("F5", "two corrections and the next hand"),
    "hold_the_lock_4s": ("F6", "SQLite's lock held for 4 s"),
    "hold_it_too_long": ("F6", "held for longer than the site waits"),
    "fill_the_disk": ("F7", "the disk full, and empty again"),
    "move_the_clock": ("F8", "five jumps of the clock"),
    "restart_postgres": ("F9", "PostgreSQL crashes"),
    "cut_connections": ("F9", "its connections cut around commits"),
    "lose_power": ("F10", "the power lost between two writes"),
    "kill_import": ("F11", "killed while the largest sheet comes in"),
    "kill_restore": ("F11", "killed while a club is restored"),
    "kill_upgrade": ("F12", "`migrate` killed; the old backup put back"),
    "phone_offline": ("F13", "ten minutes offline with a reload, twice"),
    "freeze": ("F14", "frozen for 3 s"),
    "redeploy": ("F14", "another process takes its place"),
    "large_backup": ("F15", "a backup of 100,000 hands, restored"),
    "little_memory": ("F17", "fifty exports at once in 300 MB"),
    "old_process": ("F18", "an old process on a new database"),
    "freeze_phones": ("F19", "500 phones freeze while they send"),
    "kill_one_of_two": ("6.1", "one of two processes killed"),
}
"""The row of the plan and what is done, by the name the command knows it by."""
WORDS = {
    "acked": "{:.0f} saved",
    "dropped": "{:.0f} cut off",
    "rounds": "{:.0f} times",
    "half_requests": "{:.0f} half requests",
    "kills": "{:.0f} kills",
    "cuts": "{:.0f} moments",
    "cut_short": "{:.0f} of them in the middle",
    "slowest_recovery_s": "back within {:.1f} s",
    "recovered_after_s": "back after {:.2f} s",
    "resumed_after_s": "writing again after {:.2f} s",
    "next_hands_of_all_after_s": "all phones continue after {:.2f} s",
    "errors_of_one_phone": "{:.0f} error a phone at most",
    "sent": "{:.0f} requests",
    "conflicts": "{:.0f} answered with the conflict",
    "answered_503": "{:.0f} answers of 503",
    "p99_ms": "slowest 1 % {:.0f} ms or more",
    "reads_went_on": "reading went on",
    "acked_before": "{:.0f} of them before",
    "before": "{:.0f} of them before",
    "writes_and_syncs": "{:.0f} writes and syncs",
    "most_lost": "{:.0f} lost",
    "rows": "{:.0f} hands a sheet",
    "life": "{:.1f} s of writing undisturbed",
    "last_run_s": "{:.1f} s the last run",
    "backup_s": "{:.1f} s",
    "hands": "{:.0f} hands",
    "exports": "{:.0f} exports",
    "failed": "{:.0f} failed",
    "peak_mb": "{:.0f} MB at most",
    "connections_cut": "{:.0f} connections cut",
}
"""What a figure is called on the page."""
NOTHING = {"acked", "dropped", "answered_503", "failed"}
"""Figures that are left out where they are nought."""


def table_of(rows: Iterable["Row"], *, rounds: int, phones: int) -> str:
    """A line a fault, its figures on both databases side by side."""
    found: dict[str, dict[str, Row]] = {}
    for row in rows:
        found.setdefault(row.name, {})[row.database] = row
    wrong = sum(bool(row.wrong) for by_fault in found.values() for row in by_fault.values())
    lines = [
        f"{datetime.now(UTC):%-d %B %Y}: {rounds} rounds with {phones} phones on {os.cpu_count()} "
        f"cores, load {os.getloadavg()[2]:.1f} over the last quarter of an hour. "
        + ("Nothing was wrong." if not wrong else f"**{wrong} rows were wrong.**"),
        "",
        "| Fault | SQLite | PostgreSQL (2 processes, 4 threads) |",
        "|---|---|---|",
    ]
    for name in [*(one for one in FAULTS if one in found), *(found.keys() - FAULTS.keys())]:
        number, words = FAULTS.get(name, ("", name))
        cells = " | ".join(_cell(found[name].get(kind)) for kind in ("SQLite", "PostgreSQL"))
        lines.append(f"| {number} {words} | {cells} |")
    return "\n".join(lines)


def _cell(row: "Row | None") -> str:
    if row is None:
        return ""
    figures = [
        WORDS.get(name, f"{{:g}} {name}").format(value)
        for name, value in row.figures.items()
        if value or name not in NOTHING
    ]
    return f"{'**WRONG** ' * bool(row.wrong)}{', '.join(figures)}"


def put_into_page(table: str) -> None:
    """Replace what stands between the two marks of the page."""
    text = PAGE.read_text("utf-8")
    before, rest = text.split(BEGINS)
    _last, after = rest.split(ENDS)
    PAGE.write_text(f"{before}{BEGINS}\n{table}\n{ENDS}{after}", "utf-8")
