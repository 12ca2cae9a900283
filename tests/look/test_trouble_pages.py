"""Pages about trouble: in our shell, in plain words, without needing what may be broken."""

import re

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import DatabaseError, IntegrityError
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse

from league.errors import Refused, RefusedMiddleware
from league.members.models import Role, User
from tests.builders import a_club, a_user

PAGES = ["400.html", "403.html", "403_csrf.html", "404.html", "500.html", "503.html"]
DEAD_LINKS = [f"sessions/{one}_shut.html" for one in ("calendar", "door", "mail")]


@pytest.mark.parametrize("page", [*PAGES, *DEAD_LINKS])
def test_a_page_about_trouble_needs_neither_request_nor_database(page):
    html = render_to_string(page)
    assert "<h1>" in html
    assert 'href="/"' in html


def test_an_unknown_address_is_told_kindly(client):
    answer = client.get("/no-such-page/")
    assert answer.status_code == 404
    assert "Page not found" in answer.content.decode()


@pytest.mark.django_db
def test_an_unknown_address_of_ones_club_leads_back_to_the_club_and_names_it_to_no_stranger(client):
    club = a_club()
    nowhere = reverse("session", args=[club.slug, "no-such-id"])
    client.force_login(a_user("ted", club=club, rank="member"))
    assert f'href="/c/{club.slug}/">{club.name}</a>' in client.get(nowhere).content.decode()
    client.force_login(a_user("sue"))
    answer = client.get(nowhere)
    assert answer.status_code == 404
    assert club.name not in answer.content.decode()


@pytest.mark.django_db
def test_a_form_from_a_stale_page_is_told_what_to_do():
    answer = Client(enforce_csrf_checks=True).post("/accounts/login/", {"login": "olive"})
    assert answer.status_code == 403
    assert "Nothing was changed" in answer.content.decode()


@pytest.mark.django_db
def test_a_form_of_this_site_whose_cookies_are_gone_can_be_sent_as_it_was():
    club = a_club()
    client, page = Client(enforce_csrf_checks=True), reverse("member_add", args=[club.slug])
    answer = client.post(page, {"name": "Rose Winter"}, headers={"Origin": "http://testserver"})
    again = answer.content.decode()
    assert answer.status_code == 403
    assert f'<form method="post" action="{page}">' in again
    assert '<input type="hidden" name="name" value="Rose Winter">' in again
    client.force_login(a_user(club=club))
    token = re.search('name="csrfmiddlewaretoken" value="(.*?)"', again)[1]
    sent = {"name": "Rose Winter", "csrfmiddlewaretoken": token}
    assert client.post(page, sent, headers={"Origin": "http://testserver"}).status_code == 302
    assert club.members.filter(name="Rose Winter").exists()
    elsewhere = client.post(page, {"name": "X"}, headers={"Origin": "http://other.example"})
    assert "<form" not in elsewhere.content.decode()


def refuse(rf, *, htmx):
    request = rf.get("/")
    request.htmx, request.user = htmx, AnonymousUser()
    refusal = Refused("x", "Hearts were turned down.", fields={"trump": ["Name another."]})
    return RefusedMiddleware(lambda _: HttpResponse()).process_exception(request, refusal)


def test_a_refusal_nobody_caught_is_a_page_with_its_sentences(rf):
    answer = refuse(rf, htmx=False)
    html = answer.content.decode()
    assert answer.status_code == 422
    assert "Hearts were turned down." in html
    assert "Name another." in html
    assert "<html" in html


@pytest.mark.parametrize(
    "error",
    [
        Role.DoesNotExist("of two who remove a role, the second"),
        IntegrityError("UNIQUE constraint failed: league_club.slug"),
        DatabaseError("Save with update_fields did not affect any rows."),
    ],
)
def test_of_two_who_press_at_once_the_second_reads_that_nothing_was_saved(rf, error):
    site = RefusedMiddleware(lambda _: HttpResponse())
    request = rf.post("/")
    request.htmx, request.user = False, User(username="olive")
    answer = site.process_exception(request, error)
    assert answer.status_code == 409
    assert "someone else changed this at the same moment" in answer.content.decode()
    assert site.process_exception(rf.get("/"), error) is None
    for other in (DatabaseError("no such column"), IntegrityError("NOT NULL constraint failed")):
        assert site.process_exception(request, other) is None
    request.user = AnonymousUser()  # a table's phone, which sends its hand again by itself
    assert site.process_exception(request, error) is None


def test_a_refusal_of_a_part_is_a_part(rf):
    html = refuse(rf, htmx=True).content.decode()
    assert "Hearts were turned down." in html
    assert "<html" not in html


def test_the_gallery_is_only_there_for_those_who_work_on_it(client):
    assert client.get("/gallery/").status_code == 404


def test_a_part_of_a_page_whose_form_expired_loads_the_page_afresh():
    answer = Client(enforce_csrf_checks=True).post("/you/", headers={"HX-Request": "true"})
    assert answer.headers["HX-Refresh"] == "true"
    assert not answer.content
