"""The words of every measure: its name, its column, its formula, its figure and how it adds up."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from league.ranking.measures import Measure

Text = str | Promise
FEWEST, MOST = 2, 6


@dataclass(frozen=True, slots=True)
class Label:
    """How one measure is spoken of. `kind` says how its figure is written; `brief` heads its column
    on a phone where `column` has no room."""

    name: Text
    column: Text
    formula: Text
    kind: str = "count"
    brief: Text = ""


@dataclass(frozen=True, slots=True)
class BeatenLabel:
    """A failed call in a player's figures: the column of them all, own ones, those defended."""

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
"""By `statistics.beaten_word`."""
POTS = {
    "euchred": {},
    "set": {
        "euchred": _("A player whose bid is set pays, each time"),
        "most_euchres": _("Most opponents' bids set"),
    },
    "both": {
        "euchred": _("A player who calls and is euchred or set pays, each time"),
        "most_euchres": _("Most opponents euchred or set"),
    },
}
"""Where a pot's source or winner is called otherwise, by the same."""


def pot_choices(choices: Iterable[tuple[str, Text]], beaten: str) -> list[tuple[str, Text]]:
    """The sources or payouts of pots, as they are called in such games."""
    return [(value, POTS[beaten].get(value, label)) for value, label in choices]


