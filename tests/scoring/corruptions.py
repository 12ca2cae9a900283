"""Single corruptions of a good full-card record: each with the fault code it must be met with.

A corruption takes a record, its rules and a Random. It returns the spoilt record, or None where
the hand has no place for it.
"""

from dataclasses import replace

from scoring import check_hand
from scoring.agreement import order_from
from scoring.cards import ALL_CARDS, SAME_COLOUR
from scoring.dealing import known_cards
from scoring.options import BID, TURN_UP
from scoring.records import Call, Contract, Exchange, Penalty
from scoring.trump import trump_table
from scoring.turned import turned_suit
from tests.scoring.terms import terms_of

CORRUPTIONS = {}


def corruption(*codes):
    """Registers a corruption; one of `codes` must be among the faults."""

    def register(spoil):
        CORRUPTIONS[spoil.__name__] = (spoil, set(codes))
        return spoil

    return register


def other(random, choices, *than):
    """One of the choices that is not `than`, or None."""
    left = sorted(set(choices) - set(than), key=str)
    return random.choice(left) if left else None


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


# -- cards ------------------------------------------------------------------------------------


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
    suit = trump_table(terms.trump).suit
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


# -- deal -------------------------------------------------------------------------------------


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


# -- auction and contract ---------------------------------------------------------------------


@corruption("call-out-of-turn")
def a_call_by_another_player(record, rules, random):
    if not record.auction or record.auction[0].call == "mcevoy":
        return None
    auction = list(record.auction)
    place = random.randrange(len(auction))
    seat = other(random, range(rules.players), auction[place].seat)
    auction[place] = auction[place]._replace(seat=seat)
    return replace(record, auction=tuple(auction))


@corruption("call-out-of-turn")
def the_first_call_left_out(record, rules, random):
    if len({call.seat for call in record.auction[:2]}) < 2:
        return None
    return replace(record, auction=record.auction[1:])


@corruption("auction-unfinished")
def the_last_call_left_out(record, rules, random):
    if len(record.auction) < 2 or rules.options.get("auction", "one_round") != "one_round":
        return None
    return replace(record, auction=record.auction[:-1], contract=None)


@corruption("call-not-allowed")
def a_call_after_the_auction(record, rules, random):
    cut_short = rules.family == BID and record.auction[-1].call == "bid"
    if cut_short and rules.options["auction"] == "until_three_passes_reentry":
        return None  # the passes after the highest bid there is need not be written down
    seat = random.randrange(rules.players)
    return replace(record, auction=(*record.auction, Call(seat, "pass")))


@corruption("call-not-allowed")
def the_suit_that_was_turned_down(record, rules, random):
    turned = turned_suit(rules, record.upcard) if rules.family == TURN_UP else None
    if turned is None or not rules.options["r2_exclude_turned"] or rules.options.get("chuck"):
        return None
    terms = terms_of(record, rules)
    if terms is None or terms.round != 2:
        return None
    calls = (*record.auction[:-1], record.auction[-1]._replace(trump=turned))
    return replace(record, auction=calls, contract=None)


@corruption("call-not-allowed")
def a_bid_no_higher_than_the_one_before(record, rules, random):
    bids = [place for place, call in enumerate(record.auction) if call.call == "bid"]
    if len(bids) < 2 or record.auction[bids[1]].seat == record.dealer:
        return None
    auction = list(record.auction)
    auction[bids[1]] = auction[bids[0]]._replace(seat=auction[bids[1]].seat)
    return replace(record, auction=tuple(auction))


@corruption("contract-mismatch")
def a_contract_by_another_player(record, rules, random):
    terms = terms_of(record, rules)
    if terms is None:
        return replace(record, contract=Contract(record.dealer, "h"))
    seat = other(random, range(rules.players), terms.maker)
    return replace(record, contract=Contract(seat, terms.trump))


