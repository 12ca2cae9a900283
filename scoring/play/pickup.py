"""Pick-up, kitty, discard and exchange: how dealt hands change before the play."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from scoring.auction.terms import Terms
from scoring.cards import left_over
from scoring.faults import Fault, fault
from scoring.play.deal import DUMMY, Deck, dealt_hands
from scoring.records import Exchange, HandRecord
from scoring.rulesets import Ruleset
from scoring.rulesets.options import TURN_UP


class Change(NamedTuple):
    """The cards that one seat takes up and discards or passes before the play.

    `gained` are the known cards taken up, `unseen` counts the unknown ones; `lost` are those
    discarded or passed (None = not recorded), `least` to `most` cards. `kept` and `barred` cards
    must not be discarded, `barred` ones since they came too late; with `own` only dealt cards can.
    """

    seat: int
    gained: tuple[str, ...] = ()
    unseen: int = 0
    lost: tuple[str, ...] | None = None
    least: int = 0
    most: int = 0
    kept: str | None = None
    own: bool = False
    passed: bool = False
    barred: tuple[str, ...] = ()


def cards_changed(record: HandRecord) -> int | None:
    """How many cards came from the partner; None if the exchange was not recorded."""
    return None if record.exchange is None else sum(len(e.cards) for e in record.exchange)


def changes(record: HandRecord, rules: Ruleset, terms: Terms, deck: Deck) -> dict[int, Change]:
    """The changes of every seat whose hand changes between deal and play."""
    if rules.family == TURN_UP:
        change = _upcard_change(record, rules, terms, deck)
        by_seat = {} if change is None else {change.seat: change}
        if rules.more_pickups or terms.under is not None:
            _add_further_changes(record, rules, terms, deck, by_seat)
        return by_seat
    return _bid_changes(record, rules, terms, deck)


def _add_further_changes(
    record: HandRecord, rules: Ruleset, terms: Terms, deck: Deck, by_seat: dict[int, Change]
) -> None:
    """Add the changes of a turn-up game besides the up-card."""
    if rules.options.get("dummy", "none") != "none":
        _add_dummy(record, terms, by_seat)
    if terms.under is not None:
        _add_going_under(record, rules, terms, deck, by_seat)
    if record.exchange and rules.options.get("partners_best", "off") != "off":
        _add_partners_best(record, rules, terms, by_seat)


def _add_dummy(record: HandRecord, terms: Terms, by_seat: dict[int, Change]) -> None:
    """The maker may pick up both cards of the dummy, or neither (D-72)."""
    maker = terms.maker
    base = by_seat.get(maker) or Change(maker, lost=_discards(record, maker))
    dummy = record.particulars.dummy if record.particulars else None
    is_taken = base.lost is None or len(base.lost) > base.most
    gained, unseen = base.gained, base.unseen
    if is_taken and dummy is not None:
        gained = (*gained, *dummy)
    elif is_taken:
        unseen += DUMMY
    most = base.most + DUMMY
    most = base.most if base.lost is not None and not is_taken else most
    least = most if base.lost is not None else base.least
    by_seat[maker] = base._replace(gained=gained, unseen=unseen, least=least, most=most)


_UNDER = 3


def _add_going_under(
    record: HandRecord, rules: Ruleset, terms: Terms, deck: Deck, by_seat: dict[int, Change]
) -> None:
    """Three low cards are discarded before the bidding, for the three unseen cards (D-94)."""
    seat = int(terms.under or 0)
    base = by_seat.get(seat) or Change(seat, lost=_discards(record, seat))
    hands = dealt_hands(record, rules)
    upcards = (record.upcard,) if record.upcard else ()
    is_known = None not in hands and record.upcard is not None
    rest = deck.without(chain.from_iterable([*filter(None, hands), upcards])) if is_known else ()
    by_seat[seat] = base._replace(
        gained=(*base.gained, *rest),
        unseen=base.unseen + (0 if is_known else _UNDER),
        least=base.least + _UNDER,
        most=base.most + _UNDER,
    )


def _add_partners_best(
    record: HandRecord, rules: Ruleset, terms: Terms, by_seat: dict[int, Change]
) -> None:
    """The partner who sits out passes a card to the lone hand, which discards one more (D-63)."""
    for passed in record.exchange or ():
        giver, taker = passed.giver, passed.taker
        if taker not in (terms.lone, terms.lone_defender) or giver not in terms.sitting_out:
            continue
        giver_base = by_seat.get(giver) or Change(giver, lost=None)
        count = len(passed.cards)
        by_seat[giver] = giver_base._replace(
            lost=(*(giver_base.lost or ()), *passed.cards),
            least=(0 if giver_base.lost is None else giver_base.least) + count,
            most=giver_base.most + count,
            kept=None if giver_base.kept in passed.cards else giver_base.kept,
            passed=not giver_base.most,
        )
        base = by_seat.get(taker) or Change(taker, lost=_discards(record, taker))
        discards_first = rules.options["partners_best"] == "discard_first"
        by_seat[taker] = base._replace(
            gained=(*base.gained, *passed.cards),
            least=base.least + count,
            most=base.most + count,
            barred=passed.cards if discards_first else (),
        )


def _upcard_change(record: HandRecord, rules: Ruleset, terms: Terms, deck: Deck) -> Change | None:
    """The change of the seat that takes the up-card, or chucks (D-12, D-15, D-29)."""
    upcard = record.upcard
    if terms.taker is None:
        if terms.round is None and upcard is None:  # it is unknown whether it was taken
            return Change(record.dealer, unseen=1, lost=_discards(record, record.dealer), most=1)
        return None
    lost = _discards(record, terms.taker)
    if terms.chuck:
        kitty, unseen = _kitty(record, rules, deck)
        gained = kitty or ((upcard,) if upcard else ())
        return Change(terms.taker, gained, unseen and rules.kitty_size - len(gained), lost,
                      rules.kitty_size, rules.kitty_size, own=True)  # fmt: skip
    optional = rules.options["upcard_pickup"] == "optional"
    if optional and lost == ():
        return Change(terms.taker, lost=lost)
    kept = None if optional or rules.options["may_discard_upcard"] else upcard
    gained = (upcard,) if upcard else ()
    return Change(terms.taker, gained, 0 if upcard else 1, lost, 0 if optional else 1, 1, kept)


def _bid_changes(record: HandRecord, rules: Ruleset, terms: Terms, deck: Deck) -> dict[int, Change]:
    """The kitty for the declarer and, for a lone one, the cards that partners pass."""
    special, kitty_size = terms.special, rules.taken_kitty
    least, most = special.exchange if special else (0, 0)
    if special is not None and special.partners_pass:
        least, most = least * (len(terms.makers) - 1), most * (len(terms.makers) - 1)
    takes_kitty = kitty_size > 0 and (special is None or special.kitty)
    lost = _discards(record, terms.maker)
    by_seat: dict[int, Change] = {}
    gained: tuple[str, ...] = ()
    unseen = 0
    if takes_kitty:
        gained, unseen = _kitty(record, rules, deck)
        least, most = least + kitty_size, most + kitty_size
    if special is not None and special.exchange[1]:
        gained, unseen, passing = _passed(record, terms, gained, unseen)
        by_seat |= {passed.seat: passed for passed in passing}
    if most:
        is_blind = bool(special and special.exchange[1]) and not takes_kitty
        own = is_blind and rules.options.get("exchange_order") == "discard_first"
        by_seat[terms.maker] = Change(terms.maker, gained, unseen, lost, least, most, own=own)
    return by_seat


def _passed(
    record: HandRecord, terms: Terms, gained: tuple[str, ...], unseen: int
) -> tuple[tuple[str, ...], int, list[Change]]:
    """The cards that a lone declarer gets from partners, and the partners' changes."""
    special = terms.special
    least, most = special.exchange if special else (0, 0)
    partners = [seat for seat in terms.makers if seat != terms.maker]
    if record.exchange is None:
        lost = _discards(record, terms.maker)
        most *= len(partners) if special and special.partners_pass else 1
        if lost is not None:  # as many cards came in as were discarded
            most = max(least, min(most, len(lost) - len(gained) - unseen))
        return gained, unseen + most, []
    cards = tuple(chain.from_iterable(e.cards for e in record.exchange if e.taker == terms.maker))
    if not partners:
        return gained, unseen, []
    if special is not None and special.partners_pass:
        passing = [
            Change(seat, lost=_passed_by(record, seat), least=least, most=most, passed=True)
            for seat in partners
        ]
        return gained + cards, unseen, passing
    giver = record.exchange[0].giver if record.exchange else -1
    partner = giver if giver in partners else partners[0]
    change = Change(partner, lost=cards, least=least, most=most, passed=True)
    return gained + cards, unseen, [change]


