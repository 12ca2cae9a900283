"""Seasons: which evenings count and what each is worth, and who moves between divisions.

entrants           `Evening`s and `SeasonRules` -> everybody's season (`Entrant`); `counts` is
                   one of TOTAL, AVERAGE, BEST, BEST_GAMES, DROP
ranked_by          what the season's table ranks by; `season_lines` makes the table
division_moves     `DivisionPlace`s -> who goes up and down

Pure and exact. An evening's place points and the evenings chosen follow from figures alone, so the
order in which evenings or people were written down never matters.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction

from league.ranking.measures import (
    NOTHING,
    Measure,
    Tallies,
    Tally,
    averaged,
    merged,
    total,
)
from league.ranking.tables import Line, places_taken, rank_players
from league.ranking.tie_breaks import Meetings

__all__ = [
    "AVERAGE",
    "BEST",
    "BEST_GAMES",
    "DROP",
    "DivisionPlace",
    "Entrant",
    "Evening",
    "SeasonRules",
    "division_moves",
    "entrants",
    "ranked_by",
    "season_lines",
]

TOTAL, AVERAGE, BEST, BEST_GAMES, DROP = "total", "average", "best", "best_games", "drop"


@dataclass(frozen=True, slots=True)
class SeasonRules:
    """What a season counts.

    `counts`: every evening (`total`), the mean evening (`average`), the best `number` of a person
    (`best`), of their finished games the best `number` (`best_games`), or all evenings held but
    `number` (`drop`: an evening missed is the first to go, and one always counts). `minimum`
    evenings are needed for a place. `places` are the points for the first, second, ... of an
    evening; `attendance` the points for each evening somebody came.
    """

    counts: str = TOTAL
    number: int = 0
    minimum: int = 0
    guests: bool = True
    places: tuple[Fraction, ...] = ()
    attendance: Fraction = NOTHING

    @property
    def gives_points(self) -> bool:
        """Whether the table ranks by points of its own before the club's measures."""
        return bool(self.places or self.attendance)


