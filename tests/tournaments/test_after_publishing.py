"""What an organiser meets around publishing a draw: small tables before it, Back after it."""

import pytest
from django.urls import reverse

from league.tournaments import actions
from tests.builders import TEST, a_user
from tests.pages import squeezed
from tests.tournaments.playing import a_tournament, published

pytestmark = pytest.mark.django_db


def test_back_to_the_draft_of_a_round_that_is_published_leads_to_the_tournament(client):
    cup = a_tournament(8)
    published(cup)
    client.force_login(a_user(club=cup.club))
    at = [cup.club.slug, cup.public_id]
    answer = client.get(reverse("tournament_draw", args=at))
    assert answer.url == reverse("tournament", args=at)


@pytest.mark.parametrize(("players", "is_named"), [(13, True), (12, False)])
def test_a_draft_with_small_tables_says_how_their_points_count_and_where_to_avoid_them(
    client, players, is_named
):
    cup = a_tournament(players)
    actions.draw_round(cup, by=TEST, seed=1)
    client.force_login(a_user(club=cup.club))
    page = squeezed(
        client.get(reverse("tournament_draw", args=[cup.club.slug, cup.public_id])).text
    )
    assert ("At small tables, points count as an average." in page) is is_named
    assert (
        reverse("session_rules", args=[cup.club.slug, cup.session.public_id]) in page
    ) >= is_named
