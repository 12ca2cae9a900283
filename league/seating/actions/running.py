"""What happens at running tables: somebody joins, leaves, or takes another's seat."""

from collections.abc import Sequence
from datetime import datetime

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, log_action
from league.members.models import Club, ClubRuleset, Member
from league.seating.actions.draft import refuse_playing, ruleset_for
from league.seating.actions.publish import drawn_for, replace_card
from league.seating.models import Round, Seat, Table
from league.seating.queries import has_begun, live_tables, room, waiting
from league.sessions.actions import bump, leave, lock
from league.sessions.models import Session


@transaction.atomic
def join(table: Table, member: Member, *, by: Actor) -> Seat:
    """Somebody who waits sits down at a short table that has not begun: it grows by a seat."""
    fresh = _live(table)
    if fresh.players >= 4:
        raise Refused("table-full", _("This table is full."), status=409)
    _refuse_begun(fresh)
    _refuse_not_waiting(fresh.session, member)
    seat = Seat.objects.create(
        session=fresh.session, table=fresh, position=fresh.players, member=member, seated=True
    )
    _resize(fresh, fresh.players + 1)
    fresh.round.sits_out.remove(member)
    log_action(
        fresh.session.club, by, "join table", member, session=fresh.session, new=fresh.number
    )
    bump(fresh.session)
    return seat


@transaction.atomic
def depart(club_session: Session, member: Member, *, by: Actor, at: datetime) -> Table | None:
    """Somebody leaves. A table that has not begun closes up, and is given back; at one in play the
    seat waits for a substitute. Who was checked in by mistake and never sat down is taken off the
    list."""
    fresh = lock(club_session)
    attendance = leave(fresh, member, by=by, at=at)
    sat = Seat.objects.filter(session=fresh, member=member)
    if not sat.exclude(table__round__state=Round.State.DRAFT).exists():
        attendance.delete()
    seat = Seat.objects.filter(session=fresh, member=member, seated=True).first()
    if seat is None:
        return None
    table = _live(seat.table)
    if _touched(table):
        return None
    if table.players == 2:
        _end(table)
        return table
    seat.delete()
    for position, other in enumerate(table.seats.filter(until_hand=None).order_by("position")):
        Seat.objects.filter(pk=other.pk).update(position=position)
    _resize(table, table.players - 1)
    return table


@transaction.atomic
def replace_code(table: Table, *, by: Actor) -> Table:
    """Make the table's codes, its permanent card's too, and its phones' cookies void; its page and
    its card show a new code."""
    club_session = lock(table.session)
    table.refresh_from_db(fields=["link_version"])
    table.link_version += 1
    table.save(update_fields=["link_version"])
    log_action(club_session.club, by, "replace table code", table.number, session=club_session)
    replace_card(club_session.club, table.number)
    bump(club_session)
    return table


@transaction.atomic
def substitute(
    table: Table, position: int, member: Member, *, by: Actor, from_hand: int | None = None
) -> Seat:
    """Somebody takes another's seat from a hand on (by default the next one).

    The hands before stay with who played them. Refuses a substitute who is not here or sits at
    a table already, and a hand from before the present person sat down.
    """
    fresh = _live(table)
    seat = fresh.seats.filter(position=position, until_hand=None).select_related("member").first()
    if seat is None:
        raise Refused("no-such-seat", _("There is no such seat at this table."), status=404)
    _refuse_not_waiting(fresh.session, member)
    first = from_hand if from_hand is not None else room.games.next_hand(fresh)
    if first < seat.from_hand:
        message = _("%(name)s joined at hand %(hand)d.") % {
            "name": seat.member.name,
            "hand": seat.from_hand,
        }
        raise Refused("hand-too-early", message, fields={"from_hand": [message]})
    old = seat.member.name
    taken = _take_over(seat, member, first)
    log_action(
        fresh.session.club,
        by,
        "substitute",
        f"table {fresh.number}",
        session=fresh.session,
        old=old,
        new={"name": member.name, "from_hand": first},
    )
    bump(fresh.session)
    return taken


@transaction.atomic
def end_table(table: Table, *, by: Actor) -> Table:
    """Let the people of a table that is done, or never began, wait for their next seats."""
    fresh = _live(table)
    refuse_playing(list(live_tables(fresh.session).filter(pk=fresh.pk)))
    _end(fresh)
    log_action(fresh.session.club, by, "end table", fresh.number, session=fresh.session)
    bump(fresh.session)
    return fresh


@transaction.atomic
def ask_after(table: Table, *, by: Actor, at: datetime) -> Table:
    """Ask a table for the hands it has played: its phone says so until the next is entered."""
    fresh = _live(table)
    fresh.asked_at = at
    fresh.save(update_fields=["asked_at"])
    log_action(fresh.session.club, by, "ask after table", fresh.number, session=fresh.session)
    bump(fresh.session)
    return fresh


@transaction.atomic
def call_organiser(table: Table, *, by: Actor, at: datetime) -> Table:
    """A table asks an organiser to come: the board and the wall show it until one does."""
    fresh = _live(table)
    if fresh.called_at is None:
        fresh.called_at = at
        _save_call(fresh, "call organiser", by=by)
    return fresh


@transaction.atomic
def answer_call(table: Table, *, by: Actor, at: datetime) -> Table:
    """An organiser is on the way: the table's phone and the board say so."""
    fresh = _live(table)
    if fresh.called_at is not None and fresh.coming_at is None:
        fresh.coming_at = at
        _save_call(fresh, "answer call", by=by)
    return fresh


