"""Pages of rounds: the organiser's buttons, the drafted round with swaps, and late redraws."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from league.access import ClubRequest, club_page
from league.errors import Refused, valid
from league.labels import as_partners
from league.members.audit import actor_of
from league.members.models import Club, Member
from league.ranking.match_facts import MatchFacts
from league.seating.models import Table
from league.standings.actions import hold_standings
from league.tournaments import actions
from league.tournaments.actions.checking_in import not_seen
from league.tournaments.actions.drawing import is_outdated
from league.tournaments.draws.knockout import available_bye, corrections
from league.tournaments.draws.late import LargerBracket, RedrawnRounds, late_plan, missed_by_byes
from league.tournaments.draws.swaps import Layout, layout_of, may_swap
from league.tournaments.entry_forms import EnterForm, LateForm
from league.tournaments.forms import DecideForm, PublishForm, ReasonForm, SwapForm
from league.tournaments.models import Entry, Match, Tournament
from league.tournaments.next_step import draft_reminder
from league.tournaments.queries import (
    entries_apart,
    entry_name,
    kept_apart,
    not_entered,
    stage_of,
    tournament_of,
)
from league.tournaments.round_sheets import match_titles
from league.tournaments.stage_state import NEWCOMER, StageState, load_stage
from league.tournaments.text import Cost, cost_in_words, fault_in_words, how_drawn, updated_text
from league.tournaments.views.buttons import tournament_button
from league.tournaments.views.hub import open_tournament

SEEDS = 2**31


@tournament_button("tournament_draw")
def tournament_draw_round(request: HttpRequest, tournament: Tournament) -> str:
    """Draw or redraw the next round."""
    actions.draw_round(tournament, by=actor_of(request), seed=secrets.randbelow(SEEDS))
    return ""


@tournament_button()
def tournament_discard(request: HttpRequest, tournament: Tournament) -> str:
    actions.discard_draw(tournament, by=actor_of(request))
    return _("Discarded the draft.")


@tournament_button()
def tournament_publish(request: HttpRequest, tournament: Tournament) -> str:
    version = valid(PublishForm(request.POST))["version"]
    by, at = actor_of(request), timezone.now()
    row = actions.publish_draw(tournament, by=by, at=at, version=version)
    if row.label:
        return _("Published: %(round)s.") % {"round": row.label}
    return _("Published round %(n)d.") % {"n": row.number}


@tournament_button("tournament_draw")
def tournament_take_back(request: HttpRequest, tournament: Tournament) -> str:
    actions.take_draw_back(tournament, by=actor_of(request), at=timezone.now())
    return _("The round is a draft again.")


@tournament_button()
def tournament_late_matches(request: HttpRequest, tournament: Tournament) -> str:
    """Start the matches of late entries at free tables."""
    by, at, seed = actor_of(request), timezone.now(), secrets.randbelow(SEEDS)
    numbers = actions.seat_late_matches(tournament, by=by, at=at, seed=seed)
    tables = ", ".join(map(str, numbers))
    text = ngettext("Started at table %(tables)s.", "Started at tables %(tables)s.", len(numbers))
    return text % {"tables": tables}


@tournament_button()
def tournament_bell(request: HttpRequest, tournament: Tournament) -> str:
    stopped = actions.ring_bell(tournament, by=actor_of(request), at=timezone.now())
    if not stopped:
        return _("No table has hands to end a game with. Enter the final scores.")
    text = ngettext("Stopped %(n)d game.", "Stopped %(n)d games.", stopped)
    return text % {"n": stopped}


@tournament_button()
def tournament_force(request: HttpRequest, tournament: Tournament) -> str:
    reason = valid(ReasonForm(request.POST))["reason"]
    actions.force_round(tournament, reason=reason, by=actor_of(request), at=timezone.now())
    return _("Ended the round. The reason is saved.")


@tournament_button()
def tournament_hold(request: HttpRequest, tournament: Tournament) -> str:
    """Hold back the standings of its session."""
    hold_standings(tournament.session, by=actor_of(request))
    return _("Standings held back. Only organisers see them.")


@tournament_button()
def tournament_finish(request: HttpRequest, tournament: Tournament) -> str:
    actions.finish_tournament(tournament, by=actor_of(request), at=timezone.now())
    return _("Closed the tournament.")


@tournament_button()
def tournament_cancel(request: HttpRequest, tournament: Tournament) -> str:
    actions.cancel_tournament(tournament, by=actor_of(request), at=timezone.now())
    return _("Called off the tournament.")


@tournament_button()
def tournament_reopen(request: HttpRequest, tournament: Tournament) -> str:
    actions.reopen_tournament(tournament, by=actor_of(request))
    return _("Reopened the tournament.")


@tournament_button()
def tournament_reopen_all(request: HttpRequest, tournament: Tournament) -> str:
    """Reopen a tournament together with its session."""
    actions.reopen_with_session(tournament, by=actor_of(request), at=timezone.now())
    return _("Reopened. Now you can update the bracket.")


@tournament_button()
def tournament_decide(request: HttpRequest, tournament: Tournament, match: int) -> str:
    """Decide a tied match, or give a match to one side."""
    row, by = _match(tournament, match), actor_of(request)
    data = valid(DecideForm(request.POST))
    actions.decide_match(tournament, row, by=by, at=timezone.now(), **data)
    return _("The match is decided.")


@tournament_button()
def tournament_take_back_decision(request: HttpRequest, tournament: Tournament, match: int) -> str:
    """Undo who won the deciding hand of a tied match."""
    actions.take_back_decision(tournament, _match(tournament, match), by=actor_of(request))
    return _("Undone. Choose who won.")


@tournament_button()
def tournament_take_back_walkover(request: HttpRequest, tournament: Tournament, match: int) -> str:
    """Take back the walk-over of a match."""
    row, by = _match(tournament, match), actor_of(request)
    actions.take_back_walkover(tournament, row, by=by, at=timezone.now())
    return _("Took back the walk-over. The match is open again.")


@tournament_button()
def tournament_turn_walkover(request: HttpRequest, tournament: Tournament, match: int) -> str:
    """Give the walk-over of an earlier round to the other pair."""
    row, by = _match(tournament, match), actor_of(request)
    reason = valid(ReasonForm(request.POST))["reason"]
    undone = actions.turn_walkover(tournament, row, reason=reason, by=by, at=timezone.now())
    return updated_text(undone) if row.place else _("The other pair has the walk-over now.")


@tournament_button()
def tournament_game(request: HttpRequest, tournament: Tournament, match: int) -> str:
    """Start the next game of a match of several."""
    row, by = _match(tournament, match), actor_of(request)
    seed = secrets.randbelow(SEEDS)
    table = actions.next_game(tournament, row, by=by, at=timezone.now(), seed=seed)
    return _("Started the next game at table %(n)d.") % {"n": table.number}


@tournament_button()
def tournament_unseat(request: HttpRequest, tournament: Tournament, match: int) -> str:
    """Unseat the next game of a match that is decided."""
    row, by = _match(tournament, match), actor_of(request)
    actions.unseat_game(tournament, row, by=by, at=timezone.now())
    return _("Removed the next game. The match is over.")


@tournament_button()
def tournament_follow(request: HttpRequest, tournament: Tournament, match: int) -> str:
    """Update the bracket after a correction."""
    row, by = _match(tournament, match), actor_of(request)
    return updated_text(actions.follow_correction(tournament, row, by=by, at=timezone.now()))


def _match(tournament: Tournament, key: int) -> Match:
    matches = Match.objects.select_related("stage_round__stage")
    return get_object_or_404(matches, stage_round__stage__tournament=tournament, pk=key)


@dataclass(frozen=True, slots=True)
class Slip:
    """An entry in the draft; if another is picked, with the cost of swapping the two."""

    key: int
    name: str
    seed: int | None
    cost: Cost | None = None


@require_safe
@club_page("organiser")
def tournament_draw(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """The drafted round. Tapping one name and then another swaps them. Once it is published, Back
    leads to the tournament's page."""
    state, context = open_tournament(request, club, public_id)
    draft = state.draft
    if draft is None:
        return redirect("tournament", club.slug, public_id)
    by_tournament = frozenset(entries_apart(state.stage.tournament))
    state = replace(state, apart_pairs=kept_apart(state), apart_by_tournament=by_tournament)
    layout = layout_of(state)
    names = {key: entry_name(entry, context["name_of"]) for key, entry in state.entries.items()}
    picked = _picked(request, layout) if may_swap(state) else None
    slips = {key: _slip(state, layout, names, key, picked) for key in layout.seats}
    numbers = dict(Table.objects.filter(round=draft.row.seating).values_list("pk", "number"))
    faults = sorted({fault_in_words(fault, state, names) for fault in layout.faults()})
    titles = match_titles(state, draft)
    context |= {
        "draft": draft,
        "may_swap": may_swap(state),
        "how_drawn": how_drawn(state),
        "picked": slips[picked] if picked else None,
        "faults": faults,
        "outdated": is_outdated(state),
        "corrected": bool(corrections(state)),
        "reminder": draft_reminder(state),
        "not_seen": not_seen(state.stage.tournament) if draft.number == 1 else [],
        "tables": [_table(match, numbers, slips, titles) for match in draft.matches],
        "byes": [slips[key] for key in draft.byes],
    }
    return render(request, "tournaments/draw.html", context)


