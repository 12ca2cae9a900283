"""Where a tournament ranks the players of a session, its places are the only ones."""

import re
from datetime import date
from fractions import Fraction

import pytest
from django.test import Client
from django.urls import reverse

from league.members.models import Club
from league.play.models import Result
from league.seasons.models import Season
from league.sessions.models import Session
from league.standings.actions import save_places
from league.standings.models import GivenPlace, Pot
from league.standings.pot_queries import pot_sheets
from league.standings.queries import session_standings
from league.standings.season_queries import season_standings
from tests.builders import EIGHT, a_club, a_session, a_user, members_of
from tests.standings.played import Sheet, recorded


@pytest.fixture
def cup(db: None) -> Session:
    """By its games Rose and Ted come first; by its tournament Ann and Bill do."""
    club = a_club(keeps_pots=True)
    members_of(club, 6)
    season = Season.objects.create(
        club=club, name="Winter", starts_on=date(2026, 9, 1), place_points=["10", "6", "4"]
    )
    cup = a_session(club, season=season)
    recorded(cup, [Sheet(("Rose", "Ann", "Ted", "Bill"), (10, 7, 10, 7))])
    return cup


def gave(cup: Session, **places: int) -> None:
    members = {member.name: member.pk for member in cup.club.members.all()}
    save_places(cup, {members[name]: GivenPlace(place) for name, place in places.items()})


def ranks(cup: Session) -> dict[str, int]:
    table = session_standings(cup, at=EIGHT)
    return {table.people[line.who].name: line.rank for line in table.lines}


def prizes(cup: Session) -> dict[str, int]:
    (sheet,) = pot_sheets(cup, at=EIGHT).sheets
    return {row.member.name: row.line.won for tied in sheet.winners for row in tied}


def season_points(cup: Session) -> dict[str, Fraction | None]:
    table = season_standings(cup.season, at=EIGHT)
    return {table.people[one.who].name: one.values["season_points"] for one in table.lines}


def test_who_finished_no_game_in_a_session_gets_its_points_for_coming_only(cup: Session) -> None:
    season = cup.season
    season.attendance_points = 1
    season.save()
    Result.objects.update(finished=False, games=0, win_share=0, expected=0)
    points = {"Rose": 1, "Ted": 1, "Ann": 1, "Bill": 1}
    assert season_points(cup) == points
    other = a_session(cup.club, season=season, held_on=date(2026, 11, 12))
    recorded(other, [Sheet(("Rose", "Ann"), (10, 7))])
    assert season_points(cup) == points | {"Rose": 12, "Ann": 8}


def a_pot(cup: Session, *shares: str) -> Pot:
    return Pot.objects.create(
        club=cup.club, session=cup, name="Prizes", source="sum", amount=100, payout="places",
        shares=list(shares),
    )  # fmt: skip


def test_a_session_ranks_by_the_places_of_its_tournament(cup: Session) -> None:
    gave(cup, Ann=1, Bill=2, Rose=3, Ted=4)
    assert ranks(cup) == {"Ann": 1, "Bill": 2, "Rose": 3, "Ted": 4}


def test_prize_money_goes_by_the_places_of_the_tournament(cup: Session) -> None:
    a_pot(cup, "50", "30", "20")
    gave(cup, Ann=1, Bill=2, Rose=3, Ted=4)
    assert prizes(cup) == {"Ann": 5000, "Bill": 3000, "Rose": 2000}


def test_partners_share_the_percent_of_their_one_place(cup: Session) -> None:
    a_pot(cup, "50", "30", "20")
    gave(cup, Ann=1, Bill=1, Rose=2, Ted=2)
    assert prizes(cup) == {"Ann": 2500, "Bill": 2500, "Rose": 1500, "Ted": 1500}


def test_pairs_that_are_tied_share_the_percents_of_both_places(cup: Session) -> None:
    a_pot(cup, "50", "30", "20")
    recorded(cup, [Sheet(("Joan", "Gus"), (10, 7))], round_number=2)
    gave(cup, Ann=1, Bill=1, Rose=1, Ted=1, Joan=3, Gus=3)
    assert prizes(cup) == dict.fromkeys(["Ann", "Bill", "Rose", "Ted"], 2000) | dict.fromkeys(
        ["Joan", "Gus"], 1000
    )


