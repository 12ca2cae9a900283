"""An upgrade that is killed in its middle, an old process on a new database, and the way back."""

import shutil
import sqlite3
from contextlib import closing

import pytest

from tests.architecture.source import ROOT
from tests.faults.hall import PREVIOUS
from tests.faults.upgrades import (
    Upgrade,
    old_process_on_new_database,
    restored,
    tables_of,
    version_of,
)
from tests.faults.verdict import path_of
from tests.real_server import run, settings_for

NEXT = "9999_the_next_version"
STOPPED_AT_THE_LAST_TABLE = """
from unittest.mock import patch
import django
from django.core.management import call_command
django.setup()
with patch("league.management.commands.migrate.call_command", side_effect=RuntimeError("stopped")):
    call_command("migrate", verbosity=0)
"""


@pytest.fixture(scope="module")
def brought_over(furnished, tmp_path_factory):
    """A database that an earlier version left, with eight games of then, after `migrate`."""
    folder = tmp_path_factory.mktemp("previous")
    copy = shutil.copy(furnished[0].with_name(PREVIOUS), folder / "club.sqlite3")
    upgrade = Upgrade(f"sqlite:///{copy}", folder)
    done = upgrade.manage("migrate", "-v0")
    assert done.returncode == 0, done.stderr
    return upgrade


@pytest.fixture
def an_upgrade(brought_over, tmp_path):
    """A copy of it, to be brought to the next version."""
    copy = shutil.copy(path_of(brought_over.database_url), tmp_path / "club.sqlite3")
    return lambda **more: Upgrade(f"sqlite:///{copy}", tmp_path, **more)


def test_a_database_of_before_the_migrations_became_one_comes_over_by_migrate(
    brought_over, furnished
):
    assert tables_of(brought_over.database_url) == tables_of(f"sqlite:///{furnished[0]}")
    assert len(brought_over.before["game"]) == 8
    assert brought_over.wrong() == []  # all games counted anew are among it


def test_a_new_database_has_its_tables_whole_or_none_of_them(tmp_path):
    """Else the next start would find tables that it is about to make."""
    new = tmp_path / "new.sqlite3"
    done = run(settings_for(new), "-c", STOPPED_AT_THE_LAST_TABLE)
    assert "RuntimeError: stopped" in done.stderr
    with closing(sqlite3.connect(new)) as db:
        made = {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
    assert "auth_group" in made
    assert not {name for name in made if name.startswith("league_")}


def test_f12_an_upgrade_killed_in_its_middle_is_run_again_and_gone_back_from(an_upgrade, tmp_path):
    """As docs/server.md tells it: backup, upgrade, look; and the backup put back."""
    upgrade, copy = an_upgrade(), tmp_path / "copies" / "before.sqlite3"
    ours = max((ROOT / "league" / "migrations").glob("0*.py")).stem
    assert upgrade.manage("backup", str(copy)).returncode == 0
    upgrade.kill_in_the_middle()
    assert version_of(upgrade.database_url) == ours
    upgrade.finish()
    assert version_of(upgrade.database_url) == NEXT
    assert upgrade.wrong() == []
    restored(upgrade, copy)
    assert version_of(upgrade.database_url) == ours
    assert upgrade.wrong() == []
    assert len(upgrade.before["hand"]) == 168


def test_f12_control_a_migration_that_keeps_its_halves_is_found_out(an_upgrade):
    upgrade = an_upgrade(BY_PIECES="1")
    upgrade.kill_in_the_middle()
    upgrade.finish()
    assert any("already exists" in line for line in upgrade.wrong())


def test_f18_an_old_process_writes_nothing_into_a_database_of_the_next_version(a_scene):
    scene = a_scene()
    figures = old_process_on_new_database(scene, phones=2, refusals=6)
    assert scene.wrong() == []
    assert figures["answered_503"] >= 6


def test_f18_control_a_site_that_asks_no_version_is_found_out(a_scene):
    scene = a_scene(breaks="ask_no_version")
    old_process_on_new_database(scene, phones=2, refusals=6)
    assert any("written by the old process" in line for line in scene.wrong())
