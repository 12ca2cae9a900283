"""What a league's organisers do by mistake, and how each page says it or undoes it."""

from datetime import date
from html import unescape

import pytest
from django.urls import reverse
from django.utils import timezone

from league.errors import Refused
from league.exchange.league_sheets import preview_teams
from league.members.models import AuditEntry, Member
from league.sessions.queries import local_date
from league.teams import actions
from league.teams.models import Deduction, TeamDivision, TeamLeague, TeamMatch
from league.teams.queries import players_of
from tests.builders import EIGHT, TEST, a_club, a_user
from tests.exchange.test_league_sheets import take_fixtures, teams_in
from tests.teams.leagues import a_league, matches, table, with_fixtures, written
from tests.teams.test_pages import address, captain, messages_on
from tests.teams.test_rules_pages import save_form

pytestmark = pytest.mark.django_db


def read(client, page, league, *more):
    return " ".join(client.get(address(page, league, *more)).content.decode().split())


def test_points_added_with_a_negative_number_are_called_added_everywhere(client):
    league = with_fixtures(2)
    client.force_login(a_user(club=league.club))
    team = league.teams.first()
    deduct = address("team_deduct", league, team.public_id)

    def said(points):
        data = {"points": points, "reason": "Fair play"}
        return messages_on(client.post(deduct, data, follow=True))

    assert said("1") == ["Deducted 1 point."]
    assert said("-2.5") == ["Added 2.5 points."]
    assert "<strong>added 2.5:</strong> Fair play" in read(client, "team", league, team.public_id)
    assert f"* Points added to {team}: 1.5" in read(client, "team_notice", league)
    assert f"* Points added to {team}: 1.5" in read(client, "team_results_text", league)
    assert f"* Points added to {team}: 2.5 (Fair play)" in read(client, "team_league", league)
    assert f"Points added to {team}: 2.5 (Fair play)" in read(client, "team_rules", league)
    entry = AuditEntry.objects.latest("pk")
    assert (entry.action, entry.new["points"]) == ("add points", "2.5")
    back = address("team_give_back", league, team.public_id, Deduction.objects.latest("pk").pk)
    assert messages_on(client.post(back, follow=True)) == ["Took the points back."]
    assert f"Points added to {team}: 2.5 (Fair play) (taken back)" in read(
        client, "team_rules", league
    )


ADVICE = "John Smith is listed twice. Another John Smith? Write John Smith (Ship &amp; Anchor)."


def test_two_of_one_name_in_a_team_are_refused_with_the_way_to_go_on_and_nothing_is_saved(client):
    league = a_league(0)
    client.force_login(a_user(club=league.club))
    data = {"name": "Ship & Anchor", "names": "John Smith\nAnn Pike\njohn smith"}
    refused = client.post(address("team_new", league), data)
    assert refused.status_code == 422
    assert ADVICE in refused.content.decode()
    assert (league.teams.count(), Member.objects.count()) == (0, 0)
    data["names"] = "John Smith\nAnn Pike\nJohn Smith (Ship & Anchor)"
    client.post(address("team_new", league), {**data, "same_name": "on"})
    assert len(players_of(league.teams.get())) == 3


@pytest.mark.parametrize(
    "lines",
    [
        ["team,players", "Ship & Anchor,John Smith;Ann Pike;john smith"],
        ["team,player,captain", "Ship & Anchor,John Smith,John Smith", ",john smith,"],
    ],
)
def test_the_check_of_an_import_names_two_of_one_name_in_a_team(lines):
    (trouble,) = preview_teams(a_league(0), teams_in(lines)).troubles
    assert trouble.column == "player"
    assert "Write" in trouble.sentence
    assert "(Ship & Anchor)" in trouble.sentence


@pytest.mark.parametrize("team", ["King's Arms A", "King’s Arms A", "Ring o' Bells", "Crown"])
def test_the_advice_for_a_namesake_is_accepted_the_first_time(client, team):
    league = a_league(0)
    client.force_login(a_user(club=league.club))
    page = address("team_new", league)
    client.post(page, {"name": "The Ship", "names": "John Smith"})
    refused = client.post(page, {"name": team, "names": "John Smith"})
    assert f"Write John Smith ({team})." in unescape(refused.text)
    typed = {"name": team, "names": f"John Smith ({team.replace('’', chr(39))})\nJoan Smyth"}
    assert client.post(page, typed).status_code == 302
    assert [player.name for player in players_of(league.teams.get(name=team))][1:] == [
        typed["names"].splitlines()[0]
    ]
    again = {**typed, "names": typed["names"].replace("John", "Jon")}
    edit = address("team_edit", league, league.teams.get(name=team).public_id)
    assert client.post(edit, again).status_code == 422


def test_the_check_of_an_import_says_how_to_enter_a_namesake_of_another_team():
    lines = ["team,players", "Ship,John Smith", "Bell,John Smith"]
    (trouble,) = preview_teams(a_league(0), teams_in(lines)).troubles
    assert trouble.sentence.endswith("Another John Smith? Write John Smith (Bell).")


def test_a_league_made_by_mistake_is_deleted_after_a_question_and_the_log_has_it(client):
    league = with_fixtures(3)
    upper = TeamDivision.objects.create(league=league, name="1", number=1)
    league.teams.update(division=upper)
    actions.make_cup(league, name="Cup", third_place=False, seed=1, by=TEST)
    client.force_login(a_user(club=league.club))
    page = address("team_league_delete", league)
    assert page in read(client, "team_league_edit", league)
    asked = client.get(page).content.decode()
    assert f"Delete {league.name} with its teams and fixtures?" in asked
    assert TeamLeague.objects.exists()
    answer = client.post(page, follow=True)
    assert messages_on(answer) == [f"Deleted {league.name}."]
    assert not TeamLeague.objects.exists()
    assert Member.objects.count() == 18
    entry = AuditEntry.objects.latest("pk")
    assert (entry.action, entry.new) == ("drop team league", None)
    log = client.get(reverse("audit", args=[league.club.slug])).content.decode()
    assert "deleted league" in log.lower()


