"""Forms about a club: founding it, and its settings."""

import json
from copy import copy
from typing import Any

from django import forms
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from league.members.actions.clubs import SETTINGS
from league.members.fields import AnywayField, FormNameField
from league.members.models import Club
from league.members.rule_options import preset_choices
from league.members.times import other_names, zone_choices
from league.members.validators import (
    DAY_MINUTES,
    MOST_MINUTES,
    BadTable,
    read_table,
    write_table,
)

SIZES = (2, 3, 4)


class NewClubForm(forms.Form):
    name = FormNameField(label=_("Name of the club"), max_length=80)
    same_name = AnywayField(_("Different club – create anyway"))
    slug = forms.SlugField(
        label=_("Address"),
        max_length=60,
        required=False,
        help_text=_(
            "Small letters, digits and hyphens. It is part of every link and stays. "
            "Leave it empty to have it made from the name."
        ),
    )
    time_zone = forms.ChoiceField(label=_("Time zone"), choices=zone_choices, initial="UTC")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.is_bound:
            self.fields["time_zone"].widget.attrs["data-here"] = json.dumps(other_names())
        for players in SIZES:
            choices, usual = preset_choices(players)
            self.fields[f"rules_{players}"] = forms.ChoiceField(
                label=ngettext("%(n)d player", "%(n)d players", players) % {"n": players},
                choices=choices,
                initial=usual,
            )

    def clean_slug(self) -> str:
        data = self.cleaned_data["slug"] or slugify(self.cleaned_data.get("name", ""))[:60]
        slug = str(data).lower()
        if not slug and "name" in self.cleaned_data:
            raise forms.ValidationError(_("Write an address: none can be made from this name."))
        if Club.objects.filter(slug=slug).exists():
            raise forms.ValidationError(
                _("Another club has the address “%(slug)s”: choose one."), params={"slug": slug}
            )
        return slug

    def settings(self) -> dict[str, Any]:
        """The arguments of `create_club`."""
        data = self.cleaned_data
        presets = {players: data[f"rules_{players}"] for players in SIZES}
        return {
            "name": data["name"],
            "slug": data["slug"],
            "time_zone": data["time_zone"],
            "same_name": data["same_name"],
            "presets": presets,
        }

    @property
    def rules(self) -> list[Any]:
        """The fields that choose a ruleset for each table size."""
        return [self[f"rules_{players}"] for players in SIZES]


class SettingsForm(forms.ModelForm):
    """A club's settings. Only the fields named here are taken, whatever else is sent."""

    same_name = AnywayField(_("Different club – save anyway"))
    time_zone = forms.ChoiceField(label=_("Time zone"), choices=zone_choices)
    seating_table = forms.CharField(
        label=_("Own table of numbers"),
        required=False,
        max_length=8000,
        widget=forms.Textarea(attrs={"rows": 6, "placeholder": "11: 4 4 3", "spellcheck": "false"}),
        help_text=_(
            "One number of people a line, then its tables: “11: 4 4 3”. Who is left over sits out. "
            "Numbers you leave out follow the first rule."
        ),
    )
    session_minutes = forms.IntegerField(
        label=_("Length of a session (minutes)"),
        min_value=15,
        max_value=DAY_MINUTES,
        help_text=_("Calendars show it as the end of a session that has a start time."),
    )
    auto_accept_minutes = forms.IntegerField(
        label=_("Accepted by itself after (minutes)"),
        required=False,
        min_value=1,
        max_value=MOST_MINUTES,
        help_text=_("Leave empty to wait for a person."),
    )
    correction_minutes = forms.IntegerField(
        label=_("The table may correct its hands for (minutes)"),
        min_value=0,
        max_value=MOST_MINUTES,
        help_text=_("After a game has ended. Later an organiser can."),
    )

    class Meta:
        model = Club
        fields = SETTINGS
        help_texts = {
            "venue": _("A name or a street. Calendars show it."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        zones = self.fields["time_zone"]
        zones.choices = zone_choices(self.instance.time_zone)  # type: ignore[attr-defined]
        self.initial["seating_table"] = write_table(self.instance.seating_table)

    def clean_seating_table(self) -> dict[str, list[int]]:
        try:
            return read_table(str(self.cleaned_data["seating_table"]))
        except BadTable as error:
            raise forms.ValidationError(
                _table_trouble(error.code) % {"line": error.line}
            ) from error

    def _post_clean(self) -> None:
        """The model's rules judge a copy: the action, and not the form, writes to the club."""
        self.instance = copy(self.instance)
        super()._post_clean()  # type: ignore[misc]  # stubs lack it


def _table_trouble(code: str) -> Any:
    return {
        "line": _("Line %(line)s cannot be read. Write it like “11: 4 4 3”."),
        "number": _("Line %(line)s: the number of people is from 2 to 200."),
        "size": _("Line %(line)s: a table has 2, 3 or 4 players."),
        "many": _("Line %(line)s seats more people than there are."),
        "twice": _("Line %(line)s: this number of people has a line already."),
    }[code]
