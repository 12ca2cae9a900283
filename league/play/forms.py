"""Forms of the table page. They are strict: each field once, and only values that were offered."""

from collections.abc import Container, Iterable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from django import forms
from django.http import HttpRequest
from django.utils.functional import lazy
from django.utils.translation import gettext_lazy as _

from league.errors import Refused
from league.members.fields import FormLineField
from league.play.entry import CALLS, calls_in, plain_calls, record_of
from league.play.questions import DIRTY_CLUBS, NOBODY, Questions
from league.play.text import OUTCOMES, PENALTIES, SHOWN, SPECIALS, SUIT_NAMES, bid_text, card_face

ON, OFF, PASSED = "on", "off", "passed"
CARDS = r"^[0-9A-Za-z♠♥♦♣, ]{0,120}\Z"
CALLS_TYPED = r"^[\w, '’-]{0,2000}\Z"  # words of any language
FORMS = {
    "add": _("added to the opponents of the player who reneged"),
    "deduct": _("taken from the side of the player who reneged"),
}
CHOOSE_FORM = _("Choose how the renege is paid.")
NOT_NOTED = _("not noted")


def one_of(
    values: Iterable[Any],
    labels: Iterable[Any] | None = None,
    *,
    required: bool = False,
    message: Any = "",
    blank: Any = None,
) -> forms.ChoiceField:
    """A choice of the values offered on the page, which must be sent exactly as they appear there.

    `blank` is the label of an empty answer such as "not noted", where the page offers one.
    """
    texts = [str(value) for value in values]
    choices = list(zip(texts, labels or texts, strict=True))
    if blank is not None:
        choices.insert(0, ("", blank))
    messages: dict[str, Any] = {"invalid_choice": _("That is not one of the answers here.")}
    if message:
        messages["required"] = message
    widget = forms.RadioSelect
    return forms.ChoiceField(
        choices=choices, required=required, error_messages=messages, widget=widget
    )


def matching(pattern: str, *, required: bool = False, message: Any = "") -> forms.RegexField:
    """A text field that must match the pattern."""
    error = message or _("This cannot be read.")
    return forms.RegexField(
        pattern, required=required, strip=False, error_messages={"invalid": error}
    )


# Lazy, because these fields are created once for readers of all languages.
_lazy_bid, _lazy_face = lazy(bid_text, str), lazy(card_face, str)


@lru_cache(maxsize=64)
def answer_fields(questions: Questions, names: tuple[str, ...]) -> Mapping[str, forms.Field]:
    """The fields of contract and result, created once: forms share them and never change them."""
    return MappingProxyType(contract_fields(questions, names) | result_fields(questions, names))


def contract_fields(questions: Questions, names: Sequence[str]) -> dict[str, forms.Field]:
    """The fields for the dealer, the maker, and everything declared with the call."""
    seats, trumps = questions.seats, questions.trumps
    fields: dict[str, forms.Field] = {
        "dealer": one_of(seats, names, required=True),
        "maker": one_of(*_maker_choices(questions, names)),
        "trump": one_of(trumps, [SUIT_NAMES[trump] for trump in trumps], blank=NOT_NOTED),
        "auction": matching(CALLS_TYPED),
    }
    cards = {"upcard": questions.upcard, "upcard2": questions.second_upcard}
    fields |= {name: _card_field(questions) for name, is_included in cards.items() if is_included}
    if questions.is_turn_up:
        rounds = [_("first round"), _("second round")]
        fields["round"] = one_of([1, 2], rounds, blank=NOT_NOTED)
    else:
        cells = [cell for cell, _value in questions.values]
        bids = [*questions.bids, *cells, *questions.specials]
        fields["bid"] = one_of(bids, [_lazy_bid(bid) for bid in bids])
    if questions.alone:
        fields["alone"] = one_of([ON, OFF])
    if questions.lone_defender:
        fields["lone_defender"] = one_of(seats, names, blank=_("nobody"))
    if questions.partner_alone:
        fields["lone_maker"] = one_of(seats, names, blank=_("nobody else"))
    if questions.partner:
        fields["partner"] = one_of([*seats, NOBODY], [*names, _("Nobody – alone")])
        fields["call_card"] = _card_field(questions)
    if questions.shown:
        labels = [SHOWN[name] for name in questions.shown]
        fields["shown"] = one_of(questions.shown, labels, blank=_("no"))
    return fields


