"""The questions of the table page under a ruleset, and what the answers pay. Pure."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

from league.members.models import Club
from scoring import PASSED, Ruleset, bid_value, check_hand, dealer_after_throw_in, next_dealer

TURN_UP = "turn_up"
CROWDED = 48  # seats times tricks above which the page is crowded: six players with eight cards fit
OUTCOMES = ("euchred", "made", "march")
ON, NOBODY, DIRTY_CLUBS = "on", "nobody", "dirty_clubs"
OTHER_PENALTIES = {
    "false-claim": "false_claim_points",
    "table-talk": "table_talk_points",
    "abandoned": "abandon_points",
}


@dataclass(frozen=True, slots=True)
class Questions:
    """What the page asks about a hand.

    `tricks` is the number of tricks in a hand; `by_outcome`: the page asks for euchred, made or
    march instead. `by_seat`: the page asks for the tricks of every seat, because each player scores
    their own. `values` are bids with suit and value ("7d", 180) where bids have values; otherwise
    `bids` are numbers of tricks; `named` are numbers that are special bids. `partner`: a partner is
    called for one hand. `dropping`: players may drop out. `shown`: lone hands that are played open.
    `laying`: a player lays cards away. `passing`: partners pass cards. `penalties`: those other
    than the renege; `penalty_form`: the table may choose how it is paid; `own_renege`: its cost
    depends on the bid of the hand. `plays_unbid`: a hand without a bid is played, and the page asks
    for every seat's tricks.
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
    lone_lead: str
    sides: int

    @property
    def is_turn_up(self) -> bool:
        return self.family == TURN_UP

    @property
    def counts_seats(self) -> bool:
        """Whether the page has a count for every seat, at least for some hands."""
        return self.by_seat or self.plays_unbid

    @property
    def asks_much(self) -> bool:
        """Whether a hand needs more than a maker and tricks, so that its page is more compact."""
        return not self.is_turn_up or self.by_seat or self.partner or self.players > 4

    @property
    def fills_screen(self) -> bool:
        """Whether a phone has no room left for the largest digits of the score."""
        if self.values or (self.dropping and not self.is_turn_up):
            return True
        return self.players * self.tricks > CROWDED

    @property
    def one_maker(self) -> bool:
        """Whether the maker has no partner."""
        return self.sides == self.players and not self.partner

    @property
    def seats(self) -> range:
        return range(self.players)


def questions_of(rules: Ruleset, tricks_entry: str = Club.TricksEntry.COUNT) -> Questions:
    """The questions of a ruleset; outcomes are asked only where they determine the points."""
    options, is_turn_up = rules.options, rules.family == TURN_UP
    has_drop_out = bool(options.get("drop_out"))
    dirty_clubs = has_drop_out and bool(options.get("dirty_clubs"))
    has_exchange = _exchanges_cards(rules)
    own_renege = bool(options.get("level_payment")) or _is_on(options.get("revoke_500"))
    return Questions(
        family=rules.family,
        players=rules.players,
        tricks=rules.hand_size,
        by_outcome=tricks_entry == Club.TricksEntry.OUTCOMES and _outcomes_suffice(rules),
        by_seat=_scores_own_tricks(rules),
        alone=is_turn_up and rules.partnership,
        lone_defender=is_turn_up and options.get("defend_alone", "never") != "never",
        partner_alone=is_turn_up and options.get("alone_by") == "maker_side",
        pass_out=_can_pass_out(rules),
        plays_unbid=options.get("all_pass") == "play_no_trump",
        bids=_plain_bids(rules),
        values=_bid_values(rules),
        specials=tuple(special.name for special in rules.specials),
        named=tuple((special.tricks, special.name) for special in rules.specials if special.plain),
        trumps=_trump_codes(rules),
        deck=tuple(dict.fromkeys(rules.deck)),
        partner=rules.partner_called,
        dropping=has_drop_out,
        dirty_clubs=dirty_clubs,
        upcard=is_turn_up or dirty_clubs,
        second_upcard=bool(options.get("second_upcard", False)),
        fast_break=bool(options.get("fast_break", False)),
        shown=tuple(name for name in ("jambone", "jamboree") if _is_on(options.get(name))),
        laying=is_turn_up or rules.taken_kitty > 0 or has_exchange,
        passing=has_exchange or _is_on(options.get("partners_best")),
        joker_names=rules.joker_names,
        penalties=tuple(kind for kind, name in OTHER_PENALTIES.items() if options.get(name)),
        penalty_form=not own_renege and options["renege_form"] == "claimant_choice",
        own_renege=own_renege,
        lone_lead=_lone_lead(rules),
        eldest_leads=is_turn_up or options.get("lead") == "eldest",
        sides=len(rules.sides),
    )


