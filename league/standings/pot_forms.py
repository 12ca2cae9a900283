"""Forms of pots: the rule of a new one, and a payment."""

from decimal import Decimal

from django import forms
from django.utils.translation import gettext_lazy

from league.standings.models import MOST_AMOUNT, MOST_PAID, Pot
from league.standings.validators import percent_of, validate_shares


class PotForm(forms.ModelForm):
    """What a pot is called, what is put in, and who takes it."""

    amount = forms.DecimalField(
        label=gettext_lazy("Amount"),
        min_value=Decimal("0.01"),
        max_value=MOST_AMOUNT,
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
        listed = [f"{percent_of(word).normalize():f}" for word in words]
        validate_shares(listed)
        return listed

    def clean(self) -> None:
        super().clean()
        if self.cleaned_data.get("payout") != Pot.Payout.PLACES:
            self.cleaned_data["shares"] = []

    def _post_clean(self) -> None:
        """The model's rules judge a pot of their own: the action, and not the form, makes it."""
        self.instance = Pot(season_id=0)  # the action says of what it is a pot
        super()._post_clean()  # type: ignore[misc]  # stubs lack it


class SettleForm(forms.Form):
    """Who paid, or was paid, how much."""

    member = forms.CharField(max_length=16)
    out = forms.TypedChoiceField(choices=[("0", ""), ("1", "")], coerce=lambda text: text == "1")
    amount = forms.DecimalField(min_value=Decimal("0.01"), max_value=MOST_PAID, decimal_places=2)


class PaymentForm(SettleForm):
    """The same for one pot. `seen` guards against a second tap."""

    seen = forms.IntegerField(min_value=0, max_value=1_000_000)
