"""Roles and invitations: who may give what, once, and never the last owner's."""

from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse

from league.errors import Refused
from league.members.actions import roles as actions
from league.members.audit import Actor
from league.members.models import AuditEntry, Invitation, Member, Role
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


def test_an_owner_gives_any_rank_to_an_account_that_exists(club, owner):
    ann = a_user("ann")
    actions.give_role(club, username=" ann ", rank="owner", by=acting(owner))
    assert rank(ann, club) == "owner"
    assert AuditEntry.objects.get().new == {"rank": "owner"}


@pytest.mark.parametrize("username", ["nobody", "", "ann\n"])
def test_an_account_that_does_not_exist_is_refused_at_its_field(club, owner, username):
    with pytest.raises(Refused) as caught:
        actions.give_role(club, username=username, rank="member", by=acting(owner))
    assert list(caught.value.fields) == ["username"]


@pytest.mark.parametrize("wanted", ["organiser", "owner"])
def test_an_organiser_gives_only_ranks_below(club, owner, wanted):
    olive = a_user("olive", club=club)
    a_user("ann")
    with pytest.raises(Refused) as caught:
        actions.give_role(club, username="ann", rank=wanted, by=acting(olive))
    assert (caught.value.code, caught.value.status) == ("beyond_rank", 403)
    with pytest.raises(Refused):
        actions.change_role(club.roles.get(user=owner), rank="member", by=acting(olive), at=AT)
    with pytest.raises(Refused):
        actions.invite(club, rank=wanted, by=acting(olive), at=AT)
    actions.give_role(club, username="ann", rank="scorekeeper", by=acting(olive))


def test_a_club_keeps_its_last_owner(club, owner):
    role = club.roles.get(user=owner)
    for order in (
        lambda: actions.change_role(role, rank="organiser", by=acting(owner), at=AT),
        lambda: actions.remove_role(role, by=acting(owner), at=AT),
    ):
        with pytest.raises(Refused) as caught:
            order()
        assert caught.value.code == "last_owner"
    a_user("second", club=club, rank="owner")
    actions.change_role(role, rank="organiser", by=acting(owner), at=AT)
    assert rank(owner, club) == "organiser"


def test_a_disabled_owner_does_not_count_as_one(club, owner):
    second = a_user("second", club=club, rank="owner")
    second.is_active = False
    second.save()
    with pytest.raises(Refused, match="at least one owner"):
        actions.remove_role(club.roles.get(user=owner), by=acting(owner), at=AT)


def test_everybody_may_give_up_their_own_role(club, owner):
    bob = a_user("bob", club=club, rank="member")
    actions.remove_role(club.roles.get(user=bob), by=acting(bob), at=AT)
    assert rank(bob, club) is None


def test_an_invitation_gives_its_role_once(club, owner):
    invitation, token = actions.invite(club, rank="scorekeeper", by=acting(owner), at=AT)
    assert token not in str(vars(Invitation.objects.get()))
    ann, eve = a_user("ann"), a_user("eve")
    secret = actions.hash_of(token)
    actions.accept_invitation(secret, by=acting(ann), at=LATER)
    assert rank(ann, club) == "scorekeeper"
    with pytest.raises(Refused) as caught:
        actions.accept_invitation(secret, by=acting(eve), at=LATER)
    assert caught.value.code == "invitation_gone"
    assert rank(eve, club) is None
    invitation.refresh_from_db()
    assert (invitation.used_by, invitation.used_at) == (ann, LATER)


def test_an_invitation_ends_after_its_days_or_when_withdrawn(club, owner):
    invitation, token = actions.invite(club, rank="member", by=acting(owner), at=AT)
    ann = acting(a_user("ann"))
    late = AT + timedelta(days=actions.DAYS_VALID)
    with pytest.raises(Refused):
        actions.accept_invitation(actions.hash_of(token), by=ann, at=late)
    actions.withdraw_invitation(invitation, by=acting(owner), at=LATER)
    with pytest.raises(Refused):
        actions.accept_invitation(actions.hash_of(token), by=ann, at=LATER)


def test_an_invitation_never_lowers_a_rank(club, owner):
    _, token = actions.invite(club, rank="member", by=acting(owner), at=AT)
    actions.accept_invitation(actions.hash_of(token), by=acting(owner), at=LATER)
    assert rank(owner, club) == "owner"


def test_an_invitation_may_say_who_the_account_plays_as(club, owner):
    [rose] = members_of(club, 1)
    _, token = actions.invite(club, rank="member", by=acting(owner), at=AT, member=rose)
    user = a_user("rose")
    actions.accept_invitation(actions.hash_of(token), by=acting(user), at=LATER)
    assert Member.objects.get(pk=rose.pk).user == user
    with pytest.raises(Refused):
        actions.invite(club, rank="member", by=acting(owner), at=AT, member=Member.objects.get())


def test_nobody_of_another_club_is_invited_as_a_player(club, owner):
    [stranger] = members_of(a_club("Other", "other"), 1)
    with pytest.raises(Refused) as caught:
        actions.invite(club, rank="member", by=acting(owner), at=AT, member=stranger)
    assert caught.value.status == 404


def test_links_of_somebody_who_lost_the_role_stop_working(club, owner):
    olive = a_user("olive", club=club)
    _, token = actions.invite(club, rank="member", by=acting(olive), at=AT)
    actions.remove_role(club.roles.get(user=olive), by=acting(owner), at=AT)
    assert actions.open_invitation(actions.hash_of(token), at=LATER) is None


# -- pages -----------------------------------------------------------------------------------------


def test_what_else_a_form_carries_is_not_taken(club, owner, client):
    """A3: a member's form cannot make anybody staff, owner, or of another club."""
    olive = a_user("olive", club=club)
    other = a_club("Other", "other")
    client.force_login(olive)
    [rose] = members_of(club, 1)
    extra = {"is_staff": "1", "role": "owner", "club": other.pk, "user": owner.pk, "rank": "owner"}
    page = reverse("member_edit", args=[club.slug, rose.public_id])
    client.post(page, {"name": "Rose W", "shown": "club", "public_id": "x", "pk": "9", **extra})
    client.post(reverse("club_settings", args=[club.slug]), {"slug": "mine", **extra})
    client.post(reverse("you"), {"display_name": "Olive", "username": "root", **extra})
    rose.refresh_from_db()
    olive.refresh_from_db()
    club.refresh_from_db()
    assert (rose.name, rose.club, rose.user) == ("Rose W", club, None)
    assert (olive.is_staff, olive.username, rank(olive, club)) == (False, "olive", "organiser")
    assert club.slug == "thursday"


def test_a_rank_out_of_reach_is_refused_on_the_page(club, owner, client):
    client.force_login(a_user("olive", club=club))
    a_user("ann")
    answer = client.post(reverse("roles", args=[club.slug]), {"username": "ann", "rank": "owner"})
    assert answer.status_code == 422
    role = club.roles.get(user=owner)
    page = reverse("role_change", args=[club.slug, role.pk])
    assert client.post(page, {"rank": "member"}).status_code == 403
    assert client.post(page, {"remove": "1"}).status_code == 403
    assert rank(owner, club) == "owner"


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


def test_a_link_that_was_never_made_is_not_found(client, db):
    assert client.get(reverse("invitation_link", args=["x" * 32]), follow=True).status_code == 404
