"""Every rule in words: its name and a sentence; special bids; what each preset is like to play."""

from typing import Any, NamedTuple

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class Rule(NamedTuple):
    """A rule's name, a sentence that explains it, and what else people type to find it."""

    name: Any
    sentence: Any
    also: Any = ""


RULES: dict[str, Rule] = {
    # the end of the game
    "target": Rule(
        _("Points to win"),
        _("The game ends when a side reaches this score."),
        _(
            "what do we play to, first to, game to, in the barn, on the bridge, one to go, seven, "
            "eleven, fifteen, twenty-one, 7, 11, 15, 21"
        ),
    ),
    "hands": Rule(_("Number of hands"), _("Play this many hands instead of to a score.")),
    "start": Rule(
        _("Points at the start"),
        _("Everyone begins with these. Above the winning score, the score counts down."),
    ),
    "tie_rule": Rule(
        _("Two players finish together"),
        _("Who wins when two players reach the target on one hand."),
    ),
    "win_rule": Rule(
        _("Winning hand"), _("Which hands can win the game once the target is reached.")
    ),
    "both_over": Rule(
        _("Both sides finish together"), _("Who wins when both sides reach the target on one hand.")
    ),
    "laps": Rule(_("Laps"), _("Extra points carry over to the next game.")),
    "slam": Rule(
        pgettext_lazy("a rule", "Slam"),
        _("A game won with the other side at 0 counts as two."),
        _("skunk, shutout, whitewash, counts double"),
    ),
    "lose_at": Rule(_("Losing score"), _("A side that falls to this score loses the game.")),
    "score_floor": Rule(
        _("Minimum score"),
        _("How low a score can go, after a penalty for example."),
        _("minus points, negative score"),
    ),
    # dealing
    "dealer_rotates": Rule(_("Passing the deal"), _("When the deal passes to the left.")),
    "first_dealer": Rule(
        _("First dealer"), _("How the first dealer is chosen."), _("who deals first, first deal")
    ),
    "deal_pattern": Rule(_("Dealing the cards"), _("How many cards are dealt at a time.")),
    "cut_by": Rule(_("Cutting the cards"), _("Who is offered the cut.")),
    "misdeal_dealer": Rule(_("After a misdeal"), _("Who deals again after a misdeal.")),
    "passout_dealer": Rule(
        _("After everyone passes"),
        _("Who deals the next hand."),
        _("if all pass, throw in, thrown in, nobody calls"),
    ),
    "seat_nine": Rule(_("Nine players"), _("How nine players are seated.")),
    "deck": Rule(
        _("Cards in the deck"),
        _("25 and 33 cards include the joker."),
        _("benny, bennie, best bower, top bower, two of spades, pack, packs, two packs"),
    ),
    "joker_turned_up": Rule(
        _("Joker turned up"),
        _("What happens when the up-card is the joker."),
        _("benny turned up, best bower turned up"),
    ),
    "joker_suit": Rule(
        _("Suit of the joker"), _("If the joker is turned up, it counts as this suit.")
    ),
    # making trump
    "stick_the_dealer": Rule(
        _("Stick the dealer"),
        _("If everyone passes twice, the dealer must name trump."),
        _("screw the dealer, hang the dealer, force the dealer, dealer must call, std"),
    ),
    "r2_exclude_turned": Rule(
        _("Suit turned down is barred"),
        _("In the second round, nobody can name the suit turned down."),
        _("turn down, turn it down, same suit again"),
    ),
    "second_upcard": Rule(_("Second up-card"), _("A new card is turned up for the second round.")),
    "no_trump": Rule(
        _("No trump"),
        _("Whether a hand can be played with no trump, aces high."),
        _("no trumps, sans, without trump"),
    ),
    "forbidden_trumps": Rule(
        _("Haters"), _("Suits that can never be trump."), _("never hearts, no hearts")
    ),
    "call_card": Rule(_("Calling a partner"), _("Which card the maker names to call a partner.")),
    "dummy": Rule(_("Dummy hand"), _("Cards dealt to a dummy that the maker can pick up.")),
    "drop_out": Rule(
        _("Dropping out"),
        _("Players who don't bid can drop out; those who stay score or pay by their tricks."),
    ),
    "dirty_clubs": Rule(_("Dirty clubs"), _("When a club is turned up, clubs are trump.")),
    "upcard_pickup": Rule(
        _("Up-card ordered up must be taken"),
        _("When it is ordered up, the player who gets it can't leave it on the table."),
        _("pick it up, order up, turn-up"),
    ),
    "upcard_goes_to": Rule(
        _("Who takes the up-card"),
        _("Who gets the card when it is ordered up."),
        _("pick it up, order up, assist, turn-up"),
    ),
    "may_discard_upcard": Rule(
        _("Discarding the up-card"), _("The player who takes the up-card can discard it again.")
    ),
    "smitty": Rule(
        _("Smitty"), _("The player left of the dealer predicts the suit of the up-card.")
    ),
    "smitty_solo": Rule(_("Smitty alone"), _("Points for a lone march after a right prediction.")),
    "smitty_game": Rule(
        _("Smitty for the game"),
        _("Points for a march called “for the game” after a right prediction."),
    ),
    "chuck": Rule(_("Chuck"), _("A dealer who is stuck can keep one card and take the kitty.")),
    # hands dealt again
    "farmers": Rule(
        _("Farmer's hand"),
        _("A hand with three or more nines and tens can be dealt again."),
        _("farmers hand, bottoms, 9s and 10s, poor hand, bad hand"),
    ),
    "no_ace_no_face": Rule(
        _("No ace, no face"),
        _("A hand without an ace, face card or trump can be dealt again."),
        _("ace no face, poor hand, bad hand, redeal"),
    ),
    "go_under": Rule(
        _("Going under"),
        _("Three nines or tens can be swapped for the cards left over."),
        _("under the table, bottoms, kitty"),
    ),
    "mcevoy": Rule(
        _("McEvoy"), _("Once a game, each player can have a hand of nines and tens dealt again.")
    ),
    # alone
    "alone_by": Rule(
        _("Who can go alone"),
        _("Which of the makers can play without a partner."),
        _("lone hand, loner, going alone, going it alone"),
    ),
    "alone_window": Rule(
        _("Saying “alone”"),
        _("How late a player can still go alone."),
        _("going alone with the call, going it alone, late loner"),
    ),
    "partner_order_alone": Rule(
        _("Partner's order alone (Canadian loner)"),
        _("The dealer's partner can order up only by going alone."),
        _("order up my partner, assist alone, going alone with the call"),
    ),
    "defend_alone": Rule(
        _("Defending alone"),
        _("Whether a defender can play alone."),
        _("lone hand, loner, defend alone"),
    ),
    "loner_lead": Rule(
        _("Lead against a loner"),
        _("Who leads when one player is alone."),
        _("first lead, who leads"),
    ),
    "two_loner_lead": Rule(
        _("Lead with two loners"), _("Who leads when a maker and a defender are both alone.")
    ),
    "partners_best": Rule(
        _("Partner's best card"),
        _("A lone player can ask for the partner's best card."),
        _("call for my partner's best, swap a card"),
    ),
    # points
    "made": Rule(_("Points for making it"), _("The makers take three or four tricks.")),
    "march": Rule(
        pgettext_lazy("a rule", "March"),
        _("The makers take all five tricks."),
        _("sweep, all five, points for a march"),
    ),
    "euchre": Rule(
        _("Euchre"),
        _("The makers take fewer than three; the defenders score."),
        _("euchred, set, points for a euchre"),
    ),
    "lone_made": Rule(_("Loner made"), _("A lone maker takes three or four tricks.")),
    "lone_march": Rule(
        pgettext_lazy("a rule", "Lone march"),
        _("A lone maker takes all five tricks."),
        _("lone hand, loner, going alone, going it alone, four for alone, five for alone"),
    ),
    "lone_euchred": Rule(
        _("Loner euchred"), _("A lone maker takes fewer than three; the defenders score.")
    ),
    "lone_def_euchre": Rule(
        _("Euchre by a lone defender"), _("A lone defender euchres the makers.")
    ),
    "lone_def_march": Rule(_("March by a lone defender"), _("A lone defender takes all five.")),
    "super_euchre": Rule(
        _("Super euchre"), _("A lone maker takes no trick; the defenders score this.")
    ),
    "defenders_score": Rule(
        _("Sharing a euchre"), _("What each defender gets for a euchre."), _("half, split")
    ),
    "euchre_pays": Rule(
        _("How a euchre is scored"), _("The defenders score, or the makers lose points (set-back).")
    ),
    "jambone": Rule(_("Jambone"), _("A lone hand played face up takes all five tricks.")),
    "jamboree": Rule(_("Jamboree"), _("A player shows the five best trumps.")),
    "fast_break": Rule(
        _("Fast break"),
        _("Nobody scores if the defenders take the first two tricks and no more."),
    ),
    "four_trick_tokens": Rule(
        _("Four-trick tokens"),
        _("Four tricks with a partner earn a token; four tokens are a point."),
    ),
    "caller_bonus": Rule(
        _("Caller's bonus"),
        _("Points that only the caller gets on top for a lone march, in standings by player."),
    ),
    # bidding
    "auction": Rule(_("How the bidding goes"), _("Whether players bid once or several times.")),
    "min": Rule(_("Lowest bid"), _("The fewest tricks a player can bid.")),
    "min_nt": Rule(_("Lowest bid in no trump"), _("The fewest tricks for a no-trump bid.")),
    "nt": Rule(_("No-trump bids"), _("High: aces win. Low: nines win."), "no trumps"),
    "dealer_may_equal": Rule(
        _("Dealer can equal the bid"), _("The dealer can take the bid without going higher.")
    ),
    "eldest_must_open": Rule(
        _("First player must bid"), _("The player left of the dealer has to open the bidding.")
    ),
    "denomination": Rule(_("Naming trump"), _("When the bidder names trump.")),
    "all_pass": Rule(_("Everyone passes"), _("What happens when nobody bids.")),
    "lead": Rule(_("First lead"), _("Who leads to the first trick.")),
    "kitty_to": Rule(_("Kitty"), _("Who takes the cards left over."), _("widow, blind")),
    "values": Rule(_("Value of a bid"), _("Its tricks, or by suit and tricks as in Five Hundred.")),
    "set_costs": Rule(_("Set"), _("What a side loses when it doesn't make its bid.")),
    "set_gives": Rule(
        _("Other side's points for a set"), _("What the other side scores for a set.")
    ),
    "made_gives": Rule(
        _("Other side's points for a bid made"),
        _("What the other side scores when the bid is made."),
    ),
    "trick_points": Rule(
        _("Points per trick"), _("What each trick is worth to the side that didn't bid.")
    ),
    "all_tricks_least": Rule(_("All the tricks"), _("The least a bid made with every trick pays.")),
    "misere": Rule(_("Misère"), _("Bids to take no tricks.")),
    "bowers": Rule(
        _("Bowers"),
        _("The jacks of the trump colour are the best trumps."),
        _("left bower, right bower"),
    ),
    "trump_by_lead": Rule(_("Trump by the first card"), _("The suit first led is trump.")),
    "level_payment": Rule(
        _("Equal payment"), _("Every other player pays the bidder, or is paid by the bidder.")
    ),
    "no_trick_costs": Rule(_("No trick"), _("What it costs to play on and take no trick.")),
    "wellington": Rule(_("Wellington"), _("A bid above nap: all five tricks for double stakes.")),
    "misery": Rule(_("Misery"), _("A bid of no trump and no trick.")),
    "overtricks": Rule(_("Extra tricks"), _("Whether tricks above the bid score.")),
    "three_player_defence": Rule(
        _("Two defenders"), _("Whether defenders score their own tricks or count together.")
    ),
    "defenders_score_on_failed_special": Rule(
        _("Failed special bid"), _("Defenders score their tricks when a special bid fails.")
    ),
    "exchange_order": Rule(_("Exchanging cards"), _("Discard first, or take first.")),
    "lone_over_max": Rule(
        _("Alone over the top bid"), _("A player can bid alone over the highest number.")
    ),
    "shooter_gets_kitty": Rule(_("Shooter's kitty"), _("A player who shoots takes the kitty.")),
    "shooter_exchange": Rule(
        _("Shooter's exchange"), _("How many cards a shooter exchanges with the partner.")
    ),
    "moon_two_cards": Rule(_("Moon with two cards"), _("Shooting the moon with two cards.")),
    "moon_one_card": Rule(_("Moon with one card"), _("Shooting the moon with one card.")),
    # penalties
    "renege_points": Rule(
        _("Renege"),
        _("The penalty for not following suit when you could have."),
        _("revoke, not following suit"),
    ),
    "renege_points_lone": Rule(_("Renege on a loner"), _("The same when a player is alone.")),
    "renege_form": Rule(
        _("Paying for a renege"),
        _("Whether the other side gets the points, or the side at fault loses them."),
    ),
    "renege_window": Rule(_("Claiming a renege"), _("How late a renege can be claimed.")),
    "revoke_500": Rule(_("Renege judged by"), _("Which rules of Five Hundred apply to a renege.")),
    "false_claim_points": Rule(
        _("False claim"),
        _("The penalty for claiming a renege that didn't happen."),
        _("accusation, accuse, cheating"),
    ),
    "table_talk_points": Rule(
        _("Table talk"),
        _("The penalty for telling a partner about your cards."),
        _("talking, signals, hints"),
    ),
    "abandon_points": Rule(
        _("Giving up the hand"), _("What a defender pays for giving up against a lone maker.")
    ),
}

