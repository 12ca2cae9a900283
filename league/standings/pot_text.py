"""Pots in words: the cash in the box as a sum, and why it can't pay out more."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, ngettext_lazy

from league.members.languages import money
from league.members.models import Club
from league.ranking.pots import Balance, PotLine
from league.seasons.models import Season
from league.sessions.models import Session
from league.standings.models import Payment, Pot, cents_of
from league.standings.pot_accounts import Part, accounts_of
from league.standings.pot_queries import pot_sheets
from league.standings.pot_sheet import PotSheet, Sheets
from league.standings.text import ordinal

MOST_NAMED = 3
"""Players who still owe; more are counted."""


def cash_text(sheet: PotSheet, found: Sheets) -> str:
    """`{{ sheet|cash_text:found }}`: the cash in the box for a pot, and what it comes from:
    "$9.00 paid in − $5.00 paid out = $4.00".

    A pot below zero was paid from other money, or where there are several pots, from theirs.
    """
    club = sheet.pot.club
    is_alone = len(found.sheets) == 1
    other_money, terms = max(0, -sheet.cash) if is_alone else 0, []
    for sign, text, cents in (
        ("+", _("%(sum)s from the club"), sheet.club_sum),
        ("+", _("%(sum)s paid in"), sheet.fees_in),
        ("+", _("%(sum)s given back"), sheet.given_back),
        ("+", _("%(sum)s from other money"), other_money),
        ("−", _("%(sum)s paid out"), sheet.prizes_out),
        ("−", _("%(sum)s paid back"), sheet.paid_back),
        ("−", _("%(sum)s to the club"), sheet.booked),
    ):
        if cents:
            terms.append(f"{sign}\N{NO-BREAK SPACE}{text % {'sum': money(cents, club)}}")
    cash = money(sheet.cash + other_money, club)
    words = {"terms": " ".join(terms).removeprefix("+\N{NO-BREAK SPACE}"), "cash": cash}
    if sheet.cash + other_money < 0:
        return _short_pot_text(words, found)
    if len(terms) > 1:
        return _("Cash in the box for this pot: %(terms)s = %(cash)s.") % words
    return _("Cash in the box for this pot: %(cash)s.") % {"cash": words["terms"] or cash}


def _short_pot_text(words: dict[str, str], found: Sheets) -> str:
    """The cash of a pot below zero, among other pots."""
    if found.other_money:
        return _("Cash in the box for this pot: %(terms)s = %(cash)s.") % words
    return (
        _("Cash in the box for this pot: %(terms)s = %(cash)s, taken from the other pots.") % words
    )


def season_debt_texts(season: Season, *, at: datetime, with_stakes: bool = True) -> list[str]:
    """What players still owe to the pots of a season, and what they get back: a sentence each."""
    accounts = accounts_of(pot_sheets(season, at=at).sheets)
    kinds = (
        (SEASON_STAKES, [account.debt for account in accounts if account.owes and with_stakes]),
        (SEASON_REFUNDS, [account.refund for account in accounts if account.gets_back]),
    )
    words = {"season": season.name}
    return [
        text % (words | {"n": len(amounts), "sum": money(sum(amounts), season.club)})
        for text, amounts in kinds
        if amounts
    ]


def signed_up_text(sheet: PotSheet, count: int) -> str:
    """`{{ sheet|signed_up_text:signed_up }}`: what is paid each time into a pot of a
    planned session, and what those who have signed up would pay in."""
    cents, club = cents_of(sheet.pot.amount), sheet.pot.club
    words = {"n": count, "amount": money(cents, club), "sum": money(count * cents, club)}
    if sheet.pot.source == Pot.Source.EUCHRED:
        return f"{words['amount']}."
    if not count:
        return _("%(amount)s. Nobody has signed up yet.") % words
    text = ngettext(
        "%(amount)s. %(n)d has signed up: %(sum)s if they come.",
        "%(amount)s. %(n)d have signed up: %(n)d × %(amount)s = %(sum)s if all come.",
        count,
    )
    return text % words


def account_text(part: Part, kind: str) -> str:
    """`{{ part|account_text:"prize" }}`: "(won $4.00, received $4.00, gave back $4.00)", the sums
    that an open prize comes from; of a "stake" "(due $4.00, paid $4.00, got back $4.00)", and both
    where one is set against the other. While nothing was paid, "(2 × $2.00)" or empty."""
    texts = {"stake": _stake_text(part), "prize": _prize_text(part)}
    sides = texts.values() if part.balance.offset else [texts[kind]]
    text = "; ".join(filter(None, sides))
    return f"({text})" if text else ""


def _stake_text(part: Part) -> str:
    balance, club = part.balance, part.pot.club
    words = {"owes": money(balance.owes, club), "paid": money(balance.fees_in, club)}
    words["back"] = money(balance.paid_back, club)
    if balance.paid_back:
        return _("due %(owes)s, paid %(paid)s, got back %(back)s") % words
    if balance.fees_in:
        return _("due %(owes)s, paid %(paid)s") % words
    amount = cents_of(part.pot.amount)
    times, rest = divmod(balance.owes, amount)
    return f"{times} × {money(amount, club)}" if times > 1 and not rest else ""


def _prize_text(part: Part) -> str:
    balance, club = part.balance, part.pot.club
    words = {"won": money(balance.won, club), "got": money(balance.prizes_out, club)}
    words["back"] = money(balance.given_back, club)
    if balance.given_back:
        return _("won %(won)s, received %(got)s, gave back %(back)s") % words
    return _("won %(won)s, received %(got)s") % words if balance.prizes_out else ""


def odd_payment_text(payment: Payment, balance: Balance) -> str:
    """Why a payment fits nothing in its player's balance; empty if it does."""
    kinds, club = Payment.Kind, payment.pot.club
    limits: dict[str, tuple[int, str, str]] = {
        kinds.PRIZE: (balance.to_get, _("%(name)s has no prize due."), ""),
        kinds.RETURN: (
            balance.got,
            _("%(name)s has received no prize of this pot."),
            _("%(name)s has received only %(sum)s of this pot."),
        ),
        kinds.REFUND: (
            balance.paid,
            _("%(name)s has paid no stake of this pot."),
            _("%(name)s has paid only %(sum)s of this pot."),
        ),
        kinds.WAIVED: (
            balance.to_pay,
            _("Only a stake can be let off, and %(name)s owes none here. A prize is given back."),
            _("Only a stake can be let off, and %(name)s owes only %(sum)s."),
        ),
    }
    limit, nothing, above = limits.get(payment.kind, (payment.cents, "", ""))
    text = nothing if limit <= 0 else above if payment.cents > limit else ""
    words = {"name": payment.member.label if payment.member else "", "sum": money(limit, club)}
    return text % words


