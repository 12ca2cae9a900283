"""Ratings: from the history alone, the same every time, shown with their doubt and only on wish."""

from datetime import UTC, datetime
from fractions import Fraction

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from league.members.models import Club, Member
from league.play.models import Game
from league.ranking.rating import RatedGame, rated
from league.sessions.models import Session
from league.standings.careers import career_of, history, rated_games, ratings_of
from tests.builders import EIGHT, a_club, a_session, a_user, members_of
from tests.standings.played import Sheet, recorded

WON, LOST = Fraction(1), Fraction(0)


def four(*people: int) -> RatedGame:
    return RatedGame([people[:2], people[2:]], [WON, LOST])


def test_winners_go_up_losers_down_and_everybody_is_surer() -> None:
    found = rated([four(1, 2, 3, 4)])
    assert found[1].value == found[2].value > 25 > found[3].value == found[4].value
    assert all(one.uncertainty < 2 * 25 / 3 for one in found.values())
    assert (found[1].games, found[1].won) == (1, 1)


def test_a_win_over_the_stronger_counts_for_more() -> None:
    past = [RatedGame([(1,), (2,)], [WON, LOST])] * 6
    over_strong = rated([*past, RatedGame([(3,), (1,)], [WON, LOST])])[3].value
    over_weak = rated([*past, RatedGame([(3,), (2,)], [WON, LOST])])[3].value
    assert over_strong > over_weak


def test_co_winners_at_three_hands_are_level_above_the_third() -> None:
    half = Fraction(1, 2)
    found = rated([RatedGame([(1,), (2,), (3,)], [half, half, LOST])])
    assert found[1].value == pytest.approx(found[2].value)
    assert found[1].value > found[3].value
    assert found[1].won == half


def test_a_person_on_two_sides_is_not_rated_against_themselves() -> None:
    assert rated([RatedGame([(1,), (1,)], [WON, LOST])]) == {}


games = st.lists(
    st.permutations(range(6)).flatmap(
        lambda p: st.sampled_from(
            [
                RatedGame([p[:1], p[1:2]], [WON, LOST]),
                RatedGame([p[:1], p[1:2], p[2:3]], [WON, LOST, LOST]),
                RatedGame([p[:2], p[2:4]], [WON, LOST]),
            ]
        )
    ),
    max_size=12,
)


@given(games)
def test_the_same_history_gives_exactly_the_same_ratings(history: list[RatedGame]) -> None:
    assert rated(history) == rated(list(history))
    assert rated(history).keys() == {who for g in history for side in g.sides for who in side}


@pytest.fixture
def night(db: None) -> Session:
    caches["pages"].clear()
    club = a_club(shows_ratings=True, visibility=Club.Visibility.STANDINGS)
    members_of(club, 10)
    night = a_session(club)
    recorded(night, [Sheet(("Rose", "Ann", "Ted", "Bill"), (10, 7, 10, 7))])
    recorded(night, [Sheet(("Joan", "Gus", "Sam"), (15, 9, 12), target=15)], round_number=2)
    return night


def by_name(club: Club) -> dict[str, float]:
    names = dict(Member.objects.values_list("pk", "name"))
    return {names[who]: one.value for who, one in ratings_of(club, at=EIGHT).items()}


def test_partners_of_a_recorded_game_are_on_one_side(night: Session) -> None:
    first = history(night.club, at=EIGHT)[0]
    names = dict(Member.objects.values_list("pk", "name"))
    assert [[names[who] for who in side] for side in first.sides] == [
        ["Rose", "Ted"],
        ["Ann", "Bill"],
    ]
    assert by_name(night.club)["Rose"] > 25


def test_the_order_is_that_of_the_days_and_not_of_the_entry(night: Session) -> None:
    earlier = a_session(night.club, held_on="2026-01-01", name="Entered late")
    recorded(earlier, [Sheet(("Joan", "Rose"), (10, 2))])
    assert [len(game.sides[0]) for game in history(night.club, at=EIGHT)] == [1, 2, 1]
    assert len(history(night.club, at=EIGHT)[0].sides) == 2


def test_games_in_doubt_and_called_off_are_not_rated(night: Session) -> None:
    Game.objects.filter(table__players=3).update(state=Game.State.ABANDONED)
    Game.objects.get(table__players=4).results.update(provisional=True)
    assert ratings_of(night.club, at=EIGHT) == {}


