"""A league that comes from a spreadsheet in mid-season, and goes out as the same sheets."""

from datetime import date, time

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from league.errors import Refused
from league.exchange.fixture_sheets import (
    FIXTURES_NEED,
    fixture_columns,
    fixture_rows,
    import_fixture_sheet,
    preview_fixtures,
)
from league.exchange.league_export import league_document
from league.exchange.league_sheets import (
    TEAMS,
    import_team_sheet,
    preview_teams,
    team_rows,
)
from league.exchange.sheet_reading import Columns, read_sheet
from league.exchange.sheets import sheet
from league.members.models import Member
from league.teams import actions
from league.teams.models import Deduction, TeamMatch
from league.teams.queries import fixtures_of
from tests.builders import EIGHT, TEST, a_club, a_user
from tests.teams.leagues import a_league, matches, table, with_fixtures, written

pytestmark = pytest.mark.django_db

TWO = ["team,division,venue,captain,players", "Ship A,1,The Ship,Rose,Rose;Ted;Ann",
       "Bell,1,The Bell,,\"Bill, Meg\"", "Crown,2,,Joe,Joe"]  # fmt: skip
HEAD = "date,home,away,home games,away games,home points,away points,awarded,game 1,game 2"


FIGURES = (
    "points", "played", "wins", "draws", "losses", "won", "lost", "own", "theirs", "deducted",
    "walkovers",
)  # fmt: skip


def teams_in(lines):
    content = lines if isinstance(lines, bytes) else "\n".join(lines).encode()
    return read_sheet(content, Columns(TEAMS, ("team",), ("left",)))


def fixtures_in(league, lines):
    content = lines if isinstance(lines, bytes) else "\n".join(lines).encode()
    days = ("date", "planned")
    return read_sheet(content, Columns(fixture_columns(league), FIXTURES_NEED, days))


def take_teams(league, lines):
    rows = teams_in(lines)
    agreed = preview_teams(league, rows).agreed
    return import_team_sheet(league, rows, agreed=agreed, by=TEST, at=EIGHT)


def take_fixtures(league, lines):
    rows = fixtures_in(league, lines)
    agreed = preview_fixtures(league, rows, at=EIGHT).agreed
    return import_fixture_sheet(league, rows, agreed=agreed, by=TEST, at=EIGHT)


def squad(team):
    return sorted(team.players.values_list("member__name", flat=True))


@pytest.fixture
def league():
    return a_league(0)


@pytest.fixture
def two(league):
    take_teams(league, TWO)
    return league


def test_a_sheet_of_teams_makes_divisions_teams_squads_and_captains(two):
    ship, bell, crown = two.teams.all()
    assert [one.name for one in two.divisions.all()] == ["1", "2"]
    assert (ship.venue, ship.captain.name, squad(ship)) == (
        "The Ship",
        "Rose",
        ["Ann", "Rose", "Ted"],
    )
    assert (squad(bell), bell.captain, crown.division.name) == (["Bill", "Meg"], None, "2")


def test_a_player_a_line_is_read_like_a_cell_and_the_name_may_stand_only_once(league):
    take_teams(league, ["team,player", "Ship A,Rose", ",Ted", "Bell,Ann"])
    ship, bell = league.teams.all()
    assert (squad(ship), squad(bell)) == (["Rose", "Ted"], ["Ann"])


def test_the_same_sheet_twice_changes_nothing_and_a_longer_one_adds_players_only(two):
    assert take_teams(two, TWO) == []
    take_teams(two, [TWO[0], "ship a,2,Elsewhere,,Rose;Una"])
    ship = two.teams.get(name="Ship A")
    assert (squad(ship), ship.venue, ship.division.name) == (
        ["Ann", "Rose", "Ted", "Una"],
        "The Ship",
        "1",
    )


@pytest.mark.parametrize(
    ("line", "column"),
    [
        ("Ship A,2,The Ship,,", "division"),
        ("Oak,1,,,Rose", "player"),
        ("Oak,,,,Una", "division"),
        ("Oak,1," + "x" * 61 + ",,", "venue"),
        ("Oak,1,,,U\u202ena", "player"),
    ],
)
def test_every_bad_cell_of_a_sheet_of_teams_is_named_and_nothing_is_entered(league, line, column):
    rows = teams_in([*TWO, line])
    found = preview_teams(league, rows)
    assert [(one.line, one.column) for one in found.troubles] == [(5, column)]
    with pytest.raises(Refused) as refused:
        take_teams(league, [*TWO, line])
    assert (refused.value.code, league.teams.count()) == ("bad-lines", 0)


