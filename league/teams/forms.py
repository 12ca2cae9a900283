"""Forms of a league: its setup, a team and its players, deductions."""

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django import forms
from django.db.models import Q
from django.utils.dates import WEEKDAYS
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from league.members.fields import NO_REASON, AnywayField, DayField, FormLineField, FormNameField
from league.members.models import Club, ClubRuleset, Member
from league.members.names import LONGEST, BadName, clean_name
from league.members.paste import tidy
from league.members.presets import name_with_changes
from league.members.rule_options import plain_name
from league.ranking.team_league.rules import plain, rules_from_json
from league.seasons.models import Season
from league.teams.models import (
    MOST_BORROWED,
    MOST_DAYS,
    MOST_DEDUCTED,
    MOST_PAIRS,
    MOST_POINTS,
    MOST_TURNS,
    Team,
    TeamDivision,
    TeamLeague,
)
from league.teams.presets import (
    OWN_ORDER,
    PRESETS,
    RANKINGS,
    TIE_BREAK_ORDERS,
    Preset,
    pair_rulesets,
    rules_for,
)
from league.teams.queries import players_of
from scoring import ruleset

MOST_NAMES = 40
FIELDS = (
    "name", "ruleset", "target", "pairs", "turns", "borrowed", "twice", "starts_on", "days_between",
    "season",
)  # fmt: skip


def _number(label: Any, least: int, most: int, **kwargs: Any) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=least, max_value=most, **kwargs)


def _points(label: Any, **kwargs: Any) -> forms.DecimalField:
    return forms.DecimalField(
        label=label, min_value=-MOST_POINTS, max_value=MOST_POINTS, decimal_places=2, **kwargs
    )


POINTS = ("win", "draw", "loss", "game")
CARRY_RULES = ("laps", "slam")


