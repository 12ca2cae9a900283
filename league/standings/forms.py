"""Forms of standings: the measures to rank by, filters of games, pots and payments."""

import re
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Any, ClassVar, cast

import django_filters
from django import forms
from django.db.models import QuerySet
from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_lazy

from league.members.fields import DayField
from league.members.languages import money
from league.members.models import Club
from league.play.models import Game
from league.ranking.pots import BY_PLACE
from league.seasons.models import Season
from league.standings.formulas import labels_of
from league.standings.labels import CHOICES
from league.standings.models import (
    MOST_AMOUNT,
    MOST_PAID,
    UNITS,
    Payment,
    Pot,
    pot_labels,
    refuse_above_all,
    share_of,
    validate_shares,
)
from league.standings.pot_queries import Scope, first_day_counted

NOT_TYPED = (Payment.Kind.CLUB, Payment.Kind.NOT_IN)
MEMBERS_KINDS = [one for one in Payment.Kind.choices if one[0] not in NOT_TYPED]
SMALLEST, LARGEST = 2, 8  # players at a table
THREE = 3
EXAMPLE = 500  # cents


class GameFilter(django_filters.FilterSet):
    """Filters games by table size, state and player."""

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
    """Up to five measures, the most important first; gaps are closed and repeats refused. `usual`
    is the label of an empty list. A club whose tables are of one size is not offered the wins above
    average, which would rank as games won do."""

    def __init__(
        self, *args: Any, club: Club, chosen: Sequence[str] = (), usual: Any = "", **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        games = Game.objects.filter(session__club=club).order_by()
        sizes = set(games.values_list("table__players", flat=True).distinct())
        needless = {"above"} - {*chosen} if len(sizes) == 1 else set()
        offered = [(code, name) for code, name in CHOICES if code not in needless]
        self.labels = labels_of(dict(offered), two_sides=len(sizes) == 1 and THREE not in sizes)
        for place, (name, label) in enumerate(STEPS):
            empty = gettext_lazy("nothing more") if place else usual
            choices = [(code, capfirst(str(text))) for code, text in (("", empty), *offered)]
            self.fields[name] = forms.ChoiceField(label=label, choices=choices, required=False)
            if place < len(chosen):
                self.fields[name].initial = chosen[place]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        used_codes: set[str] = set()
        for name, _label in STEPS:
            code = cleaned.get(name)
            if code and code in used_codes:
                self.add_error(name, gettext("This is already in the list above."))
            used_codes.add(code or "")
        return cleaned

    @property
    def codes(self) -> list[str]:
        """The codes of the chosen measures, in order."""
        return [code for name, _label in STEPS if (code := self.cleaned_data.get(name))]


SIGNS = re.compile(r"[%;/$€£]")
SEPARATING_COMMA = re.compile(r"(?<!\d),|,(?!\d)")


class SharesField(forms.CharField):
    """The percentages or amounts of the places, written in one line, also as the page prints them;
    read as texts."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs = {"label": gettext_lazy("Shares of the places")} | kwargs
        super().__init__(max_length=200, **kwargs)

    def clean(self, value: Any) -> Any:
        text = SEPARATING_COMMA.sub(" ", SIGNS.sub(" ", super().clean(value)))
        if " " not in text.strip() and text.count(",") > 1:  # 50,30,20, and no decimals
            text = text.replace(",", " ")
        shares = [f"{share_of(word).normalize():f}" for word in text.split()]
        validate_shares(shares)
        return shares


def _example_of_sources(club: Club) -> str:
    """How paying for each session and paying once differ, in money."""
    words = {"amount": money(EXAMPLE, club), "total": money(8 * EXAMPLE, club)}
    text = gettext(
        "A player who comes 8 times pays 8 × %(amount)s = %(total)s if it is for each session,"
        " %(amount)s if it is once."
    )
    return text % words


class MoneyField(forms.DecimalField):
    """A sum of money above zero, in whole cents."""

    default_error_messages: ClassVar[dict[str, Any]] = {
        "max_decimal_places": gettext_lazy("Enter at most two digits after the point: 2.50."),
        "min_value": gettext_lazy("Enter an amount above zero."),
    }

    def __init__(self, *, max_value: Decimal, **kwargs: Any) -> None:
        super().__init__(min_value=Decimal("0.01"), max_value=max_value, decimal_places=2, **kwargs)


def _refuse_taken_name(name: str, others: QuerySet[Pot]) -> None:
    if others.filter(name__iexact=name).exists():
        raise forms.ValidationError(gettext("There is another pot of this name here."))


class UnitField(forms.TypedChoiceField):
    """What prizes are rounded down to, in the club's money once `offer` has named it."""

    def __init__(self, **kwargs: Any) -> None:
        how: dict[str, Any] = {"label": gettext_lazy("Round prizes down to"), "required": False}
        empty: Any = UNITS[0]  # the stubs want a text
        super().__init__(coerce=int, empty_value=empty, **how | kwargs)

    def offer(self, club: Club) -> None:
        self.choices = [(unit, money(unit, club)) for unit in UNITS]


FIRST_DAY_HELP = gettext_lazy(
    "Nothing is owed for earlier sessions, and nothing won by their hands. Places are those of the"
    " whole season."
)


def _day_or_all(day: date | None, scope: Scope) -> date | None:
    """The day from which the sessions of a season count; None if all do."""
    return day if isinstance(scope, Season) and day and day > scope.starts_on else None


class PotForm(forms.ModelForm):
    """The name of a pot, what is paid into it, and who wins it."""

    amount = MoneyField(
        label=gettext_lazy("Amount"),
        max_value=MOST_AMOUNT,
        help_text=gettext_lazy("The amount each time, or the fixed sum."),
    )
    shares = SharesField(
        label=gettext_lazy("Percent or amounts for the places (if the top places win it)"),
        required=False,
        help_text=gettext_lazy(
            "For first, second and so on: “50 30 20”. What they don't use up stays with the club."
        ),
    )
    rounded_to = UnitField()

    class Meta:
        model = Pot
        fields = ("name", "source", "amount", "counts_from", "payout", "shares", "rounded_to")
        field_classes: ClassVar = {"counts_from": DayField}
        help_texts: ClassVar = {
            "counts_from": FIRST_DAY_HELP,
            "payout": gettext_lazy("An entrance fee: choose “Nobody: it stays with the club”."),
        }

    def __init__(self, *args: Any, scope: Scope, beaten: str, today: date, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.scope = scope
        of_season = isinstance(scope, Season)
        labels = pot_labels(beaten, of_season=of_season)
        for name in ("source", "payout"):
            field = cast(Any, self.fields[name])
            choices = [(value, labels[value]) for value, _label in field.choices if value]
            field.choices = [("", gettext_lazy("Choose")), *choices]
        cast(UnitField, self.fields["rounded_to"]).offer(scope.club)
        source = cast(Any, self.fields["source"])
        if of_season:
            source.help_text = _example_of_sources(scope.club)
        else:  # there it is the same as for each session
            source.choices = [one for one in source.choices if one[0] != Pot.Source.ONCE]
        if isinstance(scope, Season):
            day = first_day_counted(scope, today)
            self.initial["counts_from"] = day
        else:
            del self.fields["counts_from"]

    def clean_counts_from(self) -> date | None:
        return _day_or_all(self.cleaned_data["counts_from"], self.scope)

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        _refuse_taken_name(name, self.scope.pots.all())
        return name

    def clean(self) -> None:
        super().clean()
        if self.cleaned_data.get("payout") not in BY_PLACE:
            self.cleaned_data["shares"] = []

    def _post_clean(self) -> None:
        """Validate a separate instance by the model's rules; the action creates the pot."""
        has_bad_shares = "shares" in self.errors  # already reported
        shares = ["1"] if has_bad_shares else []
        self.instance = Pot(season_id=0, shares=shares)  # the action sets the scope
        super()._post_clean()  # type: ignore[misc]  # stubs lack it


class PotChangeForm(forms.ModelForm):
    """The name of a pot, and its amount, rounding and first day while it has paid nothing out."""

    amount = MoneyField(
        label=gettext_lazy("Amount"),
        max_value=MOST_AMOUNT,
        help_text=gettext_lazy(
            "What players owe and win follows from it. Who has paid too much gets the rest back."
        ),
    )
    rounded_to = UnitField()

    class Meta:
        model = Pot
        fields = ("name", "amount", "counts_from", "rounded_to")
        field_classes: ClassVar = {"counts_from": DayField}
        help_texts: ClassVar = {"counts_from": FIRST_DAY_HELP}

    def __init__(self, *args: Any, is_fixed: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        season = self.instance.season
        if season and not is_fixed:
            self.initial["counts_from"] = self.instance.counts_from or season.starts_on
        else:
            del self.fields["counts_from"]
        self.auto_id = f"{self.instance.public_id}_%s"
        cast(UnitField, self.fields["rounded_to"]).offer(self.instance.club)
        if is_fixed:
            del self.fields["amount"]
        if is_fixed or self.instance.current_payout == Pot.Payout.KEPT:
            del self.fields["rounded_to"]

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        _refuse_taken_name(name, self.instance.scope.pots.exclude(pk=self.instance.pk))
        return name

    def clean_counts_from(self) -> date | None:
        return _day_or_all(self.cleaned_data["counts_from"], self.instance.season)


class SettleForm(forms.Form):
    """A payment: the member, the direction and the amount; `anyway` if the box can't pay it."""

    member = forms.CharField(max_length=16)
    out = forms.TypedChoiceField(choices=[("0", ""), ("1", "")], coerce=lambda text: text == "1")
    amount = MoneyField(max_value=MOST_PAID)
    anyway = forms.BooleanField(required=False)


class ReturnForm(forms.Form):
    """The session whose page an Undo returns to, if the payments are also of its season."""

    session = forms.CharField(max_length=16, required=False)


class TotalForm(forms.Form):
    """What all players owe together, as the page showed it."""

    amount = MoneyField(max_value=MOST_PAID * 1000)


class PayoutForm(forms.Form):
    """Who wins a pot that is not won by places."""

    payout = forms.ChoiceField(
        choices=[choice for choice in Pot.Payout.choices if choice[0] not in BY_PLACE]
    )


class SharesForm(forms.Form):
    """The shares of a pot that is won by places, in percent or in money."""

    shares = SharesField()
    payout = forms.ChoiceField(
        choices=[choice for choice in Pot.Payout.choices if choice[0] in BY_PLACE]
    )

    def clean(self) -> None:
        super().clean()
        refuse_above_all(self.cleaned_data.get("payout", ""), self.cleaned_data.get("shares", ()))


class PartForm(SettleForm):
    """A part of what a member owes, and all of it, as the page showed it."""

    out = None  # type: ignore[assignment]  # it only comes in
    owed = MoneyField(max_value=MOST_PAID * 1000)


class LetOffForm(PartForm):
    """What a member owes and need not pay, as the page showed it."""

    amount = None  # type: ignore[assignment]  # all of it


class BothForm(SettleForm):
    """What a member owes, and what is theirs, as the page showed it."""

    out = None  # type: ignore[assignment]  # both
    against = MoneyField(max_value=MOST_PAID * 1000)


class PaymentForm(SettleForm):
    """A payment of a member for one pot. `seen` guards against a second tap."""

    out = None  # type: ignore[assignment]  # the kind says it
    kind = forms.ChoiceField(choices=MEMBERS_KINDS)
    seen = forms.IntegerField(min_value=0, max_value=1_000_000)
