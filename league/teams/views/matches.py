"""A match: its page, its card, and what captains and organisers may do with it."""

from collections.abc import Callable
from functools import wraps
from itertools import groupby
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from league.access import PUBLIC, ClubRequest, club_page
from league.errors import Refused, typed_at, valid
from league.members.audit import actor_of
from league.members.models import Club
from league.play.models import Confirmation
from league.ranking.team_league.match import card_games
from league.teams import actions
from league.teams.calendar import starts_at
from league.teams.card import LinedUp, card_of, lined_up
from league.teams.eligibility import borrowed_shown
from league.teams.match_forms import (
    DeciderForm,
    GiveForm,
    GiveGameForm,
    LiftForm,
    MessageForm,
    MoveCardForm,
    MoveForm,
    PhotographForm,
    ReasonForm,
    SeenCardForm,
    SettleForm,
    may_substitute,
    substitutes_shown,
)
from league.teams.models import Team, TeamLeague, TeamMatch
from league.teams.queries import (
    MatchRecord,
    all_matches_of,
    fixtures_of,
    league_of,
    match_of,
    played,
    rules_of,
)
from league.teams.tables import by_place, differing_games, game_shown, match_shown
from league.teams.text import card_due, late_costs, walkover_rule
from league.teams.views.fixtures import trouble_with
from league.teams.views.leagues import leads, opened, runs, say, secretary_page


@require_safe
@club_page(PUBLIC)
def team_match(request: ClubRequest, club: Club, public_id: str, match: str) -> HttpResponse:
    """Who plays whom, where and when; the card; what the reader may do about it."""
    context = opened(request, club, public_id)
    one = match_of(context["league"], match)
    rules = rules_of(context["league"])
    (now,) = played([one], context["league"])
    if (one.home.withdrawn_at or one.away.withdrawn_at) and one.cup_id is None:
        now = next(x for x in fixtures_of(context["league"]) if x.match.pk == one.pk)
    lines = lined_up(one, context["league"]) if now.met.games else []
    context |= {
        "match": one,
        "shown": match_shown(now),
        "now": now,
        "turns": [] if one.totals_only else _turns(now, lines, context),
        "venue": one.venue or one.home.venue,
        "starts_at": starts_at(context["league"]),
        "substitutes": _substitutes(one, now, context),
        "points": now.met.points if now.met.points_known else None,
        "goes_on": _goes_on(now),
        "decisions": one.decisions.all(),
        "late_costs": late_costs(one, now.met, rules),
        "due": card_due(one, rules)
        if context["organiser"] or captain_of(request, one) is not None
        else "",
        "disputes": _disputes(one) if now.is_disputed and request.rank else [],
        **_may(request, one, now),
    }
    context["side"] = captain_of(request, one)
    if context["organiser"] or context["side"] is not None:
        address = reverse("team_match_message", args=[club.slug, public_id, match])
        context["message_form"] = MessageForm(typed_at(request, address))
        context["notes"] = one.messages.all()
        context |= _photographs(one, context["side"])
        context["borrowed"] = borrowed_shown(one, lines, context["name_of"])
        context["differing"] = differing_games(one, now) if now.is_disputed else []
    if context["organiser"]:
        context |= _organisers_forms(request, one, [club.slug, public_id, match])
        context |= _trouble(now, context["teams"])
        context["walkover_rule"] = walkover_rule(rules)
    return render(request, "teams/match.html", context)


def _trouble(now: MatchRecord, teams: list[Team]) -> dict[str, Any]:
    """Where there is too much on the day to which a match was moved."""
    day = now.match.held_on
    if now.match.first_date is None or day is None or not now.is_to_come:
        return {}
    there = [one for one in all_matches_of(now.match.league) if one.match.held_on == day]
    return trouble_with(there, teams)


def _turns(
    now: MatchRecord, lines: list[LinedUp], context: dict[str, Any]
) -> list[tuple[int, list[Any]]]:
    """The games of a match that has any, by turn."""
    rules = rules_of(context["league"])
    counted = by_place(card_games(now.entries, rules), now.entries, rules.pairs**2)
    games = [
        game_shown(line, context["name_of"], counted.get(place, ()), place + 1)
        for place, line in enumerate(lines)
    ]
    return [(turn, list(many)) for turn, many in groupby(games, lambda game: game.turn)]


def _substitutes(match: TeamMatch, now: MatchRecord, context: dict[str, Any]) -> list[str]:
    """Who came in for whom, where the league has substitutes."""
    league = context["league"]
    if not may_substitute(league) or not now.met.games or match.session_id is None:
        return []
    return substitutes_shown(card_of(match, league), context["name_of"])