def _lone_lead(rules: Ruleset) -> str:
    """The rule for who leads against a player alone; "" where no partner is known to rest."""
    rule: str = rules.options.get("loner_lead", "")
    return "" if rules.partner_called else rule


def _exchanges_cards(rules: Ruleset) -> bool:
    return any(special.exchange[1] for special in rules.specials)


@lru_cache(maxsize=64)
def points_by_result(rules: Ruleset, questions: Questions) -> dict[str, list[int]]:
    """The points of each result, "3", "5 alone" or "7d 8" (bid and tricks), for the makers' side
    and the following sides, so that a phone can keep score while offline. "3 called": for the
    maker, the partner called, and each other player. Empty where only the server can count."""
    if not questions.is_turn_up:
        return _points_by_bid(rules, questions)
    if questions.by_seat:
        return {}
    field = "outcome" if questions.by_outcome else "tricks"
    results = OUTCOMES if questions.by_outcome else map(str, range(questions.tricks + 1))
    points = {}
    for result, alone_answer in product(results, ["", ON] if questions.alone else [""]):
        contract = {"seat": 0, "alone": True} if alone_answer else {"seat": 0}
        stated = {field: result} if field == "outcome" else {"tricks_won": {"makers": int(result)}}
        key = f"{result} alone" if alone_answer else result
        nobody = {"partner": None} if questions.partner else {}
        points[key] = _points_of(rules, contract, stated | nobody)
        if questions.partner and not alone_answer:
            points[f"{result} called"] = _points_of(rules, contract, stated | {"partner": 1})[:3]
    return {key: paid for key, paid in points.items() if paid}


def _points_by_bid(rules: Ruleset, questions: Questions) -> dict[str, list[int]]:
    """The points of each bid with each number of tricks. What was made trump later changes none;
    a lowest score would: then only the server can count."""
    if rules.options["score_floor"] != "none" or questions.dropping or questions.partner:
        return {}
    contracts: dict[str, dict[str, Any]] = {str(bid): {"tricks": bid} for bid in questions.bids}
    for cell, _value in questions.values:
        suit = cell.lstrip("0123456789")
        contracts[cell] = {"tricks": int(cell.removesuffix(suit)), "trump": suit}
    contracts |= {name: {"special": name} for name in questions.specials}
    count = _points_by_seat if questions.by_seat else _points_of_makers
    points = {
        f"{bid} {tricks}": count(rules, {"seat": 0, **contract}, tricks)
        for bid, contract in contracts.items()
        for tricks in range(questions.tricks + 1)
    }
    if questions.by_seat and questions.plays_unbid:
        points["passed"] = _points_by_seat(rules, None, 0)
    return {key: paid for key, paid in points.items() if paid}


def _points_of_makers(rules: Ruleset, contract: dict[str, Any], tricks: int) -> list[int]:
    return _points_of(rules, contract, {"tricks_won": {"makers": tricks}})


def _points_by_seat(rules: Ruleset, contract: dict[str, Any] | None, tricks: int) -> list[int]:
    """What the maker scores with so many tricks, and what each trick pays another player; empty
    where the others' tricks pay otherwise."""
    rest, others = rules.hand_size - tricks, rules.players - 1
    splits = [[rest, *[0] * (others - 1)], [*[0] * (others - 1), rest]]
    if rest > 1:
        splits.append([1, rest - 1, *[0] * (others - 2)])
    paid = [_points_of(rules, contract, {"tricks_won": [tricks, *won]}) for won in splits]
    if not all(paid):
        return []
    own, each = paid[0][0], paid[0][1] // (rest or 1)
    is_even = all(
        points == [own, *(each * count for count in won)]
        for points, won in zip(paid, splits, strict=True)
    )
    return [own, each] if is_even else []


