"""Converts the answers of the table page to a hand record and back; reads and shows calls in words.

A call may be typed in any language of the site ("passe, aufnehmen allein") and is shown in the
reader's. Neither is stored: `calls_in` reads the codes that are the keys of `WORDS`.
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

# Cards are separated by spaces: `Ah Kd 10c`. Calls are separated by commas and begin with eldest
# hand: `pass, order up alone`, `pass, name h`, `bid 5 h, bid moon`. A call out of turn, where the
# rules allow it, begins with the number of the seat: `3 mcevoy`. The engine validates cards and
# calls, so unknown words are passed through.

TRUMPS = ("c", "d", "h", "s", "nt", "ntl")
CALLS = ("pass", "order-up", "name", "bid", "mcevoy", "redeal", "go-under")
_PASS = ("pass", "p")
_ORDER = ("order", "order-up", "assist", "take", "o")


def cards_in(text: str) -> list[str]:
    """The cards of a typed line, in order.

    >>> cards_in("Ah, Kd  10c")
    ['Ah', 'Kd', '10c']
    """
    return [_code_of(card) for card in text.replace(",", " ").split()]


def _code_of(card: str) -> str:
    """The code of a card as the page shows it: "R♦" in French is `K♦`. Cards typed with a letter
    for the suit are returned unchanged: they are codes already (B is the joker)."""
    if card[-1] in SUIT_SIGNS.values():
        ranks = {gettext(rank).upper(): rank for rank in "AKQJ"}
        return ranks.get(card[:-1].upper(), card[:-1]) + card[-1]
    return card


def calls_in(text: str, *, dealer: int, players: int) -> list[dict[str, Any]]:
    """The calls of a typed auction, each with its seat, going round from eldest hand.

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
        calls.append({"seat": seat} | _parse_call(words))
    return calls


def calls_text(calls: list[dict[str, Any]], *, dealer: int, players: int) -> str:
    """The calls of a record as text, as one would type them; the reverse of `calls_in`.

    >>> calls_text([{"seat": 0, "call": "pass"}, {"seat": 1, "call": "name", "trump": "h"}],
    ...            dealer=3, players=4)
    'pass, name h'
    """
    texts, seat = [], dealer
    for call in calls:
        next_seat, seat = (seat + 1) % players, call["seat"]
        prefix = [] if seat == next_seat else [str(seat + 1)]
        texts.append(" ".join(prefix + _call_as_words(call)))
    return ", ".join(texts)


def _parse_call(words: list[str]) -> dict[str, Any]:
    first_word, options = words[0], [word for word in words[1:] if word != "up"]
    if first_word in _PASS:
        return {"call": "pass"}
    if first_word in SPECIALS:  # called without "bid"
        first_word, options = "bid", words
    call: dict[str, Any] = {"call": "order-up" if first_word in _ORDER else first_word}
    for word in options:
        if word == "alone":
            call["alone"] = True
        elif word in TRUMPS:
            call["trump"] = word
        elif word.isascii() and word.isdigit():
            call["tricks"] = int(word[:4])
        else:
            call["special"] = word
    return call


def _call_as_words(call: dict[str, Any]) -> list[str]:
    words = [str(call["call"])]
    words += [str(call[part]) for part in ("tricks", "special", "trump") if part in call]
    return words + (["alone"] if call.get("alone") else [])


def record_of(answers: Mapping[str, Any], questions: Questions) -> dict[str, Any]:
    """The hand record for these answers, without the parts that were not answered.

    A hand that was passed out has no other parts, unless it is played without a bid."""
    record: dict[str, Any] = {"dealer": int(answers["dealer"])}
    for name in ("upcard", "upcard2"):
        _set_if_given(record, name, answers.get(name))
    if answers.get("auction"):
        record["auction"] = calls_in(
            answers["auction"], dealer=record["dealer"], players=questions.players
        )
    if answers.get("maker") == "passed":
        tricks_won = _tricks_by_seat(answers, questions) if questions.plays_unbid else None
        return record | {"contract": None} | ({"tricks_won": tricks_won} if tricks_won else {})
    if answers.get("maker"):
        record["contract"] = _contract_from(answers, questions)
    for name in ("lone_maker", "lone_defender"):
        if answers.get(name):
            record[name] = int(answers[name])
    play_answers = _play_answers(answers, questions) | _result_from(answers, questions)
    return record | play_answers | _cards_from(answers, questions) | _penalties_from(answers)


