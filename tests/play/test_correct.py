"""Putting hands right: the old kept, what follows refolded, nobody moved, nothing dropped."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse

from league.errors import Refused
from league.play.actions import (
    correct_hand,
    dispute_game,
    record_hand,
    settle_game,
    strike_hand,
    undo_last_hand,
)
from league.play.models import Confirmation, Game, Hand, Result
from league.play.text import score_text
from league.seating.actions import substitute
from league.seating.models import Seat, Table
from league.sessions.actions import close_session
from league.sessions.attendance import arrive
from league.templatetags.cards import by_side
from tests.builders import EIGHT, TEST, a_game_table, a_user, members_of
from tests.play.hands import log_of, made, passed_out, write

pytestmark = pytest.mark.django_db
BY = {"by": TEST, "at": EIGHT, "reason": "read the sheet again"}


@pytest.fixture
def table():
    return a_game_table()


def correct(table, number, record, *, version=1, client_id="correct-1", **more):
    said = BY | more
    return correct_hand(
        table, number, record, expected_version=version, client_id=client_id, **said
    )


def people_leave(table):
    """The organiser has seated these people elsewhere."""
    Table.objects.update(is_live=False)
    Seat.objects.update(seated=False)
    table.refresh_from_db()


def test_a_correction_is_a_new_version_and_everything_after_is_counted_anew(table):
    write(table, (0, 5), (1, 3), (0, 3))
    correct(table, 2, made(1, 2, 1))
    assert Game.objects.get().score == [5, 0]
    assert list(Hand.objects.filter(number=2).values_list("version", "current", "reason")) == [
        (1, False, ""),
        (2, True, "read the sheet again"),
    ]


def test_the_same_correction_arriving_twice_is_one_correction(table):
    write(table, (0, 5))
    for _time in range(2):
        correct(table, 1, made(0, 3))
    assert Hand.objects.count() == 2


def test_a_correction_of_a_version_that_is_no_longer_the_last_is_refused_with_both(table):
    write(table, (0, 5))
    correct(table, 1, made(0, 3))
    with pytest.raises(Refused) as stale:
        correct(table, 1, made(0, 2), client_id="correct-2")
    assert (stale.value.code, stale.value.status) == ("stale", 409)
    assert stale.value.details["hand"].version == 2
    assert stale.value.details["yours"]["tricks_won"] == {"makers": 2}
    assert Game.objects.get().score == [1, 0]


def test_a_correction_the_rules_do_not_allow_is_refused_and_nothing_changes(table):
    write(table, (0, 5))
    with pytest.raises(Refused):
        correct(table, 1, made(0, 3, outcome="march"))
    assert Hand.objects.get().current


def test_a_struck_hand_counts_for_nothing_and_keeps_its_number_and_its_deal(table):
    write(table, (0, 5), (1, 5), (2, 3))
    strike_hand(table, 2, expected_version=1, client_id="strike-1", **BY)
    assert Game.objects.get().score == [3, 0]
    assert log_of(table).conflicts() == []
    assert log_of(table).next_number == 4


def test_a_struck_hand_can_be_put_right_again(table):
    write(table, (0, 5), (1, 5))
    strike_hand(table, 2, expected_version=1, client_id="strike-1", **BY)
    correct(table, 2, made(1, 3, 1), version=2)
    assert Game.objects.get().score == [2, 1]


def test_later_hands_that_no_longer_fit_are_listed_and_never_dropped():
    table = a_game_table(passout_dealer="same")
    write(table, (0, 5), (1, 5))
    correct(table, 1, passed_out(0))
    assert [found.hand for found in log_of(table).conflicts()] == [2]
    assert Game.objects.get().misfits == 1
    assert Hand.objects.filter(current=True).count() == 2


def test_a_correction_that_opens_a_game_again_lets_its_people_play_on(table):
    write(table, *[(0, 5)] * 5)
    correct(table, 5, made(0, 3, 0))
    game = Game.objects.get()
    assert (game.state, game.reopened, game.winners) == ("playing", False, [])


def test_people_who_have_moved_on_are_not_moved_back(table):
    write(table, *[(0, 5)] * 5)
    people_leave(table)
    correct(table, 5, made(0, 3, 0))
    game = Game.objects.get()
    assert (game.state, game.reopened, game.winners) == ("confirmed", True, [])
    assert not Seat.objects.filter(seated=True).exists()
    assert set(Result.objects.values_list("provisional", flat=True)) == {True}


def test_the_organiser_lets_a_reopened_game_stand_and_its_leaders_win(table):
    write(table, *[(0, 5)] * 5)
    people_leave(table)
    correct(table, 5, made(0, 3, 0))
    settle_game(table, "stands", **BY)
    game = Game.objects.get()
    assert (game.state, game.reopened, game.winners, game.score) == (
        "confirmed",
        False,
        [0, 2],
        [9, 0],
    )


def test_playing_on_is_refused_where_the_people_have_moved_on(table):
    write(table, *[(0, 5)] * 5)
    people_leave(table)
    correct(table, 5, made(0, 3, 0))
    with pytest.raises(Refused, match="moved on"):
        settle_game(table, "play_on", **BY)


def test_a_correction_that_ends_a_game_earlier_asks_the_organiser_about_the_later_hands(table):
    write(table, (0, 5), (0, 5), (0, 5), (0, 3), (0, 3), (1, 3))
    correct(table, 4, made(0, 5, 3, alone=True))
    game = Game.objects.get()
    assert (game.reopened, game.winners, game.score) == (True, [0, 2], [10, 0])
    assert [found.hand for found in log_of(table).conflicts()] == [5, 6]
    settle_game(table, "new_end", **BY)
    game = Game.objects.get()
    assert (game.state, game.reopened, game.misfits) == ("confirmed", False, 0)
    assert Hand.objects.filter(current=False, undone_at__isnull=False).count() == 2


def test_the_organiser_may_say_who_has_won(table):
    write(table, *[(0, 5)] * 5)
    settle_game(table, "decided", winners=[1], **BY)
    game = Game.objects.get()
    assert (game.winners, game.ended_by) == ([1, 3], "decision")
    assert Result.objects.get(position=1).win_share == 1


@pytest.mark.parametrize("decision", ["stands", "score", "decided"])
def test_what_an_organiser_has_decided_only_an_organiser_changes(table, decision):
    """Also in a club where games count when they end, and the table may undo its last hand."""
    write(table, *[(0, 5)] * 5)
    last = Hand.objects.get(number=5)
    settle_game(table, decision, winners=[1], score=[4, 10], **BY)
    for change in (
        lambda: undo_last_hand(table, number=5, version=last.version, by=TEST, at=EIGHT),
        lambda: correct(table, 1, made(0, 3)),
        lambda: strike_hand(table, 1, expected_version=1, client_id="strike-1", **BY),
    ):
        with pytest.raises(Refused, match="organiser"):
            change()
    undo_last_hand(table, number=5, version=last.version, by=TEST, at=EIGHT, as_organiser=True)
    assert Game.objects.get().state == "playing"


def test_after_its_time_the_table_may_not_correct_but_an_organiser_may(table):
    write(table, (0, 5))
    late = EIGHT + timedelta(minutes=121)
    with pytest.raises(Refused) as trouble:
        correct(table, 1, made(0, 3), at=late)
    assert trouble.value.status == 403
    correct(table, 1, made(0, 3), at=late, as_organiser=True)
    assert Game.objects.get().score == [1, 0]


def test_a_disputed_game_is_frozen_for_the_table_and_not_for_the_organiser(table):
    club = table.session.club
    club.confirm = "opponent"
    club.save()
    write(table, *[(0, 5)] * 5)
    dispute_game(table, **BY)
    for order in (
        lambda: correct(table, 1, made(0, 3)),
        lambda: record_hand(table, made(0, 3, 1), client_id="one-more1", by=TEST, at=EIGHT),
    ):
        with pytest.raises(Refused, match="disputed"):
            order()
    correct(table, 1, made(0, 3), as_organiser=True)


@pytest.mark.parametrize("change", ["table_correct", "table_strike"])
def test_an_organiser_reads_that_a_correction_has_brought_a_game_back_in_play(
    client, table, change
):
    table.session.club.confirm = "opponent"
    table.session.club.save()
    write(table, (1, 3), *[(0, 5)] * 5)
    dispute_game(table, **BY)
    client.force_login(a_user(club=table.session.club))
    sent = {
        "number": 6,
        "dealer": 1,
        "maker": 1,
        "tricks": 3,
        "version": 1,
        "reason": "wrong",
    }
    if change == "table_strike":
        sent = {"version": 1, "reason": "wrong"}
    where = reverse(change, args=[table.public_id, 6])
    page = client.post(where, sent | {"client_id": "correct-6"}, follow=True).content.decode()
    assert Game.objects.get().state == Game.State.PLAYING
    score = score_text([8, 1 if change == "table_strike" else 2])
    assert f"Table 1 is back in play: {score}." in page


def test_after_closing_a_correction_leaves_a_game_to_decide_and_none_in_play(client, table):
    write(table, (1, 3), *[(0, 5)] * 5)
    client.force_login(a_user(club=table.session.club))
    close_session(table.session, by=TEST, at=EIGHT)
    where = reverse("table_strike", args=[table.public_id, 6])
    sent = {"version": 1, "reason": "wrong", "client_id": "strike-6"}
    page = client.post(where, sent, follow=True).content.decode()
    score = score_text([8, 1])
    assert f"Table 1 is no longer finished: {score}. Decide how it counts." in page
    assert "back in play" not in page


def test_an_organiser_who_brought_a_disputed_game_back_in_play_has_nothing_left_to_decide(
    client, table
):
    club = table.session.club
    club.confirm = "opponent"
    club.save()
    write(table, (1, 3), *[(0, 5)] * 5)
    dispute_game(table, seat=1, **BY)
    client.force_login(a_user(club=club))
    where = f"{reverse('table_strike', args=[table.public_id, 6])}?then=disputes"
    sent = {"version": 1, "reason": "wrong", "client_id": "strike-6"}
    answer = client.post(where, sent, follow=True)
    desk = reverse("disputes", args=[club.slug, table.session.public_id])
    assert answer.redirect_chain == [(desk, 302)]
    page = answer.content.decode()
    assert f"Table 1 is back in play: {score_text([8, 1])}." in page
    assert "<h2>To decide</h2>" not in page
    assert Confirmation.objects.get().settled_at


@pytest.mark.parametrize(
    ("then", "back"), [("table", "table"), ("disputes", "disputes"), ("elsewhere", "")]
)
def test_the_correction_of_a_hand_returns_to_where_they_came_from(client, table, then, back):
    write(table, (1, 3))
    client.force_login(a_user(club=table.session.club))
    where = f"{reverse('table_correct', args=[table.public_id, 1])}?then={then}"
    game = Game.objects.get()
    page = reverse("game", args=[table.session.club.slug, game.public_id])
    to = reverse("table_entry", args=[table.public_id]) if back == "table" else page
    to += "?then=disputes" if back == "disputes" else ""
    form = client.get(where).content.decode()
    assert f'<a href="{to}">Cancel</a>' in form
    assert f'action="{where if back else where.partition("?")[0]}"' in form
    sent = {"number": 1, "dealer": 0, "maker": 1, "tricks": 4, "version": 1, "reason": "wrong"}
    answer = client.post(where, sent | {"client_id": "correct-1"})
    assert answer["Location"] == to


def test_the_table_and_the_page_of_a_decision_are_where_a_correction_leads_back_to(client, table):
    write(table, (1, 3))
    client.force_login(a_user(club=table.session.club))
    correction = reverse("table_correct", args=[table.public_id, 1])
    at_table = client.get(reverse("table_entry", args=[table.public_id])).content.decode()
    assert f'href="{correction}?then=table"' in at_table
    game = reverse("game", args=[table.session.club.slug, Game.objects.get().public_id])
    assert (
        f'href="{correction}?then=disputes"' in client.get(f"{game}?then=disputes").content.decode()
    )
    assert f'href="{correction}"' in client.get(game).content.decode()


def test_the_preview_of_a_correction_says_that_it_brings_a_finished_game_back_in_play(
    client, table
):
    client.force_login(a_user(club=table.session.club))
    write(table, *[(0, 5)] * 5)
    corrected = {
        "client_id": "client-id-5",
        "number": "5",
        "dealer": "0",
        "maker": "0",
        "outcome": "made",
    }
    page = client.post(
        reverse("preview_hand", args=[table.public_id]) + "?of=5", corrected
    ).content.decode()
    assert "The game is then unfinished." in page
    page = client.get(reverse("table_correct", args=[table.public_id, 5])).content.decode()
    assert "(needed)" in page


def test_a_hand_played_before_a_substitution_is_corrected_under_the_names_of_its_players(
    client, table
):
    write(table, (2, 3), (2, 3))
    kit = members_of(table.session.club, 10)[9]
    arrive(table.session, kit, by=TEST, at=EIGHT)
    substitute(table, 2, kit, by=TEST)
    client.force_login(a_user(club=table.session.club))
    where = reverse("table_correct", args=[table.public_id, 2])
    page = client.get(where).text
    assert 'data-side="Rose &amp; Ted" data-person=' in page
    assert "<span>Rose &amp; Ted +1</span>" in page
    assert "Kit" not in page
    sent = {"client_id": "correct-2", "number": 2, "dealer": 2, "maker": 2, "tricks": 5}
    preview = reverse("preview_hand", args=[table.public_id]) + "?of=2"
    assert "<span>Rose &amp; Ted +2</span>" in client.post(preview, sent).text
    out_of_turn = client.post(where, sent | {"version": 1, "reason": "wrong"}).text
    assert "Ted" in out_of_turn
    assert "Kit" not in out_of_turn


@pytest.mark.parametrize("change", ["table_correct", "table_strike"])
def test_a_corrected_hand_settles_the_dispute_with_one_press_and_its_own_reason(
    client, table, change
):
    club = table.session.club
    club.confirm = "opponent"
    club.save()
    write(table, (1, 3), *[(0, 5)] * 5)
    dispute_game(table, seat=1, **BY)
    client.force_login(a_user(club=club))
    where = f"{reverse(change, args=[table.public_id, 1])}?then=disputes"
    answers = {"number": 1, "dealer": 0, "maker": 1, "tricks": 5}
    sent = {"version": 1, "reason": "Both sheets say so", "client_id": "change-1"}
    answer = client.post(where, sent | (answers if change == "table_correct" else {}))
    assert answer.url.endswith("?then=disputes#decide")
    game = Game.objects.get()
    assert game.state == Game.State.DISPUTED
    done, points = ("corrected", 2) if change == "table_correct" else ("deleted", 0)
    page = client.get(answer.url).text
    assert f"Hand 1 {done}: {by_side(game.score)}. That settles it" in page
    press = page.partition("That settles it")[0].rpartition("<form")[2]
    sent = dict(re.findall(r'name="(then|decision|reason)" value="([^"]*)"', press))
    client.post(reverse("settle_game", args=[club.slug, game.public_id]), sent)
    game.refresh_from_db()
    assert (game.state, game.score) == (Game.State.CONFIRMED, [10, points])
    assert Confirmation.objects.get(decision="stands").reason == "Both sheets say so"


def test_a_hand_corrected_before_the_dispute_settles_nothing(client, table):
    club = table.session.club
    club.confirm = "opponent"
    club.save()
    write(table, (1, 3), *[(0, 5)] * 5)
    correct(table, 1, made(1, 5))
    dispute_game(table, seat=1, reason="Not so", by=TEST, at=EIGHT + timedelta(minutes=1))
    client.force_login(a_user(club=club))
    page = client.get(reverse("game", args=[club.slug, Game.objects.get().public_id])).text
    assert "That settles it" not in page