def test_a_division_that_the_league_does_not_have_is_named_and_makes_no_new_one(two):
    found = preview_teams(two, teams_in([TWO[0], "Oak,Div 1,,,Una"]))
    (trouble,) = found.troubles
    assert (trouble.line, trouble.column) == (2, "division")
    assert trouble.sentence == "There is no division Div 1 in this league. It has: 1, 2."


def test_the_check_names_new_divisions_small_squads_and_captains_who_are_no_players(league, client):
    league.squad_rules = {"least": 3}
    league.save()
    sheet_of = [*TWO[:3], "Crown,Div 1,,Jo,Joe;Al;Cy"]
    found = preview_teams(league, teams_in(sheet_of))
    assert found.notes == [
        "New division 1, with 2 teams.",
        "New division Div 1, with 1 team.",
        "Bell has 2 players; a squad needs at least 3.",
        "Jo, the captain, is not among the players of Crown. "
        "A player of this name is added to the team.",
    ]
    client.force_login(a_user(club=league.club))
    address = reverse("import_teams", args=[league.club.slug, league.public_id])
    content = "\n".join(sheet_of).encode()
    text = client.post(address, {"file": SimpleUploadedFile("t.csv", content)}).content.decode()
    assert "New division Div 1, with 1 team." in text
    assert "Captain: Jo" in text
    assert "Al, Cy" in text.partition("are added to it.")[2].partition("</p>")[0]


def test_a_name_that_looks_like_somebodys_is_told_before_anything_is_saved(two):
    found = preview_teams(two, teams_in([TWO[0], "Oak,1,,,Rosé"]))
    assert found.names == ["Rosé"]
    assert "Rose" in found.like[0]


def test_an_inactive_player_on_a_sheet_is_named_before_and_then_comes_back(league):
    rose = Member.objects.create(club=league.club, name="Rose", retired_at=EIGHT)
    found = preview_teams(league, teams_in(TWO))
    assert found.returning == ["Rose"]
    assert "Rose" not in found.names
    take_teams(league, TWO)
    rose.refresh_from_db()
    assert rose.retired_at is None
    assert league.players.get(member__name_key="rose").member == rose
    Member.objects.create(club=league.club, name="Una", retired_at=EIGHT)
    Member.objects.create(club=league.club, name="UNA", retired_at=EIGHT)
    found = preview_teams(league, teams_in([TWO[0], "Oak,1,,,Una"]))
    assert [one.sentence for one in found.troubles] == [
        "Two players are called Una. Change one of the names first."
    ]


def test_fixtures_with_results_make_a_season_under_way(two):
    lines = ["2026-10-01,Ship A,Bell,6,3,156,123,,,", "8.10.2026,Bell,Ship A,,,,,home,,"]
    take_fixtures(two, [HEAD, *lines, "2026-12-03,Ship A,Bell,,,,,,,"])
    two.refresh_from_db()
    first, second, third = (one for one in fixtures_of(two))
    assert (two.state, first.met.won, first.met.points) == ("running", (6, 3), (156, 123))
    assert (first.match.round, second.match.round, third.match.half) == (1, 2, 2)
    assert (second.match.given_to.name, third.is_to_come) == ("Bell", True)
    assert first.match.totals_only


def test_a_start_time_on_a_sheet_of_fixtures_is_taken_and_a_bad_one_is_named(two):
    head = f"{HEAD},begins"
    take_fixtures(two, [head, "2026-12-03,Ship A,Bell,,,,,,,,7:15 pm"])
    assert [match.begins_at for match in two.matches.all()] == [time(19, 15)]
    rows = fixtures_in(two, [head, "2026-12-10,Bell,Ship A,,,,,,,,late"])
    found = preview_fixtures(two, rows, at=EIGHT)
    assert [(one.line, one.column) for one in found.troubles] == [(2, "begins")]


def test_a_later_sheet_brings_the_results_of_fixtures_that_are_here(two):
    open_line = "2026-10-01,Ship A,Bell,,,,,,,"
    take_fixtures(two, [HEAD, open_line])
    assert take_fixtures(two, [HEAD, open_line]) == []
    take_fixtures(two, [HEAD, "2026-10-02,Ship A,Bell,5,4,,,,,"])
    (now,) = fixtures_of(two)
    assert (now.met.won, now.match.held_on, now.match.first_date) == (
        (5, 4), date(2026, 10, 2), date(2026, 10, 1),
    )  # fmt: skip
    other = preview_fixtures(
        two, fixtures_in(two, [HEAD, "2026-10-02,Ship A,Bell,4,5,,,,,"]), at=EIGHT
    )
    assert "different result" in str(other.troubles[0])


