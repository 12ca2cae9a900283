"""Describes games, hands and faults in words; says at which field of a form a fault is shown."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.utils.translation import ngettext

from league.errors import Refused
from league.labels import as_label, as_partners
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
NO_TRICK = ("misere", "open_misere", "misery")  # bids to take no trick, which have no trump
SPECIALS = {**SPECIAL_BIDS, DIRTY_CLUBS: _lazy("Dirty clubs")}


def side_name(names: Sequence[str]) -> str:
    """The name of a side: the names of its players."""
    return as_partners(names)


def score_text(score: Sequence[int]) -> str:
    """A score by side: 7 – 4, or 20 to −2 because a dash next to a minus could be misread.

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
    """A score, with the names of the sides where there are more than two.

    >>> named_score(["Ann", "Bill", "Rose"], [22, -3, 30])
    'Ann 22, Bill −3, Rose 30'
    """
    if len(sides) <= 2:
        return score_text(score)
    return ", ".join(f"{name} {minus(points)}" for name, points in zip(sides, score, strict=True))


def minus(points: int) -> str:
    """A number with a typographic minus sign."""
    return f"−{-points}" if points < 0 else str(points)


def gained_text(gained: Sequence[int], sides: Sequence[str]) -> str:
    """The points that each side gained in a hand: "Rose & Ted +2". Sides without any are left out.

    >>> gained_text([7, -4], ["Ida, Elsie, Gina", "Bert, Dan, Cora"])
    'Ida, Elsie, Gina +7; Bert, Dan, Cora −4'
    """
    parts = [
        f"{name} {'+' if points > 0 else '−'}{abs(points)}"
        for name, points in zip(sides, gained, strict=True)
        if points
    ]
    has_commas = any("," in name for name in sides)
    return ("; " if has_commas else ", ").join(parts)


def hand_note(log: GameLog, number: int, names: Sequence[str]) -> str:
    """What the points of a hand do not show: its token, a caller's own bonus, a loss limited by the
    minimum score."""
    answer, sides = log.state.answers[number - 1], log.state.sides
    if not answer.valid or not answer.points:
        return ""
    notes, points = [], answer.points
    if answer.token:
        notes.append(_token_text(log, number, names))
    for side in sides:
        best = max(side, key=lambda seat: points[seat])
        bonus = points[best] - min(points[seat] for seat in side)
        if bonus:
            text = ngettext(
                "%(n)d point more for %(who)s in the standings",
                "%(n)d points more for %(who)s in the standings",
                bonus,
            )
            notes.append(text % {"n": bonus, "who": names[best]})
    floor = log.rules.options["score_floor"]
    if floor != "none" and any(
        gain > min(points[seat] for seat in side) and new_score == floor
        for gain, side, new_score in zip(
            gained_in(log, number), sides, score_after(log, number, ruled=0), strict=True
        )
    ):
        notes.append(_("no score goes below %(points)s") % {"points": minus(floor)})
    return ", ".join(notes)


def _token_text(log: GameLog, number: int, names: Sequence[str]) -> str:
    """The side that got a token for a hand with four tricks, and how many tokens it now has."""
    side = log.state.answers[number - 1].makers[0] % len(log.state.sides)
    tokens = tokens_after(log, number)[side]
    values = {"names": side_name([names[seat] for seat in log.state.sides[side]]), "n": tokens}
    if not tokens:
        return _("fourth token for %(names)s: 1 point") % values
    return ngettext("%(names)s: %(n)d token", "%(names)s: %(n)d tokens", tokens) % values


def hand_text(
    record: Mapping[str, Any], answer: Answer, names: Sequence[str], *, name_trump: bool = True
) -> str:
    """A hand in a few words: "Ann alone in hearts: march", or without the trump."""
    if not name_trump:
        answer = replace(answer, trump=None)
    text_without_maker = _text_without_maker(record, answer, names)
    if text_without_maker:
        return text_without_maker
    seat = caller(record)
    caller_name = names[seat] if seat is not None else "?"
    if answer.outcome in ("made", "set") and bid_of(record):
        return _bid_text(record, answer, caller_name)
    partner_names = [names[mate] for mate in answer.makers if mate != seat]
    if record.get("partner") is not None and partner_names:
        caller_name = _("%(who)s with %(partner)s") % {
            "who": caller_name,
            "partner": partner_names[0],
        }
    text = _turn_up_text(record, answer, caller_name)
    lone_defenders = [names[seat] for seat in answer.alone if seat not in answer.makers]
    if lone_defenders:
        return _("%(hand)s; %(who)s defended alone") % {"hand": text, "who": lone_defenders[0]}
    return text


