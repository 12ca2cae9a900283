"""API of a club: its players, rulesets and activity log; statistics, ratings and pots."""

from datetime import datetime

from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.utils import timezone
from ninja import Query, Router
from pydantic import BaseModel, Field

from league.api.callers import MEMBERS, OPEN, ORGANISERS, Caller, caller_of
from league.api.operations import Page, Part, page_of, read
from league.api.shapes.figures import (
    PlayShape,
    PotsShape,
    RatingShape,
    play_shape,
    pots_shape,
    rating_shape,
)
from league.api.shapes.people import (
    AuditShape,
    ClubShape,
    MemberDetail,
    MemberShape,
    Person,
    RulesetDetail,
    RulesetShape,
    audit_shape,
    club_shape,
    member_fields,
    namer,
    record_shape,
    ruleset_fields,
)
from league.members.models import Member
from league.members.public import has_public_page
from league.members.queries import audit_of, people_of
from league.sessions.models import Session
from league.sessions.queries import (
    attendances,
    current_sign_ups,
    released_session,
    session_of,
)
from league.standings.careers import career_of, ratings_of, record_of
from league.standings.pot_queries import pot_sheets


def readable_member(caller: Caller, member_id: str) -> Member:
    """The member with this id; 404 if this caller may not read their page."""
    member = get_object_or_404(
        Member, club=caller.club, public_id=member_id, merged_into=None, erased_at=None
    )
    if not has_public_page(member, caller.club, caller.rank):
        raise Http404
    return member


router = Router(tags=["Club"])


@read(router, "/club", OPEN, ClubShape)
def club(request: HttpRequest) -> ClubShape:
    """The token's club."""
    caller = caller_of(request)
    return club_shape(caller.club, caller)


@read(router, "/members", MEMBERS, Page[MemberShape])
def members(request: HttpRequest, part: Query[Part]) -> Page[MemberShape]:
    """The club's people by name, guests and retired ones among them."""
    caller = caller_of(request)
    people: QuerySet[Member] = people_of(caller.club)
    return page_of(
        request, people, part, lambda row: MemberShape.model_validate(member_fields(row, caller))
    )


@read(router, "/members/{member_id}", OPEN, MemberDetail)
def member(request: HttpRequest, member_id: str) -> MemberDetail:
    """Somebody of the club, with what they have come to."""
    caller = caller_of(request)
    shown = readable_member(caller, member_id)
    record = [record_shape(line) for line in record_of(shown)]
    return MemberDetail.model_validate(member_fields(shown, caller) | {"record": record})


@read(router, "/rulesets", MEMBERS, Page[RulesetShape])
def rulesets(request: HttpRequest, part: Query[Part]) -> Page[RulesetShape]:
    """Every version of the club's rulesets, by table size and name, the newest first."""
    all_rulesets = caller_of(request).club.rulesets.all()
    return page_of(
        request, all_rulesets, part, lambda row: RulesetShape.model_validate(ruleset_fields(row))
    )


@read(router, "/rulesets/{ruleset_id}", OPEN, RulesetDetail)
def ruleset(request: HttpRequest, ruleset_id: str) -> RulesetDetail:
    """One version of a ruleset with its rules."""
    chosen = get_object_or_404(caller_of(request).club.rulesets, public_id=ruleset_id)
    return RulesetDetail.model_validate(ruleset_fields(chosen) | {"body": chosen.body})


@read(router, "/audit", ORGANISERS, Page[AuditShape])
def audit(request: HttpRequest, part: Query[Part]) -> Page[AuditShape]:
    """Who did what in the club, the newest first."""
    return page_of(request, audit_of(caller_of(request).club), part, audit_shape)


figures_router = Router(tags=["Figures"])


class OfSeason(BaseModel):
    """Of all time, or of one season."""

    season: str = Field("", description="The id of a season; empty for all time.")


class Came(BaseModel):
    """Somebody who came; `left_at` is set while they are gone."""

    person: Person
    arrived_at: datetime
    left_at: datetime | None
    resting: bool


class SignedUp(BaseModel):
    """Somebody who means to come; without a place they are on the waiting list."""

    person: Person
    has_place: bool


class PeopleOfSession(BaseModel):
    """Who came to a session, in the order they came, and who signed up for it."""

    came: list[Came]
    signed_up: list[SignedUp]
    places: int | None = Field(description="How many may sign up; null for no limit.")


@read(figures_router, "/members/{member_id}/play", OPEN, PlayShape)
def member_play(request: HttpRequest, member_id: str, query: Query[OfSeason]) -> PlayShape:
    """Somebody's play in figures: calls, euchres, lone hands, partners, the trend."""
    caller = caller_of(request)
    member, season = readable_member(caller, member_id), None
    if query.season:
        season = get_object_or_404(caller.club.seasons, public_id=query.season)
    career = career_of(member, season)
    people = Member.objects.in_bulk([company.who for company in career.company])
    return play_shape(career, people, namer(caller, people.values()))


@read(figures_router, "/ratings", OPEN, list[RatingShape])
def ratings(request: HttpRequest) -> list[RatingShape]:
    """Everybody's rating, the surest good one first; empty where the club shows none."""
    caller = caller_of(request)
    by_member = ratings_of(caller.club, at=timezone.now()) if caller.club.shows_ratings else {}
    people = Member.objects.in_bulk(list(by_member))
    name_of = namer(caller, people.values())
    names = {key: name_of(member).name.casefold() for key, member in people.items()}
    order = sorted(by_member, key=lambda key: (-by_member[key].cautious, names[key], key))
    return [rating_shape(by_member[key], name_of(people[key])) for key in order]


@read(figures_router, "/sessions/{session_id}/people", MEMBERS, PeopleOfSession)
def session_people(request: HttpRequest, session_id: str) -> PeopleOfSession:
    """Who came to a session, and who signed up for it."""
    caller = caller_of(request)
    return people_of_session(caller, session_of(caller.club, session_id))


def people_of_session(caller: Caller, club_session: Session) -> PeopleOfSession:
    """Who came to a session, and who signed up for it, as this caller may read them."""
    name_of = namer(caller)
    return PeopleOfSession(
        came=[
            Came(
                person=name_of(row.member),
                arrived_at=row.arrived_at,
                left_at=row.left_at,
                resting=row.resting,
            )
            for row in attendances(club_session)
        ],
        signed_up=[
            SignedUp(person=name_of(row.member), has_place=row.placed_at is not None)
            for row in current_sign_ups().filter(session=club_session)
        ],
        places=club_session.places,
    )


@read(figures_router, "/sessions/{session_id}/pots", MEMBERS, PotsShape)
def session_pots(request: HttpRequest, session_id: str) -> PotsShape:
    """The prizes and pots of a session."""
    caller = caller_of(request)
    club_session = released_session(caller.club, session_id, caller.rank)
    return pots_shape(pot_sheets(club_session, at=timezone.now()), caller.club, namer(caller))


@read(figures_router, "/seasons/{season_id}/pots", MEMBERS, PotsShape)
def season_pots(request: HttpRequest, season_id: str) -> PotsShape:
    """The prizes and pots of a season."""
    caller = caller_of(request)
    season = get_object_or_404(caller.club.seasons.select_related("club"), public_id=season_id)
    return pots_shape(pot_sheets(season, at=timezone.now()), caller.club, namer(caller))
