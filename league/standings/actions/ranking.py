"""Orders about standings: what a club or a session ranks by; a season closed with its champions."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.actions.live import touch_sessions
from league.members.audit import Actor, note
from league.members.models import Club, Member
from league.ranking.measures import MEASURES
from league.ranking.promotion import Standing, moves
from league.seasons.actions import close_season, lock_season
from league.seasons.models import Division, Season
from league.sessions.actions import bump, lock
from league.sessions.models import Session
from league.standings.queries import Standings
from league.standings.season_queries import season_standings


@transaction.atomic
def choose_measures(club: Club, codes: Sequence[str], *, by: Actor) -> Club:
    """Rank the club's sessions and seasons by `codes`, in order. Sessions with a list of their
    own keep it. Refuses (`unknown-measure`) a code that is none."""
    _known(codes)
    fresh = Club.objects.select_for_update().get(pk=club.pk)
    old, fresh.measures = fresh.measures, list(codes)
    fresh.save(update_fields=["measures"])
    touch_sessions(fresh)
    note(fresh, by, "choose measures", fresh, old=old, new=fresh.measures)
    return fresh


@transaction.atomic
def choose_session_measures(club_session: Session, codes: Sequence[str], *, by: Actor) -> Session:
    """Rank this session by `codes`; an empty list gives it back to the club's rule."""
    _known(codes)
    fresh = lock(club_session)
    old, fresh.measures = fresh.measures, list(codes)
    fresh.save(update_fields=["measures"])
    note(fresh.club, by, "choose measures", fresh, session=fresh, old=old, new=fresh.measures)
    bump(fresh)
    return fresh


@transaction.atomic
def end_season(season: Season, *, by: Actor, at: datetime) -> Season:
    """Close the season; whoever stands first in its table is its champion, two who share it both.

    With divisions each has its champions, and who goes up and down is proposed. Refuses
    (`season-provisional`) while a game of it is open, and (`season-empty`) one in which nobody
    has a place.
    """
    fresh = lock_season(season)
    whole, divisions = season_standings(fresh, at=at), list(fresh.divisions.all())
    tables = [season_standings(fresh, at=at, division=one) for one in divisions]
    if whole.provisional:
        raise Refused(
            "season-provisional",
            _("Some games of this season are still open. Finish or call them off first."),
            status=409,
        )
    champions: list[tuple[Member, Division | None]] = [
        (who, one) for one, table in zip(divisions, tables, strict=True) for who in _first(table)
    ]
    if not divisions:
        champions = [(who, None) for who in _first(whole)]
    if not champions:
        raise Refused("season-empty", _("Nobody has a place in this season yet."), status=409)
    outcomes = _proposed(fresh, tables)
    return close_season(fresh, champions=champions, outcomes=outcomes, by=by, at=at)


def _first(table: Standings) -> list[Member]:
    """Who has the first place of a table."""
    placed = [line for line in table.lines if not table.season[line.who].missing]
    return [table.people[line.who] for line in placed if line.rank == 1]


def _proposed(season: Season, tables: Sequence[Standings]) -> dict[int, tuple[str, bool]]:
    """Who goes up and down by the final tables of the divisions, by member."""
    placed = list(season.placements.select_related("division", "member"))
    by_number: list[list[Standing]] = [[] for _table in tables]
    for one in placed:
        table = tables[one.division.number - 1]
        by_number[one.division.number - 1].append(_standing(one.member, table))
    found = moves(by_number, season.moving, seed=season.public_id)
    keys = {one.member.public_id: one.member_id for one in placed}
    return {keys[who]: (move.outcome, move.by_lot) for who, move in found.items()}


def _standing(member: Member, table: Standings) -> Standing:
    for line in table.lines:
        if line.who == member.pk:
            return Standing(member.public_id, line.rank, not table.season[line.who].missing)
    return Standing(member.public_id, len(table.lines) + 1, placed=False)


def _known(codes: Sequence[str]) -> None:
    for code in codes:
        if code not in MEASURES:
            raise Refused("unknown-measure", _("There is no such measure."))
