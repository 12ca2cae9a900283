"""The language of each reader: their own choice, else the club's, else their browser's.

The choice is stored with the account, and in a cookie of each browser in which the account signs
in: Django's `LocaleMiddleware` reads the cookie before the browser's header. Stored texts are in
the club's language, as are the wall, prints and embedded pages. Dates and times in the reader's
language, money in the club's currency, and the choices of time zones, are here too.
"""

import json
import re
from collections.abc import Callable
from datetime import date, datetime, time
from decimal import Decimal
from functools import cache, wraps
from importlib.resources import files
from typing import Any, cast
from zoneinfo import available_timezones

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.utils.formats import date_format, get_format, number_format, time_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.utils.translation import pgettext, trans_real

from league.members.models import Club, User
from league.members.names import sort_key

AS_BROWSER = ("", lazy("Same as my browser"))


def language_choices() -> list[tuple[str, Any]]:
    """Choices for a form: the browser's language, then all languages by their own names."""
    return [AS_BROWSER, *settings.LANGUAGES]


def _known_code(code: str) -> str:
    """The code if the site has this language, else ""."""
    return code if code in dict(settings.LANGUAGES) else ""


def in_language(*codes: str) -> Any:
    """A context manager for the first of these languages that the site has, else its default."""
    language = next(filter(None, map(_known_code, codes)), settings.LANGUAGE_CODE)
    return translation.override(language)


def activate_club_language(request: HttpRequest, club: Club, *, to_all: bool = False) -> None:
    """Switch the response to the club's language, unless the reader has chosen one.

    With `to_all` it is switched in any case, as on the wall and on paper.
    """
    own_language = _known_code(request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, ""))
    language = _known_code(club.language)
    if language and (to_all or not own_language):
        translation.activate(language)
        request.LANGUAGE_CODE = language


