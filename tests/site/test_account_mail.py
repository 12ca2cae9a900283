"""Mails about accounts: to whom, how many, with whose words, and where their links lead."""

import re
import threading
from html import unescape

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.mail.backends.base import BaseEmailBackend
from django.test import Client
from django.utils import translation

from league.members import account_mail
from league.members.models import User
from tests.builders import a_club, a_user

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse battery"
SITE = "https://euchre.example.org"
SIGN_UP, RESET, EMAIL = "/accounts/signup/", "/accounts/password/reset/", "/accounts/email/"


@pytest.fixture(autouse=True)
def _reached_by_many_names(settings):
    settings.SITE_ADDRESS = SITE
    settings.ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1", "[::1]", ".hall.example"]


@pytest.fixture
def olive():
    user = a_user("olive")
    user.email = "olive@example.org"
    user.save()
    user.emailaddress_set.create(email=user.email, verified=True, primary=True)
    return user


def sign_up(username="kit", email="kit@example.org", **how):
    form = {"username": username, "email": email, "password1": PASSWORD, "password2": PASSWORD}
    return Client(**how).post(SIGN_UP, form)


def change(browser, action, email):
    """Change an address of one's own; the password is asked for first."""
    answer = browser.post(EMAIL, {f"action_{action}": "", "email": email})
    if "reauthenticate" in answer["Location"]:
        browser.post(answer["Location"], {"password": PASSWORD})


def receivers():
    return [one.to[0] for one in mail.outbox]


# -- where links lead ------------------------------------------------------------------------------


HOSTS = ["127.0.0.1:1337", "localhost", "[::1]:99", "a.hall.example", "hall.example:8"]


@pytest.mark.parametrize("host", HOSTS)
def test_every_link_of_every_mail_leads_to_the_sites_own_address(olive, host):
    browser = Client(headers={"host": host})
    sign_up(headers={"host": host})
    sign_up("lou", "olive@example.org", headers={"host": host})  # "you have an account"
    browser.post(RESET, {"email": "olive@example.org"})
    browser.force_login(olive)
    change(browser, "add", "more@example.org")
    assert len(mail.outbox) == 5
    for one in mail.outbox:
        text = f"{one.subject}\n{one.body}"
        assert re.findall(r"https?://[^/\s]+", text) == [SITE]
        assert host not in text
        assert one.subject.startswith("[Right Bower] ")


@pytest.mark.parametrize(("is_set", "begins"), [(True, SITE), (False, "http://localhost:7")])
def test_an_invitation_is_sent_on_and_leads_to_the_sites_own_address_too(settings, is_set, begins):
    settings.SITE_ADDRESS_IS_SET = is_set
    browser = Client(headers={"host": "localhost:7"})
    browser.force_login(a_user("owner", club=a_club(), rank="owner"))
    made = browser.post("/c/thursday/roles/invite/", {"rank": "member"})
    assert made.context["link"].startswith(f"{begins}/join/")


def test_the_links_work():
    sign_up()
    (link,) = re.findall(rf"{SITE}(\S+)", mail.outbox[0].body)
    Client().post(link)
    kit = User.objects.get(username="kit")
    assert kit.emailaddress_set.get().verified
    Client().post(RESET, {"email": "kit@example.org"})
    (link,) = re.findall(rf"{SITE}(\S+)", mail.outbox[1].body)
    assert "password1" in Client().get(link, follow=True).content.decode()


# -- to whom ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("own", "subject"), [("", "Neues Passwort"), ("fr-ca", "mot de passe")])
def test_the_thread_that_sends_writes_in_the_readers_language(olive, monkeypatch, own, subject):
    User.objects.filter(pk=olive.pk).update(language=own)
    waiting = []
    monkeypatch.setattr("league.members.forms.people.run_in_background", waiting.append)
    Client(headers={"accept-language": "de"}).post(RESET, {"email": olive.email})
    with translation.override("en-gb"):  # a thread has the site's own language
        for work in waiting:
            work()
    assert subject in mail.outbox[0].subject


def test_an_address_that_is_not_confirmed_gets_the_one_mail_that_asks_for_it():
    sign_up()
    browser = Client()
    browser.force_login(User.objects.get(username="kit"))
    for _ in range(3):
        change(browser, "send", "kit@example.org")
        browser.post(RESET, {"email": "kit@example.org"})
        sign_up("other", "kit@example.org")
    for number in range(3):  # other accounts that say it is theirs
        browser.force_login(a_user(f"eve{number}"))
        change(browser, "add", "kit@example.org")
    assert receivers() == ["kit@example.org"]
    assert "confirm" in mail.outbox[0].subject.lower()


def test_another_spelling_of_an_address_is_no_other_mailbox():
    for number, email in enumerate(["a.b@gmail.com", "ab@GMAIL.com", "ab+1@googlemail.com"]):
        sign_up(f"kit{number}", email)
    for number, email in enumerate(["c@example.org", "c+2@example.org", "C+3@Example.org"]):
        sign_up(f"lou{number}", email)
    assert receivers() == ["a.b@gmail.com", "c@example.org"]


def test_an_address_of_nobody_gets_none():
    assert Client().post(RESET, {"email": "stranger@example.org"}).status_code == 302
    assert mail.outbox == []


