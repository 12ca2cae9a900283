"""The club, its players, its rulesets and its activity log, as a caller may read them."""

from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from fractions import Fraction
from typing import Any

from pydantic import BaseModel, Field

from league.api.callers import Caller
from league.members import models
from league.members.models import AuditEntry, Club, ClubRuleset, Member, has_public_page
from league.standings.careers import RecordLine


class ClubShape(BaseModel):
    """A club."""

    slug: str
    name: str
    time_zone: str
    confirm: str = Field(description="Who confirms a game: `none`, `opponent` or `organiser`.")
    correction_minutes: int
    tricks_entry: str
    measures: list[str] = Field(description="The figures that standings rank by, in order.")
    co_winners_credit: str = Field(
        description="What each co-winner of a game is credited with: `games`, `shared` or `full`."
    )
    visibility: str
    names_in_public: str
    token_rank: str = Field(
        description="The role of this token: `public`, `member`, `scorekeeper` or `organiser`."
    )


class Person(BaseModel):
    """A player, named as this token may read it. `id` is null if it may not read their page."""

    id: str | None
    name: str


class MemberShape(Person):
    """A player. `email`, `minor` and `shown` are null unless the token is an organiser's."""

    guest: bool
    joined_on: date
    retired: bool
    email: str | None
    minor: bool | None
    shown: str | None = Field(description="How they want to be named in public.")


class RecordShape(BaseModel):
    """A player's games at tables of one size; `players` is 0 for all sizes together."""

    players: int
    games: int
    hands: int
    calls: int
    calls_made: int
    euchred: int
    lone_tried: int
    values: dict[str, float | None] = Field(description="Figures, by the code of the measure.")


class MemberDetail(MemberShape):
    """A player, with totals of their games."""

    record: list[RecordShape]


NameOf = Callable[[Member], Person]


def namer(caller: Caller, people: Iterable[Member] = ()) -> NameOf:
    """Return a function that names members as this caller may read them. A table's code reads the
    names that the table's page shows.

    `people` are all members named in a response: short names are made distinct among them. They are
    evaluated only if names are short.
    """
    club, rank = caller.club, caller.rank
    at_table = "table" if caller.table else None
    read_as = rank or at_table
    name_of = models.namer(() if read_as else people, club, read_as, numbered=False)

    def person(member: Member) -> Person:
        is_current = member.erased_at is None and member.merged_into_id is None
        has_page = is_current and not at_table and has_public_page(member, club, rank)
        return Person(id=member.public_id if has_page else None, name=name_of(member))

    return person


def club_shape(club: Club, caller: Caller) -> ClubShape:
    return ClubShape(
        slug=club.slug,
        name=club.name,
        time_zone=club.time_zone,
        confirm=club.confirm,
        correction_minutes=club.correction_minutes,
        tricks_entry=club.tricks_entry,
        measures=list(club.measures),
        co_winners_credit=club.co_winners_credit,
        visibility=club.visibility,
        names_in_public=club.names_in_public,
        token_rank=caller.rank or "public",
    )


def member_fields(member: Member, caller: Caller) -> dict[str, object]:
    """The fields of a member; some have values for organisers only."""
    is_organiser = caller.is_organiser
    return {
        **namer(caller)(member).model_dump(),
        "guest": member.is_guest,
        "joined_on": caller.club.local(member.joined_at).date(),
        "retired": member.retired_at is not None,
        "email": member.email if is_organiser else None,
        "minor": member.is_minor if is_organiser else None,
        "shown": member.shown if is_organiser else None,
    }


def record_shape(line: RecordLine) -> RecordShape:
    return RecordShape(
        players=line.players,
        games=int(line.games),
        hands=int(line.hands),
        calls=int(line.calls),
        calls_made=int(line.calls_made),
        euchred=int(line.euchred),
        lone_tried=int(line.lone_tried),
        values=floats(line.values),
    )


def floats(values: Mapping[str, Fraction | None]) -> dict[str, float | None]:
    """Convert exact figures to JSON numbers; None stays None (nothing to divide by)."""
    return {
        code: None if value is None else round(float(value), 6) for code, value in values.items()
    }


class RulesetShape(BaseModel):
    """One version of a ruleset; a game keeps the version it was played by."""

    id: str
    name: str
    players: int
    version: int
    preset: str
    default: bool = Field(description="Whether tables of this size use it by default.")
    retired: bool
    made_at: datetime


class RulesetDetail(RulesetShape):
    """A ruleset, with its rules as the engine reads them."""

    body: dict[str, Any]


class ActivityShape(BaseModel):
    """An entry of the activity log: who did what and when, with old and new values."""

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


def activity_shape(entry: AuditEntry) -> ActivityShape:
    return ActivityShape(
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
