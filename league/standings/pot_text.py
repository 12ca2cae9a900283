"""Pots in words: the cash in the box as a sum, and why it can't pay out more."""

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.members.languages import money
from league.members.models import Club
from league.sessions.models import Session
from league.standings.pot_queries import PotSheet, Sheets, accounts_of

MOST_NAMED = 3
"""Players who still owe; more are counted."""


def cash_text(sheet: PotSheet, found: Sheets) -> str:
    """`{{ sheet|cash_text:found }}`: "Cash in the box: $20.00 paid in − $15.00 paid out = $5.00.",
    or what the club puts in once the session is open.

    A pot below zero was paid from other money, or where there are several pots, from theirs.
    """
    club = sheet.pot.club
    if not sheet.has_box:
        return _promised_text(sheet)
    is_alone = len(found.sheets) == 1
    other_money, terms = max(0, -sheet.cash) if is_alone else 0, []
    for sign, text, cents in (
        ("+", _("%(sum)s from the club"), sheet.club_sum),
        ("+", _("%(sum)s paid in"), sheet.fees_in),
        ("+", _("%(sum)s given back"), sheet.given_back),
        ("+", _("%(sum)s from other money"), other_money),
        ("−", _("%(sum)s paid out"), sheet.prizes_out),
        ("−", _("%(sum)s paid back"), sheet.paid_back),
    ):
        if cents:
            terms += [sign, text % {"sum": money(cents, club)}]
    cash = money(sheet.cash + other_money, club)
    if sheet.cash + other_money < 0:
        return _short_pot_text(terms, cash, found)
    if len(terms) > 2:
        words = {"terms": " ".join(terms[1:]), "cash": cash}
        return _("Cash in the box: %(terms)s = %(cash)s.") % words
    return _("Cash in the box: %(cash)s.") % {"cash": terms[1] if terms else cash}


def _promised_text(sheet: PotSheet) -> str:
    """What the club puts in once a planned session is open; nothing of a cancelled one."""
    session = sheet.pot.session
    if not sheet.club_sum or session is None or session.state != Session.State.PLANNED:
        return ""
    return _("The club puts in %(sum)s.") % {"sum": money(sheet.club_sum, sheet.pot.club)}


def _short_pot_text(terms: list[str], cash: str, found: Sheets) -> str:
    """The cash of a pot below zero, among other pots."""
    if terms[0] == "+":
        terms = terms[1:]
    words = {"terms": " ".join(terms), "cash": cash}
    if found.other_money:
        return _("Cash in the box: %(terms)s = %(cash)s.") % words
    return _("Cash in the box: %(terms)s = %(cash)s, taken from the other pots.") % words


def short_box_text(found: Sheets, club: Club) -> str:
    """That the box holds only so much, and who still owes it money."""
    debtors = [account for account in accounts_of(found.sheets) if account.pays]
    words = {
        "cash": money(found.in_box, club),
        "names": get_text_list([account.member.label for account in debtors], _("and")),
        "n": len(debtors),
        "sum": money(sum(account.to_pay for account in debtors), club),
    }
    if not debtors:
        return _("Only %(cash)s is in the box.") % words
    if len(debtors) > MOST_NAMED:
        text = _("Only %(cash)s is in the box: %(n)d players still owe %(sum)s.")
    else:
        text = ngettext(
            "Only %(cash)s is in the box: %(names)s still owes %(sum)s.",
            "Only %(cash)s is in the box: %(names)s still owe %(sum)s.",
            len(debtors),
        )
    return text % words
