"""A player's page with the plot of the season, two players compared, and the club's ratings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from itertools import count
from typing import Any, Protocol

from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _

from league.access import PUBLIC, ClubRequest, club_page
from league.members.languages import dated
from league.members.models import Club, Member, distinct_names, has_public_page
from league.members.names import sort_key
from league.ranking.statistics import Career, Company, beaten_word
from league.seasons.models import Season
from league.sessions.models import Session
from league.standings import careers
from league.standings.cached_tables import (
    Params,
    Place,
    VisibleMembers,
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
from league.standings.tables import PAIR, as_seen_by, with_sides

LATEST, LATEST_RATED = 5, 20
GAMES_PER_PAGE = 50


@club_page(PUBLIC)
def member_record(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """A player's record and statistics, of all time or of one season."""
    member = shown_member(request, club, public_id)
    seasons = list(club.seasons.all())
    season = chosen_season(request, seasons)
    current = season or current_season(seasons, club.local(timezone.now()).date())
    context = {"club": club, "here": "standings", "member": member}
    visible = visible_in_club(club)
    context |= {"name": distinct_names(visible.people().values(), club, request.rank)[member.pk]}
    context |= {"figures": figures(request, member, season, visible)}
    context |= {"seasons": seasons, "season": season}
    now = timezone.now()
    context["open_games"] = careers.open_games_of(member, season, at=now)
    ratings = ratings_of(club, at=now) if club.shows_ratings else {}
    context["rating"] = ratings.get(member.pk)
    placements = member.placements.select_related("season", "division")
    context["divisions"] = placements.order_by("-season__starts_on", "-season") if seasons else ()
    if current:
        own_place, placed_count = place_in_season(request.rank, current, member)
        context |= {"current": current, "place": own_place, "among": placed_count}
    context["titles"] = titles_of(member)
    held_sessions = club.sessions.filter(standings_held=True, attendances__member=member)
    if season:
        held_sessions = held_sessions.filter(season=season)
    context["held"] = list(dict.fromkeys(held_sessions.values_list("name", flat=True)))
    return render(request, "standings/member.html", context)


def figures(
    request: ClubRequest, member: Member, season: Season | None, visible: VisibleMembers
) -> dict[str, str]:
    """The rendered record and statistics; empty before the first game.

    Cached until a session of the club or a visible name changes, because years of hands take a
    fifth of a second to process.
    """
    club = member.club
    revisions = (club_revision(club), season and (season.pk, season_revision(season)))
    key_parts = (member.pk, *revisions, naming(club, request.rank), visible.rows)
    return cached(
        "member",
        key_parts,
        lambda: _rendered_figures(member, season, visible.people(), request.rank),
    )


def _rendered_figures(
    member: Member, season: Season | None, people: Mapping[int, Member], viewer_rank: str | None
) -> dict[str, str]:
    club, record = member.club, careers.record_of(member, season)
    if not record:
        return {}
    career = career_of(member, season)
    games = careers.latest_games(member, season)
    names = distinct_names(people.values(), club, viewer_rank)
    latest = as_seen_by(member, with_sides(games[: LATEST + 1], names), names)
    context = {"club": club, "member": member, "career": career, "season": season}
    context["record"] = [record[-1], *record[:-1]] if len(record) > 2 else record[:1]
    context |= {"latest": latest, "trend": _trend_context(career), "beaten": BEATEN[career.beaten]}
    context["company"] = met_players(career, club, people, viewer_rank)
    return {
        "won": _won_text(record),
        "record": render_to_string("standings/_record.html", context),
        "play": render_to_string("standings/_play.html", context),
    }


def _won_text(record: Sequence[careers.RecordLine]) -> str:
    """The games won of those finished: "3 of 5"; a dash if none is."""
    if not record or not record[-1].games:
        return "–"
    values = {"made": figure("won", record[-1].values["won"]), "calls": record[-1].games}
    return _("%(made)s of %(calls)s") % values


