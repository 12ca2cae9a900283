"""The server keeper's desk: works, changes nothing but accounts, and is entered like the site."""

import pytest
from django.apps import apps
from django.contrib import admin
from django.urls import reverse

from league.members import actions
from league.members.models import AuditEntry, User
from tests.builders import TEST, a_club, a_session, a_user, members_of

pytestmark = pytest.mark.django_db
OURS = [model for model in admin.site._registry if model._meta.app_label == "league"]


@pytest.fixture
def keeper(client):
    club = a_club()
    members_of(club, 1)
    a_session(club)
    a_user("olive", club=club)
    actions.adopt_preset(club, preset="somerset", by=TEST)
    keeper = User.objects.create_superuser("keeper", password="correct horse battery")
    client.force_login(keeper)
    return client


def address(model, page, *args):
    return reverse(f"admin:league_{model._meta.model_name}_{page}", args=args)


@pytest.mark.parametrize("model", OURS, ids=lambda model: model.__name__)
def test_every_list_and_row_opens_and_every_list_is_searched(keeper, model):
    assert keeper.get(address(model, "changelist"), {"q": "rose"}).status_code == 200
    row = model._default_manager.first()
    assert keeper.get(address(model, "change", row.pk)).status_code == 200


@pytest.mark.parametrize("model", [m for m in OURS if m is not User], ids=lambda m: m.__name__)
def test_nothing_but_accounts_is_changed_here(keeper, model):
    row = model._default_manager.first()
    assert keeper.post(address(model, "change", row.pk), {}).status_code == 403
    assert keeper.post(address(model, "delete", row.pk), {"post": "yes"}).status_code == 403
    assert keeper.get(address(model, "add")).status_code == 403


def test_an_account_is_switched_off_but_never_deleted(keeper):
    olive = User.objects.get(username="olive")
    assert keeper.post(address(User, "delete", olive.pk), {"post": "yes"}).status_code == 403
    data = {"username": "olive", "display_name": "", "email": "", "is_active": ""}
    assert keeper.post(address(User, "change", olive.pk), data).status_code == 302
    olive.refresh_from_db()
    assert not olive.is_active


def test_the_desk_is_entered_by_the_sites_own_sign_in(client):
    answer = client.get(reverse("admin:login"))
    assert answer.status_code == 302
    assert answer["Location"].startswith(reverse("account_login"))


def test_an_organiser_is_no_server_keeper(client):
    client.force_login(a_user("olive", club=a_club(), rank="owner"))
    assert client.get(reverse("admin:index")).status_code in (302, 403)


def test_a_server_keeper_has_no_role_in_a_club(keeper):
    assert keeper.get(reverse("members", args=["thursday"])).status_code == 404


def test_the_record_is_among_what_can_be_looked_at():
    assert AuditEntry in OURS
    assert apps.get_model("league", "Club") in OURS
