"""Before the draw: seeds, entries to be kept apart, and finals.

Seeds are set one by one, from a list, by ratings or by a season. The best of a season, a session or
a tournament go into a final, seeded by place.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

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
from league.tournaments.actions.entering import PAIR, admit, names_of, refuse_drawn
from league.tournaments.actions.setup import locked, start_tournament, touch
from league.tournaments.models import Entry, Stage, Tournament
from league.tournaments.parameters import DRAWN, StageOptions
from league.tournaments.queries import entry_places, stage_of
from league.tournaments.stage_state import load_stage
from league.tournaments.standing import standing_of


def seed_by_list(tournament: Tournament, lines: Sequence[str], *, by: Actor) -> int:
    """Seed the entries named, one per line, in this order; the others get no seed.

    A line names one or both of an entry's players, as in pasted lists: with numbers, without
    accents, or surname first. Refuses (`unknown-names`) all lines without a known name, and those
    that name an entry again.
    """
    entries = _entries_by_name(tournament)
    order: list[Entry] = []
    errors: list[str] = []
    for line in filter(str.strip, lines):
        names = _split_names(line)
        matches = {entries.get(name_key(name)) or entries.get(sort_key(name)) for name in names}
        entry = matches.pop() if len(matches) == 1 else None
        if entry is None:
            errors.append(_("No entry has this name: %(name)s") % {"name": line.strip()})
        elif entry in order:
            errors.append(_("Named twice: %(name)s") % {"name": line.strip()})
        else:
            order.append(entry)
    if errors:
        raise Refused("unknown-names", errors[0], fields={"names": errors})
    return _save_seeds(tournament, order, method="list", by=by)


def _entries_by_name(tournament: Tournament) -> dict[str, Entry]:
    """The entries by their players' names, and by plain-letter spellings that only one has."""
    exact: dict[str, Entry] = {}
    by_plain_name: dict[str, set[Entry]] = defaultdict(set)
    for entry in _active_entries(tournament):
        for person in entry.people:
            exact[name_key(person.name)] = entry
            by_plain_name[sort_key(person.name)].add(entry)
    unique = {name: entries.pop() for name, entries in by_plain_name.items() if len(entries) == 1}
    return unique | exact


def _split_names(line: str) -> list[str]:
    """The one or two names on a line."""
    parts = BULLET.sub("", line).split("&")
    return [name for part in parts for name in tidy(part).split("\n")]


def seed_by_ratings(tournament: Tournament, *, by: Actor, at: datetime) -> int:
    """Seed by rating, a pair by the mean of its two; entries without a rating get no seed."""
    ratings = ratings_of(tournament.club, at=at)
    values = {member: -rating.cautious for member, rating in ratings.items()}
    return _save_seeds(tournament, _order_by_mean(tournament, values), method="ratings", by=by)


def seed_by_season(tournament: Tournament, season: Season, *, by: Actor, at: datetime) -> int:
    """Seed by places in a season, a pair by the mean of its two; entries not in it get no seed."""
    places = {line.who: line.rank for line in season_standings(season, at=at).lines}
    return _save_seeds(tournament, _order_by_mean(tournament, places), method=season.name, by=by)


def _order_by_mean(tournament: Tournament, values: Mapping[int, float]) -> list[Entry]:
    """The entries whose players all have a value, the lowest mean first."""
    means = {}
    for entry in _active_entries(tournament):
        known_values = [values[person.pk] for person in entry.people if person.pk in values]
        if len(known_values) == len(entry.people):
            means[entry] = sum(known_values) / len(known_values)
    return sorted(means, key=lambda entry: (means[entry], entry.pk))


def _active_entries(tournament: Tournament) -> QuerySet[Entry]:
    entries = tournament.entries.filter(withdrawn_at=None)
    return entries.select_related("member", "partner").order_by("pk")


