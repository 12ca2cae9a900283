"""What the headers of every page forbid."""

import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from league.middleware import PrivacyMiddleware

POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; frame-src 'none'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)


def answered(*, cookies=(), response=None):
    request = RequestFactory().get("/")
    request.COOKIES.update(dict.fromkeys(cookies, "x"))
    return PrivacyMiddleware(lambda _: response or HttpResponse())(request)


@pytest.fixture
def olive(django_user_model):
    return django_user_model.objects.create_user("olive", password="correct horse battery")


def test_a_page_may_load_only_from_the_site_itself(client):
    answer = client.get("/healthz")
    directives = {part.strip() for part in answer["Content-Security-Policy"].split(";")}
    assert directives == {part.strip() for part in POLICY.split(";")}


@pytest.mark.parametrize("status", [404, 500])
def test_only_djangos_own_pages_of_what_went_wrong_may_do_more(settings, status):
    policy = "Content-Security-Policy"
    assert policy in answered(response=HttpResponse(status=status))
    settings.DEBUG = True
    assert policy in answered()
    assert policy not in answered(response=HttpResponse(status=status))


def test_a_page_may_not_be_framed_guessed_or_followed_and_uses_no_sensor(client):
    answer = client.get("/healthz")
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Referrer-Policy"] == "same-origin"
    assert answer["Cross-Origin-Opener-Policy"] == "same-origin"
    assert "camera=()" in answer["Permissions-Policy"]


def test_what_somebody_signed_in_sees_is_kept_by_nobody(client, olive):
    client.force_login(olive)
    assert {"private", "no-store"} <= set(client.get("/")["Cache-Control"].split(", "))


def test_what_a_tables_phone_sees_is_kept_by_nobody():
    assert answered(cookies=["table"])["Cache-Control"] == "private, no-store"


def test_an_answer_that_hands_out_a_cookie_is_kept_by_nobody():
    response = HttpResponse()
    response.set_cookie("table", "x")
    assert answered(response=response)["Cache-Control"] == "private, no-store"


def test_a_public_page_may_be_kept():
    assert "Cache-Control" not in answered()
    assert "Cache-Control" not in answered(cookies=["csrftoken", "django_language"])


def test_a_view_that_says_what_may_be_kept_is_believed():
    response = HttpResponse(headers={"Cache-Control": "private, no-cache"})
    assert answered(cookies=["table"], response=response)["Cache-Control"] == "private, no-cache"
