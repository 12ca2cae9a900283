"""Who asks: a program with a club's token, or anyone who holds a table's code; and how often."""

import logging
from dataclasses import dataclass
from datetime import datetime
from threading import Lock

from django.db import DatabaseError
from django.db.models import OuterRef, Subquery
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from ninja.security import HttpBearer

from league import limits
from league.access import PUBLIC, reaches
from league.errors import Refused
from league.limits import Limit, network_of
from league.members.actions.roles import TOKEN_PREFIX, hash_token
from league.members.audit import Actor, club_language
from league.members.models import ApiToken, Club, Role
from league.play.auth import read_code
from league.seating.models import Round, Table
from league.sessions.models import Session

# What a token asks is counted for all processes of all machines, in the database: but each process
# tells it only of every so many requests, since a write for every read would be a burden to the
# evening's server of its own. So the limit is exceeded by some requests a process at most. While
# the database cannot be written each process counts for itself.

A_MINUTE = 300
PARTS_AT_ONCE = 30  # parts of what is allowed: a process tells the database of each
WRONG_TOKENS = Limit(most=30, within=10 * limits.MINUTE)


class _Minute:
    """What this process has counted in one minute: of each secret, how often it asked since the
    database was told, and what the database said then."""

    def __init__(self) -> None:
        self.lock, self.minute = Lock(), 0
        self.unsaved: dict[str, int] = {}
        self.counts: dict[str, int] = {}

    def count(self, who: str, minute: int) -> int:
        """One more; how many these are with those of other processes, as far as is known."""
        with self.lock:
            if minute != self.minute:
                self.minute, self.unsaved, self.counts = minute, {}, {}
            self.unsaved[who] = self.unsaved.get(who, 0) + 1
            known, unsaved = self.counts.get(who, 0), self.unsaved[who]
            enough = who not in self.counts or unsaved * PARTS_AT_ONCE >= A_MINUTE
            if enough:
                self.unsaved[who] = 0
        if not enough:
            return known + unsaved
        count = _save_count(who, minute, unsaved)
        with self.lock:
            self.counts[who] = count = count or known + unsaved
        return count


_here = _Minute()


def _save_count(who: str, minute: int, more: int) -> int | None:
    """The database's count with so many more; None while it cannot be written."""
    try:
        return limits.add(f"api:{who}:{minute}", 2 * limits.MINUTE, more)
    except DatabaseError:
        return None


def count_request(who: str, *, at: datetime) -> None:
    """One more request of this secret in this minute; refuses with 429 once there are too many."""
    if _here.count(who, int(at.timestamp() // 60)) > A_MINUTE:
        message = _("A token can make %(most)d requests a minute.") % {"most": A_MINUTE}
        left = 60 - int(at.timestamp() % 60)
        raise Refused("too-many-requests", message, status=429, details={"retry_after": left})


def count_wrong_token(request: HttpRequest) -> None:
    """Count a wrong token; refuse an address that keeps sending them."""
    message = _("Too many wrong tokens from here.")
    limits.refuse_over(f"wrong-token:{network_of(request)}", WRONG_TOKENS, message)


log = logging.getLogger("league.api")

RANK_OF = {
    ApiToken.Scope.PUBLIC: None,
    ApiToken.Scope.READ: Role.Rank.MEMBER,
    ApiToken.Scope.RECORD: Role.Rank.SCOREKEEPER,
    ApiToken.Scope.ORGANISE: Role.Rank.ORGANISER,
}


@dataclass(frozen=True, slots=True)
class Caller:
    """The caller: in which club, with what rank there, and at which table if at one alone.

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
    """Lets in anyone who may do what `least` may; with `tables`, the code of a table too.

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
            raise Refused("bad-token", _("This token does not work here."), status=401)
        count_request(hash_token(token), at=now)
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
    if not secret.startswith(TOKEN_PREFIX):
        return None
    role = Role.objects.filter(club=OuterRef("club"), user=OuterRef("made_by")).values("rank")[:1]
    tokens = ApiToken.objects.filter(
        token_hash=hash_token(secret), revoked_at=None, made_by__is_active=True
    )
    token = tokens.select_related("club", "made_by").annotate(makers_rank=Subquery(role)).first()
    if token is None or not reaches(token.makers_rank, Role.Rank.ORGANISER):
        return None
    token.was_used(now)
    with club_language(token.club):
        label = _("%(program)s, by the API") % {"program": token.name}
    by = Actor(label, token.made_by, source=address)
    return Caller(token.club, RANK_OF[ApiToken.Scope(token.scope)], by)


def _by_code(code: str, address: str) -> Caller | None:
    """The code of a table, as its phone holds it: while the session is open."""
    code_parts = read_code(code)
    if code_parts is None:
        return None
    table = (
        Table.objects.select_related("session__club", "ruleset")
        .filter(
            public_id=code_parts[0],
            link_version=code_parts[1],
            round__state=Round.State.PUBLISHED,
            session__state=Session.State.OPEN,
        )
        .first()
    )
    if table is None:
        return None
    with club_language(table.session.club):
        label = _("phone at table %(number)d") % {"number": table.number}
    return Caller(table.session.club, None, Actor(label, source=address), table)
