"""Drafting a round: drawing it, changing it by hand, throwing it away. Nobody else sees it yet."""

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, note
from league.members.models import Member
from league.seating.actions.drawing import fill
from league.seating.models import Round, Seat, Table
from league.seating.queries import draft_of, live_tables
from league.sessions.actions import bump, lock
from league.sessions.models import Session


@transaction.atomic
def draft_round(
    club_session: Session,
    *,
    by: Actor,
    seed: int,
    sizes: Sequence[int] | None = None,
    tables: Sequence[Table] | None = None,
) -> Round:
    """Draw a seating for whoever is free, replacing the draft there was.

    Free are the people who wait and those at `tables` (by default every table that is done).
    `sizes` of the tables are the club's rule unless told. Refuses tables still in play, sizes
    that do not fit, and a room in which nobody is free.
    """
    fresh = lock(club_session)
    released = _released(fresh, tables)
    old = draft_of(fresh)
    refuse_tournament([*(one.round for one in released), *([old] if old else [])])
    if old is not None:
        old.delete()
    draft = Round.objects.create(session=fresh, number=_next_number(fresh), seed=seed)
    draft.releases.set(released)
    fill(draft, sizes=sizes)
    note(fresh.club, by, "draft round", draft.number, session=fresh, new={"seed": seed})
    bump(fresh)
    return draft


def reseat(
    club_session: Session,
    tables: Sequence[Table],
    *,
    by: Actor,
    seed: int,
    sizes: Sequence[int] | None = None,
) -> Round:
    """Draft new seats for the people of these finished tables and whoever waits; no other."""
    return draft_round(club_session, by=by, seed=seed, sizes=sizes, tables=tables)


@transaction.atomic
def redraw(draft: Round, *, by: Actor, seed: int, sizes: Sequence[int] | None = None) -> Round:
    """Draw the draft anew from another seed. Locked chairs keep their people."""
    fresh = lock_draft(draft)
    refuse_tournament([fresh])
    kept = {seat.member_id: (seat.table.number, seat.position) for seat in _locked(fresh)}
    sizes = sizes or [table.players for table in fresh.tables.order_by("number")]
    fresh.tables.all().delete()
    fresh.seed = seed
    fill(fresh, sizes=sizes, locked=kept)
    _changed(fresh, by, "redraw round", {"seed": seed})
    return fresh


@transaction.atomic
def swap(draft: Round, one: Member, other: Member, *, by: Actor) -> Round:
    """Let two people change places: two chairs, or a chair and the waiting bench."""
    fresh = lock_draft(draft)
    refuse_tournament([fresh])
    chairs = {
        seat.member_id: seat
        for seat in Seat.objects.filter(table__round=fresh, member__in=(one, other))
    }
    bench = set(fresh.sits_out.filter(pk__in=(one.pk, other.pk)).values_list("pk", flat=True))
    if one == other or not chairs or {one.pk, other.pk} - bench - set(chairs):
        raise Refused("cannot-swap", _("These two cannot change places."), status=409)
    for leaves, comes in ((one, other), (other, one)):
        if leaves.pk in chairs:
            Seat.objects.filter(pk=chairs[leaves.pk].pk).update(member=comes)
        else:
            fresh.sits_out.remove(leaves)
            fresh.sits_out.add(comes)
    _changed(fresh, by, "swap", [one.name, other.name])
    return fresh


@transaction.atomic
def lock_seat(seat: Seat, *, by: Actor, locked: bool) -> Seat:
    """Keep the person on this chair of a draft when it is drawn anew, or let them go."""
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
    note(fresh.session.club, by, "discard draft", fresh.number, session=fresh.session)
    fresh.delete()
    bump(fresh.session)


def lock_draft(draft: Round) -> Round:
    """The draft as it is now, under its session's lock; refuses one published or gone."""
    session = lock(draft.session)
    fresh = Round.objects.filter(pk=draft.pk).first()
    if fresh is None:
        raise Refused("draft-gone", _("Somebody has discarded this draft."), status=409)
    if fresh.state != Round.State.DRAFT:
        raise Refused("already-published", _("This round is published already."), status=409)
    fresh.session = session
    return fresh


def _released(fresh: Session, tables: Sequence[Table] | None) -> list[Table]:
    live = list(live_tables(fresh))
    if tables is None:
        return [table for table in live if table.done]  # type: ignore[attr-defined]
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
    note(draft.session.club, by, action, draft.number, session=draft.session, new=what)
    bump(draft.session)
