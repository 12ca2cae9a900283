"""Tokens for programs: made and shown once, kept as a hash, revoked for good, all of it noted."""

import pytest
from django.urls import reverse
from django.utils import timezone

from league.errors import Refused
from league.exchange.archive_writing import archive_of
from league.members.actions import roles as actions
from league.members.models import ApiToken, AuditEntry
from tests.builders import EIGHT, TEST, a_club, a_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def organiser(client):
    client.force_login(a_user("olive", club=a_club()))
    return client


def page():
    return reverse("tokens", args=["thursday"])


def test_an_organiser_makes_a_token_and_sees_its_secret_once(organiser):
    answer = organiser.post(page(), {"name": "Screen in the bar", "scope": "read"})
    secret = answer.context["secret"]
    assert secret in answer.content.decode()
    assert "no-store" in answer["Cache-Control"]
    assert secret not in organiser.get(page()).content.decode()
    token = ApiToken.objects.get()
    assert (token.name, token.scope, token.made_by.username) == (
        "Screen in the bar",
        "read",
        "olive",
    )
    noted = str(AuditEntry.objects.values_list())
    for kept in (token.token_hash, noted, str(archive_of(token.club, at=EIGHT))):
        assert secret not in kept
    assert token.token_hash not in noted + str(archive_of(token.club, at=EIGHT))


@pytest.mark.parametrize(
    "sent",
    [{"name": "\u202e", "scope": "read"}, {"name": "Screen", "scope": "owner"}, {"name": " "}],
)
def test_a_token_without_a_name_or_with_a_scope_there_is_not_is_refused(organiser, sent):
    assert organiser.post(page(), sent).status_code == 422
    assert not ApiToken.objects.exists()


def test_a_revoked_token_leaves_the_list_and_both_are_noted(organiser):
    organiser.post(page(), {"name": "Screen", "scope": "read"})
    token = ApiToken.objects.get()
    for _twice in range(2):
        organiser.post(reverse("token_revoke", args=["thursday", token.pk]))
    assert "Screen" not in organiser.get(page()).content.decode().partition("<form")[0]
    actions_noted = AuditEntry.objects.order_by("id").values_list("action", "subject")
    assert list(actions_noted) == [("make token", "Screen"), ("revoke token", "Screen")]


def test_a_club_has_only_so_many_tokens_at_a_time(monkeypatch):
    monkeypatch.setattr(actions, "MOST_TOKENS", 1)
    club = a_club()
    token, _secret = actions.make_token(club, name="One", scope="read", by=TEST, at=EIGHT)
    with pytest.raises(Refused):
        actions.make_token(club, name="Two", scope="read", by=TEST, at=EIGHT)
    actions.revoke_token(token, by=TEST, at=EIGHT)
    actions.make_token(club, name="Two", scope="read", by=TEST, at=EIGHT)


def test_the_hour_of_the_last_use_is_kept_with_one_write_an_hour(django_assert_num_queries):
    token, _ = actions.make_token(a_club(), name="One", scope="read", by=TEST, at=EIGHT)
    token.was_used(EIGHT)
    with django_assert_num_queries(0):
        token.was_used(EIGHT.replace(minute=59))
    assert ApiToken.objects.get().used_at == EIGHT
    token.was_used(timezone.now())
    assert ApiToken.objects.get().used_at != EIGHT
