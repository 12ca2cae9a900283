"""What of a request may stand in a log: words of the site's own addresses, and ids it has found.

A key can come in by any door: an address of its own, a wrong one, one written in capitals or with
escapes, a form, a header. So nothing that a visitor sent is written unless it is known to be
harmless: a word that stands in the site's addresses, or an id under which something was found.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any
from urllib.parse import unquote

from django.http import HttpRequest, QueryDict
from django.urls import URLResolver, get_resolver

HIDDEN = "…"
KEYS = {"token", "key", "code", "secret", "uidb36"}
"""Arguments of addresses that are keys, by their name."""
AT_TABLE = "t/"  # a table's id is half of its code
FOUND = {200, 201, 303, 304, 409, 422}
"""Statuses after which the ids of an address are those of something that is there."""
SHORTEST = 8
"""Letters in a row that are worth hiding."""
LONGEST = 200
"""More letters in a row than any word of the program's own has."""
MOST_SEGMENTS = 12
MOST_UNQUOTED = 3
MOST_SENT = 20_000  # letters
HEADERS = ("QUERY_STRING", "HTTP_AUTHORIZATION", "HTTP_COOKIE", "HTTP_REFERER", "HTTP_X_CSRFTOKEN")
ARGUMENT = re.compile(r"<(?:\w+:)?(\w+)>")
RUN = re.compile(rf"[\w-]{{{SHORTEST},}}")
PLAIN_WORDS = re.compile(r"[a-z_]{1,20}")  # of a list to choose from: "organiser"


def path_for_log(request: HttpRequest, status: int | None) -> str:
    """The path with what is not known to be harmless left out."""
    given = request.path.split("/")
    match = request.resolver_match
    route = match.route.split("/") if match else []
    if match and len(route) == len(given) - 1 and "(" not in match.route:
        known = _known_arguments(request, status)
        shown = [_segment(a, b, known) for a, b in zip(route, given[1:], strict=True)]
    else:
        shown = [one if one in site_words() else HIDDEN for one in given[1:]]
    return "/" + "/".join(shown[:MOST_SEGMENTS])


def _known_arguments(request: HttpRequest, status: int | None) -> set[str]:
    """Which arguments of the address are ids of what was found, by name."""
    match = request.resolver_match
    assert match is not None
    names = set(match.kwargs) - KEYS
    if getattr(request, "club_found", False):  # a redirect may lead to the sign-in page otherwise
        return names if status in FOUND or status == 302 else names & {"slug"}
    return names if status in FOUND and not match.route.startswith(AT_TABLE) else set()


def _segment(of_route: str, given: str, known: set[str]) -> str:
    if ARGUMENT.search(of_route) is None:
        return given
    if known.issuperset(ARGUMENT.findall(of_route)):
        return given
    return ARGUMENT.sub(HIDDEN, of_route)


@cache
def site_words() -> frozenset[str]:
    """Every word that stands between two slashes of the site's addresses."""
    return frozenset(_words(get_resolver().url_patterns)) | {"", "static"}


def _words(patterns: Any) -> Iterator[str]:
    for pattern in patterns:
        for word in re.split(r"[/^$]|\\Z", str(pattern.pattern)):
            if re.fullmatch(r"[\w.-]+", word):
                yield word
        if isinstance(pattern, URLResolver):
            yield from _words(pattern.url_patterns)


def without_what_was_sent(text: str, request: HttpRequest, status: int | None) -> str:
    """The text with the request's path as above, and no long part of anything else it sent."""
    shown = path_for_log(request, status)
    harmless = site_words() | {*RUN.findall(shown)}
    runs = (run for one in _sent(request) for run in RUN.findall(one) if run not in harmless)
    sent = "\n".join(runs).casefold()[:MOST_SENT]
    text = text.replace(request.path, shown)
    return RUN.sub(lambda run: HIDDEN if _shares(run[0], sent) else run[0], text)


def _shares(run: str, sent: str) -> bool:
    """Whether so many letters in a row stand in both, or it is too long to be a word of ours."""
    if not sent or len(run) > LONGEST:
        return len(run) > LONGEST
    run, starts = run.casefold(), range(len(run) - SHORTEST + 1)
    return any(run[at : at + SHORTEST] in sent for at in starts)


def _sent(request: HttpRequest) -> Iterator[str]:
    """What the visitor sent, as it came and with its escapes undone. A body not read is left so."""
    texts = [request.path, *(str(request.META.get(name, "")) for name in HEADERS)]
    post = getattr(request, "_post", None)  # `request.POST` would read the body now
    if isinstance(post, QueryDict):
        values = (value for _, listed in post.lists() for value in listed)
        texts += [value for value in values if not PLAIN_WORDS.fullmatch(value)]
    for text in texts:
        for _again in range(MOST_UNQUOTED):
            yield text
            text = unquote(text)
