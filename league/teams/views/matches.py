"""A match: its page, and the actions of its captains and of organisers."""

from collections.abc import Callable
from functools import wraps
from itertools import groupby
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from league.access import PUBLIC, ClubRequest, club_page
from league.errors import Refused, typed_at, valid
from league.labels import one_stop
from league.members.audit import actor_of
from league.members.languages import clock, dated
from league.members.models import Club
from league.ranking.team_league.match import card_games
from league.teams import actions
from league.teams.card import GameLineUp, card_of, differing_games, game_line_ups, games_won
from league.teams.cup_forms import DeciderForm
from league.teams.eligibility import borrowed_shown
from league.teams.match_forms import (
    GiveForm,
    GiveGameForm,
    LiftForm,
    MessageForm,
    MoveCardForm,
    PhotographForm,
    ReasonForm,
    SeenCardForm,
    SettleForm,
    may_substitute,
    substitutes_shown,
)
from league.teams.models import Team, TeamLeague, TeamMatch
from league.teams.move_forms import MoveForm, PlayAgainForm
from league.teams.queries import (
    MatchRecord,
    all_matches_of,
    fixtures_of,
    league_of,
    match_of,
    match_records,
    rules_of,
)
from league.teams.results_text import disputed_result, own_result
from league.teams.tables import game_shown, games_by_place, match_shown
from league.teams.text import card_due, late_costs, walkover_rule
from league.teams.views.fixtures import clash_context
from league.teams.views.leagues import (
    league_context,
    may_run,
    run_action,
    secretary_page,
)
from league.teams.views.match_rights import (
    answered_dispute,
    captain_to_confirm,
    captains_side,
    open_disputes,
    other_captain_confirms,
    permissions,
    signatures,
)


@require_safe
@club_page(PUBLIC)
def team_match(request: ClubRequest, club: Club, public_id: str, match: str) -> HttpResponse:
    """The match, its card, and what the reader may do about it."""
    context = league_context(request, club, public_id)
    fixture = match_of(context["league"], match)
    rules = rules_of(context["league"])
    (record,) = match_records([fixture], context["league"])
    if (fixture.home.withdrawn_at or fixture.away.withdrawn_at) and fixture.cup_id is None:
        record = next(r for r in fixtures_of(context["league"]) if r.match.pk == fixture.pk)
    lines = game_line_ups(fixture, context["league"]) if record.met.games else []
    side = captains_side(request, fixture)
    is_mine = context["organiser"] or side is not None
    context |= {
        "side": side,
        "match": fixture,
        "shown": match_shown(record),
        "own_result": _own_result(fixture, record, side) if side is not None else "",
        **signatures(fixture, record, decisions := list(fixture.decisions.all()), request),
        "now": record,
        "turns": [] if fixture.totals_only else _turns(record, lines, context),
        "venue": fixture.venue or fixture.home.venue,
        "award": f", {'–'.join(map(str, rules.given_game))}" if any(rules.given_game) else "",
        "substitutes": _substitutes(fixture, record, context),
        "points": record.met.points if record.met.points_known else None,
        "decisions": decisions,
        "late_costs": late_costs(fixture, record.met, rules),
        "due": card_due(fixture, rules) if is_mine and record.is_to_come else "",
        "disputes": open_disputes(fixture) if record.is_disputed and request.rank else [],
        **permissions(request, fixture, record),
        **answered_dispute(fixture, record, request),
    }
    if is_mine:
        address = reverse("team_match_message", args=[club.slug, public_id, match])
        context["message_form"] = MessageForm(typed_at(request, address))
        context["notes"] = fixture.messages.all()
        context |= _photographs(fixture, side)
        context["borrowed"] = borrowed_shown(fixture, lines, context["name_of"])
        context["differing"] = differing_games(fixture, record) if record.is_disputed else []
    if context["organiser"]:
        context |= _organisers_forms(request, fixture, [club.slug, public_id, match])
        context |= _trouble(record, context["teams"])
        context["walkover_rule"] = walkover_rule(rules)
    return render(request, "teams/match.html", context)


def _own_result(match: TeamMatch, record: MatchRecord, side: int) -> str:
    """The result for the captain of this side; of a disputed card, what it says and what the other
    one says."""
    shown, wrote = match_shown(record), match.written_by_id == (match.home_id, match.away_id)[side]
    if not record.is_disputed or not shown.games:
        return own_result(shown, side)
    copy = match.copies.first()
    won = games_won(copy.games, match.league) if copy else None
    return disputed_result(match, record.met.won, won, wrote=wrote)


def _trouble(record: MatchRecord, teams: list[Team]) -> dict[str, Any]:
    """Clashes on the day to which a match was moved."""
    day = record.match.held_on
    if record.match.first_date is None or day is None or not record.is_to_come:
        return {}
    that_day = [r for r in all_matches_of(record.match.league) if r.match.held_on == day]
    return clash_context(that_day, teams)


