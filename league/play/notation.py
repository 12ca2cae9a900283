"""Cards and calls as people type them on the table page, turned into a hand record's lists.

Cards stand one after the other: `Ah Kd 10c`. Calls are separated by commas and begin with
eldest hand: `pass, order up alone`, `pass, name h`, `bid 5 h, bid moon`. One who calls before his
turn, for the rules let him, has the number of his chair before it: `3 mcevoy`. What a card or a
call is worth is the engine's to say: an unknown word is passed on for it to refuse by name.
"""

from typing import Any

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
    told, seat = [], dealer
    for call in calls:
        due, seat = (seat + 1) % players, call["seat"]
        chair = [] if seat == due else [str(seat + 1)]
        told.append(" ".join(chair + _words(call)))
    return ", ".join(told)


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
