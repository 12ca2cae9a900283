"""What the activity log calls the state of a session."""

from league.members.audit_fields import name_fields
from league.sessions.models import Session

name_fields(
    ("close session", "cancel session", "open session"),
    {},
    {"": ("", dict(Session.State.choices))},
)
