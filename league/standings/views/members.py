"""One person's page, and two people side by side."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.utils import timezone

from league.access import PUBLIC, ClubRequest, club_page
from league.members.models import Club, Member
from league.members.public import has_public_page, names_apart, public_name
from league.ranking.statistics import Company
from league.seasons.models import Season
from league.seasons.queries import history_of
from league.standings import evening
from league.standings.careers import Career, career_of
from league.standings.chart import line_of
from league.standings.games import with_sides
from league.standings.labels import figure
from league.standings.queries import club_revision
from league.standings.rating_queries import ratings_of
from league.standings.rendered import kept, naming
from league.standings.season_queries import season_revision
from league.standings.shown import shown_in_club


@club_page(PUBLIC)
def member_record(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """One person's record and figures, of all time or of one season."""
    member = shown_member(request, club, public_id)
    seasons = list(club.seasons.all())
    season = chosen_season(request, seasons)
    context = {"club": club, "here": "standings", "member": member}
    context |= {"name": public_name(member, club, request.rank)}
    context |= {"seasons": seasons, "season": season, "figures": figures(request, member, season)}
    ratings = ratings_of(club, at=timezone.now()) if club.shows_ratings else {}
    context["rating"] = ratings.get(member.pk)
    context["divisions"] = history_of(member) if seasons else ()
    return render(request, "standings/member.html", context)


def figures(request: ClubRequest, member: Member, season: Season | None) -> dict[str, str]:
    """The record and the play out of it, rendered; empty before the first game.

    Kept while no session of the club has moved and nobody is to be named otherwise: years of hands
    take a fifth of a second to go through.
    """
    club = member.club
    moved = (club_revision(club), season and (season.pk, season_revision(season)))
    shown = shown_in_club(club)
    what = (member.pk, *moved, naming(club, request.rank), shown.rows)
    return kept("member", what, lambda: _figures(member, season, shown.people(), request.rank))


def _figures(
    member: Member, season: Season | None, people: Mapping[int, Member], viewer_rank: str | None
) -> dict[str, str]:
    club, record = member.club, evening.record_of(member, season)
    if not record:
        return {}
    career = career_of(member, season)
    latest = with_sides(evening.latest_games(member, season), club, viewer_rank)
    context = {"club": club, "member": member, "record": record, "career": career}
    context |= {"latest": latest, "trend": drawn(career)}
    context["company"] = met(career, club, people, viewer_rank)
    return {
        "record": render_to_string("standings/_record.html", context),
        "play": render_to_string("standings/_play.html", context),
    }


@club_page(PUBLIC)
def member_compare(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Two people side by side; without a second one, whom to choose from."""
    member = shown_member(request, club, public_id)
    everybody = Member.objects.filter(club=club, merged_into=None)
    listed = [one for one in everybody if has_public_page(one, club, request.rank)]
    names = names_apart(listed, club, request.rank)
    others = [(one, names[one.pk]) for one in listed if one.pk != member.pk]
    other = next((one for one, _n in others if one.public_id == request.GET.get("with")), None)
    context = {"club": club, "here": "standings", "member": member, "others": others}
    context |= {"name": names[member.pk], "other": other}
    if other is not None:
        one, two = career_of(member), career_of(other)
        context |= {"one": one, "two": two, "other_name": names[other.pk]}
        context["between"] = next((c for c in one.company if c.who == other.pk), None)
    return render(request, "standings/compare.html", context)


def shown_member(request: ClubRequest, club: Club, public_id: str) -> Member:
    """The person, where this viewer may see a page about them; else 404."""
    member = get_object_or_404(Member, club=club, public_id=public_id, merged_into=None)
    member.club = club
    if not has_public_page(member, club, request.rank):
        raise Http404
    return member


def chosen_season(request: ClubRequest, seasons: list[Season]) -> Season | None:
    """The season asked for; None, all time, for any that the club does not have."""
    return next((s for s in seasons if s.public_id == request.GET.get("season")), None)


def drawn(career: Career) -> dict[str, Any]:
    """The evenings of a career with the line through them."""
    steps = career.trend
    line = line_of([step.above for step in steps])
    words = {"highest": line.highest, "lowest": line.lowest}
    words["last"] = steps[-1].above if steps else Fraction(0)
    said = {name: figure("above", value) for name, value in words.items()}
    return {
        "steps": steps,
        "line": line,
        "dots": list(zip(steps, line.points, strict=True)),
        **said,
    }


def met(
    career: Career, club: Club, people: Mapping[int, Member], viewer_rank: str | None
) -> list[tuple[Company, str, str]]:
    """Everybody met: what came of it, their name, and their page where there is one."""
    listed, names = [], names_apart(people.values(), club, viewer_rank)
    for one in career.company:
        person = people[one.who]
        page = person.public_id if has_public_page(person, club, viewer_rank) else ""
        listed.append((one, names[person.pk], page))
    return listed
