"""What the table's page says of a game: how it ended, why it goes on, whose turn it was."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from league.labels import one_stop
from league.members.models import Member
from league.play.actions import call_time, confirm_game
from league.play.auth import TableAccess, table_code, table_link
from league.play.game_log import open_game_log
from league.play.game_over import GameOver, welcome
from league.play.previews import preview_of
from league.play.table_page import EntryPage
from league.play.text import hand_text, sentence
from league.seating.actions import make_cards_up_to
from league.sessions.actions import pause_clock, start_clock
from scoring import check_hand, ruleset
from scoring.faults import fault
from tests.builders import TEST, a_game_table, a_session, a_table, a_user, members_of
from tests.pages import squeezed
from tests.play.hands import write_records

NAMES = ["Rose", "Ann", "Ted", "Bill"]


def sentence_of(preset, record, **options):
    rules = ruleset({"extends": preset, "options": options})
    return hand_text(record, check_hand(record, rules), NAMES)


def test_a_bid_to_take_no_trick_has_no_trump_and_a_bids_name_begins_its_sentence():
    misere = {"dealer": 0, "contract": {"seat": 1, "special": "misere"}}
    assert sentence_of("five-hundred-four", misere | {"tricks_won": {"makers": 0}}) == (
        "Ann: Misère, took 0"
    )
    pepper = {"dealer": 0, "contract": {"seat": 1, "special": "big_pepper", "trump": "h"}}
    assert sentence_of("pepper", pepper | {"tricks_won": {"makers": 6}}) == (
        "Ann: Big pepper in hearts, took 6"
    )


@pytest.mark.django_db
def test_two_open_sessions_with_a_table_of_the_number_are_a_choice_and_no_fault(client):
    table = a_game_table()
    club = table.session.club
    make_cards_up_to(club, 1, by=TEST)
    a_table(a_session(club), members_of(club, 12)[4:8], table.ruleset)
    page = client.post(reverse("table_door"), {"code": club.table_cards.get().code})
    assert 'class="notice" role="alert"' in page.content.decode()
    page = client.post(reverse("table_door"), {"code": "ABCD2345"})
    assert 'class="notice bad" role="alert"' in page.content.decode()


@pytest.mark.django_db
def test_a_sentence_after_a_short_name_has_one_full_stop(client):
    table = a_game_table("nanaimo-three-handed", players=3)
    club = table.session.club
    names = ["Jean Broad", "Betty Fox", "Jean Bolt"]
    for seat, name in zip(table.seats.order_by("position"), names, strict=True):
        Member.objects.filter(pk=seat.member_id).update(name=name, name_key=name.lower())
    assert welcome(table).endswith("Betty – Jean Bo. Jean Br. deals first.")
    client.force_login(a_user(club=club))
    page = client.post(reverse("member_add", args=[club.slug]), {"name": "Kit Y."}, follow=True)
    assert "Added Kit Y." in page.text
    assert "Kit Y.." not in page.text
    assert one_stop("And so on...") == "And so on..."


def test_a_fast_break_and_a_lone_defender_are_named():
    broken = {"dealer": 0, "contract": {"seat": 1}, "fast_break": True, "tricks_won": {"makers": 3}}
    assert sentence_of("standard-four-handed", broken, fast_break=True) == "Ann: fast break"
    alone = {"dealer": 0, "contract": {"seat": 1}, "lone_defender": 2, "tricks_won": {"makers": 3}}
    assert sentence_of("standard-four-handed", alone, defend_alone="always") == (
        "Ann: made, 3 tricks; Ted defended alone"
    )


def test_a_fault_of_the_bidding_speaks_of_bids_as_people_do():
    over = fault("call-not-allowed/only-over", 4, text="misere", text_found="7")
    assert sentence(over, NAMES) == "Misère can only be bid over 7."
    odd = fault("bad-format/not-one-of", 4, field="auction[0].call", choices="pass, order-up")
    assert "auction" not in sentence(odd, NAMES)
    assert "order-up" not in sentence(odd, NAMES)


def page_of(table):
    access = TableAccess(table, TEST, None)
    return EntryPage(access, open_game_log(table), at=timezone.now())


@pytest.mark.django_db
def test_the_last_page_of_a_bid_game_counts_bids_and_names_everybody():
    table = a_game_table("bid-hoosier-three-player", players=3)
    bid = {"seat": 0, "tricks": 5, "trump": "h"}
    for won in ([8, 1, 1], [8, 1, 1], [3, 4, 3], [9, 1, 0], [10, 0, 0], [9, 1, 0]):
        log = open_game_log(table)
        if not log.state.over:
            write_records(table, {"contract": bid, "tricks_won": won})
    log = open_game_log(table)
    over = GameOver(log, page_of(table).sides)
    assert [name for name, _count in over.facts] == ["hands", "bids made", "bid set"]
    assert over.result_text.startswith("Rose won. Rose ")
    assert "Ann " in over.result_text


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("euchres", "said"),
    [(3, "Rose & Ann won together. Rose 6, Ann 6, Ted 0"), (2, "Rose and Ann tied. Rose 4,")],
)
def test_who_reach_the_target_together_have_won_and_who_are_level_at_time_are_tied(euchres, said):
    table = a_game_table("keller-1887-three-handed", players=3)
    for _hand in range(euchres):
        call = {"seat": 2, "trump": "h"}
        write_records(table, {"contract": call, "tricks_won": [2, 2, 1]})
    if euchres < 3:
        call_time(table, by=TEST, at=timezone.now())
    over = GameOver(open_game_log(table), page_of(table).sides)
    assert over.result_text.startswith(said)


@pytest.mark.django_db
def test_two_pairs_who_are_level_at_time_are_joined_by_a_word():
    table = a_game_table()
    write_records(table, {"contract": {"seat": 0}, "tricks_won": {"makers": 3}})
    write_records(table, {"contract": {"seat": 1}, "tricks_won": {"makers": 3}})
    call_time(table, by=TEST, at=timezone.now())
    over = GameOver(open_game_log(table), page_of(table).sides)
    assert over.result_text == "Rose & Ted and Ann & Bill tied 1\u2009–\u20091"


@pytest.mark.django_db
def test_the_preview_of_the_last_hand_says_the_winner_once():
    table = a_game_table("five-hundred-three", players=3, target=100)
    bid = {"seat": 0, "tricks": 8, "trump": "s"}
    record = {"dealer": 0, "contract": bid, "tricks_won": [8, 2, 0]}
    assert preview_of(open_game_log(table), record).after == "Rose wins, 240 (Ann 20, Ted 0)"


@pytest.mark.django_db
def test_the_page_says_why_a_game_is_not_over_yet():
    table = a_game_table("five-hundred-four", target=100)
    bid = {"seat": 0, "tricks": 6, "trump": "s"}
    write_records(
        table,
        {"contract": bid, "tricks_won": {"makers": 6}},
        {"contract": {"seat": 1, "tricks": 6, "trump": "h"}, "tricks_won": {"makers": 3}},
    )
    page = page_of(table)
    assert page.sides[0].points >= 100
    assert page.why_not_over == "Play goes on: the game is won only by making a bid of your own."


@pytest.mark.django_db
def test_a_table_of_tokens_shows_how_many_a_side_holds():
    table = a_game_table(four_trick_tokens=True)
    write_records(table, {"contract": {"seat": 0}, "tricks_won": {"makers": 4}})
    assert [side.tokens for side in page_of(table).sides] == [1, 0]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("confirm", "words"), [("none", "Final. Where you"), ("organiser", "Confirmed. Where you")]
)
def test_a_result_that_nobody_confirms_is_final_and_may_be_said_to_be_wrong(client, confirm, words):
    table = a_game_table(target=1)
    table.session.club.confirm = confirm
    table.session.club.save()
    write_records(table, {"contract": {"seat": 0}, "tricks_won": {"makers": 3}}, at=timezone.now())
    confirm_game(table, by=TEST, at=timezone.now())
    client.post(reverse("table_door"), {"code": table_link(table)})
    page = client.get(reverse("table_entry", args=[table.public_id])).content.decode()
    assert words in page
    assert ("Is the score wrong?" in page) == (confirm == "none")
    assert "Call the organiser" in page


@pytest.mark.parametrize(
    ("sent", "question"),
    [
        ({"maker": 0}, "What was bid?"),
        ({"maker": 0, "bid": "4", "trump": "s"}, "How many tricks?"),
    ],
)
@pytest.mark.django_db
def test_the_preview_of_a_bid_game_asks_for_the_bid_before_the_tricks(client, sent, question):
    table = a_game_table("pepper")
    client.post("/t/", {"code": table_code(table)})
    form = {"client_id": "preview-1", "number": 1, "dealer": 0, **sent}
    page = client.post(f"/t/{table.public_id}/preview", form).content.decode()
    assert question in page


@pytest.mark.django_db
def test_the_page_says_until_when_the_round_goes_and_then_that_time_is_up(client):
    table = a_game_table()
    client.post(reverse("table_door"), {"code": table_code(table)})
    address = reverse("table_entry", args=[table.public_id])
    assert "Round until" not in client.get(address).content.decode()
    start_clock(table.session, by=TEST, at=timezone.now(), minutes=20)
    assert "Round until" in client.get(address).content.decode()
    start_clock(table.session, by=TEST, at=timezone.now() - timedelta(minutes=30), minutes=20)
    page = squeezed(client.get(address).text)
    assert "<time>Time! Finish the hand.</time>" in page
    news = page.partition('id="news"')[2].partition('id="messages"')[0]
    assert "<b>Time!</b>" in news
    assert f'action="{reverse("table_time", args=[table.public_id])}"' in news


@pytest.mark.django_db
def test_a_hand_that_could_not_be_saved_needs_attention_as_the_line_at_the_top_says(client):
    table = a_game_table()
    client.post(reverse("table_door"), {"code": table_code(table)})
    page = squeezed(client.post(reverse("save_hand", args=[table.public_id]), {}).text)
    line = page.partition('id="sync"')[2].partition("</div>")[0]
    assert "Needs attention" in line
    assert "Not saved" not in line


@pytest.mark.django_db
def test_a_page_that_is_open_when_the_clock_starts_gets_it_with_its_news(client):
    table = a_game_table()
    client.post(reverse("table_door"), {"code": table_code(table)})
    page = client.get(reverse("table_entry", args=[table.public_id]))
    news = reverse("table_news", args=[table.public_id])
    address = f"{news}?seen={page.context['entry'].stamp}"
    assert (
        f'<span id="round-clock" class="game-name" data-live="{address}">' in page.content.decode()
    )
    start_clock(table.session, by=TEST, at=timezone.now(), minutes=20)
    answer = client.get(address).content.decode()
    assert "Round until" in answer
    assert "data-seconds-left=" in answer
    assert "data-moved" not in answer  # the hand that somebody is entering stays as it is


@pytest.mark.django_db
def test_a_clock_that_is_paused_is_said_to_be_stopped_at_the_table(client):
    table = a_game_table()
    client.post(reverse("table_door"), {"code": table_code(table)})
    page = client.get(reverse("table_entry", args=[table.public_id]))
    news = reverse("table_news", args=[table.public_id])
    start_clock(table.session, by=TEST, at=timezone.now(), minutes=20)
    pause_clock(table.session, by=TEST, at=timezone.now())
    assert "<time>Clock stopped</time>" in client.get(page.wsgi_request.path).text
    seen = {"seen": page.context["entry"].stamp}
    assert "<time>Clock stopped</time>" in client.get(news, seen).text
    start_clock(table.session, by=TEST, at=timezone.now())
    answer = client.get(news, seen).text
    assert "Round until" in answer
    assert "Clock stopped" not in answer
