"""Whole tournaments through the pages: an organiser presses, the phones write down hands."""

import pytest
from django.urls import reverse

from league.tournaments import actions
from league.tournaments.models import Tournament
from league.tournaments.ties import contenders
from tests.builders import EIGHT, TEST, a_club, a_session, a_user, members_of, rulesets_of
from tests.tournaments.playing import a_tournament, play, play_round, published, state_of, tables

pytestmark = pytest.mark.django_db


class Organiser:
    """Somebody at the organiser's desk, with nothing but the site's own pages."""

    def __init__(self, client, people):
        self.client, self.club = client, a_club()
        rulesets_of(self.club, target=3)  # a game is over in two or three hands
        self.members = members_of(self.club, people)
        self.night = a_session(self.club, self.members)
        client.force_login(a_user(club=self.club))

    def sets_up(self, format, **options):
        url = reverse("tournament_new", args=[self.club.slug, self.night.public_id])
        assert self.client.get(url).status_code == 200
        assert self.client.get(f"{url}?format={format}").status_code == 200
        answer = self.client.post(f"{url}?format={format}", {"name": "Cup", **options})
        assert answer.status_code == 302, answer.context["form"].errors
        self.cup = Tournament.objects.get()
        self.presses("enter_present")

    def address(self, page, *more):
        return reverse(page, args=[self.club.slug, self.cup.public_id, *more])

    def presses(self, button, *, entry=None, match=None, **data):
        """Press a button of the tournament, of an entry or of a match; what the next page says."""
        about = [one for one in (entry, match) if one is not None]
        answer = self.client.post(self.address(f"tournament_{button}", *about), data, follow=True)
        assert answer.status_code == 200
        return [str(message) for message in answer.context["messages"]]

    def publishes(self):
        assert self.presses("draw_round") == []
        version = state_of(self.cup).draft.row.seating.version
        assert self.presses("publish", version=version) != []

    def plays(self, chance):
        """Everybody plays until nothing is open; ties are decided and next games seated."""
        while (last := state_of(self.cup).last).open_matches or self._ties(last):
            for table in tables(self.cup).filter(games=None):
                play(table, chance)
            last = state_of(self.cup).last
            for match in last.matches:
                if match.needs_another:
                    self.presses("game", match=match.key)
            for match in self._ties(state_of(self.cup).last):
                self.presses(
                    "decide", match=match.key, winner=contenders(match)[0], how="extra_hand"
                )

    def _ties(self, last):
        return [m for m in last.matches if m.tied and not m.needs_another]

    def sees(self, *pages):
        for page in pages:
            assert self.client.get(self.address(page)).status_code == 200


FORMATS = {
    "progressive": {
        "movement": "winners-up",
        "rounds": 3,
        "unit": "hands",
        "hands": 2,
        "bell_points": 5,
        "tie": "extra_hand",
    },
    "rotation": {"rounds": 3},
}


def test_the_barrier_is_told_kindly(client):
    desk = Organiser(client, 8)
    desk.sets_up("progressive", **FORMATS["progressive"])
    desk.publishes()
    assert desk.presses("draw_round") == ["2 tables of the last round are not done yet."]
    assert desk.presses("force") == ["Add the reason for ending the round."]


@pytest.mark.parametrize(
    "movement",
    ["up-and-down", "winners-stay", "fixed-seat", "colours", "by-standing", "random-draw"],
)
def test_every_movement_plays_with_ten_people_one_of_them_late(movement):
    cup = a_tournament(10, movement=movement, hands=1, rounds=3)
    for number in (1, 2):
        published(cup, seed=number)
        play_round(cup, seed=number)
        if number == 1:
            actions.enter(cup, members_of(cup.club, 11)[10], by=TEST, at=EIGHT)
    last = state_of(cup).last
    assert sorted([*(e for m in last.matches for e in m.entries), *last.byes]) == sorted(
        state_of(cup).active_entries
    )
