"""Publishing a draft, exactly once, taking it back; its tables' first dealers and code cards."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, log_action
from league.members.models import Club, Member
from league.pairing.seating.dealers import draw_dealer
from league.seating.actions.draft import free_people, lock_draft, refuse_playing, refuse_tournament
from league.seating.models import Round, Seat, Table, TableCard, new_card_code
from league.seating.queries import draft_of, has_begun, live_tables, room
from league.sessions.actions import bump, lock
from league.sessions.models import Session
from scoring import ruleset


def drawn_for(table: Table, *, seed: int, by_lot: bool = False) -> tuple[int, dict[str, Any]]:
    """The first dealer by the table's ruleset, and what to keep of the draw.

    Where the club leaves it to chance, the plan has put the player who has dealt least on the first
    seat, by lot among equals.
    """
    rules = ruleset(table.ruleset.body)
    custom = str(rules.options["first_dealer"])
    if custom == "random" and not by_lot:
        return 0, {"custom": "turn"}
    drawn = draw_dealer(custom, table.players, deck=rules.deck, seed=seed)
    return drawn.dealer, {
        "custom": custom,
        "seed": seed,
        "cards": [list(card) for card in drawn.cards],
    }


@transaction.atomic
def redraw_dealer(table: Table, *, by: Actor, seed: int) -> Table:
    """Draw the first dealer again, from another seed, while no hand is entered."""
    fresh = _not_begun(table)
    return _set(fresh, *drawn_for(fresh, seed=seed, by_lot=True), by=by)


@transaction.atomic
def set_dealer(table: Table, position: int, *, by: Actor) -> Table:
    """Write down who won the deal when the table drew with its own cards."""
    fresh = _not_begun(table)
    if not 0 <= position < fresh.players:
        raise Refused("no-such-seat", _("There is no such seat at this table."))
    return _set(fresh, position, {"custom": "by_hand"}, by=by)


def _not_begun(table: Table) -> Table:
    lock(table.session)
    fresh = Table.objects.select_related("session__club", "ruleset").get(pk=table.pk)
    if has_begun(fresh):
        raise Refused(
            "hands-entered", _("A hand has been entered already at this table."), status=409
        )
    return fresh


def _set(fresh: Table, position: int, draw: dict[str, Any], *, by: Actor) -> Table:
    fresh.first_dealer, fresh.dealer_draw = position, draw
    fresh.save(update_fields=["first_dealer", "dealer_draw"])
    room.games.deal_first(fresh, position)
    log_action(
        fresh.session.club, by, "first dealer", fresh.number, session=fresh.session, new=position
    )
    bump(fresh.session)
    return fresh


@transaction.atomic
def publish(
    draft: Round,
    *,
    by: Actor,
    at: datetime,
    version: int | None = None,
    of_tournament: bool = False,
    deals_by_lot: bool = False,
) -> Round:
    """Make a draft the room: its tables are live, the tables it releases end.

    Of two organisers publishing at once one succeeds; the other is refused `already-published`.
    With `version` a draft that has changed since is refused (`draft-changed`): nobody publishes
    what they have not seen. Refused too when somebody in it has left or sits elsewhere by now.
    A tournament publishes its own draws (`of_tournament`); nobody else does. `deals_by_lot` where
    no plan has put the player who deals first on the first seat.
    """
    fresh = lock_draft(draft)
    if not of_tournament:
        refuse_tournament([fresh])
    if version is not None and version != fresh.version:
        raise Refused(
            "draft-changed", _("The draft has changed since you looked at it."), status=409
        )
    _refuse_absent(fresh)
    released = list(live_tables(fresh.session).filter(pk__in=fresh.releases.all()))
    refuse_playing(released)
    _end(released)
    _start(fresh, deals_by_lot)
    fresh.state, fresh.published_at = Round.State.PUBLISHED, at
    fresh.save(update_fields=["state", "published_at"])
    log_action(fresh.session.club, by, "publish round", fresh.number, session=fresh.session)
    bump(fresh.session)
    return fresh


@transaction.atomic
def take_back(published: Round, *, by: Actor, at: datetime, of_tournament: bool = False) -> Round:
    """Undo a publishing: the same seating is a draft again, the released tables are as before.

    The published round is kept, withdrawn. Refuses once anything was entered at one of its
    tables, or when its people have moved on since. A tournament takes its own draws back
    (`of_tournament`); nobody else does.
    """
    session = lock(published.session)
    old = Round.objects.get(pk=published.pk)
    if not of_tournament:
        refuse_tournament([old])
    _refuse_gone_on(old)
    old.state = Round.State.WITHDRAWN
    old.save(update_fields=["state"])
    _end(list(old.tables.all()))
    released = list(old.releases.all())
    try:
        with transaction.atomic():
            _live(released)
    except IntegrityError as clash:
        raise _moved_on() from clash
    draft = _copy(old, session)
    log_action(session.club, by, "take back round", old.number, session=session)
    bump(session)
    return draft


def _refuse_absent(draft: Round) -> None:
    free = free_people(draft.session, draft.releases.all())
    seats = Seat.objects.filter(table__round=draft).select_related("member")
    missing = [seat.member.name for seat in seats if seat.member_id not in free]
    if missing:
        raise Refused(
            "not-free",
            _("%(name)s has left or has another seat. Redraw the tables.") % {"name": missing[0]},
            status=409,
            details={"names": missing},
        )
    _bench_the_rest(draft, free)


def _bench_the_rest(draft: Round, free: dict[int, Member]) -> None:
    """Who is free and has no seat of the draft sits it out."""
    seated = set(Seat.objects.filter(table__round=draft).values_list("member_id", flat=True))
    draft.sits_out.set([member for member in free.values() if member.pk not in seated])


def _refuse_gone_on(old: Round) -> None:
    if old.state != Round.State.PUBLISHED:
        raise Refused("not-published", _("This round is not published."), status=409)
    if old.tables.filter(room.games.entered).exists():
        raise Refused(
            "hands-entered",
            _("A hand has been entered, so this round can't be unpublished."),
            status=409,
        )
    if old.tables.filter(is_live=False).exists():
        raise _moved_on()


def _moved_on() -> Refused:
    return Refused(
        "moved-on", _("Players have moved on. This round can't be unpublished."), status=409
    )


def _start(draft: Round, deals_by_lot: bool) -> None:
    tables = list(draft.tables.select_related("ruleset"))
    make_cards(draft.session.club, [table.number for table in tables])
    for table in tables:
        drawn = drawn_for(table, seed=draft.seed + table.number, by_lot=deals_by_lot)
        table.first_dealer, table.dealer_draw = drawn
        table.is_live = True
    Table.objects.bulk_update(tables, ["first_dealer", "dealer_draw", "is_live"])
    Seat.objects.filter(table__round=draft).update(seated=True, locked=False)


def _end(tables: list[Table]) -> None:
    Table.objects.filter(pk__in=[table.pk for table in tables]).update(is_live=False)
    Seat.objects.filter(table__in=tables).update(seated=False)


def _live(tables: list[Table]) -> None:
    Table.objects.filter(pk__in=[table.pk for table in tables]).update(is_live=True)
    Seat.objects.filter(table__in=tables, until_hand=None).update(seated=True)


def _copy(old: Round, session: Session) -> Round:
    other = draft_of(session)
    if other is not None:
        other.delete()
    draft = Round.objects.create(
        session=session,
        number=old.number,
        seed=old.seed,
        planner=old.planner,
        by_tournament=old.by_tournament,
    )
    draft.releases.set(old.releases.all())
    for table in old.tables.prefetch_related("seats"):
        again = Table.objects.create(
            session=session,
            round=draft,
            number=table.number,
            players=table.players,
            ruleset_id=table.ruleset_id,
        )
        Seat.objects.bulk_create(
            Seat(session=session, table=again, position=seat.position, member_id=seat.member_id)
            for seat in table.seats.all()
            if seat.until_hand is None
        )
    free = free_people(session, draft.releases.all())  # since then somebody came in, or left
    _bench_the_rest(draft, free)
    return draft


MOST_CARDS = 300


def make_cards(club: Club, numbers: Iterable[int]) -> None:
    """Give these table numbers a card each, where they have none."""
    cards = [TableCard(club=club, number=number) for number in numbers]
    TableCard.objects.bulk_create(cards, ignore_conflicts=True)


@transaction.atomic
def make_cards_up_to(club: Club, most: int, *, by: Actor) -> None:
    """Give the tables from 1 to `most` a card each, to be printed before the first evening."""
    if not 1 <= most <= MOST_CARDS:
        message = _("Choose 1 to %(most)d tables.") % {"most": MOST_CARDS}
        raise Refused("bad-number", message, fields={"tables": [message]})
    make_cards(club, range(1, most + 1))
    log_action(club, by, "make table cards", most)


def replace_card(club: Club, number: int) -> None:
    """Give a table number another code: the card with the old one has expired."""
    TableCard.objects.filter(club=club, number=number).update(code=new_card_code())
