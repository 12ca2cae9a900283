"""Cards and calls as people type them on the table page, turned into a hand record's lists.

Cards stand one after the other: `Ah Kd 10c`. Calls are separated by commas and begin with
eldest hand: `pass, order up alone`, `pass, name h`, `bid 5 h, bid moon`. What a card or a call is
worth is the engine's to say: an unknown word is passed on for it to refuse by name.
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
    """
    said = [part.lower().split() for part in text.split(",") if part.strip()]
    return [
        {"seat": (dealer + 1 + place) % players} | _call(words) for place, words in enumerate(said)
    ]


def calls_text(calls: list[dict[str, Any]]) -> str:
    """The other way round: the calls of a record as one would type them.

    >>> calls_text([{"seat": 0, "call": "pass"}, {"seat": 1, "call": "name", "trump": "h"}])
    'pass, name h'
    """
    return ", ".join(" ".join(_words(call)) for call in calls)


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
