"""Forms about roles and invitations."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from league.members.actions.roles import ranks_to_give
from league.members.models import Club, Member


class RankForm(forms.Form):
    """A rank, of those the visitor may give."""

    rank = forms.ChoiceField(label=_("Rank"))

    def __init__(self, own_rank: str | None, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        ranks = [(rank.value, rank.label) for rank in ranks_to_give(own_rank)]
        self.fields["rank"].choices = ranks  # type: ignore[attr-defined]


class InviteAccountForm(RankForm):
    username = forms.CharField(
        label=_("User name"),
        max_length=150,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )
    field_order = ("username", "rank")


class InviteForm(RankForm):
    member = forms.ModelChoiceField(
        label=_("For"),
        queryset=Member.objects.none(),
        to_field_name="public_id",
        required=False,
        empty_label=_("Anybody with the link"),
        help_text=_("Choose a person to link the account with their results."),
    )

    def __init__(self, club: Club, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = club.members.current().filter(user=None)
        self.fields["member"].queryset = people  # type: ignore[attr-defined]
