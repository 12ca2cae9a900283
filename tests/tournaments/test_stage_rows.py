"""The rows of a stage, read in one statement, are those that Django reads."""

import pytest

from league.members.models import Member
from league.play.models import Game
from league.seating.models import Round, Table
from league.tournaments.models import Bye, Entry, Match, MatchGame, MatchSide
from league.tournaments.stage_rows import StageRows, read_rows
from tests.site.test_statements import columns_of
from tests.tournaments.playing import of_pairs, play_round, published, state_of

pytestmark = pytest.mark.django_db


def test_a_stage_is_read_as_django_reads_its_rows_and_nothing_of_another():
    cup = of_pairs(5, "knockout", third_place=True)
    published(of_pairs(3, "swiss", club=cup.club))
    published(cup)
    play_round(cup)
    published(cup, 2)
    stage = cup.stages.get()
    of_stage = {"stage_round__stage": stage}
    tables = Table.objects.filter(match_game__match__stage_round__stage=stage)
    right = StageRows(
        entries=Entry.objects.filter(tournament=cup).order_by("pk"),
        members=Member.objects.filter(attendances__session=cup.session),
        rounds=stage.rounds.order_by("number"),
        seatings=Round.objects.filter(stage_round__stage=stage),
        byes=Bye.objects.filter(**of_stage).order_by("pk"),
        matches=Match.objects.filter(**of_stage).order_by("number", "pk"),
        sides=MatchSide.objects.filter(match__stage_round__stage=stage),
        links=MatchGame.objects.filter(match__stage_round__stage=stage).order_by("number", "pk"),
        tables=tables,
        games=Game.objects.filter(table__in=tables),
    )
    for name, found in read_rows(stage)._asdict().items():
        wanted = list(getattr(right, name))
        if name in ("members", "seatings", "sides", "tables", "games"):  # in no order
            found.sort(key=lambda row: row.pk)
            wanted.sort(key=lambda row: row.pk)
        assert found, name
        assert list(map(columns_of, found)) == list(map(columns_of, wanted)), name


def test_the_people_and_rounds_of_a_stage_are_at_hand(django_assert_num_queries):
    cup = of_pairs(3, "swiss")
    published(cup)
    state = state_of(cup)
    with django_assert_num_queries(0):
        people = [member.name for entry in state.entries.values() for member in entry.people]
        assert [row.seating.state for row in (one.row for one in state.rounds)] == ["published"]
    assert len(people) == 6
