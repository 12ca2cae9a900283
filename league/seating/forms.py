"""Forms of seating."""

from django import forms
from django.utils.translation import gettext_lazy as _

from league.members.models import Club, Member
from league.seating.models import Wish


class WishForm(forms.Form):
    """A standing wish about one person or two."""

    kind = forms.ChoiceField(label=_("Wish"), choices=Wish.Kind)
    first = forms.ModelChoiceField(Member.objects.none(), label=_("Who"))
    second = forms.ModelChoiceField(
        Member.objects.none(),
        label=_("With whom"),
        required=False,
        help_text=_("Leave it empty for somebody who does not move."),
    )

    def __init__(self, *args: object, club: Club, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        members = Member.objects.current().filter(club=club)
        self.fields["first"].queryset = members  # type: ignore[attr-defined]
        self.fields["second"].queryset = members  # type: ignore[attr-defined]