def test_no_mail_has_words_that_somebody_chose(olive):
    words = "www.buy-now.example"
    sign_up(words)
    kit = User.objects.get(username=words)
    User.objects.filter(pk=kit.pk).update(display_name="Call 0900 12345 now")
    browser = Client()
    browser.force_login(User.objects.get(pk=kit.pk))
    change(browser, "add", "victim@example.org")
    change(browser, "add", "olive@example.org")
    assert receivers() == ["kit@example.org", "victim@example.org", "olive@example.org"]
    for one in mail.outbox:
        assert "buy-now" not in one.subject + one.body
        assert "0900" not in one.subject + one.body


def test_an_address_that_an_administrator_enters_needs_no_confirming(olive):
    keeper = a_user("keeper")
    keeper.is_staff = keeper.is_superuser = True
    keeper.email = "keeper@example.org"
    keeper.save()
    ann = a_user("ann")
    browser = Client()
    browser.force_login(keeper)
    form = {"username": "ann", "email": "ann@example.org", "display_name": "", "is_active": "1"}
    browser.post(f"/admin/league/user/{ann.pk}/change/", form)
    taken = form | {"email": "olive@example.org"}
    for email in ("ann@example.org", "keeper@example.org"):
        Client().post(RESET, {"email": email})
    assert receivers() == ["ann@example.org", "keeper@example.org"]
    browser.post(f"/admin/league/user/{ann.pk}/change/", taken)
    assert not ann.emailaddress_set.filter(email="olive@example.org").exists()


# -- how many --------------------------------------------------------------------------------------


def test_one_account_asks_few_strangers_to_confirm(monkeypatch):
    browser = Client()
    browser.force_login(a_user("eve"))
    for number in range(9):
        email = f"victim{number}@example.org"
        change(browser, "add", email)
        EmailAddress.objects.filter(email=email).delete()
    assert len(mail.outbox) == account_mail.PER_ACCOUNT.most


def test_a_confirmed_address_gets_only_so_many_and_others_still_get_theirs(olive):
    for _ in range(account_mail.CONFIRMED.most + 3):
        Client().post(RESET, {"email": "olive@example.org"})
    assert len(mail.outbox) == account_mail.CONFIRMED.most
    sign_up()
    assert receivers()[-1] == "kit@example.org"


def test_forty_phones_behind_one_address_all_get_their_mail(monkeypatch):
    monkeypatch.setattr("league.members.sign_in.BY_ADDRESS", {})  # they take a while,
    monkeypatch.setattr("league.members.sign_up.SIGN_UPS", account_mail.PER_NETWORK)  # and longer
    for number in range(40):
        sign_up(f"phone{number}", f"phone{number}@example.org")
    assert len(mail.outbox) == 40


def test_what_was_refused_counts_for_nobody_else(monkeypatch):
    monkeypatch.setattr(account_mail, "UNCONFIRMED_OF_SITE", account_mail.Limit(2, 60))
    for _ in range(3):
        sign_up(email="same@example.org")
        User.objects.filter(username="kit").delete()
    sign_up("lou", "lou@example.org")
    sign_up("max", "max@example.org")
    assert receivers() == ["same@example.org", "lou@example.org"]


# -- sending ---------------------------------------------------------------------------------------


class SlowServer(BaseEmailBackend):
    """A mail server that answers when it is let go."""

    go, sent, seen = threading.Event(), [], threading.Event()

    def send_messages(self, messages):
        self.go.wait()
        for one in messages:
            if one.to == ["broken@example.org"]:
                raise OSError("connection refused")
            self.sent.append(one.to[0])
            self.seen.set()
        return len(messages)


def test_nobody_waits_for_the_mail_server_and_its_trouble_stops_no_mail(settings):
    settings.EMAIL_BACKEND = f"{__name__}.SlowServer"
    sign_up("one", "broken@example.org")
    sign_up("two", "two@example.org")  # both answered while the server has taken nothing
    assert SlowServer.sent == []
    SlowServer.go.set()
    assert SlowServer.seen.wait(60)
    assert SlowServer.sent == ["two@example.org"]


def test_more_mails_than_may_wait_are_dropped_and_not_kept_in_memory(settings, monkeypatch, caplog):
    settings.EMAIL_BACKEND = f"{__name__}.SlowServer"
    monkeypatch.setattr(account_mail, "_start_thread", lambda: None)
    monkeypatch.setattr(account_mail, "_queue", account_mail.Queue(1))
    for number in range(3):
        account_mail.send_in_background(
            mail.EmailMessage("subject", "text", to=[f"{number}@example.org"])
        )
    assert account_mail._queue.qsize() == 1
    assert "a mail was dropped" in caplog.text


def test_a_site_without_mail_promises_no_link(settings, client):
    settings.EMAIL_BACKEND = account_mail.SENDS_NOTHING
    page = client.get("/accounts/password/reset/").content.decode()
    assert "Ask the person who runs this site" in page
    assert "We'll send you a link" not in unescape(page)


def test_who_gives_the_password_again_reads_the_same_about_a_forgotten_one(settings, client):
    client.force_login(a_user())
    page, link = "/accounts/reauthenticate/", "/accounts/password/reset/"
    assert link in client.get(page).content.decode()
    settings.EMAIL_BACKEND = account_mail.SENDS_NOTHING
    without_mail = client.get(page).content.decode()
    assert "Ask the person who runs this site" in without_mail
    assert link not in without_mail
