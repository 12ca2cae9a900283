"""The activity log: who acts, and the entries written by actions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from league.compiled_sql import insert
from league.database import LAST, write_only_to_ours
from league.members.languages import in_language
from league.members.models import AuditEntry, Club, User

if TYPE_CHECKING:
    from league.sessions.models import Session


@dataclass(frozen=True, slots=True)
class Actor:
    """The one who acts: an account, a table's phone, or the program itself.

    `label` is their name in the log, in `club_language` ("Rose", "phone at table 3"). `source` is
    an address or, for example, "command line". `user` is None for a phone without an account.
    """

    label: str
    user: User | None = None
    source: str = ""


def club_language(club: Club | None) -> Any:
    """A context manager for texts to be stored: in the club's language, else in the site's, and
    never in that of the request."""
    return in_language(club.language if club else "")


def name_in_log(club: Club | None, subject: object) -> str:
    """The name of a subject in the activity log, the same for all readers and writers."""
    if isinstance(subject, str):
        return subject
    with club_language(club):
        return str(subject)


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
    """Add an entry: `action` is a short verb ("record hand"), `subject` what it was done to.

    Writing to a database of another version is refused here, since every action ends here: so an
    action that had to wait for a migration notices it.
    """
    entry = _make_entry(club, by, action, subject, session=session, old=old, new=new)
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
    """Add an entry for each subject of the same action; see `log_action`."""
    if subjects:
        AuditEntry.objects.bulk_create(
            _make_entry(club, by, action, subject, session=session) for subject in subjects[:-1]
        )
        log_action(club, by, action, subjects[-1], session=session)


def _make_entry(club: Club, by: Actor, action: str, subject: object, **extra: Any) -> AuditEntry:
    return AuditEntry(
        club=club,
        user=by.user,
        actor=by.label[:80],
        source=by.source[:60],
        action=action,
        subject=name_in_log(club, subject)[:120],
        **extra,
    )
