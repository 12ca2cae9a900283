"""The table's page: what it shows, what it saves, what it refuses, and to whom."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from league.members.models import AuditEntry, Club
from league.play.actions import note_misdeal, write_totals
from league.play.auth import card_link, table_code
from league.play.models import Game, Hand
from league.seating.actions import make_cards_up_to
from league.sessions.models import Session
from tests.builders import TEST, a_game_table, a_table, a_user, members_of
from tests.pages import squeezed
from tests.play.hands import write

pytestmark = pytest.mark.django_db


@pytest.fixture
def table():
    return a_game_table()


@pytest.fixture
def phone(client, table):
    """A browser that has come in by the table's code."""
    return come_in(client, table)


def come_in(client, table):
    client.post(reverse("table_door"), {"code": table_code(table)})
    return client


def at(name, table, *args):
    return reverse(name, args=[table.public_id, *args])


def a_hand(number=1, maker=0, outcome="made", dealer=0, **more):
    return {
        "client_id": f"client-id-{number}",
        "number": number,
        "dealer": dealer,
        "maker": maker,
        "outcome": outcome,
        **more,
    }


def test_the_page_shows_who_sits_who_deals_and_the_score(phone, table):
    page = squeezed(phone.get(at("table_entry", table)).content.decode())
    assert "Table 1 · hand 1" in page
    assert all(name in page for name in ("Rose", "Ann", "Ted", "Bill"))
    assert re.search(r"<span>Rose</span><span class=\"dealer\">dealer", page)


def test_looking_at_a_table_stores_nothing(phone, table):
    phone.get(at("table_entry", table))
    assert not Game.objects.exists()


def test_a_hand_is_saved_by_a_plain_form_and_shown_with_undo(phone, table):
    answer = phone.post(at("save_hand", table), a_hand(), follow=True)
    page = answer.content.decode()
    assert answer.redirect_chain == [(at("table_entry", table), 302)]
    assert "Rose: made" in page
    assert "Rose &amp; Ted +1" in page
    assert "Undo" in page
    assert "Table 1 · hand 2" in page


def test_the_pages_own_script_gets_the_part_alone(phone, table):
    answer = phone.post(
        at("save_hand", table), a_hand(), follow=True, headers={"HX-Request": "true"}
    )
    assert answer.content.decode().lstrip().startswith('<div id="table"')


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        ({"maker": 0, "outcome": "march"}, "Rose &amp; Ted +2"),
        ({"maker": 0, "outcome": "march", "alone": "on"}, "Rose &amp; Ted +4"),
        ({"maker": 1, "outcome": "euchred"}, "Rose &amp; Ted +2"),
        ({"maker": "passed"}, "Nobody scores"),
        ({"maker": 0}, "How many tricks?"),
        ({}, "Tap who made trump"),
    ],
)
def test_the_preview_says_what_the_hand_pays_before_it_is_saved(phone, table, sent, sentence):
    form = {"client_id": "preview-1", "number": 1, "dealer": 0, **sent}
    page = phone.post(at("preview_hand", table), form).content.decode()
    assert sentence in page
    assert not Hand.objects.exists()


def test_the_preview_of_the_winning_hand_names_the_step_that_ends_the_game(phone, table):
    write(table, *[(0, 5)] * 4)
    form = a_hand(5, outcome="march")
    page = phone.post(at("preview_hand", table), form).content.decode()
    assert "Rose &amp; Ted win" in page
    assert "Finish game" in page


def test_one_player_wins_and_two_win(phone):
    table = a_game_table("nanaimo-three-handed", players=3, slug="three")
    come_in(phone, table)
    write(table, *[(0, 5)] * 3)
    page = phone.post(at("preview_hand", table), a_hand(4, outcome="march")).content.decode()
    assert "Rose wins" in page


def test_a_game_that_counts_at_once_says_how_a_wrong_hand_is_mended(phone, table):
    write(table, *[(0, 5)] * 5)
    page = phone.get(at("table_entry", table)).content.decode()
    assert "Is a hand wrong? Call the organiser." in page  # the time to fix hands is over