def _passed_by(record: HandRecord, seat: int) -> tuple[str, ...]:
    """The cards that a partner passed to the declarer."""
    return tuple(chain.from_iterable(e.cards for e in record.exchange or () if e.giver == seat))


def _kitty(record: HandRecord, rules: Ruleset, deck: Deck) -> tuple[tuple[str, ...], int]:
    """The kitty's cards and 0 if every hand is known, else no cards and its size."""
    hands = dealt_hands(record, rules)
    if None in hands:
        return (), rules.kitty_size
    return deck.without(chain.from_iterable(filter(None, hands))), 0


def _discards(record: HandRecord, seat: int) -> tuple[str, ...] | None:
    if record.discards is None or seat >= len(record.discards):
        return None
    return record.discards[seat]


def outline_faults(
    record: HandRecord, rules: Ruleset, terms: Terms, by_seat: dict[int, Change]
) -> list[Fault]:
    """Discards and exchanges by the wrong seats, or of the wrong number of cards."""
    faults: list[Fault] = []
    players = rules.players
    if record.discards is not None:
        if len(record.discards) != players:
            wrong = fault("bad-format/wrong-length", players, field="discards", count=players)
            faults.append(wrong)
        for seat, cards in enumerate(record.discards[:players]):
            if cards and (seat not in by_seat or by_seat[seat].passed):
                field = f"discards[{seat}]"
                faults.append(fault("bad-discard/nobody", players, seat=seat, field=field))
    if record.exchange is not None:
        faults += _exchange_faults(record.exchange, rules, terms)
        faults += _uneven_exchange(rules, by_seat.get(terms.maker))
    for change in by_seat.values():
        if change.lost is not None and not change.least <= len(change.lost) <= change.most:
            faults.append(_miscounted(rules, change, len(change.lost)))
        if change.barred or terms.under is not None:
            faults += _late_discards(record, rules, terms, change)
        if change.kept is not None and change.kept in (change.lost or ()):
            wrong = fault("bad-discard/upcard", players, seat=change.seat, card=change.kept)
            faults.append(wrong)
    return faults


