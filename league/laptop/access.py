"""Access to the site on the club's own laptop: by network, by computer, and by role in a club."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseForbidden
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from league.access import signed_in
from league.members.models import Role, User
from league.network import LOCAL_NAMES, NAME, is_nearby, is_this_computer, own_addresses

View = Callable[..., HttpResponse]
SETUP_PATHS = ("/start/", "/computer/here/", "/static/", "/healthz", "/readyz")
"""Paths that answer before there is an account."""
CLUB_PATHS = ("/t/", "/c/")
RETRY_SECONDS = "5"
ORGANISERS = (Role.Rank.ORGANISER, Role.Rank.OWNER)


def has_account() -> bool:
    """Whether anybody has an account yet."""
    return User.objects.exists()


def on_laptop(view: View) -> View:
    """Decorate a view that only exists on a laptop, for everybody in the hall."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.LAPTOP:
            raise Http404
        return view(request, *args, **kwargs)

    return guarded


def on_this_computer(view: View) -> View:
    """Decorate a view that only a browser on the club's laptop itself can open."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.LAPTOP or not is_this_computer(request):
            raise Http404
        return view(request, *args, **kwargs)

    return guarded


def before_first_account(view: View) -> View:
    """Decorate a view of the first start, which is over once there is an account."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return redirect("home") if has_account() else view(request, *args, **kwargs)

    return on_this_computer(guarded)


def for_organisers(view: View) -> View:
    """Decorate a view for owners and organisers of a club on the laptop, on any device."""
    return _require_rank(ORGANISERS, view)


def for_owners(view: View) -> View:
    """Decorate a view for owners of a club on the laptop."""
    return _require_rank((Role.Rank.OWNER,), view)


def _require_rank(ranks: tuple[Role.Rank, ...], view: View) -> View:
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.LAPTOP or not _has_rank(request, ranks):
            raise Http404
        return view(request, *args, **kwargs)

    return signed_in(guarded)


def _has_rank(request: HttpRequest, ranks: tuple[Role.Rank, ...]) -> bool:
    return Role.objects.filter(user=request.user.pk, rank__in=ranks).exists()


@dataclass(frozen=True)
class Contact:
    """The last request of a phone: when it came, and by which address of this computer."""

    at: datetime
    host: str


_contacts: dict[str, Contact] = {}
"""By network address, in this process only: nothing about phones is stored."""


def latest_contacts() -> list[Contact]:
    """The phones that have reached this computer, the latest first."""
    return sorted(_contacts.values(), key=lambda contact: contact.at, reverse=True)


class OwnComputer:
    """Middleware that admits only requests from private networks, to this computer's addresses.

    While there is no account, it admits only this computer itself, to the pages of the first start.
    So a stranger on the Wi-Fi cannot create the club first.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.has_account = False

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not is_nearby(request.META.get("REMOTE_ADDR", "")):
            return HttpResponseForbidden(_("This site only works on the hall's network."))
        requested_host = request.META.get("HTTP_HOST", "").partition(":")[0]
        settings.ALLOWED_HOSTS[:] = [*LOCAL_NAMES, *own_addresses(requested_host), NAME]
        self.has_account = self.has_account or has_account()
        if not is_this_computer(request) and request.META["REMOTE_ADDR"] not in own_addresses():
            host = request.get_host().rpartition(":")[0]
            _contacts[request.META["REMOTE_ADDR"]] = Contact(timezone.now(), host)
        if self.has_account or request.path_info.startswith(SETUP_PATHS):
            return self.get_response(request)
        if is_this_computer(request) and not request.path_info.startswith(CLUB_PATHS):
            return redirect("first_run")
        return _setup_response()


def _setup_response() -> HttpResponse:
    """The response to phones before setup is finished.

    An open page of a table waits, and a page loaded now reloads itself, since the club may be
    restored here in a minute.
    """
    sentence = _("Right Bower is still being set up. Try again when the organiser has finished.")
    headers = {"Retry-After": RETRY_SECONDS, "Refresh": RETRY_SECONDS}
    return HttpResponse(sentence, status=503, headers=headers)


def this_computer(request: HttpRequest) -> dict[str, Any]:
    """Context processor: whether the visitor uses the laptop itself, and may manage it.

    Empty on a server.
    """
    if not settings.LAPTOP:
        return {}
    is_at_computer = is_this_computer(request)
    return {
        "at_computer": is_at_computer,
        "this_computer": lambda: is_at_computer and _has_rank(request, ORGANISERS),
        "is_demo": settings.LAPTOP == "demo",
        "is_laptop": True,
        "is_nobodys": request.path_info.startswith(SETUP_PATHS[0]),  # nobody can sign in yet
    }
