"""What decided a place is in view: on the wall as a column, beside a row as a word."""

from fractions import Fraction
from types import SimpleNamespace

import pytest
from django.urls import reverse

from league.live.wall import _wall_columns
from league.play.auth import table_link
from league.ranking import rank
from league.ranking.measures import MEASURES, Tally, ordered
from league.ranking.tie_breaks import BUCHHOLZ, MATCH_POINTS
from league.sessions.links import wall_link
from league.standings.queries import columns_of
from league.standings.tables import key_columns
from league.standings.text import points_that_do_not_count, tie_break
from tests.builders import a_club, a_ruleset, a_session, a_table, members_of
from tests.pages import squeezed
from tests.play.hands import write
from tests.standings.played import Sheet, recorded

HALF = Fraction(1, 2)


def at_four(won, points, against):
    return [Tally(10, 1, 5, won, HALF, points, points, against)]


def mixed_table(tallies):
    measures = ordered(mixed=True)
    columns = columns_of(measures, alone=False)
    lines = rank(tallies, measures, columns=columns)
    return SimpleNamespace(
        lines=lines, shown_columns=columns, measures=measures, mixed=True, places={}
    )


@pytest.mark.parametrize(("together", "short"), [(True, True), (False, False)])
def test_the_wall_keeps_the_column_that_decided_where_there_is_room_for_three(together, short):
    table = mixed_table({1: at_four(1, 10, 4), 2: at_four(1, 10, 7), 3: at_four(0, 4, 10)})
    codes = [one.code for one in _wall_columns(table, together=together, short=short)]
    assert len(codes) == 3
    assert "difference" in codes


@pytest.mark.parametrize(("together", "short"), [(True, True), (False, False), (False, True)])
def test_the_wall_shows_every_column_that_parted_two_players(together, short):
    """=5, 7, =8 with one figure in every column shown would leave the hall without a reason."""
    three = [Tally(10, 1, 5, 1, Fraction(1, 3), 10, 10, 4)]
    scores = {2: (1, 12, 4), 3: (1, 10, 4), 4: (1, 10, 7), 5: (0, 4, 10)}
    table = mixed_table({1: three} | {who: at_four(*one) for who, one in scores.items()})
    decided = {one.measure for line in table.lines for one in line.decisions}
    codes = [one.code for one in _wall_columns(table, together=together, short=short)]
    assert {"above", "share", "difference"} <= decided <= set(codes)


def test_a_phone_shows_games_won_and_points_wherever_points_are_added_up():
    table = mixed_table({1: at_four(1, 10, 4), 2: at_four(0, 4, 10)})
    assert [one.code for one in key_columns(table)] == ["won", "points"]
    table.shown_columns = [
        one for one in table.shown_columns if one.code not in ("points", "difference")
    ]
    assert [one.code for one in key_columns(table)] == ["won", "above"]
    table.shown_columns = (MATCH_POINTS, BUCHHOLZ, *table.shown_columns, MEASURES["points"])
    assert [one.code for one in key_columns(table)] == ["match_points", "buchholz", "points"]


def test_a_phone_shows_what_decided_between_players_with_as_many_wins_beside_the_points():
    """Wes stands above Bill with fewer points: by his wins above average, at a table of three."""
    wes = [Tally(10, 1, 5, 1, Fraction(1, 3), 87, 87, 4)]
    table = mixed_table({1: wes, 2: at_four(1, 136, 4), 3: at_four(0, 4, 10)})
    assert [line.who for line in table.lines] == [1, 2, 3]
    assert [one.code for one in key_columns(table)] == ["won", "above", "points"]


def test_a_phone_has_the_points_in_view_although_two_measures_before_them_decided():
    """Place, name, games won and points; the share of the points needed to win replaced them."""
    three = [Tally(10, 1, 5, 1, Fraction(1, 3), 10, 10, 4)]
    table = mixed_table({1: three, 2: at_four(1, 10, 4), 3: at_four(1, 9, 4), 4: at_four(0, 4, 9)})
    decided = {one.measure for line in table.lines for one in line.decisions}
    assert {"above", "share"} <= decided
    assert [one.code for one in key_columns(table)] == ["won", "above", "points"]


def test_a_phone_keeps_the_points_where_they_decide_next():
    measures = ordered(["won", "points", "difference"])
    tallies = {1: at_four(1, 12, 4), 2: at_four(1, 10, 4), 3: at_four(1, 10, 2)}
    columns = columns_of(measures, alone=False)
    lines = rank(tallies, measures, columns=columns)
    table = SimpleNamespace(lines=lines, shown_columns=columns, measures=measures)
    assert [one.code for one in key_columns(table)] == ["won", "points"]


