"""The public entry form, and the organiser's answers to it."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.signing import BadSignature, Signer
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from league import limits
from league.access import PUBLIC, ClubRequest, club_page
from league.errors import Refused, add_retry_after, valid
from league.labels import as_partners
from league.members.audit import Actor, actor_of
from league.members.languages import in_clubs_language
from league.members.models import Club, Member
from league.members.queries import player_of
from league.network import address_for_phones
from league.play.auth import table_qr
from league.tournaments import actions
from league.tournaments.actions.public_entry import (
    RequestedNames,
    places_left,
    requests_naming,
    requests_of,
    takes_requests,
)
from league.tournaments.entry_forms import AcceptForm, PlacesForm, PublicEntryForm
from league.tournaments.models import EntryRequest, Tournament
from league.tournaments.queries import stage_of, tournament_of
from league.tournaments.stage_state import OF_PAIRS
from league.tournaments.views.buttons import tournament_button

ASKS = limits.Limit(most=20, within=limits.HOUR)
SENT = "entry-requests"
"""Cookie of the form that tells a repeated request from one by somebody else."""
_sent = Signer(salt="league.tournaments.entry_requests")


@require_http_methods(["GET", "HEAD", "POST"])
@club_page(PUBLIC)
def tournament_ask(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Request a place, while the form is open; for anybody who may see the club."""
    tournament = tournament_of(club, public_id)
    context: dict[str, Any] = {"club": club, "here": "tournaments", "tournament": tournament}
    if not takes_requests(tournament):
        return render(request, "tournaments/entry_closed.html", context, status=404)
    player = player_of(club, request.user)
    own_requests = requests_naming(tournament, player)
    context["has_requested"] = bool(own_requests)
    form = PublicEntryForm(
        request.POST or None,
        pairs=stage_of(tournament).format in OF_PAIRS,
        initial={
            "name": player.name if player and _may_enter(tournament, player, own_requests) else ""
        },
    )
    if form.is_valid():
        sent = [*_sent_from(request), *(str(one.pk) for one in own_requests)]
        try:
            entry_request = _save_request(request, tournament, form, sent)
        except Refused as refused:
            refused.show_in(form)
            if refused.status == 429:
                return add_retry_after(_ask_page(request, context, form, status=429), refused)
        else:
            if str(entry_request.pk) in sent:
                messages.info(request, _("You have already sent this request."))
            answer = redirect("tournament_request_sent", club.slug, public_id)
            _set_sent_cookie(answer, request, entry_request)
            return answer
    return _ask_page(request, context, form, status=422 if form.errors else 200)


@require_safe
@club_page(PUBLIC)
def tournament_request_sent(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Whether the last request of this browser has a place."""
    tournament, last = tournament_of(club, public_id), _sent_from(request)[:1]
    rows = (row for row in requests_of(tournament) if str(row[0].pk) in last)
    entry_request, waiting_number = next(rows, (None, 0))
    if entry_request is None:
        return redirect("tournament", club.slug, public_id)
    context = {"club": club, "here": "tournaments", "tournament": tournament}
    context |= {"waits": waiting_number, "names": entry_request.names}
    return render(request, "tournaments/request_sent.html", context)


def _may_enter(tournament: Tournament, player: Member, own_requests: list[EntryRequest]) -> bool:
    """Whether a player has no entry and no request."""
    own = Q(member=player) | Q(partner=player)
    return not own_requests and not tournament.entries.filter(own).exists()


def _ask_page(
    request: ClubRequest, context: dict[str, Any], form: PublicEntryForm, *, status: int
) -> HttpResponse:
    tournament: Tournament = context["tournament"]
    requests = requests_of(tournament)
    waiting = sum(number > 0 for _request, number in requests)
    free, has_half = places_left(tournament, requests)
    context |= {"form": form, "free": free, "has_half": has_half, "waiting": waiting}
    return render(request, "tournaments/ask.html", context, status=status)


@require_safe
@club_page("organiser")
@in_clubs_language
def tournament_poster(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """A sheet to put on the wall: the address of the open entry form, and its QR code."""
    tournament = tournament_of(club, public_id)
    if not takes_requests(tournament):
        raise Http404
    address = address_for_phones(request, reverse("tournament_ask", args=[club.slug, public_id]))
    qr = mark_safe(table_qr(address))  # noqa: S308 - segno's own SVG
    context = {"club": club, "here": "tournaments", "tournament": tournament}
    return render(request, "tournaments/poster.html", context | {"qr": qr, "address": address})


def _save_request(
    request: ClubRequest, tournament: Tournament, form: PublicEntryForm, sent: list[str]
) -> EntryRequest:
    limits.refuse_over(f"entry-form:{limits.network_of(request)}", ASKS)
    source = str(request.META.get("REMOTE_ADDR") or "")
    by = (
        actor_of(request) if request.user.is_authenticated else Actor(_("entry form"), None, source)
    )
    data = {"partner": "", **form.cleaned_data}
    return actions.request_entry(tournament, **data, by=by, at=timezone.now(), sent=sent)


def _sent_from(request: HttpRequest) -> list[str]:
    """The keys of the requests that this browser has sent to this form."""
    try:
        return [key for key in _sent.unsign(request.COOKIES.get(SENT, "")).split(".") if key]
    except BadSignature:
        return []


def _set_sent_cookie(
    answer: HttpResponse, request: HttpRequest, entry_request: EntryRequest
) -> None:
    keys = dict.fromkeys([str(entry_request.pk), *_sent_from(request)])
    answer.set_cookie(
        SENT,
        _sent.sign(".".join(list(keys)[: ASKS.most])),
        path=request.path,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


@tournament_button("tournament_entries", form_on="tournament_entries")
def tournament_places(request: HttpRequest, tournament: Tournament) -> str:
    """Open the public form with a number of places, or close it."""
    was_open = tournament.places is not None  # the form writes into the tournament
    places = valid(PlacesForm(request.POST, instance=tournament))["places"]
    if not places and not was_open:
        raise Refused("no-places", _("Enter how many places there are."))
    actions.offer_places(tournament, places, by=actor_of(request))
    return _("Opened the entry form.") if places else _("Closed the entry form.")


@tournament_button("tournament_entries", form_on="tournament_entries")
def tournament_accept(request: HttpRequest, tournament: Tournament, entry_request: int) -> str:
    """Accept a request: enter its players."""
    row = _request(tournament, entry_request)
    form = AcceptForm(request.POST, entry_request=row, names=RequestedNames(tournament.club))
    by, at = actor_of(request), timezone.now()
    entry = actions.accept_request(row, by=by, at=at, players=valid(form))
    return _("Entered: %(name)s.") % {"name": as_partners(entry.people)}


@tournament_button("tournament_entries", form_on="tournament_entries")
def tournament_decline(request: HttpRequest, tournament: Tournament, entry_request: int) -> str:
    """Decline a request."""
    actions.decline_request(_request(tournament, entry_request), by=actor_of(request))
    return _("Declined.")


def _request(tournament: Tournament, key: int) -> EntryRequest:
    row = get_object_or_404(tournament.requests, pk=key)
    row.tournament = tournament
    return row
