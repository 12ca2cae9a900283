"""What standings rank by, places of tournaments, a season closed with its champions, and pots."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.actions.people import field_refusal, lock_club, touch_sessions
from league.members.audit import Actor, log_action
from league.members.models import Club, Member
from league.ranking.measures import MEASURES
from league.ranking.season import DivisionPlace, division_moves
from league.seasons.actions import close_season, lock_season, refuse_closed
from league.seasons.models import Division, Season
from league.sessions.actions import bump, lock
from league.sessions.models import Session
from league.standings.models import GivenPlace, Payment, Pot, SessionPlace
from league.standings.pot_queries import accounts_of, money_of, pot_sheets
from league.standings.queries import Standings, sessions_with_open_games
from league.standings.season_queries import season_results, season_standings

MOST = 20
"""Pots of one session or season."""


@transaction.atomic
def add_pot(
    scope: Session | Season,
    *,
    name: str,
    source: str,
    amount: Decimal,
    payout: str,
    shares: Sequence[str] = (),
    by: Actor,
    at: datetime,
) -> Pot:
    """Give a session or a season a pot with its rule. Refuses more than `MOST` (`many-pots`)."""
    lock_club(scope.club)
    if scope.pots.count() >= MOST:
        raise Refused(
            "many-pots", _("There are too many pots already. Delete one first."), status=409
        )
    of = {"season": scope} if isinstance(scope, Season) else {"session": scope}
    data = {"name": name, "source": source, "payout": payout, "shares": list(shares)}
    pot = Pot.objects.create(club=scope.club, amount=amount, made_at=at, **data, **of)
    data |= {"amount": str(amount), "of": str(scope)}
    log_action(scope.club, by, "add pot", pot, session=pot.session, new=data)
    return pot


@transaction.atomic
def drop_pot(pot: Pot, *, by: Actor) -> None:
    """Take a pot away. Refuses (`pot-paid`) one into or out of which something was paid."""
    lock_club(pot.club)
    if pot.payments.exists():
        message = _("This pot has payments, so it can't be deleted.")
        raise Refused("pot-paid", message, status=409)
    log_action(pot.club, by, "drop pot", pot, session=pot.session, old={"name": pot.name})
    pot.delete()


@transaction.atomic
def record_payment(
    pot: Pot,
    member: Member,
    *,
    out: bool,
    amount: Decimal,
    by: Actor,
    at: datetime,
    seen: int | None = None,
) -> Payment:
    """Write down that somebody paid into the pot, or (`out`) was paid from it.

    `seen` is how many payments, withdrawn ones too, the one who writes has seen: with another
    number now it is refused (`pot-changed`), so that a second tap writes nothing twice. Refuses
    another club's person (`unknown-member`) and what is no sum (`bad-amount`).
    """
    lock_club(pot.club)
    if seen is not None and pot.payments.count() != seen:
        message = _("Someone else just changed this pot. Check it again.")
        raise Refused("pot-changed", message, status=409)
    if member.club_id != pot.club_id:
        raise Refused("unknown-member", _("There is no such player."), status=404)
    if not 0 < amount < 1_000_000:
        raise field_refusal("amount", "bad-amount", _("Enter an amount above zero."))
    payment = Payment.objects.create(
        pot=pot, member=member, out=out, amount=amount, entered_at=at, entered_as=by.label[:80]
    )
    action = "pay out" if out else "pay in"
    log_action(pot.club, by, action, member, session=pot.session, new=_audit_data(payment))
    return payment


@transaction.atomic
def settle(
    scope: Session | Season, member: Member, *, out: bool, amount: Decimal, by: Actor, at: datetime
) -> list[Payment]:
    """Write down that somebody paid all they owe to the pots of a session or a season, or (`out`)
    got all they have won: one payment for each pot.

    `amount` is what the one who writes was shown. Refuses (`pot-changed`) where it is another sum
    by now, so that a second tap writes nothing.
    """
    lock_club(scope.club)
    accounts = accounts_of(pot_sheets(scope, at=at).sheets)
    mine = next((account for account in accounts if account.member.pk == member.pk), None)
    parts = (mine.gets if out else mine.pays) if mine else []
    if not parts or money_of(sum(cents for _pot, cents in parts)) != amount:
        message = _("Something has changed. Check it again.")
        raise Refused("pot-changed", message, status=409)
    return [
        record_payment(pot, member, out=out, amount=money_of(cents), by=by, at=at)
        for pot, cents in parts
    ]


@transaction.atomic
def withdraw_payment(payment: Payment, *, by: Actor, at: datetime) -> Payment:
    """Take back what was written down of a payment; the entry stays, marked."""
    lock_club(payment.pot.club)
    payment.refresh_from_db()
    if payment.withdrawn_at is None:
        payment.withdrawn_at, payment.withdrawn_as = at, by.label[:80]
        payment.save(update_fields=["withdrawn_at", "withdrawn_as"])
        pot = payment.pot
        old = _audit_data(payment)
        log_action(pot.club, by, "withdraw payment", payment.member, session=pot.session, old=old)
    return payment


def _audit_data(payment: Payment) -> dict[str, str | bool]:
    return {"pot": payment.pot.name, "amount": str(payment.amount), "out": payment.out}


@transaction.atomic
def choose_measures(club: Club, codes: Sequence[str], *, by: Actor) -> Club:
    """Rank the club's sessions and seasons by `codes`, in order. Sessions with a list of their
    own keep it. Refuses (`unknown-measure`) a code that is none."""
    _known(codes)
    fresh = Club.objects.select_for_update().get(pk=club.pk)
    old, fresh.measures = fresh.measures, list(codes)
    fresh.save(update_fields=["measures"])
    touch_sessions(fresh)
    log_action(fresh, by, "choose measures", fresh, old=old, new=fresh.measures)
    return fresh


@transaction.atomic
def choose_session_measures(club_session: Session, codes: Sequence[str], *, by: Actor) -> Session:
    """Rank this session by `codes`; an empty list gives it back to the club's rule."""
    _known(codes)
    fresh = lock(club_session)
    old, fresh.measures = fresh.measures, list(codes)
    fresh.save(update_fields=["measures"])
    log_action(fresh.club, by, "choose measures", fresh, session=fresh, old=old, new=fresh.measures)
    bump(fresh)
    return fresh


