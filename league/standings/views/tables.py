"""The standings of a session and of a season, who can still win, past seasons."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST
from django.views.decorators.vary import vary_on_headers

from league.access import PUBLIC, ClubRequest, club_page, reaches
from league.errors import Refused
from league.labels import as_partners
from league.members.audit import actor_of
from league.members.languages import dated, in_clubs_language
from league.members.models import Club, Member, Role, namer
from league.members.queries import player_of
from league.network import address_for_phones
from league.seasons.models import Champion, Division, Season
from league.seasons.views import season_of
from league.sessions.models import Session
from league.sessions.of_seasons import days_of, sessions_outside, sessions_to_take_in
from league.sessions.queries import (
    is_held_from,
    next_planned,
    released_session,
    seasons_of,
    session_of,
    sign_ups_of,
)
from league.standings import actions, outlook, queries, season_queries
from league.standings.cached_tables import (
    Part,
    Place,
    VisibleMembers,
    cached,
    params_of,
    part_for,
    season_part,
    session_facts,
    visible_in_season,
    visible_in_session,
)
from league.standings.forms import GameFilter, RuleForm
from league.standings.models import PARTNERS
from league.standings.tables import SORTABLE, GamesTable, Row, games_of, rows_of, with_sides
from league.standings.text import ranked_by, rule_sentences
from league.standings.views.embedding import for_website


def session_table(request: ClubRequest, club_session: Session) -> dict[str, Any]:
    """The context of a session's table by this request's parameters, with the reader's own line."""
    visible, now = visible_in_session(club_session), timezone.now()
    params = params_of(request.GET, SORTABLE)
    measures = club_session.measures or club_session.club.measures
    part = part_for(
        ("session", club_session.pk, club_session.revision, measures),
        club_session.club,
        request.rank,
        visible,
        params,
        lambda people: queries.session_standings(club_session, people, at=now),
        _("Standings"),
        at=now,
    )
    return {
        "part": part,
        "podium": _podium(part, club_session),
        "params": params,
        **_own_place_context(request, club_session.club, part, visible),
    }


def _podium(part: Part, club_session: Session) -> list[Place]:
    """The winners; partners who share their place with another pair stand together too."""
    podium = {place.who: place for place in part.podium}
    if not part.by_tournament or not any(place.shared for place in podium.values()):
        return part.podium
    for partners_in in PARTNERS:
        for first, second in partners_in(club_session).items():
            if first in podium and second in podium:
                name = as_partners([podium[first].name, podium.pop(second).name])
                podium[first] = podium[first]._replace(name=name)
    return list(podium.values())


def _own_place_context(
    request: ClubRequest, club: Club, part: Part, visible: VisibleMembers
) -> dict[str, Any]:
    """The context of the reader's own line, and whether a player of the club has not played."""
    member_id = visible.player(request.user)
    own_place = part.place_of(member_id)
    if own_place or member_id or not (request.rank and part.places):
        return {"mine": own_place, "html": part.html_for(own_place)}
    player = player_of(club, request.user)
    # A tournament may give a place to a player without a game.
    own_place = part.place_of(player.pk) if player else None
    has_not_played = bool(player) and own_place is None
    return {"mine": own_place, "html": part.html_for(own_place), "has_not_played": has_not_played}


