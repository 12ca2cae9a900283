"""The public entry form: who asks for a place, which players they may be, and the answer."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.actions.people import add_member
from league.members.audit import Actor, log_action
from league.members.models import Club, Member
from league.members.names import Spellings, name_key
from league.members.queries import was_erased
from league.sessions.actions import bump
from league.tournaments.actions.entering import enter
from league.tournaments.actions.setup import locked
from league.tournaments.models import Entry, EntryRequest, Tournament
from league.tournaments.queries import takes_requests

NEW = "new"  # instead of a player's public id: a guest nobody has on the list


MOST_SHOWN = 5


class RequestedNames:
    """Everybody of a club, by every spelling of their names. Two queries."""

    def __init__(self, club: Club) -> None:
        self._by_spelling: dict[str, list[Member]] = defaultdict(list)
        for member in club.members.filter(erased_at=None).select_related("merged_into"):
            for spelling in (member.name, *member.former_names):
                self._by_spelling[name_key(spelling)].append(member.merged_into or member)
        self._spellings = Spellings(self._by_spelling)
        self._was_erased = was_erased(club)

    def players(self, name: str) -> list[Member]:
        """Whose name it is, else whose it is like."""
        keys = [name_key(name)]
        if keys[0] not in self._by_spelling:
            keys = self._spellings.like(keys[0])
        members = [one for key in keys for one in self._by_spelling[key]]
        return list(dict.fromkeys(members))[:MOST_SHOWN]

    def asks(self, name: str) -> bool:
        """Whether somebody has to say who it is: not where one active player has just this name,
        nor where it is like nobody's."""
        players = self.players(name)
        sure = len(players) == 1 and players[0].name_key == name_key(name)
        if sure and players[0].retired_at is None:
            return False
        return bool(players) or self._was_erased(name)


def names_in(request: EntryRequest) -> dict[str, str]:
    """The names of a request by their field."""
    both = {"name": request.name, "partner": request.partner}
    return {field: name for field, name in both.items() if name}


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
def request_entry(
    tournament: Tournament,
    *,
    name: str,
    partner: str,
    contact: str,
    by: Actor,
    at: datetime,
    sent: Collection[str] = (),
) -> EntryRequest:
    """Somebody asks for a place, alone or as a pair.

    `sent` are the keys of requests that came from the same browser: their names again change
    nothing. From another browser they are one more request, for the organiser to see: anything
    else would tell a stranger who has asked.

    Refuses when the form is closed (`not-open`), and more than can wait (`list-full`).
    """
    fresh = locked(tournament)
    if not takes_requests(fresh):
        raise Refused("not-open", _("Entry is closed."), status=409)
    wanted = _keys(name, partner)
    if partner and len(wanted) == 1:
        sentence = _("Enter two different players.")
        raise Refused("two-people", sentence, fields={"partner": [sentence]})
    for request in fresh.requests.filter(pk__in=sent):
        if wanted == _keys(request.name, request.partner):
            return request
    if fresh.requests.count() >= (fresh.places or 0) + MOST_WAITING:
        raise Refused("list-full", _("The waiting list is full."), status=409)
    made = EntryRequest.objects.create(
        tournament=fresh, name=name, partner=partner, contact=contact, made_at=at
    )
    new = " & ".join(made.names)
    log_action(fresh.club, by, "ask to enter", fresh, session=fresh.session, new=new)
    bump(fresh.session)
    return made


def _keys(*names: str) -> set[str]:
    return {name_key(name) for name in names if name}


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
    names, choices = RequestedNames(fresh.club), players or {}
    members = [
        _player(fresh, names, name, choices.get(field, ""), by)
        for field, name in names_in(request).items()
    ]
    return enter(fresh, members[0], partner=members[1] if members[1:] else None, by=by, at=at)


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


def _player(fresh: Tournament, names: RequestedNames, name: str, choice: str, by: Actor) -> Member:
    """The player of this name, the one who was chosen, or a new guest."""
    asks, players = names.asks(name), names.players(name)
    if choice == NEW if asks else not players:
        return add_member(fresh.club, name=name, by=by, is_guest=True, same_name=True)
    if not asks:
        return players[0]
    chosen = next((player for player in players if player.public_id == choice), None)
    if chosen is None:
        raise Refused("name-like", choose_who(name), status=409)
    return chosen


def choose_who(name: str) -> str:
    return _("Choose who %(name)s is.") % {"name": name}
