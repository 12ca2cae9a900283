"""The texts of every measure: name, column heading, formula, formatted figure, and its sum."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

Text = str | Promise
FEWEST_DECIMALS, MOST_DECIMALS = 2, 6


@dataclass(frozen=True, slots=True)
class Label:
    """The texts of one measure. `kind` is the format of its figure; `brief` is the column heading
    on a phone where there is no room for `column`, and `short` what is said of it below a name."""

    name: Text
    column: Text
    formula: Text
    kind: str = "count"
    brief: Text = ""
    short: Text = ""


@dataclass(frozen=True, slots=True)
class BeatenLabel:
    """The labels of failed calls: the column heading, own calls, calls of opponents."""

    column: Text
    own: Text
    defended: Text


BEATEN = {
    "euchred": BeatenLabel(_("Euchred"), _("Calls euchred"), _("Euchres on defence")),
    "set": BeatenLabel(pgettext_lazy("bids", "Set"), _("Bids set"), _("Opponents' bids set")),
    "both": BeatenLabel(
        _("Euchred or set"), _("Calls euchred or set"), _("Opponents euchred or set")
    ),
}
"""The labels by `statistics.beaten_word`."""

LABELS: dict[str, Label] = {
    "won": Label(
        _("games won"),
        pgettext_lazy("games", "Won"),
        _(
            "Players who win a game together share the win; some clubs count it for each of them. "
            "A shutout counts as one game here, even where it counts as two in its match."
        ),
    ),
    "above": Label(
        _("wins above average"),
        _("Wins above average"),
        _(
            "Games won minus the wins of an average player: 1/2 for each game of two sides, 1/3,"
            " 1/4, 1/5 for each game in which three, four or five play for themselves, and so on."
            " Six or eight players are two sides in most games. Players who win a game together"
            " always share the win here."
        ),
        "signed",
        _("± avg."),
    ),
    "share": Label(
        _("share of the points needed to win"),
        _("% of points"),
        _(
            "The points taken in a game as a share of the points needed to win it: 7 of 10 is 70%,"
            " 12 of 15 is 80%. A lead of 5–3 in a game to 10 when time is called is 50%. The"
            " average over finished games with a target; players without one count as 0."
        ),
        "percent",
        _("% of points"),
        _("% of points"),
    ),
    "points": Label(_("points"), _("Points"), _("Points from every hand played, at any table.")),
    "difference": Label(
        _("points difference"),
        _("Difference"),
        _(
            "Own points minus the other side's; at three-handed tables minus the average of the"
            " other two."
        ),
        "signed",
        _("Diff."),
        _("difference"),
    ),
    "difference_a_hand": Label(
        _("points difference per hand"),
        _("Difference per hand"),
        _(
            "Own points minus the other side's (at three-handed tables the average of the other"
            " two), divided by the hands played. Only games entered hand by hand count;"
            " players without one count as 0."
        ),
        "signed",
        _("Per hand"),
        _("difference per hand"),
    ),
    "win_rate": Label(
        _("win percentage"),
        _("% won"),
        _("Games won divided by games finished."),
        "percent",
        short=_("% won"),
    ),
    "euchres": Label(
        _("euchres made"),
        _("Euchres"),
        _("Hands in which this player's side euchred the makers, or set their bid."),
    ),
    "lone_marches": Label(
        _("lone marches"),
        _("Lone marches"),
        _("Hands played alone in which all the tricks were won."),
        brief=_("Loners"),
    ),
    "head_to_head": Label(
        _("head-to-head"),
        _("Head-to-head"),
        _(
            "Games won minus games lost against the other tied players, in games they played on"
            " different sides; games as partners don't count. It decides only if all of them have"
            " met each other, and is used again among those still tied."
        ),
        "signed",
    ),
    "lot": Label(
        _("random draw"),
        _("Random draw"),
        _(
            "A random draw. It starts from the number shown under the table, so anyone can repeat"
            " it and get the same order."
        ),
        "lot",
    ),
}

# Every measure in the order offered to a club.
CHOICES = [(code, label.name) for code, label in LABELS.items()]

# Measures that only mean something where opponents are paired: in tournaments.
LABELS |= {
    "match_points": Label(
        _("match points"),
        _("Match points"),
        _("One for a match won, a half each for a tied match. In a Swiss a bye is a win."),
        brief=_("Match pts"),
    ),
    "without_byes": Label(
        _("match points without byes"),
        _("Without byes"),
        _("The match points won at a table: of two pairs with as many, the one with fewer byes."),
    ),
    "buchholz": Label(
        _("the opponents' points"),
        _("Opponents' match points"),
        _(
            "The match points of every opponent met, added up (Buchholz). A round without an"
            " opponent counts as one against a pair with as many match points as your own."
        ),
        brief=_("Opp. match pts"),
    ),
    "buchholz_cut1": Label(
        _("the opponents' points without the lowest"),
        _("Opponents' match points without the lowest"),
        _(
            "The match points of every opponent met, added up without the lowest (Buchholz Cut-1);"
            " a missed round is left out first."
        ),
        brief=_("Opp. match pts without lowest"),
    ),
    "sonneborn_berger": Label(
        _("the points of opponents beaten"),
        _("Match points of opponents beaten"),
        _(
            "The match points of every opponent beaten, and half of those tied with, added up"
            " (Sonneborn-Berger)."
        ),
        brief=_("Match pts of opp. beaten"),
    ),
}


LABELS["game_points"] = Label(
    _("game points"),
    _("Game points"),
    _(
        "Points taken in every game of the session. In the tournament's points, rounds at small"
        " tables and byes count as the player's average round."
    ),
)

LABELS["league_points"] = Label(
    _("points in the table"),
    _("Points"),
    _("The league's points for matches and games, less those taken off the team."),
)

# Tie-breaks of team leagues.
LABELS |= {
    "games_won": Label(_("games won"), _("Games"), _("Games won in all matches.")),
    "game_difference": Label(
        _("games difference"), _("± games"), _("Games won minus games lost."), "signed"
    ),
    "points_difference": Label(
        _("points difference"),
        _("Difference"),
        _("The points of all games minus those of the opponents."),
        "signed",
    ),
    "points_for": Label(_("points"), _("Points"), _("The points of all games, added up.")),
    "matches_won": Label(_("matches won"), _("Matches"), _("Matches won, walk-overs too.")),
    "away_wins": Label(_("matches won away"), _("Away"), _("Matches won as the visitors.")),
    "fewest_walkovers": Label(
        _("fewest walk-overs conceded"),
        _("Walk-overs"),
        _("Matches awarded to the opponents because the team didn't come; fewer is better."),
    ),
    "head_to_head_games": Label(
        _("games against each other"),
        _("Games h2h"),
        _("Games won minus games lost in the matches of the level teams against each other."),
        "signed",
    ),
    "head_to_head_points": Label(
        _("points against each other"),
        _("Points h2h"),
        _("The points difference in the matches of the level teams against each other."),
        "signed",
    ),
    "play_off": Label(
        _("a play-off"), _("Play-off"), _("The level teams play for it; the result is recorded.")
    ),
}

# Points that a season may give for its evenings.
LABELS["season_points"] = Label(
    _("season points"),
    _("Season"),
    _("The points this season gives for each session, by its rules."),
)


def measure_list(codes: Iterable[str]) -> str:
    """The measures in one line: "games won, then win percentage, then points"."""
    text, *further_names = (str(LABELS[code].name) for code in codes)
    for name in further_names:
        text = gettext("%(before)s, then %(measure)s") % {"before": text, "measure": name}
    return text


def figure(code: str, value: Fraction | None, places: int = FEWEST_DECIMALS) -> str:
    """A figure as text: 3, 2.5, +9, −0.67, 82%; a dash for None."""
    if value is None:
        return "–"
    kind = LABELS[code].kind
    if kind == "percent":
        digits = _decimal_text(abs(value) * 100, max(places - 2, 0))
        sign = "−" if value < 0 else ""
        return gettext("%(number)s%%") % {"number": f"{sign}{digits}"}
    text = _decimal_text(abs(value), places)
    if value and not rounded(value, places):
        return text  # 0.00 has no sign
    if kind == "signed" and value > 0:
        return f"+{text}"
    return f"−{text}" if value < 0 else text


def _in_brackets_if_negative(value: Fraction) -> str:
    text = _decimal_text(abs(value), 2)
    return f"(−{text})" if value < 0 else text


def _decimal_text(value: Fraction, places: int) -> str:
    if value.denominator == 1:
        return number_format(value.numerator)
    if (value * 10).denominator == 1:
        places = min(places, 1)  # 1.6, not 1.60
    return number_format(rounded(value, places), decimal_pos=places)


def rounded(value: Fraction, places: int) -> Decimal:
    """Round to so many decimals, halves away from zero, as taught at school."""
    steps = int(abs(value) * 10**places + Fraction(1, 2))
    return Decimal(steps if value >= 0 else -steps).scaleb(-places)


def summand(value: Fraction) -> str:
    """An exact number for a sum, so that it adds up: 7, 2.5, 3 1/3."""
    if (value * 100).denominator == 1:
        return _decimal_text(value, 2)
    integer, part = divmod(abs(value), 1)
    sign = "−" if value < 0 else ""
    return f"{sign}{f'{integer} ' if integer else ''}{part.numerator}/{part.denominator}"


def distinct_figures(code: str, values: Sequence[Fraction]) -> list[str]:
    """Figures with as many decimals as it takes to tell different ones apart."""
    for places in range(FEWEST_DECIMALS, MOST_DECIMALS):
        texts = [figure(code, value, places) for value in values]
        if len(set(texts)) == len(set(values)):
            return texts
    return [f"{value.numerator}/{value.denominator}" for value in values]


def spoken(code: str, value: Fraction | None) -> str:
    """A figure inside a sentence: "2 wins", "27 points", "0.67 wins above average"."""
    if code == "above":
        return _against_average(value or Fraction(0))
    number, plural_count = (
        figure(code, value),
        int(value) if value is not None and value.denominator == 1 else 2,
    )
    forms = {
        "won": ngettext("%(number)s win", "%(number)s wins", plural_count),
        "share": gettext("%(number)s of the points needed to win"),
        "points": ngettext("%(number)s point", "%(number)s points", plural_count),
        "difference": gettext("a points difference of %(number)s"),
        "difference_a_hand": gettext("%(number)s a hand"),
        "win_rate": gettext("%(number)s of games won"),
        "euchres": ngettext("%(number)s euchre", "%(number)s euchres", plural_count),
        "lone_marches": ngettext("%(number)s lone march", "%(number)s lone marches", plural_count),
        "season_points": ngettext(
            "%(number)s season point", "%(number)s season points", plural_count
        ),
        "match_points": ngettext("%(number)s match point", "%(number)s match points", plural_count),
        "league_points": ngettext("%(number)s point", "%(number)s points", plural_count),
        "games_won": ngettext("%(number)s game won", "%(number)s games won", plural_count),
        "game_difference": gettext("a games difference of %(number)s"),
        "points_difference": gettext("a points difference of %(number)s"),
        "points_for": ngettext("%(number)s point scored", "%(number)s points scored", plural_count),
        "matches_won": ngettext("%(number)s match won", "%(number)s matches won", plural_count),
        "away_wins": ngettext(
            "%(number)s match won away", "%(number)s matches won away", plural_count
        ),
        "fewest_walkovers": gettext("walk-overs conceded %(number)s"),
        "without_byes": ngettext(
            "%(number)s match point without byes",
            "%(number)s match points without byes",
            plural_count,
        ),
        "buchholz": gettext("opponents' points of %(number)s"),
        "buchholz_cut1": gettext("opponents' points without the lowest of %(number)s"),
        "sonneborn_berger": gettext("points of opponents beaten of %(number)s"),
    }
    return forms[code] % {"number": number}


def _against_average(wins: Fraction) -> str:
    number, plural_count = _decimal_text(abs(wins), FEWEST_DECIMALS), 1 if abs(wins) == 1 else 2
    if wins > 0:
        text = ngettext(
            "%(number)s win above average", "%(number)s wins above average", plural_count
        )
    elif wins < 0:
        text = ngettext(
            "%(number)s win below average", "%(number)s wins below average", plural_count
        )
    else:
        text = gettext("as many wins as the average")
    return text % {"number": number}


def sum_text(code: str, parts: Sequence[Fraction]) -> str:
    """The sum behind a figure, "27 − 18"; empty for a plain count."""
    divisor = int(parts[-1]) if parts else 0
    forms = {
        "above": gettext("%(first)s won − %(second)s on average"),
        "difference": gettext("%(first)s − %(second)s"),
        "difference_a_hand": ngettext(
            "%(first)s − %(second)s, over %(third)s hand",
            "%(first)s − %(second)s, over %(third)s hands",
            divisor,
        ),
        "win_rate": gettext("%(first)s of %(second)s"),
        "season_points": gettext("%(first)s for the sessions + %(second)s for coming"),
        "head_to_head": gettext("%(first)s won − %(second)s lost against each other"),
        "head_to_head_games": gettext("%(first)s won − %(second)s lost against each other"),
        "head_to_head_points": gettext("%(first)s − %(second)s against each other"),
        "game_difference": gettext("%(first)s − %(second)s"),
        "points_difference": gettext("%(first)s − %(second)s"),
    }
    if code not in forms or not parts:
        return ""
    texts = map(summand if code == "season_points" else _in_brackets_if_negative, parts)
    values = dict(zip(("first", "second", "third"), texts, strict=False))
    values["first"] = values["first"].strip("()")  # brackets are only needed after a sign
    return forms[code] % values
