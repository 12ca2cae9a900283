"""The deal, the discards and the exchange spoilt."""

from dataclasses import replace

from scoring.play.deal import known_cards
from scoring.records import Exchange
from tests.scoring.corruptions.cards import plays_of
from tests.scoring.corruptions.registry import corruption, other
from tests.scoring.terms import terms_of


@corruption("wrong-hand-size")
def a_hand_one_card_short(record, rules, random):
    return with_hand(record, random.randrange(rules.players), lambda hand: hand[1:])


@corruption("duplicate-card", "upcard-in-hand")
def a_card_dealt_once_too_often(record, rules, random):
    known = known_cards(record)
    used_up = [card for card in known if known.count(card) == rules.deck.count(card)]
    seat = random.randrange(rules.players)
    card = other(random, used_up, record.hands[seat][0])
    return with_hand(record, seat, lambda hand: (card, *hand[1:])) if card else None


@corruption("upcard-in-hand")
def the_up_card_in_a_hand_as_well(record, rules, random):
    if record.upcard is None:
        return None
    return replace(record, upcard=random.choice(record.hands[random.randrange(rules.players)]))


@corruption("bad-format")
def a_hand_for_nobody(record, rules, random):
    return replace(record, hands=(*record.hands, None))


def with_hand(record, seat, change):
    hands = list(record.hands)
    hands[seat] = change(hands[seat])
    return replace(record, hands=tuple(hands))


@corruption("bad-seat")
def a_dealer_who_is_not_there(record, rules, random):
    return replace(record, dealer=rules.players)


@corruption("call-out-of-turn")
def another_dealer(record, rules, random):
    if not record.auction or record.auction[0].call == "mcevoy":
        return None
    return replace(record, dealer=other(random, range(rules.players), record.dealer))


@corruption("bad-discard")
def a_discard_that_was_not_held(record, rules, random):
    laid = [seat for seat, cards in enumerate(record.discards or ()) if cards]
    if not laid:
        return None
    seat = random.choice(laid)
    terms = terms_of(record, rules)
    elsewhere = {c for s, hand in enumerate(record.hands) if s != seat for c in hand}
    own = {*record.hands[seat], *record.discards[seat]}
    own |= {card for _, _, card in plays_of(record, terms).get(seat, ())}
    card = other(random, elsewhere, *own)
    discards = list(record.discards)
    discards[seat] = (card, *discards[seat][1:])
    return replace(record, discards=tuple(discards)) if card else None


@corruption("bad-discard")
def a_card_too_many_laid_away(record, rules, random):
    laid = [seat for seat, cards in enumerate(record.discards or ()) if cards]
    if not laid:
        return None
    discards = list(record.discards)
    discards[laid[0]] += record.hands[laid[0]][:1]
    return replace(record, discards=tuple(discards))


@corruption("bad-discard")
def cards_laid_away_by_somebody_else(record, rules, random):
    terms = terms_of(record, rules)
    if terms is None:
        return None
    discards = list(record.discards or (None,) * rules.players)
    seat = random.choice(terms.defenders)
    if discards[seat] is not None or seat == terms.taker:
        return None
    discards[seat] = record.hands[seat][:1]
    return replace(record, discards=tuple(discards))


@corruption("bad-exchange")
def an_exchange_by_the_wrong_players(record, rules, random):
    if not record.tricks:
        return None
    terms = terms_of(record, rules)
    giver = random.choice(terms.defenders)
    if record.exchange:
        return replace(record, exchange=(record.exchange[0]._replace(giver=giver),))
    return replace(record, exchange=(Exchange(giver, terms.maker, record.hands[giver][:1]),))
