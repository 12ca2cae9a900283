"""Pages that many look at, beside bare ones: in one run and in turns, as CPU of the servers.

python -m tests.benchmarks.reading             an evening of forty-eight people, about a minute
python -m tests.benchmarks.reading --years     a season, a person and the recount at 100,000 hands
python -m tests.benchmarks.reading --large     the standings while the club grows to a million
"""

import argparse
import os
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import ExitStack, closing
from pathlib import Path
from random import Random

from tests.benchmarks.large import grouping_seconds, multiplied, recount_seconds
from tests.benchmarks.load import Measured, Request, cpu_seconds, got, hands, live_line, run
from tests.benchmarks.site import Bench, print_figure, waits
from tests.faults.hall import ORGANISER, PASSWORD, ROOT
from tests.faults.ledger import Ledger
from tests.faults.phone import Phone
from tests.faults.server import Server

EVENING, HANDS_EACH = 12, 10  # tables, hands at each
YEARS = 100_000  # hands
STANDINGS = "/c/thursday/s/{}/standings/"


class Looks:
    """The site and the bare project, asked for pages in turns."""

    def __init__(self, bench: Bench, cookies: dict[str, str]) -> None:
        self.bench, self.cookies = bench, cookies

    def beside(self, ask: Request, bare: str, *, of_site: bool = False, count: int = 200) -> float:
        """CPU of an answer / of a bare one; the site's own bare answer where that is asked."""
        site, other = Measured(), Measured()
        server = self.bench.site if of_site else self.bench.bare
        plain = got(bare, {} if of_site else self.bench.bare_cookies)
        for _ in range(self.bench.rounds):
            other.add(run(server, [plain] * count, 1))
            site.add(run(self.bench.site, [ask] * count, 1))
        waits(ask.path.split("?")[0][-34:], site)
        waits(f"beside {bare}", other)
        return site.cpu_ms / other.cpu_ms

    def page(self, path: str) -> Request:
        return got(path, self.cookies)


def evening(folder: Path, rounds: int, *, large: bool) -> None:
    """G6, G7 and the polls of live pages: forty-eight people, ten hands a table."""
    with ExitStack() as stack:
        bench = Bench(folder, stack, rounds=rounds, tables=EVENING)
        print_figure("", "CPU until the site first answers", cpu_seconds(bench.site), "-", "s")
        run(bench.site, list(hands(bench.tables(EVENING), HANDS_EACH)), 1)
        organiser = bench.phone(bench.places[0])
        organiser.sign_in(ORGANISER, PASSWORD)
        looks = Looks(bench, organiser.cookies)
        page = looks.page(STANDINGS.format(session_of(folder)))
        print_figure(
            "G6", "CPU of standings / of bare totals", looks.beside(page, "/totals"), "<= 2 (1.5)"
        )
        plain = looks.beside(page, "/tabled", count=60)
        print_figure("G7", "the same / a plain django-tables2 page", plain, "<= 0.2 (0.12)")
        poll = looks.beside(poll_of(bench, page), "/healthz", of_site=True, count=500)
        print_figure("", "CPU of a poll / of a ping", poll, "nearly 1")
        print_figure("", "memory of the worker now", megabytes(bench.site), "-", "MB")
        if large:
            growing(bench, page)


def growing(bench: Bench, page: Request) -> None:
    """G6: the same page as the club's history grows."""
    cpu = {}
    for size in (10_000, 100_000, 1_000_000):
        multiplied(bench.folder / "club.sqlite3", size)
        run(bench.site, [page] * 10, 1)
        measured = run(bench.site, [page] * 200 * bench.rounds, 1)
        waits(f"standings page at {size} hands", measured)
        cpu[size] = measured.cpu_ms
    growth = cpu[1_000_000] / cpu[10_000]
    print_figure("G6", "standings at a million hands / at 10,000", growth, "<= 1.2 (1)")


def years(folder: Path, rounds: int) -> None:
    """G11, and the pages that look back furthest: a season of forty evenings, a whole career."""
    with ExitStack() as stack:
        bench = Bench(folder, stack, rounds=rounds, tables=1)
        words = [sys.executable, "-m", "tests.benchmarks.history", str(YEARS)]
        subprocess.run(words, cwd=ROOT, env=bench.site.environment, check=True)
        database = folder / "club.sqlite3"
        season, person = looked_back(database)
        organiser = Phone(bench.site, bench.places[0], Ledger(), Random(0))
        organiser.sign_in(ORGANISER, PASSWORD)
        looks = Looks(bench, organiser.cookies)
        for what, path in (
            ("a season", f"/c/years/seasons/{season}/standings/"),
            ("a person", f"/c/years/members/{person}/record/"),
        ):
            print_figure(
                "",
                f"CPU of {what} / of bare totals",
                looks.beside(looks.page(path), "/totals"),
                "-",
            )
        seconds = min(recount_seconds(bench.site.environment) for _ in range(2))
        print_figure("G11", "recount --check over 100,000 hands", seconds, "<= 2 (0.5)", "s")
        print_figure("", "adding up its points in SQLite", grouping_seconds(database), "-", "s")


def looked_back(database: Path) -> tuple[str, str]:
    """A season and a person of the years; the organiser is let in there."""
    with closing(sqlite3.connect(database, timeout=30)) as db:
        db.execute(
            "INSERT INTO league_role (club_id, user_id, rank, given_at) SELECT club.id, user.id, "
            "'organiser', '2026-01-01' FROM league_club club, league_user user "
            "WHERE club.slug = 'years' AND user.username = ?",
            [ORGANISER],
        )
        db.commit()
        season = db.execute("SELECT public_id FROM league_season ORDER BY id LIMIT 1").fetchone()[0]
        person = db.execute("SELECT member_id FROM league_result ORDER BY id DESC").fetchone()[0]
        found = db.execute("SELECT public_id FROM league_member WHERE id = ?", [person])
        return str(season), str(found.fetchone()[0])


def poll_of(bench: Bench, page: Request) -> Request:
    """What a page that is open asks every few seconds, while nothing has moved."""
    poll, revision, _part = live_line(bench.site.port, page)
    headers = {"Cookie": page.headers["Cookie"], "If-None-Match": f'"{revision}"'}
    return Request("GET", poll, headers, right=304)


def megabytes(server: Server) -> float:
    """Resident memory of the process that answers."""
    (worker,) = server.worker_ids()
    status = Path(f"/proc/{worker}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1000


def session_of(folder: Path) -> str:
    with closing(sqlite3.connect(folder / "club.sqlite3")) as db:
        return str(db.execute("SELECT public_id FROM league_session").fetchone()[0])


def main() -> None:
    parser = argparse.ArgumentParser(
        "tests.benchmarks.reading",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--rounds", type=int, default=3, help="blocks for each side")
    parser.add_argument("--years", action="store_true", help="100,000 hands, and the recount")
    parser.add_argument("--large", action="store_true", help="a million hands")
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    with tempfile.TemporaryDirectory(prefix="right-bower-bench-") as name:
        for part in ("evening", "years"):
            Path(name, part).mkdir()
        evening(Path(name, "evening"), options.rounds, large=options.large)
        if options.years:
            years(Path(name, "years"), options.rounds)


if __name__ == "__main__":
    main()
