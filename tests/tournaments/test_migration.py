"""Tournaments of a database of before: what labels and numbers meant comes over by `migrate`."""

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from league.management.commands.migrate import create_tables

BEFORE, AFTER = "0003_member_sort_key", "0004_places_in_brackets"


def migrated_to(name):
    executor = MigrationExecutor(connection)
    executor.migrate([("league", name)])
    return MigrationExecutor(connection).loader.project_state([("league", name)]).apps


@pytest.fixture
def old(django_db_setup, django_db_blocker, tmp_path):
    """`old(migration)`: the models of then, in a database of its own, which has their tables at
    once. That every migration follows on the one before it, tests/faults/test_upgrade.py tries."""
    usual, own = connection.settings_dict["NAME"], tmp_path / "before.sqlite3"
    with django_db_blocker.unblock():
        point_at(own)
        try:
            yield lambda migration: create_tables(connection, migration)
        finally:
            point_at(usual)


def point_at(name):
    connection.close()
    connection.settings_dict["NAME"] = name


def test_labels_and_numbers_become_fields_of_their_own(old):
    before = old(BEFORE)
    get = lambda name: before.get_model("league", name)  # noqa: E731
    club = get("Club").objects.create(name="Old", slug="old")
    night = get("Session").objects.create(club=club, name="Night", held_on="2026-01-01")
    cups = {}
    for format in ("groups", "knockout"):
        cup = get("Tournament").objects.create(club=club, session=night, name=format)
        cups[format] = get("Stage").objects.create(tournament=cup, format=format)
    members = [
        get("Member").objects.create(club=club, name=f"P{n}", name_key=f"p{n}") for n in range(6)
    ]
    for number, member in enumerate(members, 1):
        get("Entry").objects.create(
            tournament=cups["knockout"].tournament, member=member, number=number
        )
    late = get("Member").objects.create(club=club, name="Late", name_key="late")
    get("Entry").objects.create(
        tournament=cups["knockout"].tournament, member=late, number=7, late=True
    )
    for number, (format, match, label) in enumerate(
        [("groups", "2", ""), ("groups", "M1-1", "Semi-finals"), ("knockout", "M1-2", "Last 16")], 1
    ):
        seating = get("Round").objects.create(
            session=night, number=number, seed=1, state="published"
        )
        row = get("StageRound").objects.create(
            stage=cups[format], number=number, label=label, seating=seating
        )
        get("Match").objects.create(stage_round=row, number=1, label=match)

    new = migrated_to(AFTER)
    rows = new.get_model("league", "Match").objects.order_by("stage_round__number")
    assert list(rows.values_list("group", "place", "stage_round__field_size")) == [
        (2, "", None),
        (None, "M1-1", 4),
        (None, "M1-2", 16),
    ]
    entries = new.get_model("league", "Entry").objects.filter(bye_of__isnull=False)
    assert [(one.member.name, one.bye_of.number) for one in entries] == [("Late", 2)]
