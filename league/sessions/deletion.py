"""Deletes a session that was made by mistake, while nothing belongs to it."""

from functools import reduce
from operator import or_

from django.db import models, transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, log_action
from league.members.models import AuditEntry
from league.sessions.actions import lock
from league.sessions.models import Session


def may_delete(club_session: Session) -> bool:
    """Whether a planned or cancelled session has nothing but its log: no sign-up, mail, pot or game
    of any area. One query."""
    if club_session.state not in (Session.State.PLANNED, Session.State.CANCELLED):
        return False
    links = [link.field for link in Session._meta.related_objects]
    has_any = [
        models.Exists(link.model._base_manager.filter(**{link.attname: models.OuterRef("pk")}))
        for link in links
        if link.model is not AuditEntry
    ]
    return not Session.objects.filter(reduce(or_, has_any), pk=club_session.pk).exists()


@transaction.atomic
def delete_session(club_session: Session, *, by: Actor) -> None:
    """Delete a session to which nothing belongs (see `may_delete`); the activity log stays."""
    fresh = lock(club_session, to_change=False)
    if not may_delete(fresh):
        message = _("This session can't be deleted. Cancel it instead.")
        raise Refused("session-used", message, status=409)
    log: models.QuerySet[AuditEntry] = models.QuerySet(AuditEntry)
    log.filter(session=fresh).update(session=None)  # the words stay, without the link
    log_action(fresh.club, by, "delete session", fresh, old={"held_on": fresh.held_on.isoformat()})
    fresh.delete()
