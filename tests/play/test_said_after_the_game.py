"""What a table and its game's page say after the end: what changed, who settled it and how."""

import pytest
from django.urls import reverse
from django.utils import timezone

from league.members.actions import rename_ruleset, revise_ruleset
from league.members.audit import Actor
from league.members.models import Member
from league.play.actions import (
    concede,
    correct_hand,
    dispute_game,
    redo_hand,
    settle_game,
    strike_hand,
    undo_last_hand,
)
from league.play.auth import table_code
from league.play.game_log import open_game_log
from league.play.models import Game
from league.seating.actions import make_cards_up_to, substitute
from league.sessions.actions import close_session
from league.sessions.attendance import arrive
from league.sessions.links import SHOWN_AFTER_CLOSING
from league.sessions.models import Session
from tests.builders import TEST, a_game_table, a_session, a_user
from tests.pages import squeezed
from tests.play.hands import write

pytestmark = pytest.mark.django_db


@pytest.fixture
def table():
    table = a_game_table()
    table.session.club.confirm = "opponent"
    table.session.club.save()
    return table


@pytest.fixture
def phone(client, table):
    client.post(reverse("table_door"), {"code": table_code(table)})
    return client


def at(name, table, *args):
    return reverse(name, args=[table.public_id, *args])


def page_of_game(client, table):
    club = table.session.club
    client.force_login(a_user("may", club=club, rank="member"))
    address = reverse("game", args=[club.slug, Game.objects.get().public_id])
    return squeezed(client.get(address).content.decode())


def test_who_confirms_a_game_that_a_correction_brought_back_reads_of_which_hand(phone, table):
    write(table, *[(0, 5)] * 5, at=timezone.now())
    record = {"dealer": 0, "contract": {"seat": 0}, "outcome": "made"}
    now = {"by": TEST, "at": timezone.now()}
    correct_hand(table, 1, record, reason="wrong", expected_version=1, client_id="one", **now)
    page = phone.get(at("table_confirm", table, 1), follow=True).content.decode()
    assert "Hand 1 was corrected. Table 1 is back in play: 9\u2009–\u20090." in page


def test_who_confirms_a_game_whose_last_hand_was_undone_reads_which_one(phone, table):
    write(table, *[(0, 5)] * 5, at=timezone.now())
    undo_last_hand(table, number=5, version=1, by=TEST, at=timezone.now())
    page = phone.get(at("table_confirm", table, 1), follow=True).content.decode()
    assert "Hand 5 was undone. Table 1 is back in play: 8\u2009–\u20090." in page


def test_a_hand_put_back_is_not_among_the_undone_ones(client, table):
    now = {"by": TEST, "at": timezone.now()}
    write(table, (0, 5), (1, 3), at=now["at"])
    undo_last_hand(table, number=2, version=1, **now)
    redo_hand(table, number=2, version=1, client_id="redo-0001", **now)
    undo_last_hand(table, number=2, version=2, **now)
    page = page_of_game(client, table)
    assert page.count("Hand 2: Ann: made, 3 tricks") == 1  # undone twice, and once put back
    redo_hand(table, number=2, version=2, client_id="redo-0002", **now)
    game = Game.objects.get()
    page = client.get(reverse("game", args=[table.session.club.slug, game.public_id])).text
    assert "Hand 2: Ann" not in page
    assert "<summary>Undone</summary>" not in page


def test_an_open_page_of_a_score_that_has_changed_learns_which_hand_it_was(phone, table):
    write(table, (1, 3), *[(0, 5)] * 5, at=timezone.now())
    now = {"by": TEST, "at": timezone.now()}
    record = {"dealer": 0, "contract": {"seat": 1}, "outcome": "march"}
    correct_hand(table, 1, record, reason="wrong", expected_version=1, client_id="one", **now)
    page = phone.get(at("table_confirm", table, 1)).content.decode()
    assert 'data-changed="Hand 1 was corrected. The score has changed. Check it again."' in page
    strike = {"reason": "twice", "expected_version": 2, "client_id": "two"}
    strike_hand(table, 1, **strike, by=TEST, at=timezone.now())
    page = phone.get(at("table_confirm", table, 1)).content.decode()
    assert 'data-changed="Hand 1 was deleted. The score has changed. Check it again."' in page


