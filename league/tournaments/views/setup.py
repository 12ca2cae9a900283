"""Choosing a format and its options, and changing them."""

import secrets
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.access import PUBLIC, ClubRequest, club_page, reaches
from league.errors import Refused, valid
from league.members.audit import actor_of
from league.members.models import Club, Role
from league.seating.planner_adapter import rule_for
from league.sessions.actions import start_session
from league.sessions.models import Session
from league.sessions.queries import expected_players, local_date, present, season_on, session_of
from league.standings.labels import LABELS
from league.tournaments import actions
from league.tournaments.draws import FORMATS
from league.tournaments.forms import (
    FinalForm,
    MoveForm,
    RankingForm,
    TournamentForm,
    measures_offered,
)
from league.tournaments.models import Stage, Tournament
from league.tournaments.parameters import StageOptions, read_options
from league.tournaments.queries import (
    other_sessions,
    running_in,
    stage_of,
    tournament_of,
    tournaments_of,
)
from league.tournaments.stage_state import CLOSED, OF_PAIRS
from league.tournaments.standing import RANKED, measures_of
from league.tournaments.text import explanation, in_short, movements
from league.tournaments.views.buttons import tournament_button

SEEDS = 2**31


@require_safe
@club_page(PUBLIC)
def tournaments(request: ClubRequest, club: Club) -> HttpResponse:
    """The club's tournaments, and the sessions in which a new one can be started."""
    organiser = reaches(request.rank, Role.Rank.ORGANISER)
    context = {"club": club, "here": "tournaments", "organiser": organiser}
    context["tournaments"] = tournaments_of(club)[:100]
    nights = club.sessions.filter(state__in=(Session.State.OPEN, Session.State.PLANNED))
    context["nights"] = list(nights[:5]) if organiser else []
    context["like"] = earlier_tournament(request, club) if organiser else None
    return render(request, "tournaments/tournaments.html", context)


def earlier_tournament(request: HttpRequest, club: Club) -> Tournament | None:
    """The earlier tournament that a new one is to be like, if any."""
    like = request.GET.get("like", "").replace("\0", "")
    return club.tournaments.filter(public_id=like).first()


@require_POST
@club_page("organiser")
def tournament_tonight(request: HttpRequest, club: Club) -> HttpResponse:
    """Start tonight's session for a tournament, and go on to its format."""
    now = timezone.now()
    season = season_on(club, local_date(club, now))
    club_session = start_session(club, by=actor_of(request), at=now, season=season)
    return redirect("tournament_new", club.slug, club_session.public_id)


