"""A match's card confirmed by the other captain, disputed, or decided by an organiser."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, log_action
from league.members.models import Club
from league.play.actions import confirm_game, dispute_game, settle_game
from league.play.actions.finish import STANDS
from league.play.models import Game
from league.seating.models import Table
from league.teams.actions.leagues import locked
from league.teams.models import TeamLeague, TeamMatch
from league.teams.queries import PLANNER

State = Game.State


@transaction.atomic
def confirm_card(
    match: TeamMatch, *, side: int | None, by: Actor, at: datetime, seen: int | None = None
) -> TeamMatch:
    """The other captain says that the card is right, or an organiser does.

    A captain whose own copy differs may agree with the first one after all. `seen`: the revision
    of the match that was looked at; refuses (`stale`) another.
    """
    league = locked(match.league)
    match.refresh_from_db()
    _refuse_unwritten(match)
    if seen is not None:
        refuse_stale(match, seen)
    if side is not None:
        if league.confirms == Club.Confirm.ORGANISER:
            message = _("In this club an organiser confirms results.")
            raise Refused("organiser-confirms", message, status=403)
        if match.written_by_id == (match.home_id, match.away_id)[side]:
            raise own_card()
        if not _withdraw_copy(match, side):
            refuse_captain(match)
        else:
            side = None  # what their copy disputed is agreed
    accept_card(match, by=by, at=at, side=side)
    log_action(league.club, by, "confirm match card", match, session=match.session)
    return match


def refuse_stale(match: TeamMatch, seen: int) -> None:
    """Refuse about a card that has changed since it was looked at."""
    if seen != match.revision:
        raise Refused("stale", _("The card has changed. Check it again."), status=409)


def own_card() -> Refused:
    """Nobody confirms a card that they entered."""
    message = _("You entered this card, so the other captain confirms it.")
    return Refused("own-card", message, status=409)


@transaction.atomic
def dispute_card(
    match: TeamMatch, *, reason: str, side: int | None, by: Actor, at: datetime
) -> TeamMatch:
    """Somebody of the other side says that the card is wrong, and why; an organiser decides."""
    league = locked(match.league)
    match.refresh_from_db()
    _refuse_unwritten(match)
    if not reason:
        message = _("Say what is wrong.")
        raise Refused("no-reason", message, fields={"reason": [message]})
    match.league = league
    counted = may_object_later(match, side)
    states = (State.FINISHED, State.CONFIRMED) if counted else (State.FINISHED,)
    for table in tables_of(match, *states):
        dispute_game(
            table, reason=reason, by=by, at=at, seat=side, after_closing=True, counted=counted
        )
    log_action(league.club, by, "dispute match card", match, session=match.session, new=reason)
    return match


def may_object_later(match: TeamMatch, side: int | None) -> bool:
    """Whether a captain may object to a card that counts: where cards count without the other
    captain, to one of theirs, until something is decided about it."""
    if side is None or match.session_id is None or match.is_given:
        return False
    wrote = match.written_by_id == (match.home_id, match.away_id)[side]
    return (
        match.league.confirms == Club.Confirm.NONE
        and match.league.state == TeamLeague.State.RUNNING
        and not wrote
        and not match.decisions.exists()
    )


def _withdraw_copy(match: TeamMatch, side: int) -> bool:
    """Take back a captain's own copy of a disputed card; whether there was one."""
    if not tables_of(match, State.DISPUTED):
        return False
    gone, _rows = match.copies.filter(team=(match.home, match.away)[side]).delete()
    return bool(gone)


def tables_of(match: TeamMatch, *states: str) -> list[Table]:
    """The tables of a match's games in these states."""
    tables = Table.objects.filter(
        session=match.session_id, round__planner=PLANNER, games__state__in=states
    )
    return list(tables.select_related("session__club", "ruleset", "round").order_by("pk"))


def accept_card(match: TeamMatch, *, by: Actor, at: datetime, side: int | None = None) -> None:
    """The card counts; without a `side` what was disputed about it is settled too."""
    for table in tables_of(match, State.FINISHED):
        confirm_game(table, by=by, at=at, seat=side, any_side=True)
    if side is None:
        for table in tables_of(match, State.DISPUTED):
            settle_game(table, STANDS, reason=_("as on the card"), by=by, at=at)


def refuse_captain(match: TeamMatch) -> None:
    """A captain may write or confirm until the card counts or is disputed."""
    if match.session_id is None and not match.card:
        return
    states = set(Game.objects.filter(session=match.session_id).values_list("state", flat=True))
    if State.DISPUTED in states:
        message = _("This card is disputed; an organiser decides.")
        raise Refused("disputed", message, status=409)
    if State.CONFIRMED in states or match.session_id is None:
        message = _("This card is confirmed. Ask an organiser to fix it.")
        raise Refused("confirmed", message, status=409)


def _refuse_unwritten(match: TeamMatch) -> None:
    if match.session_id is None:
        raise Refused("no-card", _("This match has no card yet."), status=409)
