"""What the pages of a tournament say in passing: names, counts, links that lead somewhere."""

import re
from datetime import time
from random import Random

import pytest
from django.urls import reverse

from league.members.models import Member
from league.play.actions import settle_game, write_totals
from league.play.models import Game
from league.sessions.models import Session
from league.tournaments import actions
from league.tournaments.draws import rounds_due
from league.tournaments.next_step import draft_reminder, next_action
from tests.builders import EIGHT, TEST, a_user
from tests.pages import squeezed
from tests.teams.leagues import matches, with_fixtures
from tests.teams.test_pages import address as league_address
from tests.tournaments.playing import (
    a_tournament,
    drawn,
    of_pairs,
    play,
    play_round,
    published,
    state_of,
    tables,
)
from tests.tournaments.test_pages import address
from tests.tournaments.test_public_entry import open_cup, url_of

pytestmark = pytest.mark.django_db


def named_alike(*members):
    for member in members:
        Member.objects.filter(pk=member.pk).update(name="Agnes Murphy", name_key="agnes murphy")


def numbers_in(page):
    return set(re.findall(r"Agnes M(?:urphy|\.) (\d)", page.replace("\xa0", " ")))


def test_namesakes_have_their_numbers_on_the_entries_page(client):
    cup = a_tournament(4, "swiss")
    client.force_login(a_user(club=cup.club))
    named_alike(*(entry.member for entry in cup.entries.all()[:2]))
    page = client.get(address("tournament_entries", cup)).text
    table, _sep, forms = page.partition("</table>")
    assert numbers_in(table) == numbers_in(forms) == {"1", "2"}
    assert not re.search(r"Agnes Murphy(?! \d)", page)


def test_namesakes_have_their_numbers_beside_saved_scores(client):
    cup = a_tournament(8)
    published(cup)
    client.force_login(a_user(club=cup.club))
    table = tables(cup).first()
    named_alike(*(seat.member for seat in table.seats.select_related("member")[:2]))
    write_totals(table, [4, 2], no_hands=True, by=TEST, at=EIGHT)
    for name in ("final_scores", "tables_to_enter"):
        page = client.get(reverse(name, args=[cup.club.slug, cup.session.public_id])).text
        assert numbers_in(page) == {"1", "2"}


def test_namesakes_have_their_numbers_in_the_lists_of_a_league_card(client):
    league = with_fixtures()
    match = matches(league)[0]
    client.force_login(a_user(club=league.club))
    home, away = (Member.objects.filter(team_places__team=t)[0] for t in (match.home, match.away))
    named_alike(home, away)
    page = client.get(league_address("team_card", league, match.public_id)).text
    assert numbers_in(page) == {"1", "2"}


def test_a_time_that_ends_with_a_stop_gets_no_second_one(client):
    cup = open_cup(places=8)
    Session.objects.filter(pk=cup.session_id).update(begins_at=time(19))
    page = client.get(url_of(cup)).text
    assert "p.m." in page
    assert "p.m.." not in page


def test_who_publishes_a_draft_that_is_published_already_reads_so(client):
    cup = a_tournament(8)
    client.force_login(a_user(club=cup.club))
    draft = drawn(cup)
    data = {"version": draft.seating.version}
    client.post(address("tournament_publish", cup), data)
    page = client.post(address("tournament_publish", cup), data, follow=True).text
    assert "Round 1 is already published." in page


def test_the_games_of_a_match_are_numbered_among_the_games_of_the_session(client):
    cup = of_pairs(2, "knockout", games=3)
    published(cup)
    play(tables(cup).get(), Random(1))
    client.force_login(a_user(club=cup.club))
    page = client.get(reverse("tables_to_enter", args=[cup.club.slug, cup.session.public_id])).text
    play(tables(cup).get(), Random(2))
    page = client.get(reverse("tables_to_enter", args=[cup.club.slug, cup.session.public_id])).text
    assert "game 1" in page
    assert "game 2" in page


def test_a_next_game_that_a_correction_made_needless_is_the_next_thing_to_do():
    cup = of_pairs(2, "knockout", games=3, slam=True)
    published(cup)
    first = tables(cup).get()
    write_totals(first, [10, 4], no_hands=True, by=TEST, at=EIGHT)
    Game.objects.filter(table=first).update(state=Game.State.DISPUTED)
    settle_game(first, "score", reason="misread", score=[10, 0], by=TEST, at=EIGHT)
    step = next_action(state_of(cup), rounds_due(state_of(cup)))
    assert (step.title, step.label) == ("A match is already decided", "Remove the next game")


def test_the_field_of_a_walk_overs_reason_says_who_reads_it(client):
    cup = of_pairs(2, "knockout")
    published(cup)
    client.force_login(a_user(club=cup.club))
    assert "Players can read this reason." in client.get(address("tournament", cup)).text


def test_a_player_is_replaced_only_by_one_that_the_organiser_has_chosen(client):
    cup = of_pairs(4, "swiss")
    published(cup)
    cup.club.members.create(name="Zoe Free")
    client.force_login(a_user(club=cup.club))
    page = squeezed(client.get(address("tournament_entries", cup)).text)
    for field in ("leaves", "comes"):
        assert re.search(rf'name="{field}" required><option value="">Choose</option>', page)


def test_a_player_reads_that_the_opponents_withdrew(client):
    cup = of_pairs(4, "swiss")
    published(cup)
    state = state_of(cup)
    own, other = (state.entries[key] for key in state.last.matches[0].entries)
    own.member.user = a_user("player", club=cup.club, rank="member")
    own.member.save()
    actions.withdraw_entry(other, by=TEST, at=EIGHT)
    client.force_login(own.member.user)
    for page in (
        address("tournament", cup),
        reverse("session", args=[cup.club.slug, cup.session.public_id]),
    ):
        assert "withdrew: wait for the organiser." in client.get(page).text


def test_the_name_offered_for_a_tournament_is_that_of_its_session(client):
    cup = a_tournament(4, entered=False)
    client.force_login(a_user(club=cup.club))
    new = reverse("tournament_new", args=[cup.club.slug, cup.session.public_id])
    actions.cancel_tournament(cup, by=TEST, at=EIGHT)
    form = client.get(f"{new}?format=swiss").context["form"]
    assert form["name"].value() == cup.session.name


def test_the_entries_page_counts_the_entries(client):
    cup = a_tournament(7)
    client.force_login(a_user(club=cup.club))
    assert "<h1>Entries</h1><p>7 entries</p>" in squeezed(
        client.get(address("tournament_entries", cup)).text
    )


def test_while_standings_are_held_a_players_links_all_open(client):
    cup = a_tournament(8)
    for seed in (1, 2):
        published(cup, seed)
        play_round(cup, seed)
    Session.objects.filter(pk=cup.session_id).update(standings_held=True)
    member = state_of(cup).entries[state_of(cup).last.matches[0].entries[0]].member
    member.user = a_user("player", club=cup.club, rank="member")
    member.save()
    client.force_login(member.user)
    hub = client.get(address("tournament", cup)).text.partition("<main")[2].partition("</main>")[0]
    for link in set(re.findall(r'href="(/[^"#]*)"', hub)):
        assert client.get(link, follow=True).status_code == 200, link


def test_a_sentence_about_a_draft_has_one_full_stop_after_a_short_name():
    cup = of_pairs(4, "swiss", rounds=3)
    drawn(cup)
    gone = cup.entries.first()
    gone.partner.name = "John Smith Jr."
    gone.partner.save()
    actions.withdraw_entry(gone, by=TEST, at=EIGHT)
    assert "John Smith Jr. Redraw to leave them out." in draft_reminder(state_of(cup))
