"""Drafting a round: drawing it, changing it by hand, dropping it; and the club's constraints."""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from league import worker
from league.errors import Refused
from league.members.audit import Actor, log_action
from league.members.models import Club, ClubRuleset, Member
from league.pairing.seating import Constraints, Plan, PlayedRound, plan_round
from league.seating.models import Round, Seat, SeatingRequest, Table
from league.seating.planner_adapter import planner_refusals, rule_for
from league.seating.queries import draft_of, live_tables, ready_tables
from league.seating.queries.drafts import constraints_for, played_before
from league.sessions.actions import bump, lock
from league.sessions.models import Session
from league.sessions.queries import ready

Places = Mapping[int, tuple[int, int]]
"""Member id to (table number, position)."""

ATTEMPTS = 3  # people rarely come and go faster than a plan is made


@dataclass(frozen=True)
class Room:
    """All that a plan depends on, as it was at one moment; equal rooms are planned alike."""

    people: tuple[int, ...]
    sizes: tuple[int, ...]
    numbers: tuple[int, ...]
    history: tuple[PlayedRound, ...]
    constraints: Constraints
    session: Session = field(compare=False)
    releases: tuple[Table, ...]


def plan_beside(
    look: Callable[[], Room], *, seed: int, save: Callable[[Room, Plan], Round]
) -> Round:
    """Plan while nothing is locked, so that hands are saved meanwhile; then save the plan.

    `look` locks the session and reads the room: before, and after to see that it is still the one
    that was planned for. Where it is not, the new one is planned for.
    """
    with transaction.atomic():
        room = look()
    for _attempt in range(ATTEMPTS):
        plan = _planned(room, seed)
        with transaction.atomic():
            now = look()
            if now == room:
                draft = save(now, plan)
                worker.saved(len(plan.tables))
                return draft
        room = now
    raise Refused(
        "room-changes",
        _("Players came or left while the tables were being made. Make the tables again."),
        status=409,
    )


def room_of(
    club_session: Session,
    releases: Sequence[Table],
    *,
    sizes: Sequence[int] | None,
    locked: Places | None = None,
) -> Room:
    """Who is free once these tables end, and the tables for them.

    A lock on a seat there is no more is dropped, as is one of somebody who has left.
    """
    people = free_people(club_session, releases)
    chosen = sizes or rule_for(club_session.club, len(people), club_session.seating_policy).sizes
    chosen = sorted(chosen, reverse=True)
    numbers = _numbers(club_session, releases, len(chosen))
    size_at = dict(zip(numbers, chosen, strict=True))
    still_locked: dict[int | str, tuple[int, int]] = {
        member: (number, position)
        for member, (number, position) in (locked or {}).items()
        if member in people and position < size_at.get(number, 0)
    }
    guests = [member.pk for member in people.values() if member.is_guest]
    return Room(
        people=tuple(people),
        sizes=tuple(chosen),
        numbers=tuple(numbers),
        history=tuple(played_before(club_session)),
        constraints=constraints_for(club_session, numbers, guests=guests, locked=still_locked),
        session=club_session,
        releases=tuple(releases),
    )


def _planned(room: Room, seed: int) -> Plan:
    with planner_refusals():
        return plan_round(
            room.people,
            seed=seed,
            history=room.history,
            constraints=room.constraints,
            sizes=room.sizes,
            numbers=room.numbers,
        )


def free_people(club_session: Session, releases: Iterable[Table]) -> dict[int, Member]:
    """Anyone who may be seated once these tables end: ready, and at no table that stays."""
    staying = Seat.objects.filter(session=club_session, seated=True).exclude(table__in=releases)
    free = ready(club_session).exclude(pk__in=staying.values("member"))
    return {member.pk: member for member in free}


def missed_by(draft: Round) -> list[Member]:
    """Who has arrived since this draft was drawn, and has no place in it."""
    seated = Seat.objects.filter(table__round=draft).values_list("member", flat=True)
    placed = {*seated, *draft.sits_out.values_list("pk", flat=True)}
    free = free_people(draft.session, draft.releases.all())
    return [member for key, member in free.items() if key not in placed]


