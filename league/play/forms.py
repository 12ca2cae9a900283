"""What the table page sends, read strictly: each field once, and only values that were offered.

Stock form fields take `alone=no` for yes, `5.0` for 5 and the last of two values for the only one.
Here every answer is a choice out of those the page showed, and anything else is refused by name.
"""

from collections.abc import Container, Sequence
from typing import Any

from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from league.errors import Refused
from league.members.fields import FormLineField
from league.play.answer_fields import (
    OFF,
    ON,
    PASSED,
    answer_fields,
    card_fields,
    matching,
    one_of,
)
from league.play.entry import record_of
from league.play.questions import Questions

TOTAL = r"^(0|-?[1-9][0-9]{0,2})\Z"
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
        """Everything wrong with the form, to be raised by whoever cannot go on without it."""
        fields = {name: [str(error) for error in errors] for name, errors in self.errors.items()}
        return Refused(
            "bad-form",
            str(_("Nothing was saved: something is missing here, or cannot be.")),
            fields=fields,
        )


class FreeText(FormLineField):
    """A reason, in one line."""

    def __init__(self, *, required: bool = True, max_length: int = 200, **kwargs: Any) -> None:
        super().__init__(required=required, max_length=max_length, **kwargs)


# What every hand is sent with; made once, for forms share these and change none.
ENTRY = {
    "client_id": matching(CLIENT_ID, required=True),
    "number": matching(r"^[1-9][0-9]{0,2}\Z", required=True),
    "confirm_unlikely": one_of([ON, OFF]),
}


class HandForm(StrictForm):
    """One hand as the page asks for it; `record()` is what it says, for the engine to judge.

    `sent`: of the questions that may stay open only these are read; a page needs them all.
    """

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
            asked = {"dealer", "maker", self.result_field}
            answers = {name: f for name, f in answers.items() if name in sent or name in asked}
        self.fields = {**ENTRY, **self.fields, **answers, **card_fields(questions, sent)}

    def clean(self) -> dict[str, Any]:
        told = super().clean()
        if not told.get("maker") and not told.get("auction") and "maker" not in self.errors:
            self.add_error("maker", _("Say who made trump, or that the hand was passed out."))
        elif told.get("maker") != PASSED and not self._has_result(told):
            self.add_error(self.result_field, _("Say how many tricks the makers took."))
        return told

    @property
    def result_field(self) -> str:
        """The field in which the page asks for the result."""
        if self.questions.by_seat:
            return "won0"
        return "outcome" if self.questions.by_outcome else "tricks"

    def _has_result(self, told: dict[str, Any]) -> bool:
        names = ["tricks", "outcome", "trick1", "renege_by"]
        names += [f"won{seat}" for seat in range(self.questions.players)]
        return any(told.get(name) or name in self.errors for name in names)

    def record(self) -> dict[str, Any]:
        """The hand record of a form that is valid."""
        return record_of(self.cleaned_data, self.questions)


def filled(request: HttpRequest) -> set[str]:
    """The names under which anything was sent, in the body or in the address."""
    return {name for name, values in request.POST.lists() if values != [""]} | set(request.GET)


class UndoForm(StrictForm):
    """Which hand to take back, so that a second press takes back nothing more."""

    number = matching(r"^[1-9][0-9]{0,2}\Z", required=True)
    version = matching(r"^[1-9][0-9]{0,2}\Z", required=True)


class ReasonForm(StrictForm):
    """Why: what a dispute, a correction and an organiser's decision have to say."""

    reason = FreeText(label=_("Why?"), error_messages={"required": _("Say why.")})


class CorrectionForm(HandForm):
    """A hand put right: the same questions, the version that was looked at, and why."""

    version = matching(r"^[1-9][0-9]{0,2}\Z", required=True)
    reason = FreeText(
        label=_("Why?"), error_messages={"required": _("Say in a word or two why it is changed.")}
    )


class StrikeForm(ReasonForm):
    """A hand to be struck: the version that was looked at, and why."""

    client_id = matching(CLIENT_ID, required=True)
    version = matching(r"^[1-9][0-9]{0,2}\Z", required=True)


class SendForm(StrictForm):
    """An entry that needs nothing but an id of its own."""

    client_id = matching(CLIENT_ID, required=True)


class RulingForm(SendForm):
    """A renege ruled after a hand."""

    by_seat = one_of(range(8), required=True, message=_("Say who reneged."))
    form = one_of(["add", "deduct"])
    against_lone = one_of([ON, OFF])
    about_hand = matching(r"^([1-9][0-9]{0,2})?\Z")


class SideForm(StrictForm):
    """One side of the table, by a seat of it."""

    seat = one_of(range(8), required=True, message=_("Say which side."))


class TotalsForm(StrictForm):
    """A game's final score, side by side."""

    def __init__(
        self, request: HttpRequest | None = None, *, sides: Sequence[str], **kwargs: Any
    ) -> None:
        super().__init__(request, **kwargs)
        for place, name in enumerate(sides):
            field = matching(TOTAL, required=True, message=_("Write a score like 10."))
            field.label = name
            field.widget.attrs = {"inputmode": "numeric", "maxlength": "4"}
            self.fields[f"total{place}"] = field

    def totals(self) -> list[int]:
        return [int(self.cleaned_data[name]) for name in self.fields]


class DecisionForm(ReasonForm):
    """What an organiser decides about a game."""

    decision = one_of(["stands", "play_on", "new_end", "decided"], required=True)
    winners = one_of(range(8))


class AdjustForm(ReasonForm):
    """Points an organiser adds or takes, side by side, and why."""

    client_id = matching(CLIENT_ID, required=True)

    def __init__(self, request: HttpRequest | None = None, *, sides: int, **kwargs: Any) -> None:
        super().__init__(request, **kwargs)
        for side in range(sides):
            self.fields[f"points{side}"] = matching(TOTAL, message=_("Write points like 2 or -2."))
