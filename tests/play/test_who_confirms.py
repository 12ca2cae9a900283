"""Who may confirm a finished game: where the other side does, no side that won."""

import re
from contextlib import suppress

import pytest
from django.urls import reverse
from django.utils import timezone

from league.errors import Refused
from league.members.models import AuditEntry
from league.play.actions import (
    call_time,
    concede,
    confirm_game,
    correct_hand,
    dispute_game,
    resume,
    rule_penalty,
    settle_game,
    write_totals,
)
from league.play.auth import table_code
from league.play.models import Game
from tests.builders import EIGHT, TEST, a_game_table, a_user
from tests.pages import squeezed
from tests.play.hands import write, write_records

pytestmark = pytest.mark.django_db
BY = {"by": TEST, "at": EIGHT}
LOST = {"makers": 4}


def a_table_confirmed_by(confirm, preset="standard-four-handed", players=4):
    table = a_game_table(preset, players=players)
    table.session.club.confirm = confirm
    table.session.club.save()
    return table


@pytest.fixture
def table():
    return a_table_confirmed_by("opponent")


@pytest.fixture
def phone(client, table):
    client.post(reverse("table_door"), {"code": table_code(table)})
    return client


def at(name, table, *args):
    return reverse(name, args=[table.public_id, *args])


def seats_that_may_confirm(table):
    """The seats whose confirmation is taken; the game is put back after each."""
    taken = []
    for seat in range(table.players):
        with suppress(Refused):
            confirm_game(table, seat=seat, **BY)
            taken.append(seat)
            Game.objects.update(state="finished")
    return taken


def test_only_the_side_that_lost_confirms(table):
    write(table, *[(0, 5)] * 5)
    assert seats_that_may_confirm(table) == [1, 3]


def test_of_a_final_score_too_only_the_side_that_lost_confirms(table):
    write_totals(table, [10, 1], no_hands=True, **BY)
    assert seats_that_may_confirm(table) == [1, 3]


def test_after_a_concession_the_side_that_conceded_confirms(table):
    write(table, (1, 5))
    concede(table, 1, **BY)
    assert seats_that_may_confirm(table) == [1, 3]


def test_any_side_confirms_a_draw(table):
    write(table, (0, 3), (1, 3))
    call_time(table, **BY)
    assert seats_that_may_confirm(table) == [0, 1, 2, 3]


def test_of_three_players_each_who_did_not_win_confirms():
    three = a_table_confirmed_by("opponent", "nanaimo-three-handed", 3)
    write(three, *[(0, 5)] * 4)
    assert seats_that_may_confirm(three) == [1, 2]


def test_of_two_who_win_together_neither_confirms():
    three = a_table_confirmed_by("opponent", "keller-1887-three-handed", 3)
    write(three, (0, 5), (1, 3), (2, 3), (1, 3), (1, 3), (2, 5), (0, 3), (1, 3), (2, 1))
    assert Game.objects.get().winners == [0, 1]
    assert seats_that_may_confirm(three) == [2]


def test_an_organiser_confirms_without_a_side(table):
    write(table, *[(0, 5)] * 5)
    confirm_game(table, **BY)
    assert Game.objects.get().state == "confirmed"


def test_the_winners_may_still_dispute(table):
    write(table, *[(0, 5)] * 5)
    dispute_game(table, reason="we had eleven", seat=0, **BY)
    settle_game(table, "stands", reason="counted", **BY)
    assert Game.objects.get().state == "confirmed"


def test_where_an_organiser_confirms_no_side_does():
    table = a_table_confirmed_by("organiser")
    write(table, *[(0, 5)] * 5)
    with pytest.raises(Refused) as trouble:
        confirm_game(table, seat=1, **BY)
    assert (trouble.value.code, Game.objects.get().state) == ("organiser-confirms", "finished")


def test_the_winners_phone_cannot_post_a_confirmation(phone, table):
    write(table, *[(0, 5)] * 5)
    answer = phone.post(at("table_confirm", table, 0), {"word": "accept"})
    assert (answer.status_code, Game.objects.get().state) == (403, "finished")
    assert "The other side confirms this score." in squeezed(answer.content.decode())


