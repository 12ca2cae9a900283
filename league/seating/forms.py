"""Forms of seating."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from league.members.models import Club, ClubRuleset, Member
from league.members.queries import latest_rulesets
from league.seating.models import SeatingRequest, Table
from league.sessions.models import Session


class SeatingRequestForm(forms.Form):
    """A standing request about one person or two."""

    kind = forms.ChoiceField(label=_("Request"), choices=SeatingRequest.Kind)
    first = forms.ModelChoiceField(Member.objects.none(), label=_("Who"), empty_label=_("Choose"))
    second = forms.ModelChoiceField(
        Member.objects.none(),
        label=_("With"),
        required=False,
        empty_label=_("None"),
        help_text=_("Leave empty for a player who doesn't move."),
    )

    def __init__(self, *args: object, club: Club, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        members = Member.objects.current().filter(club=club)
        self.fields["first"].queryset = members  # type: ignore[attr-defined]
        self.fields["second"].queryset = members  # type: ignore[attr-defined]


class SessionRulesForm(forms.Form):
    """For this session alone: other table sizes, and other rules for each size with a choice."""

    def __init__(self, *args: Any, club_session: Session, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["policy"] = _policy_field(club_session)
        self.by_id = {one.public_id: one for one in latest_rulesets(club_session.club)}
        own = {(ruleset.players, ruleset.name) for ruleset in club_session.rulesets.all()}
        for players in sorted({one.players for one in self.by_id.values()}):
            known = [one for one in self.by_id.values() if one.players == players]
            if len(known) > 1 or not known[0].is_default:
                self.fields[f"rules_{players}"] = _size_field(players, known, own)

    @property
    def chosen(self) -> list[ClubRuleset]:
        """The rulesets chosen instead of the club's own."""
        chosen = {name: value for name, value in self.cleaned_data.items() if name != "policy"}
        return [self.by_id[value] for value in chosen.values() if value]

    @property
    def has_choice(self) -> bool:
        """Whether the club has rules for some table size that its tables don't play by anyway."""
        return len(self.fields) > 1


def _policy_field(club_session: Session) -> forms.ChoiceField:
    labels = dict(Club.SeatingPolicy.choices)
    usual = club_session.club.seating_policy
    always = _("As always: %(rules)s") % {"rules": labels[usual]}
    others = [(value, label) for value, label in labels.items() if value not in (usual, "own")]
    return forms.ChoiceField(
        label=_("Table sizes"),
        choices=[("", always), *others],
        initial=club_session.seating_policy,
        required=False,
        widget=forms.RadioSelect,
    )


def _size_field(
    players: int, known: list[ClubRuleset], own: set[tuple[int, str]]
) -> forms.ChoiceField:
    usual = next((one.name for one in known if one.is_default), "")
    as_ever = _("As always: %(rules)s") % {"rules": usual} if usual else _("No tables of this size")
    others = [(one.public_id, one.name) for one in known if not one.is_default]
    initial = next((one.public_id for one in known if (players, one.name) in own), "")
    return forms.ChoiceField(
        label=ngettext("Tables of %(n)d", "Tables of %(n)d", players) % {"n": players},
        choices=[("", as_ever), *others],
        initial=initial,
        required=False,
        widget=forms.RadioSelect,
    )


class RulesetChoice(forms.ModelChoiceField):
    """House rules by their name alone."""

    def label_from_instance(self, obj: Any) -> str:
        return str(obj.name)


class TableRulesForm(forms.Form):
    """House rules for one table, of those the club has for its size."""

    rules = RulesetChoice(
        ClubRuleset.objects.none(),
        label=_("House rules"),
        empty_label=None,
        widget=forms.RadioSelect,
    )

    def __init__(self, *args: Any, table: Table, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["rules"] = table.ruleset_id
        known = latest_rulesets(table.session.club)
        ids = {one.pk for one in known if one.players == table.players} | {table.ruleset_id}
        self.has_choice = len(ids) > 1
        self.fields["rules"].queryset = ClubRuleset.objects.filter(pk__in=ids)  # type: ignore[attr-defined]
