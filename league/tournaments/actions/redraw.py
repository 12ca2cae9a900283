"""Changes of a draw: two entries swap in the draft, and a late entry has rounds redrawn.

A late entry sees the rounds to come redrawn, or all of a bracket in which nobody has played.
"""

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, log_action
from league.members.models import Member
from league.seating.models import Seat
from league.tournaments.actions.drawing import (
    clear_draft,
    draw_facts,
    draw_round,
    people_at,
    take_draw_back,
)
from league.tournaments.actions.entering import admit, refuse_entering
from league.tournaments.actions.setup import locked, touch
from league.tournaments.draws import DrawnTable
from league.tournaments.draws.late import larger_bracket, redraw_rounds
from league.tournaments.draws.swaps import follows_numbers, may_swap
from league.tournaments.models import Bye, Entry, MatchSide, StageRound, Tournament
from league.tournaments.queries import kept_apart
from league.tournaments.stage_state import (
    NEWCOMER,
    RoundFacts,
    StageState,
    load_stage,
    redraw_record,
)


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
    before = _published(tournament, (member, partner))
    plan = redraw_rounds(before, seed)
    _refuse_other(plan.seen, seen)
    with transaction.atomic():
        fresh, state = _without_draft(tournament, member, partner, before)
        numbers = {key: entry.number or 0 for key, entry in state.entries.items()}
        numbers[NEWCOMER] = max(numbers.values()) + 1
        made = admit(fresh, member, partner, number=numbers[NEWCOMER], late=True, by=by, at=at)
        to_store = redraw_record(
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
        new = {
            "after": plan.after,
            "rounds": len(plan.rounds),
            "more": plan.added_rounds,
            "seed": seed,
        }
        what = "reschedule for a late entry"
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
    before = _published(tournament, (member, partner))
    _refuse_other(larger_bracket(before, seed).seen, seen)
    with transaction.atomic():
        fresh, _state = _without_draft(tournament, member, partner, before)
        take_draw_back(fresh, by=by, at=at)
        clear_draft(fresh)
        made = admit(fresh, member, partner, number=None, late=False, by=by, at=at)
    draw_round(tournament, by=by, seed=seed)
    return made


def _published(tournament: Tournament, late: tuple[Member, Member]) -> StageState:
    """The stage as far as it is published; a draft is no matter to who comes late."""
    stage = tournament.stages.get(number=1)
    stage.tournament = tournament
    state = load_stage(stage)
    return replace(state, rounds=state.published, apart_pairs=kept_apart(state, late))


def _without_draft(
    tournament: Tournament, member: Member, partner: Member, before: StageState
) -> tuple[Tournament, StageState]:
    """The tournament under its lock, its draft thrown away, and its state, which has to be what it
    was `before` (`plan-changed`)."""
    fresh = locked(tournament)
    refuse_entering(fresh, member, partner)
    clear_draft(fresh)
    now = _published(fresh, (member, partner))
    if draw_facts(now) != draw_facts(before):
        raise _changed()
    return fresh, now


def _refuse_other(plan: str, seen: str) -> None:
    if plan != seen:
        raise _changed()


def _changed() -> Refused:
    message = _("Something has changed. Check the draw again.")
    return Refused("plan-changed", message, status=409)


@transaction.atomic
def swap_entries(
    tournament: Tournament, one: Entry, other: Entry, *, version: int, by: Actor
) -> StageRound:
    """Two entries of the draft swap: their seats, a bye, in a bracket or fixtures all their draw.

    Refuses a draft that is another than was looked at (`draft-changed`), and a round that follows
    from the one before (`draw-follows`). Matches and tables keep their numbers.
    """
    fresh = locked(tournament)
    stage = fresh.stages.order_by("number").last()
    state = load_stage(stage) if stage else None
    if state is None or state.draft is None:
        raise Refused("draft-gone", _("This draft no longer exists."), status=409)
    row = state.draft.row
    if row.seating.version != version:
        message = _("The draft has changed since you looked at it.")
        raise Refused("draft-changed", message, status=409)
    _refuse_swap(state, state.draft, one, other)
    exchange = {one.pk: other.pk, other.pk: one.pk}
    _swap_sides(state, exchange)
    _swap_byes(state, exchange)
    if follows_numbers(state):
        _swap_numbers(one, other)
    row.seating.version += 1
    row.seating.save(update_fields=["version"])
    new = [_name(one), _name(other)]
    log_action(fresh.club, by, "swap in tournament draw", fresh, session=fresh.session, new=new)
    touch(fresh)
    return row


def _refuse_swap(state: StageState, draft: RoundFacts, one: Entry, other: Entry) -> None:
    if not may_swap(state):
        message = _("This round's pairings follow from the first round's draw.")
        raise Refused("draw-follows", message, status=409)
    drawn = {entry for match in draft.matches for entry in match.entries} | set(draft.byes)
    if one == other or not {one.pk, other.pk} <= drawn:
        raise Refused("cannot-swap", _("These two can't swap places."), status=409)


def _swap_sides(state: StageState, exchange: dict[int, int]) -> None:
    """The sides of the matches the two are in, and the seats of these matches' tables."""
    assert state.draft is not None
    changed = [one for one in state.draft.matches if not exchange.keys().isdisjoint(one.entries)]
    MatchSide.objects.filter(match__in=[one.key for one in changed]).delete()
    for match in changed:
        sides = {place: exchange.get(who, who) for place, who in match.sides.items()}
        MatchSide.objects.bulk_create(
            MatchSide(match_id=match.key, entry_id=who, position=place)
            for place, who in sides.items()
        )
        for game in match.games:
            people = people_at(DrawnTable(tuple(sides.items())), state.entries)
            _seat(game.table, people)


def _seat(table: int, people: Collection[int]) -> None:
    seats = list(Seat.objects.filter(table=table).order_by("position"))
    for seat, member in zip(seats, people, strict=True):
        seat.member_id = member
    Seat.objects.bulk_update(seats, ["member"])


def _swap_byes(state: StageState, exchange: dict[int, int]) -> None:
    assert state.draft is not None
    byes = [exchange.get(one, one) for one in state.draft.byes]
    row = state.draft.row
    if set(byes) == set(state.draft.byes):
        return
    for leaves in set(state.draft.byes) - set(byes):
        Bye.objects.filter(stage_round=row, entry=leaves).update(entry=exchange[leaves])
    row.seating.sits_out.set(member for one in byes for member in state.entries[one].people)


def _swap_numbers(one: Entry, other: Entry) -> None:
    """Exchange the places in the draw; a number is one entry's at a time."""
    numbers = dict(Entry.objects.filter(pk__in=(one.pk, other.pk)).values_list("pk", "number"))
    Entry.objects.filter(pk=one.pk).update(number=None)
    Entry.objects.filter(pk=other.pk).update(number=numbers[one.pk])
    Entry.objects.filter(pk=one.pk).update(number=numbers[other.pk])


def _name(entry: Entry) -> str:
    return " & ".join(member.name for member in entry.people)
