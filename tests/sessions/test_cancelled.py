"""A cancelled session: who reads of it and why, and what comes next."""

from datetime import UTC, datetime, time, timedelta

import pytest
import time_machine
from django.urls import reverse
from django.utils import timezone
from django.utils.html import strip_tags

from league.members.models import Club
from league.sessions import actions, attendance
from league.sessions.links import wall_link
from league.sessions.models import Session
from league.sessions.queries import local_date
from tests.builders import (
    TEST,
    a_club,
    a_game_table,
    a_ruleset,
    a_session,
    a_table,
    a_user,
    members_of,
)
from tests.pages import squeezed
from tests.play.hands import write

pytestmark = pytest.mark.django_db
AT = datetime(2026, 11, 19, 19, 0, tzinfo=UTC)
LIVE = "data-revision-url"


def a_cancelled_session(club, *, reason="", **fields):
    held_on = local_date(club, timezone.now()) + timedelta(days=3)
    night = a_session(club, state="planned", held_on=held_on, name="Quiz and cards", **fields)
    actions.cancel_session(night, by=TEST, at=timezone.now(), reason=reason)
    return night


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


def test_a_cancelled_session_names_the_first_that_comes_even_if_before_its_own_day(client):
    club = a_club(visibility="standings")
    night = a_cancelled_session(club)
    for name, days in (("Long past", -30), ("Day before", -1), ("Week after", 7)):
        a_session(club, name=name, state="planned", held_on=night.held_on + timedelta(days=days))
    page = client.get(reverse("session_standings", args=[club.slug, night.public_id])).text
    assert "Day before" in page
    assert "Long past" not in page
    assert "Week after" not in page


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


def test_the_answer_to_cancelling_says_that_players_had_signed_up(client, monkeypatch):
    club = a_club()
    client.force_login(a_user(club=club))
    held_on = local_date(club, timezone.now()) + timedelta(days=3)
    for players, says in ((0, False), (1, True)):
        night = a_session(club, state="planned", held_on=held_on, name=f"{players}")
        for member in members_of(club, players):
            attendance.sign_up(night, member, by=TEST, at=timezone.now())
        cancel = reverse("session_cancel", args=[club.slug, night.public_id])
        page = client.post(cancel, follow=True).text
        assert ("1 player has signed up: let them know." in page) == says


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


def test_of_a_session_without_players_only_what_cancelling_does_is_said(client):
    club = a_club()
    (rose,) = members_of(club, 1)
    client.force_login(a_user(club=club))
    said = [
        squeezed(client.get(reverse("session_edit", args=[club.slug, night.public_id])).text)
        for night in (a_session(club, state="planned"), a_session(club, [rose]))
    ]
    assert ["nothing entered in it counts" in text for text in said] == [False, True]
    assert "It stays in the list as cancelled, and you can reopen it." in said[0]


def test_a_cancelled_session_whose_day_is_to_come_is_planned_again_not_open():
    """Reopened, it stood open on the public page two weeks early."""
    night = a_session(a_club(), held_on=AT.date() + timedelta(days=14), state="planned")
    actions.cancel_session(night, by=TEST, at=AT)
    assert actions.open_session(night, by=TEST, at=AT).state == "planned"
    night.refresh_from_db()
    assert actions.open_session(night, by=TEST, at=AT).state == "open"


def test_planning_again_leads_to_the_cancelled_session_of_that_day_and_says_what_to_do(client):
    club = a_club()
    cancelled = a_cancelled_session(club)
    week_before = cancelled.held_on - timedelta(days=7)
    night = a_session(club, name=cancelled.name, state="planned", held_on=week_before)
    client.force_login(a_user(club=club))
    repeat = reverse("session_repeat", args=[club.slug, night.public_id])
    answer = client.post(repeat, follow=True)
    page = reverse("session", args=[club.slug, cancelled.public_id])
    assert answer.redirect_chain[0][0] == page
    assert "Quiz and cards was cancelled. Reopen it in its settings." in answer.text
