"""Headers for privacy: what a browser may keep of a page, and what a page may load and use."""

from collections.abc import Callable, Iterable

from csp.constants import HEADER as POLICY
from csp.utils import build_policy
from django.conf import settings
from django.http import HttpRequest, HttpResponse

# A phone's camera scans the code before it opens our page; no page of ours needs any of these.
PERMISSIONS = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
DEBUG_PAGES = (404, 500)  # with DEBUG, Django's own, whose styles are inline


class PrivacyMiddleware:
    """Lets nobody find a private page in a shared phone's history or a proxy's store.

    A page is private when the visitor carries a cookie that says who she is or which table she
    sits at, or is given one. A view that sets `Cache-Control` itself knows better. The policy of
    what a page may load is one for all pages, and so put together once.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.policy = build_policy()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS)
        if not (settings.DEBUG and response.status_code in DEBUG_PAGES):
            response.headers.setdefault(POLICY, self.policy)
        if "Cache-Control" not in response and _is_private(request, response):
            response["Cache-Control"] = "private, no-store"
        return response


def _is_private(request: HttpRequest, response: HttpResponse) -> bool:
    return tells_who([*request.COOKIES, *response.cookies])


def tells_who(cookies: Iterable[str]) -> bool:
    """Whether among cookies of these names one says who somebody is, or where she sits."""
    return bool({*cookies} - {settings.CSRF_COOKIE_NAME, settings.LANGUAGE_COOKIE_NAME})
