"""The first start on a club's laptop: only at the laptop, and only while it is nobody's."""

import pytest
from django.test import Client

from league.laptop import actions
from league.members.models import Club, Role, User
from tests.builders import a_club, a_user
from tests.laptop.conftest import LAN

pytestmark = pytest.mark.django_db
PASSWORD = "velvet-orbit-lantern-42"
FORM = {"club": "Cedar Street", "name": "Ruth Delgado", "password": PASSWORD, "time_zone": "UTC"}


def test_every_page_leads_to_the_first_page_while_there_is_no_account(at_it):
    for path in ("/", "/accounts/signup/", "/accounts/login/", "/admin/"):
        assert at_it.get(path)["Location"] == "/start/"
    page = at_it.get("/start/").content.decode()
    assert "Start a new club" in page
    assert "Try the demo" in page
    assert "Sign in" not in page  # it would lead back here


def test_a_club_ones_name_and_a_password_are_enough(at_it):
    answer = at_it.post("/start/club/", FORM, follow=True)
    assert answer.redirect_chain == [("/computer/recovery/", 302)]
    assert "Sign in as “ruth-delgado” next time." in answer.content.decode()
    role = Role.objects.get()
    assert (role.club.name, role.user.username, role.rank) == (
        "Cedar Street",
        "ruth-delgado",
        "owner",
    )
    assert role.user.check_password(PASSWORD)
    assert role.club.guided
    assert answer.context["user"] == role.user


def test_a_second_club_cannot_be_created_there(at_it):
    at_it.post("/start/club/", FORM)
    other = Client(headers={"host": "127.0.0.1:8710"})
    assert other.post("/start/club/", FORM | {"club": "Mine"})["Location"] == "/"
    assert other.get("/start/")["Location"] == "/"
    assert Club.objects.count() == User.objects.count() == 1


def test_what_is_missing_is_said_at_its_field_and_nothing_is_saved(at_it):
    answer = at_it.post("/start/club/", FORM | {"club": "", "password": "cedarstreet"})
    assert answer.status_code == 422
    assert {"club", "password"} <= answer.context["form"].errors.keys()
    assert not User.objects.exists()


@pytest.mark.parametrize(
    ("name", "made"), [("Łucja", "ucja"), ("李", "keeper"), ("Admin", "keeper")]
)
def test_any_name_makes_a_user_name(at_it, name, made):
    at_it.post("/start/club/", FORM | {"name": name})
    assert User.objects.get().username == made
    assert User.objects.get().display_name == name


def test_a_stranger_on_the_wifi_cannot_create_the_club_first(phone):
    assert phone.get("/").status_code == 503
    assert phone.get("/accounts/signup/").status_code == 503
    for path in ("/start/", "/start/club/", "/start/demo/"):
        assert phone.get(path).status_code in (404, 405)
        assert phone.post(path, FORM).status_code in (404, 405)
    assert not User.objects.exists()


@pytest.mark.parametrize(
    "request_of",
    [
        {"REMOTE_ADDR": "192.168.1.77", "headers": {"host": "127.0.0.1:8710"}},
        {"headers": {"host": f"{LAN}:8710"}},
        {"headers": {"host": "127.0.0.1:8710", "x-forwarded-for": "203.0.113.9"}},
    ],
    ids=["another computer says our name", "a name of the network", "through a proxy"],
)
def test_only_a_browser_on_the_computer_itself_is_at_the_computer(laptop, request_of):
    assert Client(**request_of).post("/start/club/", FORM).status_code == 404
    assert not User.objects.exists()


def test_the_internet_is_not_let_in_and_neither_is_another_name(laptop):
    a_user("ruth", club=a_club(), rank="owner")
    far = Client(REMOTE_ADDR="8.8.8.8", headers={"host": f"{LAN}:8710"})
    assert far.get("/accounts/login/").status_code == 403
    assert Client(headers={"host": "evil.example"}).get("/accounts/login/").status_code == 400


def test_phones_use_the_site_by_its_address_once_there_is_a_club(phone):
    a_user("ruth", club=a_club(), rank="owner")
    page = phone.get("/accounts/login/")
    assert page.status_code == 200
    assert phone.get("/start/").status_code == 404


def test_on_a_server_none_of_these_pages_is_there(client):
    for path in ("/start/", "/start/club/", "/computer/", "/demo/", "/computer/here/x/"):
        assert client.get(path, headers={"host": "127.0.0.1"}).status_code in (302, 404)
    assert client.get("/start/", headers={"host": "127.0.0.1"}).status_code == 404


def test_the_demo_starts_beside_the_club_and_not_in_it(at_it, monkeypatch):
    started = []
    monkeypatch.setattr(actions.subprocess, "Popen", lambda words, **_: started.append(words))
    assert "half a minute" in at_it.post("/start/demo/").content.decode()
    assert started[0][1:3] == ["-m", "league.laptop.command"]
    assert started[0][-1] == "--demo"
    assert not Club.objects.exists()


def test_a_second_start_finds_the_one_that_runs(at_it, phone):
    assert at_it.get("/computer/here/this-run/").content.isdigit()  # what it would have to end
    assert at_it.get("/computer/here/another-run/").status_code == 404
    assert phone.get("/computer/here/this-run/").status_code == 404


def test_only_who_keeps_a_club_closes_it_and_only_at_the_computer(at_it, phone, monkeypatch):
    ended = []
    monkeypatch.setattr(actions, "close_site", lambda: ended.append("now"))
    club = a_club()
    owner, member = a_user("ruth", club=club, rank="owner"), a_user("sam", club=club, rank="member")
    at_it.force_login(member)
    assert at_it.post("/computer/close/").status_code == 404
    phone.force_login(owner)
    assert phone.post("/computer/close/").status_code == 404
    assert ended == []
    at_it.force_login(owner)
    assert "Close Right Bower" in at_it.get("/computer/").content.decode()
    assert "is closed" in at_it.post("/computer/close/").content.decode()
    assert ended == ["now"]


def test_tables_pages_that_are_open_wait_until_the_club_is_restored_here(at_it, phone):
    """A refusal (403) or the first page would end them: they would show nothing else again."""
    for browser in (at_it, phone):
        for path in ("/t/abcdefghjkmn/", "/c/thursday/s/abcdefghjkmn/revision"):
            answer = browser.get(path)
            assert answer.status_code == 503
            assert answer["Refresh"] == answer["Retry-After"] == "5"


def test_in_the_demo_everybody_may_switch_and_nobody_has_to_sign_in(at_it, laptop):
    """A member of a club may not open the page of the computer, so no menu leads there."""
    laptop.LAPTOP = "demo"
    club = a_club()
    a_user("ted", club=club, rank="member")
    assert at_it.get("/")["Location"] == "/demo/"
    assert "Sign in" not in at_it.get("/demo/").content.decode()
    at_it.force_login(User.objects.get())
    page = at_it.get(f"/c/{club.slug}/").content.decode()
    assert "Switch to someone else" in page
    assert "This computer" not in page
    Role.objects.update(rank="organiser")
    assert "This computer" in at_it.get(f"/c/{club.slug}/").content.decode()
