"""Asking whether a session has moved on: cheap, and only for those who may see it."""

import re
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.live.revision import revision_url
from league.members.models import Club, Role, User
from league.sessions.models import Session
from tests.builders import a_club, a_session, a_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def club_session():
    return a_session(a_club(), revision=31)


def address(session):
    return reverse("session_revision", args=[session.club.slug, session.public_id])


def publish(session):
    Club.objects.update(visibility=Club.Visibility.STANDINGS)


def test_the_answer_is_the_revision_and_its_tag(client, club_session):
    answer = client.get(revision_url(club_session))
    assert answer.json() == {"revision": 31}
    assert answer["ETag"] == '"31"'


def test_an_unmoved_session_answers_304_with_one_read(
    client, club_session, django_assert_num_queries
):
    url = revision_url(club_session)
    with django_assert_num_queries(1):
        answer = client.get(url, headers={"if-none-match": '"31"'})
    assert answer.status_code == 304
    assert answer.content == b""
    assert answer["ETag"] == '"31"'


def test_a_moved_session_answers_its_new_number(client, club_session):
    url = revision_url(club_session)
    Session.objects.update(revision=32)
    answer = client.get(url, headers={"if-none-match": '"31"'})
    assert answer.status_code == 200
    assert answer["ETag"] == '"32"'


def test_where_the_club_is_public_anybody_may_ask_with_one_read(
    client, club_session, django_assert_num_queries
):
    publish(club_session)
    with django_assert_num_queries(1):
        assert client.get(address(club_session)).status_code == 200


def test_a_stranger_finds_nothing(client, club_session):
    assert client.get(address(club_session)).status_code == 404
    client.force_login(a_user("stranger"))
    assert client.get(address(club_session)).status_code == 404


def test_a_member_may_ask_without_a_key(client, club_session):
    client.force_login(a_user(club=club_session.club, rank="member"))
    assert client.get(address(club_session)).status_code == 200


def test_the_key_of_one_session_does_not_open_another(client, club_session):
    other = a_session(a_club("Other", "other"))
    key = parse_qs(urlsplit(revision_url(other)).query)["k"][0]
    assert client.get(address(club_session), {"k": key}).status_code == 404
    assert client.get(address(other), {"k": key}).status_code == 200


def test_a_forged_key_opens_nothing(client, club_session):
    assert client.get(address(club_session), {"k": "1:forged"}).status_code == 404


def test_a_key_is_good_for_a_day(client, club_session):
    url = revision_url(club_session)
    with time_machine.travel(timezone.now() + timedelta(hours=23)):
        assert client.get(url).status_code == 200
    with time_machine.travel(timezone.now() + timedelta(hours=25)):
        assert client.get(url).status_code == 404


def test_a_session_is_found_only_under_its_own_club(client, club_session):
    publish(club_session)
    a_club("Other", "other")
    wrong = reverse("session_revision", args=["other", club_session.public_id])
    assert client.get(wrong).status_code == 404


def test_the_number_cannot_be_written(client, club_session):
    assert client.post(revision_url(club_session)).status_code == 405


def test_an_id_that_can_be_none_is_not_looked_for(client, club_session):
    assert client.get("/c/thursday/s/a%00b/revision").status_code == 404


def test_the_key_that_a_members_page_carries_ends_with_the_role(client, club_session):
    user = a_user(club=club_session.club, rank="member")
    client.force_login(user)
    page = client.get(reverse("session", args=[club_session.club.slug, club_session.public_id]))
    (url,) = re.findall(r'data-revision-url="([^"]+)"', page.content.decode())
    anybody = Client()
    assert anybody.get(url).status_code == 200
    User.objects.update(is_active=False)
    assert anybody.get(url).status_code == 404
    User.objects.update(is_active=True)
    Role.objects.all().delete()
    assert anybody.get(url).status_code == 404


def test_a_key_says_of_no_other_role_that_it_is_its_own(client, club_session):
    role = Role.objects.get(user=a_user(club=club_session.club, rank="member"))
    url = revision_url(club_session, role.pk)
    for other in ("0", "", str(role.pk + 1), f"0{role.pk}"):
        forged = url.replace(f"?k={role.pk}:", f"?k={other}:")
        assert client.get(forged).status_code == 404, other
