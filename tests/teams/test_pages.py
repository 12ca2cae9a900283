"""The pages of a league: setting up, captains' cards, helpful refusals, downloads."""

import csv
from datetime import date, timedelta
from io import StringIO

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.members.audit import Actor
from league.members.models import Member
from league.teams import actions
from league.teams.models import Team, TeamLeague
from league.teams.queries import fixtures_of, match_records, players_of
from tests.builders import EIGHT, TEST, a_club, a_ruleset, a_user
from tests.teams.leagues import a_card, matches, scores_of, table, with_fixtures, written

pytestmark = pytest.mark.django_db
ASKED = {
    "name": "Winter League",
    "target": "21",
    "pairs": "2",
    "turns": "2",
    "points_win": "2",
    "points_draw": "1",
    "points_loss": "0",
    "points_game": "0",
    "ranking": "games",
    "borrowed": "1",
    "twice": "on",
    "starts_on": "2026-09-03",
    "days_between": "7",
}


def address(page, league, *more):
    return reverse(page, args=[league.club.slug, league.public_id, *more])


def messages_on(answer):
    return [str(message) for message in answer.context["messages"]]


def filled_in(match, home_wins=5, **more):
    """The data of a filled-in card form."""
    league, data = match.league, {"held_on": "2026-11-19"}
    for side, team in (("home", match.home), ("away", match.away)):
        people = players_of(team)
        for pair in range(league.pairs):
            data[f"{side}{pair + 1}_1"] = people[2 * pair].public_id
            data[f"{side}{pair + 1}_2"] = people[2 * pair + 1].public_id
    for (turn, pair), (home, away) in scores_of(league, home_wins).items():
        data |= {f"score{turn}_{pair}_home": home, f"score{turn}_{pair}_away": away}
    return {**data, **more}


def captain(league, team):
    """A client signed in as the team's captain."""
    user = a_user(f"captain{team.pk}", club=league.club, rank="member")
    Member.objects.filter(pk=team.captain_id).update(user=user)
    client = Client()
    client.force_login(user)
    return client


def test_an_organiser_sets_up_a_league_and_plays_it_to_the_end_on_the_pages(client):
    club = a_club()
    rules = a_ruleset(club)
    client.force_login(a_user(club=club))
    answer = client.post(
        reverse("team_league_new", args=[club.slug]), {**ASKED, "ruleset": rules.pk}
    )
    assert answer.status_code == 302
    league = TeamLeague.objects.get()
    for number in range(3):
        names = "\n".join(f"Player {number} {n}" for n in range(4))
        data = {"name": f"Team {number}", "venue": "The Crown", "roomy": "on", "names": names}
        data["captain"] = f"Player {number} 0"
        assert client.post(address("team_new", league), data).status_code == 302
    make = address("team_fixtures_make", league)
    page = client.get(address("team_draw", league))
    assert "6 matches" in page.content.decode()
    assert "Back-to-back home or away matches: 1. The longest" in page.content.decode()
    data = {"seed": page.context["seed"]}
    answer = client.post(make, {**data, "seen": "another draw"}, follow=True)
    assert messages_on(answer)[-1] == (
        "Teams or dates have changed, so the fixtures were redrawn. Check them again."
    )
    answer = client.post(make, {**data, "seen": page.context["seen"]}, follow=True)
    assert messages_on(answer)[-1] == "Published 6 matches."
    assert client.get(address("team_draw", league)).context["made"]
    for fixture in fixtures_of(league):
        fixture.match.league = league
        url = address("team_card", league, fixture.match.public_id)
        assert client.post(url, filled_in(fixture.match, 3)).status_code == 302
    assert client.get(url).status_code == 200
    assert client.get(address("team_match", league, fixture.match.public_id)).status_code == 200
    page = client.get(address("team_league", league))
    assert page.context["next"].closes
    assert {row.points for row in page.context["rows"]} == {"4"}
    refused = client.post(address("team_league_close", league))
    assert refused.status_code == 422
    assert refused.context["form"].errors == {
        "sure": ["Tick the box to confirm that no more matches are played."]
    }
    client.post(address("team_league_close", league), {"sure": "on"})
    league.refresh_from_db()
    assert league.state == "finished"
    for name in ("team_league", "team_fixtures"):
        assert client.get(address(name, league)).status_code == 200
    assert "The table of a season" in client.get(reverse("team_leagues", args=[club.slug])).text
    team = league.teams.first()
    assert client.get(address("team", league, team.public_id)).status_code == 200


