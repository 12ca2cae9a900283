"""What every test shares: examples and chances that repeat, empty caches, the database's mark."""

import fcntl
import gc
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from hashlib import sha256
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

import _pytest.runner
import hypothesis
import pytest
import pytest_django
from django.conf import settings
from django.core.cache import caches
from django.core.management.commands import flush
from django.template.base import Template
from django.test import TestCase, client
from django.utils import translation

from league.pairing.seating import heuristic_search, planner
from tests import demo
from tests.real_server import ROOT, run, settings_for, unpacked_wheel

# The same examples every time, so that a change alone can break a test. NEW_EXAMPLES=1 looks for
# new ones, and a failure prints how to get it back.
hypothesis.settings.register_profile(
    "same", derandomize=True, deadline=None, print_blob=True, max_examples=40
)
hypothesis.settings.register_profile("new", deadline=None, print_blob=True)
NEW_EXAMPLES = bool(os.environ.get("NEW_EXAMPLES"))
hypothesis.settings.load_profile("new" if NEW_EXAMPLES else "same")

# Looking through everything a run has loaded, again and again, took a tenth of its time; what is
# there before the first test is left out altogether (`pytest_collection_finish`).
gc.set_threshold(10_000, 10, 50)

# Python keeps the frames of calls in pieces of 16 kB. At every call that crosses the end of one it
# asks the system for the next, and gives it back after: a quarter of the time of a test that opens
# pages. A piece is as large as its first frame needs, so that of every test is given a large one.
_runs_a_test = _pytest.runner.runtestprotocol
_runs_a_test.__code__ = _runs_a_test.__code__.replace(co_stacksize=100_000)

LONGEST = """
    languages/test_every_page tournaments/test_every_format faults/test_upgrade members/test_access
    laptop/test_wheel exchange/test_archive_attack journeys/test_ten_screens laptop/test_restore
    members/test_other_clubs_ids members/test_names_in_public site/test_forms_come_back
    journeys/test_the_evening journeys/test_weight exchange/test_round_trip faults/test_import
    faults/test_beside faults/test_forty_phones faults/test_second_copy exchange/test_archive
    tournaments/test_late_in_full_round site/test_fuzz exchange/test_demo site/test_erased_bytes
    journeys/test_a_night_of_eleven journeys/test_other_games journeys/test_recorded_games
    members/test_turned_away pairing/seating/test_plan_evening site/test_sign_in site/test_serve
    faults/test_database_trouble faults/test_killed site/test_reading_writes_nothing
    tournaments/test_entering
"""
"""Files whose tests take long together, the longest first."""
WITH_SERVERS = ("journeys", "faults", "laptop")
"""Folders of browsers and servers, where nearly every test takes seconds."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What is marked `sqlite` says nothing about PostgreSQL. What takes long is begun first."""
    if not settings.ON_SQLITE:
        left_out = [item for item in items if item.get_closest_marker("sqlite")]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
    items.sort(key=turn)


def pytest_collection_finish() -> None:
    """Nine thousand tests and their modules stay to the end: there is no rubbish among them."""
    gc.freeze()


def turn(item: pytest.Item) -> int:
    """When its file is begun. A process is given whole files, in their order (`--dist loadfile`):
    what the tests of a file share is made once."""
    name = str(item.path.with_suffix("").relative_to(ROOT / "tests"))
    longest = LONGEST.split()
    if name in longest:
        return longest.index(name)
    return len(longest) + (not name.startswith(WITH_SERVERS))


@contextmanager
def same_chances(name: str) -> Iterator[None]:
    """Let `secrets` give a test, or what tests share, the same ids, tokens and seeds in every run.

    Each has its own, from its name: a short name that turns up inside a random token would
    otherwise fail one run in a hundred.
    """
    chance = Random(name)
    with pytest.MonkeyPatch.context() as patch:
        for draw in () if NEW_EXAMPLES else ("getrandbits", "randbytes"):
            patch.setattr(SystemRandom, draw, getattr(chance, draw))
        yield


@pytest.fixture(scope="module")
def club_of_the_module(
    request: pytest.FixtureRequest,
    django_db_setup: None,
    django_db_blocker: pytest_django.DjangoDbBlocker,
) -> Callable[[], AbstractContextManager[None]]:
    """For a fixture of a file's or a class's tests: what is saved in the block is there for all.

    Each test still undoes what it changes itself. Rows, and nothing that tests could change in
    memory, are what the tests may share.
    """

    @contextmanager
    def until_the_module_ends() -> Iterator[None]:
        with django_db_blocker.unblock(), same_chances(request.node.nodeid):
            begun = TestCase._enter_atomics()
            try:
                yield
            finally:
                TestCase._rollback_atomics(begun)

    return until_the_module_ends


