"""Ranks entrants by a list of measures and records which tie-breaks decided, and how."""

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise

from league.ranking.measures import (
    GAME_POINTS,
    HEAD_TO_HEAD,
    LOT,
    Measure,
    Tallies,
    total,
)
from league.ranking.tie_breaks import Meetings, head_to_head


@dataclass(frozen=True, slots=True)
class Decision:
    """A tie-break that separated entrants who were level on every measure in `level`.

    `above` is the next better figure in that group, `below` the next worse; None at its ends.
    `better` and `worse` are the entrants with these figures. `sum` holds the numbers that `own` is
    computed from.
    """

    measure: str
    own: Fraction
    above: Fraction | None
    below: Fraction | None
    level: tuple[tuple[str, Fraction], ...]
    sum: tuple[Fraction, ...] = ()
    better: tuple[int, ...] = ()
    worse: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Note:
    """A remark on a line. Its `kind` is one of:

    - `circle`: head-to-head went round, each beating the next; with `decided`, margins still
      separated them.
    - `not_met`: two of the group never met, so head-to-head says nothing.
    - `no_points`: the points of a team's games are not known.
    - `no_game`: the entrant finished no game and so ranks below all who did.
    """

    kind: str
    people: tuple[int, ...] = ()
    decided: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """One entrant's place. `shared` when another entrant has the same rank.

    A value is None where there is nothing to divide by.
    """

    who: int
    rank: int
    shared: bool
    values: dict[str, Fraction | None]
    decisions: tuple[Decision, ...] = ()
    notes: tuple[Note, ...] = ()

    @property
    def deciding(self) -> str:
        """The code of the tie-break that decided this place; empty without one."""
        return self.decisions[-1].measure if self.decisions else ""


@dataclass(slots=True)
class _Ranking:
    tallies: Mapping[int, Tallies]
    met: Meetings
    seed: str
    decisions: dict[int, list[Decision]] = field(default_factory=dict)
    notes: dict[int, list[Note]] = field(default_factory=dict)


def rank(
    tallies: Mapping[int, Tallies],
    measures: Sequence[Measure],
    *,
    met: Meetings | None = None,
    seed: str = "",
    columns: Sequence[Measure] = (),
) -> list[Line]:
    """The ranked table, best first. Entrants that nothing separates share a rank, in order of key.

    `met` feeds head-to-head and `seed` the random draw; the figures of `columns` are computed too,
    but decide nothing.
    """
    ranking = _Ranking(tallies, met or {}, seed)
    columns = [m for m in dict.fromkeys((*measures, *columns)) if not m.among]
    lines: list[Line] = []
    for group in _split_ties(sorted(tallies), tuple(measures), (), ranking):
        place = len(lines) + 1
        for entrant in group:
            values = {m.code: m.value(tallies[entrant]) for m in columns}
            lines.append(Line(entrant, place, len(group) > 1, values))
    return [_with_explanations(line, ranking) for line in lines]


def rank_players(
    tallies: Mapping[int, Tallies],
    measures: Sequence[Measure],
    *,
    met: Meetings | None = None,
    seed: str = "",
    columns: Sequence[Measure] = (),
) -> list[Line]:
    """The ranked table of players; those who finished no game come after all who did."""
    without_games = {
        entrant: own_tallies
        for entrant, own_tallies in tallies.items()
        if not total(own_tallies, "games")
    }
    with_games = {
        entrant: own_tallies
        for entrant, own_tallies in tallies.items()
        if entrant not in without_games
    }
    lines = rank(with_games, measures, met=met, seed=seed, columns=columns)
    lines_without_games = rank(without_games, measures, met=met, seed=seed, columns=columns)
    shifted = [replace(line, rank=line.rank + len(lines)) for line in lines_without_games]
    return [*lines, *_with_note(shifted, Note("no_game"))]


def _with_note(lines: Iterable[Line], note: Note) -> list[Line]:
    return [replace(line, notes=(note, *line.notes)) for line in lines]


def in_places(
    lines: Sequence[Line],
    places: Mapping[int, int],
    figures: Mapping[int, Mapping[str, Fraction | None]] | None = None,
) -> list[Line]:
    """The same lines ranked by given places, for example those of a tournament. Entrants with the
    same place, such as partners, are in the order of `places`. Entrants with a place but no line,
    such as a pair before its first game, take it up too. Entrants without a place come after all
    who have one, in the order of `lines`.

    `figures` are the values that decided the places. They replace the values of the same code in
    the lines; the replaced points remain as `GAME_POINTS`. Entrants without a place get None.
    """
    codes = {code for values in (figures or {}).values() for code in values}
    lines = [_with_figures(line, codes, (figures or {}).get(line.who, {})) for line in lines]
    places_by_entrant = places_taken(places, places)
    places_in_use = sum(dict(places_by_entrant.values()).values())
    unplaced_lines = [line for line in lines if line.who not in places_by_entrant]
    placed_lines = [
        Line(
            line.who,
            rank=places_by_entrant[line.who][0],
            shared=places_by_entrant[line.who][1] > 1,
            values=line.values,
        )
        for line in lines
        if line.who in places_by_entrant
    ]
    unplaced_ranks = [line.rank for line in unplaced_lines]
    shifted = [
        replace(line, rank=places_in_use + 1 + sum(rank < line.rank for rank in unplaced_ranks))
        for line in unplaced_lines
    ]
    given_order = {entrant: number for number, entrant in enumerate(places)}
    placed_lines.sort(key=lambda line: (line.rank, given_order[line.who]))
    return [*placed_lines, *shifted]


