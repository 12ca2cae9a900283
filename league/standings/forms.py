"""Forms of standings: what they rank by, which games to list, and the rules of pots."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, cast

import django_filters
from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_lazy

from league.play.models import Game
from league.standings.labels import CHOICES, pot_choices
from league.standings.models import MOST_AMOUNT, MOST_PAID, Pot, percent_of, validate_shares

SMALLEST, LARGEST = 2, 8  # players at a table


class GameFilter(django_filters.FilterSet):
    """By table size, state and who played."""

    size = django_filters.ChoiceFilter(
        field_name="table__players",
        label=gettext_lazy("Table size"),
        empty_label=gettext_lazy("Any"),
        choices=[(str(players), str(players)) for players in range(SMALLEST, LARGEST + 1)],
    )
    state = django_filters.ChoiceFilter(
        label=gettext_lazy("State"), empty_label=gettext_lazy("Any"), choices=Game.State.choices
    )
    player = django_filters.CharFilter(
        field_name="results__member__public_id", label=gettext_lazy("Player"), distinct=True
    )

    class Meta:
        model = Game
        fields = ["size", "state", "player"]


STEPS = (
    ("first", gettext_lazy("Rank by")),
    ("second", gettext_lazy("then by")),
    ("third", gettext_lazy("then by")),
    ("fourth", gettext_lazy("then by")),
    ("fifth", gettext_lazy("then by")),
)


class RuleForm(forms.Form):
    """Up to five measures, the most important first; a gap is closed, a repeat refused. None at
    all is what `usual` says."""

    def __init__(
        self, *args: Any, chosen: Sequence[str] = (), usual: Any = "", **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        for place, (name, label) in enumerate(STEPS):
            empty = gettext_lazy("nothing more") if place else usual
            choices = [(code, capfirst(str(text))) for code, text in (("", empty), *CHOICES)]
            self.fields[name] = forms.ChoiceField(label=label, choices=choices, required=False)
            if place < len(chosen):
                self.fields[name].initial = chosen[place]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        seen: set[str] = set()
        for name, _label in STEPS:
            code = cleaned.get(name)
            if code and code in seen:
                self.add_error(name, gettext("This is already in the list above."))
            seen.add(code or "")
        return cleaned

    @property
    def codes(self) -> list[str]:
        """The measures chosen, in order."""
        return [code for name, _label in STEPS if (code := self.cleaned_data.get(name))]


BETWEEN = str.maketrans("%;/", "   ")


class PotForm(forms.ModelForm):
    """What a pot is called, what is put in, and who takes it."""

    amount = forms.DecimalField(
        label=gettext_lazy("Amount"),
        min_value=Decimal("0.01"),
        max_value=MOST_AMOUNT,
        decimal_places=2,
        help_text=gettext_lazy("The amount each time, or the fixed sum."),
    )
    shares = forms.CharField(
        label=gettext_lazy("Percent for the places"),
        required=False,
        max_length=200,
        help_text=gettext_lazy(
            "For first, second and so on: “50 30 20”. Only if the top places win it."
        ),
    )

    class Meta:
        model = Pot
        fields = ("name", "source", "amount", "payout", "shares")

    def __init__(self, *args: Any, beaten: str = "euchred", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("source", "payout"):
            field = cast(Any, self.fields[name])
            named = pot_choices(field.choices, beaten)
            field.choices = [("", gettext_lazy("Choose")), *named[1:]]

    def clean_shares(self) -> list[str]:
        """The percents as texts, of a hundred together at most."""
        words = str(self.cleaned_data["shares"]).translate(BETWEEN).split()
        listed = [f"{percent_of(word).normalize():f}" for word in words]
        validate_shares(listed)
        return listed

    def clean(self) -> None:
        super().clean()
        if self.cleaned_data.get("payout") != Pot.Payout.PLACES:
            self.cleaned_data["shares"] = []

    def _post_clean(self) -> None:
        """The model's rules judge a pot of their own: the action, and not the form, makes it."""
        wrong = "shares" in self.errors  # said already
        self.instance = Pot(season_id=0, shares=["1"] if wrong else [])  # the action says of what
        super()._post_clean()  # type: ignore[misc]  # stubs lack it


class SettleForm(forms.Form):
    """Who paid, or was paid, how much."""

    member = forms.CharField(max_length=16)
    out = forms.TypedChoiceField(choices=[("0", ""), ("1", "")], coerce=lambda text: text == "1")
    amount = forms.DecimalField(min_value=Decimal("0.01"), max_value=MOST_PAID, decimal_places=2)


class PaymentForm(SettleForm):
    """The same for one pot. `seen` guards against a second tap."""

    seen = forms.IntegerField(min_value=0, max_value=1_000_000)
