"""Every option of a ruleset: its name, its values, its meaning, and the games that can have it."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from scoring.cards import DECKS, SUITS

__all__ = ["BID", "OPTIONS", "TURN_UP", "Option", "sides_of"]

TURN_UP, BID = "turn_up", "bid"
_MOST_POINTS = 500
_UNUSABLE = object()
_ON = {True: "on", False: "off"}


@dataclass(frozen=True, slots=True)
class Option:
    """One option: `kind` says how values are read, `values` are the allowed words.

    `lowest` and `highest` bound numbers. `family`, `players` and `sides` say which games can have
    it. `default` is the value of a ruleset without it (None = it is required).
    """

    name: str
    kind: str
    values: tuple[Any, ...] = ()
    lowest: int = 0
    highest: int = _MOST_POINTS
    decision: str = ""
    family: str = ""
    players: tuple[int, ...] = ()
    sides: tuple[str, ...] = ()
    only_each: str = ""  # a family in which it needs a game without partners
    default: Any = None
    meaning: str = ""
    special: str = (
        ""  # what a bid game's specials must have: its own name, "exchange" or "ends_auction"
    )

    def read(self, value: object) -> Any:
        """The value in strict form, or `UNUSABLE`."""
        return _READERS[self.kind](self, value)

    def fits(self, shape: Mapping[str, Any]) -> bool:
        """Whether a game of this shape can have the option."""
        return (
            (not self.family or self.family == shape["family"])
            and (not self.players or shape["players"] in self.players)
            and (not self.sides or sides_of(shape) in self.sides)
            and (self.only_each != shape["family"] or sides_of(shape) == "each")
        )

    def allowed(self) -> str:
        """The allowed values in words, for a sentence."""
        numbers = f"a whole number from {self.lowest} to {self.highest}"
        kinds = {
            "flag": "true or false",
            "points": numbers,
            "suits": "a list of suits (c, d, h, s)",
            "bids": "a list of high and low",
        }
        words = ", ".join(map(str, self.values))
        if self.kind == "word_or_points":
            return f"{words} or {numbers}"
        return kinds.get(self.kind, words)


def sides_of(shape: Mapping[str, Any]) -> str:
    """How the seats of a game score together: `pairs` (two sides), `each`, or `called`."""
    players = shape["players"]
    return str(shape.get("sides") or ("pairs" if players >= 4 and players % 2 == 0 else "each"))


UNUSABLE = _UNUSABLE
_SAME_WORDS = {"each_scores_own_tricks": "each", "own_tricks": "each", "target_(10)": "target"}


def _read_word(option: Option, value: object) -> Any:
    if value in option.values and isinstance(value, str):
        return value
    if isinstance(value, bool) and set(option.values) == {"on", "off"}:
        return _ON[value]
    if isinstance(value, bool) and option.values == ("off", "redeal"):
        return option.values[value]
    if isinstance(value, str):
        plain = value.strip().lower().replace(" ", "_").replace("-", "_")
        plain = _SAME_WORDS.get(plain, plain)
        return {word.replace("-", "_"): word for word in option.values}.get(plain, UNUSABLE)
    return UNUSABLE


def _read_number(option: Option, value: object) -> Any:
    if type(value) is not int or not option.lowest <= value <= option.highest:
        return UNUSABLE
    return value if not option.values or value in option.values else UNUSABLE


def _read_word_or_number(option: Option, value: object) -> Any:
    if isinstance(value, bool):
        return option.values[0] if value is False else UNUSABLE
    if isinstance(value, str):
        return value if value in option.values else UNUSABLE
    if type(value) is not int or not option.lowest <= value <= option.highest:
        return UNUSABLE
    return value


def _read_list(allowed: tuple[str, ...]) -> Any:
    def read(option: Option, value: object) -> Any:
        if not isinstance(value, list | tuple) or len(value) > len(allowed):
            return UNUSABLE
        if not all(isinstance(item, str) and item in allowed for item in value):
            return UNUSABLE
        return tuple(item for item in allowed if item in value)

    return read


def _read_flag(option: Option, value: object) -> Any:
    """True or false, or one of the flag's words for them."""
    if isinstance(value, str) and value in option.values:
        return value == option.values[-1]
    return value if isinstance(value, bool) else UNUSABLE


_READERS: dict[str, Any] = {
    "word": _read_word,
    "flag": _read_flag,
    "points": _read_number,
    "number_of": _read_number,
    "word_or_points": _read_word_or_number,
    "suits": _read_list(tuple(SUITS)),
    "bids": _read_list(("high", "low")),
}


def _word(name: str, values: str, decision: str, meaning: str, **fit: Any) -> Option:
    return Option(name, "word", tuple(values.split()), decision=decision, meaning=meaning, **fit)


