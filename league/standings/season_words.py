"""A season's rules in sentences, and what counted of one person's evenings."""

from collections.abc import Sequence
from fractions import Fraction

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.ranking.measures import Measure
from league.ranking.season_rules import AVERAGE, BEST, DROP, Entrant, SeasonRules
from league.standings.labels import LABELS


def number(value: Fraction) -> str:
    """7, 2.5, 3.33."""
    if value.denominator == 1:
        return number_format(value.numerator)
    return number_format(round(float(value), 2))


def rule_words(rules: SeasonRules, measures: Sequence[Measure]) -> list[str]:
    """How the season counts, one sentence a rule, in the order in which they are applied."""
    sentences = [_counts(rules)]
    if rules.places:
        sentences.append(
            _(
                "An evening gives points by place in its own table, from the first down:"
                " %(points)s. Places after these give none; people level on a place share the"
                " points of the places they take up."
            )
            % {"points": ", ".join(number(points) for points in rules.places)}
        )
    if rules.attendance:
        sentences.append(_coming(rules, measures))
    if rules.minimum:
        sentences.append(
            ngettext(
                "A place needs %(n)d evening; whoever has fewer stands below, without a place.",
                "A place needs %(n)d evenings; whoever has fewer stands below, without a place.",
                rules.minimum,
            )
            % {"n": rules.minimum}
        )
    if not rules.guests:
        sentences.append(_("Guests are taken out first: they take no place from anybody."))
    return sentences


def _counts(rules: SeasonRules) -> str:
    if rules.counts == AVERAGE:
        return _(
            "The mean evening counts: everything somebody took, divided by the evenings they came."
            " Joining late costs nothing."
        )
    if rules.counts == BEST:
        return ngettext(
            "Each one's best evening counts, whenever it was.",
            "Each one's %(n)d best evenings count, whenever they were.",
            rules.number,
        ) % {"n": rules.number}
    if rules.counts == DROP:
        return ngettext(
            "Of all evenings held, each one's worst is dropped; one that was missed goes first, and"
            " one always counts.",
            "Of all evenings held, each one's %(n)d worst are dropped; those that were missed go"
            " first, and one always counts.",
            rules.number,
        ) % {"n": rules.number}
    return _("All evenings count and are added up.")


def _coming(rules: SeasonRules, measures: Sequence[Measure]) -> str:
    words: dict[str, str | Promise] = {"points": number(rules.attendance)}
    if rules.places:
        return _("Every evening somebody came gives %(points)s more, whether it counts or not.") % (
            words
        )
    first = next((measure for measure in measures if not measure.among), None)
    words["measure"] = LABELS[first.code].name if first else ""
    return (
        _(
            "Season points are the figure for %(measure)s and %(points)s for every evening"
            " somebody came, whether it counts or not."
        )
        % words
    )


def counted_words(one: Entrant) -> list[str]:
    """Which evenings of a person counted, where that was not simply all of them."""
    sentences = []
    if one.counted < one.attended:
        words = {"counted": one.counted, "attended": one.attended}
        sentences.append(_("%(counted)d of %(attended)d evenings count.") % words)
    if one.places:
        sum_of = " + ".join(number(points) for points in one.places)
        sentences.append(_("Points for places: %(sum)s.") % {"sum": sum_of})
    return sentences
