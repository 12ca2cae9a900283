"""Opens every page of the site by Django's test client, in every language that its readers have."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import models, transaction
from django.test import Client, override_settings
from django.urls import URLResolver, get_resolver, reverse
from django.utils import timezone

from league.exchange import demo_club
from league.members.actions.roles import invite, open_club_link
from league.members.models import Club, Member, User
from league.members.sign_up import club_link
from league.play.auth import table_code
from league.sessions.links import door_link, wall_link
from league.sessions.mail import consent_link
from league.standings.actions import hold_standings
from tests.access_table import PAGES, Scene
from tests.builders import TEST
from tests.journeys.screens import playing_table

LINK = re.compile(r'href="(/[^"#?]*)')
ID = re.compile(r"(?<=/)(\d+|(?=[^/]*[A-Z0-9_])[\w-]{10,14}|[\w:.-]{20,})(?=/|$)")
CLUB = re.compile(r"^/c/[\w-]+/")
PRESET = re.compile(r"(?<=/presets/)[\w-]+")
WORD = re.compile(r"[A-Za-z]{2,}")
# Of two pages that differ in these alone, one is looked at.
NOT_SEEN = re.compile(
    r"<script\b.*?</script>"
    r'|\b(?:href|src|action|formaction|id|for|name|content|aria-\w+by)="[^"]*"'
    r'|(?<=type="hidden")[^>]*',
    re.DOTALL,
)
OF_PROGRAMS = ("admin/", "api/", "metrics", "healthz", "readyz")
OF_THE_CODE = ("action", "kind", "task")
OF_LAPTOPS = ("/start/", "/computer/", "/demo/", "/hello/")


@dataclass
class Shown:
    """The pages by address and language. Everything is looked at in the first language, and one
    page of every kind in the others."""

    languages: tuple[str, ...]
    pages: dict[str, dict[str, str]] = field(default_factory=dict)
    kinds: set[str] = field(default_factory=set)
    looks: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    """Every word that somebody wrote who plays."""

    def look(self, client: Client, address: str) -> str:
        """The page in the first language; empty for what is no page, or is there already."""
        page, led_to = self._get(client, address, self.languages[0])
        who = "signed in" if settings.SESSION_COOKIE_NAME in client.cookies else "visitor"
        name = f"{led_to} {settings.LAPTOP} {who}"
        if not page or name in self.pages:
            return ""
        if not self._is_new(page):
            return page
        self.pages[name] = {self.languages[0]: page}
        kind = CLUB.sub("/c/", PRESET.sub("one", ID.sub("one", name)))
        if kind not in self.kinds:
            self.kinds.add(kind)
            for code in self.languages[1:]:
                self.pages[name][code], _ = self._get(client, led_to, code)
        return page

    def _is_new(self, page: str) -> bool:
        """Whether none looks the same: many an address answers that there is no such page."""
        look = NOT_SEEN.sub("", page)
        new = look not in self.looks
        self.looks.add(look)
        return new

    def _get(self, client: Client, address: str, code: str) -> tuple[str, str]:
        answer = client.get(address, headers={"Accept-Language": code}, follow=True)
        return _page_of(answer), answer.request["PATH_INFO"]

    def send_nothing(self, client: Client, address: str) -> None:
        """The form comes back with what it wants, or says what it did; nothing stays done."""
        code = self.languages[0]
        with transaction.atomic():
            page = _page_of(client.post(address, headers={"Accept-Language": code}))
            transaction.set_rollback(True)
        if page and self._is_new(page):
            self.pages[f"{address} with nothing filled in"] = {code: page}


def _page_of(answer: Any) -> str:
    html = "html" in answer.get("Content-Type", "")
    return answer.content.decode() if html else ""


def opened(languages: tuple[str, ...], load_demo: Callable[[], None]) -> Shown:
    """A new laptop, a living club, what lies outside clubs, a club with one of everything."""
    shown = Shown(languages)
    on_a_laptop(shown, "club")
    with transaction.atomic():
        load_demo()
        of_the_demo(shown)
        outside(shown)
        rose = User.objects.get(username="rose")
        on_a_laptop(shown, "club", rose)
        on_a_laptop(shown, "demo", rose)
        shown.names |= stored_words()
        transaction.set_rollback(True)
    of_the_scene(shown)
    shown.names |= stored_words()
    return shown


def stored_words() -> set[str]:
    """Every word of what clubs have written themselves."""
    found = set()
    for model in apps.get_app_config("league").get_models():
        kinds = (models.CharField, models.TextField)
        fields = [f for f in model._meta.local_fields if isinstance(f, kinds) and not f.choices]
        shown = [field.name for field in fields if field.name not in OF_THE_CODE]
        if shown:
            rows = model._default_manager.values_list(*shown)
            written = json.dumps([*rows], default=str).replace("\\n", " ")  # as some have lines
            found |= {*WORD.findall(written)}
    return found


def visitor(user: User | None = None, **headers: str) -> Client:
    client = Client(headers=headers)
    if user:
        client.force_login(user)
    return client


def without_parts(patterns: Iterable[Any] = (), before: str = "") -> Iterator[str]:
    """Every address that stands for one page alone."""
    for pattern in patterns or get_resolver().url_patterns:
        address = before + str(pattern.pattern).strip("^$")
        if address.startswith(OF_PROGRAMS) or "<" in address or "(" in address:
            continue
        if isinstance(pattern, URLResolver):
            yield from without_parts(pattern.url_patterns, address)
        else:
            yield f"/{address}"


def on_a_laptop(shown: Shown, of: str, user: User | None = None) -> None:
    with override_settings(LAPTOP=of):
        for address in without_parts():
            if address.startswith("/demo/" if of == "demo" else OF_LAPTOPS):
                shown.look(visitor(user, host="127.0.0.1:8710"), address)


def of_the_demo(shown: Shown) -> None:
    """One page of every kind that the links of a living club lead to."""
    rose = visitor(User.objects.get(username="rose"))
    found, kinds = ["/", f"/c/{demo_club.SLUG}/", "/you/"], set()
    for address in found:
        kind = PRESET.sub("one", ID.sub("one", address))
        if kind not in kinds and "logout" not in kind and "." not in kind.rpartition("/")[2]:
            kinds.add(kind)
            found += LINK.findall(shown.look(rose, address))


def outside(shown: Shown) -> None:
    """What is there for everybody, and what keys lead to."""
    club, table = Club.objects.get(slug=demo_club.SLUG), playing_table()
    rose = User.objects.get(username="rose")
    for address in without_parts():
        shown.look(visitor(), address)
        shown.look(visitor(rose), address)
    open_club_link(club, by=TEST)
    _, key = invite(club, rank="member", by=TEST, at=timezone.now())
    mail = consent_link(Member.objects.filter(club=club)[0], "ann@example.org")
    ways = [door_link(table.session), wall_link(table.session), club_link(club), "/nowhere/"]
    for way in (*ways, reverse("invitation_link", args=[key]), mail[mail.index("/mail/") :]):
        shown.look(visitor(), way)
    phone = visitor()
    phone.post("/t/", {"code": table_code(table)})
    for name in ("table_entry", "table_standings", "table_house_rules", "table_help"):
        shown.look(phone, reverse(name, args=[table.public_id]))


def of_the_scene(shown: Shown) -> None:
    """Every line of the access table, and what answers when nothing is filled in."""
    scene = Scene("standings")
    owner = visitor(scene.owner)
    hold_standings(scene.session, by=TEST)
    parts = {name: {"slug": scene.club.slug, **page.ids(scene)} for name, page in PAGES.items()}
    for name, page in PAGES.items():
        if page.method == "get":
            shown.look(owner, reverse(name, kwargs=parts[name]))
    for name in PAGES:
        shown.send_nothing(owner, reverse(name, kwargs=parts[name]))