def test_players_level_on_all_shares_of_mixed_tables_are_parted_by_the_difference():
    table = mixed_table({1: at_four(1, 10, 7), 2: at_four(1, 10, 4)})
    assert [(line.who, line.rank) for line in table.lines] == [(2, 1), (1, 2)]


def test_who_stays_level_has_no_tie_break():
    table = mixed_table({1: at_four(1, 10, 4), 2: at_four(1, 10, 4)})
    assert {(line.shared, str(tie_break(line))) for line in table.lines} == {(True, "")}


def test_lone_marches_have_a_column_only_where_somebody_played_alone():
    measures = ordered(mixed=True)
    assert MEASURES["lone_marches"] not in columns_of(measures, alone=False)
    assert MEASURES["lone_marches"] in columns_of(measures, alone=True)


def test_where_more_points_stand_below_fewer_the_table_says_that_they_do_not_decide():
    table = mixed_table({1: at_four(1, 5, 0), 2: at_four(1, 10, 9)})
    table.other_columns = [MEASURES["points"]]
    table.lines = sorted(table.lines, key=lambda line: line.who)
    sentence = points_that_do_not_count(table)
    assert sentence.startswith("A player with more points can be lower here")
    table.lines.reverse()  # in the order of points: nobody asks
    assert points_that_do_not_count(table) == ""
    table.lines.reverse()
    table.mixed = False
    assert points_that_do_not_count(table) == ""


@pytest.mark.django_db
def test_players_who_are_tied_stand_by_name(client):
    club = a_club(visibility="standings", names_in_public="full")
    night = a_session(club)
    members_of(club, 4)  # Rose was added before Ann
    recorded(night, [Sheet(("Rose", "Bill", "Ann", "Ted"), (10, 6, 10, 6))])
    page = client.get(reverse("session_standings", args=[club.slug, night.public_id]))
    assert [row.name for row in page.context["table"].data.data] == ["Ann", "Rose", "Bill", "Ted"]


@pytest.mark.django_db
def test_what_decided_without_a_column_on_a_phone_stands_below_the_name(client):
    club = a_club(visibility="standings", names_in_public="full")
    night = a_session(club)
    names = [one.name for one in members_of(club, 11)]
    games = [(names[:4], (10, 7, 10, 7)), (names[4:8], (10, 4, 10, 4)), (names[8:], (10, 6, 5))]
    recorded(night, [Sheet(tuple(players), score) for players, score in games])
    page = client.get(reverse("session_standings", args=[club.slug, night.public_id]))
    rows = page.context["table"].data.data
    by_difference = {row.name for row in rows if row.unseen and row.deciding == "difference"}
    assert {names[0], names[2], names[4], names[6]} == by_difference
    row = squeezed(page.text).partition(f">{names[0]}</")[2].partition("</th>")[0]
    assert '<small class="soft in-brief">on difference</small>' in row
    table = night.tables.get(number=1)
    client.post(reverse("table_door"), {"code": table_link(table)})
    page = client.get(reverse("table_standings", args=[table.public_id]))
    assert page.text.count('<small class="soft">on difference<') == 4


@pytest.mark.django_db
def test_the_line_of_what_ranks_says_that_players_without_a_finished_game_stand_last(client):
    club = a_club(visibility="standings")
    members, night = members_of(club, 8), a_session(club)
    recorded(night, [Sheet(("Rose", "Ann", "Ted", "Bill"), (10, 7, 10, 7))])
    standings = reverse("session_standings", args=[club.slug, night.public_id])
    sentence = "Players without a finished game come last."
    assert sentence not in client.get(standings).text
    write(a_table(night, members[4:], a_ruleset(club)), (0, 3))
    assert sentence in client.get(standings).text


@pytest.mark.django_db
def test_players_who_share_a_place_have_beside_it_what_decided_it(client):
    club = a_club(visibility="standings", measures=["head_to_head", "won"])
    night = a_session(club)
    members_of(club, 4)
    beaten = ["Rose Ted", "Rose Bill", "Ann Ted", "Ann Bill"]
    for number, names in enumerate([*beaten, "Rose Ann", "Ann Rose", "Ted Bill", "Bill Ted"], 1):
        recorded(night, [Sheet(tuple(names.split()), (10, 6))], round_number=number)
    of_night = [club.slug, night.public_id]
    page = client.get(reverse("session_standings", args=of_night))
    assert [row.rank for row in page.context["table"].data.data] == [1, 1, 3, 3]
    assert page.text.count('<span class="in-short">Head-to-head</span>') == 4
    assert page.text.count(">on head-to-head<") == 4
    assert client.get(reverse("print_standings", args=of_night)).text.count("on head-to-head") == 4
    assert client.get(wall_link(night)).text.count(">on head-to-head<") == 4
