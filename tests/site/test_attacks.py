"""Attacks on signing in and on the site itself, by their rows in docs/reliability-proof.md."""

import re
from datetime import timedelta

import pytest
import time_machine
from django.contrib.sessions.models import Session
from django.core import mail
from django.test import Client
from django.urls import reverse

from league.logs import DiscreetFormatter
from league.members.models import Role, User
from league.members.sign_in import OF_ACCOUNT_HERE
from tests.access_table import PAGES
from tests.builders import EIGHT, a_club, a_user
from tests.scene import Scene

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse battery"
LOGIN = "/accounts/login/"


@pytest.fixture
def olive():
    user = a_user("olive", club=a_club())
    user.email = "olive@example.org"
    user.save()
    user.emailaddress_set.create(email=user.email, verified=True, primary=True)
    return user


def sign_in(client, **more):
    return client.post(LOGIN, {"login": "olive", "password": PASSWORD, **more})


@pytest.mark.parametrize(
    "away",
    [
        *("//evil.example", "https:evil.example", r"/\evil.example", "javascript:alert(1)"),
        *("\thttp://evil.example", "http:///evil.example", "https://evil.example/c/", "///evil"),
    ],
)
def test_s2_nobody_is_sent_to_another_site_after_signing_in(client, olive, away):
    assert sign_in(client, next=away).url == reverse("home")


def test_s2_control_a_page_of_the_site_is_gone_to(client, olive):
    assert sign_in(client, next="/c/thursday/").url == "/c/thursday/"


@pytest.mark.parametrize("path", [LOGIN, "/c/thursday/sessions/new", "/accounts/logout/", "/t/"])
@pytest.mark.parametrize("headers", [{}, {"Origin": "https://evil.example"}])
def test_s3_a_form_without_the_sites_token_is_refused(olive, path, headers):
    client = Client(enforce_csrf_checks=True)
    client.force_login(olive)
    assert client.post(path, {"login": "olive"}, headers=headers).status_code == 403


def test_s3_a_form_with_the_token_from_a_foreign_page_is_refused(olive):
    client = Client(enforce_csrf_checks=True)
    token = client.get(LOGIN).cookies["csrftoken"].value
    form = {"login": "olive", "password": PASSWORD, "csrfmiddlewaretoken": token}
    foreign = client.post(LOGIN, form, headers={"Origin": "https://evil.example"})
    assert foreign.status_code == 403
    assert client.post(LOGIN, form).status_code == 302


def test_s4_a_session_planted_before_signing_in_is_not_the_one_after(client, olive):
    session = client.session
    session["planted"] = True
    session.save()
    client.cookies["sessionid"] = planted = session.session_key
    sign_in(client)
    assert client.cookies["sessionid"].value != planted
    assert client.get("/you/").status_code == 200
    thief = Client()
    thief.cookies["sessionid"] = planted
    assert thief.get("/you/").status_code == 302


def test_s4_a_cookie_is_worth_nothing_after_signing_out(client, olive):
    sign_in(client)
    cookie = client.cookies["sessionid"].value
    client.post("/accounts/logout/")
    thief = Client()
    thief.cookies["sessionid"] = cookie
    assert thief.get("/you/").status_code == 302
    assert not Session.objects.filter(session_key=cookie).exists()


def test_s5_asking_for_a_new_password_tells_nobody_who_has_an_account(client, olive):
    answers = [
        client.post("/accounts/password/reset/", {"email": email})
        for email in ("olive@example.org", "nobody@example.org")
    ]
    assert [a.status_code for a in answers] == [302, 302]
    assert answers[0].url == answers[1].url
    pages = [client.get(answer.url).content for answer in answers]
    assert pages[0] == pages[1]


def test_s5_signing_up_with_a_known_address_looks_like_any_other(client, olive):
    def sign_up(name, email):
        form = {"username": name, "email": email, "password1": PASSWORD, "password2": PASSWORD}
        return Client().post("/accounts/signup/", form)

    known, new = sign_up("kit", "olive@example.org"), sign_up("lou", "lou@example.org")
    assert (known.status_code, known.url) == (new.status_code, new.url) == (302, "/")
    sign_in(client, login="olive@example.org")  # her address is still hers
    assert client.get("/you/").context["user"] == olive


@pytest.fixture
def reset_link(client, olive):
    client.post("/accounts/password/reset/", {"email": "olive@example.org"})
    (link,) = re.findall(r"https?://[^/\s]+(/accounts/password/reset/key/\S+)", mail.outbox[0].body)
    return link


def choose(client, link, password="a whole new password"):
    """Follow the link in a fresh browser and choose a password; the page that came first."""
    page = client.get(link, follow=True)
    form = {"password1": password, "password2": password}
    client.post(page.redirect_chain[-1][0] if page.redirect_chain else link, form)
    return page.content.decode()


def test_s6_a_link_for_a_new_password_works_once(reset_link, olive):
    assert 'name="password1"' in choose(Client(), reset_link)
    olive.refresh_from_db()
    assert olive.check_password("a whole new password")
    assert 'name="password1"' not in choose(Client(), reset_link, "another new password")
    olive.refresh_from_db()
    assert olive.check_password("a whole new password")


def test_s6_a_link_dies_when_the_password_is_changed(reset_link, olive):
    olive.set_password("changed in between")
    olive.save()
    assert 'name="password1"' not in choose(Client(), reset_link)


def test_s6_a_link_dies_of_age(reset_link, olive, time_machine_days):
    time_machine_days(4)
    assert 'name="password1"' not in choose(Client(), reset_link)


@pytest.fixture
def time_machine_days():
    import time_machine
    from django.utils import timezone

    started = []

    def travel(days):
        started.append(time_machine.travel(timezone.now() + timedelta(days=days)))
        started[0].start()

    yield travel
    started[0].stop()


