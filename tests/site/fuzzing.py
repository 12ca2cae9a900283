"""Random requests to every address of the site, each the same again from its seed."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from random import Random
from typing import Any
from urllib.parse import quote

from django.urls import URLPattern, URLResolver, get_resolver

METHODS = ["get"] * 6 + ["post"] * 3 + ["head", "put", "delete", "patch", "options", "trace"]
NUMBERS = """0 -1 -0 1e9 9999999999999999999 9223372036854775808 1000000000000000000000000000000 +3
    5.0 ٣ ½ NaN Infinity 2026-13-45 0001-01-01 9999-12-31 2026-02-30T99:99"""
WORDS = "true null on off %00 %ff [] {} ../../etc/passwd //evil.example {{7*7}} =1+1"
MARKUP = ["<script>alert(1)</script>", "'; DROP TABLE x; --"]
STRANGE = ["", " ", "\x00", "a\x00b", "\ud800", "\ufffd", "\u202eevil", "\r\nSet-Cookie: a=b"]
LONG = ["x" * 20_000, "é" * 500, "a\u0301" * 200]
ODD = [*NUMBERS.split(), *WORDS.split(), *STRANGE, *MARKUP, *LONG]
NAMES = ["name", "id", "page", "sort", "q", "next", "k", "of", "seen", "at", "club", "is_staff"]
TYPES = ["application/x-www-form-urlencoded", "multipart/form-data", "application/json", "text/xml"]


@dataclass
class Ask:
    """One request: who asks what, how."""

    who: str
    method: str
    path: str
    body: list[tuple[str, str]] = field(default_factory=list)
    raw: bytes | None = None
    content_type: str = TYPES[0]
    htmx: bool = False

    def __str__(self) -> str:
        body = self.raw if self.raw is not None else self.body
        return f"{self.who}: {self.method} {self.path[:200]!r} {str(body)[:400]}"


def routes() -> list[tuple[str, URLPattern]]:
    """Every address with its pattern: the site's, sign-in's and the admin's."""
    return list(_walk(get_resolver().url_patterns, ""))


def _walk(patterns: Any, before: str) -> Iterator[tuple[str, URLPattern]]:
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern.url_patterns, route)
        elif isinstance(pattern, URLPattern):
            yield route, pattern


class Forms(HTMLParser):
    """The forms of a page, each with its address and what a browser would send of it."""

    def __init__(self, page: str, path: str) -> None:
        super().__init__()
        self.path, self.found = path, []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag == "form" and attributes.get("method", "").lower() == "post":
            self.found.append((attributes.get("action") or self.path, []))
        elif (
            tag in ("input", "select", "textarea", "button")
            and attributes.get("name")
            and self.found
        ):
            self.found[-1][1].append((attributes["name"], attributes.get("value", "")))


class Fuzzer:
    """Makes requests out of addresses, ids that exist, forms that exist, and odd values.

    `ids` are true values for the parts of an address, by the step before them ("s" for `/s/<id>/`)
    or by their own name; `fields` names of form fields.
    """

    def __init__(self, seed: int, ids: dict[str, list[str]], fields: list[str]) -> None:
        self.chance = Random(seed)
        self.ids, self.fields = ids, fields + NAMES
        self.routes = [route for route, _ in routes()]
        self.forms: list[tuple[str, str, list[tuple[str, str]]]] = []

    def addresses(self) -> list[str]:
        """Every address with true ids in it."""
        return [self._path_of(route, odd=0) for route in self.routes]

    def learn(self, who: str, path: str, page: str) -> None:
        """Remember the forms of a page that somebody was shown."""
        self.forms += [(who, action, sent) for action, sent in Forms(page, path).found if sent]

    def ask(self, roles: list[str]) -> Ask:
        chance = self.chance
        if self.forms and chance.random() < 0.5:
            return self._spoilt_form(roles)
        ask = Ask(chance.choice(roles), chance.choice(METHODS), self._path())
        ask.htmx = chance.random() < 0.2
        if ask.method in ("post", "put", "patch"):
            self._fill(ask)
        return ask

    def _spoilt_form(self, roles: list[str]) -> Ask:
        """A form as it was shown, with one to three of its answers changed, left out or doubled."""
        chance = self.chance
        who, action, sent = chance.choice(self.forms)
        body = [pair for pair in sent if chance.random() < 0.95]
        for _ in range(chance.randint(1, 3)):
            place = chance.randrange(len(sent))
            body.append((sent[place][0], self._value(sent[place][0])))
            body = [pair for pair in body if chance.random() < 0.9 or pair == body[-1]]
        who = who if chance.random() < 0.9 else chance.choice(roles)
        return Ask(who, "post", action, body, htmx=chance.random() < 0.2)

    def _path(self) -> str:
        chance = self.chance
        path = self._path_of(chance.choice(self.routes), odd=0.2)
        if chance.random() < 0.3:
            pairs = [f"{quote(chance.choice(self.fields))}={self._quoted()}" for _ in range(2)]
            path += "?" + "&".join(pairs)
        return path[:30_000]

    def _path_of(self, route: str, *, odd: float) -> str:
        steps = route.replace("^", "").replace("$", "").replace("\\Z", "").split("/")
        before = ["", *steps]
        return "/" + "/".join(self._step(*pair, odd) for pair in zip(before, steps, strict=False))

    def _step(self, before: str, step: str, odd: float) -> str:
        """One step of an address: a true value mostly, an odd one now and then."""
        if "<" not in step:
            return step
        name = step.strip("<>").rpartition(":")[2].split(">")[0]
        known = self.ids.get(before) or self.ids.get(name) or ["1"]
        return (
            self._quoted() if self.chance.random() < odd else quote(self.chance.choice(known), "")
        )

    def _quoted(self) -> str:
        value = self.chance.choice(ODD)
        if value.startswith("%") or not value.isprintable():
            return quote(value.encode("utf-8", "surrogatepass"))
        return quote(value, safe="")

    def _fill(self, ask: Ask) -> None:
        chance = self.chance
        kind = chance.random()
        if kind < 0.75:
            names = chance.sample(self.fields, k=chance.randint(0, 12))
            ask.body = [(name, self._value(name)) for name in names]
            ask.body += ask.body[: chance.choice([0, 0, 0, 1])]  # one of them twice
            ask.content_type = chance.choice(TYPES[:1] * 6 + TYPES[1:2])
        elif kind < 0.85:
            ask.raw = json.dumps({"hand": chance.choice(ODD), "x": [1, {}]}).encode()
            ask.content_type = chance.choice(TYPES)
        else:
            ask.raw = chance.randbytes(chance.choice([0, 3, 200, 30_000]))
            ask.content_type = chance.choice(TYPES)

    def _value(self, name: str) -> str:
        known = self.ids.get(name, [])
        if known and self.chance.random() < 0.5:
            return self.chance.choice(known)
        return self.chance.choice([*ODD, str(self.chance.randint(-2, 12)), "on", "made"])
