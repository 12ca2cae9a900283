"""What the table page asks under a ruleset, and what its answers pay. Pure."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from league.members.models import Club
from scoring import PASSED, Ruleset, bid_value, check_hand, dealer_after_throw_in, next_dealer

TURN_UP = "turn_up"
MUCH = 48  # seats by tricks: six players with hands of eight still leave room
OUTCOMES = ("euchred", "made", "march")
ON, NOBODY, DIRTY_CLUBS = "on", "nobody", "dirty_clubs"
OTHER_PENALTIES = {
    "false-claim": "false_claim_points",
    "table-talk": "table_talk_points",
    "abandoned": "abandon_points",
}


@dataclass(frozen=True, slots=True)
class Questions:
    """`tricks` is how many a hand has; `by_outcome` asks euchred, made or march instead.

    `by_seat`: every seat's tricks are questions, since each player scores their own. `values` are
    bids with their suit and what they are worth ("7d", 180), where a bid is worth so much; else
    `bids` are the numbers of tricks; `named` are numbers that are special bids. `partner`: a
    partner is called for one hand. `dropping`: players may drop out. `shown`: lone hands played
    open. `laying`: somebody lays cards away. `passing`: partners pass cards. `penalties`: those
    beside the renege; `penalty_form`: the table may choose how it is paid; `own_renege`: what one
    costs hangs on the bid of its hand.
    `plays_unbid`: a hand that nobody bid is played, and every seat's tricks are asked.
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
    plays_unbid: bool
    bids: tuple[int, ...]
    values: tuple[tuple[str, int], ...]
    specials: tuple[str, ...]
    named: tuple[tuple[int, str], ...]
    trumps: tuple[str, ...]
    deck: tuple[str, ...]
    partner: bool
    dropping: bool
    dirty_clubs: bool
    upcard: bool
    second_upcard: bool
    fast_break: bool
    shown: tuple[str, ...]
    laying: bool
    passing: bool
    joker_names: bool
    penalties: tuple[str, ...]
    penalty_form: bool
    own_renege: bool
    eldest_leads: bool
    sides: int

    @property
    def is_turn_up(self) -> bool:
        return self.family == TURN_UP

    @property
    def counts_seats(self) -> bool:
        """Whether the page has a count for every seat, for some hands at least."""
        return self.by_seat or self.plays_unbid

    @property
    def asks_much(self) -> bool:
        """Whether a hand asks more than a maker and tricks, so that its page is drawn tighter."""
        return not self.is_turn_up or self.by_seat or self.partner or self.players > 4

    @property
    def fills_screen(self) -> bool:
        """Whether that is so much that a phone has no room for the largest digits of the score."""
        if self.values or (self.dropping and not self.is_turn_up):
            return True
        return self.players * self.tricks > MUCH

    @property
    def one_maker(self) -> bool:
        """Whether who makes trump plays for nobody else."""
        return self.sides == self.players and not self.partner

    @property
    def seats(self) -> range:
        return range(self.players)


def questions_of(rules: Ruleset, tricks_entry: str = Club.TricksEntry.COUNT) -> Questions:
    """The questions of a ruleset; euchred, made or march only where these settle the points."""
    options, turn_up = rules.options, rules.family == TURN_UP
    dropping = bool(options.get("drop_out"))
    clubs = dropping and bool(options.get("dirty_clubs"))
    exchanging = _exchanges_cards(rules)
    own_renege = bool(options.get("level_payment")) or _is_on(options.get("revoke_500"))
    return Questions(
        family=rules.family,
        players=rules.players,
        tricks=rules.hand_size,
        by_outcome=tricks_entry == Club.TricksEntry.OUTCOMES and _outcomes_settle(rules),
        by_seat=_own_tricks_pay(rules),
        alone=turn_up and rules.partnership,
        lone_defender=turn_up and options.get("defend_alone", "never") != "never",
        partner_alone=turn_up and options.get("alone_by") == "maker_side",
        pass_out=_can_pass_out(rules),
        plays_unbid=options.get("all_pass") == "play_no_trump",
        bids=_bids(rules),
        values=_values(rules),
        specials=tuple(special.name for special in rules.specials),
        named=tuple((special.tricks, special.name) for special in rules.specials if special.plain),
        trumps=_trumps(rules),
        deck=tuple(dict.fromkeys(rules.deck)),
        partner=rules.partner_called,
        dropping=dropping,
        dirty_clubs=clubs,
        upcard=turn_up or clubs,
        second_upcard=bool(options.get("second_upcard", False)),
        fast_break=bool(options.get("fast_break", False)),
        shown=tuple(name for name in ("jambone", "jamboree") if _is_on(options.get(name))),
        laying=turn_up or rules.taken_kitty > 0 or exchanging,
        passing=exchanging or _is_on(options.get("partners_best")),
        joker_names=rules.joker_names,
        penalties=tuple(kind for kind, name in OTHER_PENALTIES.items() if options.get(name)),
        penalty_form=not own_renege and options["renege_form"] == "claimant_choice",
        own_renege=own_renege,
        eldest_leads=turn_up or options.get("lead") == "eldest",
        sides=len(rules.sides),
    )


