"""Pick-up, kitty, discard and exchange: how a hand as dealt becomes the hand that is played."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from scoring.auction.terms import Terms
from scoring.cards import left_over
from scoring.faults import Fault, fault
from scoring.play.deal import Deck, dealt_hands
from scoring.records import Exchange, HandRecord
from scoring.rulesets import Ruleset
from scoring.rulesets.options import TURN_UP


class Change(NamedTuple):
    """What one seat takes up and lays away before the play.

    `gained` are the cards known to come in, `unseen` how many more come in unseen by us; `lost`
    what is laid away or passed on (None = not written down), `least` to `most` cards of it.
    `kept` is a card that may not be laid away; `own` says that only cards dealt may go.
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


def cards_changed(record: HandRecord) -> int | None:
    """How many cards came from the partner, where the exchange was written down."""
    return None if record.exchange is None else sum(len(e.cards) for e in record.exchange)


def changes(record: HandRecord, rules: Ruleset, terms: Terms, deck: Deck) -> dict[int, Change]:
    """Every seat whose hand changes between deal and play."""
    if rules.family == TURN_UP:
        change = _turn_up(record, rules, terms, deck)
        return {} if change is None else {change.seat: change}
    return _bid(record, rules, terms, deck)


def _turn_up(record: HandRecord, rules: Ruleset, terms: Terms, deck: Deck) -> Change | None:
    """The one who takes the up-card, or chucks his hand for the kitty (D-12, D-15, D-29)."""
    upcard = record.upcard
    if terms.taker is None:
        if terms.round is None and upcard is None:  # nobody wrote down whether it was taken
            return Change(record.dealer, unseen=1, lost=_laid(record, record.dealer), most=1)
        return None
    lost = _laid(record, terms.taker)
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


def _bid(record: HandRecord, rules: Ruleset, terms: Terms, deck: Deck) -> dict[int, Change]:
    """The declarer's kitty and, when he plays alone, the cards his partner passes him."""
    special, kitty_size = terms.special, rules.kitty_size
    least, most = special.exchange if special else (0, 0)
    takes_kitty = kitty_size > 0 and (special is None or special.kitty)
    lost = _laid(record, terms.maker)
    found: dict[int, Change] = {}
    gained: tuple[str, ...] = ()
    unseen = 0
    if takes_kitty:
        gained, unseen = _kitty(record, rules, deck)
        least, most = least + kitty_size, most + kitty_size
    if special is not None and special.exchange[1]:
        gained, unseen, passed = _passed(record, terms, gained, unseen)
        if passed is not None:
            found[passed.seat] = passed
    if most:
        blind = bool(special and special.exchange[1]) and not takes_kitty
        own = blind and rules.options.get("exchange_order") == "discard_first"
        found[terms.maker] = Change(terms.maker, gained, unseen, lost, least, most, own=own)
    return found


def _passed(
    record: HandRecord, terms: Terms, gained: tuple[str, ...], unseen: int
) -> tuple[tuple[str, ...], int, Change | None]:
    """What the lone declarer gets from his partner, and what that leaves the partner."""
    special = terms.special
    least, most = special.exchange if special else (0, 0)
    if record.exchange is None:
        lost = _laid(record, terms.maker)
        if lost is not None:  # as many came in as went out
            most = max(least, min(most, len(lost) - len(gained) - unseen))
        return gained, unseen + most, None
    cards = tuple(chain.from_iterable(e.cards for e in record.exchange if e.taker == terms.maker))
    partners = [seat for seat in terms.makers if seat != terms.maker]
    giver = record.exchange[0].giver if record.exchange else -1
    if not partners:
        return gained, unseen, None
    partner = giver if giver in partners else partners[0]
    return gained + cards, unseen, Change(
        partner, lost=cards, least=least, most=most, passed=True
    )  # fmt: skip


def _kitty(record: HandRecord, rules: Ruleset, deck: Deck) -> tuple[tuple[str, ...], int]:
    """The kitty's cards where every hand is known, else how many cards it has."""
    hands = dealt_hands(record, rules)
    if None in hands:
        return (), rules.kitty_size
    return deck.without(chain.from_iterable(filter(None, hands))), 0


def _laid(record: HandRecord, seat: int) -> tuple[str, ...] | None:
    if record.discards is None or seat >= len(record.discards):
        return None
    return record.discards[seat]


