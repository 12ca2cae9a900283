"""What members and visitors read of planned, cancelled, open and closed sessions."""

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal

import pytest
import time_machine
from django.urls import reverse
from django.utils import timezone
from django.utils.html import strip_tags

from league.members.models import Club
from league.sessions import actions
from league.sessions.links import calendar_link, make_calendar_link
from league.sessions.queries import end_of, local_date, start_of
from league.standings.actions import add_pot
from league.templatetags import figures
from league.tournaments.actions import start_tournament
from league.tournaments.models import Tournament
from league.tournaments.parameters import StageOptions
from tests.builders import (
    TEST,
    a_club,
    a_ruleset,
    a_session,
    a_table,
    a_user,
    members_of,
    rulesets_of,
)
from tests.pages import squeezed
from tests.play.hands import write

pytestmark = pytest.mark.django_db
AT = datetime(2026, 11, 19, 19, 0, tzinfo=UTC)


def test_visitors_read_when_a_planned_session_begins_and_nothing_of_live_standings(client):
    club = a_club(visibility="standings")
    night = a_session(club, state="planned", begins_at=time(19, 30), held_on="2099-12-24")
    page = client.get(reverse("session_standings", args=[club.slug, night.public_id]))
    said = page.content.decode()
    assert "hasn't started" in said.replace("&#x27;", "'")
    assert "Live" not in said
    assert "All games" not in said
    assert "7:30 p.m." in client.get(reverse("club", args=[club.slug])).content.decode()


def test_a_visitor_of_a_planned_session_reads_how_full_it_is_and_which_rules_are_other_than_usual(
    client,
):
    club = a_club(visibility="standings")
    rulesets_of(club)
    night = a_session(club, state="planned", places=2)
    page = reverse("session_standings", args=[club.slug, night.public_id])
    assert "2 places left" in squeezed(client.get(page).text)
    assert "Different rules from usual" not in client.get(page).text
    night.rulesets.add(a_ruleset(club, preset="benny-21"))
    for member in members_of(club, 3):
        night.sign_ups.create(member=member, placed_at=AT if member.name != "Ted" else None)
    shown = squeezed(client.get(page).text)
    assert "full, 1 waiting" in shown
    assert "Different rules from usual: Tables of 4: to 21" in shown


def names_in(page, *names):
    """The names in the order in which they first stand on the page."""
    return sorted((name for name in names if name in page), key=page.index)


@pytest.mark.parametrize("page", ["club", "sessions", "coming", "home"])
@time_machine.travel(AT, tick=False)
def test_of_two_sessions_on_one_day_the_earlier_stands_first(client, page):
    club = a_club()
    client.force_login(a_user(club=club))
    for name, begins_at in (("Late", time(19)), ("Early", time(14)), ("All day", None)):
        a_session(club, name=name, begins_at=begins_at, state="planned", held_on=AT.date())
    shown = client.get(reverse(page, args=[] if page == "home" else [club.slug])).text
    shown = shown.partition("<main")[2].replace("All day", "All-day-session")
    order = names_in(shown, ">Late<", ">Early<", ">All-day-session<")
    assert order == [">All-day-session<", ">Early<", ">Late<"]


@time_machine.travel(AT, tick=False)
def test_two_past_sessions_of_one_day_and_name_are_told_apart_by_their_times(client):
    club = a_club(visibility="standings")
    for hour in (14, 19):
        night = a_session(club, name="Quiz", begins_at=time(hour), held_on=AT.date())
        actions.close_session(night, by=TEST, at=AT)
    page = client.get(reverse("club", args=[club.slug])).text
    results, _heading, past = page.partition("<h2>Past sessions</h2>")
    assert names_in(results, "2 p.m.", "7 p.m.") == ["7 p.m.", "2 p.m."]
    assert names_in(past, "2 p.m.", "7 p.m.") == ["7 p.m.", "2 p.m."]


@time_machine.travel(AT, tick=False)
def test_a_session_left_open_stands_below_tonight_s_and_is_not_taken_for_one_tonight(client):
    club = a_club()
    client.force_login(a_user(club=club))
    a_session(club, name="Left open", begins_at=time(19), held_on=AT.date() - timedelta(days=9))
    sessions = reverse("sessions", args=[club.slug])
    assert "Another session tonight" not in client.get(sessions).text
    tonight = a_session(club, name="The real one", begins_at=time(19), held_on=AT.date())
    assert "Another session tonight" in client.get(sessions).text
    for page in (reverse("home"), reverse("club", args=[club.slug])):
        shown = client.get(page).text.partition("<main")[2]
        in_order = ["Tonight", tonight.name, "Tuesday 10 November", "Left open"]
        assert names_in(shown, *in_order) == in_order


