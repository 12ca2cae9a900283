"""Laws that every game shipped keeps, tried on random legal hands and a game of each, seeds fixed.

That no game ends with a score beyond its limits is tried in `tests/play/test_final_scores.py`.
"""

import json
from dataclasses import replace
from zlib import crc32

import pytest

from scoring import HandRecord, check_hand, play_game, preset_ids, ruleset
from scoring.endings import at_target
from scoring.files import check_lines
from scoring.playouts import LEVELS, random_game, random_hand, thinned

HANDS = 8  # of each preset: half of them played with sense, half anyhow


def seeds(preset):
    return range(crc32(preset.encode()), crc32(preset.encode()) + HANDS)


def hands_of(preset):
    rules = ruleset(preset)
    for number, seed in enumerate(seeds(preset)):
        yield rules, random_hand(rules, seed, dealer=seed % rules.players, wild=number % 2 == 1)


def one_line(record):
    return json.dumps(record.to_json(), separators=(",", ":"), sort_keys=True).encode()


def test_there_are_as_many_games_as_the_rules_describe():
    assert len(preset_ids()) == 55


@pytest.mark.parametrize("preset", preset_ids())
def test_a_legal_hand_pays_the_same_however_it_is_written_and_reads_back_byte_for_byte(preset):
    for rules, hand in hands_of(preset):
        answer = check_hand(hand, rules)
        assert answer.faults == ()
        assert [type(points) for points in answer.points] == [int] * rules.players
        assert all(len({answer.points[seat] for seat in side}) == 1 for side in rules.sides)
        assert 0 <= answer.next_dealer < rules.players
        for level in (None, *LEVELS):
            record = replace(thinned(hand, rules, level) if level else hand, ruleset=preset)
            line = one_line(record)
            (checked,) = check_lines([line])
            assert (checked.faults, checked.points, checked.next_dealer) == (
                (), answer.points, answer.next_dealer,
            )  # fmt: skip
            assert one_line(HandRecord.from_json(json.loads(line))) == line


@pytest.mark.parametrize("preset", preset_ids())
def test_a_game_ends_with_the_hand_that_its_rules_say_and_not_before(preset):
    rules = ruleset(preset)
    hands = random_game(rules, seeds(preset)[0])
    state = play_game(rules, hands)
    assert (state.faults, state.over) == ((), True)
    assert not play_game(rules, hands[:-1]).over
    winners = {seat % len(rules.sides) for seat in state.winners}
    assert winners
    if rules.hands is not None:
        assert len(hands) == rules.hands
        assert {state.score[side] for side in winners} == {max(state.score)}
        return
    lost = rules.options.get("lose_at", "none")
    sunk = lost != "none" and min(state.score) <= lost
    assert sunk or all(at_target(rules, state.score[side], rules.target) for side in winners)
    if rules.options.get("win_rule", "any") == "any" and rules.options["tie_rule"] != "play_on":
        before = state.running[-2] if len(hands) > 1 else ()
        there = [points for points in before if at_target(rules, points, rules.target)]
        assert len(there) != 1  # who stands there alone has won; level, both play on
