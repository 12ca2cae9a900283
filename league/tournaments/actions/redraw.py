"""Changes to a draw: swapping two entries of the draft, unpublishing it, and late entries.

A late entry has the remaining rounds redrawn, or a whole bracket in which nobody has played; or it
meets a pair that had a bye, at a table of their own.
"""

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, log_action
from league.members.models import Member
from league.ranking.match_facts import MatchFacts
from league.seating.actions import publish, take_back
from league.seating.models import Round, Seat, Table
from league.seating.queries import waiting
from league.tournaments.actions.drawing import (
    clear_draft,
    draw_facts,
    draw_round,
    free_numbers,
    new_round,
    people_at,
    save_matches,
    seat_tables,
)
from league.tournaments.actions.entering import admit, names_of, refuse_entering
from league.tournaments.actions.setup import label_in_log, locked, touch
from league.tournaments.draws import DrawnTable
from league.tournaments.draws.knockout import bracket_of, drawn_matches, field_size, late_matches
from league.tournaments.draws.late import larger_bracket, redraw_rounds
from league.tournaments.draws.swaps import follows_numbers, may_swap
from league.tournaments.models import (
    Bye,
    Entry,
    Match,
    MatchGame,
    MatchSide,
    Stage,
    StageRound,
    Tournament,
)
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
    """Enter a pair into a full round robin or group by redrawing the remaining rounds.

    Published rounds stay as they are; a draft is deleted. `seen` is the fingerprint of the draw
    that the organiser looked at: refuses (`plan-changed`) if the draw would be different now. It
    is drawn without a lock, so that hands can be saved meanwhile.
    """
    state_before = _published_state(tournament, (member, partner))
    plan = redraw_rounds(state_before, seed)
    _refuse_if_changed(plan.seen, seen)
    with transaction.atomic():
        fresh, state = _lock_without_draft(tournament, member, partner, state_before)
        numbers = {key: entry.number or 0 for key, entry in state.entries.items()}
        numbers[NEWCOMER] = max(numbers.values()) + 1
        entry = admit(fresh, member, partner, number=numbers[NEWCOMER], late=True, by=by, at=at)
        record = redraw_record(
            plan.rounds,
            numbers,
            late=numbers[NEWCOMER],
            group=plan.group,
            after=plan.after,
            seed=seed,
        )
        stage = state.stage
        stage.redrawn = [*stage.redrawn, record]
        stage.save(update_fields=["redrawn"])
        new = {
            "after": plan.after,
            "rounds": len(plan.rounds),
            "more": plan.added_rounds,
            "seed": seed,
        }
        action = "reschedule for a late entry"
        log_action(fresh.club, by, action, fresh, session=fresh.session, new=new)
        touch(fresh)
    return entry


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
    """Enter a pair into a full bracket in which nobody has played, by redrawing all of it.

    The old draw is unpublished and the new one is a draft. `seen` is the fingerprint of the draw
    that the organiser looked at (`plan-changed`). Both draws are made without a lock. If the last
    one is refused, the pair has entered all the same, and the organiser draws.
    """
    state_before = _published_state(tournament, (member, partner))
    _refuse_if_changed(larger_bracket(state_before, seed).seen, seen)
    with transaction.atomic():
        fresh, _state = _lock_without_draft(tournament, member, partner, state_before)
        take_draw_back(fresh, by=by, at=at)
        clear_draft(fresh)
        entry = admit(fresh, member, partner, number=None, late=False, by=by, at=at)
    draw_round(tournament, by=by, seed=seed)
    return entry


def _published_state(tournament: Tournament, late: tuple[Member, Member]) -> StageState:
    """The stage with its published rounds only; a draft does not concern a late entry."""
    stage = tournament.stages.get(number=1)
    stage.tournament = tournament
    state = load_stage(stage)
    return replace(state, rounds=state.published, apart_pairs=kept_apart(state, late))


def _lock_without_draft(
    tournament: Tournament, member: Member, partner: Member, state_before: StageState
) -> tuple[Tournament, StageState]:
    """Lock the tournament and delete its draft. Returns it with its state.

    Refuses (`plan-changed`) if the state is not `state_before`.
    """
    fresh = locked(tournament)
    refuse_entering(fresh, member, partner)
    clear_draft(fresh)
    state = _published_state(fresh, (member, partner))
    if draw_facts(state) != draw_facts(state_before):
        raise _plan_changed()
    return fresh, state


def _refuse_if_changed(fingerprint: str, seen: str) -> None:
    if fingerprint != seen:
        raise _plan_changed()


def _plan_changed() -> Refused:
    message = _("Something has changed. Check the draw again.")
    return Refused("plan-changed", message, status=409)


