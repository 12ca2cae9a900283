"""The standings of a session and of a season, who can still win, past seasons, closing one."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from league.access import PUBLIC, ClubRequest, club_page, reaches
from league.labels import as_label
from league.members.account_mail import address_of_site
from league.members.audit import actor_of
from league.members.languages import dated, in_clubs_language
from league.members.models import Club, Member, Role
from league.members.public import namer
from league.members.queries import player_of
from league.network import address_for_phones, is_only_nearby
from league.seasons.actions import reopen_season
from league.seasons.models import Champion, Division, Season
from league.seasons.views import season_of
from league.sessions.actions import take_into_season
from league.sessions.models import Session
from league.sessions.queries import (
    is_held_from,
    next_planned,
    released_session,
    seasons_of,
    session_of,
    sessions_without_season,
)
from league.standings import actions, outlook, queries, season_queries
from league.standings.actions import end_season
from league.standings.cached_tables import (
    Part,
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
from league.standings.labels import CHOICES, LABELS
from league.standings.queries import names
from league.standings.tables import SORTABLE, GamesTable, games_of, rows_of, with_sides
from league.standings.text import ranked_by, rule_words


def session_table(request: ClubRequest, club_session: Session) -> dict[str, Any]:
    """A session's table as this visitor asked for it and may see it, with their own line."""
    visible, now = visible_in_session(club_session), timezone.now()
    wanted = params_of(request.GET, SORTABLE)
    chosen = club_session.measures or club_session.club.measures
    part = part_for(
        ("session", club_session.pk, club_session.revision, chosen),
        club_session.club,
        request.rank,
        visible,
        wanted,
        lambda people: queries.session_standings(club_session, people, at=now),
        _("Standings"),
        at=now,
    )
    return {"part": part, "params": wanted, **_own_place(request, club_session.club, part, visible)}


def _own_place(
    request: ClubRequest, club: Club, part: Part, visible: VisibleMembers
) -> dict[str, Any]:
    """The reader's own line; where the club's player has none, whether that is for not playing."""
    who = visible.player(request.user)
    mine = part.place_of(who)
    if mine or who or not (request.rank and part.places):
        return {"mine": mine}
    player = player_of(club, request.user)
    mine = part.place_of(player.pk) if player else None  # placed by a tournament, without a game
    return {"mine": mine, "has_not_played": bool(player) and mine is None}


def for_website(request: ClubRequest, of: Session | Season, kind: str) -> dict[str, Any]:
    """What an organiser pastes into the club's own website, where the club is public."""
    organiser = reaches(request.rank, Role.Rank.ORGANISER)
    if not (organiser and of.club.is_public):
        return {"organiser": organiser}
    where = [of.club.slug, of.public_id]
    page = address_of_site(request, reverse(f"{kind}_embed", args=where))
    return {
        "organiser": organiser,
        "embed_page": page,
        "embed_only_here": is_only_nearby(page),
        "embed_picture": address_of_site(request, reverse(f"{kind}_picture", args=where)),
        "embed_title": f"{as_label(of.club.name)} {of.name}",
    }


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
    if request.htmx:
        return render(request, "standings/_live.html", context)
    closed = club_session.state == Session.State.CLOSED
    context["facts"] = session_facts(club_session) if closed else None
    context["next_session"] = next_planned(club_session)
    # Only an organiser can do something about rounds that are not planned.
    may_work_out = bool(club_session.rounds_planned) or context["organiser"]
    context["may_ask"] = not closed and not context["part"].by_tournament and may_work_out
    context["address"] = address_for_phones(request, request.path)
    return render(request, "standings/session.html", context)


