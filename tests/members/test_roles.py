"""Roles: who may change and take what, and never the last owner's."""

from datetime import UTC, datetime

import pytest
from django.urls import reverse

from league.errors import Refused
from league.members.actions import roles as actions
from league.members.audit import Actor
from league.members.models import Role
from tests.builders import a_club, a_user, members_of

pytestmark = pytest.mark.django_db
AT = datetime(2026, 11, 19, 20, 0, tzinfo=UTC)


@pytest.fixture
def owner(club):
    return a_user("owner", club=club, rank="owner")


def acting(user):
    return Actor(str(user), user)


def rank(user, club):
    return Role.objects.filter(user=user, club=club).values_list("rank", flat=True).first()


def test_an_organiser_changes_only_ranks_below(club, owner):
    olive, bob = a_user("olive", club=club), a_user("bob", club=club, rank="member")
    for role, wanted in [(owner, "member"), (bob, "organiser"), (bob, "owner")]:
        with pytest.raises(Refused) as caught:
            actions.change_role(club.roles.get(user=role), rank=wanted, by=acting(olive), at=AT)
        assert (caught.value.code, caught.value.status) == ("beyond-rank", 403)
    actions.change_role(club.roles.get(user=bob), rank="scorekeeper", by=acting(olive), at=AT)
    assert rank(bob, club) == "scorekeeper"


def test_what_organisers_may_give_is_said_in_one_way():
    assert actions.ranks_to_give("organiser") == list(Role.GIVEN_BY_ORGANISERS)
    assert actions.ranks_to_give("owner") == [*Role.GIVEN_BY_ORGANISERS, "organiser", "owner"]
    assert actions.ranks_to_give("scorekeeper") == actions.ranks_to_give(None) == []


def test_a_club_keeps_its_last_owner(club, owner):
    role = club.roles.get(user=owner)
    for order in (
        lambda: actions.change_role(role, rank="organiser", by=acting(owner), at=AT),
        lambda: actions.remove_role(role, by=acting(owner), at=AT),
    ):
        with pytest.raises(Refused) as caught:
            order()
        assert caught.value.code == "last-owner"
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


# -- pages -----------------------------------------------------------------------------------------


def test_what_else_a_form_carries_is_not_taken(club, owner, client):
    """A member's form cannot make anybody staff, owner, or of another club."""
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
    remove = reverse("role_remove", args=[club.slug, role.pk])
    assert client.post(remove).status_code == 403
    assert rank(owner, club) == "owner"


def test_a_changed_role_is_named(club, owner, client):
    client.force_login(owner)
    role = club.roles.get(user=a_user("ted", club=club, rank="member"))
    page = reverse("role_change", args=[club.slug, role.pk])
    assert (
        "ted is now a scorekeeper." in client.post(page, {"rank": "scorekeeper"}, follow=True).text
    )
    assert "ted is now an organiser." in client.post(page, {"rank": "organiser"}, follow=True).text


def test_an_account_is_removed_only_after_a_question(club, owner, client):
    """One tap too many would put a member out, and they need a new invitation to come back."""
    ted = a_user("ted", club=club, rank="member")
    client.force_login(owner)
    page = reverse("role_remove", args=[club.slug, club.roles.get(user=ted).pk])
    assert f'href="{page}"' in client.get(reverse("roles", args=[club.slug])).content.decode()
    assert "Remove ted from the club?" in client.get(page).content.decode()
    assert rank(ted, club) == "member"
    client.post(page)
    assert rank(ted, club) is None


def test_a_member_leaves_only_after_a_question(club, client):
    ted = a_user("ted", club=club, rank="member")
    client.force_login(ted)
    page = reverse("role_leave", args=[club.slug])
    assert f"Leave {club.name}?" in client.get(page).content.decode()
    assert rank(ted, club) == "member"
    client.post(page)
    assert rank(ted, club) is None
