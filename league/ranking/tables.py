"""Ranks entrants by ordered measures and says, wherever a tie-break decided, which and how."""

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
    """One tie-break that parted people who were level on all of `level`.

    `above` is the next better figure in that group, `below` the next worse; None at its ends.
    `sum` holds the numbers `own` is worked out of.
    """

    measure: str
    own: Fraction
    above: Fraction | None
    below: Fraction | None
    level: tuple[tuple[str, Fraction], ...]
    sum: tuple[Fraction, ...] = ()


@dataclass(frozen=True, slots=True)
class Note:
    """What head-to-head could not settle: a `circle` (each beat the next), or two `not_met`;
    `no_points` of somebody: the points of a team's games are not known.

    A circle with `decided` was still parted, by margins. `no_game` of who finished none
    and so stands below all who did.
    """

    kind: str
    people: tuple[int, ...] = ()
    decided: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """One entrant's place. `shared` when somebody else has the same rank.

    A value is None where there is nothing to divide by.
    """

    who: int
    rank: int
    shared: bool
    values: dict[str, Fraction | None]
    decisions: tuple[Decision, ...] = ()
    notes: tuple[Note, ...] = ()


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
    """The ranked table, best first; people whom nothing parts share a rank, in order of key.

    `met` feeds head-to-head, `seed` the lot; the figures of `columns` are worked out too, but
    decide nothing.
    """
    ranking = _Ranking(tallies, met or {}, seed)
    columns = [m for m in dict.fromkeys((*measures, *columns)) if not m.among]
    lines: list[Line] = []
    for group in _parted(sorted(tallies), tuple(measures), (), ranking):
        place = len(lines) + 1
        for who in group:
            values = {m.code: m.value(tallies[who]) for m in columns}
            lines.append(Line(who, place, len(group) > 1, values))
    return [_explained(line, ranking) for line in lines]


def rank_players(
    tallies: Mapping[int, Tallies],
    measures: Sequence[Measure],
    *,
    met: Meetings | None = None,
    seed: str = "",
    columns: Sequence[Measure] = (),
) -> list[Line]:
    """The ranked table of players: anyone who finished no game comes after everybody who has."""
    none = {who: own for who, own in tallies.items() if not total(own, "games")}
    played = {who: own for who, own in tallies.items() if who not in none}
    lines = rank(played, measures, met=met, seed=seed, columns=columns)
    below = rank(none, measures, met=met, seed=seed, columns=columns)
    moved = [replace(line, rank=line.rank + len(lines)) for line in below]
    return [*lines, *_with_note(moved, Note("no_game"))]


def _with_note(lines: Iterable[Line], note: Note) -> list[Line]:
    return [replace(line, notes=(note, *line.notes)) for line in lines]


def in_places(
    lines: Sequence[Line],
    places: Mapping[int, int],
    figures: Mapping[int, Mapping[str, Fraction | None]] | None = None,
) -> list[Line]:
    """The same lines by places given from outside, as a tournament gives them. Who has none comes
    after all who have one, in the order of `lines`.

    `figures` are those that decided the places: they replace the lines' own of the same code, of
    which the points stay, as `GAME_POINTS`. Who has no place has none of them.
    """
    codes = {code for one in (figures or {}).values() for code in one}
    lines = [_with_figures(one, codes, (figures or {}).get(one.who, {})) for one in lines]
    taken = places_taken(places, [line.who for line in lines])
    last = sum(dict(taken.values()).values())
    others = [line for line in lines if line.who not in taken]
    placed = [
        Line(one.who, taken[one.who][0], taken[one.who][1] > 1, one.values)
        for one in lines
        if one.who in taken
    ]
    order = [one.rank for one in others]
    below = [replace(one, rank=last + 1 + sum(rank < one.rank for rank in order)) for one in others]
    return [*sorted(placed, key=lambda line: line.rank), *below]


def _with_figures(
    line: Line, codes: Collection[str], figures: Mapping[str, Fraction | None]
) -> Line:
    values = line.values | {code: figures.get(code) for code in codes}
    if "points" in codes and "points" in line.values:
        values[GAME_POINTS.code] = line.values["points"]
    return replace(line, values=values)


