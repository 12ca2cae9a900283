"""One person's page: their record by table size and their latest games."""

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render

from league.access import PUBLIC, ClubRequest, club_page
from league.members.models import Club, Member
from league.members.public import has_public_page, public_name
from league.play.models import Game
from league.standings import evening
from league.standings.games import with_sides


@club_page(PUBLIC)
def member_record(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """One person's games by table size, and the latest of them."""
    member = get_object_or_404(Member, club=club, public_id=public_id, merged_into=None)
    if not has_public_page(member, club, request.rank):
        raise Http404
    latest = with_sides(evening.latest_games(member), club, request.rank)
    context = {"club": club, "here": "standings", "member": member, "latest": latest}
    context |= {"name": public_name(member, club, request.rank)}
    context |= {"record": evening.record_of(member), "states": Game.State}
    return render(request, "standings/member.html", context)
