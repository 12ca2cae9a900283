"""Standings held back until the prize-giving: nobody but organisers sees them, anywhere."""

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.errors import Refused
from league.members.models import Club, Member, Role, User
from league.play.auth import table_code
from league.play.models import Game
from league.seasons.models import Season
from league.sessions.actions import close_session
from league.sessions.models import Attendance, Session
from league.standings.actions import hold_standings, release_standings
from league.standings.careers import ratings_of
from league.standings.season_closing import end_season
from league.standings.season_queries import season_standings
from tests.api.asking import Program, a_token
from tests.builders import TEST, a_club, a_ruleset, a_session, a_table, a_user, members_of
from tests.play.hands import write
from tests.seating.nights import a_game
from tests.standings.played import Sheet, recorded
from tests.tournaments.playing import of_pairs, play_round, published

pytestmark = pytest.mark.django_db
NIGHT = [Sheet(("Rose", "Ann", "Ted", "Bill"), (10, 7, 10, 7))]
WAIT = "held back until the prize-giving"


@pytest.fixture
def club() -> Club:
    return a_club(visibility="standings", shows_ratings=True, keeps_pots=True)


@pytest.fixture
def night(club: Club) -> Session:
    members_of(club, 8)
    season = Season.objects.create(club=club, name="Autumn", starts_on="2026-09-01")
    night = a_session(club, season=season)
    recorded(night, NIGHT)
    hold_standings(night, by=TEST)
    return night


def visitor(club: Club, rank: str) -> Client:
    client = Client()
    if rank:
        client.force_login(a_user(rank, club=club, rank=rank))
    return client


def test_a_players_page_says_that_results_are_held_back_and_not_that_there_are_none(
    night: Session,
) -> None:
    rose = Member.objects.get(name="Rose")
    Attendance.objects.get_or_create(session=night, member=rose)
    page = visitor(night.club, "").get(
        reverse("member_record", args=[night.club.slug, rose.public_id])
    )
    assert WAIT in page.content.decode()
    assert "No games yet" not in page.content.decode()


def test_a_players_page_names_the_evening_that_is_not_counted_yet(night: Session) -> None:
    rose = Member.objects.get(name="Rose")
    earlier = a_session(night.club, name="Last week", held_on="2026-09-10", season=night.season)
    recorded(earlier, NIGHT)
    Attendance.objects.get_or_create(session=night, member=rose)
    season = f"?season={night.season.public_id}"
    for query in ("", season):
        own_page = reverse("member_record", args=[night.club.slug, rose.public_id]) + query
        page = visitor(night.club, "").get(own_page).text
        assert f"{WAIT}: {night.name}." in page


@pytest.mark.parametrize("rank", ["", "member", "scorekeeper"])
def test_whoever_is_no_organiser_waits_for_every_page_and_file(night: Session, rank: str) -> None:
    client, of_night = visitor(night.club, rank), [night.club.slug, night.public_id]
    page = client.get(reverse("session_standings", args=of_night)).content.decode()
    assert WAIT in page
    assert "Rose" not in page
    names = ["games_table", "print_standings", "session_files", "session_emn", "session_records"]
    pages = [reverse(name, args=of_night) for name in names]
    files = ["session_hands", "session_results"] + (["export_session"] if rank else [])
    pages += [reverse(name, args=[*of_night, "csv"]) for name in files]
    pages += [reverse("session_pots", args=of_night)] if rank else []
    assert {path: client.get(path).status_code for path in pages} == dict.fromkeys(pages, 403)
    if rank:
        results = client.get(reverse("club_results", args=[night.club.slug, "csv"]))
        assert "Rose" not in results.content.decode()


@pytest.mark.parametrize("in_season", [True, False])
def test_a_page_held_back_leads_to_no_page_that_says_there_are_no_standings(
    night: Session, in_season: bool
) -> None:
    club, held = night.club, reverse("session_standings", args=[night.club.slug, night.public_id])
    if not in_season:
        Session.objects.update(season=None)
        Season.objects.all().delete()
    page = visitor(club, "").get(held).text.partition("<h1>")[2]
    list_page = reverse("standings", args=[club.slug])
    assert ("Season standings" in page) == in_season
    standings = visitor(club, "").get(list_page, follow=True)
    assert WAIT in standings.text
    assert "No season yet" not in standings.text
    assert "No hand has been entered yet" not in standings.text
    if not in_season:
        assert "No season yet" in visitor(club, "organiser").get(list_page).text