def test_a_league_with_a_card_is_not_deleted(client):
    league = with_fixtures(2, pairs=1)
    client.force_login(a_user(club=league.club))
    written(matches(league)[0])
    page = address("team_league_delete", league)
    assert page not in read(client, "team_league_edit", league)
    answer = client.post(page, follow=True)
    assert "A match has been played, so the league" in messages_on(answer)[0]
    assert TeamLeague.objects.exists()


def test_a_league_without_teams_is_deleted(client):
    league = a_league(0)
    actions.drop_league(league, by=TEST)
    assert not TeamLeague.objects.exists()


def test_a_waived_penalty_is_put_back_where_the_page_says_that_it_is_waived(client):
    late = {"weekday": "sat", "time": "18:00", "points": 1, "from": "winner"}
    league = with_fixtures(2, rules={"late": late}, pairs=1)
    client.force_login(a_user(club=league.club))
    match = written(matches(league)[0], held_on=date(2026, 9, 3))
    actions.lift_late(match, reason="The post was late", by=TEST)
    text = read(client, "team_match", league, match.public_id)
    again = address("team_match_late_again", league, match.public_id)
    assert text.index("The penalty is waived") < text.index(again) < text.index("Game 1")


def test_the_box_for_slams_says_before_what_it_needs(client):
    club = a_club()
    client.force_login(a_user(club=club))
    page = client.get(reverse("team_league_new", args=[club.slug])).content.decode()
    assert "it needs pairs that meet twice: with 3 pairs, 6 games per pair." in page
    assert "A rulebook fills in the settings below as a real pub league plays them" in page


def test_a_captain_who_disputes_a_card_of_a_closed_league_reads_what_to_do():
    club = a_club(confirm="opponent")
    league = with_fixtures(2, club=club, pairs=1)
    match = matches(league)[0]
    client = captain(league, match.away)
    captain(league, match.home)
    written(match, side=0)
    actions.set_league_state(league, "finished", by=TEST, at=EIGHT)
    page = address("team_match_object", league, match.public_id)
    (said,) = messages_on(client.post(page, {"reason": "Game 2"}, follow=True))
    assert said == (
        "This league is closed. Leave a message below: an organiser can reopen it and decide."
    )


def test_the_notice_names_the_champions_and_has_no_column_without_a_figure(client):
    league = with_fixtures(2, twice=False)
    client.force_login(a_user(club=league.club))
    match = matches(league)[0]
    assert "± points" in read(client, "team_notice", league)
    take_fixtures(
        league,
        ["date,home,away,home games,away games", f"2026-09-03,{match.home},{match.away},6,3"],
    )
    text = read(client, "team_notice", league)
    assert "± points" not in text
    assert text.count("(champions)") == 1


def test_other_tie_breaks_after_the_last_match_say_who_is_first_now(client):
    league = with_fixtures(2, rules={"tie_breaks": ["games_won"]})
    client.force_login(a_user(club=league.club))
    narrow, wide = TeamMatch.objects.filter(league=league)
    for match, wins, won, lost in ((narrow, 6, (21, 20), (0, 21)), (wide, 5, (21, 0), (20, 21))):
        match.league = league
        keys = [(turn, pair) for turn in (1, 2, 3) for pair in (1, 2, 3)]
        written(match, scores={key: won if n < wins else lost for n, key in enumerate(keys)})
    assert table(league).lines[0].who == narrow.home_id
    save_form(client, "team_league_edit", league, ranking="difference", ruleset=league.ruleset_id)
    (said,) = messages_on(client.get(address("team_league", league)))
    assert said == f"Saved. In first place now: {wide.home}."


def test_an_import_that_moves_a_match_says_so_in_the_log_and_names_the_file_as_its_reason():
    league = with_fixtures(2, twice=False)
    match = matches(league)[0]
    day = match.held_on
    head = "date,home,away,home games,away games,awarded"
    take_fixtures(league, [head, f"2026-11-12,{match.home},{match.away},,,home"])
    match.refresh_from_db()
    assert (match.given_reason, match.held_on) == ("from an imported file", date(2026, 11, 12))
    (entry,) = AuditEntry.objects.filter(action="move team match")
    assert entry.old == {"held_on": str(day)}
    assert entry.new == {"held_on": "2026-11-12", "reason": "from an imported file"}


def test_a_refused_repeat_leaves_the_team_as_it_was():
    league = a_league(1)
    team = league.teams.get()
    names = [player.name for player in players_of(team)]
    data = {"name": team.name, "venue": "", "roomy": False, "by": TEST}
    with pytest.raises(Refused) as refused:
        actions.save_team(league, team, names=[*names, names[0].upper()], **data)
    assert refused.value.code == "listed-twice"
    assert len(players_of(team)) == len(names)


def test_the_day_of_a_transfer_is_named_and_today(client):
    league = with_fixtures()
    client.force_login(a_user(club=league.club))
    team = league.teams.first()
    form = client.get(address("team", league, team.public_id)).context["transfer_form"]
    assert form["day"].label == "First day in this team"
    assert form["day"].value() == local_date(league.club, timezone.now())
