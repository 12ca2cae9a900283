"""The page of a club's ratings, where the club has switched them on."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone

from league.access import PUBLIC, ClubRequest, club_page
from league.members.models import Club, Member
from league.members.public import has_public_page, names_apart
from league.standings.rating_queries import ratings_of


@club_page(PUBLIC)
def ratings(request: ClubRequest, club: Club) -> HttpResponse:
    """Everybody with a rating, the surest good one first; a word about it where it is off."""
    found = ratings_of(club, at=timezone.now()) if club.shows_ratings else {}
    people = Member.objects.in_bulk(list(found))
    names, rows = names_apart(people.values(), club, request.rank), []
    order = sorted(found, key=lambda who: (-found[who].cautious, names[who].casefold(), who))
    for who in order:
        one = people[who]
        page = one.public_id if has_public_page(one, club, request.rank) else ""
        rows.append({"rating": found[who], "name": names[who], "page": page})
    context = {"club": club, "here": "standings", "rows": rows}
    return render(request, "standings/ratings.html", context)