class LeagueForm(forms.Form):
    """What a league plays, its points and tie-breaks, and when its rounds are."""

    name = FormNameField(label=_("Name"), max_length=80)
    ruleset = forms.ModelChoiceField(
        ClubRuleset.objects.none(), label=_("House rules"), empty_label=_("Choose")
    )
    target = _number(
        _("Points to win a game"),
        1,
        200,
        required=False,
        help_text=_("Leave empty to use the house rules."),
    )
    pairs = _number(_("Pairs in a team"), 1, MOST_PAIRS, initial=3)
    turns = _number(
        _("Games per pair in a match"),
        1,
        MOST_TURNS,
        initial=3,
        help_text=_("Three pairs with three games each make a nine-game match."),
    )
    laps = forms.BooleanField(
        label=_("Laps: extra points carry over to the next game of the match"),
        required=False,
        help_text=_("A game to 10 is won with 12. The winners start the next game with 2 points."),
    )
    slam = forms.BooleanField(
        label=_("Slam: a game won with the other side at 0 counts as two games"),
        required=False,
        help_text=_("Like laps, it needs pairs that meet twice: with 3 pairs, 6 games per pair."),
    )
    points_win = _points(_("Points for a win"), initial=2)
    points_draw = _points(_("For a draw"), initial=1)
    points_loss = _points(_("For a loss"), initial=0)
    points_game = _points(_("For each game won"), initial=0, help_text=_("None for a walk-over."))
    ranking = forms.ChoiceField(
        label=_("Tie-break for teams on the same points"),
        choices=RANKINGS,
        widget=forms.RadioSelect,
        initial="games",
    )
    borrowed = _number(
        _("Players a team may borrow per match"),
        0,
        MOST_BORROWED,
        initial=2,
        help_text=_("Players who aren't on the team's list."),
    )
    twice = forms.BooleanField(
        label=_("Everyone plays home and away"), required=False, initial=True
    )
    starts_on = DayField(label=_("First round"))
    days_between = _number(_("Days between rounds"), 1, MOST_DAYS, initial=7)
    match_day = forms.TypedChoiceField(
        label=_("Match day"),
        choices=[("", capfirst(_("any day"))), *WEEKDAYS.items()],
        coerce=int,
        empty_value=None,
        required=False,
    )
    starts_at = forms.TimeField(
        label=_("Matches start at"),
        required=False,
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
    )
    season = forms.ModelChoiceField(
        Season.objects.none(),
        label=_("Season"),
        required=False,
        empty_label=_("None"),
        help_text=_("The games also count in this season's player standings."),
    )
    secretary = forms.ModelChoiceField(
        Member.objects.none(),
        label=_("League secretary"),
        required=False,
        empty_label=_("None"),
        to_field_name="public_id",
        help_text=_(
            "A player with an account, who can do in this league what an organiser can. Only "
            "organisers read the activity log."
        ),
    )
    preset = forms.ChoiceField(
        choices=[(code, code) for code in PRESETS], required=False, widget=forms.HiddenInput
    )

    def __init__(
        self,
        *args: Any,
        club: Club,
        league: TeamLeague | None = None,
        preset: Preset | None = None,
        appoints: bool = False,
        **kwargs: Any,
    ):
        self.rules: Mapping[str, Any] = {}
        self.fixture_rules: Mapping[str, Any] = {}
        initial: dict[str, Any] = {"name": _("League")}
        if league is not None:
            self.rules, self.fixture_rules = league.rules, league.fixture_rules
            initial = _league_initial(league)
        elif preset is not None:
            self.rules, self.fixture_rules = preset.rules, preset.fixtures
            initial = _preset_initial(preset, club)
        initial |= _rules_initial(self.rules)
        initial |= {name: self.fixture_rules.get(name) for name in ("match_day", "starts_at")}
        super().__init__(*args, **{"initial": initial, **kwargs})
        if league is None and preset is not None:
            self._offer_preset_game(preset, is_known=initial["ruleset"] is not None)
        if initial.get("ranking") == OWN_ORDER[0]:
            self.fields["ranking"].choices = [OWN_ORDER, *RANKINGS]  # type: ignore[attr-defined]
        current = Q(pk=league.ruleset_id) if league else Q(pk=None)
        self.fields["ruleset"].queryset = club.rulesets.filter(  # type: ignore[attr-defined]
            Q(pk__in=pair_rulesets(club)) | current
        )
        self.fields["ruleset"].label_from_instance = name_with_changes  # type: ignore[attr-defined]
        if league is None and preset is None:
            self._preselect_only_game()
        if appoints:
            self.fields["secretary"].queryset = club.members.filter(  # type: ignore[attr-defined]
                user__isnull=False
            ).order_by("sort_key", "pk")
        else:
            del self.fields["secretary"]
        self.fields["season"].queryset = club.seasons.all()  # type: ignore[attr-defined]

    def _preselect_only_game(self) -> None:
        """Preselect the house rules if the club has only one set for pairs."""
        field: Any = self.fields["ruleset"]
        if field.queryset.count() == 1:
            field.empty_label = None

    def _offer_preset_game(self, preset: Preset, *, is_known: bool) -> None:
        """Make the rulebook's game the default: a club without it adds it by choosing nothing."""
        field = self.fields["ruleset"]
        field.required = False
        if not is_known:
            name = plain_name(ruleset(preset.game))
            field.empty_label = name  # type: ignore[attr-defined]
            field.help_text = _("%(name)s is added to your house rules.") % {"name": name}

    def clean(self) -> dict[str, Any]:
        """Collect points and tie-breaks in `rules`, the match day and time in `fixture_rules`."""
        data: dict[str, Any] = super().clean() or {}
        preset = PRESETS.get(data.get("preset") or "")
        rules = dict(preset.rules if preset and not self.rules else self.rules)
        points = {name: data.pop(f"points_{name}", None) for name in POINTS}
        if None not in points.values():
            rules["points"] = {name: plain(Fraction(value)) for name, value in points.items()}
        ranking = data.pop("ranking", OWN_ORDER[0])
        if ranking in TIE_BREAK_ORDERS:
            rules["tie_breaks"] = list(TIE_BREAK_ORDERS[ranking])
        data["rules"] = rules
        self._clean_carry_rules(data, rules)
        day, start = data.pop("match_day", None), data.pop("starts_at", None)
        days = {"match_day": day, "starts_at": f"{start:%H:%M}" if start else None}
        data["fixture_rules"] = {**self.fixture_rules, **days}
        self._check_days(data, day)
        return data

    def _clean_carry_rules(self, data: dict[str, Any], rules: dict[str, Any]) -> None:
        """Refuse laps and slams if no two pairs meet more than once, or games have no target: then
        they would change nothing."""
        pairs, turns = data.get("pairs") or 0, data.get("turns") or 0
        game = data.get("ruleset")
        target = data.get("target") or game is None or ruleset(game.body).target
        for name in CARRY_RULES:
            rules.pop(name, None)
            if not data.pop(name, False):
                continue
            if turns < 2 * pairs:
                message = _(
                    "This counts only where the same two pairs meet more than once: choose at "
                    "least %(n)d games per pair."
                )
                self.add_error(name, message % {"n": 2 * pairs})
            elif not target:
                self.add_error(name, _("Laps and slams need a game played to a target."))
            else:
                rules[name] = True

    def _check_days(self, data: dict[str, Any], day: int | None) -> None:
        """Refuse days that are not the league's match day, if it has one."""
        if day is None:
            return
        if data.get("starts_on") and data["starts_on"].weekday() != day:
            message = _("Choose a %(day)s, the match day.")
            self.add_error("starts_on", message % {"day": WEEKDAYS[day]})
        if data.get("days_between") and data["days_between"] % 7:
            message = _("With a match day, use 7 days, or 14, or 21.")
            self.add_error("days_between", message)


def _league_initial(league: TeamLeague) -> dict[str, Any]:
    initial = {name: getattr(league, name) for name in FIELDS if name != "target"}
    return initial | {"secretary": league.secretary.public_id if league.secretary else ""}