LABELS: dict[str, Label] = {
    "won": Label(
        _("games won"),
        pgettext_lazy("games", "Won"),
        _(
            "Players who win a game together share the win, or each have a game won where the club"
            " counts it so. A game that counts as two in its match, because the other side stayed"
            " at 0, counts as one here."
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
        _("share of the winning score"),
        _("% of winning score"),
        _(
            "The points taken in a game as a share of the points that win it: 7 of 10 is 70%, 12 of"
            " 15 is 80%. The average over finished games with a target; players without one count"
            " as 0."
        ),
        "percent",
    ),
    "points": Label(_("points"), _("Points"), _("Points from every hand played, at any table.")),
    "difference": Label(
        _("points difference"),
        _("Difference"),
        _(
            "Own points minus the other side's; at three-handed tables minus the mean of the two"
            " others' points."
        ),
        "signed",
    ),
    "difference_a_hand": Label(
        _("points difference per hand"),
        _("Difference per hand"),
        _(
            "Own points minus the other side's (at three-handed tables the mean of the two"
            " others'), divided by the hands played. Only games entered hand by hand count;"
            " players without one count as 0."
        ),
        "signed",
    ),
    "win_rate": Label(
        _("win percentage"), _("% won"), _("Games won divided by games finished."), "percent"
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
        _("One for a match won, a half each for a match drawn. In a Swiss a bye is a win."),
    ),
    "buchholz": Label(
        _("the opponents' points (Buchholz)"),
        _("Opponents' points"),
        _(
            "The match points of every opponent met, added up. A round without an opponent counts"
            " as one against a pair with as many match points as your own."
        ),
        brief=_("Opp. points"),
    ),
    "buchholz_cut1": Label(
        _("the opponents' points with the lowest dropped (Buchholz Cut-1)"),
        _("Opponents' points, lowest dropped"),
        _(
            "The match points of every opponent met, added up without the lowest; a missed round"
            " is dropped first."
        ),
        brief=_("Opp. points, lowest dropped"),
    ),
    "sonneborn_berger": Label(
        _("the points of opponents beaten (Sonneborn-Berger)"),
        _("Points of opponents beaten"),
        _("The match points of every opponent beaten, and half of those drawn with, added up."),
        brief=_("Of opp. beaten"),
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

# What parts level teams of a league.
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

# What a season may give beside what its evenings came to.
LABELS["season_points"] = Label(
    _("season points"),
    _("Season"),
    _("The points this season gives for each session, by its rules."),
)


def in_order(codes: Iterable[str]) -> str:
    """What a table ranks by, in one line: "games won, then win percentage, then points"."""
    first, *others = (str(LABELS[code].name) for code in codes)
    for other in others:
        first = gettext("%(before)s, then %(measure)s") % {"before": first, "measure": other}
    return first


def rule(measures: Iterable[Measure]) -> list[Label]:
    """What a table ranks by, in order, with the formula of each."""
    return [LABELS[measure.code] for measure in measures]


def figure(code: str, value: Fraction | None, places: int = FEWEST) -> str:
    """A figure as people write it: 3, 2.5, +9, −0.67, 82%; a dash where there is none."""
    if value is None:
        return "–"
    kind = LABELS[code].kind
    if kind == "percent":
        digits = _decimal(abs(value) * 100, max(places - 2, 0))
        sign = "−" if value < 0 else ""
        return gettext("%(number)s%%") % {"number": f"{sign}{digits}"}
    text = _decimal(abs(value), places)
    if value and not rounded(value, places):
        return text  # 0.00 is neither more nor less than nothing
    if kind == "signed" and value > 0:
        return f"+{text}"
    return f"−{text}" if value < 0 else text


def _in_short(value: Fraction) -> str:
    text = _decimal(abs(value), 2)
    return f"(−{text})" if value < 0 else text


def _decimal(value: Fraction, places: int) -> str:
    if value.denominator == 1:
        return number_format(value.numerator)
    if (value * 10).denominator == 1:
        places = min(places, 1)  # 1.6, not 1.60
    return number_format(rounded(value, places), decimal_pos=places)


def rounded(value: Fraction, places: int) -> Decimal:
    """To so many decimals, halves away from nought: what people learn at school."""
    steps = int(abs(value) * 10**places + Fraction(1, 2))
    return Decimal(steps if value >= 0 else -steps).scaleb(-places)


def summand(value: Fraction) -> str:
    """A number inside a sum, exact, so that the sum adds up: 7, 2.5, 3 1/3."""
    if (value * 100).denominator == 1:
        return _decimal(value, 2)
    whole, part = divmod(abs(value), 1)
    sign = "−" if value < 0 else ""
    return f"{sign}{f'{whole} ' if whole else ''}{part.numerator}/{part.denominator}"


def distinct_figures(code: str, values: Sequence[Fraction]) -> list[str]:
    """Different figures with as many decimals as it takes to see that they differ."""
    for places in range(FEWEST, MOST):
        texts = [figure(code, value, places) for value in values]
        if len(set(texts)) == len(set(values)):
            return texts
    return [f"{value.numerator}/{value.denominator}" for value in values]


def spoken(code: str, value: Fraction | None) -> str:
    """A figure inside a sentence: "2 wins", "27 points", "+0.67 above average"."""
    number, many = (
        figure(code, value),
        int(value) if value is not None and value.denominator == 1 else 2,
    )
    forms = {
        "won": ngettext("%(number)s win", "%(number)s wins", many),
        "above": gettext("%(number)s against the average"),
        "share": gettext("%(number)s of the winning score"),
        "points": ngettext("%(number)s point", "%(number)s points", many),
        "difference": gettext("a points difference of %(number)s"),
        "difference_a_hand": gettext("%(number)s a hand"),
        "win_rate": gettext("%(number)s of games won"),
        "euchres": ngettext("%(number)s euchre", "%(number)s euchres", many),
        "lone_marches": ngettext("%(number)s lone march", "%(number)s lone marches", many),
        "season_points": ngettext("%(number)s season point", "%(number)s season points", many),
        "match_points": ngettext("%(number)s match point", "%(number)s match points", many),
        "league_points": ngettext("%(number)s point", "%(number)s points", many),
        "games_won": ngettext("%(number)s game won", "%(number)s games won", many),
        "game_difference": gettext("a games difference of %(number)s"),
        "points_difference": gettext("a points difference of %(number)s"),
        "points_for": ngettext("%(number)s point scored", "%(number)s points scored", many),
        "matches_won": ngettext("%(number)s match won", "%(number)s matches won", many),
        "away_wins": ngettext("%(number)s match won away", "%(number)s matches won away", many),
        "fewest_walkovers": gettext("walk-overs conceded %(number)s"),
        "buchholz": gettext("opponents' points of %(number)s"),
        "buchholz_cut1": gettext("opponents' points, lowest dropped, of %(number)s"),
        "sonneborn_berger": gettext("points of opponents beaten of %(number)s"),
    }
    return forms[code] % {"number": number}


def working(code: str, parts: Sequence[Fraction]) -> str:
    """The sum behind a figure, "27 − 18"; empty where the figure is a plain count."""
    last = int(parts[-1]) if parts else 0
    forms = {
        "above": gettext("%(first)s won − %(second)s on average"),
        "share": ngettext(
            "%(first)s × the winning score in %(second)s game",
            "%(first)s × the winning score in %(second)s games",
            last,
        ),
        "difference": gettext("%(first)s − %(second)s"),
        "difference_a_hand": ngettext(
            "%(first)s − %(second)s, over %(third)s hand",
            "%(first)s − %(second)s, over %(third)s hands",
            last,
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
    written = map(summand if code == "season_points" else _in_short, parts)
    named = dict(zip(("first", "second", "third"), written, strict=False))
    named["first"] = named["first"].strip("()")  # only what follows a sign stands in brackets
    return forms[code] % named