def ruleset_for(club: Club, players: int, club_session: Session | None = None) -> ClubRuleset:
    """The ruleset for a table of this size: the session's own choice, else the club's."""
    ruleset = None
    if club_session is not None:
        chosen = club_session.rulesets.filter(players=players).first()
        newest = club.rulesets.filter(players=players)  # of a name, the newest stands first
        ruleset = newest.filter(name=chosen.name).first() if chosen else None
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
    night = draft.session
    rulesets = {n: ruleset_for(night.club, n, night) for n in set(map(len, plan.tables))}
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
    draft.sits_out.set([int(one) for one in plan.out])
    draft.planner = plan.version
    draft.save(update_fields=["seed", "planner"])


def _numbers(club_session: Session, releases: Sequence[Table], count: int) -> list[int]:
    """The numbers free for so many tables, lowest first."""
    taken = set(
        club_session.tables.filter(is_live=True)
        .exclude(pk__in=[table.pk for table in releases])
        .values_list("number", flat=True)
    )
    free = (number for number in range(1, count + len(taken) + 1) if number not in taken)
    return [number for number, _one in zip(free, range(count), strict=False)]


def draft_round(
    club_session: Session,
    *,
    by: Actor,
    seed: int,
    sizes: Sequence[int] | None = None,
    tables: Sequence[Table] | None = None,
) -> Round:
    """Draw a seating for anyone who is free, replacing the draft there was.

    Free are the people who wait and those at `tables` (by default every table that is done and
    not in dispute).
    `sizes` of the tables are the club's rule unless told. Refuses tables still in play, sizes
    that do not fit, and a room in which nobody is free.
    """

    def look() -> Room:
        fresh = lock(club_session)
        released = _released(fresh, tables)
        old = draft_of(fresh)
        refuse_tournament([*(one.round for one in released), *([old] if old else [])])
        return room_of(fresh, released, sizes=sizes)

    def save(room: Room, plan: Plan) -> Round:
        fresh = room.session
        if (old := draft_of(fresh)) is not None:
            old.delete()
        draft = Round.objects.create(session=fresh, number=_next_number(fresh), seed=seed)
        draft.releases.set(room.releases)
        save_plan(draft, plan)
        log_action(fresh.club, by, "draft round", draft.number, session=fresh, new={"seed": seed})
        bump(fresh)
        return draft

    return plan_beside(look, seed=seed, save=save)


def redraw(draft: Round, *, by: Actor, seed: int, sizes: Sequence[int] | None = None) -> Round:
    """Redraw the draft from another seed. Locked seats keep their people."""

    def look() -> Room:
        fresh = lock_draft(draft)
        refuse_tournament([fresh])
        places = {seat.member_id: (seat.table.number, seat.position) for seat in _locked(fresh)}
        there = [table.players for table in fresh.tables.order_by("number")]
        released = list(fresh.releases.order_by("pk"))
        return room_of(fresh.session, released, sizes=sizes or there, locked=places)

    def save(room: Room, plan: Plan) -> Round:
        fresh = lock_draft(draft)
        fresh.tables.all().delete()
        fresh.seed = seed
        save_plan(fresh, plan, locked=room.constraints.locked)
        _changed(fresh, by, "redraw round", {"seed": seed})
        return fresh

    return plan_beside(look, seed=seed, save=save)


@transaction.atomic
def swap(draft: Round, one: Member, other: Member, *, by: Actor) -> Round:
    """Let two people change places: two seats, or a seat and the waiting bench."""
    fresh = lock_draft(draft)
    refuse_tournament([fresh])
    seats = {
        seat.member_id: seat
        for seat in Seat.objects.filter(table__round=fresh, member__in=(one, other))
    }
    bench = set(fresh.sits_out.filter(pk__in=(one.pk, other.pk)).values_list("pk", flat=True))
    if one == other or not seats or {one.pk, other.pk} - bench - set(seats):
        raise Refused("cannot-swap", _("These two can't swap."), status=409)
    for leaves, comes in ((one, other), (other, one)):
        if leaves.pk in seats:
            Seat.objects.filter(pk=seats[leaves.pk].pk).update(member=comes)
        else:
            fresh.sits_out.remove(leaves)
            fresh.sits_out.add(comes)
    _changed(fresh, by, "swap", [one.name, other.name])
    return fresh