def _contract_from(answers: Mapping[str, Any], questions: Questions) -> dict[str, Any]:
    if answers["maker"] == DIRTY_CLUBS:
        return {"seat": int(answers["dealer"]), "special": DIRTY_CLUBS, "trump": "c"}
    contract: dict[str, Any] = {"seat": int(answers["maker"])}
    _set_if_given(contract, "trump", answers.get("trump"))
    if answers.get("round"):
        contract["round"] = int(answers["round"])
    if answers.get("alone") == ON:
        contract["alone"] = True
    _set_if_given(contract, "special", answers.get("shown"))
    _set_if_given(contract, "call_card", answers.get("call_card"))
    bid = answers.get("bid") or ""
    if bid in questions.specials:
        contract["special"] = bid
    elif bid:
        contract["tricks"] = int(bid.rstrip("cdhsntl"))
        _set_if_given(contract, "trump", bid.lstrip("0123456789"))
    return contract


def _play_answers(answers: Mapping[str, Any], questions: Questions) -> dict[str, Any]:
    """The partner who held the called card, the seats that dropped out, and a fast break."""
    record: dict[str, Any] = {}
    if answers.get("partner"):
        record["partner"] = None if answers["partner"] == NOBODY else int(answers["partner"])
    dropped_out = [seat for seat in questions.seats if answers.get(f"out{seat}") == ON]
    _set_if_given(record, "out", dropped_out)
    _set_if_given(record, "fast_break", answers.get("fast_break") == ON)
    return record


def _result_from(answers: Mapping[str, Any], questions: Questions) -> dict[str, Any]:
    result: dict[str, Any] = {}
    _set_if_given(result, "outcome", answers.get("outcome"))
    if answers.get("tricks"):
        result["tricks_won"] = {"makers": int(answers["tricks"])}
    tricks_won = _tricks_by_seat(answers, questions) if questions.by_seat else None
    if tricks_won is not None:
        result["tricks_won"] = tricks_won
    return result


def _tricks_by_seat(answers: Mapping[str, Any], questions: Questions) -> list[int] | None:
    """The tricks of every seat, None without answers. A missing count of the maker is the rest."""
    counts = [answers.get(f"won{seat}") for seat in questions.seats]
    dropped_out = sum(answers.get(f"out{seat}") == ON for seat in questions.seats)
    if not any(counts) and dropped_out < questions.players - 1:
        return None
    tricks_won = [int(count or 0) for count in counts]
    maker = answers.get("maker") or ""
    if maker.isdecimal() and not counts[int(maker)]:
        tricks_won[int(maker)] = max(0, questions.tricks - sum(tricks_won))
    return tricks_won


def _cards_from(answers: Mapping[str, Any], questions: Questions) -> dict[str, Any]:
    by_place: dict[str, Any] = {}
    for name, prefix in (("hands", "hand"), ("discards", "discard")):
        by_seat = [answers.get(f"{prefix}{seat}") for seat in questions.seats]
        if any(by_seat):
            by_place[name] = [cards_in(text) if text else None for text in by_seat]
    numbers = range(1, questions.tricks + 1)
    tricks = [cards_in(answers.get(f"trick{number}") or "") for number in numbers]
    _set_if_given(by_place, "tricks", [_trick_from(cards, questions) for cards in tricks if cards])
    _set_if_given(by_place, "exchange", _exchange_from(answers, questions))
    return by_place


def _exchange_from(answers: Mapping[str, Any], questions: Questions) -> list[dict[str, Any]]:
    """The cards that each seat passed, with the receiving seat."""
    passed_cards = [cards_in(answers.get(f"passed{seat}") or "") for seat in questions.seats]
    return [
        {"from": seat, "to": _receiver(seat, answers, questions), "cards": cards}
        for seat, cards in enumerate(passed_cards)
        if cards
    ]


def _trick_from(cards: list[str], questions: Questions) -> dict[str, Any]:
    """A trick's cards; a joker that leads in no trump names its suit: `Bh`."""
    lead = cards[0]
    if questions.joker_names and len(lead) == 2 and lead[0] in "Bb":
        return {"cards": ["B", *cards[1:]], "named": lead[1].lower()}
    return {"cards": cards}


