"""Drawing a round and publishing it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from django.db import transaction
from django.forms.models import model_to_dict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.errors import Refused
from league.members.audit import Actor, log_action
from league.seating.actions import publish
from league.seating.models import Round, Seat, Table
from league.seating.planner_adapter import rule_for
from league.seating.queries import draft_of, live_tables
from league.sessions.actions import bump
from league.tournaments.actions.checking_in import check_in_entered
from league.tournaments.actions.setup import (
    label_in_log,
    locked,
    rules_at,
    save_session_places,
)
from league.tournaments.draws import FORMATS, DrawnTable, RoundDraw
from league.tournaments.draws.groups import qualifiers
from league.tournaments.draws.knockout import bracket_of
from league.tournaments.draws.late import draw_order
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
from league.tournaments.stage_state import CLOSED, OF_PAIRS, StageState, load_stage
from league.tournaments.ties import cut_ties, refuse_ties

PLANNER = "tournament"
ATTEMPTS = 3


def draw_round(tournament: Tournament, *, by: Actor, seed: int) -> StageRound:
    """Draw the next round, replacing any draft. Only organisers see it until it is published.

    Refuses while a match of the last round is open (`round-open`, unless the round was forced),
    while a tie is undecided (`tie-open`), and when the format has no more rounds. The round is
    drawn without a lock, so that hands can be saved meanwhile, and again if something changed.
    """
    with transaction.atomic():
        state = _ready_state(tournament, by=by, seed=seed)
        transaction.set_rollback(True)  # for reading only; changes are made again when it is saved
    for _attempt in range(ATTEMPTS):
        facts_before = draw_facts(state)
        drawn = _draw(state, seed)
        with transaction.atomic():
            state = _ready_state(tournament, by=by, seed=seed)
            if draw_facts(state) == facts_before:
                return _save_drawn(state, drawn, by=by, seed=seed)
            transaction.set_rollback(True)
    message = _("Something changed during the draw. Redraw.")
    raise Refused("draw-changes", message, status=409)


@transaction.atomic
def discard_draw(tournament: Tournament, *, by: Actor) -> None:
    """Delete the drafted round."""
    fresh = locked(tournament)
    clear_draft(fresh)
    log_action(fresh.club, by, "discard tournament draw", fresh, session=fresh.session)
    bump(fresh.session)


@transaction.atomic
def publish_draw(
    tournament: Tournament, *, by: Actor, at: datetime, version: int | None = None
) -> StageRound:
    """Publish the drafted round; the first one checks in who entered before the day. Refuses what
    seating refuses, such as players who have left."""
    fresh = locked(tournament)
    draft = StageRound.objects.filter(
        stage__tournament=fresh, seating__state=Round.State.DRAFT
    ).select_related("seating__session", "stage")
    row = draft.first()
    if row is None:
        raise _draft_gone(fresh)
    _fix_bracket(row)
    _take_rules(row)
    if row.number == 1:
        check_in_entered(fresh, by=by, at=at)
    by_lot = row.stage.format in OF_PAIRS
    publish(
        row.seating,
        by=by,
        at=at,
        version=version,
        of_tournament=True,
        deals_by_lot=by_lot,
        title=label_in_log(row, fresh.club),
    )
    fresh.state = Tournament.State.RUNNING
    fresh.save(update_fields=["state"])
    save_session_places(fresh.session)
    row.refresh_from_db()
    return row


def _draft_gone(fresh: Tournament) -> Refused:
    """The refusal to publish a draft that is no longer there: most often another organiser has
    published it."""
    state = Round.State.PUBLISHED
    last = StageRound.objects.filter(stage__tournament=fresh, seating__state=state).last()
    message = _("This draft no longer exists.")
    if last is not None:
        message = _("%(round)s is already published.") % {"round": last.title}
    return Refused("draft-gone", message, status=409)


def _take_rules(row: StageRound) -> None:
    """Give the tables of a draft the rules that apply when it is published."""
    tables = list(row.seating.tables.order_by("number"))
    if not tables:
        return
    kinds = {table.pk: (table.players, table is tables[0]) for table in tables}  # size, is head
    stage = row.stage
    rules = {kind: rules_at(stage, kind[0], head=kind[1]) for kind in set(kinds.values())}
    for table in tables:
        table.ruleset = rules[kinds[table.pk]]
    Table.objects.bulk_update(tables, ["ruleset"])


def _fix_bracket(row: StageRound) -> None:
    """Fix the winners of a bracket's matches so far, so that later corrections do not change them.

    Refuses (`result-changed`) if a correction since the draw has changed who goes on.
    """
    if row.stage.format not in CLOSED:
        return
    state = load_stage(row.stage)
    if state.bracket_from is None or row.number < state.bracket_from:
        return
    bracket = bracket_of(state)
    if is_outdated(state):
        message = _(
            "A result has changed since this draw. Discard the draft and draw the round again."
        )
        raise Refused("result-changed", message, status=409)
    for match in state.matches:
        is_decided = match.over and match.first is not None
        if match.place in bracket.matches and match.winner is None and is_decided:
            Match.objects.filter(pk=match.key).update(winner=match.first)


def is_outdated(state: StageState) -> bool:
    """Whether the draft of a bracket's round lacks its matches or, in the first round after groups,
    the entries that got through: a correction since the draw has changed who goes on."""
    first, draft = state.bracket_from, state.draft
    if first is None or draft is None or draft.number < first:
        return False
    has_groups = state.stage.format == Stage.Format.GROUPS
    if (
        draft.number == first
        and has_groups
        and list(qualifiers(state)) != state.cards[0]["players"]
    ):
        return True
    ready_pairs = {frozenset((ready.first, ready.second)) for ready in bracket_of(state).ready()}
    return any(frozenset(match.entries) not in ready_pairs for match in draft.matches)


def _ready_state(tournament: Tournament, *, by: Actor, seed: int) -> StageState:
    """The stage ready for its next draw: without a draft, entries numbered, ties cut."""
    fresh = locked(tournament)
    clear_draft(fresh)  # before the stage is read, since it also removes the draft's card
    stage = fresh.stages.order_by("number").last()
    if stage is None:
        raise Refused("no-stage", _("This tournament has no format yet."), status=409)
    stage.tournament = fresh
    state = load_stage(stage)
    state = replace(state, apart_pairs=kept_apart(state))
    if not state.rounds:
        number_entries(state, seed)
    _refuse_open_matches(state)
    _refuse_without_partners(state)
    refuse_ties(state)
    if cut_ties(state, seed=seed, by=by):
        state = replace(load_stage(stage), apart_pairs=state.apart_pairs)
    return state


def draw_facts(state: StageState) -> tuple[object, ...]:
    """The values a draw depends on, for comparison; model instances only compare by key."""
    stage = state.stage
    entries = [model_to_dict(entry) for entry in state.entries.values()]
    forced = [facts.row.forced_at for facts in state.rounds]
    return state, stage.format, stage.cards, stage.redrawn, entries, forced


def _draw(state: StageState, seed: int) -> RoundDraw:
    tournament = state.stage.tournament
    sizes = partial(rule_for, tournament.club, policy=tournament.session.seating_policy)
    return FORMATS[state.stage.format](state, seed, sizes)


def _save_drawn(state: StageState, drawn: RoundDraw, *, by: Actor, seed: int) -> StageRound:
    stage = state.stage
    fresh = stage.tournament
    row = _save_round(stage, state, drawn, seed)
    if drawn.card is not None:
        stage.cards = [*stage.cards, state.by_numbers(drawn.card)]
        stage.save(update_fields=["cards"])
    new = {"round": label_in_log(row, fresh.club) or row.number, "seed": seed}
    log_action(fresh.club, by, "draw tournament round", fresh, session=fresh.session, new=new)
    bump(fresh.session)
    return row


def number_entries(state: StageState, seed: int) -> None:
    """Number the entries in the order of the draw: seeds first, the others at random."""
    order = draw_order(state, state.entries.values(), seed)
    entries = [state.entries[key] for key in order]
    state.stage.tournament.entries.update(number=None)
    for number, entry in enumerate(entries, 1):
        entry.number = number
        entry.late, entry.bye_of = False, None  # these may be left from a discarded draw
    Entry.objects.bulk_update(entries, ["number", "late", "bye_of"])


def people_at(table: DrawnTable, entries: dict[int, Entry]) -> list[int]:
    """The members on the seats of a drawn table, in order."""
    seats: dict[int, int] = {}
    for position, key in table.sides:
        entry = entries[key]
        seats[position] = entry.member_id
        if entry.partner_id is not None:
            seats[position + 2] = entry.partner_id
    return [seats[position] for position in sorted(seats)]


def seat_tables(
    stage: Stage, round_: Round, seats: Mapping[int, Sequence[int]], *, head: int | None = None
) -> list[Table]:
    """Create tables by their numbers, with their players; `head` is the head table's number."""
    kinds = {number: (len(people), number == head) for number, people in seats.items()}
    rules = {kind: rules_at(stage, kind[0], head=kind[1]) for kind in dict.fromkeys(kinds.values())}
    tables = Table.objects.bulk_create(
        Table(
            session_id=round_.session_id,
            round=round_,
            number=number,
            players=len(people),
            ruleset=rules[kinds[number]],
        )
        for number, people in seats.items()
    )
    Seat.objects.bulk_create(
        Seat(session_id=round_.session_id, table=table, position=place, member_id=member)
        for table, people in zip(tables, seats.values(), strict=True)
        for place, member in enumerate(people)
    )
    return tables


