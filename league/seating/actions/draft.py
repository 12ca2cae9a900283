"""Drafting a round: draw it, change it by hand, discard it; and the club's seating requests."""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from league import worker
from league.errors import Refused
from league.members.audit import Actor, log_action
from league.members.models import Club, ClubRuleset, Member
from league.pairing.seating import Constraints, Plan, PlayedRound, plan_round
from league.seating.draft_queries import constraints_for, played_before, tournament_makes_tables
from league.seating.models import Round, Seat, SeatingRequest, Table
from league.seating.planner_adapter import planner_refusals, rule_for
from league.seating.queries import draft_of, live_tables, ready_tables
from league.sessions.actions import bump, lock
from league.sessions.models import Session
from league.sessions.queries import ready

Places = Mapping[int, tuple[int, int]]
"""Member id to (table number, position)."""

ATTEMPTS = 3  # players rarely arrive or leave faster than a plan is made


@dataclass(frozen=True)
class PlanInputs:
    """Everything that a plan depends on, at one moment. Equal inputs give equal plans."""

    people: tuple[int, ...]
    sizes: tuple[int, ...]
    numbers: tuple[int, ...]
    history: tuple[PlayedRound, ...]
    constraints: Constraints
    session: Session = field(compare=False)
    releases: tuple[Table, ...]


def plan_without_lock(
    load: Callable[[], PlanInputs], *, seed: int, save: Callable[[PlanInputs, Plan], Round]
) -> Round:
    """Make a plan while nothing is locked, so that hands can be saved meanwhile; then save it.

    `load` locks the session and reads the inputs. It is called again after planning: if the inputs
    have changed, planning starts over with the new ones.
    """
    with transaction.atomic():
        inputs = load()
    for _attempt in range(ATTEMPTS):
        plan = _make_plan(inputs, seed)
        with transaction.atomic():
            current = load()
            if current == inputs:
                draft = save(current, plan)
                worker.saved(len(plan.tables))
                return draft
        inputs = current
    raise Refused(
        "room-changes",
        _("Players came or left while the tables were being made. Make the tables again."),
        status=409,
    )


def plan_inputs(
    club_session: Session,
    releases: Sequence[Table],
    *,
    sizes: Sequence[int] | None,
    locked: Places | None = None,
) -> PlanInputs:
    """Return the players who are free once the `releases` end, and the tables for them.

    Locks on seats that no longer exist, or of players who have left, are dropped.
    """
    people = free_people(club_session, releases)
    if not sizes:
        sizes = rule_for(club_session.club, len(people), club_session.seating_policy).sizes
    table_sizes = sorted(sizes, reverse=True)
    numbers = _free_numbers(club_session, releases, len(table_sizes))
    size_at = dict(zip(numbers, table_sizes, strict=True))
    still_locked: dict[int | str, tuple[int, int]] = {
        member: (number, position)
        for member, (number, position) in (locked or {}).items()
        if member in people and position < size_at.get(number, 0)
    }
    guests = [member.pk for member in people.values() if member.is_guest]
    return PlanInputs(
        people=tuple(people),
        sizes=tuple(table_sizes),
        numbers=tuple(numbers),
        history=tuple(played_before(club_session)),
        constraints=constraints_for(club_session, numbers, guests=guests, locked=still_locked),
        session=club_session,
        releases=tuple(releases),
    )


def _make_plan(inputs: PlanInputs, seed: int) -> Plan:
    with planner_refusals():
        return plan_round(
            inputs.people,
            seed=seed,
            history=inputs.history,
            constraints=inputs.constraints,
            sizes=inputs.sizes,
            numbers=inputs.numbers,
        )


def free_people(club_session: Session, releases: Iterable[Table]) -> dict[int, Member]:
    """The players who can be seated once the `releases` end: ready, and at no other table."""
    staying = Seat.objects.filter(session=club_session, seated=True).exclude(table__in=releases)
    members = ready(club_session).exclude(pk__in=staying.values("member"))
    return {member.pk: member for member in members}


def late_arrivals(draft: Round) -> list[Member]:
    """The players who have arrived since this draft was drawn and have no place in it."""
    seated = Seat.objects.filter(table__round=draft).values_list("member", flat=True)
    placed_ids = {*seated, *draft.sits_out.values_list("pk", flat=True)}
    free_members = free_people(draft.session, draft.releases.all())
    return [member for key, member in free_members.items() if key not in placed_ids]


def ruleset_for(club: Club, players: int, club_session: Session | None = None) -> ClubRuleset:
    """The ruleset for a table of this size: the session's own choice, else the club's."""
    ruleset = None
    if club_session is not None:
        session_ruleset = club_session.rulesets.filter(players=players).first()
        newest = club.rulesets.filter(players=players)  # newest version of a name comes first
        ruleset = newest.filter(name=session_ruleset.name).first() if session_ruleset else None
    if ruleset is None:
        ruleset = ClubRuleset.objects.filter(club=club, players=players, is_default=True).first()
    if ruleset is None:
        raise Refused(
            "no-ruleset",
            _(
                "Your club has no house rules for tables of %(players)d yet. Add a game for them "
                "under House rules, or choose other table sizes under Settings."
            )
            % {"players": players},
            details={"players": players},
        )
    return ruleset


