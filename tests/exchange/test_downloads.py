"""Standings and brackets of tournaments as sheets, and the table of a league."""

import csv
from io import BytesIO, StringIO

import openpyxl
import pytest
from django.urls import reverse

from league.seating.actions import substitute
from league.sessions.attendance import arrive
from league.teams import actions
from tests.builders import EIGHT, TEST, a_user, members_of
from tests.teams.leagues import with_fixtures
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
    head, *rows = lines_of(fetch(client, swiss, "export_rounds"))
    assert (head["kind"], head["state"], head["format"][:5]) == ("tournament", "running", "swiss")
    entries, rows = rows[:5], rows[5:]
    names = {row["entry 1"]: {row["player 1"], row["player 2"]} for row in entries}
    assert names == {str(one.number): {m.name for m in one.people} for one in swiss.entries.all()}
    assert [(row["round"], row["table"], row["kind"]) for row in rows] == [
        ("1", "1", "match"), ("1", "2", "match"), ("1", "", "bye"),
        ("2", "1", "match"), ("2", "2", "match"), ("2", "", "bye"),
    ]  # fmt: skip
    assert someone.name in {rows[0][f"player {seat}"] for seat in range(1, 5)}
    assert [row["ended"] for row in rows if row["kind"] == "match"][2:] == ["unfinished"] * 2
    assert all(row["points 1"] and row["points 2"] for row in rows[:2])
    for row in (rows[2], rows[3]):  # who has a bye, and who is still to play, by their entries
        there = {row[f"player {seat}"] for seat in range(1, 5)} - {""}
        assert there == set().union(
            *(names[row[f"entry {n}"]] for n in (1, 2) if row[f"entry {n}"])
        )
    night = a_tournament(7, "progressive", club=swiss.club)
    published(night)
    four, three = lines_of(fetch(client, night, "export_rounds"))[8:]
    assert (bool(four["entry 4"]), bool(three["entry 3"]), three["entry 4"]) == (True, True, "")


def test_points_below_zero_are_numbers_in_the_table_of_a_league_and_its_tab_has_a_name(client):
    league = with_fixtures()
    actions.deduct(league.teams.first(), 1, reason="No scorer", by=TEST, at=EIGHT)
    client.force_login(a_user(club=league.club))
    rows = lines_of(fetch(client, league, "export_team_table"))
    assert [row["Points"] for row in rows] == ["0", "0", "0", "-1"]
    file = BytesIO(fetch(client, league, "export_team_table", "xlsx").content)
    assert openpyxl.load_workbook(file).sheetnames == ["Table"]
