"""The certificate: how fair tonight's seating was, to read and to print."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.access import club_page
from league.members.models import Club, Member
from league.pairing.seating import certificate
from league.seating.queries import played_tonight
from league.seating.queries.rounds import published_rounds
from league.sessions.queries import session_of


@require_safe
@club_page("member")
def seating_certificate(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """What everybody had tonight, beside what no plan can beat."""
    club_session = session_of(club, public_id)
    figures = certificate(played_tonight(club_session))
    members = Member.objects.in_bulk([int(line.player) for line in figures.players])
    lines = [(members[int(line.player)], line) for line in figures.players]
    context = {
        "club": club,
        "here": "sessions",
        "club_session": club_session,
        "figures": figures,
        "rounds": published_rounds(club_session),
        "lines": sorted(lines, key=lambda line: line[0].name_key),
    }
    return render(request, "seating/certificate.html", context)
