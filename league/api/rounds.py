"""API of a session's rounds: published rounds; making, publishing and discarding drafts."""

from django.db.models import Prefetch, QuerySet
from django.http import Http404, HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from league.api.callers import OPEN, ORGANISERS, Caller, caller_of
from league.api.operations import (
    POST,
    operation,
    read,
    seed_or_random,
)
from league.api.sessions import changed_session, router, session_as_read, session_members
from league.api.shapes.people import namer
from league.api.shapes.sessions import (
    DraftRequest,
    DraftShape,
    PublishRequest,
    RoundShape,
    SessionDetail,
    round_shape,
)
from league.errors import Refused
from league.seating import actions as seating
from league.seating.jobs import is_large
from league.seating.models import Round, Seat, Table
from league.seating.queries import draft_of, latest_published, live_tables, published_rounds
from league.sessions.models import Session
from league.sessions.queries import session_of


@read(router, "/sessions/{session_id}/rounds", OPEN, list[RoundShape])
def session_rounds(request: HttpRequest, session_id: str) -> list[RoundShape]:
    """The published rounds, in order: who sat where, and who sat out."""
    club_session = changed_session(request, session_id)
    name_of = namer(caller_of(request), session_members(club_session))
    rounds = _with_tables(published_rounds(club_session))
    return [round_shape(row, name_of) for row in rounds]


def round_as_read(caller: Caller, pk: int) -> RoundShape:
    """A round, drafted or published: who sits where, and who sits out."""
    return round_shape(_with_tables(Round.objects.all()).get(pk=pk), namer(caller))


def _with_tables(rounds: QuerySet[Round]) -> QuerySet[Round]:
    seats = Seat.objects.select_related("member").order_by("position", "from_hand")
    tables = Table.objects.select_related("ruleset").prefetch_related(
        Prefetch("seats", queryset=seats), "games"
    )
    return rounds.prefetch_related(
        Prefetch("tables", queryset=tables.order_by("number")), "sits_out"
    )


@read(router, "/sessions/{session_id}/draft", ORGANISERS, DraftShape)
def session_draft(request: HttpRequest, session_id: str) -> DraftShape:
    """The draft of the next round."""
    caller = caller_of(request)
    draft = draft_of(session_of(caller.club, session_id))
    if draft is None:
        raise Http404
    return draft_shape(caller, draft)


@operation(router, POST, "/sessions/{session_id}/draft", ORGANISERS, DraftShape)
def draft_round(request: HttpRequest, session_id: str, body: DraftRequest) -> DraftShape:
    """Draft a round for the players who are free, replacing any earlier draft."""
    caller = caller_of(request)
    club_session = session_of(caller.club, session_id)
    if is_large(club_session):
        message = _("A round for this many players takes longer: make it on the site.")
        raise Refused("too-many-players", message, status=409)
    draft = seating.draft_round(
        club_session,
        by=caller.by,
        seed=seed_or_random(body.seed),
        sizes=body.sizes or None,
        tables=list(live_tables(club_session).filter(number__in=body.tables))
        if body.tables
        else None,
    )
    return draft_shape(caller, draft)


@operation(router, ("DELETE",), "/sessions/{session_id}/draft", ORGANISERS, SessionDetail)
def discard_draft(request: HttpRequest, session_id: str) -> SessionDetail:
    """Discard the draft; the tables stay as they are."""
    caller = caller_of(request)
    seating.discard_draft(_get_draft(session_of(caller.club, session_id)), by=caller.by)
    return session_as_read(caller, session_id)


@operation(router, POST, "/sessions/{session_id}/draft/publish", ORGANISERS, RoundShape)
def publish_round(request: HttpRequest, session_id: str, body: PublishRequest) -> RoundShape:
    """Publish the draft, so that its tables can play.

    409 `draft-changed` if the draft is not the version you saw,
    409 `draft-gone` if there is no draft.
    """
    caller, at = caller_of(request), timezone.now()
    draft = _get_draft(session_of(caller.club, session_id))
    seating.publish(draft, by=caller.by, at=at, version=body.version)
    return round_as_read(caller, draft.pk)


@operation(router, POST, "/sessions/{session_id}/rounds/unpublish", ORGANISERS, DraftShape)
def unpublish_round(request: HttpRequest, session_id: str) -> DraftShape:
    """Turn the last round back into a draft, as long as none of its hands is recorded."""
    caller, at = caller_of(request), timezone.now()
    published = latest_published(session_of(caller.club, session_id))
    if published is None:
        raise Refused("not-published", _("No round is published."), status=409)
    return draft_shape(caller, seating.take_back(published, by=caller.by, at=at))


def _get_draft(club_session: Session) -> Round:
    draft = draft_of(club_session)
    if draft is None:
        raise Refused("draft-gone", _("This draft no longer exists."), status=409)
    draft.session = club_session
    return draft


def draft_shape(caller: Caller, draft: Round) -> DraftShape:
    """A draft in its current version."""
    version = Round.objects.values_list("version", flat=True).get(pk=draft.pk)
    return DraftShape(**round_as_read(caller, draft.pk).model_dump(), version=version)
