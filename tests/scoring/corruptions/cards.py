"""The play spoilt: cards, leaders and tricks."""

from dataclasses import replace

from scoring.auction.terms import order_from
from scoring.cards import ALL_CARDS, trump_table
from tests.scoring.corruptions.registry import corruption, other
from tests.scoring.terms import terms_of


def with_trick(record, number, trick):
    tricks = list(record.tricks)
    tricks[number] = trick
    return replace(record, tricks=tuple(tricks))


def with_card(record, number, place, card):
    cards = list(record.tricks[number].cards)
    cards[place] = card
    return with_trick(record, number, record.tricks[number]._replace(cards=tuple(cards)))


def some_card(record, random):
    number = random.randrange(len(record.tricks))
    return number, random.randrange(len(record.tricks[number].cards))


def plays_of(record, terms):
    """For every active seat the (trick, place, card) of its plays."""
    plays = {seat: [] for seat in terms.active}
    for number, trick in enumerate(record.tricks):
        order = order_from(trick.leader, terms.active)
        for place, (seat, card) in enumerate(zip(order, trick.cards, strict=True)):
            plays[seat].append((number, place, card))
    return plays


@corruption("card-not-held")
def cards_of_two_players_swapped_in_a_trick(record, rules, random):
    if not record.tricks:
        return None
    number, one = some_card(record, random)
    cards = list(record.tricks[number].cards)
    two = other(random, [i for i, card in enumerate(cards) if card != cards[one]])
    if two is None:
        return None
    cards[one], cards[two] = cards[two], cards[one]
    return with_trick(record, number, record.tricks[number]._replace(cards=tuple(cards)))


@corruption("card-not-held")
def a_card_played_twice(record, rules, random):
    if not record.tricks:
        return None
    plays = plays_of(record, terms_of(record, rules))
    seat = random.choice(sorted(plays))
    (_, _, first), (number, place, card) = random.sample(plays[seat], 2)
    return None if first == card else with_card(record, number, place, first)


@corruption("card-not-in-deck")
def a_card_that_is_not_in_the_deck(record, rules, random):
    card = other(random, ALL_CARDS, *rules.deck)
    if not record.tricks or card is None:
        return None
    return with_card(record, *some_card(record, random), card)


@corruption("bad-card")
def a_card_that_no_deck_has(record, rules, random):
    return with_card(record, *some_card(record, random), "Zz") if record.tricks else None


@corruption("renege")
def off_suit_though_able_to_follow(record, rules, random):
    """A player throws a later card first, and keeps the card of the suit led for later."""
    if not record.tricks:
        return None
    terms = terms_of(record, rules)
    suit = trump_table(terms.trump, terms.bowers).suit
    found = [
        (early, late)
        for plays in plays_of(record, terms).values()
        for i, early in enumerate(plays)
        for late in plays[i + 1 :]
        if early[1] != 0
        and suit[early[2]] == suit[record.tricks[early[0]].cards[0]] != suit[late[2]]
    ]
    if not found:
        return None
    early, late = random.choice(found)
    record = with_card(record, early[0], early[1], late[2])
    return with_card(record, late[0], late[1], early[2])


@corruption("wrong-leader")
def a_trick_led_by_another(record, rules, random):
    if not record.tricks:
        return None
    number = random.randrange(len(record.tricks))
    trick = record.tricks[number]
    leader = other(random, range(rules.players), trick.leader)
    return with_trick(record, number, trick._replace(leader=leader))


@corruption("bad-seat")
def a_trick_led_from_no_seat(record, rules, random):
    return with_trick(record, 0, record.tricks[0]._replace(leader=8)) if record.tricks else None


@corruption("wrong-card-count")
def a_card_missing_in_a_trick(record, rules, random):
    if not record.tricks:
        return None
    number, place = some_card(record, random)
    cards = list(record.tricks[number].cards)
    del cards[place]
    return with_trick(record, number, record.tricks[number]._replace(cards=tuple(cards)))


@corruption("partner-played", "wrong-card-count")
def a_card_too_many_in_a_trick(record, rules, random):
    if not record.tricks:
        return None
    trick = record.tricks[0]
    return with_trick(record, 0, trick._replace(cards=(*trick.cards, trick.cards[0])))


@corruption("wrong-trick-count")
def the_last_trick_left_out(record, rules, random):
    return replace(record, tricks=record.tricks[:-1]) if record.tricks else None


@corruption("wrong-trick-count")
def a_trick_too_many(record, rules, random):
    return replace(record, tricks=(*record.tricks, record.tricks[0])) if record.tricks else None