@corruption("contract-mismatch")
def a_contract_in_another_suit(record, rules, random):
    terms = terms_of(record, rules)
    if terms is None or terms.trump not in SAME_COLOUR:
        return None
    if Call(terms.maker, "order-up") not in record.auction and not any(
        call.seat == terms.maker and call.trump for call in record.auction
    ):
        return None
    return replace(record, contract=Contract(terms.maker, SAME_COLOUR[terms.trump]))


@corruption("contract-mismatch")
def a_contract_that_says_everybody_passed(record, rules, random):
    return replace(record, contract=None, thrown_in=True) if record.tricks else None


@corruption("call-not-allowed", "bad-format")
def a_defender_alone_where_nobody_may(record, rules, random):
    terms = terms_of(record, rules)
    if terms is None or rules.options.get("defend_alone", "never") != "never":
        return None
    return replace(record, lone_defender=random.choice(terms.defenders))


@corruption("call-not-allowed", "bad-format")
def one_of_the_defenders_as_the_lone_maker(record, rules, random):
    terms = terms_of(record, rules)
    return terms and replace(record, lone_maker=random.choice(terms.defenders))


# -- discard and exchange ---------------------------------------------------------------------


@corruption("bad-discard")
def a_discard_that_was_not_held(record, rules, random):
    laid = [seat for seat, cards in enumerate(record.discards or ()) if cards]
    if not laid:
        return None
    seat = random.choice(laid)
    terms = terms_of(record, rules)
    elsewhere = {c for s, hand in enumerate(record.hands) if s != seat for c in hand}
    own = {*record.hands[seat], *record.discards[seat]}
    own |= {card for _, _, card in plays_of(record, terms)[seat]}
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


# -- counts, points, penalties ----------------------------------------------------------------


@corruption("tricks-mismatch")
def one_trick_counted_for_another(record, rules, random):
    if not record.tricks:
        return None
    won = list(check_hand(record, rules).tricks_won)
    active = terms_of(record, rules).active
    loser = random.choice([seat for seat in active if won[seat]])
    won[loser] -= 1
    won[other(random, active, loser)] += 1
    return replace(record, tricks_won=tuple(won))


@corruption("tricks-mismatch")
def the_makers_tricks_counted_wrong(record, rules, random):
    if not record.tricks:
        return None
    makers = terms_of(record, rules).makers
    count = sum(check_hand(record, rules).tricks_won[seat] for seat in makers)
    return replace(record, makers_tricks=other(random, range(rules.hand_size + 1), count))


@corruption("wrong-trick-count")
def the_tricks_won_do_not_add_up(record, rules, random):
    if not record.tricks:
        return None
    won = check_hand(record, rules).tricks_won
    return replace(record, tricks=None, tricks_won=tuple(count * 2 for count in won))


@corruption("tricks-mismatch", "bad-format")
def another_outcome(record, rules, random):
    outcome = check_hand(record, rules).outcome
    return replace(record, outcome=other(random, ("made", "march", "euchred"), outcome))


@corruption("points-mismatch")
def other_points(record, rules, random):
    points = list(check_hand(record, rules).points)
    points[random.randrange(rules.players)] += random.choice([-1, 1, 2])
    return replace(record, points=tuple(points))


@corruption("bad-seat")
def a_penalty_for_nobody(record, rules, random):
    return replace(record, penalties=(Penalty("renege", rules.players),))


@corruption("bad-penalty")
def a_renege_ruled_that_the_cards_do_not_show(record, rules, random):
    terms = terms_of(record, rules)
    by = random.choice(terms.active) if terms else 0
    trick = random.randint(1, rules.hand_size)
    return replace(record, penalties=(Penalty("renege", by, trick),))


@corruption("bad-penalty")
def a_ruling_on_a_trick_there_is_not(record, rules, random):
    return replace(record, penalties=(Penalty("renege", 0, rules.hand_size + 1),))


@corruption("bad-format")
def another_ruleset_than_the_games(record, rules, random):
    elsewhere = "bid-barrie" if rules.family == TURN_UP else "keller-1887-two-handed"
    return replace(record, ruleset=elsewhere)


@corruption("unknown-option")
def an_option_that_there_is_not(record, rules, random):
    return replace(record, options=(("nonsense", True),))
