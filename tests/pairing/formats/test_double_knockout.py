"""Double knock-out: out after a second loss, the final played again, rematches late."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.pairing.formats.knockout import Kind, Part, State, bracket
from tests.pairing.formats.brackets import play, seeds

FIELDS = st.integers(2, 18)


@given(FIELDS, st.integers(0, 2**31))
def test_everybody_but_the_champion_loses_twice(entries, seed):
    played = play(bracket(seeds(entries), double=True), seed)
    lost = Counter(loser for _, loser in played.results.values())
    assert lost.pop(played.champion, 0) <= 1
    assert lost == dict.fromkeys(set(seeds(entries)) - {played.champion}, 2)


@given(FIELDS, st.integers(0, 2**31))
def test_it_takes_two_n_minus_two_matches_or_one_more_if_the_final_is_played_again(entries, seed):
    played = play(bracket(seeds(entries), double=True), seed)
    again = played.matches["F2-1"].state is State.PLAYED
    assert len(played.results) == 2 * entries - 2 + again


def to_the_final(entries):
    played = bracket(seeds(entries), double=True)
    while [one.label for one in played.ready()] != ["F1-1"]:
        one = played.ready()[0]
        played = played.with_result(one.label, min(one.first, one.second))
    return played


def test_the_winners_champion_who_wins_the_final_is_champion():
    played = to_the_final(8).with_result("F1-1", 1)
    assert played.over
    assert played.champion == 1
    assert list(played.places().items())[:4] == [(1, 1), (2, 2), (3, 3), (4, 4)]


def test_when_the_losers_champion_wins_the_final_it_is_played_again():
    played = to_the_final(8).with_result("F1-1", 2)
    assert played.champion is None
    assert [one.label for one in played.ready()] == ["F2-1"]
    assert played.with_result("F2-1", 2).places()[2] == 1
    assert played.with_result("F2-1", 1).places()[2] == 2


@pytest.mark.parametrize("rounds", [2, 3, 4, 5, 6])
def test_nobody_meets_an_opponent_again_before_the_second_half_of_the_losers_rounds(rounds):
    """In a full bracket, whoever wins: traced by where everybody can come from."""
    drawn = bracket(seeds(2**rounds), double=True)
    main = {m.key: m.meeting for m in drawn.matches.values() if m.part is Part.MAIN}
    possible, earliest = {}, None
    for key, meeting in main.items():
        possible[key] = _may_come(meeting.first, possible) | _may_come(meeting.second, possible)
    for match in drawn.matches.values():
        if match.part is not Part.LOSERS:
            continue
        one, other = (_dropped(s, main, possible) for s in _sources(match))
        met = any(_can_have_met(a, b, main, possible) for a in one for b in other)
        possible[match.key] = one | other
        if met and earliest is None:
            earliest = match.round
    assert earliest >= rounds


@pytest.mark.parametrize(("entries", "at_most"), [(8, 0.27), (16, 0.40), (32, 0.40), (64, 0.40)])
def test_few_meet_again_before_the_losers_final(entries, at_most):
    """Both sides of every match as likely to win: rematches in so many brackets of a hundred."""
    rounds = (entries - 1).bit_length()
    before_the_final = _share_with_a_rematch(entries, before=2 * rounds - 2)
    assert before_the_final < at_most


@pytest.mark.parametrize("entries", [11, 12, 13, 16])
def test_a_quarter_of_brackets_of_sixteen_have_a_rematch_before_the_losers_semi_final(entries):
    assert _share_with_a_rematch(entries, before=5) < 0.28


def _share_with_a_rematch(entries, *, before, brackets=1500):
    """In how many simulated brackets somebody meets an opponent again before that losers' round."""
    rng = random.Random(entries)
    meetings = bracket(seeds(entries), double=True).meetings
    return sum(_has_a_rematch(meetings, before, rng) for _ in range(brackets)) / brackets


def _has_a_rematch(meetings, before, rng):
    came_out, met = {}, set()
    for meeting in meetings:
        sides = []
        for source in (meeting.first, meeting.second):
            which = source.kind is Kind.LOSER
            drawn = source.kind is Kind.DRAWN
            sides.append(source.entry if drawn else came_out[source.match][which])
        pair = frozenset(sides)
        if None not in pair:
            rng.shuffle(sides)
            if meeting.part is Part.LOSERS and meeting.round < before and pair in met:
                return True
            met.add(pair)
        came_out[meeting.key] = sorted(sides, key=lambda one: one is None)
        if meeting.part is Part.FINAL:
            return False
    return False


def _sources(match):
    return match.meeting.first, match.meeting.second


def _may_come(source, possible):
    return {source.entry} if source.entry is not None else possible[source.match]


def _dropped(source, main, possible):
    """Who may come to the losers' rounds from there, each with the match that sent them down."""
    if source.match in main:
        return {(entry, source.match) for entry in possible[source.match]}
    return possible[source.match]


def _can_have_met(one, other, main, possible):
    """The earlier of two losses was against the other, if the other could come to that match."""
    (a, lost_a), (b, lost_b) = sorted((one, other), key=lambda e: main[e[1]].round)
    return a != b and lost_a != lost_b and b in possible[lost_a]


def test_losers_play_on_while_the_next_main_round_is_played():
    played = bracket(seeds(8), double=True)
    for one in played.ready():
        played = played.with_result(one.label, one.first)
    assert {one.label for one in played.ready()} == {"M2-1", "M2-2", "L1-1", "L1-2"}
