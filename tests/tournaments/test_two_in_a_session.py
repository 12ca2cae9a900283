"""A session with several tournaments: the latest ranks first, then the one before it."""

import pytest
from django.urls import reverse

from league.standings.queries import session_standings
from league.tournaments import actions
from league.tournaments.parameters import StageOptions
from tests.builders import EIGHT, TEST, a_user
from tests.pages import squeezed
from tests.tournaments.playing import (
    a_swiss_then_a_final,
    drawn,
    of_pairs,
    play_round,
    published,
    state_of,
)
from tests.tournaments.test_session_places import ranked, recounted, stored

pytestmark = pytest.mark.django_db


def test_pairs_outside_a_play_off_follow_in_the_order_of_the_tournament_before_it(client):
    swiss, final = a_swiss_then_a_final()
    play_round(final)
    placed, own = stored(final), ranked(swiss)
    in_final = {m.pk for entry in state_of(final).entries.values() for m in entry.people}
    outside = sorted((own[who], place) for who, place in placed.items() if who not in in_final)
    assert sorted(placed[who] for who in in_final) == [1, 1, 2, 2]
    assert [place for _rank, place in outside] == [3, 3, 4, 4]
    assert recounted(check=True)[0] == 0
    client.force_login(a_user(club=final.club))
    sentence = "The tournaments of this session decide the places: first Final, then Autumn Cup."
    for page in ("session_standings", "print_standings"):
        text = squeezed(
            client.get(reverse(page, args=[final.club.slug, final.session.public_id])).text
        )
        assert sentence in text, page
        assert "Did not play" not in text, page
        assert "The place in the tournament" not in text, page
        assert "A player who did not play in it" not in text, page


@pytest.mark.parametrize("drawn_too", [False, True])
def test_until_a_play_off_is_published_wall_and_board_stay_with_the_tournament_before(
    client, drawn_too
):
    """The wall said "A knock-out needs at least two entries.", the board "Next round with all"."""
    swiss, final = a_swiss_then_a_final(publish=False)
    if drawn_too:
        drawn(final)
    client.force_login(a_user(club=final.club))
    address = [final.club.slug, final.session.public_id]
    wall = client.get(reverse("wall", args=address))
    assert wall.status_code == 200
    assert swiss.name in wall.text
    assert f"{final.name} · " not in squeezed(wall.text)
    board = squeezed(client.get(reverse("board", args=address)).text)
    assert "Next round with all" not in board
    assert reverse("tournament", args=[final.club.slug, final.public_id]) in board
    assert client.get(reverse("session", args=address)).status_code == 200
    assert "arrived after this draw" not in client.get(reverse("seating", args=address)).text


def test_while_a_play_off_is_on_its_pairs_share_the_places_before_the_others():
    _swiss, final = a_swiss_then_a_final()
    assert sorted(stored(final).values())[:5] == [1, 1, 1, 1, 3]


def test_a_tournament_after_a_bracket_has_its_figures_in_the_sessions_table():
    cup = of_pairs(2, "knockout")
    published(cup)
    play_round(cup)
    actions.finish_tournament(cup, by=TEST, at=EIGHT)
    choice = StageOptions(hands=2, rounds=1)
    swiss = actions.start_tournament(
        cup.session, name="Swiss", format="swiss", choice=choice, seed=1, by=TEST
    )
    for name in ("Olive", "Percy", "Queenie", "Rupert"):
        actions.enter(swiss, cup.club.members.create(name=name), by=TEST, at=EIGHT)
    actions.draw_partners(swiss, seed=1, by=TEST)
    published(swiss)
    play_round(swiss)
    assert session_standings(swiss.session, at=EIGHT).measures
