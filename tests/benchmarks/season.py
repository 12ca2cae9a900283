"""A whole season of a large club, and what its pages cost beside a bare page of as many rows.

python -m tests.benchmarks.season     forty evenings, sixty members, 12,000 hands: a few minutes
python -m tests.benchmarks.season --evenings 4 --hands 800

Every hand is played out by chance and goes through the actions a club uses, from the door to the
closed evening. CPU is the server's own and hardly depends on what else runs; pages are asked in
turns. "made anew" is what nobody has seen before, "kept" the same asked for again.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from tests.benchmarks.load import Measured, Request, got, run
from tests.benchmarks.site import bare_server
from tests.faults.hall import ROOT, environment
from tests.faults.server import Server

PEOPLE, EVENINGS, HANDS = 60, 40, 12_000
BEGIN = datetime(2026, 1, 8, 23, tzinfo=UTC)
ROUNDS, BLOCKS, EACH = 3, 4, 15


def furnish(evenings: int, hands: int) -> dict[str, Any]:
    """The club and its season in an empty database; what there is, and how many queries a page
    took after an early evening and after the last."""
    from django.core.management import call_command

    from league.exchange.demo_club import play_evening
    from league.play.models import Hand

    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    cast, early = the_cast(), {}
    for number in range(evenings):
        missing = hands - Hand.objects.count()
        came = came_for(missing / (evenings - number))
        play_evening(cast, at=BEGIN + timedelta(weeks=number), attendance=came, rounds=ROUNDS)
        if number == min(3, evenings - 1):
            early = queries_of(cast)
        sys.stderr.write(f"evening {number + 1}: {Hand.objects.count()} hands\n")
    members = list(cast.club.members.order_by("pk").values_list("public_id", flat=True))
    furnished = {"sessionid": signed_in(cast), "pages": pages_of(cast), "members": members}
    furnished |= {"early": early, "late": queries_of(cast), "hands": Hand.objects.count()}
    return furnished


def the_cast() -> Any:
    """The demo's club with as many members as we want, and a season."""
    from league.exchange import demo_club
    from league.members.actions import add_member
    from league.members.models import Member
    from league.seasons.models import Season

    club = demo_club.make_club()
    for number in range(club.members.count(), PEOPLE):
        add_member(club, name=f"Player {number}", by=demo_club.DEMO)
    season = Season.objects.create(club=club, name="The season", starts_on=BEGIN.date())
    members = list(Member.objects.filter(club=club).order_by("pk"))
    chance = Random(7)
    return demo_club.Cast(club, season, demo_club.skills_of(members, chance), chance)


def came_for(hands: float) -> int:
    """How many people an evening of so many hands needs: about 11 hands a table a round."""
    return max(8, min(PEOPLE, round(hands / ROUNDS / 11 * 4)))


def pages_of(cast: Any) -> dict[str, str]:
    """The address of each page."""
    member = cast.club.members.order_by("pk").first().public_id
    base = f"/c/{cast.club.slug}"
    return {
        "season page": f"{base}/seasons/{cast.season.public_id}/standings/",
        "member page, of all time": f"{base}/members/{member}/record/",
    }


def signed_in(cast: Any) -> str:
    """The key of a session of one of the club's members."""
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    user = cast.club.roles.get(rank="member").user
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return str(session.session_key)


def queries_of(cast: Any) -> dict[str, int]:
    """How many queries each page asks when nothing of it is kept."""
    from django.core.cache import caches
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    client, found = Client(headers={"host": "localhost"}), {}
    client.cookies["sessionid"] = signed_in(cast)
    for name, address in pages_of(cast).items():
        caches["pages"].clear()
        with CaptureQueriesContext(connection) as queries:
            assert client.get(address).status_code == 200
        found[name] = len(queries)
    return found


def measured(folder: Path, furnished: dict[str, Any]) -> None:
    """Each page and the bare one in turns, block by block."""
    cookies = {"sessionid": furnished["sessionid"]}
    season, member = furnished["pages"].values()
    everybody = [member.replace(furnished["members"][0], one) for one in furnished["members"]]
    with ExitStack() as stack:
        site = stack.enter_context(Server(f"sqlite:///{folder}/club.sqlite3", folder))
        own = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="right-bower-bare-")))
        bare, bare_cookies = bare_server(own, stack)
        plain = got(f"/totals?rows={PEOPLE}", bare_cookies)
        asks = {
            "season page, kept": lambda block: got(season, cookies),
            # Another page number is another table to the cache, and the same to the reader.
            "season page, made anew": lambda n: got(f"{season}?page={n + 2}", cookies),
            "member page, kept": lambda block: got(member, cookies),
            "member page, made anew": lambda n: got(everybody[n % len(everybody)], cookies),
        }
        for name, ask in asks.items():
            of_site, of_bare = Measured(), Measured()
            for block in range(BLOCKS):
                numbers = range(block * EACH, (block + 1) * EACH)
                of_bare.add(run(bare, [plain] * EACH, 1))
                of_site.add(run(site, _requests(ask, numbers), 1))
            line = f"{name:26} {of_site.cpu_ms:7.1f} ms  bare {of_bare.cpu_ms:5.2f} ms  ratio "
            print(f"{line}{of_site.cpu_ms / of_bare.cpu_ms:6.1f}  wrong {of_site.wrong}")  # noqa: T201


def _requests(ask: Any, numbers: range) -> list[Request]:
    return [ask(number) for number in numbers]


def main() -> None:
    parser = argparse.ArgumentParser(
        "tests.benchmarks.season",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--evenings", type=int, default=EVENINGS)
    parser.add_argument("--hands", type=int, default=HANDS)
    parser.add_argument("--furnish", action="store_true", help="fill this database, and say so")
    parser.add_argument("--folder", type=Path, help="keep the database here, or use the one there")
    options = parser.parse_args()
    if options.furnish:
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
        import django

        django.setup()
        print(json.dumps(furnish(options.evenings, options.hands)))  # noqa: T201
        return
    with tempfile.TemporaryDirectory(prefix="right-bower-season-") as name:
        folder = options.folder or Path(name)
        furnished = _told(folder, options)
        for page, early in furnished["early"].items():
            late = furnished["late"][page]
            line = f"{page:26} {early} queries early in the season, {late} at its end"
            print(line)  # noqa: T201
        measured(folder, furnished)


def _told(folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    kept = folder / "told.json"
    if not kept.exists():
        words = ["--furnish", f"--evenings={options.evenings}", f"--hands={options.hands}"]
        made = subprocess.run(
            [sys.executable, "-m", "tests.benchmarks.season", *words],
            cwd=ROOT,
            env=environment(f"sqlite:///{folder}/club.sqlite3", folder),
            stdout=subprocess.PIPE,
            check=True,
        )
        kept.write_bytes(made.stdout.splitlines()[-1])
    furnished: dict[str, Any] = json.loads(kept.read_text())
    print(f"{furnished['hands']} hands")  # noqa: T201
    return furnished


if __name__ == "__main__":
    main()