def new_round(fresh: Tournament, seed: int, releases: list[Table]) -> Round:
    """Create an empty seating round for the tournament, deleting the session's own draft."""
    session_draft = draft_of(fresh.session)
    if session_draft is not None:
        session_draft.delete()
    last_round = (
        fresh.session.rounds.exclude(state=Round.State.WITHDRAWN).order_by("-number").first()
    )
    round_ = Round.objects.create(
        session=fresh.session,
        number=last_round.number + 1 if last_round else 1,
        seed=seed,
        planner=PLANNER,
        by_tournament=True,
    )
    round_.releases.set(releases)
    return round_


def free_numbers(fresh: Tournament, releases: list[Table], count: int) -> list[int]:
    """The lowest `count` table numbers that are free once the `releases` end."""
    staying = fresh.session.tables.filter(is_live=True).exclude(pk__in=[t.pk for t in releases])
    numbers_in_use = set(staying.values_list("number", flat=True))
    candidates = range(1, count + len(numbers_in_use) + 1)
    return [number for number in candidates if number not in numbers_in_use][:count]


def clear_draft(fresh: Tournament) -> None:
    """Delete the draft, with the movement card made for it."""
    for row in StageRound.objects.filter(
        stage__tournament=fresh, seating__state=Round.State.DRAFT
    ).select_related("stage", "seating"):
        stage = row.stage
        stage.cards = [card for card in stage.cards if card["from"] < row.number]
        stage.save(update_fields=["cards"])
        row.seating.delete()


