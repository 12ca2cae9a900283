"""One invitation link for the whole club: it joins members until it is replaced or turned off."""

import re

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


def test_a_visitor_with_the_link_is_first_offered_an_account(club, link, client, settings):
    settings.SIGN_UP = "invited"
    a_user("owner", club=club, rank="owner")
    page = client.get(client.get(link)["Location"]).text
    primary = re.findall(r'<a class="button primary" href="([^"?]*)', page)
    assert primary == [reverse("account_signup")]
    assert f"{reverse('account_login')}?next=" in page.partition("<main")[2]


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


def named(user, name):
    user.display_name = name
    user.save()
    return user


def role_of(club, name):
    return club.roles.get(user__username=name)


def test_who_joins_gives_the_name_they_play_under(club, link, client):
    kit = a_user("kit")
    client.force_login(kit)
    page = client.get(link)["Location"]
    assert "The name you play under" in client.get(page).text
    assert client.post(page, {"display_name": "Kit Barron"}).status_code == 302
    kit.refresh_from_db()
    assert (str(kit), joined(club)) == ("Kit Barron", {"kit": "member"})


def test_nobody_joins_under_the_name_of_another_account_unasked(club, link, client):
    named(a_user("olive", club=club), "Olive Reed")
    client.force_login(a_user("kit"))
    page = client.get(link)["Location"]
    assert client.post(page, {"display_name": "Olive Reed"}).status_code == 409
    assert "kit" not in joined(club)


def test_organisers_see_who_has_joined_without_being_a_player(club, organiser):
    kit = named(a_user("kit", club=club, rank="member"), "Kit Barron")
    link_page = reverse("role_link", args=[club.slug, role_of(club, "kit").pk])
    home = reverse("club", args=[club.slug])
    assert "1 account is not linked to a player." in organiser.get(home).text
    assert link_page in organiser.get(home).text
    assert link_page in organiser.get(reverse("roles", args=[club.slug])).text
    club.members.create(name="Kit Barron", user=kit)
    assert "not linked" not in organiser.get(home).text


def test_an_account_is_linked_with_one_tap_on_the_likely_name(club, organiser):
    kit = named(a_user("kit", club=club, rank="member"), "Kit Barron")
    taken = club.members.create(name="Kit Older", user=a_user("older"))
    player = club.members.create(name="Kit Barron")
    club.members.create(name="Ruth Amsel")
    page = reverse("role_link", args=[club.slug, role_of(club, "kit").pk])
    shown = organiser.get(page).text
    assert "Link to Kit Barron" in shown
    assert "Link to Ruth Amsel" not in shown
    assert "Kit Older" not in shown
    assert organiser.post(page, {"member": taken.public_id}).status_code == 422
    assert organiser.post(page, {"member": player.public_id}).status_code == 302
    player.refresh_from_db()
    assert player.user == kit
    assert organiser.get(page).status_code == 302  # there is nothing left to do


def test_an_account_of_a_new_player_is_added_and_linked(club, organiser):
    kit = named(a_user("kit", club=club, rank="member"), "Kit Barron")
    page = reverse("role_link", args=[club.slug, role_of(club, "kit").pk])
    organiser.post(page, {"name": "Kit Barron"})
    assert club.members.get(name="Kit Barron").user == kit


def test_a_new_player_with_a_name_on_the_list_is_asked_about(club, organiser):
    named(a_user("kit", club=club, rank="member"), "Kit Barron")
    club.members.create(name="Kit Barron")
    page = reverse("role_link", args=[club.slug, role_of(club, "kit").pk])
    answer = organiser.post(page, {"name": "Kit Barron"})
    assert (answer.status_code, club.members.count()) == (409, 1)
    assert "Kit Barron is already on the list." in answer.text