def test_only_one_captain_fills_in_a_card_and_the_other_confirms_it():
    league = with_fixtures(pairs=1)
    league.club.confirm = "opponent"
    league.club.save()
    match = matches(league)[0]
    home, away = captain(league, match.home), captain(league, match.away)
    other = captain(league, league.teams.exclude(pk__in=[match.home_id, match.away_id]).first())
    card = address("team_card", league, match.public_id)
    confirm = address("team_match_confirm", league, match.public_id)
    assert other.get(card).status_code == 403
    assert home.post(card, filled_in(match)).status_code == 302
    match.refresh_from_db()
    assert match.written_as == match.home.captain.name  # not the name of the account
    page = home.get(address("team_match", league, match.public_id))
    assert (page.context["may_write"], page.context["may_confirm"]) == (True, False)
    assert other.post(confirm).status_code == 403
    page = away.get(address("team_match", league, match.public_id))
    assert page.context["may_confirm"]
    assert messages_on(away.post(confirm, follow=True)) == ["Confirmed the card."]
    match.refresh_from_db()
    assert match_records([match], league)[0].counts
    assert home.post(address("team_match_move", league, match.public_id)).status_code == 403


def test_a_captain_objects_and_the_page_says_why(client):
    league = with_fixtures(pairs=1)
    league.club.confirm = "opponent"
    league.club.save()
    match = matches(league)[0]
    written(match, side=0)
    away = captain(league, match.away)
    object_to = address("team_match_object", league, match.public_id)
    assert messages_on(away.post(object_to, follow=True)) == ["What is wrong: Fill this in."]
    away.post(object_to, {"reason": "Game 3 was ours"})
    client.force_login(a_user(club=league.club))
    page = client.get(address("team_match", league, match.public_id)).content.decode()
    assert ": Game 3 was ours" in page
    hub = client.get(address("team_league", league))
    assert hub.context["next"].title.endswith(": the card is disputed")


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"score1_1_home": "21", "score1_1_away": "21"}, "only one side can reach 21."),
        ({"score1_1_home": "99", "score1_1_away": "0"}, "ends with more than 24 points."),
        ({"score1_1_home": "12", "score1_1_away": "2"}, "No one has reached 21. Fix it"),
        ({"score1_1_away": ""}, "Enter a score for both pairs, or for neither."),
        ({"home1_1": ""}, "A pair has two players."),
        ({"home1_1": "nobody"}, "Select a valid choice."),
        ({"held_on": "2099-01-01"}, "This day is still to come. Enter the day of the match."),
    ],
)
def test_an_impossible_card_is_refused_at_its_field(client, wrong, sentence):
    league = with_fixtures(2, pairs=1)
    client.force_login(a_user(club=league.club))
    match = matches(league)[0]
    url = address("team_card", league, match.public_id)
    answer = client.post(url, filled_in(match, **wrong))
    assert answer.status_code == 422
    assert sentence in answer.content.decode()


def test_a_game_may_have_ended_early_when_the_card_says_so(client):
    league = with_fixtures(2)
    client.force_login(a_user(club=league.club))
    match = matches(league)[0]
    data = filled_in(match, score1_1_home="12", score1_1_away="2", short="on")
    assert client.post(address("team_card", league, match.public_id), data).status_code == 302
    assert table(league).records[match.home_id].own == 12 + 4 * 21 + 4 * 15


@pytest.mark.parametrize("names", ["Rose\nRose B\nUnited 1", "   \n.\n"])
def test_an_impossible_team_is_refused_at_its_players(client, names):
    league = with_fixtures(2)
    client.force_login(a_user(club=league.club))
    team = Team.objects.get(name="Rovers")
    data = {"name": "Rovers", "names": names}
    answer = client.post(address("team_edit", league, team.public_id), data)
    assert answer.status_code == 422
    assert "names" in answer.context["form"].errors


