"""Phones connect: by the addresses this computer has, and by no other name."""

import errno
import os
from types import SimpleNamespace

import pytest
from django.test import Client, RequestFactory
from django.urls import reverse

from league import network
from league.laptop import access
from league.live.revision import revision_url
from league.members.actions.roles import open_club_link
from league.network import NAME, address_for_phones
from tests.builders import TEST, a_club, a_session, a_user
from tests.laptop.conftest import LAN

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(laptop):
    return a_club()


@pytest.fixture
def owner(club):
    return a_user("ruth", club=club, rank="owner")


@pytest.fixture(autouse=True)
def _nobody_came():
    access._contacts.clear()


def test_the_page_shows_the_address_to_scan_and_says_when_a_phone_came_through(at_it, phone, owner):
    at_it.force_login(owner)
    page = at_it.get("/computer/phones/").content.decode()
    assert f"http://{LAN}:8710" in page
    assert "<svg" in page
    assert "No phone has reached this computer yet." in page
    phone.get("/t/")  # a table's card, scanned without the page's own code
    assert f"by {LAN}" in at_it.get("/computer/phones/came/").content.decode()
    assert "Your phone is connected" in phone.get("/hello/").content.decode()
    Client(headers={"host": f"{LAN}:8710"}, REMOTE_ADDR=LAN).get("/hello/")  # the laptop itself
    came = " ".join(at_it.get("/computer/phones/came/").content.decode().split())
    assert "A phone reached this computer" in came
    Client(headers={"host": f"{LAN}:8710"}, REMOTE_ADDR="192.168.1.78").get("/t/")
    came = " ".join(at_it.get("/computer/phones/came/").content.decode().split())
    assert "2 phones reached this computer" in came


def test_another_address_is_said_on_the_page_that_is_open_and_on_the_next(
    at_it, owner, laptop, monkeypatch, club
):
    folder = laptop.DATA_FOLDER
    network.record_address(folder, [LAN])
    at_it.force_login(owner)
    session = a_session(club)
    board = reverse("board", args=[club.slug, session.public_id])
    watched = revision_url(session)
    drawn = at_it.get(watched)["ETag"]
    assert f'data-revision="{drawn.strip(chr(34))}"' in at_it.get(board).content.decode()
    came = f"/computer/phones/came/?at={LAN}"
    assert f'hx-get="{came}"' in at_it.get("/computer/phones/").content.decode()
    assert "different" not in at_it.get(came).content.decode()
    assert "a different address now" not in at_it.get(board).content.decode()
    monkeypatch.setattr("league.network._own.current", lambda: ["192.168.1.31"])
    assert "a different address now" in at_it.get(board).content.decode()  # not yet written down
    for _ in range(2):
        network.record_address(folder, ["192.168.1.31"])
    network.record_address(folder, [])  # asleep, or no Wi-Fi
    assert "a different address now" in at_it.get(came).content.decode()
    page = " ".join(at_it.get("/computer/phones/").content.decode().split())
    assert f"address was {LAN} and is different now" in page
    assert "at http://192.168.1.31:8710/t/" in page
    assert "a different address now" in at_it.get("/computer/").content.decode()
    assert at_it.get(watched)["ETag"] != drawn  # a board that is open looks again
    assert "a different address now" in at_it.get(board).content.decode()
    os.utime(folder / network.ADDRESSES_FILE, (0, 0))
    assert "a different address now" not in at_it.get(board).content.decode()  # not for ever
    at_it.post("/computer/phones/codes/", {"by": "name"})
    assert "is different now" not in at_it.get("/computer/phones/").content.decode()
    at_it.post("/computer/phones/codes/", {"by": "address"})
    monkeypatch.setattr(
        "league.network._own.current", lambda: [LAN]
    )  # the router's old one is back
    network.record_address(folder, [LAN])
    assert "is different now" not in at_it.get("/computer/phones/").content.decode()


def test_an_almost_full_disk_is_said_and_a_backup_that_fails_stops_nothing(
    at_it, owner, laptop, monkeypatch
):
    at_it.force_login(owner)
    assert "almost full" not in at_it.get("/computer/").content.decode()
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=120_000_000))
    page = " ".join(at_it.get("/computer/").content.decode().split())
    assert "almost full: 114.4" in page
    assert "You can keep playing" in page
    monkeypatch.setattr("league.laptop.backups.make_backup", lambda *_, **__: None)
    failed = at_it.post("/computer/backup/")  # a full disk keeps no message for a next page
    assert "The last backup failed. Is the disk full?" in failed.content.decode()

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("league.laptop.actions.write_private", full)
    at_it.raise_request_exception = False
    no_sheet = at_it.post("/computer/recovery/")
    assert no_sheet.status_code == 503
    assert "The disk is full" in no_sheet.content.decode()


def test_a_phone_that_typed_the_address_is_through_and_the_laptop_itself_signs_in(
    at_it, phone, owner
):
    page = phone.get("/", follow=True).content.decode()
    assert "Your phone is connected" in page
    assert 'href="/t/"' in page
    assert at_it.get("/").url == "/accounts/login/"
    at_it.force_login(owner)
    assert f"by {LAN}" in at_it.get("/computer/phones/came/").content.decode()


def test_this_computers_own_browser_is_no_phone(at_it, owner):
    at_it.get("/hello/")
    at_it.force_login(owner)
    assert "No phone" in at_it.get("/computer/phones/came/").content.decode()


def test_the_page_is_for_who_keeps_a_club(at_it, club):
    assert at_it.get("/computer/phones/").status_code == 302
    at_it.force_login(a_user("sam", club=club, rank="member"))
    for path in ("/computer/phones/", "/computer/phones/came/"):
        assert at_it.get(path).status_code == 404
    assert at_it.post("/computer/phones/codes/", {"by": "name"}).status_code == 404


