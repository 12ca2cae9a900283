"""Who reads which language: their own choice, then the club's, then what their browser asks for.

A choice is kept with the account, and in a cookie of each browser that the account signs in with:
Django's `LocaleMiddleware` reads that before it asks what the browser would like. What is stored
stands in the club's language; so do the wall, prints and pages framed elsewhere. Times as words,
in the way of that language, and the time zones to choose from stand here too.
"""

import json
import re
from collections.abc import Callable
from datetime import date, datetime, time
from functools import cache, wraps
from importlib.resources import files
from typing import Any, cast
from zoneinfo import available_timezones

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.utils.formats import date_format, get_format, time_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.utils.translation import pgettext, trans_real

from league.members.models import Club, User
from league.members.names import sort_key

AS_BROWSER = ("", lazy("Same as my browser"))


def language_choices() -> list[tuple[str, Any]]:
    """Choices for a form: the languages by their own names, after that of each browser."""
    return [AS_BROWSER, *settings.LANGUAGES]


def _known(code: str) -> str:
    """The code, or "" where the site has no such language (any more)."""
    return code if code in dict(settings.LANGUAGES) else ""


def in_language(*codes: str) -> Any:
    """A block in the first of these languages that is chosen and known, else the site's own."""
    chosen = next(filter(None, map(_known, codes)), settings.LANGUAGE_CODE)
    return translation.override(chosen)


def speak_clubs_language(request: HttpRequest, club: Club, *, to_all: bool = False) -> None:
    """From here on the answer is in the club's language, for those who have not chosen their own.

    `to_all`: whatever the reader has chosen, as on the wall and on paper.
    """
    chosen = _known(request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, ""))
    language = _known(club.language)
    if language and (to_all or not chosen):
        translation.activate(language)
        request.LANGUAGE_CODE = language


