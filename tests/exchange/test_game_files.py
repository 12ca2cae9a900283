"""Games as EGN, EMN, hand records and sheets: what leaves the site is what was played."""

import csv
import io
import json

import pytest
from django.test import Client
from django.urls import reverse

from league.exchange.game_files import records_of, why_not_egn
from league.members.models import Member, User
from league.play.actions import rule_penalty
from league.play.game_log import open_game_log
from scoring import HandRecord
from scoring.files import check_game_text, check_lines
from tests.builders import EIGHT, TEST, a_user
from tests.exchange.recorded import a_game_of_cards, a_game_of_counts

pytestmark = pytest.mark.django_db


def fetch(game, name, *args, client=None):
    club = game.session.club
    if client is None:
        client = Client()
        client.force_login(User.objects.filter(roles__club=club).first() or a_user(club=club))
    thing = game if name.startswith("game_") else game.session
    return client.get(reverse(name, args=[club.slug, thing.public_id, *args]))


def test_a_game_written_with_its_cards_leaves_as_egn_with_the_same_score():
    game = a_game_of_cards()
    answer = fetch(game, "game_egn")
    (checked,) = check_game_text(answer.content)
    assert (answer.status_code, checked["valid"], checked["faults"]) == (200, True, [])
    assert checked["score"] == game.score


def test_the_hands_of_the_egn_are_the_hands_written_down():
    game = a_game_of_cards()
    (checked,) = check_game_text(fetch(game, "game_egn").content)
    assert [hand["points"] for hand in checked["hands"]] == [one.points for one in game.hands.all()]


def test_a_game_without_cards_is_refused_as_egn_and_told_why():
    game = a_game_of_counts((0, 3))
    answer = fetch(game, "game_egn")
    assert answer.status_code == 409
    assert "Hand 1 was recorded without its" in answer.content.decode()
    page = fetch(game, "session_files").content.decode()
    assert "Hand 1 was recorded without its" in page
    assert reverse("session_emn", args=[game.session.club.slug, game.session.public_id]) not in page
    member = Client()
    member.force_login(a_user("molly", club=game.session.club, rank="member"))
    assert "(EGN)" not in fetch(game, "session_files", client=member).content.decode()


def test_why_a_game_is_no_egn_is_said_in_the_words_of_the_site():
    page = fetch(a_game_of_counts((0, 3), deal_pattern="3-2"), "session_files").content.decode()
    assert "EGN has no place for the house rule" in page
    assert "deal_pattern" not in page


def test_a_three_handed_game_is_refused_as_egn_and_told_why():
    assert (
        "four players" in why_not_egn(open_game_log(a_game_of_counts((0, 3), players=3).table))[0]
    )


def test_a_penalty_beside_the_hands_has_no_place_in_egn():
    game = a_game_of_cards(only=2)
    before = why_not_egn(open_game_log(game.table))
    rule_penalty(game.table, by_seat=0, client_id="ruling-1", by=TEST, at=EIGHT)
    assert (before, why_not_egn(open_game_log(game.table))) == (
        (),
        ("A ruling changed the score beside the hands.",),
    )


def test_a_session_leaves_as_one_match_with_the_score_of_every_game():
    game = a_game_of_cards()
    checked = check_game_text(fetch(game, "session_emn").content)
    assert [(one["valid"], one["score"]) for one in checked] == [(True, game.score)]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_hand_records_are_valid_by_the_rules_that_each_line_names(players):
    game = a_game_of_counts((0, 3), (1, 5), players=players)
    lines = fetch(game, "session_records").content.splitlines(keepends=True)
    checked = list(check_lines(lines))
    assert [answer.valid for answer in checked] == [True, True]
    assert [list(answer.points) for answer in checked] == [hand.points for hand in game.hands.all()]


def test_a_record_names_the_preset_and_what_the_club_changed_of_it():
    game = a_game_of_counts((0, 3), march=3)
    (record,) = records_of(open_game_log(game.table))
    assert record["ruleset"] == "standard-four-handed"
    assert record["options"] == {"march": 3}


def test_a_sheet_of_hands_holds_every_hand_and_its_record():
    game = a_game_of_counts((0, 3), (1, 5))
    text = fetch(game, "session_hands", "csv").content.decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["hand"] for row in rows] == ["1", "2"]
    assert rows[0]["player 1"] == "Rose"
    checked = [HandRecord.from_json(json.loads(row["record"])).to_json() for row in rows]
    assert checked == [hand.record for hand in game.hands.all()]


def test_in_public_a_file_names_people_as_the_pages_do():
    game = a_game_of_cards()
    club = game.session.club
    club.visibility = "standings"
    club.save()
    Member.objects.filter(name="Rose").update(name="Rose Whitfield")
    Member.objects.filter(name="Ann").update(is_minor=True, name="Ann Minor")
    for name, args in [("game_egn", ()), ("session_emn", ()), ("session_hands", ("csv",))]:
        text = fetch(game, name, *args, client=Client()).content.decode("utf-8-sig")
        assert "Rose W." in text, name
        assert "Whitfield" not in text, name
        assert "Ann" not in text, name


def test_a_session_is_exported_in_a_fixed_number_of_queries(django_assert_max_num_queries):
    game = a_game_of_counts((0, 3), (1, 5))
    client = Client()
    client.force_login(a_user(club=game.session.club))
    with django_assert_max_num_queries(12):
        assert fetch(game, "session_hands", "csv", client=client).status_code == 200
