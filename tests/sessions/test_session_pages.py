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
from league.sessions.links import calendar_link, make_calendar_link, wall_link
from league.sessions.models import Session
from league.sessions.queries import end_of, local_date, start_of
from league.standings.actions import add_pot
from league.templatetags import figures
from league.tournaments.actions import start_tournament
from league.tournaments.models import Tournament
from league.tournaments.parameters import StageOptions
from tests.builders import (
    TEST,
    a_club,
    a_game_table,
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
    assert "Other rules than usual" not in client.get(page).text
    night.rulesets.add(a_ruleset(club, preset="benny-21"))
    for member in members_of(club, 3):
        night.sign_ups.create(member=member, placed_at=AT if member.name != "Ted" else None)
    shown = squeezed(client.get(page).text)
    assert "full, 1 waiting" in shown
    assert "Other rules than usual: Tables of 4: to 21" in shown


LIVE = "data-revision-url"


def a_cancelled_session(club, *, reason="", **fields):
    held_on = local_date(club, timezone.now()) + timedelta(days=3)
    night = a_session(club, state="planned", held_on=held_on, name="Quiz and cards", **fields)
    actions.cancel_session(night, by=TEST, at=timezone.now(), reason=reason)
    return night


@pytest.mark.parametrize("rank", [None, "member"])
def test_a_cancelled_session_says_so_on_its_pages_and_leads_to_the_next(client, rank):
    club = a_club(visibility="standings")
    night = a_cancelled_session(club)
    later = a_session(club, state="planned", held_on=night.held_on + timedelta(days=7))
    if rank:
        client.force_login(a_user(club=club, rank=rank))
    page = client.get(reverse("session_standings", args=[club.slug, night.public_id])).text
    assert "This session is cancelled" in page
    assert later.name in page
    assert "No hand has been entered yet" not in page
    assert LIVE not in page
    if rank:
        page = client.get(reverse("session", args=[club.slug, night.public_id])).text
        assert "This session is cancelled" in page
        assert later.name in page
        assert LIVE not in page


FLOODED = "The hall is flooded"
FOR_ALL = ("session_standings", "wall", "session_calendar", "club")
FOR_MEMBERS = ("session", "sign_ups", "session_edit", "session_pots", "sessions", "coming", "home")


def test_why_a_session_is_cancelled_stands_wherever_it_is_shown_as_cancelled(client):
    club = a_club(visibility="standings", keeps_pots=True)
    night = a_cancelled_session(club, reason=FLOODED)
    of_the_club = {"home": [], **{page: [club.slug] for page in ("club", "sessions", "coming")}}

    def silent(pages):
        at = {page: of_the_club.get(page, [club.slug, night.public_id]) for page in pages}
        return [p for p in pages if FLOODED not in client.get(reverse(p, args=at[p])).text]

    assert silent(FOR_ALL) == []
    client.force_login(a_user(club=club))
    Session.objects.update(held_on=local_date(club, timezone.now()))
    assert silent(FOR_ALL + FOR_MEMBERS) == []
    actions.open_session(night, by=TEST, at=timezone.now())
    assert silent(FOR_ALL + FOR_MEMBERS) == [*FOR_ALL, *FOR_MEMBERS]


def test_the_reason_of_cancelling_is_entered_with_it_and_who_will_read_it_stands_there(client):
    club = a_club(visibility="members")
    night = a_session(club, state="planned", held_on="2099-12-24")
    client.force_login(a_user(club=club))
    at = [club.slug, night.public_id]
    form = squeezed(client.get(reverse("session_edit", args=at)).text)
    assert "Members read it on the club's pages" in form.replace("&#x27;", "'")
    Club.objects.update(visibility="standings")
    form = squeezed(client.get(reverse("session_edit", args=at)).text)
    assert "Members and visitors read it on the club's" in form.replace("&#x27;", "'")
    refused = client.post(reverse("session_cancel", args=at), {"reason": "x" * 201})
    assert refused.status_code == 422
    assert "at most 200 characters" in refused.text
    client.post(reverse("session_cancel", args=at), {"reason": FLOODED})
    night.refresh_from_db()
    assert (night.state, night.cancel_reason) == ("cancelled", FLOODED)
    log = squeezed(client.get(reverse("audit", args=[club.slug])).text)
    assert FLOODED in log
    assert "Cancelled" in log


def test_return_in_the_reason_of_cancelling_does_not_open_the_session(client):
    """The form with the reason has no button but the one that cancels."""
    club = a_club()
    night = a_session(club, state="planned", held_on="2099-12-24")
    client.force_login(a_user(club=club))
    page = client.get(reverse("session_edit", args=[club.slug, night.public_id])).text
    before, _reason, after = page.partition('name="reason"')
    form = before.rpartition("<form")[2] + after.partition("</form>")[0]
    assert form.count("<button") == 1
    assert reverse("session_cancel", args=[club.slug, night.public_id]) in form


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


def test_a_cancelled_session_names_the_first_that_comes_even_if_before_its_own_day(client):
    club = a_club(visibility="standings")
    night = a_cancelled_session(club)
    for name, days in (("Long past", -30), ("Day before", -1), ("Week after", 7)):
        a_session(club, name=name, state="planned", held_on=night.held_on + timedelta(days=days))
    page = client.get(reverse("session_standings", args=[club.slug, night.public_id])).text
    assert "Day before" in page
    assert "Long past" not in page
    assert "Week after" not in page


@pytest.mark.parametrize(
    ("name", "begins_at", "line"),
    [
        ("Thursday 26 November", time(19), "Thursday 26 November, 7 p.m. – 10 p.m. · 12 Rose Lane"),
        ("Thursday 26 November", None, "Thursday 26 November · 12 Rose Lane"),
        ("Quiz and cards", None, "Quiz and cards, Thursday 26 November · 12 Rose Lane"),
    ],
)
@time_machine.travel(AT, tick=False)
def test_the_line_of_the_next_session_reads_as_one_sentence(client, name, begins_at, line):
    club = a_club(venue="12 Rose Lane")
    night = a_cancelled_session(club)
    later = {"state": "planned", "held_on": night.held_on + timedelta(days=4)}
    a_session(club, name=name, begins_at=begins_at, **later)
    client.force_login(a_user(club=club, rank="member"))
    page = client.get(reverse("session", args=[club.slug, night.public_id])).text
    shown = " ".join(strip_tags(page).split())
    assert f"Next session: {line}" in shown


def test_the_page_of_a_cancelled_session_says_where_it_would_have_been(client):
    club = a_club(visibility="standings", venue="12 Rose Lane")
    night = a_cancelled_session(club)
    page = client.get(reverse("session_standings", args=[club.slug, night.public_id])).text
    assert "12 Rose Lane" in page


def test_above_the_standings_of_a_cancelled_session_stands_that_they_do_not_count(client):
    table = a_game_table()
    Club.objects.update(visibility="standings")
    write(table, (0, 3))
    says = "This session is cancelled<br>Nothing entered in it counts."
    for has_hand in (True, False):
        night = table.session if has_hand else a_cancelled_session(table.session.club)
        Session.objects.filter(pk=night.pk).update(state="cancelled")
        page = client.get(reverse("session_standings", args=[night.club.slug, night.public_id]))
        assert (says in squeezed(page.text).replace("</strong>", "")) == has_hand


def test_visitors_of_a_planned_session_read_what_to_bring_if_the_club_tracks_prize_money(client):
    club = a_club(visibility="standings", keeps_pots=True, currency="£")
    night = a_session(club, state="planned")
    rule = {"name": "Prizes", "source": "entry", "amount": Decimal(3), "payout": "most_loners"}
    add_pot(night, **rule, by=TEST, at=AT)
    page = reverse("session_standings", args=[club.slug, night.public_id])
    assert "Each player brings £3.00." in client.get(page).text
    Club.objects.update(keeps_pots=False)
    assert "Each player brings" not in client.get(page).text


def test_organisers_of_a_cancelled_session_find_who_had_signed_up(client):
    """They are to be told, and no page led to their names any more."""
    club = a_club()
    night = a_cancelled_session(club)
    at = [club.slug, night.public_id]
    link = f'<a href="{reverse("sign_ups", args=at)}">Who had signed up</a>'
    for rank in ("member", "organiser"):
        client.force_login(a_user(rank, club=club, rank=rank))
        assert (link in client.get(reverse("session", args=at)).text) == (rank == "organiser")
    assert "0 came" not in squeezed(client.get(reverse("sessions", args=[club.slug])).text)


@pytest.mark.parametrize("state", ["planned", "cancelled"])
def test_a_visitors_page_of_a_session_without_standings_is_headed_with_its_name(client, state):
    club = a_club(visibility="standings")
    night = a_session(club, name="Quiz and cards", held_on="2026-12-24", state=state)
    page = client.get(reverse("session_standings", args=[club.slug, night.public_id])).text
    assert "<h1>Quiz and cards</h1>" in page
    assert "Standings</h1>" not in page
    assert "24 December" in page.partition("</h1>")[2]


@pytest.mark.parametrize("tables", [0, 1])
def test_the_public_wall_of_a_cancelled_session_says_just_that(client, tables):
    club = a_club(visibility="standings")
    night, players = a_session(club), members_of(club, 4)
    if tables:
        a_table(night, players, a_ruleset(club))
    actions.cancel_session(night, by=TEST, at=timezone.now())
    page = squeezed(client.get(reverse("wall", args=[club.slug, night.public_id])).text)
    assert "<h2>This session is cancelled</h2>" in page
    for other in ("Tables will appear here", "Rose", "Round 1", "table finished", "Standings</h2>"):
        assert other not in page
    assert "The session is over or cancelled" in client.get(wall_link(night)).text


@pytest.mark.parametrize("rank", [None, "member", "organiser"])
def test_a_cancelled_session_stays_on_the_clubs_page_until_its_day_is_past(client, rank):
    club = a_club(visibility="standings")
    night = a_cancelled_session(club)
    if rank:
        client.force_login(a_user(club=club, rank=rank))
    home = reverse("club", args=[club.slug])
    shown = squeezed(client.get(home).text)
    assert "Quiz and cards" in shown
    assert '<span class="badge bad">Cancelled</span>' in shown
    assert "Add to calendar" not in shown
    Session.objects.filter(pk=night.pk).update(held_on=night.held_on - timedelta(days=4))
    assert "Quiz and cards" not in client.get(home).text


def test_members_read_on_the_home_page_that_tonights_session_is_cancelled(client):
    club = a_club()
    night = a_cancelled_session(club)
    Session.objects.update(held_on=local_date(club, timezone.now()))
    client.force_login(a_user(club=club, rank="member"))
    shown = squeezed(client.get(reverse("home")).text)
    assert night.name in shown
    assert '<span class="badge bad">Cancelled</span>' in shown


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
