"""Fields of a league's rules form: points, walk-overs, bonuses, tie-breaks, and days as typed."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django import forms
from django.utils import translation
from django.utils.dates import MONTHS, WEEKDAYS
from django.utils.text import capfirst, format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.members.languages import dated
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


ISO = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})", re.ASCII)
NUMERIC = re.compile(r"(\d{1,2})[-/.](\d{1,2})(?:[-/.](\d{4}|\d{2}))?\.?", re.ASCII)
NUMBER = re.compile(r"(\d{1,2}|\d{4})(?:st|nd|rd|th|er|e)?", re.ASCII | re.IGNORECASE)
MIN_LETTERS = 3
"""Fewest letters that may stand for the name of a month."""


def parse_days(text: str, since: date) -> list[date]:
    """Parse a text with one date per line. Return the dates in order, each once.

    A date without a year is the first one from `since` on. Raises ValueError with every line that
    is not a date.
    """
    lines = [line for line in re.split(r"[\n;]", text) if line.strip()]
    days = [_parse_line(line, since) for line in lines]
    if bad := [line.strip() for line, found in zip(lines, days, strict=True) if not found]:
        raise ValueError(*bad)
    return sorted({day for found in days for day in found})


def _parse_line(line: str, since: date) -> list[date]:
    """The dates on a line: one, or several separated by commas or spaces; none if one is bad."""
    for parts in ([line], line.split(","), re.split(r"[\s,]+", line.strip())):
        days = [parse_day(part, since) for part in parts]
        if None not in days:
            return [day for day in days if day]
    return []


def parse_day(text: str, since: date) -> date | None:
    """Parse a date in the reader's language or in English. Return None if it is not a date."""
    plain_text = " ".join(text.split()).strip(" ,")
    if iso := ISO.fullmatch(plain_text):
        return _valid_date(*map(int, iso.groups()))
    if numbers := NUMERIC.fullmatch(plain_text):
        first, second = int(numbers[1]), int(numbers[2])
        if second > 12 or (_is_month_first() and first <= 12 and "." not in plain_text):
            first, second = second, first
        return _date_in_season(numbers[3] or "", second, first, since)
    return _parse_words(plain_text, since)


def _parse_words(text: str, since: date) -> date | None:
    day = month = None
    year = ""
    for word in re.findall(r"[^\s,.]+", text):
        number = NUMBER.fullmatch(word)
        if number and len(number[1]) == 4:
            year = number[1]
        elif number and day is None:
            day = int(number[1])
        elif named_month := next(iter(_months(word)), None):
            month = named_month
        elif number or not _is_filler(word):
            return None
    return _date_in_season(year, month, day, since) if day and month else None


def _months(word: str) -> Iterator[int]:
    """The months that a word may name, exact matches first."""
    prefix = _strip_accents(word)
    names = [(number, _strip_accents(str(MONTHS[number]))) for number in MONTHS]
    with translation.override("en"):
        names += [(number, _strip_accents(str(MONTHS[number]))) for number in MONTHS]
    yield from (number for number, name in names if name == prefix)
    if len(prefix) >= MIN_LETTERS:
        yield from (number for number, name in names if name.startswith(prefix))


def _is_filler(word: str) -> bool:
    """Whether a word is a weekday, or a filler between day and month, such as "of"."""
    prefix = _strip_accents(word)
    names = [_strip_accents(str(name)) for name in WEEKDAYS.values()]
    with translation.override("en"):
        names += [_strip_accents(str(name)) for name in WEEKDAYS.values()]
    return prefix in ("of", "the", "le", "den") or any(
        len(prefix) >= 2 and name.startswith(prefix) for name in names
    )


def _date_in_season(year: str, month: int, day: int, since: date) -> date | None:
    if year:
        return _valid_date(int(year) + (2000 if len(year) == 2 else 0), month, day)
    for candidate_year in (since.year, since.year + 1):
        candidate = _valid_date(candidate_year, month, day)
        if candidate and candidate >= since:
            return candidate
    return None


def _valid_date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day) if 1900 <= year <= 2200 else None
    except ValueError:
        return None


def _is_month_first() -> bool:
    """Whether readers of this language write the month first."""
    return (translation.get_language() or "").lower() == "en-us"


def _strip_accents(word: str) -> str:
    """A word in lower case, without accents."""
    letters = unicodedata.normalize("NFKD", word.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def format_days(days: Iterable[str]) -> str:
    """Stored days, one per line, in the reader's format."""
    return "\n".join(dated(date.fromisoformat(day), gettext("j F Y")) for day in days)


def read_days(text: str, most: int, since: date) -> list[str]:
    """Parse a text with one day per line into ISO dates, in order. Raises ValidationError.

    A day without a year is the first one from `since` on; `most` days are allowed.
    """
    try:
        days = parse_days(text, since)
    except ValueError as bad:
        message = gettext("“%(text)s” isn't a date. Write 24 December, or 24/12/2026.")
        raise forms.ValidationError([message % {"text": line[:40]} for line in bad.args]) from bad
    if len(days) > most:
        raise forms.ValidationError(gettext("Too many weeks."))
    return [day.isoformat() for day in days]


def _days_field(label: Any) -> forms.CharField:
    return forms.CharField(
        label=label,
        required=False,
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("One per line, for example 24 December or 24/12/2026."),
    )