def test_where_nobody_confirms_the_phone_says_what_to_do_about_a_wrong_score(phone, table):
    write(table, *[(0, 5)] * 5, at=timezone.now())
    page = phone.get(at("table_entry", table)).text
    assert "Wrong? Correct a hand together below, or call the organiser." in page
    assert "Call the organiser</button>" in page
    assert "Correct hand 1" in page


def test_a_score_entered_at_the_desk_leaves_the_phone_no_empty_fold_of_hands(phone, table):
    write_totals(table, [10, 7], no_hands=True, as_organiser=True, by=TEST, at=timezone.now())
    page = phone.get(at("table_entry", table)).text
    assert "Wrong? Call the organiser." in page
    assert "Is the score wrong?" not in page


def test_a_choice_that_only_some_rules_have_is_named_on_the_fold_that_holds_it(client):
    for slug, rule in (("no", "never"), ("yes", "always")):
        table = a_game_table(slug=slug, defend_alone=rule)
        page = come_in(client, table).get(at("table_entry", table)).text
        fold = page.partition("up-card, cards, renege")[0].rpartition("<summary>")[2]
        assert ("A defender alone ·" in fold) is (rule == "always")


def test_the_preview_refuses_in_the_rules_own_words(phone):
    table = a_game_table(slug="stuck", stick_the_dealer=True)
    come_in(phone, table)
    form = a_hand(maker=1, auction="pass, pass, pass, pass, pass, pass, pass, pass")
    page = phone.post(at("preview_hand", table), form).content.decode()
    assert "must name a trump" in page


def test_what_was_typed_is_kept_when_the_hand_is_refused(phone, table):
    sent = a_hand(maker=2, outcome="march", trump="h", upcard="9h", trick1="Ah Kh Qh Jh")
    answer = phone.post(at("save_hand", table), sent)
    page = squeezed(answer.content.decode())
    assert answer.status_code == 422
    assert 'value="Ah Kh Qh Jh"' in page
    assert re.search(r'name="maker" value="2" id="maker-2" checked', page)
    assert re.search(r'name="outcome" value="march"[^>]*checked', page)
    assert "client-id-1" in page


def test_an_unlikely_hand_asks_and_is_saved_by_one_more_press(phone, table):
    Club.objects.update(tricks_entry="count")
    sent = a_hand() | {"tricks": 0}
    del sent["outcome"]
    page = phone.post(at("save_hand", table), sent).content.decode()
    assert "Rose made trump and took no trick." in page
    assert "Yes, save it" in page
    phone.post(at("save_hand", table), sent | {"confirm_unlikely": "on"})
    assert Hand.objects.get().points == [0, 2, 0, 2]


def test_a_second_phone_sees_what_is_there(phone, table):
    write(table, (0, 5))
    answer = phone.post(at("save_hand", table), a_hand(1, maker=1))
    assert answer.status_code == 409
    assert "Someone else entered hand 1" in answer.content.decode()
    assert Hand.objects.count() == 1


def test_undo_takes_one_press_also_after_the_winning_hand(phone, table):
    for number in range(1, 6):
        phone.post(at("save_hand", table), a_hand(number, 0, "march", (number - 1) % 4))
    assert "won" in phone.get(at("table_entry", table)).content.decode()
    phone.post(at("undo_hand", table), {"number": 5, "version": 1})
    game = Game.objects.get()
    assert (game.state, game.score) == ("playing", [8, 0])


def test_a_scorekeeper_comes_in_by_role_and_is_named_in_the_record(client, table):
    user = a_user("sam", club=table.session.club, rank="scorekeeper")
    client.force_login(user)
    assert client.post(at("save_hand", table), a_hand()).status_code == 302
    assert AuditEntry.objects.get(action="record hand").user == user


def test_the_phone_is_named_by_its_table(phone, table):
    phone.post(at("save_hand", table), a_hand())
    assert Hand.objects.get().entered_as == "phone at table 1"


def test_only_whoever_comes_in_by_role_is_led_back_to_the_board(client, phone, table):
    board = reverse("board", args=[table.session.club.slug, table.session.public_id])
    assert board not in phone.get(at("table_entry", table)).content.decode()
    client.cookies.clear()
    client.force_login(a_user(club=table.session.club, rank="scorekeeper"))
    assert f'href="{board}"' in client.get(at("table_entry", table)).content.decode()