def test_s6_no_mail_leads_to_a_host_that_the_asker_made_up(client, olive):
    evil = {"Host": "evil.example"}
    answer = client.post("/accounts/password/reset/", {"email": olive.email}, headers=evil)
    assert answer.status_code == 400
    assert mail.outbox == []


def test_s7_a_password_of_a_megabyte_is_refused_and_not_hashed(client, olive, monkeypatch):
    hashed = []
    monkeypatch.setattr("django.contrib.auth.hashers.MD5PasswordHasher.encode", hashed.append)
    answer = client.post(LOGIN, {"login": "olive", "password": "x" * 1_000_001})
    assert answer.status_code == 400
    assert hashed == []


def test_s7_sixty_four_letters_of_any_script_make_a_password(client):
    password = "šáña ж漢字😀 " * 6 + "end!"
    form = {"username": "kit", "email": "", "password1": password, "password2": password}
    assert client.post("/accounts/signup/", form).status_code == 302
    assert User.objects.get(username="kit").check_password(password)


def test_s8_an_address_that_a_client_claims_is_not_believed(client, olive):
    """Counting wrong passwords goes by the true address, whatever `X-Forwarded-For` says."""
    with time_machine.travel(EIGHT, tick=False):
        for number in range(OF_ACCOUNT_HERE.most):
            claimed = {"X-Forwarded-For": f"203.0.113.{number}", "X-Forwarded-Proto": "https"}
            client.post(LOGIN, {"login": "olive", "password": "wrong"}, headers=claimed)
        assert sign_in(client).status_code == 429
    assert client.get("/you/").status_code == 302


def test_s9_a_link_cannot_sign_anybody_out(client, olive):
    sign_in(client)
    client.get("/accounts/logout/")
    assert client.get("/you/").status_code == 200


def test_s9_no_page_of_a_member_is_kept_for_the_back_button(client, olive):
    sign_in(client)
    for path in ("/", "/you/", "/c/thursday/", "/c/thursday/members/"):
        assert "no-store" in client.get(path)["Cache-Control"], path


@pytest.mark.parametrize(
    "path",
    [
        *("/nothing-here", "/.git/config", "/.env", "/db.sqlite3", "/data/club.sqlite3"),
        *("/static/../league/settings.py", "/static/%2e%2e/settings.py", "/league/settings.py"),
        *("/t/a%00b/", "/c/%ff/", f"/c/{'x' * 20_000}/", "/wp-login.php"),
    ],
)
def test_x1_what_is_no_page_is_not_found_and_tells_nothing(client, path):
    answer = client.get(path)
    text = answer.content.decode()
    assert answer.status_code in (400, 404)
    assert "Traceback" not in text
    assert "SECRET" not in text


def test_x1_a_page_that_breaks_tells_nothing_of_why(client, monkeypatch):
    def broken(*args, **kwargs):
        raise RuntimeError("a secret of the program")

    monkeypatch.setattr("league.live.home.render", broken)
    client.raise_request_exception = False
    answer = client.get("/")
    assert answer.status_code == 500
    assert "a secret of the program" not in answer.content.decode()


def test_x3_a_name_with_a_line_break_writes_one_line_into_the_log(client, olive, caplog):
    formatter = DiscreetFormatter("%(levelname)s %(name)s: %(message)s")
    client.post(LOGIN, {"login": "olive\nERROR root: all is lost", "password": "wrong"})
    client.get("/c/thursday%0aERROR%20root:%20all%20is%20lost/%e2%80%a8x/")
    written = [formatter.format(record) for record in caplog.records]
    assert any("ERROR root: all is lost" in entry for entry in written)
    assert [entry for entry in written if len(entry.splitlines()) > 1] == []


LISTS = ["members", "audit", "session_standings", "games_table", "standings", "sessions", "seasons"]
ODD_SORTS = ["user__password", "a.b", "-club__roles__user__password", "__class__", "(a+)+$"]


@pytest.mark.filterwarnings("ignore:Use '__':DeprecationWarning")  # of the odd ones
@pytest.mark.parametrize("name", LISTS)
def test_a7_what_a_list_is_sorted_or_filtered_by_is_chosen_from_what_it_shows(client, name):
    scene = Scene("standings")
    client.force_login(scene.owner)
    path = reverse(name, kwargs={"slug": scene.club.slug, **PAGES[name].ids(scene)})
    for odd in ODD_SORTS:
        query = {"sort": odd, "order_by": odd, "q": odd, "filter[user__password__regex]": odd}
        assert client.get(path, query).status_code == 200


NASTY = [
    "<script>alert(1)</script>x",
    '"><img src=x onerror=alert(1)>',
    "{{7*7}} aces",
    "</title>x",
]
AS_MARKUP = ["<script>alert", "<img src=x", "</title>x", "49 aces"]


def test_a3_a_field_for_more_power_is_passed_over(client, olive):
    """`is_staff`, `role` or another club in a form that asks for none of them."""
    club = olive.roles.get().club
    more = {"is_staff": "1", "is_superuser": "1", "role": "owner", "rank": "owner", "club": "2"}
    client.force_login(olive)
    client.post("/you/", {"first_name": "Olive", "username": "root", "user": "1", **more})
    client.post(f"/c/{club.slug}/members/add/", {"name": "Pat", "user": "1", "id": "1", **more})
    client.post(f"/c/{club.slug}/settings/", {"name": "X", "slug": "other", **more})
    olive.refresh_from_db()
    assert (olive.is_staff, olive.is_superuser, olive.username) == (False, False, "olive")
    assert Role.objects.get(user=olive).rank == "organiser"
    assert not club.members.exclude(user=None).exists()