@club_page(PUBLIC)
def games_table(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    club_session = released_session(club, public_id, request.rank)
    chosen = GameFilter(request.GET, queryset=games_of(club_session))
    games = with_sides(chosen.qs, club, request.rank)
    table = GamesTable(games, order_by=request.GET.getlist("sort") or None)
    context = {"club": club, "club_session": club_session, "table": table, "chosen": chosen}
    context["here"] = "sessions"
    return render(request, "standings/games.html", context)


@club_page(PUBLIC)
@in_clubs_language
def print_standings(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """The final standings on paper."""
    club_session = released_session(club, public_id, request.rank)
    final = queries.session_standings(club_session, at=timezone.now())
    names = queries.names(final.people, club, request.rank)
    rows = rows_of(final, names)
    context = {"club": club, "club_session": club_session, "standings": final, "rows": rows}
    context |= {"ranked_by": ranked_by(final), "ties": any(row.shared for row in rows)}
    context |= {"apart": [row for row in rows if row.off_columns]}
    context |= {"facts": session_facts(club_session)}
    return render(request, "standings/print.html", context)


@require_POST
@club_page("organiser")
def standings_hold(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """From now on only organisers see the session's standings."""
    actions.hold_standings(session_of(club, public_id), by=actor_of(request))
    messages.success(request, _("Standings held back. Only organisers see them."))
    return redirect("session_standings", club.slug, public_id)


@require_POST
@club_page("organiser")
def standings_release(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """The prize-giving: everybody sees the session's standings again."""
    actions.release_standings(session_of(club, public_id), by=actor_of(request))
    messages.success(request, _("Standings released. Everyone can see them now."))
    return redirect("session_standings", club.slug, public_id)


@club_page("organiser")
def standings_rule(request: ClubRequest, club: Club) -> HttpResponse:
    """What the club's standings rank by."""
    usual = _("the usual list for the tables played")
    form = RuleForm(request.POST or None, chosen=club.measures, usual=usual)
    if form.is_valid():
        actions.choose_measures(club, form.codes, by=actor_of(request))
        messages.success(request, _("Saved. Standings use this ranking now."))
        return redirect("standings_rule", club.slug)
    return _rule_page(request, club, form, _("For every session and season of the club."))


@club_page("organiser")
def session_rule(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """What the standings of one session rank by."""
    club_session = session_of(club, public_id)
    form = RuleForm(request.POST or None, chosen=club_session.measures, usual=_("as the club does"))
    if form.is_valid():
        actions.choose_session_measures(club_session, form.codes, by=actor_of(request))
        return redirect("session_standings", club.slug, public_id)
    return _rule_page(request, club, form, _only(club_session), club_session=club_session)


@club_page("organiser")
def season_rule(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """What the table of one season ranks by, after points the season itself gives."""
    season = season_of(club, public_id)
    form = RuleForm(request.POST or None, chosen=season.measures, usual=_("as the club does"))
    if form.is_valid():
        actions.choose_season_measures(season, form.codes, by=actor_of(request))
        return redirect("season_standings", club.slug, public_id)
    return _rule_page(request, club, form, _only(season), season=season)


def _only(of: Session | Season) -> str:
    return _("For %(what)s only.") % {"what": of.name}


def _rule_page(
    request: ClubRequest, club: Club, form: RuleForm, scope: str, **of: Any
) -> HttpResponse:
    labels = [LABELS[code] for code, _name in CHOICES]
    context = {"club": club, "form": form, "labels": labels, "scope": scope, **of}
    return render(request, "standings/rule.html", context, status=422 if form.errors else 200)


@club_page(PUBLIC)
def standings(request: ClubRequest, club: Club) -> HttpResponse:
    """The way to the season that is on; with more than one, all of them with their champions.
    From the settings it leads to what an organiser pastes into the club's own website."""
    seasons: list[Any] = list(seasons_of(club))
    website = "website" in request.GET
    if seasons and (website or len(seasons) == 1):
        page = reverse("season_standings", args=[club.slug, seasons[0].public_id])
        return redirect(f"{page}#for-website" if website else page)
    for season in seasons:
        season.winners = champions_of(season.champions.all(), request)
    context = {"club": club, "here": "standings", "seasons": seasons}
    return render(request, "standings/seasons.html", context)


def champions_of(champions: Iterable[Champion], request: ClubRequest) -> list[str]:
    """The champions as this visitor may read them, each with their division where there are any."""
    texts, listed = [], list(champions)
    name_of = _namer((one.member for one in listed), request)
    for one in listed:
        name = name_of(one.member)
        texts.append(f"{name} ({one.division.name})" if one.division else name)
    return texts


def season_table(request: ClubRequest, season: Season) -> dict[str, Any]:
    """A season's table as this visitor asked for it and may see it, with the rules it follows."""
    visible, wanted = visible_in_season(season), params_of(request.GET, SORTABLE)
    rules = season_queries.season_rules(season, wanted.by)
    revision = season_queries.season_revision(season)
    player = visible.player(request.user)
    divisions = list(season.divisions.all())
    division = season_queries.division_of(season, divisions, wanted.division, player)
    if divisions:  # so that the links of the table ask for what is shown
        wanted = replace(wanted, division=str(division.number) if division else "all")
    part = season_part(request.rank, season, wanted, division, visible, revision)
    words: dict[str, Any] = {"sentences": rule_words(rules, part.measures)}
    words |= {"divisions": divisions, "division": division}
    evenings = cached("evenings", (season.pk, revision), lambda: season_queries.evenings_of(season))
    days = dict.fromkeys(day for _id, _name, day, _held in evenings)
    words["held_back"] = [name for _id, name, _day, held in evenings if held]
    words |= {"evenings": evenings, "days": [(d.isoformat(), dated(d, _("j F Y"))) for d in days]}
    own = _own_place(request, season.club, part, visible)
    return {"part": part, "params": wanted, **own, **words}


@club_page(PUBLIC)
def season_standings(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    season = season_of(club, public_id)
    context: dict[str, Any] = {"club": club, "here": "standings", "season": season}
    context |= season_table(request, season) | for_website(request, season, "season")
    context["may_ask"] = outlook.can_be_worked_out(season)
    if season.closed_at:
        won = season.champions.select_related("member__club", "division")
        context["champions"] = champions_of(won, request)
        context["moved"] = moved(context["division"], request)
    elif reaches(request.rank, Role.Rank.ORGANISER):
        context["outside"] = list(sessions_without_season(season))
    return render(request, "standings/season.html", context)


def moved(division: Division | None, request: ClubRequest) -> dict[str, list[str]]:
    """Who goes up and who goes down from a division, by name."""
    by_direction: dict[str, list[str]] = {"up": [], "down": []}
    if division is None:
        return by_direction
    placed = division.placements.filter(outcome__in=by_direction).select_related("member__club")
    name_of = _namer((one.member for one in placed), request)
    for one in placed:
        by_direction[one.outcome].append(name_of(one.member))
    return by_direction


def _namer(people: Iterable[Member], request: ClubRequest) -> Callable[[Member], str]:
    """How this visitor may read people of one list."""
    listed = list(people)
    return namer(listed, listed[0].club, request.rank) if listed else str


@require_POST
@club_page("organiser")
def season_close(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Close the season with its champions."""
    end_season(season_of(club, public_id), by=actor_of(request), at=timezone.now())
    messages.success(request, _("Closed the season."))
    return redirect("season_standings", club.slug, public_id)


@require_POST
@club_page("organiser")
def season_take_in(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Let the sessions in its dates that are in no season count in this one."""
    taken = take_into_season(season_of(club, public_id), by=actor_of(request))
    text = ngettext("Added %(n)d session.", "Added %(n)d sessions.", taken)
    messages.success(request, text % {"n": taken})
    return redirect("season_standings", club.slug, public_id)


@require_POST
@club_page("organiser")
def season_reopen(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Open a closed season again."""
    reopen_season(season_of(club, public_id), by=actor_of(request))
    messages.success(request, _("Reopened the season."))
    return redirect("season_standings", club.slug, public_id)


@require_safe
@club_page(PUBLIC)
def session_outlook(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Which places everybody can still have at the end of a session."""
    club_session = released_session(club, public_id, request.rank)
    reachable = outlook.session_outlook(club_session, at=timezone.now())
    missing = None if club_session.rounds_planned else club_session
    return _outlook_page(request, club, reachable, missing, club_session=club_session)


@require_safe
@club_page(PUBLIC)
def season_outlook(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """The best place everybody can still have in a season."""
    season = season_of(club, public_id)
    reachable = outlook.season_outlook(season, at=timezone.now())
    missing = outlook.without_rounds(season)
    may_plan = not season.sessions.filter(state=Session.State.OPEN).exists()
    return _outlook_page(request, club, reachable, missing, may_plan, season=season)


def _outlook_page(
    request: ClubRequest,
    club: Club,
    reachable: outlook.Outlook,
    missing: Session | None,
    may_plan: bool = False,
    **of: Session | Season,
) -> HttpResponse:
    """The page; to organisers, where nothing can be said, the session that is `missing` its
    number of rounds, or a way to plan another."""
    named = names(reachable.people, club, request.rank)
    me = player_of(club, request.user)
    rows = [
        {"name": named[who], "best": best, "worst": worst, "mine": bool(me and me.pk == who)}
        for who, best, worst in reachable.rows
    ]
    context: dict[str, Any] = {
        "club": club,
        "rows": rows,
        "why": reachable.why,
        "here": "standings",
        **of,
    }
    if not rows and reaches(request.rank, Role.Rank.ORGANISER):
        context |= {"missing": missing, "may_plan": may_plan}
    return render(request, "standings/outlook.html", context)