def _text_without_maker(record: Mapping[str, Any], answer: Answer, names: Sequence[str]) -> str:
    """The text of a hand without a maker (thrown in, declared, ended by a penalty, played without a
    bid); empty for others."""
    if answer.declared_by is not None:
        return _("%(who)s declared a McEvoy hand") % {"who": names[answer.declared_by]}
    if answer.outcome == "thrown-in":
        is_redealt = any(call["call"] == "redeal" for call in record.get("auction") or ())
        return _("Dealt again") if is_redealt else _("Passed out")
    if answer.outcome in ENDED_BY_PENALTY:
        offender = next(p["by"] for p in record["penalties"] if p["kind"] == answer.outcome)
        return ENDED_BY_PENALTY[answer.outcome] % {"who": names[offender]}
    if answer.outcome == "played":
        tricks_text = " ".join(
            f"{name} {tricks}" for name, tricks in zip(names, answer.tricks_won or (), strict=False)
        )
        label = _("Clubs turned up") if record.get("contract") else _("Played without a bid")
        return f"{as_label(label)} {tricks_text}" if tricks_text else label
    return ""


ENDED_BY_PENALTY = {
    "renege": _lazy("Renege by %(who)s"),
    "abandoned": _lazy("Hand abandoned by %(who)s"),
}


def ruling_text(ruling: Ruling, names: Sequence[str]) -> str:
    """A ruling in words, with the player concerned."""
    if ruling.kind == Ruling.Kind.MISDEAL:
        return _("Misdeal")
    if ruling.by_seat is None:
        return _("Points added or taken")
    return _("Renege by %(who)s") % {"who": names[ruling.by_seat]}


def _turn_up_text(record: Mapping[str, Any], answer: Answer, caller_name: str) -> str:
    result = str(OUTCOMES.get(answer.outcome or "", answer.outcome))
    if record.get("fast_break"):
        result = _("fast break")
    special = (record.get("contract") or {}).get("special")
    if special in SHOWN:
        result = f"{SHOWN[special]}, {result}"
    tricks = makers_tricks(record, answer)
    shows_tricks = answer.outcome in ("made", "euchred", "set") and not record.get("fast_break")
    if tricks is not None and shows_tricks:
        count = ngettext("%(n)d trick", "%(n)d tricks", tricks) % {"n": tricks}
        result = _("%(outcome)s, %(tricks)s") % {"outcome": result, "tricks": count}
    values = {"who": caller_name, "what": result, "trump": SUIT_NAMES.get(answer.trump or "", "")}
    if set(answer.alone) & set(answer.makers):
        if answer.trump:
            return _("%(who)s alone in %(trump)s: %(what)s") % values
        return _("%(who)s alone: %(what)s") % values
    if answer.trump:
        return _("%(who)s in %(trump)s: %(what)s") % values
    return _("%(who)s: %(what)s") % values


def bid_of(record: Mapping[str, Any]) -> Any:
    """What was bid, a number of tricks or a special bid; None if not recorded."""
    contract = record.get("contract") or {}
    calls = [call for call in record.get("auction") or () if call["call"] == "bid"]
    last_bid = calls[-1] if calls else {}
    for source in (contract, last_bid):
        if source.get("special") or source.get("tricks"):
            return source.get("special") or source["tricks"]
    return None


def _bid_text(record: Mapping[str, Any], answer: Answer, bidder: str) -> str:
    tricks = makers_tricks(record, answer)
    values = {
        "who": bidder,
        "bid": bid_text(bid_of(record)),
        "trump": SUIT_NAMES.get(answer.trump or "", ""),
        "tricks": tricks if tricks is not None else "?",
    }
    has_trump = answer.trump and bid_of(record) not in NO_TRICK
    if bid_of(record) in SPECIALS:
        if has_trump:
            return _("%(who)s: %(bid)s in %(trump)s, took %(tricks)s") % values
        return _("%(who)s: %(bid)s, took %(tricks)s") % values
    if has_trump:
        return _("%(who)s bid %(bid)s in %(trump)s, took %(tricks)s") % values
    return _("%(who)s bid %(bid)s, took %(tricks)s") % values


