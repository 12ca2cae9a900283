"""Standings on the club's own website: a page to frame and a picture, as the public reads."""

from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.members.models import Club, Member
from league.play.models import Game
from league.seasons.models import Season
from league.sessions.models import Session
from league.standings.actions import hold_standings
from tests.builders import TEST, a_club, a_session, a_user, members_of
from tests.pages import squeezed
from tests.standings.played import Sheet, recorded

pytestmark = pytest.mark.django_db


@pytest.fixture
def night() -> Session:
    club = a_club(visibility="standings", names_in_public="initials")
    members_of(club, 4)
    Member.objects.filter(name="Rose").update(name="Rose <Whitfield> & Co")
    season = Season.objects.create(club=club, name="Autumn", starts_on="2026-09-01")
    night = a_session(club, season=season)
    names = ("Rose <Whitfield> & Co", "Ann", "Ted", "Bill")
    recorded(night, [Sheet(names, (10, 7, 10, 7))])
    return night


def addresses(night: Session, what: str) -> list[str]:
    season = night.season
    return [
        reverse(f"session_{what}", args=[night.club.slug, night.public_id]),
        reverse(f"season_{what}", args=[night.club.slug, season.public_id]),
    ]


def test_any_site_may_frame_the_table_and_no_other_page(client: Client, night: Session) -> None:
    for where in addresses(night, "embed"):
        answer = client.get(where)
        assert "frame-ancestors *" in answer["Content-Security-Policy"]
        assert "X-Frame-Options" not in answer
        assert "Ted" in answer.content.decode()
        assert "<script" not in answer.content.decode()
    other = client.get(addresses(night, "standings")[0])
    assert "frame-ancestors 'none'" in other["Content-Security-Policy"]
    assert other["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize(
    ("site", "warned"),
    [("", True), ("http://192.168.1.7:8000", True), ("https://euchre.example", False)],
)
def test_what_is_pasted_holds_the_sites_own_address_and_warns_where_only_the_hall_opens_it(
    client: Client, night: Session, settings, site: str, warned: bool
) -> None:
    settings.SITE_ADDRESS_IS_SET, settings.SITE_ADDRESS = bool(site), site
    client.force_login(a_user(club=night.club))
    page = client.get(addresses(night, "standings")[0], headers={"host": "localhost"})
    page = page.content.decode()
    assert f"src=&quot;{site}" in page or f'src="{site}' in page
    assert ("opens only on this computer" in page) is warned


def test_the_picture_is_one_and_its_names_are_text(client: Client, night: Session) -> None:
    for where in addresses(night, "picture"):
        answer = client.get(where)
        assert answer["Content-Type"] == "image/svg+xml"
        words = [one.text for one in ElementTree.fromstring(answer.content).iter()]
        assert "Ted" in words
        assert "Rose C." in words


def test_what_is_not_final_is_marked_on_the_page_and_in_the_picture(
    client: Client, night: Session
) -> None:
    where = addresses(night, "embed") + addresses(night, "picture")
    assert not any("Ted\N{NO-BREAK SPACE}*" in client.get(page).text for page in where)
    Game.objects.update(state=Game.State.DISPUTED)
    Session.objects.update(revision=9)
    for page in where:
        text = client.get(page).text
        assert "Ted\N{NO-BREAK SPACE}*" in text
        assert "* = a game not yet final." in text