def _maker_choices(questions: Questions, names: Sequence[str]) -> tuple[list[Any], list[Any]]:
    """Values and labels of the field `maker`: the seats, dirty clubs, passed out."""
    values: list[Any] = [*questions.seats]
    labels: list[Any] = [*names]
    if questions.dirty_clubs:
        values, labels = [*values, DIRTY_CLUBS], [*labels, SPECIALS[DIRTY_CLUBS]]
    if questions.pass_out:
        label = _("Nobody bid") if questions.plays_unbid else _("Passed out")
        values, labels = [*values, PASSED], [*labels, label]
    return values, labels


def _card_field(questions: Questions) -> forms.ChoiceField:
    """A field to select one card of the deck."""
    faces = [_lazy_face(code) for code in questions.deck]
    field = one_of(questions.deck, faces, blank=NOT_NOTED)
    field.widget = forms.Select(choices=field.choices)  # type: ignore[arg-type]
    return field


def result_fields(questions: Questions, names: Sequence[str]) -> dict[str, forms.Field]:
    """The fields for the tricks or the outcome, and for a penalty that ended the hand."""
    counts = range(questions.tricks + 1)
    fields: dict[str, forms.Field] = {
        "tricks": one_of(counts),
        "renege_by": one_of(range(questions.players), names, blank=_("nobody")),
        "renege_trick": one_of(range(1, questions.tricks + 1), blank=NOT_NOTED),
        "renege_form": one_of(FORMS, FORMS.values()),
    }
    if questions.by_outcome:
        fields["outcome"] = one_of(OUTCOMES, OUTCOMES.values())
    if questions.counts_seats:
        fields |= {f"won{seat}": one_of(counts) for seat in questions.seats}
    if questions.dropping:
        fields |= {f"out{seat}": one_of([ON]) for seat in questions.seats}
    if questions.fast_break:
        fields["fast_break"] = one_of([ON])
    if not questions.penalty_form:
        del fields["renege_form"]
    if questions.penalties:
        kinds = ["renege", *questions.penalties]
        fields["penalty_kind"] = one_of(kinds, [PENALTIES[kind] for kind in kinds])
    return fields


def card_fields(questions: Questions, only: Container[str] | None = None) -> dict[str, forms.Field]:
    """The fields for lines of cards: hands, discards, cards passed, and the tricks."""
    kinds = ("hand", "discard", "passed")
    lines = [f"{kind}{seat}" for kind in kinds for seat in range(questions.players)]
    lines += [f"trick{number}" for number in range(1, questions.tricks + 1)]
    message = _("Write cards like Ah Kd 10c.")
    return {
        name: matching(CARDS, message=message) for name in lines if only is None or name in only
    }


# Django's form fields accept `alone=no` as yes, `5.0` as 5, and the last of two values sent. Here
# every answer must be one of those that the page offered; anything else is refused at its field.

TOTAL = r"^(0|-?[1-9][0-9]{0,2})\Z"
NO_SCORE = _("Enter a whole number, like 10.")
NO_POINTS = _("Enter a whole number, like 2 or -2.")
CLIENT_ID = r"^[A-Za-z0-9_-]{8,40}\Z"


class StrictForm(forms.Form):
    """A form that refuses a field sent twice, or sent in the address as well as in the body."""

    def __init__(self, request: HttpRequest | None = None, **kwargs: Any) -> None:
        sent = request.POST if request is not None and request.method == "POST" else None
        super().__init__(data=sent, **kwargs)
        self.in_address = set(request.GET) if request is not None else set()

    def clean(self) -> dict[str, Any]:
        for name in self.fields:
            if name in self.in_address or len(self._values(name)) > 1:
                self.add_error(name, _("This was sent twice; nothing was saved."))
        return super().clean() or {}

    def _values(self, name: str) -> list[str]:
        getlist = getattr(self.data, "getlist", None)
        return getlist(name) if getlist else []

    def refusal(self) -> Refused:
        """A refusal with all errors of the form, for callers to raise."""
        fields = {name: [str(error) for error in errors] for name, errors in self.errors.items()}
        return Refused("bad-form", str(_("Not saved yet.")), fields=fields)