def _exchanges_cards(rules: Ruleset) -> bool:
    return any(special.exchange[1] for special in rules.specials)


@lru_cache(maxsize=64)
def points_by_result(rules: Ruleset, questions: Questions) -> dict[str, list[int]]:
    """What each result pays, "3" or "5 alone", to the makers' side and to those after it in turn:
    so that a phone can go on counting while it can ask nobody. Nothing where bids, or a partner
    called for the hand, decide."""
    if not questions.is_turn_up or questions.by_seat or questions.partner:
        return {}
    name = "outcome" if questions.by_outcome else "tricks"
    results = OUTCOMES if questions.by_outcome else map(str, range(questions.tricks + 1))
    points = {}
    for result, alone in product(results, ["", ON] if questions.alone else [""]):
        contract = {"seat": 0, "alone": True} if alone else {"seat": 0}
        stated = {name: result} if name == "outcome" else {"tricks_won": {"makers": int(result)}}
        answer = check_hand({"dealer": 0, "contract": contract, **stated}, rules)
        if answer.valid and answer.points:
            key = f"{result} alone" if alone else result
            points[key] = [answer.points[side[0]] for side in rules.sides]
    return points


def deals_after(rules: Ruleset) -> dict[str, str]:
    """Who deals after each seat's deal, in order of seats: once a hand was played, and once
    everybody passed. A phone needs it to go on while it can ask nobody."""
    seats = range(rules.players)
    played = [next_dealer(rules, seat) for seat in seats]
    passed = [dealer_after_throw_in(rules, seat, PASSED) for seat in seats]
    return {"played": " ".join(map(str, played)), "passed": " ".join(map(str, passed))}


def _is_on(value: object) -> bool:
    return value not in (None, False, "off")


def _own_tricks_pay(rules: Ruleset) -> bool:
    """Whether three or more players each score the tricks that they take themselves."""
    options = rules.options
    if rules.family == TURN_UP:
        return bool(options.get("drop_out"))
    joint = options.get("three_player_defence") == "joint" or options.get("level_payment")
    return not rules.partnership and rules.players > 2 and not joint


def _outcomes_settle(rules: Ruleset) -> bool:
    """Whether every euchre pays the same, however many tricks the makers took (D-22, D-48)."""
    options = rules.options
    if rules.family != TURN_UP or options.get("super_euchre", "off") != "off":
        return False
    if options.get("drop_out") or options.get("four_trick_tokens"):
        return False
    alone = options.get("defend_alone", "never") != "never"
    return not alone or bool(options["lone_def_euchre"] == options["lone_def_march"])


def _can_pass_out(rules: Ruleset) -> bool:
    options = rules.options
    if rules.family == TURN_UP:
        return not options["stick_the_dealer"]
    somebody_must = options["all_pass"] == "dealer_must_bid_min"  # noqa: S105 (no password)
    return not somebody_must and not options.get("eldest_must_open")


def _bids(rules: Ruleset) -> tuple[int, ...]:
    """The plain bids, from the least one on; a number that is a special bid stands with those."""
    if rules.options.get("values") != "tricks":
        return ()
    least = rules.options["min"]
    plain = {special.tricks for special in rules.specials if special.plain}
    return tuple(n for n in range(least, rules.hand_size + 1) if n not in plain)


def _values(rules: Ruleset) -> tuple[tuple[str, int], ...]:
    """Every bid with its suit and value, cheapest first, where bids are worth so much."""
    options = rules.options
    if options.get("values", "tricks") == "tricks":
        return ()
    suits = ["s", "c", "d", "h"] + [
        nt for word, nt in (("high", "nt"), ("low", "ntl")) if word in options["nt"]
    ]
    return tuple(
        (f"{tricks}{suit}", bid_value(tricks, suit))
        for tricks in range(options["min"], rules.hand_size + 1)
        for suit in suits
        if suit in "scdh" or tricks >= options["min_nt"]
    )


def _trumps(rules: Ruleset) -> tuple[str, ...]:
    forbidden = rules.options.get("forbidden_trumps", ())
    suits = tuple(suit for suit in "shdc" if suit not in forbidden)
    if rules.family == TURN_UP:
        return suits + (("nt",) if rules.options["no_trump"] != "never" else ())
    words = {"high": "nt", "low": "ntl"}
    return suits + tuple(words[bid] for bid in rules.options["nt"])
