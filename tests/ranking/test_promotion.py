"""Up and down between divisions: worked examples, and the laws that hold for all."""

from hypothesis import given
from hypothesis import strategies as st

from league.ranking.season import DOWN, STAY, UP, DivisionPlace, division_moves


def table(letters: str, *, short: str = "", level: str = "") -> list[DivisionPlace]:
    """People in order; those of `short` have no place, those of `level` share one rank."""
    shared = letters.index(level[0]) + 1 if level else 0
    return [
        DivisionPlace(who, shared if who in level else number, who not in short)
        for number, who in enumerate(letters, 1)
    ]


def moves(divisions: list[list[DivisionPlace]], moving: int) -> tuple[str, str]:
    found = division_moves(divisions, moving, seed="s")
    return tuple(
        "".join(sorted(who for who, move in found.items() if move.outcome == outcome))
        for outcome in (UP, DOWN)
    )


def test_the_first_of_the_lower_and_the_last_of_the_upper_change_places() -> None:
    assert moves([table("abcd"), table("efgh"), table("ijkl")], 1) == ("ei", "dh")
    assert moves([table("abcd"), table("efgh"), table("ijkl")], 2) == ("efij", "cdgh")


def test_nobody_goes_up_from_the_top_or_down_from_the_bottom() -> None:
    assert moves([table("abcd")], 2) == ("", "")
    assert moves([table("abcd"), table("efgh")], 0) == ("", "")


def test_a_middle_division_too_small_for_both_ways_sends_them_up_first() -> None:
    assert moves([table("abcd"), table("efg"), table("ijkl")], 2) == ("efi", "cdg")


def test_who_came_too_seldom_goes_down_first_and_never_up() -> None:
    assert moves([table("abcd", short="a"), table("efgh", short="efg")], 2) == ("h", "a")


def test_level_on_the_border_a_lot_decides_and_both_are_marked() -> None:
    found = division_moves([table("abcd", level="bcd"), table("efgh")], 1, seed="s")
    assert {who for who, move in found.items() if move.by_lot} == {"b", "c", "d"}
    assert sum(found[who].outcome == DOWN for who in "bcd") == 1
    assert found == division_moves([table("abcd", level="bcd"), table("efgh")], 1, seed="s")
    drawn = {
        who
        for seed in map(str, range(40))
        for who, move in division_moves(
            [table("abcd", level="bcd"), table("efgh")], 1, seed=seed
        ).items()
        if move.outcome == DOWN
    }
    assert drawn == {"b", "c", "d"}


people = st.lists(st.tuples(st.integers(1, 4), st.booleans()), max_size=7)


@given(divisions=st.lists(people, min_size=1, max_size=5), moving=st.integers(0, 4))
def test_divisions_keep_their_sizes_and_everybody_moves_one_step_at_most(
    divisions: list[list[tuple[int, bool]]], moving: int
) -> None:
    tables = [
        [DivisionPlace(f"{number}-{place}", *one) for place, one in enumerate(division)]
        for number, division in enumerate(divisions)
    ]
    found = division_moves(tables, moving, seed="s")
    assert set(found) == {one.who for table in tables for one in table}
    step = {UP: -1, STAY: 0, DOWN: 1}
    after = [0] * len(tables)
    for number, table in enumerate(tables):
        for one in table:
            after[number + step[found[one.who].outcome]] += 1
            assert found[one.who].outcome != UP or one.placed
    assert after == [len(table) for table in tables]
