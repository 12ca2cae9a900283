"""What an organiser's program does on an evening: a session, who is here, rounds, the end."""

import secrets
from collections.abc import Sequence

from django.db import transaction
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _

from league.api.callers import ORGANISERS, Caller, caller_of
from league.api.operations import operation, read
from league.api.reading.figures import PeopleOfSession, people_of_session
from league.api.reading.sessions import round_as_read, router
from league.api.shapes.orders import (
    CheckInOrder,
    DraftOrder,
    DraftShape,
    PublishOrder,
    SessionOrder,
    WhoOrder,
)
from league.api.shapes.sessions import RoundShape, SessionDetail, session_detail
from league.api.writing.once import cleaned, once
from league.errors import Refused
from league.members.models import Member
from league.seating import actions as seating
from league.seating.jobs import is_large
from league.seating.models import Round
from league.seating.queries import draft_of, latest_published, live_tables
from league.sessions import actions
from league.sessions.forms import NewSessionForm
from league.sessions.models import Session
from league.sessions.queries import local_date, session_of, sessions_of

SEEDS = 2**31
POST = ("POST",)


@operation(router, POST, "/sessions", ORGANISERS, SessionDetail)
def make_session(request: HttpRequest, body: SessionOrder) -> SessionDetail:
    """Make a session, exactly once.

    The same `client_id` again answers the session already made. One for a later day is planned,
    one for today is open.
    """
    caller = caller_of(request)
    made = once(caller, "session", body.client_id, lambda: _made(caller, body))
    return _shown(caller, made)


def _made(caller: Caller, body: SessionOrder) -> Session:
    club, now = caller.club, timezone.now()
    data = body.model_dump(exclude={"client_id", "season_id"})
    data["held_on"] = body.held_on or local_date(club, now)
    data["name"] = body.name or str(data["held_on"])  # the action names it after its day
    if body.season_id:
        found = club.seasons.filter(public_id=body.season_id).first()
        data["season"] = found.pk if found else body.season_id
    form = cleaned(NewSessionForm(data, club=club), {"season": "season_id"})
    values = {**form.cleaned_data, "name": form.cleaned_data["name"] if body.name else ""}
    return actions.start_session(club, by=caller.by, at=now, **values)


def _shown(caller: Caller, session_id: str) -> SessionDetail:
    found = get_object_or_404(sessions_of(caller.club), public_id=session_id)
    found.club = caller.club
    return session_detail(found)


@operation(router, POST, "/sessions/{session_id}/open", ORGANISERS, SessionDetail)
def open_session(request: HttpRequest, session_id: str) -> SessionDetail:
    """Open a planned session, or one that was closed or cancelled."""
    caller, at = caller_of(request), timezone.now()
    actions.open_session(session_of(caller.club, session_id), by=caller.by, at=at)
    return _shown(caller, session_id)


@operation(router, POST, "/sessions/{session_id}/close", ORGANISERS, SessionDetail)
def close_session(request: HttpRequest, session_id: str) -> SessionDetail:
    """Close a session: nobody changes anything until it is opened again."""
    caller, at = caller_of(request), timezone.now()
    actions.close_session(session_of(caller.club, session_id), by=caller.by, at=at)
    return _shown(caller, session_id)


@operation(router, POST, "/sessions/{session_id}/cancel", ORGANISERS, SessionDetail)
def cancel_session(request: HttpRequest, session_id: str) -> SessionDetail:
    """Call a session off: what was entered counts for nothing."""
    caller, at = caller_of(request), timezone.now()
    actions.cancel_session(session_of(caller.club, session_id), by=caller.by, at=at)
    return _shown(caller, session_id)


@operation(router, POST, "/sessions/{session_id}/check-in", ORGANISERS, PeopleOfSession)
def check_in(request: HttpRequest, session_id: str, body: CheckInOrder) -> PeopleOfSession:
    """Check players in, by their ids or their names. Sending it twice changes nothing.

    422 `similar-name` for a new name that looks like a player's; all are checked in or nobody is.
    """
    caller, now = caller_of(request), timezone.now()
    club_session = session_of(caller.club, session_id)
    members = _members(caller, body.member_ids)
    if not members and not body.names:
        raise Refused("nobody-named", _("Name who is here."), fields={"member_ids": []})
    with transaction.atomic():
        actions.arrive_names(
            club_session, body.names, by=caller.by, at=now, even_if_similar=body.even_if_similar
        )
        actions.arrive_all(club_session, members, by=caller.by, at=now)
    return people_of_session(caller, club_session)


