"""The individual rotation: how many rounds it offers, and what its explanation says."""

import pytest

from league.tournaments.forms import TournamentForm
from league.tournaments.parameters import StageOptions
from league.tournaments.text import explanation


@pytest.mark.parametrize(
    ("players", "rounds"), [(0, 8), (4, 3), (5, 5), (6, 8), (8, 7), (9, 9), (12, 8), (40, 8)]
)
def test_it_offers_the_rounds_in_which_everyone_partners_everyone_once(players, rounds):
    form = TournamentForm(format="rotation", players=players)
    assert form["rounds"].initial == rounds
    assert "4 players need 3 rounds" in form.fields["rounds"].help_text


def test_its_explanation_says_what_wins_and_where_the_seats_are_shown():
    text = " ".join(explanation("rotation", StageOptions()))
    assert "The tournament's page says where you sit each round." in text
    assert "Ranked by games won, then wins above average" in text
    assert "small tables" in text.lower()
    at_four = " ".join(explanation("rotation", StageOptions(), has_small_tables=False))
    assert "small tables" not in at_four.lower()
    chosen = " ".join(explanation("rotation", StageOptions(ranking="points,won")))
    assert "Ranked by points, then games won." in chosen