@club_page(PUBLIC)
@vary_on_headers("HX-Request")
def session_standings(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    club_session = session_of(club, public_id)
    context: dict[str, Any] = {"club": club, "club_session": club_session, "here": "sessions"}
    if is_held_from(club_session, request.rank):
        context["live_part"] = request.get_full_path()
        return render(request, "standings/held.html", context)
    context |= session_table(request, club_session)
    context["live_part"] = request.get_full_path()
    context |= for_website(request, club_session, "session")
    if context["organiser"] and not context["part"].places:
        context["has_tables"] = club_session.tables.filter(is_live=True).exists()
    if request.htmx:
        return render(request, "standings/_live.html", context)
    is_closed = club_session.state == Session.State.CLOSED
    context["facts"] = session_facts(club_session) if is_closed else None
    context["has_winners"] = queries.has_winners(club_session)
    context["next_session"] = next_planned(club_session, at=timezone.now())
    if club_session.state == Session.State.PLANNED and club_session.places:
        context["sign_ups"] = sign_ups_of(club_session, at=timezone.now())
    # Only an organiser can plan the missing number of rounds.
    may_work_out = bool(club_session.rounds_planned) or context["organiser"]
    by_wins = not context["part"].by_tournament and context["part"].measures[:1] == ("won",)
    context["may_ask"] = not is_closed and by_wins and may_work_out
    context["address"] = address_for_phones(request, request.path)
    return render(request, "standings/session.html", context)


@club_page(PUBLIC)
def games_table(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    club_session = released_session(club, public_id, request.rank)
    game_filter = GameFilter(request.GET, queryset=games_of(club_session))
    names_by_member = queries.names(visible_in_session(club_session).people(), club, request.rank)
    games = with_sides(game_filter.qs, names_by_member)
    table = GamesTable(games, order_by=request.GET.getlist("sort") or None)
    context = {"club": club, "club_session": club_session, "table": table, "chosen": game_filter}
    context["here"] = "sessions"
    return render(request, "standings/games.html", context)


@club_page(PUBLIC)
@in_clubs_language
def print_standings(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """The standings for printing."""
    club_session = released_session(club, public_id, request.rank)
    final_standings = queries.session_standings(club_session, at=timezone.now())
    names = queries.names(final_standings.people, club, request.rank)
    rows = rows_by_pair(final_standings, names, club_session)
    context = {
        "club": club,
        "club_session": club_session,
        "standings": final_standings,
        "rows": rows,
        "of_pairs": 0 < 2 * len(rows) == len(final_standings.lines),
    }
    context |= {
        "ranked_by": ranked_by(final_standings),
        "ties": any(row.shared and not row.still_in for row in rows),
        "still_in": any(row.still_in for row in rows),
    }
    context |= {"apart": [row for row in rows if row.off_columns]}
    context |= {"facts": session_facts(club_session)}
    return render(request, "standings/print.html", context)


def _figures_on_paper(row: Row) -> tuple[object, ...]:
    return row.rank, row.games, row.values, row.open_games


def rows_by_pair(
    standings: queries.Standings, names: dict[int, str], club_session: Session
) -> list[Row]:
    """The rows with one for each pair of a tournament whose players have the same figures."""
    by_who = {row.who: row for row in rows_of(standings, names)}
    for partners_in in PARTNERS if standings.places else ():
        for first, second in partners_in(club_session).items():
            one, other = by_who.get(first), by_who.get(second)
            if one and other and _figures_on_paper(one) == _figures_on_paper(other):
                by_who[first] = replace(one, name=as_partners([one.name, other.name]))
                del by_who[second]
    return list(by_who.values())


@require_POST
@club_page("organiser")
def standings_hold(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Hold back the session's standings: only organisers see them. With `then=close`, the page that
    closes the session follows."""
    actions.hold_standings(session_of(club, public_id), by=actor_of(request))
    messages.success(request, _("Standings held back. Only organisers see them."))
    if request.POST.get("then") == "close":
        return redirect(f"{reverse('disputes', args=[club.slug, public_id])}?close=1#close")
    return redirect("session_standings", club.slug, public_id)


@require_POST
@club_page("organiser")
def standings_release(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Release the session's standings, for the prize-giving."""
    actions.release_standings(session_of(club, public_id), by=actor_of(request))
    everyone = _("Standings released. Everyone can see them now.")
    members = _("Standings released. Members who sign in can see them now.")
    messages.success(request, everyone if club.is_public else members)
    return redirect("session_standings", club.slug, public_id)


@club_page("organiser")
def standings_rule(request: ClubRequest, club: Club) -> HttpResponse:
    """Choose what the club's standings rank by."""
    default_label = _("the usual list for the tables played")
    form = RuleForm(request.POST or None, club=club, chosen=club.measures, usual=default_label)
    if form.is_valid():
        actions.choose_measures(club, form.codes, by=actor_of(request))
        messages.success(request, _("Saved. Standings use this ranking now."))
        return redirect("standings_rule", club.slug)
    return _rule_page(request, club, form, _("For every session and season of the club."))


@club_page("organiser")
def session_rule(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Choose what the standings of one session rank by."""
    club_session = session_of(club, public_id)
    form = RuleForm(
        request.POST or None, club=club, chosen=club_session.measures, usual=_("as the club does")
    )
    if form.is_valid():
        actions.choose_session_measures(club_session, form.codes, by=actor_of(request))
        return redirect("session_standings", club.slug, public_id)
    return _rule_page(request, club, form, _scope_sentence(club_session), club_session=club_session)


@club_page("organiser")
def season_rule(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Choose what the table of one season ranks by, after the season's own points."""
    season = season_of(club, public_id)
    form = RuleForm(
        request.POST or None, club=club, chosen=season.measures, usual=_("as the club does")
    )
    if form.is_valid():
        actions.choose_season_measures(season, form.codes, by=actor_of(request))
        return redirect("season_standings", club.slug, public_id)
    return _rule_page(request, club, form, _scope_sentence(season), season=season)


def _scope_sentence(scope: Session | Season) -> str:
    return _("For %(what)s only.") % {"what": scope.name}


def _rule_page(
    request: ClubRequest, club: Club, form: RuleForm, scope: str, **scope_context: Any
) -> HttpResponse:
    context = {"club": club, "form": form, "labels": form.labels, "scope": scope, **scope_context}
    return render(request, "standings/rule.html", context, status=422 if form.errors else 200)


@club_page(PUBLIC)
def standings(request: ClubRequest, club: Club) -> HttpResponse:
    """Redirect to the season if there is only one; else list all seasons with their champions.
    From the settings, redirect to the code for the club's own website."""
    seasons: list[Any] = list(seasons_of(club))
    is_for_website = "website" in request.GET
    if seasons and (is_for_website or len(seasons) == 1):
        page = reverse("season_standings", args=[club.slug, seasons[0].public_id])
        return redirect(f"{page}#for-website" if is_for_website else page)
    for season in seasons:
        season.winners = champions_of(season.champions.all(), request)
    context = {"club": club, "here": "standings", "seasons": seasons}
    if not seasons:
        nights = list(club.sessions.filter(games__isnull=False).distinct()[:10])
        context["nights"] = nights
        is_held = [is_held_from(night, request.rank) for night in nights]
        context["held"] = any(is_held) and all(is_held)
    return render(request, "standings/seasons.html", context)


def champions_of(champions: Iterable[Champion], request: ClubRequest) -> list[str]:
    """The names of the champions as this visitor may see them, with their divisions if any."""
    texts, champion_list = [], list(champions)
    name_of = _namer_for((champion.member for champion in champion_list), request)
    for champion in champion_list:
        name = name_of(champion.member)
        texts.append(f"{name} ({champion.division.name})" if champion.division else name)
    return texts


def season_table(request: ClubRequest, season: Season) -> dict[str, Any]:
    """The context of a season's table by this request's parameters, with its rules."""
    visible, params = visible_in_season(season), params_of(request.GET, SORTABLE)
    rules = season_queries.season_rules(season, params.by)
    revision = season_queries.season_revision(season)
    player = visible.player(request.user)
    divisions = list(season.divisions.all())
    division = season_queries.division_of(season, divisions, params.division, player)
    if divisions:  # so that the links of the table keep the division shown
        params = replace(params, division=str(division.number) if division else "all")
    part = season_part(request.rank, season, params, division, visible, revision)
    context: dict[str, Any] = {"sentences": rule_sentences(rules, part.measures)}
    context |= {"divisions": divisions, "division": division}
    evenings = cached("evenings", (season.pk, revision), lambda: season_queries.evenings_of(season))
    days = dict.fromkeys(day for _id, _name, day, _held in evenings)
    context["held_back"] = [name for _id, name, _day, is_held in evenings if is_held]
    context |= {
        "evenings": evenings,
        "days": [(day.isoformat(), dated(day, _("j F Y"))) for day in days],
    }
    own_place = _own_place_context(request, season.club, part, visible)
    return {"part": part, "params": params, **own_place, **context}


@club_page(PUBLIC)
def season_standings(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    return season_page(request, season_of(club, public_id))


def season_page(
    request: ClubRequest, season: Season, refused: Refused | None = None
) -> HttpResponse:
    """The season's page; with `refused`, what stands against closing the season."""
    context: dict[str, Any] = {"club": season.club, "here": "standings", "season": season}
    context["refused"] = refused
    context |= season_table(request, season) | for_website(request, season, "season")
    context["open_session"] = season_queries.open_session_of(season)
    organiser = reaches(request.rank, Role.Rank.ORGANISER)
    context["may_ask"] = context["open_session"] is None and outlook.may_ask(
        season, to_plan=organiser
    )
    if season.closed_at:
        champions = season.champions.select_related("member__club", "division")
        context["champions"] = champions_of(champions, request)
        context["moved"] = players_moved(context["division"], request)
        if organiser and not context["held_back"]:
            leaders = season_queries.leaders_since_closing(season, at=timezone.now())
            context["now_first"] = champions_of(leaders, request)
    elif organiser:
        context["outside"] = sessions_to_take_in(season)
        sessions = list(sessions_outside(season))
        context["not_in_dates"] = days_of(sessions)
        context["counted_outside"] = days_of(one for one in sessions if one.has_been_open)
    status = refused.status if refused else 200
    return render(request, "standings/season.html", context, status=status)


def players_moved(division: Division | None, request: ClubRequest) -> dict[str, list[str]]:
    """The names of those who go up and down from a division."""
    by_direction: dict[str, list[str]] = {"up": [], "down": []}
    if division is None:
        return by_direction
    placements = division.placements.filter(outcome__in=by_direction).select_related("member__club")
    name_of = _namer_for((placement.member for placement in placements), request)
    for placement in placements:
        by_direction[placement.outcome].append(name_of(placement.member))
    return by_direction


def _namer_for(people: Iterable[Member], request: ClubRequest) -> Callable[[Member], str]:
    """A function that returns the name of each of these people as this visitor may see it."""
    members = list(people)
    return namer(members, members[0].club, request.rank) if members else str
