"""What a season counts: the examples worked by hand, and the laws every season keeps."""

import json
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.ranking.measures import MEASURES, Tally, ordered, total
from league.ranking.season import (
    AVERAGE,
    BEST,
    DROP,
    SEASON_POINTS,
    TOTAL,
    Entrant,
    Evening,
    SeasonRules,
    entrants,
    place_points,
    ranked_by,
    season_lines,
)
from league.ranking.tables import Line

EXAMPLES = sorted(Path("fixtures/season_rules").glob("*.json"))


def rules_of(fields: dict[str, Any]) -> SeasonRules:
    fields = {**fields, "places": tuple(Fraction(p) for p in fields.get("places", ()))}
    return SeasonRules(**{**fields, "attendance": Fraction(fields.get("attendance", 0))})


@pytest.mark.parametrize("path", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_the_season_worked_by_hand_comes_out(path: Path) -> None:
    example = json.loads(path.read_text())
    names = sorted({name for evening in example["evenings"] for name in evening})
    keys = {name: key for key, name in enumerate(names, 1)}
    measures, rules = ordered(example["measures"]), rules_of(example["season"])
    evenings = [
        evening_of(number, {keys[name]: took for name, took in evening.items()}, measures)
        for number, evening in enumerate(example["evenings"])
    ]
    season = entrants(evenings, rules, measures, guests={keys[n] for n in example["guests"]})
    first = ranked_by(measures, rules)[0].code
    lines = season_lines(season, ranked_by(measures, rules), met={}, seed="")
    found = [[names[line.who - 1], line.rank, str(line.values[first])] for line in lines]
    assert found == example["table"]


def evening_of(number: int, taken: dict[int, Any], measures: Any) -> Evening:
    """What everybody took: together, or a list of games."""
    games = {
        who: [[Tally(10, **{"games": 1, **game})] for game in took]
        for who, took in taken.items()
        if isinstance(took, list)
    }
    tallies = {who: [tally for (tally,) in own] for who, own in games.items()} or {
        who: [Tally(10, 4, 40, **took)] for who, took in taken.items()
    }
    return Evening(number, tallies, measures, games=games)


figures = st.builds(
    Tally,
    target=st.sampled_from([10, 15]),
    games=st.sampled_from([3, 0]),
    won=st.integers(0, 3),
    points=st.integers(0, 12),
    against=st.integers(0, 12),
)
PEOPLE = range(1, 6)
nights = st.lists(
    st.dictionaries(st.sampled_from(PEOPLE), st.lists(figures, min_size=1, max_size=2), min_size=1),
    min_size=1,
    max_size=6,
)
BY = (MEASURES["won"], MEASURES["difference"])
listed = st.lists(st.integers(0, 10), max_size=4).map(
    lambda points: tuple(Fraction(p) for p in sorted(points, reverse=True))
)
seasons = st.builds(
    SeasonRules,
    counts=st.sampled_from([TOTAL, AVERAGE, BEST, DROP]),
    number=st.integers(1, 4),
    minimum=st.integers(0, 3),
    guests=st.booleans(),
    places=listed,
    attendance=st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(2)]),
)


def evenings_of(nights: list[dict[int, list[Tally]]]) -> list[Evening]:
    return [Evening(number, took, BY) for number, took in enumerate(nights)]


def table(evenings: list[Evening], rules: SeasonRules) -> tuple[dict[int, Entrant], list[Line]]:
    season = entrants(evenings, rules, BY, guests={2, 4})
    return season, season_lines(season, ranked_by(BY, rules), met={}, seed="s")


@given(nights, seasons, st.randoms(use_true_random=False))
def test_the_order_of_entry_never_changes_a_season(
    nights: list[dict[int, list[Tally]]], rules: SeasonRules, chance: Random
) -> None:
    evenings = evenings_of(nights)
    mixed = []
    for night in evenings:
        took = [(who, chance.sample(t, len(t))) for who, t in night.tallies.items()]
        chance.shuffle(took)
        mixed.append(Evening(night.key, dict(took), BY))
    chance.shuffle(mixed)
    assert table(mixed, rules)[1] == table(evenings, rules)[1]


@given(nights, seasons)
def test_nobody_counts_more_evenings_than_they_came_to(
    nights: list[dict[int, list[Tally]]], rules: SeasonRules
) -> None:
    season, _lines = table(evenings_of(nights), rules)
    for who, one in season.items():
        assert one.attended == sum(who in night for night in nights)
        assert 1 <= one.counted <= one.attended
        assert rules.counts in (BEST, DROP) or one.counted == one.attended


@given(nights, seasons)
def test_whoever_lacks_evenings_stands_below_everybody_with_a_place(
    nights: list[dict[int, list[Tally]]], rules: SeasonRules
) -> None:
    season, lines = table(evenings_of(nights), rules)
    lacking = [season[line.who].missing > 0 for line in lines]
    assert lacking == sorted(lacking)
    assert {line.who for line in lines} == season.keys()


@given(nights, listed)
def test_an_evening_gives_away_just_the_points_of_the_places_taken(
    nights: list[dict[int, list[Tally]]], points: tuple[Fraction, ...]
) -> None:
    for night in evenings_of(nights):
        given_away = place_points(night, points)
        finishers = [who for who, took in night.tallies.items() if total(took, "games")]
        assert sum(given_away.values()) == sum(points[: len(finishers)])
        assert not any(given_away.get(who) for who in night.tallies if who not in finishers)


@given(nights, listed.filter(bool), st.integers(1, 3))
def test_one_more_evening_never_lowers_the_points_of_the_best_ones(
    nights: list[dict[int, list[Tally]]], points: tuple[Fraction, ...], number: int
) -> None:
    rules = SeasonRules(counts=BEST, number=number, places=points)
    before, _lines = table(evenings_of(nights[:-1]), rules) if nights[:-1] else ({}, [])
    after, _lines = table(evenings_of(nights), rules)
    for who, one in before.items():
        assert SEASON_POINTS.figure(after[who].tallies) >= SEASON_POINTS.figure(one.tallies)


@given(nights, listed)
def test_the_best_of_as_many_as_were_held_is_the_total(
    nights: list[dict[int, list[Tally]]], points: tuple[Fraction, ...]
) -> None:
    everything = table(evenings_of(nights), SeasonRules(places=points))[1]
    best = SeasonRules(counts=BEST, number=len(nights), places=points)
    drop = SeasonRules(counts=DROP, number=0, places=points)
    assert table(evenings_of(nights), best)[1] == everything
    assert table(evenings_of(nights), drop)[1] == everything
