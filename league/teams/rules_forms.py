"""Forms of a league's rules: late cards, walk-overs, withdrawals, divisions, squads; decisions."""

from collections.abc import Iterable, Mapping
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django import forms
from django.utils.dates import WEEKDAYS
from django.utils.html import format_html
from django.utils.text import capfirst
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from league.members.fields import DayField, FormLineField, FormNameField
from league.members.languages import dated
from league.members.models import Member
from league.members.names import BadName, clean_name
from league.ranking.team_league.rules import LeagueRules, plain, rules_from_json
from league.teams.models import MOST_DIVISIONS, MOST_POINTS, Team, TeamLeague, TeamPlayer
from league.teams.presets import PRESETS, Preset
from league.teams.text import PAYERS, WITHDRAWALS
from league.teams.typed_days import typed_days
from league.teams.validators import MOST_CUP_DAYS, MOST_REARRANGED, NUMBERS
from league.teams.worth_forms import (
    TIES,
    WorthFields,
    points_field,
    shown_number,
    worth_chosen,
    worth_shown,
)

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
AT_FIELDS = {
    "late": "late_day",
    "walkover": "walkover_win",
    "section_play_off": "section_places",
    "points": "points_win",
    "tie_breaks": "ranking",
}
"""Where a form shows a printed rule whose setting has another name there."""
SPLITS = [
    (code, capfirst(text))
    for code, text in (
        ("same", _("use it again among those still tied")),
        ("next", _("go on to the next tie-break")),
        ("first", _("start the tie-breaks again")),
    )
]
MOST_BLANK = 60


def show_printed(form: forms.Form, preset: Preset | None) -> None:
    """At each field the printed rules that it enforces."""
    for rule in preset.enforced if preset else ():
        field = form.fields.get(AT_FIELDS.get(rule.setting, rule.setting))
        if field is not None:
            text = gettext("Rule {n}: “{words}”")
            if not str(rule.number)[0].isdigit():  # it has a name, no number
                text = gettext("{n}: “{words}”")
            words = format_html('<span lang="en">{}</span>', rule.words)
            printed = format_html(text, n=rule.number, words=words)
            field.help_text = format_html("{} {}", field.help_text, printed)


def shown_days(days: Iterable[str]) -> str:
    """Stored days, one a line, as the reader writes them."""
    return "\n".join(dated(date.fromisoformat(day), gettext("j F Y")) for day in days)


def read_days(text: str, most: int, since: date) -> list[str]:
    """The days of a text, one a line, in order, of the season from `since` on; raises
    ValidationError."""
    try:
        days = typed_days(text, since)
    except ValueError as bad:
        message = gettext("“%(text)s” isn't a date. Write 24 December, or 24/12/2026.")
        raise forms.ValidationError(message % {"text": str(bad)[:40]}) from bad
    if len(days) > most:
        raise forms.ValidationError(gettext("Too many weeks."))
    return [day.isoformat() for day in days]


def _whole(label: Any, most: int, **kwargs: Any) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=0, max_value=most, required=False, **kwargs)


def _days(label: Any) -> forms.CharField:
    return forms.CharField(
        label=label,
        required=False,
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("One per line, for example 24 December or 24/12/2026."),
    )


class RulesForm(WorthFields):
    """Everything beside the points of a match: what the table and the squads go by."""

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
    section_places = _whole(_("Teams of each section in the play-off"), 20)
    up = _whole(_("Teams that go up"), 20)
    down = _whole(_("Teams that go down"), 20)
    play_off = _whole(_("Play-offs between two divisions"), 5)
    least = _whole(_("Fewest players in a squad"), NUMBERS["least"])
    minimum = _whole(_("Fewest players to play a match"), NUMBERS["minimum"])
    borrowed_season = _whole(
        _("Times a player may be borrowed per season"), NUMBERS["borrowed_season"],
        help_text=_("Leave empty for no limit."),
    )  # fmt: skip
    transfers = _whole(
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
        label=_("A player may be replaced between two turns of a match"), required=False
    )
    house_letters = forms.BooleanField(
        label=_("Teams of one house are named A, B, C"), required=False
    )
    keeps_place = _whole(
        _("Players who stay for a team to keep its division"), NUMBERS["keeps_place"]
    )
    blank_days = _days(_("Weeks without matches: one day of each"))
    cup_days = _days(_("Cup weeks: one day of each"))
    rearranged = _whole(
        _("Days within which a postponed match is played"), MOST_REARRANGED,
        help_text=_("Leave empty for no limit."),
    )  # fmt: skip
    starts_at = forms.TimeField(
        label=_("Matches start at"),
        required=False,
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
    )
    derbies_early = forms.BooleanField(
        label=_("Teams of one house meet early in the season"), required=False
    )

    def __init__(self, *args: Any, league: TeamLeague, **kwargs: Any) -> None:
        self.league = league
        rules = rules_from_json(league.rules)
        super().__init__(*args, **{"initial": _initial(league, rules), **kwargs})
        show_printed(self, PRESETS.get(league.preset))

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
        """What was chosen, as `change_rules` takes it."""
        data = self.cleaned_data
        fixtures = {name: data[name] for name in ("cup_days", "rearranged", "derbies_early")}
        fixtures["starts_at"] = data["starts_at"].strftime("%H:%M") if data["starts_at"] else None
        return {
            "rules": self._rules(data),
            "squad_rules": self._squad_rules(data),
            "fixture_rules": {**self.league.fixture_rules, **fixtures},
            "divisions": data["divisions"],
            "sections": data["sections"] and bool(data["divisions"]),
            "blank_days": data["blank_days"],
        }

    def _rules(self, data: Mapping[str, Any]) -> dict[str, Any]:
        divisions, places = data["divisions"], data["section_places"]
        rules = {**self.league.rules, "withdrawal": data["withdrawal"]}
        rules["after_split"] = data["after_split"]
        rules |= worth_chosen(data, rules_from_json(self.league.rules))
        rules["late"] = _late(data)
        rules["moves"] = [] if data["sections"] else _moves(divisions, data)
        qualifies = data["sections"] and divisions and places
        final = {"divisions": divisions, "places": places}
        rules["section_play_off"] = final if qualifies else None
        return rules

    def _squad_rules(self, data: Mapping[str, Any]) -> dict[str, Any]:
        stays = {k: v for k, v in self.league.squad_rules.items() if k in NOT_IN_FORM}
        numbers = {name: data[name] for name in NUMBERS if data[name] is not None}
        squads: dict[str, Any] = {**numbers, **{name: data[name] for name in SQUAD_TICKS}}
        squads["transfer_until"] = "half" if data["half_way"] else None
        last = data["register_until"]
        squads["register_until"] = last.isoformat() if last else None
        return stays | squads


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
    (_("Weeks and days"), ("starts_at", "blank_days", "cup_days", "rearranged", "derbies_early")),
)  # fmt: skip
"""Every field of the form under a heading."""
NOT_IN_FORM = ("one_team_a_week",)
SQUAD_TICKS = (
    "cup_tied",
    "captains_agree",
    "both_confirm",
    "house_letters",
    "sign_on",
    "substitutes",
)


