"""Evenings of other games: every page about them opens, and tables of all sizes compare."""

from fractions import Fraction

import pytest
from django.template.loader import render_to_string
from django.urls import reverse

from league.live.paper import sheet_columns
from league.play.actions import record_hand, write_totals
from league.play.game_log import open_game_log
from league.play.models import Result
from league.play.results import is_lone
from league.ranking.measures import MEASURES
from league.seating.actions import draft_round, publish
from league.seating.models import Table
from league.sessions.models import Session
from league.standings.careers import career_of, record_of
from league.standings.forms import GameFilter
from league.standings.queries import exact, session_standings
from scoring import ruleset
from scoring.playouts import random_game, thinned
from tests.builders import (
    EIGHT,
    TEST,
    a_club,
    a_game_table,
    a_ruleset,
    a_session,
    a_user,
    members_of,
)

pytestmark = pytest.mark.django_db
SESSION_PAGES = (
    "session_standings", "print_standings", "games_table", "session_outlook", "seating",
    "certificate", "wall", "board", "print_sheets", "print_cards", "print_chart", "tables_to_enter",
)  # fmt: skip


def evening(*presets, policy="club"):
    """A published round, a default ruleset a size, every game played to its end by the site."""
    club = a_club(seating_policy=policy)
    for preset in presets:
        rules = a_ruleset(club, preset)
        type(rules).objects.filter(pk=rules.pk).update(is_default=True)
    people = members_of(club, sum(ruleset(preset).players for preset in presets))
    club_session = a_session(club, people)
    publish(draft_round(club_session, by=TEST, seed=4), by=TEST, at=EIGHT)
    for table in Table.objects.select_related("session__club", "ruleset"):
        rules = ruleset(table.ruleset.body)
        for number, record in enumerate(random_game(rules, seed=8), 1):
            dealt = thinned(record, rules, "counts").to_json()
            record_hand(table, dealt, client_id=f"hand-{number:04}", by=TEST, at=EIGHT,
                        confirm_unlikely=True)  # fmt: skip
    return club, club_session


def opens(client, club, club_session):
    """Every page about the evening, its games and its people."""
    client.force_login(a_user(club=club, rank="owner"))
    for name in SESSION_PAGES:
        answer = client.get(reverse(name, args=[club.slug, club_session.public_id]))
        assert answer.status_code == 200, name
        assert b"None" not in answer.content, name
        assert b"tables of two and three" not in answer.content, name  # nobody sat at one
    for table in Table.objects.all():
        game = open_game_log(table).game
        assert client.get(reverse("game", args=[club.slug, game.public_id])).status_code == 200
        person = table.seats.first().member
        assert (
            client.get(reverse("member_record", args=[club.slug, person.public_id])).status_code
            == 200
        )
    for name in ("standings", "ratings"):
        assert client.get(reverse(name, args=[club.slug])).status_code == 200


@pytest.mark.parametrize(
    ("presets", "policy"),
    [
        (("bid-racehorse-six", "standard-four-handed"), "sixes"),
        (("buck-euchre",), "club"),
    ],
)
def test_every_page_of_an_evening_opens(client, presets, policy):
    opens(client, *evening(*presets, policy=policy))


def test_a_sheet_says_how_many_hands_a_game_without_a_target_has(client):
    table = a_game_table("set-minus")
    client.force_login(a_user(club=table.session.club))
    page = reverse("print_sheets", args=[table.session.club.slug, table.session.public_id])
    assert " 8 hands" in client.get(page).content.decode()


def test_a_win_is_expected_of_one_in_so_many_sides():
    """Half a win at a table of two sides, a fifth of one at a table of five singles (D-97)."""
    evening("bid-racehorse-six", "standard-four-handed", policy="sixes")
    assert set(Result.objects.values_list("expected", flat=True)) == {0.5}
    assert Result.objects.filter(win_share__gt=0).count() == 5


@pytest.mark.parametrize(
    ("preset", "columns"),
    [
        ("standard-four-handed", ["Dealer", "Maker", "Alone", "Tricks"]),
        ("pepper", ["Dealer", "Bidder", "Bid", "Trump", "Tricks"]),
        ("five-hundred-four", ["Dealer", "Bidder", "Bid", "Trump", "Tricks"]),
        ("buck-euchre", ["Dealer", "Maker"]),  # tricks stand beside each player's score
        ("call-ace-five", ["Dealer", "Maker", "Partner", "Tricks"]),
        ("railroad", ["Dealer", "Maker", "Alone", "A defender alone", "Tricks"]),
    ],
)
def test_a_score_sheet_has_a_column_for_all_that_its_game_writes_down(preset, columns):
    assert sheet_columns(ruleset(preset)) == columns


def test_only_two_sides_play_against_each_other():
    sides = [{"names": [name], "won": name == "Ann"} for name in ("Ann", "Bo", "Cy")]
    said = [
        render_to_string("standings/_sides.html", {"record": {"sides": sides[:n]}}) for n in (2, 3)
    ]
    assert ["against" in one for one in said] == [True, False]


