"""The questions that clubs ask first about their rules, each with an example for the game."""

from collections.abc import Callable
from typing import Any, NamedTuple

from django.utils.translation import gettext_lazy as _

from league.members.game_facts import PLAYERS
from scoring import Ruleset
from scoring.rulesets.options import TURN_UP


class Question(NamedTuple):
    """A question about a rule, and an example that holds for any answer."""

    text: Any
    example: Any


# In the order in which clubs ask; a page shows the first ten that a game has.
QUESTIONS: dict[str, Question] = {
    "target": Question(
        _("How many points win a game?"),
        _("A side that is one point short wins with the next point."),
    ),
    "hands": Question(
        _("Or how many hands are played?"),
        _("At 16: after sixteen hands the best score wins."),
    ),
    "deck": Question(
        _("How many cards do you play with?"),
        _("24 cards: nine to ace. 32 cards: seven to ace. 25 adds the joker, the best trump."),
    ),
    "min": Question(_("What is the lowest bid?"), _("At 3: Ruth can say “three”, but not “two”.")),
    "auction": Question(
        _("How does the bidding go?"),
        _("Once round: Ruth bids 3, Walter 4, Pat passes, Dave passes. Walter has it."),
    ),
    "dealer_may_equal": Question(
        _("Can the dealer take the bid without going higher?"),
        _("Yes: Ruth bids 4, and Dave, who dealt, takes it for 4. No: Dave has to bid 5."),
    ),
    "all_pass": Question(
        _("What happens when everyone passes?"),
        _("Thrown in: the cards are dealt again. Lowest bid: the dealer has to play it."),
    ),
    "stick_the_dealer": Question(
        _("Stick the dealer?"),
        _("Yes: all pass twice, so Dave, who dealt, must name a suit. No: deal again."),
    ),
    "march": Question(
        _("What is a march worth?"), _("At %(n)s: a side takes all five tricks and scores %(n)s.")
    ),
    "lone_march": Question(
        _("What is a march alone worth?"),
        _("At %(n)s: Ruth says “alone” and takes all five tricks. Her side scores %(n)s."),
    ),
    "euchre": Question(
        _("What does a euchre pay?"),
        _("At %(n)s: Ruth makes trump, her side takes only two tricks. The others score %(n)s."),
    ),
    "defend_alone": Question(
        _("Can a defender play alone?"),
        _("Never: both defenders always play. Always: Walter can say “I defend alone”."),
    ),
    "partner_order_alone": Question(
        _("Does the dealer's partner have to go alone to order up?"),
        _("Yes: Walter orders up his partner Dave's card. Dave lays down his cards."),
    ),
    "farmers": Question(
        _("Farmer's hand: can it be dealt again?"),
        _("Dealt again: Pat holds 9, 9, 10 and two more, shows them, and the hand starts over."),
    ),
    "no_trump": Question(
        _("Can a hand be played without trump?"),
        _("In the second round: after all have passed once, Ruth can call “no trump”."),
    ),
    "nt": Question(
        _("Which no-trump bids are there?"),
        _("High: the highest card of the suit led wins. Low: the lowest card of it wins."),
    ),
    "set_costs": Question(
        _("What does a failed bid cost?"),
        _("The bid: Ruth bids 4 and her side takes three tricks. They lose 4 points."),
    ),
    "win_rule": Question(
        _("Which hand can win the game?"),
        _("Any hand: a side can win with tricks it takes while the others bid."),
    ),
    "both_over": Question(
        _("Who wins if both sides reach the target on one hand?"),
        _("The side that bid: Ruth's side bids and ends at 33, the others at 34. Ruth's wins."),
    ),
    "tie_rule": Question(
        _("Who wins if two players reach the target together?"),
        _("They win together: Walter and Pat both reach 10 by a euchre. Both win."),
    ),
    "defenders_score": Question(
        _("How is a euchre shared?"),
        _("Each scores: with 2 for a euchre, Walter and Pat get 2 each. Shared: 1 each."),
    ),
    "renege_points": Question(
        _("What does a renege cost?"),
        _(
            "At %(n)s: hearts are led, Dave plays a club and still has a heart. "
            "The others get %(n)s."
        ),
    ),
    "first_dealer": Question(
        _("How is the first dealer chosen?"),
        _("First black jack: deal cards face up; the player who gets a black jack deals."),
    ),
    "upcard_goes_to": Question(
        _("Who takes the card turned up?"),
        _("The dealer: Ruth says “pick it up”; Dave, who dealt, takes it and discards one."),
    ),
    "denomination": Question(
        _("When is trump named?"),
        _("With the bid: “four hearts”. After the bidding: “four”, and hearts once it is won."),
    ),
    "r2_exclude_turned": Question(
        _("Is the suit turned down barred?"),
        _("Hearts were turned down. Yes: nobody can name hearts any more. No: they can."),
    ),
}
MOST_QUESTIONS = 10

