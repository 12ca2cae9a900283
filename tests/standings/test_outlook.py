"""Can I still win? What the pages say, and that they say so where nobody can tell."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.members.models import Club, Member
from league.play.actions import write_totals
from league.play.models import Game
from league.seasons.models import Season
from league.sessions.models import Attendance, Session
from league.standings.actions import choose_session_measures
from league.standings.outlook import Outlook, season_outlook, session_outlook
from tests.builders import TEST, a_club, a_ruleset, a_session, a_table, a_user, members_of
from tests.standings.played import Sheet, recorded

pytestmark = pytest.mark.django_db
OF_FOUR = Sheet(("Rose", "Ann", "Ted", "Bill"), (10, 7, 10, 7))


@pytest.fixture
def club() -> Club:
    club = a_club(visibility="standings")
    members_of(club, 4)
    return club


@pytest.fixture
def season(club: Club) -> Season:
    return Season.objects.create(
        club=club, name="Autumn", starts_on="2026-09-01", place_points=["4", "2", "1"]
    )


def played(club: Club, **fields: object) -> Session:
    night = a_session(club, list(club.members.all()), **fields)
    recorded(night, [OF_FOUR])
    Game.objects.filter(session=night).update(finished_at=timezone.now())
    return night


def places(found) -> dict[str, tuple]:
    return {found.people[who].name: (best, worst) for who, best, worst in found.rows}


def test_with_the_number_of_rounds_known_everybody_sees_best_and_worst(club: Club) -> None:
    night = played(club, rounds_planned=2)
    found = session_outlook(night, at=timezone.now())
    # Rose and Ted have a win, Ann and Bill none, and one round is left.
    assert places(found) == {"Rose": (1, 4), "Ted": (1, 4), "Ann": (1, 4), "Bill": (1, 4)}
    Session.objects.filter(pk=night.pk).update(rounds_planned=1)
    night.refresh_from_db()
    assert "All planned rounds are played" in session_outlook(night, at=timezone.now()).why


def test_whoever_has_gone_home_wins_nothing_more(club: Club) -> None:
    night = played(club, rounds_planned=2)
    Attendance.objects.filter(session=night, member__name="Ann").update(left_at=timezone.now())
    assert places(session_outlook(night, at=timezone.now()))["Ann"] == (3, 4)


def test_who_is_checked_in_and_has_not_played_is_among_the_places(club: Club) -> None:
    """Five players read “of 4 players”, and “worst place 5”."""
    Member.objects.create(club=club, name="Agnes")
    night = played(club, rounds_planned=2)
    found = session_outlook(night, at=timezone.now())
    assert places(found)["Agnes"] == (1, 5)
    assert "of 5 players" in found.who_can_win()


def test_where_nobody_can_tell_it_says_so(club: Club) -> None:
    night = played(club)
    why = session_outlook(night, at=timezone.now()).why
    assert why.startswith("This works once the number of rounds is planned. An organiser")
    assert "session settings, under “Rounds planned”" in why
    Session.objects.filter(pk=night.pk).update(rounds_planned=3)
    night.refresh_from_db()
    Game.objects.filter(session=night).update(finished_at=None)
    assert "Come back when" in session_outlook(night, at=timezone.now()).why
    choose_session_measures(night, ["points"], by=TEST)
    night.refresh_from_db()
    assert "games won decide first" in session_outlook(night, at=timezone.now()).why


def test_a_season_of_place_points_says_how_high_everybody_can_come(
    club: Club, season: Season
) -> None:
    for day in range(2):
        night = played(club, season=season, held_on=timezone.localdate() - timedelta(day))
        Session.objects.filter(pk=night.pk).update(state=Session.State.CLOSED)
    why = season_outlook(season, at=timezone.now()).why
    assert "once another session of this season is planned" in why
    assert "An organiser can add one under “Sessions”." in why
    soon = timezone.localdate() + timedelta(7)
    a_session(club, season=season, held_on=soon, state=Session.State.PLANNED)
    found = season_outlook(season, at=timezone.now())
    assert "The places below assume that the player comes, does as well as possible" in found.why
    # Twice Rose and Ted shared 4 + 2, Ann and Bill 1 + 0: 6 and 1; who comes first gets 4 more.
    assert places(found) == {
        "Rose": (1, None), "Ted": (1, None), "Ann": (3, None), "Bill": (3, None)
    }  # fmt: skip


def test_a_player_reads_first_what_they_can_still_reach_and_how_far_behind_they_are(
    club: Club, season: Season, client: Client
) -> None:
    night = played(club, season=season)
    page = reverse("season_outlook", args=[club.slug, season.public_id])
    tonight = reverse("session_standings", args=[club.slug, night.public_id])
    ann = a_user("ann", club=club, rank="member")
    club.members.filter(name="Ann").update(user=ann)
    client.force_login(ann)
    assert tonight in client.get(page).text  # while it is open, its own standings say more
    Session.objects.filter(pk=night.pk).update(state=Session.State.CLOSED)
    a_session(club, season=season, held_on="2200-01-01", state=Session.State.PLANNED)
    said = client.get(page).text
    assert "You can still finish 1st." in said
    assert "The leader is ahead of you by 2.5 season points." in said
    assert "4 of 4 players can still win." in said
    client.logout()
    assert "You can still" not in client.get(page).text


def test_the_readers_own_line_stands_above_the_folded_others(club: Club, client: Client) -> None:
    night = played(club, rounds_planned=2)
    page = reverse("session_outlook", args=[club.slug, night.public_id])
    ann = a_user("ann", club=club, rank="member")
    club.members.filter(name="Ann").update(user=ann)
    for reader, first in ((ann, ["Ann"]), (None, ["Rose", "Ann", "Ted", "Bill"])):
        if reader:
            client.force_login(reader)
        else:
            client.logout()
        context = client.get(page).context
        names = [row["name"].split()[0] for row in context["shown"]]
        assert sorted(names) == sorted(first)
        assert len(context["shown"]) + len(context["others"]) == 4


def test_a_fold_holds_all_but_ten_of_those_who_can_still_win() -> None:
    rows = [(number, 1 if number % 2 else 2, None) for number in range(40)]
    outlook = Outlook("", {}, rows)
    assert outlook.shown_first(None) == list(range(1, 20, 2))
    assert outlook.shown_first(4) == [4]


@pytest.mark.parametrize("field", ["erased_at", "retired_at"])
def test_players_who_can_play_no_more_are_left_out(club: Club, season: Season, field: str) -> None:
    night = played(club, season=season, rounds_planned=2)
    club.members.filter(name="Rose").update(**{field: timezone.now()})
    others = {"Ted": (1, 4), "Ann": (1, 4), "Bill": (1, 4)}
    assert places(session_outlook(night, at=timezone.now())) == others
    Session.objects.filter(pk=night.pk).update(state=Session.State.CLOSED)
    a_session(club, season=season, held_on="2200-01-01", state=Session.State.PLANNED)
    found = places(season_outlook(season, at=timezone.now()))
    # Ted and Rose have 3 points, Ann and Bill 0.5: with 4 more each may come first.
    assert found == {"Ted": (1, None), "Ann": (1, None), "Bill": (1, None)}


def test_no_new_session_is_offered_while_one_of_the_season_is_open(
    club: Club, season: Season, client: Client
) -> None:
    night = played(club, season=season)
    client.force_login(a_user(club=club))
    page = reverse("season_outlook", args=[club.slug, season.public_id])
    assert "New session" not in client.get(page).content.decode()
    Session.objects.filter(pk=night.pk).update(state=Session.State.CLOSED)
    assert "New session" in client.get(page).content.decode()


def test_a_season_of_wins_needs_the_rounds_of_every_coming_session(
    client: Client, club: Club, season: Season
) -> None:
    Season.objects.update(place_points=[])
    season.refresh_from_db()
    night = played(club, season=season)
    Session.objects.filter(pk=night.pk).update(state=Session.State.CLOSED)
    soon = a_session(club, season=season, held_on="2200-01-01", state=Session.State.PLANNED)
    why = season_outlook(season, at=timezone.now()).why
    assert f"every upcoming session has a planned number of rounds; {soon.name} has none" in why
    client.force_login(a_user(club=club))
    page = client.get(reverse("season_outlook", args=[club.slug, season.public_id])).text
    field = reverse("session_edit", args=[club.slug, soon.public_id]) + "#id_rounds_planned"
    assert f'href="{field}"' in page
    assert 'id="id_rounds_planned"' in client.get(field.partition("#")[0]).text
    Session.objects.filter(pk=soon.pk).update(rounds_planned=1)
    assert places(season_outlook(season, at=timezone.now()))["Ann"] == (1, None)


def test_a_season_of_best_games_does_not_ask_who_can_still_win(
    client: Client, club: Club, season: Season
) -> None:
    played(club, season=season)
    page = reverse("season_standings", args=[club.slug, season.public_id])
    night = season.sessions.get()
    Session.objects.filter(pk=night.pk).update(state=Session.State.CLOSED)
    a_session(club, season=season, held_on="2200-01-01", state=Session.State.PLANNED)
    first = client.get(page).content.decode()
    assert "Can I still win?" in first
    evening = reverse("session_standings", args=[club.slug, night.public_id])
    assert f'<a href="{evening}">{night.name}</a>' in first  # among its evenings
    Season.objects.update(counts=Season.Counts.BEST_GAMES, counted_number=3)
    season.refresh_from_db()
    assert "Can I still win?" not in client.get(page).content.decode()
    assert "works only for seasons" in season_outlook(season, at=timezone.now()).why


def test_a_season_asks_who_can_still_win_only_where_there_is_an_answer(
    client: Client, club: Club, season: Season
) -> None:
    Season.objects.update(place_points=[])
    night = played(club, season=season)
    page = reverse("season_standings", args=[club.slug, season.public_id])

    def is_asked() -> bool:
        return "Can I still win?" in client.get(page).text

    assert not is_asked()  # a session is open
    Session.objects.filter(pk=night.pk).update(state=Session.State.CLOSED)
    assert not is_asked()  # none is planned
    soon = a_session(club, season=season, held_on="2200-01-01", state=Session.State.PLANNED)
    assert not is_asked()  # nor are its rounds
    client.force_login(a_user(club=club))
    assert is_asked()  # an organiser can plan them
    client.logout()
    Session.objects.filter(pk=soon.pk).update(rounds_planned=1)
    assert is_asked()


def test_only_organisers_are_offered_what_needs_the_rounds_planned(
    client: Client, club: Club
) -> None:
    night = played(club)
    page = reverse("session_standings", args=[club.slug, night.public_id])
    client.force_login(a_user("ted", club=club, rank="member"))
    assert "Can I still win?" not in client.get(page).content.decode()
    client.force_login(a_user("bill", club=club, rank="organiser"))
    assert "Can I still win?" in client.get(page).content.decode()
    Session.objects.filter(pk=night.pk).update(rounds_planned=3)
    client.force_login(a_user("sue", club=club, rank="member"))
    assert "Can I still win?" in client.get(page).content.decode()
    choose_session_measures(night, ["points"], by=TEST)
    assert "Can I still win?" not in client.get(page).text


def test_the_pages_open_for_whoever_sees_the_standings(client: Client, club: Club) -> None:
    night = played(club, rounds_planned=2)
    page = client.get(reverse("session_outlook", args=[club.slug, night.public_id]))
    assert "1 of 2 rounds is left" in page.content.decode()


def test_a_table_of_six_has_three_winners() -> None:
    club = a_club()
    people = members_of(club, 6)
    night = a_session(club, people, rounds_planned=2)
    table = a_table(night, people, a_ruleset(club, "bid-racehorse-six"), totals_only=True)
    write_totals(table, (52, 20), by=TEST, at=timezone.now())
    # The three others may all win the next round, and are level with Rose then.
    assert places(session_outlook(night, at=timezone.now()))["Rose"] == (1, 6)