def test_a_picture_of_the_first_places_says_of_how_many(
    client: Client, night: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = addresses(night, "picture")
    assert not any("The first" in client.get(one).text for one in where)
    monkeypatch.setattr("league.standings.views.embedding.IN_PICTURE", 3)
    Game.objects.update(state=Game.State.DISPUTED)
    Session.objects.update(revision=9)
    for one in where:
        root = ElementTree.fromstring(client.get(one).content)
        heights = {text.text: float(text.get("y", 0)) for text in root.iter() if text.get("y")}
        last, note = heights["The first 3 of 4"], heights["Provisional: * = a game not yet final."]
        assert last < note < float(root.get("height", 0))


def test_the_headings_of_the_picture_stand_beside_one_another(
    client: Client, night: Session
) -> None:
    club = night.club
    members_of(club, 7)
    recorded(night, [Sheet(("Joan", "Gus", "Sam"), (15, 9, 12), target=15)], round_number=2)
    root = ElementTree.fromstring(client.get(addresses(night, "picture")[0]).content)
    heads = [one for one in root.iter() if one.get("font-size") == "13"]
    assert [one.text for one in heads] == ["Won", "± avg.", "Points"]
    ends = [float(one.get("x", "")) for one in heads]
    begin = [end - 9 * len(one.text or "") for end, one in zip(ends, heads, strict=True)]
    assert ends[0] < begin[1]


def test_whoever_is_signed_in_sees_there_what_the_public_sees(
    client: Client, night: Session
) -> None:
    client.force_login(a_user("rose", club=night.club, rank="owner"))
    for where in addresses(night, "embed") + addresses(night, "picture"):
        assert "Whitfield" not in client.get(where).content.decode()


def test_a_club_that_is_not_public_shows_nothing_there(client: Client, night: Session) -> None:
    Club.objects.update(visibility="members")
    stranger = Client()
    client.force_login(a_user("rose", club=night.club, rank="owner"))
    for where in addresses(night, "embed") + addresses(night, "picture"):
        assert client.get(where).status_code == 403
        assert stranger.get(where).status_code == 302


def test_held_standings_are_held_there_too(client: Client, night: Session) -> None:
    hold_standings(night, by=TEST)
    for where in addresses(night, "embed") + addresses(night, "picture"):
        assert "Ted" not in client.get(where).content.decode()


def test_the_organiser_finds_what_to_paste(client: Client, night: Session) -> None:
    client.force_login(a_user("olive", club=night.club))
    page, frames = addresses(night, "standings"), addresses(night, "embed")
    for where, frame in zip(page, frames, strict=True):
        assert f"http://testserver{frame}" in client.get(where).content.decode()


def test_the_settings_lead_to_what_goes_on_the_clubs_website(
    client: Client, night: Session
) -> None:
    client.force_login(a_user("olive", club=night.club))
    Season.objects.create(club=night.club, name="Last year", starts_on="2025-09-01")
    where = reverse("standings", args=[night.club.slug]) + "?website"
    assert where in client.get(reverse("club_settings", args=[night.club.slug])).content.decode()
    page = client.get(where, follow=True)
    assert page.redirect_chain[-1][0].endswith("#for-website")
    assert 'id="for-website"' in page.content.decode()


def test_a_season_whose_evening_is_held_back_says_so_and_keeps_what_was_released(
    client: Client, night: Session
) -> None:
    page, picture = addresses(night, "embed")[1], addresses(night, "picture")[1]
    hold_standings(night, by=TEST)
    assert "The standings are held back until the prize-giving." in client.get(page).text
    assert "Held back until the prize-giving." in client.get(picture).text
    assert not any("No game has finished" in client.get(one).text for one in (page, picture))
    earlier = a_session(night.club, name="Last week", held_on="2026-11-12", season=night.season)
    recorded(earlier, [Sheet(("Ann", "Ted", "Bill", "Rose <Whitfield> & Co"), (10, 7, 10, 7))])
    text = client.get(page).text
    assert f"held back until the prize-giving: {night.name}." in text
    assert '<th scope="row">Ann</th>' in text


def test_what_decided_a_place_stands_there_too_if_no_column_shows_it(client: Client) -> None:
    club = a_club(visibility="standings", names_in_public="full")
    night = a_session(club, season=Season.objects.create(club=club, starts_on="2026-09-01"))
    names = [one.name for one in members_of(club, 11)]
    games = [(names[:4], (10, 7, 10, 7)), (names[4:8], (10, 4, 10, 4)), (names[8:], (10, 6, 5))]
    recorded(night, [Sheet(tuple(players), score) for players, score in games])
    for where in addresses(night, "embed") + addresses(night, "picture"):
        assert client.get(where).text.count(">on difference<") == 4


def test_no_dot_follows_the_name_of_an_open_session_that_has_its_day_already(
    client: Client, night: Session
) -> None:
    today = timezone.localdate()
    Session.objects.update(name=f"{today:%A} {today.day} {today:%B}", held_on=today)
    page = reverse("session_standings", args=[night.club.slug, night.public_id])
    assert f"{today:%B} ·</span>Autumn" in squeezed(client.get(page).text)
    Session.objects.update(season=None)
    assert f"{today:%B}</span></p>" in squeezed(client.get(page).text)