Condition = Callable[[Ruleset], bool]


def _counts_down(rules: Ruleset) -> bool:
    return rules.counts_down


def _has_no_partners(rules: Ruleset) -> bool:
    return not rules.partnership


def _is_two_handed(rules: Ruleset) -> bool:
    return rules.players == 2


def _is_bid_game(rules: Ruleset) -> bool:
    return rules.family != TURN_UP


def _has_bid_values(rules: Ruleset) -> bool:
    return rules.options.get("values") == "avondale"


def _lowest_bid_is_one(rules: Ruleset) -> bool:
    return bool(rules.options.get("min") == 1)


def _lowest_bid_is_two(rules: Ruleset) -> bool:
    return bool(rules.options.get("min") == 2)


def _has_option(name: str, *values: str) -> Condition:
    return lambda rules: rules.options.get(name) in values


# Other examples, or other questions, for certain kinds of games.
VARIANTS: dict[str, tuple[tuple[Condition, Question], ...]] = {
    "target": (
        (_counts_down, Question(
            _("At how many points is a game won?"),
            _("At 0: everyone counts down; a player with 1 point wins by taking a trick."),
        )),
        (lambda rules: _has_bid_values(rules) and _has_no_partners(rules), Question(
            QUESTIONS["target"].text,
            _("At 500: a player with 400 points wins with a bid of seven hearts, worth 200."),
        )),
        (_has_bid_values, Question(
            QUESTIONS["target"].text,
            _("At 500: a side with 400 points wins with a bid of seven hearts, worth 200."),
        )),
        (lambda rules: _is_bid_game(rules) and _has_no_partners(rules), Question(
            QUESTIONS["target"].text,
            _("Ruth is 3 points short of it, bids 4 and makes it. She wins."),
        )),
        (_is_bid_game, Question(
            QUESTIONS["target"].text,
            _("Ruth's side is 3 points short of it, bids 4 and makes it. They win."),
        )),
        (_has_no_partners, Question(
            QUESTIONS["target"].text,
            _("A player who is one point short wins with the next point."),
        )),
    ),
    "min": (
        (_has_bid_values, Question(
            QUESTIONS["min"].text, _("At 6: Ruth can say “six spades”, but not “five hearts”."),
        )),
        (_lowest_bid_is_one, Question(
            QUESTIONS["min"].text, _("At 1: every bid counts, even “one”. At 2: not “one”."),
        )),
        (_lowest_bid_is_two, Question(
            QUESTIONS["min"].text, _("At 2: Ruth can say “two”, but not “one”."),
        )),
    ),
    "auction": (
        (_has_option("auction", "pass_is_final"), Question(
            QUESTIONS["auction"].text,
            _("A pass is final: Ruth bids, Walter passes. He can't bid again in this hand."),
        )),
        (_has_option("auction", "until_three_passes_reentry", "multi_round_reentry"), Question(
            QUESTIONS["auction"].text,
            _("Several rounds: Ruth passes, Walter bids 3. Ruth can still bid 4."),
        )),
        (lambda rules: rules.players != 4, Question(
            QUESTIONS["auction"].text,
            _("Once round: everyone in turn bids higher or passes, and the last bid has it."),
        )),
    ),
    "march": (
        (_has_no_partners, Question(
            QUESTIONS["march"].text,
            _("At %(n)s: a player takes all five tricks and scores %(n)s."),
        )),
    ),
    "lone_march": (
        (_has_no_partners, Question(
            QUESTIONS["lone_march"].text,
            _("At %(n)s: Ruth plays without a partner and takes all five tricks. "
              "She scores %(n)s."),
        )),
    ),
    "euchre": (
        (lambda rules: rules.options["euchre_pays"] == "makers_lose", Question(
            _("What does a euchre cost?"),
            _("At %(n)s: Ruth makes trump and takes only two tricks. "
              "Her score goes down by %(n)s."),
        )),
        (_is_two_handed, Question(
            QUESTIONS["euchre"].text,
            _("At %(n)s: Ruth makes trump and takes only two tricks. Walter scores %(n)s."),
        )),
        (_has_no_partners, Question(
            QUESTIONS["euchre"].text,
            _("At %(n)s: Ruth makes trump and takes only two tricks. The others score %(n)s."),
        )),
    ),
    "set_costs": (
        (_counts_down, Question(
            _("What does it cost to fail?"),
            _("At %(n)s: Ruth has to take three tricks and takes two. Her score goes up by %(n)s."),
        )),
        (_has_bid_values, Question(
            QUESTIONS["set_costs"].text,
            _("The bid: Ruth bids seven diamonds, worth 180, and takes six. She loses 180."),
        )),
        (_has_no_partners, Question(
            QUESTIONS["set_costs"].text,
            _("The bid: Ruth bids 4 and takes three tricks. She loses 4 points."),
        )),
    ),
    "win_rule": (
        (_has_no_partners, Question(
            QUESTIONS["win_rule"].text,
            _("Any hand: a player can win with tricks taken while another bids."),
        )),
    ),
    "both_over": (
        (_has_bid_values, Question(
            QUESTIONS["both_over"].text,
            _("The side that bid: Ruth bids and ends at 510, Walter at 520. Ruth wins."),
        )),
        (_has_no_partners, Question(
            _("Who wins if several reach the target on one hand?"),
            _("The side that bid: Ruth bids and ends at 33, Walter at 34. Ruth wins."),
        )),
    ),
    "tie_rule": (
        (_counts_down, Question(
            QUESTIONS["tie_rule"].text,
            _("The lower wins: Walter ends at −1, Pat at −2. Pat wins."),
        )),
        (_is_bid_game, Question(
            QUESTIONS["tie_rule"].text,
            _("They win together: Walter and Pat both reach the target. Both win."),
        )),
    ),
    "renege_points": (
        (_is_two_handed, Question(
            QUESTIONS["renege_points"].text,
            _("At %(n)s: hearts are led, Walter plays a club and still has a heart. "
              "Ruth gets %(n)s."),
        )),
        (_counts_down, Question(
            QUESTIONS["renege_points"].text,
            _("At %(n)s: hearts are led, Dave plays a club and still has a heart. "
              "The others go down by %(n)s."),
        )),
    ),
}  # fmt: skip


def question_of(rules: Ruleset, name: str) -> Question:
    """The question about a rule, with an example for this kind of game."""
    matching = (question for applies, question in VARIANTS.get(name, ()) if applies(rules))
    question = next(matching, QUESTIONS[name])
    question = question._replace(
        example=_with_number(str(question.example), rules.options.get(name))
    )
    if rules.players > PLAYERS.index("Dave"):
        return question
    last_player = PLAYERS[rules.players - 1]  # who deals, where Dave is not in the game
    return question._replace(example=question.example.replace("Dave", last_player))


def _with_number(example: str, value: Any) -> str:
    """An example with the number of points that the rule has; with 2 where it has none."""
    return example % {"n": value if isinstance(value, int) and value else 2}