def follow_account(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """For pages of those who are signed in: a browser with another choice than the account's, which
    was changed in another browser, reads the account's from now on."""

    @wraps(view)
    def following(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        user = request.user
        before = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
        if not isinstance(user, User) or _known(user.language) == before:
            return view(request, *args, **kwargs)
        request.COOKIES.pop(settings.LANGUAGE_COOKIE_NAME, None)
        if _known(user.language):
            request.COOKIES[settings.LANGUAGE_COOKIE_NAME] = user.language
        request.LANGUAGE_CODE = translation.get_language_from_request(request)
        translation.activate(request.LANGUAGE_CODE)
        response = view(request, *args, **kwargs)
        if settings.LANGUAGE_COOKIE_NAME not in response.cookies:
            keep_choice(response, user)
        return response

    return following


def in_clubs_language(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """For below `club_page`: what hangs in the hall, or stands elsewhere, is in one language."""

    @wraps(view)
    def speaking(request: HttpRequest, club: Club, *args: Any, **kwargs: Any) -> HttpResponse:
        speak_clubs_language(request, club, to_all=True)
        return view(request, club, *args, **kwargs)

    return speaking


def keep_choice(response: HttpResponse, user: User) -> None:
    """Let this browser read the account's language from now on; its own where none is chosen."""
    if _known(user.language):
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            user.language,
            max_age=settings.LANGUAGE_COOKIE_AGE,
            secure=settings.LANGUAGE_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    else:
        response.delete_cookie(settings.LANGUAGE_COOKIE_NAME, samesite="Lax")


def skip_empty_catalogues() -> None:
    """Let English texts, which are in no catalogue, be looked for in one place and not in seven:
    behind the site's own stand those of Django and its apps for "en", with nothing in them."""
    catalogue: Any = trans_real.translation(settings.LANGUAGE_CODE)
    while behind := catalogue._fallback:
        if set(behind._catalog) <= {""}:  # its head alone
            catalogue._fallback = behind._fallback
        else:
            catalogue = behind


PARTS = {
    "": "",
    "America": lazy("America"),
    "Europe": lazy("Europe"),
    "Australia": lazy("Australia"),
    "Pacific": lazy("Pacific"),
    "Asia": lazy("Asia"),
    "Africa": lazy("Africa"),
    "Atlantic": lazy("Atlantic"),
    "Indian": lazy("Indian Ocean"),
    "Antarctica": lazy("Antarctica"),
    "Arctic": lazy("Arctic"),
}
"""Parts of the world, by how the names of zones begin, where most clubs are first."""
Choices = list[tuple[str, list[tuple[str, str]]]]


def zone_choices(*more: str) -> Choices:
    """Choices for a form: every zone of a country by its place, under its part of the world; and
    `more`, which a club has from long ago by another name."""
    parts: dict[str, list[tuple[str, str]]] = {"": [("UTC", "UTC")]}
    for zone in {*_zones(), *more} - {"UTC"}:
        part, _, place = zone.partition("/")
        named = (zone, ", ".join(map(_place_name, (place or part).split("/"))))
        parts.setdefault(part if place else "", []).append(named)
    for zones in parts.values():
        zones.sort(key=lambda named: sort_key(named[1]))
    ordered = [part for part in [*PARTS, *sorted(parts.keys() - PARTS.keys())] if part in parts]
    return [(str(PARTS.get(part, part)), parts[part]) for part in ordered]


def zone_place(zone: str) -> str:
    """The place that stands for a zone: "Vienna", in German "Wien"."""
    return _place_name(zone.rpartition("/")[2])


def _place_name(place: str) -> str:
    plain = place.replace("_", " ")
    language = (translation.get_language() or "").partition("-")[0]
    return _place_names(language).get(plain, plain)


@cache
def _place_names(language: str) -> dict[str, str]:
    """The places of zones that a language calls otherwise than English, from Unicode's CLDR."""
    text = files("league.members").joinpath("zone_names.json").read_text("utf-8")
    return cast("dict[str, str]", json.loads(text).get(language, {}))


@cache
def other_names() -> dict[str, str]:
    """Names that are not offered, such as browsers still use, with the zones they stand for."""
    links = [line.split() for line in _table("tzdata.zi") if line.startswith("L ")]
    same = {other: zone for _kind, zone, other in links}
    offered = _zones()
    return {a: b for a, b in same.items() if "/" in a and a not in offered and b in offered}


@cache
def _zones() -> frozenset[str]:
    offered = {line.split("\t")[2] for line in _table("zone.tab") if not line.startswith("#")}
    return frozenset(offered & available_timezones())


def _table(name: str) -> list[str]:
    return files("tzdata").joinpath("zoneinfo", name).read_text("utf-8").splitlines()


def clock(at: datetime | time | None, *, seconds: bool = False) -> str:
    """The time of day: "8:41 p.m." or "20:41", as the language has it; "" for none.

    A moment is written by the clock of the page, which is the club's; with seconds, as the activity
    log has it, by 24 hours.
    """
    if at is None:
        return ""
    style = "H:i:s" if seconds else get_format("TIME_FORMAT")
    return time_format(_here(at), style)


def moment(at: datetime | None) -> str:
    """Day and time: "19 Nov, 8:41 p.m."; "" for none."""
    if at is None:
        return ""
    return f"{dated(timezone.localtime(at), _('j M'))}, {clock(at)}"


DAY_OF_MONTH = re.compile(r"(?<!\\)j")


def dated(day: date, pattern: str) -> str:
    """A day by a pattern of the language: `dated(held_on, _("j F Y"))` is "1er novembre 2026"."""
    return date_format(day, with_first_day(day, pattern))


def with_first_day(day: date, pattern: str) -> str:
    """The pattern with the first of a month as the language writes it."""
    first = pgettext("the first day of a month, as dates begin with it", "1")
    if day.day != 1 or first == "1":
        return pattern
    letters = "".join(f"\\{letter}" for letter in first)
    return DAY_OF_MONTH.sub(lambda _found: letters, str(pattern))


def _here(at: datetime | time) -> datetime | time:
    return timezone.localtime(at) if isinstance(at, datetime) and timezone.is_aware(at) else at
