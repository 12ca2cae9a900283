"""Before the draw: seeds one by one, from a list, by ratings or a season; entries kept apart."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, log_action
from league.members.names import name_key
from league.seasons.models import Season
from league.sessions.actions import bump
from league.standings.careers import ratings_of
from league.standings.season_queries import season_standings
from league.tournaments.actions.entering import _names, refuse_drawn
from league.tournaments.actions.setup import locked
from league.tournaments.models import Entry, Tournament


def seed_by_list(tournament: Tournament, lines: Sequence[str], *, by: Actor) -> int:
    """The entries named, one a line, are the seeds in this order; the others have none.

    A line names one of an entry's players, or both. Refuses with every line that names nobody
    who has entered, or an entry a second time.
    """
    known: dict[str, Entry] = {}
    for entry in _entries(tournament):
        for one in entry.people:
            known[name_key(one.name)] = entry
    order: list[Entry] = []
    wrong: list[str] = []
    for line in filter(str.strip, lines):
        named = {known.get(name_key(part)) for part in line.split("&")}
        found = named.pop() if len(named) == 1 else None
        if found is None:
            wrong.append(_("No entry has this name: %(name)s") % {"name": line.strip()})
        elif found in order:
            wrong.append(_("Named twice: %(name)s") % {"name": line.strip()})
        else:
            order.append(found)
    if wrong:
        raise Refused("unknown-names", wrong[0], fields={"names": wrong})
    return _seed(tournament, order, how="list", by=by)


def seed_by_ratings(tournament: Tournament, *, by: Actor, at: datetime) -> int:
    """The best rated first, a pair by the mean of the two; who has no rating has no seed."""
    ratings = ratings_of(tournament.club, at=at)
    values = {who: -rating.cautious for who, rating in ratings.items()}
    return _seed(tournament, _ordered(tournament, values), how="ratings", by=by)


def seed_by_season(tournament: Tournament, season: Season, *, by: Actor, at: datetime) -> int:
    """By places in a season, a pair by the mean of the two; who is not in it has no seed."""
    places = {line.who: line.rank for line in season_standings(season, at=at).lines}
    return _seed(tournament, _ordered(tournament, places), how=season.name, by=by)


def _ordered(tournament: Tournament, values: Mapping[int, float]) -> list[Entry]:
    """The entries whose people all have a value, the lowest mean first."""
    means = {}
    for entry in _entries(tournament):
        found = [values[one.pk] for one in entry.people if one.pk in values]
        if len(found) == len(entry.people):
            means[entry] = sum(found) / len(found)
    return sorted(means, key=lambda one: (means[one], one.pk))


def _entries(tournament: Tournament) -> Iterable[Entry]:
    here = tournament.entries.filter(withdrawn_at=None)
    return here.select_related("member", "partner").order_by("pk")


@transaction.atomic
def _seed(tournament: Tournament, order: Sequence[Entry], *, how: str, by: Actor) -> int:
    fresh = locked(tournament)
    refuse_drawn(fresh)
    if not order:
        message = _("None of the entries is in it, so the seeds haven't changed.")
        raise Refused("nobody-seeded", message, status=409)
    fresh.entries.update(seed=None)
    for seed, entry in enumerate(order, 1):
        entry.seed = seed
    Entry.objects.bulk_update(order, ["seed"])
    new = {"how": how, "seeds": len(order)}
    log_action(fresh.club, by, "seed entries", fresh, session=fresh.session, new=new)
    bump(fresh.session)
    return len(order)


@transaction.atomic
def keep_apart(one: Entry, other: Entry, *, by: Actor) -> None:
    """From the next draw on the two are not drawn against each other. Refuses (`same-entry`) an
    entry and itself."""
    if one == other:
        message = _("Choose two different entries.")
        raise Refused("same-entry", message, fields={"other": [message]})
    _noted(one, other, "keep entries apart", by=by)
    one.apart_from.add(other)


@transaction.atomic
def let_meet(one: Entry, other: Entry, *, by: Actor) -> None:
    """The two may meet again."""
    _noted(one, other, "let entries meet", by=by)
    one.apart_from.remove(other)


def _noted(one: Entry, other: Entry, action: str, *, by: Actor) -> None:
    fresh = locked(one.tournament)
    names = [", ".join(person.name for person in entry.people) for entry in (one, other)]
    log_action(fresh.club, by, action, fresh, session=fresh.session, new={"entries": names})
    bump(fresh.session)


@transaction.atomic
def seed_entry(entry: Entry, seed: int | None, *, by: Actor) -> Entry:
    """Give an entry its seed, or take it away; entries without one follow by lot."""
    fresh = locked(entry.tournament)
    refuse_drawn(fresh)
    old, entry.seed = entry.seed, seed
    entry.save(update_fields=["seed"])
    what = {"entry": _names(entry), "seed": seed}
    log_action(
        fresh.club, by, "seed entry", fresh, session=fresh.session, old={"seed": old}, new=what
    )
    bump(fresh.session)
    return entry
