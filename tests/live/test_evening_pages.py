"""An evening as its organiser reads it: the guide, the tiles, final scores, the way back."""

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.live.home import next_step
from league.live.room import room
from league.members.models import Club, Member
from league.play.models import Game
from league.seating.models import Table
from league.seating.queries import live_tables
from league.sessions.actions import close_session
from league.sessions.attendance import arrive
from league.sessions.links import SHOWN_AFTER_CLOSING
from league.sessions.models import Session
from tests.builders import TEST, a_club, a_session, a_user, members_of
from tests.seating.nights import AT, a_game, a_night, a_seating_club, published
from tests.standings.played import Sheet, recorded

pytestmark = pytest.mark.django_db


@pytest.fixture
def night():
    night, _members = a_night(8)
    published(night)
    return night


@pytest.fixture
def organiser(night):
    client = Client()
    client.force_login(a_user(club=night.club, rank="organiser"))
    return client


def text(answer):
    return " ".join(answer.content.decode().split())


def page(client, name, night):
    return text(client.get(reverse(name, args=[night.club.slug, night.public_id])))


def test_the_guide_is_over_with_the_first_session_that_is(night):
    assert next_step(night.club).page == "print_cards"
    close_session(night, by=TEST, at=AT)
    assert next_step(night.club) is None


def test_the_first_guide_of_a_visitor_without_accounts_is_to_create_one(client):
    home = text(client.get("/"))
    assert 'button primary" href="/accounts/signup/"' in home
    a_user()
    assert 'button primary" href="/accounts/login/"' in text(client.get("/"))


def test_the_board_names_the_sides_with_their_points_and_who_won(night, organiser):
    table = live_tables(night)[0]
    for seat, name in zip(
        table.current_seats, ("Una Roy", "Mr Bo Lee", "Cy Dow", "Di Fox"), strict=True
    ):
        Member.objects.filter(pk=seat.member_id).update(name=name)
    a_game(table, hands=3)
    Game.objects.update(score=[10, 7], winners=[0, 2])
    board = page(organiser, "board", night)
    assert "<dt>Una & Cy" in board.replace("&amp;", "&")
    (tile, _other) = room(night, at=AT).tiles
    assert [(one.names, one.points, one.won) for one in tile.result] == [
        ("Una & Cy", 10, True),
        ("Bo & Di", 7, False),
    ]


def test_tables_that_play_different_games_say_which():
    night, _members = a_night(7, a_seating_club("seven"))
    published(night)
    client = Client()
    client.force_login(a_user("sam", club=night.club, rank="organiser"))
    three = next(one for one in live_tables(night) if one.players == 3).ruleset.name
    assert page(client, "board", night).count(three) == 1  # under the tables: the size says it
    assert three in page(client, "seating", night)
    other = next(one for one in live_tables(night) if one.players == 4).ruleset
    night, _members = a_night(8, a_seating_club("eight"))
    published(night)
    Table.objects.filter(pk=live_tables(night)[0].pk).update(ruleset=other)
    client.force_login(a_user("sue", club=night.club, rank="organiser"))
    assert other.name in page(client, "board", night)


def test_a_member_who_is_not_checked_in_reads_what_to_do(night):
    meg = a_user("meg", club=night.club, rank="member")
    player = Member.objects.create(club=night.club, name="Meg", user=meg)
    client, said = Client(), "You are not checked in tonight."
    client.force_login(meg)
    assert said in page(client, "session", night)
    arrive(night, player, by=TEST, at=AT)
    assert said not in page(client, "session", night)


def test_final_scores_can_be_reached_from_the_session_the_board_and_the_table(night, organiser):
    table = live_tables(night)[0]
    there = reverse("final_scores", args=[night.club.slug, night.public_id])
    desk = reverse("table_desk", args=[night.club.slug, night.public_id, table.public_id])
    pages = [page(organiser, name, night) for name in ("session", "board")]
    assert all(there in found for found in [*pages, text(organiser.get(desk))])


def scores(night, first, second, **more):
    table = live_tables(night)[0]
    fields = {f"{table.public_id}-total0": first, f"{table.public_id}-total1": second}
    return fields | {f"{table.public_id}-{name}": value for name, value in more.items()}


