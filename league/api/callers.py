"""Who asks: a program with a token of one club, or whoever holds the code of one table."""

import logging
from dataclasses import dataclass
from datetime import datetime

from django.db.models import OuterRef, Subquery
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from ninja.security import HttpBearer

from league.access import PUBLIC, reaches
from league.api.limits import count_request, count_wrong_token
from league.errors import Refused
from league.members.actions.invitations import hash_of
from league.members.actions.tokens import PREFIX
from league.members.audit import Actor
from league.members.models import ApiToken, Club, Role
from league.play.links import read_code
from league.seating.models import Round, Table
from league.sessions.models import Session

log = logging.getLogger("league.api")

RANK_OF = {
    ApiToken.Scope.PUBLIC: None,
    ApiToken.Scope.READ: Role.Rank.MEMBER,
    ApiToken.Scope.RECORD: Role.Rank.SCOREKEEPER,
    ApiToken.Scope.ORGANISE: Role.Rank.ORGANISER,
}


@dataclass(frozen=True, slots=True)
class Caller:
    """Whoever asks: in which club, with what rank there, and at which table if at one alone.

    `rank` is None for a token that reads what the public reads, and for a table's code.
    """

    club: Club
    rank: str | None
    by: Actor
    table: Table | None = None

    @property
    def is_organiser(self) -> bool:
        return reaches(self.rank, Role.Rank.ORGANISER)


class Token(HttpBearer):
    """Lets in whoever may do what `least` may; with `tables`, the code of a table too.

    401 to a token that opens nothing (any more), 403 to one that opens less than this.
    """

    def __init__(self, least: str, *, tables: bool = False) -> None:
        super().__init__()
        self.least, self.tables = least, tables

    def authenticate(self, request: HttpRequest, token: str) -> Caller:
        address, now = request.META.get("REMOTE_ADDR", ""), timezone.now()
        caller = _by_token(token, address, now) or _by_code(token, address)
        if caller is None:
            count_wrong_token(request)
            log.warning("refused a wrong token: %s", address)
            raise Refused("bad-token", _("This token opens nothing here."), status=401)
        count_request(hash_of(token), at=now)
        self._refuse_below(caller)
        return caller

    def _refuse_below(self, caller: Caller) -> None:
        if caller.table is not None:
            if not self.tables:
                message = _("The code of a table opens that table and nothing else.")
                raise Refused("table-only", message, status=403)
        elif not reaches(caller.rank, self.least):
            log.warning(
                "refused %s of club %s: not %s", caller.by.label, caller.club.pk, self.least
            )
            raise Refused("beyond-token", _("This token may not do that."), status=403)
        elif caller.rank is None and not caller.club.is_public:
            message = _("This club shows nothing in public.")
            raise Refused("not-public", message, status=403)


OPEN = Token(PUBLIC)
MEMBERS = Token(Role.Rank.MEMBER)
ORGANISERS = Token(Role.Rank.ORGANISER)
AT_TABLE = Token(Role.Rank.MEMBER, tables=True)
SCOREKEEPERS = Token(Role.Rank.SCOREKEEPER, tables=True)


def caller_of(request: HttpRequest) -> Caller:
    """Who asks, as `Token` found out."""
    caller: Caller = request.auth  # type: ignore[attr-defined]
    return caller


def _by_token(secret: str, address: str, now: datetime) -> Caller | None:
    """A club's token: as long as it is not revoked and its maker may still do as much."""
    if not secret.startswith(PREFIX):
        return None
    role = Role.objects.filter(club=OuterRef("club"), user=OuterRef("made_by")).values("rank")[:1]
    found = ApiToken.objects.filter(
        token_hash=hash_of(secret), revoked_at=None, made_by__is_active=True
    )
    token = found.select_related("club", "made_by").annotate(makers_rank=Subquery(role)).first()
    if token is None or not reaches(token.makers_rank, Role.Rank.ORGANISER):
        return None
    token.was_used(now)
    label = _("%(program)s, by the API") % {"program": token.name}
    by = Actor(label, token.made_by, source=address)
    return Caller(token.club, RANK_OF[ApiToken.Scope(token.scope)], by)


def _by_code(code: str, address: str) -> Caller | None:
    """The code of a table, as its phone holds it: while the session is open."""
    told = read_code(code)
    if told is None:
        return None
    table = (
        Table.objects.select_related("session__club", "ruleset")
        .filter(
            public_id=told[0],
            link_version=told[1],
            round__state=Round.State.PUBLISHED,
            session__state=Session.State.OPEN,
        )
        .first()
    )
    if table is None:
        return None
    label = _("phone at table %(number)d") % {"number": table.number}
    return Caller(table.session.club, None, Actor(label, source=address), table)
