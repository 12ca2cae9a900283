"""One person's page with the plot of their season, two people side by side, the club's ratings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from itertools import count
from typing import Any, Protocol

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _

from league.access import PUBLIC, ClubRequest, club_page
from league.members.languages import dated
from league.members.models import Club, Member
from league.members.names import sort_key
from league.members.public import distinct_names, has_public_page, public_name
from league.ranking.statistics import Career, Company, beaten_word
from league.seasons.models import Season
from league.sessions.models import Session
from league.standings import careers
from league.standings.cached_tables import (
    Params,
    Place,
    cached,
    naming,
    season_part,
    visible_in_club,
    visible_in_season,
)
from league.standings.careers import career_of, rated_games, ratings_of
from league.standings.labels import BEATEN, figure
from league.standings.queries import HELD, club_revision
from league.standings.season_queries import division_of, season_revision
from league.standings.tables import as_seen_by, with_sides

LATEST_RATED = 20


@club_page(PUBLIC)
def member_record(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """One person's record and figures, of all time or of one season."""
    member = shown_member(request, club, public_id)
    seasons = list(club.seasons.all())
    season = chosen_season(request, seasons)
    current = season or current_season(seasons, club.local(timezone.now()).date())
    context = {"club": club, "here": "standings", "member": member}
    context |= {"name": public_name(member, club, request.rank)}
    context |= {"seasons": seasons, "season": season, "figures": figures(request, member, season)}
    ratings = ratings_of(club, at=timezone.now()) if club.shows_ratings else {}
    context["rating"] = ratings.get(member.pk)
    placed = member.placements.select_related("season", "division")
    context["divisions"] = placed.order_by("-season__starts_on", "-season") if seasons else ()
    if current:
        place, among = place_in_season(request.rank, current, member)
        context |= {"current": current, "place": place, "among": among}
    context["titles"] = titles_of(member)
    if not context["figures"]:
        held = club.sessions.filter(standings_held=True, attendances__member=member)
        context["held"] = held.exists()
    return render(request, "standings/member.html", context)


def figures(request: ClubRequest, member: Member, season: Season | None) -> dict[str, str]:
    """The record and the play out of it, rendered; empty before the first game.

    Kept while no session of the club has moved and nobody is to be named otherwise: years of hands
    take a fifth of a second to go through.
    """
    club = member.club
    moved = (club_revision(club), season and (season.pk, season_revision(season)))
    visible = visible_in_club(club)
    what = (member.pk, *moved, naming(club, request.rank), visible.rows)
    return cached("member", what, lambda: _figures(member, season, visible.people(), request.rank))


def _figures(
    member: Member, season: Season | None, people: Mapping[int, Member], viewer_rank: str | None
) -> dict[str, str]:
    club, record = member.club, careers.record_of(member, season)
    if not record:
        return {}
    career = career_of(member, season)
    games = with_sides(careers.latest_games(member, season), club, viewer_rank)
    latest = as_seen_by(member, games)
    context = {"club": club, "member": member, "career": career}
    context["record"] = [record[-1], *record[:-1]] if len(record) > 2 else record[:1]
    context |= {"latest": latest, "trend": _trend(career), "beaten": BEATEN[career.beaten]}
    context["company"] = met(career, club, people, viewer_rank)
    words = {"made": figure("won", record[-1].values["won"]), "calls": record[-1].games}
    return {
        "won": _("%(made)s of %(calls)s") % words,
        "record": render_to_string("standings/_record.html", context),
        "play": render_to_string("standings/_play.html", context),
    }


def place_in_season(rank: str | None, season: Season, member: Member) -> tuple[Place | None, int]:
    """Where a player stands, in their own division where there are any, and of how many."""
    divisions = list(season.divisions.all())
    division = division_of(season, divisions, "", member.pk)
    wanted = Params(division=str(division.number) if division else "")
    visible, revision = visible_in_season(season), season_revision(season)
    part = season_part(rank, season, wanted, division, visible, revision)
    return part.place_of(member.pk), sum(not place.missing for place in part.places)


def titles_of(member: Member) -> list[str]:
    """The seasons and tournaments this player has won, the latest first."""
    seasons = member.seasons_won.values_list("season__starts_on", "season__name")
    won = member.session_places.filter(place=1, session__state=Session.State.CLOSED).exclude(HELD)
    days = [*seasons, *won.values_list("session__held_on", "session__name")]
    return [name for _day, name in sorted(days, reverse=True)]


