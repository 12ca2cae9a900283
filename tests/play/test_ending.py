"""Ends of games: conceded, time called, totals alone, not played; confirmed, disputed, silent."""

import io
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.urls import reverse

from league.errors import Refused
from league.play.actions import (
    abandon_game,
    auto_confirm,
    call_time,
    concede,
    confirm_game,
    dispute_game,
    note_misdeal,
    record_hand,
    resume,
    rule_penalty,
    settle_game,
    undo_last_hand,
    withdraw_ruling,
    write_totals,
)
from league.play.auth import table_code
from league.play.models import Game, Result, Ruling
from league.play.queries import still_provisional, unfinished_of
from league.play.recount import differing
from league.seating.actions import answer_call, call_organiser, substitute
from league.sessions.attendance import arrive
from tests.builders import EIGHT, TEST, a_game_table, a_user, members_of
from tests.play.hands import made, write

pytestmark = pytest.mark.django_db
BY = {"by": TEST, "at": EIGHT}


@pytest.fixture
def table():
    return a_game_table()


def opponents_confirm(table, minutes=None):
    club = table.session.club
    club.confirm, club.auto_accept_minutes = "opponent", minutes
    club.save()


def test_a_conceded_game_is_won_by_the_other_side(table):
    write(table, (0, 5))
    concede(table, 0, **BY)
    game = Game.objects.get()
    assert (game.winners, game.score, game.ended_by) == ([1, 3], [2, 0], "conceded")


def test_a_game_conceded_before_its_first_hand_counts_as_won(table):
    concede(table, 0, **BY)
    wins = Result.objects.order_by("position").values_list("games", "hands", "points", "win_share")
    assert list(wins) == [(1, 0, 0, 0.0), (1, 0, 0, 1.0)] * 2
    assert set(Result.objects.values_list("target", flat=True)) == {0}  # no share of points
    resume(table, **BY)
    assert not Result.objects.exists()


def test_a_game_that_time_ended_before_its_first_hand_counts_for_nobody(table):
    call_time(table, **BY)
    assert not Result.objects.exists()


def test_a_concession_is_taken_back_and_play_goes_on(table):
    write(table, (0, 5))
    concede(table, 0, **BY)
    resume(table, **BY)
    assert Game.objects.get().state == "playing"
    write(table, (1, 5))


def test_when_time_is_called_the_leaders_win_and_equal_scores_draw(table):
    write(table, (0, 5), (1, 5))
    call_time(table, **BY)
    assert Game.objects.get().winners == [0, 1, 2, 3]
    assert set(Result.objects.values_list("win_share", flat=True)) == {0.5}


def test_undoing_the_last_hand_of_a_conceded_game_takes_the_concession_with_it(table):
    write(table, (0, 5), (1, 5))
    concede(table, 0, **BY)
    undo_last_hand(table, number=2, version=1, **BY)
    game = Game.objects.get()
    assert (game.state, game.ended_by, game.score) == ("playing", "", [2, 0])


def test_a_game_not_played_counts_for_nobody_and_keeps_its_hands(table):
    write(table, (0, 5))
    abandon_game(table, reason="fire alarm", **BY)
    assert not Result.objects.exists()
    assert Game.objects.get().hands.count() == 1


def test_totals_alone_make_a_result(table):
    table.totals_only = True
    table.save()
    write_totals(table, [10, 7], **BY)
    game = Game.objects.get()
    assert (game.winners, game.score, game.state) == ([0, 2], [10, 7], "confirmed")
    row = Result.objects.get(position=1)
    assert (row.points, row.points_against, row.win_share, row.hands) == (7, 10, 0, 0)


def test_a_table_that_writes_hands_takes_no_totals(table):
    with pytest.raises(Refused):
        write_totals(table, [10, 7], **BY)


def test_a_renege_costs_what_the_rules_say_and_can_be_withdrawn(table):
    write(table, (0, 5))
    ruling = rule_penalty(table, by_seat=0, form="deduct", client_id="renege-01", **BY)
    assert Game.objects.get().score == [0, 0]
    withdraw_ruling(table, ruling.pk, **BY)
    assert Game.objects.get().score == [2, 0]