# Names of special bids, by their name in rulesets.
SPECIAL_BIDS = {
    "7alone": _("7 alone"),
    "8alone": _("8 alone"),
    "alone": _("Alone"),
    "bid7": _("7"),
    "bid10": _("10 (shoot)"),
    "big_pepper": _("Big pepper"),
    "call1": _("Call 1 card"),
    "call2": _("Call 2 cards"),
    "little_pepper": _("Little pepper"),
    "misere": _("Misère"),
    "misery": _("Misery"),
    "moon": _("Moon"),
    "moon1": _("Moon, 1 card"),
    "moon2": _("Moon, 2 cards"),
    "moon_alone": _("Moon alone"),
    "nap": _("Nap"),
    "open_misere": _("Open misère"),
    "shoot": _("Shoot"),
    "shooter": _("Shoot"),
    "small_pepper": _("Small pepper"),
    "wellington": _("Wellington"),
}

# Groups of rules, for those that clubs don't ask about first.
GROUPS = (
    (
        _("The end of the game"),
        "target hands start tie_rule win_rule both_over lose_at laps slam score_floor",
    ),
    (
        _("Scoring"),
        "made march euchre euchre_pays lone_made lone_march lone_euchred super_euchre "
        "lone_def_euchre lone_def_march defenders_score moon_two_cards moon_one_card overtricks "
        "three_player_defence defenders_score_on_failed_special values set_costs "
        "set_gives made_gives trick_points all_tricks_least no_trick_costs level_payment "
        "jambone jamboree fast_break four_trick_tokens caller_bonus",
    ),
    (
        _("Cards and dealing"),
        "deck first_dealer dealer_rotates deal_pattern cut_by passout_dealer misdeal_dealer "
        "seat_nine mcevoy farmers no_ace_no_face go_under joker_turned_up joker_suit dummy bowers "
        "kitty_to",
    ),
    (
        _("Making trump"),
        "stick_the_dealer r2_exclude_turned no_trump forbidden_trumps dirty_clubs upcard_pickup "
        "upcard_goes_to may_discard_upcard second_upcard smitty smitty_solo smitty_game chuck "
        "call_card drop_out",
    ),
    (
        _("Bidding"),
        "auction min min_nt nt dealer_may_equal eldest_must_open denomination all_pass "
        "exchange_order lone_over_max shooter_gets_kitty shooter_exchange lead trump_by_lead "
        "misere wellington misery",
    ),
    (
        _("Going alone"),
        "alone_by alone_window partner_order_alone defend_alone loner_lead two_loner_lead "
        "partners_best",
    ),
    (
        _("Penalties"),
        "renege_points renege_points_lone renege_form renege_window revoke_500 "
        "false_claim_points table_talk_points abandon_points",
    ),
)


# Names by which players know a game, by the preset's own name.
NAMES = {
    "Three-Hand Euchre (gamerules)": _("Three-hand Euchre"),
    "Bid Euchre (Shawn's page)": _("Bid Euchre, jacks to aces"),
}


def special_name(name: str) -> str:
    """The name of a special bid in words; a club's own bid keeps the name the club gave it."""
    return str(SPECIAL_BIDS.get(name) or name)
