"""Invitations: a role is accepted once, by who it is for, while the inviter may still give it."""

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.sessions.models import Session as BrowserSession
from django.urls import reverse
from django.utils import timezone

from league.errors import Refused
from league.members.actions import roles as actions
from league.members.actions.roles import change_role, remove_role
from league.members.audit import Actor
from league.members.models import AuditEntry, Invitation, Member, Role
from league.members.views.roles import WRONG_LINKS
from tests.builders import a_club, a_user, members_of

pytestmark = pytest.mark.django_db
AT = datetime(2026, 11, 19, 20, 0, tzinfo=UTC)
LATER = AT + timedelta(days=3)


@pytest.fixture
def owner(club):
    return a_user("owner", club=club, rank="owner")


def acting(user):
    return Actor(str(user), user)


def rank(user, club):
    return Role.objects.filter(user=user, club=club).values_list("rank", flat=True).first()


def test_an_invitation_gives_its_role_once(club, owner):
    invitation, token = actions.invite(club, rank="scorekeeper", by=acting(owner), at=AT)
    assert token not in str(vars(Invitation.objects.get()))
    ann, eve = a_user("ann"), a_user("eve")
    secret = actions.hash_token(token)
    actions.accept_invitation(secret, by=acting(ann), at=LATER)
    assert rank(ann, club) == "scorekeeper"
    with pytest.raises(Refused) as caught:
        actions.accept_invitation(secret, by=acting(eve), at=LATER)
    assert caught.value.code == "invitation-gone"
    assert rank(eve, club) is None
    invitation.refresh_from_db()
    assert (invitation.used_by, invitation.used_at) == (ann, LATER)


def test_an_invitation_ends_after_its_days_or_when_withdrawn(club, owner):
    invitation, token = actions.invite(club, rank="member", by=acting(owner), at=AT)
    ann = acting(a_user("ann"))
    late = AT + timedelta(days=actions.DAYS_VALID)
    with pytest.raises(Refused):
        actions.accept_invitation(actions.hash_token(token), by=ann, at=late)
    actions.withdraw_invitation(invitation, by=acting(owner), at=LATER)
    with pytest.raises(Refused):
        actions.accept_invitation(actions.hash_token(token), by=ann, at=LATER)


def test_an_invitation_never_lowers_a_rank(club, owner):
    _, token = actions.invite(club, rank="member", by=acting(owner), at=AT)
    actions.accept_invitation(actions.hash_token(token), by=acting(owner), at=LATER)
    assert rank(owner, club) == "owner"


def test_an_invitation_may_say_who_the_account_plays_as(club, owner):
    [rose] = members_of(club, 1)
    _, token = actions.invite(club, rank="member", by=acting(owner), at=AT, member=rose)
    user = a_user("rose")
    actions.accept_invitation(actions.hash_token(token), by=acting(user), at=LATER)
    assert Member.objects.get(pk=rose.pk).user == user
    with pytest.raises(Refused):
        actions.invite(club, rank="member", by=acting(owner), at=AT, member=Member.objects.get())


def test_nobody_of_another_club_is_invited_as_a_player(club, owner):
    [stranger] = members_of(a_club("Other", "other"), 1)
    with pytest.raises(Refused) as caught:
        actions.invite(club, rank="member", by=acting(owner), at=AT, member=stranger)
    assert caught.value.status == 404


# -- who invites -----------------------------------------------------------------------------------


def switch_off(user, club):
    user.is_active = False
    user.save()


def take_the_role(user, club):
    remove_role(club.roles.get(user=user), by=acting(user), at=AT)


def lower_the_role(user, club):
    change_role(club.roles.get(user=user), rank="member", by=acting(user), at=AT)


def lose_the_role_unnoticed(user, club):
    """As by the server keeper's shell, past every action."""
    club.roles.filter(user=user).delete()


def delete(user, club):
    user.delete()


LOSSES = [switch_off, take_the_role, lower_the_role, lose_the_role_unnoticed, delete]


