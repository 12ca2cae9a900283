"""What a bye, a withdrawal and a match given to a pair count in a Swiss, as the organiser chose."""

from dataclasses import replace
from fractions import Fraction

import pytest

from league.play.actions import write_totals
from league.ranking.match_facts import GameFacts, MatchFacts
from league.ranking.tie_breaks import WITHOUT_BYES, Faced, How, Unplayed, opposition_scores
from league.seating.models import Table
from league.tournaments import actions
from league.tournaments.draws.rounds import as_played_match
from league.tournaments.parameters import StageOptions
from league.tournaments.standing import standing_of
from league.tournaments.tables import _result
from league.tournaments.text import explanation
from tests.builders import EIGHT, TEST
from tests.tournaments.playing import match_of, of_pairs, play_round, published, state_of

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


@pytest.mark.django_db
@pytest.mark.parametrize("plays", [False, True])
def test_a_pair_given_a_walk_over_has_not_met_the_other_in_buchholz(plays: bool) -> None:
    """Ann has a walk-over against Ben, Cid beats Dan; then Ann beats Cid, and Dan beats Ben."""
    cup = of_pairs(4, "swiss", rounds=2)
    published(cup)
    first, second = state_of(cup).last.matches
    (ann, ben), (cid, dan) = first.entries, second.entries
    walk_over = {"how": "walkover", "reason": "No show", "by": TEST, "at": EIGHT}
    if plays:
        win(first, ann)
    else:
        actions.decide_match(cup, match_of(first), 0, **walk_over)
    win(second, cid)
    published(cup, seed=2)
    for match in state_of(cup).last.matches:
        win(match, ann if ann in match.entries else dan)
    values = {line.who: line.values for line in standing_of(state_of(cup)).lines}
    points = {"match_points": {ann: 2, ben: 0, cid: 1, dan: 1}}
    met = {ann: 0 + 1, ben: 2 + 1, cid: 1 + 2, dan: 1 + 0}
    own = {ann: 2 + 1, ben: 0 + 1, cid: 1 + 2, dan: 1 + 0}
    for code, figures in {**points, "buchholz": met if plays else own}.items():
        assert {who: values[who][code] for who in values} == figures


def win(match: MatchFacts, entry: int) -> None:
    """The pair wins its game 10 to 4."""
    position = next(p for p, key in match.sides.items() if key == entry)
    totals = [10, 4] if position == 0 else [4, 10]
    table = Table.objects.select_related("session__club", "ruleset").get(pk=match.games[0].table)
    write_totals(table, totals, by=TEST, at=EIGHT, as_organiser=True, no_hands=True)


def test_pairs_that_had_a_walk_over_have_not_met_and_can_still_meet() -> None:
    off = GameFacts(table=1, players=4, over=True, counts=False, score=(0, 0), winners=())
    given = MatchFacts(1, 1, {0: 5, 1: 6}, (off,), winner=1, decided_by="walkover", of_pairs=True)
    assert as_played_match(given).walkover
    on = GameFacts(table=1, players=4, over=True, counts=True, score=(2, 0), winners=(1, 3))
    assert not as_played_match(replace(given, games=(on,))).walkover


@pytest.mark.django_db
def test_a_walk_over_at_a_table_counts_the_games_needed_as_the_page_says() -> None:
    cup = of_pairs(4, "swiss", games=3)
    published(cup)
    match = state_of(cup).last.matches[0]
    given = {"how": "walkover", "reason": "No show", "by": TEST, "at": EIGHT}
    actions.decide_match(cup, match_of(match), 0, **given)
    standing = standing_of(state_of(cup))
    assert sum(tally.won for tally in standing.tallies[match.sides[0]]) == 2  # of best of three
    assert "the games needed to win it, and no points" in " ".join(
        explanation("swiss", StageOptions())
    )


@pytest.mark.django_db
def test_a_bye_ranks_below_a_match_won_at_a_table_and_the_others_see_no_such_column() -> None:
    cup = of_pairs(5, "swiss", rounds=3)
    published(cup)
    last = state_of(cup).last
    for match in last.matches:
        win(match, match.entries[0])
    lines = standing_of(state_of(cup)).lines
    assert lines[2].who == last.byes[0]
    assert [line.rank for line in lines] == [1, 1, 3, 4, 4]
    assert lines[2].decisions[-1].measure == "without_byes"
    even = of_pairs(4, "swiss", rounds=3, club=cup.club)
    published(even)
    assert WITHOUT_BYES not in standing_of(state_of(even)).measures
