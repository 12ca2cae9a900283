"""The public entry form: its places, the requests, the players they may be from, and the answers.

Places are counted in players, so that a player without a partner takes half a place among pairs.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import datetime

from django.db import transaction
from django.db.models import Count
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
from league.tournaments.models import Entry, EntryRequest, Stage, Tournament
from league.tournaments.stage_state import OF_PAIRS

NEW = "new"  # in place of a player's public id: a guest who is not on the club's list
MOST_SHOWN = 5


def takes_requests(tournament: Tournament) -> bool:
    """Whether the public entry form is open, which it is until the first round is drawn."""
    if tournament.places is None or tournament.state != Tournament.State.SETUP:
        return False
    return not Stage.objects.filter(tournament=tournament, rounds__isnull=False).exists()


def requests_of(tournament: Tournament) -> list[tuple[EntryRequest, int]]:
    """The requests to enter, oldest first, each with its number on the waiting list.

    That number is 0 for a request that was promised a place, and while there is a place for it.
    """
    requests = list(tournament.requests.order_by("pk"))
    if not requests:
        return []
    promised = sum(len(request.names) for request in requests if request.has_place)
    free = _free_for_players(tournament) - promised
    numbered, waiting = [], 0
    for request in requests:
        if not request.has_place:
            size = len(request.names)
            waiting += waiting > 0 or size > free
            free -= size
        numbered.append((request, 0 if request.has_place else waiting))
    return numbered


def requests_naming(tournament: Tournament, player: Member | None) -> list[EntryRequest]:
    """The requests that name this player, by their own name or as a partner."""
    if player is None:
        return []
    requests = tournament.requests.order_by("pk")
    return [one for one in requests if player.name_key in _name_keys(one.name, one.partner)]


def places_left(
    tournament: Tournament, requests: list[tuple[EntryRequest, int]]
) -> tuple[int, bool]:
    """How many whole places no entry and no request takes, and whether half a place is left too."""
    requested = sum(len(request.names) for request, _waits in requests)
    free = max(0, _free_for_players(tournament) - requested)
    places, half = divmod(free, _players_a_place(tournament))
    return places, bool(half)


def _free_for_players(tournament: Tournament) -> int:
    """For how many more players there is a place; less than 0 if more have entered."""
    entered = tournament.entries.aggregate(n=Count("member") + Count("partner"))["n"]
    offered = tournament.places or 0
    return offered * _players_a_place(tournament) - int(entered)


def _players_a_place(tournament: Tournament) -> int:
    is_of_pairs = Stage.objects.filter(tournament=tournament, format__in=OF_PAIRS).exists()
    return 2 if is_of_pairs else 1


class RequestedNames:
    """The members of a club by all spellings of their names. Two queries."""

    def __init__(self, club: Club) -> None:
        self._by_spelling: dict[str, list[Member]] = defaultdict(list)
        for member in club.members.filter(erased_at=None).select_related("merged_into"):
            for spelling in (member.name, *member.former_names):
                self._by_spelling[name_key(spelling)].append(member.merged_into or member)
        self._spellings = Spellings(self._by_spelling)
        self._was_erased = was_erased(club)

    def players(self, name: str) -> list[Member]:
        """The players with this name, else those with a similar one."""
        keys = [name_key(name)]
        if keys[0] not in self._by_spelling:
            keys = self._spellings.like(keys[0])
        members = [member for key in keys for member in self._by_spelling[key]]
        return list(dict.fromkeys(members))[:MOST_SHOWN]

    def first_named(self, first_name: str) -> list[Member]:
        """The active players with this first name."""
        members = {member for members in self._by_spelling.values() for member in members}
        active = [member for member in members if member.retired_at is None]
        return [m for m in active if name_key(m.name.split()[0]) == name_key(first_name)]

    def asks(self, name: str) -> bool:
        """Whether the organiser has to say who it is.

        Not if exactly one active player has this name, nor if nobody has a similar one.
        """
        players = self.players(name)
        is_exact = len(players) == 1 and players[0].name_key == name_key(name)
        if is_exact and players[0].retired_at is None:
            return False
        return bool(players) or self._was_erased(name)


def names_in(request: EntryRequest) -> dict[str, str]:
    """The names of a request by their form fields."""
    names = {"name": request.name, "partner": request.partner}
    return {field: name for field, name in names.items() if name}


def repeated_names(
    requests: list[tuple[EntryRequest, int]], entered: Collection[str]
) -> dict[int, list[str]]:
    """By request, a sentence for each of its names that has entered or is in a request before.

    `entered` are the name keys of the players who have entered.
    """
    sentences: dict[int, list[str]] = defaultdict(list)
    before: set[str] = set()
    for request, _waits in requests:
        for name in request.names:
            if name_key(name) in entered:
                sentences[request.pk].append(_("%(name)s is already entered.") % {"name": name})
            elif name_key(name) in before:
                sentence = _("%(name)s is in another request too.") % {"name": name}
                sentences[request.pk].append(sentence)
        before |= {name_key(name) for name in request.names}
    return sentences


MOST_WAITING = 50


@transaction.atomic
def offer_places(tournament: Tournament, places: int | None, *, by: Actor) -> Tournament:
    """Open the public entry form with this many places, or close it (None).

    Requests stay, and those that have a place keep it.
    """
    fresh = locked(tournament)
    _promise_places(fresh)
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
    """Request a place, alone or as a pair.

    `sent` are the keys of earlier requests from the same browser; repeating one of them changes
    nothing. The same names from another browser make a new request for the organiser to see, since
    any other answer would tell a stranger who has asked.

    Refuses if the form is closed (`not-open`) or the waiting list is full (`list-full`).
    """
    fresh = locked(tournament)
    if not takes_requests(fresh):
        raise Refused("not-open", _("Entry is closed."), status=409)
    name_keys = _name_keys(name, partner)
    if partner and len(name_keys) == 1:
        sentence = _("Enter two different players.")
        raise Refused("two-people", sentence, fields={"partner": [sentence]})
    for request in fresh.requests.filter(pk__in=sent):
        if name_keys == _name_keys(request.name, request.partner):
            return request
    if fresh.requests.count() >= (fresh.places or 0) + MOST_WAITING:
        raise Refused("list-full", _("The waiting list is full."), status=409)
    new_request = EntryRequest.objects.create(
        tournament=fresh, name=name, partner=partner, contact=contact, made_at=at
    )
    _promise_places(fresh)
    new = " & ".join(new_request.names)
    log_action(fresh.club, by, "ask to enter", fresh, session=fresh.session, new=new)
    bump(fresh.session)
    return new_request


def _promise_places(fresh: Tournament) -> None:
    """Mark the requests that have a place now, so that they keep it."""
    keys = [request.pk for request, waits in requests_of(fresh) if not waits]
    fresh.requests.filter(pk__in=keys).update(has_place=True)


def _name_keys(*names: str) -> set[str]:
    return {name_key(name) for name in names if name}


@transaction.atomic
def accept_request(
    request: EntryRequest, *, by: Actor, at: datetime, players: Mapping[str, str] | None = None
) -> Entry:
    """Enter the players of a request: those of the club by their names, others as guests.

    For a name that may be that of a player (`RequestedNames.asks`), `players` has by its field a
    public id or `NEW`; without that it is refused (`name-like`).
    """
    fresh = locked(request.tournament)
    _delete_request(request)
    names, choices = RequestedNames(fresh.club), players or {}
    members = [
        _player(fresh, names, name, choices.get(field, ""), by)
        for field, name in names_in(request).items()
    ]
    return enter(fresh, members[0], partner=members[1] if members[1:] else None, by=by, at=at)


@transaction.atomic
def decline_request(request: EntryRequest, *, by: Actor) -> None:
    """Decline and delete a request."""
    fresh = locked(request.tournament)
    _delete_request(request)
    log_action(fresh.club, by, "decline entry", fresh, session=fresh.session, old=request.name)
    bump(fresh.session)


def _delete_request(request: EntryRequest) -> None:
    """Delete a request, which can be answered only once. The tournament has to be locked."""
    if not EntryRequest.objects.filter(pk=request.pk).delete()[0]:
        raise Refused("answered", _("Someone has already answered this request."), status=409)


def _player(fresh: Tournament, names: RequestedNames, name: str, choice: str, by: Actor) -> Member:
    """The player with this name, the one chosen for it, or a new guest."""
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
