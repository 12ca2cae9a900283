"""Who is turned away, from when on and how; what each page allows is in `test_access.py`."""

import pytest
from django.urls import reverse

from league.access import PUBLIC
from league.members.models import Club, Role
from tests.access_table import PAGES
from tests.builders import a_club, a_user
from tests.scene import Scene

pytestmark = pytest.mark.django_db


def test_a_role_taken_away_or_an_account_disabled_ends_at_the_next_request(client):
    club = a_club()
    user = a_user("olive", club=club, rank="organiser")
    client.force_login(user)
    page = reverse("roles", args=[club.slug])
    assert client.get(page).status_code == 200
    Role.objects.filter(user=user).update(rank="member")
    refused = client.get(page)
    assert refused.status_code == 403
    assert f'<a class="button primary" href="/c/{club.slug}/">' in refused.content.decode()
    Role.objects.filter(user=user).delete()
    assert client.get(page).status_code == 404
    Role.objects.create(club=club, user=user, rank="owner")
    user.is_active = False
    user.save()
    assert client.get(page).status_code == 302


def test_a_visitor_who_is_asked_to_sign_in_reads_for_which_public_club_and_of_no_other(client):
    shown, private = a_club("Quay", "quay", visibility="standings"), a_club("Hidden", "hidden")
    page = client.get(reverse("members", args=[shown.slug]), follow=True).content.decode()
    assert f'This page is for members of <a href="/c/{shown.slug}/">Quay</a>.' in page
    page = client.get(reverse("members", args=[private.slug]), follow=True).content.decode()
    assert "This page is for members" not in page
    assert "Hidden" not in page
    assert "Only members of the club can see this page." in page
    nobodys = client.get(reverse("members", args=["none"]), follow=True).content.decode()
    assert "Only members of the club can see this page." in nobodys


def test_the_sign_in_page_leads_somebody_new_to_the_page_of_the_club_they_come_from(
    client, settings
):
    settings.SIGN_UP = "invited"
    club, _olive = a_club("Quay", "quay", visibility="standings"), a_user()
    home, new = reverse("club", args=[club.slug]), 'href="/c/quay/#new-here"'
    sign_in = f"{reverse('account_login')}?next={home}"
    assert f'href="{sign_in}"' in client.get(home).content.decode()
    page = client.get(sign_in).content.decode()
    assert "ask an organiser of Quay." in page
    assert new in page
    assert "This page is for members" not in page  # everyone can see it
    wrong = {"login": "olive", "password": "wrong", "next": home}
    assert new in client.post(reverse("account_login"), wrong).content.decode()
    assert new in client.get(f"{reverse('account_signup')}?next={home}").content.decode()
    settings.SIGN_UP = "open"
    assert new in client.get(sign_in).content.decode()
    Club.objects.update(visibility="members")
    assert "Quay" not in client.get(sign_in).content.decode()


def test_a_changed_password_ends_other_sessions(client):
    club = a_club()
    user = a_user("olive", club=club)
    client.force_login(user)
    user.set_password("another horse battery")
    user.save()
    assert client.get(reverse("roles", args=[club.slug])).status_code == 302


@pytest.mark.parametrize(
    "rest",
    [
        "members/%00/edit/",
        "members/%ff/edit/",
        "members/a%00b/edit/",
        f"members/{'x' * 5000}/edit/",
        f"roles/{10**30}/",
        f"roles/invitations/{10**30}/withdraw/",
        "rulesets/%00/",
        "rulesets/presets/no-such/",
        "s/%00/",
        "g/%00/",
    ],
)
@pytest.mark.parametrize("method", ["get", "post"])
def test_an_id_that_cannot_be_is_not_found(client, rest, method):
    club = a_club()
    client.force_login(a_user("olive", club=club, rank="owner"))
    assert getattr(client, method)(f"/c/{club.slug}/{rest}").status_code in (404, 405)


def test_what_a_public_club_shows_on_other_sites_is_the_publics_for_a_minute(client):
    """All else that a member sees of it is not kept by the browser; what asks for a number every
    few seconds is asked again each time. Of a club of its members, `test_access.py` asks it."""
    scene = Scene("standings")
    client.force_login(a_user("bob", club=scene.club, rank="scorekeeper"))
    kept = {}
    for name in (name for name, page in PAGES.items() if page.least == PUBLIC):
        ids = PAGES[name].ids(scene)
        answer = client.get(reverse(name, kwargs={"slug": scene.club.slug, **ids}))
        if "no-store" not in answer.headers.get("Cache-Control", ""):
            kept[name] = answer.headers.get("Cache-Control")
    embedded = {f"{what}_{how}" for what in ("session", "season") for how in ("embed", "picture")}
    shown = dict.fromkeys({*embedded, "team_embed"}, "public, max-age=60")
    assert kept == {"session_revision": "private, no-cache"} | shown


def test_a_refused_visitor_leaves_a_line_in_the_log(client, caplog):
    club = a_club()
    client.force_login(a_user("bob", club=club, rank="member"))
    client.get(reverse("audit", args=[club.slug]))
    assert "audit" in caplog.text


def test_a_part_of_a_page_is_not_answered_with_the_sign_in_page(client):
    club = a_club()
    answer = client.get(reverse("members", args=[club.slug]), headers={"hx-request": "true"})
    assert answer["HX-Redirect"].startswith(reverse("account_login"))


def test_who_opens_a_forms_address_is_told_the_way_back(client):
    """As after signing in again: the order of before is the address they are led to."""
    club = a_club()
    client.force_login(a_user("olive", club=club, rank="organiser"))
    answer = client.get(reverse("session_new", args=[club.slug]))
    assert (answer.status_code, answer["Allow"]) == (405, "POST")
    assert f'href="{reverse("club", args=[club.slug])}"' in answer.content.decode()