@dataclass(frozen=True, slots=True)
class Evening:
    """One session: who took what, and what its own table ranks by; `places` that a tournament in
    it gave go before that. `games` are everybody's tallies game by game, in the order of play:
    only the best games of a season need them."""

    key: int
    tallies: Mapping[int, Sequence[Tally]]
    measures: Sequence[Measure]
    met: Meetings = field(default_factory=dict)
    seed: str = ""
    places: Mapping[int, int] = field(default_factory=dict)
    games: Mapping[int, Sequence[Sequence[Tally]]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SeasonTally(Tally):
    """The sums of the evenings that count, with the season's points: for places, for coming."""

    worth: Fraction = NOTHING
    coming: Fraction = NOTHING


@dataclass(frozen=True, slots=True)
class Entrant:
    """One person's season: the sums of the evenings that count, how many that are of those
    attended, their place points, and how many evenings are missing for a place. `averaged`: the
    mean of the place points counts, not their sum. Of best games, `games` is how many were
    finished, and `counted` how many of these count."""

    tallies: list[Tally]
    attended: int
    counted: int
    places: tuple[Fraction, ...] = ()
    missing: int = 0
    averaged: bool = False
    games: int = 0


def _season_points(tallies: Tallies) -> Fraction:
    return sum(_points_parts(tallies), NOTHING)


def _points_parts(tallies: Tallies) -> tuple[Fraction, ...]:
    season = [tally for tally in tallies if isinstance(tally, SeasonTally)]
    return (
        sum((tally.worth for tally in season), NOTHING),
        sum((tally.coming for tally in season), NOTHING),
    )


SEASON_POINTS = Measure("season_points", _season_points, _points_parts)


def ranked_by(measures: Sequence[Measure], rules: SeasonRules) -> tuple[Measure, ...]:
    """What the season ranks by: its points first where it gives any, then the club's measures."""
    return (SEASON_POINTS, *measures) if rules.gives_points else tuple(measures)


def entrants(
    evenings: Iterable[Evening],
    rules: SeasonRules,
    measures: Sequence[Measure],
    *,
    guests: Set[int] = frozenset(),
) -> dict[int, Entrant]:
    """Everybody's season. Guests who do not count are taken out before any evening is ranked."""
    out = frozenset() if rules.guests else guests
    nights = sorted(_without(evenings, out), key=lambda evening: evening.key)
    places = {night.key: place_points(night, rules.places) for night in nights}
    came: dict[int, list[Evening]] = {}
    for night in nights:
        for who in night.tallies:
            came.setdefault(who, []).append(night)
    return {
        who: _entrant(who, attended, rules, measures, places, len(nights))
        for who, attended in came.items()
    }


def _without(evenings: Iterable[Evening], out: Set[int]) -> list[Evening]:
    kept = [
        replace(night, tallies={who: t for who, t in night.tallies.items() if who not in out})
        for night in evenings
    ]
    return [evening for evening in kept if evening.tallies]


def place_points(evening: Evening, points: Sequence[Fraction]) -> dict[int, Fraction]:
    """The points for each one's place in the evening; who share a place share the points of the
    places they take up. Places after the last that is listed give nothing."""
    if not points:
        return {}
    lines = rank_players(evening.tallies, evening.measures, met=evening.met, seed=evening.seed)
    places = evening.places or {line.who: line.rank for line in lines}
    taken = places_taken(places, evening.tallies)
    return dict.fromkeys(evening.tallies, NOTHING) | {
        who: sum(points[place - 1 : place - 1 + many], NOTHING) / many
        for who, (place, many) in taken.items()
    }


def counting(rules: SeasonRules, *, held: int) -> int | None:
    """How many evenings of a person count at most, of `held` so far; None: all of them."""
    if rules.counts == BEST:
        return max(1, rules.number)
    if rules.counts == DROP:
        return max(1, held - rules.number)
    return None


def _entrant(
    who: int,
    attended: list[Evening],
    rules: SeasonRules,
    measures: Sequence[Measure],
    places: Mapping[int, Mapping[int, Fraction]],
    held: int,
) -> Entrant:
    plain = [measure for measure in measures if not measure.among]
    if rules.counts == BEST_GAMES:
        return _best_games(who, attended, rules, plain)

    def goodness(night: Evening) -> tuple[Fraction, ...]:
        return (places[night.key].get(who, NOTHING), *_figures(night.tallies[who], plain))

    chosen, most = attended, counting(rules, held=held)
    if most is not None or rules.places:
        # Sorting keeps the order of the evenings among equals: the earlier one counts.
        chosen = sorted(attended, key=goodness, reverse=True)[:most]
    tallies = merged(tally for night in chosen for tally in night.tallies[who])
    if rules.counts == AVERAGE:
        tallies = averaged(tallies, len(chosen))
    earned = tuple(places[night.key][who] for night in chosen) if rules.places else ()
    if rules.gives_points:
        worth = _worth(tallies, earned, rules, plain)
        tallies = [_with_points(tallies, worth, rules.attendance * len(attended)), *tallies[1:]]
    missing = max(0, rules.minimum - len(attended))
    mean = rules.counts == AVERAGE
    return Entrant(tallies, len(attended), len(chosen), earned, missing, averaged=mean)


def _best_games(
    who: int, attended: list[Evening], rules: SeasonRules, plain: Sequence[Measure]
) -> Entrant:
    """Only games that somebody finished; of equally good ones the earlier counts."""
    played = [game for night in attended for game in night.games.get(who, ())]
    ended = [game for game in played if total(game, "games")]
    chosen = sorted(ended, key=lambda game: _figures(game, plain), reverse=True)
    chosen = chosen[: max(1, rules.number)]
    tallies = merged(tally for game in chosen for tally in game) or [Tally()]
    if rules.attendance:
        worth = plain[0].figure(tallies) if plain else NOTHING
        coming = rules.attendance * len(attended)
        tallies = [_with_points(tallies, worth, coming), *tallies[1:]]
    missing = max(0, rules.minimum - len(attended))
    return Entrant(tallies, len(attended), len(chosen), (), missing, games=len(ended))


def _figures(tallies: Tallies, plain: Sequence[Measure]) -> tuple[Fraction, ...]:
    return tuple(measure.figure(tallies) for measure in plain)


def _worth(
    tallies: Tallies, earned: Sequence[Fraction], rules: SeasonRules, plain: Sequence[Measure]
) -> Fraction:
    """The place points of the evenings that count; without any, the club's first measure."""
    if not rules.places:
        return plain[0].figure(tallies) if plain else NOTHING
    return sum(earned, NOTHING) / (len(earned) if rules.counts == AVERAGE else 1)


def _with_points(tallies: Sequence[Tally], worth: Fraction, coming: Fraction) -> SeasonTally:
    sums = {one.name: getattr(tallies[0], one.name) for one in fields(Tally)}
    return SeasonTally(**sums, worth=worth, coming=coming)


def season_lines(
    season: Mapping[int, Entrant],
    measures: Sequence[Measure],
    *,
    met: Meetings,
    seed: str,
    columns: Sequence[Measure] = (),
) -> list[Line]:
    """The ranked season: first who came often enough for a place, then the others in order."""
    enough = {who: one.tallies for who, one in season.items() if not one.missing}
    others = {who: one.tallies for who, one in season.items() if one.missing}
    lines = rank_players(enough, measures, met=met, seed=seed, columns=columns)
    below = rank_players(others, measures, met=met, seed=seed, columns=columns)
    return [*lines, *(_moved_down(line, len(lines)) for line in below)]


def _moved_down(line: Line, by: int) -> Line:
    return Line(line.who, line.rank + by, line.shared, line.values)


# Between two neighbours as many go up as go down, so divisions keep their sizes. Nobody goes both
# ways. Where people are level on the border, a lot decides, and both sides of it are marked.

UP, STAY, DOWN = "up", "stay", "down"


@dataclass(frozen=True, slots=True)
class DivisionPlace:
    """Somebody in the final table of a division. `rank` 1 is the first; who never came has the
    last. `placed`: they came often enough for a place, and so may go up."""

    who: str
    rank: int
    placed: bool = True


@dataclass(frozen=True, slots=True)
class Move:
    """What becomes of somebody; `by_lot` where somebody level with them goes the other way."""

    outcome: str = STAY
    by_lot: bool = False


def division_moves(
    divisions: Sequence[Sequence[DivisionPlace]], moving: int, *, seed: str
) -> dict[str, Move]:
    """The proposed moves, the highest division first; `moving` go up and down at each border.

    Fewer do where a lower division has too few with a place, or a middle one too few people for
    both borders.
    """
    ordered = [sorted(people, key=lambda one: _order(one, seed)) for people in divisions]
    ups, downs = [0] * len(ordered), [0] * len(ordered)
    for above in range(len(ordered) - 1):
        fit = sum(one.placed for one in ordered[above + 1])
        count = min(moving, fit, len(ordered[above]) - ups[above])
        downs[above] = ups[above + 1] = count
    moves: dict[str, Move] = {}
    for people, up, down in zip(ordered, ups, downs, strict=True):
        moves |= _decided(people, up, down)
    return moves


def _decided(people: Sequence[DivisionPlace], up: int, down: int) -> dict[str, Move]:
    """The best `up` of a division go up, the worst `down` go down."""
    outcomes = [UP] * up + [STAY] * (len(people) - up - down) + [DOWN] * down
    by_level: dict[tuple[bool, int], set[str]] = {}
    for one, outcome in zip(people, outcomes, strict=True):
        by_level.setdefault((one.placed, one.rank), set()).add(outcome)
    return {
        one.who: Move(outcome, by_lot=len(by_level[one.placed, one.rank]) > 1)
        for one, outcome in zip(people, outcomes, strict=True)
    }


def _order(one: DivisionPlace, seed: str) -> tuple[bool, int, bytes]:
    """Those with a place by rank, then the others; level people by a lot anybody can draw again."""
    lot = hashlib.sha256(f"{seed}:{one.who}".encode()).digest()
    return (not one.placed, one.rank, lot)