def _plain(value: Decimal | None) -> int | str:
    return plain(Fraction(value or 0))


def _late(data: Mapping[str, Any]) -> dict[str, Any] | None:
    if not data["late_day"]:
        return None
    return {
        "weekday": data["late_day"],
        "time": f"{data['late_time']:%H:%M}",
        "points": _plain(data["late_points"]),
        "from": data["late_from"] or "winner",
    }


def _moves(divisions: list[str], data: Mapping[str, Any]) -> list[dict[str, Any]]:
    numbers = {name: data[name] or 0 for name in ("up", "down", "play_off")}
    if not any(numbers.values()):
        return []
    borders = zip(divisions, divisions[1:], strict=False)  # noqa: RUF007 pairs, as they stand
    return [{"upper": upper, "lower": lower, **numbers} for upper, lower in borders]


def _initial(league: TeamLeague, rules: LeagueRules) -> dict[str, Any]:
    """What the form shows of a league."""
    late, border = rules.late, next(iter(rules.moves), None)
    squads = league.squad_rules
    first: dict[str, Any] = {name: squads.get(name) for name in NUMBERS}
    first |= {name: squads.get(name, False) for name in SQUAD_TICKS}
    first |= {"register_until": squads.get("register_until"), **league.fixture_rules}
    first["cup_days"] = shown_days(league.fixture_rules.get("cup_days", []))
    first |= {"half_way": squads.get("transfer_until") == "half"}
    first |= worth_shown(rules)
    first |= {"withdrawal": rules.withdrawal, "after_split": rules.after_split}
    first |= {"sections": league.sections, "blank_days": shown_days(league.blank_days)}
    first |= {"divisions": "\n".join(division.name for division in league.divisions.all())}
    if late is not None:
        first |= {"late_day": DAYS[late.weekday], "late_time": late.time}
        first |= {"late_points": shown_number(late.points), "late_from": late.payer}
    if border is not None:
        first |= {"up": border.up, "down": border.down, "play_off": border.play_off}
    preset = PRESETS.get(league.preset)
    if rules.sections is not None:
        first["section_places"] = rules.sections.places
    elif preset is not None and not first["divisions"]:
        first |= {"sections": preset.section_places > 0, "section_places": preset.section_places}
        first |= {"up": preset.moving or None, "down": preset.moving or None}
    return first


class TransferForm(forms.Form):
    """Somebody comes to this team from another one of the league."""

    member = forms.ModelChoiceField(
        Member.objects.none(), to_field_name="public_id", label=_("Player"), empty_label=_("Choose")
    )
    day = DayField(label=_("From"))
    agreed = forms.BooleanField(label=_("Both captains agree"), required=False)
    anyway = forms.BooleanField(label=_("Transfer the player anyway"), required=False)
    reason = FormLineField(
        label=_("Reason, where the rules are set aside"), max_length=200, required=False
    )

    def __init__(self, *args: Any, team: Team, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        others = Member.objects.filter(team_places__league=team.league_id)
        others = others.exclude(team_places__team=team).order_by("sort_key", "pk")
        rows = TeamPlayer.objects.filter(league=team.league_id).select_related("team")
        teams = {row.member_id: row.team for row in rows}

        def with_team(member: Member) -> str:
            words = {"name": member.name, "team": teams[member.pk].name}
            if teams[member.pk].captain_id == member.pk:
                return gettext("%(name)s (%(team)s, captain)") % words
            return f"{member.name} ({words['team']})"

        field = self.fields["member"]
        field.queryset = others  # type: ignore[attr-defined]
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
