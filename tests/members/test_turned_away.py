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
    assert client.get(page).status_code == 403
    Role.objects.filter(user=user).delete()
    assert client.get(page).status_code == 404
    Role.objects.create(club=club, user=user, rank="owner")
    user.is_active = False
    user.save()
    assert client.get(page).status_code == 302


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


def test_nothing_that_a_member_sees_or_is_refused_is_kept_by_the_browser(client):
    """Pages, parts of them, files and prints; what asks for a number every few seconds is asked
    again each time. What a public club shows on other sites is the public's for a minute."""
    scene = Scene("members")
    client.force_login(a_user("bob", club=scene.club, rank="scorekeeper"))
    asked = {name: page.ids(scene) for name, page in PAGES.items() if page.method == "get"}

    def kept(names):
        found = {}
        for name in names:
            answer = client.get(reverse(name, kwargs={"slug": scene.club.slug, **asked[name]}))
            if "no-store" not in answer.headers.get("Cache-Control", ""):
                found[name] = answer.headers.get("Cache-Control")
        return found

    assert kept(asked) == {"session_revision": "private, no-cache"}
    Club.objects.update(visibility="standings")  # what others than members may open then
    embedded = {f"{what}_{how}" for what in ("session", "season") for how in ("embed", "picture")}
    shown = dict.fromkeys({*embedded, "team_embed"}, "public, max-age=60")
    public = [name for name in asked if PAGES[name].least == PUBLIC]
    assert kept(public) == {"session_revision": "private, no-cache"} | shown


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
