"""The activity log: who acts, and writing down what they do, inside each action's transaction."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from league.compiled_sql import insert
from league.members.languages import in_language
from league.members.models import AuditEntry, Club, User
from league.schema_guard import LAST, write_only_to_ours

if TYPE_CHECKING:
    from league.sessions.models import Session


@dataclass(frozen=True, slots=True)
class Actor:
    """Whoever acts: an account, a table's phone, or the program itself.

    `label` is how the log names them, in `club_language` ("Rose", "phone at table 3"); `source`
    where from (an address, "command line"). `user` is None for a phone without an account.
    """

    label: str
    user: User | None = None
    source: str = ""


def club_language(club: Club | None) -> Any:
    """A block whose texts are to be stored: in the language of the club (the site's own where it
    has chosen none), and not in that of the browser which happens to ask."""
    return in_language(club.language if club else "")


PROGRAM = Actor("Right Bower", source="program")


def actor_of(request: Any, label: str = "") -> Actor:
    """The actor behind a web request."""
    user = request.user if request.user.is_authenticated else None
    source = request.META.get("REMOTE_ADDR", "") or ""
    return Actor(label or str(user or "visitor"), user, source)


def log_action(
    club: Club,
    by: Actor,
    action: str,
    subject: object = "",
    *,
    session: "Session | None" = None,
    old: object = None,
    new: object = None,
) -> AuditEntry:
    """Add one entry: `action` is a short verb ("record hand"), `subject` what it was done to.

    What is written to a database of another version is refused here, where every action passes
    when it has written all else: an action that had to wait for a migration sees it.
    """
    entry = _entry(club, by, action, subject, session=session, old=old, new=new)
    write_only_to_ours(insert(entry, returning=LAST))
    return entry


def log_actions(
    club: Club,
    by: Actor,
    action: str,
    subjects: Sequence[object],
    *,
    session: "Session | None" = None,
) -> None:
    """One entry for each subject of the same action; see `log_action`."""
    if subjects:
        AuditEntry.objects.bulk_create(
            _entry(club, by, action, one, session=session) for one in subjects[:-1]
        )
        log_action(club, by, action, subjects[-1], session=session)


def _entry(club: Club, by: Actor, action: str, subject: object, **more: Any) -> AuditEntry:
    return AuditEntry(
        club=club,
        user=by.user,
        actor=by.label[:80],
        source=by.source[:60],
        action=action,
        subject=str(subject)[:120],
        **more,
    )