def test_a_page_held_back_is_headed_so_and_leads_to_what_can_be_seen(night: Session) -> None:
    client, of_night = visitor(night.club, ""), [night.club.slug, night.public_id]
    for name in ("session_standings", "games_table"):
        page = client.get(reverse(name, args=of_night)).content.decode()
        assert "<h1>The standings come later</h1>" in page
        assert reverse("standings", args=[night.club.slug]) in page.partition("<h1>")[2]


def test_organisers_see_them_and_release_them_with_one_press(night: Session) -> None:
    organiser, member = visitor(night.club, "organiser"), visitor(night.club, "member")
    where = reverse("session_standings", args=[night.club.slug, night.public_id])
    page = organiser.get(where).content.decode()
    assert "Only organisers see these standings" in page
    assert "Rose" in page
    Session.objects.filter(pk=night.pk).update(state=Session.State.CLOSED)
    home = organiser.get(reverse("session", args=[night.club.slug, night.public_id]))
    assert "Release them at the prize-giving" in home.content.decode()
    release = reverse("standings_release", args=[night.club.slug, night.public_id])
    assert release in page
    session = reverse("session", args=[night.club.slug, night.public_id])
    assert "Closed; the standings are held back" in organiser.get(session).content.decode()
    assert organiser.post(release).status_code == 302
    assert "Rose" in member.get(where).content.decode()
    assert night.audit.filter(action="release standings").count() == 1


def test_an_evening_held_back_counts_in_no_season_record_or_rating_until_it_is_released(
    night: Session,
) -> None:
    club, season = night.club, night.season
    rose = Member.objects.get(name="Rose")
    record = reverse("member_record", args=[club.slug, rose.public_id])
    member = visitor(club, "member")
    assert season_standings(season, at=timezone.now()).lines == []
    assert ratings_of(club, at=timezone.now()) == {}
    assert "Games by size" not in member.get(record).content.decode()
    before = member.get(record).content
    table = reverse("season_standings", args=[club.slug, season.public_id])
    sentence = f"held back until the prize-giving: {night.name}."
    assert sentence in member.get(table).content.decode()
    with pytest.raises(Refused, match="held back"):
        end_season(season, by=TEST, at=timezone.now())
    release_standings(night, by=TEST)
    assert sentence not in member.get(table).content.decode()
    caches["pages"].clear()
    assert len(season_standings(season, at=timezone.now()).lines) == 4
    assert len(ratings_of(club, at=timezone.now())) == 4
    assert member.get(record).content != before


def test_the_wall_and_the_phones_of_the_hall_wait_for_everybody(night: Session) -> None:
    night = Session.objects.get(pk=night.pk)
    table = a_table(night, members_of(night.club, 4), a_ruleset(night.club))
    wall = reverse("wall", args=[night.club.slug, night.public_id])
    page = visitor(night.club, "organiser").get(wall).content.decode()
    assert "held until the prize-giving" in page
    assert "wall-ranks" not in page
    phone = Client()
    phone.post(reverse("table_door"), {"code": table_code(table)})
    page = phone.get(reverse("table_standings", args=[table.public_id])).content.decode()
    assert WAIT in page
    assert "Rose" not in page


def test_the_wall_shows_no_score_while_standings_are_held_back(night: Session) -> None:
    club, night = night.club, Session.objects.get(pk=night.pk)
    rules, members = a_ruleset(club), members_of(club, 8)
    write(a_table(night, members[:4], rules), (0, 3))
    over = a_game(a_table(night, members[4:], rules), state="confirmed", hands=9)
    Game.objects.filter(pk=over.pk).update(score=[10, 7], winners=[0, 2])
    wall = reverse("wall", args=[club.slug, night.public_id])
    for page in (Client().get(wall), visitor(club, "organiser").get(wall)):
        assert "Standings and scores are held until the prize-giving" in page.text
        assert 'class="won"' not in page.text
        assert "<em>10</em>" not in page.text
        assert "<em>1</em>" not in page.text  # as the page of a game in play is closed, too
    release_standings(night, by=TEST)
    page = Client().get(wall).text
    assert '<em class="won">10</em>' in page
    assert "<em>1</em>" in page