def test_an_up_card_is_shown_as_it_is_printed(phone, table):
    page = squeezed(phone.get(at("table_entry", table)).content.decode())
    assert '<option value="Tc">10♣</option>' in page
    assert '<option value="Jh">J♥</option>' in page


def test_nobody_needs_points_any_more_once_the_game_is_over(phone, table):
    write(table, *[(0, 5)] * 4)
    assert "needs 2" in squeezed(phone.get(at("table_entry", table)).content.decode())
    write(table, (0, 5))
    assert "needs" not in squeezed(phone.get(at("table_entry", table)).content.decode())


def test_a_call_stands_below_the_result_of_a_finished_game(phone, table):
    write(table, *[(0, 5)] * 5)
    phone.post(at("table_call", table))
    page = squeezed(phone.get(at("table_entry", table)).content.decode())
    assert page.index("Rose &amp; Ted won") < page.index("Cancel the call")


def test_the_result_is_confirmed_with_who_won_and_the_score_in_view(phone, table):
    table.session.club.confirm = "opponent"  # as `write` reads it
    write(table, *[(0, 5)] * 5)
    page = squeezed(phone.get(at("table_confirm", table, 1)).content.decode())
    assert "<b>Rose &amp; Ted won 10\u2009–\u20090</b>" in page
    assert "Hand by hand" in page


def test_where_three_play_for_themselves_the_phone_is_passed_to_another_player(client):
    three = a_game_table("nanaimo-three-handed", players=3)
    Club.objects.update(confirm="opponent")
    three.session.club.refresh_from_db()
    write(three, *[(0, 5)] * 4)
    page = come_in(client, three).get(at("table_entry", three)).content.decode()
    assert "Pass the phone to another player" in page


def test_a_member_writes_nothing_down(client, table):
    client.force_login(a_user("mia", club=table.session.club, rank="member"))
    assert client.post(at("save_hand", table), a_hand()).status_code == 403
    assert not Hand.objects.exists()


def test_the_phone_of_one_table_opens_no_other(phone, table):
    other = a_table(table.session, members_of(table.session.club, 4)[:4], table.ruleset)
    for name in ("table_entry", "save_hand", "undo_hand", "preview_hand"):
        assert phone.post(at(name, other), a_hand()).status_code == 403
    assert not Hand.objects.exists()


@pytest.mark.parametrize("language", ["", "de"])
def test_a_table_that_does_not_exist_answers_like_one_that_is_closed_to_you(
    client, table, language
):
    Club.objects.update(language=language)
    here = client.get(at("table_entry", table))
    nowhere = client.get(reverse("table_entry", args=["no-such-table"]))
    token = re.compile(rb'name="csrfmiddlewaretoken" value="\w+"')  # another at each answer
    same = [(page.status_code, token.sub(b"", page.content)) for page in (here, nowhere)]
    assert same[0] == same[1]
    assert "Ask the organiser for a new code" in here.content.decode()


def test_a_code_dies_with_the_session(phone, table):
    Session.objects.update(state="closed")
    door, scanned = reverse("table_door"), {"code": table_code(table)}
    assert phone.post(door, scanned, follow=True).status_code == 403


def test_raising_the_link_version_revokes_every_code_given_out(phone, table):
    old = table_code(table)
    table.link_version += 1
    table.save()
    assert phone.get(at("table_entry", table)).status_code == 403
    assert phone.post(reverse("table_door"), {"code": old}).status_code == 403


@pytest.mark.usefixtures("no_time_passes")
def test_wrong_codes_are_throttled_and_right_ones_are_not(client, table):
    for guess in range(40):
        last = client.post(reverse("table_door"), {"code": f"{table.public_id}.1:{guess}"})
    assert last.status_code == 429
    assert int(last["Retry-After"]) > 0
    assert client.post(reverse("table_door"), {"code": table_code(table)}).status_code == 302


def tried(client, code, address="10.0.0.1"):
    return client.post(reverse("table_door"), {"code": code}, REMOTE_ADDR=address)


