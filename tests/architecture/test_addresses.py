"""Every address is guarded, or stands here with the reason why anybody may ask for it."""

from django.urls import URLPattern, URLResolver, get_resolver

# Addresses outside a club that anybody may ask for.
OPEN = {
    "home": "the first page: who is signed in sees her clubs",
    "help": "an evening in short, with links to what the visitor may open",
    "robots": "says which pages search engines may read",
    "invitation_link": "puts the link's secret away and says nothing",
    "invitation": "says only what the secret in the visitor's session opens",
    "club_link": "puts the link's code away and says nothing",
    "club_join": "names only the club whose link the visitor's session has",
    "table_door": "says only whether a table's code is right; guesses are throttled",
    "typed_code": "leads to the door whatever the code is",
    "table_worker": "a script that is the same for everybody",
    "table_manifest": "the name and the icons of the table's page, the same for everybody",
    "healthz": "says only that the process answers",
    "readyz": "says only whether the database answers",
    "metrics": "404 to whoever has not the server's own token",
    "api_reference": "what programs can ask, the same for everybody",
    "gallery": "the parts of the look with made-up names; not there in production",
}
# Addresses inside a club that need no role there.
OPEN_IN_A_CLUB = {
    "session_revision": "one number; a key, a public club or a role lets it be read",
}
# The decorators that ask who comes.
GUARDS = {"club_page", "table_page", "signed_in", "by_link", "on_this_computer", "on_laptop"}
# Who guards whole trees of addresses that are not ours.
GUARDED_BY_OTHERS = {
    "accounts/": "allauth",
    "admin/": "Django's admin, staff only",
    "api/v1/": "its tokens: tests/api asks every operation by each of them",
}


def addresses(patterns, before=""):
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from addresses(pattern.url_patterns, route)
        elif isinstance(pattern, URLPattern):
            yield route, pattern


OURS = [
    (route, pattern)
    for route, pattern in addresses(get_resolver().url_patterns)
    if not route.startswith(tuple(GUARDED_BY_OTHERS))
]
IN_A_CLUB = {route: pattern for route, pattern in OURS if route.startswith("c/")}
OUTSIDE = {route: pattern for route, pattern in OURS if not route.startswith("c/")}


def unguarded(those):
    return {p.name for p in those.values() if not GUARDS & set(decorators(p.callback))}


def decorators(view):
    """The names of the decorators around a view, ours and others', as their code tells them."""
    while view is not None:
        yield view.__code__.co_qualname.partition(".")[0]
        view = getattr(view, "__wrapped__", None)


def test_every_page_of_a_club_asks_for_a_role_or_is_listed_as_open():
    assert unguarded(IN_A_CLUB) == set(OPEN_IN_A_CLUB)


def test_every_page_outside_a_club_asks_who_comes_or_is_listed_as_open():
    assert unguarded(OUTSIDE) == set(OPEN)


def test_no_two_addresses_share_a_name():
    mine = [pattern.name for _, pattern in OURS]
    assert sorted(mine) == sorted(set(mine))
