"""Forms of a league's rules, of transfers and withdrawals, of its next season, and of decisions."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator
from django.utils.dates import WEEKDAYS
from django.utils.html import format_html
from django.utils.text import capfirst
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from league.members.fields import DayField, FormLineField, FormNameField
from league.members.models import Member
from league.members.names import BadName, clean_name
from league.ranking.team_league.rules import LeagueRules, plain, rules_from_json
from league.teams.models import MOST_DIVISIONS, MOST_POINTS, Team, TeamLeague, TeamPlayer
from league.teams.presets import PRESETS, Preset
from league.teams.rule_fields import (
    TIES,
    WorthFields,
    _days_field,
    format_days,
    points_field,
    read_days,
    shown_number,
    worth_initial,
    worth_rules,
)
from league.teams.text import PAYERS, WITHDRAWALS
from league.teams.validators import MOST_CUP_DAYS, MOST_REARRANGED, NUMBERS

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
FIELD_OF_SETTING = {
    "late": "late_day",
    "walkover": "walkover_win",
    "section_play_off": "section_places",
    "points": "points_win",
    "tie_breaks": "ranking",
}
"""The form field of a setting, where it has another name."""
SPLITS = [
    (code, capfirst(text))
    for code, text in (
        ("same", _("use it again among those still tied")),
        ("next", _("go on to the next tie-break")),
        ("first", _("start the tie-breaks again")),
    )
]
MOST_BLANK = 60


def quote_printed_rules(form: forms.Form, preset: Preset | None) -> None:
    """Quote each printed rule in the help text of the field that enforces it."""
    for rule in preset.enforced if preset else ():
        field = form.fields.get(FIELD_OF_SETTING.get(rule.setting, rule.setting))
        if field is not None:
            text = gettext("Rule {n}: “{words}”")
            if not str(rule.number)[0].isdigit():  # it has a name instead of a number
                text = gettext("{n}: “{words}”")
            words = format_html('<span lang="en">{}</span>', rule.words)
            printed = format_html(text, n=rule.number, words=words)
            field.help_text = format_html("{} {}", field.help_text, printed)


def _count_field(label: Any, most: int, **kwargs: Any) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=0, max_value=most, required=False, **kwargs)


class RulesForm(WorthFields):
    """All rules of a league except the points of a match."""

    late_day = forms.ChoiceField(
        label=_("A card arrives by"),
        choices=[("", _("no deadline")), *((DAYS[n], name) for n, name in WEEKDAYS.items())],
        required=False,
        help_text=_("The first such day after the match."),
    )
    late_time = forms.TimeField(
        label=_("at"),
        required=False,
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
    )
    late_points = forms.DecimalField(
        label=_("A late card costs"), min_value=0, max_value=MOST_POINTS, decimal_places=2,
        required=False,
    )  # fmt: skip
    late_from = forms.ChoiceField(
        label=_("Points taken from"), choices=PAYERS.items(), required=False
    )
    withdrawal = forms.ChoiceField(
        label=_("If a team leaves"), choices=lambda: [(k, v()) for k, v in WITHDRAWALS.items()],
        widget=forms.RadioSelect,
    )  # fmt: skip
    after_split = forms.ChoiceField(
        label=_("When head-to-head separates some of the tied teams"), choices=SPLITS
    )
    divisions = forms.CharField(
        label=_("Divisions, one name per line, the highest first"),
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false"}),
        help_text=_("Leave empty for one table."),
    )
    sections = forms.BooleanField(label=_("They are sections of equal rank"), required=False)
    section_places = _count_field(_("Teams of each section in the play-off"), 20)
    up = _count_field(_("Teams that go up"), 20)
    down = _count_field(_("Teams that go down"), 20)
    play_off = _count_field(_("Play-offs between two divisions"), 5)
    least = _count_field(_("Fewest players in a squad"), NUMBERS["least"])
    minimum = _count_field(_("Fewest players to play a match"), NUMBERS["minimum"])
    borrowed_season = _count_field(
        _("Times a player may be borrowed per season"), NUMBERS["borrowed_season"],
        help_text=_("Leave empty for no limit."),
    )  # fmt: skip
    transfers = _count_field(
        _("Transfers per player and season"), NUMBERS["transfers"],
        help_text=_("Leave empty for no limit."),
    )  # fmt: skip
    register_until = DayField(
        label=_("Last day for new players"),
        required=False,
        help_text=_("Leave empty for no limit."),
    )
    half_way = forms.BooleanField(label=_("Transfers only until half-way"), required=False)
    captains_agree = forms.BooleanField(
        label=_("Both captains agree to a transfer"), required=False
    )
    cup_tied = forms.BooleanField(
        label=_("A player can't play for two teams in one cup"), required=False
    )
    sign_on = forms.BooleanField(
        label=_("Captains may add new players to their team"), required=False
    )
    both_confirm = forms.BooleanField(label=_("Both captains confirm a card"), required=False)
    substitutes = forms.BooleanField(
        label=_("A player may be replaced between two games of a match"), required=False
    )
    house_letters = forms.BooleanField(
        label=_("Teams of one pub or club are named A, B, C"), required=False
    )
    keeps_place = _count_field(
        _("Players who stay for a team to keep its division"), NUMBERS["keeps_place"]
    )
    blank_days = _days_field(_("Weeks without matches: one day of each"))
    cup_days = _days_field(_("Cup weeks: one day of each"))
    rearranged = _count_field(
        _("Days within which a postponed match is played"), MOST_REARRANGED,
        help_text=_("Leave empty for no limit."),
    )  # fmt: skip
    derbies_early = forms.BooleanField(
        label=_("Teams of one pub or club meet early in the season"), required=False
    )

    def __init__(self, *args: Any, league: TeamLeague, **kwargs: Any) -> None:
        self.league = league
        rules = rules_from_json(league.rules)
        super().__init__(*args, **{"initial": _initial(league, rules), **kwargs})
        quote_printed_rules(self, PRESETS.get(league.preset))

    def groups(self) -> list[tuple[str, list[forms.BoundField]]]:
        """The fields under their headings."""
        return [(str(title), [self[name] for name in names]) for title, names in GROUPS]

    def clean_divisions(self) -> list[str]:
        lines = [line for line in self.cleaned_data["divisions"].splitlines() if line.strip()]
        if len(lines) > MOST_DIVISIONS:
            raise forms.ValidationError(_("Too many divisions."))
        try:
            names = [clean_name(line) for line in lines]
        except BadName as bad:
            raise forms.ValidationError(_("One of these lines is not a name.")) from bad
        if len(set(names)) < len(names) or any(len(name) > 40 for name in names):
            raise forms.ValidationError(_("Give every division its own short name."))
        return names

    def clean_blank_days(self) -> list[str]:
        return read_days(self.cleaned_data["blank_days"], MOST_BLANK, self.league.starts_on)

    def clean_cup_days(self) -> list[str]:
        return read_days(self.cleaned_data["cup_days"], MOST_CUP_DAYS, self.league.starts_on)

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if data.get("late_day") and data.get("late_time") is None:
            self.add_error("late_time", _("Choose the hour."))
        return data

    def chosen(self) -> dict[str, Any]:
        """The chosen values, as keyword arguments of `change_rules`."""
        data = self.cleaned_data
        fixtures = {name: data[name] for name in ("cup_days", "rearranged", "derbies_early")}
        return {
            "rules": self._rules(data),
            "squad_rules": self._squad_rules(data),
            "fixture_rules": {**self.league.fixture_rules, **fixtures},
            "divisions": data["divisions"],
            "sections": data["sections"] and bool(data["divisions"]),
            "blank_days": data["blank_days"],
        }

    def _rules(self, data: Mapping[str, Any]) -> dict[str, Any]:
        divisions, n_places = data["divisions"], data["section_places"]
        rules = {**self.league.rules, "withdrawal": data["withdrawal"]}
        rules["after_split"] = data["after_split"]
        rules |= worth_rules(data, rules_from_json(self.league.rules))
        rules["late"] = _late_rule(data)
        rules["moves"] = [] if data["sections"] else _move_rules(divisions, data)
        has_final = data["sections"] and divisions and n_places
        final = {"divisions": divisions, "places": n_places}
        rules["section_play_off"] = final if has_final else None
        return rules

    def _squad_rules(self, data: Mapping[str, Any]) -> dict[str, Any]:
        unchanged = {k: v for k, v in self.league.squad_rules.items() if k in NOT_IN_FORM}
        numbers = {name: data[name] for name in NUMBERS if data[name] is not None}
        chosen: dict[str, Any] = {**numbers, **{name: data[name] for name in SQUAD_FLAGS}}
        chosen["transfer_until"] = "half" if data["half_way"] else None
        last_day = data["register_until"]
        chosen["register_until"] = last_day.isoformat() if last_day else None
        return unchanged | chosen


GROUPS = (
    (
        _("Walk-overs and teams that leave"),
        ("walkover_win", "walkover_loss", "walkover_games", "walkover_points", "withdrawal"),
    ),
    (_("Bonus points"), ("winner_bonus", "winner_games", "loser_bonus", "loser_games")),
    (
        pgettext_lazy("match cards", "Cards"),
        ("late_day", "late_time", "late_points", "late_from", "both_confirm", "substitutes"),
    ),
    (_("Tied teams"), (*TIES, "after_split")),
    (
        _("Divisions"),
        ("divisions", "sections", "section_places", "up", "down", "play_off", "keeps_place"),
    ),
    (
        _("Players and transfers"),
        ("least", "minimum", "borrowed_season", "transfers", "half_way", "captains_agree",
         "register_until", "sign_on", "cup_tied", "house_letters"),
    ),
    (_("Weeks and days"), ("blank_days", "cup_days", "rearranged", "derbies_early")),
)  # fmt: skip
"""All fields of the form, by heading."""
NOT_IN_FORM = ("one_team_a_week",)
SQUAD_FLAGS = (
    "cup_tied",
    "captains_agree",
    "both_confirm",
    "house_letters",
    "sign_on",
    "substitutes",
)


def _json_number(value: Decimal | None) -> int | str:
    return plain(Fraction(value or 0))


def _late_rule(data: Mapping[str, Any]) -> dict[str, Any] | None:
    if not data["late_day"]:
        return None
    return {
        "weekday": data["late_day"],
        "time": f"{data['late_time']:%H:%M}",
        "points": _json_number(data["late_points"]),
        "from": data["late_from"] or "winner",
    }


def _move_rules(divisions: list[str], data: Mapping[str, Any]) -> list[dict[str, Any]]:
    numbers = {name: data[name] or 0 for name in ("up", "down", "play_off")}
    if not any(numbers.values()):
        return []
    borders = zip(divisions, divisions[1:], strict=False)  # noqa: RUF007 pairs, as they stand
    return [{"upper": upper, "lower": lower, **numbers} for upper, lower in borders]


def _initial(league: TeamLeague, rules: LeagueRules) -> dict[str, Any]:
    """The initial values of the form for a league."""
    late, border = rules.late, next(iter(rules.moves), None)
    squad_rules = league.squad_rules
    initial: dict[str, Any] = {name: squad_rules.get(name) for name in NUMBERS}
    initial |= {name: squad_rules.get(name, False) for name in SQUAD_FLAGS}
    initial |= {"register_until": squad_rules.get("register_until"), **league.fixture_rules}
    initial["cup_days"] = format_days(league.fixture_rules.get("cup_days", []))
    initial |= {"half_way": squad_rules.get("transfer_until") == "half"}
    initial |= worth_initial(rules)
    initial |= {"withdrawal": rules.withdrawal, "after_split": rules.after_split}
    initial |= {"sections": league.sections, "blank_days": format_days(league.blank_days)}
    initial |= {"divisions": "\n".join(division.name for division in league.divisions.all())}
    if late is not None:
        initial |= {"late_day": DAYS[late.weekday], "late_time": late.time}
        initial |= {"late_points": shown_number(late.points), "late_from": late.payer}
    if border is not None:
        initial |= {"up": border.up, "down": border.down, "play_off": border.play_off}
    preset = PRESETS.get(league.preset)
    if rules.sections is not None:
        initial["section_places"] = rules.sections.places
    elif preset is not None and not initial["divisions"]:
        initial |= {"sections": preset.section_places > 0, "section_places": preset.section_places}
        initial |= {"up": preset.moving or None, "down": preset.moving or None}
    return initial


class WithdrawForm(forms.Form):
    """Confirm that a team leaves, on a day that is not in the future."""

    day = DayField(label=_("Day on which it left"), required=False)
    reason = FormLineField(label=_("Reason (optional)"), max_length=200, required=False)
    sure = forms.BooleanField(
        label=_("Yes, this team leaves the league"),
        error_messages={"required": _("Tick the box to confirm that the team leaves the league.")},
    )

    def __init__(self, *args: Any, today: date, **kwargs: Any) -> None:
        super().__init__(*args, **{"initial": {"day": today}, **kwargs})
        self.fields["day"].validators.append(
            MaxValueValidator(today, _("This day is in the future."))
        )


class TransferForm(forms.Form):
    """A player's transfer to this team from another team of the league."""

    member = forms.ModelChoiceField(
        Member.objects.none(), to_field_name="public_id", label=_("Player"), empty_label=_("Choose")
    )
    day = DayField(label=_("First day in this team"))
    agreed = forms.BooleanField(label=_("Both captains agree"), required=False)
    anyway = forms.BooleanField(label=_("Transfer the player anyway"), required=False)
    reason = FormLineField(
        label=_("Reason, where the rules are set aside"), max_length=200, required=False
    )

    def __init__(self, *args: Any, team: Team, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        members = Member.objects.filter(team_places__league=team.league_id)
        members = members.exclude(team_places__team=team).order_by("sort_key", "pk")
        rows = TeamPlayer.objects.filter(league=team.league_id).select_related("team")
        teams = {row.member_id: row.team for row in rows}

        def with_team(member: Member) -> str:
            words = {"name": member.name, "team": teams[member.pk].name}
            if teams[member.pk].captain_id == member.pk:
                return gettext("%(name)s (%(team)s, captain)") % words
            return f"{member.name} ({words['team']})"

        field = self.fields["member"]
        field.queryset = members  # type: ignore[attr-defined]
        field.label_from_instance = with_team  # type: ignore[attr-defined]


class NextLeagueForm(forms.Form):
    """The next season of a league."""

    name = FormNameField(label=_("Name"), max_length=80)
    starts_on = DayField(label=_("First round"))


class SecondForm(forms.Form):
    """A second competition on the same nights."""

    name = FormNameField(label=_("Name"), max_length=80)
    walkover = points_field(_("A walk-over gives the team that came"))


class DecisionForm(forms.Form):
    """What the committee decided."""

    text = FormLineField(label=_("Decision"), max_length=300)
