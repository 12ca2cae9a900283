"""Forms of seating, and the list of names pasted at check-in: what each line would do."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django import forms
from django.utils.html import format_html
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from league.errors import Refused
from league.members.forms.rulesets import VariantForm
from league.members.game_facts import in_short
from league.members.models import Club, ClubRuleset, Member
from league.members.paste import (
    KnownPerson,
    Line,
    Verdict,
    couples_in,
    judge_names,
    notes_in,
    numbered_names,
)
from league.members.presets import name_with_changes
from league.members.queries import known_people, latest_rulesets
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
        if added_rules and not added_rules.is_default and not self.is_bound:
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
    as_usual = next(
        (
            _with_facts(gettext("As usual: %(rules)s") % {"rules": name_with_changes(rules)}, rules)
            for rules in rulesets
            if rules.is_default
        ),
        _("No tables of this size"),
    )
    alternatives = [
        (rules.public_id, _with_facts(name_with_changes(rules), rules))
        for rules in rulesets
        if not rules.is_default
    ]
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


def _with_facts(label: str, rules: ClubRuleset) -> str:
    """The label of a choice of house rules, with what they say in short."""
    return format_html("{}<br><small>{}</small>", label, in_short(rules.rules))


class RulesetChoice(forms.ModelChoiceField):
    """A choice of house rules, labelled with their names; `old_version` has newer ones as well."""

    old_version: ClubRuleset | None = None

    def label_from_instance(self, obj: Any) -> str:
        label = name = name_with_changes(obj)
        if obj == self.old_version:
            label = gettext("%(name)s, an earlier version") % {"name": name}
        elif obj.is_default:
            label = gettext("As usual: %(rules)s") % {"rules": name}
        return _with_facts(label, obj)


class TableRulesForm(forms.Form):
    """House rules for one table: a choice among the club's rules for its size.

    `others` is how many other tables can have them too. `added` is the id of rules that were just
    added for the table: they are chosen already.
    """

    rules = RulesetChoice(
        ClubRuleset.objects.none(),
        label=_("House rules"),
        empty_label=None,
        widget=forms.RadioSelect,
    )

    def __init__(
        self, *args: Any, table: Table, others: int = 0, added: str = "", **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.fields |= _everywhere_field(table, others)
        rulesets = latest_rulesets(table.session.club)
        ids = {rules.pk for rules in rulesets if rules.players == table.players}
        added_ids = [rules.pk for rules in rulesets if rules.public_id == added and rules.pk in ids]
        self.initial["rules"] = next(iter(added_ids), table.ruleset_id)
        if table.ruleset_id not in ids and not table.ruleset.retired:
            self.fields["rules"].old_version = table.ruleset  # type: ignore[attr-defined]
        ids.add(table.ruleset_id)
        self.has_choice = len(ids) > 1
        usual_first = ClubRuleset.objects.filter(pk__in=ids).order_by(
            "-is_default", "name", "-version"
        )
        self.fields["rules"].queryset = usual_first  # type: ignore[attr-defined]


class TableVariantForm(VariantForm):
    """The rules of one table with a few of them changed; `others` is how many other tables can have
    the same."""

    def __init__(self, *args: Any, table: Table, others: int = 0, **kwargs: Any) -> None:
        super().__init__(table.ruleset.rules, *args, auto_id="changed_%s", **kwargs)
        self.fields |= _everywhere_field(table, others)


def _everywhere_field(table: Table, others: int) -> dict[str, forms.Field]:
    """The question whether all tables of a size change that have not begun, if there are others."""
    if not others:
        return {}
    label = ngettext(
        "Also the other table of %(players)d that hasn't started",
        "Also the %(n)d other tables of %(players)d that haven't started",
        others,
    ) % {"n": others, "players": table.players}
    return {"everywhere": forms.BooleanField(label=label, required=False)}


MOST_PASTED = 200


@dataclass(frozen=True, slots=True)
class PastedList:
    """The lines of a list, and the answers about them.

    `choices` maps each name that the club does not have to the name that is meant, or to "" for a
    new player, and each line without a name to ""; the new names in `left_out` are not checked in.
    `couples` are the names that were split into several players of one surname.
    """

    lines: list[Line]
    notes: list[str]
    choices: Mapping[str, str]
    left_out: Collection[str] = ()
    couples: Sequence[tuple[str, list[str]]] = ()

    @property
    def known(self) -> list[str]:
        """The players of the club on the list, by the names they have now."""
        return [line.like[0] for line in self.lines if line.verdict == Verdict.KNOWN]

    @property
    def new(self) -> list[Line]:
        """The lines of new players, for whom nothing has to be chosen; `like` are similar names on
        the same list."""
        return [line for line in self.lines if line.verdict in (Verdict.NEW, Verdict.ERASED)]

    @property
    def alike(self) -> list[Line]:
        """The lines that look like a player of the club who is not on the list."""
        return [line for line in self.lines if line.verdict == Verdict.LIKE]

    @property
    def unanswered(self) -> list[Line]:
        """The look-alikes for which nothing has been chosen."""
        return [line for line in self.alike if line.name not in self.choices]

    @property
    def answered(self) -> list[tuple[str, str]]:
        """The look-alikes for which something has been chosen, with the choice."""
        return [(x.name, self.choices[x.name]) for x in self.alike if x.name in self.choices]

    @property
    def twice(self) -> list[Line]:
        """The names written again, which are left out."""
        return [line for line in self.lines if line.verdict == Verdict.TWICE]

    @property
    def bad(self) -> list[Line]:
        """The lines that are not names."""
        return [line for line in self.lines if line.verdict == Verdict.BAD]

    @property
    def needs_check(self) -> bool:
        """Whether the list would do something that the user has not seen yet."""
        return any(line.name not in self.choices for line in (*self.new, *self.alike, *self.bad))

    @property
    def names(self) -> list[str]:
        """The names to check in."""
        added = [line.name for line in (*self.new, *self.alike)]
        return [*self.known, *(name for name in added if name not in self.left_out)]


def read_pasted(
    club: Club, text: str, *, choices: Mapping[str, str], left_out: Collection[str]
) -> PastedList:
    """What a pasted list would do. Refuses an empty list and one that is too long."""
    names = numbered_names(text)
    if not 1 <= len(names) <= MOST_PASTED:
        raise Refused(
            "bad-list",
            gettext("Paste 1 to %(most)d names, one on each line.") % {"most": MOST_PASTED},
        )
    active = set(club.members.current().values_list("name", flat=True))
    earlier = [person for person in known_people(club) if person.name in active]
    today = [KnownPerson(name, (name,)) for name in active]  # last: today's name counts first
    lines = judge_names(names, [*earlier, *today])
    on_list = {line.like[0] for line in lines if line.verdict == Verdict.KNOWN}
    lines = [_only_like(active - on_list, line) for line in lines]
    return PastedList(lines, notes_in(text), choices, left_out, couples_in(text))


def _only_like(players: Collection[str], line: Line) -> Line:
    """A look-alike is a question only if it may be one of these players: two similar names on one
    list are two players."""
    if line.verdict != Verdict.LIKE:
        return line
    meant = tuple(name for name in line.like if name in players)
    return replace(line, like=meant) if meant else replace(line, verdict=Verdict.NEW)