@transaction.atomic
def lock_seat(seat: Seat, *, by: Actor, locked: bool) -> Seat:
    """Keep the person on this seat of a draft when it is redrawn, or let them go."""
    fresh = lock_draft(seat.table.round)
    refuse_tournament([fresh])
    Seat.objects.filter(pk=seat.pk, table__round=fresh).update(locked=locked)
    _changed(fresh, by, "lock seat" if locked else "unlock seat", seat.member.name)
    seat.refresh_from_db()
    return seat


@transaction.atomic
def discard_draft(draft: Round, *, by: Actor) -> None:
    """Throw the draft away; the room stays as it is."""
    fresh = lock_draft(draft)
    refuse_tournament([fresh])
    log_action(fresh.session.club, by, "discard draft", fresh.number, session=fresh.session)
    fresh.delete()
    bump(fresh.session)


def lock_draft(draft: Round) -> Round:
    """The draft as it is now, under its session's lock; refuses one published or gone."""
    session = lock(draft.session)
    fresh = Round.objects.filter(pk=draft.pk).first()
    if fresh is None:
        raise Refused("draft-gone", _("This draft was discarded."), status=409)
    if fresh.state != Round.State.DRAFT:
        raise Refused("already-published", _("This round is published already."), status=409)
    fresh.session = session
    return fresh


def _released(fresh: Session, tables: Sequence[Table] | None) -> list[Table]:
    if tables is None:
        return list(ready_tables(fresh))
    live = list(live_tables(fresh))
    wanted = {table.pk for table in tables}
    released = [table for table in live if table.pk in wanted]
    if len(released) != len(wanted):
        raise Refused("table-ended", _("One of these tables has ended already."), status=409)
    refuse_playing(released)
    return released


def refuse_playing(tables: Sequence[Table]) -> None:
    """Refuse (`table-in-play`) when a game is under way at one of these tables."""
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
    """Refuse (`by-tournament`) to seat anew by the club's rule what a tournament has drawn."""
    if any(one.by_tournament for one in rounds):
        raise Refused(
            "by-tournament",
            _("A tournament has drawn these seats. Its own page draws and changes them."),
            status=409,
        )


def _next_number(fresh: Session) -> int:
    last = fresh.rounds.exclude(state=Round.State.WITHDRAWN).order_by("-number").first()
    return last.number + 1 if last else 1


def _locked(draft: Round) -> list[Seat]:
    return list(
        Seat.objects.filter(table__round=draft, locked=True).select_related("table", "member")
    )


def _changed(draft: Round, by: Actor, action: str, what: object) -> None:
    draft.version += 1
    draft.save(update_fields=["version", "seed", "planner"])
    log_action(draft.session.club, by, action, draft.number, session=draft.session, new=what)
    bump(draft.session)


@transaction.atomic
def add_seating_request(
    club: Club, kind: str, first: Member, second: Member | None = None, *, by: Actor
) -> SeatingRequest:
    """Add a seating request. Every kind but "does not move" is about two people."""
    Club.objects.select_for_update().get(pk=club.pk)
    if kind not in SeatingRequest.Kind.values:
        raise Refused("unknown-request", _("There is no such request."), fields={"kind": []})
    if kind == SeatingRequest.Kind.STAYS:
        second = None
    elif second is None or second == first:
        message = _("Choose two different players.")
        raise Refused("two-people", message, fields={"second": [message]})
    people = [one for one in (first, second) if one is not None]
    if any(person.club_id != club.pk for person in people):
        raise Refused("unknown-member", _("There is no such player."), status=404)
    if _same(club, kind, first, second).exists():
        raise Refused("request-known", _("This request is already on the list."), status=409)
    one = SeatingRequest.objects.create(club=club, kind=kind, first=first, second=second)
    log_action(
        club,
        by,
        "add seating request",
        one.get_kind_display(),
        new=[person.name for person in people],
    )
    return one


@transaction.atomic
def drop_seating_request(one: SeatingRequest, *, by: Actor) -> None:
    """Delete a seating request."""
    people = [one.name for one in (one.first, one.second) if one is not None]
    log_action(one.club, by, "drop seating request", one.get_kind_display(), old=people)
    one.delete()


def _same(club: Club, kind: str, first: Member, second: Member | None) -> QuerySet[SeatingRequest]:
    either = Q(first=first, second=second) | Q(first=second, second=first)
    if second is None:
        either = Q(first=first, second=None)
    return SeatingRequest.objects.filter(either, club=club, kind=kind)