def _receiver(giver: int, answers: Mapping[str, Any], questions: Questions) -> int:
    """The seat that receives a seat's cards: the partner opposite; in teams of three the bidder."""
    maker = answers.get("maker") or ""
    if questions.players > 4 and maker.isdecimal() and int(maker) != giver:
        return int(maker)
    return (giver + questions.players // 2) % questions.players


def _penalties_from(answers: Mapping[str, Any]) -> dict[str, Any]:
    if not answers.get("renege_by"):
        return {}
    kind = answers.get("penalty_kind") or "renege"
    penalty: dict[str, Any] = {"kind": kind, "by": int(answers["renege_by"])}
    _set_if_given(penalty, "form", kind == "renege" and answers.get("renege_form"))
    if answers.get("renege_trick"):
        penalty["trick"] = int(answers["renege_trick"])
    return {"penalties": [penalty]}


def _set_if_given(record: dict[str, Any], name: str, value: Any) -> None:
    if value:
        record[name] = value


def answers_of(record: Mapping[str, Any], questions: Questions) -> dict[str, Any]:
    """The answers that produce this record, to fill in the form that corrects it."""
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
        answers["maker"] = DIRTY_CLUBS  # a club was turned up, so there were no calls
    if "partner" in record:
        answers["partner"] = NOBODY if record["partner"] is None else str(record["partner"])
    answers |= {f"out{seat}": ON for seat in record.get("out") or ()}
    if record.get("fast_break"):
        answers["fast_break"] = ON
    result_answers = _result_answers(record, questions)
    return answers | result_answers | _card_answers(record) | _penalty_answers(record)


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
    tricks_won = record.get("tricks_won")
    if tricks_won is None:
        return {}
    if isinstance(tricks_won, Mapping):
        return {"tricks": str(tricks_won["makers"])}
    if questions.by_seat or (questions.plays_unbid and record.get("contract", "") is None):
        return {f"won{seat}": str(count) for seat, count in enumerate(tricks_won)}
    return {"tricks": str(sum(tricks_won[seat] for seat in _maker_seats(record, questions)))}


def _maker_seats(record: Mapping[str, Any], questions: Questions) -> set[int]:
    """The seats whose tricks count together: the caller's side, or caller and called partner."""
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
        lead = trick["cards"][0] + trick["named"] if trick.get("named") else trick["cards"][0]
        answers[f"trick{number}"] = " ".join([lead, *trick["cards"][1:]])
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


# The first word is the one shown; the others are accepted too.
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
    """Translates typed calls to the codes that are stored: "aufnehmen allein" to "order-up alone".

    Where two languages share a word, the reader's language wins. Unknown words are kept."""
    language = translation.get_language() or settings.LANGUAGE_CODE
    return _replace_words(text, *_accepted_words(language))


def calls_in_words(text: str) -> str:
    """Translates stored codes to the words of the reader's language."""
    language = translation.get_language() or settings.LANGUAGE_CODE
    return _replace_words(text, *_display_words(language))


def _replace_words(text: str, pattern: re.Pattern[str], words: dict[str, str]) -> str:
    return pattern.sub(lambda match: words[match[0].casefold()], text)


@cache
def _accepted_words(language: str) -> tuple[re.Pattern[str], dict[str, str]]:
    """A pattern for the words of all languages, and their codes; `language` takes precedence."""
    words: dict[str, str] = {}
    for code in (language, settings.LANGUAGE_CODE, *dict(settings.LANGUAGES)):
        with translation.override(code):
            for call, spellings in _call_words().items():
                for word in spellings:
                    words.setdefault(word.casefold(), call)
    return _any_word_pattern(words), words


@cache
def _display_words(language: str) -> tuple[re.Pattern[str], dict[str, str]]:
    with translation.override(language):
        words = {call: spellings[0] for call, spellings in _call_words().items()}
    return _any_word_pattern(words), words


def _call_words() -> dict[str, list[str]]:
    """The codes with their words in the active language."""
    calls = {code: [w.strip() for w in str(words).split(",")] for code, words in WORDS.items()}
    suits = {code: [str(name)] for code, name in SUIT_NAMES.items()}
    specials = {code: [str(name)] for code, name in SPECIALS.items()}
    terms = specials | suits | calls
    return {code: words for code, words in terms.items() if all(map(IN_ONE_PIECE.fullmatch, words))}


def _any_word_pattern(words: dict[str, str]) -> re.Pattern[str]:
    longest = sorted(words, key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, longest))})(?![\w-])", re.IGNORECASE)