def test_a_final_score_with_nobody_at_the_target_is_asked_about(night, organiser):
    address = reverse("final_scores", args=[night.club.slug, night.public_id])
    assert text(organiser.get(address)).count("to 10 points") == 2  # at each table
    answer = organiser.post(address, scores(night, "9", "7"))
    assert "Did this game end early?" in text(answer)
    assert not Game.objects.filter(totals__isnull=False).exists()
    assert organiser.post(address, scores(night, "9", "7", sure="on")).status_code == 302
    assert Game.objects.get(totals__isnull=False).totals == [9, 7]


def test_a_score_that_an_organiser_types_is_final_at_once(night, organiser):
    night.club.confirm = "opponent"
    night.club.save()
    address = reverse("final_scores", args=[night.club.slug, night.public_id])
    organiser.post(address, scores(night, "10", "7"))
    assert Game.objects.get(totals__isnull=False).state == Game.State.CONFIRMED


def test_closing_offers_to_confirm_every_finished_game_at_once(night, organiser):
    for table in live_tables(night):
        a_game(table, state="finished", hands=1)
    assert "Confirm all 2 games" in page(organiser, "disputes", night)
    organiser.post(reverse("confirm_all", args=[night.club.slug, night.public_id]))
    assert set(Game.objects.values_list("state", flat=True)) == {"confirmed"}


def test_a_game_left_unfinished_in_a_closed_session_is_not_said_to_be_playing(night, organiser):
    a_game(live_tables(night)[0], state="playing")
    Session.objects.update(state="closed")
    game = Game.objects.get()
    sheet = text(organiser.get(reverse("game", args=[night.club.slug, game.public_id])))
    assert "Not finished" in sheet


def test_a_table_number_on_the_way_to_closing_has_its_round_where_it_stands_twice(night, organiser):
    for table in live_tables(night):
        a_game(table, state="finished", hands=1)
    closing = page(organiser, "disputes", night)
    assert "<b>Table 1</b>" in closing
    published(night, seed=2)
    a_game(live_tables(night)[0], state="finished", hands=1)
    closing = page(organiser, "disputes", night)
    assert "<b>Table 1 · Round 1</b>" in closing
    assert "<b>Table 1 · Round 2</b>" in closing
    assert "<b>Table 2 · Round 1</b>" in closing  # its second game has not begun
    assert "<b>Table 2 · Round 2</b>" in closing


def test_tables_that_wait_for_a_confirmation_are_counted_once_all_have_finished(night, organiser):
    first, second = live_tables(night)
    a_game(first, state="finished", hands=1)
    a_game(second, state="confirmed", hands=1)
    for name in ("board", "session"):
        seen = page(organiser, name, night)
        assert "All tables have finished" in seen, name
        assert "1 result needs confirming or a decision." in seen, name
    Game.objects.update(state="confirmed")
    for name in ("board", "session"):
        seen = page(organiser, name, night)
        assert "Every table is done" in seen, name
        assert "to be confirmed" not in seen, name


def test_a_finished_table_is_not_called_done_while_its_score_is_to_be_confirmed(night, organiser):
    first, second = live_tables(night)
    a_game(first, state="finished", hands=1)
    a_game(second, state="playing", hands=1)
    seen = page(organiser, "board", night)
    assert "1 result needs confirming or a decision." in seen
    assert "Done" not in seen
    assert "is done" not in seen


def test_players_without_a_seat_sit_out_on_every_page_of_a_round(organiser, night):
    guest = Member.objects.create(club=night.club, name="Zoe Late")
    arrive(night, guest, by=TEST, at=AT)
    for name in ("board", "seating", "print_chart"):
        seen = page(organiser, name, night)
        assert "Sitting out" in seen, name
        assert "Waiting<" not in seen, name
    assert "<span>Zoe Late</span> <small>sits out</small>" in page(organiser, "print_chart", night)


def test_who_may_take_over_a_seat_and_who_can_play_next_are_counted_in_words(night, organiser):
    first, second = live_tables(night)
    a_game(first, state="confirmed", hands=1)
    a_game(second, state="playing", hands=1)
    at = [night.club.slug, night.public_id]
    desk = text(organiser.get(reverse("table_desk", args=[*at, second.public_id])))
    assert "Nobody is waiting for a seat. Check in the substitute first." in desk
    assert "4 ready for the next tables" in page(organiser, "checkin", night)


