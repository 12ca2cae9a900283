"""The keypad of the table page: the form of a hand, with the bids, cards and calls to tap."""

import secrets
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from league.errors import Refused
from league.play.entry import calls_in_words
from league.play.forms import HandForm
from league.play.questions import Questions, deals_after, points_by_result
from league.play.text import SUIT_NAMES
from scoring import Ruleset

SUIT_ORDER = "shdc"
CARD_KINDS = ("hand", "discard", "passed", "trick")
DETAILS = ("trump", "round", "upcard", "upcard2", "auction", "lone_maker", "lone_defender",
           "shown", "fast_break", "call_card", "renege_by")  # fmt: skip
REASONS = {"farmers": _lazy("farmer's hand"), "no_ace_no_face": _lazy("no ace, no face")}


@dataclass(frozen=True)
class Line:
    """A line of cards to fill in: a hand as dealt, discards, cards passed, or a trick."""

    field: Any
    label: str


@dataclass(frozen=True)
class Bid:
    """A bid to tap: the tricks it needs, its suit if any, and what it pays."""

    radio: Any
    label: str
    needs: int
    suit: str = ""
    pays: str = ""


@dataclass(frozen=True)
class Count:
    """The fields for the tricks of one seat and for dropping out."""

    name: str
    seat: int
    won: Any
    out: Any


