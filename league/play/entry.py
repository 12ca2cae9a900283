"""What the table page asks under a ruleset, and the hand record its answers make. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

from league.members.models import Club
from league.play.results import caller
from scoring import PASSED, Ruleset, check_hand, dealer_after_throw_in, next_dealer

TURN_UP = "turn_up"
OUTCOMES = ("euchred", "made", "march")
ON = "on"


@dataclass(frozen=True, slots=True)
class Questions:
    """`tricks` is how many a hand has; `by_outcome` asks euchred, made or march instead.

    `by_seat`: every seat's tricks are questions, since each defender scores his own.
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


@lru_cache(maxsize=64)
def points_by_result(rules: Ruleset, questions: Questions) -> dict[str, list[int]]:
    """What each result pays, "3" or "5 alone", to the makers' side and to those after it in turn:
    so that a phone can go on counting while it can ask nobody. Nothing where bids decide."""
    if not questions.is_turn_up or questions.by_seat:
        return {}
    name = "outcome" if questions.by_outcome else "tricks"
    results = OUTCOMES if questions.by_outcome else map(str, range(questions.tricks + 1))
    points = {}
    for result, alone in product(results, ["", ON] if questions.alone else [""]):
        answers = {"dealer": "0", "maker": "0", "alone": alone, name: result}
        answer = check_hand(record_of(answers, questions), rules)
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


# Cards stand one after the other: `Ah Kd 10c`. Calls are separated by commas and begin with
# eldest hand: `pass, order up alone`, `pass, name h`, `bid 5 h, bid moon`. One who calls before his
# turn, for the rules let him, has the number of his seat before it: `3 mcevoy`. What a card or a
# call is worth is the engine's to say: an unknown word is passed on for it to refuse by name.

TRUMPS = ("c", "d", "h", "s", "nt", "ntl")
_PASS = ("pass", "p")
_ORDER = ("order", "order-up", "assist", "take", "o")


def cards_in(text: str) -> list[str]:
    """The cards of a typed line, in order.

    >>> cards_in("Ah, Kd  10c")
    ['Ah', 'Kd', '10c']
    """
    return text.replace(",", " ").split()


def calls_in(text: str, *, dealer: int, players: int) -> list[dict[str, Any]]:
    """The calls of a typed auction, each given its seat: they go round from eldest hand.

    >>> calls_in("pass, order up alone", dealer=3, players=4)
    [{'seat': 0, 'call': 'pass'}, {'seat': 1, 'call': 'order-up', 'alone': True}]
    >>> calls_in("bid 5 h, bid moon", dealer=0, players=2)[1]
    {'seat': 0, 'call': 'bid', 'special': 'moon'}
    >>> calls_in("3 mcevoy", dealer=0, players=4)
    [{'seat': 2, 'call': 'mcevoy'}]
    """
    seat, calls = dealer, []
    for part in filter(str.strip, text.split(",")):
        words = part.lower().split()
        seat = (seat + 1) % players
        if len(words) > 1 and words[0].isascii() and words[0].isdigit():
            seat = int(words.pop(0)[:4]) - 1
        calls.append({"seat": seat} | _call(words))
    return calls


def calls_text(calls: list[dict[str, Any]], *, dealer: int, players: int) -> str:
    """The other way round: the calls of a record as one would type them.

    >>> calls_text([{"seat": 0, "call": "pass"}, {"seat": 1, "call": "name", "trump": "h"}],
    ...            dealer=3, players=4)
    'pass, name h'
    """
    texts, seat = [], dealer
    for call in calls:
        due, seat = (seat + 1) % players, call["seat"]
        prefix = [] if seat == due else [str(seat + 1)]
        texts.append(" ".join(prefix + _words(call)))
    return ", ".join(texts)


def _call(words: list[str]) -> dict[str, Any]:
    first, rest = words[0], [word for word in words[1:] if word != "up"]
    if first in _PASS:
        return {"call": "pass"}
    call: dict[str, Any] = {"call": "order-up" if first in _ORDER else first}
    for word in rest:
        if word == "alone":
            call["alone"] = True
        elif word in TRUMPS:
            call["trump"] = word
        elif word.isascii() and word.isdigit():
            call["tricks"] = int(word[:4])
        else:
            call["special"] = word
    return call


def _words(call: dict[str, Any]) -> list[str]:
    words = [str(call["call"])]
    words += [str(call[part]) for part in ("tricks", "special", "trump") if part in call]
    return words + (["alone"] if call.get("alone") else [])


def record_of(answers: Mapping[str, Any], questions: Questions) -> dict[str, Any]:
    """The hand record that the answers make; what was not answered is left out.

    A hand passed out keeps nothing else, for there is nothing else to a hand thrown in.
    """
    record: dict[str, Any] = {"dealer": int(answers["dealer"])}
    _put(record, "upcard", answers.get("upcard"))
    if answers.get("auction"):
        record["auction"] = calls_in(
            answers["auction"], dealer=record["dealer"], players=questions.players
        )
    if answers.get("maker") == "passed":
        return record | {"contract": None}
    if answers.get("maker"):
        record["contract"] = _contract(answers, questions)
    for name in ("lone_maker", "lone_defender"):
        if answers.get(name):
            record[name] = int(answers[name])
    return record | _result(answers, questions) | _cards(answers, questions) | _penalties(answers)