@time_machine.travel(AT, tick=False)
def test_after_the_first_session_of_a_day_the_second_is_the_next(client):
    club = a_club(visibility="standings")
    early = a_session(club, name="Early", begins_at=time(14), held_on=AT.date())
    a_session(club, name="Late", begins_at=time(19), state="planned", held_on=AT.date())
    a_session(club, name="A week later", state="planned", held_on=AT.date() + timedelta(days=7))
    actions.close_session(early, by=TEST, at=AT)
    page = client.get(reverse("session_standings", args=[club.slug, early.public_id])).text
    assert names_in(page, "Late", "A week later") == ["Late"]


@time_machine.travel(AT, tick=False)
def test_a_planned_session_that_was_never_opened_is_no_longer_next_once_its_day_is_past(client):
    club = a_club(visibility="standings")
    closed = a_session(club, name="Closed", state="closed", held_on=AT.date() - timedelta(days=9))
    for name, days in (("Forgotten", -2), ("Coming", 5)):
        held_on = AT.date() + timedelta(days=days)
        a_session(club, name=name, state="planned", held_on=held_on)
    for page, args in (("club", []), ("session_standings", [closed.public_id])):
        shown = client.get(reverse(page, args=[club.slug, *args])).text
        assert names_in(shown, "Forgotten", "Coming") == ["Coming"], page


@pytest.mark.parametrize(
    ("begins_at", "end"), [(time(22, 30), "2:30 a.m."), (time(23), "3 a.m."), (time(20), "11 p.m.")]
)
def test_the_end_of_a_session_is_right_in_the_night_in_which_the_clocks_change(begins_at, end):
    """It was at 1:30 in London, a time that this night does not have."""
    club = a_club(time_zone="Europe/London", session_minutes=180)
    night = a_session(club, held_on=date(2027, 3, 27), begins_at=begins_at)
    assert end_of(night) - start_of(night).astimezone(UTC) == timedelta(hours=3)
    assert figures.times(night).endswith(f"– {end}")


LISTS = ("club", "coming")


@pytest.mark.parametrize("rank", [None, "member"])
def test_the_tournament_of_a_session_stands_wherever_the_planned_session_does(client, rank):
    """Visitors read nothing of it, and members only on the session's own page."""
    club = a_club(visibility="standings")
    night = a_session(club, name="Thursday", state="planned", held_on="2099-12-24")
    of = {"format": "rotation", "choice": StageOptions(), "seed": 1}
    start_tournament(night, name="Christmas Cup", **of, by=TEST)
    if rank:
        client.force_login(a_user(club=club, rank=rank))
    at = [club.slug, night.public_id]
    pages = {name: reverse(name, args=at) for name in ("session_standings", "session_calendar")}
    pages |= {name: reverse(name, args=[club.slug]) for name in LISTS if rank or name == "club"}
    if rank:
        pages["feed"] = calendar_link(make_calendar_link(club.roles.get(), by=TEST, at=AT))
    assert [
        name for name, url in pages.items() if "Christmas Cup" not in client.get(url).text
    ] == []
    if not rank:
        part = client.get(pages["club"]).text.partition('id="new-here"')[2]
        assert "Christmas Cup" in part.partition("</section>")[0]
    Tournament.objects.update(state="cancelled")
    assert [name for name, url in pages.items() if "Christmas Cup" in client.get(url).text] == []


def test_visitors_of_a_planned_session_read_what_to_bring_if_the_club_tracks_prize_money(client):
    club = a_club(visibility="standings", keeps_pots=True, currency="£")
    night = a_session(club, state="planned")
    rule = {"name": "Prizes", "source": "entry", "amount": Decimal(3), "payout": "most_loners"}
    add_pot(night, **rule, by=TEST, at=AT)
    page = reverse("session_standings", args=[club.slug, night.public_id])
    assert "Each player brings £3.00." in client.get(page).text
    Club.objects.update(keeps_pots=False)
    assert "Each player brings" not in client.get(page).text


@pytest.mark.parametrize("state", ["planned", "cancelled"])
def test_a_visitors_page_of_a_session_without_standings_is_headed_with_its_name(client, state):
    club = a_club(visibility="standings")
    night = a_session(club, name="Quiz and cards", held_on="2026-12-24", state=state)
    page = client.get(reverse("session_standings", args=[club.slug, night.public_id])).text
    assert "<h1>Quiz and cards</h1>" in page
    assert "Standings</h1>" not in page
    assert "24 December" in page.partition("</h1>")[2]


