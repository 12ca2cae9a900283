"""The club, its people, its rulesets, and who did what."""

from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Query, Router

from league.api.callers import MEMBERS, OPEN, ORGANISERS, Caller, caller_of
from league.api.operations import Page, Part, page_of, read
from league.api.shapes.people import (
    AuditShape,
    ClubShape,
    MemberDetail,
    MemberShape,
    RulesetDetail,
    RulesetShape,
    audit_shape,
    club_shape,
    member_fields,
    record_shape,
    ruleset_fields,
)
from league.members.models import Member
from league.members.public import has_public_page
from league.members.queries import audit_of, people_of
from league.standings.evening import record_of


def shown_member(caller: Caller, member_id: str) -> Member:
    """The person, where this caller may ask for more of them."""
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
        request, people, part, lambda one: MemberShape.model_validate(member_fields(one, caller))
    )


@read(router, "/members/{member_id}", OPEN, MemberDetail)
def member(request: HttpRequest, member_id: str) -> MemberDetail:
    """Somebody of the club, with what they have come to."""
    caller = caller_of(request)
    found = shown_member(caller, member_id)
    record = [record_shape(line) for line in record_of(found)]
    return MemberDetail.model_validate(member_fields(found, caller) | {"record": record})


@read(router, "/rulesets", MEMBERS, Page[RulesetShape])
def rulesets(request: HttpRequest, part: Query[Part]) -> Page[RulesetShape]:
    """Every version of the club's rulesets, by table size and name, the newest first."""
    found = caller_of(request).club.rulesets.all()
    return page_of(
        request, found, part, lambda one: RulesetShape.model_validate(ruleset_fields(one))
    )


@read(router, "/rulesets/{ruleset_id}", OPEN, RulesetDetail)
def ruleset(request: HttpRequest, ruleset_id: str) -> RulesetDetail:
    """One version of a ruleset with its rules."""
    found = get_object_or_404(caller_of(request).club.rulesets, public_id=ruleset_id)
    return RulesetDetail.model_validate(ruleset_fields(found) | {"body": found.body})


@read(router, "/audit", ORGANISERS, Page[AuditShape])
def audit(request: HttpRequest, part: Query[Part]) -> Page[AuditShape]:
    """Who did what in the club, the newest first."""
    return page_of(request, audit_of(caller_of(request).club), part, audit_shape)