def makers_tricks(record: Mapping[str, Any], answer: Answer) -> int | None:
    """The number of tricks the makers took; None if neither the record nor the engine knows."""
    tricks_won = record.get("tricks_won")
    if isinstance(tricks_won, Mapping):
        return int(tricks_won["makers"])
    by_seat = tricks_won or answer.tricks_won
    return None if by_seat is None else sum(by_seat[seat] for seat in answer.makers)


# From the field of a record, or the subject of a fault, to the field of the page.
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
# From the field of a record to the prefix of the page's fields, one per seat.
SEAT_LINES = {"hands": "hand", "discards": "discard", "exchange": "passed", "out": "out"}
BY_SEAT = {"wrong-hand-size": "hand", "bad-discard": "discard", "upcard-in-hand": "hand"}


def sentence(fault: Fault, names: Sequence[str]) -> str:
    """A fault as a sentence, with the names of the players and of special bids."""
    if fault.code == "bad-format" and (fault.field or "").startswith("auction"):
        return _(
            "The bidding cannot be read. Write it as in the example, one call after the other."
        )
    if fault.sentence == "bad-format/missing" and fault.field == "partner":
        return _("Choose the partner, or “Nobody – alone”.")
    values = tuple((key, _name_specials(value)) for key, value in fault.values)
    return replace(fault, values=values).say(names=names, translate=_)


def _name_specials(value: Any) -> Any:
    """A value of a fault with the codes of special bids replaced by their names."""
    if not isinstance(value, str):
        return value
    return ", ".join(str(SPECIALS.get(word, word)) for word in value.split(", "))


def field_of(fault: Fault) -> str:
    """The field of the page at which a fault is shown."""
    if fault.trick is not None:
        return f"trick{fault.trick}"
    if fault.sentence == "bad-format/no-bid":
        return "bid"
    if fault.field:
        head, _dot, part = fault.field.replace("[", ".").partition(".")
        if head == "contract" and part in ("trump", "round", "alone", "call_card"):
            return part
        if head == "contract" and part in ("tricks", "special"):
            return "bid"
        index = part.rstrip("]").split("]")[0]
        if head == "tricks" and index.isdecimal():
            return f"trick{int(index) + 1}"
        if head in SEAT_LINES:
            return f"{SEAT_LINES[head]}{fault.seat or 0}"
        return FIELDS.get(head, "")
    if fault.code in BY_SEAT and fault.seat is not None:
        return f"{BY_SEAT[fault.code]}{fault.seat}"
    return BY_CODE.get(fault.code, "")


def refusal(
    faults: Iterable[Fault], names: Sequence[str], record: Mapping[str, Any] | None = None
) -> Refused:
    """The refusal of a hand that the rules do not allow, with every fault at its field.

    Faults of calls are shown at the contract if `record` has no calls.
    """
    faults = list(faults)
    fields: dict[str, list[str]] = {}
    for fault in faults:
        field = field_of(fault)
        if field == "auction" and record is not None and not record.get("auction"):
            field = "bid" if bid_of(record) else "maker"
        fields.setdefault(field, []).append(sentence(fault, names))
    details = [fault.to_json() for fault in faults]
    message = sentence(faults[0], names)
    return Refused(faults[0].code, message, fields=fields, details={"faults": details})


def unlikely(warnings: Iterable[Fault], names: Sequence[str]) -> Refused:
    """The refusal of a hand that is allowed but improbable; it is saved once confirmed."""
    warnings = list(warnings)
    message = _("Is this right? Save it again to confirm.")
    fields = {"confirm_unlikely": [sentence(fault, names) for fault in warnings]}
    details = [fault.to_json() for fault in warnings]
    return Refused("unlikely", message, fields=fields, details={"warnings": details})


def card_face(code: str) -> str:
    """A card as printed: "10♣" for `Tc`, with the letters of the reader's language."""
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
