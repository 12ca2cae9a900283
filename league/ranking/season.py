"""Seasons: which evenings count and what each is worth, and who moves between divisions.

entrants           `Evening`s and `SeasonRules` -> every player's season (`Entrant`); `counts` is
                   one of TOTAL, AVERAGE, BEST, BEST_GAMES, DROP
ranked_by          what the season's table ranks by; `season_lines` makes the table
division_moves     `DivisionPlace`s -> who goes up and down

Pure and exact. Place points and the evenings that count depend on figures alone, never on the order
in which evenings or players were entered.
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

    `counts`: every evening (`total`), the mean evening (`average`), a player's best `number`
    evenings (`best`) or finished games (`best_games`), or all evenings held except `number`
    (`drop`: missed evenings are dropped first, and one evening always counts). A place requires
    `minimum` evenings. `places` are the points for the first, second, ... of an evening;
    `attendance` is the points for each evening attended.
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
    """One session: its tallies by player and what its own table ranks by. `places` given by a
    tournament in the session take precedence over that table. `games` are each player's tallies
    game by game, in the order of play; only `BEST_GAMES` needs them."""

    key: int
    tallies: Mapping[int, Sequence[Tally]]
    measures: Sequence[Measure]
    met: Meetings = field(default_factory=dict)
    seed: str = ""
    places: Mapping[int, int] = field(default_factory=dict)
    games: Mapping[int, Sequence[Sequence[Tally]]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SeasonTally(Tally):
    """The sums of the evenings that count, with the season's points: `worth` for places, `coming`
    for attendance."""

    worth: Fraction = NOTHING
    coming: Fraction = NOTHING


@dataclass(frozen=True, slots=True)
class Entrant:
    """One player's season: the sums of the evenings that count, how many were `attended` and
    `counted`, the place points of those that count, and how many evenings are `missing` for a
    place. `averaged`: the mean of the place points counts, not their sum. With `BEST_GAMES`,
    `games` is the number of games finished and `counted` how many of these count."""

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
    """Every player's season. Guests who do not count are removed before any evening is ranked."""
    excluded = frozenset() if rules.guests else guests
    counted_evenings = sorted(_without_players(evenings, excluded), key=lambda evening: evening.key)
    places = {evening.key: place_points(evening, rules.places) for evening in counted_evenings}
    evenings_by_player: dict[int, list[Evening]] = {}
    for evening in counted_evenings:
        for player in evening.tallies:
            evenings_by_player.setdefault(player, []).append(evening)
    return {
        player: _entrant_from(player, attended, rules, measures, places, len(counted_evenings))
        for player, attended in evenings_by_player.items()
    }


def _without_players(evenings: Iterable[Evening], excluded: Set[int]) -> list[Evening]:
    remaining = [
        replace(
            evening,
            tallies={player: t for player, t in evening.tallies.items() if player not in excluded},
        )
        for evening in evenings
    ]
    return [evening for evening in remaining if evening.tallies]


def place_points(evening: Evening, points: Sequence[Fraction]) -> dict[int, Fraction]:
    """The points for each player's place in the evening, among those who finished a game. Players
    who share a place split the points of the places it takes up. Places beyond the end of `points`
    give nothing."""
    if not points:
        return {}
    finished = {who: t for who, t in evening.tallies.items() if total(t, "games")}
    places = evening.places
    if not places:
        lines = rank_players(finished, evening.measures, met=evening.met, seed=evening.seed)
        places = {line.who: line.rank for line in lines}
    places_by_player = places_taken(places, finished)
    return dict.fromkeys(evening.tallies, NOTHING) | {
        player: sum(points[place - 1 : place - 1 + places_shared], NOTHING) / places_shared
        for player, (place, places_shared) in places_by_player.items()
    }


def counting(rules: SeasonRules, *, held: int) -> int | None:
    """The most evenings of a player that count, of `held` so far; None for all of them."""
    if rules.counts == BEST:
        return max(1, rules.number)
    if rules.counts == DROP:
        return max(1, held - rules.number)
    return None


def _entrant_from(
    player: int,
    attended: list[Evening],
    rules: SeasonRules,
    measures: Sequence[Measure],
    places: Mapping[int, Mapping[int, Fraction]],
    held: int,
) -> Entrant:
    plain_measures = [measure for measure in measures if not measure.among]
    if rules.counts == BEST_GAMES:
        return _best_games(player, attended, rules, plain_measures)

    def goodness(evening: Evening) -> tuple[Fraction, ...]:
        return (
            places[evening.key].get(player, NOTHING),
            *_measure_figures(evening.tallies[player], plain_measures),
        )

    counted_evenings, limit = attended, counting(rules, held=held)
    if limit is not None or rules.places:
        # The sort is stable: among equally good evenings the earlier one counts.
        counted_evenings = sorted(attended, key=goodness, reverse=True)[:limit]
    tallies = merged(tally for evening in counted_evenings for tally in evening.tallies[player])
    if rules.counts == AVERAGE:
        tallies = averaged(tallies, len(counted_evenings))
    points_earned: tuple[Fraction, ...] = ()
    if rules.places:
        points_earned = tuple(places[evening.key][player] for evening in counted_evenings)
    if rules.gives_points:
        worth = _place_worth(tallies, points_earned, rules, plain_measures)
        tallies = [_with_points(tallies, worth, rules.attendance * len(attended)), *tallies[1:]]
    missing_evenings = max(0, rules.minimum - len(attended))
    mean = rules.counts == AVERAGE
    return Entrant(
        tallies,
        len(attended),
        len(counted_evenings),
        points_earned,
        missing_evenings,
        averaged=mean,
    )


