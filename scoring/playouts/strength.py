"""How good a hand is under a trump: enough sense to make games look like people played them."""

from collections.abc import Iterable

from scoring.cards import ALL_CARDS, JOKER, NO_TRUMP, NO_TRUMP_LOW, SUITS
from scoring.rulesets import Ruleset
from scoring.trump import trump_table

_TRUMP_WORTH = (0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.9, 1.0, 1.0)
_TOP_SIDE_CARD = 0.7


def tricks_expected(cards: Iterable[str], trump: str) -> float:
    """Roughly how many tricks these cards take by themselves."""
    table = trump_table(trump)
    total = 0.0
    for card in cards:
        if table.suit[card] == trump or card == JOKER:
            total += _TRUMP_WORTH[min(_rank(card, trump), len(_TRUMP_WORTH) - 1)]
        elif card[0] == ("9" if trump == NO_TRUMP_LOW else "A"):
            total += _TOP_SIDE_CARD
    return total


def _rank(card: str, trump: str) -> int:
    """How many ranks of trump lie below this card."""
    table = trump_table(trump)
    power = table.power[table.suit[card]]
    trumps = {power(other) for other in ALL_CARDS if table.suit[other] == table.suit[card]}
    return sorted(trumps).index(power(card))


def best_trumps(cards: Iterable[str], rules: Ruleset, allowed: Iterable[str] = ()) -> list[str]:
    """The denominations the rules have, the most promising first."""
    held = list(cards)
    names = list(allowed) or denominations(rules)
    return sorted(names, key=lambda trump: (-tricks_expected(held, trump), trump))


def denominations(rules: Ruleset) -> list[str]:
    """Every trump that somebody may at some time name under these rules."""
    no_trumps = rules.options.get("nt", ())
    names = [*SUITS]
    if "high" in no_trumps or rules.options.get("no_trump") == "second_round":
        names.append(NO_TRUMP)
    if "low" in no_trumps:
        names.append(NO_TRUMP_LOW)
    barred = rules.options.get("forbidden_trumps", ())
    return [name for name in names if name not in barred]


def weakest(cards: Iterable[str], trump: str, count: int) -> list[str]:
    """The cards one would lay away: side cards before trumps, low before high."""
    table = trump_table(trump)
    ordered = sorted(cards, key=lambda card: (table.power[table.suit[card]](card), card))
    return ordered[:count]
