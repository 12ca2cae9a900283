"""Options that have no effect, at this site or with a ruleset's other options, and why."""

from django.utils.translation import gettext_lazy as _

from league.members.rule_options import title
from scoring import Ruleset, idle_options

# Why an option has no effect, by the engine's reason.
WHY_IDLE = {
    "policy": _("How nine players are seated is chosen for the whole club: Settings, Table sizes."),
    "fixed-hands": _("It counts only when you play to a score, not for a number of hands."),
    "never-below-zero": _("No score goes below zero here (Minimum score)."),
    "counts-down": _("It doesn't apply where the score counts down."),
    "one-side-scores": _("Two sides can't finish together here: only one side scores in a hand."),
    "bid-decides": _("Two sides can't finish together here: the bid decides (Winning hand)."),
    "bidder-first": _("The side that bid always wins here (Both sides finish together)."),
    "dealer-stays": _("One player deals the whole game here (Passing the deal)."),
    "nobody-passes-out": _("The dealer must name trump here (Stick the dealer)."),
    "no-joker": _("It counts only with the joker: in a deck of 25 or 33 cards."),
    "no-joker-suit": _(
        "It counts only where the joker stands for an agreed suit (Joker turned up)."
    ),
    "upcard-left": _("The up-card can be left anyway (Taking the up-card)."),
    "no-smitty": _("It counts only with Smitty."),
    "no-lone-defender": _("It counts only where a defender can play alone (Defending alone)."),
    "nobody-alone": _("Nobody plays alone in this game."),
    "paid-by-tricks": _("Players score by their tricks here (Dropping out)."),
    "paid-by-result": _("It counts only where players can drop out (Dropping out)."),
    "nobody-drops-out": _("It counts only where players can drop out (Dropping out)."),
    "somebody-opens": _("The first player must bid here (First player must bid)."),
    "all-dealt": _("All the cards are dealt: none are left over."),
    "too-many-left": _("Too many cards are left over for one player to take."),
    "trump-is-led": _("The first card led makes trump here (Trump by the first card)."),
    "never-no-trump": _("There are no no-trump bids here (No-trump bids)."),
    "no-misere": _("This game has no bids to take no tricks."),
    "one-round": _("It counts only in several rounds of bidding (How the bidding goes)."),
    "nothing-exchanged": _("Nobody exchanges cards with a partner before seeing them here."),
    "equal-payment": _("Bidder and players settle equally here (Equal payment)."),
    "worth-its-value": _("A bid made pays its own value here (Value of a bid)."),
    "no-special-bid": _("This game has no special bid to take tricks."),
    "others-not-by-tricks": _("The other players don't score by tricks here."),
    "own-renege": _("This game has a rule of its own for a renege."),
}

# Options without effect at this site's tables, and why: shown, but disabled.
IN_MATCHES = _(
    "It counts only where the same sides play several games. Switch it on in a tournament's own "
    "settings, under “More settings” (best of 3 or more), or in those of a league whose pairs meet "
    "again."
)
WITHOUT_EFFECT = {
    "laps": IN_MATCHES,
    "slam": IN_MATCHES,
}


def idle_reasons(rules: Ruleset) -> dict[str, str]:
    """The options that have no effect with the ruleset's other options, each with the reason."""
    return {name: str(WHY_IDLE[idle.reason]) for name, idle in idle_options(rules).items()}


def never_effective(rules: Ruleset) -> list[tuple[str, str]]:
    """(rule, reason) of the options that no change on this game's form can give an effect."""
    idle_items = idle_options(rules).items()
    return [(title(n), str(WHY_IDLE[idle.reason])) for n, idle in idle_items if not idle.wakers]