@require_http_methods(["GET", "HEAD", "POST"])
@club_page("organiser")
def tournament_new(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Start a tournament: choose its format, then its options, or those of an earlier one."""
    club_session = session_of(club, public_id)
    context = {"club": club, "here": "tournaments", "club_session": club_session}
    context["taken"] = running_in(club_session)
    like = earlier_tournament(request, club)
    format = stage_of(like).format if like else request.GET.get("format", "")
    if format not in FORMATS:
        offered = [(code, Stage.Format(code).label, in_short(code)) for code in FORMATS]
        return render(request, "tournaments/formats.html", {**context, "formats": offered})
    players = present(club_session).count()
    expected, known_by = expected_players(club_session)
    form = TournamentForm(
        request.POST or None, format=format, tournament=like, players=expected, known_by=known_by
    )
    form.initial["name"] = like.name if like else club_session.name
    if form.is_valid() and (new_id := _start(request, club_session, form)):
        entries = reverse("tournament_entries", args=[club.slug, new_id])
        return redirect(f"{entries}?like={like.public_id}" if like else entries)
    context |= {"form": form, "format": Stage.Format(format).label, "movements": _movements(form)}
    context["explanation"] = explanation(format, _choice_so_far(form))
    if format == Stage.Format.ROTATION:
        context |= {"players": players, "uneven": _uneven_tables(club_session, players)}
    status = 422 if form.errors else 200
    return render(request, "tournaments/setup.html", context, status=status)


def _uneven_tables(club_session: Session, players: int) -> list[int]:
    """The table sizes for so many players; empty if all are of four, or for fewer than four."""
    if players < 4:
        return []
    try:
        sizes = rule_for(club_session.club, players, club_session.seating_policy).sizes
    except Refused:  # said when the round is drawn
        return []
    return list(sizes) if set(sizes) != {4} else []


@require_http_methods(["GET", "HEAD", "POST"])
@club_page("organiser")
def tournament_final(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Start a bracket for the best of a season, a session or a tournament."""
    club_session = session_of(club, public_id)
    initial = {"source": request.GET.get("source") or _played_before(club_session)}
    after = request.GET.get("source", "")
    form = FinalForm(request.POST or None, club=club, initial=initial, after=after)
    if form.is_valid():
        try:
            tournament = _start_final(request, club_session, form)
        except Refused as refused:
            refused.show_in(form)
            if refused.code == "level":
                form.offer(refused.details["level"])  # type: ignore[arg-type]
        else:
            return redirect("tournament", club.slug, tournament.public_id)
    context = {"club": club, "here": "tournaments", "club_session": club_session, "form": form}
    context["taken"] = running_in(club_session)
    status = 422 if form.errors else 200
    return render(request, "tournaments/final.html", context, status=status)


def _played_before(club_session: Session) -> str:
    """The choice of the form of a final for the tournament played last in its session, without a
    bracket; empty without one."""
    finished = club_session.tournaments.filter(state=Tournament.State.FINISHED)
    latest = finished.exclude(stages__format__in=CLOSED).first()
    return f"tournament-{latest.public_id}" if latest else ""


def _start_final(request: HttpRequest, club_session: Session, form: FinalForm) -> Tournament:
    at = timezone.now()
    data = form.cleaned_data
    source = form.sources[data["source"]]
    return actions.start_final(
        club_session,
        actions.best_of(source, data["count"], at=at, chosen=data["chosen"]),
        name=data["name"],
        choice=form.choice,
        seed=secrets.randbelow(SEEDS),
        by=actor_of(request),
        at=at,
        follows=source if isinstance(source, Tournament) else None,
    )


@require_http_methods(["GET", "HEAD", "POST"])
@club_page("organiser")
def tournament_pairs(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """After a seeding round: choose what the pairs play and how they find partners."""
    seeding = tournament_of(club, public_id)
    context = {"club": club, "here": "tournaments", "tournament": seeding, "seeding": seeding}
    format = request.GET.get("format", "")
    if format not in OF_PAIRS:
        offered = [(code, Stage.Format(code).label, in_short(code)) for code in OF_PAIRS]
        return render(request, "tournaments/formats.html", {**context, "formats": offered})
    players = seeding.entries.filter(withdrawn_at=None).count()
    form = TournamentForm(request.POST or None, format=format, seeded=True, players=players)
    if form.is_valid():
        try:
            tournament = actions.play_on_as_pairs(
                seeding, **_action_data(form), by=actor_of(request)
            )
        except Refused as refused:
            refused.show_in(form)
        else:
            return redirect("tournament_entries", club.slug, tournament.public_id)
    context |= {"form": form, "format": Stage.Format(format).label, "tournament": None}
    context["explanation"] = explanation(format, _choice_so_far(form))
    status = 422 if form.errors else 200
    return render(request, "tournaments/setup.html", context, status=status)


def _action_data(form: TournamentForm) -> dict[str, Any]:
    """The arguments of the action for a tournament that follows a seeding round."""
    return {
        "name": form.cleaned_data["name"],
        "format": form.format,
        "choice": form.choice,
        "seed": secrets.randbelow(SEEDS),
        "at": timezone.now(),
    }


def _start(request: HttpRequest, club_session: Session, form: TournamentForm) -> str:
    """Start the tournament. Returns its public id, or "" with an error in the form if refused."""
    try:
        tournament = actions.start_tournament(
            club_session,
            name=form.cleaned_data["name"],
            format=form.format,
            choice=form.choice,
            seed=secrets.randbelow(SEEDS),
            by=actor_of(request),
        )
    except Refused as refused:
        refused.show_in(form)
        return ""
    return tournament.public_id


@require_http_methods(["GET", "HEAD", "POST"])
@club_page("organiser")
def tournament_edit(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Change the options of a tournament; from here it can also be closed or cancelled."""
    tournament = tournament_of(club, public_id)
    stage = stage_of(tournament)
    form = TournamentForm(
        request.POST or None,
        format=stage.format,
        tournament=tournament,
        seeded=bool(read_options(stage.parameters).partners),
        players=_players_in(tournament),
    )
    if form.is_valid():
        try:
            actions.change_tournament(
                tournament,
                name=form.cleaned_data["name"],
                format=stage.format,
                choice=form.choice,
                by=actor_of(request),
            )
        except Refused as refused:
            refused.show_in(form)
        else:
            messages.success(request, _("Saved."))
            return redirect("tournament", club.slug, public_id)
    context = {"club": club, "here": "tournaments", "tournament": tournament, "form": form}
    context |= {"format": stage.get_format_display(), "movements": _movements(form)}
    context["explanation"] = explanation(stage.format, form.current)
    context["nights"] = other_sessions(tournament)
    context["ranked"] = [LABELS[measure.code].name for measure in measures_of(stage)]
    context["may_rank"] = stage.format in RANKED
    return render(request, "tournaments/setup.html", context, status=422 if form.errors else 200)


def _players_in(tournament: Tournament) -> int:
    """The number of players entered, alone or with a partner, who have not withdrawn."""
    entries = tournament.entries.filter(withdrawn_at=None)
    return entries.count() + entries.exclude(partner=None).count()


@require_http_methods(["GET", "HEAD", "POST"])
@club_page("organiser")
def tournament_ranking(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Choose the measures that the standings rank by, in order."""
    tournament = tournament_of(club, public_id)
    stage = stage_of(tournament)
    if stage.format not in RANKED:
        raise Http404
    form = RankingForm(request.POST or None, stage=stage)
    if form.is_valid():
        try:
            actions.choose_ranking(tournament, form.codes, by=actor_of(request))
        except Refused as refused:
            refused.show_in(form)
        else:
            messages.success(request, _("Saved."))
            return redirect("tournament_edit", club.slug, public_id)
    context = {"club": club, "here": "tournaments", "tournament": tournament, "form": form}
    context["labels"] = [LABELS[code] for code in measures_offered(stage.format)]
    status = 422 if form.errors else 200
    return render(request, "tournaments/ranking.html", context, status=status)


def _movements(form: TournamentForm) -> list[tuple[str, str]]:
    """The movements with their explanations, if the form has a choice of them."""
    return movements() if "movement" in form.fields else []


def _choice_so_far(form: TournamentForm) -> StageOptions:
    """The options in the form so far, for the explanation beside it."""
    if not form.is_bound or form.errors:
        return form.current
    return form.choice


@tournament_button(form_on="tournament_edit")
def tournament_move(request: HttpRequest, tournament: Tournament) -> str:
    """Continue a tournament in another session."""
    session_id = valid(MoveForm(request.POST))["session"]
    club_session = tournament.club.sessions.filter(public_id=session_id).first()
    if club_session is None:
        raise Refused("unknown-session", _("Choose one of the club's sessions."))
    actions.move_to_session(tournament, club_session, by=actor_of(request))
    return _("The tournament continues in %(session)s.") % {"session": club_session.name}