def follow_account(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A decorator for pages of signed-in users: use the account's language from now on.

    The browser's cookie differs if the language was changed in another browser.
    """

    @wraps(view)
    def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        user = request.user
        cookie_code = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
        if not isinstance(user, User) or _known_code(user.language) == cookie_code:
            return view(request, *args, **kwargs)
        request.COOKIES.pop(settings.LANGUAGE_COOKIE_NAME, None)
        if _known_code(user.language):
            request.COOKIES[settings.LANGUAGE_COOKIE_NAME] = user.language
        request.LANGUAGE_CODE = translation.get_language_from_request(request)
        translation.activate(request.LANGUAGE_CODE)
        response = view(request, *args, **kwargs)
        if settings.LANGUAGE_COOKIE_NAME not in response.cookies:
            keep_choice(response, user)
        return response

    return wrapper


def in_clubs_language(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A decorator, below `club_page`, for pages in the club's language: the wall and prints."""

    @wraps(view)
    def wrapper(request: HttpRequest, club: Club, *args: Any, **kwargs: Any) -> HttpResponse:
        activate_club_language(request, club, to_all=True)
        return view(request, club, *args, **kwargs)

    return wrapper


def keep_choice(response: HttpResponse, user: User) -> None:
    """Set the browser's language cookie to the account's choice; delete it if there is none."""
    if _known_code(user.language):
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
    """Speed up English texts, which are in no catalogue, by removing empty fallback catalogues.

    Those of Django and its apps for "en" are empty, and would be searched for every text.
    """
    catalogue: Any = trans_real.translation(settings.LANGUAGE_CODE)
    while fallback := catalogue._fallback:
        if set(fallback._catalog) <= {""}:  # only its header
            catalogue._fallback = fallback._fallback
        else:
            catalogue = fallback


WORLD_REGIONS = {
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
"""The regions with which names of time zones begin, those with most clubs first."""
Choices = list[tuple[str, list[tuple[str, str]]]]


def zone_choices(*extra: str) -> Choices:
    """Choices for a form: all time zones by place, grouped by region; and `extra` ones, such as an
    old name that a club still has."""
    zones_by_region: dict[str, list[tuple[str, str]]] = {"": [("UTC", "UTC")]}
    for zone in {*_zones(), *extra} - {"UTC"}:
        region, _, place = zone.partition("/")
        choice = (zone, ", ".join(map(_place_name, (place or region).split("/"))))
        zones_by_region.setdefault(region if place else "", []).append(choice)
    for zones in zones_by_region.values():
        zones.sort(key=lambda choice: sort_key(choice[1]))
    regions = [*WORLD_REGIONS, *sorted(zones_by_region.keys() - WORLD_REGIONS.keys())]
    ordered = [region for region in regions if region in zones_by_region]
    return [(str(WORLD_REGIONS.get(region, region)), zones_by_region[region]) for region in ordered]


def zone_place(zone: str) -> str:
    """The place of a time zone: "Vienna", in German "Wien"."""
    return _place_name(zone.rpartition("/")[2])


def _place_name(place: str) -> str:
    english_name = place.replace("_", " ")
    language = (translation.get_language() or "").partition("-")[0]
    return _place_names(language).get(english_name, english_name)


@cache
def _place_names(language: str) -> dict[str, str]:
    """The places of time zones whose names differ from English, from Unicode's CLDR."""
    text = files("league.members").joinpath("zone_names.json").read_text("utf-8")
    return cast("dict[str, str]", json.loads(text).get(language, {}))


@cache
def zone_aliases() -> dict[str, str]:
    """Other names of time zones, which browsers may still use, each with the name offered here."""
    links = [line.split() for line in _tzdata_lines("tzdata.zi") if line.startswith("L ")]
    zone_by_alias = {alias: zone for _kind, zone, alias in links}
    offered = _zones()
    return {
        a: b for a, b in zone_by_alias.items() if "/" in a and a not in offered and b in offered
    }


@cache
def _zones() -> frozenset[str]:
    offered = {
        line.split("\t")[2] for line in _tzdata_lines("zone.tab") if not line.startswith("#")
    }
    return frozenset(offered & available_timezones())


def _tzdata_lines(name: str) -> list[str]:
    return files("tzdata").joinpath("zoneinfo", name).read_text("utf-8").splitlines()


def clock(at: datetime | time | None) -> str:
    """The time of day in the reader's format: "8:41 p.m." or "20:41"; "" for None.

    A datetime is converted to the current time zone, which is the club's.
    """
    if at is None:
        return ""
    return time_format(_local(at), get_format("TIME_FORMAT"))


def moment(at: datetime | None) -> str:
    """Date and time: "19 Nov, 8:41 p.m."; "" for None."""
    if at is None:
        return ""
    return f"{dated(timezone.localtime(at), _('j M'))}, {clock(at)}"


YEAR = re.compile(r",? Y$")
DAY_OF_MONTH = re.compile(r"(?<!\\)j")


def dated(day: date, pattern: str) -> str:
    """A date by the language's pattern: `dated(held_on, _("j F Y"))` is "1er novembre 2026"."""
    return date_format(day, with_first_day(day, pattern))


def dated_near(day: date, pattern: str) -> str:
    """A date by the language's pattern, with the year only if it is not the current one."""
    is_this_year = day.year == timezone.localdate().year
    return dated(day, YEAR.sub("", str(pattern)) if is_this_year else pattern)


def full_day(day: date) -> str:
    """A date with its weekday, and with the year only if it is not the current one."""
    return dated_near(day, _("l j F Y"))


def with_first_day(day: date, pattern: str) -> str:
    """The pattern, with the first day of a month as the language writes it."""
    first_day = pgettext("the first day of a month, as dates begin with it", "1")
    if day.day != 1 or first_day == "1":
        return pattern
    letters = "".join(f"\\{letter}" for letter in first_day)
    return DAY_OF_MONTH.sub(lambda _found: letters, str(pattern))


def _local(at: datetime | time) -> datetime | time:
    return timezone.localtime(at) if isinstance(at, datetime) and timezone.is_aware(at) else at


def money(cents: int, club: Club) -> str:
    """`{% money line.owes club %}`: "£12.50" in English, "12,50 €" in languages that put the
    currency after the amount; a code like "EUR" is always separated by a space."""
    amount = number_format(abs(Decimal(cents)) / 100, 2, force_grouping=True)
    sign = "−\N{WORD JOINER}" if cents < 0 else ""  # beside its number where a line ends
    if not club.currency:
        return f"{sign}{amount}"
    words = {"amount": amount, "currency": club.currency}
    if club.currency.isalpha():
        text = pgettext("money with a code", "%(currency)s\u00a0%(amount)s") % words
    else:
        text = pgettext("money with a symbol", "%(currency)s%(amount)s") % words
    return f"{sign}{text}"
