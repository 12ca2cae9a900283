"""Figures as people write them."""

from fractions import Fraction

import pytest

from league.ranking import rank
from league.ranking.measures import MEASURES, Tally
from league.ranking.season import Entrant
from league.sessions.links import wall_link
from league.standings.labels import LABELS, figure, spoken, sum_text
from league.standings.text import counted_sentences, explained
from tests.seating.nights import a_night, a_seating_club, published
from tests.standings.played import Sheet, recorded


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(1, 8), "13%"),
        (Fraction(3, 8), "38%"),
        (Fraction(5, 200), "3%"),
        (Fraction(125, 1000), "13%"),
        (Fraction(2, 3), "67%"),
    ],
)
def test_percentages_round_half_away_from_nought(value: Fraction, text: str) -> None:
    assert figure("share", value) == text


@pytest.mark.parametrize(("value", "text"), [(Fraction(1, 8), "+0.13"), (Fraction(-1, 8), "−0.13")])
def test_both_signs_round_alike(value: Fraction, text: str) -> None:
    assert figure("difference", value) == text


@pytest.mark.parametrize("value", [Fraction(1, 900), Fraction(-1, 900)])
def test_what_rounds_to_nothing_has_no_sign(value: Fraction) -> None:
    assert figure("difference_a_hand", value) == "0.00"


def test_what_is_shown_as_a_sum_adds_up() -> None:
    """0.33 + 0.33 is not 0.67: thirds are written as thirds."""
    parts = (Fraction(10, 3), Fraction(1, 3))
    assert sum_text("season_points", parts) == "3 1/3 for the sessions + 1/3 for coming"


def test_a_score_below_nothing_stands_in_brackets_where_it_is_taken_away() -> None:
    assert sum_text("points_difference", (Fraction(63), Fraction(-9))) == "63 − (−9)"
    assert sum_text("points_difference", (Fraction(-9), Fraction(63))) == "−9 − 63"


@pytest.mark.parametrize(
    ("averaged", "sentence"),
    [
        (False, "Points for places: 3 1/3 + 3 1/3 = 6 2/3."),
        (True, "Points for places: (3 1/3 + 3 1/3) ÷ 2 = 3 1/3."),
    ],
)
def test_points_for_places_come_to_the_sum_that_is_said(averaged: bool, sentence: str) -> None:
    entrant = Entrant([], 2, 2, (Fraction(10, 3), Fraction(10, 3)), averaged=averaged)
    assert counted_sentences(entrant) == [sentence]


def a_wall_of_standings(client, count):
    """The wall after a game at each table of four, and at one of three."""
    night, people = a_night(count, a_seating_club())
    names = tuple(one.name for one in people)
    fours = [names[start : start + 4] for start in range(0, count - 3, 4)]
    recorded(
        night, [*(Sheet(four, (10, 7, 10, 7)) for four in fours), Sheet(names[-3:], (10, 6, 7))]
    )
    published(night)
    return client.get(wall_link(night)).content.decode()


@pytest.mark.django_db
def test_a_hall_reads_wins_above_average_written_out_where_there_is_room(client):
    page = a_wall_of_standings(client, 7)
    assert ">Wins above average</th>" in page
    assert "avg." not in page
    assert "Diff. =" not in page


@pytest.mark.django_db
def test_a_short_heading_that_is_a_sign_is_explained_on_the_wall_and_breaks_across_no_line(client):
    page = a_wall_of_standings(client, 15)
    assert page.count("± avg. = wins above average") == 1
    assert ">±\xa0avg.</abbr>" in page
    assert "Diff. =" not in page


def test_a_figure_against_the_average_is_said_as_wins_above_or_below_it() -> None:
    wins = (Fraction(-2, 3), Fraction(1), Fraction(0))
    said = ["0.67 wins below average", "1 win above average", "as many wins as the average"]
    assert [spoken("above", number) for number in wins] == said


def test_a_place_by_share_of_the_points_needed_says_with_an_example_how_it_was_worked_out() -> None:
    measures = [MEASURES["won"], MEASURES["above"], MEASURES["share"]]
    points = {1: 57, 2: 48}
    tallies = {who: [Tally(10, 8, 60, 3, 4, own, own, 60)] for who, own in points.items()}
    first, _second = rank(tallies, measures)
    assert explained(first, {1: "Rose", 2: "Frank"}.__getitem__) == [
        "First on share of the points needed to win: 71% against 60% (Frank)."
        " Level before that: 3 wins and 1 win below average."
        " A game with 7 of 10 points counts 0.7. 8 games add up to 5.7. 5.7 ÷ 8 is about 71%."
    ]


@pytest.mark.parametrize(("points", "said"), [(16, "1.6 ÷ 2 is 80%."), (21, "2.1 ÷ 2 is 105%.")])
def test_the_example_of_a_share_says_about_only_of_a_rounded_one(points, said) -> None:
    measures = [MEASURES["won"], MEASURES["share"]]
    tallies = {who: [Tally(10, 2, 10, 1, 1, own, own, 10)] for who, own in ((1, points), (2, 9))}
    first, _second = rank(tallies, measures)
    (sentence,) = explained(first, {1: "Rose", 2: "Frank"}.__getitem__)
    assert sentence.endswith(said)


def test_the_leader_of_a_game_that_ended_early_has_less_than_the_points_needed_to_win() -> None:
    label = LABELS["share"]
    assert "winning score" not in f"{label.name} {label.column} {label.formula}"
    assert "A lead of 5–3 in a game to 10 when time is called is 50%." in str(label.formula)