def _picked(request: HttpRequest, layout: Layout) -> int | None:
    """The entry that was tapped first."""
    text = request.GET.get("pick", "")
    key = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
    return key if key in layout.seats else None


def _slip(
    state: StageState, layout: Layout, names: Mapping[int, str], key: int, picked: int | None
) -> Slip:
    cost = None
    if picked is not None and picked != key:
        cost = cost_in_words(*layout.cost(picked, key), state, names)
    return Slip(key, names[key], state.entries[key].seed, cost)


def _table(
    match: MatchFacts,
    numbers: Mapping[int, int],
    slips: Mapping[int, Slip],
    titles: Mapping[str, str],
) -> dict[str, Any]:
    """A match with the number of its table, if it has one, and the slips of each side."""
    side_count = 2 if match.of_pairs or len(match.entries) == 4 else len(match.entries)
    return {
        "match": match,
        "title": titles.get(match.place, ""),
        "table": numbers.get(match.games[0].table) if match.games else None,
        "sides": [
            [slips[entry] for p, entry in sorted(match.sides.items()) if p % side_count == side]
            for side in range(side_count)
        ],
    }


@tournament_button("tournament_draw")
def tournament_swap(request: HttpRequest, tournament: Tournament) -> str:
    """Swap two entries of the draft."""
    data = valid(SwapForm(request.POST, tournament=tournament))
    actions.swap_entries(tournament, **data, by=actor_of(request))
    names = {key: entry_name(data[key], lambda m: m.name) for key in ("one", "other")}
    return _("%(one)s and %(other)s have swapped places.") % names


