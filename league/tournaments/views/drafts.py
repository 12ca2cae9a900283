"""The drafted round, before anybody else sees it: what stands out, and what a swap would cost."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.access import ClubRequest, club_page
from league.errors import valid
from league.members.audit import actor_of
from league.members.models import Club
from league.ranking.match_facts import MatchFacts
from league.seating.models import Table
from league.tournaments import actions
from league.tournaments.draws.swaps import Layout, layout_of, may_swap
from league.tournaments.forms import SwapForm
from league.tournaments.models import Tournament
from league.tournaments.queries import entry_name, kept_apart
from league.tournaments.stage_state import StageState
from league.tournaments.text import Cost, cost_in_words, fault_in_words
from league.tournaments.views.hub import opened
from league.tournaments.views.rounds import tournament_button


@dataclass(frozen=True, slots=True)
class Slip:
    """An entry on the draft; with another picked up, what a swap of the two would cost."""

    key: int
    name: str
    seed: int | None
    cost: Cost | None = None


@require_safe
@club_page("organiser")
def tournament_draw(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """The drafted round; tap one name, then another, and they swap."""
    state, context = opened(request, club, public_id)
    draft = state.draft
    if draft is None:
        raise Http404
    state = replace(state, apart=kept_apart(state))
    layout = layout_of(state)
    names = {key: entry_name(one, context["name_of"]) for key, one in state.entries.items()}
    picked = _picked(request, layout) if may_swap(state) else None
    slips = {key: _slip(state, layout, names, key, picked) for key in layout.seats}
    numbers = dict(Table.objects.filter(round=draft.row.seating).values_list("pk", "number"))
    faults = sorted({fault_in_words(one, state, names) for one in layout.faults()})
    context |= {
        "draft": draft,
        "may_swap": may_swap(state),
        "picked": slips[picked] if picked else None,
        "faults": faults,
        "tables": [_table(one, numbers, slips) for one in draft.matches],
        "byes": [slips[key] for key in draft.byes],
    }
    return render(request, "tournaments/draw.html", context)


def _picked(request: HttpRequest, layout: Layout) -> int | None:
    """The entry that was tapped first."""
    asked = request.GET.get("pick", "")
    key = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 10 else 0
    return key if key in layout.seats else None


def _slip(
    state: StageState, layout: Layout, names: Mapping[int, str], key: int, picked: int | None
) -> Slip:
    cost = None
    if picked is not None and picked != key:
        cost = cost_in_words(*layout.cost(picked, key), state, names)
    return Slip(key, names[key], state.entries[key].seed, cost)


def _table(
    match: MatchFacts, numbers: Mapping[int, int], slips: Mapping[int, Slip]
) -> dict[str, Any]:
    """A match with its table's number, none for a walk-over; sides of one pair or two players."""
    sides = 2 if match.of_pairs or len(match.entries) == 4 else len(match.entries)
    return {
        "match": match,
        "table": numbers.get(match.games[0].table) if match.games else None,
        "sides": [
            [slips[who] for place, who in sorted(match.sides.items()) if place % sides == side]
            for side in range(sides)
        ],
    }


@tournament_button("tournament_draw")
def tournament_swap(request: HttpRequest, tournament: Tournament) -> str:
    """Two entries of the draft swap places."""
    data = valid(SwapForm(request.POST, tournament=tournament))
    actions.swap_entries(tournament, **data, by=actor_of(request))
    names = {key: entry_name(data[key], lambda who: who.name) for key in ("one", "other")}
    return _("%(one)s and %(other)s have swapped places.") % names
