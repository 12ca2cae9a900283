"""Publishing and unpublishing a draft; the first dealers and code cards of its tables."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, log_action
from league.members.models import Club, Member
from league.pairing.seating.dealers import draw_dealer
from league.seating import queries
from league.seating.actions.draft import free_people, lock_draft, refuse_playing, refuse_tournament
from league.seating.draft_queries import missing_in_words
from league.seating.models import Round, Seat, Table, TableCard, new_card_code
from league.seating.queries import draft_of, has_begun, live_tables
from league.sessions.actions import bump, clear_old_clock, lock, open_session
from league.sessions.models import Session
from scoring import ruleset


def draw_first_dealer(
    table: Table, *, seed: int, by_lot: bool = False
) -> tuple[int, dict[str, Any]]:
    """Draw the first dealer by the table's ruleset; return their seat and a record of the draw.

    With the custom "random" the first seat deals: the plan has put the player with the fewest
    deals there, with ties broken at random. `by_lot` draws even so.
    """
    rules = ruleset(table.ruleset.body)
    custom = str(rules.options["first_dealer"])
    if custom == "random" and not by_lot:
        return 0, {"custom": "turn"}
    draw = draw_dealer(custom, table.players, deck=rules.deck, seed=seed)
    return draw.dealer, {
        "custom": custom,
        "seed": seed,
        "cards": [list(card) for card in draw.cards],
    }


@transaction.atomic
def redraw_dealer(table: Table, *, by: Actor, seed: int) -> Table:
    """Draw the first dealer again, from another seed, while no hand is entered."""
    fresh = _lock_unbegun(table)
    return _save_dealer(fresh, *draw_first_dealer(fresh, seed=seed, by_lot=True), by=by)


@transaction.atomic
def set_dealer(table: Table, position: int, *, by: Actor) -> Table:
    """Save who deals first when the table drew with its own cards."""
    fresh = _lock_unbegun(table)
    if not 0 <= position < fresh.players:
        raise Refused("no-such-seat", _("There is no such seat at this table."))
    return _save_dealer(fresh, position, {"custom": "by_hand"}, by=by)


def _lock_unbegun(table: Table) -> Table:
    lock(table.session)
    fresh = Table.objects.select_related("session__club", "ruleset").get(pk=table.pk)
    if has_begun(fresh):
        raise Refused(
            "hands-entered", _("A hand has been entered already at this table."), status=409
        )
    return fresh


def _save_dealer(fresh: Table, position: int, draw: dict[str, Any], *, by: Actor) -> Table:
    fresh.first_dealer, fresh.dealer_draw = position, draw
    fresh.save(update_fields=["first_dealer", "dealer_draw"])
    queries.games.deal_first(fresh, position)
    log_first_dealer(fresh, by=by)
    bump(fresh.session)
    return fresh


def log_first_dealer(table: Table, *, by: Actor) -> None:
    """Log who deals first at a table."""
    log_action(
        table.session.club,
        by,
        "first dealer",
        table.name_in_log,
        session=table.session,
        new=table.first_dealer,
    )


@transaction.atomic
def publish(
    draft: Round,
    *,
    by: Actor,
    at: datetime,
    version: int | None = None,
    of_tournament: bool = False,
    deals_by_lot: bool = False,
    title: str = "",
) -> Round:
    """Publish a draft: its tables become live, and the tables that it releases end. A planned
    session is open from then on, so that its phones may enter hands.

    If two organisers publish at once, one succeeds and the other is refused (`already-published`).
    With `version`, a draft that has changed since is refused (`draft-changed`), so that nobody
    publishes a draft they have not seen. A draft is also refused if one of its players has left or
    has another seat. Only the tournament itself publishes its draws (`of_tournament`).
    `deals_by_lot` is for drafts whose first seat is not the planner's choice of first dealer. The
    activity log calls the round by its `title`, else by its number.
    """
    fresh = lock_draft(draft)
    if fresh.session.state == Session.State.PLANNED:
        fresh.session = open_session(fresh.session, by=by, at=at)
    if not of_tournament:
        refuse_tournament([fresh])
    if version is not None and version != fresh.version:
        raise Refused(
            "draft-changed", _("The draft has changed since you looked at it."), status=409
        )
    _refuse_missing_players(fresh)
    released_tables = list(live_tables(fresh.session).filter(pk__in=fresh.releases.all()))
    refuse_playing(released_tables)
    _end_tables(released_tables)
    none_plays_on = not fresh.session.tables.filter(is_live=True).exists()
    clear_old_clock(fresh.session, by=by, at=at, all_moved=bool(released_tables) and none_plays_on)
    _start_tables(fresh, deals_by_lot)
    fresh.state, fresh.published_at = Round.State.PUBLISHED, at
    fresh.save(update_fields=["state", "published_at"])
    subject = title or fresh.number
    log_action(fresh.session.club, by, "publish round", subject, session=fresh.session)
    bump(fresh.session)
    return fresh


@transaction.atomic
def take_back(
    published: Round, *, by: Actor, at: datetime, of_tournament: bool = False, title: str = ""
) -> Round:
    """Unpublish a round: return its seating as a new draft, and make the released tables live.

    The published round is kept as withdrawn. Refuses once anything has been entered at one of its
    tables, or if its players have moved on. Only the tournament itself unpublishes its draws
    (`of_tournament`). The activity log calls it by its `title`, else by its number.
    """
    session = lock(published.session)
    withdrawn = Round.objects.get(pk=published.pk)
    if not of_tournament:
        refuse_tournament([withdrawn])
    _refuse_unless_undoable(withdrawn, of_tournament)
    withdrawn.state = Round.State.WITHDRAWN
    withdrawn.save(update_fields=["state"])
    _end_tables(list(withdrawn.tables.all()))
    released_tables = list(withdrawn.releases.all())
    try:
        with transaction.atomic():
            _revive_tables(released_tables)
    except IntegrityError as clash:
        raise _moved_on_refusal() from clash
    draft = _copy_to_draft(withdrawn, session)
    log_action(session.club, by, "take back round", title or withdrawn.number, session=session)
    bump(session)
    return draft


def _refuse_missing_players(draft: Round) -> None:
    free = free_people(draft.session, draft.releases.all())
    seats = Seat.objects.filter(table__round=draft).select_related("member")
    missing = missing_in_words(draft.session, [seat.member for seat in seats], free)
    if missing:
        raise Refused("not-free", f"{missing} {_('Redraw the tables.')}", status=409)
    _set_sitting_out(draft, free)


def _set_sitting_out(draft: Round, free: dict[int, Member]) -> None:
    """Let every free player without a seat in the draft sit out."""
    seated = set(Seat.objects.filter(table__round=draft).values_list("member_id", flat=True))
    draft.sits_out.set([member for member in free.values() if member.pk not in seated])


def _refuse_unless_undoable(old: Round, of_tournament: bool) -> None:
    if old.state != Round.State.PUBLISHED:
        raise Refused("not-published", _("This round is not published."), status=409)
    entered = old.tables.filter(queries.games.entered)
    if of_tournament:
        entered = entered.exclude(queries.games.called_off)
    if entered.exists():
        raise Refused(
            "hands-entered",
            _("A hand has been entered, so this round can't be unpublished."),
            status=409,
        )
    if old.tables.filter(is_live=False).exists():
        raise _moved_on_refusal()


def _moved_on_refusal() -> Refused:
    return Refused(
        "moved-on", _("Players have moved on. This round can't be unpublished."), status=409
    )


def _start_tables(draft: Round, deals_by_lot: bool) -> None:
    tables = list(draft.tables.select_related("ruleset"))
    make_cards(draft.session.club, [table.number for table in tables])
    if not draft.by_tournament:  # a tournament has chosen its rules already
        queries.use_newest_rules(draft.session.club, tables)
    for table in tables:
        draw = draw_first_dealer(table, seed=draft.seed + table.number, by_lot=deals_by_lot)
        table.first_dealer, table.dealer_draw = draw
        table.is_live = True
    Table.objects.bulk_update(tables, ["ruleset", "first_dealer", "dealer_draw", "is_live"])
    Seat.objects.filter(table__round=draft).update(seated=True, locked=False)


def _end_tables(tables: list[Table]) -> None:
    Table.objects.filter(pk__in=[table.pk for table in tables]).update(is_live=False)
    Seat.objects.filter(table__in=tables).update(seated=False)


def _revive_tables(tables: list[Table]) -> None:
    Table.objects.filter(pk__in=[table.pk for table in tables]).update(is_live=True)
    Seat.objects.filter(table__in=tables, until_hand=None).update(seated=True)


def _copy_to_draft(old: Round, session: Session) -> Round:
    current = draft_of(session)
    if current is not None:
        current.delete()
    draft = Round.objects.create(
        session=session,
        number=old.number,
        seed=old.seed,
        version=old.version,
        planner=old.planner,
        by_tournament=old.by_tournament,
    )
    draft.releases.set(old.releases.all())
    for table in old.tables.prefetch_related("seats"):
        copy = Table.objects.create(
            session=session,
            round=draft,
            number=table.number,
            players=table.players,
            ruleset_id=table.ruleset_id,
        )
        Seat.objects.bulk_create(
            Seat(session=session, table=copy, position=seat.position, member_id=seat.member_id)
            for seat in table.seats.all()
            if seat.until_hand is None
        )
    free = free_people(session, draft.releases.all())  # players may have come or left since
    _set_sitting_out(draft, free)
    return draft


MOST_CARDS = 300


def make_cards(club: Club, numbers: Iterable[int]) -> None:
    """Make a card for each of these table numbers that has none."""
    cards = [TableCard(club=club, number=number) for number in numbers]
    TableCard.objects.bulk_create(cards, ignore_conflicts=True)


@transaction.atomic
def make_cards_up_to(club: Club, most: int, *, by: Actor) -> None:
    """Make cards for the tables 1 to `most`, to be printed before the first session."""
    if not 1 <= most <= MOST_CARDS:
        message = _("Choose 1 to %(most)d tables.") % {"most": MOST_CARDS}
        raise Refused("bad-number", message, fields={"tables": [message]})
    make_cards(club, range(1, most + 1))
    log_action(club, by, "make table cards", most)


def replace_card(club: Club, number: int) -> None:
    """Give a table number a new code: the card with the old one expires."""
    TableCard.objects.filter(club=club, number=number).update(code=new_card_code())