@transaction.atomic
def settle_call(table: Table, *, by: Actor) -> Table:
    """An organiser was there, or the table no longer needs one."""
    fresh = _live(table)
    if fresh.called_at is not None:
        fresh.called_at = fresh.coming_at = None
        _save_call(fresh, "settle call", by=by)
    return fresh


def _save_call(fresh: Table, action: str, *, by: Actor) -> None:
    fresh.save(update_fields=["called_at", "coming_at"])
    log_action(fresh.session.club, by, action, fresh.number, session=fresh.session)
    bump(fresh.session)


def _live(table: Table) -> Table:
    lock(table.session)
    fresh = Table.objects.select_related("session__club", "round").get(pk=table.pk)
    if not fresh.is_live:
        raise Refused("table-ended", _("This table has ended."), status=409)
    return fresh


def _touched(table: Table) -> bool:
    """Whether the table keeps its size: a hand was ever written here, be it undone, or a
    tournament has drawn it, whose seats wait for a substitute."""
    if table.round.by_tournament or has_begun(table):
        return True
    return room.games.ever_written(table)


def _refuse_begun(table: Table) -> None:
    if _touched(table):
        raise Refused(
            "hands-entered",
            _("Table %(number)d is playing already.") % {"number": table.number},
            status=409,
        )


def _refuse_not_waiting(club_session: Session, member: Member) -> None:
    if not waiting(club_session).filter(pk=member.pk).exists():
        raise Refused(
            "not-waiting",
            _("%(name)s is not checked in, sits out, or has a seat.") % {"name": member.name},
            status=409,
        )


def _resize(table: Table, players: int) -> None:
    """Another number of players: another ruleset, and a new draw for the deal."""
    table.players = players
    _play_by(table, ruleset_for(table.session.club, players, table.session))


def _play_by(table: Table, ruleset: ClubRuleset) -> None:
    """Other rules at a table that has not begun, and a new draw for the deal.

    A game opened by a phone before anything was entered is for the old number; it is opened
    again at the first hand.
    """
    room.games.forget_unbegun(table)
    table.ruleset = ruleset
    table.first_dealer, table.dealer_draw = drawn_for(
        table, seed=table.round.seed + table.number + 100 * table.players
    )
    table.save(update_fields=["players", "ruleset", "first_dealer", "dealer_draw"])


@transaction.atomic
def set_table_rules(table: Table, ruleset: ClubRuleset, *, by: Actor) -> None:
    """Play one table by other house rules of its size; refused once a hand is entered."""
    fresh = _live(table)
    if (ruleset.club_id, ruleset.players) != (fresh.session.club_id, fresh.players):
        raise Refused("other-rules", _("These rules are for another table size."), status=409)
    if ruleset.pk == fresh.ruleset_id:
        return
    _refuse_begun(fresh)
    old = fresh.ruleset.name
    _play_by(fresh, ruleset)
    log_action(
        fresh.session.club,
        by,
        "set table rules",
        fresh.number,
        session=fresh.session,
        old=old,
        new=ruleset.name,
    )
    bump(fresh.session)


@transaction.atomic
def set_session_rules(club_session: Session, chosen: Sequence[ClubRuleset], *, by: Actor) -> None:
    """Play this session by these house rules, at most one a table size; other sizes play as the
    club does. Tables of the draft follow at once, tables already published keep theirs."""
    fresh = lock(club_session)
    if any(one.club_id != fresh.club_id for one in chosen):
        raise Refused("other-rules", _("These rules are another club's."), status=409)
    fresh.rulesets.set(chosen)
    drafted = Table.objects.filter(session=fresh, round__state=Round.State.DRAFT)
    for table in drafted.filter(round__by_tournament=False):  # which takes them at publishing
        table.ruleset = ruleset_for(fresh.club, table.players, fresh)
        table.save(update_fields=["ruleset"])
    names = ", ".join(str(one.name) for one in chosen)
    log_action(fresh.club, by, "set session rules", fresh, session=fresh, new=names)
    bump(fresh)


@transaction.atomic
def set_session_policy(club_session: Session, policy: str, *, by: Actor) -> None:
    """Choose the table sizes of this session by another policy; "" for the club's own."""
    fresh = lock(club_session)
    if policy and policy not in Club.SeatingPolicy.values:
        raise Refused("unknown-policy", _("Choose one of the table sizes."))
    fresh.seating_policy = policy
    fresh.save(update_fields=["seating_policy"])
    log_action(fresh.club, by, "set session table sizes", fresh, session=fresh, new=policy)
    bump(fresh)
    club_session.seating_policy = policy


def _end(table: Table) -> None:
    table.is_live = False
    table.save(update_fields=["is_live"])
    Seat.objects.filter(table=table).update(seated=False)


def _take_over(seat: Seat, member: Member, first: int) -> Seat:
    try:
        with transaction.atomic():
            if first == seat.from_hand:  # nobody has played a hand on this seat yet
                seat.member = member
                seat.save(update_fields=["member"])
                return seat
            seat.until_hand, seat.seated = first - 1, False
            seat.save(update_fields=["until_hand", "seated"])
            return Seat.objects.create(
                session_id=seat.session_id,
                table_id=seat.table_id,
                position=seat.position,
                member=member,
                from_hand=first,
                seated=True,
            )
    except IntegrityError as clash:
        raise Refused(
            "seated-elsewhere",
            _("%(name)s sits at another table.") % {"name": member.name},
            status=409,
        ) from clash
