"""Pots in words: money, the cash in the box as a sum, and why it can't pay out more."""

from decimal import Decimal

from django.utils.formats import number_format
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from league.members.models import Club
from league.standings.pot_queries import PotSheet, Sheets, accounts_of

MOST_NAMED = 3
"""Players who still owe; more are counted."""


def money(cents: int, club: Club) -> str:
    """`{% money line.owes club %}`: "£12.50" in English, "12,50 €" in languages that put the
    currency after the amount; a code like "EUR" is always separated by a space."""
    amount = number_format(abs(Decimal(cents)) / 100, 2, force_grouping=True)
    sign = "−" if cents < 0 else ""
    if not club.currency:
        return f"{sign}{amount}"
    words = {"amount": amount, "currency": club.currency}
    if club.currency.isalpha():
        text = pgettext("money with a code", "%(currency)s\u00a0%(amount)s") % words
    else:
        text = pgettext("money with a symbol", "%(currency)s%(amount)s") % words
    return f"{sign}{text}"


def cash_text(sheet: PotSheet) -> str:
    """`{{ sheet|cash_text }}`: "Cash in the box: $20.00 paid in − $15.00 paid out = $5.00."""
    club, terms = sheet.pot.club, []
    for sign, text, cents in (
        ("+", _("%(sum)s from the club"), sheet.club_sum),
        ("+", _("%(sum)s paid in"), sheet.fees_in),
        ("+", _("%(sum)s given back"), sheet.given_back),
        ("+", _("%(sum)s from other money"), sheet.other_money),
        ("−", _("%(sum)s paid out"), sheet.prizes_out),
        ("−", _("%(sum)s paid back"), sheet.paid_back),
    ):
        if cents:
            terms += [sign, text % {"sum": money(cents, club)}]
    cash = money(max(0, sheet.cash), club)
    if len(terms) > 2:
        words = {"terms": " ".join(terms[1:]), "cash": cash}
        return _("Cash in the box: %(terms)s = %(cash)s.") % words
    return _("Cash in the box: %(cash)s.") % {"cash": terms[1] if terms else cash}


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