def _miscounted(rules: Ruleset, change: Change, found: int) -> Fault:
    kind = "bad-exchange" if change.passed else "bad-discard"
    count = change.most if change.least == change.most else f"{change.least}-{change.most}"
    return fault(f"{kind}/count", rules.players, seat=change.seat, found=found, count=count)


def _late_discards(
    record: HandRecord, rules: Ruleset, terms: Terms, change: Change
) -> Iterator[Fault]:
    """Discards of cards that came too late, or of too few low cards by a seat that went under."""
    lost, players, seat = change.lost, rules.players, change.seat
    if lost is None:
        return
    for card in lost:
        if card in change.barred:
            yield fault("bad-discard/received", players, seat=seat, card=card)
    dealt = dealt_hands(record, rules)[seat]
    low = [card for card in lost if card[0] in "9T" and (dealt is None or card in dealt)]
    if terms.under == seat and change.least <= len(lost) and len(low) < _UNDER:
        yield fault("bad-discard/under", players, seat=seat)


def _exchange_faults(
    exchange: tuple[Exchange, ...], rules: Ruleset, terms: Terms
) -> Iterator[Fault]:
    players, special = rules.players, terms.special
    partners = [seat for seat in terms.makers if seat != terms.maker]
    if rules.options.get("partners_best", "off") != "off":
        yield from _best_card_faults(exchange, rules, terms)
        return
    allowed = bool(special and special.exchange[1] and partners)
    for place, passed in enumerate(exchange):
        field = f"exchange[{place}]"
        if not (0 <= passed.giver < players and 0 <= passed.taker < players):
            yield fault("bad-seat/none-such", players, field=field)
        elif not allowed:
            yield fault("bad-exchange/none", players, seat=passed.giver, field=field)
        elif passed.giver not in partners or passed.taker != terms.maker:
            yield fault("bad-exchange/players", players, field=field,
                        who=partners[0], who_taker=terms.maker)  # fmt: skip


def _best_card_faults(
    exchange: tuple[Exchange, ...], rules: Ruleset, terms: Terms
) -> Iterator[Fault]:
    """One card for each lone hand, from the partner who sits out."""
    players, served = rules.players, set()
    loners = {seat for seat in (terms.lone, terms.lone_defender) if seat is not None}
    for place, passed in enumerate(exchange):
        field = f"exchange[{place}]"
        if not (0 <= passed.giver < players and 0 <= passed.taker < players):
            yield fault("bad-seat/none-such", players, field=field)
        elif not loners:
            yield fault("bad-exchange/none", players, seat=passed.giver, field=field)
        elif passed.taker not in loners or passed.giver != (passed.taker + 2) % players:
            loner = min(loners) if passed.taker not in loners else passed.taker
            yield fault("bad-exchange/players", players, field=field,
                        who=(loner + 2) % players, who_taker=loner)  # fmt: skip
        elif len(passed.cards) != 1 or passed.taker in served:
            found = len(passed.cards) + (passed.taker in served)
            yield fault("bad-exchange/count", players, field=field, found=found, count=1)
        served.add(passed.taker)


