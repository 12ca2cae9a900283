"""The standings of a stage in words: ranked rows, the cross-table, the prizes."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.labels import as_label
from league.ranking import Line
from league.ranking.match_facts import MatchFacts
from league.ranking.measures import Measure, total
from league.standings.labels import LABELS, Label, Text, figure, spoken
from league.standings.text import decided_by, explained
from league.tournaments.draws.knockout import bracket_of
from league.tournaments.queries import NameOf, entry_name, entry_places
from league.tournaments.stage_state import BRACKETS, CLOSED, StageState
from league.tournaments.standing import Standing

FIRST_THREE = 3
ON_PHONES = 2
"""Figures in the columns of a phone: the points and the first tie-break."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the standings as it is read; `cells` go with the columns of `columns_of`.

    `decided` says on what this place was decided, `deciding` is the figure; both may be empty.
    `more` are the figures, each with its whole name, for which a phone has no column.
    """

    who: int
    rank: int
    shared: bool
    name: str
    cells: tuple[str, ...]
    decided: str
    deciding: str
    why: tuple[str, ...]
    more: tuple[tuple[Text, str], ...]
    withdrawn: bool
    late: bool
    struck: bool


def columns_of(state: StageState, standing: Standing) -> list[Label]:
    """The figures: their names, the headings of their columns. What a bracket counts for a match
    are its wins alone, so that they are called that."""
    labels = [LABELS[one.code] for one in _shown(standing)]
    if state.stage.format in BRACKETS:
        won = LABELS["matches_won"]
        labels[0] = replace(won, column=capfirst(str(won.name)))
    return labels + [Label(head, head, "") for head in _own_heads(state, standing)]


def codes_of(standing: Standing) -> list[str]:
    """Which measures the first of these figures are."""
    return [one.code for one in _shown(standing)]


def _own_heads(state: StageState, standing: Standing) -> list[Text]:
    heads: list[Text] = []
    if any(standing.apart.values()):
        heads.append(_("At small tables"))
    if not state.of_pairs:
        heads.append(_("Best game"))
    return heads


def rows_of(state: StageState, standing: Standing, name_of: NameOf) -> list[Row]:
    """Everybody who entered, best first."""
    names = {key: entry_name(entry, name_of) for key, entry in state.entries.items()}
    if state.in_bracket:
        return _by_place(state, standing, names)
    return [_row(state, standing, line, names) for line in standing.lines]


def _by_place(state: StageState, standing: Standing, names: dict[int, str]) -> list[Row]:
    """A bracket ranks by who went out when; place 0 has anyone who is still in it."""
    places = entry_places(state, standing)
    many = Counter(places.values())
    rows = []
    for line in sorted(standing.lines, key=lambda one: places[one.who]):
        rank = places[line.who]
        row = _row(state, standing, line, names)
        rows.append(replace(row, rank=rank, shared=many[rank] > 1, decided="", deciding="", why=()))
    return rows


def _row(state: StageState, standing: Standing, line: Line, names: dict[int, str]) -> Row:
    entry = state.entries[line.who]
    cells = [figure(m.code, line.values[m.code]) for m in _shown(standing)]
    if any(standing.apart.values()):
        cells.append(str(standing.apart[line.who]))
    if not state.of_pairs:
        cells.append(str(standing.best_game.get(line.who, 0)))
    return Row(
        who=line.who,
        rank=line.rank,
        shared=line.shared,
        name=names[line.who],
        cells=tuple(cells),
        decided=decided_by(line) if state.published else "",
        deciding=_deciding(line) if state.published else "",
        why=tuple(explained(line, names.__getitem__)) if state.published else (),
        more=tuple(
            (label.name, cell)
            for label, cell in zip(columns_of(state, standing), cells, strict=True)
        )[ON_PHONES:],
        withdrawn=entry.withdrawn_at is not None,
        late=entry.late,
        struck=line.who in standing.struck,
    )


def _deciding(line: Line) -> str:
    if line.shared or not line.decisions:
        return ""
    last = line.decisions[-1]
    return figure(last.measure, last.own)


def _shown(standing: Standing) -> list[Measure]:
    return [measure for measure in standing.measures if not measure.among]


@dataclass(frozen=True, slots=True)
class Cell:
    """What a pair took off another: short for the eye, in words for the ear. Empty: not met."""

    text: str
    words: str
    own: bool = False


@dataclass(frozen=True, slots=True)
class CrossRow:
    """A pair against all others, these in the order of the standings."""

    rank: int
    name: str
    cells: tuple[Cell, ...]


def cross_table(state: StageState, standing: Standing, name_of: NameOf) -> list[CrossRow]:
    """The cross-table of pairs in the order of the standings; empty for individuals."""
    if not state.of_pairs or state.stage.format in CLOSED or not state.published:
        return []
    order = [line.who for line in standing.lines]
    names = {who: entry_name(state.entries[who], name_of) for who in order}
    met = _meetings(state.matches)
    return [
        CrossRow(
            rank=place,
            name=names[who],
            cells=tuple(
                _cell(met.get((who, other), []), names[other], own=who == other) for other in order
            ),
        )
        for place, who in enumerate(order, 1)
    ]


def _meetings(
    matches: Iterable[MatchFacts],
) -> dict[tuple[int, int], list[tuple[MatchFacts, int]]]:
    """The matches of each two entries, with the position of the first of the two."""
    met: dict[tuple[int, int], list[tuple[MatchFacts, int]]] = defaultdict(list)
    for match in matches:
        for position, entry in match.sides.items():
            for other in match.entries:
                met[entry, other].append((match, position))
    return met


def _cell(matches: Sequence[tuple[MatchFacts, int]], other: str, *, own: bool) -> Cell:
    if own:
        return Cell("×", "", own=True)
    texts, words = [], []
    for match, position in matches:
        text, outcome = _result(match, position)
        texts.append(text)
        words.append(f"{as_label(other)} {outcome}")
    return Cell(" ".join(texts), "; ".join(words))


def _result(match: MatchFacts, position: int) -> tuple[str, str]:
    if not match.over:
        return "…", _("in play")
    took = match.won(position)
    won = {Fraction(1): _("won"), Fraction(0): _("lost")}.get(took, _("drawn"))
    if not match.played:
        return ("+" if took == 1 else "−"), _("walk-over")
    other = next(p for p in match.sides if p != position)
    if match.best_of > 1:
        own, theirs = match.wins[position], match.wins[other]
    else:
        score = match.latest_score or (0, 0)
        own, theirs = Fraction(score[position]), Fraction(score[other])
    return f"{figure('points', own)}–{figure('points', theirs)}", won


@dataclass(frozen=True, slots=True)
class Prize:
    """What somebody is honoured for, and the figure that earned it."""

    title: str
    names: tuple[str, ...]
    figure: str


def prizes(state: StageState, standing: Standing, name_of: NameOf) -> list[Prize]:
    """First to third, most lone marches, best game, last: nobody takes a second prize.

    Places that are shared are shared prizes.
    """
    names = {key: entry_name(entry, name_of) for key, entry in state.entries.items()}
    if not state.published or not any(standing.tallies.values()):
        return []
    if state.in_bracket:
        return _of_bracket(state, names)
    titles = {1: _("First"), 2: _("Second"), 3: _("Third")}
    won: list[Prize] = []
    code = standing.measures[0].code
    for rank, title in titles.items():
        winners = [line for line in standing.lines if line.rank == rank]
        if winners:
            label = spoken(code, winners[0].values[code])
            won.append(Prize(title, tuple(names[winner.who] for winner in winners), label))
    if not state.of_pairs:
        taken = {line.who for line in standing.lines if line.rank in titles}
        won += _of_the_rest(standing, names, taken)
    return won


def _of_bracket(state: StageState, names: dict[int, str]) -> list[Prize]:
    now = bracket_of(state)
    titled = [(_("Winners"), now.champion), (_("Consolation"), now.consolation_champion)]
    won = [Prize(title, (names[int(who)],), "") for title, who in titled if who is not None]
    placed: list[Prize] = []
    for rank, title in ((2, _("Second")), (3, _("Third"))) if now.champion is not None else ():
        who = tuple(names[int(one)] for one, place in now.places().items() if place == rank)
        if who:
            placed.append(Prize(title, who, ""))
    return won[:1] + placed + won[1:]


def _of_the_rest(standing: Standing, names: dict[int, str], taken: set[int]) -> list[Prize]:
    """Special prizes, each to who has not had one yet."""
    alone = {who: int(total(rows, "lone_marches")) for who, rows in standing.tallies.items()}
    titled = [
        (
            _("Most lone marches"),
            alone,
            lambda n: ngettext("%(n)d lone march", "%(n)d lone marches", n),
        ),
        (
            _("Best single game"),
            standing.best_game,
            lambda n: ngettext("%(n)d point", "%(n)d points", n),
        ),
    ]
    won = []
    for title, counts, say in titled:
        left = {who: count for who, count in counts.items() if who not in taken and count}
        best = max(left.values(), default=0)
        if best:
            winners = [who for who in left if left[who] == best]
            taken.update(winners)
            words = say(best) % {"n": best}
            won.append(Prize(title, tuple(names[who] for who in winners), words))
    last = standing.lines[-1]
    if last.who not in taken and last.rank > FIRST_THREE and not last.shared:
        won.append(Prize(_("Booby prize"), (names[last.who],), _("last")))
    return won
