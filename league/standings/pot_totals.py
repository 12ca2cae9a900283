"""Totals of pots in words: what a player brings, or owes in all, and the account of a session."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _

from league.members.languages import money
from league.members.models import Club, Member
from league.seasons.models import Season
from league.sessions.models import Session
from league.standings.models import Payment, Pot, cents_of
from league.standings.pot_sheet import Sheets
from league.standings.stake_debts import stake_debts


def brought_text(club_session: Session) -> str:
    """`{% brought club_session as text %}`: what each player brings to a planned or open session;
    empty for any other, and if that is nothing. A stake paid once for its season stands apart."""
    return brought_texts([club_session]).get(club_session.pk, "")


def brought_texts(sessions: Iterable[Session]) -> dict[int, str]:
    """What each player brings to each of these sessions, by key; a stake paid once for its season
    stands with the first of them. At most one query."""
    states = (Session.State.PLANNED, Session.State.OPEN)
    coming = [one for one in sessions if one.state in states and one.club.keeps_pots]
    if not coming:
        return {}
    seasons = {one.season_id for one in coming if one.season_id}
    is_paid = Q(session__in=coming) | Q(season__in=seasons, season__closed_at=None)
    stakes = Pot.objects.filter(is_paid, source__in=(Pot.Source.ENTRY, Pot.Source.ONCE))
    left_out = Payment.objects.filter(
        pot=OuterRef("pk"), kind=Payment.Kind.NOT_IN, withdrawn_at=None
    )
    pots = list(stakes.annotate(is_for_some=Exists(left_out)))
    texts = {}
    for one in coming:
        due = [pot for pot in pots if _is_paid_at(pot, one)]
        texts[one.pk] = _brought(one.club, due)
        pots = [pot for pot in pots if not (pot in due and pot.source == Pot.Source.ONCE)]
    return texts


def _is_paid_at(pot: Pot, club_session: Session) -> bool:
    if pot.counts_from and club_session.held_on < pot.counts_from:
        return False
    return pot.session_id == club_session.pk or (
        pot.season_id is not None and pot.season_id == club_session.season_id
    )


def _brought(club: Club, all_pots: Sequence[Any]) -> str:
    pots = [pot for pot in all_pots if not pot.is_for_some]
    once = sum(cents_of(pot.amount) for pot in pots if pot.source == Pot.Source.ONCE)
    total = sum(cents_of(pot.amount) for pot in pots) - once
    of_season = sum(cents_of(pot.amount) for pot in pots if pot.season_id) - once
    words = {"sum": money(total, club), "season": money(of_season, club)}
    texts = []
    if total and not of_season:
        texts.append(_("Each player brings %(sum)s.") % words)
    elif total and of_season == total:
        texts.append(_("Each player brings %(sum)s for the season.") % words)
    elif total:
        text = _("Each player brings %(sum)s, including %(season)s for the season.")
        texts.append(text % words)
    if once:
        text = _("Each player pays %(sum)s once for the whole season.")
        texts.append(text % {"sum": money(once, club)})
    for pot in all_pots:
        if pot.is_for_some:
            words = {"pot": pot.name, "sum": money(cents_of(pot.amount), club)}
            texts.append(_("Who is in “%(pot)s” brings %(sum)s for it.") % words)
    return " ".join(texts)


def own_total_text(cents: int, club: Club, season: Season | None = None, of_season: int = 0) -> str:
    """What a player owes, or (below zero) gets, in all; empty for nothing. On the page of a session
    also for what: how much of it is for its season."""
    if not cents:
        return ""
    text = _("You owe %(sum)s in all.") if cents > 0 else _("You get %(sum)s in all.")
    if season and of_season == cents > 0:
        text = _("You owe %(sum)s for %(season)s.")
    elif season and 0 < of_season < cents:
        text = _("You owe %(sum)s in all, including %(part)s for %(season)s.")
    words = {"sum": money(abs(cents), club), "part": money(of_season, club)}
    return text % (words | {"season": season.name if season else ""})


def own_stakes_text(cents: int, club: Club) -> str:
    """What a player owes, or (below zero) gets back, in stakes alone; empty for nothing."""
    if not cents:
        return ""
    text = _("You owe %(sum)s in stakes.") if cents > 0 else _("You get %(sum)s of stakes back.")
    return text % {"sum": money(abs(cents), club)}


def debt_note(member: Member) -> str:
    """What a player who is deactivated still owes in stakes, and where; empty for nothing."""
    club = member.club
    debts = stake_debts(club, member).get(member.pk, {}) if club.keeps_pots else {}
    owed = {scope: cents for scope, cents in debts.items() if cents > 0}
    if not owed:
        return ""
    parts = [f"{money(cents, club)} {scope.name}" for scope, cents in owed.items()]
    where = " + ".join(parts) if len(parts) > 1 else next(iter(owed)).name
    words = {"name": member.name, "sum": money(sum(owed.values()), club), "where": where}
    return _("%(name)s still owes %(sum)s (%(where)s).") % words


def account_labels() -> list[str]:
    """What comes into a box and goes out of it, in the order of `season_account.SIGNS`."""
    came_in = [_("Stakes taken"), _("From the club"), _("Prizes given back")]
    return [*came_in, _("Stakes given back"), _("Prizes paid out"), _("To the club")]


def night_account(found: Sheets, for_season: int) -> list[tuple[str, int]]:
    """What came into the box of all these pots and what went out of it, below zero; `for_season`
    are the stakes of the season taken with them."""
    sheets = found.sheets
    sums = (
        sum(sheet.fees_in for sheet in sheets),
        sum(sheet.club_sum for sheet in sheets),
        sum(sheet.given_back for sheet in sheets),
        -sum(sheet.paid_back for sheet in sheets),
        -sum(sheet.prizes_out for sheet in sheets),
        -sum(sheet.booked for sheet in sheets),
    )
    taken, *more = zip(account_labels(), sums, strict=True)
    besides = [(_("Stakes taken for the season"), for_season), *more[:2]]
    return [taken, *(line for line in besides if line[1]), *more[2:]]
