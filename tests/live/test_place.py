"""A member's own line on the session's page: table, chair, with whom, and when they move on."""

import pytest
from django.urls import reverse
from django.utils import timezone

from league.members.models import Member, Role
from league.play.actions import call_time
from league.play.models import Game
from league.play.text import score_text
from league.seating.actions import substitute
from league.seating.queries import live_tables
from league.sessions.attendance import arrive, rest
from league.sessions.models import Session
from league.tournaments import actions
from league.tournaments.session_places import session_places
from tests.builders import TEST, a_session, a_user
from tests.pages import squeezed
from tests.play.hands import write
from tests.seating.nights import AT, a_game, a_night, a_seating_club, published
from tests.standings.played import Sheet, recorded
from tests.tournaments.playing import of_pairs, play_round, state_of
from tests.tournaments.playing import published as published_draw

pytestmark = pytest.mark.django_db


@pytest.fixture
def night():
    night, _members = a_night(11, a_seating_club())
    published(night)
    return night


def line(client, night, seat, rank="member"):
    """What somebody on this chair reads about themselves."""
    user = a_user(f"user-{seat.pk}", club=night.club, rank=rank)
    seat.member.user = user
    seat.member.save()
    client.force_login(user)
    page = client.get(reverse("session", args=[night.club.slug, night.public_id]))
    text = page.content.decode().partition("your-place")[2].partition("</section>")[0]
    return " ".join(text.replace("<b>", "").replace("</b>", "").replace("&amp;", "&").split())


def test_at_a_table_of_three_the_opponents_stand_in_the_order_of_the_scores(client, night):
    table = next(table for table in live_tables(night) if table.players == 3)
    seated = list(table.seats.order_by("position").select_related("member"))
    names = [seat.member.name for seat in seated]
    for position in range(3):
        following = [names[(position + step) % 3] for step in (1, 2)]
        assert f"against {following[0]}, {following[1]}" in line(client, night, seated[position])


def test_a_substitute_who_played_no_hand_of_the_game_has_not_won_or_lost_it(client, night):
    table = live_tables(night)[0]
    write(table, (1, 5))
    vera = Member.objects.create(club=night.club, name="Vera")
    arrive(night, vera, by=TEST, at=AT)
    seat = substitute(table, 1, vera, by=TEST)
    call_time(table, by=TEST, at=AT)
    text = line(client, night, seat)
    assert f"You: table {table.number}, East" in text
    assert "won" not in text


@pytest.mark.parametrize("rank", ["member", "organiser"])
def test_it_names_table_chair_partner_and_opponents(client, night, rank):
    table = live_tables(night)[0]
    seated = list(table.seats.order_by("position").select_related("member"))
    names = [seat.member.name for seat in seated]
    for position, compass in enumerate(("North", "East", "South", "West")):
        text = line(client, night, seated[position], rank)
        against = " & ".join(names[1 - position % 2 :: 2])
        assert f"You: table {table.number}, {compass}" in text
        assert f"with {names[(position + 2) % 4]} against {against}" in text


def test_at_a_table_of_three_everybody_is_against_the_two_others(client, night):
    (three,) = [table for table in live_tables(night) if table.players == 3]
    seated = list(three.seats.order_by("position").select_related("member"))
    text = line(client, night, seated[2])
    assert "West" in text
    assert "with " not in text
    assert f"against {seated[0].member.name}, {seated[1].member.name}" in text


@pytest.mark.parametrize(("rank", "leads_to"), [("member", "/t/"), ("scorekeeper", "/t/{}/")])
def test_it_leads_to_the_page_where_hands_are_entered(client, night, rank, leads_to):
    table = live_tables(night)[0]
    seat = table.seats.select_related("member").first()
    assert f'href="{leads_to.format(table.public_id)}">Enter hands' in line(
        client, night, seat, rank
    )


def test_it_says_that_a_game_waits_to_be_confirmed(client, night):
    table = live_tables(night)[0]
    a_game(table, state="finished", hands=5)
    seat = table.seats.select_related("member").first()
    assert "Your game is waiting to be confirmed." in line(client, night, seat)


def test_it_says_how_many_tables_are_to_be_done_before_people_move_on(client, night):
    first, second, third = live_tables(night)
    seat = first.seats.select_related("member").first()
    assert "New seats when 2 more tables are done." in line(client, night, seat)
    a_game(first, state="confirmed", hands=5)
    page = client.get(reverse("session", args=[night.club.slug, night.public_id])).content.decode()
    page = squeezed(page)
    assert "Your game is done. New seats when 1 more table is done." in page
    a_game(second, state="confirmed", hands=5)
    page = client.get(reverse("session", args=[night.club.slug, night.public_id])).content.decode()
    said = "Your next seat appears here when the organiser makes the next round."
    assert f"Your game is done. 1 table is not done yet. {said}" in squeezed(page)
    still = third.seats.select_related("member").first()
    assert "You move when your game is finished." in line(client, night, still)