@pytest.mark.parametrize("lose", LOSSES)
def test_an_invitation_ends_with_the_inviters_right_to_give_that_role(club, owner, lose, client):
    inviter = a_user("inviter", club=club, rank="owner")
    _, token = actions.invite(club, rank="owner", by=acting(inviter), at=timezone.now())
    ann = a_user("ann")
    actions.invite_account(
        club, username="ann", rank="organiser", by=acting(inviter), at=timezone.now()
    )
    lose(inviter, club)
    with pytest.raises(Refused) as caught:
        actions.accept_invitation(actions.hash_token(token), by=acting(ann), at=timezone.now())
    assert caught.value.code == "invitation-gone"
    client.force_login(ann)
    assert client.get(reverse("invitation_link", args=[token]), follow=True).status_code == 404
    assert club.name not in client.get("/").content.decode()
    client.force_login(owner)
    assert not client.get(reverse("roles", args=[club.slug])).context["invitations"]
    assert rank(ann, club) is None


def test_one_that_the_inviter_may_still_give_goes_on(club, owner):
    """As when an organiser becomes owner."""
    inviter = a_user("inviter", club=club)
    _, token = actions.invite(club, rank="member", by=acting(inviter), at=AT)
    offer = actions.invite_account(club, username="inviter", rank="owner", by=acting(owner), at=AT)
    actions.accept_invitation(offer.token_hash, by=acting(inviter), at=AT)
    ann = a_user("ann")
    actions.accept_invitation(actions.hash_token(token), by=acting(ann), at=LATER)
    assert rank(ann, club) == "member"


@pytest.mark.parametrize("wanted", ["organiser", "owner"])
def test_an_organiser_invites_only_to_roles_below(club, owner, wanted):
    olive = a_user("olive", club=club)
    a_user("ann")
    with pytest.raises(Refused) as caught:
        actions.invite(club, rank=wanted, by=acting(olive), at=AT)
    assert (caught.value.code, caught.value.status) == ("beyond-rank", 403)
    with pytest.raises(Refused):
        actions.invite_account(club, username="ann", rank=wanted, by=acting(olive), at=AT)


def test_a_club_has_only_so_many_open_invitations(club, owner, monkeypatch):
    monkeypatch.setattr(actions, "MOST_OPEN", 2)
    for _ in range(2):
        first, _token = actions.invite(club, rank="member", by=acting(owner), at=AT)
    with pytest.raises(Refused) as caught:
        actions.invite(club, rank="member", by=acting(owner), at=AT)
    assert caught.value.code == "too-many-invitations"
    actions.withdraw_invitation(first, by=acting(owner), at=AT)
    actions.invite(club, rank="member", by=acting(owner), at=AT)


# -- an account by its user name -------------------------------------------------------------------


def invited(club, by, username="ann", rank="member", at=AT):
    return actions.invite_account(club, username=username, rank=rank, by=acting(by), at=at)


def test_an_account_that_is_named_has_a_role_only_when_it_accepts(club, owner, client):
    ann = a_user("ann")
    client.force_login(owner)
    answer = client.post(reverse("roles", args=[club.slug]), {"username": " ann ", "rank": "owner"})
    assert answer.status_code == 302
    assert rank(ann, club) is None
    assert "Invited ann" in client.get(answer["Location"]).content.decode()
    client.force_login(ann)
    assert client.get(reverse("club", args=[club.slug])).status_code == 404
    home = client.get("/")
    assert "join as Owner" in home.content.decode()
    (offer,) = home.context["invitations"]
    answer = client.post(reverse("invitation_accept", args=[offer.pk]))
    assert answer["Location"] == reverse("club", args=[club.slug])
    assert rank(ann, club) == "owner"
    assert AuditEntry.objects.get(action="accept invitation").new == {"rank": "owner"}


def test_it_may_decline_and_is_not_asked_again_at_once(club, owner, client):
    ann = a_user("ann")
    offer = invited(club, owner, at=timezone.now())
    client.force_login(ann)
    assert client.post(reverse("invitation_decline", args=[offer.pk])).status_code == 302
    assert not client.get("/").context["invitations"]
    assert client.post(reverse("invitation_accept", args=[offer.pk])).status_code == 404
    with pytest.raises(Refused) as caught:
        invited(club, owner, at=timezone.now())
    assert caught.value.code == "already-invited"
    assert rank(ann, club) is None
    after = timezone.now() + timedelta(days=actions.DAYS_VALID, minutes=1)
    assert invited(club, owner, at=after)


def test_nobody_else_can_accept_it(club, owner, client):
    a_user("ann")
    offer = invited(club, owner, rank="owner", at=timezone.now())
    eve = a_user("eve")
    client.force_login(eve)
    assert client.post(reverse("invitation_accept", args=[offer.pk])).status_code == 404
    assert client.post(reverse("invitation_decline", args=[offer.pk])).status_code == 404
    with pytest.raises(Refused):
        actions.accept_invitation(offer.token_hash, by=acting(eve), at=timezone.now())
    client.logout()
    answer = client.post(reverse("invitation_accept", args=[offer.pk]))
    assert answer["Location"].startswith(reverse("account_login"))
    assert rank(eve, club) is None


