"""An EGN game checked against the rules, hand by hand, unseen cards filled in every way."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice, permutations
from typing import Any

from scoring.cards import left_over
from scoring.checks import check_hand
from scoring.egn.deals import Deal
from scoring.egn.games import EgnGame
from scoring.egn.notation import UNKNOWN
from scoring.endings import Standing
from scoring.faults import Answer, Fault, fault
from scoring.games import step
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


@dataclass(frozen=True, slots=True)
class GameAnswer:
    """What a recorded game comes to (hand-record.md, "Command line").

    `score` is by side; `faults` are the file's own and every hand's, those with their number.
    """

    valid: bool
    score: tuple[int, ...] = ()
    over: bool = False
    winners: tuple[int, ...] = ()
    hands: tuple[Answer, ...] = ()
    faults: tuple[Fault, ...] = ()
    warnings: tuple[Fault, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The line `check_game` prints, without the file's name."""
        return {
            "valid": self.valid,
            "score": list(self.score),
            "over": self.over,
            "winners": list(self.winners),
            "hands": [answer.to_json() for answer in self.hands],
            "faults": [one.to_json() for one in self.faults],
            "warnings": [one.to_json() for one in self.warnings],
        }


def check_game(game: EgnGame) -> GameAnswer:
    """Fold the game's deals; a final score in the file that differs from theirs is a fault."""
    if game.rules is None:
        return GameAnswer(False, faults=game.faults, warnings=game.warnings)
    rules = game.rules
    standing = Standing(score=game.initial_score, next_dealer=None)
    answers: list[Answer] = []
    faults = list(game.faults)
    for number, deal in enumerate(game.deals, start=1):
        answer = check_deal(deal, rules)
        dealer = deal.record.dealer if deal.record else None
        standing, found = step(rules, standing, answer, dealer=dealer)
        faults += [replace(one, hand=number) for one in found]
        answers.append(answer)
    all_settled = all(answer.points is not None for answer in answers)
    if game.final_score is not None and all_settled and game.final_score != standing.score:
        faults.append(_other_end(game.final_score, standing.score))
    return GameAnswer(
        valid=not faults,
        score=standing.score,
        over=standing.over,
        winners=standing.winners if standing.over else (),
        hands=tuple(answers),
        faults=tuple(faults),
        warnings=game.warnings,
    )


def check_deal(deal: Deal, rules: Ruleset) -> Answer:
    """The answer to one deal. Cards not seen are warned of; they never make a hand invalid."""
    if deal.record is None:
        return Answer(False, faults=deal.faults, warnings=deal.warnings)
    played = {card for trick in deal.record.tricks or () for card in trick.cards}
    twice = [fault("duplicate-card/twice", card=card) for card in deal.kitty if card in played]
    if twice:
        return Answer(False, faults=tuple(twice), warnings=deal.warnings)
    if not deal.unknown:
        answer = check_hand(deal.record, rules)
        return replace(answer, warnings=(*deal.warnings, *answer.warnings))
    filled = complete(deal.record, rules, deal.kitty)
    if filled is None:
        dark = fault("unknown-cards/unverifiable", field="tricks")
        return Answer(True, warnings=(*deal.warnings, dark))
    answer = check_hand(filled, rules)
    agreed = fault("unknown-cards/agreed", field="tricks")
    return replace(answer, warnings=(*deal.warnings, agreed, *answer.warnings))


def _other_end(written: tuple[int, ...], score: tuple[int, ...]) -> Fault:
    said, found = ("–".join(map(str, points)) for points in (written, score))
    return fault("points-mismatch/final", field="finalScore", text=said, text_found=found)
