"""API callers: authentication by a club's token or a table's code, and rate limits."""

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

# Requests are counted in the database, for all processes together. But a write per read would be a
# burden on the server, so each process saves its count only every few requests. The limit may thus
# be exceeded by a few requests per process. While the database cannot be written, each process
# counts for itself.

MAX_PER_MINUTE = 300
SAVES_PER_LIMIT = 30  # how often a process saves its count on the way to the limit
WRONG_TOKENS = Limit(most=30, within=10 * limits.MINUTE)


class _MinuteCounter:
    """This process's counts for the current minute, by secret.

    `unsaved` are the requests since the count was last saved; `counts` are the database's counts of
    that moment.
    """

    def __init__(self) -> None:
        self.lock, self.minute = Lock(), 0
        self.unsaved: dict[str, int] = {}
        self.counts: dict[str, int] = {}

    def count(self, secret_hash: str, minute: int) -> int:
        """Count a request. Return the count of all processes, as far as it is known."""
        with self.lock:
            if minute != self.minute:
                self.minute, self.unsaved, self.counts = minute, {}, {}
            self.unsaved[secret_hash] = self.unsaved.get(secret_hash, 0) + 1
            saved, unsaved = self.counts.get(secret_hash, 0), self.unsaved[secret_hash]
            is_save_due = (
                secret_hash not in self.counts or unsaved * SAVES_PER_LIMIT >= MAX_PER_MINUTE
            )
            if is_save_due:
                self.unsaved[secret_hash] = 0
        if not is_save_due:
            return saved + unsaved
        count = _save_count(secret_hash, minute, unsaved)
        with self.lock:
            self.counts[secret_hash] = count = count or saved + unsaved
        return count


_counter = _MinuteCounter()


def _save_count(secret_hash: str, minute: int, n: int) -> int | None:
    """Add `n` requests to the database's count and return it; None if it cannot be written."""
    try:
        return limits.add(f"api:{secret_hash}:{minute}", 2 * limits.MINUTE, n)
    except DatabaseError:
        return None


def count_request(secret_hash: str, *, at: datetime) -> None:
    """Count a request with this secret. Refuses with 429 if it is above the limit per minute."""
    if _counter.count(secret_hash, int(at.timestamp() // 60)) > MAX_PER_MINUTE:
        message = _("A token can make %(most)d requests a minute.") % {"most": MAX_PER_MINUTE}
        seconds_left = 60 - int(at.timestamp() % 60)
        raise Refused(
            "too-many-requests", message, status=429, details={"retry_after": seconds_left}
        )


def count_wrong_token(request: HttpRequest) -> None:
    """Count a wrong token; refuses a network that keeps sending them."""
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
    """An authenticated caller: the club, the rank in it, and the table if the code is for one.

    `rank` is None for a token that reads only what the public can, and for a table's code.
    """

    club: Club
    rank: str | None
    by: Actor
    table: Table | None = None

    @property
    def is_organiser(self) -> bool:
        return reaches(self.rank, Role.Rank.ORGANISER)


class Token(HttpBearer):
    """Accepts tokens with at least the rank `least` and, with `tables`, the codes of tables.

    Answers 401 to a token that is unknown, expired or revoked, and 403 to one of too low a rank.
    """

    def __init__(self, least: str, *, tables: bool = False) -> None:
        super().__init__()
        self.least, self.tables = least, tables

    def authenticate(self, request: HttpRequest, token: str) -> Caller:
        address, now = request.META.get("REMOTE_ADDR", ""), timezone.now()
        caller = _caller_by_token(token, address, now) or _caller_by_code(token, address)
        if caller is None:
            count_wrong_token(request)
            log.warning("refused a wrong token: %s", address)
            raise Refused("bad-token", _("This token does not work here."), status=401)
        count_request(hash_token(token), at=now)
        self._refuse_low_rank(caller)
        return caller

    def _refuse_low_rank(self, caller: Caller) -> None:
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
    """The caller that `Token` has authenticated."""
    caller: Caller = request.auth  # type: ignore[attr-defined]
    return caller


def _caller_by_token(secret: str, address: str, now: datetime) -> Caller | None:
    """The caller with a club's token, unless it is revoked or its maker is no longer organiser."""
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


def _caller_by_code(code: str, address: str) -> Caller | None:
    """The caller with a table's code, while the table is published and the session open."""
    code_parts = read_code(code)
    if code_parts is None:
        return None
    table = (
        Table.objects.select_related("session__club", "ruleset", "round")
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