def _points_of(
    rules: Ruleset, contract: dict[str, Any] | None, stated: dict[str, Any]
) -> list[int]:
    """The points by side of a hand that seat 0 made; empty where it is not possible."""
    answer = check_hand({"dealer": 0, "contract": contract, **stated}, rules)
    if not answer.valid or not answer.points:
        return []
    return [answer.points[side[0]] for side in rules.sides]


def deals_after(rules: Ruleset) -> dict[str, str]:
    """The next dealer after each seat's deal, by seat: after a played hand, and after all passed.
    A phone needs this to continue while offline."""
    seats = range(rules.players)
    after_play = [next_dealer(rules, seat) for seat in seats]
    after_pass = [dealer_after_throw_in(rules, seat, PASSED) for seat in seats]
    return {"played": " ".join(map(str, after_play)), "passed": " ".join(map(str, after_pass))}


def _is_on(value: object) -> bool:
    return value not in (None, False, "off")


def _scores_own_tricks(rules: Ruleset) -> bool:
    """Whether three or more players each score their own tricks."""
    options = rules.options
    if rules.family == TURN_UP:
        return bool(options.get("drop_out"))
    is_joint = options.get("three_player_defence") == "joint" or options.get("level_payment")
    return not rules.partnership and rules.players > 2 and not is_joint


def _outcomes_suffice(rules: Ruleset) -> bool:
    """Whether every euchre pays the same, regardless of the makers' tricks (D-22, D-48)."""
    options = rules.options
    if rules.family != TURN_UP or options.get("super_euchre", "off") != "off":
        return False
    if options.get("drop_out") or options.get("four_trick_tokens"):
        return False
    can_defend_alone = options.get("defend_alone", "never") != "never"
    return not can_defend_alone or bool(options["lone_def_euchre"] == options["lone_def_march"])


def _can_pass_out(rules: Ruleset) -> bool:
    options = rules.options
    if rules.family == TURN_UP:
        return not options["stick_the_dealer"]
    dealer_must_bid = options["all_pass"] == "dealer_must_bid_min"  # noqa: S105 (no password)
    return not dealer_must_bid and not options.get("eldest_must_open")


def _plain_bids(rules: Ruleset) -> tuple[int, ...]:
    """The plain bids from the lowest on, without numbers that are special bids."""
    if rules.options.get("values") != "tricks":
        return ()
    lowest_bid = rules.options["min"]
    special_numbers = {special.tricks for special in rules.specials if special.plain}
    return tuple(
        number for number in range(lowest_bid, rules.hand_size + 1) if number not in special_numbers
    )


def _bid_values(rules: Ruleset) -> tuple[tuple[str, int], ...]:
    """Every bid with suit and value, lowest first, where bids have values."""
    options = rules.options
    if options.get("values", "tricks") == "tricks":
        return ()
    suits = ["s", "c", "d", "h"] + [
        suit for bid, suit in (("high", "nt"), ("low", "ntl")) if bid in options["nt"]
    ]
    return tuple(
        (f"{tricks}{suit}", bid_value(tricks, suit))
        for tricks in range(options["min"], rules.hand_size + 1)
        for suit in suits
        if suit in "scdh" or tricks >= options["min_nt"]
    )


def _trump_codes(rules: Ruleset) -> tuple[str, ...]:
    forbidden = rules.options.get("forbidden_trumps", ())
    suits = tuple(suit for suit in "shdc" if suit not in forbidden)
    if rules.family == TURN_UP:
        return suits + (("nt",) if rules.options["no_trump"] != "never" else ())
    codes = {"high": "nt", "low": "ntl"}
    return suits + tuple(codes[bid] for bid in rules.options["nt"])
