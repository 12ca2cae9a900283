"""The answers of the table page as a hand record, and a record as answers again; calls in words.

A call may be typed in the words of any language of the site ("passe, aufnehmen allein") and comes
back in the reader's. What is stored is neither: `calls_in` reads the words on the left of `WORDS`.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from league.play.questions import DIRTY_CLUBS, NOBODY, ON, Questions
from league.play.results import caller
from league.play.text import SPECIALS, SUIT_NAMES, SUIT_SIGNS

# Cards stand one after the other: `Ah Kd 10c`. Calls are separated by commas and begin with
# eldest hand: `pass, order up alone`, `pass, name h`, `bid 5 h, bid moon`. One who calls before his
# turn, for the rules let him, has the number of his seat before it: `3 mcevoy`. What a card or a
# call is worth is the engine's to say: a word that is no call is passed on.

TRUMPS = ("c", "d", "h", "s", "nt", "ntl")
CALLS = ("pass", "order-up", "name", "bid", "mcevoy", "redeal", "go-under")
_PASS = ("pass", "p")
_ORDER = ("order", "order-up", "assist", "take", "o")


def cards_in(text: str) -> list[str]:
    """The cards of a typed line, in order.

    >>> cards_in("Ah, Kd  10c")
    ['Ah', 'Kd', '10c']
    """
    return [_code_of(one) for one in text.replace(",", " ").split()]


def _code_of(card: str) -> str:
    """A card as the page shows it, "R♦" in French, by its code: `K♦`. Others as they are typed:
    letters for suits are the code's own, where B is the joker."""
    if card[-1] in SUIT_SIGNS.values():
        ranks = {gettext(rank).upper(): rank for rank in "AKQJ"}
        return ranks.get(card[:-1].upper(), card[:-1]) + card[-1]
    return card


def calls_in(text: str, *, dealer: int, players: int) -> list[dict[str, Any]]:
    """The calls of a typed auction, each given its seat: they go round from eldest hand.

    >>> calls_in("pass, order up alone", dealer=3, players=4)
    [{'seat': 0, 'call': 'pass'}, {'seat': 1, 'call': 'order-up', 'alone': True}]
    >>> calls_in("bid 5 h, bid moon", dealer=0, players=2)[1]
    {'seat': 0, 'call': 'bid', 'special': 'moon'}
    >>> calls_in("misere", dealer=0, players=2)
    [{'seat': 1, 'call': 'bid', 'special': 'misere'}]
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
    if first in SPECIALS:  # said alone, as people call it
        first, rest = "bid", words
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
    for name in ("upcard", "upcard2"):
        _put(record, name, answers.get(name))
    if answers.get("auction"):
        record["auction"] = calls_in(
            answers["auction"], dealer=record["dealer"], players=questions.players
        )
    if answers.get("maker") == "passed":
        won = _won_by_seat(answers, questions) if questions.plays_unbid else None
        return record | {"contract": None} | ({"tricks_won": won} if won else {})
    if answers.get("maker"):
        record["contract"] = _contract(answers, questions)
    for name in ("lone_maker", "lone_defender"):
        if answers.get(name):
            record[name] = int(answers[name])
    given = _play_answers(answers, questions) | _result(answers, questions)
    return record | given | _cards(answers, questions) | _penalties(answers)


def _contract(answers: Mapping[str, Any], questions: Questions) -> dict[str, Any]:
    if answers["maker"] == DIRTY_CLUBS:
        return {"seat": int(answers["dealer"]), "special": DIRTY_CLUBS, "trump": "c"}
    contract: dict[str, Any] = {"seat": int(answers["maker"])}
    _put(contract, "trump", answers.get("trump"))
    if answers.get("round"):
        contract["round"] = int(answers["round"])
    if answers.get("alone") == ON:
        contract["alone"] = True
    _put(contract, "special", answers.get("shown"))
    _put(contract, "call_card", answers.get("call_card"))
    bid = answers.get("bid") or ""
    if bid in questions.specials:
        contract["special"] = bid
    elif bid:
        contract["tricks"] = int(bid.rstrip("cdhsntl"))
        _put(contract, "trump", bid.lstrip("0123456789"))
    return contract


def _play_answers(answers: Mapping[str, Any], questions: Questions) -> dict[str, Any]:
    """Who held the card called, who dropped out, and tricks that broke the makers."""
    given: dict[str, Any] = {}
    if answers.get("partner"):
        given["partner"] = None if answers["partner"] == NOBODY else int(answers["partner"])
    out = [seat for seat in questions.seats if answers.get(f"out{seat}") == ON]
    _put(given, "out", out)
    _put(given, "fast_break", answers.get("fast_break") == ON)
    return given


def _result(answers: Mapping[str, Any], questions: Questions) -> dict[str, Any]:
    result: dict[str, Any] = {}
    _put(result, "outcome", answers.get("outcome"))
    if answers.get("tricks"):
        result["tricks_won"] = {"makers": int(answers["tricks"])}
    won = _won_by_seat(answers, questions) if questions.by_seat else None
    if won is not None:
        result["tricks_won"] = won
    return result


def _won_by_seat(answers: Mapping[str, Any], questions: Questions) -> list[int] | None:
    """Every seat's tricks. What nobody wrote down for the maker is what the others left."""
    counts = [answers.get(f"won{seat}") for seat in questions.seats]
    out = sum(answers.get(f"out{seat}") == ON for seat in questions.seats)
    if not any(counts) and out < questions.players - 1:
        return None
    won = [int(count or 0) for count in counts]
    maker = answers.get("maker") or ""
    if maker.isdecimal() and not counts[int(maker)]:
        won[int(maker)] = max(0, questions.tricks - sum(won))
    return won


