"""Mistakes in planning: what is asked first, and what can be undone or deleted."""

from datetime import date, time, timedelta
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.members.account_mail import SENDS_NOTHING
from league.members.models import Club, Member, Role
from league.sessions import actions, attendance
from league.sessions.links import calendar_link, make_calendar_link
from league.sessions.models import Session
from league.sessions.queries import sign_ups_of
from league.standings.actions import add_pot
from tests.builders import TEST, a_club, a_session, a_user, members_of
from tests.pages import squeezed

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return a_club()


@pytest.fixture
def organiser(club: Club, client: Client) -> Client:
    client.force_login(a_user(club=club))
    return client


def in_days(days: int) -> date:
    return timezone.now().date() + timedelta(days)


def at(night: Session, name: str) -> str:
    return reverse(name, args=[night.club.slug, night.public_id])


def full(club: Club) -> tuple[Session, list[Member]]:
    """A session with two places, and four players who signed up for it, Ann first."""
    night = a_session(club, held_on=in_days(7), state="planned", places=2)
    people = sorted(members_of(club, 4), key=lambda one: one.name)
    for one in people:
        attendance.sign_up(night, one, by=TEST, at=timezone.now())
    return night, people


def lists(night: Session) -> tuple[list[str], list[str]]:
    now = sign_ups_of(night, at=timezone.now())
    return [row.member.name for row in now.placed], [row.member.name for row in now.waiting]


def withdrawn(organiser: Client, night: Session, member: Member) -> tuple[str, str]:
    """Withdraw a player with one tap: the page that follows, and what its Undo sends."""
    answer = organiser.post(at(night, "withdraw_others"), {"member": member.public_id}, follow=True)
    return squeezed(answer.text), answer.context["undo"]


@pytest.mark.parametrize("turn", [0, 1, 2, 3])
def test_undoing_a_withdrawal_gives_back_the_place_or_the_turn_as_if_nothing_had_been(
    organiser: Client, club: Club, turn: int
) -> None:
    night, people = full(club)
    before = lists(night)
    page, undo = withdrawn(organiser, night, people[turn])
    assert f"Didn't mean to withdraw {people[turn].name}?" in page
    assert lists(night) != before
    said = organiser.post(at(night, "withdrawal_undo"), {"undo": undo}, follow=True).text
    assert f"{people[turn].name} is signed up as before." in said
    assert ("Rose is back on the waiting list." in said) == (turn < 2)
    assert lists(night) == before
    organiser.post(at(night, "withdrawal_undo"), {"undo": undo})
    assert lists(night) == before


def test_who_has_had_a_mail_about_the_place_keeps_it_when_the_withdrawal_is_undone(
    organiser: Client, club: Club
) -> None:
    night, (ann, _bill, rose, _ted) = full(club)
    _page, undo = withdrawn(organiser, night, ann)
    night.sign_ups.filter(member=rose).update(told_at=timezone.now())
    organiser.post(at(night, "withdrawal_undo"), {"undo": undo})
    assert lists(night) == (["Ann", "Bill", "Rose"], ["Ted"])


def test_an_undo_is_of_one_session_and_cannot_be_made_up(organiser: Client, club: Club) -> None:
    night, people = full(club)
    _page, undo = withdrawn(organiser, night, people[0])
    other = a_session(club, held_on=in_days(8), state="planned")
    assert organiser.post(at(other, "withdrawal_undo"), {"undo": undo}).status_code == 404
    assert organiser.post(at(night, "withdrawal_undo"), {"undo": undo[1:]}).status_code == 404
    assert organiser.get(at(night, "sign_ups"), {"undo": "x"}).status_code == 404


def test_the_same_evening_is_planned_twice_only_when_that_is_confirmed(
    organiser: Client, club: Club
) -> None:
    new, typed = reverse("session_new", args=[club.slug]), {"held_on": str(in_days(7))}
    for begins_at, says in (("14:00", "at 2 p.m. on that day."), ("", "on that day.")):
        one = typed | {"begins_at": begins_at}
        assert organiser.post(new, one).status_code == 302
        asked = organiser.post(new, one)
        assert asked.status_code == 422
        assert f"There is already a session {says}" in asked.text
        assert "Plan it anyway" in asked.text
        assert organiser.post(new, one | {"anyway": "on"}).status_code == 302
    assert club.sessions.count() == 4


def test_a_session_more_than_two_years_away_is_planned_only_when_that_is_confirmed(
    organiser: Client, club: Club
) -> None:
    new, typed = reverse("session_new", args=[club.slug]), {"held_on": str(in_days(800))}
    asked = organiser.post(new, typed)
    assert "is more than two years away." in asked.text
    assert not club.sessions.exists()
    assert organiser.post(new, typed | {"anyway": "on"}).status_code == 302