def test_who_confirms_can_check_the_sum_with_penalties_corrections_and_the_running_score(
    phone, table
):
    write(table, (0, 5), (1, 3), (0, 5))
    rule_penalty(table, by_seat=0, form="add", client_id="penalty", **BY)
    record = {"dealer": 1, "contract": {"seat": 1}, "outcome": "march"}
    correct_hand(table, 2, record, reason="wrong", expected_version=1, client_id="two", **BY)
    write(table, *[(1, 5)] * 3)
    page = squeezed(phone.get(at("table_confirm", table, 0)).content.decode())
    sheet = page[page.index("Score sheet, hand by hand") :]
    assert "Renege by Rose" in sheet
    assert re.findall(r"<s>(.*?)</s>", sheet) == ["Ann: made, 3 tricks"]
    running = re.findall(r'<td class="number running">(.*?)</td>', sheet)
    assert list(zip(running[::2], running[1::2], strict=True)) == [
        ("2", "0"),
        ("2", "2"),
        ("4", "2"),
        ("4", "4"),
        ("4", "6"),
        ("4", "8"),
        ("4", "10"),
    ]


def test_the_page_offers_the_winners_only_to_dispute(phone, table):
    write(table, *[(0, 5)] * 5)
    end = squeezed(phone.get(at("table_entry", table)).content.decode())
    assert "Confirm or dispute as Ann &amp; Bill" in end
    assert "Dispute as Rose &amp; Ted" in end
    assert "Ann &amp; Bill, please check the score and confirm it." in end
    winners = phone.get(at("table_confirm", table, 0)).content.decode()
    losers = phone.get(at("table_confirm", table, 1)).content.decode()
    assert "Yes, confirm this score" in losers
    assert "Yes, confirm this score" not in winners
    assert "Dispute the result" in winners


def test_a_phone_learns_which_seats_an_answer_is_for(phone, table):
    write(table, *[(0, 5)] * 5)
    end = phone.get(at("table_entry", table)).content.decode()
    people = [seat.member.public_id for seat in table.seats.order_by("position")]
    keys = re.findall(r'href="([^"]+)"\s+data-people="([^"]+)"', end)
    assert (
        [(link, people_of.split()) for link, people_of in keys]
        == [
            (at("table_confirm", table, 1), people[1::2]),  # may confirm, and so comes first
            (at("table_confirm", table, 0), people[0::2]),
        ]
    )


def test_a_score_that_an_organiser_decided_is_not_said_to_be_called_for_time(phone, table):
    write(table, *[(0, 5)] * 5)
    dispute_game(table, reason="we had nine", seat=1, **BY)
    settle_game(table, "score", score=[9, 9], reason="both sheets agree", **BY)
    end = squeezed(phone.get(at("table_entry", table)).content.decode())
    assert "Test decided: 9\u2009–\u20099 (was 10\u2009–\u20090): “both sheets agree”" in end
    assert "Time was called" not in end


def test_who_finds_a_hand_wrong_may_correct_it_at_the_table_before_anybody_confirms(phone, table):
    write(table, *[(0, 5)] * 5, at=timezone.now())
    page = squeezed(phone.get(at("table_confirm", table, 1)).content.decode())
    assert f'<a href="{at("table_entry", table)}#corrections">Correct a hand</a>' in page
    assert 'id="corrections"' in phone.get(at("table_entry", table)).content.decode()


def test_the_sheet_of_a_conceded_game_says_who_conceded(client, table):
    concede(table, 1, **BY)
    game = Game.objects.get()
    client.force_login(a_user(club=table.session.club))
    page = client.get(reverse("game", args=[table.session.club.slug, game.public_id]))
    assert "<p>Ann &amp; Bill conceded.</p>" in page.content.decode()
    assert "sheet-score" not in page.content.decode()  # nobody has scored


def test_a_game_conceded_before_its_first_hand_is_won_without_a_score(phone, table):
    concede(table, 1, **BY)
    end = squeezed(phone.get(at("table_entry", table)).content.decode())
    assert "Rose &amp; Ted won by concession" in end
    assert "won 0" not in end
    three = a_game_table("nanaimo-three-handed", players=3, slug="three")
    concede(three, 0, **BY)
    phone.post(reverse("table_door"), {"code": table_code(three)})
    end = squeezed(phone.get(at("table_entry", three)).content.decode())
    assert "Ann &amp; Ted won by concession" in end


def test_lists_and_the_board_say_conceded_in_place_of_a_score_that_nobody_made(client, table):
    concede(table, 1, **BY)
    session = table.session
    client.force_login(a_user(club=session.club, rank="organiser"))
    for name in ("tables_to_enter", "games_table", "disputes"):
        page = client.get(reverse(name, args=[session.club.slug, session.public_id]))
        line = page.content.decode().partition('class="score"')[2]
        assert "conceded" in line.partition("</li>")[0].partition("</tr>")[0], name
    board = reverse("board", args=[session.club.slug, session.public_id])
    tile = client.get(board).content.decode().partition("tile-score")[2].partition("</dl>")[0]
    assert re.findall(r'class="score">(.*)</dd>', tile) == ["–", "conceded"]
    resume(table, **BY)
    write(table, (0, 5))
    concede(table, 1, **BY)
    tile = client.get(board).content.decode().partition("tile-score")[2].partition("</dl>")[0]
    assert re.findall(r'class="score">(.*)</dd>', tile) == ["2", "0"]