def _cards(answers: Mapping[str, Any], questions: Questions) -> dict[str, Any]:
    by_place: dict[str, Any] = {}
    for name, prefix in (("hands", "hand"), ("discards", "discard")):
        by_seat = [answers.get(f"{prefix}{seat}") for seat in questions.seats]
        if any(by_seat):
            by_place[name] = [cards_in(text) if text else None for text in by_seat]
    numbers = range(1, questions.tricks + 1)
    tricks = [cards_in(answers.get(f"trick{number}") or "") for number in numbers]
    _put(by_place, "tricks", [_trick(cards, questions) for cards in tricks if cards])
    _put(by_place, "exchange", _exchange(answers, questions))
    return by_place


def _exchange(answers: Mapping[str, Any], questions: Questions) -> list[dict[str, Any]]:
    """The cards that each seat passed, and to whom."""
    passed = [cards_in(answers.get(f"passed{seat}") or "") for seat in questions.seats]
    return [
        {"from": seat, "to": _taker(seat, answers, questions), "cards": cards}
        for seat, cards in enumerate(passed)
        if cards
    ]


def _trick(cards: list[str], questions: Questions) -> dict[str, Any]:
    """A trick's cards; a joker that leads in no trump names its suit: `Bh`."""
    first = cards[0]
    if questions.joker_names and len(first) == 2 and first[0] in "Bb":
        return {"cards": ["B", *cards[1:]], "named": first[1].lower()}
    return {"cards": cards}


