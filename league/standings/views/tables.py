"""Pages of an evening: its standings, its games, the paper; and what standings rank by."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.vary import vary_on_headers

from league.access import PUBLIC, ClubRequest, club_page
from league.members.audit import actor_of
from league.members.models import Club
from league.sessions.models import Session
from league.sessions.queries import session_of
from league.standings import actions, evening, queries
from league.standings.asked import asked
from league.standings.filters import GameFilter
from league.standings.forms import RuleForm
from league.standings.games import games_of, with_sides
from league.standings.labels import LABELS, rule
from league.standings.rendered import part_for
from league.standings.shown import shown_in_session
from league.standings.tables import GamesTable, rows_of, sortable


def session_table(request: ClubRequest, club_session: Session) -> dict[str, Any]:
    """A session's table as this visitor asked for it and may see it, with their own line."""
    shown, now = shown_in_session(club_session), timezone.now()
    measures = queries.session_measures(club_session)
    wanted = asked(request.GET, sortable(queries.columns_of(measures)))
    part = part_for(
        ("session", club_session.pk, club_session.revision, [m.code for m in measures]),
        club_session.club,
        request.rank,
        shown,
        wanted,
        lambda people: queries.session_standings(club_session, people, at=now),
        _("Standings"),
        at=now,
    )
    return {"part": part, "asked": wanted, "mine": part.place_of(shown.player(request.user))}


@club_page(PUBLIC)
@vary_on_headers("HX-Request")
def session_standings(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    club_session = session_of(club, public_id)
    context: dict[str, Any] = {"club": club, "club_session": club_session, "here": "sessions"}
    context |= session_table(request, club_session)
    context["live_part"] = request.get_full_path()
    if request.htmx:
        return render(request, "standings/_live.html", context)
    closed = club_session.state == Session.State.CLOSED
    context["facts"] = evening.session_facts(club_session) if closed else None
    context["rule"] = rule(queries.session_measures(club_session))
    context["address"] = request.build_absolute_uri(request.path)
    return render(request, "standings/session.html", context)


@club_page(PUBLIC)
def games_table(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    club_session = session_of(club, public_id)
    chosen = GameFilter(request.GET, queryset=games_of(club_session))
    games = with_sides(chosen.qs, club, request.rank)
    table = GamesTable(games, order_by=request.GET.getlist("sort") or None)
    context = {"club": club, "club_session": club_session, "table": table, "chosen": chosen}
    context["here"] = "sessions"
    return render(request, "standings/games.html", context)


@club_page(PUBLIC)
def print_standings(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """The final standings on paper."""
    club_session = session_of(club, public_id)
    final = queries.session_standings(club_session, at=timezone.now())
    names = queries.names(final.people, club, request.rank)
    context = {"club": club, "club_session": club_session, "standings": final}
    context |= {"rows": rows_of(final, names), "rule": rule(final.measures)}
    context |= {"labels": LABELS, "facts": evening.session_facts(club_session)}
    return render(request, "standings/print.html", context)


@club_page("organiser")
def standings_rule(request: ClubRequest, club: Club, public_id: str | None = None) -> HttpResponse:
    """What the club's standings, or those of one session, rank by."""
    club_session = session_of(club, public_id) if public_id else None
    chosen = queries.session_measures(club_session) if club_session else queries.club_measures(club)
    form = RuleForm(request.POST or None, chosen=[measure.code for measure in chosen])
    if form.is_valid():
        if club_session:
            actions.choose_session_measures(club_session, form.codes, by=actor_of(request))
            return redirect("session_standings", club.slug, club_session.public_id)
        actions.choose_measures(club, form.codes, by=actor_of(request))
        messages.success(request, _("Standings now rank by this list."))
        return redirect("standings_rule", club.slug)
    context = {"club": club, "club_session": club_session, "form": form, "labels": LABELS}
    return render(request, "standings/rule.html", context, status=422 if form.errors else 200)
