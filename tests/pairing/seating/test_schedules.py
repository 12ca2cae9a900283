"""Every embedded schedule and rotation is checked again, by one who shares no code with us."""

import json
from pathlib import Path

import pytest

from league.pairing.seating import PlayedRound, certificate, schedules
from league.pairing.seating.table_layout import shape_of
from league.pairing.seating.table_sizes import composition
from tests.pairing.seating.judging import judge

BOOK = json.loads(Path(schedules.__file__).with_name("schedules.json").read_text("utf-8"))
SCHEDULES = [
    (book, policy, int(players))
    for book in ("schedules", "steady")
    for policy, rooms in BOOK[book].items()
    for players in rooms
]
ROTATIONS = [
    (policy, int(players)) for policy, rooms in BOOK["rotations"].items() for players in rooms
]
OPEN = {5: 1.25, 6: 1.05, 30: 1.005}  # proved impossible for five and six, not found for thirty


def rounds(lines, policy, players):
    rule = composition(players, policy)
    shape = shape_of(rule.sizes, rule.out)
    return [
        PlayedRound(tuple(map(tuple, shape.tables(line))), tuple(shape.outs(line)))
        for line in lines
    ]


@pytest.mark.parametrize(("book", "policy", "players"), SCHEDULES)
def test_a_schedule_found_beforehand_is_valid_and_repeats_no_partner_early(book, policy, players):
    for many in map(int, BOOK[book][policy][str(players)]):
        lines = schedules.schedule(policy, players, many, steady=book == "steady")
        assert lines is not None
        assert len(lines) == many
        played = rounds(lines, policy, players)
        report = judge(played, policy)
        if many < players:
            assert report["partner"]["F"] == 0, many
        if book == "steady":
            proof = certificate(played)
            assert max(proof.short_range, proof.out_range) <= 1, many


@pytest.mark.parametrize(("policy", "players"), ROTATIONS)
def test_a_rotation_is_perfect_by_construction(policy, players):
    lines = schedules.rotation(policy, players)
    assert lines is not None
    report = judge(rounds(lines, policy, players), policy)
    assert report.get("ratio", 1) <= (OPEN.get(players, 1) if policy == "club" else 1)
    assert report["partner"]["F"] == 0


@pytest.mark.parametrize("tables", [5, 7, 11, 13, 25, 49])
def test_chairs_moving_at_four_speeds_meet_nobody_twice(tables):
    lines = schedules.arithmetic(tables, min(tables, 12))
    assert lines is not None
    report = judge(rounds(lines, "club", 4 * tables))
    assert report["meeting"]["F"] == 0


@pytest.mark.parametrize(("tables", "rounds"), [(4, 3), (6, 2), (9, 4), (5, 6)])
def test_where_chairs_would_meet_again_no_such_movement_is_offered(tables, rounds):
    assert schedules.arithmetic(tables, rounds) is None