@transaction.atomic
def swap_entries(
    tournament: Tournament, one: Entry, other: Entry, *, version: int, by: Actor
) -> StageRound:
    """Swap two entries of the draft: seats or byes, in brackets and fixtures also their numbers.

    Refuses a draft that has changed since it was looked at (`draft-changed`), and a round that
    follows from an earlier one (`draw-follows`). Matches and tables keep their numbers.
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
    new = [names_of(one), names_of(other)]
    log_action(fresh.club, by, "swap in tournament draw", fresh, session=fresh.session, new=new)
    touch(fresh)
    return row


def _refuse_swap(state: StageState, draft: RoundFacts, one: Entry, other: Entry) -> None:
    if not may_swap(state):
        message = _("This round's pairings follow from the first round's draw.")
        raise Refused("draw-follows", message, status=409)
    drawn_keys = {entry for match in draft.matches for entry in match.entries} | set(draft.byes)
    if one == other or not {one.pk, other.pk} <= drawn_keys:
        raise Refused("cannot-swap", _("These two can't swap places."), status=409)


def _swap_sides(state: StageState, exchange: dict[int, int]) -> None:
    """Swap the two in the sides of their matches, and in the seats of the tables."""
    assert state.draft is not None
    for match in state.draft.matches:
        if not exchange.keys().isdisjoint(match.entries):
            sides = tuple((p, exchange.get(entry, entry)) for p, entry in match.sides.items())
            _put_in(match, DrawnTable(sides), state.entries)


def _put_in(
    match: MatchFacts, drawn: DrawnTable, entries: dict[int, Entry], *, seated: bool = False
) -> None:
    """Put other sides into a match, and their players at its tables."""
    MatchSide.objects.filter(match=match.key).delete()
    MatchSide.objects.bulk_create(
        MatchSide(match_id=match.key, entry_id=entry, position=position)
        for position, entry in drawn.sides
    )
    members = people_at(drawn, entries)
    for game in match.games:
        seats = list(Seat.objects.filter(table=game.table).order_by("position"))
        for seat, member in zip(seats, members, strict=True):
            seat.member_id, seat.seated = member, seated
        Seat.objects.bulk_update(seats, ["member", "seated"])


def reseat_matches(stage: Stage, keys: Collection[int]) -> list[int]:
    """Give the tables of matches that have not begun to the pairs that meet there by the bracket as
    it now is. Returns the keys of the matches whose pairs are not known or not free yet."""
    state = load_stage(stage)
    matches = [match for match in state.matches if match.key in keys]
    if state.last is None or not matches:
        return []
    tables = [game.table for match in matches for game in match.games]
    Seat.objects.filter(table__in=tables).update(seated=False)
    free = set(waiting(state.last.row.seating.session).values_list("pk", flat=True))
    bracket, left = bracket_of(state), []
    ready = {drawn.place: drawn for drawn in drawn_matches(bracket, bracket.ready())}
    for match in matches:
        drawn = ready.get(match.place)
        if drawn and free.issuperset(people_at(drawn, state.entries)):
            _put_in(match, drawn, state.entries, seated=True)
        else:
            left.append(match.key)
    return left


def _swap_byes(state: StageState, exchange: dict[int, int]) -> None:
    assert state.draft is not None
    byes = [exchange.get(entry, entry) for entry in state.draft.byes]
    row = state.draft.row
    if set(byes) == set(state.draft.byes):
        return
    for old in set(state.draft.byes) - set(byes):
        Bye.objects.filter(stage_round=row, entry=old).update(entry=exchange[old])
    row.seating.sits_out.set(member for entry in byes for member in state.entries[entry].people)


def _swap_numbers(one: Entry, other: Entry) -> None:
    """Swap the numbers in the draw, which have to be unique at every moment."""
    numbers = dict(Entry.objects.filter(pk__in=(one.pk, other.pk)).values_list("pk", "number"))
    Entry.objects.filter(pk=one.pk).update(number=None)
    Entry.objects.filter(pk=other.pk).update(number=numbers[one.pk])
    Entry.objects.filter(pk=one.pk).update(number=numbers[other.pk])


@transaction.atomic
def seat_late_matches(tournament: Tournament, *, by: Actor, at: datetime, seed: int) -> list[int]:
    """Seat the matches of late entries with pairs that had a bye, at free tables, while the other
    tables of the round play. Returns the numbers of the tables.

    Refuses (`no-late-match`) if there is none, and (`draft-open`) beside a draft.
    """
    fresh = locked(tournament)
    stage = fresh.stages.order_by("number").last()
    state = load_stage(stage) if stage else None
    pairings = late_matches(state) if state else []
    if stage is None or state is None or state.last is None or not pairings:
        message = _("No late entry is waiting for a table.")
        raise Refused("no-late-match", message, status=409)
    if state.draft is not None:
        raise Refused("draft-open", _("The next round already has a draft."), status=409)
    bracket, row = bracket_of(state), state.last.row
    drawn = drawn_matches(bracket, pairings)
    seated = [people_at(table, state.entries) for table in drawn]
    numbers = free_numbers(fresh, [], len(seated))
    round_ = new_round(fresh, seed, [])
    tables = seat_tables(stage, round_, dict(zip(numbers, seated, strict=True)))
    matches = save_matches(row, drawn)
    MatchGame.objects.bulk_create(
        MatchGame(match=match, table=table) for match, table in zip(matches, tables, strict=True)
    )
    row.field_size = field_size(bracket, row.matches.values_list("place", flat=True))
    row.save(update_fields=["field_size"])
    row.seating.sits_out.remove(*(member for people in seated for member in people))
    publish(round_, by=by, at=at, of_tournament=True, deals_by_lot=True)
    log_action(
        fresh.club, by, "seat late match", fresh, session=fresh.session, new={"tables": numbers}
    )
    touch(fresh)
    return numbers


@transaction.atomic
def take_draw_back(tournament: Tournament, *, by: Actor, at: datetime) -> StageRound:
    """Turn the latest published round back into a draft, while nothing in it counts.

    Refuses once one of its hands is entered (`hands-entered`), unless its game is marked as not
    played, or one of its matches is given.
    Winners fixed when it was published follow from their games again.
    """
    fresh = locked(tournament)
    row = (
        StageRound.objects.filter(stage__tournament=fresh, seating__state=Round.State.PUBLISHED)
        .select_related("seating", "stage")
        .order_by("stage__number", "number")
        .last()
    )
    if row is None:
        raise Refused("not-published", _("No round is published."), status=409)
    _refuse_decided(row)
    _unseat_late_matches(row, by=by, at=at)
    label = label_in_log(row, fresh.club)
    draft = take_back(row.seating, by=by, at=at, of_tournament=True, title=label)
    _move_to_draft(row, draft)
    Match.objects.filter(
        stage_round__stage=row.stage,
        stage_round__number=row.number - 1,
        decided_by=Match.By.PLAY,
    ).update(winner=None)
    if row.number == 1:
        fresh.state = Tournament.State.SETUP
        fresh.save(update_fields=["state"])
    new = {"round": label or row.number}
    log_action(fresh.club, by, "take tournament draw back", fresh, session=fresh.session, new=new)
    touch(fresh)
    return row


def may_take_back(state: StageState) -> bool:
    """Whether the latest round can be unpublished: nothing is decided in it, and no hand or result
    counts; a game marked as not played does not."""
    last = state.last
    if last is None or state.draft is not None or last.is_forced:
        return False
    played = [match for match in last.matches if match.games]
    are_open = not any(m.decided_by or m.undone or len(m.games) > 1 for m in played)
    return bool(played) and are_open and not games_in_the_way(last)


def games_in_the_way(last: RoundFacts) -> int:
    """In how many games of a round something counts, so that it can't be unpublished."""
    games = [game for match in last.matches for game in match.games]
    return sum(game.counts and bool(game.hands or game.over) for game in games)


