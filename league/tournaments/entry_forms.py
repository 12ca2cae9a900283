"""Forms of the public entry: who asks for a place, and how many places there are."""

from typing import Any

from django import forms
from django.core.validators import MaxLengthValidator
from django.utils.translation import gettext_lazy as _

from league.members.names import LONGEST
from league.tournaments.models import MOST_PLACES, Entry, EntryRequest, Tournament
from league.tournaments.queries import entry_name
from league.tournaments.requested_names import NEW, RequestedNames, names_in


class AskForm(forms.ModelForm):
    """The public entry form: a name, a partner's where pairs play, how to be reached."""

    class Meta:
        model = EntryRequest
        fields = ("name", "partner", "contact")
        help_texts = {
            "partner": _("If you already have one."),
            "contact": _("Only the organisers see it, until the tournament is over."),
        }

    def __init__(self, *args: Any, pairs: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("name", "partner"):  # a player's name may be no longer
            self.fields[name].validators.append(MaxLengthValidator(LONGEST))
            self.fields[name].widget.attrs["maxlength"] = LONGEST
        if not pairs:
            del self.fields["partner"]


class AcceptForm(forms.Form):
    """Who asked, where a name may be that of a player: one choice for each such name."""

    def __init__(self, data: Any = None, *, asked: EntryRequest, names: RequestedNames) -> None:
        super().__init__(data, auto_id=f"id_%s_{asked.pk}")
        for field, name in names_in(asked).items():
            if names.asks(name):
                players = [(one.public_id, one.name) for one in names.players(name)]
                self.fields[field] = forms.ChoiceField(
                    label=_("Who is %(name)s?") % {"name": name},
                    choices=[("", _("Choose")), *players, (NEW, _("A new guest"))],
                )


class PlacesForm(forms.ModelForm):
    """How many places the public entry form offers; empty closes it."""

    class Meta:
        model = Tournament
        fields = ("places",)

    places = forms.IntegerField(
        label=_("places"),
        help_text=_("Entries after these wait. Leave empty to close the form."),
        required=False,
        min_value=2,
        max_value=MOST_PLACES,
    )


class ApartForm(forms.Form):
    """Two entries that are not to be drawn against each other."""

    one = forms.ModelChoiceField(Entry.objects.none(), label=_("Entry"), empty_label=None)
    other = forms.ModelChoiceField(Entry.objects.none(), label=_("Not against"), empty_label=None)

    def __init__(self, *args: Any, tournament: Tournament, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        entries = tournament.entries.select_related("member", "partner")
        for field in self.fields.values():
            field.queryset = entries  # type: ignore[attr-defined]
            field.label_from_instance = lambda entry: entry_name(entry, str)  # type: ignore[attr-defined]
