"""Standings and brackets of tournaments as sheets."""

import csv
from io import StringIO

import pytest
from django.urls import reverse

from league.seating.actions import substitute
from league.sessions.actions import arrive
from tests.builders import EIGHT, TEST, a_user, members_of
from tests.tournaments.playing import a_tournament, of_pairs, play_round, published, tables

pytestmark = pytest.mark.django_db


def fetch(client, tournament, name, kind="csv"):
    return client.get(reverse(name, args=[tournament.club.slug, tournament.public_id, kind]))


def lines_of(answer):
    return list(csv.DictReader(StringIO(answer.content.decode("utf-8-sig"))))


def test_the_standings_and_the_bracket_of_a_tournament_are_downloaded(client):
    knockout = of_pairs(4, "knockout")
    published(knockout)
    play_round(knockout)
    published(knockout)
    client.force_login(a_user(club=knockout.club))
    standings = lines_of(fetch(client, knockout, "export_tournament_standings"))
    assert [row["Place"] for row in standings].count("3") == 2
    assert {row["Tied"] for row in standings if row["Place"] == "3"} == {"yes"}
    first, second, final = lines_of(fetch(client, knockout, "export_bracket"))
    assert {first["Winner"], second["Winner"]} == {final["First"], final["Second"]}
    assert first["Winner"] in (first["First"], first["Second"])
    assert max(first["Score of the first"], first["Score of the second"], key=int) != ""
    assert final["Winner"] == ""
    for name in ("export_tournament_standings", "export_bracket"):
        assert fetch(client, knockout, name, "xlsx").content.startswith(b"PK")


def test_groups_are_told_apart_and_have_no_bracket_before_it_is_drawn(client):
    groups = of_pairs(6, "groups", groups=2, through=1)
    published(groups)
    play_round(groups)
    client.force_login(a_user(club=groups.club))
    standings = lines_of(fetch(client, groups, "export_tournament_standings"))
    assert sorted(row["Group"] for row in standings) == ["1"] * 3 + ["2"] * 3


def test_the_sheet_of_a_bracket_is_empty_where_there_is_none(client):
    tournament = a_tournament(8, "progressive")
    published(tournament)
    client.force_login(a_user(club=tournament.club))
    assert len(lines_of(fetch(client, tournament, "export_tournament_standings"))) == 8
    assert lines_of(fetch(client, tournament, "export_bracket")) == []


def test_every_round_is_downloaded_with_its_tables_scores_winners_and_byes(client):
    swiss = of_pairs(5, "swiss")
    published(swiss)
    table = tables(swiss)[0]
    (someone,) = members_of(swiss.club, 11)[10:]
    arrive(swiss.session, someone, by=TEST, at=EIGHT)
    substitute(table, 0, someone, by=TEST)
    play_round(swiss)
    published(swiss, seed=2)
    client.force_login(a_user(club=swiss.club))
    rows = lines_of(fetch(client, swiss, "export_rounds"))
    assert [(row["Round"], row["Table"]) for row in rows] == [
        ("1", "1"), ("1", "2"), ("1", ""), ("2", "1"), ("2", "2"), ("2", ""),
    ]  # fmt: skip
    for row in rows[:2]:
        scores = {row["First"]: int(row["Score of the first"])}
        scores[row["Second"]] = int(row["Score of the second"])
        assert row["Winner"] == max(scores, key=scores.__getitem__)
    assert [row["Not played"] for row in rows[:3]] == ["", "", "bye"]
    assert {row["Winner"] for row in rows[3:]} == {""}
    named = {row[side] for row in rows[:3] for side in ("First", "Second")} - {""}
    assert named == {" & ".join(m.name for m in one.people) for one in swiss.entries.all()}
    night = a_tournament(7, "progressive", club=swiss.club)
    published(night)
    four, three = lines_of(fetch(client, night, "export_rounds"))
    assert (" & " in four["First"], four["Third"]) == (True, "")
    assert (" & " in three["First"], bool(three["Third"]), three["Fourth"]) == (False, True, "")
