"""Forms of pots: the rule of a new one, and a payment."""

from decimal import Decimal, InvalidOperation
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.standings.models import Pot

MOST_PLACES = 20


class PotForm(forms.ModelForm):
    """What a pot is called, what is put in, and who takes it."""

    amount = forms.DecimalField(
        label=gettext_lazy("Amount"),
        min_value=Decimal("0.01"),
        max_value=Decimal(99999),
        decimal_places=2,
        help_text=gettext_lazy("What is paid each time; or the fixed sum."),
    )
    shares = forms.CharField(
        label=gettext_lazy("Percent for the places"),
        required=False,
        max_length=200,
        help_text=gettext_lazy(
            "For the first, the second and so on: “50 30 20”. Only where the first places take it."
        ),
    )

    class Meta:
        model = Pot
        fields = ("name", "source", "amount", "payout", "shares")

    def clean_shares(self) -> list[str]:
        """The percents as texts, of a hundred together at most."""
        words = str(self.cleaned_data["shares"]).replace("%", " ").replace(";", " ").split()
        shares = [_percent(word) for word in words]
        if len(shares) > MOST_PLACES:
            raise forms.ValidationError(_("That is more places than a table has."))
        if sum(shares) > 100:
            raise forms.ValidationError(_("Together that is more than all of it."))
        return [f"{share.normalize():f}" for share in shares]

    def clean(self) -> None:
        super().clean()
        by_places = self.cleaned_data.get("payout") == Pot.Payout.PLACES
        if not by_places:
            self.cleaned_data["shares"] = []
        elif not self.cleaned_data.get("shares") and "shares" not in self.errors:
            self.add_error("shares", _("Say how many percent each place takes."))

    def _post_clean(self) -> None:
        """The action, and not the form, makes the pot."""


class SettleForm(forms.Form):
    """Who paid, or was paid, how much."""

    member = forms.CharField(max_length=16)
    out = forms.TypedChoiceField(choices=[("0", ""), ("1", "")], coerce=lambda text: text == "1")
    amount = forms.DecimalField(
        min_value=Decimal("0.01"), max_value=Decimal(999999), decimal_places=2
    )


class PaymentForm(SettleForm):
    """The same for one pot. `seen` guards against a second tap."""

    seen = forms.IntegerField(min_value=0, max_value=1_000_000)


def _percent(word: str) -> Decimal:
    try:
        share = Decimal(word.replace(",", "."))
    except InvalidOperation as error:
        raise forms.ValidationError(_("“%(word)s” is not a percent.") % {"word": word}) from error
    exponent: Any = share.as_tuple().exponent
    if not share.is_finite() or not 0 < share <= 100 or exponent < -2:
        raise forms.ValidationError(_("“%(word)s” is not a percent.") % {"word": word})
    return share