@pytest.mark.parametrize("username", ["nobody", "", "ann\n", "off"])
def test_an_account_that_does_not_exist_is_refused_at_its_field(club, owner, username):
    switch_off(a_user("off"), club)
    with pytest.raises(Refused) as caught:
        invited(club, owner, username=username)
    assert list(caught.value.fields) == ["username"]


def test_one_that_has_a_role_is_not_invited(club, owner):
    a_user("ann", club=club, rank="member")
    with pytest.raises(Refused, match="already has a role"):
        invited(club, owner)


def test_a_member_becomes_owner_only_by_accepting_it(club, owner, client):
    """Else the last owner could leave, and the member could not."""
    bob = a_user("bob", club=club, rank="member")
    role = club.roles.get(user=bob)
    with pytest.raises(Refused) as caught:
        change_role(role, rank="owner", by=acting(owner), at=AT)
    assert caught.value.code == "owner-accepts"
    client.force_login(owner)
    answer = client.post(reverse("role_change", args=[club.slug, role.pk]), {"rank": "owner"})
    assert "Invited bob" in client.get(answer["Location"]).content.decode()
    assert rank(bob, club) == "member"
    client.force_login(bob)
    (offer,) = client.get("/").context["invitations"]
    client.post(reverse("invitation_accept", args=[offer.pk]))
    assert rank(bob, club) == "owner"


def test_an_account_has_only_so_many_waiting(club, owner, monkeypatch):
    monkeypatch.setattr(actions, "MOST_WAITING", 1)
    a_user("ann")
    other = a_club("Other", "other")
    eve = a_user("eve", club=other, rank="owner")
    invited(other, eve)
    with pytest.raises(Refused) as caught:
        invited(club, owner)
    assert caught.value.code == "too-many-invitations"


def test_one_that_loses_its_role_does_not_come_back_by_an_old_invitation(club, owner):
    ann = a_user("ann")
    offer = invited(club, owner, rank="organiser")
    _, token = actions.invite(club, rank="member", by=acting(owner), at=AT)
    actions.accept_invitation(actions.hash_token(token), by=acting(ann), at=AT)
    remove_role(club.roles.get(user=ann), by=acting(owner), at=AT)
    with pytest.raises(Refused):
        actions.accept_invitation(offer.token_hash, by=acting(ann), at=LATER)
    assert rank(ann, club) is None


# -- a link ----------------------------------------------------------------------------------------


def test_a_link_is_followed_from_paper_to_the_club(club, owner, client):
    client.force_login(owner)
    made = client.post(reverse("role_invite", args=[club.slug]), {"rank": "scorekeeper"})
    assert '<img class="qr" src="data:image/svg+xml' in made.content.decode()
    link = made.context["link"]
    client.logout()
    answer = client.get(link, follow=True)
    assert answer.redirect_chain == [(reverse("invitation"), 302)]
    assert club.name in answer.content.decode()
    assert link.rsplit("/", 2)[1] not in answer.content.decode()
    a_user("ann")
    client.login(username="ann", password="correct horse battery")
    client.get(link)
    answer = client.post(reverse("invitation"))
    assert answer["Location"] == reverse("club", args=[club.slug])
    assert client.post(reverse("invitation")).status_code == 404


def test_a_link_that_was_never_made_is_not_found_and_stores_nothing(client):
    assert client.get(reverse("invitation_link", args=["x" * 32]), follow=True).status_code == 404
    assert not BrowserSession.objects.exists()


def test_links_that_open_nothing_are_limited_by_address_and_a_right_one_always_opens(
    club, owner, client
):
    def status(token):
        return client.get(reverse("invitation_link", args=[token])).status_code

    statuses = [status(f"wrong-{number}") for number in range(WRONG_LINKS.most + 1)]
    assert statuses == [404] * WRONG_LINKS.most + [429]
    assert int(client.get(reverse("invitation_link", args=["wrong"]))["Retry-After"]) > 0
    _, token = actions.invite(club, rank="member", by=acting(owner), at=timezone.now())
    assert status(token) == 302
    other = client.get(reverse("invitation_link", args=["wrong"]), REMOTE_ADDR="192.0.2.9")
    assert other.status_code == 404
