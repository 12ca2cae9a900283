"""One page about all files of a club: what can be brought in, what can be taken away."""

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from league.access import ClubRequest, club_page, reaches
from league.exchange.examples import examples
from league.exchange.sheets import download, sheet
from league.members.job_queries import jobs_to_see
from league.members.models import Club, Role


@club_page("member")
@require_safe
def club_files(request: ClubRequest, club: Club) -> HttpResponse:
    """People, sessions, results and hands: their files, and for organisers their imports."""
    organiser = reaches(request.rank, Role.Rank.ORGANISER)
    context = {"club": club, "here": "sessions", "organiser": organiser}
    context["jobs"] = jobs_to_see(club, request.rank)
    return render(request, "exchange/club_files.html", context)


@club_page("organiser")
@require_safe
def example_sheet(request: ClubRequest, club: Club, what: str, kind: str) -> HttpResponse:
    """A sheet to fill in, with a line or two that show how."""
    example = examples(club.local(timezone.now()).date()).get(what)
    if example is None:
        raise Http404
    content = sheet(example.headings, example.lines, kind=kind)
    return download(content, name=f"example {what}", kind=kind)
