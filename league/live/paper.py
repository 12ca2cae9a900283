"""Paper: table cards, score sheets, tickets, the seating chart, the movement of a round."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from league.access import ClubRequest, club_page
from league.errors import Refused
from league.labels import as_partners
from league.live.room import Room, room
from league.members.audit import actor_of
from league.members.languages import in_clubs_language
from league.members.models import Club, Member
from league.network import address_for_phones
from league.play.auth import card_link, links_of, table_qr
from league.play.questions import questions_of
from league.seating.actions import make_cards_up_to
from league.seating.queries import latest_published
from league.seating.queries.room import moves_in_round
from league.sessions.models import Session
from league.sessions.queries import session_of
from scoring import Ruleset, ruleset


@require_safe
@club_page("organiser")
def paper(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Everything of the night there is to print."""
    return render(request, "live/paper.html", _context(club, session_of(club, public_id)))


@require_safe
@club_page("organiser")
@in_clubs_language
def print_cards(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Permanent cards: of the tables that stand tonight, or (`to`) of those from 1 to a number."""
    club_session = session_of(club, public_id)
    most = request.GET.get("to", "")
    if most.isdecimal() and len(most) < 5:
        cards = club.table_cards.filter(number__lte=int(most))
        links = {card.number: (card_link(card), card.typed) for card in cards}
    else:
        tiles = room(club_session, at=timezone.now()).tiles
        links = links_of([tile.table for tile in tiles], club)
    printed = [
        _card(number, typed, address_for_phones(request, link))
        for number, (link, typed) in sorted(links.items())
    ]
    context = {"club": club, "club_session": club_session, "here": "sessions", "cards": printed}
    return render(request, "live/print_cards.html", context)


def _card(number: int, typed: str, address: str) -> dict[str, Any]:
    qr = mark_safe(table_qr(address))  # noqa: S308 - segno's own SVG
    return {"number": number, "typed": typed, "qr": qr, "door": address.partition("#")[0]}


@require_POST
@club_page("organiser")
def make_cards(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Make the cards of the first tables, to be printed before anybody is seated."""
    session_of(club, public_id)
    text = request.POST.get("tables", "")
    most = int(text) if text.isdecimal() and len(text) < 5 else 0
    try:
        make_cards_up_to(club, most, by=actor_of(request))
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("paper", club.slug, public_id)
    address = reverse("print_cards", args=[club.slug, public_id])
    return redirect(f"{address}?to={most}")


@require_safe
@club_page("organiser")
@in_clubs_language
def print_sheets(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """A score sheet for every table, with pips to tick, for a night without phones."""
    return render(request, "live/print_sheets.html", _context(club, session_of(club, public_id)))


@require_safe
@club_page("organiser")
@in_clubs_language
def print_tickets(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """A slip for every table's game: its result and both sides' initials, to be handed in."""
    return render(request, "live/print_tickets.html", _context(club, session_of(club, public_id)))


@require_safe
@club_page("member")
@in_clubs_language
def print_chart(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Where everyone sits, by table and by name."""
    return render(request, "live/print_chart.html", _context(club, session_of(club, public_id)))


@require_safe
@club_page("member")
@in_clubs_language
def print_movement(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Where everybody goes for the latest round: from which table to which."""
    context = _context(club, session_of(club, public_id))
    published = context["published"]
    context["moves"] = moves_in_round(published) if published else []
    return render(request, "live/print_movement.html", context)


def _context(club: Club, club_session: Session) -> dict[str, Any]:
    the_room = room(club_session, at=timezone.now())
    return {
        "club": club,
        "here": "sessions",
        "club_session": club_session,
        "room": the_room,
        "published": latest_published(club_session),
        "cards": _cards(the_room),
        "by_name": _tables_by_name(the_room),
    }


def _tables_by_name(the_room: Room) -> list[tuple[Member, int | None]]:
    """Everybody by name with their table's number; None for players without a seat."""
    numbers: list[tuple[Member, int | None]] = [
        (tile_seat.member, tile.table.number)
        for tile in the_room.tiles
        for tile_seat in tile.current_seats
    ]
    numbers += [(member, None) for member in the_room.seatless]
    return sorted(numbers, key=lambda entry: entry[0].sort_key)


def _cards(the_room: Room) -> list[dict[str, Any]]:
    """Each table with what its rules say on paper: the target, the lines a sheet needs."""
    cards = []
    for tile in the_room.tiles:
        rules = ruleset(tile.table.ruleset.body)
        target = rules.target or 0
        cards.append(
            {
                "tile": tile,
                "sides": [as_partners([one.member for one in side]) for side in tile.sides],
                "target": target,
                "hands": rules.hands,
                "start": rules.start,
                "pips": range(1, target + 1) if 0 < target <= 15 else (),
                "lines": range(1, min(30, rules.hands or 20) + 1),
                "dealer": next((c.member.name for c in tile.current_seats if c.deals), ""),
                "columns": sheet_columns(rules),
                "counted": _counted(rules),
                **_for_each(rules),
            }
        )
    return cards


def sheet_columns(rules: Ruleset) -> list[str]:
    """What a table writes down of a hand before its points; each player's own tricks stand
    beside his score."""
    asks = questions_of(rules)
    called = [_("Maker")] if asks.is_turn_up else [_("Bidder"), _("Bid")]
    partner = [_("Partner")] if asks.partner else []
    trump = [_("Trump")] if asks.trumps and not asks.is_turn_up else []
    alone = [_("Alone")] if asks.alone and not asks.partner else []
    against = [_("A defender alone")] if asks.lone_defender else []
    tricks = [] if asks.by_seat else [_("Tricks")]
    return [_("Dealer"), *called, *partner, *trump, *alone, *against, *tricks]


def _counted(rules: Ruleset) -> str:
    """What a ticket has counted beside the points: whatever the game beats its callers by."""
    return _("Euchres made") if questions_of(rules).is_turn_up else _("Bids set")


def _for_each(rules: Ruleset) -> dict[str, bool]:
    """Whether a sheet has a column of tricks for every player, and whether players drop out."""
    asks = questions_of(rules)
    return {"by_seat": asks.by_seat, "dropping": asks.dropping}
