"""Actions at live tables: joining, leaving, substitution, calls for an organiser, house rules."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, club_language, log_action
from league.members.models import Club, ClubRuleset, Member
from league.members.presets import name_with_changes
from league.seating import queries
from league.seating.actions.draft import refuse_playing, ruleset_for
from league.seating.actions.publish import draw_first_dealer, log_first_dealer, replace_card
from league.seating.models import Round, Seat, Table
from league.seating.queries import has_begun, live_tables, waiting
from league.sessions.actions import bump, lock
from league.sessions.models import Session
from scoring import Ruleset


@transaction.atomic
def join(table: Table, member: Member, *, by: Actor) -> Seat:
    """Seat a waiting player at a table of fewer than four that has not begun, adding a seat."""
    fresh = lock_live(table)
    if fresh.players >= 4:
        raise Refused("table-full", _("This table is full."), status=409)
    _refuse_if_playing(fresh)
    _refuse_unless_waiting(fresh.session, member)
    seat = Seat.objects.create(
        session=fresh.session, table=fresh, position=fresh.players, member=member, seated=True
    )
    resize(fresh, fresh.players + 1)
    fresh.round.sits_out.remove(member)
    log_action(
        fresh.session.club, by, "join table", member, session=fresh.session, new=fresh.number
    )
    bump(fresh.session)
    return seat


@transaction.atomic
def replace_code(table: Table, *, by: Actor) -> Table:
    """Give the table and its permanent card new codes; old codes and phones' cookies expire."""
    club_session = lock(table.session)
    table.refresh_from_db(fields=["link_version"])
    table.link_version += 1
    table.save(update_fields=["link_version"])
    log_action(club_session.club, by, "replace table code", table.name_in_log, session=club_session)
    replace_card(club_session.club, table.number)
    bump(club_session)
    return table


@transaction.atomic
def substitute(
    table: Table, position: int, member: Member, *, by: Actor, from_hand: int | None = None
) -> Seat:
    """Give a seat to a substitute from one hand on (by default the next one).

    Earlier hands stay with the player who played them. Refuses a substitute who is not waiting,
    a hand from before the current player took the seat, and one later than the next.
    """
    fresh = lock_live(table)
    seat = fresh.seats.filter(position=position, until_hand=None).select_related("member").first()
    if seat is None:
        raise Refused("no-such-seat", _("There is no such seat at this table."), status=404)
    _refuse_unless_waiting(fresh.session, member)
    next_hand = queries.games.next_hand(fresh)
    first_hand = next_hand if from_hand is None else from_hand
    if first_hand < seat.from_hand:
        message = _("%(name)s joined at hand %(hand)d.") % {
            "name": seat.member.name,
            "hand": seat.from_hand,
        }
        raise Refused("hand-too-early", message, fields={"from_hand": [message]})
    if first_hand > max(next_hand, seat.from_hand):  # an undo may leave the seat's first hand later
        message = _("Hand %(hand)d is next. Enter that hand or an earlier one.") % {
            "hand": next_hand
        }
        raise Refused("hand-too-late", message, fields={"from_hand": [message]})
    replaced_name = seat.member.name
    substitute_seat = _replace_player(seat, member, first_hand)
    log_action(
        fresh.session.club,
        by,
        "substitute",
        fresh.name_in_log,
        session=fresh.session,
        old=replaced_name,
        new={"name": member.name, "from_hand": first_hand},
    )
    bump(fresh.session)
    return substitute_seat


@transaction.atomic
def undo_substitute(table: Table, member: Member, *, by: Actor) -> Seat:
    """Give the seat of a substitute back to the player before; all its hands are theirs again."""
    fresh = lock_live(table)
    pairs = fresh.substitutions()
    earlier, seat = next((pair for pair in pairs if pair[1].member == member), (None, None))
    if earlier is None or seat is None:
        message = _("%(name)s is not a substitute at this table.") % {"name": member.name}
        raise Refused("no-substitute", message, status=409)
    with _refusing_second_seat(earlier.member):
        seat.delete()
        earlier.until_hand, earlier.seated = None, True
        earlier.save(update_fields=["until_hand", "seated"])
    log_action(
        fresh.session.club,
        by,
        "undo substitute",
        fresh.name_in_log,
        session=fresh.session,
        old={"name": member.name, "from_hand": seat.from_hand},
        new=earlier.member.name,
    )
    bump(fresh.session)
    return earlier


