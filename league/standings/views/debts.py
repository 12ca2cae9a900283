"""Pages for the treasurer: who owes stakes to the club, and the account of a season's money."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.access import ClubRequest, club_page
from league.members.models import Club
from league.seasons.views import season_of
from league.standings.pot_totals import account_labels
from league.standings.season_account import season_account, total_of_account
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


@require_safe
@club_page("organiser")
def account_of_season(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """What came into the box and went out of it, session by session."""
    season = season_of(club, public_id)
    lines = season_account(season)
    context = {"club": club, "here": "standings", "season": season, "lines": lines}
    context |= {"labels": account_labels(), "total": total_of_account(lines)}
    return render(request, "standings/season_account.html", context)
