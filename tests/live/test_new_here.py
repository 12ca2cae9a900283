"""What somebody new finds on a club's public page: whom to ask, when to come, how to join."""

import re
from datetime import timedelta
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.members.models import Club, Member
from league.sessions.actions import cancel_session
from league.sessions.attendance import sign_up
from league.sessions.models import Session
from league.standings.actions import add_pot
from league.tournaments.actions import start_tournament
from league.tournaments.parameters import StageOptions
from tests.builders import TEST, a_club, a_session, a_user, members_of, rulesets_of
from tests.pages import squeezed
from tests.teams.leagues import a_league
from tests.tournaments.playing import a_tournament

pytestmark = pytest.mark.django_db
WELCOME = "Everyone may come, beginners too.\n\n<b>£3</b> a night.\nAsk at the bar, or ring 555."
LISTS = ("tournaments", "team_leagues")
NOTHING_WRITTEN = "but not who may come or whom to ask"


@pytest.fixture
def club() -> Club:
    return a_club("Quay", "quay", visibility="standings", welcome=WELCOME)


def page_of(club: Club, browser: Client) -> str:
    return squeezed(browser.get(reverse("club", args=[club.slug])).content.decode())


def new_here(club: Club, browser: Client) -> str:
    """The part of the club's page that is for somebody new."""
    _before, _id, after = page_of(club, browser).partition('id="new-here"')
    return after.partition("</section>")[0]


def planned(club: Club, days: int = 7, **fields: object) -> Session:
    held_on = club.local(timezone.now()).date() + timedelta(days=days)
    return a_session(club, held_on=held_on, state="planned", **fields)


def take(night: Session, *members: Member) -> None:
    for member in members:
        sign_up(night, member, by=TEST, at=timezone.now())


def test_tonight_and_next_are_side_by_side_where_a_club_has_both(client: Client) -> None:
    club = a_club("Pier", "pier", visibility="standings")
    planned(club)
    assert 'class="split"' not in page_of(club, client)
    a_session(club, state="open")
    both = page_of(club, client).partition('class="split"')[2]
    assert '<a class="panel tint"' in both
    assert "<h2>Next</h2>" in both


def test_a_visitor_reads_what_the_club_wrote_line_by_line_and_as_it_was_typed(club, client):
    lines = "<p>&lt;b&gt;£3&lt;/b&gt; a night.<br>Ask at the bar, or ring 555.</p>"
    assert f"<p>Everyone may come, beginners too.</p>{lines}" in new_here(club, client)


def test_a_visitor_reads_how_many_places_the_next_session_has_left_or_how_many_wait(club, client):
    planned(club, days=-7, name="Never opened", places=9)
    planned(club, days=14, name="Later", places=9)
    night = planned(club, name="Quiz and cards", places=3, begins_at="19:30")
    rose, *others = members_of(club, 5)
    take(night, rose)
    shown = new_here(club, client)
    assert "Next session:<strong>Quiz and cards</strong>" in shown
    assert "7:30 p.m. – 10:30 p.m. · 2 places left" in shown
    assert "Rose" not in shown
    take(night, *others[:2])
    assert "10:30 p.m. · full</p>" in new_here(club, client)
    take(night, *others[2:])
    assert "10:30 p.m. · full, 2 waiting" in new_here(club, client)


def test_each_planned_session_says_how_many_places_it_has_left(club, client):
    take(planned(club, name="Quiz and cards", places=2), *members_of(club, 3))
    planned(club, days=14, name="Later", places=9)
    planned(club, days=21, name="Without a limit")
    _before, _heading, after = page_of(club, client).partition("<h2>Next</h2>")
    shown = re.sub(r"<.*?>|Add to calendar", " ", after)
    assert "full, 1 waiting" in squeezed(shown)
    assert " 9 places left" in squeezed(shown)
    assert shown.count("places left") == 1


def test_of_a_full_session_a_visitor_reads_what_they_can_do_with_and_without_an_account(
    club, client
):
    night = planned(club, places=2)
    at_the_door = "You need no account to play: an organiser checks you in at the door."
    shown = new_here(club, client)
    assert at_the_door in shown
    assert "With an account you can sign up here and find your own results." in shown
    assert "waiting list" not in shown
    take(night, *members_of(club, 2))
    shown = new_here(club, client)
    assert at_the_door not in shown
    assert "Ask an organiser whether a place has come free" in shown
    assert "With an account you can join the waiting list here" in shown


def test_of_a_session_without_a_limit_a_visitor_reads_only_when_it_is(club, client):
    planned(club, name="Cards")
    shown = new_here(club, client)
    assert "<strong>Cards</strong>" in shown
    assert "left" not in shown


def test_a_visitor_reads_how_to_join_as_the_site_has_it(club, client, settings):
    member = a_user("bob", club=club, rank="member")
    settings.SIGN_UP = "invited"
    assert "Ask an organiser for an invitation." in new_here(club, client)
    assert reverse("account_signup") not in page_of(club, client)
    settings.SIGN_UP = "open"
    there = f'href="{reverse("account_signup")}?next={reverse("club", args=[club.slug])}"'
    assert there in new_here(club, client)
    client.force_login(a_user("mavis"))
    assert "give an organiser your user name, mavis" in new_here(club, client)
    client.force_login(member)
    assert not new_here(club, client)