@pytest.mark.parametrize("host", [f"{LAN}:8710", f"{NAME}:8710"])
def test_a_phone_signs_in_with_its_cookies_and_csrf_by_every_address(laptop, owner, host):
    owner.set_password("velvet-orbit-lantern-42")
    owner.save()
    browser = Client(
        enforce_csrf_checks=True,
        REMOTE_ADDR="192.168.1.77",
        headers={"host": host, "origin": f"http://{host}"},
    )
    browser.get("/accounts/login/")
    token = browser.cookies["csrftoken"].value
    form = {"login": "ruth", "password": "velvet-orbit-lantern-42", "csrfmiddlewaretoken": token}
    assert browser.post("/accounts/login/", form).status_code == 302
    assert browser.get("/you/").status_code == 200
    elsewhere = {"origin": "http://evil.example"}
    assert browser.post("/accounts/login/", form, headers=elsewhere).status_code == 403


def test_codes_hold_what_a_phone_can_reach_and_the_name_once_it_is_chosen(at_it, owner):
    def printed():
        request = RequestFactory(headers={"host": "127.0.0.1:8710"}).get("/")
        return address_for_phones(request, "/t/#code")

    at_it.force_login(owner)
    assert printed() == f"http://{LAN}:8710/t/#code"
    at_it.post("/computer/phones/codes/", {"by": "name"})
    assert printed() == f"http://{NAME}:8710/t/#code"
    at_it.post("/computer/phones/codes/", {"by": "address"})
    assert printed() == f"http://{LAN}:8710/t/#code"


def test_on_a_server_codes_hold_the_address_the_organiser_uses():
    request = RequestFactory(headers={"host": "localhost:8000"}).get("/")
    assert address_for_phones(request, "/t/#code") == "http://localhost:8000/t/#code"


WARNING = "Codes made here would not work."
PRINTED = ["print_cards", "door_code", "wall_made"]


def pages_with_codes(client, night):
    """What the pages with codes for phones say, each once."""
    addresses = [reverse(name, args=[night.club.slug, night.public_id]) for name in PRINTED]
    return {" ".join(client.get(address).content.decode().split()) for address in addresses}


def on_localhost(club):
    browser = Client(headers={"host": "localhost:8000"})
    browser.force_login(a_user(club=club, rank="organiser"))
    return browser


def test_codes_that_no_phone_can_open_are_said_beside_the_address_that_phones_reach(
    monkeypatch, settings
):
    monkeypatch.setattr("league.network._own.current", lambda: [LAN])
    settings.HOST = "0.0.0.0"
    night = a_session(a_club())
    browser = on_localhost(night.club)
    for page in pages_with_codes(browser, night):
        assert WARNING in page
        assert f'href="http://{LAN}:8000/c/' in page
    settings.HOST = "127.0.0.1"
    for page in pages_with_codes(browser, night):
        assert "Ask the person who runs this site to let phones in." in page
        assert "HOST=0.0.0.0" not in page.partition("<summary>For the person")[0]
        assert "Start it with HOST=0.0.0.0" in page
        assert LAN not in page


def test_a_page_without_codes_says_nothing_of_phones(monkeypatch):
    monkeypatch.setattr("league.network._own.current", list)
    night = a_session(a_club())
    browser = on_localhost(night.club)
    for name in ("session", "board", "checkin"):
        page = browser.get(reverse(name, args=[night.club.slug, night.public_id])).content.decode()
        assert "Phones cannot reach" not in page, name


def test_a_computer_in_no_network_says_that_phones_cannot_reach_it(monkeypatch):
    monkeypatch.setattr("league.network._own.current", list)
    night = a_session(a_club())
    for page in pages_with_codes(on_localhost(night.club), night):
        assert WARNING in page
        assert "no address that phones can reach" in page


def test_codes_hold_the_sites_own_address_whatever_the_organisers_browser_says(settings):
    settings.SITE_ADDRESS, settings.SITE_ADDRESS_IS_SET = "https://euchre.example.org", True
    night = a_session(a_club())
    browser = on_localhost(night.club)
    for page in pages_with_codes(browser, night):
        assert WARNING not in page
    poster = browser.get(reverse("door_code", args=[night.club.slug, night.public_id]))
    assert "https://euchre.example.org/door/" in poster.content.decode()


def test_the_name_is_announced_with_every_address():
    service = network.service(8710, [LAN, "10.0.0.4"])
    assert service.server == f"{NAME}."
    assert service.parsed_addresses() == [LAN, "10.0.0.4"]
    assert service.port == 8710


def test_the_clubs_invitation_link_holds_an_address_that_phones_reach(at_it, owner, club):
    open_club_link(club, by=TEST)
    at_it.force_login(owner)
    page = at_it.get(f"/c/{club.slug}/roles/").content.decode()
    assert f"http://{LAN}:8710/join/club/" in page
    assert "127.0.0.1" not in page


def test_a_phone_is_heard_the_moment_the_address_it_knows_is_back(phone, owner, monkeypatch):
    """Refused once, a hand that waits would not be sent again."""
    here = [network.Adapter("Wi-Fi", "192.168.1.45")]
    monkeypatch.setattr("league.network._own", network._OwnAddresses())
    monkeypatch.setattr("league.network.adapters", lambda: here)
    assert network.own_addresses() == ["192.168.1.45"]
    assert phone.get("/hello/").status_code == 400
    here[0] = network.Adapter("Wi-Fi", LAN)
    assert phone.get("/hello/").status_code == 200