def save_plan(draft: Round, plan: Plan, *, locked: Container[int | str] = ()) -> None:
    """Give an empty draft the tables and seats of a plan."""
    session = draft.session
    rulesets = {n: ruleset_for(session.club, n, session) for n in set(map(len, plan.tables))}
    tables = Table.objects.bulk_create(
        Table(
            session=draft.session,
            round=draft,
            number=number,
            players=len(members),
            ruleset=rulesets[len(members)],
        )
        for number, members in zip(plan.numbers, plan.tables, strict=True)
    )
    Seat.objects.bulk_create(
        Seat(
            session=draft.session,
            table=table,
            position=position,
            member_id=member,
            locked=member in locked,
        )
        for table, members in zip(tables, plan.tables, strict=True)
        for position, member in enumerate(members)
    )
    draft.sits_out.set([int(member) for member in plan.out])
    draft.planner = plan.version
    draft.save(update_fields=["seed", "planner"])


def _free_numbers(club_session: Session, releases: Sequence[Table], count: int) -> list[int]:
    """The lowest free numbers for `count` tables."""
    taken = set(
        club_session.tables.filter(is_live=True)
        .exclude(pk__in=[table.pk for table in releases])
        .values_list("number", flat=True)
    )
    free_numbers = (number for number in range(1, count + len(taken) + 1) if number not in taken)
    return [number for number, _index in zip(free_numbers, range(count), strict=False)]


def draft_round(
    club_session: Session,
    *,
    by: Actor,
    seed: int,
    sizes: Sequence[int] | None = None,
    tables: Sequence[Table] | None = None,
) -> Round:
    """Draft seats for every free player, replacing the current draft.

    Free players are those waiting and those at `tables` (by default every table that is done and
    not in dispute). `sizes` of tables default to the club's rule. Refuses tables still in play,
    sizes that don't fit, and a session in which nobody is free.
    """

    def load() -> PlanInputs:
        fresh = lock(club_session)
        releases = _tables_to_release(fresh, tables)
        old_draft = draft_of(fresh)
        refuse_tournament([old_draft] if old_draft else [])
        if tournament_makes_tables(fresh):
            refuse_tournament([table.round for table in releases])
        return plan_inputs(fresh, releases, sizes=sizes)

    def save(inputs: PlanInputs, plan: Plan) -> Round:
        fresh = inputs.session
        if (old_draft := draft_of(fresh)) is not None:
            old_draft.delete()
        draft = Round.objects.create(session=fresh, number=_next_number(fresh), seed=seed)
        draft.releases.set(inputs.releases)
        save_plan(draft, plan)
        log_action(fresh.club, by, "draft round", draft.number, session=fresh, new={"seed": seed})
        bump(fresh)
        return draft

    return plan_without_lock(load, seed=seed, save=save)


def redraw(draft: Round, *, by: Actor, seed: int, sizes: Sequence[int] | None = None) -> Round:
    """Redraw the draft from another seed. Locked seats keep their players."""

    def load() -> PlanInputs:
        fresh = lock_draft(draft)
        refuse_tournament([fresh])
        current_sizes = [table.players for table in fresh.tables.order_by("number")]
        releases = list(fresh.releases.order_by("pk"))
        locked = _locked_places(fresh)
        return plan_inputs(fresh.session, releases, sizes=sizes or current_sizes, locked=locked)

    def save(inputs: PlanInputs, plan: Plan) -> Round:
        fresh = lock_draft(draft)
        fresh.tables.all().delete()
        fresh.seed = seed
        save_plan(fresh, plan, locked=inputs.constraints.locked)
        _save_change(fresh, by, "redraw round", {"seed": seed})
        return fresh

    return plan_without_lock(load, seed=seed, save=save)


@transaction.atomic
def swap(draft: Round, first: Member, second: Member, *, by: Actor) -> Round:
    """Swap two players of a draft: either both have seats, or one of them sits out."""
    fresh = lock_draft(draft)
    refuse_tournament([fresh])
    seats = {
        seat.member_id: seat
        for seat in Seat.objects.filter(table__round=fresh, member__in=(first, second))
    }
    bench = set(fresh.sits_out.filter(pk__in=(first.pk, second.pk)).values_list("pk", flat=True))
    if first == second or not seats or {first.pk, second.pk} - bench - set(seats):
        raise Refused("cannot-swap", _("These two can't swap."), status=409)
    for leaving, coming in ((first, second), (second, first)):
        if leaving.pk in seats:
            Seat.objects.filter(pk=seats[leaving.pk].pk).update(member=coming)
        else:
            fresh.sits_out.remove(leaving)
            fresh.sits_out.add(coming)
    _save_change(fresh, by, "swap", [first.name, second.name])
    return fresh