def test_a_ruling_can_win_a_game(table):
    write(table, *[(0, 5)] * 4)
    rule_penalty(table, by_seat=1, form="add", client_id="renege-01", **BY)
    assert Game.objects.get().winners == [0, 2]


def test_a_misdeal_is_noted_and_moves_nothing(table):
    write(table, (0, 5))
    note_misdeal(table, client_id="misdeal-1", **BY)
    note_misdeal(table, client_id="misdeal-1", **BY)
    assert Ruling.objects.count() == 1
    assert Game.objects.get().score == [2, 0]


def test_a_finished_game_is_provisional_until_the_other_side_confirms(table):
    opponents_confirm(table)
    write(table, *[(0, 5)] * 5)
    assert set(Result.objects.values_list("provisional", flat=True)) == {True}
    confirm_game(table, seat=1, **BY)
    assert set(Result.objects.values_list("provisional", flat=True)) == {False}


def test_after_it_is_confirmed_the_table_cannot_take_a_hand_back(table):
    opponents_confirm(table)
    write(table, *[(0, 5)] * 5)
    confirm_game(table, seat=1, **BY)
    with pytest.raises(Refused) as trouble:
        undo_last_hand(table, number=5, version=1, **BY)
    assert trouble.value.status == 403
    undo_last_hand(table, number=5, version=1, as_organiser=True, **BY)


def test_silence_accepts_a_game_after_the_clubs_minutes(table):
    opponents_confirm(table, minutes=30)
    write(table, *[(0, 5)] * 5)
    early, late = EIGHT + timedelta(minutes=29), EIGHT + timedelta(minutes=30)
    session = table.session
    assert Result.objects.filter(still_provisional(early)).count() == 4
    assert not Result.objects.filter(still_provisional(late)).exists()
    assert unfinished_of(session, early).games == 1
    assert unfinished_of(session, late).games == 0
    assert auto_confirm(session, by=TEST, at=early) == 0
    assert auto_confirm(session, by=TEST, at=late) == 1
    assert Game.objects.get().state == "confirmed"


def test_what_silence_has_accepted_the_table_neither_disputes_nor_takes_back(table):
    opponents_confirm(table, minutes=30)
    write(table, *[(0, 5)] * 5)
    late = {"by": TEST, "at": EIGHT + timedelta(minutes=31)}
    with pytest.raises(Refused, match="time to object"):
        dispute_game(table, reason="we had eleven", seat=1, **late)
    with pytest.raises(Refused, match="confirmed"):
        undo_last_hand(table, number=5, version=1, **late)


def test_whoever_looks_at_the_game_finds_it_accepted_and_writes_nothing(client, table):
    opponents_confirm(table, minutes=30)
    write(table, *[(0, 5)] * 5)
    client.force_login(a_user(club=table.session.club))
    page = client.get(reverse("table_entry", args=[table.public_id]))
    assert page.context["entry"].phase == "confirmed"
    assert Game.objects.get().state == "finished"


def test_what_silence_has_accepted_is_stored_by_the_command_that_looks_at_the_clock(table):
    opponents_confirm(table, minutes=30)
    write(table, *[(0, 5)] * 5)
    call_command("remind", stdout=io.StringIO())
    assert Game.objects.get().state == "confirmed"
    assert set(Result.objects.values_list("provisional", flat=True)) == {False}


def test_a_dispute_stays_unsettled_until_an_organiser_decides(table):
    opponents_confirm(table, minutes=1)
    write(table, *[(0, 5)] * 5)
    dispute_game(table, reason="we had eleven", seat=1, **BY)
    late = EIGHT + timedelta(days=1)
    assert auto_confirm(table.session, by=TEST, at=late) == 0
    disputed = unfinished_of(table.session, late).to_decide
    assert [game.disputes[0].reason for game in disputed] == ["we had eleven"]
    settle_game(table, "stands", reason="counted", **BY)
    assert not unfinished_of(table.session, late).games