def _contract(answers: Mapping[str, Any], questions: Questions) -> dict[str, Any]:
    contract: dict[str, Any] = {"seat": int(answers["maker"])}
    _put(contract, "trump", answers.get("trump"))
    if answers.get("round"):
        contract["round"] = int(answers["round"])
    if answers.get("alone") == ON:
        contract["alone"] = True
    bid = answers.get("bid")
    if bid:
        contract |= {"special": bid} if bid in questions.specials else {"tricks": int(bid)}
    return contract


def _result(answers: Mapping[str, Any], questions: Questions) -> dict[str, Any]:
    result: dict[str, Any] = {}
    _put(result, "outcome", answers.get("outcome"))
    if answers.get("tricks"):
        result["tricks_won"] = {"makers": int(answers["tricks"])}
    won = [answers.get(f"won{seat}") for seat in range(questions.players)]
    if any(won):
        result["tricks_won"] = [int(count or 0) for count in won]
    return result


def _cards(answers: Mapping[str, Any], questions: Questions) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, prefix in (("hands", "hand"), ("discards", "discard")):
        by_seat = [answers.get(f"{prefix}{seat}") for seat in range(questions.players)]
        if any(by_seat):
            found[name] = [cards_in(text) if text else None for text in by_seat]
    tricks = [
        cards_in(answers.get(f"trick{number}") or "") for number in range(1, questions.tricks + 1)
    ]
    if any(tricks):
        found["tricks"] = [{"cards": cards} for cards in tricks if cards]
    passed = [cards_in(answers.get(f"passed{seat}") or "") for seat in range(questions.players)]
    if any(passed):
        found["exchange"] = [
            {
                "from": seat,
                "to": (seat + questions.players // 2) % questions.players,
                "cards": cards,
            }
            for seat, cards in enumerate(passed)
            if cards
        ]
    return found


def _penalties(answers: Mapping[str, Any]) -> dict[str, Any]:
    if not answers.get("renege_by"):
        return {}
    penalty: dict[str, Any] = {"kind": "renege", "by": int(answers["renege_by"])}
    _put(penalty, "form", answers.get("renege_form"))
    if answers.get("renege_trick"):
        penalty["trick"] = int(answers["renege_trick"])
    return {"penalties": [penalty]}


def _put(record: dict[str, Any], name: str, value: Any) -> None:
    if value:
        record[name] = value


def answers_of(record: Mapping[str, Any], questions: Questions) -> dict[str, Any]:
    """The answers that would make this record: what a form shows to have it corrected."""
    answers: dict[str, Any] = {"dealer": str(record["dealer"])}
    if record.get("auction"):
        answers["auction"] = calls_text(
            record["auction"], dealer=record["dealer"], players=questions.players
        )
    for name in ("upcard", "outcome", "lone_maker", "lone_defender"):
        if record.get(name) is not None:
            answers[name] = str(record[name])
    if "contract" in record:
        answers |= _contract_answers(record["contract"])
    won = _result_answers(record, questions)
    return answers | won | _card_answers(record) | _penalty_answers(record)


def _contract_answers(contract: Mapping[str, Any] | None) -> dict[str, str]:
    if contract is None:
        return {"maker": "passed"}
    answers = {"maker": str(contract["seat"])}
    for name in ("trump", "round"):
        if contract.get(name) is not None:
            answers[name] = str(contract[name])
    if contract.get("alone"):
        answers["alone"] = "on"
    bid = contract.get("special") or contract.get("tricks")
    return answers | ({"bid": str(bid)} if bid else {})


def _result_answers(record: Mapping[str, Any], questions: Questions) -> dict[str, str]:
    won = record.get("tricks_won")
    if won is None:
        return {}
    if isinstance(won, Mapping):
        return {"tricks": str(won["makers"])}
    if questions.by_seat:
        return {f"won{seat}": str(count) for seat, count in enumerate(won)}
    maker = caller(record) or 0
    side = won[maker % 2 :: 2] if questions.players > 3 else [won[maker]]
    return {"tricks": str(sum(side))}


def _card_answers(record: Mapping[str, Any]) -> dict[str, str]:
    answers = {}
    for name, prefix in (("hands", "hand"), ("discards", "discard")):
        for seat, cards in enumerate(record.get(name) or []):
            if cards:
                answers[f"{prefix}{seat}"] = " ".join(cards)
    for number, trick in enumerate(record.get("tricks") or [], 1):
        answers[f"trick{number}"] = " ".join(trick["cards"])
    for exchange in record.get("exchange") or []:
        answers[f"passed{exchange['from']}"] = " ".join(exchange["cards"])
    return answers


def _penalty_answers(record: Mapping[str, Any]) -> dict[str, str]:
    answers = {}
    for penalty in record.get("penalties") or []:
        for name in ("by", "trick", "form"):
            if penalty.get(name) is not None:
                answers[f"renege_{name}"] = str(penalty[name])
    return answers
