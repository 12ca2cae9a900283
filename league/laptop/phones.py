"""Connecting phones: codes to scan, phones that got through, and hands that phones return.

Phones return hands of tables that a restored club does not have.
"""

from dataclasses import dataclass

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from league import limits
from league.laptop.access import for_organisers, latest_contacts, on_laptop
from league.laptop.forms import ReturnedHandsForm
from league.members.audit import Actor, club_language
from league.members.queries import listed_clubs
from league.network import (
    NAME,
    codes_use_name,
    own_addresses,
    previous_address,
    use_name_in_codes,
)
from league.play.auth import form_post, table_in_cookie, table_qr
from league.play.returned_hands import store_returned_hands
from league.seating.models import Table
from league.sessions.models import Session

OFFERS = limits.Limit(most=60, within=10 * limits.MINUTE)


@dataclass(frozen=True)
class Route:
    """An address by which a phone may reach this computer."""

    host: str

    @property
    def address(self) -> str:
        return f"http://{self.host}:{settings.PORT}"

    @property
    def code(self) -> SafeString:
        """The code to scan, for the page that says “you are through”."""
        return mark_safe(table_qr(self.address + reverse("phone_came")))  # noqa: S308


@require_safe
@never_cache
@for_organisers
def phones(request: HttpRequest) -> HttpResponse:
    """The codes to scan, and help for phones that cannot connect."""
    routes = [Route(address) for address in own_addresses()]
    context = {
        "ways": routes,
        "name": Route(NAME),
        "uses_name": codes_use_name(),
        "here": "computer",
    }
    context |= {"before": previous_address()}
    return render(request, "laptop/phones.html", context | {"came": latest_contacts()})


@require_safe
@never_cache
@for_organisers
def phones_came(request: HttpRequest) -> HttpResponse:
    """The part of that page about phones that got through, and about a changed address."""
    has_moved = request.GET.get("at", "") not in ["", *own_addresses()]
    context = {"came": latest_contacts(), "has_moved": has_moved}
    return render(request, "laptop/_came.html", context)


@require_safe
@never_cache
@on_laptop
def phone_came(request: HttpRequest) -> HttpResponse:
    """The page that tells a phone that it is connected."""
    return render(request, "laptop/phone_came.html", {"clubs": listed_clubs()[:20]})


@require_POST
@for_organisers
def codes_by(request: HttpRequest) -> HttpResponse:
    """Choose whether codes to scan contain this computer's name or its address."""
    by_name = request.POST.get("by") == "name"
    use_name_in_codes(by_name)
    sentence = _("New codes use the name.") if by_name else _("New codes use the address.")
    messages.success(request, sentence)
    return redirect("phones")


@form_post
@on_laptop
def table_copies(request: HttpRequest, public_id: str) -> JsonResponse:
    """Store the hands that a phone still has of a table that is missing here.

    The phone's cookie, signed with the club's key, shows that it was admitted to the table.
    """
    limits.refuse_over(f"copies:{limits.network_of(request)}", OFFERS)
    form = ReturnedHandsForm(request.POST)
    has_table = Table.objects.filter(public_id=public_id).exists()
    if has_table or table_in_cookie(request) != public_id or not form.is_valid():
        raise Http404
    data = form.cleaned_data
    sessions = Session.objects.select_related("club")
    session = get_object_or_404(sessions, public_id=data.pop("session"))
    with club_language(session.club):
        label = _("phone at table %(number)d") % {"number": data["number"]}
    by = Actor(label, source=request.META.get("REMOTE_ADDR", ""))
    store_returned_hands(session, public_id, **data, by=by, at=timezone.now())
    return JsonResponse({"noted": len(data["hands"])})