def _preset_initial(preset: Preset, club: Club) -> dict[str, Any]:
    names = ("name", "target", "pairs", "turns", "borrowed")
    initial = {name: getattr(preset, name) for name in names}
    return initial | {"preset": preset.code, "ruleset": rules_for(club, preset)}


def _rules_initial(body: Mapping[str, Any]) -> dict[str, Any]:
    """The initial values for a league's rules."""
    rules = rules_from_json(body)
    order = next((k for k, codes in TIE_BREAK_ORDERS.items() if codes == rules.tie_breaks), None)
    points = {f"points_{name}": _decimal(getattr(rules, name)) for name in POINTS}
    carried = {name: getattr(rules, name) for name in CARRY_RULES}
    return points | carried | {"ranking": order or OWN_ORDER[0]}


def _decimal(value: Fraction) -> Decimal:
    return round(Decimal(value.numerator) / Decimal(value.denominator), 2).normalize() + 0


AFTER_THE_LAST_DAY = _("Add the new players although the last day has passed")


class TeamForm(forms.Form):
    """A team: its name, its venue, and its players, one name per line."""

    name = FormNameField(label=_("Name"), max_length=40)
    venue = FormNameField(
        label=_("Home venue"),
        max_length=60,
        required=False,
        help_text=_("Fixtures give a venue one match a day, unless there is room for several."),
    )
    roomy = forms.BooleanField(label=_("There is room for several matches at once"), required=False)
    division = forms.ModelChoiceField(
        TeamDivision.objects.none(), label=_("Division"), required=False, empty_label=_("None")
    )
    house = FormNameField(
        label=_("Pub or club"),
        max_length=60,
        required=False,
        help_text=_("If it enters several teams (A, B and C)."),
    )
    names = forms.CharField(
        label=_("Players, one name per line"),
        max_length=MOST_NAMES * (LONGEST + 2),
        required=False,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
        help_text=_("As on the club's list of players; a new name is added to it."),
    )
    same_name = AnywayField(_("These are different – save anyway"))
    late = AnywayField(AFTER_THE_LAST_DAY)
    captain = FormNameField(
        label=_("Captain"),
        max_length=LONGEST,
        required=False,
        help_text=_(
            "One of these names. With an account, the captain can enter and confirm the "
            "team's cards."
        ),
    )

    def __init__(
        self,
        *args: Any,
        league: TeamLeague | None = None,
        team: Team | None = None,
        **kwargs: Any,
    ) -> None:
        initial: dict[str, Any] = {}
        if team is not None:
            initial = {"name": team.name, "venue": team.venue, "roomy": team.roomy}
            initial |= {"division": team.division_id, "house": team.house}
            initial["names"] = "\n".join(player.name for player in players_of(team))
            initial["captain"] = team.captain.name if team.captain and not team.lost_captain else ""
        super().__init__(*args, **{"initial": initial, **kwargs})
        divisions = league.divisions.all() if league else TeamDivision.objects.none()
        if divisions:
            self.fields["division"].queryset = divisions  # type: ignore[attr-defined]
        else:
            del self.fields["division"]

    def clean_names(self) -> list[str]:
        """The names in order, without the bullets and numbers of a pasted list."""
        pasted = tidy(str(self.cleaned_data["names"]), self.cleaned_data.get("name", ""))
        lines = [line for line in pasted.splitlines() if line.strip()]
        if not lines and self.cleaned_data["names"].strip():
            raise forms.ValidationError(_("One of these lines is not a name."))
        if len(lines) > MOST_NAMES:
            raise forms.ValidationError(_("Too many names for one team."))
        try:
            return [clean_name(line) for line in lines]
        except BadName as bad:
            raise forms.ValidationError(_("One of these lines is not a name.")) from bad


class EndForm(forms.Form):
    """Confirm that a league is closed or cancelled."""

    sure = forms.BooleanField(
        label=_("Yes, no more matches are played"),
        error_messages={"required": _("Tick the box to confirm that no more matches are played.")},
    )


class SignOnForm(forms.Form):
    """A new player of a team."""

    name = FormNameField(label=_("Name"), max_length=LONGEST)
    same_name = AnywayField(_("This is a different player – add anyway"))
    late = AnywayField(AFTER_THE_LAST_DAY)

    def __init__(self, *args: Any, organiser: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not organiser:
            del self.fields["late"]


class DeductForm(forms.Form):
    """A deduction of points."""

    points = forms.DecimalField(
        label=_("Points"),
        min_value=-MOST_DEDUCTED,
        max_value=MOST_DEDUCTED,
        decimal_places=2,
        help_text=_("A negative number adds points."),
    )
    reason = FormLineField(label=_("Reason"), max_length=200, error_messages=NO_REASON)


def borrowable_members(club: Club, own_players: set[int]) -> list[Member]:
    """The active members of the club by name, without the two teams' `own_players`."""
    people = Member.objects.current().filter(club=club).exclude(pk__in=own_players)
    return list(people.order_by("sort_key", "pk"))
