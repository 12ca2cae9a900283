"""Finding what an address names, in the caller's club: 404 for another's as for none."""

from django.http import Http404
from django.shortcuts import get_object_or_404

from league.api.callers import Caller
from league.members.models import Member
from league.members.public import has_public_page


def shown_member(caller: Caller, member_id: str) -> Member:
    """The person, where this caller may ask for more of them."""
    member = get_object_or_404(
        Member, club=caller.club, public_id=member_id, merged_into=None, erased_at=None
    )
    if not has_public_page(member, caller.club, caller.rank):
        raise Http404
    return member