def test_a_visitor_is_led_to_how_an_evening_goes_to_euchre_in_short_and_to_the_house_rules(
    club, client
):
    shown = new_here(club, client)
    assert f'href="{reverse("help")}?club=quay#how-an-evening-goes"' in shown
    assert f'href="{reverse("help")}?club=quay#words"' in shown
    assert 'id="how-an-evening-goes"' in client.get(reverse("help")).content.decode()
    assert f'href="{reverse("rules_print", args=[club.slug])}"' in shown


@pytest.mark.parametrize("rank", ["member", "organiser"])
def test_members_find_what_newcomers_read_in_a_fold_which_organisers_can_change(club, client, rank):
    client.force_login(a_user(club=club, rank=rank))
    page = page_of(club, client)
    assert "<summary>For newcomers</summary>" in page
    assert "Everyone may come" in page
    change = f'href="{reverse("club_settings", args=[club.slug])}#id_welcome"'
    assert (change in page) == (rank == "organiser")
    assert NOTHING_WRITTEN not in page


def test_an_organiser_of_a_public_club_reads_once_that_nothing_is_there_for_newcomers(club, client):
    Club.objects.update(welcome="")
    assert NOTHING_WRITTEN not in page_of(club, client)
    client.force_login(a_user("bob", club=club, rank="member"))
    assert NOTHING_WRITTEN not in page_of(club, client)
    client.force_login(a_user(club=club))
    page = page_of(club, client)
    assert page.count(NOTHING_WRITTEN) == 1
    assert f'href="{reverse("club_settings", args=[club.slug])}#id_welcome"' in page
    Club.objects.update(visibility="members")
    assert NOTHING_WRITTEN not in page_of(club, client)


def test_what_each_player_brings_stands_with_the_next_session(club, client):
    night = planned(club)
    fee = {"name": "Prizes", "source": "entry", "payout": "most_loners", "amount": Decimal(3)}
    add_pot(night, **fee, by=TEST, at=timezone.now())
    assert "Each player brings" not in new_here(club, client)
    Club.objects.update(keeps_pots=True, currency="£")
    assert "Each player brings £3.00." in new_here(club, client)


def test_each_planned_session_says_what_each_player_brings(club, client):
    Club.objects.update(keeps_pots=True, currency="£")
    fee = {"name": "Prizes", "source": "entry", "payout": "most_loners", "amount": Decimal(3)}
    for days in (7, 14):
        add_pot(planned(club, days=days), **fee, by=TEST, at=timezone.now())
    page = page_of(club, client)
    assert page.partition('id="new-here"')[0].count("Each player brings £3.00.") == 2


def test_a_visitor_finds_all_planned_sessions_and_none_is_pushed_out_by_a_cancelled_one(
    club, client
):
    nights = [planned(club, days=day, name=f"Quiz {day:02}", begins_at="19:30") for day in range(9)]
    for night in nights[1:3]:
        cancel_session(night, by=TEST, at=timezone.now())
    cards, summary, later = page_of(club, client).partition("4 more upcoming sessions")
    assert [night.name for night in nights if night.name in cards] == [
        f"Quiz {day:02}" for day in range(5)
    ]
    assert summary
    for night in nights[5:]:
        assert reverse("session_standings", args=[club.slug, night.public_id]) in later
        assert reverse("session_calendar", args=[club.slug, night.public_id]) in later
    assert later.partition("</details>")[0].count("7:30 p.m. – 10:30 p.m.") == 4


def test_a_club_of_its_members_alone_shows_nothing_to_somebody_new(club, client):
    Club.objects.update(visibility="members")
    answer = client.get(reverse("club", args=[club.slug]), follow=True)
    assert "Everyone may come" not in answer.content.decode()


def test_a_visitor_costs_no_more_questions_however_many_have_signed_up(
    club, client, django_assert_num_queries, django_assert_max_num_queries
):
    night = planned(club, places=2)
    with django_assert_max_num_queries(20) as few:
        page_of(club, client)
    take(night, *members_of(club, 10))
    planned(club, days=8, name="Another")
    with django_assert_num_queries(len(few)):
        assert "8 waiting" in page_of(club, client)


ALONE = "You may come alone: partners change each round."


def test_a_visitor_may_come_alone_where_players_draw_partners_and_not_to_fixed_pairs(club, client):
    assert ALONE not in new_here(club, client)  # nothing is known of how this club plays
    a_session(club, state="closed")
    assert ALONE in new_here(club, client)
    rulesets_of(club)
    night = planned(club)
    for format, draws in (("progressive", True), ("swiss", False)):
        cup = start_tournament(
            night, name=format, format=format, choice=StageOptions(), seed=1, by=TEST
        )
        assert (ALONE in new_here(club, client)) == draws, format
        cup.delete()


def test_the_menu_leads_a_visitor_to_tournaments_and_leagues_only_where_the_club_has_any(
    club, client
):
    links = [f'href="{reverse(name, args=[club.slug])}"' for name in LISTS]
    assert [link in page_of(club, client) for link in links] == [False, False]
    rulesets_of(club)
    a_tournament(4, club=club)
    assert [link in page_of(club, client) for link in links] == [True, False]
    a_league(club=club)
    assert [link in page_of(club, client) for link in links] == [True, True]


@pytest.mark.parametrize("rank", ["member", "organiser"])
def test_the_menu_leads_members_to_tournaments_and_leagues_always(club, client, rank):
    client.force_login(a_user(club=club, rank=rank))
    shown = page_of(club, client)
    assert all(f'href="{reverse(name, args=[club.slug])}"' in shown for name in LISTS)