def test_season_points_go_by_the_places_of_the_tournament(cup: Session) -> None:
    gave(cup, Ann=1, Bill=1, Rose=2, Ted=2)
    assert season_points(cup) == {"Ann": 10, "Bill": 10, "Rose": 6, "Ted": 6}


def test_who_finished_no_game_takes_no_place_of_the_tournament(cup: Session) -> None:
    gave(cup, Ann=1, Bill=2, Joan=3, Rose=4, Ted=5)  # Joan withdrew before she played
    assert season_points(cup) == {"Ann": 10, "Bill": 6, "Rose": 4, "Ted": 0}
    Result.objects.filter(member__name="Ann").update(finished=False, games=0, win_share=0)
    assert season_points(cup) == {"Bill": 10, "Rose": 6, "Ted": 4, "Ann": 0}


def test_a_guest_who_is_left_out_takes_no_place_of_the_tournament(cup: Session) -> None:
    gave(cup, Ann=1, Bill=1, Rose=2, Ted=2)
    cup.club.members.filter(name__in=("Ann", "Bill")).update(is_guest=True)
    assert season_points(cup) == {"Ann": 10, "Bill": 10, "Rose": 6, "Ted": 6}
    Season.objects.update(guests_count=False)
    cup.season.refresh_from_db()
    assert season_points(cup) == {"Rose": 10, "Ted": 10}


def test_whoever_did_not_play_in_the_tournament_has_no_place_to_win_by(cup: Session) -> None:
    a_pot(cup, "50", "30", "20")
    gave(cup, Ann=1, Bill=2)
    assert ranks(cup) == {"Ann": 1, "Bill": 2, "Rose": 3, "Ted": 3}
    assert prizes(cup) == {"Ann": 5000, "Bill": 3000}
    assert season_points(cup) == {"Ann": 10, "Bill": 6, "Rose": 0, "Ted": 0}


@pytest.mark.parametrize(
    "page", ["session_standings", "print_standings", "session_embed", "session_picture"]
)
def test_the_tournaments_own_points_stand_wherever_its_places_do(
    cup: Session, client: Client, page: str
) -> None:
    """Points of small tables count there as a share: otherwise the order would look wrong."""
    points = {"Ann": "33/2", "Bill": "31/2", "Rose": "29/2", "Ted": "27/2"}
    members = {member.name: member.pk for member in cup.club.members.all()}
    given = {
        members[name]: GivenPlace.of(place, [["points", own], ["won", "1"]])
        for place, (name, own) in enumerate(points.items(), 1)
    }
    save_places(cup, given)
    Club.objects.update(visibility="standings")
    client.force_login(a_user(club=cup.club))
    text = client.get(reverse(page, args=[cup.club.slug, cup.public_id])).content.decode()
    found = re.findall(r">(1[3-6]\.5)<", text)
    assert list(dict.fromkeys(found)) == ["16.5", "15.5", "14.5", "13.5"]
    assert ("Game points" in text) == (page in ("session_standings", "print_standings"))


@pytest.mark.parametrize("page", ["session_standings", "print_standings"])
def test_a_page_says_that_the_tournament_decides(cup: Session, client: Client, page: str) -> None:
    gave(cup, Ann=1, Bill=2, Rose=3, Ted=4)
    client.force_login(a_user(club=cup.club))
    text = client.get(reverse(page, args=[cup.club.slug, cup.public_id])).content.decode()
    assert "The tournament of this session decides the places." in text


def test_partners_stand_on_the_podium_together_and_tied_players_apart(
    cup: Session, client: Client
) -> None:
    client.force_login(a_user(club=cup.club))
    page = reverse("session_standings", args=[cup.club.slug, cup.public_id])

    def podium() -> list[str]:
        Session.objects.update(state=Session.State.CLOSED)
        text = client.get(page).text.partition('class="podium"')[2].partition("</ol>")[0]
        return re.findall("<strong>(.+)</strong>", text)

    gave(cup, Bill=1, Ann=1, Rose=2, Ted=2)
    assert podium() == ["Bill &amp; Ann", "Rose &amp; Ted"]  # as they entered
    gave(cup, Ann=1, Bill=1, Rose=3, Ted=4)
    Session.objects.update(revision=99)
    assert podium() == ["Ann", "Bill", "Rose"]