def test_no_dash_stands_beside_a_minus_in_the_list_of_games(client):
    table = a_table_confirmed_by("none", "five-hundred-four")
    write_records(table, {"contract": {"seat": 0, "tricks": 7, "trump": "h"}, "tricks_won": LOST})
    client.force_login(a_user(club=table.session.club, rank="organiser"))
    where = [table.session.club.slug, table.session.public_id]
    page = client.get(reverse("games_table", args=where)).content.decode()
    assert re.search(r'class="score"[^>]*>−\d+ to \d+</a>', page)


def test_the_phone_of_a_disputed_table_says_who_decides_and_calls_the_organiser(phone, table):
    write(table, *[(0, 5)] * 5, at=timezone.now())
    dispute_game(table, reason="No march", seat=1, by=TEST, at=timezone.now())
    end = squeezed(phone.get(at("table_entry", table)).content.decode())
    assert "An organiser decides. Nothing can be changed at the table until then." in end
    assert "Call the organiser" in end
    assert end.index("Call the organiser") < end.index("Standings")
    assert "Correct hand" not in end


def test_an_organiser_at_a_disputed_table_is_led_to_the_decision(client, table):
    write(table, *[(0, 5)] * 5, at=timezone.now())
    game = dispute_game(table, reason="No march", seat=1, by=TEST, at=timezone.now())
    client.force_login(a_user("olive", club=table.session.club))
    end = squeezed(client.get(at("table_entry", table)).content.decode())
    decision = reverse("game", args=[table.session.club.slug, game.public_id])
    assert f'href="{decision}">Decide the result</a>' in end
    assert "Nothing can be changed" not in end


def test_a_dispute_by_mistake_is_taken_back_at_the_table(phone, table):
    write(table, *[(0, 5)] * 5, at=timezone.now())
    dispute_game(table, reason="No march", seat=1, by=TEST, at=timezone.now())
    page = squeezed(phone.get(at("table_entry", table)).content.decode())
    assert "Take the dispute back as Ann &amp; Bill" in page
    page = squeezed(phone.post(at("withdraw_dispute", table), follow=True).content.decode())
    assert "Dispute taken back. The score is waiting to be confirmed." in page
    assert "Confirm or dispute as Ann &amp; Bill" in page
    club = table.session.club
    entry = AuditEntry.objects.latest("pk")
    assert (entry.action, entry.old["reason"]) == ("withdraw dispute", "No march")
    phone.force_login(a_user(club=club, rank="organiser"))
    desk = reverse("disputes", args=[club.slug, table.session.public_id])
    assert "<h2>To decide</h2>" not in phone.get(desk).content.decode()
    assert seats_that_may_confirm(table) == [1, 3]


def test_what_an_organiser_has_decided_or_disputed_no_table_takes_back(phone, table):
    write(table, *[(0, 5)] * 5, at=timezone.now())
    dispute_game(table, reason="No march", by=TEST, at=timezone.now())  # not for a side
    page = phone.get(at("table_entry", table)).content.decode()
    assert "Take the dispute back" not in page
    assert phone.post(at("withdraw_dispute", table)).status_code == 409
    settle_game(table, "stands", reason="Seen", by=TEST, at=timezone.now())
    assert phone.post(at("withdraw_dispute", table)).status_code == 409
    assert Game.objects.get().state == "confirmed"


def test_a_score_below_zero_has_no_dash_beside_its_minus(client):
    table = a_table_confirmed_by("none", "five-hundred-four")
    write_records(table, {"contract": {"seat": 0, "tricks": 7, "trump": "h"}, "tricks_won": LOST})
    client.force_login(a_user(club=table.session.club))
    code = Game.objects.get().public_id
    page = client.get(reverse("game", args=[table.session.club.slug, code])).content.decode()
    score = page[page.index("sheet-score") :].partition("</p>")[0]
    assert "−" in score
    assert "to</i>" in score
    assert "–" not in score


def test_a_confirmed_concession_is_taken_back_by_an_organiser_alone(table):
    concede(table, 1, **BY)
    confirm_game(table, seat=1, **BY)
    with pytest.raises(Refused, match="Ask the organiser"):
        resume(table, **BY)
    assert resume(table, as_organiser=True, **BY).state == "playing"