def _best_games(
    player: int, attended: list[Evening], rules: SeasonRules, plain_measures: Sequence[Measure]
) -> Entrant:
    """The season of a player whose best games count. Only games the player finished are considered;
    among equally good ones the earlier counts."""
    games_played = [game for evening in attended for game in evening.games.get(player, ())]
    finished_games = [game for game in games_played if total(game, "games")]
    best_games = sorted(
        finished_games, key=lambda game: _measure_figures(game, plain_measures), reverse=True
    )
    best_games = best_games[: max(1, rules.number)]
    tallies = merged(tally for game in best_games for tally in game) or [Tally()]
    if rules.attendance:
        worth = plain_measures[0].figure(tallies) if plain_measures else NOTHING
        coming = rules.attendance * len(attended)
        tallies = [_with_points(tallies, worth, coming), *tallies[1:]]
    missing_evenings = max(0, rules.minimum - len(attended))
    return Entrant(
        tallies, len(attended), len(best_games), (), missing_evenings, games=len(finished_games)
    )


def _measure_figures(tallies: Tallies, measures: Sequence[Measure]) -> tuple[Fraction, ...]:
    return tuple(measure.figure(tallies) for measure in measures)


def _place_worth(
    tallies: Tallies,
    points_earned: Sequence[Fraction],
    rules: SeasonRules,
    plain_measures: Sequence[Measure],
) -> Fraction:
    """The place points of the evenings that count; without place points, the first measure."""
    if not rules.places:
        return plain_measures[0].figure(tallies) if plain_measures else NOTHING
    return sum(points_earned, NOTHING) / (len(points_earned) if rules.counts == AVERAGE else 1)


def _with_points(tallies: Sequence[Tally], worth: Fraction, coming: Fraction) -> SeasonTally:
    sums = {field.name: getattr(tallies[0], field.name) for field in fields(Tally)}
    return SeasonTally(**sums, worth=worth, coming=coming)


def season_lines(
    season: Mapping[int, Entrant],
    measures: Sequence[Measure],
    *,
    met: Meetings,
    seed: str,
    columns: Sequence[Measure] = (),
) -> list[Line]:
    """The ranked season: players with enough evenings for a place, then the others in order."""
    qualified = {
        player: entrant.tallies for player, entrant in season.items() if not entrant.missing
    }
    unqualified = {player: entrant.tallies for player, entrant in season.items() if entrant.missing}
    lines = rank_players(qualified, measures, met=met, seed=seed, columns=columns)
    lower_lines = rank_players(unqualified, measures, met=met, seed=seed, columns=columns)
    return [*lines, *(_moved_down(line, len(lines)) for line in lower_lines)]


def _moved_down(line: Line, places: int) -> Line:
    return Line(line.who, line.rank + places, line.shared, line.values)


# Between neighbouring divisions as many go up as down, so divisions keep their sizes. No player
# goes both ways. Where players are level at the border, a random draw decides and both sides are
# marked.

UP, STAY, DOWN = "up", "stay", "down"


@dataclass(frozen=True, slots=True)
class DivisionPlace:
    """A player in the final table of a division. `rank` 1 is the first; players who never came have
    the last. `placed`: they attended often enough for a place, and so may go up."""

    who: str
    rank: int
    placed: bool = True


@dataclass(frozen=True, slots=True)
class Move:
    """A player's move; `by_lot` where another player at the same rank has a different outcome."""

    outcome: str = STAY
    by_lot: bool = False


def division_moves(
    divisions: Sequence[Sequence[DivisionPlace]], moving: int, *, seed: str
) -> dict[str, Move]:
    """The proposed moves by player. `divisions` start with the highest; `moving` players go up and
    down at each border.

    Fewer move where a lower division has too few players with a place, or a middle one too few
    players for both borders.
    """
    ordered = [
        sorted(people, key=lambda place: _promotion_order(place, seed)) for people in divisions
    ]
    ups, downs = [0] * len(ordered), [0] * len(ordered)
    for above in range(len(ordered) - 1):
        eligible_count = sum(place.placed for place in ordered[above + 1])
        count = min(moving, eligible_count, len(ordered[above]) - ups[above])
        downs[above] = ups[above + 1] = count
    moves: dict[str, Move] = {}
    for people, up, down in zip(ordered, ups, downs, strict=True):
        moves |= _moves_of_division(people, up, down)
    return moves


def _moves_of_division(people: Sequence[DivisionPlace], up: int, down: int) -> dict[str, Move]:
    """The moves of one division: the best `up` go up, the worst `down` go down."""
    outcomes = [UP] * up + [STAY] * (len(people) - up - down) + [DOWN] * down
    by_level: dict[tuple[bool, int], set[str]] = {}
    for place, outcome in zip(people, outcomes, strict=True):
        by_level.setdefault((place.placed, place.rank), set()).add(outcome)
    return {
        place.who: Move(outcome, by_lot=len(by_level[place.placed, place.rank]) > 1)
        for place, outcome in zip(people, outcomes, strict=True)
    }


def _promotion_order(place: DivisionPlace, seed: str) -> tuple[bool, int, bytes]:
    """Sort key: players with a place by rank, then the others; `seed` decides between equals."""
    lot = hashlib.sha256(f"{seed}:{place.who}".encode()).digest()
    return (not place.placed, place.rank, lot)
