"""Every page of an evening: who may open it, and that it opens with 0, 5, 11 and 40 people."""

from datetime import UTC, datetime

import pytest
from django.urls import reverse

from league.seating.actions import draft_round, publish
from tests.builders import TEST, a_club, a_session, a_user, members_of, rulesets_of

pytestmark = pytest.mark.django_db
AT = datetime(2026, 11, 19, 19, 0, tzinfo=UTC)

RANKS = ("stranger", "member", "scorekeeper", "organiser", "owner")
PAGES = {
    "session": "member",
    "checkin": "organiser",
    "seating": "member",
    "certificate": "member",
    "session_edit": "organiser",
    "door_code": "organiser",
    "board": "scorekeeper",
    "wall": "member",
    "wall_made": "organiser",
    "paper": "organiser",
    "print_cards": "organiser",
    "print_sheets": "organiser",
    "print_chart": "member",
    "print_movement": "member",
}
CLUB_PAGES = {
    "sessions": "member",
    "seasons": "member",
    "season_new": "organiser",
    "seating_requests": "organiser",
}
ORDERS = {
    "session_open": "organiser",
    "session_close": "organiser",
    "clock_start": "organiser",
    "clock_extend": "organiser",
    "door_revoke": "organiser",
    "wall_revoke": "organiser",
    "checkin_arrive": "organiser",
    "checkin_leave": "organiser",
    "checkin_rest": "organiser",
    "checkin_again": "organiser",
    "checkin_guest": "organiser",
    "checkin_paste": "organiser",
    "checkin_last": "organiser",
    "seating_draft": "organiser",
    "seating_redraw": "organiser",
    "seating_swap": "organiser",
    "seating_lock": "organiser",
    "seating_publish": "organiser",
    "seating_discard": "organiser",
    "seating_take_back": "organiser",
}


def a_night(count, *, seated=True, draft=False):
    club = a_club()
    rulesets_of(club)
    night = a_session(club, members_of(club, count))
    if seated and count > 1:
        publish(draft_round(night, by=TEST, seed=1), by=TEST, at=AT)
    elif draft and count > 1:
        draft_round(night, by=TEST, seed=1)
    return night


def sign_in(client, club, rank):
    user = a_user(rank, club=None if rank == "stranger" else club, rank=rank)
    client.force_login(user)


def page(name, night):
    return reverse(name, args=[night.club.slug, night.public_id])


@pytest.mark.parametrize("rank", RANKS)
def test_every_page_opens_from_its_rank_on_and_to_nobody_below(client, rank):
    night = a_night(11)
    sign_in(client, night.club, rank)
    for name, least in PAGES.items():
        status = client.get(page(name, night)).status_code
        assert status == expected(rank, least), name
    for name, least in CLUB_PAGES.items():
        status = client.get(reverse(name, args=[night.club.slug])).status_code
        assert status == expected(rank, least), name


def expected(rank, least):
    if rank == "stranger":
        return 404
    return 200 if RANKS.index(rank) >= RANKS.index(least) else 403


@pytest.mark.parametrize("rank", ["stranger", "member", "scorekeeper"])
def test_no_order_is_taken_from_below_its_rank(client, rank):
    night = a_night(11)
    sign_in(client, night.club, rank)
    for name in ORDERS:
        status = client.post(page(name, night)).status_code
        assert status == (404 if rank == "stranger" else 403), name
    night.refresh_from_db()
    assert night.audit.exclude(actor="Test").count() == 0


def test_orders_are_not_taken_by_get(client):
    night = a_night(5)
    sign_in(client, night.club, "organiser")
    for name in ORDERS:
        assert client.get(page(name, night)).status_code == 405, name


@pytest.mark.parametrize("count", [0, 1, 2, 5, 11, 40])
def test_every_page_opens_however_many_people_are_here(client, count):
    night = a_night(count)
    sign_in(client, night.club, "organiser")
    for name in PAGES:
        assert client.get(page(name, night)).status_code == 200, name


@pytest.mark.parametrize("count", [2, 11, 40])
def test_the_draft_opens_and_prices_a_swap(client, count):
    night = a_night(count, seated=False, draft=True)
    sign_in(client, night.club, "organiser")
    someone = night.attendances.first().member
    plain = client.get(page("seating", night))
    assert plain.status_code == 200
    picked = client.get(page("seating", night), {"pick": someone.public_id})
    assert picked.status_code == 200
    assert len(picked.context["prices"]) == count - 1


def test_another_clubs_session_is_not_found(client):
    night = a_night(5)
    other = a_club(slug="other")
    sign_in(client, other, "organiser")
    for name in PAGES:
        address = reverse(name, args=[other.slug, night.public_id])
        assert client.get(address).status_code == 404, name
