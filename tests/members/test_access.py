"""Who gets into which page: every address of a club, asked by every kind of visitor.

The table is `tests/access_table.py`; an address that is not in it fails here.
"""

import re
from contextlib import contextmanager
from itertools import product
from urllib.parse import unquote

import pytest
from django.core.cache import caches
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, resolve, reverse

from league.access import LADDER, PUBLIC
from league.members.models import Club, Role
from tests.access_table import PAGES
from tests.builders import a_club, a_user
from tests.scene import NO_IDS, Scene

# On PostgreSQL every page is opened by tests/site/test_fuzz.py: who gets in is the same there.
RANKS = [str(rank) for rank in LADDER]
OUTSIDE = ["signed-out", "owner of another club"]
VISITORS = [*OUTSIDE, *RANKS]


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
    listed = {n: None if page.guards_itself else page.least for n, page in PAGES.items()}
    assert said == listed


@pytest.fixture(scope="module")
def everything(club_of_the_module):
    """A club with one of everything, the parts of every address, and what each visitor carries."""
    with club_of_the_module():
        scene = Scene("members")
        assert scene.session  # so that pages have something to show, and to lead to
        parts = {name: page.ids(scene) for name, page in PAGES.items()}
        mine = a_club("Other", "other", visibility="standings")
        cookies = {visitor: cookies_of(visitor, scene.club, mine) for visitor in VISITORS}
        yield scene.club, parts, cookies


def cookies_of(visitor, club, other):
    client = Client()
    if visitor != "signed-out":
        user = a_user(f"user-{RANKS.index(visitor) if visitor in RANKS else visitor[:3]}")
        if visitor in RANKS:
            Role.objects.create(club=club, user=user, rank=visitor)
        elif visitor == "owner of another club":
            Role.objects.create(club=other, user=user, rank="owner")
        client.force_login(user)
    return client.cookies.output(header="", sep=";")


@contextmanager
def with_cookies(client, cookies):
    """The browser of a visitor, as nobody has used it; nobody finds what somebody has changed."""
    client.cookies.clear()
    client.cookies.load(cookies)
    with transaction.atomic():
        yield client
        transaction.set_rollback(True)
    for cache in caches.all():
        cache.clear()


def expected(page, visitor, visibility):
    if page.least == PUBLIC and (visibility == "standings" or visitor in RANKS):
        return page.answers
    if visitor not in RANKS:
        return {302} if visitor == "signed-out" and not page.guards_itself else {404}
    return page.answers if RANKS.index(visitor) >= RANKS.index(page.least) else {403}


def is_kept(name, answer):
    """Whether a browser keeps what a member sees or is refused: pages, parts of them, files and
    prints. What asks for a number every few seconds is asked again each time."""
    said = answer.headers.get("Cache-Control", "")
    return said != "private, no-cache" if name == "session_revision" else "no-store" not in said


def dead_ends(answer):
    """Links of a page to what only takes a form: they would show an error in place of a page."""
    links = {*re.findall(r'<a\s[^>]*?href="(/c/[^"?#]*)', answer.content.decode())}
    names = {resolve(unquote(link)).url_name for link in links}
    return [name for name in names if PAGES[name].method != "get"]


def telling_visits(page):
    """Who asks, and what the club shows then: everybody of whom the answer could be another.

    Nobody with a rank is told more or less by a club that shows itself, and who has a higher rank
    than is needed passes the same comparison. A stranger may no more than another club's owner.
    Where even a club that shows itself sends a visitor to sign in, so does any other.
    """
    needed = RANKS.index(page.least) if page.least in RANKS else 0
    ranks = RANKS[max(0, needed - 1) : needed + 1]
    yield from product(["members"], [OUTSIDE[1], *ranks])
    yield from product(["standings"], OUTSIDE if page.least == PUBLIC else OUTSIDE[:1])
    if page.least == PUBLIC or page.visitors_read:
        yield "members", OUTSIDE[0]


def told_apart(name, answer, none):
    return {name: "not as if there were no club"} if answer.content != none.content else {}


@pytest.mark.django_db
@pytest.mark.parametrize("asker", VISITORS)
def test_each_visitor_gets_what_their_rank_allows_and_a_stranger_as_if_there_were_no_club(
    asker, everything, client
):
    club, parts, cookies = everything
    wrong = {}
    for name, page in PAGES.items():
        address = reverse(name, kwargs={"slug": club.slug, **parts[name]})
        for visibility, visitor in telling_visits(page):
            if visitor != asker:
                continue
            Club.objects.filter(pk=club.pk).update(visibility=visibility)
            with with_cookies(client, cookies[visitor]) as browser:
                answer = getattr(browser, page.method)(address, page.data)
                if (visitor, visibility, page.method) == (OUTSIDE[1], "members", "get"):
                    none = browser.get(reverse(name, kwargs={"slug": "none", **parts[name]}))
                    wrong |= told_apart(name, answer, none)
            wanted = expected(page, visitor, visibility)
            if answer.status_code not in wanted:
                wrong[name, visibility] = answer.status_code, set(wanted)
            door = reverse("account_login")
            if visibility == "standings" and page.visitors_read:
                door = reverse(page.visitors_read, kwargs={"slug": club.slug, **parts[name]})
            if wanted == {302} and not answer["Location"].startswith(door):
                wrong[name, visibility] = answer["Location"]
            if visitor in RANKS and page.method == "get" and is_kept(name, answer):
                wrong[name, "kept by the browser"] = answer.headers.get("Cache-Control")
            if answer.status_code == 200 and "html" in answer["Content-Type"]:
                wrong |= {(name, link): "takes only a form" for link in dead_ends(answer)}
    assert wrong == {}


@pytest.mark.django_db
def test_the_owner_of_one_club_finds_nothing_of_another_under_their_own(everything, client):
    """Ids of another club under one's own slug are 404, as ids that do not exist."""
    club, parts, cookies = everything
    Club.objects.filter(pk=club.pk).update(visibility="standings")
    found = {}
    for name in WITH_IDS:
        page = PAGES[name]
        address = reverse(name, kwargs={"slug": "other", **parts[name]})
        with with_cookies(client, cookies["owner of another club"]) as browser:
            answer = getattr(browser, page.method)(address, page.data)
        if answer.status_code != 404:
            found[name] = answer.status_code
    assert found == {}
