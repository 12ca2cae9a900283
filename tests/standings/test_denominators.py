"""Every figure is out of the games that have it: games of a final score alone have no hands."""

import re
from fractions import Fraction

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse

from league.play.actions import correct_hand
from league.ranking.measures import MEASURES
from league.sessions.models import Session
from league.standings.careers import career_of, record_of
from league.standings.queries import session_standings
from tests.builders import EIGHT, TEST, a_club, a_game_table, a_session, a_user, members_of
from tests.pages import squeezed
from tests.play.hands import made, write
from tests.standings.played import Sheet, recorded


@pytest.fixture
def night(db: None) -> Session:
    club = a_club(measures=["won"])
    members_of(club, 4)
    return a_session(club)


def values_of(night: Session, name: str) -> dict[str, Fraction | None]:
    table = session_standings(night, at=EIGHT)
    return next(line.values for line in table.lines if table.people[line.who].name == name)


def test_points_a_hand_leave_out_games_without_hands(night: Session) -> None:
    night.club.measures = ["difference_a_hand"]
    recorded(night, [Sheet(("Rose", "Ann"), (10, 6), hands=8)])
    recorded(night, [Sheet(("Rose", "Ann"), (10, 0), hands=0)], round_number=2)
    assert values_of(night, "Rose")["difference_a_hand"] == Fraction(4, 8)
    rose = night.club.members.get(name="Rose")
    assert record_of(rose)[-1].values["difference_a_hand"] == Fraction(4, 8)


def test_a_figure_out_of_nothing_is_none(night: Session) -> None:
    night.club.measures = ["difference_a_hand", "share"]
    recorded(night, [Sheet(("Rose", "Ann"), (10, 6), hands=0, target=0)])
    assert values_of(night, "Rose")["share"] is None
    assert values_of(night, "Ann")["difference_a_hand"] is None


def test_an_evening_without_targets_shows_a_dash_and_not_nought_percent(
    night: Session, client: Client
) -> None:
    night.club.measures = ["share", "won"]
    night.club.save()
    recorded(night, [Sheet(("Rose", "Ann"), (10, 6), target=0)])
    client.force_login(a_user(club=night.club))
    for name in ("session_standings", "print_standings"):
        page = client.get(reverse(name, args=[night.club.slug, night.public_id])).content.decode()
        assert not re.search(r"(?<!\d)0%", page)


def test_every_ratio_names_its_denominator() -> None:
    ratios = {code for code, one in MEASURES.items() if not one.adds_up and not one.among}
    assert ratios == {code for code, one in MEASURES.items() if one.out_of}


def test_hands_after_an_end_that_a_correction_brought_forward_count_for_nothing(db: None) -> None:
    """They take no points, so they are not among the hands that points are divided by."""
    table = a_game_table()
    write(table, (0, 5), (0, 5), (0, 5), (0, 3), (0, 3), (1, 3))
    lone = made(0, 5, 3, alone=True)
    correct_hand(
        table, 4, lone, reason="Alone", expected_version=1, client_id="lone", by=TEST, at=EIGHT
    )
    assert table.games.get().misfits == 2
    rose = table.seats.get(position=0).member
    (result,), career = rose.results.all(), career_of(rose)
    assert result.hands == len(career.deals) == 4
    assert (result.points, career.games[0].hands) == (10, 4)


@pytest.mark.django_db
def test_a_share_over_the_winning_score_is_explained_where_it_is_opened(client):
    club = a_club(visibility="standings")
    people = [one.name for one in members_of(club, 7)]
    mixed, plain = a_session(club), a_session(club)
    recorded(
        mixed, [Sheet(tuple(people[:4]), (12, 5, 12, 5)), Sheet(tuple(people[4:]), (9, 6, 10))]
    )
    recorded(plain, [Sheet(tuple(people[:4]), (12, 5, 12, 5))])
    pages = [
        client.get(reverse("session_standings", args=[club.slug, night.public_id])).text
        for night in (mixed, plain)
    ]
    counts = [page.count("Over 100%: the points of some games went beyond") for page in pages]
    assert counts == [2, 0]


def test_pages_show_no_hands_for_games_of_which_only_the_score_was_entered(
    night: Session, client: Client
) -> None:
    recorded(night, [Sheet(("Rose", "Ann"), (10, 6), hands=8)])
    recorded(night, [Sheet(("Rose", "Ann"), (10, 0), hands=0)], round_number=2)
    night.games.update(state="confirmed", finished_at=EIGHT)
    Session.objects.update(state="closed")
    client.force_login(a_user(club=night.club))
    args = [night.club.slug, night.public_id]
    page = squeezed(client.get(reverse("session_standings", args=args)).content.decode())
    assert '<dt>Hands</dt><dd>8</dd><dd class="note">in 1 game</dd>' in page
    page = squeezed(client.get(reverse("games_table", args=args)).content.decode())
    assert ">–<" in page
    assert ">0<" not in page


def test_a_phone_shows_the_games_of_each_where_players_have_played_different_numbers(
    night: Session, client: Client
) -> None:
    client.force_login(a_user(club=night.club))
    address = reverse("session_standings", args=[night.club.slug, night.public_id])
    recorded(night, [Sheet(("Rose", "Ann"), (10, 6))])
    short = '<small class="soft in-brief">1 game</small>'
    assert short not in client.get(address).content.decode()
    recorded(night, [Sheet(("Rose", "Ted"), (10, 0))], round_number=2)
    caches["pages"].clear()
    page = client.get(address).content.decode()
    assert short in page
    assert '<small class="soft in-brief">2 games</small>' in page
