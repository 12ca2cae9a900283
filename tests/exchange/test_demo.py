"""The demo club: loaded once, by the same actions as any club, with everything to be shown."""

import io
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import transaction
from django.utils import timezone

from league.exchange import demo_club
from league.exchange.demo_club import random_record
from league.management.commands import demo
from league.members.models import AuditEntry, Club, Member, User
from league.play.models import Game, Hand, Result
from league.sessions.models import Session
from league.teams.models import TeamLeague
from scoring import check_hand, play_game, ruleset
from tests.demo import copy_rows

PRESETS = ["nanaimo-two-handed", "nanaimo-three-handed", "nanaimo-four-handed"]


@pytest.mark.parametrize("preset", PRESETS)
def test_drawn_hands_fit_the_rules_and_finish_a_game(preset: str) -> None:
    rules, chance, records = ruleset(preset), Random(1), []
    state = play_game(rules, records, first_dealer=0)
    while not state.over:
        dealer, skills = state.next_dealer or 0, [0.5] * rules.players
        record = random_record(chance, rules, dealer=dealer, skills=skills)
        assert check_hand(record, rules).valid
        records.append(record)
        state = play_game(rules, records, first_dealer=0)
    assert state.valid
    assert 5 <= len(records) < 60


@pytest.fixture(scope="module")
def loaded(demo_database: Path, django_db_setup: None, django_db_blocker: Any) -> Iterator[str]:
    """What the command says of the club that it loaded once, by a process of its own."""
    with django_db_blocker.unblock(), transaction.atomic():
        copy_rows(demo_database)
        said = io.StringIO()
        call_command("demo", stdout=said)
        yield said.getvalue()
        transaction.set_rollback(True)


def test_the_demo_has_forty_members_and_an_evening_half_way(loaded: str) -> None:
    club = Club.objects.get(slug=demo_club.SLUG)
    assert Member.objects.filter(club=club, is_guest=False).count() == 40
    nights = Session.objects.filter(club=club, team_match=None)
    assert nights.count() == 4  # one evening, the cup, tonight, next week
    tonight = nights.get(state=Session.State.OPEN)
    states = set(tonight.games.values_list("state", flat=True))
    assert states == {
        Game.State.PLAYING,
        Game.State.FINISHED,
        Game.State.DISPUTED,
        Game.State.CONFIRMED,
    }
    assert tonight.clock_ends_at is not None
    sizes = set(Game.objects.values_list("table__players", flat=True))
    assert {3, 4} <= sizes
    assert Result.objects.exists()


def test_every_hand_of_the_demo_came_through_its_action(loaded: str) -> None:
    recorded = AuditEntry.objects.filter(action="record hand").count()
    assert recorded == Hand.objects.filter(version=1).count() > 100
    assert AuditEntry.objects.filter(action="correct hand").count() == 1


def test_each_role_can_sign_in_with_the_printed_password(loaded: str) -> None:
    for username, rank, _name in demo_club.ACCOUNTS:
        user = User.objects.get(username=username)
        assert user.check_password(demo_club.password_of(username))
        assert demo_club.password_of(username) in loaded
        assert user.roles.get().rank == rank


def test_the_code_of_a_table_in_play_is_printed_and_drawn(loaded: str) -> None:
    assert "/t/#" in loaded
    assert "█" in loaded


def test_a_second_start_loads_nothing_and_tells_the_same(loaded: str) -> None:
    before = AuditEntry.objects.count()
    said = io.StringIO()
    call_command("demo", stdout=said)
    assert AuditEntry.objects.count() == before
    assert demo_club.password_of("rose") in said.getvalue()


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
    """Its evenings are played in the tests above."""
    names = ("past_evenings", "play_tournament", "current_evening", "next_evening")
    for name in (*names, "play_team_league"):
        monkeypatch.setattr(demo, name, lambda *_, **__: None)
    Club.objects.create(name="An older demo", slug=demo_club.SLUG)
    call_command("demo", "--fresh", stdout=io.StringIO())
    assert Club.objects.get().name == "Harbour Lights Euchre Club"
    assert Member.objects.count() == 40


def test_the_demo_has_a_next_evening_with_more_people_than_places(loaded: str) -> None:
    night = Session.objects.get(club__slug=demo_club.SLUG, state=Session.State.PLANNED)
    assert not Session.objects.filter(of_team_match=False, begins_at=None).exists()
    waiting = night.sign_ups.filter(placed_at=None).order_by("pk")
    assert [night.sign_ups.count() - waiting.count(), waiting.count()] == [24, 2]
    assert waiting.last().member.user.username == "ted"


def test_the_demo_has_a_league_of_teams_with_a_match_put_off(loaded: str) -> None:
    coast = TeamLeague.objects.get(club__slug=demo_club.SLUG)
    assert [coast.teams.count(), coast.matches.count()] == [4, 12]
    assert coast.matches.exclude(session=None).count() == 5
    assert coast.matches.exclude(first_date=None).get().postponed_reason
    assert coast.fixture_rules["starts_at"] == "19:30"


@pytest.mark.parametrize(("winners", "confirms"), [({0, 2}, 1), ({1, 3}, 0), ({0, 1, 2, 3}, 0)])
def test_a_side_that_did_not_win_confirms_and_any_side_after_a_draw(
    monkeypatch: pytest.MonkeyPatch, winners: set[int], confirms: int
) -> None:
    seats: list[int] = []
    monkeypatch.setattr(demo_club, "confirm_game", lambda _table, *, seat, **_: seats.append(seat))
    state = SimpleNamespace(winners=winners)
    play = SimpleNamespace(rules=ruleset("somerset"), state=state, table=None, by=None)
    play.at = timezone.now()
    demo_club.accept(play)  # type: ignore[arg-type]
    assert seats == [confirms]
