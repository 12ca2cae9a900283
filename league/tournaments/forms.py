"""Forms of a tournament: what is played, and who plays."""

from dataclasses import replace
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from league.members.fields import FormNameField
from league.members.models import Member
from league.pairing.movements import PRESETS
from league.tournaments.models import Stage, Tournament
from league.tournaments.parameters import (
    BELL,
    CUT,
    DRAWN,
    EXTRA_HAND,
    FOLDED,
    HANDS,
    MOVEMENTS,
    PICKED,
    RANGES,
    TARGET,
    Chosen,
    chosen,
)

F = Stage.Format
FIELDS: dict[str, tuple[str, ...]] = {
    F.PROGRESSIVE: ("movement", "rounds", "unit", "hands", "bell_points", "tie", "short_apart"),
    F.ROTATION: ("rounds",),
    F.ROUND_ROBIN: ("games", "twice"),
    F.SWISS: ("rounds", "games"),
    F.KNOCKOUT: ("games", "third_place", "consolation"),
    F.DOUBLE: ("games",),
    F.GROUPS: ("groups", "through", "games", "twice", "third_place"),
}
"""What each format asks."""

NAMED = [(one.code, _(one.name)) for one in PRESETS if one.code in MOVEMENTS]
SWISS_ROUNDS = 5


def _number(name: str, **kwargs: Any) -> forms.IntegerField:
    least, most = RANGES[name]
    return forms.IntegerField(min_value=least, max_value=most, **kwargs)


class TournamentForm(forms.Form):
    """The name of a tournament and what its format asks; other fields are left out."""

    name = FormNameField(label=_("Name"), max_length=80)
    movement = forms.ChoiceField(
        label=_("How people move"), choices=NAMED, widget=forms.RadioSelect
    )
    rounds = _number("rounds", label=_("Rounds"))
    unit = forms.ChoiceField(
        label=_("A game lasts"),
        choices=[
            (HANDS, _("a number of hands")),
            (BELL, _("until the head table rings")),
            (TARGET, _("until somebody has won by the club's rules")),
        ],
        widget=forms.RadioSelect,
    )
    hands = _number(
        "hands",
        label=_("Hands a game"),
        help_text=_("Eight: everybody at a table of four deals twice."),
    )
    bell_points = _number("bell_points", label=_("Points at the head table, then it rings"))
    tie = forms.ChoiceField(
        label=_("A tied table is decided by"),
        choices=[(EXTRA_HAND, _("one more hand, which does not count")), (CUT, _("a cut"))],
        widget=forms.RadioSelect,
    )
    short_apart = forms.BooleanField(
        label=_("Points of tables of two and three stand apart"), required=False
    )
    games = forms.TypedChoiceField(
        label=_("A match is"),
        choices=[
            (1, _("one game")),
            (3, _("best of 3")),
            (5, _("best of 5")),
            (7, _("best of 7")),
            (9, _("best of 9")),
        ],
        coerce=int,
    )
    groups = _number("groups", label=_("Groups"))
    through = _number("through", label=_("Pairs of each group that go through"))
    twice = forms.BooleanField(label=_("Everybody meets twice"), required=False)
    third_place = forms.BooleanField(
        label=_("The losers of the semi-finals play for third place"), required=False
    )
    consolation = forms.BooleanField(
        label=_("Who loses the first match plays on in a consolation bracket"), required=False
    )

    partners = forms.ChoiceField(
        label=_("How partners are found"),
        choices=[
            (PICKED, _("the best placed pick, one after the other")),
            (DRAWN, _("each of the upper half draws one of the lower half")),
            (FOLDED, _("the first with the last, the second with the last but one")),
        ],
        widget=forms.RadioSelect,
        initial=PICKED,
    )

    def __init__(
        self,
        *args: Any,
        format: str,
        tournament: Tournament | None = None,
        seeded: bool = False,
        **kwargs: Any,
    ) -> None:
        stage = tournament.stages.get(number=1) if tournament else None
        now = chosen(stage.parameters) if stage else Chosen()
        asked = [*FIELDS[format], *(["partners"] if seeded else [])]
        first = {name: getattr(now, name) for name in asked}
        if seeded:
            first["partners"] = now.partners or PICKED
        if seeded and tournament is None and format == F.GROUPS:
            first |= {"groups": 1, "through": 4}  # a round robin, then a play-off
        if tournament is None and format == F.SWISS:
            first["rounds"] = SWISS_ROUNDS
        first["name"] = tournament.name if tournament else str(F(format).label)
        super().__init__(*args, **{"initial": first, **kwargs})
        self.format, self.now = format, now
        self.asked = asked
        for name in set(self.fields) - {"name", *self.asked}:
            del self.fields[name]

    @property
    def choice(self) -> Chosen:
        """What was chosen; what the format does not ask stays as it is."""
        given = {name: self.cleaned_data[name] for name in self.asked}
        return replace(self.now, **given)


class MemberField(forms.ModelChoiceField):
    """One person of the club, asked for by the id that pages show."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(Member.objects.none(), to_field_name="public_id", **kwargs)


class EnterForm(forms.Form):
    """Somebody enters, alone or with a partner."""

    member = MemberField(label=_("Who"), empty_label=_("Choose"))
    partner = MemberField(label=_("With"), required=False, empty_label=_("Nobody yet"))

    def __init__(self, *args: Any, free: Any, pairs: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("member", "partner"):
            self.fields[name].queryset = free  # type: ignore[attr-defined]
        if not pairs:
            del self.fields["partner"]


class LateForm(EnterForm):
    """A pair that joins a full draw, and in which way, as it was looked at."""

    way = forms.ChoiceField(choices=[(way, "") for way in ("anew", "larger")])

    seed = forms.IntegerField(min_value=0, max_value=2**31 - 1)
    seen = forms.CharField(max_length=16)
