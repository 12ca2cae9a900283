"""What every request to the club's own laptop is asked: from where it comes, and by which name."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseForbidden
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from league.laptop.access import has_account
from league.network import HERE, NAME, is_nearby, is_this_computer, own_addresses

BEFORE_ALL = ("/start/", "/computer/here/", "/static/", "/healthz", "/readyz")
"""What may be asked of a site that is nobody's yet."""
OF_A_CLUB = ("/t/", "/c/")
AGAIN = "5"  # seconds


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
        settings.ALLOWED_HOSTS[:] = [*HERE, *own_addresses(), NAME]
        self.has_account = self.has_account or has_account()
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


def this_computer(request: HttpRequest) -> dict[str, bool]:
    """For templates: whether the visitor sits at the club's laptop, and with an account."""
    here = is_this_computer(request)
    return {
        "at_computer": here,
        "this_computer": here and request.user.is_authenticated,
        "is_demo": settings.LAPTOP == "demo",
    }
