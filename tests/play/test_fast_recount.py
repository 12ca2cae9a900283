"""The quick count of a recount finds whatever the thorough one finds, and nothing else."""

from contextlib import contextmanager

import pytest
from django.db import transaction
from django.db.models import F, Max

from league.members.models import ClubRuleset, Member
from league.play import recount
from league.play.models import Game, Hand, Result, Ruling
from league.play.recount import COMPARED, differing, needing_full_recount, rebuild
from league.seating.models import Seat
from tests.benchmarks.history import written

pytestmark = pytest.mark.django_db

BESIDES = {"member_id": F("member_id") + 1, "position": F("position") + 7}
FIGURES = ("hands_played", "hands_written", "misfits", "rulings_written", "first_dealer")
ENTRIES = {
    "its points": {"points": [9, 9, 9, 9]},
    "its outcome": {"outcome": "renege"},
    "what was written down": {"record": {"dealer": 0, "contract": None}},
    "whether it counts": {"current": False},
    "whether it was struck": {"struck": True},
    "its number": {"number": 70},
    "its version": {"version": 5},
}


class Undo(Exception):
    """Takes a change back."""


@contextmanager
def changed(rows, **values):
    """Rows changed behind the site's back, and as they were again."""
    try:
        with transaction.atomic():
            assert rows.update(**values) == 1
            yield
            raise Undo
    except Undo:
        pass


@pytest.fixture(scope="class")
def hands(club_of_the_module):
    with club_of_the_module():
        written(30)
        yield


@pytest.fixture
def game(hands):
    """An ordinary game: one that the quick count finds right."""
    left = set(needing_full_recount(Game.objects.all()))
    return next(one for one in Game.objects.order_by("pk") if one.pk not in left)


def found(*, deep, games=None):
    games = Game.objects.all() if games is None else games
    return [(one.game.pk, one.what, one.lost) for one in differing(games, deep=deep)]


def assert_found(game):
    quick = found(deep=False)
    assert [pk for pk, *_ in quick] == [game.pk]
    assert quick == found(deep=True, games=Game.objects.filter(pk=game.pk))


def test_most_games_are_found_right_at_once_and_the_others_when_looked_at():
    written(300, seed=3)
    assert found(deep=False) == found(deep=True) == []
    assert 0 < len(list(needing_full_recount(Game.objects.all()))) < Game.objects.count() / 3


def _stranger(game):
    there = game.results.values("member")
    return Member.objects.exclude(pk__in=there).aggregate(pk=Max("pk"))["pk"]


def _other_session(game):
    return (
        type(game.session)
        .objects.create(club=game.session.club, name="Another", held_on="2026-01-01")
        .pk
    )


def _other(row, name):
    value = getattr(row, name)
    return not value if isinstance(value, bool) else value + 1


class TestWhatIsNotAsItWasWritten:
    def test_every_changed_figure_of_a_result_is_found(self, game):
        one = Result.objects.filter(pk=Result.objects.filter(game=game).order_by("pk").first().pk)
        others = one.get()
        changes = (
            {name: _other(others, name) for name in COMPARED} | {"provisional": True} | BESIDES
        )
        changes["member_id"] = _stranger(game)
        changes["session_id"] = _other_session(game)
        for name, value in changes.items():
            with changed(one, **{name: value}):
                assert_found(game)

    def test_every_changed_figure_of_a_game_is_found(self, game):
        row = Game.objects.filter(pk=game.pk)
        changes = {name: F(name) + 1 for name in FIGURES} | {"score": [1, 1], "winners": [3]}
        for name, value in changes.items():
            with changed(row, **{name: value}):
                assert_found(game)

    @pytest.mark.parametrize("what", ENTRIES)
    def test_a_changed_hand_is_found(self, game, what):
        hand = Hand.objects.filter(game=game, number=2)
        with changed(hand, **ENTRIES[what]):
            assert_found(game)

    def test_a_deleted_hand_and_one_too_many_are_found(self, game):
        hand = Hand.objects.filter(game=game).order_by("number").last()
        hand.delete()
        assert_found(game)
        for number in (hand.number, hand.number + 1):
            hand.pk, hand.number, hand.client_id = None, number, f"again-{number}"
            hand.save()
        assert_found(game)

    def test_a_deleted_result_and_one_too_many_are_found(self, game):
        row = Result.objects.filter(game=game).order_by("position").last()
        row.delete()
        assert_found(game)
        row.pk, row.position, row.member_id = None, row.position + 1, _stranger(game)
        row.save()
        assert_found(game)

    def test_another_person_on_a_chair_is_found(self, game):
        seat = Seat.objects.filter(table=game.table, position=1)
        for change in ({"member_id": _stranger(game)}, {"from_hand": 2}, {"until_hand": 1}):
            with changed(seat, **change):
                assert_found(game)

    def test_a_ruling_put_in_beside_the_count_is_found(self, game):
        Ruling.objects.create(
            game=game, after_hand=1, kind="adjustment", points=[1, 0], client_id="x", entered_as="x"
        )
        assert_found(game)

    def test_other_rules_are_found(self, game):
        others = ClubRuleset.objects.exclude(pk=game.ruleset_id).first()
        with changed(Game.objects.filter(pk=game.pk), ruleset=others):
            assert_found(game)

    def test_a_changed_hand_is_put_right_from_its_record(self, game):
        Hand.objects.filter(game=game, number=2).update(points=[9, 9, 9, 9], outcome="renege")
        rebuild(game)
        assert found(deep=True) == []

    def test_hands_forgotten_between_are_judged_again(self, game, monkeypatch):
        monkeypatch.setattr(recount, "REMEMBERED", 2)
        assert found(deep=False) == []
        Hand.objects.filter(game=game, number=1).update(outcome="renege")
        assert_found(game)

    def test_the_count_asks_the_same_questions_of_however_many_games(
        self, game, django_assert_num_queries
    ):
        rulesets = Game.objects.values("ruleset").distinct().count()
        with django_assert_num_queries(5 + rulesets):
            list(needing_full_recount(Game.objects.all()))