@transaction.atomic
def lock_seat(seat: Seat, *, by: Actor, locked: bool) -> Seat:
    """Lock or unlock a seat of a draft: a locked seat keeps its player when it is redrawn."""
    fresh = lock_draft(seat.table.round)
    refuse_tournament([fresh])
    Seat.objects.filter(pk=seat.pk, table__round=fresh).update(locked=locked)
    _save_change(fresh, by, "lock seat" if locked else "unlock seat", seat.member.name)
    seat.refresh_from_db()
    return seat


@transaction.atomic
def discard_draft(draft: Round, *, by: Actor) -> None:
    """Delete the draft; live tables don't change."""
    fresh = lock_draft(draft)
    refuse_tournament([fresh])
    log_action(fresh.session.club, by, "discard draft", fresh.number, session=fresh.session)
    fresh.delete()
    bump(fresh.session)


def lock_draft(draft: Round) -> Round:
    """Lock the draft's session and return the draft's current state.

    Refuses a draft that was published (`already-published`) or discarded (`draft-gone`).
    """
    session = lock(draft.session)
    fresh = Round.objects.filter(pk=draft.pk).first()
    if fresh is None:
        raise Refused("draft-gone", _("This draft was discarded."), status=409)
    if fresh.state != Round.State.DRAFT:
        raise Refused("already-published", _("This round is published already."), status=409)
    fresh.session = session
    return fresh


def _tables_to_release(fresh: Session, tables: Sequence[Table] | None) -> list[Table]:
    if tables is None:
        return list(ready_tables(fresh))
    live = list(live_tables(fresh))
    wanted_ids = {table.pk for table in tables}
    released_tables = [table for table in live if table.pk in wanted_ids]
    if len(released_tables) != len(wanted_ids):
        raise Refused("table-ended", _("One of these tables has ended already."), status=409)
    refuse_playing(released_tables)
    return released_tables


def refuse_playing(tables: Sequence[Table]) -> None:
    """Refuse (`table-in-play`) if a game is under way at one of these tables."""
    playing = [t.number for t in tables if t.begun and not t.done]  # type: ignore[attr-defined]
    if playing:
        raise Refused(
            "table-in-play",
            _("Table %(number)d is still playing. Finish its game first, or call time there.")
            % {"number": playing[0]},
            status=409,
            details={"tables": playing},
        )


def refuse_tournament(rounds: Sequence[Round]) -> None:
    """Refuse (`by-tournament`) if one of these rounds was drawn by a tournament."""
    if any(round_.by_tournament for round_ in rounds):
        raise Refused(
            "by-tournament",
            _("A tournament made these seats. Change them on its page."),
            status=409,
        )


def _next_number(fresh: Session) -> int:
    last_round = fresh.rounds.exclude(state=Round.State.WITHDRAWN).order_by("-number").first()
    return last_round.number + 1 if last_round else 1


def _locked_places(draft: Round) -> dict[int, tuple[int, int]]:
    seats = Seat.objects.filter(table__round=draft, locked=True).select_related("table", "member")
    return {seat.member_id: (seat.table.number, seat.position) for seat in seats}


def _save_change(draft: Round, by: Actor, action: str, detail: object) -> None:
    draft.version += 1
    draft.save(update_fields=["version", "seed", "planner"])
    log_action(draft.session.club, by, action, draft.number, session=draft.session, new=detail)
    bump(draft.session)


@transaction.atomic
def add_seating_request(
    club: Club, kind: str, first: Member, second: Member | None = None, *, by: Actor
) -> SeatingRequest:
    """Add a seating request. Every kind except "does not change tables" needs two players."""
    Club.objects.select_for_update().get(pk=club.pk)
    if kind not in SeatingRequest.Kind.values:
        raise Refused("unknown-request", _("There is no such request."), fields={"kind": []})
    if kind == SeatingRequest.Kind.STAYS:
        second = None
    elif second is None or second == first:
        message = _("Choose two different players.")
        raise Refused("two-people", message, fields={"second": [message]})
    people = [member for member in (first, second) if member is not None]
    if any(member.club_id != club.pk for member in people):
        raise Refused("unknown-member", _("There is no such player."), status=404)
    if club.seating_requests.filter(_same_players(first, second), kind=kind).exists():
        raise Refused("request-known", _("This request is already on the list."), status=409)
    created = SeatingRequest.objects.create(club=club, kind=kind, first=first, second=second)
    names = [member.name for member in people]
    log_action(club, by, "add seating request", created.get_kind_display(), new=names)
    return created


@transaction.atomic
def drop_seating_request(seating_request: SeatingRequest, *, by: Actor) -> None:
    """Delete a seating request."""
    club, kind = seating_request.club, seating_request.get_kind_display()
    people = (seating_request.first, seating_request.second)
    names = [member.name for member in people if member is not None]
    log_action(club, by, "drop seating request", kind, old=names)
    seating_request.delete()


def _same_players(first: Member, second: Member | None) -> Q:
    if second is None:
        return Q(first=first, second=None)
    return Q(first=first, second=second) | Q(first=second, second=first)