@transaction.atomic
def end_table(table: Table, *, by: Actor) -> Table:
    """End a table that is done or has not begun; its players wait for their next seats."""
    fresh = lock_live(table)
    refuse_playing(list(live_tables(fresh.session).filter(pk=fresh.pk)))
    close_table(fresh)
    log_action(fresh.session.club, by, "end table", fresh.name_in_log, session=fresh.session)
    bump(fresh.session)
    return fresh


@transaction.atomic
def nudge_table(table: Table, *, by: Actor, at: datetime) -> Table:
    """Nudge a table for its scores: its phone shows the request until the next hand is entered."""
    fresh = lock_live(table)
    fresh.asked_at = at
    fresh.save(update_fields=["asked_at"])
    log_action(fresh.session.club, by, "ask after table", fresh.name_in_log, session=fresh.session)
    bump(fresh.session)
    return fresh


@transaction.atomic
def call_organiser(table: Table, *, by: Actor, at: datetime) -> Table:
    """Call an organiser to a table: the board and the wall show it until the call is settled."""
    fresh = lock_live(table)
    if fresh.called_at is None:
        fresh.called_at = at
        _save_call(fresh, "call organiser", by=by)
    return fresh


@transaction.atomic
def answer_call(table: Table, *, by: Actor, at: datetime) -> Table:
    """Answer a table's call: its phone and the board show that an organiser is on the way."""
    fresh = lock_live(table)
    if fresh.called_at is not None and fresh.coming_at is None:
        fresh.coming_at = at
        _save_call(fresh, "answer call", by=by)
    return fresh


@transaction.atomic
def settle_call(table: Table, *, by: Actor) -> Table:
    """Clear a table's call: an organiser has been there, or is no longer needed."""
    fresh = lock_live(table)
    if fresh.called_at is not None:
        fresh.called_at = fresh.coming_at = None
        _save_call(fresh, "settle call", by=by)
    return fresh


def _save_call(fresh: Table, action: str, *, by: Actor) -> None:
    fresh.save(update_fields=["called_at", "coming_at"])
    log_action(fresh.session.club, by, action, fresh.name_in_log, session=fresh.session)
    bump(fresh.session)


def lock_live(table: Table) -> Table:
    lock(table.session)
    fresh = Table.objects.select_related("session__club", "round").get(pk=table.pk)
    if not fresh.is_live:
        raise Refused("table-ended", _("This table has ended."), status=409)
    return fresh


def has_fixed_size(table: Table) -> bool:
    """Whether the table can no longer grow or shrink.

    That is the case once any hand was entered, even one undone since, and at tables drawn by a
    tournament, where an empty seat waits for a substitute.
    """
    if table.round.by_tournament or has_begun(table):
        return True
    return queries.games.ever_written(table)


def others_without_hands(table: Table) -> list[Table]:
    """The other tables of the session and this size whose rules can still change."""
    same_size = Table.objects.filter(session=table.session_id, is_live=True, players=table.players)
    others = same_size.exclude(pk=table.pk).select_related("session__club", "round")
    return [other for other in others.order_by("number") if not has_fixed_size(other)]


def _refuse_if_playing(table: Table) -> None:
    if has_fixed_size(table):
        raise Refused(
            "hands-entered",
            _("Table %(number)d is playing already.") % {"number": table.number},
            status=409,
        )


def _refuse_unless_waiting(club_session: Session, member: Member) -> None:
    if not waiting(club_session).filter(pk=member.pk).exists():
        raise Refused(
            "not-waiting",
            _("%(name)s is not checked in, sits out, or has a seat.") % {"name": member.name},
            status=409,
        )


def resize(table: Table, players: int) -> None:
    """Change the number of players, and with it the ruleset and the first dealer."""
    table.players = players
    _change_rules(table, ruleset_for(table.session.club, players, table.session))


def _change_rules(table: Table, ruleset: ClubRuleset) -> None:
    """Change the rules of a table that has not begun; draw its first dealer again if need be.

    The dealer stays where the size and the way of drawing do. A game that a phone opened before
    any entry has the old rules: it is deleted, and created again at the first hand.
    """
    queries.games.forget_unbegun(table)
    old, table.ruleset = table.ruleset, ruleset
    if not _draw_alike(old.rules, ruleset.rules):
        table.first_dealer, table.dealer_draw = draw_first_dealer(
            table, seed=table.round.seed + table.number + 100 * table.players
        )
    table.save(update_fields=["players", "ruleset", "first_dealer", "dealer_draw"])


