"""The page of a decision names the players for whom the result will count."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from league.play.actions import (
    call_time,
    concede,
    correct_hand,
    dispute_game,
    settle_game,
    write_totals,
)
from league.play.auth import table_code
from league.play.models import Game, Result
from league.seating.actions import substitute
from league.sessions.attendance import arrive
from tests.builders import EIGHT, TEST, a_game_table, a_user, members_of
from tests.play.hands import made, write

pytestmark = pytest.mark.django_db


@pytest.fixture
def table():
    """A table at which Kit takes Ted's seat, after three hands or before the first one."""
    return a_game_table()


def put_in_kit(table):
    kit = members_of(table.session.club, 10)[9]
    arrive(table.session, kit, by=TEST, at=EIGHT)
    substitute(table, 2, kit, by=TEST)


def page_of_decision(client, table):
    club, game = table.session.club, Game.objects.get()
    client.force_login(a_user(club=club))
    page = client.get(reverse("game", args=[club.slug, game.public_id]), {"then": "disputes"})
    return page.content.decode().split('id="decide"')[1]


@pytest.mark.parametrize(("decision", "more"), [("decided", {"winners": [0]}), ("stands", {}),
                                                ("score", {"score": [10, 3]})])  # fmt: skip
def test_before_the_substitute_has_played_it_names_who_played_last(client, table, decision, more):
    write(table, (0, 5), (1, 3), (0, 3))
    put_in_kit(table)
    page = page_of_decision(client, table)
    assert "Kit hasn&#x27;t played a hand yet." in page.replace("'", "&#x27;")
    assert "<span>Rose &amp; Ted</span>" in page
    assert "Rose &amp; Kit" not in page
    settle_game(table, decision, reason="Late", by=TEST, at=EIGHT, **more)
    finished = Result.objects.filter(finished=True).values_list("member__name", flat=True)
    assert set(finished) == {"Ann", "Bill", "Rose", "Ted"}


def test_once_the_substitute_has_played_it_names_the_substitute(client, table):
    write(table, (0, 5))
    put_in_kit(table)
    write(table, (1, 3))
    page = page_of_decision(client, table)
    assert "<span>Rose &amp; Kit</span>" in page
    assert "hasn" not in page


@pytest.fixture
def ended(table):
    """The same after three hands, once time was called before Kit played one."""
    table.session.club.confirm = "opponent"
    table.session.club.save()
    write(table, (0, 5), (1, 3), (0, 3))
    put_in_kit(table)
    call_time(table, by=TEST, at=EIGHT)
    return table


def test_the_board_and_its_message_name_who_played_once_time_is_called(client, ended):
    club = ended.session.club
    client.force_login(a_user(club=club))
    confirm = reverse("confirm_result", args=[club.slug, Game.objects.get().public_id])
    page = client.post(confirm, {"then": "board"}, follow=True).content.decode()
    assert "Table 1 · Rose &amp; Ted won 3" in page
    score = page.partition('class="tile-score')[2].partition("</dl>")[0]
    assert "Rose &amp; Ted" in score
    assert "Kit" not in score


def test_the_end_of_a_game_names_who_played_and_the_substitutes_phone_answers_for_them(
    client, ended
):
    client.post(reverse("table_door"), {"code": table_code(ended)})
    page = client.get(reverse("table_entry", args=[ended.public_id])).content.decode()
    assert "Rose &amp; Ted won 3" in page
    assert "Dispute as Rose &amp; Kit" in page
    answers = page.partition("data-answers")[2]
    _confirms, disputes = re.findall(r'data-people="([^"]+)"', answers)
    seats = ended.seats.filter(position=2)  # Ted's and Kit's
    assert {seat.member.public_id for seat in seats} <= {*disputes.split()}