class FreeText(FormLineField):
    """A reason, in one line."""

    def __init__(self, *, required: bool = True, max_length: int = 200, **kwargs: Any) -> None:
        super().__init__(required=required, max_length=max_length, **kwargs)


# The fields that are sent with every hand; forms share them and never change them.
ENTRY = {
    "client_id": matching(CLIENT_ID, required=True),
    "number": matching(r"^[1-9][0-9]{0,2}\Z", required=True),
    "confirm_unlikely": one_of([ON, OFF]),
}


class HandForm(StrictForm):
    """One hand, with the optional questions that were `sent`, or all; `record()` converts the
    answers for the engine."""

    def __init__(
        self,
        request: HttpRequest | None = None,
        *,
        questions: Questions,
        names: Sequence[str],
        sent: Container[str] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(request, **kwargs)
        self.questions = questions
        answers = answer_fields(questions, tuple(names))
        if sent is not None:
            needed = {"dealer", "maker", "renege_form", self.result_field}
            answers = {name: f for name, f in answers.items() if name in sent or name in needed}
        self.fields = {**ENTRY, **self.fields, **answers, **card_fields(questions, sent)}

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        self._read_calls(data)
        if not data.get("maker") and not data.get("auction") and "maker" not in self.errors:
            message = _("Choose who won the bid, or “Passed out”.")
            if self.questions.is_turn_up:
                message = _("Choose who made trump, or “Passed out”.")
            self.add_error("maker", message)
        elif not self._has_result(data):
            message = _("Choose how many tricks the makers took.")
            if self.questions.by_seat or data.get("maker") == PASSED:
                message = _("Enter how many tricks each player took.")
            self.add_error(self.result_field, message)
        is_renege = data.get("renege_by") and (data.get("penalty_kind") or "renege") == "renege"
        if is_renege and self.questions.penalty_form and not data.get("renege_form"):
            self.add_error("renege_form", CHOOSE_FORM)
        return data

    def _read_calls(self, data: dict[str, Any]) -> None:
        """Translate the calls to codes; refuse an unknown word, naming it."""
        if not data.get("auction"):
            return
        data["auction"] = plain_calls(data["auction"])
        for call in calls_in(data["auction"], dealer=0, players=self.questions.players):
            if call["call"] not in CALLS:
                sentence = _("“%(word)s” is not a call. Write calls as in the example.")
                self.add_error("auction", sentence % {"word": call["call"]})
                return

    @property
    def result_field(self) -> str:
        """The field with which the page asks for the result."""
        return "outcome" if self.questions.by_outcome else "tricks"

    def _has_result(self, data: dict[str, Any]) -> bool:
        """Whether a result was given, or the hand needs none."""
        is_passed_out, seats = data.get("maker") == PASSED, self.questions.seats
        if is_passed_out and not self.questions.plays_unbid:
            return True
        names = [f"won{seat}" for seat in seats] + ["trick1", "renege_by"]
        if not is_passed_out:
            names += ["tricks", "outcome"]
        dropouts = sum(bool(data.get(f"out{seat}")) for seat in seats)  # the maker takes the rest
        is_only_maker_left = bool(dropouts) and dropouts >= len(seats) - 1
        return is_only_maker_left or any(data.get(name) or name in self.errors for name in names)

    def record(self) -> dict[str, Any]:
        """The hand record of a form that is valid."""
        return record_of(self.cleaned_data, self.questions)


def sent_fields(request: HttpRequest) -> set[str]:
    """The names of fields that were sent with a value, in the body or in the address."""
    return {name for name, values in request.POST.lists() if values != [""]} | set(request.GET)


class UndoForm(StrictForm):
    """The hand to undo; identifying it keeps a repeated request from undoing another."""

    number = matching(r"^[1-9][0-9]{0,2}\Z", required=True)
    version = matching(r"^[1-9][0-9]{0,2}\Z", required=True)


class RedoForm(UndoForm):
    """The undone hand to restore."""

    client_id = matching(CLIENT_ID, required=True)


class SendForm(StrictForm):
    """An entry that needs only an id."""

    client_id = matching(CLIENT_ID, required=True)


class ReasonForm(StrictForm):
    """The reason that a dispute, a correction or an organiser's decision requires."""

    reason = FreeText(label=_("Why?"), error_messages={"required": _("Add a short reason.")})


class CorrectionForm(HandForm):
    """A corrected hand: the same questions, the version that was looked at, and the reason."""

    version = matching(r"^[1-9][0-9]{0,2}\Z", required=True)
    reason = FreeText(label=_("Why?"), error_messages={"required": _("Add a short reason.")})


class StrikeForm(SendForm, ReasonForm):
    """A hand to be deleted: the version that was looked at, and the reason."""

    version = matching(r"^[1-9][0-9]{0,2}\Z", required=True)


class RulingForm(SendForm):
    """The penalty for a renege."""

    by_seat = one_of(range(8), required=True, message=_("Choose who reneged."))
    form = one_of(FORMS, message=CHOOSE_FORM)
    against_lone = one_of([ON, OFF])
    about_hand = matching(r"^([1-9][0-9]{0,2})?\Z")


class SideForm(StrictForm):
    """One side of the table, identified by one of its seats."""

    seat = one_of(range(8), required=True, message=_("Choose a side."))


class TotalsForm(StrictForm):
    """The final score of a game, by side."""

    def __init__(
        self,
        request: HttpRequest | None = None,
        *,
        sides: Sequence[str],
        sent: dict[str, str] | None = None,
        keyboard: str = "numeric",
        **kwargs: Any,
    ) -> None:
        super().__init__(request, **kwargs)
        if sent is not None:  # one of several rows in a larger form
            self.data, self.is_bound = sent, True
        for side, name in enumerate(sides):
            self.fields[f"total{side}"] = field = matching(TOTAL, required=True, message=NO_SCORE)
            field.label = name
            field.widget.attrs = {"inputmode": keyboard, "maxlength": "4"}

    def totals(self) -> list[int]:
        return [int(self.cleaned_data[name]) for name in self.fields]


class DecisionForm(ReasonForm):
    """An organiser's decision about a game: the option chosen, else the one that was filled in."""

    decision = one_of(["stands", "score", "play_on", "new_end", "decided"])
    winners = one_of(range(8))

    def __init__(self, request: HttpRequest | None = None, *, sides: int, **kwargs: Any) -> None:
        super().__init__(request, **kwargs)
        for side in range(sides):
            self.fields[f"total{side}"] = matching(TOTAL, message=NO_SCORE)
            self.fields[f"total{side}"].show_hidden_initial = True  # the score to be changed
        self.order_fields([name for name in self.fields if name != "reason"])  # as on the page

    def clean_decision(self) -> str:
        filled = {"decided" for name in self.changed_data if name == "winners"}
        filled |= {"score" for name in self.changed_data if name.startswith("total")}
        if chosen := self.cleaned_data["decision"] or (len(filled) == 1 and filled.pop()):
            return str(chosen)
        raise forms.ValidationError(_("Choose a decision."))

    def score(self) -> list[int] | None:
        """The score that was typed, by side; None if a side is missing."""
        texts = [text for name, text in self.cleaned_data.items() if name.startswith("total")]
        return [int(text) for text in texts] if all(texts) else None


class AdjustForm(SendForm, ReasonForm):
    """Points that an organiser adds or deducts, by side, and the reason."""

    def __init__(self, request: HttpRequest | None = None, *, sides: int, **kwargs: Any) -> None:
        super().__init__(request, **kwargs)
        for side in range(sides):
            self.fields[f"points{side}"] = matching(TOTAL, message=NO_POINTS)

    def points(self) -> list[int]:
        """The points by side; 0 where nothing, or nothing readable, was typed."""
        return [int(self.cleaned_data.get(name) or 0) for name in self.fields if "points" in name]
