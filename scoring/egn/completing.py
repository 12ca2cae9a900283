"""Hands of which one or two played cards were not seen: do all ways to fill them in pay alike?"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, permutations

from scoring.cards import left_over
from scoring.checks import check_hand
from scoring.egn.notation import UNKNOWN
from scoring.records import HandRecord, Trick
from scoring.rulesets import Ruleset

MOST_UNKNOWN = 2


def complete(record: HandRecord, rules: Ruleset, kitty: tuple[str, ...]) -> HandRecord | None:
    """The record with unseen cards filled in, when all legal ways to do so pay the same.

    None when the ways differ, or more than `MOST_UNKNOWN` cards are missing. When no way is legal
    the first one is returned: its faults are the hand's faults.
    """
    if sum(trick.cards.count(UNKNOWN) for trick in record.tricks or ()) > MOST_UNKNOWN:
        return None
    ways = list(islice(_ways(record, rules, kitty), None if _whole(record, rules) else 1))
    answers = [(way, check_hand(way, rules)) for way in ways]
    legal = [(way, answer) for way, answer in answers if answer.valid]
    if not legal:
        return ways[0] if ways else None
    pays = {(answer.points, answer.next_dealer) for _, answer in legal}
    return legal[0][0] if len(pays) == 1 else None


def _whole(record: HandRecord, rules: Ruleset) -> bool:
    """Whether there is a card, seen or not, for every play; if not, no filling in helps."""
    tricks = record.tricks or ()
    return len(tricks) == rules.hand_size and len({len(trick.cards) for trick in tricks}) == 1


def _ways(record: HandRecord, rules: Ruleset, kitty: tuple[str, ...]) -> Iterator[HandRecord]:
    tricks = record.tricks or ()
    seen = [card for trick in tricks for card in trick.cards if card != UNKNOWN]
    unseen = left_over(rules.deck, [*seen, *kitty])
    holes = sum(trick.cards.count(UNKNOWN) for trick in tricks)
    for cards in permutations(unseen, holes):
        filling = iter(cards)
        yield replace(record, tricks=tuple(_filled(trick, filling) for trick in tricks))


def _filled(trick: Trick, filling: Iterator[str]) -> Trick:
    cards = tuple(next(filling) if card == UNKNOWN else card for card in trick.cards)
    return trick._replace(cards=cards)
