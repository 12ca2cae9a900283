"""The questions of a hand as form fields: each a choice out of what the page shows."""

from collections.abc import Container, Iterable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from league.play.questions import Questions

ON, OFF, PASSED = "on", "off", "passed"
CARDS = r"^[0-9A-Za-z♠♥♦♣, ]{0,120}\Z"
CALLS = r"^[0-9A-Za-z, _-]{0,2000}\Z"
SUIT_NAMES = {
    "s": _("spades"),
    "h": _("hearts"),
    "d": _("diamonds"),
    "c": _("clubs"),
    "nt": _("no trump"),
    "ntl": _("no trump, low"),
}
OUTCOMES = {"euchred": _("euchred"), "made": _("made"), "march": _("march")}
FORMS = {"add": _("added to the other side"), "deduct": _("taken from their side")}
NOT_NOTED = _("not noted")


def one_of(
    values: Iterable[Any],
    labels: Iterable[Any] | None = None,
    *,
    required: bool = False,
    message: Any = "",
    blank: Any = None,
) -> forms.ChoiceField:
    """A choice out of the values offered on the page, sent exactly as they were written there.

    `blank` is the label of the answer "not noted", where the page shows one.
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
    """A text of exactly this form."""
    told = message or _("This cannot be read.")
    return forms.RegexField(
        pattern, required=required, strip=False, error_messages={"invalid": told}
    )


@lru_cache(maxsize=64)
def answer_fields(asked: Questions, names: tuple[str, ...]) -> Mapping[str, forms.Field]:
    """The contract's and the result's fields, made once: forms share them and change none."""
    return MappingProxyType(contract_fields(asked, names) | result_fields(asked, names))


def contract_fields(asked: Questions, names: Sequence[str]) -> dict[str, forms.Field]:
    """Who dealt, who made trump or won the bid, and what was said with it."""
    chairs = range(asked.players)
    makers = [*chairs, PASSED] if asked.pass_out else [*chairs]
    fields: dict[str, forms.Field] = {
        "dealer": one_of(chairs, names, required=True),
        "maker": one_of(makers, [*names, _("Passed out")][: len(makers)]),
        "trump": one_of(asked.trumps, _words(asked.trumps), blank=NOT_NOTED),
        "auction": matching(CALLS),
    }
    if asked.is_turn_up:
        rounds = [_("first round"), _("second round")]
        fields["round"] = one_of([1, 2], rounds, blank=NOT_NOTED)
        fields["upcard"] = one_of(asked.deck, blank=NOT_NOTED)
        fields["upcard"].widget = forms.Select(choices=fields["upcard"].choices)  # type: ignore[attr-defined]
    else:
        fields["bid"] = one_of([*asked.bids, *asked.specials])
    if asked.alone:
        fields["alone"] = one_of([ON, OFF])
    if asked.lone_defender:
        fields["lone_defender"] = one_of(chairs, names, blank=_("nobody"))
    if asked.partner_alone:
        fields["lone_maker"] = one_of(chairs, names, blank=_("nobody else"))
    return fields


def result_fields(asked: Questions, names: Sequence[str]) -> dict[str, forms.Field]:
    """How many tricks were taken, or what that came to; a renege that ended the hand."""
    counts = range(asked.tricks + 1)
    fields: dict[str, forms.Field] = {
        "tricks": one_of(counts),
        "renege_by": one_of(range(asked.players), names, blank=_("nobody")),
        "renege_trick": one_of(range(1, asked.tricks + 1), blank=NOT_NOTED),
        "renege_form": one_of(FORMS, FORMS.values(), blank=_("as the rules say")),
    }
    if asked.by_outcome:
        fields["outcome"] = one_of(OUTCOMES, OUTCOMES.values())
    if asked.by_seat:
        fields |= {f"won{seat}": one_of(counts) for seat in range(asked.players)}
    return fields


def card_fields(asked: Questions, only: Container[str] | None = None) -> dict[str, forms.Field]:
    """Lines of cards: hands as dealt, cards laid away, cards passed, and the tricks."""
    kinds = ("hand", "discard", "passed")
    lines = [f"{kind}{seat}" for kind in kinds for seat in range(asked.players)]
    lines += [f"trick{number}" for number in range(1, asked.tricks + 1)]
    message = _("Write cards like Ah Kd 10c.")
    return {
        name: matching(CARDS, message=message) for name in lines if only is None or name in only
    }


def _words(trumps: Iterable[str]) -> list[Any]:
    return [SUIT_NAMES[trump] for trump in trumps]
