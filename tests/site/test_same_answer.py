"""Nobody learns from an answer, or from its work, whether an address has an account."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.members import account_mail
from league.members.models import LimitCount
from tests.site.signing_in import GOOD, guess, signs_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


def test_known_and_unknown_addresses_take_the_same_work_and_get_the_same_answer(
    olive, hashed, monkeypatch
):
    monkeypatch.setattr("league.limits.SWEEP_EVERY", 10**9)  # would be work for the hundredth key
    EmailAddress.objects.create(user=olive, email="olive@club.example", verified=True)
    EmailAddress.objects.create(user=olive, email="olive@new.example", verified=False)
    logins = ("olive", "nobody", "olive@club.example", "olive@new.example", "no@club.example")
    seen = []
    for login in logins:
        LimitCount.objects.all().delete()
        before = len(hashed)
        with CaptureQueriesContext(connection) as queries:
            (answer,) = guess(1, login=login)
        writes = [query for query in queries if not query["sql"].startswith("SELECT")]
        seen.append((len(hashed) - before, len(writes), answer.status_code, bare(answer, login)))
    assert seen[0][0] == 1
    assert seen[2:] == [seen[2]] * 3
    assert seen[:2] == [seen[0]] * 2


def bare(answer, typed):
    """A page without what differs from one asking to the next: what was typed, and its token."""
    page = answer.content.decode().replace(typed, "…")
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", page)


@pytest.mark.parametrize("email", ["olive@club.example", "olive@new.example"])
def test_a_known_address_is_reset_and_signed_up_with_the_work_of_an_unknown_one(
    olive, hashed, monkeypatch, settings, email
):
    settings.EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
    monkeypatch.setattr(account_mail, "_start_thread", lambda: None)
    monkeypatch.setattr("league.limits.SWEEP_EVERY", 10**9)
    EmailAddress.objects.create(user=olive, email="olive@club.example", verified=True)
    EmailAddress.objects.create(user=olive, email="olive@new.example", verified=False)

    def work(path, form):
        LimitCount.objects.all().delete()
        waiting = account_mail.Queue(9)
        monkeypatch.setattr(account_mail, "_queue", waiting)
        before = len(hashed)
        with CaptureQueriesContext(connection) as queries:
            answer = Client().post(path, form)
        count = (len(hashed) - before, waiting.qsize(), answer.status_code, answer.url)
        return count, len(queries)

    reset = "/accounts/password/reset/"
    (known, queries), (unknown, as_many) = (
        work(reset, {"email": e}) for e in (email, "no@club.example")
    )
    assert (known, queries) == (unknown, as_many)
    assert known[:2] == (0, 1)
    new = {"username": "kit", "password1": GOOD, "password2": GOOD}
    other = {**new, "username": "lou"}
    known, queries = work("/accounts/signup/", {**new, "email": email})
    unknown, as_many = work("/accounts/signup/", {**other, "email": "no@club.example"})
    assert known == unknown
    assert known[:2] == (1, 1)
    assert abs(queries - as_many) <= 3  # counts of mails, beside a hash of a fifth of a second


def test_of_several_accounts_with_one_address_the_confirmed_one_signs_in(django_user_model):
    for name in ("early", "owner", "rose@club.example"):
        django_user_model.objects.create_user(name, password=f"the password of {name}")
    for name, verified in (("early", False), ("owner", True)):
        user = django_user_model.objects.get(username=name)
        EmailAddress.objects.create(user=user, email="rose@club.example", verified=verified)
    by_name = "the password of rose@club.example"
    assert signs_in(Client(), "the password of owner", "rose@club.example")
    assert not signs_in(Client(), by_name, "rose@club.example")
    EmailAddress.objects.update(verified=False)
    assert signs_in(Client(), by_name, "rose@club.example")