@pytest.mark.parametrize(
    ("line", "column"),
    [
        ("2026-10-01,Ship B,Bell,,,,,,,", "home"),
        ("2026-10-01,Ship A,Ship A,,,,,,,", "away"),
        ("2026-10-01,Ship A,Crown,,,,,,,", "away"),
        ("soon,Ship A,Bell,,,,,,,", "date"),
        (",Ship A,Bell,6,3,,,,,", "date"),
        ("2027-10-01,Ship A,Bell,6,3,,,,,", "date"),
        ("2026-10-01,Ship A,Bell,6,,,,,,", "away games"),
        ("2026-10-01,Ship A,Bell,6,4,,,,,", "home games"),
        ("2026-10-01,Ship A,Bell,2,1,,,,,", "home games"),
        ("2026-10-01,Ship A,Bell,6,3,20,19,,,", "home games"),
        ("2026-10-01,Ship A,Bell,,,156,123,,,", "home games"),
        ("2026-10-01,Ship A,Bell,six,3,,,,,", "home games"),
        ("2026-10-01,Ship A,Bell,6,3,,,home,,", "awarded"),
        ("2026-10-01,Ship A,Bell,,,,,Ship,,", "awarded"),
        ("2026-10-01,Ship A,Bell,,,,,,21-21,", "game 1"),
        ("2026-10-01,Ship A,Bell,,,,,,,won", "game 2"),
    ],
)
def test_every_bad_cell_of_a_sheet_of_fixtures_is_named_and_nothing_is_made(two, line, column):
    rows = fixtures_in(two, [HEAD, line])
    found = preview_fixtures(two, rows, at=EIGHT)
    assert [(one.line, one.column) for one in found.troubles] == [(2, column)]
    with pytest.raises(Refused) as refused:
        take_fixtures(two, [HEAD, line])
    assert (refused.value.code, TeamMatch.objects.count()) == ("bad-lines", 0)


def test_what_moved_between_the_look_and_the_order_is_told(two):
    rows = fixtures_in(two, [HEAD, "2026-10-01,Ship A,Bell,6,3,,,,,"])
    agreed = preview_fixtures(two, rows, at=EIGHT).agreed
    take_fixtures(two, [HEAD, "2026-10-01,Ship A,Bell,,,,,,,"])
    with pytest.raises(Refused) as refused:
        import_fixture_sheet(two, rows, agreed=agreed, by=TEST, at=EIGHT)
    assert refused.value.code == "list-changed"


def a_season_with_everything():
    """Cards, a walk-over, a card by totals, points off, a postponed match, a team that left."""
    league = with_fixtures(5)
    league.matches.filter(round=5).update(begins_at=time(18, 15))
    first, second = matches(league)
    written(first, 6)
    actions.give_match(second, second.away, reason="Nobody came", by=TEST, at=EIGHT)
    third, fourth = matches(league, 2)
    written(third, 4, held_on=date(2026, 11, 18))
    card = [[21, 15]] * 5 + [[12, 21]] * 4
    TeamMatch.objects.filter(pk=fourth.pk).update(card=card, totals_only=True)
    actions.deduct(first.home, 2, reason="A late card", by=TEST, at=EIGHT)
    actions.withdraw_team(matches(league, 3)[0].away, by=TEST, at=EIGHT)
    return league


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_a_season_goes_out_as_two_sheets_and_comes_into_an_empty_league_with_equal_table(kind):
    old = a_season_with_everything()
    new = a_league(0, club=a_club(slug="other"))
    take_teams(new, sheet(TEAMS, team_rows(old), kind=kind))
    columns = fixture_columns(old)
    rows = [[*row, *[""] * (len(columns) - len(row))] for row in fixture_rows(old)]
    content = sheet(columns, rows, kind=kind)
    take_fixtures(new, content)
    assert {row[7] for row in rows} == set(old.teams.values_list("venue", flat=True))
    assert {row[2] for row in rows} == {"", "18:15"}
    times = [set(one.matches.values_list("round", "begins_at")) for one in (old, new)]
    assert times[0] == times[1]
    assert set(new.matches.values_list("venue", flat=True)) == {""}  # still the home team's

    def figures(league):
        names = dict(league.teams.values_list("pk", "name"))
        made = table(league)
        places = [(line.rank, names[line.who]) for line in made.lines]
        return places, {names[key]: record for key, record in made.records.items()}

    (places, records), (new_places, new_records) = figures(old), figures(new)
    assert new_places == places
    for name, record in records.items():
        other = new_records[name]
        for figure in (
            "points",
            "played",
            "wins",
            "losses",
            "won",
            "lost",
            "own",
            "theirs",
            "deducted",
        ):
            assert getattr(other, figure) == getattr(record, figure), (name, figure)
    documents = [league_document(one) for one in (old, new)]
    halves = [[one["half"] for one in document["fixtures"]] for document in documents]
    assert halves[0] == halves[1]
    assert take_fixtures(new, content) == []  # and once more it is nothing new


