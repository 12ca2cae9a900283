"""The demo club: loaded once, by the same actions as any club, with everything to be shown."""

import io
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction
from django.utils import timezone

from league.exchange import demo_club
from league.exchange.demo_club import random_record
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
