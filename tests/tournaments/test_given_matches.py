"""What a bye, a withdrawal and a match given to a pair count in a Swiss, as the organiser chose."""

from fractions import Fraction

import pytest

from league.ranking.match_facts import GameFacts, MatchFacts
from league.ranking.tie_breaks import Faced, How, Unplayed, opposition_scores
from league.tournaments import actions
from league.tournaments.parameters import StageOptions
from league.tournaments.standing import standing_of
from league.tournaments.tables import _result
from league.tournaments.text import explanation
from tests.builders import EIGHT, TEST
from tests.tournaments.playing import of_pairs, play_round, published, state_of

# Of three rounds 1 has a bye first, then beats 2 and loses to 3, who end with 1 and 2.
ROUNDS = {
    1: [Faced(None, Fraction(1), How.BYE), Faced(2, Fraction(1)), Faced(3, Fraction(0))],
    2: [Faced(3, Fraction(0)), Faced(1, Fraction(0)), Faced(None, Fraction(1), How.BYE)],
    3: [Faced(2, Fraction(1)), Faced(None, Fraction(0), How.AWAY), Faced(1, Fraction(1))],
}


@pytest.mark.parametrize(
    ("unplayed", "buchholz"),
    [
        (Unplayed.OWN_SCORE, 2 + 1 + 2),  # the bye as against somebody with the own 2
        (Unplayed.VIRTUAL, 1 + 1 + 2),  # 0 before it, 0 of it, a half in each of two rounds after
        (Unplayed.LEFT_OUT, 1 + 2),
    ],
)
def test_a_bye_counts_in_buchholz_as_chosen(unplayed: Unplayed, buchholz: int) -> None:
    assert opposition_scores(ROUNDS, unplayed)[1].buchholz == buchholz


@pytest.mark.parametrize("unplayed", Unplayed)
def test_a_round_missed_before_a_late_entry_counts_as_a_bye_does_and_the_page_says_so(unplayed):
    for how in (How.BYE, How.WALKED_OVER, How.AWAY):
        rounds = ROUNDS | {1: [Faced(None, Fraction(0), how), *ROUNDS[1][1:]]}
        own = opposition_scores(rounds, unplayed)[1]
        counted = {Unplayed.OWN_SCORE: 1, Unplayed.VIRTUAL: 2, Unplayed.LEFT_OUT: 0}[unplayed]
        assert own.buchholz == counted + 1 + 2
    sentences = " ".join(explanation("swiss", StageOptions(unplayed=str(unplayed))))
    assert "a bye, a walk-over" in sentences
    assert "a round you missed" in sentences
    assert "Buchholz" not in sentences


def test_usually_it_counts_as_one_against_the_own_score() -> None:
    assert opposition_scores(ROUNDS) == opposition_scores(ROUNDS, Unplayed.OWN_SCORE)


@pytest.mark.django_db
def test_a_bye_counts_once_its_round_is_over() -> None:
    cup = of_pairs(3, "swiss")
    published(cup)
    (free,) = state_of(cup).last.byes
    assert match_points(cup)[free] == 0
    play_round(cup)
    assert match_points(cup)[free] == 1
    published(cup, seed=2)
    assert sorted(match_points(cup).values()) == [0, 1, 1]


def match_points(cup) -> dict[int, Fraction]:
    return {line.who: line.values["match_points"] for line in standing_of(state_of(cup)).lines}


def test_in_the_cross_table_a_match_given_after_a_game_called_off_is_a_walk_over() -> None:
    off = GameFacts(table=1, players=4, over=True, counts=False, score=(2, 0), winners=())
    given = MatchFacts(1, 1, {0: 5, 1: 6}, (off,), winner=1, decided_by="walkover", of_pairs=True)
    assert [_result(given, position)[0] for position in (0, 1)] == ["−", "+"]


@pytest.mark.django_db
def test_a_match_given_to_a_pair_counts_the_games_needed_and_the_points_chosen() -> None:
    cup = of_pairs(4, "swiss", games=3, given_points=10, unplayed="left_out")
    published(cup)
    match = state_of(cup).last.matches[0]
    given = {"how": "walkover", "reason": "They left.", "by": TEST, "at": EIGHT}
    row = cup.stages.get().rounds.get().matches.get(pk=match.key)
    actions.decide_match(cup, row, min(match.sides), **given)
    play_round(cup)
    state = state_of(cup)
    winner = match.sides[min(match.sides)]
    values = {line.who: line.values for line in standing_of(state).lines}
    assert values[winner]["points"] == 10
    assert values[winner]["difference"] == 10
    assert sum(t.won for t in standing_of(state).tallies[winner]) == 2  # of best of three
    words = " ".join(map(str, explanation("swiss", state.options)))
    assert "The opponents' points leave out a bye" in words
    assert "counts as a win by 10 to 0" in words
