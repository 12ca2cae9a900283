"""Standings in sentences: why somebody has a rank, a season's rules, what counted of an evening."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise

from django.utils.functional import Promise
from django.utils.text import get_text_list
from django.utils.translation import gettext, gettext_lazy, ngettext, pgettext
from django.utils.translation import gettext as _

from league.ranking import Decision, Line, Note
from league.ranking.measures import MEASURES, USUAL
from league.ranking.season import AVERAGE, BEST, BEST_GAMES, DROP, Entrant, SeasonRules
from league.standings.labels import (
    LABELS,
    Text,
    distinct_figures,
    in_order,
    spoken,
    summand,
    working,
)
from league.standings.queries import Standings

NameOf = Callable[[int], str]

BELOW = {
    "no_game": gettext_lazy("No finished game: below everyone who has one."),
}


def ranked_by(standings: Standings) -> str:
    """In one line what a table ranks by, and why points are not among its columns."""
    codes = tuple(measure.code for measure in standings.measures)
    if not codes:
        return _("The tournament of this session decides the places.") if standings.places else ""
    words = {"list": in_order(codes)}
    if standings.places:
        return _("The tournament of this session decides the places: by %(list)s.") % words
    if standings.across_games:
        return (
            _(
                "Ranked by %(list)s. Different games were played, so their points can't be added"
                " up: Points and Difference are left out."
            )
            % words
        )
    if standings.mixed and codes == USUAL:
        return _("Ranked by %(list)s, because the tables differ in size.") % words
    return _("Ranked by %(list)s.") % words


def not_counted(standings: Standings) -> str:
    """In one line which columns only stand beside the others, like lone marches."""
    others = [str(LABELS[one.code].column) for one in standings.other_columns]
    if standings.places or not standings.measures or not others:
        return ""
    columns = get_text_list(others, _("and"))
    return _("Shown, but not counted: %(columns)s.") % {"columns": columns}


def points_that_do_not_count(standings: Standings) -> str:
    """Where more points stand below fewer at tables of several sizes, why: a phone's line shows
    points, not what decides."""
    idle = MEASURES["points"] in standings.other_columns
    if standings.places or not standings.mixed or not standings.measures or not idle:
        return ""
    points = [
        (line.values[standings.measures[0].code], line.values["points"] or 0)
        for line in standings.lines
    ]
    if all(above[1] >= below[1] for above, below in pairwise(points) if above[0] == below[0]):
        return ""
    return _("Points don't decide here, because the tables differ in size.")


def place(rank: int) -> str:
    """A rank as it starts a sentence: "Third", "21st"."""
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
    """1st, 11th, 22nd; translators say how their language ends each of the kinds."""
    last = 0 if number % 100 in (11, 12, 13) else number % 10
    if number == 1:
        form = pgettext("the ordinal of 1", "%(number)sst")
    elif last == 1:
        form = pgettext("ordinal ending in 1, not 11", "%(number)sst")
    elif last == 2:
        form = pgettext("ordinal ending in 2, not 12", "%(number)snd")
    elif last == 3:
        form = pgettext("ordinal ending in 3, not 13", "%(number)srd")
    else:
        form = pgettext("any other ordinal", "%(number)sth")
    return form % {"number": number}


def explained(line: Line, name_of: NameOf) -> list[str]:
    """One sentence a tie-break that decided this rank, then what head-to-head left open."""
    sentences = [_decision(decision, "") for decision in line.decisions[:-1]]
    sentences += [_decision(decision, place(line.rank)) for decision in line.decisions[-1:]]
    sentences += [_note(note, name_of) for note in line.notes]
    if line.shared and line.values:
        sentences.append(gettext("Tied: level on everything that counts."))
    return sentences


def decided_by(line: Line) -> str:
    """In a few words what settled this rank; empty where the first measure did."""
    if line.shared:
        return gettext("tied")
    if not line.decisions:
        return ""
    return gettext("tie-break: %(measure)s") % {"measure": LABELS[line.decisions[-1].measure].name}


def tie_break(line: Line) -> Text:
    """The tie-break that settled this rank, as its column is headed; empty where none did: who is
    tied has "=" before the place, and the page says once what that means."""
    if line.shared or not line.decisions:
        return ""
    return LABELS[line.decisions[-1].measure].column


def _decision(decision: Decision, rank: str) -> str:
    """The sentence of one tie-break; `rank` is said by the last one, which settled it."""
    words = {"place": rank, "measure": LABELS[decision.measure].name, "level": _level(decision)}
    if decision.measure == "lot":
        return gettext("%(place)s by random draw; %(level)s each.") % words
    if decision.measure == "play_off":
        return gettext("%(place)s by a play-off; %(level)s each.") % words
    others = [figure for figure in (decision.above, decision.below) if figure is not None]
    own, *rest = distinct_figures(decision.measure, [decision.own, *others])
    words |= {"own": _with_sum(own, decision), "others": get_text_list(rest, gettext("and"))}
    if rank and decision.level:
        form = gettext("%(place)s on %(measure)s: %(own)s against %(others)s; %(level)s each.")
    elif rank:
        form = gettext("%(place)s on %(measure)s: %(own)s against %(others)s.")
    else:
        form = gettext("On %(measure)s: %(own)s against %(others)s.")
    return form % words


def _with_sum(own: str, decision: Decision) -> str:
    sum_shown = working(decision.measure, decision.sum)
    if not sum_shown:
        return own
    return gettext("%(figure)s (%(sum)s)") % {"figure": own, "sum": sum_shown}


def _level(decision: Decision) -> str:
    return get_text_list([spoken(*level) for level in decision.level], gettext("and"))


def _note(note: Note, name_of: NameOf) -> str:
    if note.kind in BELOW:
        return str(BELOW[note.kind])
    names = [name_of(who) for who in note.people]
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
    words = {"circle": get_text_list(beat, gettext("and"))}
    if note.decided:
        return gettext("They beat each other in a circle (%(circle)s); the margins count.") % words
    return gettext("Head-to-head went in a circle and does not decide: %(circle)s.") % words


def rule_words(rules: SeasonRules, measures: Sequence[str]) -> list[str]:
    """How the season counts, one sentence a rule, in the order in which they are applied.
    `measures` are the codes of what it ranks by."""
    sentences = [_counts(rules)]
    if rules.places:
        sentences.append(
            _(
                "Each session gives points for places, from the first down: %(points)s. Lower"
                " places get none; players who tie share the points of their places."
            )
            % {"points": ", ".join(summand(points) for points in rules.places)}
        )
    if rules.attendance:
        sentences.append(_coming(rules, measures))
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


def _counts(rules: SeasonRules) -> str:
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
            "Of all sessions held, each player's worst is dropped; one that was missed goes first,"
            " and one always counts.",
            "Of all sessions held, each player's %(n)d worst are dropped; those that were missed go"
            " first, and one always counts.",
            rules.number,
        ) % {"n": rules.number}
    return _("All sessions count and are added up.")


def _coming(rules: SeasonRules, measures: Sequence[str]) -> str:
    words: dict[str, str | Promise] = {"points": summand(rules.attendance)}
    if rules.places:
        return _("Every session played gives %(points)s more, whether it counts or not.") % (words)
    first = next((c for c in measures if c in MEASURES and not MEASURES[c].among), None)
    words["measure"] = LABELS[first].name if first else ""
    return (
        _(
            "Season points are the figure for %(measure)s and %(points)s for every session"
            " a player came to, whether it counts or not."
        )
        % words
    )


def counted_words(one: Entrant) -> list[str]:
    """Which evenings of a person counted, where that was not simply all of them."""
    sentences = []
    if one.games:
        words = {"counted": one.counted, "games": one.games}
        sentences.append(_("%(counted)d of %(games)d games count.") % words)
    elif one.counted < one.attended:
        words = {"counted": one.counted, "attended": one.attended}
        sentences.append(_("%(counted)d of %(attended)d sessions count.") % words)
    if one.places:
        sentences.append(_points_for_places(one))
    return sentences


def _points_for_places(one: Entrant) -> str:
    """The sum of somebody's points for places, exact, so that it comes to what is said."""
    words = {
        "sum": " + ".join(summand(points) for points in one.places),
        "total": summand(sum(one.places, Fraction(0))),
        "mean": summand(sum(one.places, Fraction(0)) / len(one.places)),
        "n": len(one.places),
    }
    if one.averaged:
        return _("Points for places: (%(sum)s) ÷ %(n)d = %(mean)s.") % words
    if len(one.places) == 1:
        return _("Points for places: %(sum)s.") % words
    return _("Points for places: %(sum)s = %(total)s.") % words