def _refuse_decided(row: StageRound) -> None:
    """Refuse if the organiser has decided something in the round, or seated another game."""
    matches = row.matches.all()
    further_games = MatchGame.objects.filter(match__in=matches, number__gt=1)
    decided = matches.exclude(decided_by=Match.By.PLAY).filter(games__isnull=False)
    if row.forced_at or decided.exists() or further_games.exists():
        message = _("Something in this round is already decided, so it can't be unpublished.")
        raise Refused("decided-already", message, status=409)
    if any(redraw["after"] >= row.number for redraw in row.stage.redrawn):
        message = _("A late entry has joined since, and later rounds were redrawn for it.")
        raise Refused("joined-since", message, status=409)


def _move_to_draft(row: StageRound, draft: Round) -> None:
    """Move the matches to the tables of the draft, which have the same numbers."""
    tables = {table.number: table for table in Table.objects.filter(round=draft)}
    games = list(MatchGame.objects.filter(match__stage_round=row).select_related("table"))
    for game in games:
        game.table = tables[game.table.number]
    MatchGame.objects.bulk_update(games, ["table"])
    row.seating = draft
    row.save(update_fields=["seating"])


def _unseat_late_matches(row: StageRound, *, by: Actor, at: datetime) -> None:
    """Remove the matches of late entries that were seated after the round was published."""
    tables = Table.objects.filter(match_game__match__stage_round=row).exclude(round=row.seating)
    matches = list(Match.objects.filter(games__table__in=tables).values_list("pk", flat=True))
    for round_ in Round.objects.filter(tables__in=tables).distinct():
        take_back(round_, by=by, at=at, of_tournament=True).delete()
    Match.objects.filter(pk__in=matches).delete()
