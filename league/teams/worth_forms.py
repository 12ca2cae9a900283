"""The part of a league's rules form about points: walk-overs, bonus points, tie-breaks."""

import re
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django import forms
from django.utils.text import capfirst, format_lazy
from django.utils.translation import gettext_lazy as _

from league.ranking.team_league.rules import TIE_BREAKS, Bonus, LeagueRules, plain
from league.standings.labels import LABELS
from league.teams.models import MOST_POINTS

SCORE = re.compile(r"\s*([0-9]{1,4})\s*[-–:]\s*([0-9]{1,4})\s*")
MOST_GAMES = 99
BONUS_SIDES = ("winner", "loser")
TIES = tuple(f"tie_{n}" for n in range(1, 7))


def points_field(label: Any, **kwargs: Any) -> forms.DecimalField:
    """A field for league points, which may be fractions."""
    return forms.DecimalField(
        label=label, min_value=-MOST_POINTS, max_value=MOST_POINTS, decimal_places=2, **kwargs
    )


def _score_field(label: Any, help_text: Any) -> forms.RegexField:
    return forms.RegexField(
        SCORE, label=label, required=False, help_text=help_text, max_length=12,
        error_messages={"invalid": _("Write it like 9-0.")},
    )  # fmt: skip


def _games_field(label: Any, **kwargs: Any) -> forms.IntegerField:
    return forms.IntegerField(
        label=label, required=False, min_value=0, max_value=MOST_GAMES, **kwargs
    )


class WorthFields(forms.Form):
    """What a walk-over counts, who gets a bonus, and the tie-breaks."""

    walkover_win = points_field(_("A walk-over gives the team that came"))
    walkover_loss = points_field(_("A walk-over gives the team that did not come"))
    walkover_games = _score_field(
        _("Games a walk-over counts as"), _("For example 9-0. Leave empty for none.")
    )
    walkover_points = _score_field(
        _("Points of games a walk-over counts as"), _("For example 189-0. Leave empty for none.")
    )
    winner_bonus = points_field(_("Bonus for the winners"), required=False)
    winner_games = _games_field(_("Games the winners need for it"))
    loser_bonus = points_field(_("Bonus for the losers"), required=False)
    loser_games = _games_field(
        _("Games the losers need for it"),
        help_text=_("With 4, for example, a team that loses a match by 5–4 gets the bonus."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [
            ("", capfirst(_("none"))),
            *((code, capfirst(str(LABELS[code].name))) for code in TIE_BREAKS),
        ]
        for number, name in enumerate(TIES, 1):
            label = format_lazy("{} {}", _("Tie-break"), number)
            self.fields[name] = forms.ChoiceField(label=label, choices=choices, required=False)

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        chosen = [data[name] for name in TIES if data.get(name)]
        for name in TIES:
            if data.get(name) and chosen.count(data[name]) > 1:
                self.add_error(name, _("Choose each tie-break only once."))
        return data


def worth_rules(data: Mapping[str, Any], before: LeagueRules) -> dict[str, Any]:
    """The chosen values, as part of a league's rules JSON.

    Keeps what has no field on the form: further bonuses and tie-breaks of an imported league.
    """
    bonuses = [
        Bonus(side, data[f"{side}_games"] or 0, Fraction(data[f"{side}_bonus"]))
        for side in BONUS_SIDES
        if data[f"{side}_bonus"]
    ]
    bonuses_on_form = set(_first_bonuses(before).values())
    return {
        "walkover": {
            "win": plain(Fraction(data["walkover_win"])),
            "loss": plain(Fraction(data["walkover_loss"])),
            "games": _parse_score(data["walkover_games"]),
            "points": _parse_score(data["walkover_points"]),
        },
        "bonus": [
            {"side": each.side, "games": each.games, "points": plain(each.points)}
            for each in (*bonuses, *(b for b in before.bonus if b not in bonuses_on_form))
        ],
        "tie_breaks": list(
            dict.fromkeys([*(data[n] for n in TIES if data[n]), *before.tie_breaks[len(TIES) :]])
        ),
    }


def worth_initial(rules: LeagueRules) -> dict[str, Any]:
    """The initial values of the form for these rules."""
    walkover = rules.walkover
    initial: dict[str, Any] = {
        "walkover_win": shown_number(walkover.win),
        "walkover_loss": shown_number(walkover.loss),
        "walkover_games": _score_text(walkover.games),
        "walkover_points": _score_text(walkover.points),
    }
    for side, bonus in _first_bonuses(rules).items():
        initial |= {f"{side}_bonus": shown_number(bonus.points), f"{side}_games": bonus.games}
    return initial | dict(zip(TIES, rules.tie_breaks, strict=False))


def _first_bonuses(rules: LeagueRules) -> dict[str, Bonus]:
    return {
        side: next(bonus for bonus in rules.bonus if bonus.side == side)
        for side in BONUS_SIDES
        if any(bonus.side == side for bonus in rules.bonus)
    }


def _parse_score(text: str) -> list[int]:
    match = SCORE.fullmatch(text)
    return [int(match[1]), int(match[2])] if match else [0, 0]


def _score_text(score: tuple[Fraction, Fraction] | tuple[int, int]) -> str:
    return "-".join(str(shown_number(Fraction(value))) for value in score) if any(score) else ""


def shown_number(value: Fraction) -> Decimal:
    """A number from the rules, as a form field shows it."""
    return round(Decimal(value.numerator) / Decimal(value.denominator), 2).normalize() + 0
