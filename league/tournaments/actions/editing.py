"""Editing a draft before it is published: two entries swap their places."""

from collections.abc import Collection

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, log_action
from league.seating.models import Seat
from league.tournaments.actions.drawing import people_at
from league.tournaments.actions.setup import locked, touch
from league.tournaments.draws import DrawnTable
from league.tournaments.draws.swaps import follows_numbers, may_swap
from league.tournaments.models import Bye, Entry, MatchSide, StageRound, Tournament
from league.tournaments.stage_state import StageState, load_stage


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
    if not may_swap(state):
        message = _("This round's pairings follow from the first round's draw.")
        raise Refused("draw-follows", message, status=409)
    drawn = {entry for match in state.draft.matches for entry in match.entries}
    drawn.update(state.draft.byes)
    if one == other or not {one.pk, other.pk} <= drawn:
        raise Refused("cannot-swap", _("These two cannot swap places."), status=409)
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