def test_a_session_that_is_over_promises_nobody_a_next_seat(client, night):
    for table in live_tables(night):
        a_game(table, state="confirmed", hands=5)
    first = live_tables(night)[0].seats.select_related("member").first()
    assert "Your next seat" in line(client, night, first)
    Session.objects.update(state="closed")
    page = client.get(reverse("session", args=[night.club.slug, night.public_id])).content.decode()
    assert "Your next seat" not in page


@pytest.mark.parametrize("chosen", [True, False])
def test_a_player_who_sits_out_reads_it_on_the_pages_of_the_session_and_of_the_club(
    client, night, chosen
):
    zoe = Member.objects.create(club=night.club, name="Zoe Late", user=a_user("zoe"))
    Role.objects.create(club=night.club, user=zoe.user, rank="member")
    client.force_login(zoe.user)
    address = reverse("session", args=[night.club.slug, night.public_id])
    assert "You sit out this round." not in client.get(address).content.decode()
    arrive(night, zoe, by=TEST, at=AT)
    if chosen:
        rest(night, zoe, by=TEST)
    assert "You sit out this round." in client.get(address).content.decode()
    page = squeezed(client.get(address).content.decode())
    assert "</h2><p>New seats when 2 more tables are done.</p>" in page
    home = squeezed(client.get(reverse("club", args=[night.club.slug])).text)
    assert "<strong>You sit out this round. New seats when 2 more tables are done.</strong>" in home


def test_a_player_with_a_bye_reads_it_on_the_sessions_page_and_when_they_play_next(client):
    cup = of_pairs(5, "swiss", rounds=2)
    published_draw(cup)
    resting = cup.entries.get(pk=state_of(cup).last.byes[0]).member
    resting.user = a_user("zoe", club=cup.club, rank="member")
    resting.save()
    client.force_login(resting.user)
    address = reverse("session", args=[cup.club.slug, cup.session.public_id])
    said = (
        "<h2>You have a bye: you play in the next round. The bye counts as a win.</h2><p>New seats"
    )
    assert said in squeezed(client.get(address).content.decode())


def test_the_club_s_page_says_at_which_of_tonight_s_sessions_one_sits_and_where(client, night):
    upstairs = a_session(night.club, name="Upstairs")
    seats = list(live_tables(night)[0].seats.order_by("position").select_related("member"))
    names = [seat.member.name for seat in seats]
    seats[0].member.user = a_user("zoe", club=night.club, rank="member")
    seats[0].member.save()
    address = reverse("club", args=[night.club.slug])
    assert "You:" not in client.get(address).content.decode()
    client.force_login(seats[0].member.user)
    page = squeezed(client.get(address).content.decode())
    mine, other = (
        page.partition(reverse("session", args=[night.club.slug, one.public_id]))[2].partition(
            "</a>"
        )[0]
        for one in (night, upstairs)
    )
    seat = f"You: table 1, North</strong>with<b>{names[2]}</b>against<b>"
    assert f"{seat}{names[1]} &amp; {names[3]}</b>" in mine
    assert "You:" not in other
    a_game(live_tables(night)[0], state="confirmed", hands=5)
    assert "You:" not in client.get(address).content.decode()


def test_the_winner_of_a_swiss_reads_that_they_have_won_once_every_result_is_final(client):
    cup = of_pairs(2, "swiss", rounds=1)
    published_draw(cup)
    play_round(cup)
    firsts = [pk for pk, given in session_places(cup.session).items() if given.place == 1]
    one, other = (
        seat for seat in live_tables(cup.session)[0].seats.all() if seat.member_id in firsts
    )
    assert "You have won the tournament." in (read := line(client, cup.session, one))
    assert "You have played your last match." not in read
    actions.finish_tournament(cup, by=TEST, at=AT)
    assert "You have won the tournament." in (read := line(client, cup.session, other))
    assert "You finished" not in read


def test_a_player_s_pages_name_the_round_of_the_bracket_that_they_play_and_played(client):
    cup = of_pairs(4, "knockout", third_place=True)
    for seed in (1, 2):
        published_draw(cup, seed)
        if seed == 1:
            play_round(cup)
    seats = [seat for table in live_tables(cup.session) for seat in table.seats.all()[:1]]
    club, tour = cup.club.slug, cup.public_id
    for seat, title in zip(seats, ["Final", "Third place"], strict=True):
        assert (
            line(client, cup.session, seat).partition("</h2>")[2].startswith(f" <p> {title}: with")
        )
        assert f"</strong> · {title} with" in in_one_line(client, reverse("club", args=[club]))
        hub = in_one_line(client, reverse("tournament", args=[club, tour]))
        assert f"<p> {title}: with" in hub
        games = reverse("member_games", args=[club, seat.member.public_id])
        assert "· Semi-final</span>" in in_one_line(client, games)
    play_round(cup)
    assert "· Third place</span>" in in_one_line(client, games)