def _with_figures(
    line: Line, codes: Collection[str], figures: Mapping[str, Fraction | None]
) -> Line:
    values = line.values | {code: figures.get(code) for code in codes}
    if "points" in codes and "points" in line.values:
        values[GAME_POINTS.code] = line.values["points"]
    return replace(line, values=values)


def places_taken(
    places: Mapping[int, int], entrants: Collection[int]
) -> dict[int, tuple[int, int]]:
    """For each of `entrants` with a place: their place among these entrants, and the number of
    places it takes up.

    Partners share one place, which takes up one; two tied pairs take up two.
    """
    size, place = _entry_size(places), 1
    places_by_entrant: dict[int, tuple[int, int]] = {}
    for given_place in sorted(set(places.values())):
        tied = [entrant for entrant in entrants if places.get(entrant) == given_place]
        entries = -(-len(tied) // size)
        places_by_entrant |= dict.fromkeys(tied, (place, entries))
        place += entries
    return places_by_entrant


def _entry_size(places: Mapping[int, int]) -> int:
    """The number of players who share one place: 2 where partners play together, else 1."""
    groups = sorted(Counter(places.values()).items())
    return max(
        (-(-count // (next_place - place)) for (place, count), (next_place, _) in pairwise(groups)),
        default=1,
    )


def _with_explanations(line: Line, ranking: _Ranking) -> Line:
    return replace(
        line,
        decisions=tuple(ranking.decisions.get(line.who, ())),
        notes=tuple(ranking.notes.get(line.who, ())),
    )


def _split_ties(
    group: list[int],
    measures: tuple[Measure, ...],
    level: tuple[tuple[str, Fraction], ...],
    ranking: _Ranking,
) -> list[list[int]]:
    """`group` from best to worst, as lists of entrants still level after all `measures`."""
    if len(group) < 2 or not measures:
        return [group] if group else []
    measure, later_measures = measures[0], measures[1:]
    figures, sums = _figures(measure, group, ranking)
    steps = sorted(set(figures.values()), reverse=True)
    if len(steps) == 1:
        if not measure.among and _any_has_value(measure, group, ranking):
            level = (*level, (measure.code, steps[0]))
        return _split_ties(group, later_measures, level, ranking)
    if level or measure.among:
        _record_decisions(measure, figures, sums, level, ranking)
    subgroups: list[list[int]] = []
    for step in steps:
        subgroup = [entrant for entrant in group if figures[entrant] == step]
        # Fewer entrants are level now, so head-to-head among them may say more.
        next_measures = measures if measure is HEAD_TO_HEAD else later_measures
        next_level = level if measure.among else (*level, (measure.code, step))
        subgroups += _split_ties(subgroup, next_measures, next_level, ranking)
    return subgroups


def _record_decisions(
    measure: Measure,
    figures: Mapping[int, Fraction],
    sums: Mapping[int, tuple[Fraction, ...]],
    level: tuple[tuple[str, Fraction], ...],
    ranking: _Ranking,
) -> None:
    """Record for each entrant of a group that `measure` has separated it, by these figures."""
    steps = sorted(set(figures.values()), reverse=True)
    for entrant, figure in figures.items():
        place = steps.index(figure)
        above = steps[place - 1] if place else None
        below = steps[place + 1] if place + 1 < len(steps) else None
        better, worse = (
            tuple(other for other, value in figures.items() if value == step)
            for step in (above, below)
        )
        decision = Decision(measure.code, figure, above, below, level, sums[entrant], better, worse)
        ranking.decisions.setdefault(entrant, []).append(decision)


def _any_has_value(measure: Measure, group: list[int], ranking: _Ranking) -> bool:
    """Whether anyone in the group has a value for this measure."""
    return any(measure.value(ranking.tallies[entrant]) is not None for entrant in group)


def _figures(
    measure: Measure, group: list[int], ranking: _Ranking
) -> tuple[dict[int, Fraction], dict[int, tuple[Fraction, ...]]]:
    """Each entrant's figure within this group, and the numbers it is computed from."""
    if measure is HEAD_TO_HEAD:
        return _head_to_head_figures(group, ranking)
    if measure is LOT:
        return {entrant: _random_draw(ranking.seed, entrant) for entrant in group}, dict.fromkeys(
            group, ()
        )
    tallies_by_entrant = {entrant: ranking.tallies[entrant] for entrant in group}
    return (
        {entrant: measure.figure(tallies) for entrant, tallies in tallies_by_entrant.items()},
        {entrant: measure.parts(tallies) for entrant, tallies in tallies_by_entrant.items()},
    )


def _head_to_head_figures(
    group: list[int], ranking: _Ranking
) -> tuple[dict[int, Fraction], dict[int, tuple[Fraction, ...]]]:
    result = head_to_head(group, ranking.met)
    decided = len(set(result.figures.values())) > 1
    note = None
    if result.circle:
        note = Note("circle", result.circle, decided)
    elif result.not_met:
        note = Note("not_met", result.not_met)
    for entrant in group if note else ():
        ranking.notes.setdefault(entrant, []).append(note)  # type: ignore[arg-type]
    return result.figures, {entrant: result.sums.get(entrant, ()) for entrant in group}


def _random_draw(seed: str, entrant: int) -> Fraction:
    """A number that no one can choose and anyone can recompute from `seed`."""
    digest = hashlib.sha256(f"{seed}:{entrant}".encode()).digest()
    return Fraction(int.from_bytes(digest[:6], "big"))