@pytest.fixture(scope="session")
def empty_database(request: pytest.FixtureRequest) -> Path:
    """An SQLite file with every table and nothing in it, to be copied; kept until a migration
    changes. The first process that asks for it makes it, by one of its own."""
    migrations = sorted((ROOT / "league/migrations").glob("*.py"))
    made_of = [*migrations, ROOT / "league/settings.py", ROOT / "requirements-dev.txt"]
    name = sha256(b"".join(path.read_bytes() for path in made_of)).hexdigest()
    folder = request.config.rootpath / ".pytest_cache/empty"
    folder.mkdir(parents=True, exist_ok=True)
    found = folder / f"{name}.sqlite3"
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not found.exists():
            for old in folder.glob("*.sqlite3*"):
                old.unlink()
            making = folder / "making.sqlite3"
            done = run(settings_for(making), "manage.py", "migrate", "-v0")
            assert done.returncode == 0, done.stdout + done.stderr
            making.rename(found)
    return found


@contextmanager
def shared_folder(
    tmp_path_factory: pytest.TempPathFactory, worker_id: str, name: str
) -> Iterator[Path]:
    """A folder of all processes of a run; one at a time: the first fills it for the others."""
    folder = tmp_path_factory.getbasetemp()
    folder = (folder if worker_id == "master" else folder.parent) / name
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder


@pytest.fixture(scope="session")
def unpacked(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """What pip would put into an environment, built as bin/package does."""
    with shared_folder(tmp_path_factory, worker_id, "wheel") as folder:
        return folder / "site" if (folder / "site").exists() else unpacked_wheel(folder)


@pytest.fixture(scope="session")
def demo_database(
    tmp_path_factory: pytest.TempPathFactory, worker_id: str, empty_database: Path
) -> Path:
    """An SQLite file with the demo club, to be copied."""
    with shared_folder(tmp_path_factory, worker_id, "demo") as folder:
        found = folder / "demo.sqlite3"
        if not found.exists():
            demo.make(found, empty=empty_database)
    return found


@pytest.fixture
def load_demo(request: pytest.FixtureRequest) -> Callable[[], None]:
    """Puts the demo club into the test's database."""
    if not settings.ON_SQLITE:
        return demo.load
    database = request.getfixturevalue("demo_database")
    return lambda: demo.copy_rows(database)


if settings.ON_SQLITE:

    @pytest.fixture(scope="session")
    def django_db_modify_db_settings(
        django_db_modify_db_settings_parallel_suffix: None, empty_database: Path
    ) -> Iterator[None]:
        """Begin with a copy: to migrate takes longer than most files of tests."""
        database = Path(settings.DATABASES["default"]["TEST"]["NAME"])
        shutil.copy(empty_database, database)
        yield
        for beside in ("", "-wal", "-shm"):
            database.with_name(database.name + beside).unlink(missing_ok=True)

    @pytest.fixture(scope="session")
    def django_db_keepdb() -> bool:
        """Django takes the copy as it is."""
        return True


@pytest.fixture(scope="session", autouse=True)
def _kinds_of_rows_stay() -> Iterator[None]:
    """A test with real transactions ends with an empty database. What a migration writes into it
    stays, with its ids: to make it anew takes ten times as long as to empty all else."""

    def others(style: object, connection: Any, **how: bool) -> list[str]:
        tables = connection.introspection.django_table_names(
            only_existing=True, include_views=False
        )
        emptied = [table for table in tables if table not in demo.MADE_BY_MIGRATIONS]
        return connection.ops.sql_flush(style, emptied, **how)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(flush, "sql_flush", others)
        patch.setattr(flush, "emit_post_migrate_signal", lambda *_, **__: None)
        yield


_stores = client.store_rendered_templates


def without_widgets(answer: dict[str, Any], template: Template, **rendered: Any) -> None:
    """What a test reads of an answer's context is in those of its pages and parts. Django's client
    copies that of every field as well: a tenth of the time of a page with a long form."""
    if not (template.name or "").startswith("django/forms/"):
        _stores(answer, template=template, **rendered)


client.store_rendered_templates = without_widgets

PLANS_ARE_JUDGED_IN = {"benchmarks", "pairing", "seating"}


@pytest.fixture
def short_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """For what holds for every plan, or of what is done with one: not of how good it is."""
    monkeypatch.setitem(planner.STEPS, "first", 500)
    monkeypatch.setitem(planner.STEPS, "quick", 1_000)
    monkeypatch.setitem(heuristic_search.STEPS, "glance", 2_000)
    monkeypatch.setitem(heuristic_search.STEPS, "quick", 6_000)


@pytest.fixture(autouse=True)
def _short_search(request: pytest.FixtureRequest) -> None:
    """How good a plan is, is tried in three folders of tests; elsewhere it is quickly made."""
    if not PLANS_ARE_JUDGED_IN & set(request.path.parts):
        request.getfixturevalue("short_search")


@pytest.fixture(autouse=True)
def _empty_caches() -> Iterator[None]:
    yield
    for cache in caches.all():  # other threads may have filled what this one has not opened
        cache.clear()


@pytest.fixture(autouse=True)
def _the_sites_language() -> Iterator[None]:
    """What the last request of a test was read in is not what the next test begins with."""
    yield
    translation.activate(settings.LANGUAGE_CODE)


@pytest.fixture(autouse=True)
def _same_chances(request: pytest.FixtureRequest) -> Iterator[None]:
    with same_chances(request.node.nodeid):
        yield


@pytest.fixture
def no_time_passes(monkeypatch):
    """A limit lets one more through with every second, which a busy machine may take."""
    monkeypatch.setattr("league.limits._now", lambda: 1_000_000)
