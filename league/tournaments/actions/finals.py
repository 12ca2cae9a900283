"""Finals: the best of a season, a session or a tournament go into a bracket, seeded by place."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor
from league.members.models import Member
from league.pairing.formats import drawn_partners, folded_partners
from league.seasons.models import Season
from league.sessions.models import Session
from league.standings.queries import session_standings
from league.standings.season_queries import season_standings
from league.tournaments.actions.entering import admit
from league.tournaments.actions.setup import locked, start_tournament, touch
from league.tournaments.models import Entry, Stage, Tournament
from league.tournaments.parameters import DRAWN, Chosen
from league.tournaments.queries import entry_places, stage_of
from league.tournaments.stage_state import load_stage
from league.tournaments.standing import standing_of

Source = Season | Session | Tournament


def best_of(source: Source, count: int, *, at: datetime) -> list[tuple[Member, ...]]:
    """The first so many of a table, the best first: players, or pairs where pairs play.

    Who has left the club's list, or the tournament, is passed over. Refuses fewer (`too-few`).
    """
    if isinstance(source, Tournament):
        found = _best_entries(source)
    else:
        found = [(member,) for member in _best_players(source, at)]
    if len(found) < count:
        message = _("Its table has only %(n)d.") % {"n": len(found)}
        raise Refused("too-few", message, fields={"count": [message]})
    return found[:count]


@transaction.atomic
def start_final(
    club_session: Session,
    finalists: Sequence[tuple[Member, ...]],
    *,
    name: str,
    choice: Chosen,
    seed: int,
    by: Actor,
    at: datetime,
) -> Tournament:
    """A bracket of the finalists, who come the best first; players become pairs as `choice` says.

    Everybody in it is checked in, also who still is where the evening began. Refuses an odd number
    of players (`odd-number`).
    """
    made = start_tournament(
        club_session, name=name, format=Stage.Format.KNOCKOUT, choice=choice, seed=seed, by=by
    )
    fresh = locked(made)
    entries = [
        admit(fresh, one, other, number=None, late=False, by=by, at=at, even_if_elsewhere=True)
        for one, other in _pairs(finalists, choice.partners, seed)
    ]
    for place, entry in enumerate(entries, 1):
        entry.seed = place
    Entry.objects.bulk_update(entries, ["seed"])
    touch(fresh)
    return fresh


def _pairs(
    finalists: Sequence[tuple[Member, ...]], way: str, seed: int
) -> list[tuple[Member, Member]]:
    """The pairs by the better place of their two."""
    if all(len(one) == 2 for one in finalists):
        return [(one[0], one[1]) for one in finalists]
    players = {one[0].pk: one[0] for one in finalists}
    if len(players) % 2:
        message = _("Choose an even number of players.")
        raise Refused("odd-number", message, fields={"count": [message]})
    order = list(players)
    found = drawn_partners(order, seed=seed) if way == DRAWN else folded_partners(order)
    pairs = [(players[int(one)], players[int(other)]) for one, other in found.pairs]
    return sorted(pairs, key=lambda both: min(order.index(one.pk) for one in both))


def _best_players(source: Season | Session, at: datetime) -> list[Member]:
    if isinstance(source, Season):
        table = season_standings(source, at=at)
    else:
        table = session_standings(source, at=at)
    current = Member.objects.current().in_bulk([line.who for line in table.lines])
    return [current[line.who] for line in table.lines if line.who in current]


def _best_entries(source: Tournament) -> list[tuple[Member, ...]]:
    state = load_stage(stage_of(source))
    places = entry_places(state, standing_of(state))
    order = sorted(places, key=lambda who: (places[who] == 0, places[who]))
    here = [state.entries[who] for who in order if who in state.playing]
    if any(one.partner_id is None for one in here):
        return [(one.member,) for one in here]
    return [tuple(one.people) for one in here]