def test_counting_down_more_points_are_better():
    """The points of Buck are those that the score went down by; the lowest score has most."""
    evening("buck-euchre")
    game = Result.objects.first().game
    by_seat = dict(Result.objects.values_list("position", "points"))
    assert [by_seat[seat] for seat in range(4)] == [25 - score for score in game.score]
    assert max(by_seat, key=by_seat.get) in game.winners
    assert set(Result.objects.values_list("expected", flat=True)) == {0.25}


@pytest.mark.parametrize(("totals", "shares"), [
    ([-2, 0, 15, 35], [1, 1, Fraction(2, 5), Fraction(-2, 5)]),  # 25 counted down, 27 at most 25
])  # fmt: skip
def test_counting_down_nobody_comes_further_than_the_whole_way(totals, shares):
    """D-97: the share of the target is (start - points) / start, at most 1."""
    table = a_game_table("buck-euchre")
    write_totals(table, totals, no_hands=True, by=TEST, at=EIGHT)
    session = table.session
    standings = session_standings(session, at=EIGHT)
    by_seat = dict(Result.objects.values_list("position", "member"))
    share = MEASURES["share"]
    assert [share.figure(standings.tallies[by_seat[seat]]) for seat in range(4)] == shares
    assert Result.objects.get(position=0).points == 27


def test_counting_up_points_beyond_the_target_are_more_than_the_whole():
    table = a_game_table("standard-four-handed")
    write_totals(table, [12, 5], no_hands=True, by=TEST, at=EIGHT)
    assert Result.objects.get(position=0).target == 10


def test_a_players_page_counts_buck_as_the_table_does():
    """Who was left with most points lost: the trend said the opposite of the table above it."""
    evening("buck-euchre")
    for result in Result.objects.filter(games=1).select_related("member"):
        (step,) = career_of(result.member).trend
        difference = Fraction(result.points) - exact(result.points_against)
        assert (step.a_hand.count, step.a_hand.of) == (difference, result.hands)
        assert record_of(result.member)[-1].values["difference_a_hand"] == step.a_hand.share


def test_points_of_games_that_score_apart_are_not_added_up():
    evening("bid-racehorse-six", "standard-four-handed", policy="sixes")
    member = Result.objects.filter(players=4).first().member
    table = Result.objects.filter(players=6).first()
    Result.objects.filter(pk=table.pk).update(member=member)
    *one_size, together = record_of(member)
    assert all(line.values["difference_a_hand"] is not None for line in one_size)
    assert together.values["difference_a_hand"] is None


def test_a_bid_to_take_no_trick_is_no_lone_hand():
    rules = a_ruleset(a_club(), "five-hundred-four", misere="on")
    assert not is_lone({"contract": {"seat": 0, "special": "misere"}}, rules.lone_bids)
    assert is_lone({"contract": {"seat": 0, "alone": True}}, rules.lone_bids)


def test_a_callers_bonus_is_the_callers_alone():
    """D-92: the side scores what the partner takes."""
    table = a_game_table("railroad", caller_bonus=1)
    hand = {"dealer": 3, "contract": {"seat": 0, "alone": True}, "tricks_won": {"makers": 5}}
    record_hand(table, hand, client_id="hand-0001", by=TEST, at=EIGHT, confirm_unlikely=True)
    by_seat = dict(Result.objects.values_list("position", "points"))
    side = open_game_log(table).state.score[0]
    assert by_seat == {0: side + 1, 1: 0, 2: side, 3: 0}


def test_the_games_of_a_night_are_chosen_by_every_size_of_table():
    assert [value for value, _ in GameFilter().form.fields["size"].choices] == ["", *"2345678"]


@pytest.mark.parametrize(
    ("presets", "tile"),
    [
        (("pepper",), "Bids set"),
        (("bid-racehorse-six", "standard-four-handed"), "Euchres and bids set"),
        (("standard-four-handed",), "Euchres"),
    ],
)
def test_a_failed_call_has_the_word_of_its_game(client, presets, tile):
    club, club_session = evening(*presets, policy="sixes")
    Session.objects.update(state=Session.State.CLOSED)
    client.force_login(a_user(club=club, rank="owner"))
    page = client.get(reverse("session_standings", args=[club.slug, club_session.public_id]))
    tiles = page.content.decode().partition('<dl class="tiles">')[2].partition("</dl>")[0]
    words = {" ".join(one.split("</dt>")[0].split()) for one in tiles.split("<dt>")}
    assert tile in words or tile.replace("Euchres", "Euchre").replace("Bids", "Bid") in words
    assert ("Lone marches" in tiles or "Lone march<" in tiles) == (presets != ("pepper",))
    for table in Table.objects.select_related("ruleset"):
        person = table.seats.first().member
        own = client.get(reverse("member_record", args=[club.slug, person.public_id]))
        column = "Set" if table.ruleset.scale.startswith("bid") else "Euchred"
        assert f'<th scope="col" class="number">{column}</th>' in own.content.decode()
