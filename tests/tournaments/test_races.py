"""What others do while a round is being drawn: hands are saved, and nobody is forgotten."""

import pytest

from league.members.models import Member
from league.seating.models import Seat
from league.tournaments import actions
from league.tournaments.actions import drawing
from league.tournaments.models import Entry
from tests.builders import EIGHT, TEST, a_table
from tests.play.hands import write
from tests.seating.test_races import at_once, impatient
from tests.tournaments.playing import a_tournament, drawn, of_pairs

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def while_drawing(monkeypatch):
    """Runs an order in another thread, which waits for no lock, in the middle of a draw."""
    answers = []

    def during(format, order):
        draw, orders = drawing.FORMATS[format], [order]

        def drawing_(*state):
            if orders:
                answers.extend(at_once(impatient(orders.pop())))
            return draw(*state)

        monkeypatch.setitem(drawing.FORMATS, format, drawing_)
        return answers

    return during


@pytest.mark.parametrize("format", ["progressive", "swiss"])
def test_a_hand_is_saved_while_a_round_is_being_drawn(while_drawing, format):
    alone = format == "progressive"
    cup = a_tournament(8, format) if alone else of_pairs(8, format)
    others = [Member.objects.create(club=cup.club, name=f"Other {n}") for n in range(4)]
    table = a_table(cup.session, others, cup.club.rulesets.get(players=4, is_default=True))
    answers = while_drawing(format, lambda: write(table, (2, 5)))
    drawn(cup)
    assert [[hand.number for hand in hands] for hands in answers] == [[1]]
    assert Seat.objects.filter(table__round__state="draft").count() == (8 if alone else 16)


def test_who_withdraws_while_a_round_is_being_drawn_is_not_in_it(while_drawing):
    cup = of_pairs(6, "swiss")
    gone = cup.entries.first()
    while_drawing("swiss", lambda: actions.withdraw_entry(gone, by=TEST, at=EIGHT))
    drawn(cup)
    there = Entry.objects.filter(sides__match__stage_round__stage__tournament=cup)
    assert gone not in there
    assert there.count() == 4
