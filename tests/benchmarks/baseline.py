"""A bare checker of the standard game, to compare the engine with: all inlined, nothing told.

It knows one ruleset, takes plain tuples, stops at the first thing wrong and cannot say what it
was. It is about as fast as Python can check such hands, and what a club could not use.
"""

RANKS = {rank: value for value, rank in enumerate("9TJQKA")}
LEFT = {"c": "Js", "s": "Jc", "d": "Jh", "h": "Jd"}
DECK = frozenset(rank + suit for rank in "9TJQKA" for suit in "cdhs")


def _suits(trump):
    return {card: trump if card == LEFT[trump] else card[1] for card in DECK}


def _power(card, trump):
    if card == "J" + trump:
        return 30
    if card == LEFT[trump]:
        return 29
    return RANKS[card[0]] + 20 if card[1] == trump else RANKS[card[0]]


SUIT = {trump: _suits(trump) for trump in "cdhs"}
POWER = {trump: {card: _power(card, trump) for card in DECK} for trump in "cdhs"}


def summary(seat, alone, won):
    """Points of the two sides from a contract and the tricks won by seat; None if impossible."""
    if not 0 <= seat < 4 or len(won) != 4 or sum(won) != 5 or min(won) < 0:
        return None
    if alone and won[(seat + 2) % 4]:
        return None
    makers = won[seat] + won[(seat + 2) % 4]
    if makers < 3:
        points = (0, 2)
    elif makers < 5:
        points = (1, 0)
    else:
        points = (4 if alone else 2, 0)
    return points if seat % 2 == 0 else points[::-1]


def full(dealer, upcard, hands, auction, discard, tricks):  # noqa: C901 - inlined on purpose
    """Points of the two sides from every card of a hand; None if impossible."""
    cards = [card for hand in hands for card in hand]
    if len(set(cards) | {upcard}) != 21 or not DECK.issuperset(cards) or upcard not in DECK:
        return None
    seat, trump, alone, turn = None, None, False, 0
    for turn, (caller, call, suit, lone) in enumerate(auction):
        if caller != (dealer + 1 + turn) % 4 or seat is not None:
            return None
        if call == "order-up" and turn < 4:
            seat, trump, alone = caller, upcard[1], lone
        elif call == "name" and turn >= 4 and suit != upcard[1]:
            seat, trump, alone = caller, suit, lone
        elif call != "pass":
            return None
    if seat is None:
        return (0, 0) if turn == 7 else None
    held = [list(hand) for hand in hands]
    resting = (seat + 2) % 4 if alone else None
    if turn < 4 and resting != dealer:
        if discard not in held[dealer]:
            return None
        held[dealer].remove(discard)
        held[dealer].append(upcard)
    suits, power = SUIT[trump], POWER[trump]
    order = [s for s in range(4) if s != resting]
    leader = (dealer + 1) % 4
    if leader == resting:
        leader = (leader + 1) % 4
    won = [0, 0, 0, 0]
    if len(tricks) != 5:
        return None
    for said, played in tricks:
        if said != leader or len(played) != len(order):
            return None
        place = order.index(leader)
        led, best, winner = suits[played[0]], -1, leader
        for card, who in zip(played, order[place:] + order[:place], strict=True):
            hand = held[who]
            if card not in hand:
                return None
            suit = suits[card]
            if suit != led and any(suits[other] == led for other in hand):
                return None
            hand.remove(card)
            if suit in (led, trump) and power[card] > best:
                best, winner = power[card], who
        won[winner] += 1
        leader = winner
    return summary(seat, alone, won)
