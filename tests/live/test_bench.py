"""The bench of the board: many who wait are not a long list."""

import pytest
from django.urls import reverse

from league.sessions.attendance import arrive_all
from tests.builders import EIGHT, TEST, a_club, a_ruleset, a_session, a_table, a_user, members_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("waiting", "folded"), [(10, 0), (15, 7)])
def test_of_many_who_wait_the_board_shows_eight_and_folds_the_others(client, waiting, folded):
    club = a_club()
    night = a_session(club)
    people = members_of(club, 4 + waiting)
    arrive_all(night, people, by=TEST, at=EIGHT)
    a_table(night, people[:4], a_ruleset(club))
    client.force_login(a_user(club=club))
    page = client.get(reverse("board", args=[club.slug, night.public_id])).content.decode()
    bench, more = page.partition('id="bench-more"')[::2]
    assert bench.count('<span class="slip">') == waiting - folded
    assert more.count('<span class="slip">') == folded
    assert (f"and {folded} more" in more) == bool(folded)
