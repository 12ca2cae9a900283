"""One hand worked out for a ruleset: what each way it can end pays, as the engine counts it."""

from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring import Ruleset, check_hand
from scoring.rulesets.options import TURN_UP

PLAYERS = ("Ruth", "Walter", "Pat", "Dave", "Joan", "Frank", "Helen", "Sam")
MAKER = 0


class WorkedHand(NamedTuple):
    """Who sits and deals, the sides that score together, and (what happens, points a side)."""

    opening: str
    sides: list[str]
    rows: list[tuple[str, list[int]]]


def worked_hand(rules: Ruleset) -> WorkedHand:
    """Ruth makes trump in a hand of this game: its endings, each with what it pays."""
    names = PLAYERS[: rules.players]
    groups = _groups(rules)
    ends = _turned_up(rules) if rules.family == TURN_UP else _bid(rules)
    rows = []
    for sentence, contract, taken in ends:
        points = _points(rules, contract, taken)
        if points is not None:
            rows.append((sentence, [points[seats[0]] for seats in groups]))
    opening = _("%(dealer)s deals, and %(maker)s makes hearts trump.") % {
        "dealer": names[-1],
        "maker": names[MAKER],
    }
    return WorkedHand(opening, [_together([names[seat] for seat in g]) for g in groups], rows)


def _groups(rules: Ruleset) -> list[tuple[int, ...]]:
    if not rules.partner_called:
        return list(rules.sides)
    others = tuple(seat for seat in range(1, rules.players) if seat != 2)
    return [(MAKER, 2), others]


def _together(names: list[str]) -> str:
    if len(names) == 1:
        return names[0]
    first, last = ", ".join(names[:-1]), names[-1]
    return _("%(some)s and %(last)s") % {"some": first, "last": last}


def _turned_up(rules: Ruleset) -> list[tuple[str, dict[str, Any], int]]:
    """(what happens, contract, tricks of the makers)"""
    every, need = rules.hand_size, rules.hand_size // 2 + 1
    contract: dict[str, Any] = {"trump": "h"}
    alone = {**contract, "alone": True}
    ends = [
        (_tricks(rules, need), contract, need),
        (_all_tricks(rules, every), contract, every),
        (_euchred(rules, need - 1), contract, need - 1),
    ]
    if "lone_march" in rules.options:
        ends.append((_("Ruth plays alone and takes all the tricks"), alone, every))
        ends.append((_("Ruth plays alone and is euchred"), alone, need - 1))
    return ends


def _bid(rules: Ruleset) -> list[tuple[str, dict[str, Any], int]]:
    least = max(int(rules.options.get("min", 1)), rules.hand_size // 2)
    contract = {"trump": "h", "tricks": least}
    bids = _("Ruth bids %(n)d.") % {"n": least}
    return [
        (f"{bids} {_tricks(rules, least)}", contract, least),
        (f"{bids} {_tricks(rules, least + 1)}", contract, least + 1),
        (f"{bids} {_tricks(rules, least - 1)}", contract, least - 1),
    ]


def _tricks(rules: Ruleset, n: int) -> str:
    if rules.partnership or rules.partner_called:
        return ngettext("Her side takes %(n)d trick", "Her side takes %(n)d tricks", n) % {"n": n}
    return ngettext("She takes %(n)d trick", "She takes %(n)d tricks", n) % {"n": n}


def _all_tricks(rules: Ruleset, n: int) -> str:
    return _("%(tricks)s: a march") % {"tricks": _tricks(rules, n)}


def _euchred(rules: Ruleset, n: int) -> str:
    return _("%(tricks)s: a euchre") % {"tricks": _tricks(rules, n)}


def _points(rules: Ruleset, contract: dict[str, Any], taken: int) -> tuple[int, ...] | None:
    """What the hand pays every seat; None where this game has no such hand."""
    if not 0 <= taken <= rules.hand_size:
        return None
    tricks = [0] * rules.players
    tricks[MAKER] = taken
    others = [seat for seat in range(1, rules.players) if seat not in _groups(rules)[0]]
    for n in range(rules.hand_size - taken):
        tricks[others[n % len(others)]] += 1
    record: dict[str, Any] = {
        "dealer": rules.players - 1,
        "contract": {"seat": MAKER, **contract},
        "tricks_won": tricks,
    }
    if rules.partner_called:
        record["partner"] = 2
        record["contract"]["call_card"] = "As"
    answer = check_hand(record, rules)
    return answer.points if answer.valid else None