def _taker(giver: int, answers: Mapping[str, Any], questions: Questions) -> int:
    """Who takes what a seat passes: the partner opposite; among three, the one who bid."""
    maker = answers.get("maker") or ""
    if questions.players > 4 and maker.isdecimal() and int(maker) != giver:
        return int(maker)
    return (giver + questions.players // 2) % questions.players


def _penalties(answers: Mapping[str, Any]) -> dict[str, Any]:
    if not answers.get("renege_by"):
        return {}
    kind = answers.get("penalty_kind") or "renege"
    penalty: dict[str, Any] = {"kind": kind, "by": int(answers["renege_by"])}
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
    for name in ("upcard", "upcard2", "outcome", "lone_maker", "lone_defender"):
        if record.get(name) is not None:
            answers[name] = str(record[name])
    if "contract" in record:
        answers |= _contract_answers(record["contract"], questions)
    elif questions.dirty_clubs and not record.get("auction"):
        answers["maker"] = DIRTY_CLUBS  # a club turned up: there were no calls to write down
    if "partner" in record:
        answers["partner"] = NOBODY if record["partner"] is None else str(record["partner"])
    answers |= {f"out{seat}": ON for seat in record.get("out") or ()}
    if record.get("fast_break"):
        answers["fast_break"] = ON
    won = _result_answers(record, questions)
    return answers | won | _card_answers(record) | _penalty_answers(record)


def _contract_answers(contract: Mapping[str, Any] | None, questions: Questions) -> dict[str, str]:
    if contract is None:
        return {"maker": "passed"}
    special = contract.get("special")
    if special == DIRTY_CLUBS:
        return {"maker": DIRTY_CLUBS}
    answers = {"maker": str(contract["seat"])}
    for name in ("trump", "round", "call_card"):
        if contract.get(name) is not None:
            answers[name] = str(contract[name])
    if contract.get("alone"):
        answers["alone"] = ON
    tricks = contract.get("tricks")
    bid = special or dict(questions.named).get(tricks or 0, tricks)
    if questions.is_turn_up:
        return answers | ({"shown": special} if special else {})
    if questions.values and not special:
        bid = f"{bid}{answers.pop('trump', '')}"
    return answers | ({"bid": str(bid)} if bid else {})


def _result_answers(record: Mapping[str, Any], questions: Questions) -> dict[str, str]:
    won = record.get("tricks_won")
    if won is None:
        return {}
    if isinstance(won, Mapping):
        return {"tricks": str(won["makers"])}
    if questions.by_seat or (questions.plays_unbid and record.get("contract", "") is None):
        return {f"won{seat}": str(count) for seat, count in enumerate(won)}
    return {"tricks": str(sum(won[seat] for seat in _makers(record, questions)))}


def _makers(record: Mapping[str, Any], questions: Questions) -> set[int]:
    """Whose tricks count together: the caller's side, or he and the partner he called."""
    maker = caller(record) or 0
    if questions.partner:
        partner = record.get("partner")
        return {maker} if partner is None else {maker, int(partner)}
    if questions.players > 3 and questions.sides == 2:
        return set(range(maker % 2, questions.players, 2))
    return {maker}


def _card_answers(record: Mapping[str, Any]) -> dict[str, str]:
    answers = {}
    for name, prefix in (("hands", "hand"), ("discards", "discard")):
        for seat, cards in enumerate(record.get(name) or []):
            if cards:
                answers[f"{prefix}{seat}"] = " ".join(cards)
    for number, trick in enumerate(record.get("tricks") or [], 1):
        led = trick["cards"][0] + trick["named"] if trick.get("named") else trick["cards"][0]
        answers[f"trick{number}"] = " ".join([led, *trick["cards"][1:]])
    for exchange in record.get("exchange") or []:
        answers[f"passed{exchange['from']}"] = " ".join(exchange["cards"])
    return answers


def _penalty_answers(record: Mapping[str, Any]) -> dict[str, str]:
    answers = {}
    for penalty in record.get("penalties") or []:
        for name in ("by", "trick", "form"):
            if penalty.get(name) is not None:
                answers[f"renege_{name}"] = str(penalty[name])
        if penalty["kind"] != "renege":
            answers["penalty_kind"] = penalty["kind"]
    return answers


# The first word is shown, the others are read as well.
WORDS = {
    "pass": pgettext_lazy("words of a call", "pass, passes"),
    "order-up": pgettext_lazy("words of a call", "order up, orders up"),
    "name": pgettext_lazy("words of a call", "name, names"),
    "bid": pgettext_lazy("words of a call", "bid, bids"),
    "alone": pgettext_lazy("words of a call", "alone, loner"),
    "go-under": pgettext_lazy("words of a call", "go under, goes under"),
    "redeal": pgettext_lazy("words of a call", "deal again, redeal"),
    "mcevoy": pgettext_lazy("words of a call", "mcevoy"),
    "farmers": _("farmer's hand"),
    "no_ace_no_face": pgettext_lazy("words of a call", "no ace no face"),
}
IN_ONE_PIECE = re.compile(r"[^\d,]+")  # no "7 alone", which may be a bid of 7 and alone


def plain_calls(text: str) -> str:
    """What was typed, in the words that are stored: "Passe, Herz allein" is "pass, name h alone".

    The reader's own language comes first where two languages have one word. A word of none stays.
    """
    return _exchanged(text, *_read(translation.get_language() or settings.LANGUAGE_CODE))


def calls_in_words(text: str) -> str:
    """The other way round: stored words in the reader's."""
    return _exchanged(text, *_shown(translation.get_language() or settings.LANGUAGE_CODE))


def _exchanged(text: str, pattern: re.Pattern[str], words: dict[str, str]) -> str:
    return pattern.sub(lambda match: words[match[0].casefold()], text)


@cache
def _read(language: str) -> tuple[re.Pattern[str], dict[str, str]]:
    """Every language's words with what is stored for them, this one's before the others'."""
    words: dict[str, str] = {}
    for code in (language, settings.LANGUAGE_CODE, *dict(settings.LANGUAGES)):
        with translation.override(code):
            for stored, own in _call_words().items():
                for word in own:
                    words.setdefault(word.casefold(), stored)
    return _any_of(words), words


@cache
def _shown(language: str) -> tuple[re.Pattern[str], dict[str, str]]:
    with translation.override(language):
        words = {stored: own[0] for stored, own in _call_words().items()}
    return _any_of(words), words


def _call_words() -> dict[str, list[str]]:
    """What is stored, with the words for it in the language that is spoken now."""
    calls = {stored: [one.strip() for one in str(own).split(",")] for stored, own in WORDS.items()}
    suits = {code: [str(name)] for code, name in SUIT_NAMES.items()}
    specials = {code: [str(name)] for code, name in SPECIALS.items()}
    words = specials | suits | calls
    return {stored: own for stored, own in words.items() if all(map(IN_ONE_PIECE.fullmatch, own))}


def _any_of(words: dict[str, str]) -> re.Pattern[str]:
    longest = sorted(words, key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, longest))})(?![\w-])", re.IGNORECASE)
