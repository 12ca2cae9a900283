"""Laws every ranked table keeps, over random nights."""

from fractions import Fraction
from itertools import pairwise
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from league.ranking.measures import MEASURES, Tally, merged
from league.ranking.tables import Line, rank
from league.ranking.tie_breaks import meetings
from tests.standings.played import Sheet, chairs_of, tallies_of

PEOPLE = "ABCDEFG"


@st.composite
def sheets(draw: st.DrawFn) -> Sheet:
    size = draw(st.sampled_from([2, 3, 4]))
    seats = tuple(draw(st.permutations(PEOPLE))[:size])
    sides = [draw(st.integers(0, 4)) for _ in range(2 if size == 4 else size)]
    score = tuple(sides[i % len(sides)] for i in range(size))
    return Sheet(seats, score, target=4, hands=draw(st.integers(1, 3)))


nights = st.lists(sheets(), min_size=1, max_size=8)
orders = st.lists(st.sampled_from(sorted(MEASURES)), min_size=1, max_size=4, unique=True)
KEYS = {name: key for key, name in enumerate(PEOPLE)}


def ranked(night: list[Sheet], order: list[str]) -> list[Line]:
    return rank(
        tallies_of(night, KEYS),
        [MEASURES[code] for code in order],
        met=meetings(chairs_of(night, KEYS)),
        seed="s",
    )


@given(nights, orders, st.randoms(use_true_random=False))
def test_the_order_of_entry_never_changes_the_table(
    night: list[Sheet], order: list[str], chance: Random
) -> None:
    shuffled = list(night)
    chance.shuffle(shuffled)
    assert ranked(shuffled, order) == ranked(night, order)


@given(nights, orders)
def test_ranks_start_at_one_and_skip_what_is_shared(night: list[Sheet], order: list[str]) -> None:
    lines = ranked(night, order)
    for line in lines:
        ahead = [other for other in lines if other.rank < line.rank]
        same = [other for other in lines if other.rank == line.rank]
        assert line.rank == 1 + len(ahead)
        assert line.shared == (len(same) > 1)
    assert [line.rank for line in lines] == sorted(line.rank for line in lines)
    assert len({line.who for line in lines}) == len(lines)


@given(nights, orders)
def test_a_better_first_figure_always_stands_ahead(night: list[Sheet], order: list[str]) -> None:
    first = order[0]
    if MEASURES[first].among:
        return
    figures = [line.values[first] for line in ranked(night, order)]
    assert figures == sorted(figures, reverse=True)


@given(nights, orders)
def test_whoever_a_tie_break_parted_is_told_which_and_how(
    night: list[Sheet], order: list[str]
) -> None:
    lines = ranked(night, order)
    first = order[0]
    for upper, lower in pairwise(lines):
        if MEASURES[first].among or upper.values[first] != lower.values[first]:
            continue
        if upper.rank == lower.rank:
            continue
        partings = [
            (one.measure, one.level)
            for one in upper.decisions
            for other in lower.decisions
            if (one.measure, one.level) == (other.measure, other.level)
            and one.own == other.above
            and one.below == other.own
            and one.own > other.own
        ]
        assert partings


@given(nights, orders)
def test_a_shared_rank_means_level_on_every_figure(night: list[Sheet], order: list[str]) -> None:
    lines = ranked(night, order)
    for one in lines:
        for other in lines:
            if one.rank == other.rank:
                assert one.values == other.values
                assert [d.own for d in one.decisions] == [d.own for d in other.decisions]


@given(nights)
def test_head_to_head_in_a_whole_group_adds_up_to_nothing(night: list[Sheet]) -> None:
    met = meetings(chairs_of(night, KEYS))
    assert sum((won - met[pair[::-1]] for pair, won in met.items()), Fraction(0)) == 0


@given(nights)
def test_merging_tallies_changes_no_figure(night: list[Sheet]) -> None:
    for tallies in tallies_of(night, KEYS).values():
        for measure in MEASURES.values():
            if not measure.among:
                assert measure.figure(merged(tallies)) == measure.figure(tallies)


@given(nights)
def test_wins_above_expectation_add_up_to_nothing_at_two_and_three(night: list[Sheet]) -> None:
    """A game has one win to share: what one takes above average the others take below."""
    small = [sheet for sheet in night if len(sheet.seats) < 4]
    tallies = tallies_of(small, KEYS)
    assert sum((MEASURES["above"].figure(t) for t in tallies.values()), Fraction(0)) == 0


def test_a_person_with_no_finished_game_has_figures_all_the_same() -> None:
    playing = {1: [Tally(target=10, hands=3, points=4, against=Fraction(2))]}
    (line,) = rank(playing, [m for m in MEASURES.values() if not m.among])
    assert line.rank == 1
    assert line.values["share"] is None
    assert line.values["difference"] == 2
