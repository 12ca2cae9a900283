"""Forms for creating a club and for its settings."""

import json
from copy import copy
from typing import Any

from django import forms
from django.utils.html import format_html
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from league.members.actions.clubs import SETTINGS
from league.members.fields import AnywayField, FormNameField
from league.members.languages import language_choices, zone_aliases, zone_choices
from league.members.models import Club
from league.members.names import sort_key
from league.members.presets import preset_choices
from league.members.validators import (
    DAY_MINUTES,
    MOST_MINUTES,
    BadTable,
    read_table,
    write_table,
)

SIZES = (2, 3, 4)
NOT_SEEN_OUTSIDE = _("Nobody outside the club sees it while results are for members only.")


class NewClubForm(forms.Form):
    name = FormNameField(label=_("Name of the club"), max_length=80)
    same_name = AnywayField(_("Different club – create anyway"))
    slug = forms.SlugField(
        label=_("Web address"),
        max_length=60,
        required=False,
        help_text=_(
            "Lowercase letters, numbers, hyphens. Can't be changed later. "
            "Leave empty to use the club's name."
        ),
        error_messages={"invalid": _("Use only lowercase letters, numbers and hyphens.")},
    )
    time_zone = forms.ChoiceField(label=_("Time zone"), choices=zone_choices, initial="UTC")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.is_bound:
            self.fields["time_zone"].widget.attrs["data-here"] = json.dumps(zone_aliases())
        for players in SIZES:
            choices, default = preset_choices(players)
            self.fields[f"rules_{players}"] = forms.ChoiceField(
                label=ngettext("%(n)d player", "%(n)d players", players) % {"n": players},
                choices=choices,
                initial=default,
            )

    def clean_slug(self) -> str:
        typed_slug = str(self.cleaned_data["slug"]).lower()
        if "_" in typed_slug:  # a slug of Django may have one
            raise forms.ValidationError(self.fields["slug"].error_messages["invalid"])
        name = sort_key(self.cleaned_data.get("name", "")).replace("_", " ")
        slug = typed_slug or slugify(name)[:60]
        if not slug and "name" in self.cleaned_data:
            raise forms.ValidationError(
                _("Enter a web address. The name has no letters that can be used.")
            )
        if Club.objects.filter(slug=slug).exists():
            raise forms.ValidationError(
                _("Another club has the web address “%(slug)s”. Choose a different one."),
                params={"slug": slug},
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


GROUPS = (
    (
        _("Your club"),
        ("name", "same_name", "language", "time_zone", "venue", "welcome", "session_minutes"),
    ),
    (_("Making tables"), ("seating_policy", "seating_table")),
    (_("At the table"), ("tricks_entry", "confirm", "auto_accept_minutes", "correction_minutes")),
    (
        _("Standings and prizes"),
        ("co_winners_credit", "shows_ratings", "keeps_pots", "currency"),
    ),
    (_("Who can see what"), ("visibility", "names_in_public", "findable")),
)


FOUND_BY = {
    "name": _("rename the club, change the name"),
    "language": _("translation, English, French, German"),
    "time_zone": _("clock, summer time, daylight saving"),
    "venue": _("hall, pub, place, address, location, where we meet"),
    "welcome": _("newcomers, new here, contact, phone, description, about us"),
    "session_minutes": _("how long, duration, end of the evening"),
    "seating_policy": _("odd number, left over, sit out, tables of three, tables of five"),
    "seating_table": _("tables of three, eleven players, how many tables"),
    "tricks_entry": _("keypad, keys, phones"),
    "confirm": _("agree, accept, dispute, sign the score"),
    "auto_accept_minutes": _("automatic, accept by itself"),
    "correction_minutes": _("undo, mistake, correct a hand, wrong hand"),
    "co_winners_credit": _("shared win, tie, tables of three"),
    "shows_ratings": _("Elo, strength, skill"),
    "keeps_pots": _("money, pots, prizes, stakes, entry fee, cash"),
    "currency": _("money, dollar, euro, pound"),
    "visibility": _(
        "public, private, privacy, visible, hidden, share, strangers, without signing in"
    ),
    "names_in_public": _("public, privacy, data protection, initials, anonymous, hide names"),
    "findable": _("public, Google, search engine"),
}
"""More words by which each setting is found."""

VISITORS_SEE = (
    (
        Club.Visibility.MEMBERS,
        _("Members only: visitors see nothing of the club, not even what you write for newcomers"),
    ),
    (
        Club.Visibility.STANDINGS,
        _("Anyone: visitors see sessions, standings, games and what you write for newcomers"),
    ),
)


class SettingsForm(forms.ModelForm):
    """A club's settings. Only the fields named here can be changed."""

    same_name = AnywayField(_("Different club – save anyway"))
    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        choices=zone_choices,
        help_text=_("Sessions are dated and timed by this clock."),
    )
    language = forms.ChoiceField(
        label=_("Language"),
        choices=language_choices,
        required=False,
        help_text=_("For the wall, prints and mail, and for players who haven't chosen their own."),
    )
    seating_table = forms.CharField(
        label=_("Custom table sizes"),
        required=False,
        max_length=8000,
        widget=forms.Textarea(attrs={"rows": 4, "placeholder": "11: 4 4 3", "spellcheck": "false"}),
        help_text=_("One line for each number of players, then the tables: “11: 4 4 3”."),
    )
    session_minutes = forms.IntegerField(
        label=_("Length of a session (minutes)"),
        min_value=15,
        max_value=DAY_MINUTES,
        help_text=_("The club's page and calendars show when a session ends."),
    )
    auto_accept_minutes = forms.IntegerField(
        label=_("Auto-confirm after (minutes)"),
        required=False,
        min_value=1,
        max_value=MOST_MINUTES,
        help_text=_("Leave empty to wait until someone confirms."),
    )
    correction_minutes = forms.IntegerField(
        label=_("Players can fix hands for (minutes)"),
        min_value=0,
        max_value=MOST_MINUTES,
        help_text=_(
            "From when a hand is entered, until the game is confirmed."
            " After that, an organiser can."
        ),
    )

    class Meta:
        model = Club
        fields = SETTINGS
        widgets = {
            "seating_policy": forms.RadioSelect,  # the labels are too long for phones
            "welcome": forms.Textarea(attrs={"rows": 5}),
            "visibility": forms.RadioSelect,
        }
        labels = {"shows_ratings": _("Show ratings")}
        help_texts = {
            "venue": _("A name or a street. Calendars show it."),
            "welcome": _(
                "Shown to everyone on the club's page: who may come, when you meet, what it costs,"
                " whom to ask."
            ),
            "seating_policy": _("What happens when the players don't fill tables of four."),
            "confirm": _(
                "Who agrees to the score before a game is final. They can also dispute it."
            ),
            "tricks_entry": _(
                "What players tap at the end of each hand. It is always the number where points"
                " depend on it: with bids, a super euchre or a march by a lone defender."
            ),
            "co_winners_credit": _(
                "Two can win together at a table of three. “As the games say” follows the house"
                " rules of each game. Where they differ within a session, the win is shared."
            ),
            "shows_ratings": _(
                "On player pages and a page of their own. A rating goes up when you beat stronger"
                " players."
            ),
            "keeps_pots": _("Stakes and payouts, on a page of their own."),
            "currency": _("For example £ or $."),
            "visibility": _("Members always can."),
            "names_in_public": _(
                "What visitors who aren't members see. The screen in the hall shows everyone's"
                " first name and initial at least, so that they find their seats."
            ),
            "findable": _("They never list pages that name players."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["visibility"].choices = VISITORS_SEE  # type: ignore[attr-defined]
        zones = self.fields["time_zone"]
        zones.choices = zone_choices(self.instance.time_zone)  # type: ignore[attr-defined]
        if not self.instance.is_public:
            self.fields["welcome"].help_text = format_html(
                '{} {} <a href="#id_visibility">{}</a>',
                _("Who may come, when you meet, what it costs, whom to ask."),
                NOT_SEEN_OUTSIDE,
                self.fields["visibility"].label,
            )
        self.initial["seating_table"] = write_table(self.instance.seating_table)

    @property
    def groups(self) -> list[tuple[Any, list[tuple[forms.BoundField, Any]], bool]]:
        """The fields in groups: the heading, the fields with their search words, whether one of
        them has an error."""
        return [
            (
                heading,
                [(self[name], FOUND_BY.get(name, "")) for name in names],
                not self.errors.keys().isdisjoint(names),
            )
            for heading, names in GROUPS
        ]

    @property
    def hides_welcome(self) -> bool:
        """Whether a text for newcomers was written that only members see."""
        written = "welcome" in self.changed_data and self.cleaned_data["welcome"]
        return bool(written) and self.cleaned_data["visibility"] == Club.Visibility.MEMBERS

    def clean_seating_table(self) -> dict[str, list[int]]:
        try:
            return read_table(str(self.cleaned_data["seating_table"]))
        except BadTable as error:
            errors = [_table_error(code) % {"line": line} for code, line in error.faults]
            raise forms.ValidationError(errors) from error

    @property
    def lines_that_seat_fewer(self) -> list[str]:
        """The lines of the table of sizes with fewer seats than players; often a slip."""
        table = self.cleaned_data["seating_table"]
        short = {people: sizes for people, sizes in table.items() if sum(sizes) < int(people)}
        return write_table(short).splitlines()

    def _post_clean(self) -> None:
        """Validate a copy, so that the action, and not the form, changes the club."""
        self.instance = copy(self.instance)
        super()._post_clean()  # type: ignore[misc]  # stubs lack it


def _table_error(code: str) -> Any:
    return {
        "line": _("Write line %(line)s like this: “11: 4 4 3”."),
        "number": _("Line %(line)s: start with a number of players from 2 to 200."),
        "size": _("Line %(line)s: a table has 2 to 8 players."),
        "many": _("Line %(line)s has more seats than players."),
        "twice": _("Line %(line)s: there is already a line for this number of players."),
    }[code]