@transaction.atomic
def _save_seeds(tournament: Tournament, order: Sequence[Entry], *, method: str, by: Actor) -> int:
    fresh = locked(tournament)
    refuse_drawn(fresh)
    if not order:
        message = _("None of the entries is in it, so the seeds haven't changed.")
        raise Refused("nobody-seeded", message, status=409)
    fresh.entries.update(seed=None)
    for seed, entry in enumerate(order, 1):
        entry.seed = seed
    Entry.objects.bulk_update(order, ["seed"])
    new = {"how": method, "seeds": len(order)}
    log_action(fresh.club, by, "seed entries", fresh, session=fresh.session, new=new)
    bump(fresh.session)
    return len(order)


@transaction.atomic
def keep_apart(entries: Sequence[Entry], *, by: Actor) -> None:
    """Keep these entries apart from the next draw on. Refuses fewer than two (`too-few`)."""
    if len(set(entries)) < 2:
        message = _("Choose at least two entries.")
        raise Refused("too-few", message, fields={"entries": [message]})
    _log_entries(entries, "keep entries apart", by=by)
    for entry in entries:
        entry.apart_from.add(*(other for other in entries if other != entry))


@transaction.atomic
def let_meet(entries: Sequence[Entry], *, by: Actor) -> None:
    """Let these entries meet again."""
    _log_entries(entries, "let entries meet", by=by)
    for entry in entries:
        entry.apart_from.remove(*entries)


def _log_entries(entries: Sequence[Entry], action: str, *, by: Actor) -> None:
    fresh = locked(entries[0].tournament)
    names = [names_of(entry) for entry in entries]
    log_action(fresh.club, by, action, fresh, session=fresh.session, new={"entries": names})
    bump(fresh.session)


@transaction.atomic
def seed_entry(entry: Entry, seed: int | None, *, by: Actor) -> Entry:
    """Set or clear the seed of an entry; entries without a seed are drawn after the seeds.

    Refuses the seed of another entry (`seed-taken`).
    """
    fresh = locked(entry.tournament)
    refuse_drawn(fresh)
    _refuse_taken_seed(fresh, entry, seed)
    old, entry.seed = entry.seed, seed
    entry.save(update_fields=["seed"])
    new = {"entry": names_of(entry), "seed": seed}
    log_action(
        fresh.club, by, "seed entry", fresh, session=fresh.session, old={"seed": old}, new=new
    )
    bump(fresh.session)
    return entry


def _refuse_taken_seed(tournament: Tournament, entry: Entry, seed: int | None) -> None:
    holders = _active_entries(tournament).exclude(pk=entry.pk).filter(seed=seed) if seed else ()
    for holder in holders:
        params = {"names": as_partners(holder.people), "n": seed}
        message = _("%(names)s: already seed %(n)d. Clear that seed first.") % params
        raise Refused("seed-taken", message, fields={"seed": [message]}, status=409)


Source = Season | Session | Tournament


def best_of(
    source: Source, count: int, *, at: datetime, chosen: Collection[Member] = ()
) -> list[tuple[Member, ...]]:
    """The first `count` players of a table, or pairs if pairs played it, the best first.

    Leaves out inactive members and withdrawn entries. Refuses (`too-few`) if there are fewer, and
    (`level`) if more are level than there are places, unless so many of these are `chosen`, each
    pair by its first player.
    """
    ranked = _best_entries(source) if isinstance(source, Tournament) else _best_players(source, at)
    best = [players for _rank, players in ranked]
    if len(best) < count:
        message = _("That table has only %(n)d.") % {"n": len(best)}
        raise Refused("too-few", message, fields={"count": [message]})
    last = ranked[count - 1][0]
    level = [players for rank, players in ranked if rank == last]
    above = [rank for rank, _players in ranked].index(last)
    if above + len(level) == count:
        return best[:count]
    picked = [players for players in level if players[0] in chosen]
    if len(picked) != count - above:
        raise _too_many_level(level, above, count)
    return best[:above] + picked


