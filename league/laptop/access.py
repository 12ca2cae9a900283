"""Who may open the site on the club's own laptop: every request by where it comes from, and its
pages by who sits at it and who runs its club."""

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
BEFORE_ALL = ("/start/", "/computer/here/", "/static/", "/healthz", "/readyz")
"""What may be asked of a site that is nobody's yet."""
OF_A_CLUB = ("/t/", "/c/")
AGAIN = "5"  # seconds
KEEPERS = (Role.Rank.ORGANISER, Role.Rank.OWNER)


def has_account() -> bool:
    """Whether anybody has an account yet: until then the site is nobody's."""
    return User.objects.exists()


def on_laptop(view: View) -> View:
    """A page that anybody in the hall may open, and that no server has."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.LAPTOP:
            raise Http404
        return view(request, *args, **kwargs)

    return guarded


def on_this_computer(view: View) -> View:
    """A page that only a browser on the club's laptop itself can open."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.LAPTOP or not is_this_computer(request):
            raise Http404
        return view(request, *args, **kwargs)

    return guarded


def before_first_account(view: View) -> View:
    """A page of the first start, which is over once there is an account."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return redirect("home") if has_account() else view(request, *args, **kwargs)

    return on_this_computer(guarded)


def for_keepers(view: View) -> View:
    """A page for owners and organisers of a club on the laptop, wherever they sit."""
    return _for(KEEPERS, view)


def for_owners(view: View) -> View:
    """A page for owners of a club on the laptop."""
    return _for((Role.Rank.OWNER,), view)


def _for(ranks: tuple[Role.Rank, ...], view: View) -> View:
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.LAPTOP or not _has_rank(request, ranks):
            raise Http404
        return view(request, *args, **kwargs)

    return signed_in(guarded)


def _has_rank(request: HttpRequest, ranks: tuple[Role.Rank, ...]) -> bool:
    return Role.objects.filter(user=request.user.pk, rank__in=ranks).exists()


@dataclass(frozen=True)
class Came:
    """A phone that came through: when it last did, and by which address."""

    at: datetime
    host: str


_came: dict[str, Came] = {}
"""By sender, of this start alone, in this one process: nothing about anybody's phone is kept."""


def last_came() -> list[Came]:
    """The phones that came through, the last one first."""
    return sorted(_came.values(), key=lambda one: one.at, reverse=True)


class OwnComputer:
    """Lets in private networks, by the addresses this computer has there, and not the internet.

    While there is no account, only this computer itself gets anything: the page of the first
    start. A stranger on the Wi-Fi cannot create the club first.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.has_account = False

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not is_nearby(request.META.get("REMOTE_ADDR", "")):
            return HttpResponseForbidden(_("This site only works on the hall's network."))
        sought = request.META.get("HTTP_HOST", "").partition(":")[0]
        settings.ALLOWED_HOSTS[:] = [*LOCAL_NAMES, *own_addresses(sought), NAME]
        self.has_account = self.has_account or has_account()
        if not is_this_computer(request) and request.META["REMOTE_ADDR"] not in own_addresses():
            host = request.get_host().rpartition(":")[0]
            _came[request.META["REMOTE_ADDR"]] = Came(timezone.now(), host)
        if self.has_account or request.path_info.startswith(BEFORE_ALL):
            return self.get_response(request)
        if is_this_computer(request) and not request.path_info.startswith(OF_A_CLUB):
            return redirect("first_run")
        return _not_yet()


def _not_yet() -> HttpResponse:
    """To phones: not now. A table's page that is open waits, and one loaded just now loads itself
    again, since the club may be restored here in a minute."""
    sentence = _("Right Bower is still being set up. Try again when the organiser has finished.")
    headers = {"Retry-After": AGAIN, "Refresh": AGAIN}
    return HttpResponse(sentence, status=503, headers=headers)


def this_computer(request: HttpRequest) -> dict[str, Any]:
    """For templates: whether the visitor sits at the club's laptop, and may look after it. Nothing
    on a server."""
    if not settings.LAPTOP:
        return {}
    here = is_this_computer(request)
    return {
        "at_computer": here,
        "this_computer": lambda: here and _has_rank(request, KEEPERS),
        "is_demo": settings.LAPTOP == "demo",
        "is_laptop": True,
        "is_nobodys": request.path_info.startswith(BEFORE_ALL[0]),  # nobody could sign in
    }