def _flag(name: str, decision: str, meaning: str, **fit: Any) -> Option:
    return Option(name, "flag", decision=decision, meaning=meaning, **fit)


def _points(name: str, decision: str, meaning: str, **fit: Any) -> Option:
    return Option(name, "points", decision=decision, meaning=meaning, **fit)


def _switch(name: str, decision: str, meaning: str, *, default: bool = False, **fit: Any) -> Option:
    return Option(
        name, "flag", ("off", "on"), decision=decision, meaning=meaning, default=default, **fit
    )


_TURN_UP: dict[str, Any] = {"family": TURN_UP}
_PAIRS: dict[str, Any] = {"family": TURN_UP, "sides": ("pairs",)}
_FOUR: dict[str, Any] = {**_PAIRS, "players": (4,)}
_ALONE: dict[str, Any] = {"family": TURN_UP, "sides": ("pairs", "called")}
_CALLED: dict[str, Any] = {"family": TURN_UP, "sides": ("called",)}
_EACH: dict[str, Any] = {"sides": ("each",)}
_BID: dict[str, Any] = {"family": BID}


def _special(needs: str) -> dict[str, Any]:
    return {"family": BID, "special": needs}


_ALL = (
    # -- the end of the game ---------------------------------------------------------------------
    Option("target", "points", meaning="Points that win the game."),
    Option("hands", "points", lowest=1, highest=200, meaning="A fixed number of hands instead."),
    Option("start", "points", default=0, **_EACH,
           meaning="Points everybody begins with; above the target the score counts down."),
    _word("tie_rule", "play_on co_winners highest_then_play_on elder_hand trick_order", "D-07",
          "When two players reach the target on one hand."),
    _word("win_rule", "made_or_set made_only any", "D-40",
          "Which hands can win a bid game once the target is reached.", **_BID),
    _word("both_over", "bidding_side highest", "D-40",
          "When both sides reach the target on one hand.", **_BID),
    _word("laps", "off on", "D-45", "Extra points carry over to the next game.", **_TURN_UP),
    _word("slam", "off on", "D-45", "A shutout counts double.", **_TURN_UP),
    Option("lose_at", "word_or_points", ("none",), lowest=-_MOST_POINTS * 4, highest=-1, default="none",
           decision="D-80", meaning="A score at which a side has lost.", **_BID),
    Option("score_floor", "word_or_points", ("none",), highest=0, decision="D-24",
           meaning="Whether a deduction can take a score below nothing."),
    # -- dealing and sitting ---------------------------------------------------------------------
    _word("dealer_rotates", "every_hand every_game", "D-01", "When the deal passes to the left."),
    _word("first_dealer", "random first_black_jack first_jack high_card_suits cut cut_high cut_low",
          "D-08", "How the first dealer is found."),
    _word("deal_pattern", "any_2_3 3-2 2-3 one_at_a_time", "D-04", "How the cards are dealt.", **_TURN_UP),
    _word("cut_by", "right left", "D-18", "Who is offered the cut."),
    _word("misdeal_dealer", "same next", "D-16", "Who deals again after a misdeal."),
    _word("passout_dealer", "next same", "D-16", "Who deals after everybody passed.", **_TURN_UP),
    _word("seat_nine", "4+3+2 3+3+3", "D-11", "How nine players are seated.", **_TURN_UP),
    Option("deck", "number_of", tuple(DECKS), decision="D-03", family=TURN_UP,
           meaning="Cards in the deck; 25 and 33 have the joker."),
    # -- bidding, turn-up games ------------------------------------------------------------------
    _flag("stick_the_dealer", "", "The dealer must name a trump in the second round.", **_TURN_UP),
    _flag("r2_exclude_turned", "D-05", "The suit turned down cannot be named.", **_TURN_UP),
    _flag("second_upcard", "D-20", "A new card is turned for the second round.", **_TURN_UP),
    _word("no_trump", "never second_round", "", "Aces high, no trump.", **_TURN_UP),
    Option("forbidden_trumps", "suits", family=TURN_UP, meaning="Suits that are never trump (Haters)."),
    Option("call_card", "word", ("ace", "plain_card"), default="ace", decision="D-70", **_CALLED,
           meaning="Which card the maker names to call a partner."),
    Option("dummy", "word", ("none", "two_cards"), default="none", decision="D-72", family=TURN_UP, players=(2,),
           meaning="Cards dealt to a dummy that the maker may pick up."),
    _switch("drop_out", "", "Who does not bid may drop out; who stays scores or pays by tricks.", **_EACH),
    Option("farmers", "word", ("off", "redeal"), default="off", decision="D-93", **_PAIRS,
           meaning="A hand with three or more nines and tens may be dealt again."),
    Option("no_ace_no_face", "word", ("off", "redeal"), default="off", decision="D-93", **_PAIRS,
           meaning="A hand without ace, face or trump may be dealt again."),
    _switch("go_under", "D-94", "Three nines or tens may be swapped for the cards left over.", **_PAIRS),
    _flag("smitty", "D-28", "Eldest hand predicts the suit of the up-card.", **_FOUR),
    _points("smitty_solo", "D-28", "A lone march after a right prediction.", **_FOUR),
    Option("smitty_game", "word_or_points", ("target",), lowest=1, decision="D-28", **_FOUR,
           meaning="A march called for the game; it wins the game."),
    _flag("mcevoy", "", "A hand of nines and tens may be dealt again, once a player a game.", **_TURN_UP),
    _flag("chuck", "D-29", "A stuck dealer may keep one card and take the kitty.", **_FOUR),
    Option("dirty_clubs", "flag", decision="D-30", default=False, only_each=BID,
           meaning="A club turned up is trump: the dealer must take it, or, where players drop out, nobody does."),
    _word("joker_turned_up", "dealer_names_blind_and_makes redeal fixed_suit", "D-26",
          "What happens when the joker is turned up.", **_TURN_UP),
    _word("joker_suit", "c d h s", "D-26", "The suit a joker turned up stands for.", **_TURN_UP),
    _word("upcard_pickup", "mandatory optional", "D-15", "Whether the up-card must be taken.", **_TURN_UP),
    _word("upcard_goes_to", "dealer orderer third_seat_orderer", "D-12", "Who takes the up-card.", **_TURN_UP),
    _flag("may_discard_upcard", "D-15", "The up-card itself may be discarded.", **_TURN_UP),
    # -- alone -----------------------------------------------------------------------------------
    _word("alone_by", "maker maker_side", "D-21", "Who of the makers may play alone.", **_PAIRS),
    _word("alone_window", "with_call before_lead", "D-21", "Until when alone can be said.", **_PAIRS),
    _flag("partner_order_alone", "D-19", "The dealer's partner orders up only by going alone.", **_FOUR),
    _word("defend_alone", "never v_lone_maker always", "D-22", "Whether a defender may play alone.", **_FOUR),
    _word("loner_lead", "eldest_active left_of_loner", "D-13", "Who leads when one plays alone.", **_PAIRS),
    _word("two_loner_lead", "same_rule lone_defender", "D-13", "Who leads when two play alone.", **_FOUR),
    Option("partners_best", "word", ("off", "take_first", "discard_first"), default="off", decision="D-63", **_FOUR,
           meaning="A lone hand may call for the partner's best card."),
    # -- points, turn-up games -------------------------------------------------------------------
    _points("made", "", "The makers take three or four tricks.", **_TURN_UP),
    _points("march", "", "The makers take all five.", **_TURN_UP),
    _points("euchre", "", "The makers take fewer than three; to the defenders.", **_TURN_UP),
    _points("lone_made", "", "A lone maker takes three or four.", **_ALONE),
    _points("lone_march", "", "A lone maker takes all five.", **_ALONE),
    _points("lone_euchred", "", "A lone maker takes fewer than three; to the defenders.", **_ALONE),
    _points("lone_def_euchre", "D-22", "A lone defender euchres the makers.", **_FOUR),
    _points("lone_def_march", "D-22", "A lone defender takes all five.", **_FOUR),
    Option("super_euchre", "word_or_points", ("off",), lowest=1, decision="D-48", **_ALONE,
           meaning="A lone maker takes no trick; to the defenders."),
    _word("defenders_score", "each split", "D-06", "What every defender gets for a euchre.",
          family=TURN_UP, players=(3,)),
    Option("euchre_pays", "word", ("defenders", "makers_lose"), default="defenders", decision="D-66", **_TURN_UP,
           meaning="Whether a euchre is paid to the defenders or taken from the makers."),
    Option("jambone", "word_or_points", ("off",), lowest=1, default="off", decision="D-90", **_PAIRS,
           meaning="A lone hand played open takes all five."),
    Option("jamboree", "word_or_points", ("off",), lowest=1, default="off", decision="D-90", **_PAIRS,
           meaning="The five best trumps are shown."),
    _switch("fast_break", "D-91", "Nobody scores when the defenders take the first two tricks and no more.", **_PAIRS),
    _switch("four_trick_tokens", "", "Four tricks with a partner earn a token; four tokens are a point.", **_PAIRS),
    Option("caller_bonus", "points", default=0, decision="D-92", **_PAIRS,
           meaning="What a lone march pays the caller more than the partner."),
    # -- bid games -------------------------------------------------------------------------------
    _word("auction", "one_round multi_round_reentry until_three_passes_reentry pass_is_final", "", "How the bidding goes.", **_BID),
    Option("min", "points", lowest=1, highest=16, family=BID, meaning="The lowest bid."),
    Option("min_nt", "points", lowest=1, highest=16, family=BID, meaning="The lowest bid in no trump."),
    Option("nt", "bids", family=BID, meaning="No trump bids: high, low."),
    _flag("dealer_may_equal", "", "The dealer may equal the highest bid.", **_BID),
    _flag("eldest_must_open", "", "Eldest hand must open the bidding.", **_BID),
    _word("denomination", "in_bid after", "D-43", "When the trump is named.", **_BID),
    _word("all_pass", "throw_in_next_dealer same_dealer dealer_must_bid_min play_no_trump", "D-32",
          "When everybody passes.", **_BID),
    Option("lead", "word", ("declarer", "eldest"), default="declarer", meaning="Who leads to the first trick.", **_BID),
    Option("kitty_to", "word", ("maker", "nobody"), default="maker", meaning="Who takes the cards left over.", **_BID),
    Option("values", "word", ("tricks", "avondale"), default="tricks", **_BID,
           meaning="What a bid is worth: its tricks, or by suit and tricks as in Five Hundred."),
    Option("set_costs", "word_or_points", ("bid", "nothing"), default="bid", only_each=TURN_UP,
           meaning="What the makers lose when they fail."),
    Option("set_gives", "word", ("tricks", "bid"), default="tricks", meaning="What the others get for a set.", **_BID),
    Option("made_gives", "word", ("tricks", "nothing"), default="tricks", meaning="What the others get for a bid made.", **_BID),
    Option("trick_points", "number_of", (1, 10), default=1, meaning="Points a trick to the others.", **_BID),
    Option("all_tricks_least", "points", default=0, meaning="The least that a bid made with every trick pays.", **_BID),
    Option("misere", "word", ("off", "on", "open"), default="off", decision="D-82", meaning="Bids to take no tricks.", **_BID),
    _switch("bowers", "", "The jacks of the trump colour are the best trumps.", default=True, **_BID),
    _switch("trump_by_lead", "", "The suit of the first card led is trump.", **_BID),
    _switch("level_payment", "", "The bidder is paid by every other player, or pays them.", family=BID, **_EACH),
    Option("no_trick_costs", "points", default=0, meaning="What taking no trick costs who plays.", **_EACH),
    _switch("wellington", "", "Wellington may be bid over nap: all five for double stakes.", **_special("wellington")),
    _switch("misery", "", "Misery may be bid: no trump and no trick.", **_special("misery")),
    _word("overtricks", "count ignore", "D-41", "Whether tricks above the bid score.", **_BID),
    _word("three_player_defence", "each joint", "D-34", "Whose tricks a defender scores.",
          family=BID, players=(3,), default="each"),
    _flag("defenders_score_on_failed_special", "D-39", "Defenders score tricks when a special fails.", **_BID),
    _word("exchange_order", "discard_first take_first", "D-37", "What comes first in an exchange.", **_special("exchange")),
    _flag("lone_over_max", "D-38", "Alone may be bid over the highest number.", **_special("ends_auction")),
    _flag("shooter_gets_kitty", "D-35", "A shooter takes the kitty.", **_special("shooter_gets_kitty")),
    Option("shooter_exchange", "number_of", (0, 2), decision="D-35", **_special("shooter_exchange"),
           meaning="Cards a shooter changes with his partner."),
    _points("moon_two_cards", "D-36", "Shooting the moon with two cards.", **_special("moon_two_cards")),
    _points("moon_one_card", "D-36", "Shooting the moon with one card.", **_special("moon_one_card")),
    Option("revoke_500", "word", ("off", "american", "hoffmann"), default="off", **_BID,
           meaning="A renege by the rules of Five Hundred."),
    Option("false_claim_points", "points", default=0, decision="D-95", meaning="The penalty for a false claim of a renege."),
    Option("table_talk_points", "points", default=0, decision="D-95", meaning="The penalty for table talk."),
    Option("abandon_points", "points", default=0, decision="D-95", **_FOUR,
           meaning="What a defender pays who abandons the hand against a lone maker."),
    # -- infractions -----------------------------------------------------------------------------
    _points("renege_points", "D-24", "The penalty for a renege."),
    _points("renege_points_lone", "D-24", "The same when a player is alone."),
    _word("renege_form", "claimant_choice add deduct", "D-24", "Whom the penalty is given or taken."),
    _word("renege_window", "trick until_next_deal", "D-25", "Until when a renege can be claimed."),
)  # fmt: skip

OPTIONS: Mapping[str, Option] = MappingProxyType({option.name: option for option in _ALL})

# Other names for the same value (D-10, D-14): name -> (option, players it is used at, values).
SYNONYMS: Mapping[str, tuple[str, int, tuple[int, ...]]] = MappingProxyType(
    {
        "march_3h": ("march", 3, (2, 3)),
        "march_partners": ("march", 4, ()),
        "march_alone": ("lone_march", 4, ()),
    }
)