def _uneven_exchange(rules: Ruleset, change: Change | None) -> Iterator[Fault]:
    """A fault if the declarer does not discard as many cards as were taken up."""
    if change is None or change.lost is None or rules.family == TURN_UP:
        return
    count, due = len(change.lost), len(change.gained) + change.unseen
    if count != due and change.least <= count <= change.most:
        yield fault("bad-discard/count", rules.players, seat=change.seat, found=count, count=due)


def unlikely(record: HandRecord, rules: Ruleset, terms: Terms) -> tuple[Fault, ...]:
    """Warnings about legal pick-ups that are worth a second look."""
    taker, upcard = terms.taker, record.upcard
    discards = _discards(record, taker) if taker is not None and upcard is not None else None
    if not discards or upcard not in discards:
        return ()
    return (fault("up-card-discarded/card", rules.players, seat=taker, card=upcard),)


def hand_in_play(
    rules: Ruleset, dealt: Sequence[str], change: Change, pile: Sequence[str], finished: bool
) -> tuple[list[str] | None, Sequence[Fault]]:
    """The cards with which a seat starts the play, and what is wrong with its pick-up or discard.

    None if the discard is wrong, since that would cause more faults in every trick. `pile` are the
    cards that the seat played, which show what was not recorded. `finished` says that every card
    was played, so that cards not shown were discarded.
    """
    pool = [*dealt, *change.gained]
    if change.unseen or change.lost is None:
        played = [card for card in pile if card]
        pool += _seen_later(pool, change, played)
        if change.lost is None:
            return _deduced(rules, pool, change, played, finished)
    start = left_over(pool, change.lost)
    is_wrong = change.kept in change.lost or not change.least <= len(change.lost) <= change.most
    if len(start) == len(pool) - len(change.lost) and not change.own:
        return (None if is_wrong else start), ()
    faults = list(_lost_faults(rules, dealt, pool, change))
    return (None if is_wrong or faults else start), faults


def _seen_later(pool: list[str], change: Change, played: list[str]) -> list[str]:
    """Cards taken up unseen that show in the play or the discard, at most `change.unseen`."""
    strange = left_over(played, pool)[: change.unseen]
    room = change.unseen - len(strange)
    if change.lost is None or not room:
        return strange
    kept = left_over([*pool, *strange], played)
    return strange + left_over(change.lost, kept)[:room]


def gone_faults(rules: Ruleset, change: Change, pile: Sequence[str]) -> Iterator[Fault]:
    """Faults for cards that a seat with an unknown hand gained, but neither played nor discarded.

    `pile` are the cards it played in a finished hand.
    """
    discards = () if change.own else change.lost or ()
    for card in left_over(change.gained, [*pile, *discards]):
        if card == change.kept:
            yield fault("bad-discard/upcard", rules.players, seat=change.seat, card=card)
        elif change.own or change.lost is not None:
            yield fault("bad-discard/gone", rules.players, seat=change.seat, card=card)


def _lost_faults(
    rules: Ruleset, dealt: Sequence[str], pool: list[str], change: Change
) -> Iterator[Fault]:
    kind = "bad-exchange" if change.passed else "bad-discard"
    lost = change.lost or ()
    for card in left_over(lost, pool):
        yield fault(f"{kind}/not-held", rules.players, seat=change.seat, card=card)
    if change.own:
        for card in left_over(left_over(lost, dealt), left_over(lost, pool)):
            yield fault("bad-discard/received", rules.players, seat=change.seat, card=card)


def _deduced(
    rules: Ruleset, pool: list[str], change: Change, played: list[str], finished: bool
) -> tuple[list[str] | None, list[Fault]]:
    """The starting hand without the cards that were never played, and so were discarded."""
    unplayed = left_over(pool, played)
    faults = []
    keeps_unplayed = change.kept is not None and change.kept in unplayed
    if finished and keeps_unplayed and not left_over(played, pool):
        faults.append(
            fault("bad-discard/upcard", rules.players, seat=change.seat, card=change.kept)
        )
    return left_over(pool, unplayed), faults