@pytest.mark.parametrize(
    ("page", "data"),
    [
        ("team_deduct", {}),
        ("team_deduct", {"points": "x"}),
        ("team_fixtures_make", {}),
        ("team_cup_round", {"held_on": "never"}),
    ],
)
def test_a_senseless_form_is_refused_kindly(client, page, data):
    league = with_fixtures(2)
    client.force_login(a_user(club=league.club))
    about = {"team_deduct": [league.teams.first().public_id]}.get(page, [])
    if page == "team_cup_round":
        about = [actions.make_cup(league, name="Cup", third_place=False, seed=1, by=TEST).public_id]
    answer = client.post(address(page, league, *about), data, follow=True)
    assert answer.status_code == 200
    assert len(messages_on(answer)) == 1


def test_points_are_deducted_and_teams_withdrawn_on_the_pages(client):
    league = with_fixtures()
    client.force_login(a_user(club=league.club))
    team = league.teams.first()
    deduct = address("team_deduct", league, team.public_id)
    client.post(deduct, {"points": "1", "reason": "Late card"})
    page = client.get(address("team", league, team.public_id))
    assert page.context["row"].points == "−1"
    taken = team.deductions.get()
    client.post(address("team_give_back", league, team.public_id, taken.pk))
    withdraw = address("team_withdraw", league, team.public_id)
    assert "confirm that the team leaves" in messages_on(client.post(withdraw, follow=True))[-1]
    to_come = {"sure": "on", "day": str(timezone.localdate() + timedelta(days=2))}
    assert messages_on(client.post(withdraw, to_come, follow=True))[-1].endswith(
        "This day is in the future."
    )
    client.post(withdraw, {"sure": "on", "day": "2026-09-07"})
    page = client.get(address("team", league, team.public_id))
    assert timezone.localdate(page.context["team"].withdrawn_at) == date(2026, 9, 7)
    assert page.context["row"].struck
    assert {shown.state for shown in page.context["matches"]} == {"off"}
    client.post(address("team_return", league, team.public_id))
    assert client.get(address("team", league, team.public_id)).context["row"].rank


def draw_a_cup(client, league, **params):
    """Preview a draw, make it as shown, and return the next page."""
    url = address("team_cup_draw", league)
    page = client.get(url, params)
    text = {"seed": page.context["seed"], "seen": page.context["draw"].seen}
    return client.post(url, params | text, follow=True)


def test_a_cup_is_drawn_scheduled_and_won_on_the_pages(client):
    league = with_fixtures(3, pairs=1)
    client.force_login(a_user(club=league.club))
    draw_a_cup(client, league, name="Winter Cup")
    cup = league.cups.get()
    page = address("team_cup", league, cup.public_id)
    for _round in range(2):
        client.post(address("team_cup_round", league, cup.public_id), {"held_on": "2026-11-19"})
        match = cup.matches.get(session=None)
        match.league = league
        assert client.get(page).status_code == 200
        client.post(address("team_card", league, match.public_id), filled_in(match, 6))
    assert client.get(page).context["champion"] == match.home.name


@pytest.mark.parametrize("teams", [2, 6])
def test_a_page_asks_the_database_a_fixed_number_of_times(client, django_assert_num_queries, teams):
    league = with_fixtures(teams, pairs=2, turns=1)
    for match in matches(league):
        written(match, 2)
    client.force_login(a_user(club=league.club))
    for page, queries in (("team_league", 15), ("team_fixtures", 7), ("team_league_edit", 11)):
        client.get(address(page, league))
        with django_assert_num_queries(queries, info=page):
            assert client.get(address(page, league)).status_code == 200


def test_the_public_reads_names_of_people_as_the_club_shows_them(client):
    league = with_fixtures(2, pairs=1)
    league.club.visibility, league.club.names_in_public = "standings", "hidden"
    league.club.save()
    match = written(matches(league)[0])
    for url in (
        address("team_match", league, match.public_id),
        address("team", league, match.home.public_id),
    ):
        text = client.get(url).content.decode()
        assert "Player " in text
        assert f"{match.home.name} 1" not in text


def test_the_public_reads_no_reasons_and_no_accounts(client):
    league = with_fixtures(4, pairs=1)
    league.club.visibility, league.club.confirm = "standings", "opponent"
    league.club.save()
    first, second = matches(league)
    said_by = Actor("Olive Trevithick", source="test")
    actions.write_card(first, a_card(first), side=0, by=said_by, at=EIGHT)
    actions.move_match(second, held_on=None, venue="", reason="Bill is ill", by=TEST)
    first.home.league = league
    actions.deduct(first.home, 1, reason="Bill was late", by=TEST, at=EIGHT)
    pages = [address("team_league", league), address("team_fixtures", league)]
    pages += [address("team_match", league, match.public_id) for match in (first, second)]
    pages += [address("team", league, first.home.public_id)]
    text = "".join(client.get(page).content.decode() for page in pages)
    assert "Postponed from" in text
    assert "Bill" not in text
    assert "Olive" not in text


