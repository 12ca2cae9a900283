"""API of a club: its players, rulesets and activity log; statistics, ratings and pots."""

from datetime import datetime

from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.utils import timezone
from ninja import Query, Router
from pydantic import BaseModel, Field

from league.api.callers import MEMBERS, OPEN, ORGANISERS, Caller, caller_of
from league.api.operations import Page, Pagination, page_of, read
from league.api.shapes.figures import (
    PotsShape,
    RatingShape,
    StatisticsShape,
    pots_shape,
    rating_shape,
    statistics_shape,
)
from league.api.shapes.people import (
    ActivityShape,
    ClubShape,
    MemberDetail,
    MemberShape,
    Person,
    RulesetDetail,
    RulesetShape,
    activity_shape,
    club_shape,
    member_fields,
    namer,
    record_shape,
    ruleset_fields,
)
from league.members.models import Member, has_public_page
from league.members.queries import audit_of, people_of
from league.sessions.models import Session, turned_up
from league.sessions.queries import (
    attendances,
    current_sign_ups,
    released_session,
    session_of,
)
from league.standings.careers import career_of, ratings_of, record_of
from league.standings.pot_queries import pot_sheets
from league.standings.season_queries import refuse_held_pots


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
    """The club that the token belongs to."""
    caller = caller_of(request)
    return club_shape(caller.club, caller)


@read(router, "/members", MEMBERS, Page[MemberShape])
def members(request: HttpRequest, pagination: Query[Pagination]) -> Page[MemberShape]:
    """All players of the club by name, including guests and inactive players."""
    caller = caller_of(request)
    people: QuerySet[Member] = people_of(caller.club)
    return page_of(
        request,
        people,
        pagination,
        lambda row: MemberShape.model_validate(member_fields(row, caller)),
    )


@read(router, "/members/{member_id}", OPEN, MemberDetail)
def member(request: HttpRequest, member_id: str) -> MemberDetail:
    """A player, with totals of their games."""
    caller = caller_of(request)
    shown = readable_member(caller, member_id)
    record = [record_shape(line) for line in record_of(shown)]
    return MemberDetail.model_validate(member_fields(shown, caller) | {"record": record})


@read(router, "/rulesets", MEMBERS, Page[RulesetShape])
def rulesets(request: HttpRequest, pagination: Query[Pagination]) -> Page[RulesetShape]:
    """All versions of the club's rulesets, by table size and name, newest first."""
    all_rulesets = caller_of(request).club.rulesets.all()
    return page_of(
        request,
        all_rulesets,
        pagination,
        lambda row: RulesetShape.model_validate(ruleset_fields(row)),
    )


@read(router, "/rulesets/{ruleset_id}", OPEN, RulesetDetail)
def ruleset(request: HttpRequest, ruleset_id: str) -> RulesetDetail:
    """One version of a ruleset, with its rules."""
    chosen = get_object_or_404(caller_of(request).club.rulesets, public_id=ruleset_id)
    return RulesetDetail.model_validate(ruleset_fields(chosen) | {"body": chosen.body})


@read(router, "/audit", ORGANISERS, Page[ActivityShape])
def audit(request: HttpRequest, pagination: Query[Pagination]) -> Page[ActivityShape]:
    """The club's activity log, newest first."""
    return page_of(request, audit_of(caller_of(request).club), pagination, activity_shape)


figures_router = Router(tags=["Figures"])


class SeasonFilter(BaseModel):
    """All time, or one season."""

    season: str = Field("", description="The id of a season; empty for all time.")


class Attendee(BaseModel):
    """A player who was checked in. `left_at` is set while they are away."""

    person: Person
    arrived_at: datetime
    left_at: datetime | None
    resting: bool


class SessionSignUp(BaseModel):
    """A player who signed up. Without a place, they are on the waiting list."""

    person: Person
    has_place: bool


class SessionPeople(BaseModel):
    """The players checked in to a session, in order of arrival, and those who signed up."""

    came: list[Attendee]
    signed_up: list[SessionSignUp]
    places: int | None = Field(description="The number of places; null for no limit.")


@read(figures_router, "/members/{member_id}/play", OPEN, StatisticsShape)
def member_play(
    request: HttpRequest, member_id: str, query: Query[SeasonFilter]
) -> StatisticsShape:
    """A player's statistics: calls, euchres, loners, partners, the trend."""
    caller = caller_of(request)
    member, season = readable_member(caller, member_id), None
    if query.season:
        season = get_object_or_404(caller.club.seasons, public_id=query.season)
    career = career_of(member, season)
    people = Member.objects.in_bulk([company.who for company in career.company])
    return statistics_shape(career, people, namer(caller, people.values()))


@read(figures_router, "/ratings", OPEN, list[RatingShape])
def ratings(request: HttpRequest) -> list[RatingShape]:
    """All players' ratings, best first; empty if the club does not show ratings.

    They are sorted by the lowest likely rating: `value` minus `uncertainty`.
    """
    caller = caller_of(request)
    by_member = ratings_of(caller.club, at=timezone.now()) if caller.club.shows_ratings else {}
    people = Member.objects.in_bulk(list(by_member))
    name_of = namer(caller, people.values())
    names = {key: name_of(member).name.casefold() for key, member in people.items()}
    order = sorted(by_member, key=lambda key: (-by_member[key].cautious, names[key], key))
    return [rating_shape(by_member[key], name_of(people[key])) for key in order]


@read(figures_router, "/sessions/{session_id}/people", MEMBERS, SessionPeople)
def session_people(request: HttpRequest, session_id: str) -> SessionPeople:
    """The players checked in to a session, and those who signed up."""
    caller = caller_of(request)
    return people_of_session(caller, session_of(caller.club, session_id))


def people_of_session(caller: Caller, club_session: Session) -> SessionPeople:
    """The players checked in and signed up, named as this caller may read them."""
    name_of = namer(caller)
    return SessionPeople(
        came=[
            Attendee(
                person=name_of(row.member),
                arrived_at=row.arrived_at,
                left_at=row.left_at,
                resting=row.resting,
            )
            for row in attendances(club_session).filter(turned_up("session", "member"))
        ],
        signed_up=[
            SessionSignUp(person=name_of(row.member), has_place=row.placed_at is not None)
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
    refuse_held_pots(season, caller.rank)
    return pots_shape(pot_sheets(season, at=timezone.now()), caller.club, namer(caller))
