"""Who asked that two entries be kept apart: the club, or this tournament alone."""

from types import SimpleNamespace

from league.tournaments.draws.swaps import APART, Fault
from league.tournaments.text import fault_in_words


def words(apart_by_tournament):
    entries = {1: SimpleNamespace(seed=1), 2: SimpleNamespace(seed=2)}
    state = SimpleNamespace(entries=entries, apart_by_tournament=apart_by_tournament)
    return fault_in_words(Fault(APART, frozenset({1, 2})), state, {1: "Ann", 2: "Bob"})


def test_a_request_of_the_tournament_alone_is_not_called_the_clubs():
    assert words({frozenset({1, 2})}) == "This tournament keeps Ann and Bob apart."


def test_a_seating_request_of_the_club_is():
    assert words(frozenset()) == "A seating request keeps Ann and Bob apart."
