"""The command that loads the demo club: never beside another club, and in a database of its own.

The club that it loads is looked at in test_demo.py, which holds it in the database meanwhile.
"""

import io
import os
import subprocess
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from league.exchange import demo_club
from league.management.commands import demo
from league.members.models import Club, Member


@pytest.mark.django_db
def test_fresh_is_refused_where_another_club_is() -> None:
    Club.objects.create(name="Ours", slug="ours")
    with pytest.raises(CommandError):
        call_command("demo", "--fresh", stdout=io.StringIO())
    assert Club.objects.filter(slug="ours").exists()


@pytest.mark.django_db
def test_the_demo_is_never_loaded_beside_a_real_club() -> None:
    Club.objects.create(name="A real club", slug="real")
    with pytest.raises(CommandError, match="a club of its own"):
        call_command("demo", stdout=io.StringIO())
    assert Club.objects.count() == 1


def test_the_demo_from_the_source_has_a_database_of_its_own(tmp_path: Path) -> None:
    """Whatever the environment says of the club's: even to migrate that one would be too much."""
    script = (settings.BASE_DIR / "bin/demo").read_text()
    names = script.partition("secret_key\n")[2].partition("exec")[0]
    paths = {"DATABASE_URL": "sqlite:////club/club.sqlite3", "DATA_FOLDER": "/club"}
    done = subprocess.run(
        ["/bin/bash", "-euc", names + 'echo "$DATA_FOLDER $DATABASE_URL"'],
        cwd=tmp_path, env={"PATH": os.environ["PATH"], **paths}, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    own = f"{tmp_path}/data/demo"
    assert done.stdout.split() == [own, f"sqlite:///{own}/club.sqlite3"]


@pytest.mark.django_db(transaction=True)
def test_fresh_loads_the_demo_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its evenings are looked at in test_demo.py."""
    names = ("past_evenings", "play_tournament", "current_evening", "next_evening")
    for name in (*names, "play_team_league"):
        monkeypatch.setattr(demo, name, lambda *_, **__: None)
    Club.objects.create(name="An older demo", slug=demo_club.SLUG)
    call_command("demo", "--fresh", stdout=io.StringIO())
    assert Club.objects.get().name == "Harbour Lights Euchre Club"
    assert Member.objects.count() == 40
