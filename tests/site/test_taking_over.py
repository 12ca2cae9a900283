"""Whoever finds a browser signed in cannot take the account, and its owner hears of changes."""

import re
from http import HTTPStatus

import pytest
from allauth.account.models import EmailConfirmationHMAC
from django.core import mail
from django.test import Client
from django.urls import reverse

from tests.builders import a_user

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse battery"
ADDRESSES, AGAIN = "/accounts/email/", "/accounts/reauthenticate/"


@pytest.fixture
def olive():
    user = a_user("olive")
    user.email = "olive@example.org"
    user.set_password(PASSWORD)
    user.save()
    user.emailaddress_set.create(email=user.email, verified=True, primary=True)
    return user


@pytest.fixture
def found(olive):
    """A browser in which Olive is signed in, and away."""
    browser = Client()
    browser.force_login(olive)
    return browser


@pytest.mark.parametrize("action", ["add", "primary", "remove", "send"])
def test_no_address_changes_without_the_password(olive, found, action):
    olive.emailaddress_set.create(email="second@example.org", verified=True)
    before = set(olive.emailaddress_set.values_list("email", "primary"))
    email = "thief@example.com" if action == "add" else "second@example.org"
    answer = found.post(ADDRESSES, {f"action_{action}": "", "email": email})
    assert answer.status_code == HTTPStatus.FOUND
    assert answer["Location"].startswith(AGAIN)
    assert set(olive.emailaddress_set.values_list("email", "primary")) == before
    assert mail.outbox == []


def test_with_the_password_the_address_is_added_and_the_old_one_is_told(olive, found):
    answer = found.post(ADDRESSES, {"action_add": "", "email": "new@example.org"})
    found.post(answer["Location"], {"password": PASSWORD})
    assert olive.emailaddress_set.filter(email="new@example.org").exists()
    assert {one.to[0] for one in mail.outbox} == {"new@example.org", "olive@example.org"}


def test_the_owner_hears_of_a_new_password_with_no_words_of_the_browser(olive):
    browser = Client(headers={"user-agent": "Send money to evil.example"})
    browser.post(reverse("account_reset_password"), {"email": olive.email})
    link = re.search(r"/accounts/password/reset/key/\S+", mail.outbox[-1].body)[0]
    form = browser.get(link, follow=True)
    browser.post(
        form.redirect_chain[-1][0], {"password1": "un" + PASSWORD, "password2": "un" + PASSWORD}
    )
    message = mail.outbox[-1]
    assert message.to == [olive.email]
    assert "password has been reset" in message.body
    assert "evil.example" not in message.body


def test_many_other_mails_do_not_hide_the_one_about_a_change(olive, found):
    for _ in range(15):
        Client().post(reverse("account_reset_password"), {"email": olive.email})
    mail.outbox.clear()
    answer = found.post(ADDRESSES, {"action_add": "", "email": "new@example.org"})
    found.post(answer["Location"], {"password": PASSWORD})
    assert [olive.email] in [one.to for one in mail.outbox]


def test_a_reset_link_opens_nothing_while_the_account_is_switched_off(olive):
    browser = Client()
    browser.post(reverse("account_reset_password"), {"email": olive.email})
    link = re.search(r"/accounts/password/reset/key/\S+", mail.outbox[-1].body)[0]
    olive.is_active = False
    olive.save()
    page = browser.get(link, follow=True)
    assert b'name="password1"' not in page.content


@pytest.mark.parametrize("press", [False, True])
def test_a_link_that_confirms_another_accounts_address_signs_nobody_out(olive, press):
    browser = Client()
    browser.force_login(a_user("rose"))
    address = olive.emailaddress_set.create(email="second@example.org")
    link = f"/accounts/confirm-email/{EmailConfirmationHMAC.create(address).key}/"
    assert browser.get(link).status_code == HTTPStatus.OK
    if press:
        browser.post(link)
        address.refresh_from_db()
        assert address.verified
    assert browser.get("/").wsgi_request.user.username == "rose"