def test_who_disputes_and_takes_it_back_is_the_substitute_and_not_who_has_left(client, ended):
    client.post(reverse("table_door"), {"code": table_code(ended)})
    confirm = reverse("table_confirm", args=[ended.public_id, 0])
    assert "You, Rose &amp; Kit" in client.get(confirm).text
    dispute_game(ended, reason="Not so", seat=0, by=TEST, at=EIGHT)
    page = client.get(reverse("table_entry", args=[ended.public_id])).text
    assert "Take the dispute back as Rose &amp; Kit" in page
    others = re.search(r'data-others="([^"]*)"', page)[1].split()
    away = ended.seats.filter(position__in=[1, 3]).values_list("member__public_id", flat=True)
    assert {*others} == {*away}


def test_the_page_of_unfinished_games_names_who_played(client, ended):
    at = [ended.session.club.slug, ended.session.public_id]
    client.force_login(a_user(club=ended.session.club))
    page = client.get(reverse("disputes", args=at)).text
    assert "Rose &amp; Ted" in page
    assert "Kit" not in page


def test_the_activity_log_names_who_played_once_time_is_called(client, ended):
    club = ended.session.club
    client.force_login(a_user(club=club, rank="owner"))
    page = client.get(reverse("audit", args=[club.slug])).text.partition("<tbody")[2]
    entry = re.sub(r"<[^>]+>", " ", page.partition("Called time")[2].partition("</tr>")[0])
    assert "Rose &amp; Ted" in entry
    assert "Kit" not in entry


def test_a_substitute_before_the_next_hand_is_named_at_once(client, table):
    write(table, (0, 5))
    put_in_kit(table)
    client.post(reverse("table_door"), {"code": table_code(table)})
    page = client.get(reverse("table_entry", args=[table.public_id])).content.decode()
    assert "Rose &amp; Kit" in page
    assert "Ted" not in page.partition("data-round")[2].partition("</fieldset>")[0]


def a_disputed_concession(table):
    write(table, (0, 3))
    concede(table, 0, by=TEST, at=EIGHT)
    dispute_game(table, reason="A joke", seat=0, counted=True, by=TEST, at=EIGHT)


def test_where_a_side_has_conceded_the_decision_names_who_wins(client, table):
    a_disputed_concession(table)
    page = page_of_decision(client, table)
    assert "The game counts as it is: Ann &amp; Bill won 0\u2009–\u20091 by concession." in page


def test_the_phone_of_a_disputed_concession_says_who_conceded(client, table):
    a_disputed_concession(table)
    client.post(reverse("table_door"), {"code": table_code(table)})
    page = client.get(reverse("table_entry", args=[table.public_id])).text
    assert "<p>Rose &amp; Ted conceded.</p>" in page


def test_the_board_says_which_side_conceded_a_game_with_hands(client, table):
    write(table, (0, 3))
    concede(table, 0, by=TEST, at=EIGHT)
    client.force_login(a_user(club=table.session.club))
    page = client.get(reverse("board", args=[table.session.club.slug, table.session.public_id]))
    tile = page.text.partition("tile-score")[2].partition("</dl>")[0]
    assert re.search(r'Rose &amp; Ted <span class="badge">conceded</span>', tile)
    assert re.findall(r'class="score">(.*)</dd>', tile) == ["1", "0"]


def test_a_decision_that_chooses_the_winner_names_him(client):
    table = a_game_table("nanaimo-three-handed", players=3)
    write(table, (1, 5), (2, 3))
    settle_game(table, "decided", winners=[1], reason="Bus came", by=TEST, at=EIGHT)
    page = words_of_game(client, table)
    assert "<b>Winner decided: Ann</b>" in page


def test_a_decision_for_the_score_that_stood_says_that_it_stands(client):
    table = a_game_table()
    write_totals(table, [10, 7], no_hands=True, by=TEST, at=EIGHT)
    settle_game(table, "score", score=[10, 7], reason="Read again", by=TEST, at=EIGHT)
    page = words_of_game(client, table)
    assert "<b>The score stands</b>" in page
    assert "<s>" not in page


def words_of_game(client, table):
    club, game = table.session.club, Game.objects.get()
    client.force_login(a_user(club=club))
    return client.get(reverse("game", args=[club.slug, game.public_id])).text


