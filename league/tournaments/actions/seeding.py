"""Before the draw: seeds one by one, from a list, by ratings or a season; entries kept apart. And
finals, into which the best of a season, a session or a tournament go, seeded by place."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from league.errors import Refused
from league.labels import as_partners
from league.members.audit import Actor, log_action
from league.members.models import Member
from league.members.names import name_key, sort_key
from league.members.paste import BULLET, tidy
from league.pairing.formats import drawn_partners, folded_partners
from league.seasons.models import Season
from league.sessions.actions import bump
from league.sessions.models import Session
from league.standings.careers import ratings_of
from league.standings.queries import session_standings
from league.standings.season_queries import season_standings
from league.tournaments.actions.entering import admit, names_of, refuse_drawn
from league.tournaments.actions.setup import locked, start_tournament, touch
from league.tournaments.models import Entry, Stage, Tournament
from league.tournaments.parameters import DRAWN, Chosen
from league.tournaments.queries import entry_places, stage_of
from league.tournaments.stage_state import load_stage
from league.tournaments.standing import standing_of


def seed_by_list(tournament: Tournament, lines: Sequence[str], *, by: Actor) -> int:
    """The entries named, one a line, are the seeds in this order; the others have none.

    A line names one of an entry's players, or both, as lists are pasted: with numbers, without
    accents, the surname first. Refuses with every line that names nobody who has entered, or an
    entry a second time.
    """
    known = _by_name(tournament)
    order: list[Entry] = []
    wrong: list[str] = []
    for line in filter(str.strip, lines):
        named = [known.get(name_key(part)) or known.get(sort_key(part)) for part in _named_in(line)]
        entry = named[0] if len(set(named)) == 1 else None
        if entry is None:
            wrong.append(_("No entry has this name: %(name)s") % {"name": line.strip()})
        elif entry in order:
            wrong.append(_("Named twice: %(name)s") % {"name": line.strip()})
        else:
            order.append(entry)
    if wrong:
        raise Refused("unknown-names", wrong[0], fields={"names": wrong})
    return _seed(tournament, order, how="list", by=by)


def _by_name(tournament: Tournament) -> dict[str, Entry]:
    """The entries by their players' names, and in plain letters where only one reads like that."""
    known: dict[str, Entry] = {}
    plain: dict[str, set[Entry]] = defaultdict(set)
    for entry in _entries(tournament):
        for person in entry.people:
            known[name_key(person.name)] = entry
            plain[sort_key(person.name)].add(entry)
    alone = {key: entries.pop() for key, entries in plain.items() if len(entries) == 1}
    return alone | known


def _named_in(line: str) -> list[str]:
    """The one or two names of a line."""
    parts = BULLET.sub("", line).split("&")
    return [name for part in parts for name in tidy(part).split("\n")]


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
        seeds = [values[person.pk] for person in entry.people if person.pk in values]
        if len(seeds) == len(entry.people):
            means[entry] = sum(seeds) / len(seeds)
    return sorted(means, key=lambda one: (means[one], one.pk))


def _entries(tournament: Tournament) -> QuerySet[Entry]:
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
def keep_apart(entries: Sequence[Entry], *, by: Actor) -> None:
    """From the next draw on none of these is drawn against another. Refuses (`too-few`) fewer
    than two."""
    if len(set(entries)) < 2:
        message = _("Choose at least two entries.")
        raise Refused("too-few", message, fields={"entries": [message]})
    _noted(entries, "keep entries apart", by=by)
    for entry in entries:
        entry.apart_from.add(*(other for other in entries if other != entry))


@transaction.atomic
def let_meet(entries: Sequence[Entry], *, by: Actor) -> None:
    """These may meet again."""
    _noted(entries, "let entries meet", by=by)
    for entry in entries:
        entry.apart_from.remove(*entries)


def _noted(entries: Sequence[Entry], action: str, *, by: Actor) -> None:
    fresh = locked(entries[0].tournament)
    names = [", ".join(person.name for person in entry.people) for entry in entries]
    log_action(fresh.club, by, action, fresh, session=fresh.session, new={"entries": names})
    bump(fresh.session)


@transaction.atomic
def seed_entry(entry: Entry, seed: int | None, *, by: Actor) -> Entry:
    """Give an entry its seed, or take it away; entries without one follow by lot. Refuses the seed
    of another entry (`seed-taken`)."""
    fresh = locked(entry.tournament)
    refuse_drawn(fresh)
    _refuse_taken(fresh, entry, seed)
    old, entry.seed = entry.seed, seed
    entry.save(update_fields=["seed"])
    what = {"entry": names_of(entry), "seed": seed}
    log_action(
        fresh.club, by, "seed entry", fresh, session=fresh.session, old={"seed": old}, new=what
    )
    bump(fresh.session)
    return entry


def _refuse_taken(tournament: Tournament, entry: Entry, seed: int | None) -> None:
    others = _entries(tournament).exclude(pk=entry.pk).filter(seed=seed) if seed else ()
    for other in others:
        names = {"names": as_partners(other.people), "n": seed}
        message = _("%(names)s: already seed %(n)d. Clear that seed first.") % names
        raise Refused("seed-taken", message, fields={"seed": [message]}, status=409)


Source = Season | Session | Tournament


def best_of(source: Source, count: int, *, at: datetime) -> list[tuple[Member, ...]]:
    """The first so many of a table, the best first: players, or pairs where pairs play.

    Who has left the club's list, or the tournament, is passed over. Refuses fewer (`too-few`).
    """
    if isinstance(source, Tournament):
        best = _best_entries(source)
    else:
        best = [(member,) for member in _best_players(source, at)]
    if len(best) < count:
        message = _("That table has only %(n)d.") % {"n": len(best)}
        raise Refused("too-few", message, fields={"count": [message]})
    return best[:count]


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
        club_session,
        name=name,
        format=Stage.Format.KNOCKOUT,
        choice=replace(choice, partners=""),  # they are found here, not after a seeding round
        seed=seed,
        by=by,
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
    if all(len(finalist) == 2 for finalist in finalists):
        return [(finalist[0], finalist[1]) for finalist in finalists]
    players = {finalist[0].pk: finalist[0] for finalist in finalists}
    if len(players) % 2:
        message = _("Choose an even number of players.")
        raise Refused("odd-number", message, fields={"count": [message]})
    order = list(players)
    partners = drawn_partners(order, seed=seed) if way == DRAWN else folded_partners(order)
    pairs = [(players[int(one)], players[int(other)]) for one, other in partners.pairs]
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
    order = sorted(places, key=lambda who: places[who])  # 0: still in the bracket
    here = [state.entries[who] for who in order if who in state.playing]
    if any(one.partner_id is None for one in here):
        return [(one.member,) for one in here]
    return [tuple(one.people) for one in here]