@pytest.mark.usefixtures("no_time_passes")
def test_a_card_scanned_or_typed_opens_at_once_whatever_others_try_from_there(client, table):
    make_cards_up_to(table.session.club, 1, by=TEST)
    card = table.session.club.table_cards.get()
    for host in range(40):  # one customer of an IPv6 network
        last = tried(client, "ABCD-EFG2", f"2001:db8::{host:x}")
    assert (last.status_code, last["Retry-After"]) == (429, "1")
    for right in (card.typed, card_link(card)):
        assert tried(client, right, "2001:db8::ffff").status_code == 302
    for _guess in range(40):
        tried(client, "ABCD-EFG2")
    forged = card_link(card).replace(card.code, "ABCDEFG2")
    assert tried(client, forged).status_code == 429


def test_right_codes_use_up_nothing_and_an_older_card_without_a_signature_opens(client, table):
    make_cards_up_to(table.session.club, 1, by=TEST)
    card = table.session.club.table_cards.get()
    opened = {tried(client, f"http://hall/t/#{card.code}").status_code for _phone in range(50)}
    assert opened == {302}


def test_a_code_can_be_pasted_with_its_whole_address(client, table):
    address = f"http://club.example/t/#{table_code(table)}"
    answer = client.post(reverse("table_door"), {"code": address})
    assert answer.url == at("table_entry", table)


def test_the_cookie_is_for_one_table_alone_and_out_of_reach_of_scripts(client, table):
    answer = client.post(reverse("table_door"), {"code": table_code(table)})
    cookie = answer.cookies["table"]
    assert cookie["path"] == at("table_entry", table)
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"


def drawn(page):
    """The slips round the table as the page has them: name, place, what is marked on them."""
    labels = re.findall(
        r'data-place="(\d)"><input[^>]*><span>(\w+)</span>(.*?)</label>', squeezed(page)
    )
    return {
        name: (int(place), re.findall(r">(\w+)</span>", marks)) for place, name, marks in labels
    }


def test_the_drawing_has_the_seats_clockwise_and_marks_who_deals_and_who_leads(phone, table):
    assert drawn(phone.get(at("table_entry", table)).content.decode()) == {
        "Rose": (2, ["dealer"]),
        "Ann": (3, ["leads"]),
        "Ted": (0, []),
        "Bill": (1, []),
    }


def test_where_the_bidder_leads_nobody_is_marked_as_leading(client):
    table = a_game_table("bid-hoosier-four-player")
    page = come_in(client, table).get(at("table_entry", table)).content.decode()
    assert 'class="mark leads"' not in page
    assert drawn(page)["Ann"] == (3, [])


def test_a_scorekeeper_who_plays_sits_at_the_bottom_of_the_drawing(client, table):
    user = a_user("ted", club=table.session.club, rank="scorekeeper")
    table.session.club.members.filter(name="Ted").update(user=user)
    client.force_login(user)
    page = client.get(at("table_entry", table)).content.decode()
    assert drawn(page)["Ted"] == (0, ["you"])
    assert drawn(page)["Rose"] == (2, ["dealer"])


def test_a_code_typed_wrong_stays_to_be_corrected_and_is_not_called_expired(client):
    page = client.post(reverse("table_door"), {"code": "dsv6-q5z8"}).content.decode()
    assert "No table has this code." in page
    assert 'value="dsv6-q5z8"' in page


def test_redo_goes_once_something_else_was_entered(phone, table):
    write(table, (0, 3), (1, 5), at=timezone.now())
    phone.post(at("undo_hand", table), {"number": 2, "version": 1})
    assert "Hand 2 undone" in phone.get(at("table_entry", table)).content.decode()
    note_misdeal(table, client_id="misdeal-01", by=TEST, at=timezone.now())
    assert "Hand 2 undone" not in phone.get(at("table_entry", table)).content.decode()


@pytest.mark.parametrize(
    ("preset", "teams"), [("bid-racehorse-six", ["0", "1"] * 3), ("call-ace-six", [])]
)
def test_the_keys_of_six_players_say_which_three_play_together(client, preset, teams):
    table = a_game_table(preset, players=6)
    page = come_in(client, table).get(at("table_entry", table)).content.decode()
    assert re.findall(r'data-team="(\d)"', page) == teams
