"""The questions that clubs ask first about their rules, each with an example for the game."""

from collections.abc import Callable
from typing import Any, NamedTuple

from django.utils.translation import gettext_lazy as _

from league.members.game_facts import PLAYERS
from scoring import Ruleset
from scoring.rulesets.options import TURN_UP


class Question(NamedTuple):
    """A question about a rule, and an example. Its figures are those of the rules (`_figures`)."""

    text: Any
    example: Any


# In the order in which clubs ask; a page shows the first ten that a game has.
QUESTIONS: dict[str, Question] = {
    "target": Question(
        _("How many points win a game?"),
        _("At %(target)s: the first side with %(target)s points or more wins."),
    ),
    "hands": Question(
        _("Or how many hands are played?"),
        _("At %(n)s: after hand %(n)s the best score wins."),
    ),
    "deck": Question(
        _("How many cards do you play with?"),
        _("24 cards: nine to ace. 32 cards: seven to ace. 25 adds the joker, the best trump."),
    ),
    "min": Question(_("What is the lowest bid?"), _("At %(n)s: Ruth can bid %(n)s, but not less.")),
    "auction": Question(
        _("How does the bidding go?"),
        _("Once round: Ruth bids %(bid)s, Walter %(more)s, Pat passes, Dave passes. "
          "Walter has it."),
    ),
    "dealer_may_equal": Question(
        _("Can the dealer take the bid without going higher?"),
        _("Yes: Ruth bids %(bid)s, and Dave, who dealt, takes it for %(bid)s. "
          "No: Dave has to bid %(more)s."),
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
        _("What is a march worth?"), _("At %(n)s: a side takes every trick and scores %(n)s.")
    ),
    "lone_march": Question(
        _("What is a lone march worth?"),
        _("At %(n)s: Ruth says “alone” and takes every trick. Her side scores %(n)s."),
    ),
    "alone_by": Question(
        _("Who can go alone?"),
        _("Only the maker: Ruth makes trump and plays alone. "
          "The maker or the partner: Pat can play alone instead."),
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
        _("Yes: Walter orders up his partner Dave's card. Dave lays down his cards. "
          "No: they can play it together."),
    ),
    "farmers": Question(
        _("Farmer's hand: can it be dealt again?"),
        _("Deal again: Pat, with 9, 9, 10 and two more, shows them, and the hand starts over. "
          "No: Pat plays them."),
    ),
    "no_trump": Question(
        _("Can a hand be played without trump?"),
        _("In the second round: after all have passed once, Ruth can call “no trump”. "
          "Never: she has to name a suit."),
    ),
    "nt": Question(
        _("Which no-trump bids are there?"),
        _("High: the highest card of the suit led wins. Low: the lowest card of it wins."),
    ),
    "set_costs": Question(
        _("What does a failed bid cost?"),
        _("The bid: Ruth bids %(bid)s and her side takes one trick fewer. "
          "They lose %(bid)s points."),
    ),
    "win_rule": Question(
        _("Which hand can win the game?"),
        _("Any hand: a side can win with tricks it takes while the others bid."),
    ),
    "both_over": Question(
        _("Who wins if both sides reach the target on one hand?"),
        _("The side that bid: Ruth's side bids and ends at %(past)s, the others at %(further)s. "
          "Ruth's wins."),
    ),
    "tie_rule": Question(
        _("Who wins if two players reach the target together?"),
        _("Play on: Ruth and Walter both reach %(target)s. They play on until one leads."),
    ),
    "defenders_score": Question(
        _("How is a euchre shared?"),
        _("Each scores: Walter and Pat both get the points for a euchre. Shared: half each."),
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
        _("Random draw: the player with the fewest deals so far deals; ties are drawn."),
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
}  # fmt: skip
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


def _is(name: str, *values: Any) -> Condition:
    """Whether an option has one of these values."""
    return lambda rules: rules.options.get(name) in values


def _both(*conditions: Condition) -> Condition:
    return lambda rules: all(applies(rules) for applies in conditions)


def _has_number(name: str) -> Condition:
    return lambda rules: isinstance(rules.options.get(name), int)


# Other examples, or other questions, for certain kinds of games and for other answers.
VARIANTS: dict[str, tuple[tuple[Condition, Any], ...]] = {
    "target": (
        (_counts_down, Question(
            _("At how many points is a game won?"),
            _("At %(target)s: everyone counts down; a player at %(short)s wins by taking a trick."),
        )),
        (_both(_has_bid_values, _has_no_partners),
            _("At %(target)s: a player with %(far)s points wins with a bid of seven hearts, "
              "worth 200.")),
        (_has_bid_values,
            _("At %(target)s: a side with %(far)s points wins with a bid of seven hearts, "
              "worth 200.")),
        (_both(_is_bid_game, _has_no_partners),
            _("Ruth is 3 points short of it, bids %(bid)s and makes it. She wins.")),
        (_is_bid_game,
            _("Ruth's side is 3 points short of it, bids %(bid)s and makes it. They win.")),
        (_has_no_partners,
            _("At %(target)s: the first player with %(target)s points or more wins.")),
    ),
    "min": (
        (_is("min", 1), _("At 1: every bid counts, even “one”. At 2: not “one”.")),
        (_has_bid_values, _("At %(n)s: Ruth can bid %(n)s spades, but not %(less)s hearts.")),
    ),
    "auction": (
        (_is("auction", "pass_is_final"),
            _("A pass is final: Ruth bids, Walter passes. He can't bid again in this hand.")),
        (_is("auction", "until_three_passes_reentry", "multi_round_reentry"),
            _("Several rounds: Ruth passes, Walter bids %(bid)s. Ruth can still bid %(more)s.")),
        (lambda rules: rules.players != 4,
            _("Once round: everyone in turn bids higher or passes, and the last bid wins.")),
    ),
    "all_pass": (
        (_is("all_pass", "play_no_trump"),
            _("In no trump: everyone passes, and the hand is played without trump.")),
    ),
    "march": (
        (_has_no_partners, _("At %(n)s: a player takes every trick and scores %(n)s.")),
    ),
    "lone_march": (
        (_has_no_partners,
            _("At %(n)s: Ruth plays without a partner and takes every trick. She scores %(n)s.")),
    ),
    "euchre": (
        (_is("euchre_pays", "makers_lose"), Question(
            _("What does a euchre cost?"),
            _("At %(n)s: Ruth makes trump and takes only two tricks. "
              "Her score goes down by %(n)s."),
        )),
        (_is_two_handed,
            _("At %(n)s: Ruth makes trump and takes only two tricks. Walter scores %(n)s.")),
        (_has_no_partners,
            _("At %(n)s: Ruth makes trump and takes only two tricks. The others score %(n)s.")),
    ),
    "defend_alone": (
        (_is("defend_alone", "v_lone_maker"),
            _("Against a lone maker: Ruth plays alone, and Walter can say “I defend alone”.")),
    ),
    "nt": (
        (_is("nt", ()), _("None: every bid names a suit.")),
    ),
    "set_costs": (
        (_both(_counts_down, _has_number("set_costs")), Question(
            _("What does it cost to fail?"),
            _("At %(n)s: Ruth has to take three tricks and takes two. Her score goes up by %(n)s."),
        )),
        (_both(_is("set_costs", "nothing"), _has_no_partners),
            _("Nothing: Ruth bids %(bid)s and takes one trick fewer. She loses no points.")),
        (_is("set_costs", "nothing"),
            _("Nothing: Ruth bids %(bid)s and her side takes one trick fewer. "
              "They lose no points.")),
        (_both(_has_number("set_costs"), _has_no_partners),
            _("At %(n)s: Ruth bids %(bid)s and takes one trick fewer. She loses %(n)s points.")),
        (_has_number("set_costs"),
            _("At %(n)s: Ruth bids %(bid)s and her side takes one trick fewer. "
              "They lose %(n)s points.")),
        (_has_bid_values,
            _("The bid: Ruth bids seven diamonds, worth 180, and takes six. She loses 180.")),
        (_has_no_partners,
            _("The bid: Ruth bids %(bid)s and takes one trick fewer. She loses %(bid)s points.")),
    ),
    "win_rule": (
        (_is("win_rule", "made_only"),
            _("Only making your own bid: tricks taken while others bid can't win.")),
        (_is("win_rule", "made_or_set"),
            _("Making a bid, or setting the others: tricks taken while they make their bid "
              "can't win.")),
        (_has_no_partners,
            _("Any hand: a player can win with tricks taken while another bids.")),
    ),
    "both_over": (
        (_both(_is("both_over", "highest"), _has_no_partners), Question(
            _("Who wins if several reach the target on one hand?"),
            _("The higher score: Ruth bids and ends at %(past)s, Walter at %(further)s. "
              "Walter wins."),
        )),
        (_is("both_over", "highest"),
            _("The higher score: Ruth's side bids and ends at %(past)s, the others at "
              "%(further)s. The others win.")),
        (_has_no_partners, Question(
            _("Who wins if several reach the target on one hand?"),
            _("The side that bid: Ruth bids and ends at %(past)s, Walter at %(further)s. "
              "Ruth wins."),
        )),
    ),
    "tie_rule": (
        (_is("tie_rule", "co_winners"),
            _("They win together: Ruth and Walter both reach %(target)s. Both win.")),
        (_both(_is("tie_rule", "highest_then_play_on"), _counts_down),
            _("The lower wins: Ruth ends at %(past)s, Walter at %(further)s. Walter wins.")),
        (_is("tie_rule", "highest_then_play_on"),
            _("The higher wins: Ruth ends at %(past)s, Walter at %(further)s. Walter wins.")),
        (_is("tie_rule", "elder_hand"),
            _("First from the dealer's left: Ruth, who sits there, and Walter both reach "
              "%(target)s. Ruth wins.")),
        (_is("tie_rule", "trick_order"),
            _("First to the deciding trick: Ruth and Walter both reach %(target)s, Ruth with an "
              "earlier trick. Ruth wins.")),
    ),
    "renege_points": (
        (_counts_down,
            _("At %(n)s: hearts are led, Dave plays a club and still has a heart. "
              "The others go down by %(n)s.")),
        (_is("renege_form", "deduct"),
            _("At %(n)s: hearts are led, Dave plays a club and still has a heart. "
              "Dave's score goes down by %(n)s.")),
        (_both(_is("renege_form", "claimant_choice"), _is_two_handed),
            _("At %(n)s: hearts are led, Walter plays a club and still has a heart. "
              "Ruth chooses: she gets %(n)s, or Walter loses %(n)s.")),
        (_is("renege_form", "claimant_choice"),
            _("At %(n)s: hearts are led, Dave plays a club and still has a heart. "
              "The others choose: they get %(n)s, or Dave loses %(n)s.")),
        (_is_two_handed,
            _("At %(n)s: hearts are led, Walter plays a club and still has a heart. "
              "Ruth gets %(n)s.")),
    ),
    "first_dealer": (
        (_is("first_dealer", "first_black_jack"),
            _("First black jack: deal cards face up; the player who gets a black jack deals.")),
        (_is("first_dealer", "first_jack"),
            _("First jack: deal cards face up; the player who gets a jack deals.")),
        (_is("first_dealer", "high_card_suits"),
            _("Highest card: everyone draws a card. Of two aces, the one of hearts deals.")),
        (_is("first_dealer", "cut_high"),
            _("Highest card cut: everyone cuts, the highest card deals, and a jack beats an ace.")),
        (_is("first_dealer", "cut"), _("By cutting: everyone cuts, and the highest card deals.")),
        (_is("first_dealer", "cut_low"),
            _("Lowest card cut: everyone cuts, and the lowest card deals.")),
    ),
    "upcard_goes_to": (
        (_is("upcard_goes_to", "orderer"),
            _("The player who orders it up: Ruth says “I order it up”, takes it and discards "
              "one.")),
        (_is("upcard_goes_to", "third_seat_orderer"),
            _("The dealer, or a third seat that orders: Pat, third after Dave, who dealt, "
              "orders it up and takes it.")),
    ),
}  # fmt: skip


def question_of(rules: Ruleset, name: str) -> Question:
    """The question about a rule, with an example for this kind of game, its answer and figures."""
    question = QUESTIONS[name]
    matching = (variant for applies, variant in VARIANTS.get(name, ()) if applies(rules))
    variant = next(matching, question.example)
    if not isinstance(variant, Question):
        variant = question._replace(example=variant)
    example = str(variant.example) % _figures(rules, name)
    if rules.players <= PLAYERS.index("Dave"):  # Dave, who deals, is not in the game
        example = example.replace("Dave", PLAYERS[rules.players - 1])
    return variant._replace(example=example)


# Figures of an example where the rules have none.
USUAL_FIGURES = {"hands": 16, "target": 10}


def _figures(rules: Ruleset, name: str) -> dict[str, str]:
    """The figures for an example: those of the rule, of the target and of a bid."""
    value, least = rules.options.get(name), rules.options.get("min", 1)
    number = value if isinstance(value, int) else USUAL_FIGURES.get(name, 2)
    target = USUAL_FIGURES["target"] if rules.target is None else rules.target
    step = (-1 if rules.counts_down else 1) * (10 if _has_bid_values(rules) else 1)
    bid = max(least, min(3, rules.hand_size - 1))
    figures = {
        "n": number,
        "less": number - 1,
        "target": target,
        "short": target - step,
        "far": max(0, target - 100),
        "past": target + step,
        "further": target + 2 * step,
        "bid": bid,
        "more": bid + 1,
    }
    return {name: str(figure).replace("-", "−") for name, figure in figures.items()}
