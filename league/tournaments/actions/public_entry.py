"""The public entry form: who asks to enter, and what the organiser makes of it."""

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.actions.people import add_member
from league.members.audit import Actor, log_action
from league.members.models import Member
from league.members.names import name_key
from league.sessions.actions import bump
from league.tournaments.actions.entering import enter
from league.tournaments.actions.setup import locked
from league.tournaments.models import Entry, EntryRequest, Tournament
from league.tournaments.queries import takes_requests
from league.tournaments.requested_names import NEW, RequestedNames, names_in

MOST_WAITING = 50


@transaction.atomic
def offer_places(tournament: Tournament, places: int | None, *, by: Actor) -> Tournament:
    """Open the public entry form with so many places, or close it (None). Requests stay."""
    fresh = locked(tournament)
    old, fresh.places = fresh.places, places
    fresh.save(update_fields=["places"])
    log_action(fresh.club, by, "offer places", fresh, session=fresh.session, old=old, new=places)
    bump(fresh.session)
    return fresh


@transaction.atomic
def ask_to_enter(
    tournament: Tournament, *, name: str, partner: str, contact: str, by: Actor, at: datetime
) -> EntryRequest:
    """Somebody asks for a place, alone or as a pair. The same names again change nothing.

    Refuses when the form is closed (`not-open`), and more than can wait (`list-full`).
    """
    fresh = locked(tournament)
    if not takes_requests(fresh):
        raise Refused("not-open", _("Entry is closed."), status=409)
    wanted = {name_key(one) for one in (name, partner) if one}
    if partner and len(wanted) == 1:
        sentence = _("Enter two different people.")
        raise Refused("two-people", sentence, fields={"partner": [sentence]})
    for one in fresh.requests.all():
        if wanted == {name_key(text) for text in (one.name, one.partner) if text}:
            return one
    if fresh.requests.count() >= (fresh.places or 0) + MOST_WAITING:
        raise Refused("list-full", _("The waiting list is full."), status=409)
    made = EntryRequest.objects.create(
        tournament=fresh, name=name, partner=partner, contact=contact, made_at=at
    )
    names = " & ".join(filter(None, (name, partner)))
    log_action(fresh.club, by, "ask to enter", fresh, session=fresh.session, new=names)
    bump(fresh.session)
    return made


@transaction.atomic
def accept_request(
    request: EntryRequest, *, by: Actor, at: datetime, players: Mapping[str, str] | None = None
) -> Entry:
    """Enter who asked: players of the club by their names, others as guests.

    Where a name may be that of a player (`RequestedNames.asks`), `players` says of the field whose
    it is: a public id or `NEW`; without it `name-like` is refused.
    """
    fresh = locked(request.tournament)
    _take(request)
    names, said = RequestedNames(fresh.club), players or {}
    found = [
        _player(fresh, names, name, said.get(field, ""), by)
        for field, name in names_in(request).items()
    ]
    return enter(fresh, found[0], partner=found[1] if found[1:] else None, by=by, at=at)


@transaction.atomic
def decline_request(request: EntryRequest, *, by: Actor) -> None:
    """Turn away who asked; nothing of it is kept."""
    fresh = locked(request.tournament)
    _take(request)
    log_action(fresh.club, by, "decline entry", fresh, session=fresh.session, old=request.name)
    bump(fresh.session)


def _take(request: EntryRequest) -> None:
    """A request is answered once; with the tournament locked."""
    if not EntryRequest.objects.filter(pk=request.pk).delete()[0]:
        raise Refused("answered", _("Someone has already answered this request."), status=409)


def _player(fresh: Tournament, names: RequestedNames, name: str, said: str, by: Actor) -> Member:
    """The player of this name, the one who was chosen, or a new guest."""
    asks, players = names.asks(name), names.players(name)
    if said == NEW if asks else not players:
        return add_member(fresh.club, name=name, by=by, is_guest=True, same_name=True)
    if not asks:
        return players[0]
    chosen = next((one for one in players if one.public_id == said), None)
    if chosen is None:
        raise Refused("name-like", choose_who(name), status=409)
    return chosen


def choose_who(name: str) -> str:
    return _("Choose who %(name)s is.") % {"name": name}