def test_the_phone_says_who_conceded_and_that_an_organiser_let_it_stand(client, table):
    a_disputed_concession(table)
    settle_game(table, "stands", reason="I saw it", by=TEST, at=EIGHT)
    client.post(reverse("table_door"), {"code": table_code(table)})
    page = client.get(reverse("table_entry", args=[table.public_id])).text
    assert "<p>Rose &amp; Ted conceded. Test decided: “I saw it”</p>" in page


@pytest.mark.parametrize(
    ("decision", "more", "said"),
    [
        ("score", {"score": [9, 4]}, "An organiser decided: Rose &amp; Ted won 9\u2009–\u20094."),
        (
            "decided",
            {"winners": [1, 3]},
            "An organiser decided: Ann &amp; Bill won by decision, 0\u2009–\u20091.",
        ),
    ],
)
def test_the_public_reads_what_an_organiser_decided_and_no_reason(
    client, table, decision, more, said
):
    a_disputed_concession(table)
    settle_game(table, decision, reason="A joke", by=TEST, at=EIGHT, **more)
    club, game = table.session.club, Game.objects.get()
    club.visibility, club.names_in_public = "standings", "full"
    club.save()
    page = client.get(reverse("game", args=[club.slug, game.public_id])).text
    assert said in page
    assert "Time was called." not in page
    assert "A joke" not in page


@pytest.mark.parametrize(("decision", "more"), [("stands", {}), ("score", {"score": [9, 4]})])
@pytest.mark.parametrize("called", [True, False])
def test_a_decided_game_says_whether_time_was_called_before(client, table, decision, more, called):
    at = timezone.now()
    write(table, (0, 3), at=at)
    if called:
        call_time(table, by=TEST, at=at)
        dispute_game(table, reason="A joke", seat=0, counted=True, by=TEST, at=at)
    settle_game(table, decision, reason="I saw it", by=TEST, at=at, **more)
    client.post(reverse("table_door"), {"code": table_code(table)})
    phone = client.get(reverse("table_entry", args=[table.public_id])).text
    assert phone.count("Time was called. Test decided") == called
    assert words_of_game(client, table).count("Time was called.") == called


def test_time_called_before_play_went_on_is_not_said_of_the_end(client, table):
    at = timezone.now()
    write(table, (0, 3), at=at)
    call_time(table, by=TEST, at=at)
    dispute_game(table, reason="A joke", seat=0, counted=True, by=TEST, at=at)
    settle_game(table, "play_on", reason="Go on", by=TEST, at=at)
    settle_game(table, "stands", reason="Bus came", by=TEST, at=at)
    assert "Time was called." not in words_of_game(client, table)


def test_the_public_reads_a_decision_without_the_names_that_a_club_hides(client):
    table = a_game_table()
    write_totals(table, [9, 7], no_hands=True, by=TEST, at=EIGHT)
    settle_game(table, "score", score=[9, 8], reason="Read again", by=TEST, at=EIGHT)
    club, game = table.session.club, Game.objects.get()
    club.visibility, club.names_in_public = "standings", "hidden"
    club.save()
    page = client.get(reverse("game", args=[club.slug, game.public_id])).text
    assert "An organiser decided: " in page
    assert not re.search("Rose|Ted|Ann|Bill", page)


def test_what_was_corrected_after_a_decision_is_not_what_the_organiser_decided(client):
    table = a_game_table()
    write(table, (0, 5), (1, 3), (0, 3))
    score = {"score": [10, 6], "reason": "Read again"}
    settle_game(table, "score", **score, by=TEST, at=EIGHT)
    hand = made(1, 5, dealer=1, alone=True)
    correct_hand(
        table, 2, hand, reason="a slip", expected_version=1, client_id="again", by=TEST, at=EIGHT,
        as_organiser=True,
    )  # fmt: skip
    club, game = table.session.club, Game.objects.get()
    club.visibility, club.names_in_public = "standings", "full"
    club.save()
    page = client.get(reverse("game", args=[club.slug, game.public_id])).text
    assert "An organiser decided: " not in page
    assert "An organiser decided this result. It was corrected since: Rose" in page
