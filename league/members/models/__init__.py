"""Clubs, their people, what each may do, their rulesets, and the record of who did what."""

from league.members.models.accounts import User
from league.members.models.audit import AuditEntry
from league.members.models.clubs import Club, Invitation, Role
from league.members.models.ids import new_public_id
from league.members.models.jobs import Job
from league.members.models.limits import LimitCount
from league.members.models.people import Member
from league.members.models.rulesets import ClubRuleset
from league.members.models.tokens import ApiToken
from league.members.names import name_key

__all__ = [
    "ApiToken",
    "AuditEntry",
    "Club",
    "ClubRuleset",
    "Invitation",
    "Job",
    "LimitCount",
    "Member",
    "Role",
    "User",
    "name_key",
    "new_public_id",
]