@pytest.mark.parametrize(("state", "verb"), [("closed", "is"), ("cancelled", "was")])
def test_settings_of_a_session_that_is_over_offer_to_reopen_it_and_no_form(
    night, organiser, state, verb
):
    Session.objects.update(state=state)
    seen = page(organiser, "session_edit", night)
    assert f"This session {verb} {state}. Reopen it to change anything." in seen
    assert "Reopen the session" in seen
    assert 'name="name"' not in seen
    address = reverse("session_edit", args=[night.club.slug, night.public_id])
    late = organiser.post(address, {"name": "Harvest Cup", "held_on": "2026-11-19"})
    assert late.status_code == 422
    assert 'value="Harvest Cup"' in text(late)
    assert "This session is closed. Reopen it to change anything." in text(late)


def test_a_new_session_of_another_day_is_called_by_that_day(client):
    club = a_club()
    members_of(club, 4)
    a_session(club, held_on=timezone.localdate())
    client.force_login(a_user(club=club, rank="organiser"))
    page = client.get(reverse("sessions", args=[club.slug]))
    fields = {"name": page.context["form"]["name"].value() or "", "held_on": "2031-03-07"}
    fields["anyway"] = "on"
    client.post(reverse("session_new", args=[club.slug]), fields)
    assert Session.objects.get(held_on="2031-03-07").name == "Friday 7 March"


def test_printed_cards_lead_back_and_the_chart_says_each_seat(night, organiser):
    back = reverse("paper", args=[night.club.slug, night.public_id])
    assert back in page(organiser, "print_cards", night)
    assert "<small>West</small>" in page(organiser, "print_chart", night)


def a_played_night(**fields):
    """A closed session of four whose one game Rose and Ted won, the next one planned."""
    club = a_club()
    people = members_of(club, 4)
    night = a_session(club, people, state="closed", **fields)
    recorded(night, [Sheet(tuple(one.name for one in people), (10, 6, 10, 6))])
    a_session(club, name="The week after", held_on="2026-12-03", state="planned")
    a_session(club, name="Next week", held_on="2026-11-26", state="planned")
    return night


@time_machine.travel(AT, tick=False)
def test_the_page_of_a_closed_session_begins_with_its_winners_and_leads_on(client):
    night = a_played_night()
    client.force_login(a_user("meg", club=night.club, rank="member"))
    seen = page(client, "session", night)
    winners = seen[seen.index("Winners</h2>") : seen.index("</ol>", seen.index("Winners</h2>"))]
    assert "<strong>Rose</strong>" in winners
    assert "Final standings" in seen
    for name in ("session", "session_standings"):
        seen = page(client, name, night)
        assert ("Next week" in seen, "The week after" in seen) == (True, False), name
        following = night.club.sessions.get(name="Next week")
        into_calendar = reverse("session_calendar", args=[night.club.slug, following.public_id])
        assert into_calendar in seen, name


def test_a_visitor_of_a_public_club_is_led_from_a_session_to_its_standings(client):
    night = a_played_night()
    where = [night.club.slug, night.public_id]
    own, standings = reverse("session", args=where), reverse("session_standings", args=where)
    assert client.get(own).headers["Location"].startswith(reverse("account_login"))
    Club.objects.update(visibility="standings")
    assert client.get(own).headers["Location"] == standings
    client.force_login(a_user("zed"))
    assert client.get(own).headers["Location"] == standings
    for state in ("open", "planned", "cancelled"):
        night.club.sessions.filter(pk=night.pk).update(state=state)
        assert client.get(own).headers["Location"] == standings
        assert client.get(standings).status_code == 200
    assert client.get(reverse("session", args=[night.club.slug, "nothing"])).status_code == 404


def test_a_visitor_of_a_public_club_finds_its_house_rules(client, night):
    Club.objects.update(visibility="standings")
    club = night.club
    rules = reverse("rules_print", args=[club.slug])
    assert f'href="{rules}"' in client.get(reverse("club", args=[club.slug])).text
    tonight = reverse("session_standings", args=[club.slug, night.public_id])
    rules = reverse("print_rules", args=[club.slug, night.public_id])
    assert f'href="{rules}"' in client.get(tonight).text
    sheet = client.get(rules).text
    assert "To 10 · 4 for a march alone" in sheet
    assert f'href="{tonight}"' in sheet


