"""Who may create an account and start a club: what the settings say, and what closed pages say."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.members.account_mail import SENDS_NOTHING
from league.members.actions import change_settings
from league.members.actions.roles import invite
from league.members.audit import Actor
from league.members.models import Club, Role, User
from tests.builders import TEST, a_club, a_user

pytestmark = pytest.mark.django_db
PASSWORD = "tulip anchor mosaic"
CLUB = {
    "name": "Tuesday Club",
    "slug": "tuesday",
    "time_zone": "America/Vancouver",
    "rules_2": "nanaimo-two-handed",
    "rules_3": "nanaimo-three-handed",
    "rules_4": "standard-four-handed",
}
SIGN_UP, NEW_CLUB = "/accounts/signup/", "/clubs/new/"


@pytest.fixture(autouse=True)
def _as_installed(settings):
    """What a new installation has; the other tests' settings are open."""
    settings.SIGN_UP, settings.START_CLUB = "invited", "owners"


@pytest.fixture
def club():
    club = a_club()
    a_user("owner", club=club, rank="owner")
    return club


def sign_up(client, username="kit"):
    form = {"username": username, "email": "", "password1": PASSWORD, "password2": PASSWORD}
    return client.post(SIGN_UP, form | {"next": reverse("invitation")})


def a_link(club, by="owner", rank="member"):
    user = User.objects.get(username=by)
    _, token = invite(club, rank=rank, by=Actor(by, user), at=timezone.now())
    return reverse("invitation_link", args=[token])


def exists(username):
    return User.objects.filter(username=username).exists()


# -- accounts --------------------------------------------------------------------------------------


@pytest.mark.parametrize("setting", ["open", "invited", "closed"])
def test_the_first_account_of_an_empty_site_may_be_made_and_start_its_first_club(
    client, settings, setting
):
    settings.SIGN_UP = setting
    settings.START_CLUB = "administrators"
    assert SIGN_UP in client.get("/").content.decode()
    sign_up(client)
    assert NEW_CLUB in client.get("/").content.decode()
    client.post(NEW_CLUB, CLUB)
    assert Club.objects.get().roles.get().user.username == "kit"


def test_a_stranger_cannot_sign_up_and_is_told_whom_to_ask(client, club):
    for page in ("/", "/accounts/login/", SIGN_UP):
        said = client.get(page).content.decode()
        assert "ask an organiser of your club" in said
        assert f'href="{SIGN_UP}' not in said
    answer = sign_up(client)
    assert "You need an invitation" in answer.content.decode()
    assert not exists("kit")


def test_who_has_no_club_yet_reads_what_to_do(client, club, settings):
    """A new organiser found no way in: nobody to ask, and nothing to do instead."""
    kit = a_user("kit", club=club, rank="member")
    for page in ("/", "/accounts/login/", SIGN_UP):
        assert 'href="/help/#own-club">run Right Bower on a laptop' in client.get(page).text
    assert 'id="own-club"' in client.get("/help/").text
    settings.CONTACT = "may@example.org <b>"
    for page in ("/", "/accounts/login/", SIGN_UP):
        said = client.get(page).text
        assert 'runs this site: <a href="mailto:may@example.org">may@example.org</a> &lt;b' in said
    client.force_login(kit)
    assert "mailto:may@example.org" in client.get("/").text


def test_where_everyone_may_start_a_club_the_front_page_says_so(client, club, settings):
    sentence = "Create an account and start one of your own."
    settings.SIGN_UP = "open"
    assert sentence not in client.get("/").text
    settings.START_CLUB = "anyone"
    assert sentence in client.get("/").text
    sign_up(client)
    client.post(NEW_CLUB, CLUB)
    assert Club.objects.filter(slug="tuesday").exists()


def test_somebody_invited_makes_an_account_and_joins(client, club):
    said = client.get(a_link(club), follow=True).content.decode()
    assert f'href="{SIGN_UP}?next=' in said
    answer = sign_up(client)
    assert answer["Location"] == reverse("invitation")
    kit = User.objects.get(username="kit")
    assert not Role.objects.filter(user=kit).exists()  # an account alone accepts nothing
    assert client.post(answer["Location"])["Location"] == reverse("club", args=[club.slug])
    assert Role.objects.get(user=kit).rank == "member"


def test_one_invitation_makes_one_account(client, club):
    link = a_link(club, rank="owner")
    browsers = [client, Client(), Client()]
    for browser in browsers[:2]:
        browser.get(link)
    sign_up(browsers[0], "first")
    sign_up(browsers[1], "second")
    assert browsers[2].get(link, follow=True).status_code == 404
    assert (exists("first"), exists("second")) == (True, False)
    client.logout()
    sign_up(client, "third")
    assert not exists("third")
    second = a_user("another")
    browsers[2].force_login(second)
    assert browsers[2].get(link, follow=True).status_code == 404


def test_the_account_made_with_an_invitation_finds_it_on_its_home_page(client, club):
    client.get(a_link(club))
    sign_up(client)
    (offer,) = client.get("/").context["invitations"]
    assert offer.club == club


def test_an_invitation_that_ended_since_the_page_was_opened_makes_no_account(client, club):
    client.get(a_link(club))
    assert "password1" in client.get(SIGN_UP).content.decode()
    club.invitations.update(withdrawn_at=timezone.now())
    sign_up(client)
    assert not exists("kit")