def _draw_alike(rules: Ruleset, others: Ruleset) -> bool:
    """Whether two rulesets draw the first dealer in the same way, from the same cards."""
    first, second = (
        (one.players, one.options["first_dealer"], one.deck) for one in (rules, others)
    )
    return first == second


@transaction.atomic
def set_table_rules(table: Table, ruleset: ClubRuleset, *, by: Actor) -> Table:
    """Change the house rules of a table to others for its size, before any hand is entered.

    The first dealer is drawn again only where the rules draw otherwise; the log then says so.
    """
    fresh = lock_live(table)
    if (ruleset.club_id, ruleset.players) != (fresh.session.club_id, fresh.players):
        raise Refused("other-rules", _("These rules are for another table size."), status=409)
    if ruleset.pk == fresh.ruleset_id:
        return fresh
    if fresh.round.by_tournament:
        sentence = _("This table plays by its tournament's rules.")
        raise Refused("tournament-rules", sentence, status=409)
    _refuse_if_playing(fresh)
    old, old_dealer = fresh.ruleset, fresh.first_dealer
    _change_rules(fresh, ruleset)
    log_action(
        fresh.session.club,
        by,
        "set table rules",
        fresh.number,
        session=fresh.session,
        old=_name_in_log(old),
        new=_name_in_log(ruleset),
    )
    if fresh.first_dealer != old_dealer:
        log_first_dealer(fresh, by=by)
    bump(fresh.session)
    return fresh


def _name_in_log(ruleset: ClubRuleset) -> str:
    """The name of rules as on the pages of tables, in the club's language."""
    with club_language(ruleset.club):
        return name_with_changes(ruleset, "version")


@transaction.atomic
def set_session_rules(club_session: Session, rulesets: Sequence[ClubRuleset], *, by: Actor) -> None:
    """Set the session's house rules, at most one ruleset per table size.

    Other sizes play by the club's rules. Tables of the draft change at once; published tables
    keep their rules.
    """
    fresh = lock(club_session)
    if any(ruleset.club_id != fresh.club_id for ruleset in rulesets):
        raise Refused("other-rules", _("These rules are another club's."), status=409)
    fresh.rulesets.set(rulesets)
    draft_tables = Table.objects.filter(session=fresh, round__state=Round.State.DRAFT)
    # Tables of a tournament get their rules at publishing.
    for table in draft_tables.filter(round__by_tournament=False):
        table.ruleset = ruleset_for(fresh.club, table.players, fresh)
        table.save(update_fields=["ruleset"])
    names = ", ".join(_name_in_log(ruleset) for ruleset in rulesets)
    log_action(fresh.club, by, "set session rules", fresh, session=fresh, new=names)
    bump(fresh)


@transaction.atomic
def set_session_policy(club_session: Session, policy: str, *, by: Actor) -> None:
    """Set the session's policy for table sizes; "" for the club's own."""
    fresh = lock(club_session)
    if policy and policy not in Club.SeatingPolicy.values:
        raise Refused("unknown-policy", _("Choose one of the table sizes."))
    fresh.seating_policy = policy
    fresh.save(update_fields=["seating_policy"])
    log_action(fresh.club, by, "set session table sizes", fresh, session=fresh, new=policy)
    bump(fresh)
    club_session.seating_policy = policy


def close_table(table: Table) -> None:
    table.is_live = False
    table.save(update_fields=["is_live"])
    Seat.objects.filter(table=table).update(seated=False)


def _replace_player(seat: Seat, member: Member, first_hand: int) -> Seat:
    with _refusing_second_seat(member):
        if first_hand == seat.from_hand:  # no hand has been played from this seat yet
            seat.member = member
            seat.save(update_fields=["member"])
            return seat
        seat.until_hand, seat.seated = first_hand - 1, False
        seat.save(update_fields=["until_hand", "seated"])
        return Seat.objects.create(
            session_id=seat.session_id,
            table_id=seat.table_id,
            position=seat.position,
            member=member,
            from_hand=first_hand,
            seated=True,
        )


@contextmanager
def _refusing_second_seat(member: Member) -> Iterator[None]:
    try:
        with transaction.atomic():
            yield
    except IntegrityError as clash:
        raise Refused(
            "seated-elsewhere",
            _("%(name)s sits at another table.") % {"name": member.name},
            status=409,
        ) from clash