@club_page(PUBLIC)
def member_games(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """All games of a player, of all time, one season or one month, the latest first."""
    member = shown_member(request, club, public_id)
    season = chosen_season(request, list(club.seasons.all()))
    latest = careers.latest_games(member, season)
    months = list(latest.order_by().dates("session__held_on", "month", order="DESC"))
    month = next((one for one in months if f"{one:%Y-%m}" == request.GET.get("month")), None)
    pages = Paginator(careers.in_month(latest, month), GAMES_PER_PAGE)
    page = pages.get_page(request.GET.get("page"))
    names = distinct_names(visible_in_club(club).people().values(), club, request.rank)
    games = as_seen_by(member, with_sides(page.object_list, names), names)
    context = {"club": club, "here": "standings", "member": member, "season": season}
    context |= {"page": page, "games": games, "name": names[member.pk]}
    context |= {"months": months, "month": month}
    context["won"] = _won_text(careers.record_of(member, season, month))
    return render(request, "standings/member_games.html", context)


def place_in_season(rank: str | None, season: Season, member: Member) -> tuple[Place | None, int]:
    """A player's place in a season, in their own division if any, and the number of places."""
    divisions = list(season.divisions.all())
    division = division_of(season, divisions, "", member.pk)
    params = Params(division=str(division.number) if division else "")
    visible, revision = visible_in_season(season), season_revision(season)
    part = season_part(rank, season, params, division, visible, revision)
    return part.place_of(member.pk), sum(not place.missing for place in part.places)


def titles_of(member: Member) -> list[str]:
    """The names of the seasons and tournaments this player has won, latest first."""
    seasons = member.seasons_won.values_list("season__starts_on", "season__name")
    places_won = member.session_places.filter(place=1, session__state=Session.State.CLOSED).exclude(
        HELD
    )
    # Pairs still in a bracket that was closed early share its first place, without having won.
    sharing = Count("session__player_places", filter=Q(session__player_places__place=1))
    places_won = places_won.annotate(sharing=sharing).exclude(figures=[], sharing__gt=PAIR)
    days = [*seasons, *places_won.values_list("session__held_on", "session__name")]
    return [name for _day, name in sorted(days, reverse=True)]


@club_page(PUBLIC)
def member_compare(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Two players side by side. Without a second one in the query, the reader or the player met
    most often."""
    member = shown_member(request, club, public_id)
    members = Member.objects.filter(club=club, merged_into=None)
    visible_members = [person for person in members if has_public_page(person, club, request.rank)]
    names = distinct_names(visible_members, club, request.rank)
    other_members = [(m, names[m.pk]) for m in visible_members if m.pk != member.pk]
    career = career_of(member)
    other_member = _compared_with([m for m, _name in other_members], request, career)
    context = {"club": club, "here": "standings", "member": member, "others": other_members}
    context |= {"name": names[member.pk], "other": other_member}
    if other_member is not None:
        other_career = career_of(other_member)
        context |= {"one": career, "two": other_career, "other_name": names[other_member.pk]}
        context["beaten"] = BEATEN[
            beaten_word(deal.bid for deal in [*career.deals, *other_career.deals])
        ]
        context["between"] = next(
            (company for company in career.company if company.who == other_member.pk), None
        )
    return render(request, "standings/compare.html", context)


def _compared_with(members: list[Member], request: ClubRequest, career: Career) -> Member | None:
    """The member requested; else the reader; else the one this player met most often."""
    requested = [member for member in members if member.public_id == request.GET.get("with")]
    own = [member for member in members if member.user_id and member.user_id == request.user.pk]
    most_met = [company.who for company in career.company[:1]]
    return next(iter([*requested, *own, *(m for m in members if m.pk in most_met)]), None)


def shown_member(request: ClubRequest, club: Club, public_id: str) -> Member:
    """The member, if this viewer may see a page about them; else 404."""
    member = get_object_or_404(Member, club=club, public_id=public_id, merged_into=None)
    member.club = club
    if not has_public_page(member, club, request.rank):
        raise Http404
    return member


def chosen_season(request: ClubRequest, seasons: list[Season]) -> Season | None:
    """The season in the query; None (all time) without one or for one the club does not have."""
    return next(
        (season for season in seasons if season.public_id == request.GET.get("season")), None
    )


def current_season(seasons: list[Season], today: date) -> Season | None:
    """The season in progress, else the latest one that has started."""
    started = [season for season in seasons if season.starts_on <= today]
    return next(
        (season for season in started if season.closed_at is None), next(iter(started), None)
    )


def _trend_context(career: Career) -> dict[str, Any]:
    """The template context for the evenings of a career and their plot."""
    steps = career.trend
    wins_above = [step.above for step in steps]
    return {
        "steps": steps,
        "plot": plot_of(steps) if len(steps) > 1 else None,
        "highest": figure("above", max(wins_above, default=Fraction(0))),
        "lowest": figure("above", min(wins_above, default=Fraction(0))),
        "last": figure("above", wins_above[-1] if wins_above else Fraction(0)),
    }


def met_players(
    career: Career, club: Club, people: Mapping[int, Member], viewer_rank: str | None
) -> list[tuple[Company, str, str]]:
    """The players met, each with results, name, and public id if they have a public page."""
    rows, names = [], distinct_names(people.values(), club, viewer_rank)
    for company in career.company:
        person = people[company.who]
        page = person.public_id if has_public_page(person, club, viewer_rank) else ""
        rows.append((company, names[person.pk], page))
    return rows


@club_page(PUBLIC)
def ratings(request: ClubRequest, club: Club) -> HttpResponse:
    """All players with a rating, by the cautious estimate; a note if ratings are turned off."""
    by_member = ratings_of(club, at=timezone.now()) if club.shows_ratings else {}
    people = Member.objects.in_bulk(list(by_member))
    names, rows = distinct_names(people.values(), club, request.rank), []
    ordered_ids = sorted(
        by_member,
        key=lambda member_id: (
            -by_member[member_id].cautious,
            sort_key(names[member_id]),
            member_id,
        ),
    )
    for member_id in ordered_ids:
        member = people[member_id]
        page = member.public_id if has_public_page(member, club, request.rank) else ""
        is_mine = request.user.is_authenticated and member.user_id == request.user.pk
        row = {"rating": by_member[member_id], "name": names[member_id], "page": page}
        rows.append(row | {"mine": is_mine})
    context = {"club": club, "here": "standings", "rows": rows}
    if rows:
        games = rated_games(club, at=timezone.now()).select_related("session", "table__round")
        context["latest"] = games.reverse()[:LATEST_RATED]
    return render(request, "standings/ratings.html", context)


WIDTH, HEIGHT = 640, 232
LEFT, RIGHT, TOP, BOTTOM = 64, 16, 26, 34
MOST_TICKS = 6
LABEL_DISTANCE = 120
"""The least distance between two dates under the plot."""


class Point(Protocol):
    """What the plot needs of an evening."""

    @property
    def held_on(self) -> date: ...

    @property
    def above(self) -> Fraction: ...


@dataclass(frozen=True, slots=True)
class Dot:
    """One evening in the plot: its position, and the text shown when tapped."""

    across: int
    down: int
    day: str
    value: str


@dataclass(frozen=True, slots=True)
class Plot:
    """Everything to draw; `ticks` of the scale and `days` are positions with their texts."""

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
    """The plot of the points by day, from left to right; the scale always includes zero."""
    ticks = scale([point.above for point in points])
    highest, lowest = ticks[-1], ticks[0]

    def y_of(value: Fraction) -> int:
        return round(TOP + (highest - value) / (highest - lowest) * (HEIGHT - TOP - BOTTOM))

    dots = tuple(
        Dot(x, y_of(point.above), dated(point.held_on, _("j M Y")), figure("above", point.above))
        for x, point in zip(_x_positions([point.held_on for point in points]), points, strict=True)
    )
    return Plot(
        dots=dots,
        ticks=tuple((y_of(tick), figure("above", tick)) for tick in ticks),
        days=tuple(_date_labels(dots)),
        zero=y_of(Fraction(0)),
    )


def scale(values: Sequence[Fraction]) -> list[Fraction]:
    """Round numbers at equal distances that enclose all values and zero."""
    highest, lowest = max([*values, Fraction(0)]), min([*values, Fraction(0)])
    for power in count(-1):
        for step in (Fraction(unit) * Fraction(10) ** power for unit in (1, 2, 5)):
            lowest_step, highest_step = lowest // step, -(-highest // step)
            highest_step = max(highest_step, lowest_step + 1)
            if highest_step - lowest_step < MOST_TICKS:
                return [step * number for number in range(lowest_step, highest_step + 1)]
    raise AssertionError("unreachable")


def _x_positions(days: Sequence[date]) -> list[int]:
    """The horizontal position of each day; evenings on one day are spread out."""
    width, span = WIDTH - LEFT - RIGHT, (days[-1] - days[0]).days
    if not span:
        return [LEFT + width * index // max(len(days) - 1, 1) for index in range(len(days))]
    return [LEFT + width * (day - days[0]).days // span for day in days]


def _date_labels(dots: Sequence[Dot]) -> list[tuple[int, str, str]]:
    """The dates under the plot: the first, the last, and as many as fit between them."""
    labels = [(dots[0].across, dots[0].day, "start")]
    for dot in dots[1:-1]:
        if (
            dot.across - labels[-1][0] >= LABEL_DISTANCE
            and dots[-1].across - dot.across >= LABEL_DISTANCE
        ):
            labels.append((dot.across, dot.day, "middle"))
    if len(dots) > 1 and dots[-1].day != dots[0].day:
        labels.append((dots[-1].across, dots[-1].day, "end"))
    return labels