def test_a_bracket_held_back_says_on_the_wall_and_its_page_who_plays_on() -> None:
    cup = of_pairs(4, "knockout")
    Club.objects.filter(pk=cup.club.pk).update(visibility="standings")
    published(cup)
    play_round(cup)
    hold_standings(cup.session, by=TEST)
    for name, thing in (("wall", cup.session), ("tournament", cup)):
        page = Client().get(reverse(name, args=[cup.club.slug, thing.public_id])).text
        assert 'class="won"' in page, name


def test_the_api_tells_them_to_nobody_below_an_organiser(night: Session) -> None:
    program = Program(a_token(night.club))
    for what in ("standings", "games", "pots"):
        answer = program.get(f"/sessions/{night.public_id}/{what}")
        assert (answer.status_code, answer.json()["code"]) == (403, "standings-held")
    rows = program.get(f"/seasons/{night.season.public_id}/standings").json()
    assert "Rose" not in str(rows)


def test_a_tournaments_standings_wait_too() -> None:
    cup = of_pairs(4, "swiss")
    Club.objects.filter(pk=cup.club.pk).update(visibility="standings")
    published(cup)
    play_round(cup)
    hold_standings(cup.session, by=TEST)
    where = [cup.club.slug, cup.public_id]
    member = visitor(cup.club, "member")
    assert member.get(reverse("tournament_standings", args=where)).status_code == 403
    files = reverse("export_tournament_standings", args=[*where, "csv"])
    assert member.get(files).status_code == 403
    assert member.get(reverse("tournament_print", args=where)).status_code == 403
    hub = member.get(reverse("tournament", args=where)).text
    assert "Match points" not in hub
    assert 'class="won"' not in hub
    organiser = visitor(cup.club, "organiser")
    assert 'class="won"' in organiser.get(reverse("tournament", args=where)).text
    assert organiser.get(reverse("tournament_standings", args=where)).status_code == 200


@pytest.fixture
def held_game(night: Session) -> Game:
    """A game of the evening at a table where Meg, who has an account, sits."""
    meg = Member.objects.create(club=night.club, name="Meg", user=a_user("meg", club=night.club))
    Role.objects.filter(user=meg.user).update(rank="member")
    night = Session.objects.get(pk=night.pk)
    people = [meg, *night.club.members.exclude(name__in=("Meg", "Rose", "Ann", "Ted", "Bill"))]
    table = a_table(night, people[:4], a_ruleset(night.club))
    return write(table, (0, 3))[0].game


def test_a_player_reads_their_own_match_of_a_tournament_held_back_and_no_other() -> None:
    cup = of_pairs(4, "swiss")
    published(cup)
    play_round(cup)
    hold_standings(cup.session, by=TEST)
    member = visitor(cup.club, "member")
    Member.objects.filter(name="Rose").update(user=User.objects.get(username="member"))
    page = member.get(reverse("tournament", args=[cup.club.slug, cup.public_id])).text
    assert "You won" in page or "You lost" in page
    assert page.count('<li class="won">') == 1


def single_game(game: Game) -> list[str]:
    club = game.session.club
    return [
        reverse(name, args=[club.slug, game.public_id])
        for name in ("game", "game_egn", "game_records")
    ]


@pytest.mark.parametrize("rank", ["", "member", "scorekeeper"])
def test_a_single_game_is_closed_to_who_did_not_play_in_it(held_game: Game, rank: str) -> None:
    client, pages = visitor(held_game.session.club, rank), single_game(held_game)
    answers = [client.get(page) for page in pages]
    assert [answer.status_code for answer in answers] == [403, 403, 403]
    assert "only the players of a game and the organisers" in answers[0].content.decode()
    assert "Meg" not in answers[0].content.decode()
    release_standings(held_game.session, by=TEST)
    assert client.get(pages[0]).status_code == 200


def test_its_players_and_organisers_read_a_game_all_the_while(held_game: Game) -> None:
    player, page = Client(), single_game(held_game)[0]
    player.force_login(Member.objects.get(name="Meg").user)
    assert player.get(page).status_code == 200
    assert visitor(held_game.session.club, "organiser").get(page).status_code == 200


def test_the_api_gives_a_single_game_to_organisers_only(held_game: Game) -> None:
    club, path = held_game.session.club, f"/games/{held_game.public_id}"
    answer = Program(a_token(club)).get(path)
    assert (answer.status_code, answer.json()["code"]) == (403, "standings-held")
    assert Program(a_token(club, "organise")).get(path).status_code == 200