def paid_out_text(payment: Payment) -> str:
    """Why a player can't be let off, or left out of a pot, that has paid prizes."""
    if payment.kind == Payment.Kind.WAIVED:
        text = _(
            "“%(pot)s” has paid out: letting %(name)s off now would make winners give money back."
            " Put %(sum)s of the club's money in the box and mark %(name)s as paid instead."
        )
    else:
        text = _(
            "“%(pot)s” has paid out: to leave players out would change its prizes. Undo them first."
        )
    pot, name = payment.pot, payment.member.label if payment.member else ""
    return text % {"pot": pot.name, "name": name, "sum": money(payment.cents, pot.club)}


def payments_text(payments: Sequence[Payment]) -> str:
    """What one tap recorded: of several players "3 players paid $6.00.", or "Booked $0.40 to the
    club."."""
    club, count = payments[0].pot.club, len({payment.member_id for payment in payments})
    words = {"n": count, "pot": payments[0].pot.name}
    if payments[0].kind == Payment.Kind.CLUB:
        text = _("Booked %(sum)s to the club.")
    elif payments[0].kind == Payment.Kind.NOT_IN:
        text = ngettext(
            "%(n)d player is not in “%(pot)s”.", "%(n)d players are not in “%(pot)s”.", count
        )
    elif payments[0].is_out:
        text = ngettext(
            "%(n)d player got back %(sum)s.", "%(n)d players got back %(sum)s in all.", count
        )
    else:
        text = ngettext("%(n)d player paid %(sum)s.", "%(n)d players paid %(sum)s.", count)
    total = sum(payment.cents for payment in payments)
    return text % (words | {"sum": money(total, club)})


def unclaimed_text(sheet: PotSheet) -> str:
    """`{{ sheet|unclaimed_text }}`: the stakes in the box that nobody has won."""
    pot = sheet.pot
    words = {"sum": money(sheet.unclaimed, pot.club), "pot": pot.name}
    if pot.is_over:
        text = _("%(sum)s of “%(pot)s” is in the box and nobody has won it: the club decides.")
    else:
        text = _("%(sum)s of “%(pot)s” is in the box and nobody has won it yet.")
    return text % words


SEASON_STAKES = ngettext_lazy(
    "%(n)d player owes a stake for %(season)s (%(sum)s).",
    "%(n)d players owe stakes for %(season)s (%(sum)s).",
    "n",
)
SEASON_REFUNDS = ngettext_lazy(
    "%(n)d player gets back stakes for %(season)s (%(sum)s).",
    "%(n)d players get back stakes for %(season)s (%(sum)s).",
    "n",
)
STAKES = ngettext_lazy(
    "%(n)d stake is not paid (%(sum)s).", "%(n)d stakes are not paid (%(sum)s).", "n"
)
PRIZES = ngettext_lazy(
    "%(n)d player hasn't received prizes (%(sum)s).",
    "%(n)d players haven't received prizes (%(sum)s).",
    "n",
)
REFUNDS = ngettext_lazy(
    "%(n)d player gets money back (%(sum)s).", "%(n)d players get money back (%(sum)s).", "n"
)
MOVED = ngettext_lazy(
    "%(n)d player must give back prize money (%(sum)s).",
    "%(n)d players must give back prize money (%(sum)s).",
    "n",
)

UNPLAYED = ngettext_lazy(
    "%(n)d player has not played and owes no stake once the session is closed: the pots then hold"
    " %(sum)s less, and the prizes are smaller.",
    "%(n)d players have not played and owe no stake once the session is closed: the pots then hold"
    " %(sum)s less, and the prizes are smaller.",
    "n",
)