def _save_round(stage: Stage, state: StageState, drawn: RoundDraw, seed: int) -> StageRound:
    fresh = stage.tournament
    releases = [t for t in live_tables(fresh.session) if t.round.by_tournament or t.done]  # type: ignore[attr-defined]
    round_ = new_round(fresh, seed, releases)
    row = StageRound.objects.create(
        stage=stage, number=len(state.published) + 1, field_size=drawn.field_size, seating=round_
    )
    matches = save_matches(row, drawn.tables)
    seated = [people_at(t, state.entries) for t in drawn.tables if t.winner is None]
    numbers = free_numbers(fresh, releases, len(seated))
    tables = seat_tables(
        stage, round_, dict(zip(numbers, seated, strict=True)), head=next(iter(numbers), None)
    )
    played = [match for match in matches if match.decided_by == Match.By.PLAY]
    MatchGame.objects.bulk_create(
        MatchGame(match=match, table=table) for match, table in zip(played, tables, strict=True)
    )
    Bye.objects.bulk_create(Bye(stage_round=row, entry_id=entry) for entry in drawn.byes)
    round_.sits_out.set([m for entry in drawn.byes for m in state.entries[entry].people])
    return row


def save_matches(row: StageRound, drawn: Sequence[DrawnTable]) -> list[Match]:
    matches = Match.objects.bulk_create(
        Match(
            stage_round=row,
            number=table.number or place,
            group=table.group,
            place=table.place,
            winner=table.winner,
            decided_by=Match.By.PLAY if table.winner is None else Match.By.WALKOVER,
        )
        for place, table in enumerate(drawn, 1)
    )
    MatchSide.objects.bulk_create(
        MatchSide(match=match, entry_id=entry, position=position)
        for match, table in zip(matches, drawn, strict=True)
        for position, entry in table.sides
    )
    return matches


def _refuse_open_matches(state: StageState) -> None:
    if state.last is None or state.last.is_forced or not state.last.open_matches:
        return
    count = len(state.last.open_matches)
    message = ngettext(
        "%(n)d table of the last round is not done yet.",
        "%(n)d tables of the last round are not done yet.",
        count,
    )
    raise Refused("round-open", message % {"n": count}, status=409)


def _refuse_without_partners(state: StageState) -> None:
    if not state.of_pairs:
        return
    entries = state.active_entries.values()
    names = [entry.member.name for entry in entries if entry.partner_id is None]
    if names:
        message = _("%(name)s has no partner yet. Pick or draw one.") % {"name": names[0]}
        raise Refused("no-partner", message, status=409, details={"names": names})
    if len(state.active_entries) < 2:
        raise Refused("too-few", _("It takes at least two pairs."), status=409)
