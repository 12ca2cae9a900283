"""Standings in sentences: the reasons for a rank, the rules of a season, which evenings counted."""

from collections.abc import Callable, Collection, Sequence
from fractions import Fraction
from itertools import pairwise

from django.template.loader import render_to_string
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.text import get_text_list
from django.utils.translation import gettext, gettext_lazy, ngettext, pgettext
from django.utils.translation import gettext as _

from league.labels import one_stop
from league.members.models import Club
from league.ranking import Decision, Line, Note
from league.ranking.measures import MEASURES, USUAL
from league.ranking.measures import total as total_of
from league.ranking.season import AVERAGE, BEST, BEST_GAMES, DROP, Entrant, SeasonRules
from league.standings.formulas import rule
from league.standings.labels import (
    LABELS,
    Text,
    distinct_figures,
    figure,
    measure_list,
    spoken,
    sum_text,
    summand,
)
from league.standings.models import Payment
from league.standings.queries import Standings
from league.standings.tournament_text import games_not_matches, ranked_by_tournaments

NameOf = Callable[[int], str]

MOST_NAMED = 3
"""Neighbours named with their figure; more would make a sentence long."""
NOTES = {
    "no_game": gettext_lazy("No finished game: below everyone who has one."),
}


def ranked_by(standings: Standings) -> str:
    """What a table ranks by, whether a correction waits, who is last; empty before a result."""
    if not any(total_of(tallies, "games") for tallies in standings.tallies.values()):
        return ""
    sentences = [_ranking_sentence(standings), *filter(None, [games_not_matches(standings)])]
    if standings.outdated:
        sentences.append(
            gettext(
                "The figures count the corrected result; the places follow when the bracket is"
                " updated."
            )
        )
    if any(note.kind == "no_game" for line in standings.lines for note in line.notes):
        sentences.append(gettext("Players without a finished game come last."))
    return " ".join(sentences)


def _ranking_sentence(standings: Standings) -> str:
    """What a table ranks by, and why points are not among its columns."""
    codes = tuple(measure.code for measure in standings.measures)
    if standings.places:
        return ranked_by_tournaments(standings)
    if not codes:
        return ""
    values = {"list": measure_list(codes)}
    if standings.across_games:
        return (
            _(
                "Ranked by %(list)s. Different games were played, so their points can't be added"
                " up: Points and Difference are left out."
            )
            % values
        )
    if standings.mixed and codes == USUAL:
        return _("Ranked by %(list)s, because the tables differ in size.") % values
    return _("Ranked by %(list)s.") % values


def not_counted(standings: Standings) -> str:
    """The columns that do not count for the ranking, in one line; lone marches, for example."""
    column_names = [str(LABELS[measure.code].column) for measure in standings.other_columns]
    if standings.places or not standings.measures or not column_names:
        return ""
    columns = get_text_list(column_names, _("and"))
    return _("Shown, but not counted: %(columns)s.") % {"columns": columns}


def points_that_do_not_count(standings: Standings) -> str:
    """Explains why a player with more points may rank lower, where tables differ in size and rank
    by the usual list because of it; else empty. A phone that shows no points leaves it out."""
    is_usual = tuple(measure.code for measure in standings.measures) == USUAL
    if standings.places or not standings.mixed or not is_usual:
        return ""
    if MEASURES["points"] not in standings.other_columns:
        return ""
    points = [
        (line.values[standings.measures[0].code], line.values["points"] or 0)
        for line in standings.lines
    ]
    if all(upper[1] >= lower[1] for upper, lower in pairwise(points) if upper[0] == lower[0]):
        return ""
    return _("A player with more points can be lower here, because the tables differ in size.")


def place(rank: int) -> str:
    """A rank at the start of a sentence: "Third", "21st"."""
    words = (
        pgettext("rank", "First"),
        pgettext("rank", "Second"),
        pgettext("rank", "Third"),
        pgettext("rank", "Fourth"),
        pgettext("rank", "Fifth"),
        pgettext("rank", "Sixth"),
        pgettext("rank", "Seventh"),
        pgettext("rank", "Eighth"),
        pgettext("rank", "Ninth"),
        pgettext("rank", "Tenth"),
    )
    return words[rank - 1] if rank <= len(words) else ordinal(rank)


def ordinal(number: int) -> str:
    """1st, 11th, 22nd. Translators supply the endings of their language."""
    last_digit = 0 if number % 100 in (11, 12, 13) else number % 10
    if number == 1:
        form = pgettext("the ordinal of 1", "%(number)sst")
    elif last_digit == 1:
        form = pgettext("ordinal ending in 1, not 11", "%(number)sst")
    elif last_digit == 2:
        form = pgettext("ordinal ending in 2, not 12", "%(number)snd")
    elif last_digit == 3:
        form = pgettext("ordinal ending in 3, not 13", "%(number)srd")
    else:
        form = pgettext("any other ordinal", "%(number)sth")
    return form % {"number": number}


