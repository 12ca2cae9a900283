"""Forms about entries: entering, late entries, the public form, seeds, partners, replacements."""

from typing import Any, cast

from django import forms
from django.core.validators import MaxLengthValidator
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.errors import Refused
from league.members.models import Club, Member
from league.members.names import LONGEST
from league.seasons.models import Season
from league.tournaments.actions.public_entry import (
    NEW,
    RequestedNames,
    names_in,
    repeated_names,
    requests_of,
)
from league.tournaments.models import MOST_PLACES, Entry, EntryRequest, Tournament
from league.tournaments.queries import entry_name


class PublicEntryForm(forms.ModelForm):
    """The public entry form: a name, a partner's name if pairs play, and contact details."""

    class Meta:
        model = EntryRequest
        fields = ("name", "partner", "contact")
        help_texts = {
            "partner": _("If you already have one."),
            "contact": _("Only the organisers see it, until the tournament is over."),
        }

    def __init__(self, *args: Any, pairs: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("name", "partner"):  # no longer than a player's name may be
            self.fields[name].validators.append(MaxLengthValidator(LONGEST))
            self.fields[name].widget.attrs["maxlength"] = LONGEST
        if not pairs:
            del self.fields["partner"]


class AcceptForm(forms.Form):
    """The players of a request: a choice for each name that may be that of a known player."""

    def __init__(
        self, data: Any = None, *, entry_request: EntryRequest, names: RequestedNames
    ) -> None:
        super().__init__(data, auto_id=f"id_%s_{entry_request.pk}")
        for field, name in names_in(entry_request).items():
            if names.asks(name):
                players = [(player.public_id, player.name) for player in names.players(name)]
                self.fields[field] = forms.ChoiceField(
                    label=_("Who is %(name)s?") % {"name": name},
                    choices=[("", _("Choose")), *players, (NEW, _("A new guest"))],
                )


def requests_to_accept(
    tournament: Tournament, entries: list[Entry]
) -> list[tuple[EntryRequest, int, AcceptForm, list[str]]]:
    """The requests to enter, each with its number on the waiting list, the form to accept it, and
    what to know of its names."""
    requests = requests_of(tournament)
    if not requests:
        return []
    names = RequestedNames(tournament.club)
    repeated = repeated_names(requests, {p.name_key for entry in entries for p in entry.people})
    return [
        (row, number, AcceptForm(entry_request=row, names=names), repeated[row.pk])
        for row, number in requests
    ]


class PlacesForm(forms.ModelForm):
    """How many places the public entry form offers; empty closes it."""

    class Meta:
        model = Tournament
        fields = ("places",)

    places = forms.IntegerField(
        label=_("Open the form for this many entries"),
        help_text=_("Requests after that wait. Leave it empty to close the form."),
        required=False,
        min_value=2,
        max_value=MOST_PLACES,
    )


class ApartForm(forms.Form):
    """Entries that are not to be drawn against each other."""

    entries = forms.ModelMultipleChoiceField(
        Entry.objects.none(),
        label=_("Entries"),
        help_text=_("Two or more, such as everyone from one town."),
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, *args: Any, tournament: Tournament, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = cast(forms.ModelMultipleChoiceField, self.fields["entries"])
        field.queryset = tournament.entries.select_related("member", "partner").order_by("pk")
        field.label_from_instance = lambda entry: entry_name(cast(Entry, entry), str)  # type: ignore[assignment,method-assign]


class PairsForm(forms.Form):
    """Pairs as a list."""

    pairs = forms.CharField(
        label=_("A pair per line"),
        max_length=40_000,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
        help_text=_("Such as Rose & Ann, or Rose / Ann."),
    )

    def __init__(self, *args: Any, like: Tournament | None = None, **kwargs: Any) -> None:
        """With the pairs of an earlier tournament, `like` which the new one is."""
        super().__init__(*args, **kwargs)
        if like is None:
            return
        entries = like.entries.filter(withdrawn_at=None).exclude(partner=None)
        entries = entries.select_related("member", "partner").order_by("pk")
        pairs = [" & ".join(member.name for member in entry.people) for entry in entries]
        self.initial["pairs"] = "\n".join(pairs)
        text = gettext("The pairs of %(name)s. Delete the lines of those who don't play.")
        self.fields["pairs"].help_text = text % {"name": like.name}


class PairForm(forms.Form):
    """Two entries without a partner that become a pair."""

    one = forms.ModelChoiceField(Entry.objects.none(), label=_("Player"), empty_label=_("Choose"))
    other = forms.ModelChoiceField(Entry.objects.none(), label=_("With"), empty_label=_("Choose"))

    def __init__(self, data: Any = None, *, tournament: Tournament) -> None:
        super().__init__(data, auto_id="pair_%s")
        unpaired = tournament.entries.select_related("member").filter(
            partner=None, withdrawn_at=None
        )
        for field in self.fields.values():
            field.queryset = unpaired.order_by("member__sort_key")  # type: ignore[attr-defined]
            field.label_from_instance = lambda entry: entry_name(entry, str)  # type: ignore[attr-defined]


class MemberField(forms.ModelChoiceField):
    """A player of the club, chosen by public id; with a `tournament`, one who may enter it."""

    tournament: Tournament | None = None

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(Member.objects.none(), to_field_name="public_id", **kwargs)

    def to_python(self, value: Any) -> Any:
        try:
            return super().to_python(value)
        except forms.ValidationError as error:
            raise forms.ValidationError(self._why_not(str(value)), code=error.code) from error

    def _why_not(self, public_id: str) -> str:
        """Why a player who was on the page can't be chosen: entered since, or no longer here."""
        club = self.tournament.club_id if self.tournament else None
        member = Member.objects.filter(club=club, public_id=public_id[:40]).first()
        if self.tournament is None or member is None:
            return gettext("This player is no longer on the list.")
        entries = self.tournament.entries.filter(Q(member=member) | Q(partner=member))
        text = gettext("%(name)s is no longer on the list.")
        if entries.exists():
            text = gettext("%(name)s is already entered.")
        return text % {"name": member.label}


class EnterForm(forms.Form):
    """A new entry: a player, alone or with a partner."""

    member = MemberField(label=_("Player"), empty_label=_("Choose"))
    partner = MemberField(label=_("With"), required=False, empty_label=_("No partner yet"))

    def __init__(
        self,
        *args: Any,
        tournament: Tournament,
        free: Any,
        pairs: bool,
        late: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        if late:  # a late entry needs a partner
            self.fields["partner"].empty_label = _("Choose")  # type: ignore[attr-defined]
        for name in ("member", "partner"):
            self.fields[name].queryset = free  # type: ignore[attr-defined]
            self.fields[name].tournament = tournament  # type: ignore[attr-defined]
        if not pairs:
            del self.fields["partner"]

    @property
    def here_too(self) -> list[Member]:
        """The players of the form to check in here although they are checked in elsewhere."""
        members, keys = filter(None, self.cleaned_data.values()), self.data.get("here_too", "")
        return [member for member in members if member.public_id in keys.split()]

    def show_refusal(self, refused: Refused) -> None:
        """Show why it was refused; `elsewhere` has the players checked in elsewhere, and where."""
        refused.show_in(self)
        self.elsewhere = refused.details if refused.code == "elsewhere" else None


class LateForm(EnterForm):
    """A pair that joins a full draw, with the way, the seed and the fingerprint of that draw."""

    way = forms.ChoiceField(choices=[(way, "") for way in ("redraw", "larger")])
    seed = forms.IntegerField(min_value=0, max_value=2**31 - 1)
    seen = forms.CharField(max_length=16)


class SeedForm(forms.Form):
    """The seed of an entry; empty removes it."""

    seed = forms.IntegerField(
        label=_("Seed"),
        min_value=1,
        max_value=999,
        required=False,
        error_messages=dict.fromkeys(
            ("invalid", "min_value", "max_value"), _("A seed is a number from 1.")
        ),
    )


class SeedsForm(forms.Form):
    """Seeds as a list of names."""

    names = forms.CharField(
        label=_("Names, one per line, the best first"),
        max_length=20_000,
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text=_("For a pair, give one player or both: Rose & Ann."),
    )


class SeasonForm(forms.Form):
    """The season whose places become the seeds."""

    season = forms.ModelChoiceField(Season.objects.none(), label=_("Season"), empty_label=None)

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["season"].queryset = club.seasons.all()  # type: ignore[attr-defined]


class PickForm(forms.Form):
    """The partner that is picked."""

    partner = forms.ModelChoiceField(Entry.objects.none(), label=_("Partner"))

    def __init__(self, *args: Any, tournament: Tournament, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["partner"].queryset = tournament.entries.all()  # type: ignore[attr-defined]


class ReplaceForm(forms.Form):
    """The player who leaves an entry, and the one who takes over."""

    leaves = MemberField(label=_("Replace"))
    comes = MemberField(label=_("with"))

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("leaves", "comes"):
            members = Member.objects.filter(club=club)
            self.fields[name].queryset = members  # type: ignore[attr-defined]
