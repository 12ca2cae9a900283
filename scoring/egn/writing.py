"""Games written as EGN, several as EMN: for other programs, and to be read back the same."""

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.egn.games import FILE_TYPE, EgnGame
from scoring.egn.switches import unwritable, write_switches
from scoring.egn.written_deals import missing, unholdable, write_deal
from scoring.records import HandRecord
from scoring.rulesets import Ruleset
from scoring.rulesets.options import TURN_UP

VERSION = "1.4"
MATCH_TYPE = "Euchre Match Notation"
MATCH_VERSION = "1.0"


class EgnError(ValueError):
    """A game that EGN cannot hold; `reasons` are sentences."""

    def __init__(self, reasons: Sequence[str]) -> None:
        super().__init__("; ".join(reasons))
        self.reasons = tuple(reasons)


def write_game(
    rules: Ruleset,
    hands: Sequence[HandRecord],
    players: Sequence[str],
    *,
    initial_score: Sequence[int] = (0, 0),
    final_score: Sequence[int] | None = None,
    about: Mapping[str, Any] | None = None,
    notes: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    """The decoded EGN file of a game. `notes` are annotations by hand, as a game read keeps them.

    Raises EgnError with every reason when EGN cannot hold the game: another number of players,
    a bid game, rules without a switch, hands without their cards.
    """
    reasons = [*_rule_reasons(rules), *_hand_reasons(hands)]
    if reasons:
        raise EgnError(reasons)
    kept = dict(about or {})
    kept.setdefault("players", list(players))
    metadata = {
        **kept,
        "initialScore": list(initial_score),
        "ruleset": write_switches(rules.options),
    }
    if final_score is not None:
        metadata["finalScore"] = list(final_score)
    each = [*notes, *[{}] * (len(hands) - len(notes))]
    pairs = enumerate(zip(hands, each, strict=True))
    deals = [write_deal(number, hand, note) for number, (hand, note) in pairs]
    return {"fileType": FILE_TYPE, "version": VERSION, "metadata": metadata, "deals": deals}


def rewrite_game(game: EgnGame) -> dict[str, Any]:
    """A game that was read, written again: everything with a meaning kept, annotations too."""
    if game.rules is None or any(deal.record is None for deal in game.deals):
        raise EgnError(["The game could not be read whole."])
    return write_game(
        game.rules,
        [deal.record for deal in game.deals if deal.record],
        game.players,
        initial_score=game.initial_score,
        final_score=game.final_score,
        about=game.about,
        notes=[deal.notes for deal in game.deals],
    )


def _rule_reasons(rules: Ruleset) -> list[str]:
    if rules.family != TURN_UP or rules.players != 4:
        return ["EGN holds turn-up games of four players only."]
    return [f"EGN has no switch for {name} = {rules.options[name]}." for name in unwritable(rules)]


def _hand_reasons(hands: Sequence[HandRecord]) -> list[str]:
    reasons = []
    for number, hand in enumerate(hands, start=1):
        if lacking := missing(hand):
            reasons.append(f"Hand {number} was recorded without its {lacking}.")
        if surplus := unholdable(hand):
            reasons.append(f"EGN has no place for the {surplus} of hand {number}.")
    return reasons
