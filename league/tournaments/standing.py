"""The table of a stage: entries ranked by the format's measures, ties explained. No database."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from league.ranking.head_to_head import Finish, meetings
from league.ranking.match import MatchFacts
from league.ranking.measures import MEASURES, SUMMED, Measure, Tally, merged, total
from league.ranking.opposition import (
    BUCHHOLZ,
    BUCHHOLZ_CUT1,
    MATCH_POINTS,
    SONNEBORN_BERGER,
    Faced,
    How,
    PairTally,
    opposition,
)
from league.ranking.tables import Line, rank
from league.tournaments.models import Stage
from league.tournaments.picture import Picture

INDIVIDUAL = tuple(MEASURES[code] for code in ("points", "won", "lone_marches"))
ROUND_ROBIN = (
    MATCH_POINTS,
    MEASURES["head_to_head"],
    SONNEBORN_BERGER,
    MEASURES["difference"],
    MEASURES["points"],
)
SWISS = (
    MATCH_POINTS,
    BUCHHOLZ,
    BUCHHOLZ_CUT1,
    SONNEBORN_BERGER,
    MEASURES["difference"],
    MEASURES["points"],
)
BRACKET = (MATCH_POINTS, MEASURES["difference"], MEASURES["points"])
ROTATION = tuple(MEASURES[code] for code in ("won", "above", "share", "points"))
BY_FORMAT: dict[str, tuple[Measure, ...]] = {
    Stage.Format.PROGRESSIVE: INDIVIDUAL,
    Stage.Format.ROTATION: ROTATION,
    Stage.Format.ROUND_ROBIN: ROUND_ROBIN,
    Stage.Format.SWISS: SWISS,
    Stage.Format.KNOCKOUT: BRACKET,
    Stage.Format.GROUPS: BRACKET,
    Stage.Format.DOUBLE: BRACKET,
}


@dataclass(frozen=True, slots=True)
class Standing:
    """A ranked stage. `apart` are points of small tables that do not count into the rank;
    `best_game` each one's highest single game, `struck` entries whose matches count for nobody.
    """

    lines: list[Line]
    measures: tuple[Measure, ...]
    tallies: dict[int, Sequence[Tally]]
    apart: dict[int, int] = field(default_factory=dict)
    best_game: dict[int, int] = field(default_factory=dict)
    struck: frozenset[int] = frozenset()


def standing_of(picture: Picture) -> Standing:
    """Everybody who entered, ranked: of those level on everything nobody is put first."""
    if picture.of_pairs:
        return _of_pairs(picture)
    return _of_individuals(picture)


def _of_individuals(picture: Picture) -> Standing:
    split = picture.stage.format == Stage.Format.PROGRESSIVE and picture.chosen.short_apart
    tallies: dict[int, list[Tally]] = {one: [] for one in picture.entries}
    apart = dict.fromkeys(picture.entries, 0)
    best = dict.fromkeys(picture.entries, 0)
    for match in picture.matches:
        for position, entry in match.sides.items():
            for game in match.games:
                if not game.counts or not game.score:
                    continue
                took = match.tally(game, position)
                best[entry] = max(best[entry], int(took.points) if game.over else 0)
                if split and game.players < 4:
                    apart[entry] += int(took.points)
                else:
                    tallies[entry].append(took)
    measures = BY_FORMAT[picture.stage.format]
    sums: dict[int, Sequence[Tally]] = {who: merged(rows) for who, rows in tallies.items()}
    return Standing(rank(sums, measures), measures, sums, apart, best)


def _of_pairs(picture: Picture) -> Standing:
    struck = struck_out(picture)
    counted = [m for m in picture.matches if not struck & set(m.entries)]
    faced = _faced(picture, struck)
    base = {one: _tally(one, counted) for one in picture.entries}
    worked_out = opposition(faced)
    sums: dict[int, Sequence[Tally]] = {
        who: [PairTally.of(base[who], worked_out[who])] for who in picture.entries
    }
    met = meetings(
        [Finish(e, p, m.won(p)) for p, e in m.sides.items()] for m in counted if m.over and m.played
    )
    measures = BY_FORMAT[picture.stage.format]
    return Standing(rank(sums, measures, met=met), measures, sums, struck=struck)


def struck_out(picture: Picture) -> frozenset[int]:
    """Entries that left a round robin before half their matches: these count for nobody."""
    if picture.stage.format != Stage.Format.ROUND_ROBIN:
        return frozenset()
    due = (len(picture.entries) - 1) * (2 if picture.chosen.twice else 1)
    return frozenset(
        one
        for one, entry in picture.entries.items()
        if entry.withdrawn_at is not None
        and 2 * sum(one in m.entries and bool(m.played) for m in picture.matches) < due
    )


def _faced(picture: Picture, struck: frozenset[int]) -> dict[int, list[Faced]]:
    """Each entry's rounds: whom they played and what they took off them.

    In a Swiss a bye is a win and who is not drawn is away; in a round robin, where everybody has
    a bye, it is nothing.
    """
    swiss = picture.stage.format == Stage.Format.SWISS
    faced: dict[int, list[Faced]] = {one: [] for one in picture.entries}
    for one in picture.published:
        for match in one.matches:
            if match.over and not struck & set(match.entries):
                for position, entry in match.sides.items():
                    faced[entry].append(_met(match, position))
        drawn = {entry for match in one.matches for entry in match.entries}
        for entry in picture.entries if swiss else ():
            if entry in one.byes:
                faced[entry].append(Faced(None, Fraction(1), How.BYE))
            elif entry not in drawn:
                faced[entry].append(Faced(None, Fraction(0), How.AWAY))
    return faced


def _met(match: MatchFacts, position: int) -> Faced:
    took = match.won(position)
    if not match.games:
        return Faced(None, took, How.WALKED_OVER if took else How.ABSENT)
    other = next((entry for place, entry in match.sides.items() if place != position), None)
    return Faced(other, took)


def _tally(entry: int, matches: Iterable[MatchFacts]) -> Tally:
    games = [
        match.tally(game, position)
        for match in matches
        for position, one in match.sides.items()
        if one == entry
        for game in match.games
        if game.counts and game.score
    ]
    return Tally(0, *(total(games, name) for name in SUMMED))
