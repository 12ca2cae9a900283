"""Who owes stakes to a club, from all its sessions and seasons."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.access import ClubRequest, club_page
from league.members.models import Club
from league.standings.stake_debts import debtors_of
from league.standings.views.pots import links_to


@require_safe
@club_page("organiser")
def who_owes(request: ClubRequest, club: Club) -> HttpResponse:
    """The players who owe stakes, each with what they owe and where it is settled."""
    found = debtors_of(club) if club.keeps_pots else []
    debtors = [(member, sum(debts.values()), links_to(debts)) for member, debts in found]
    total = sum(own_total for _member, own_total, _links in debtors)
    context = {"club": club, "here": "club", "debtors": debtors, "total": total}
    return render(request, "standings/who_owes.html", context)
