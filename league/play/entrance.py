"""Who may write at a table: the holder of its code, or a scorekeeper of the club and above."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, cast

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from league.access import rank_in, reaches
from league.errors import Refused
from league.members.audit import Actor, actor_of
from league.members.models import Club, ClubRuleset, Role
from league.play.links import holds_cookie
from league.play.problems import problem, wants_json
from league.seating.models import Round, Table
from league.sessions.models import Session
from league.statements import read_joined

log = logging.getLogger("league.play")

PUBLISHED = Round.State.PUBLISHED.value
TABLE = """
FROM league_table
JOIN league_round ON league_round.id = league_table.round_id
JOIN league_session ON league_session.id = league_table.session_id
JOIN league_club ON league_club.id = league_session.club_id
JOIN league_clubruleset ON league_clubruleset.id = league_table.ruleset_id
WHERE league_table.public_id = %s AND league_round.state = %s
"""


@dataclass(frozen=True, slots=True)
class Visit:
    """Somebody at a table's pages. `rank` is their rank in the club, None for the table's phone."""

    table: Table
    by: Actor
    rank: str | None

    @property
    def is_phone(self) -> bool:
        return self.rank is None

    @property
    def is_organiser(self) -> bool:
        return reaches(self.rank, Role.Rank.ORGANISER)


def table_page(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Give a view its `Visit`; everybody else gets the same 403, whether the table exists or not.

    The code of a table opens nothing once its session is closed; a scorekeeper comes in by role.
    """

    @wraps(view)
    def guarded(request: HttpRequest, public_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        visit = _visit(request, public_id)
        if visit is None:
            log.warning("refused at table %s: %s", public_id, request.META.get("REMOTE_ADDR"))
            return _locked(request)
        with timezone.override(visit.table.session.club.zone):
            response = view(request, visit, *args, **kwargs)
        response.headers.setdefault("Cache-Control", "no-store")
        return response

    return guarded


def _locked(request: HttpRequest) -> HttpResponse:
    if not wants_json(request):
        return render(request, "play/locked.html", status=403)
    message = _("This table's code does not work any more. Ask the organiser for a new code.")
    return problem(Refused("locked", message, status=403))


def _table(public_id: str) -> Table | None:
    """A published table with its session, club and rules."""
    found = read_joined((Table, Session, Club, ClubRuleset), TABLE, public_id, PUBLISHED)
    if not found:
        return None
    table, session, club, rules = found[0]
    table.session, table.ruleset, session.club = session, rules, club
    return cast(Table, table)


def _visit(request: HttpRequest, public_id: str) -> Visit | None:
    table = _table(public_id)
    if table is None:
        return None
    if table.session.state == Session.State.OPEN and holds_cookie(request, table):
        label = _("phone at table %(number)d") % {"number": table.number}
        return Visit(table, Actor(label, source=request.META.get("REMOTE_ADDR", "")), None)
    rank = rank_in(table.session.club, request.user)
    if reaches(rank, Role.Rank.SCOREKEEPER):
        return Visit(table, actor_of(request), rank)
    return None