def test_a_planned_session_moves_into_the_past_or_onto_another_only_when_that_is_confirmed(
    organiser: Client, club: Club
) -> None:
    a_session(club, held_on=in_days(14), begins_at=time(19), state="planned")
    night = a_session(club, held_on=in_days(7), begins_at=time(19), state="planned")
    questions = {
        in_days(-7): "is past: sign-up would be over.",
        in_days(14): "There is already a session at 7 p.m. on that day.",
        in_days(800): "is more than two years away.",
    }
    for day, says in questions.items():
        typed = {"name": night.name, "held_on": str(day), "begins_at": "19:00"}
        asked = organiser.post(at(night, "session_edit"), typed)
        assert says in asked.text
        assert "Move the session to that day" in asked.text
        organiser.post(at(night, "session_edit"), typed | {"anyway": "on"})
        night.refresh_from_db()
        assert night.held_on == day


def test_a_session_planned_by_mistake_is_deleted_and_the_activity_log_says_so(
    organiser: Client, club: Club
) -> None:
    data = {"name": "Slip", "held_on": str(in_days(7))}
    organiser.post(reverse("session_new", args=[club.slug]), data)
    night = club.sessions.get()
    assert "Yes, delete it" in organiser.get(at(night, "session_edit")).text
    said = organiser.post(at(night, "session_delete"), follow=True).text
    assert "Deleted Slip." in said
    assert not club.sessions.exists()
    log = squeezed(organiser.get(reverse("audit", args=[club.slug])).text)
    assert "deleted session" in log.casefold()
    assert "planned session" in log.casefold()


@pytest.mark.parametrize("what", ["open", "sign-up", "pot", "check-in"])
def test_a_session_to_which_anything_belongs_is_not_deleted(
    organiser: Client, club: Club, what: str
) -> None:
    night = a_session(club, held_on=in_days(7), state="planned")
    (rose,) = members_of(club, 1)
    if what == "open":
        Session.objects.update(state="open")
    elif what == "sign-up":
        attendance.sign_up(night, rose, by=TEST, at=timezone.now())
    elif what == "pot":
        pot = {"name": "Pot", "source": "entry", "payout": "most_loners", "amount": Decimal(1)}
        add_pot(night, by=TEST, at=timezone.now(), **pot)
    else:
        night.attendances.create(member=rose)
    assert "Yes, delete it" not in organiser.get(at(night, "session_edit")).text
    assert organiser.post(at(night, "session_delete")).status_code == 409
    assert club.sessions.exists()


def test_a_cancelled_session_without_sign_ups_is_deleted_and_leaves_the_calendar(
    organiser: Client, club: Club
) -> None:
    night = a_session(club, name="Slip", held_on=in_days(7), state="planned")
    actions.cancel_session(night, by=TEST, at=timezone.now())
    role = Role.objects.get(club=club)
    calendar = calendar_link(make_calendar_link(role, by=TEST, at=timezone.now()))
    assert "Slip" in organiser.get(calendar).text
    organiser.post(at(night, "session_delete"))
    assert "Slip" not in organiser.get(calendar).text


def test_a_session_opened_too_early_is_planned_again_with_its_sign_ups(
    organiser: Client, club: Club
) -> None:
    night, _people = full(club)
    before = lists(night)
    organiser.post(at(night, "session_open"))
    assert "Back to planned" in organiser.get(at(night, "session_edit")).text
    organiser.post(at(night, "session_unopen"))
    night.refresh_from_db()
    assert (night.state, lists(night)) == ("planned", before)


def test_a_session_to_which_a_player_came_or_that_is_past_is_not_planned_again(
    organiser: Client, club: Club
) -> None:
    attended = a_session(club, members_of(club, 1), held_on=in_days(7))
    past = a_session(club, held_on=in_days(-1))
    for night in (attended, past):
        assert "Back to planned" not in organiser.get(at(night, "session_edit")).text
        assert organiser.post(at(night, "session_unopen")).status_code == 409


def test_cancelling_promises_no_mail_where_the_site_sends_none(
    organiser: Client, club: Club, settings
) -> None:
    night = a_session(club, held_on=in_days(7), state="planned")
    assert "in calendars and in any mail." in organiser.get(at(night, "session_edit")).text
    settings.EMAIL_BACKEND = SENDS_NOTHING
    assert "pages and in calendars." in organiser.get(at(night, "session_edit")).text