def test_a_correction_is_followed_at_once(night: Session) -> None:
    before = by_name(night.club)["Joan"]
    Game.objects.get(table__players=3).results.filter(member__name="Joan").update(win_share=0)
    Game.objects.get(table__players=3).results.filter(member__name="Sam").update(win_share=1)
    Session.objects.update(revision=7)
    assert by_name(night.club)["Joan"] < before


def test_the_page_shows_doubt_and_plain_wins_and_names_as_allowed(
    client: Client, night: Session
) -> None:
    Member.objects.filter(name="Joan").update(name="Joan Pike")
    page = client.get(reverse("ratings", args=[night.club.slug])).content.decode()
    assert " ± " in page
    assert ">1 of 1<" in page
    assert "Joan P." in page
    assert "Pike" not in page
    assert 'class="rank" data-label="Place">1</td>' in page
    assert 'class="mine"' not in page


def test_a_players_own_rating_is_marked(client: Client, night: Session) -> None:
    user = a_user("joan", club=night.club, rank="member")
    Member.objects.filter(name="Joan").update(user=user)
    client.force_login(user)
    page = client.get(reverse("ratings", args=[night.club.slug])).content.decode()
    assert page.count('<tr class="mine">') == 1
    assert "Joan" in page.partition('<tr class="mine">')[2].partition("</tr>")[0]


def test_a_club_shows_no_rating_until_an_organiser_says_so(client: Client, night: Session) -> None:
    Club.objects.update(shows_ratings=False)
    client.force_login(a_user("olive", club=night.club))
    where = reverse("ratings", args=[night.club.slug])
    assert "t show ratings" in client.get(where).content.decode()
    rose = reverse(
        "member_record", args=[night.club.slug, Member.objects.get(name="Rose").public_id]
    )
    assert "Rating" not in client.get(rose).content.decode()
    Club.objects.update(shows_ratings=True)
    assert " ± " in client.get(where).content.decode()
    assert "Rating" in client.get(rose).content.decode()


def test_the_page_costs_the_same_for_a_longer_history(
    client: Client, night: Session, django_assert_max_num_queries
) -> None:
    for number in range(3, 7):
        recorded(night, [Sheet(("Rose", "Ann"), (10, 7))], round_number=number)
    with django_assert_max_num_queries(8):
        client.get(reverse("ratings", args=[night.club.slug]))


def test_a_new_club_is_not_rated() -> None:
    assert Club().shows_ratings is False


def test_sessions_of_one_day_are_rated_in_the_order_their_games_were_begun(night: Session) -> None:
    names = ("matinee", "evening", "late")
    for hour, name in ((14, "matinee"), (23, "late"), (19, "evening")):
        held = a_session(night.club, held_on="2026-01-01", name=name)
        (game,) = recorded(held, [Sheet(("Joan", "Rose"), (10, hour))])
        Game.objects.filter(pk=game.pk).update(started_at=datetime(2026, 1, 1, hour, tzinfo=UTC))
    listed = rated_games(night.club, at=EIGHT).select_related("session")
    assert [game.session.name for game in listed][:3] == list(names)


def test_games_begun_at_one_moment_keep_the_order_of_sessions_rounds_and_tables(
    night: Session,
) -> None:
    for name in ("first", "second"):
        held = a_session(night.club, held_on="2026-01-01", name=name)
        for number in (1, 2):
            recorded(held, [Sheet(("Joan", "Rose"), (10, 2))] * 2, round_number=number)
    listed = rated_games(night.club, at=EIGHT).select_related("session", "table__round")
    assert [(g.session.name, g.table.round.number, g.table.number) for g in listed][:8] == [
        (name, number, table)
        for name in ("first", "second")
        for number in (1, 2)
        for table in (1, 2)
    ]


def test_the_games_of_a_career_stand_in_the_order_of_play(night: Session) -> None:
    """Two wins, then two losses, on two sessions of one day."""
    for name, score in (("first", (10, 2)), ("second", (2, 10))):
        held = a_session(night.club, held_on="2026-01-01", name=name)
        for number in (1, 2):
            recorded(held, [Sheet(("Lou", "Kit"), score)], round_number=number)
    lou = night.club.members.get(name="Lou")
    assert [game.won for game in career_of(lou).games] == [1, 1, 0, 0]
    assert career_of(lou).runs.now == -2


def test_the_page_shows_the_order_in_which_games_are_rated(night: Session, client: Client) -> None:
    client.force_login(a_user(club=night.club))
    page = client.get(reverse("ratings", args=[night.club.slug])).content.decode()
    assert "The order of the games" in page
    assert page.index("round 2, table 1") < page.index("round 1, table 1")