def in_one_line(client, address):
    return " ".join(client.get(address).text.split())


@pytest.mark.parametrize("state", ["finished", "confirmed", "abandoned"])
def test_the_home_page_names_no_table_whose_game_is_over_until_its_next_game(client, night, state):
    table = live_tables(night)[0]
    client.force_login(a_member(night, table.seats.first().member))
    game = a_game(table, state=state, hands=5)
    home = client.get(reverse("home")).content.decode()
    assert "You: table" not in home
    assert "You are checked in" in home
    Game.objects.create(session=night, table=table, number=2, ruleset=game.ruleset)
    assert "You: table 1" in client.get(reverse("home")).content.decode()


def a_member(night, player, rank="member"):
    player.user = a_user("zoe", club=night.club, rank=rank)
    player.save()
    return player.user


def page_of(client, night):
    return squeezed(
        client.get(reverse("session", args=[night.club.slug, night.public_id])).content.decode()
    )


def test_a_checked_in_player_reads_that_their_seat_comes_and_is_offered_no_sign_up(client):
    night, members = a_night(5)
    Session.objects.update(held_on=timezone.localdate())
    client.force_login(a_member(night, members[0]))
    page = page_of(client, night)
    seat = "Your seat appears here once the tables are published."
    assert f"<h2>You are checked in.</h2><p>{seat}</p>" in page
    assert "Sign-up" not in page
    rest(night, members[0], by=TEST)
    assert "<h2>You sit out this round.</h2>" in page_of(client, night)
    absent = Member.objects.create(club=night.club, name="Zoe Late")
    Member.objects.filter(pk=members[0].pk).update(user=None)
    Member.objects.filter(pk=absent.pk).update(user=members[0].user)
    page = page_of(client, night)
    assert "You are checked in." not in page
    assert "Sign-up" in page


def test_after_the_session_its_page_says_how_the_reader_did(client, night):
    table = live_tables(night)[0]
    seats = [seat.member for seat in table.seats.order_by("position").select_related("member")]
    recorded(night, [Sheet(tuple(player.name for player in seats), (10, 6, 10, 6))], round_number=2)
    a_game(table, hands=5)
    Game.objects.filter(table=table).update(score=[10, 6], winners=[0, 2])
    client.force_login(a_member(night, seats[1]))
    result = f"You lost {score_text([6, 10])}"
    assert f"<h2>{result}</h2>" in page_of(client, night)
    Session.objects.update(state="closed")
    place = "<h2>You share 3rd place.</h2>"
    assert f"{place}<p>Your last game: {result}</p>" in page_of(client, night)
    Session.objects.update(standings_held=True)
    assert f"<h2>{result}</h2></section>" in page_of(client, night)


def test_a_member_who_is_no_player_yet_reads_so_until_the_session_is_closed(client, night):
    client.force_login(a_user("zoe", club=night.club, rank="member"))
    assert "Your account is not linked to a player yet." in page_of(client, night)
    Session.objects.update(state="closed")
    assert "Your account is not linked" not in page_of(client, night)


def test_once_a_match_is_over_the_clubs_page_says_its_result_and_what_comes_next(client):
    cup = of_pairs(2, "knockout")
    published_draw(cup)
    (table,) = live_tables(cup.session)
    seats = table.seats.order_by("position").select_related("member")
    readers = [a_user(f"reader{n}", club=cup.club, rank="member") for n in (0, 1)]
    for seat, reader in zip(seats, readers, strict=False):
        Member.objects.filter(pk=seat.member_id).update(user=reader)
    play_round(cup)
    read = []
    for reader in readers:
        client.force_login(reader)
        read.append(in_one_line(client, reverse("club", args=[cup.club.slug])))
    assert len([text for text in read if "You have won the tournament." in text]) == 1
    assert len([text for text in read if "<strong>You won " in text]) == 1
    assert len([text for text in read if "<strong>You lost " in text]) == 1


def test_who_is_out_of_a_bracket_reads_so_while_the_others_play_on(client):
    """The pages of the session and of the tournament said nothing."""
    cup = of_pairs(4, "knockout")
    published_draw(cup)
    play_round(cup)
    match = state_of(cup).last.matches[0]
    loser = state_of(cup).entries[match.sides[1 - match.first]].member
    published_draw(cup, seed=2)
    loser.user = a_user("loser", club=cup.club, rank="member")
    loser.save()
    client.force_login(loser.user)
    text = "<h2>You have played your last match. You share 3rd place.</h2></section>"
    tournament = reverse("tournament", args=[cup.club.slug, cup.public_id])
    for page in (page_of(client, cup.session), client.get(tournament).text):
        assert text in squeezed(page)
