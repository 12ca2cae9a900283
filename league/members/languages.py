"""Who reads which language: their own choice, then the club's, then what their browser asks for.

A choice is kept with the account, and in a cookie of each browser that the account signs in with:
Django's `LocaleMiddleware` reads that before it asks what the browser would like. What is stored
stands in the club's language; so do the wall, prints and pages framed elsewhere.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.translation import gettext_lazy as _

from league.members.models import Club, User

AS_BROWSER = ("", _("As the browser asks"))


def language_choices() -> list[tuple[str, Any]]:
    """Choices for a form: the languages by their own names, after that of each browser."""
    return [AS_BROWSER, *settings.LANGUAGES]


def known(code: str) -> str:
    """The code, or "" where the site has no such language (any more)."""
    return code if code in dict(settings.LANGUAGES) else ""


def in_language(*codes: str) -> Any:
    """A block in the first of these languages that is chosen and known, else the site's own."""
    chosen = next(filter(None, map(known, codes)), settings.LANGUAGE_CODE)
    return translation.override(chosen)


def speak_clubs_language(request: HttpRequest, club: Club, *, to_all: bool = False) -> None:
    """From here on the answer is in the club's language, for those who have not chosen their own.

    `to_all`: whatever the reader has chosen, as on the wall and on paper.
    """
    chosen = known(request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, ""))
    language = known(club.language)
    if language and (to_all or not chosen):
        translation.activate(language)
        request.LANGUAGE_CODE = language


def in_clubs_language(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """For below `club_page`: what hangs in the hall, or stands elsewhere, is in one language."""

    @wraps(view)
    def speaking(request: HttpRequest, club: Club, *args: Any, **kwargs: Any) -> HttpResponse:
        speak_clubs_language(request, club, to_all=True)
        return view(request, club, *args, **kwargs)

    return speaking


def keep_choice(response: HttpResponse, user: User) -> None:
    """Let this browser read the account's language from now on; its own where none is chosen."""
    if known(user.language):
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