def _members(caller: Caller, ids: Sequence[str]) -> list[Member]:
    """Players of the club by their ids, each once; refuses an id of nobody."""
    found = {one.public_id: one for one in Member.objects.current().filter(club=caller.club)}
    unknown = [one for one in ids if one not in found]
    if unknown:
        message = _("There is no such player.")
        raise Refused("unknown-member", message, fields={"member_ids": unknown}, status=404)
    return [found[one] for one in dict.fromkeys(ids)]


def _member(caller: Caller, body: WhoOrder) -> Member:
    return get_object_or_404(Member, club=caller.club, public_id=body.member_id)


@operation(router, POST, "/sessions/{session_id}/leave", ORGANISERS, PeopleOfSession)
def leave(request: HttpRequest, session_id: str, body: WhoOrder) -> PeopleOfSession:
    """Somebody leaves."""
    caller, at = caller_of(request), timezone.now()
    club_session = session_of(caller.club, session_id)
    seating.depart(club_session, _member(caller, body), by=caller.by, at=at)
    return people_of_session(caller, club_session)


@operation(router, POST, "/sessions/{session_id}/sit-out", ORGANISERS, PeopleOfSession)
def sit_out(request: HttpRequest, session_id: str, body: WhoOrder) -> PeopleOfSession:
    """Somebody is here and sits out."""
    caller = caller_of(request)
    club_session = session_of(caller.club, session_id)
    actions.rest(club_session, _member(caller, body), by=caller.by)
    return people_of_session(caller, club_session)


@operation(router, POST, "/sessions/{session_id}/play-again", ORGANISERS, PeopleOfSession)
def play_again(request: HttpRequest, session_id: str, body: WhoOrder) -> PeopleOfSession:
    """Somebody who sat out or had left plays in the next round."""
    caller = caller_of(request)
    club_session = session_of(caller.club, session_id)
    actions.play_again(club_session, _member(caller, body), by=caller.by)
    return people_of_session(caller, club_session)


@read(router, "/sessions/{session_id}/draft", ORGANISERS, DraftShape)
def session_draft(request: HttpRequest, session_id: str) -> DraftShape:
    """The drafted round, for an organiser."""
    caller = caller_of(request)
    draft = draft_of(session_of(caller.club, session_id))
    if draft is None:
        raise Http404
    return draft_shape(caller, draft)


@operation(router, POST, "/sessions/{session_id}/draft", ORGANISERS, DraftShape)
def draft_round(request: HttpRequest, session_id: str, body: DraftOrder) -> DraftShape:
    """Draft a round for whoever is free, replacing the draft there was."""
    caller = caller_of(request)
    club_session = session_of(caller.club, session_id)
    if is_large(club_session):
        message = _("A round for so many players is made on the page, where it takes its time.")
        raise Refused("too-many-players", message, status=409)
    draft = seating.draft_round(
        club_session,
        by=caller.by,
        seed=secrets.randbelow(SEEDS) if body.seed is None else body.seed,
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
    seating.discard_draft(_draft(session_of(caller.club, session_id)), by=caller.by)
    return _shown(caller, session_id)


@operation(router, POST, "/sessions/{session_id}/draft/publish", ORGANISERS, RoundShape)
def publish_round(request: HttpRequest, session_id: str, body: PublishOrder) -> RoundShape:
    """Publish the draft: its tables play.

    409 `draft-changed` where it is another than the one you saw, `draft-gone` where there is none.
    """
    caller, at = caller_of(request), timezone.now()
    draft = _draft(session_of(caller.club, session_id))
    seating.publish(draft, by=caller.by, at=at, version=body.version)
    return round_as_read(caller, draft.pk)


@operation(router, POST, "/sessions/{session_id}/rounds/unpublish", ORGANISERS, DraftShape)
def unpublish_round(request: HttpRequest, session_id: str) -> DraftShape:
    """Take the last round back to a draft, while no hand of it is written down."""
    caller, at = caller_of(request), timezone.now()
    published = latest_published(session_of(caller.club, session_id))
    if published is None:
        raise Refused("not-published", _("No round is published."), status=409)
    return draft_shape(caller, seating.take_back(published, by=caller.by, at=at))


def _draft(club_session: Session) -> Round:
    draft = draft_of(club_session)
    if draft is None:
        raise Refused("draft-gone", _("This draft no longer exists."), status=409)
    draft.session = club_session
    return draft


def draft_shape(caller: Caller, draft: Round) -> DraftShape:
    """A draft as it is now."""
    version = Round.objects.values_list("version", flat=True).get(pk=draft.pk)
    return DraftShape(**round_as_read(caller, draft.pk).model_dump(), version=version)
