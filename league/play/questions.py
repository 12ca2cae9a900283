"""What the table page asks for one hand under a ruleset: only what these rules can answer."""

from dataclasses import dataclass

from league.members.models import Club
from scoring import Ruleset
from scoring.auction.terms import PASSED
from scoring.settling import dealer_after_throw_in, next_dealer

TURN_UP = "turn_up"


@dataclass(frozen=True, slots=True)
class Questions:
    """`tricks` is how many a hand has; `by_outcome` asks euchred, made or march instead.

    `by_seat`: every seat's tricks are asked, since each defender scores his own.
    """

    family: str
    players: int
    tricks: int
    by_outcome: bool
    by_seat: bool
    alone: bool
    lone_defender: bool
    partner_alone: bool
    pass_out: bool
    bids: tuple[int, ...]
    specials: tuple[str, ...]
    trumps: tuple[str, ...]
    deck: tuple[str, ...]

    @property
    def is_turn_up(self) -> bool:
        return self.family == TURN_UP


def questions_of(rules: Ruleset, tricks_entry: str = Club.TricksEntry.COUNT) -> Questions:
    """The questions of a ruleset; euchred, made or march only where these settle the points."""
    options, turn_up = rules.options, rules.family == TURN_UP
    return Questions(
        family=rules.family,
        players=rules.players,
        tricks=rules.hand_size,
        by_outcome=turn_up
        and tricks_entry == Club.TricksEntry.OUTCOMES
        and _outcomes_settle(rules),
        by_seat=not turn_up and options.get("three_player_defence") == "each",
        alone=turn_up and rules.partnership,
        lone_defender=turn_up and options.get("defend_alone", "never") != "never",
        partner_alone=turn_up and options.get("alone_by") == "maker_side",
        pass_out=_can_pass_out(rules),
        bids=() if turn_up else tuple(range(options["min"], rules.hand_size + 1)),
        specials=tuple(special.name for special in rules.specials),
        trumps=_trumps(rules),
        deck=tuple(dict.fromkeys(rules.deck)),
    )


def deals_after(rules: Ruleset) -> dict[str, str]:
    """Who deals after each seat's deal, in order of seats: once a hand was played, and once
    everybody passed. A phone needs it to go on while it can ask nobody."""
    seats = range(rules.players)
    played = [next_dealer(rules, seat) for seat in seats]
    passed = [dealer_after_throw_in(rules, seat, PASSED) for seat in seats]
    return {"played": " ".join(map(str, played)), "passed": " ".join(map(str, passed))}


def _outcomes_settle(rules: Ruleset) -> bool:
    """Whether every euchre pays the same, however many tricks the makers took (D-22, D-48)."""
    options = rules.options
    if options.get("super_euchre", "off") != "off":
        return False
    alone = options.get("defend_alone", "never") != "never"
    return not alone or bool(options["lone_def_euchre"] == options["lone_def_march"])


def _can_pass_out(rules: Ruleset) -> bool:
    options = rules.options
    if rules.family == TURN_UP:
        return not options["stick_the_dealer"]
    somebody_must = options["all_pass"] == "dealer_must_bid_min"  # noqa: S105 (no password)
    return not somebody_must and not options.get("eldest_must_open")


def _trumps(rules: Ruleset) -> tuple[str, ...]:
    forbidden = rules.options.get("forbidden_trumps", ())
    suits = tuple(suit for suit in "shdc" if suit not in forbidden)
    if rules.family == TURN_UP:
        return suits + (("nt",) if rules.options["no_trump"] != "never" else ())
    words = {"high": "nt", "low": "ntl"}
    return suits + tuple(words[bid] for bid in rules.options["nt"])