def outline_faults(
    record: HandRecord, rules: Ruleset, terms: Terms, found: dict[int, Change]
) -> list[Fault]:
    """Discards and exchanges by the wrong seats, or of the wrong number of cards."""
    faults: list[Fault] = []
    players = rules.players
    if record.discards is not None:
        if len(record.discards) != players:
            wrong = fault("bad-format/wrong-length", players, field="discards", count=players)
            faults.append(wrong)
        for seat, cards in enumerate(record.discards[:players]):
            if cards and (seat not in found or found[seat].passed):
                field = f"discards[{seat}]"
                faults.append(fault("bad-discard/nobody", players, seat=seat, field=field))
    if record.exchange is not None:
        faults += _exchange_faults(record.exchange, rules, terms)
        faults += _uneven_exchange(rules, found.get(terms.maker))
    for change in found.values():
        if change.lost is not None and not change.least <= len(change.lost) <= change.most:
            kind = "bad-exchange" if change.passed else "bad-discard"
            count = change.most if change.least == change.most else f"{change.least}-{change.most}"
            told = {"seat": change.seat, "found": len(change.lost), "count": count}
            faults.append(fault(f"{kind}/count", players, **told))
        if change.kept is not None and change.kept in (change.lost or ()):
            kept = fault("bad-discard/upcard", players, seat=change.seat, card=change.kept)
            faults.append(kept)
    return faults


def _exchange_faults(
    exchange: tuple[Exchange, ...], rules: Ruleset, terms: Terms
) -> Iterator[Fault]:
    players, special = rules.players, terms.special
    partners = [seat for seat in terms.makers if seat != terms.maker]
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


def _uneven_exchange(rules: Ruleset, change: Change | None) -> Iterator[Fault]:
    """The declarer lays away as many as he takes in."""
    if change is None or change.lost is None:
        return
    count, expected = len(change.lost), len(change.gained) + change.unseen
    if count != expected and change.least <= count <= change.most:
        yield fault("bad-discard/count", rules.players, seat=change.seat,
                    found=count, count=expected)  # fmt: skip


def unlikely(record: HandRecord, rules: Ruleset, terms: Terms) -> tuple[Fault, ...]:
    """Legal pick-ups worth a second look."""
    taker, upcard = terms.taker, record.upcard
    laid = _laid(record, taker) if taker is not None and upcard is not None else None
    if not laid or upcard not in laid:
        return ()
    return (fault("up-card-discarded/card", rules.players, seat=taker, card=upcard),)


def hand_in_play(
    rules: Ruleset, dealt: tuple[str, ...], change: Change, pile: Sequence[str], finished: bool
) -> tuple[list[str] | None, Sequence[Fault]]:
    """The cards a seat starts the play with, and what its pick-up or discard got wrong.

    None when it cannot be said: what was laid away is wrong, and would only be wrong again in
    every trick. `pile` is what the seat played; it settles what was not written down.
    `finished` says that every card was played, so that what was not shown was laid away.
    """
    pool = [*dealt, *change.gained]
    if change.unseen or change.lost is None:
        shown = [card for card in pile if card]
        pool += _seen_later(pool, change, shown)
        if change.lost is None:
            return _deduced(rules, pool, change, shown, finished)
    start = left_over(pool, change.lost)
    wrong = change.kept in change.lost or not change.least <= len(change.lost) <= change.most
    if len(start) == len(pool) - len(change.lost) and not change.own:
        return (None if wrong else start), ()
    faults = list(_lost_faults(rules, dealt, pool, change))
    return (None if wrong or faults else start), faults


def _seen_later(pool: list[str], change: Change, shown: list[str]) -> list[str]:
    """The cards taken up unseen that were played or laid away, as far as there is room."""
    strange = left_over(shown, pool)[: change.unseen]
    room = change.unseen - len(strange)
    if change.lost is None or not room:
        return strange
    kept = left_over([*pool, *strange], shown)
    return strange + left_over(change.lost, kept)[:room]


def gone_faults(rules: Ruleset, change: Change, pile: Sequence[str]) -> Iterator[Fault]:
    """Cards that came to a seat whose hand is not known, and that it cannot have got rid of.

    `pile` is what it played in a finished hand: what is not in it was laid away.
    """
    laid = () if change.own else change.lost or ()
    for card in left_over(change.gained, [*pile, *laid]):
        if card == change.kept:
            yield fault("bad-discard/upcard", rules.players, seat=change.seat, card=card)
        elif change.own or change.lost is not None:
            yield fault("bad-discard/gone", rules.players, seat=change.seat, card=card)


def _lost_faults(
    rules: Ruleset, dealt: tuple[str, ...], pool: list[str], change: Change
) -> Iterator[Fault]:
    kind = "bad-exchange" if change.passed else "bad-discard"
    lost = change.lost or ()
    for card in left_over(lost, pool):
        yield fault(f"{kind}/not-held", rules.players, seat=change.seat, card=card)
    if change.own:
        for card in left_over(left_over(lost, dealt), left_over(lost, pool)):
            yield fault("bad-discard/received", rules.players, seat=change.seat, card=card)


def _deduced(
    rules: Ruleset, pool: list[str], change: Change, shown: list[str], finished: bool
) -> tuple[list[str] | None, list[Fault]]:
    """What was laid away, told by what was never played."""
    away = left_over(pool, shown)
    faults = []
    if finished and change.kept is not None and change.kept in away and not left_over(shown, pool):
        faults.append(
            fault("bad-discard/upcard", rules.players, seat=change.seat, card=change.kept)
        )
    return left_over(pool, away), faults