def _too_many_level(level: Sequence[tuple[Member, ...]], above: int, count: int) -> Refused:
    """The refusal to pick silently among players or pairs that are level. To take all of them is
    offered where pairs can be made of so many."""
    everyone = above + len(level)
    message = ngettext(
        "%(level)d are level for %(n)d place: choose who plays.",
        "%(level)d are level for %(n)d places: choose who plays.",
        count - above,
    )
    are_pairs = all(len(players) == PAIR for players in level)
    can_take_all = ngettext(
        "%(level)d are level for %(n)d place: take %(all)d, or choose who plays.",
        "%(level)d are level for %(n)d places: take %(all)d, or choose who plays.",
        count - above,
    )
    if are_pairs or everyone % 2 == 0:
        message = can_take_all
    message %= {"level": len(level), "n": count - above, "all": everyone}
    names = [(players[0].pk, as_partners([one.name for one in players])) for players in level]
    return Refused("level", message, fields={"count": [message]}, details={"level": names})


@transaction.atomic
def start_final(
    club_session: Session,
    finalists: Sequence[tuple[Member, ...]],
    *,
    name: str,
    choice: StageOptions,
    seed: int,
    by: Actor,
    at: datetime,
    follows: Tournament | None = None,
) -> Tournament:
    """Start a bracket of the finalists, given best first; players become pairs as `choice` says.

    `follows` is the tournament whose best they are, if they are that. Checks all of them in, even
    those who are still checked in to another session. Refuses an odd number of players
    (`odd-number`).
    """
    tournament = start_tournament(
        club_session,
        name=name,
        format=Stage.Format.KNOCKOUT,
        choice=replace(choice, partners=""),  # partners are found below, not by a seeding round
        seed=seed,
        by=by,
    )
    fresh = locked(tournament)
    fresh.follows = follows
    fresh.save(update_fields=["follows"])
    entries = [
        admit(fresh, member, partner, number=None, late=False, by=by, at=at, even_if_elsewhere=True)
        for member, partner in _make_pairs(finalists, choice.partners, seed)
    ]
    for place, entry in enumerate(entries, 1):
        entry.seed = place
    Entry.objects.bulk_update(entries, ["seed"])
    touch(fresh)
    return fresh


def _make_pairs(
    finalists: Sequence[tuple[Member, ...]], way: str, seed: int
) -> list[tuple[Member, Member]]:
    """The pairs of the final, ordered by the better place of the two."""
    if all(len(finalist) == 2 for finalist in finalists):
        return [(finalist[0], finalist[1]) for finalist in finalists]
    players = {finalist[0].pk: finalist[0] for finalist in finalists}
    if len(players) % 2:
        message = _("Choose an even number of players.")
        raise Refused("odd-number", message, fields={"count": [message]})
    order = list(players)
    partners = drawn_partners(order, seed=seed) if way == DRAWN else folded_partners(order)
    pairs = [(players[int(key)], players[int(other)]) for key, other in partners.pairs]
    return sorted(pairs, key=lambda pair: min(order.index(player.pk) for player in pair))


Ranked = list[tuple[int, tuple[Member, ...]]]
"""Players or pairs, each with its place, the best first."""


def _best_players(source: Season | Session, at: datetime) -> Ranked:
    if isinstance(source, Season):
        table = season_standings(source, at=at)
    else:
        table = session_standings(source, at=at)
    current = Member.objects.current().in_bulk([line.who for line in table.lines])
    return [(line.rank, (current[line.who],)) for line in table.lines if line.who in current]


def _best_entries(source: Tournament) -> Ranked:
    state = load_stage(stage_of(source))
    places = entry_places(state, standing_of(state))
    order = sorted(places, key=lambda key: places[key])  # place 0 is still in the bracket
    entries = [(places[key], state.entries[key]) for key in order if key in state.active_entries]
    if any(entry.partner_id is None for _place, entry in entries):
        return [(place, (entry.member,)) for place, entry in entries]
    return [(place, tuple(entry.people)) for place, entry in entries]