def explained(line: Line, name_of: NameOf) -> list[str]:
    """A sentence for each tie-break that decided this rank, then the notes of the line."""
    last = len(line.decisions) - 1
    sentences = [
        _decision_sentence(decision, place(line.rank) if n == last else "", name_of)
        for n, decision in enumerate(line.decisions)
    ]
    sentences += [_note_sentence(note, name_of) for note in line.notes]
    if line.shared and line.values:
        sentences.append(gettext("Tied: level on everything that counts."))
    return sentences


def decided_by(line: Line) -> str:
    """What decided this rank, in a few words; empty if the first measure did."""
    if line.shared:
        return gettext("tied")
    if not line.deciding:
        return ""
    return gettext("tie-break: %(measure)s") % {"measure": LABELS[line.deciding].name}


def tie_break(line: Line) -> Text:
    """The column heading of the tie-break that decided this rank, also for players who share it;
    empty without one."""
    return LABELS[line.deciding].column if line.deciding else ""


def _decision_sentence(decision: Decision, rank: str, name_of: NameOf) -> str:
    """The sentence for one tie-break; only that for the last one, which decided, has a `rank`."""
    values = {
        "place": rank,
        "measure": LABELS[decision.measure].name,
        "level": get_text_list([spoken(*one) for one in decision.level], gettext("and")),
    }
    if decision.measure == "lot":
        return gettext("%(place)s by random draw; %(level)s each.") % values
    if decision.measure == "play_off":
        return gettext("%(place)s by a play-off; %(level)s each.") % values
    neighbours = ((decision.above, decision.better), (decision.below, decision.worse))
    others = [(figure, people) for figure, people in neighbours if figure is not None]
    figures = [decision.own, *(figure for figure, _people in others)]
    own_text, *other_texts = distinct_figures(decision.measure, figures)
    whose = [
        _with_names(text, [*map(name_of, people)])
        for text, (_figure, people) in zip(other_texts, others, strict=True)
    ]
    values |= {
        "own": _with_sum(own_text, decision),
        "others": get_text_list(whose, gettext("and")),
    }
    if rank and decision.level:
        form = gettext(
            "%(place)s on %(measure)s: %(own)s against %(others)s. Level before that: %(level)s."
        )
    elif rank:
        form = gettext("%(place)s on %(measure)s: %(own)s against %(others)s.")
    elif decision.above is None:
        form = gettext("Ahead on %(measure)s: %(own)s against %(others)s.")
    elif decision.below is None:
        form = gettext("Behind on %(measure)s: %(own)s against %(others)s.")
    else:
        form = gettext("In between on %(measure)s: %(own)s against %(others)s.")
    sentences = [form % values]
    if decision.measure == "share" and (example := _share_example(own_text, decision.sum)):
        sentences.append(example)
    return " ".join(sentences)


def _share_example(share: str, parts: Sequence[Fraction]) -> str:
    """How a share of the points needed was worked out, with an example; empty for one game."""
    if not parts or parts[-1] == 1:
        return ""
    total, games = figure("points", parts[0]), int(parts[-1])
    words = {"share": share, "sum": total, "games": games}
    exact = figure("points", parts[0], 9), figure("share", parts[0] / games, 9)
    text = gettext("A game with 7 of 10 points counts 0.7. %(games)d games add up to %(sum)s.")
    quotient = gettext("%(sum)s ÷ %(games)d is about %(share)s.")
    if (total, share) == exact:
        quotient = gettext("%(sum)s ÷ %(games)d is %(share)s.")
    return f"{text} {quotient}" % words


def _with_names(figure_text: str, names: Sequence[str]) -> str:
    """A neighbour's figure and whose it is: "60% (Frank)", or the first of many who have it."""
    if not names:
        return figure_text
    if len(names) > MOST_NAMED:
        names = [*names[: MOST_NAMED - 1], "…"]
    return gettext("%(figure)s (%(names)s)") % {"figure": figure_text, "names": ", ".join(names)}


def _with_sum(figure_text: str, decision: Decision) -> str:
    sum_shown = sum_text(decision.measure, decision.sum)
    if not sum_shown:
        return figure_text
    return gettext("%(figure)s (%(sum)s)") % {"figure": figure_text, "sum": sum_shown}


def _note_sentence(note: Note, name_of: NameOf) -> str:
    if note.kind in NOTES:
        return str(NOTES[note.kind])
    names = [name_of(player) for player in note.people]
    if note.kind == "not_met":
        return gettext("Head-to-head does not decide: %(one)s and %(other)s have not met.") % {
            "one": names[0],
            "other": names[1],
        }
    if note.kind == "no_points":
        sentence = gettext("Points do not decide: not all games of %(name)s have their points.")
        return sentence % {"name": names[0]}
    beat = [
        gettext("%(winner)s beat %(loser)s") % {"winner": winner, "loser": loser}
        for winner, loser in zip(names, [*names[1:], names[0]], strict=True)
    ]
    values = {"circle": get_text_list(beat, gettext("and"))}
    if note.decided:
        return gettext("They beat each other in a circle (%(circle)s); the margins count.") % values
    sentence = gettext("Head-to-head went in a circle and does not decide: %(circle)s.") % values
    return one_stop(sentence)


