"""Models of clubs: accounts, roles, players, rulesets, background jobs and the activity log."""

from league.members.models.accounts import LimitCount, User, new_public_id
from league.members.models.activity import AuditEntry, Job, ProgramRequest
from league.members.models.clubs import (
    ApiToken,
    Club,
    ClubRuleset,
    Invitation,
    Role,
)
from league.members.models.people import (
    Member,
    distinct_names,
    has_public_page,
    namer,
    number_namesakes,
    public_name,
)

__all__ = [
    "ApiToken",
    "AuditEntry",
    "Club",
    "ClubRuleset",
    "Invitation",
    "Job",
    "LimitCount",
    "Member",
    "ProgramRequest",
    "Role",
    "User",
    "distinct_names",
    "has_public_page",
    "namer",
    "new_public_id",
    "number_namesakes",
    "public_name",
]