def test_table_and_fixtures_are_downloaded(client):
    league = with_fixtures(4)
    match = written(matches(league)[0])
    client.force_login(a_user(club=league.club))
    sheets = {}
    for page in ("export_team_table", "export_team_fixtures"):
        content = client.get(address(page, league, "csv")).content.decode("utf-8-sig")
        sheets[page] = list(csv.DictReader(StringIO(content)))
    assert sheets["export_team_table"][0]["Team"] == match.home.name
    assert sheets["export_team_table"][0]["Points"] == "2"
    assert len(sheets["export_team_fixtures"]) == 12
    assert {row["home games"] for row in sheets["export_team_fixtures"]} == {"", "5"}


def test_two_players_of_two_teams_cannot_be_merged():
    from league.members.actions import merge_members
    from tests.tournaments.test_progressive import refusal

    league = with_fixtures(2)
    rovers, united = (players_of(team) for team in league.teams.all())
    text = {"by": TEST, "at": EIGHT}
    assert refusal(merge_members, rovers[0], into=united[0], **text) == "two-teams"
    merge_members(rovers[0], into=rovers[1], **text)
    assert len(players_of(league.teams.first())) == 5
    assert league.teams.first().captain == rovers[1]


def test_a_closed_league_refuses_all_actions():
    from league.errors import Refused

    league = with_fixtures(2)
    actions.set_league_state(league, "finished", by=TEST, at=EIGHT)
    with pytest.raises(Refused, match="This league is closed"):
        actions.make_cup(league, name="Cup", third_place=False, seed=1, by=TEST)


def test_empty_cards_are_printed_one_for_each_captain(client):
    league = with_fixtures(2)
    client.force_login(a_user(club=league.club, rank="member"))
    match = matches(league)[0]
    page = client.get(address("team_card_print", league, match.public_id)).content.decode()
    assert page.count("Every game to 21 points") == 2
    assert page.count("2 – 3") == 2
    assert f"For the captain of {match.away.name}" in page


def test_the_games_of_a_match_are_in_the_season_and_on_the_pages_of_its_people(client):
    club = a_club()
    season = club.seasons.create(name="Winter", starts_on=date(2026, 9, 1))
    league = with_fixtures(2, club=club, season=season, pairs=1)
    match = written(matches(league)[0], 9)
    client.force_login(a_user(club=club))
    player = players_of(match.home)[0]
    page = client.get(reverse("season_standings", args=[club.slug, season.public_id]))
    assert player.name in page.content.decode()
    record = client.get(reverse("member_record", args=[club.slug, player.public_id]))
    assert players_of(match.home)[1].name in record.content.decode()
    for name in ("session", "session_standings", "board", "seating", "checkin", "wall"):
        assert (
            client.get(reverse(name, args=[club.slug, match.session.public_id])).status_code == 200
        )


def test_a_league_saved_again_with_the_same_target_keeps_its_ruleset(client):
    league = with_fixtures(2)
    client.force_login(a_user(club=league.club))
    same = {name: value for name, value in ASKED.items() if name not in ("pairs", "turns")}
    data = {**same, "pairs": 3, "turns": 3, "ruleset": league.ruleset_id}
    assert client.post(address("team_league_edit", league), data).status_code == 302
    before = league.ruleset_id
    league.refresh_from_db()
    assert league.ruleset_id == before


def test_a_match_not_played_does_not_keep_the_league_in_its_round(client):
    league = with_fixtures(teams=4, starts_on=timezone.localdate() - timedelta(days=8))
    client.force_login(a_user(club=league.club))
    notice = client.get(address("team_notice", league)).content.decode()
    assert "Next: round 3" in notice
    page = client.get(address("team_league", league))
    assert page.context["now"].number == 3
    overdue = [fixture.match for fixture in page.context["overdue"]]
    assert overdue == [m for m in league.matches.order_by("round", "pk") if m.round < 3]
