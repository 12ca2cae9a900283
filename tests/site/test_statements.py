"""Statements written once do what Django's own do: on both databases, with every kind of field."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.compiled_sql import (
    execute,
    insert,
    read,
    read_joined,
    read_together,
    read_values,
    update,
    upsert,
)
from league.members.audit import log_action
from league.members.models import AuditEntry, Club, ClubRuleset, Member
from league.play.actions.persistence import KEY, ROW_FIELDS
from league.play.models import Game, Hand, Result
from league.seasons.models import Season
from league.seating.models import Seat, Table
from league.sessions.models import Session
from league.standings.cached_tables import (
    FIELDS,
    visible_in_club,
    visible_in_season,
    visible_in_session,
)
from tests.builders import EIGHT, TEST, a_game_table
from tests.play.hands import write

pytestmark = pytest.mark.django_db(transaction=True)
MODELS = (AuditEntry, Club, ClubRuleset, Game, Hand, Member, Result, Seat, Session, Table)


@pytest.fixture
def table():
    table = a_game_table()
    write(table, (0, 3), (1, 5), (0, 3))
    return table


def columns_of(row):
    """All that a row says, with the kinds of its values: true is not 1 to a page."""
    values = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
    return {name: (type(value), value) for name, value in values.items()}


def test_rows_read_are_the_rows_that_django_reads(table):
    for model in MODELS:
        rows = read(model, f"FROM {model._meta.db_table} ORDER BY id")
        assert rows, model
        right = list(model.objects.order_by("id"))
        assert list(map(columns_of, rows)) == list(map(columns_of, right)), model
        assert all(row._state.adding is False for row in rows), model


def test_single_fields_read_are_those_that_django_reads(table):
    for model in MODELS:
        names = [field.attname for field in model._meta.concrete_fields][::-2]
        found = read_values(model, names, f"FROM {model._meta.db_table} ORDER BY id")
        right = list(model.objects.order_by("id").values_list(*names))
        assert right, model
        assert [[(type(v), v) for v in row] for row in found] == [
            [(type(v), v) for v in row] for row in right
        ], model


def test_who_is_shown_in_a_table_is_whom_django_finds(table):
    night, absent = Session.objects.get(), Member.objects.create(club=Club.objects.get(), name="Zo")
    night.season = Season.objects.create(club=night.club, name="Winter", starts_on=night.held_on)
    night.save()
    a_game_table(slug="monday")  # another club's
    played = Member.objects.filter(results__session=night).distinct()
    for visible, people in (
        (visible_in_session(night), played),
        (visible_in_season(night.season), played),
        (visible_in_club(night.club), Member.objects.filter(club=night.club)),
    ):
        rows = list(people.order_by("id").values_list(*FIELDS))
        assert rows
        assert list(visible.rows) == rows
    assert absent.pk not in visible_in_season(night.season).people()


def test_rows_of_several_models_read_together_are_the_rows_that_django_reads(table):
    models = [model for model in MODELS if model is not Result]
    parts = [(model, f"FROM {model._meta.db_table} WHERE id > %s", (0,)) for model in models]
    with CaptureQueriesContext(connection) as captured:
        found = read_together(*parts)
    assert len(captured.captured_queries) == 1
    for model, rows in zip(models, found, strict=True):
        rows.sort(key=lambda row: row.pk)
        assert rows
        assert [columns_of(row) for row in rows] == [
            columns_of(row) for row in model.objects.order_by("id")
        ]


def test_rows_with_fractions_are_not_read_together_for_json_might_shorten_them(table):
    with pytest.raises(TypeError, match="Result has fractions"):
        read_together((Result, "FROM league_result", ()))


def test_rows_read_together_are_none_where_there_are_none_and_keep_odd_words(table):
    hand = Hand.objects.get(number=1)
    hand.entered_as, hand.reason = "Zoë \"%s\" 'O\\'", "first\nsecond\t\u2028\x01 🂡"
    hand.record = {**hand.record, "words": hand.reason, "nothing": None}
    hand.undone_at = EIGHT.replace(microsecond=120)
    hand.save()
    none, rows = read_together(
        (Hand, "FROM league_hand WHERE number = %s", (99,)),
        (Hand, "FROM league_hand WHERE number = %s", (1,)),
    )
    assert (none, [columns_of(row) for row in rows]) == (
        [],
        [columns_of(Hand.objects.get(pk=hand.pk))],
    )


def test_a_row_read_is_one_that_django_can_store_and_follow(table):
    (hand,) = read(Hand, "FROM league_hand WHERE number = %s", 1)
    hand.reason = "put right"
    hand.save(update_fields=["reason"])
    hand.refresh_from_db()
    assert (hand.reason, hand.game.table, hand.game_id) == ("put right", table, hand.game.pk)
    assert hand == Hand.objects.get(number=1)


def test_joined_rows_keep_apart_what_is_called_the_same(table):
    joined = "FROM league_table JOIN league_session ON league_session.id = session_id"
    ((found, session),) = read_joined((Table, Session), joined)
    assert (columns_of(found), columns_of(session)) == (
        columns_of(Table.objects.get()),
        columns_of(Session.objects.get()),
    )


def test_a_row_inserted_is_the_row_that_was_given(table):
    hand = Hand(game=Game.objects.get(), number=9, client_id="nine", entered_at=EIGHT)
    hand.record, hand.points, hand.entered_as = {"dealer": 0, "words": "é'\"%s"}, [1, 0], "Rose %"
    insert(hand)
    assert columns_of(Hand.objects.get(pk=hand.pk)) == columns_of(hand)
    hand.reason = "once more"
    hand.save()  # an update: the row knows that it is there
    assert Hand.objects.filter(number=9).count() == 1


def test_an_audit_entry_without_values_holds_nothing_not_the_json_null(table):
    entry = log_action(Club.objects.get(), TEST, "look")
    assert AuditEntry.objects.filter(pk=entry.pk, old__isnull=True, new__isnull=True).exists()


def test_an_update_stores_the_fields_named_and_no_others(table):
    game = Game.objects.get()
    game.score, game.started_at, game.reopened, game.misfits = [7, 8], EIGHT, True, 5
    update(game, ["score", "started_at", "reopened"])
    stored = Game.objects.get()
    assert (stored.score, stored.started_at, stored.reopened) == ([7, 8], EIGHT, True)
    assert stored.misfits == 0


def test_rows_there_are_changed_and_others_are_added_in_one_statement(table):
    rows = list(Result.objects.order_by("position"))
    newcomer = Member.objects.create(club=Club.objects.get(), name="Zoe")
    kept, rows[1].member, rows[1].pk = rows[1].member, newcomer, None
    rows[0].points, rows[0].finished = 77, True
    with CaptureQueriesContext(connection) as captured:
        upsert(Result, [vars(row) for row in rows], key=KEY, names=ROW_FIELDS)
    assert len(captured.captured_queries) == 1
    assert Result.objects.count() == len(rows) + 1
    first = Result.objects.get(member=rows[0].member)
    assert (first.pk, first.points, first.finished) == (rows[0].pk, 77, True)
    assert Result.objects.filter(member__in=(kept, newcomer), position=1).count() == 2


def test_a_statement_tells_how_many_rows_it_changed(table):
    sql = "UPDATE league_hand SET struck = %s WHERE number < %s"
    assert (execute(sql, False, 3), execute(sql, False, 1)) == (2, 0)
