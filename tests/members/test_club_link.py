"""One invitation link for the whole club: it joins members until it is replaced or turned off."""

import pytest
from django.urls import reverse

from league.members.actions.roles import close_club_link, open_club_link
from league.members.models import User
from league.members.sign_up import club_link, club_of_link
from tests.builders import TEST, a_user


@pytest.fixture
def link(club):
    open_club_link(club, by=TEST)
    return club_link(club)


def joined(club):
    return dict(club.roles.values_list("user__username", "rank"))


def follow(client, link):
    return client.post(client.get(link)["Location"])


def test_everybody_who_follows_the_link_joins_as_a_member(club, link, client):
    for name in ("kit", "lou"):
        client.force_login(a_user(name))
        assert follow(client, link)["Location"] == reverse("club", args=[club.slug])
    assert joined(club) == {"kit": "member", "lou": "member"}


def test_a_higher_role_stays(club, link, client):
    client.force_login(a_user("olive", club=club))
    follow(client, link)
    assert joined(club) == {"olive": "organiser"}


def test_a_link_replaced_or_turned_off_has_expired(club, link, client):
    open_club_link(club, by=TEST)
    newest = club_link(club)
    assert client.get(link).status_code == 404
    assert client.get(newest).status_code == 302
    close_club_link(club, by=TEST)
    assert client.get(newest).status_code == 404
    assert client.get(reverse("club_join")).status_code == 404


def test_a_link_made_up_opens_nothing(club, link):
    assert club_of_link(f"{club.pk}.{club.link_version}:made-up") is None


def test_a_visitor_with_the_link_may_create_an_account(club, link, client, settings):
    settings.SIGN_UP = "invited"
    a_user("owner", club=club, rank="owner")
    assert "Create an account" not in client.get(reverse("account_login")).content.decode()
    client.get(link)
    assert reverse("account_signup") in client.get(reverse("club_join")).content.decode()
    form = {"username": "kit", "email": "", "password1": "correct horse battery"}
    client.post(reverse("account_signup"), form | {"password2": form["password1"]})
    assert User.objects.filter(username="kit").exists()


def test_the_page_of_roles_shows_the_link_only_while_it_is_on(club, organiser):
    page = reverse("roles", args=[club.slug])
    assert "join/club/" not in organiser.get(page).content.decode()
    organiser.post(reverse("club_link_open", args=[club.slug]))
    shown = organiser.get(page).content.decode()
    club.refresh_from_db()
    assert club_link(club) in shown
    organiser.post(reverse("club_link_close", args=[club.slug]))
    assert "join/club/" not in organiser.get(page).content.decode()


def test_who_has_joined_without_being_a_player_learns_how_to_become_one(club, link, client):
    kit = a_user("kit")
    client.force_login(kit)
    follow(client, link)
    page = reverse("club", args=[club.slug])
    assert "Your account is not linked to a player yet" in client.get(page).text
    club.members.create(name="Kit Barron", user=kit)
    assert "not linked" not in client.get(page).text


def test_the_page_of_the_link_warns_of_an_address_that_phones_cannot_open(club, link, client):
    client.force_login(a_user("olive", club=club))
    page = reverse("roles", args=[club.slug])
    assert "Phones cannot reach" in client.get(page, headers={"host": "127.0.0.1:8000"}).text
    assert "Phones cannot reach" not in client.get(page).text
