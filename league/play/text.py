"""Games, hands and faults in words: who called, what it paid, what is wrong at which field."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.utils.translation import ngettext

from league.errors import Refused
from league.labels import as_label, as_partners
from league.members.names import TITLES, without_titles
from league.members.rule_texts import SPECIAL_BIDS
from league.play.game_log import GameLog, gained_in, score_after, tokens_after
from league.play.models import Ruling
from league.play.questions import DIRTY_CLUBS
from league.play.results import caller
from scoring import Answer, Fault

DASH = "\u2009–\u2009"
SUIT_NAMES = {
    "s": _lazy("spades"),
    "h": _lazy("hearts"),
    "d": _lazy("diamonds"),
    "c": _lazy("clubs"),
    "nt": _lazy("no trump"),
    "ntl": _lazy("no trump, low"),
}
SUIT_SIGNS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
OUTCOMES = {"euchred": _lazy("euchred"), "made": _lazy("made"), "march": _lazy("march")}
PENALTIES = {
    "renege": _lazy("renege"),
    "false-claim": _lazy("false claim"),
    "table-talk": _lazy("table talk"),
    "abandoned": _lazy("abandoned hand"),
}
SHOWN = {"jambone": _lazy("jambone"), "jamboree": _lazy("jamboree")}
NO_TRICK = ("misere", "open_misere", "misery")  # bids to take none: they have no trump
SPECIALS = {**SPECIAL_BIDS, DIRTY_CLUBS: _lazy("Dirty clubs")}


def short_names(names: Sequence[str]) -> list[str]:
    """First names without titles, and as much more as tells two people at one table apart.

    >>> short_names(["Rose Field", "Ann Smith", "Ann Stone", "Ted"])
    ['Rose', 'Ann Sm.', 'Ann St.', 'Ted']
    """
    bare = [without_titles(name) for name in names]
    return [_short(name, bare[:place] + bare[place + 1 :]) for place, name in enumerate(bare)]


def _short(name: str, others: Sequence[str]) -> str:
    first, *more = name.split(" ")
    if first.rstrip(".").casefold() in TITLES:
        return name
    same = [other.split(" ")[1:] for other in others if other.partition(" ")[0] == first]
    if not same or not more:
        return first
    last = more[-1]  # as on the wall: "Ivy B." for Ivy van der Berg
    for length in range(1, len(last)):
        if not any(rest and rest[-1].startswith(last[:length]) for rest in same):
            return f"{first} {last[:length]}."
    return name


def side_name(names: Sequence[str]) -> str:
    """What a side is called: its people."""
    return as_partners(names)


def score_text(score: Sequence[int]) -> str:
    """A score by side: 7 – 4, or 20 to −2, where a dash beside the minus could be misread.

    >>> score_text([7, 4])
    '7\\u2009–\\u20094'
    >>> score_text([20, -2])
    '20 to −2'
    """
    numbers = [minus(points) for points in score]
    if min(score, default=0) >= 0:
        return DASH.join(numbers)
    if len(numbers) == 2:
        return _("%(first)s to %(second)s") % {"first": numbers[0], "second": numbers[1]}
    return ", ".join(numbers)


def named_score(sides: Sequence[str], score: Sequence[int]) -> str:
    """A score whose numbers have names where more than two sides play: "Ann 22, Bill −3, Rose 30".

    >>> named_score(["Ann", "Bill", "Rose"], [22, -3, 30])
    'Ann 22, Bill −3, Rose 30'
    """
    if len(sides) <= 2:
        return score_text(score)
    return ", ".join(f"{name} {minus(points)}" for name, points in zip(sides, score, strict=True))


def minus(points: int) -> str:
    """A number with a true minus."""
    return f"−{-points}" if points < 0 else str(points)


def gained_text(gained: Sequence[int], sides: Sequence[str]) -> str:
    """Who got what from a hand: "Rose & Ted +2"; nothing where nobody got anything.

    >>> gained_text([7, -4], ["Ida, Elsie, Gina", "Bert, Dan, Cora"])
    'Ida, Elsie, Gina +7; Bert, Dan, Cora −4'
    """
    parts = [
        f"{name} {'+' if points > 0 else '−'}{abs(points)}"
        for name, points in zip(sides, gained, strict=True)
        if points
    ]
    crowded = any("," in name for name in sides)
    return ("; " if crowded else ", ").join(parts)


def hand_note(log: GameLog, number: int, names: Sequence[str]) -> str:
    """What the points of a hand alone do not say: its token, a caller's own bonus, a lowest score
    that cut a loss short."""
    answer, sides = log.state.answers[number - 1], log.state.sides
    if not answer.valid or not answer.points:
        return ""
    notes, points = [], answer.points
    if answer.token:
        notes.append(_token_text(log, number, names))
    for side in sides:
        best = max(side, key=lambda seat: points[seat])
        more = points[best] - min(points[seat] for seat in side)
        if more:
            text = ngettext(
                "%(n)d point more for %(who)s in the standings",
                "%(n)d points more for %(who)s in the standings",
                more,
            )
            notes.append(text % {"n": more, "who": names[best]})
    floor = log.rules.options["score_floor"]
    if floor != "none" and any(
        got > min(points[seat] for seat in side) and after == floor
        for got, side, after in zip(
            gained_in(log, number), sides, score_after(log, number, ruled=0), strict=True
        )
    ):
        notes.append(_("no score goes below %(points)s") % {"points": minus(floor)})
    return ", ".join(notes)


def _token_text(log: GameLog, number: int, names: Sequence[str]) -> str:
    """Whose token a hand with four tricks was, and how many that makes."""
    side = log.state.answers[number - 1].makers[0] % len(log.state.sides)
    held = tokens_after(log, number)[side]
    words = {"names": side_name([names[seat] for seat in log.state.sides[side]]), "n": held}
    if not held:
        return _("fourth token for %(names)s: 1 point") % words
    return ngettext("%(names)s: %(n)d token", "%(names)s: %(n)d tokens", held) % words


def hand_text(
    record: Mapping[str, Any], answer: Answer, names: Sequence[str], *, name_trump: bool = True
) -> str:
    """A hand in a few words: "Ann alone in hearts: march", or without its trump."""
    if not name_trump:
        answer = replace(answer, trump=None)
    plain = _without_maker(record, answer, names)
    if plain:
        return plain
    seat = caller(record)
    who = names[seat] if seat is not None else "?"
    if answer.outcome in ("made", "set") and bid_of(record):
        return _bid_text(record, answer, who)
    others = [names[mate] for mate in answer.makers if mate != seat]
    if record.get("partner") is not None and others:
        who = _("%(who)s with %(partner)s") % {"who": who, "partner": others[0]}
    text = _turn_up_text(record, answer, who)
    alone = [names[seat] for seat in answer.alone if seat not in answer.makers]
    if alone:
        return _("%(hand)s; %(who)s defended alone") % {"hand": text, "who": alone[0]}
    return text


def _without_maker(record: Mapping[str, Any], answer: Answer, names: Sequence[str]) -> str:
    """A hand that nobody made or set: thrown in, declared, ended by a penalty, open to all."""
    if answer.declared_by is not None:
        return _("%(who)s declared a McEvoy hand") % {"who": names[answer.declared_by]}
    if answer.outcome == "thrown-in":
        again = any(call["call"] == "redeal" for call in record.get("auction") or ())
        return _("Dealt again") if again else _("Passed out")
    if answer.outcome in ENDED_BY_PENALTY:
        by = next(p["by"] for p in record["penalties"] if p["kind"] == answer.outcome)
        return ENDED_BY_PENALTY[answer.outcome] % {"who": names[by]}
    if answer.outcome == "played":
        won = " ".join(
            f"{name} {tricks}" for name, tricks in zip(names, answer.tricks_won or (), strict=False)
        )
        what = _("Clubs turned up") if record.get("contract") else _("Played without a bid")
        return f"{as_label(what)} {won}" if won else what
    return ""


ENDED_BY_PENALTY = {
    "renege": _lazy("Renege by %(who)s"),
    "abandoned": _lazy("Hand abandoned by %(who)s"),
}


def ruling_text(ruling: Ruling, names: Sequence[str]) -> str:
    """What was ruled beside the hands, and about whom."""
    if ruling.kind == Ruling.Kind.MISDEAL:
        return _("Misdeal")
    if ruling.by_seat is None:
        return _("Ruling")
    return _("Renege by %(who)s") % {"who": names[ruling.by_seat]}


def _turn_up_text(record: Mapping[str, Any], answer: Answer, who: str) -> str:
    what = str(OUTCOMES.get(answer.outcome or "", answer.outcome))
    if record.get("fast_break"):
        what = _("fast break")
    shown = (record.get("contract") or {}).get("special")
    if shown in SHOWN:
        what = f"{SHOWN[shown]}, {what}"
    tricks = makers_tricks(record, answer)
    counted = answer.outcome in ("made", "euchred", "set") and not record.get("fast_break")
    if tricks is not None and counted:
        count = ngettext("%(n)d trick", "%(n)d tricks", tricks) % {"n": tricks}
        what = _("%(outcome)s, %(tricks)s") % {"outcome": what, "tricks": count}
    words = {"who": who, "what": what, "trump": SUIT_NAMES.get(answer.trump or "", "")}
    if set(answer.alone) & set(answer.makers):
        if answer.trump:
            return _("%(who)s alone in %(trump)s: %(what)s") % words
        return _("%(who)s alone: %(what)s") % words
    if answer.trump:
        return _("%(who)s in %(trump)s: %(what)s") % words
    return _("%(who)s: %(what)s") % words


def bid_of(record: Mapping[str, Any]) -> Any:
    """What was bid: a number of tricks or a special bid; None where nobody wrote it down."""
    contract = record.get("contract") or {}
    calls = [call for call in record.get("auction") or () if call["call"] == "bid"]
    last = calls[-1] if calls else {}
    for where in (contract, last):
        if where.get("special") or where.get("tricks"):
            return where.get("special") or where["tricks"]
    return None


def _bid_text(record: Mapping[str, Any], answer: Answer, who: str) -> str:
    tricks = makers_tricks(record, answer)
    words = {
        "who": who,
        "bid": bid_text(bid_of(record)),
        "trump": SUIT_NAMES.get(answer.trump or "", ""),
        "tricks": tricks if tricks is not None else "?",
    }
    has_trump = answer.trump and bid_of(record) not in NO_TRICK
    if bid_of(record) in SPECIALS:
        if has_trump:
            return _("%(who)s: %(bid)s in %(trump)s, took %(tricks)s") % words
        return _("%(who)s: %(bid)s, took %(tricks)s") % words
    if has_trump:
        return _("%(who)s bid %(bid)s in %(trump)s, took %(tricks)s") % words
    return _("%(who)s bid %(bid)s, took %(tricks)s") % words


def makers_tricks(record: Mapping[str, Any], answer: Answer) -> int | None:
    """How many tricks the makers took, where the record or the engine knows."""
    won = record.get("tricks_won")
    if isinstance(won, Mapping):
        return int(won["makers"])
    by_seat = won or answer.tricks_won
    if by_seat is None:
        return None
    return sum(by_seat[seat] for seat in answer.makers)


# A record's field, or what a fault is about, and the field of the page that asks for it.
FIELDS = {
    "dealer": "dealer",
    "contract": "maker",
    "tricks_won": "tricks",
    "outcome": "outcome",
    "upcard": "upcard",
    "upcard2": "upcard2",
    "partner": "partner",
    "fast_break": "fast_break",
    "auction": "auction",
    "lone_maker": "lone_maker",
    "lone_defender": "lone_defender",
    "tricks": "trick1",
    "penalties": "renege_by",
}
BY_CODE = {
    "wrong-dealer": "dealer",
    "call-out-of-turn": "auction",
    "call-not-allowed": "auction",
    "auction-unfinished": "auction",
    "contract-mismatch": "maker",
    "wrong-trick-count": "tricks",
    "tricks-mismatch": "tricks",
    "bad-penalty": "renege_by",
    "partner-played": "alone",
    "bad-partner": "partner",
}
# A line for each seat, by the record's field.
SEAT_LINES = {"hands": "hand", "discards": "discard", "exchange": "passed", "out": "out"}
BY_SEAT = {"wrong-hand-size": "hand", "bad-discard": "discard", "upcard-in-hand": "hand"}


def sentence(fault: Fault, names: Sequence[str]) -> str:
    """What is wrong, with the people at the table and the special bids called by their names."""
    if fault.code == "bad-format" and (fault.field or "").startswith("auction"):
        return _(
            "The bidding cannot be read. Write it as in the example, one call after the other."
        )
    values = tuple((key, _named(value)) for key, value in fault.values)
    return replace(fault, values=values).say(names=names, translate=_)


def _named(value: Any) -> Any:
    """A fault's word as people say it, where it is the code of a special bid or a list of some."""
    if not isinstance(value, str):
        return value
    return ", ".join(str(SPECIALS.get(word, word)) for word in value.split(", "))


