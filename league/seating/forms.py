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
    """A standing request about one player or two."""

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
    """Table sizes for this session only, and house rules for each size that has a choice.

    `added` is the id of rules that were just added for the session: they are chosen already.
    """

    def __init__(self, *args: Any, club_session: Session, added: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["policy"] = _policy_field(club_session)
        self.by_id = {rules.public_id: rules for rules in latest_rulesets(club_session.club)}
        session_rules = {(ruleset.players, ruleset.name) for ruleset in club_session.rulesets.all()}
        for players in sorted({rules.players for rules in self.by_id.values()}):
            rulesets = [rules for rules in self.by_id.values() if rules.players == players]
            if len(rulesets) > 1 or not rulesets[0].is_default:
                self.fields[f"rules_{players}"] = _rules_field(players, rulesets, session_rules)
        added_rules = self.by_id.get(added)
        if added_rules and not added_rules.is_default:
            self.initial[f"rules_{added_rules.players}"] = added

    @property
    def chosen_rulesets(self) -> list[ClubRuleset]:
        """The rulesets chosen instead of the club's own."""
        chosen_ids = {name: value for name, value in self.cleaned_data.items() if name != "policy"}
        return [self.by_id[public_id] for public_id in chosen_ids.values() if public_id]

    @property
    def has_choice(self) -> bool:
        """Whether the club has rules for some table size besides its default ones."""
        return len(self.fields) > 1


def _policy_field(club_session: Session) -> forms.ChoiceField:
    labels = dict(Club.SeatingPolicy.choices)
    club_policy = club_session.club.seating_policy
    as_usual = _("As usual: %(rules)s") % {"rules": labels[club_policy]}
    other_policies = [
        (value, label) for value, label in labels.items() if value not in (club_policy, "own")
    ]
    return forms.ChoiceField(
        label=_("Table sizes"),
        choices=[("", as_usual), *other_policies],
        initial=club_session.seating_policy,
        required=False,
        widget=forms.RadioSelect,
    )


def _rules_field(
    players: int, rulesets: list[ClubRuleset], session_rules: set[tuple[int, str]]
) -> forms.ChoiceField:
    default = next((rules.name for rules in rulesets if rules.is_default), "")
    as_usual = (
        _("As usual: %(rules)s") % {"rules": default} if default else _("No tables of this size")
    )
    alternatives = [(rules.public_id, rules.name) for rules in rulesets if not rules.is_default]
    initial = next(
        (rules.public_id for rules in rulesets if (players, rules.name) in session_rules), ""
    )
    return forms.ChoiceField(
        label=ngettext("Tables of %(n)d", "Tables of %(n)d", players) % {"n": players},
        choices=[("", as_usual), *alternatives],
        initial=initial,
        required=False,
        widget=forms.RadioSelect,
    )


class RulesetChoice(forms.ModelChoiceField):
    """A choice of house rules, labelled with their names."""

    def label_from_instance(self, obj: Any) -> str:
        return str(obj.name)


class TableRulesForm(forms.Form):
    """House rules for one table: a choice among the club's rules for its size."""

    rules = RulesetChoice(
        ClubRuleset.objects.none(),
        label=_("House rules"),
        empty_label=None,
        widget=forms.RadioSelect,
    )

    def __init__(self, *args: Any, table: Table, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["rules"] = table.ruleset_id
        rulesets = latest_rulesets(table.session.club)
        ids = {rules.pk for rules in rulesets if rules.players == table.players}
        ids.add(table.ruleset_id)
        self.has_choice = len(ids) > 1
        self.fields["rules"].queryset = ClubRuleset.objects.filter(pk__in=ids)  # type: ignore[attr-defined]