def _turns(
    record: MatchRecord, lines: list[GameLineUp], context: dict[str, Any]
) -> list[tuple[int, list[Any]]]:
    """The games of the card, by turn."""
    rules = rules_of(context["league"])
    counted = games_by_place(card_games(record.entries, rules), record.entries, rules.pairs**2)
    games = [
        game_shown(line, context["name_of"], counted.get(place, ()), place + 1)
        for place, line in enumerate(lines)
    ]
    return [(turn, list(group)) for turn, group in groupby(games, lambda game: game.turn)]


def _substitutes(match: TeamMatch, record: MatchRecord, context: dict[str, Any]) -> list[str]:
    """Who came in for whom, if the league has substitutes."""
    league = context["league"]
    if not may_substitute(league) or not record.met.games or match.session_id is None:
        return []
    return substitutes_shown(card_of(match, league), context["name_of"])


def _organisers_forms(
    request: ClubRequest, match: TeamMatch, url_args: list[str]
) -> dict[str, Any]:
    """The organiser's forms; a form that was refused keeps what was typed."""
    typed = {
        name: typed_at(request, reverse(f"team_match_{name}", args=url_args))
        for name in ("move", "give", "games", "late", "decider", "settle", "again")
    }
    return {
        "decider_form": DeciderForm(typed["decider"], match=match),
        "move_card_form": MoveCardForm(match=match) if match.session_id else None,
        "move_form": MoveForm(typed["move"], match=match, at=timezone.now()),
        "again_form": PlayAgainForm(
            typed["again"], match=match, at=timezone.now(), initial={}, auto_id="again_%s"
        ),
        "give_form": GiveForm(typed["give"], match=match, auto_id="give_%s"),
        "game_form": GiveGameForm(typed["games"], match=match, auto_id="games_%s"),
        "settle_form": SettleForm(typed["settle"], match=match),
        "lift_form": LiftForm(typed["late"]),
    }


def _photographs(match: TeamMatch, side: int | None) -> dict[str, Any]:
    """The photographs of the card, and the form with which a captain sends one."""
    is_open = match.league.state in (TeamLeague.State.SETUP, TeamLeague.State.RUNNING)
    return {
        "photographs": match.photographs.defer("image").select_related("team"),
        "photograph_form": PhotographForm() if is_open and side is not None else None,
    }


