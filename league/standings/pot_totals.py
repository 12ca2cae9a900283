"""Totals of pots in words: what a player owes in all, and the account of a session."""

from django.utils.translation import gettext as _

from league.members.languages import money
from league.members.models import Club, Member
from league.seasons.models import Season
from league.standings.pot_sheet import Sheets
from league.standings.stake_debts import stake_debts


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