def _organisers_forms(request: ClubRequest, match: TeamMatch, where: list[str]) -> dict[str, Any]:
    """What an organiser may fill in, as it was typed where it was refused; and the cards sent."""
    typed = {
        name: typed_at(request, reverse(f"team_match_{name}", args=where))
        for name in ("move", "give", "games", "late", "decider", "settle")
    }
    return {
        "decider_form": DeciderForm(typed["decider"], match=match),
        "move_card_form": MoveCardForm(match=match) if match.session_id else None,
        "move_form": MoveForm(typed["move"], match=match),
        "give_form": GiveForm(typed["give"], match=match),
        "game_form": GiveGameForm(typed["games"], match=match),
        "settle_form": SettleForm(typed["settle"], match=match),
        "lift_form": LiftForm(typed["late"]),
    }


def _disputes(match: TeamMatch) -> list[str]:
    disputes = Confirmation.objects.filter(
        game__session=match.session_id, accepted=False, settled_at=None
    )
    return sorted(set(disputes.values_list("reason", flat=True)))


def _photographs(match: TeamMatch, side: int | None) -> dict[str, Any]:
    """The photographs sent of the card, and the form for the one of a captain."""
    is_open = match.league.state in (TeamLeague.State.SETUP, TeamLeague.State.RUNNING)
    return {
        "photographs": match.photographs.defer("image").select_related("team"),
        "photograph_form": PhotographForm() if is_open and side is not None else None,
    }


def _goes_on(now: MatchRecord) -> tuple[Team, Team] | None:
    """Of a cup match that is off: who has left, and who goes on in the cup."""
    home, away = now.match.home, now.match.away
    if not now.is_off or now.match.cup_id is None or (home.withdrawn_at and away.withdrawn_at):
        return None
    return (home, away) if home.withdrawn_at else (away, home)


def _may(request: ClubRequest, match: TeamMatch, now: MatchRecord) -> dict[str, Any]:
    """What this reader may do: write the card, confirm it, object to it."""
    organiser = runs(request, match.league)
    side = captain_of(request, match)
    team = None if side is None else (match.home_id, match.away_id)[side]
    other_captain = team is not None and match.written_by_id != team
    by_captain = match.league.confirms != Club.Confirm.ORGANISER
    copied = now.is_disputed and by_captain and team is not None
    own_copy = copied and match.copies.filter(team=team).exists()
    open_card = now.waits or (match.is_untouched and not now.is_off)
    closed = _is_closed(match, now)
    return {
        "may_write": not closed and (organiser or (team is not None and open_card)),
        "may_confirm": now.waits and (organiser or (other_captain and by_captain)),
        "may_agree": own_copy,
        "may_take_copy": copied and not other_captain and match.copies.exists(),
        "may_object": (now.waits and (organiser or other_captain))
        or (now.counts and actions.may_object_later(match, side)),
        "object_form": ReasonForm(typed_at(request, _address("team_match_object", match))),
    }


def _is_closed(match: TeamMatch, now: MatchRecord) -> bool:
    """Whether nobody may write its card any more."""
    over = match.league.state in (TeamLeague.State.FINISHED, TeamLeague.State.CANCELLED)
    return over or match.is_given or (now.is_off and match.cup_id is not None)


def _address(name: str, match: TeamMatch) -> str:
    league = match.league
    return reverse(name, args=[league.club.slug, league.public_id, match.public_id])


def captain_of(request: HttpRequest, match: TeamMatch) -> int | None:
    """The side whose captain is looking."""
    sides = enumerate((match.home, match.away))
    return next((side for side, team in sides if leads(request, team)), None)


def _own_new_card(match: TeamMatch, side: int | None) -> bool:
    """Whether a card that this side's captain writes first waits for the other captain."""
    if side is None or not match.is_untouched:
        return False
    other = (match.away, match.home)[side].captain
    with_account = other is not None and other.user_id is not None
    return with_account and match.league.confirms == Club.Confirm.OPPONENT