@pytest.mark.parametrize("rank", [None, "member"])
def test_tonights_session_says_where_it_is_and_when_it_begins_and_ends(client, rank):
    club = a_club(visibility="standings", venue="The Anchor", session_minutes=150)
    today = local_date(club, timezone.now())
    night = a_session(club, begins_at=time(19, 30), held_on=today)
    if rank:
        client.force_login(a_user(club=club, rank=rank))
    own_page = "session" if rank else "session_standings"
    for page in (club.slug,), (club.slug, night.public_id):
        name = own_page if len(page) > 1 else "club"
        assert "7:30 p.m. – 10 p.m. · The Anchor" in squeezed(
            client.get(reverse(name, args=page)).text
        )


def test_of_a_closed_session_only_the_start_is_known():
    night = a_session(a_club(), begins_at=time(19, 30), state="closed")
    assert figures.times(night) == "7:30 p.m."
    night.begins_at = None
    assert figures.times(night) == ""


@pytest.mark.parametrize("rank", [None, "member"])
def test_a_session_closed_today_has_its_results_near_the_top_until_the_next_day(client, rank):
    club = a_club(visibility="standings")
    night = a_session(club, held_on=local_date(club, timezone.now()))
    actions.close_session(night, by=TEST, at=timezone.now())
    if rank:
        client.force_login(a_user(club=club, rank=rank))
    home = reverse("club", args=[club.slug])
    page = client.get(home).text
    results = page.index("Today's results")
    assert results < page.index("Past sessions")
    assert rank or results < page.index("New here?")
    with time_machine.travel(timezone.now() + timedelta(days=1)):
        assert "s results" not in client.get(home).text


def test_a_session_closed_with_a_game_undecided_has_no_final_standings_yet(client):
    club = a_club(visibility="standings")
    night = a_session(club, held_on=local_date(club, timezone.now()))
    table = a_table(night, members_of(club, 4), a_ruleset(club))
    write(table, (0, 5))
    actions.close_session(night, by=TEST, at=timezone.now())
    page = client.get(reverse("club", args=[club.slug])).text
    assert "Today's results" in page
    assert "Final standings" not in page


def test_a_session_reopened_says_so(client):
    night = a_session(a_club(), state="closed")
    client.force_login(a_user(club=night.club))
    where = reverse("session_open", args=[night.club.slug, night.public_id])
    assert "The session is open again." in client.post(where, {"at_board": 1}, follow=True).text


def test_a_visitor_of_a_planned_session_reads_of_it_and_where_members_sign_up(client):
    club = a_club(visibility="standings")
    planned = a_session(club, name="Next week", held_on="2026-12-24", state="planned")
    own = reverse("session", args=[club.slug, planned.public_id])
    seen = client.get(own, follow=True).text
    assert "24 December" in seen
    assert f'{reverse("account_login")}?next={own}"' in seen


def moved_to(day):
    return {"name": "Thursday night", "held_on": str(day), "anyway": "on"}


def test_a_session_opened_by_a_wrong_date_is_planned_again_once_the_date_is_right(client):
    today = local_date(club := a_club(), timezone.now())
    client.force_login(a_user(club=club))
    night = a_session(club, held_on=today - timedelta(days=30))
    page = reverse("session_edit", args=[club.slug, night.public_id])
    right_day = moved_to(today + timedelta(days=3))
    client.post(page, right_day)
    night.refresh_from_db()
    assert night.state == "planned"
    assert "Open → Planned" in squeezed(
        strip_tags(client.get(reverse("audit", args=[club.slug])).text)
    )
    actions.open_session(night, by=TEST, at=AT)  # ahead of its day, on purpose
    client.post(page, right_day | {"name": "Harvest Cup"})
    night.refresh_from_db()
    assert (night.name, night.state) == ("Harvest Cup", "open")


def test_a_session_in_which_a_player_is_stays_open_on_another_day(client):
    club = a_club()
    client.force_login(a_user(club=club))
    night = a_session(club, members_of(club, 1))
    page = reverse("session_edit", args=[club.slug, night.public_id])
    client.post(page, moved_to(date(2099, 1, 2)))
    night.refresh_from_db()
    assert (night.held_on, night.state) == (date(2099, 1, 2), "open")


def test_a_name_that_is_too_long_is_refused_and_not_cut_while_typing(client):
    club = a_club()
    client.force_login(a_user(club=club))
    page = client.get(reverse("sessions", args=[club.slug])).text
    field = page.partition('name="name"')[2].partition(">")[0]
    assert "maxlength" not in field
    new = {"name": "Candles and cards " * 5, "held_on": "2031-03-06"}
    answer = client.post(reverse("session_new", args=[club.slug]), new)
    assert "at most 80 characters" in answer.text