def test_a_match_known_by_its_totals_shows_no_games_and_awards_none(two, client):
    take_fixtures(two, [HEAD, "2026-10-01,Ship A,Bell,6,3,156,123,,,"])
    match = TeamMatch.objects.get()
    client.force_login(a_user(club=two.club))
    page = client.get(reverse("team_match", args=[two.club.slug, two.public_id, match.public_id]))
    text = page.content.decode()
    assert "Only the totals of this match are known." in text
    assert "156–123 in points" in text
    assert "Games 1–3" not in text
    with pytest.raises(Refused, match="Only the totals"):
        actions.give_games(match, {0: "home"}, reason="Why", by=TEST, at=EIGHT)


def test_a_captain_cannot_change_a_result_that_came_from_a_sheet(two):
    take_fixtures(two, [HEAD, "2026-10-01,Ship A,Bell,6,3,,,,,"])
    match = TeamMatch.objects.get()
    people = {side: [None] * two.pairs for side in ("home", "away")}
    card = actions.Card(date(2026, 10, 1), people["home"], people["away"], {})
    with pytest.raises(Refused, match="is confirmed"):
        actions.write_card(match, card, side=0, by=TEST, at=EIGHT)


def agreed_in(seen):
    """What the form below a dry run sends."""
    found = seen.context
    return {
        "carried": found["carried"],
        "agreed": found["seen"].agreed,
        "match": found["matched"].to_text(),
    }


def test_a_sheet_refused_on_saving_comes_back_with_the_file_and_what_is_wrong_now(league, client):
    club = league.club
    client.force_login(a_user(club=club))
    address = reverse("import_teams", args=[club.slug, league.public_id])
    lines = "Team name,Squad\nShip A,Rose;Ted\nBell,Ann;Una"
    seen = client.post(address, {"file": SimpleUploadedFile("t.csv", lines.encode())})
    take_teams(league, ["team,players", "Crown,Rose"])
    refused = client.post(address, agreed_in(seen))
    assert refused.status_code == 422
    assert refused.context["carried"] == seen.context["carried"]
    assert "Rose" in str(refused.context["seen"].part)


def test_the_pages_match_other_headings_show_what_they_would_do_and_do_it(league, client):
    club = league.club
    client.force_login(a_user(club=club))
    page = client.get(reverse("team_league", args=[club.slug, league.public_id])).content.decode()
    address = reverse("import_teams", args=[club.slug, league.public_id])
    assert address in page
    heads = "Our league 2026/27,,\nTeam name,Div,Ground,Squad\n"
    lines = f"{heads}Ship A,1,The Ship,Rose;Ted\nBell,1,,Ann;Una"
    seen = client.post(address, {"file": SimpleUploadedFile("t.csv", lines.encode())})
    text = seen.content.decode()
    assert "2 teams are new" in text, text
    data = agreed_in(seen)
    done = client.post(address, data, follow=True)
    assert "Imported 2 teams." in done.content.decode()
    assert done.redirect_chain[-1][0] == reverse("team_league", args=[club.slug, league.public_id])
    assert not Deduction.objects.exists()
    seen = client.post(address, {"file": SimpleUploadedFile("t.csv", lines.encode())})
    assert "Nothing in this file is new. 2 teams are already here." in " ".join(
        seen.content.decode().split()
    )
    address = reverse("import_fixtures", args=[club.slug, league.public_id])
    heads = "Datum,Home team,Visitors,Home score,Away score\n"
    lines = f"{heads}01/10/2026,Ship A,Bell,6,3\n15/10/2026,Bell,Ship A,,"
    seen = client.post(address, {"file": SimpleUploadedFile("f.csv", lines.encode())})
    assert "2 matches are new" in seen.content.decode()
    data = agreed_in(seen)
    assert "Imported 2 matches." in client.post(address, data, follow=True).content.decode()
    assert client.get(address.replace("fixtures/", "example-fixtures.csv")).status_code == 200


def test_the_log_names_the_results_of_an_import_and_leads_from_teams_to_the_league(two, client):
    lines = ["2026-10-01,Ship A,Bell,6,3,156,123,,,", "2026-10-08,Bell,Ship A,,,,,,,"]
    take_fixtures(two, [HEAD, *lines])
    actions.leave_message(two.matches.first(), text="Snow", by=TEST, at=EIGHT)
    client.force_login(a_user("olive", club=two.club))
    text = client.get(reverse("audit", args=[two.club.slug])).text
    assert "New matches: <ins>2</ins>" in text
    assert "Results: <ins>Ship A – Bell 6–3</ins>" in text
    page = reverse("team_league", args=[two.club.slug, two.public_id])
    for words in ("Saved team:", "Sent match message:"):
        assert f'href="{page}"' in text.partition(words)[2].partition("</td>")[0], words
