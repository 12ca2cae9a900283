"""The first start, and the page from which the club's own laptop is looked after."""

from allauth.account.utils import perform_login
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.errors import Refused
from league.exchange.demo import people
from league.laptop import actions
from league.laptop.access import before_first_account, for_keepers, on_this_computer
from league.laptop.forms import FirstClubForm
from league.laptop.safety import came_back, safety_of
from league.laptop.unplaced import enter, unplaced
from league.members.audit import actor_of
from league.members.models import User
from league.members.views.answers import attempt, form_page


@require_safe
@on_this_computer
def here(request: HttpRequest, run: str) -> HttpResponse:
    """Tells a second start that this is the server it looks for."""
    if not constant_time_compare(run, settings.LAPTOP_RUN):
        raise Http404
    return HttpResponse("here")


@require_safe
@never_cache
@before_first_account
def first_run(request: HttpRequest) -> HttpResponse:
    """Start a new club, restore one, or look at the demo."""
    return render(request, "laptop/first_run.html")


@require_http_methods(["GET", "POST"])
@never_cache
@before_first_account
def first_club(request: HttpRequest) -> HttpResponse:
    """The club's name, one's own, a password."""
    form = FirstClubForm(request.POST or None)
    made = attempt(form, lambda: actions.first_club(username=form.username(), **form.cleaned_data))
    if made is None:
        return form_page(request, "laptop/first_club.html", {"form": form})
    club, user = made
    perform_login(request, user, email_verification="none")
    sentence = _("%(club)s is ready. Sign in as “%(name)s” next time.")
    messages.success(request, sentence % {"club": club, "name": user.username})
    return redirect("recovery_sheet")


@require_POST
@before_first_account
def first_demo(request: HttpRequest) -> HttpResponse:
    """Load the demo beside this site and say so."""
    actions.open_demo()
    return render(request, "laptop/demo_opens.html")


@require_safe
@never_cache
@on_this_computer
def demo(request: HttpRequest) -> HttpResponse:
    """Who one may be in the demo."""
    _only_in_demo()
    return render(request, "laptop/demo.html", {"accounts": people.ACCOUNTS})


@require_POST
@on_this_computer
def demo_enter(request: HttpRequest, username: str) -> HttpResponse:
    """Look around in the demo as one of its people."""
    _only_in_demo()
    user = User.objects.filter(username=username).first()
    if user is None:
        raise Http404
    perform_login(request, user, email_verification="none")
    return redirect("club", people.SLUG)


def _only_in_demo() -> None:
    if settings.LAPTOP != "demo":
        raise Http404


@require_safe
@for_keepers
@on_this_computer
def computer(request: HttpRequest) -> HttpResponse:
    """What this computer keeps, and the button that closes the site."""
    context = {"folder": settings.DATA_FOLDER, "here": "computer"}
    now = timezone.now()
    context |= came_back(at=now) | {"unplaced": unplaced(at=now)}
    return render(request, "laptop/computer.html", context | safety_of(settings.DATA_FOLDER))


@require_POST
@for_keepers
@on_this_computer
def enter_hands(request: HttpRequest, table: str) -> HttpResponse:
    """Enter what a phone kept of a table that the backup did not have."""
    now = timezone.now()
    found = [one for one in unplaced(at=now) if one.id == table]
    if not found:
        raise Http404
    try:
        entered = enter(found[0], by=actor_of(request), at=now)
    except Refused as refused:
        messages.error(request, str(refused.message))
        return redirect("computer")
    sentence = ngettext("Entered %(n)d hand.", "Entered %(n)d hands.", entered)
    messages.success(request, sentence % {"n": entered})
    return redirect("computer")


@require_POST
@for_keepers
@on_this_computer
def close(request: HttpRequest) -> HttpResponse:
    """Close Right Bower on this computer."""
    actions.close_site()
    return render(request, "laptop/closed.html")