@club_page(PUBLIC)
def member_compare(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Two people side by side: with no second one asked for, the reader, or who was met most."""
    member = shown_member(request, club, public_id)
    everybody = Member.objects.filter(club=club, merged_into=None)
    listed = [person for person in everybody if has_public_page(person, club, request.rank)]
    names = distinct_names(listed, club, request.rank)
    others = [(one, names[one.pk]) for one in listed if one.pk != member.pk]
    one = career_of(member)
    other = _compared_with([one for one, _name in others], request, one)
    context = {"club": club, "here": "standings", "member": member, "others": others}
    context |= {"name": names[member.pk], "other": other}
    if other is not None:
        two = career_of(other)
        context |= {"one": one, "two": two, "other_name": names[other.pk]}
        context["beaten"] = BEATEN[beaten_word(deal.bid for deal in [*one.deals, *two.deals])]
        context["between"] = next((c for c in one.company if c.who == other.pk), None)
    return render(request, "standings/compare.html", context)


def _compared_with(others: list[Member], request: ClubRequest, career: Career) -> Member | None:
    """Who was asked for; else the reader's own page; else whom this player met most."""
    chosen = [one for one in others if one.public_id == request.GET.get("with")]
    own = [one for one in others if one.user_id and one.user_id == request.user.pk]
    met = [one.who for one in career.company[:1]]
    return next(iter([*chosen, *own, *(one for one in others if one.pk in met)]), None)


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


def current_season(seasons: list[Season], today: date) -> Season | None:
    """The season that is on; else the latest."""
    begun = [season for season in seasons if season.starts_on <= today]
    return next((one for one in begun if one.closed_at is None), next(iter(begun), None))


def _trend(career: Career) -> dict[str, Any]:
    """The evenings of a career with the plot of them."""
    steps = career.trend
    above = [step.above for step in steps]
    return {
        "steps": steps,
        "plot": plot_of(steps) if len(steps) > 1 else None,
        "highest": figure("above", max(above, default=Fraction(0))),
        "lowest": figure("above", min(above, default=Fraction(0))),
        "last": figure("above", above[-1] if above else Fraction(0)),
    }


def met(
    career: Career, club: Club, people: Mapping[int, Member], viewer_rank: str | None
) -> list[tuple[Company, str, str]]:
    """Everybody met: what came of it, their name, and their page where there is one."""
    listed, names = [], distinct_names(people.values(), club, viewer_rank)
    for one in career.company:
        person = people[one.who]
        page = person.public_id if has_public_page(person, club, viewer_rank) else ""
        listed.append((one, names[person.pk], page))
    return listed


@club_page(PUBLIC)
def ratings(request: ClubRequest, club: Club) -> HttpResponse:
    """Everybody with a rating, the surest good one first; a word about it where it is off."""
    by_member = ratings_of(club, at=timezone.now()) if club.shows_ratings else {}
    people = Member.objects.in_bulk(list(by_member))
    names, rows = distinct_names(people.values(), club, request.rank), []
    order = sorted(by_member, key=lambda who: (-by_member[who].cautious, sort_key(names[who]), who))
    for who in order:
        one = people[who]
        page = one.public_id if has_public_page(one, club, request.rank) else ""
        rows.append({"rating": by_member[who], "name": names[who], "page": page})
    context = {"club": club, "here": "standings", "rows": rows}
    if rows:
        games = rated_games(club, at=timezone.now()).select_related("session", "table__round")
        context["latest"] = games.reverse()[:LATEST_RATED]
    return render(request, "standings/ratings.html", context)


WIDTH, HEIGHT = 640, 232
LEFT, RIGHT, TOP, BOTTOM = 64, 16, 26, 34
MOST_TICKS = 6
APART = 120
"""How far apart two dates are written at least."""


class Point(Protocol):
    """What is drawn of an evening."""

    @property
    def held_on(self) -> date: ...

    @property
    def above(self) -> Fraction: ...


@dataclass(frozen=True, slots=True)
class Dot:
    """One evening on the line: where it is, and what a tap on it says."""

    across: int
    down: int
    day: str
    value: str


@dataclass(frozen=True, slots=True)
class Plot:
    """Everything there is to draw; `ticks` of the scale and `days` as places with their text."""

    dots: tuple[Dot, ...]
    ticks: tuple[tuple[int, str], ...]
    days: tuple[tuple[int, str, str], ...]
    zero: int
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP

    @property
    def path(self) -> str:
        """The `points` of an SVG polyline."""
        return " ".join(f"{dot.across},{dot.down}" for dot in self.dots)


def plot_of(points: Sequence[Point]) -> Plot:
    """The points by their days from left to right; nought is always on the scale."""
    ticks = scale([point.above for point in points])
    highest, lowest = ticks[-1], ticks[0]

    def down(value: Fraction) -> int:
        return round(TOP + (highest - value) / (highest - lowest) * (HEIGHT - TOP - BOTTOM))

    dots = tuple(
        Dot(at, down(one.above), dated(one.held_on, _("j M Y")), figure("above", one.above))
        for at, one in zip(_across([one.held_on for one in points]), points, strict=True)
    )
    return Plot(
        dots=dots,
        ticks=tuple((down(tick), figure("above", tick)) for tick in ticks),
        days=tuple(_days(dots)),
        zero=down(Fraction(0)),
    )


def scale(values: Sequence[Fraction]) -> list[Fraction]:
    """Round numbers, evenly apart, around all values and nought."""
    highest, lowest = max([*values, Fraction(0)]), min([*values, Fraction(0)])
    for power in count(-1):
        for step in (Fraction(unit) * Fraction(10) ** power for unit in (1, 2, 5)):
            first, last = lowest // step, -(-highest // step)
            last = max(last, first + 1)
            if last - first < MOST_TICKS:
                return [step * number for number in range(first, last + 1)]
    raise AssertionError("unreachable")


def _across(days: Sequence[date]) -> list[int]:
    """Where each day is; on one and the same day, side by side."""
    width, span = WIDTH - LEFT - RIGHT, (days[-1] - days[0]).days
    if not span:
        return [LEFT + width * n // max(len(days) - 1, 1) for n in range(len(days))]
    return [LEFT + width * (day - days[0]).days // span for day in days]


def _days(dots: Sequence[Dot]) -> list[tuple[int, str, str]]:
    """The dates under the line: the first and the last, and between them as many as fit."""
    days = [(dots[0].across, dots[0].day, "start")]
    for dot in dots[1:-1]:
        if dot.across - days[-1][0] >= APART and dots[-1].across - dot.across >= APART:
            days.append((dot.across, dot.day, "middle"))
    if len(dots) > 1 and dots[-1].day != dots[0].day:
        days.append((dots[-1].across, dots[-1].day, "end"))
    return days