@dataclass(frozen=True)
class Keypad:
    """The questions about one hand at a table; `shorts` are the players' short names by seat."""

    rules: Ruleset
    questions: Questions
    shorts: list[str]
    number: int
    dealer: int

    def blank_form(self) -> HandForm:
        """A form for the next hand, with a new id and the dealer whose turn it is."""
        initial = {"client_id": new_client_id(), "number": self.number, "dealer": self.dealer}
        return self.form(None, initial=initial)

    def form(self, request: HttpRequest | None, **kwargs: Any) -> HandForm:
        return HandForm(request, questions=self.questions, names=self.shorts, **kwargs)

    def context(self, form: HandForm) -> dict[str, Any]:
        """The template context of a hand's form."""
        return {
            "keypad": self,
            "questions": self.questions,
            "form": form,
            "lines": self._card_lines(form),
            **_open_parts(form),
            **self._bid_keys(form),
            "counts": self._seat_counts(form),
            "asks_first_dealer": self.number == 1,
        }

    def _bid_keys(self, form: HandForm) -> dict[str, list[Bid]]:
        """The bids to tap: numbers, cells of the table of values, and special bids."""
        if self.questions.is_turn_up:
            return {}
        radios = {radio.data["value"]: radio for radio in form["bid"]}
        specials = [
            Bid(
                radios[special.name],
                radios[special.name].choice_label,
                special.tricks,
                pays=_pays_text(special.won, special.lost),
            )
            for special in self.rules.specials
        ]
        return {
            "plain_bids": [Bid(radios[str(n)], str(n), n) for n in self.questions.bids],
            "bid_cells": [
                Bid(radios[cell], *_split_cell(cell), pays=str(value))
                for cell, value in self.questions.values
            ],
            "special_bids": specials,
        }

    def _seat_counts(self, form: HandForm) -> list[Count]:
        if not self.questions.counts_seats:
            return []
        dropping = self.questions.dropping
        return [
            Count(name, seat, form[f"won{seat}"], form[f"out{seat}"] if dropping else None)
            for seat, name in enumerate(self.shorts)
        ]

    @property
    def bids_name_no_suit(self) -> bool:
        """Whether a bid is only a number, with several to choose from, and trump follows later."""
        options = self.rules.options
        is_named_later = options.get("denomination") == "after" or options.get("trump_by_lead")
        return bool(is_named_later) and len(self.questions.bids) > 1

    @property
    def denominations(self) -> int:
        """The number of suits, including no trump, that a bid can name."""
        return len(self.questions.trumps)

    @property
    def cell_suits(self) -> list[str]:
        """The columns of the table of values."""
        return list(dict.fromkeys(_split_cell(cell)[2] for cell, _value in self.questions.values))

    @property
    def plays_alone(self) -> bool:
        """Whether a player may play without a partner in this game."""
        return self.questions.alone or any(special.alone for special in self.rules.specials)

    @property
    def splits(self) -> bool:
        """Whether three players' tricks can be tapped together."""
        return self.questions.by_seat and self.questions.players == 3

    @property
    def deals(self) -> dict[str, str]:
        return deals_after(self.rules)

    @property
    def points(self) -> dict[str, list[int]]:
        """The points of each result, for a phone that is offline."""
        return points_by_result(self.rules, self.questions)

    @property
    def deck_rows(self) -> list[list[str]]:
        """The deck by suit, high cards first."""
        deck = self.questions.deck
        rows = [[card for card in reversed(deck) if card[-1] == suit] for suit in SUIT_ORDER]
        joker = [card for card in deck if card == "B"]
        return rows + ([joker] if joker else [])

    @property
    def copies(self) -> int:
        """How often each card is in the deck."""
        return len(self.rules.deck) // len(self.questions.deck)

    @property
    def call_taps(self) -> list[dict[str, str]]:
        """The calls that can be tapped, in the reader's language as if typed."""
        questions, options = self.questions, self.rules.options
        taps = [("pass", _("pass"))]
        taps += [
            (f"redeal {name}", _("deal again: %(reason)s") % {"reason": reason})
            for name, reason in REASONS.items()
            if options.get(name, "off") == "redeal"
        ]
        if options.get("go_under"):
            taps.append(("go-under", _("go under")))
        if self.bids_name_no_suit:
            taps += [(f"bid {n}", calls_in_words(f"bid {n}")) for n in questions.bids]
        for special in self.rules.specials:
            if self.bids_name_no_suit or special.lose_all:
                taps.append((f"bid {special.name}", calls_in_words(f"bid {special.name}")))
        if questions.is_turn_up:
            taps += [("order-up", _("order up")), ("order-up alone", _("order up alone"))]
            taps += [(f"name {suit}", str(SUIT_NAMES[suit])) for suit in questions.trumps]
            taps += [
                (f"name {suit} alone", _("%(suit)s alone") % {"suit": SUIT_NAMES[suit]})
                for suit in questions.trumps
            ]
        return [{"text": calls_in_words(text), "label": label} for text, label in taps]

    def _card_lines(self, form: HandForm) -> list[tuple[str, list[Line]]]:
        """The lines of cards in a form, by kind."""
        seats = list(enumerate(self.shorts))
        tricks = [(number, str(number)) for number in range(1, self.questions.tricks + 1)]
        kinds = [
            ("trick", tricks, _("Trick %(n)s")),
            ("hand", seats, _("%(n)s was dealt")),
        ]
        if self.questions.laying:
            kinds.append(("discard", seats, _("%(n)s discarded")))
        if self.questions.passing:
            kinds.append(("passed", seats, _("%(n)s passed")))
        return [
            (kind, [Line(form[f"{kind}{place}"], label % {"n": name}) for place, name in places])
            for kind, places, label in kinds
        ]


def new_client_id() -> str:
    """An id for one entry, like those that phones create: 128 random bits."""
    return secrets.token_hex(16)


def add_refusal(form: Any, refused: Refused) -> Any:
    """The form with the sentences of a refusal added at their fields."""
    form.is_valid()
    for name, sentences in refused.fields.items():
        for sentence in sentences:
            if name in form.fields and sentence not in form.errors.get(name, []):
                form.add_error(name, sentence)
    return form


def _split_cell(cell: str) -> tuple[str, int, str]:
    """The parts of a cell of the table of values: label, tricks needed, suit."""
    tricks = cell.rstrip("cdhsntl")
    return tricks, int(tricks), cell[len(tricks) :]


def _pays_text(won: int, lost: int) -> str:
    return f"±{won}" if won == lost else f"+{won} −{lost}"


def _open_parts(form: HandForm) -> dict[str, bool]:
    """Which collapsible parts of the form contain answers and so are shown open."""
    filled = {name for name in form.fields if form[name].value()}
    cards = {name for name in filled if name.rstrip("0123456789") in CARD_KINDS}
    details = set(DETAILS) if form.questions.is_turn_up else set(DETAILS) - {"trump"}
    return {"details_open": bool(filled & details or cards), "cards_open": bool(cards)}