def test_what_other_sites_show_says_nothing_of_it(night: Session) -> None:
    Session.objects.filter(pk=night.pk).update(state=Session.State.CLOSED)
    of_night = [night.club.slug, night.public_id]
    of_season = [night.club.slug, night.season.public_id]
    pages = [reverse(name, args=of_night) for name in ("session_embed", "session_picture")]
    pages += [reverse(name, args=of_season) for name in ("season_embed", "season_picture")]
    for page in pages:
        answer = Client().get(page)
        assert answer.status_code == 200
        assert "Rose" not in answer.content.decode()


def test_who_follows_a_link_to_a_game_held_back_is_led_to_the_club(held_game: Game) -> None:
    page, club = single_game(held_game)[0], held_game.session.club
    refused = visitor(club, "member").get(page).content.decode()
    assert f'<a class="button" href="{reverse("club", args=[club.slug])}">' in refused
    came = visitor(club, "scorekeeper").get(page, headers={"Referer": "/from/"}).content.decode()
    assert '<a class="button" href="/from/">' in came


@pytest.mark.parametrize(
    ("visibility", "readers"), [("standings", "Everyone"), ("members", "Members who sign in")]
)
def test_a_release_says_who_can_see_the_standings_now(
    night: Session, client: Client, visibility: str, readers: str
) -> None:
    Club.objects.update(visibility=visibility)
    client.force_login(a_user("olive", club=night.club))
    release = reverse("standings_release", args=[night.club.slug, night.public_id])
    page = client.post(release, follow=True).content.decode()
    assert f"Standings released. {readers} can see them now." in page


def test_a_club_without_a_season_finds_the_standings_of_its_sessions(
    club: Club, client: Client
) -> None:
    members_of(club, 8)
    night = a_session(club)
    client.force_login(a_user("olive", club=club))
    page = reverse("standings", args=[club.slug])
    address = reverse("session_standings", args=[club.slug, night.public_id])
    assert address not in client.get(page).content.decode()
    recorded(night, NIGHT)
    assert address in client.get(page).content.decode()


def test_the_page_that_closes_a_session_holds_its_standings_with_one_press(
    club: Club, night: Session, client: Client
) -> None:
    client.force_login(a_user(club=club))
    of_night = [club.slug, night.public_id]
    closing = f"{reverse('disputes', args=of_night)}?close=1"
    hold = f'action="{reverse("standings_hold", args=of_night)}"'
    release_standings(night, by=TEST)
    public = client.get(closing).text
    hidden = "after that, only members who sign in see them."
    assert hidden not in public
    assert hold in public
    assert WAIT not in public
    answer = client.post(reverse("standings_hold", args=of_night), {"then": "close"}, follow=True)
    assert answer.redirect_chain == [(f"{closing}#close", 302)]
    section = answer.text.partition('id="close"')[2]
    assert WAIT in section
    assert "Release them at the prize-giving" in section
    assert hold not in section
    release_standings(night, by=TEST)
    Club.objects.update(visibility="members")
    private = client.get(closing).text
    assert hold in private
    assert (
        hidden in private.partition("You can reopen it.")[0]
    )  # it is not the reopening that hides


@pytest.mark.parametrize("rank", ["member", "scorekeeper"])
def test_a_closed_sessions_page_says_to_members_that_its_standings_are_held_back(
    night: Session, rank: str
) -> None:
    client = visitor(night.club, rank)
    session = reverse("session", args=[night.club.slug, night.public_id])
    assert WAIT not in client.get(session).text  # nobody expects them while it is open
    close_session(night, by=TEST, at=timezone.now())
    assert WAIT in client.get(session).text
    release_standings(night, by=TEST)
    assert WAIT not in client.get(session).text


def test_the_clubs_page_says_when_held_standings_come_and_leads_only_organisers_there(
    night: Session,
) -> None:
    Session.objects.update(held_on=timezone.localdate())
    close_session(night, by=TEST, at=timezone.now())
    for rank in ("member", "organiser", ""):
        page = visitor(night.club, rank).get(reverse("club", args=[night.club.slug])).text
        assert "Today's results" in page
        assert ("The standings come at the prize-giving." in page) == (rank != "organiser")
        assert ("Final standings" in page) == (rank == "organiser")