@time_machine.travel(AT, tick=False)
def test_a_visitor_of_a_public_club_takes_the_next_session_into_a_calendar(client):
    night = a_played_night()
    Club.objects.update(visibility="standings", venue="12 Rose Lane")
    following = night.club.sessions.get(name="Next week")
    link = reverse("session_calendar", args=[night.club.slug, following.public_id])
    standings = page(client, "session_standings", night)
    assert link in standings
    club_page = client.get(reverse("club", args=[night.club.slug])).content.decode()
    assert link in club_page
    assert not any("/sessions/" in seen for seen in (standings, club_page))  # they are members'
    found = client.get(link).content.decode()
    assert "Next week" in found
    assert "Rose Lane" in club_page
    assert "Rose Lane" in found


@pytest.mark.parametrize("rank", ["member", "organiser"])
def test_winners_stay_off_the_page_while_standings_are_held_back_or_not_final(client, rank):
    night = a_played_night(standings_held=True)
    client.force_login(a_user("meg", club=night.club, rank=rank))
    assert "Winners</h2>" not in page(client, "session", night)
    Session.objects.filter(pk=night.pk).update(standings_held=False)
    assert "Winners</h2>" in page(client, "session", night)
    night.games.update(state=Game.State.PLAYING)
    night.results.update(finished=False)
    Session.objects.filter(pk=night.pk).update(revision=night.revision + 1)
    assert "Winners</h2>" not in page(client, "session", night)


@pytest.mark.parametrize("state", [Game.State.PLAYING, Game.State.FINISHED])
def test_a_session_closed_with_games_to_settle_says_that_its_standings_are_held_back(client, state):
    night = a_played_night(standings_held=True)
    night.games.update(state=state, accept_at=None)
    client.force_login(a_user(club=night.club))
    assert "held back: release them on their page." in page(client, "session", night)


def test_the_rules_of_one_session_are_linked_where_an_organiser_looks(client):
    night, _members = a_night(4)
    client.force_login(a_user(club=night.club))
    link = reverse("session_rules", args=[night.club.slug, night.public_id])
    for name in ("session", "session_edit"):
        assert link in page(client, name, night), name


def test_a_call_ends_with_the_session(night, organiser):
    at = [night.club.slug, night.public_id]
    table = live_tables(night)[0]
    organiser.post(reverse("table_call", args=[table.public_id]))
    organiser.post(reverse("table_answer", args=[*at, table.public_id]))
    assert "Call settled" in text(organiser.get(reverse("board", args=at)))
    close_session(night, by=TEST, at=AT)
    page = text(organiser.get(reverse("board", args=at)))
    assert "Call settled" not in page
    assert "on the way" not in page


def test_a_session_closed_without_a_game_has_no_final_standings_and_nobody_played(night, organiser):
    close_session(night, by=TEST, at=AT)
    seen = page(organiser, "session", night)
    assert "No game was played." in seen
    assert "The standings are final" not in seen
    listed = text(organiser.get(reverse("sessions", args=[night.club.slug])))
    assert "8 came" in listed
    assert "8 played" not in listed


def test_the_wall_is_offered_while_its_link_works(night, organiser):
    wall = reverse("wall_made", args=[night.club.slug, night.public_id])
    assert wall in page(organiser, "session", night)
    close_session(night, by=TEST, at=timezone.now())
    assert wall in page(organiser, "session", night)
    Session.objects.update(closed_at=timezone.now() - SHOWN_AFTER_CLOSING)
    assert wall not in page(organiser, "session", night)
    typed = page(organiser, "wall_made", night)
    assert "This session is closed, and its wall with it." in typed
    assert reverse("session_standings", args=[night.club.slug, night.public_id]) in typed
    assert 'id="address"' not in typed


def test_a_closed_session_is_reopened_from_its_page_and_from_the_board(night, organiser):
    a_game(live_tables(night)[0], state="playing", hands=1)
    assert "Reopen the session" not in page(organiser, "board", night)
    close_session(night, by=TEST, at=AT)
    for name in ("session", "board"):
        assert "Reopen the session" in page(organiser, name, night)
    at = [night.club.slug, night.public_id]
    answer = organiser.post(reverse("session_open", args=at), {"at_board": "1"})
    assert answer.url == reverse("board", args=at)
    assert "Reopen the session" not in page(organiser, "session", night)


def test_a_settled_session_is_reopened_from_its_page_and_its_standings(client):
    night = a_played_night()
    reopen = reverse("session_open", args=[night.club.slug, night.public_id])
    for rank in ("organiser", "scorekeeper"):
        client.force_login(a_user(rank, club=night.club, rank=rank))
        for name in ("session", "session_standings"):
            assert (f'action="{reopen}"' in page(client, name, night)) == (rank == "organiser")