@transaction.atomic
def hold_standings(club_session: Session, *, by: Actor) -> Session:
    """Show the session's standings to organisers only, until they are released."""
    return _set_held(club_session, held=True, action="hold standings", by=by)


@transaction.atomic
def release_standings(club_session: Session, *, by: Actor) -> Session:
    """Show the session's standings to everybody who may see the club's."""
    return _set_held(club_session, held=False, action="release standings", by=by)


def _set_held(club_session: Session, *, held: bool, action: str, by: Actor) -> Session:
    fresh = lock(club_session, to_change=False)  # prizes are often given once all is closed
    if fresh.standings_held != held:
        fresh.standings_held = held
        fresh.save(update_fields=["standings_held"])
        log_action(fresh.club, by, action, fresh, session=fresh)
        bump(fresh)
    return fresh


@transaction.atomic
def choose_season_measures(season: Season, codes: Sequence[str], *, by: Actor) -> Season:
    """Rank this season by `codes`; an empty list gives it back to the club's rule. Refuses
    (`season-closed`) a season that is closed."""
    _known(codes)
    fresh = lock_season(season)
    refuse_closed(fresh)
    old, fresh.measures = fresh.measures, list(codes)
    fresh.save(update_fields=["measures"])
    log_action(fresh.club, by, "choose measures", fresh, old=old, new=fresh.measures)
    return fresh


@transaction.atomic
def save_places(club_session: Session, places: Mapping[int, GivenPlace]) -> None:
    """Store the places of a session's players, by member id, as its tournament ranks them.

    They replace those stored before; an empty mapping ranks the session by its games again. Part
    of an action on the tournament, under the session's lock: it raises no revision of its own.
    """
    SessionPlace.objects.filter(session=club_session).exclude(member__in=places).delete()
    SessionPlace.objects.bulk_create(
        [
            SessionPlace(
                session=club_session, member_id=member, place=one.place, figures=one.stored
            )
            for member, one in places.items()
        ],
        update_conflicts=True,
        unique_fields=["session", "member"],
        update_fields=["place", "figures"],
    )


@transaction.atomic
def end_season(season: Season, *, by: Actor, at: datetime) -> Season:
    """Close the season; the player who stands first in its table is its champion, two who share it
    both.

    With divisions each has its champions, and who goes up and down is proposed. Refuses
    (`season-held`) while the standings of a session are held back, (`season-provisional`) while a
    game of it is open, and (`season-empty`) one in which nobody has a place.
    """
    fresh = lock_season(season)
    if fresh.sessions.filter(standings_held=True).exists():
        message = _("The standings of a session are still held back. Release them first.")
        raise Refused("season-held", message, status=409)
    whole, divisions = season_standings(fresh, at=at), list(fresh.divisions.all())
    tables = [season_standings(fresh, at=at, division=division) for division in divisions]
    if whole.provisional:
        names = sessions_with_open_games(season_results(fresh), at)
        message = _("Some games are still open: %(sessions)s. Finish or call them off first.")
        message %= {"sessions": ", ".join(names)}
        raise Refused("season-provisional", message, status=409)
    champions: list[tuple[Member, Division | None]] = [
        (who, one) for one, table in zip(divisions, tables, strict=True) for who in _first(table)
    ]
    if not divisions:
        champions = [(who, None) for who in _first(whole)]
    if not champions:
        raise Refused("season-empty", _("Nobody has a place in this season yet."), status=409)
    outcomes = _proposed(fresh, tables)
    return close_season(fresh, champions=champions, outcomes=outcomes, by=by, at=at)


def _first(table: Standings) -> list[Member]:
    """Who has the first place of a table."""
    placed = [line for line in table.lines if not table.season[line.who].missing]
    return [table.people[line.who] for line in placed if line.rank == 1]


def _proposed(season: Season, tables: Sequence[Standings]) -> dict[int, tuple[str, bool]]:
    """Who goes up and down by the final tables of the divisions, by member."""
    placed = list(season.placements.select_related("division", "member"))
    by_number: list[list[DivisionPlace]] = [[] for _table in tables]
    for one in placed:
        table = tables[one.division.number - 1]
        by_number[one.division.number - 1].append(_standing(one.member, table))
    moves = division_moves(by_number, season.moving, seed=season.public_id)
    keys = {one.member.public_id: one.member_id for one in placed}
    return {keys[who]: (move.outcome, move.by_lot) for who, move in moves.items()}


def _standing(member: Member, table: Standings) -> DivisionPlace:
    for line in table.lines:
        if line.who == member.pk:
            return DivisionPlace(member.public_id, line.rank, not table.season[line.who].missing)
    return DivisionPlace(member.public_id, len(table.lines) + 1, placed=False)


def _known(codes: Sequence[str]) -> None:
    for code in codes:
        if code not in MEASURES:
            raise Refused("unknown-measure", _("There is no such measure."))
