"""The standings of a stage as text: ranked rows and the cross-table."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.labels import as_label
from league.ranking import Line
from league.ranking.match_facts import MatchFacts
from league.ranking.measures import Measure
from league.standings.cached_tables import Place
from league.standings.labels import LABELS, Label, Text, figure
from league.standings.text import decided_by, explained, tie_break
from league.tournaments.models import Stage
from league.tournaments.queries import NameOf, entry_name, entry_places, is_no_show
from league.tournaments.stage_state import BRACKETS, CLOSED, StageState
from league.tournaments.standing import Standing, standing_of
from league.tournaments.text import how_byes_count

ON_PHONES = 2
"""Columns that a phone has for figures: the points and the first tie-break."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the standings; `cells` match the columns of `columns_of`.

    `decided` names the tie-break that decided this place, `measure` only its column, and `deciding`
    is its figure; they may be empty. `in_view`: that figure has a column of its own, also on a
    phone. `more` are the figures, each with its full name, for which a phone has no column.
    `no_show`: it lost a bracket's match by walk-over and has never played, so it comes last.
    `climbed`: places up since the round before, negative for down.
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
    no_show: bool = False
    in_view: bool = False
    measure: Text = ""
    climbed: int = 0

    @property
    def steps(self) -> int:
        """The number of places up or down since the round before."""
        return abs(self.climbed)

    def line(self, columns: Sequence[Label]) -> Place:
        """The row as it is pinned for its player; the table's `columns` name its figures."""
        figures = tuple(
            (str(label.name), str(label.brief or label.column), cell)
            for label, cell in zip(columns, self.cells, strict=True)
        )
        texts = (self.name, 0, self.decided, self.why)
        return Place(self.who, self.rank, *texts, figures[:ON_PHONES], self.shared)


def columns_of(state: StageState, standing: Standing) -> list[Label]:
    """The names and column headings of the figures.

    The match points of a bracket are labelled as matches won, since it counts nothing else.
    """
    labels = [LABELS[measure.code] for measure in _visible_measures(standing)]
    if state.stage.format in BRACKETS:
        won = LABELS["matches_won"]
        labels[0] = replace(won, column=capfirst(str(won.name)))
    return labels + [Label(head, head, "") for head, _counts in _extra_columns(state, standing)]


def codes_of(standing: Standing) -> list[str]:
    """The codes of the measures that the first columns show."""
    return [measure.code for measure in _visible_measures(standing)]


def _extra_columns(state: StageState, standing: Standing) -> list[tuple[Text, Mapping[int, int]]]:
    """The headings and figures of the columns that nothing is ranked by."""
    columns: list[tuple[Text, Mapping[int, int]]] = []
    if any(standing.small_table_points.values()):
        columns.append((_("At small tables"), standing.small_table_points))
    if not state.of_pairs:
        columns.append((_("Best game"), standing.best_game))
    played = _matches_over(state, standing)
    if state.stage.format == Stage.Format.ROUND_ROBIN and len(set(played.values())) > 1:
        columns.append((pgettext("matches", "Played"), played))
    return columns


def _matches_over(state: StageState, standing: Standing) -> dict[int, int]:
    """The number of matches behind each pair, which a bye makes one fewer than others have."""
    struck = standing.struck
    over = [match for match in state.matches if match.over and struck.isdisjoint(match.entries)]
    counts = Counter(entry for match in over for entry in match.entries)
    return {line.who: counts[line.who] for line in standing.lines if line.who not in struck}


def rows_of(
    state: StageState,
    standing: Standing,
    name_of: NameOf,
    before: Mapping[int, int] | None = None,
) -> list[Row]:
    """A row for each entry that was drawn, best first; `before` are the ranks before the latest
    round."""
    names = {key: entry_name(entry, name_of) for key, entry in state.entries.items()}
    if state.in_bracket:
        return _bracket_rows(state, standing, names)
    lines = [line for line in standing.lines if line.who not in state.never_drawn]
    rows = [_row(state, standing, line, names) for line in lines]
    return [replace(row, climbed=(before or {}).get(row.who, row.rank) - row.rank) for row in rows]


def ranks_before(state: StageState) -> dict[int, int]:
    """The rank of each entry before the latest round with a result; empty while there has been only
    one, and in a bracket."""
    played = [facts for facts in state.published if any(match.played for match in facts.matches)]
    if len(played) < 2 or state.in_bracket:
        return {}
    earlier = tuple(facts for facts in state.published if facts.number < played[-1].number)
    return {line.who: line.rank for line in standing_of(replace(state, rounds=earlier)).lines}


def _bracket_rows(state: StageState, standing: Standing, names: dict[int, str]) -> list[Row]:
    """The rows ranked by the round of elimination; entries still in the bracket have rank 0."""
    places = entry_places(state, standing)
    counts = Counter(places.values())
    rows = []
    for line in sorted(standing.lines, key=lambda line: places[line.who]):
        rank = places[line.who]
        row = _row(state, standing, line, names)
        is_shared = counts[rank] > 1
        rows.append(replace(row, rank=rank, shared=is_shared, decided="", deciding="", why=()))
    return rows


