"""Who gets into which page: every address of a club, asked by every kind of visitor.

The table is `tests/access_table.py`; an address that is not in it fails here.
"""

import re
from itertools import product
from urllib.parse import unquote

import pytest
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, resolve, reverse

from league.access import LADDER, PUBLIC
from league.members.models import Club, Role
from tests.access_table import PAGES
from tests.builders import a_club, a_user
from tests.scene import NO_IDS, Scene

# On PostgreSQL every page is opened by tests/site/test_attacks.py, and every form sent by
# tests/members/test_other_clubs_ids.py: who gets in is the same there.
pytestmark = pytest.mark.any_database
RANKS = [str(rank) for rank in LADDER]
VISITORS = ["signed-out", "stranger", "owner of another club", *RANKS]


def club_addresses(patterns, before=""):
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from club_addresses(pattern.url_patterns, route)
        elif isinstance(pattern, URLPattern) and route.startswith("c/<slug:slug>/"):
            yield pattern


WITH_IDS = [name for name, p in PAGES.items() if p.ids is not NO_IDS and p.of_the_club]
ADDRESSES = {pattern.name: pattern for pattern in club_addresses(get_resolver().url_patterns)}


def test_every_address_of_a_club_is_in_the_table_and_only_those():
    assert set(ADDRESSES) == set(PAGES)


def test_the_table_says_what_the_pages_say_of_themselves():
    said = {name: getattr(p.callback, "least_rank", None) for name, p in ADDRESSES.items()}
    told = {n: None if page.guards_itself else page.least for n, page in PAGES.items()}
    assert said == told


def signed_in(visitor, club):
    client = Client()
    if visitor == "signed-out":
        return client
    user = a_user(f"user-{RANKS.index(visitor) if visitor in RANKS else visitor[:3]}")
    if visitor in RANKS:
        Role.objects.create(club=club, user=user, rank=visitor)
    elif visitor == "owner of another club":
        Role.objects.create(club=a_club("Other", "other"), user=user, rank="owner")
    client.force_login(user)
    return client


def expected(page, visitor, visibility):
    if page.least == PUBLIC and (visibility == "standings" or visitor in RANKS):
        return page.answers
    if visitor not in RANKS:
        return {302} if visitor == "signed-out" and not page.guards_itself else {404}
    return page.answers if RANKS.index(visitor) >= RANKS.index(page.least) else {403}


def ask(client, name, scene):
    page = PAGES[name]
    address = reverse(name, kwargs={"slug": scene.club.slug, **page.ids(scene)})
    return getattr(client, page.method)(address, page.data)


def dead_ends(answer):
    """Links of a page to what only takes a form: they would show an error in place of a page."""
    links = re.findall(r'<a\s[^>]*?href="(/c/[^"?#]*)', answer.content.decode())
    names = {resolve(unquote(link)).url_name for link in links}
    return [name for name in names if PAGES[name].method != "get"]


def telling_visits(page):
    """Who asks, and what the club shows then: everybody of whom the answer could be another.

    Nobody with a rank is told more or less by a club that shows itself, and who has a higher rank
    than is needed passes the same comparison.
    """
    needed = RANKS.index(page.least) if page.least in RANKS else 0
    ranks = RANKS[max(0, needed - 1) : needed + 1]
    outside = [visitor for visitor in VISITORS if visitor not in RANKS]
    yield from product(["members"], [*outside, *ranks])
    yield from product(["standings"], outside if page.least == PUBLIC else outside[:1])


@pytest.mark.django_db
@pytest.mark.parametrize("name", sorted(PAGES))
def test_each_visitor_gets_what_their_rank_allows(name):
    scene = Scene("members")
    assert scene.session  # so that pages have something to show, and to lead to
    page = PAGES[name]
    address = reverse(name, kwargs={"slug": scene.club.slug, **page.ids(scene)})
    got, right = {}, {}
    for asked in telling_visits(page):
        visibility, visitor = asked
        Club.objects.filter(pk=scene.club.pk).update(visibility=visibility)
        with transaction.atomic():
            client = signed_in(visitor, scene.club)
            answer = getattr(client, page.method)(address, page.data)
            transaction.set_rollback(True)  # nobody finds what somebody else has changed
        wanted = expected(page, visitor, visibility)
        got[asked] = answer.status_code
        right[asked] = answer.status_code if answer.status_code in wanted else set(wanted)
        if wanted == {302}:
            assert answer["Location"].startswith(reverse("account_login"))
        if answer.status_code == 200 and "html" in answer["Content-Type"]:
            assert dead_ends(answer) == []
    assert got == right