def captain_page(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A page of a match for its two captains and the organisers; others are refused with 403.

    The view gets the match and for whom the visitor acts: a captain for their side, 0 at home or
    1 away, an organiser for nobody's (None). Who is both writes a first card as captain, where the
    other captain can confirm it.
    """

    @club_page("member")
    @wraps(view)
    def guarded(
        request: ClubRequest, club: Club, public_id: str, match: str, **more: Any
    ) -> HttpResponse:
        one = match_of(league_of(club, public_id), match)
        side = captain_of(request, one)
        if runs(request, one.league):
            side = side if _own_new_card(one, side) else None
        elif side is None:
            message = _("Only the captains of the two teams or an organiser can fill in this card.")
            raise Refused("not-captain", message, status=403)
        return view(request, one, side, **more)

    return guarded


def captain_action(act: Callable[..., str]) -> Callable[..., HttpResponse]:
    """The view of a captain's button about a match: tells what `act` answers, or why not."""

    @require_POST
    @captain_page
    @wraps(act)
    def view(request: ClubRequest, match: TeamMatch, side: int | None) -> HttpResponse:
        say(request, lambda: act(request, match, side))
        return redirect(
            "team_match", match.league.club.slug, match.league.public_id, match.public_id
        )

    return view


def match_action(act: Callable[..., str]) -> Callable[..., HttpResponse]:
    """The view of an organiser's button about a match: tells what `act` answers, or why not."""

    @require_POST
    @secretary_page
    @wraps(act)
    def view(request: ClubRequest, club: Club, public_id: str, match: str) -> HttpResponse:
        one = match_of(league_of(club, public_id), match)
        say(request, lambda: act(request, one))
        return redirect("team_match", club.slug, public_id, match)

    return view


@captain_action
def team_match_confirm(request: ClubRequest, match: TeamMatch, side: int | None) -> str:
    """The other side's captain, or an organiser, agrees with the card."""
    seen = valid(SeenCardForm(request.POST))["seen"]
    by, at, copies = actor_of(request), timezone.now(), match.copies.all()
    if side is not None and any(
        copy.team_id != (match.home_id, match.away_id)[side] for copy in copies
    ):
        actions.agree_with_copy(match, side=side, seen=seen, by=by, at=at)
    else:
        actions.confirm_card(match, side=side, seen=seen, by=by, at=at)
    return _("Confirmed the card.")


@captain_action
def team_match_object(request: ClubRequest, match: TeamMatch, side: int | None) -> str:
    """A captain says what is wrong with the card."""
    data = valid(ReasonForm(request.POST))
    actions.dispute_card(match, side=side, by=actor_of(request), at=timezone.now(), **data)
    return _("Sent to an organiser to decide.")


@match_action
def team_match_move(request: ClubRequest, match: TeamMatch) -> str:
    """Another day or place."""
    data = valid(MoveForm(request.POST, match=match))
    actions.move_match(match, by=actor_of(request), **data)
    return _("Saved.")


@match_action
def team_match_decider(request: ClubRequest, match: TeamMatch) -> str:
    """The deciding game of a drawn cup match."""
    data = valid(DeciderForm(request.POST, match=match))
    actions.decide_cup_match(match, by=actor_of(request), **data)
    return _("Saved.")


@match_action
def team_card_move(request: ClubRequest, match: TeamMatch) -> str:
    """A card that was filled in for the wrong match goes where it belongs."""
    to = valid(MoveCardForm(request.POST, match=match))["to"]
    actions.move_card(match, to, by=actor_of(request), at=timezone.now())
    return _("Moved the card to %(match)s.") % {"match": to}


@captain_action
def team_match_message(request: ClubRequest, match: TeamMatch, side: int | None) -> str:
    """A message that stays with the match."""
    data = valid(MessageForm(request.POST))
    actions.leave_message(match, by=actor_of(request), at=timezone.now(), **data)
    return _("Saved the message.")


@match_action
def team_match_give(request: ClubRequest, match: TeamMatch) -> str:
    """The match is given to one side, with the reason."""
    data = valid(GiveForm(request.POST, match=match))
    to = data["given_to"]
    actions.give_match(match, to, reason=data["reason"], by=actor_of(request), at=timezone.now())
    if to is None:
        return _("Neither team came, so both lose.")
    return _("Awarded the match to %(team)s.") % {"team": to.name}


@match_action
def team_match_take_back(request: ClubRequest, match: TeamMatch) -> str:
    """A match that was given is open again."""
    actions.take_match_back(match, by=actor_of(request))
    return _("Reopened the match.")


@match_action
def team_match_games(request: ClubRequest, match: TeamMatch) -> str:
    """Games are given to a side, or made void, with the reason."""
    data = valid(GiveGameForm(request.POST, match=match))
    mark = None if data["mark"] == "played" else data["mark"]
    by, at = actor_of(request), timezone.now()
    marks = dict.fromkeys(data["number"], mark)
    actions.give_games(match, marks, reason=data["reason"], by=by, at=at)
    text = ngettext("Decided game %(n)s.", "Decided games %(n)s.", len(marks))
    return text % {"n": ", ".join(str(number + 1) for number in marks)}


@match_action
def team_match_settle(request: ClubRequest, match: TeamMatch) -> str:
    """A disputed card is decided, with the reason."""
    data = valid(SettleForm(request.POST, match=match))
    by, at = actor_of(request), timezone.now()
    actions.settle_dispute(match, data["card"], reason=data["reason"], by=by, at=at)
    return _("Decided the card.")


@match_action
def team_match_late(request: ClubRequest, match: TeamMatch) -> str:
    """A late card costs nothing, for a reason."""
    data = valid(LiftForm(request.POST))
    actions.lift_late(match, by=actor_of(request), **data)
    return _("Waived the late-card penalty.")


@match_action
def team_match_late_again(request: ClubRequest, match: TeamMatch) -> str:
    """A late card costs what the league says after all."""
    actions.lift_late(match, reason="", by=actor_of(request))
    return _("The late-card penalty counts again.")
