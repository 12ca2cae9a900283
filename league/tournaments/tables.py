"""The standings of a stage as text: ranked rows, the cross-table, the prizes."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.labels import as_label
from league.ranking import Line
from league.ranking.match_facts import MatchFacts
from league.ranking.measures import Measure, total
from league.standings.cached_tables import Place
from league.standings.labels import LABELS, Label, Text, figure, spoken
from league.standings.text import decided_by, explained, tie_break
from league.tournaments.draws.knockout import bracket_of, corrections
from league.tournaments.models import Stage
from league.tournaments.queries import NameOf, entry_name, entry_places, is_no_show
from league.tournaments.stage_state import BRACKETS, CLOSED, StageState
from league.tournaments.standing import Standing, standing_of
from league.tournaments.text import how_byes_count

FIRST_THREE = 3
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
    return labels + [Label(head, head, "") for head in _extra_headings(state, standing)]


def codes_of(standing: Standing) -> list[str]:
    """The codes of the measures that the first columns show."""
    return [measure.code for measure in _visible_measures(standing)]


def _extra_headings(state: StageState, standing: Standing) -> list[Text]:
    heads: list[Text] = []
    if any(standing.small_table_points.values()):
        heads.append(_("At small tables"))
    if not state.of_pairs:
        heads.append(_("Best game"))
    return heads


def rows_of(
    state: StageState,
    standing: Standing,
    name_of: NameOf,
    before: Mapping[int, int] | None = None,
) -> list[Row]:
    """A row for each entry, best first; `before` are the ranks before the latest round."""
    names = {key: entry_name(entry, name_of) for key, entry in state.entries.items()}
    if state.in_bracket:
        return _bracket_rows(state, standing, names)
    rows = [_row(state, standing, line, names) for line in standing.lines]
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
    if any(standing.small_table_points.values()):
        cells.append(str(standing.small_table_points[line.who]))
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
        why=_reasons(state, line, names) if state.published else (),
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


def _reasons(state: StageState, line: Line, names: Mapping[int, str]) -> tuple[str, ...]:
    """Why an entry has its place; with how a bye counts where the opponents' points decided."""
    reasons = explained(line, names.__getitem__)
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

    rank: int
    name: str
    cells: tuple[Cell, ...]

    @property
    def has_walkover(self) -> bool:
        return any({"+", "−"} & set(cell.text.split()) for cell in self.cells)


def cross_table(state: StageState, standing: Standing, name_of: NameOf) -> list[CrossRow]:
    """The cross-table of pairs in the order of the standings; empty for individuals."""
    if not state.of_pairs or state.stage.format in CLOSED or not state.published:
        return []
    order = [line.who for line in standing.lines]
    names = {entry: entry_name(state.entries[entry], name_of) for entry in order}
    matches = _matches_by_pair(state.matches)
    return [
        CrossRow(
            rank=place,
            name=names[entry],
            cells=tuple(
                _cell(matches.get((entry, other), []), names[other], own=entry == other)
                for other in order
            ),
        )
        for place, entry in enumerate(order, 1)
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


@dataclass(frozen=True, slots=True)
class Prize:
    """A prize: its title, the winners, and the figure that earned it.

    A `special` one goes only to entries that have no other prize.
    """

    title: str
    names: tuple[str, ...]
    figure: str
    special: bool = False


def prizes(state: StageState, standing: Standing, name_of: NameOf) -> list[Prize]:
    """First to third, most lone marches, best game, in Progressive Euchre also last: nobody takes
    a second prize.

    Entries that share a place share its prize.
    """
    names = {key: entry_name(entry, name_of) for key, entry in state.entries.items()}
    if not state.published or not any(standing.tallies.values()):
        return []
    if state.in_bracket:
        return _bracket_prizes(state, names)
    if state.of_pairs:
        return _podium_prizes(standing, names)
    honoured = {line.who for line in standing.lines if line.rank <= FIRST_THREE}
    special = _special_prizes(standing, names, honoured, _targets_of(state))
    if state.stage.format == Stage.Format.PROGRESSIVE:
        special += _booby_prize(standing, names, honoured)
    return _podium_prizes(standing, names) + special


def _targets_of(state: StageState) -> set[int]:
    """The scores at which games of a stage are won."""
    return {game.target for match in state.matches for game in match.games}


def _podium_prizes(standing: Standing, names: dict[int, str]) -> list[Prize]:
    awarded: list[Prize] = []
    code = standing.measures[0].code
    for rank, title in {1: _("First"), 2: _("Second"), 3: _("Third")}.items():
        winners = [line for line in standing.lines if line.rank == rank]
        if winners:
            label = spoken(code, winners[0].values[code])
            awarded.append(Prize(title, tuple(names[line.who] for line in winners), label))
    return awarded


def _bracket_prizes(state: StageState, names: dict[int, str]) -> list[Prize]:
    if corrections(state):
        return []
    bracket = bracket_of(state)
    champions = [
        (_("First"), bracket.champion),
        (_("Consolation"), bracket.consolation_champion),
    ]
    titles = [
        Prize(title, (names[int(entry)],), "") for title, entry in champions if entry is not None
    ]
    runners_up: list[Prize] = []
    for rank, title in ((2, _("Second")), (3, _("Third"))) if bracket.champion is not None else ():
        placed = tuple(
            names[int(entry)] for entry, place in bracket.places().items() if place == rank
        )
        if placed:
            runners_up.append(Prize(title, placed, ""))
    return titles[:1] + runners_up + titles[1:]


def _special_prizes(
    standing: Standing, names: dict[int, str], honoured: set[int], targets: set[int]
) -> list[Prize]:
    """The special prizes, each for entries that are not among the `honoured`; adds them there.

    A best game that several share because each won theirs at the target is no feat.
    """
    lone_marches = {
        entry: int(total(rows, "lone_marches")) for entry, rows in standing.tallies.items()
    }
    contests = [
        (
            _("Most lone marches"),
            lone_marches,
            lambda n: ngettext("%(n)d lone march", "%(n)d lone marches", n),
        ),
        (
            _("Best single game"),
            standing.best_game,
            lambda n: ngettext("%(n)d point", "%(n)d points", n),
        ),
    ]
    awarded = []
    for title, counts, figure_text in contests:
        best, winners = _best_entries(counts, honoured)
        is_usual = counts is standing.best_game and len(winners) > 1 and best in targets
        if best and not is_usual:
            honoured.update(winners)
            text = figure_text(best) % {"n": best}
            awarded.append(
                Prize(title, tuple(names[entry] for entry in winners), text, special=True)
            )
    return awarded


def _booby_prize(
    standing: Standing, names: dict[int, str], honoured: Collection[int]
) -> list[Prize]:
    """The prize for the last place, a custom of Progressive Euchre."""
    line = standing.lines[-1]
    if line.who in honoured or line.rank <= FIRST_THREE or line.shared:
        return []
    return [Prize(_("Booby prize"), (names[line.who],), _("last"), special=True)]


def _best_entries(counts: Mapping[int, int], excluded: Collection[int]) -> tuple[int, list[int]]:
    """The highest count and the entries that have it; 0 and nobody if all counts are 0."""
    candidates = {key: count for key, count in counts.items() if key not in excluded and count}
    best = max(candidates.values(), default=0)
    return best, [key for key, count in candidates.items() if count == best]