def captain_page(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorate a view of a match for its two captains and the organisers; others get a 403.

    The view gets the match and the side for which the visitor acts: 0 at home or 1 away for a
    captain, None for an organiser. An organiser who is also a captain writes a new card as captain,
    provided that the other captain can confirm it.
    """

    @club_page("member")
    @wraps(view)
    def guarded(
        request: ClubRequest, club: Club, public_id: str, match: str, **kwargs: Any
    ) -> HttpResponse:
        fixture = match_of(league_of(club, public_id), match)
        side = captains_side(request, fixture)
        if may_run(request, fixture.league):
            side = side if other_captain_confirms(fixture, side) else None
        elif side is None:
            message = _("Only the captains of the two teams or an organiser can fill in this card.")
            raise Refused("not-captain", message, status=403)
        return view(request, fixture, side, **kwargs)

    return guarded


def captain_action(act: Callable[..., str]) -> Callable[..., HttpResponse]:
    """Make a view for a captain's action: it shows the message `act` returns, or the refusal."""

    @require_POST
    @captain_page
    @wraps(act)
    def view(request: ClubRequest, match: TeamMatch, side: int | None) -> HttpResponse:
        run_action(request, lambda: act(request, match, side))
        return redirect(
            "team_match", match.league.club.slug, match.league.public_id, match.public_id
        )

    return view


def match_action(act: Callable[..., str]) -> Callable[..., HttpResponse]:
    """Make a view for an organiser's action: it shows the message `act` returns, or the refusal."""

    @require_POST
    @secretary_page
    @wraps(act)
    def view(request: ClubRequest, club: Club, public_id: str, match: str) -> HttpResponse:
        fixture = match_of(league_of(club, public_id), match)
        run_action(request, lambda: act(request, fixture))
        return redirect("team_match", club.slug, public_id, match)

    return view


@captain_action
def team_match_confirm(request: ClubRequest, match: TeamMatch, side: int | None) -> str:
    """Confirm the card, as the other side's captain or as an organiser."""
    seen = valid(SeenCardForm(request.POST))["seen"]
    by, at, own_side = actor_of(request), timezone.now(), captains_side(request, match)
    if own_side is not None and actions.copy_of(match, 1 - own_side):
        actions.agree_with_copy(match, side=own_side, seen=seen, by=by, at=at)
    elif captain_to_confirm(match, own_side):
        raise actions.own_card_refusal()
    else:
        actions.confirm_card(match, side=side, seen=seen, by=by, at=at)
    return _("Confirmed the card.")


@captain_action
def team_match_object(request: ClubRequest, match: TeamMatch, side: int | None) -> str:
    """Dispute the card, saying what is wrong."""
    data = valid(ReasonForm(request.POST))
    actions.dispute_card(match, side=side, by=actor_of(request), at=timezone.now(), **data)
    return _("Sent to an organiser to decide.")


@match_action
def team_match_move(request: ClubRequest, match: TeamMatch) -> str:
    """Change the day or place."""
    at = timezone.now()
    data = valid(MoveForm(request.POST, match=match, at=at))
    if all(data[name] == getattr(match, name) for name in ("held_on", "begins_at", "venue")):
        return _("Nothing changed.")
    actions.move_match(match, by=actor_of(request), at=at, **data)
    return _day_saved(match)


def _day_saved(match: TeamMatch) -> str:
    if match.held_on is None:
        return _("Saved: the day is still to be agreed.")
    when = [dated(match.held_on, _("l j F Y")), clock(match.begins_at)]
    return one_stop(_("Saved. The day is %(day)s.") % {"day": ", ".join(filter(None, when))})


@match_action
def team_match_again(request: ClubRequest, match: TeamMatch) -> str:
    """Order a replay of the match."""
    at = timezone.now()
    data = valid(PlayAgainForm(request.POST, match=match, at=at))
    actions.play_again(match, by=actor_of(request), at=at, **data)
    return _day_saved(match)


@match_action
def team_match_decider(request: ClubRequest, match: TeamMatch) -> str:
    """Enter the deciding game of a drawn cup match."""
    data = valid(DeciderForm(request.POST, match=match))
    actions.decide_cup_match(match, by=actor_of(request), **data)
    return _("Saved.")


@match_action
def team_card_move(request: ClubRequest, match: TeamMatch) -> str:
    """Move a card that was filled in for the wrong match."""
    to = valid(MoveCardForm(request.POST, match=match))["to"]
    actions.move_card(match, to, by=actor_of(request), at=timezone.now())
    return _("Moved the card to %(match)s.") % {"match": to}


@captain_action
def team_match_message(request: ClubRequest, match: TeamMatch, side: int | None) -> str:
    """Leave a message on the match."""
    data = valid(MessageForm(request.POST))
    actions.leave_message(match, by=actor_of(request), at=timezone.now(), **data)
    return _("Message sent.")


@match_action
def team_match_give(request: ClubRequest, match: TeamMatch) -> str:
    """Award the match to one side, or to neither, with a reason."""
    data = valid(GiveForm(request.POST, match=match))
    to = data["given_to"]
    actions.give_match(match, to, reason=data["reason"], by=actor_of(request), at=timezone.now())
    if to is None:
        return _("Neither team came, so both lose.")
    return _("Awarded the match to %(team)s.") % {"team": to.name}


@match_action
def team_match_take_back(request: ClubRequest, match: TeamMatch) -> str:
    """Undo an award."""
    actions.take_match_back(match, by=actor_of(request))
    return _("Reopened the match.")


@match_action
def team_match_games(request: ClubRequest, match: TeamMatch) -> str:
    """Award games to a side, or make them void, with a reason."""
    data = valid(GiveGameForm(request.POST, match=match))
    mark = None if data["mark"] == "played" else data["mark"]
    by, at = actor_of(request), timezone.now()
    marks = dict.fromkeys(data["number"], mark)
    actions.give_games(match, marks, reason=data["reason"], by=by, at=at)
    text = ngettext("Decided game %(n)s.", "Decided games %(n)s.", len(marks))
    return text % {"n": ", ".join(str(number + 1) for number in marks)}


@match_action
def team_match_settle(request: ClubRequest, match: TeamMatch) -> str:
    """Decide a disputed card, with a reason."""
    data = valid(SettleForm(request.POST, match=match))
    by, at = actor_of(request), timezone.now()
    seen = valid(SeenCardForm(request.POST))["seen"]
    actions.settle_dispute(match, data["card"], reason=data["reason"], by=by, at=at, seen=seen)
    return _("Decided the card.")


@match_action
def team_match_late(request: ClubRequest, match: TeamMatch) -> str:
    """Waive the penalty for a late card, with a reason."""
    data = valid(LiftForm(request.POST))
    actions.lift_late(match, by=actor_of(request), **data)
    return _("Waived the late-card penalty.")


@match_action
def team_match_late_again(request: ClubRequest, match: TeamMatch) -> str:
    """Apply the penalty for a late card after all."""
    actions.lift_late(match, reason="", by=actor_of(request))
    return _("The late-card penalty counts again.")
