"""Figures: somebody's play, ratings, who came and who means to come, prizes and pots."""

from datetime import datetime

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils import timezone
from ninja import Query, Router
from pydantic import BaseModel, Field

from league.api.callers import MEMBERS, OPEN, Caller, caller_of
from league.api.operations import read
from league.api.reading.club import shown_member
from league.api.shapes.figures import (
    PlayShape,
    PotsShape,
    RatingShape,
    play_shape,
    pots_shape,
    rating_shape,
)
from league.api.shapes.people import Person, namer
from league.members.models import Member
from league.sessions.models import Session
from league.sessions.queries import attendances, current_sign_ups, session_of
from league.standings.careers import career_of
from league.standings.pot_queries import pot_sheets
from league.standings.rating_queries import ratings_of

router = Router(tags=["Figures"])


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
    places: int | None = Field(description="How many may sign up; null for whoever wants.")


@read(router, "/members/{member_id}/play", OPEN, PlayShape)
def member_play(request: HttpRequest, member_id: str, asked: Query[OfSeason]) -> PlayShape:
    """Somebody's play in figures: calls, euchres, lone hands, partners, the trend."""
    caller = caller_of(request)
    member, season = shown_member(caller, member_id), None
    if asked.season:
        season = get_object_or_404(caller.club.seasons, public_id=asked.season)
    career = career_of(member, season)
    people = Member.objects.in_bulk([one.who for one in career.company])
    return play_shape(career, people, namer(caller, people.values()))


@read(router, "/ratings", OPEN, list[RatingShape])
def ratings(request: HttpRequest) -> list[RatingShape]:
    """Everybody's rating, the surest good one first; empty where the club shows none."""
    caller = caller_of(request)
    found = ratings_of(caller.club, at=timezone.now()) if caller.club.shows_ratings else {}
    people = Member.objects.in_bulk(list(found))
    name_of = namer(caller, people.values())
    shown = {who: name_of(member).name.casefold() for who, member in people.items()}
    order = sorted(found, key=lambda who: (-found[who].cautious, shown[who], who))
    return [rating_shape(found[who], name_of(people[who])) for who in order]


@read(router, "/sessions/{session_id}/people", MEMBERS, PeopleOfSession)
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


@read(router, "/sessions/{session_id}/pots", MEMBERS, PotsShape)
def session_pots(request: HttpRequest, session_id: str) -> PotsShape:
    """The prizes and pots of a session."""
    caller = caller_of(request)
    night = session_of(caller.club, session_id)
    return pots_shape(pot_sheets(night, at=timezone.now()), caller.club, namer(caller))


@read(router, "/seasons/{season_id}/pots", MEMBERS, PotsShape)
def season_pots(request: HttpRequest, season_id: str) -> PotsShape:
    """The prizes and pots of a season."""
    caller = caller_of(request)
    season = get_object_or_404(caller.club.seasons.select_related("club"), public_id=season_id)
    return pots_shape(pot_sheets(season, at=timezone.now()), caller.club, namer(caller))