def places_taken(places: Mapping[int, int], here: Collection[int]) -> dict[int, tuple[int, int]]:
    """Of everybody `here` who has a place: the place among them, and how many places it takes up.

    Partners have one place together, which takes up one; two pairs that are tied take up two.
    """
    size, place = _entry_size(places), 1
    taken: dict[int, tuple[int, int]] = {}
    for given in sorted(set(places.values())):
        level = [who for who in here if places.get(who) == given]
        entries = -(-len(level) // size)
        taken |= dict.fromkeys(level, (place, entries))
        place += entries
    return taken


def _entry_size(places: Mapping[int, int]) -> int:
    """How many players share one place: 2 where partners play together, else 1."""
    groups = sorted(Counter(places.values()).items())
    return max((-(-many // (below - at)) for (at, many), (below, _) in pairwise(groups)), default=1)


def _explained(line: Line, ranking: _Ranking) -> Line:
    return replace(
        line,
        decisions=tuple(ranking.decisions.get(line.who, ())),
        notes=tuple(ranking.notes.get(line.who, ())),
    )


def _parted(
    group: list[int],
    measures: tuple[Measure, ...],
    level: tuple[tuple[str, Fraction], ...],
    ranking: _Ranking,
) -> list[list[int]]:
    """`group` in order, as lists of people who stay level after all `measures`."""
    if len(group) < 2 or not measures:
        return [group] if group else []
    measure, rest = measures[0], measures[1:]
    figures, sums = _figures(measure, group, ranking)
    steps = sorted(set(figures.values()), reverse=True)
    if len(steps) == 1:
        if not measure.among and _anybody_has(measure, group, ranking):
            level = (*level, (measure.code, steps[0]))
        return _parted(group, rest, level, ranking)
    parted: list[list[int]] = []
    for place, step in enumerate(steps):
        part = [who for who in group if figures[who] == step]
        if level or measure.among:
            above = steps[place - 1] if place else None
            below = steps[place + 1] if place + 1 < len(steps) else None
            for who in part:
                decision = Decision(measure.code, step, above, below, level, sums[who])
                ranking.decisions.setdefault(who, []).append(decision)
        # Fewer people are level now, so head-to-head among them may say more.
        again = measures if measure is HEAD_TO_HEAD else rest
        now_level = level if measure.among else (*level, (measure.code, step))
        parted += _parted(part, again, now_level, ranking)
    return parted


def _anybody_has(measure: Measure, group: list[int], ranking: _Ranking) -> bool:
    """Whether anybody of the group has this figure at all."""
    return any(measure.value(ranking.tallies[who]) is not None for who in group)


def _figures(
    measure: Measure, group: list[int], ranking: _Ranking
) -> tuple[dict[int, Fraction], dict[int, tuple[Fraction, ...]]]:
    """Each one's figure in this group and the numbers it is worked out of."""
    if measure is HEAD_TO_HEAD:
        return _by_meetings(group, ranking)
    if measure is LOT:
        return {who: _lot(ranking.seed, who) for who in group}, dict.fromkeys(group, ())
    own = {who: ranking.tallies[who] for who in group}
    return (
        {who: measure.figure(tallies) for who, tallies in own.items()},
        {who: measure.parts(tallies) for who, tallies in own.items()},
    )


def _by_meetings(
    group: list[int], ranking: _Ranking
) -> tuple[dict[int, Fraction], dict[int, tuple[Fraction, ...]]]:
    result = head_to_head(group, ranking.met)
    decided = len(set(result.figures.values())) > 1
    note = None
    if result.circle:
        note = Note("circle", result.circle, decided)
    elif result.not_met:
        note = Note("not_met", result.not_met)
    for who in group if note else ():
        ranking.notes.setdefault(who, []).append(note)  # type: ignore[arg-type]
    return result.figures, {who: result.sums.get(who, ()) for who in group}


def _lot(seed: str, who: int) -> Fraction:
    """A number nobody can choose and everybody can work out again: the lot is drawn by `seed`."""
    digest = hashlib.sha256(f"{seed}:{who}".encode()).digest()
    return Fraction(int.from_bytes(digest[:6], "big"))