def _row(state: StageState, standing: Standing, line: Line, names: dict[int, str]) -> Row:
    entry = state.entries[line.who]
    cells = [figure(m.code, line.values[m.code]) for m in _visible_measures(standing)]
    extra_columns = _extra_columns(state, standing)
    cells += [str(counts.get(line.who, 0)) for _head, counts in extra_columns]
    return Row(
        who=line.who,
        rank=line.rank,
        shared=line.shared,
        name=names[line.who],
        cells=tuple(cells),
        decided=decided_by(line) if state.published else "",
        deciding=_deciding(line) if state.published else "",
        why=_reasons(state, standing, line, names) if state.published else (),
        more=tuple(
            (label.name, cell)
            for label, cell in zip(columns_of(state, standing), cells, strict=True)
        )[ON_PHONES:],
        withdrawn=entry.withdrawn_at is not None,
        late=entry.late,
        struck=line.who in standing.struck,
        no_show=state.in_bracket and is_no_show(state, line.who),
        in_view=any(d.measure in codes_of(standing)[:ON_PHONES] for d in line.decisions[-1:]),
        measure=tie_break(line),
    )


def made_up_text(standing: Standing) -> str:
    """That rounds at small tables or sat out count as an average; empty where none do."""
    if not standing.made_up:
        return ""
    return _(
        "In the points, a round at a small table or sat out counts as the player's average at"
        " tables of four; before their first round there, as the average of all players."
    )


def _made_up_sum(standing: Standing, line: Line) -> str:
    """How the points of an entry add up, where some are an average; empty where none are."""
    points, made_up = line.values.get("points"), standing.made_up.get(line.who)
    if points is None or not made_up:
        return ""
    text = _("%(sum)s points: %(own)s at tables of four + %(average)s as the player's average.")
    if points == made_up:
        text = _("%(sum)s points: the average of all players, until a round at a table of four.")
    parts = {"sum": points, "own": points - made_up, "average": made_up}
    return text % {name: figure("points", value) for name, value in parts.items()}


def _reasons(
    state: StageState, standing: Standing, line: Line, names: Mapping[int, str]
) -> tuple[str, ...]:
    """Why an entry has its place; with how a bye counts where the opponents' points decided, and
    the sum of points that are partly an average."""
    reasons = explained(line, names.__getitem__)
    reasons.append(_made_up_sum(standing, line))
    reasons.append(how_byes_count(state, [decision.measure for decision in line.decisions]))
    return tuple(filter(None, reasons))


def _deciding(line: Line) -> str:
    if line.shared or not line.decisions:
        return ""
    last_decision = line.decisions[-1]
    return figure(last_decision.measure, last_decision.own)


def _visible_measures(standing: Standing) -> list[Measure]:
    return [measure for measure in standing.measures if not measure.among]


@dataclass(frozen=True, slots=True)
class Cell:
    """A pair's result against another, empty if they never met; `words` is for screen readers."""

    text: str
    words: str
    own: bool = False


@dataclass(frozen=True, slots=True)
class CrossRow:
    """A pair's results against all others, in the order of the standings."""

    rank: str
    name: str
    cells: tuple[Cell, ...]

    @property
    def has_walkover(self) -> bool:
        return any({"+", "−"} & set(cell.text.split()) for cell in self.cells)


def cross_table(state: StageState, standing: Standing, name_of: NameOf) -> list[CrossRow]:
    """The cross-table of pairs in the order of the standings; empty for individuals."""
    if not state.of_pairs or state.stage.format in CLOSED or not state.published:
        return []
    lines = [line for line in standing.lines if line.who not in state.never_drawn]
    order = [line.who for line in lines]
    names = {entry: entry_name(state.entries[entry], name_of) for entry in order}
    matches = _matches_by_pair(state.matches)
    return [
        CrossRow(
            rank=f"={line.rank}" if line.shared else str(line.rank),
            name=names[line.who],
            cells=tuple(
                _cell(matches.get((line.who, other), []), names[other], own=line.who == other)
                for other in order
            ),
        )
        for line in lines
    ]


def _matches_by_pair(
    matches: Iterable[MatchFacts],
) -> dict[tuple[int, int], list[tuple[MatchFacts, int]]]:
    """The matches between each two entries, with the position of the first of the two."""
    by_pair: dict[tuple[int, int], list[tuple[MatchFacts, int]]] = defaultdict(list)
    for match in matches:
        for position, entry in match.sides.items():
            for other in match.entries:
                by_pair[entry, other].append((match, position))
    return by_pair


def _cell(matches: Sequence[tuple[MatchFacts, int]], other: str, *, own: bool) -> Cell:
    if own:
        return Cell("×", "", own=True)
    results = [_result(match, position) for match, position in matches]
    words = [f"{as_label(other)} {outcome}" for _text, outcome in results]
    return Cell(" ".join(text for text, _outcome in results), "; ".join(words))


def _result(match: MatchFacts, position: int) -> tuple[str, str]:
    if not match.over:
        return "…", _("in play")
    share = match.won(position)
    outcome = {Fraction(1): _("won"), Fraction(0): _("lost")}.get(share, _("tied"))
    if not match.played:
        return ("+" if share == 1 else "−"), _("walk-over")
    other = next(p for p in match.sides if p != position)
    if match.best_of > 1:
        own_score, other_score = match.wins[position], match.wins[other]
    else:
        score = match.latest_score or (0, 0)
        own_score, other_score = Fraction(score[position]), Fraction(score[other])
    return f"{figure('points', own_score)}–{figure('points', other_score)}", outcome


@dataclass(frozen=True, slots=True)
class Facts:
    """How large a tournament was: entries, rounds, games that count, and hands, 0 if unknown."""

    entries: int
    rounds: int
    games: int
    hands: int


def facts_of(state: StageState) -> Facts:
    games = [game for match in state.matches for game in match.games if game.over and game.counts]
    hands = sum(game.hands for game in games)
    rounds = sum(not facts.is_undone for facts in state.published)
    return Facts(len(state.entries), rounds, len(games), hands)
