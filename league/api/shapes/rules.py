"""Rulesets, and the record of who did what."""

from datetime import datetime
from typing import Any

from pydantic import BaseModel, Field

from league.members.models import AuditEntry, ClubRuleset


class RulesetShape(BaseModel):
    """One version of a ruleset; a game keeps the version it was played under."""

    id: str
    name: str
    players: int
    version: int
    preset: str
    default: bool = Field(description="What tables of this size play by.")
    retired: bool
    made_at: datetime


class RulesetDetail(RulesetShape):
    """A ruleset with its rules, as the engine reads them."""

    body: dict[str, Any]


class AuditShape(BaseModel):
    """One thing that was done: who, when, from where, with the old and the new."""

    id: int
    at: datetime
    actor: str
    account: str | None
    source: str
    action: str
    subject: str
    session_id: str | None
    old: Any
    new: Any


def ruleset_fields(rules: ClubRuleset) -> dict[str, Any]:
    return {
        "id": rules.public_id,
        "name": rules.name,
        "players": rules.players,
        "version": rules.version,
        "preset": rules.preset,
        "default": rules.is_default,
        "retired": rules.retired,
        "made_at": rules.made_at,
    }


def audit_shape(entry: AuditEntry) -> AuditShape:
    return AuditShape(
        id=entry.pk,
        at=entry.at,
        actor=entry.actor,
        account=entry.user.username if entry.user else None,
        source=entry.source,
        action=entry.action,
        subject=entry.subject,
        session_id=entry.session.public_id if entry.session else None,
        old=entry.old,
        new=entry.new,
    )