@require_http_methods(["GET", "HEAD", "POST"])
@club_page("organiser")
def tournament_late(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """How a late pair would join a full draw, with a new seed each time the page is loaded."""
    tournament = tournament_of(club, public_id)
    form = EnterForm(
        request.POST or request.GET, tournament=tournament, free=not_entered(tournament), pairs=True
    )
    if not form.is_valid() or form.cleaned_data["partner"] is None:
        messages.error(request, _("Late entries need a partner."))
        return redirect("tournament_entries", club.slug, public_id)
    try:
        if request.method == "POST":
            return _enter_late(request, tournament)
        return _late_page(request, tournament, **form.cleaned_data)
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("tournament_entries", club.slug, public_id)


def _late_page(
    request: HttpRequest, tournament: Tournament, member: Member, partner: Member
) -> HttpResponse:
    state = load_stage(stage_of(tournament))
    state = replace(state, apart_pairs=kept_apart(state, (member, partner)))
    bye = available_bye(state)
    plan = None if bye else late_plan(state, secrets.randbelow(SEEDS))
    context = {
        "club": tournament.club,
        "here": "tournaments",
        "tournament": tournament,
        "member": member,
        "partner": partner,
        "name": as_partners([member.name, partner.name]),
        "plan": plan,
        "drafted": state.draft is not None,
    }
    names = {key: entry_name(entry, lambda m: m.name) for key, entry in state.entries.items()}
    names[NEWCOMER] = as_partners([member.name, partner.name])
    if bye:
        context["taken"] = {"name": names[bye[0]], "number": bye[1]}
    if plan:
        context |= CONTEXTS[plan.kind](plan, names)
    context["missed"] = [names[entry] for entry in missed_by_byes(state)]
    return render(request, "tournaments/late.html", context)


def _redrawn_context(plan: RedrawnRounds, names: dict[int, str]) -> dict[str, Any]:
    """Each remaining round: its number, the names that meet, the names that sit out."""
    rounds: list[tuple[int, list[tuple[str, str]], list[str]]] = [
        (
            number,
            [(names[int(p.first)], names[int(p.second)]) for p in pairings if p.second is not None],
            [names[int(p.first)] for p in pairings if p.second is None],
        )
        for number, pairings in enumerate(plan.rounds, plan.after + 1)
    ]
    return {"rounds": rounds}


def _larger_context(plan: LargerBracket, names: dict[int, str]) -> dict[str, Any]:
    first = [(names[entry], names[other]) for entry, other in plan.first]
    return {"first": first, "byes": [names[entry] for entry in plan.byes]}


CONTEXTS: dict[str, Callable[..., dict[str, Any]]] = {
    "redraw": _redrawn_context,
    "larger": _larger_context,
}


ENTERS: dict[str, Callable[..., Entry]] = {
    "redraw": actions.enter_by_redraw,
    "larger": actions.enter_larger_bracket,
}


def _enter_late(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    form = LateForm(request.POST, tournament=tournament, free=not_entered(tournament), pairs=True)
    if not form.is_valid():
        raise Refused("bad-form", _("Something is missing. Reload the page."))
    data = dict(form.cleaned_data)
    way = data.pop("way")
    by, at = actor_of(request), timezone.now()
    try:
        entry = ENTERS[way](tournament, **data, by=by, at=at)
    except Refused as refused:
        if refused.code != "plan-changed":
            raise
        messages.error(request, refused.message)
        return _late_page(request, tournament, data["member"], data["partner"])
    name = entry_name(entry, lambda m: m.name)
    messages.success(request, _("Entered: %(name)s.") % {"name": name})
    page = "tournament_draw" if way == "larger" else "tournament_entries"
    return redirect(page, tournament.club.slug, tournament.public_id)