def field_of(fault: Fault) -> str:
    """The field of the page at which a fault is shown."""
    if fault.trick is not None:
        return f"trick{fault.trick}"
    if fault.field:
        head, _dot, rest = fault.field.replace("[", ".").partition(".")
        if head == "contract" and rest in ("trump", "round", "alone", "call_card"):
            return rest
        if head == "contract" and rest in ("tricks", "special"):
            return "bid"
        place = rest.rstrip("]").split("]")[0]
        if head == "tricks" and place.isdecimal():
            return f"trick{int(place) + 1}"
        if head in SEAT_LINES:
            return f"{SEAT_LINES[head]}{fault.seat or 0}"
        return FIELDS.get(head, "")
    if fault.code in BY_SEAT and fault.seat is not None:
        return f"{BY_SEAT[fault.code]}{fault.seat}"
    return BY_CODE.get(fault.code, "")


def refusal(
    faults: Iterable[Fault], names: Sequence[str], typed: Mapping[str, Any] | None = None
) -> Refused:
    """A hand the rules do not allow: every fault, each at its field.

    What is wrong with calls stands at the contract where no calls were written down.
    """
    faults = list(faults)
    fields: dict[str, list[str]] = {}
    for fault in faults:
        field = field_of(fault)
        if field == "auction" and typed is not None and not typed.get("auction"):
            field = "bid" if bid_of(typed) else "maker"
        fields.setdefault(field, []).append(sentence(fault, names))
    details = [fault.to_json() for fault in faults]
    message = sentence(faults[0], names)
    return Refused(faults[0].code, message, fields=fields, details={"faults": details})


def unlikely(warnings: Iterable[Fault], names: Sequence[str]) -> Refused:
    """A hand the rules allow but nobody expects: saved once somebody says that it was so."""
    warnings = list(warnings)
    message = _("Is this right? Save it again to confirm.")
    fields = {"confirm_unlikely": [sentence(fault, names) for fault in warnings]}
    details = [fault.to_json() for fault in warnings]
    return Refused("unlikely", message, fields=fields, details={"warnings": details})


def card_face(code: str) -> str:
    """A card as it is printed: "10♣" for `Tc`, with the letters of the reader's language."""
    rank, suit = code[:-1].replace("T", "10"), SUIT_SIGNS.get(code[-1:])
    return f"{_(rank)}{suit}" if suit else _("Joker")


def bid_text(bid: Any) -> str:
    """A bid as people say it: "6", "7 diamonds", "Big pepper"."""
    name = str(bid)
    if name in SPECIALS:
        return str(SPECIALS[name])
    suit = name.lstrip("0123456789")
    if suit in SUIT_NAMES and name != suit:
        return f"{name[: -len(suit)]} {SUIT_NAMES[suit]}"
    return name.replace("_", " ").capitalize()