def test_where_sign_up_is_closed_an_invitation_leads_to_signing_in_alone(client, club, settings):
    settings.SIGN_UP = "closed"
    said = client.get(a_link(club), follow=True).content.decode()
    assert "/accounts/login/" in said
    assert SIGN_UP not in said
    assert "Ask the person who runs this site" in said
    sign_up(client)
    assert not exists("kit")


def test_where_it_is_open_anybody_may_sign_up(client, club, settings):
    settings.SIGN_UP = "open"
    assert SIGN_UP in client.get("/").content.decode()
    assert sign_up(client).status_code == 302
    assert exists("kit")


@pytest.mark.parametrize("sends", [True, False])
def test_only_a_site_that_sends_mail_says_that_it_has_sent_one(client, club, settings, sends):
    settings.SIGN_UP = "open"
    if not sends:
        settings.EMAIL_BACKEND = SENDS_NOTHING
    form = {"username": "cora", "email": "cora@example.org"}
    passwords = {"password1": PASSWORD, "password2": PASSWORD}
    page = client.post(SIGN_UP, form | passwords, follow=True).text
    assert exists("cora")
    assert ("sent an e-mail to cora@example.org" in page) == sends


@pytest.mark.django_db(transaction=True)
def test_two_at_once_do_not_both_make_the_first_account():
    def one(number):
        try:
            sign_up(Client(), f"kit{number}")
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(one, range(4)))
    assert User.objects.count() == 1


# -- clubs -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("setting", "who", "may"),
    [
        ("anyone", "member", True),
        ("owners", "owner", True),
        ("owners", "organiser", False),
        ("owners", "stranger", False),
        ("owners", "staff", True),
        ("administrators", "owner", False),
        ("administrators", "staff", True),
    ],
)
def test_who_may_start_a_club_and_sees_the_button(client, club, settings, setting, who, may):
    settings.START_CLUB = setting
    user = User.objects.filter(username=who).first() or a_user(who)
    if who in ("member", "organiser"):
        Role.objects.create(club=club, user=user, rank=who)
    user.is_staff = who == "staff"
    user.save()
    client.force_login(user)
    assert (NEW_CLUB in client.get("/").content.decode()) == may
    assert client.get(NEW_CLUB).status_code == (200 if may else 403)
    answer = client.post(NEW_CLUB, CLUB)
    assert answer.status_code == (302 if may else 403)
    assert Club.objects.filter(slug="tuesday").exists() == may
    if not may:
        assert "administrators can start clubs here" in answer.content.decode()
    if who == "stranger":
        assert "start clubs here" in client.get("/").content.decode()


def test_a_site_without_a_club_is_its_first_accounts_to_begin(client):
    a_user("first")
    client.force_login(a_user("second"))
    assert client.post(NEW_CLUB, CLUB).status_code == 403


def test_a_strangers_club_is_on_the_first_page_only_when_an_administrator_lists_it(
    client, settings, club
):
    settings.START_CLUB = "anyone"
    client.force_login(a_user("eve"))
    client.post(NEW_CLUB, CLUB)
    Club.objects.filter(slug="tuesday").update(visibility="standings")
    assert (
        "Ask the person who runs this site" in client.get("/c/tuesday/settings/").content.decode()
    )
    assert "Tuesday Club" not in Client().get("/").content.decode()
    keeper = a_user("keeper")
    keeper.is_staff = keeper.is_superuser = True
    keeper.save()
    client.force_login(keeper)
    chosen = {"_selected_action": [Club.objects.get(slug="tuesday").pk]}
    client.post("/admin/league/club/", {"action": "put_on_list"} | chosen)
    assert "Tuesday Club" in Client().get("/").content.decode()
    change_settings(Club.objects.get(slug="tuesday"), by=TEST, name="Something else")
    assert "Something else" not in Client().get("/").content.decode()
    client.post("/admin/league/club/", {"action": "put_on_list"} | chosen)
    client.post("/admin/league/club/", {"action": "take_off_list"} | chosen)
    assert "Something else" not in Client().get("/").content.decode()
    assert "Tuesday Club" not in Client().get("/").content.decode()


def test_a_club_started_by_those_who_are_trusted_is_listed_at_once(client, club):
    client.force_login(User.objects.get(username="owner"))
    client.post(NEW_CLUB, CLUB)
    Club.objects.filter(slug="tuesday").update(visibility="standings")
    assert "Tuesday Club" in Client().get("/").content.decode()


def test_a_user_name_taken_by_a_second_press_is_said_and_the_form_stays(
    client, settings, monkeypatch
):
    settings.SIGN_UP = "open"
    a_user("kit")
    monkeypatch.setattr("league.members.models.User.validate_unique", lambda *args, **kw: None)
    monkeypatch.setattr(
        "league.members.sign_up.AccountAdapter.clean_username", lambda self, name, **kw: name
    )
    answer = sign_up(client)
    assert (answer.status_code, User.objects.count()) == (409, 1)
    assert "already exists" in str(answer.context["form"].errors["username"])


def test_the_sign_up_page_says_what_a_user_name_may_have(client):
    page = client.get("/accounts/signup/").content.decode()
    assert "Letters from a to z and numbers, without spaces." in page


def test_a_user_name_with_a_space_is_answered_with_one_that_works(client, settings):
    settings.SIGN_UP = "open"
    page = sign_up(client, "Márta Smith").content.decode()
    assert "For example: marta-smith" in page
    assert "passwords are not shown again" in page
    assert sign_up(client, "marta-smith").status_code == 302
    assert exists("marta-smith")