def rule_sentences(rules: SeasonRules, measures: Sequence[str]) -> list[str]:
    """How the season counts, a sentence for each rule, in the order in which they apply.
    `measures` are the codes that it ranks by."""
    sentences = [_counting_sentence(rules)]
    if rules.places:
        sentences.append(
            _(
                "Each session gives points for places, from the first down: %(points)s. Places are"
                " counted among the players who finished a game; lower places get none, and players"
                " who tie share the points of their places."
            )
            % {"points": ", ".join(summand(points) for points in rules.places)}
        )
    if rules.attendance:
        sentences.append(_attendance_sentence(rules, measures))
    if rules.minimum:
        sentences.append(
            ngettext(
                "A place needs %(n)d session; players with fewer are listed below.",
                "A place needs %(n)d sessions; players with fewer are listed below.",
                rules.minimum,
            )
            % {"n": rules.minimum}
        )
    if not rules.guests:
        sentences.append(_("Guests are left out first, so they take no one's place."))
    return sentences


def _counting_sentence(rules: SeasonRules) -> str:
    if rules.counts == AVERAGE:
        return _(
            "The average session counts: everything a player took, divided by the sessions they"
            " came to. Joining late costs nothing."
        )
    if rules.counts == BEST:
        return ngettext(
            "Each player's best session counts, whenever it was.",
            "Each player's %(n)d best sessions count, whenever they were.",
            rules.number,
        ) % {"n": rules.number}
    if rules.counts == BEST_GAMES:
        return ngettext(
            "Each player's best finished game counts, whatever the session.",
            "Each player's %(n)d best finished games count, whatever the session.",
            rules.number,
        ) % {"n": rules.number}
    if rules.counts == DROP:
        return ngettext(
            "Each player's worst session is dropped, a missed one first; at least one always "
            "counts.",
            "Each player's %(n)d worst sessions are dropped, missed ones first; at least one "
            "always counts.",
            rules.number,
        ) % {"n": rules.number}
    return _("All sessions count and are added up.")


def _attendance_sentence(rules: SeasonRules, measures: Sequence[str]) -> str:
    values: dict[str, str | Promise] = {"points": summand(rules.attendance)}
    if rules.places:
        return _("Every session played gives %(points)s more, whether it counts or not.") % (values)
    first_measure = next(
        (code for code in measures if code in MEASURES and not MEASURES[code].among), None
    )
    values["measure"] = LABELS[first_measure].name if first_measure else ""
    return (
        _(
            "Season points are the figure for %(measure)s and %(points)s for every session"
            " a player came to, whether it counts or not."
        )
        % values
    )


def counted_sentences(entrant: Entrant) -> list[str]:
    """Sentences about which evenings or games of a player count, if not all, and place points."""
    sentences = []
    if entrant.games:
        values = {"counted": entrant.counted, "games": entrant.games}
        sentences.append(_("%(counted)d of %(games)d games count.") % values)
    elif entrant.counted < entrant.attended:
        values = {"counted": entrant.counted, "attended": entrant.attended}
        sentences.append(_("%(counted)d of %(attended)d sessions count.") % values)
    if entrant.places:
        sentences.append(_place_points_sentence(entrant))
    return sentences


def _place_points_sentence(entrant: Entrant) -> str:
    """The sum of a player's place points, in exact numbers, so that it adds up."""
    values = {
        "sum": " + ".join(summand(points) for points in entrant.places),
        "total": summand(sum(entrant.places, Fraction(0))),
        "mean": summand(sum(entrant.places, Fraction(0)) / len(entrant.places)),
        "n": len(entrant.places),
    }
    if entrant.averaged:
        return _("Points for places: (%(sum)s) ÷ %(n)d = %(mean)s.") % values
    if len(entrant.places) == 1:
        return _("Points for places: %(sum)s.") % values
    return _("Points for places: %(sum)s = %(total)s.") % values


def how_ranking_works(standings: Standings) -> SafeString:
    """The sentences and lists of "How ranking works" for this table."""
    two_sides = _has_two_sides(standings)
    context = {
        "standings": standings,
        "rule": rule(standings.measures, two_sides=two_sides),
        "other_columns": rule(standings.other_columns, two_sides=two_sides),
        "games_not_matches": games_not_matches(standings),
    }
    return render_to_string("standings/_ranking.html", context)


def _has_two_sides(standings: Standings) -> bool:
    """Whether every game was between two sides, of which an average player wins half."""
    games, expected = (
        sum(total_of(tallies, name) for tallies in standings.tallies.values())
        for name in ("games", "expected")
    )
    return bool(games) and games == 2 * expected


def hidden_payments(club: Club, changed: Collection[str]) -> str:
    """What stays recorded when a club turns its prize money off; empty for nothing."""
    if "keeps_pots" not in changed or club.keeps_pots:
        return ""
    count = Payment.objects.filter(pot__club=club, withdrawn_at=None).count()
    text = ngettext(
        "%(n)d payment stays recorded. Prizes and pots are hidden until you turn them back on.",
        "%(n)d payments stay recorded. Prizes and pots are hidden until you turn them back on.",
        count,
    )
    return text % {"n": count} if count else ""