def test_a_game_that_nobody_confirmed_is_final_where_confirmation_was_switched_on_later(
    phone, table
):
    club = table.session.club
    club.confirm = "none"
    club.save()
    write(table, *[(0, 5)] * 5, at=timezone.now())
    club.confirm = "opponent"
    club.save()
    page = phone.get(at("table_entry", table)).content.decode()
    assert "Final. Where you play next appears here." in page
    assert "Confirmed" not in page
    assert "Correct hand 5" in squeezed(page)
    phone.force_login(a_user("scorer", club=club, rank="scorekeeper"))
    sheet = reverse("game", args=[club.slug, Game.objects.get().public_id])
    assert "a confirmed result" not in phone.get(sheet).content.decode()


def test_a_disputed_table_sees_its_hands_and_that_the_organiser_has_been_notified(phone, table):
    write(table, *[(0, 5)] * 5, at=timezone.now())
    dispute_game(table, reason="No march", seat=1, by=TEST, at=timezone.now())
    page = squeezed(phone.get(at("table_entry", table)).content.decode())
    assert "The organiser sees it on the board." in page
    hands = page[page.index("<summary>Hand by hand</summary>") :]
    assert "<span>5. Rose" in hands
    people = [seat.member.public_id for seat in table.seats.order_by("position")]
    assert f'data-others="{people[0]} {people[2]} "' in page  # not theirs to take back


def test_who_must_confirm_passes_the_phone_on_only_to_dispute(phone, table):
    write(table, *[(0, 5)] * 5, at=timezone.now())
    page = phone.get(at("table_entry", table)).content.decode()
    assert 'data-to-dispute="To dispute, pass the phone to the other side"' in page


def test_a_dispute_that_an_organiser_decided_says_who_settled_it(client, table):
    write(table, *[(0, 5)] * 5, at=timezone.now())
    dispute_game(table, reason="No march", seat=1, by=TEST, at=timezone.now())
    bill = {"by": Actor("Bill"), "at": timezone.now()}
    settle_game(table, "stands", reason="Counted", **bill)
    assert "settled by Bill, " in page_of_game(client, table)


def test_a_dispute_that_a_correction_settled_says_of_which_hand_and_whose(client, table):
    write(table, *[(0, 5)] * 5, at=timezone.now())
    dispute_game(table, reason="No march", seat=1, by=TEST, at=timezone.now())
    hand = open_game_log(table).hands[-1]
    record = {"dealer": hand.record["dealer"], "contract": {"seat": 0}, "outcome": "made"}
    olive = {"by": Actor("Olive"), "at": timezone.now(), "as_organiser": True}
    how = {"reason": "seen", "expected_version": 1, "client_id": "one"}
    correct_hand(table, hand.number, record, **how, **olive)
    assert "settled by a change of hand 5: Olive, " in page_of_game(client, table)


def test_the_code_of_a_card_says_after_the_last_session_that_it_is_closed(client, table):
    club = table.session.club
    make_cards_up_to(club, 1, by=TEST)
    typed = {"code": club.table_cards.get().code}
    club.sessions.update(state="closed")
    answer = client.post(reverse("table_door"), typed, follow=True)
    assert answer.status_code == 403
    assert "The organiser has closed this session." in answer.content.decode()
    assert "Only members who sign in can see the standings now." in answer.text
    type(club).objects.update(visibility="standings")
    standings = reverse("session_standings", args=[club.slug, table.session.public_id])
    assert f'href="{standings}"' in client.post(reverse("table_door"), typed, follow=True).text
    a_session(club)  # the next one, before its tables are made
    answer = client.post(reverse("table_door"), typed)
    assert "Nobody is playing at table 1 now." in answer.content.decode()


