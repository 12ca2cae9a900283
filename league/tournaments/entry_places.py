"""The places of the public entry form: whether it is open, who has a place, and who waits for one.

They are counted in players, so that a player without a partner takes half a place among pairs.
"""

from django.db.models import Count

from league.tournaments.models import EntryRequest, Stage, Tournament
from league.tournaments.stage_state import OF_PAIRS


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


def places_left(tournament: Tournament, requests: list[tuple[EntryRequest, int]]) -> int:
    """How many places no entry and no request takes; half a place counts as one."""
    requested = sum(len(request.names) for request, _waits in requests)
    free = _free_for_players(tournament) - requested
    return max(0, -(-free // _players_a_place(tournament)))


def _free_for_players(tournament: Tournament) -> int:
    """For how many more players there is a place; less than 0 if more have entered."""
    entered = tournament.entries.aggregate(n=Count("member") + Count("partner"))["n"]
    offered = tournament.places or 0
    return offered * _players_a_place(tournament) - int(entered)


def _players_a_place(tournament: Tournament) -> int:
    is_of_pairs = Stage.objects.filter(tournament=tournament, format__in=OF_PAIRS).exists()
    return 2 if is_of_pairs else 1
