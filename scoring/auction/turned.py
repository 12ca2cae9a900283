"""The up-card of a turn-up game: what it proposes, and what may be named after it."""

from scoring.cards import JOKER, suit_printed
from scoring.rulesets import Ruleset

BLIND, REDEAL = "dealer_names_blind_and_makes", "redeal"
SMITTY, SMITTY_GAME, CHUCK = "smitty", "smitty_game", "chuck"


def turned_suit(rules: Ruleset, upcard: str | None) -> str | None:
    """The suit the up-card proposes; None when unknown or to be named."""
    if upcard == JOKER:
        fixed = rules.options["joker_turned_up"] == "fixed_suit"
        return rules.options["joker_suit"] if fixed else None
    return suit_printed(upcard) if upcard else None