def test_the_phone_of_a_table_shows_the_standings_for_some_days_after_closing(phone, table):
    """Of a club whose pages only members see, nobody could see how the evening ended."""
    write(table, *[(0, 5)] * 5, at=timezone.now())
    standings = at("table_standings", table)
    close_session(table.session, by=TEST, at=timezone.now())
    assert f'href="{standings}"' in phone.get(at("table_entry", table)).text
    page = phone.get(standings)
    assert (page.status_code, "Rose" in page.text) == (200, True)
    Session.objects.update(standings_held=True)
    assert "Rose" not in phone.get(standings).text
    Session.objects.update(closed_at=timezone.now() - SHOWN_AFTER_CLOSING)
    assert f'href="{standings}"' not in phone.get(at("table_entry", table)).text
    assert phone.get(standings).status_code == 403


def test_the_phone_of_a_table_shows_its_last_score_after_closing(phone, table):
    unfinished = "Your game is unfinished; the organiser decides."
    close_session(table.session, by=TEST, at=timezone.now())
    assert "score-number" not in phone.get(at("table_entry", table)).text  # nothing was entered
    Session.objects.update(state="open")
    write(table, *[(0, 5)] * 4, at=timezone.now())
    close_session(table.session, by=TEST, at=timezone.now())
    page = phone.get(at("table_entry", table)).text
    assert ('<span class="score-number">8</span>' in page, unfinished in page) == (True, True)
    Session.objects.update(state="open")
    table.session.refresh_from_db()
    write(table, (0, 5), at=timezone.now())
    Session.objects.update(state="closed")
    page = phone.get(at("table_entry", table)).text
    assert ("Rose &amp; Ted won 10\u2009–\u20090" in page, unfinished in page) == (True, False)
    dispute_game(table, reason="No march", seat=1, by=TEST, at=timezone.now(), of_card=True)
    assert (
        "This game is disputed; an organiser decides." in phone.get(at("table_entry", table)).text
    )


@pytest.mark.parametrize("rank", ["organiser", "scorekeeper"])
def test_after_closing_a_table_offers_no_undo_and_no_next_seat_to_those_signed_in(
    client, table, rank
):
    table.session.club.confirm = "none"
    table.session.club.save()
    write(table, *[(0, 5)] * 5, at=timezone.now())
    client.force_login(a_user(club=table.session.club, rank=rank))
    entry, undo = at("table_entry", table), at("undo_hand", table)
    page = client.get(entry).text
    assert "Where you play next appears here" in page
    assert undo in page
    stamp = client.get(entry).context["entry"].stamp
    Session.objects.update(state="closed")
    page = client.get(entry).text
    assert "The organiser has closed this session." in page
    assert "Where you play next appears here" not in page
    assert undo not in page
    assert (reverse("table_correct", args=[table.public_id, 5]) in page) == (rank == "organiser")
    assert "data-moved" in client.get(at("table_news", table), {"seen": stamp}).text
    Game.objects.all().delete()
    assert '<form id="hand"' not in client.get(entry).text


def test_a_game_leads_to_the_version_of_the_rules_it_was_played_by(client, table):
    """After a change of the club's rules nothing led from an old game to those it had."""
    write(table, (0, 5), at=timezone.now())
    game, club = Game.objects.get(), table.session.club
    played = game.ruleset
    rename_ruleset(played, "Our rules", by=TEST)
    revise_ruleset(played, options={"target": 11}, by=TEST)
    client.force_login(a_user("member", club=club, rank="member"))
    page = client.get(reverse("game", args=[club.slug, game.public_id])).text
    link = reverse("ruleset", args=[club.slug, played.public_id])
    assert f'<a href="{link}">Our rules</a>' in page
    assert "This is an older version, kept for the games played by it." in client.get(link).text


def test_who_conceded_is_named_as_those_who_sit_there_and_confirm(phone, table):
    write(table, (0, 5), at=timezone.now())
    bob = Member.objects.create(club=table.session.club, name="Bob")
    now = {"by": TEST, "at": timezone.now()}
    arrive(table.session, bob, **now)
    substitute(table, 0, bob, by=TEST)
    concede(table, 0, **now)
    page = squeezed(phone.get(at("table_entry", table)).text)
    assert "Bob &amp; Ted conceded." in page
    assert "Rose &amp; Ted conceded." not in page
