"""The rules engine: checks hands, scores them, and folds them into games. Standard library only.

A ruleset says how a game is played and scored, a hand record what happened in one deal.
`check_hand` returns a hand's result or everything wrong with it, `play_game` folds hands into a
game. Every value of a ruleset has its source as "seed:line".

>>> rules = ruleset("ferguson-2023-four-handed")
>>> hand = {"dealer": 0, "contract": {"seat": 2, "trump": "c"}, "outcome": "euchred"}
>>> check_hand(hand, rules).points
(0, 2, 0, 2)
"""

from scoring.auction.bid_calls import value_of as bid_value
from scoring.auction.terms import PASSED
from scoring.checks import check_hand
from scoring.endings import Ended, Standing
from scoring.faults import Answer, Fault
from scoring.games import GameState, play_game, step
from scoring.penalties import Ruling
from scoring.records import Call, Contract, Exchange, HandRecord, Penalty, RecordError, Trick
from scoring.rulesets import Ruleset, RulesetError, preset_ids, reshaped, ruleset
from scoring.rulesets.idle import Idle, idle_options
from scoring.settling import dealer_after_throw_in, next_dealer

__all__ = [
    "PASSED",
    "Answer",
    "Call",
    "Contract",
    "Ended",
    "Exchange",
    "Fault",
    "GameState",
    "HandRecord",
    "Idle",
    "Penalty",
    "RecordError",
    "Ruleset",
    "RulesetError",
    "Ruling",
    "Standing",
    "Trick",
    "bid_value",
    "check_hand",
    "dealer_after_throw_in",
    "idle_options",
    "next_dealer",
    "play_game",
    "preset_ids",
    "reshaped",
    "ruleset",
    "step",
]
