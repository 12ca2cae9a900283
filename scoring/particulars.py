"""Checks of what only some games have: called partners, hands shown or redealt, fast breaks."""

from collections.abc import Iterator
from itertools import chain

from scoring.auction.terms import JAMBOREE, Terms
from scoring.cards import ALL_CARDS, left_over, suit_printed, trump_table
from scoring.faults import Fault, fault
from scoring.play.checking import CardCheck
from scoring.play.deal import Deck, dealt_hands
from scoring.play.pickup import changes
from scoring.records import HandRecord, Particulars
from scoring.rulesets import Ruleset

_FACES, _LOW, _FARMERS = "AKQJ", "9T", 3
_BEST_TRUMPS = 5
_BREAK = 2


def known_before_play(record: HandRecord, rules: Ruleset) -> tuple[Particulars | None, str | None]:
    """What the terms of a hand depend on besides its calls: the partner and the first suit led."""
    particulars, led = record.particulars, None
    if rules.partner_called and not (
        particulars and (particulars.nobody or particulars.partner is not None)
    ):
        particulars = _with_partner(record, rules, particulars)
    if rules.options.get("trump_by_lead") and record.tricks and record.tricks[0].cards:
        first = record.tricks[0].cards[0]
        led = suit_printed(first) if first in ALL_CARDS else None
    return particulars, led


def _with_partner(
    record: HandRecord, rules: Ruleset, particulars: Particulars | None
) -> Particulars | None:
    """The particulars with the partner found from the cards, if all hands are recorded."""
    contract = record.contract
    if contract is None or contract.call_card is None or None in dealt_hands(record, rules):
        return particulars
    seat = _holder(record, rules, contract.call_card)
    nobody = seat in (None, contract.seat)
    return (particulars or Particulars())._replace(partner=None if nobody else seat, nobody=nobody)


def _holder(record: HandRecord, rules: Ruleset, card: str) -> int | None:
    """The seat that holds the card when play begins, by the deal, the pick-up and the discard."""
    hands = dealt_hands(record, rules)
    seat = next((s for s, hand in enumerate(hands) if hand and card in hand), None)
    if seat is None and card == record.upcard and _is_picked_up(record):
        seat = record.dealer
    discards = (record.discards or ())[seat : seat + 1] if seat is not None else ()
    return None if discards and card in (discards[0] or ()) else seat


def _is_picked_up(record: HandRecord) -> bool:
    contract = record.contract
    if record.auction is not None:
        return any(call.call == "order-up" for call in record.auction)
    if contract is None or contract.round is not None or record.upcard is None:
        return contract is not None and contract.round == 1
    return suit_printed(record.upcard) in (contract.trump, None)


def partner_faults(
    record: HandRecord, rules: Ruleset, terms: Terms, cards: CardCheck
) -> Iterator[Fault]:
    """Compare the recorded partner with the player who held the called card by the cards."""
    card, contract = terms.call_card, record.contract
    if card is None or contract is None:
        return
    if card not in rules.deck:
        yield fault("card-not-in-deck/deck", rules.players, card=card, count=len(rules.deck),
                    field="contract.call_card")  # fmt: skip
        return
    if contract.alone or record.particulars is None:
        return
    is_known, seat = _shown_holder(record, rules, terms, cards, card)
    if seat == terms.maker:
        seat = None
    if is_known and seat != terms.partner:
        sentence = "bad-partner/other" if seat is not None else "bad-partner/nobody"
        yield fault(sentence, rules.players, seat=seat, card=card, field="partner")


def _shown_holder(
    record: HandRecord, rules: Ruleset, terms: Terms, cards: CardCheck, card: str
) -> tuple[bool, int | None]:
    """Whether the tricks or the deal show who held the card when play began, and that seat."""
    for trick, leader in zip(record.tricks or (), cards.leaders, strict=False):
        order = terms.orders[leader][0]
        if card in trick.cards and len(trick.cards) == len(order):
            return True, order[trick.cards.index(card)]
    if len(cards.leaders) == rules.hand_size:
        return True, None
    if None in dealt_hands(record, rules):
        return False, None
    return True, _holder(record, rules, card)


def particulars_faults(record: HandRecord, rules: Ruleset, terms: Terms | None) -> Iterator[Fault]:
    """Particulars that do not exist in these rules, or that this hand cannot have."""
    particulars, options, players = record.particulars, rules.options, rules.players
    if particulars is None:
        return
    allowed = {
        "fast_break": options.get("fast_break", False),
        "out": options.get("drop_out", False),
        "partner": rules.partner_called,
    }
    stated = {
        "fast_break": particulars.fast_break is not None,
        "out": particulars.out is not None,
        "partner": particulars.nobody or particulars.partner is not None,
    }
    if stated["fast_break"] and not allowed["fast_break"]:
        yield fault("bad-format/not-in-this-game", players, field="fast_break")
    if terms is not None and particulars.upcard2 is not None and terms.round == 1:
        yield fault("bad-format/second-too-early", players, field="upcard2")
    if terms is None:
        for field in stated:
            if stated[field] and allowed[field]:
                yield fault("tricks-mismatch/thrown-in", players, field=field)
            elif stated[field] and field != "fast_break":
                yield fault("bad-format/not-in-this-game", players, field=field)


def broke_fast(rules: Ruleset, terms: Terms, cards: CardCheck) -> bool:
    """Whether the defenders took the first two tricks and the makers the last three."""
    won = cards.winners()
    first, last = won[:_BREAK], won[_BREAK:]
    return len(won) == rules.hand_size and (
        all(seat in terms.defenders for seat in first)
        and all(seat in terms.makers for seat in last)
    )


def redeal_faults(record: HandRecord, rules: Ruleset, seat: int, reason: str) -> Iterator[Fault]:
    """A redeal declared for a hand that does not allow it (D-93)."""
    hand = dealt_hands(record, rules)[seat]
    if hand is None:
        return
    up_suit = suit_printed(record.upcard) if record.upcard else None
    if reason == "farmers":
        allows_redeal = sum(card[0] in _LOW for card in hand) >= _FARMERS
    else:
        allows_redeal = not any(
            card[0] in _FACES or suit_printed(card) in (up_suit, None) for card in hand
        )
    if not allows_redeal:
        yield fault("call-not-allowed/redeal-hand", rules.players, seat=seat, cards=hand)


def declared_faults(
    record: HandRecord, rules: Ruleset, terms: Terms, deck: Deck
) -> Iterator[Fault]:
    """A player who goes under, or shows the five best trumps, without holding the cards for it."""
    hands = dealt_hands(record, rules)
    if terms.under is not None and rules.options.get("go_under"):
        low = hands[terms.under]
        if low is not None and sum(card[0] in _LOW for card in low) < _FARMERS:
            yield fault("call-not-allowed/under-hand", rules.players, seat=terms.under, cards=low)
    dealt = hands[terms.maker]
    if terms.shown != JAMBOREE or dealt is None or terms.trump is None:
        return
    change = changes(record, rules, terms, deck).get(terms.maker)
    held, unseen = list(dealt), 0
    if change is not None:
        held = left_over(chain(dealt, change.gained), change.lost or ())
        unseen = change.unseen
    table = trump_table(terms.trump, terms.bowers)
    trumps = [card for card in rules.deck if table.suit[card] == terms.trump]
    best = sorted(trumps, key=table.power[terms.trump].__getitem__, reverse=True)[:_BEST_TRUMPS]
    if len(best) < _BEST_TRUMPS or len(left_over(best, held)) > unseen:
        yield fault("call-not-allowed/jamboree-hand", rules.players, seat=terms.maker)
