"""Somebody joins when the draw is full, as the organiser has seen what that costs.

The rounds to come are drawn anew, or all of a bracket in which nobody has played.
"""

from dataclasses import replace
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, log_action
from league.members.models import Member
from league.tournaments.actions.drawing import (
    clear_draft,
    draw_facts,
    draw_round,
    take_draw_back,
)
from league.tournaments.actions.entering import admit, refuse_entering
from league.tournaments.actions.setup import locked, touch
from league.tournaments.draws.drawn import NEWCOMER, stored
from league.tournaments.draws.late import larger_bracket, redraw_rounds
from league.tournaments.models import Entry, Tournament
from league.tournaments.stage_state import StageState, load_stage


def enter_by_redraw(
    tournament: Tournament,
    member: Member,
    *,
    partner: Member,
    seed: int,
    seen: str,
    by: Actor,
    at: datetime,
) -> Entry:
    """A pair joins a full round robin, or group: the rounds to come are drawn again by the seed.

    What is published stands; a draft is thrown away. `seen` is the mark of the draw the organiser
    has looked at: refuses (`plan-changed`) where it would be another now. It is drawn while
    nothing is locked, so that hands are saved meanwhile.
    """
    before = _published(tournament)
    plan = redraw_rounds(before, seed)
    _refuse_other(plan.seen, seen)
    with transaction.atomic():
        fresh, state = _without_draft(tournament, member, partner, before)
        numbers = {key: entry.number or 0 for key, entry in state.entries.items()}
        numbers[NEWCOMER] = max(numbers.values()) + 1
        made = admit(fresh, member, partner, number=numbers[NEWCOMER], late=True, by=by, at=at)
        to_store = stored(
            plan.rounds,
            numbers,
            late=numbers[NEWCOMER],
            group=plan.group,
            after=plan.after,
            seed=seed,
        )
        stage = state.stage
        stage.redrawn = [*stage.redrawn, to_store]
        stage.save(update_fields=["redrawn"])
        new = {"after": plan.after, "rounds": len(plan.rounds), "more": plan.more, "seed": seed}
        what = "draw anew for a late entry"
        log_action(fresh.club, by, what, fresh, session=fresh.session, new=new)
        touch(fresh)
    return made


def enter_larger_bracket(
    tournament: Tournament,
    member: Member,
    *,
    partner: Member,
    seed: int,
    seen: str,
    by: Actor,
    at: datetime,
) -> Entry:
    """A pair comes into a full bracket in which nobody has played: its draw is taken back, and all
    are drawn again by the seed. That draw is a draft, as `seen`, to be published.

    Both draws are made while nothing is locked. Should the last be refused, the pair is in, and
    the organiser draws.
    """
    before = _published(tournament)
    _refuse_other(larger_bracket(before, seed).seen, seen)
    with transaction.atomic():
        fresh, _state = _without_draft(tournament, member, partner, before)
        take_draw_back(fresh, by=by, at=at)
        clear_draft(fresh)
        made = admit(fresh, member, partner, number=None, late=False, by=by, at=at)
    draw_round(tournament, by=by, seed=seed)
    return made


def _published(tournament: Tournament) -> StageState:
    """The stage as far as it is published; a draft is no matter to who comes late."""
    stage = tournament.stages.get(number=1)
    stage.tournament = tournament
    state = load_stage(stage)
    return replace(state, rounds=state.published)


def _without_draft(
    tournament: Tournament, member: Member, partner: Member, before: StageState
) -> tuple[Tournament, StageState]:
    """The tournament under its lock, its draft thrown away, and its state, which has to be what it
    was `before` (`plan-changed`)."""
    fresh = locked(tournament)
    refuse_entering(fresh, member, partner)
    clear_draft(fresh)
    now = _published(fresh)
    if draw_facts(now) != draw_facts(before):
        raise _changed()
    return fresh, now


def _refuse_other(plan: str, seen: str) -> None:
    if plan != seen:
        raise _changed()


def _changed() -> Refused:
    message = _("Something has changed. Check the draw again.")
    return Refused("plan-changed", message, status=409)
