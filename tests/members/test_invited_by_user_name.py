"""What a club learns of an account that it invites by its user name: nothing until it accepts."""

import pytest
from django.urls import reverse
from django.utils import timezone

from league.members.actions import roles as actions
from league.members.audit import Actor
from league.members.models import AuditEntry, Invitation, User
from tests.builders import a_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner(club):
    return a_user("owner", club=club, rank="owner")


def rose_invited(club, owner):
    by = Actor("owner", owner)
    return actions.invite_account(club, username="rose", rank="member", by=by, at=timezone.now())


def named_rose():
    rose = a_user("rose")
    rose.display_name = "Rose Whitfield"
    rose.save()
    return rose


def page_texts(client, club):
    """What the club reads about invitations."""
    pages = [client.get(reverse(name, args=[club.slug])) for name in ("roles", "audit")]
    return "".join(page.content.decode() for page in pages)


@pytest.mark.parametrize("answer", ["waits", "withdrawn", "declined", "asked twice", "too many"])
def test_a_club_reads_the_user_name_it_typed_until_the_invitation_is_accepted(
    club, owner, client, monkeypatch, answer
):
    rose = named_rose()
    if answer == "too many":
        monkeypatch.setattr(actions, "MOST_WAITING", 0)
    client.force_login(owner)
    typed, page = {"username": "rose", "rank": "member"}, reverse("roles", args=[club.slug])
    read = client.post(page, typed, follow=True).content.decode()
    if answer == "asked twice":
        read += client.post(page, typed).content.decode()
    elif answer == "withdrawn":
        actions.withdraw_invitation(
            Invitation.objects.get(), by=Actor("owner", owner), at=timezone.now()
        )
    elif answer == "declined":
        client.force_login(rose)
        client.post(reverse("invitation_decline", args=[Invitation.objects.get().pk]))
        client.force_login(owner)
    read += page_texts(client, club)
    assert "rose" in read
    assert "Whitfield" not in read


def test_who_declines_leaves_no_internet_address_with_the_club(club, owner, client):
    client.force_login(named_rose())
    offer = rose_invited(club, owner)
    client.post(reverse("invitation_decline", args=[offer.pk]), REMOTE_ADDR="192.0.2.77")
    entry = AuditEntry.objects.get(action="decline invitation")
    assert (entry.actor, entry.subject, entry.source) == ("rose", "rose", "")


def test_an_account_created_with_a_link_shows_its_user_name_until_it_accepts(club, owner, client):
    invitation, _token = actions.invite(
        club, rank="member", by=Actor("owner", owner), at=timezone.now()
    )
    Invitation.objects.filter(pk=invitation.pk).update(to_user=named_rose())
    client.force_login(owner)
    read = page_texts(client, club)
    assert "rose" in read
    assert "Whitfield" not in read


def test_the_name_shows_once_the_invitation_is_accepted(club, owner, client):
    rose = named_rose()
    offer = rose_invited(club, owner)
    actions.accept_invitation(offer.token_hash, by=Actor("rose", rose), at=timezone.now())
    client.force_login(owner)
    assert "Whitfield" in page_texts(client, club)


def test_an_account_cannot_try_one_user_name_after_another(club, owner, client):
    """Nor learn from the refusal whether there is an account of the next one."""
    client.force_login(owner)
    page = reverse("roles", args=[club.slug])

    def status(name):
        return client.post(page, {"username": name, "rank": "member"}).status_code

    assert {status(f"x{n}") for n in range(actions.UNKNOWN_NAMES.most)} == {422}
    named_rose()
    assert [status("rose"), status("nobody")] == [429, 429]
    other = a_user("other", club=club, rank="owner")
    client.force_login(other)
    assert status("rose") == 302


def test_an_organiser_who_invites_a_whole_club_with_typing_mistakes_is_never_refused(
    club, owner, client
):
    client.force_login(owner)
    page = reverse("roles", args=[club.slug])
    for number in range(30):
        User.objects.create(username=f"player{number}")
        for name, status in ((f"plaier{number}", 422), (f"player{number}", 302)):
            answer = client.post(page, {"username": name, "rank": "member"})
            assert answer.status_code == status