def test_a_call_to_a_disputed_table_ends_with_the_decision(table):
    opponents_confirm(table)
    write(table, *[(0, 5)] * 5)
    dispute_game(table, reason="we had eleven", seat=1, **BY)
    call_organiser(table, **BY)
    answer_call(table, **BY)
    settle_game(table, "stands", reason="counted", **BY)
    table.refresh_from_db()
    assert (table.called_at, table.coming_at) == (None, None)


def test_no_dispute_is_left_open_about_a_game_that_was_not_played(table):
    opponents_confirm(table)
    write(table, *[(0, 5)] * 5)
    dispute_game(table, reason="we had eleven", seat=1, **BY)
    game = abandon_game(table, reason="fire alarm", **BY)
    assert not game.confirmations.filter(settled_at=None).exists()


@pytest.mark.parametrize(
    ("score", "winners"), [([10, 6], [0, 2]), ([9, 6], [0, 2]), ([7, 10], [1, 3]), ([5, 5], [])]
)
def test_an_organiser_decides_a_disputed_game_by_its_score(table, score, winners):
    opponents_confirm(table)
    write(table, *[(0, 5)] * 5)
    dispute_game(table, reason="we had eleven", seat=1, **BY)
    game = settle_game(table, "score", score=score, reason="their own sheet", **BY)
    assert (game.state, game.score) == ("confirmed", score)
    assert game.winners == (winners or [0, 1, 2, 3])
    assert list(differing(Game.objects.all(), deep=True)) == []


@pytest.mark.parametrize("score", [None, [10], [10, 10], [99, 0]])
def test_a_decided_score_is_one_that_the_rules_allow(table, score):
    write(table, *[(0, 5)] * 2)
    with pytest.raises(Refused):
        settle_game(table, "score", score=score, reason="guessed", **BY)


def test_hands_that_do_not_fit_are_no_longer_unfinished_once_they_are_decided(table):
    opponents_confirm(table)
    write(table, *[(0, 5)] * 5)
    Game.objects.update(misfits=1)
    assert unfinished_of(table.session, EIGHT).to_decide
    settle_game(table, "stands", reason="how it was", **BY)
    Game.objects.update(misfits=1)
    assert not unfinished_of(table.session, EIGHT).games


def test_hands_are_credited_to_who_played_them_and_the_win_to_who_sat_at_the_end(table):
    kit = members_of(table.session.club, 10)[9]
    arrive(table.session, kit, by=TEST, at=EIGHT)
    write(table, (0, 5), (0, 5), (0, 5))
    substitute(table, 0, kit, by=TEST)
    write(table, (0, 5), (0, 5))
    rose, stand_in = Result.objects.filter(position=0).order_by("pk")
    assert (rose.hands, rose.points, rose.calls, rose.games, rose.win_share) == (3, 6, 3, 0, 0)
    assert (stand_in.hands, stand_in.points, stand_in.games, stand_in.win_share) == (2, 4, 1, 1)


def test_three_players_share_their_expectation_by_thirds():
    table = a_game_table("nanaimo-three-handed", players=3, target=3)
    write(table, (0, 5))
    rows = Result.objects.order_by("position")
    assert [row.win_share for row in rows] == [1, 0, 0]
    assert [row.expected for row in rows] == [1 / 3] * 3
    assert [row.points_against for row in rows] == [0, 1.5, 1.5]


def test_a_score_that_changed_since_it_was_looked_at_is_not_confirmed(client, table):
    opponents_confirm(table)
    write(table, *[(0, 5)] * 5)
    client.post(reverse("table_door"), {"code": table_code(table)})
    address = reverse("table_confirm", args=[table.public_id, 1])
    assert 'name="seen" value="10-0"' in client.get(address).content.decode()
    undo_last_hand(table, number=5, version=1, **BY)
    record_hand(table, made(1, 3, 0), client_id="other-hand-5", **BY)
    record_hand(table, made(0, 5, 1), client_id="other-hand-6", **BY)
    answer = client.post(address, {"word": "accept", "seen": "10-0"})
    assert answer.status_code == 409
    assert "The score has changed." in answer.content.decode()
    assert Game.objects.get().state == "finished"
    client.post(address, {"word": "accept", "seen": "10-1"})
    assert Game.objects.get().state == "confirmed"