def _unplayed_texts(found: Sheets, club: Club) -> list[str]:
    """What closing the session takes out of its pots: the stakes of those without a game. They
    owe the entrance all the same."""
    stakes: dict[int, int] = defaultdict(int)
    for sheet in found.sheets:
        for row in sheet.rows if sheet.pot.payout != Pot.Payout.KEPT else ():
            if row.line.owes and row.member.pk in sheet.arrived:
                stakes[row.member.pk] += row.line.owes
    if not stakes:
        return []
    text = UNPLAYED % {"n": len(stakes), "sum": money(sum(stakes.values()), club)}
    if any(sheet.has_paid_prizes for sheet in found.sheets):
        text += " " + _("A prize already paid may have to be given back.")
    return [text]


def shared_prizes_text(line: PotLine, pot: Pot) -> str:
    """`{{ row.line|shared_prizes:pot }}`: "the prizes of 1st and 2nd place are put together and
    shared", of tied players; empty if they share no second prize."""
    last = min(line.won_by + line.shared_by - 1, len(pot.shares))
    if last <= line.won_by:
        return ""
    places = get_text_list([ordinal(place) for place in range(line.won_by, last + 1)], _("and"))
    return _("the prizes of %(places)s place are put together and shared") % {"places": places}


def open_money_texts(found: Sheets, club: Club) -> list[str]:
    """What is open in the pots, a sentence for each kind, and first what closing an open session
    changes; empty once all is settled."""
    texts = _unplayed_texts(found, club) + account_texts(found.sheets, club)
    texts += [unclaimed_text(sheet) for sheet in found.sheets if sheet.unclaimed]
    return texts + [_rest_text(sheet) for sheet in found.sheets if _leaves_rest(sheet)]


def account_texts(sheets: Sequence[PotSheet], club: Club) -> list[str]:
    """What players still pay to these pots and receive from them: a sentence for each kind."""
    accounts = accounts_of(sheets)
    kinds = (
        (STAKES, [part.cents for account in accounts for part in account.owes]),
        (PRIZES, [sum(part.cents for part in one.gets) for one in accounts if one.gets]),
        (REFUNDS, [account.refund for account in accounts if account.gets_back]),
        (MOVED, [account.excess for account in accounts if account.gives_back]),
    )
    return [
        text % {"n": len(amounts), "sum": money(sum(amounts), club)}
        for text, amounts in kinds
        if amounts
    ]


def _leaves_rest(sheet: PotSheet) -> bool:
    """Whether closing an open session leaves the club some of a pot that players may win, other
    than what its shares leave and the cents that cannot be shared evenly."""
    pot, session = sheet.pot, sheet.pot.session
    if session is None or session.state != Session.State.OPEN:
        return False
    is_decided = pot.source == Pot.Source.SUM or bool(sheet.winners)
    may_be_won = pot.current_payout != Pot.Payout.KEPT
    return may_be_won and is_decided and not sheet.is_rounded


def _rest_text(sheet: PotSheet) -> str:
    text = _("Nobody has won %(sum)s of “%(pot)s” so far: it stays with the club.")
    return text % {"sum": money(sheet.left_besides, sheet.pot.club), "pot": sheet.pot.name}


def cancelling_texts(found: Sheets, club: Club) -> list[str]:
    """The payments that cancelling the session would send back."""
    rows = [row for sheet in found.sheets for row in sheet.rows]
    paid, got = sum(row.balance.paid for row in rows), sum(row.balance.got for row in rows)
    texts = []
    if paid:
        text = _("%(sum)s of stakes is paid in: after cancelling, the players get it back.")
        texts.append(text % {"sum": money(paid, club)})
    if got:
        text = _("%(sum)s of prizes is paid out: after cancelling, it must be given back.")
        texts.append(text % {"sum": money(got, club)})
    excess = sum(max(0, row.balance.got - row.balance.paid) for row in rows)
    if excess < got:
        text = _("Set against the winners' own stakes, they give back %(sum)s.")
        texts.append(text % {"sum": money(excess, club)})
    return texts


def short_box_text(found: Sheets, club: Club) -> str:
    """That the box of the session or the season holds only so much, and who still owes it money."""
    debtors = [account for account in accounts_of(found.sheets) if account.pays]
    words = {
        "cash": money(found.in_box, club),
        "scope": found.sheets[0].pot.scope.name,
        "names": get_text_list([account.member.label for account in debtors], _("and")),
        "n": len(debtors),
        "sum": money(sum(account.to_pay for account in debtors), club),
    }
    if not debtors:
        return _("Only %(cash)s is in the box for %(scope)s.") % words
    if len(debtors) > MOST_NAMED:
        text = _("Only %(cash)s is in the box for %(scope)s: %(n)d players still owe %(sum)s.")
    else:
        text = ngettext(
            "Only %(cash)s is in the box for %(scope)s: %(names)s still owes %(sum)s.",
            "Only %(cash)s is in the box for %(scope)s: %(names)s still owe %(sum)s.",
            len(debtors),
        )
    return text % words
