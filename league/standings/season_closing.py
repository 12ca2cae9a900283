"""Closing a season: its champions, and who moves up and down."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.errors import Refused
from league.members.audit import Actor
from league.members.models import Member
from league.ranking.season import DivisionPlace, division_moves
from league.seasons.actions import close_season, lock_season
from league.seasons.models import Season
from league.sessions.models import Session
from league.sessions.of_seasons import days_of, planned_sessions, take_out_of_season
from league.standings.pot_text import season_debt_texts
from league.standings.queries import Standings, sessions_with_open_games
from league.standings.season_queries import (
    leaders_of,
    season_results,
    season_standings,
    tables_of,
)


@transaction.atomic
def end_season(season: Season, *, by: Actor, at: datetime, anyway: bool = False) -> Season:
    """Close the season. The players in first place (several if tied) are its champions.

    With divisions, each has its own champions, and promotions and relegations are proposed. Refuses
    while the standings of a session are held back (`season-held`), a session is open
    (`season-session-open`) or a game is open (`season-provisional`; `details` of both have the
    `sessions`), if no player has a place (`season-empty`), and, unless `anyway`, while sessions are
    planned in it, which then leave it (`season-planned`), or its stakes are not settled
    (`season-unpaid`).
    """
    locked = lock_season(season)
    if locked.sessions.filter(standings_held=True).exists():
        message = _("The standings of a session are still held back. Release them first.")
        raise Refused("season-held", message, status=409)
    _refuse_open_sessions(locked)
    tables = tables_of(locked, at=at)
    season_table = tables.get(None) or season_standings(locked, at=at)
    if season_table.provisional:
        sessions = sessions_with_open_games(season_results(locked), at)
        message = _(
            "Some games are still open: %(sessions)s. Finish or confirm each, or choose “Don't "
            "count this game” on its page."
        )
        message %= {"sessions": ", ".join(sessions.values())}
        details = {"sessions": sessions}
        raise Refused("season-provisional", message, status=409, details=details)
    champions = leaders_of(tables)
    if not champions:
        raise Refused("season-empty", _("Nobody has a place in this season yet."), status=409)
    if not anyway:
        _refuse_unsettled(locked, at=at)
    outcomes = _proposed_moves(locked, list(tables.values()))
    take_out_of_season(locked, planned_sessions(locked), by=by, closing=True)
    return close_season(locked, champions=champions, outcomes=outcomes, by=by, at=at)


def _refuse_open_sessions(season: Season) -> None:
    """Games still to be played could change the champions, and stakes are paid at the door."""
    sessions = season.sessions.filter(state=Session.State.OPEN).order_by("held_on", "pk")
    names = dict(sessions.values_list("public_id", "name"))
    if names:
        message = ngettext(
            "A session of this season is still open: %(names)s. Close it first.",
            "Sessions of this season are still open: %(names)s. Close them first.",
            len(names),
        )
        message %= {"names": ", ".join(names.values())}
        details = {"sessions": names}
        raise Refused("season-session-open", message, status=409, details=details)


def _refuse_unsettled(season: Season, *, at: datetime) -> None:
    """Sessions still planned would count after all; stakes are collected at no door any more."""
    days = days_of(planned_sessions(season))
    texts = [_planned_text(days)] if days else []
    texts += season_debt_texts(season, at=at) if season.club.keeps_pots else []
    if texts:
        code, fields = "season-planned" if days else "season-unpaid", {"anyway": texts}
        raise Refused(code, " ".join(texts), fields=fields, status=409, asks="anyway")


def _planned_text(days: Sequence[str]) -> str:
    text = ngettext(
        "%(n)d planned session is in this season: %(days)s. Closing the season takes it out.",
        "%(n)d planned sessions are in this season: %(days)s. Closing the season takes them out.",
        len(days),
    )
    return text % {"n": len(days), "days": ", ".join(days)}


def _proposed_moves(season: Season, tables: Sequence[Standings]) -> dict[int, tuple[str, bool]]:
    """The proposed outcome of each member by the final tables of the divisions."""
    placements = list(season.placements.select_related("division", "member"))
    by_number: list[list[DivisionPlace]] = [[] for _table in tables]
    for placement in placements:
        table = tables[placement.division.number - 1]
        by_number[placement.division.number - 1].append(_division_place(placement.member, table))
    moves = division_moves(by_number, season.moving, seed=season.public_id)
    keys = {placement.member.public_id: placement.member_id for placement in placements}
    return {keys[public_id]: (move.outcome, move.by_lot) for public_id, move in moves.items()}


def _division_place(member: Member, table: Standings) -> DivisionPlace:
    for line in table.lines:
        if line.who == member.pk:
            return DivisionPlace(member.public_id, line.rank, not table.season[line.who].missing)
    return DivisionPlace(member.public_id, len(table.lines) + 1, placed=False)
