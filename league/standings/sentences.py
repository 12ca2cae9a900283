"""Why somebody has the rank they have, in sentences: the edge of the pure table."""

from collections.abc import Callable

from django.contrib.humanize.templatetags.humanize import ordinal
from django.utils.text import get_text_list
from django.utils.translation import gettext, pgettext

from league.ranking.tables import Decision, Line, Note
from league.standings.labels import LABELS, spoken, told_apart, working

NameOf = Callable[[int], str]


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
    return words[rank - 1] if rank <= len(words) else str(ordinal(rank))


def explained(line: Line, name_of: NameOf) -> list[str]:
    """One sentence a tie-break that decided this rank, then what head-to-head left open."""
    sentences = [_decision(decision, "") for decision in line.decisions[:-1]]
    sentences += [_decision(decision, place(line.rank)) for decision in line.decisions[-1:]]
    sentences += [_note(note, name_of) for note in line.notes]
    if line.shared and line.values:
        sentences.append(gettext("A shared rank: level on everything that counts."))
    return sentences


def decided_by(line: Line) -> str:
    """In a few words what settled this rank; empty where the first measure did."""
    if line.shared:
        return gettext("shared")
    if not line.decisions:
        return ""
    return gettext("on %(measure)s") % {"measure": LABELS[line.decisions[-1].measure].name}


def _decision(decision: Decision, rank: str) -> str:
    """The sentence of one tie-break; `rank` is said by the last one, which settled it."""
    words = {"place": rank, "measure": LABELS[decision.measure].name, "level": _level(decision)}
    if decision.measure == "lot":
        return gettext("%(place)s by a drawn lot; %(level)s each.") % words
    others = [figure for figure in (decision.above, decision.below) if figure is not None]
    own, *rest = told_apart(decision.measure, [decision.own, *others])
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
    names = [name_of(who) for who in note.people]
    if note.kind == "not_met":
        return gettext("Head-to-head does not decide: %(one)s and %(other)s have not met.") % {
            "one": names[0],
            "other": names[1],
        }
    beat = [
        gettext("%(winner)s beat %(loser)s") % {"winner": winner, "loser": loser}
        for winner, loser in zip(names, [*names[1:], names[0]], strict=True)
    ]
    words = {"circle": get_text_list(beat, gettext("and"))}
    if note.decided:
        return gettext("They beat each other in a circle (%(circle)s); the margins count.") % words
    return gettext("Head-to-head went in a circle and does not decide: %(circle)s.") % words