@pytest.mark.django_db
@pytest.mark.parametrize("name", sorted(n for n, page in PAGES.items() if page.method == "get"))
def test_a_club_that_is_not_theirs_looks_to_a_stranger_like_none(name, client):
    scene = Scene("members")
    client.force_login(a_user("stranger"))
    page = PAGES[name]
    parts = page.ids(scene)
    real = client.get(reverse(name, kwargs={"slug": scene.club.slug, **parts}))
    none = client.get(reverse(name, kwargs={"slug": "no-such-club", **parts}))
    assert (real.status_code, none.status_code) == (404, 404)
    assert real.content == none.content


@pytest.mark.django_db
@pytest.mark.parametrize("name", sorted(WITH_IDS))
def test_the_owner_of_one_club_finds_nothing_of_another_under_their_own(name, client):
    """Ids of another club under one's own slug are 404, as ids that do not exist (A2)."""
    scene = Scene("standings")
    mine = a_club("Other", "other", visibility="standings")
    client.force_login(a_user("eve", club=mine, rank="owner"))
    page = PAGES[name]
    parts = page.ids(scene)
    address = reverse(name, kwargs={"slug": mine.slug, **parts})
    assert getattr(client, page.method)(address, page.data).status_code == 404


@pytest.mark.django_db
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


@pytest.mark.django_db
def test_a_changed_password_ends_other_sessions(client):
    club = a_club()
    user = a_user("olive", club=club)
    client.force_login(user)
    user.set_password("another horse battery")
    user.save()
    assert client.get(reverse("roles", args=[club.slug])).status_code == 302


@pytest.mark.django_db
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


@pytest.mark.django_db
@pytest.mark.parametrize("visibility", ["members", "standings"])
def test_nothing_that_a_member_sees_or_is_refused_is_kept_by_the_browser(client, visibility):
    """Pages, parts of them, files and prints; what asks for a number every few seconds is asked
    again each time. What a public club shows on other sites is the public's for a minute."""
    scene = Scene(visibility)
    client.force_login(a_user("bob", club=scene.club, rank="scorekeeper"))
    kept = {}
    for name, page in PAGES.items():
        if page.method == "get":
            answer = ask(client, name, scene)
            if "no-store" not in answer.headers.get("Cache-Control", ""):
                kept[name] = answer.headers.get("Cache-Control")
    embedded = {f"{what}_{how}" for what in ("session", "season") for how in ("embed", "picture")}
    embedded.add("team_embed")
    shown = dict.fromkeys(embedded, "public, max-age=60") if visibility == "standings" else {}
    assert kept == {"session_revision": "private, no-cache"} | shown


@pytest.mark.django_db
def test_a_refused_visitor_leaves_a_line_in_the_log(client, caplog):
    club = a_club()
    client.force_login(a_user("bob", club=club, rank="member"))
    client.get(reverse("audit", args=[club.slug]))
    assert "audit" in caplog.text


@pytest.mark.django_db
def test_a_part_of_a_page_is_not_answered_with_the_sign_in_page(client):
    club = a_club()
    answer = client.get(reverse("members", args=[club.slug]), headers={"hx-request": "true"})
    assert answer["HX-Redirect"].startswith(reverse("account_login"))


@pytest.mark.django_db
def test_who_opens_a_forms_address_is_told_the_way_back(client):
    """As after signing in again: the order of before is the address they are led to."""
    club = a_club()
    client.force_login(a_user("olive", club=club, rank="organiser"))
    answer = client.get(reverse("session_new", args=[club.slug]))
    assert (answer.status_code, answer["Allow"]) == (405, "POST")
    assert f'href="{reverse("club", args=[club.slug])}"' in answer.content.decode()