def test_who_decides_from_the_board_is_back_there_and_reads_what_counts(client, table):
    write(table, *[(0, 5)] * 5)
    dispute_game(table, reason="No march", seat=1, **BY)
    club = table.session.club
    client.force_login(a_user(club=club))
    settle = reverse("settle_game", args=[club.slug, Game.objects.get().public_id])
    sent = {"decision": "stands", "reason": "", "then": "board"}
    refused = squeezed(client.post(settle, sent).content.decode())
    head = refused.index('id="decide-head"')
    assert refused.index("Add a short reason.") > head  # beside the form, not at the top
    assert 'name="then" value="board"' in refused
    answer = client.post(settle, sent | {"reason": "Both agree"}, follow=True)
    assert answer.redirect_chain[-1][0] == reverse(
        "board", args=[club.slug, table.session.public_id]
    )
    assert "Table 1 · Rose &amp; Ted won 10" in answer.content.decode()


def test_the_phone_of_a_game_follows_a_winner_whom_an_organiser_chose(client):
    table = a_table_confirmed_by("none")
    client.post(reverse("table_door"), {"code": table_code(table)})
    write(table, *[(0, 5)] * 5)
    seen = client.get(at("table_entry", table)).context["entry"].stamp
    settle_game(table, "decided", winners=[1], reason="Wrong cards dealt", **BY)
    news = client.get(at("table_news", table), {"seen": seen}).content.decode()
    assert 'data-moved="hands"' in news


@pytest.mark.parametrize("hands", [5, 3])
def test_play_on_is_offered_only_where_the_hands_have_not_ended_the_game(client, table, hands):
    write(table, *[(0, 5)] * hands)
    if hands < 5:
        call_time(table, **BY)
    dispute_game(table, reason="No march", seat=1, **BY)
    club = table.session.club
    client.force_login(a_user(club=club))
    page = client.get(reverse("game", args=[club.slug, Game.objects.get().public_id]))
    assert ('value="play_on"' in page.content.decode()) == (hands < 5)


@pytest.mark.parametrize(("seat", "scores"), [(0, ["10", "0"]), (1, ["0", "10"])])
def test_who_confirms_reads_the_points_of_their_own_side_first(phone, table, seat, scores):
    write(table, *[(0, 5)] * 5)
    page = squeezed(phone.get(at("table_confirm", table, seat)).content.decode())
    main = page[page.index("<h1>") :]
    assert re.findall(r'<dd class="score big">(.*?)</dd>', main) == scores
    assert main.index("You, ") < main.index('<dd class="score big">')


def signed_in(client, table, rank):
    client.force_login(a_user(rank, club=table.session.club, rank=rank))
    return squeezed(client.get(at("table_entry", table)).content.decode())


@pytest.mark.parametrize(("rank", "may"), [("scorekeeper", False), ("organiser", True)])
def test_a_confirmed_game_is_offered_for_correction_to_organisers_only(client, table, rank, may):
    write(table, (0, 5), at=timezone.now())
    concede(table, 1, by=TEST, at=timezone.now())
    confirm_game(table, by=TEST, at=timezone.now())
    page = signed_in(client, table, rank)
    assert ("Correct hand 1" in page, at("table_resume", table) in page) == (may, may)
    assert ("As a scorekeeper you can't change it any more: call the organiser." in page) is not may


def test_a_scorekeeper_may_record_a_misdeal_however_long_ago_the_last_hand_was(client, table):
    write(table, (0, 5))
    assert "Record misdeal" in signed_in(client, table, "scorekeeper")


@pytest.mark.parametrize("word", ["accept", "dispute"])
def test_who_confirms_a_game_that_is_back_in_play_is_led_to_the_table(phone, table, word):
    write(table, *[(0, 5)] * 5, at=timezone.now())
    seen = Game.objects.get().score_seen
    record = {"dealer": 0, "contract": {"seat": 0}, "outcome": "made"}
    correct_hand(table, 1, record, reason="wrong", expected_version=1, client_id="one", **BY)
    sent = {"word": word, "seen": seen, "reason": ""}
    answer = phone.post(at("table_confirm", table, 1), sent, follow=True)
    assert answer.redirect_chain == [(at("table_entry", table), 302)]
    assert "Table 1 is back in play: 9\u2009–\u20090." in answer.content.decode()


def test_a_score_that_has_changed_is_asked_again_without_asking_for_a_reason(phone, table):
    write(table, *[(0, 5)] * 5, at=timezone.now())
    answer = phone.post(at("table_confirm", table, 1), {"word": "accept", "seen": "2,10"})
    page = squeezed(answer.content.decode())
    assert "The score has changed. Check it again." in page
    assert "Yes, confirm this score" in page
    assert "Add a short reason." not in page
