"""A league's secretary, a captain's page, and the table embedded in another website."""

from datetime import date

import pytest

from league.members.models import Member
from league.teams.models import TeamLeague
from tests.builders import a_user
from tests.teams.leagues import a_league, matches, with_fixtures, written
from tests.teams.test_pages import address, captain, filled_in

pytestmark = pytest.mark.django_db


def test_a_secretary_runs_their_own_league_and_no_other(client):
    league, other = with_fixtures(), None
    other = a_league(2, club=league.club, pairs=1)
    user = a_user("sec", club=league.club, rank="member")
    secretary = Member.objects.create(club=league.club, name="Sue Secretary", user=user)
    TeamLeague.objects.filter(pk=league.pk).update(secretary=secretary)
    match = matches(league)[0]
    client.force_login(user)
    assert client.get(address("team_rules_edit", league)).status_code == 200
    assert client.get(address("team_rules_edit", other)).status_code == 403
    assert client.post(address("team_draw", other)).status_code in (403, 405)
    card = address("team_card", league, match.public_id)
    assert client.post(card, filled_in(match, 5)).status_code == 302
    assert client.get(address("team_league", league)).context["organiser"]
    assert not client.get(address("team_league", other)).context["organiser"]
    assert "secretary" not in client.get(address("team_league_edit", league)).context["form"].fields


def test_an_organiser_gives_a_league_its_secretary(client):
    league = with_fixtures()
    user = a_user("sec", club=league.club, rank="member")
    secretary = Member.objects.create(club=league.club, name="Sue Secretary", user=user)
    client.force_login(a_user(club=league.club))
    page = address("team_league_edit", league)
    form = client.get(page).context["form"]
    data = {
        k: getattr(v, "pk", v) for k, v in form.initial.items() if v is not None and v is not False
    }
    data |= {"twice": "on", "secretary": secretary.public_id}
    answer = client.post(page, data)
    assert answer.status_code == 302, answer.context["form"].errors
    league.refresh_from_db()
    assert league.secretary == secretary


def test_a_captains_page_has_their_own_teams_and_those_of_their_house_only():
    league = with_fixtures(starts_on=date(2099, 9, 3))
    own, same, *others = league.teams.all()
    league.teams.filter(pk__in=[own.pk, same.pk]).update(house="The Ship")
    page = captain(league, own).get(address("team_mine", league))
    assert [led_team.team for led_team in page.context["led"]] == [own, same]
    assert len(page.context["led"][0].coming) == 3
    stranger = captain(league, others[0]).get(address("team_mine", league))
    assert [led_team.team for led_team in stranger.context["led"]] == [others[0]]


def test_a_public_league_is_embedded_elsewhere_without_players_names(client):
    league = with_fixtures(2)
    written(matches(league)[0])
    assert client.get(address("team_embed", league)).status_code == 302  # to sign in
    league.club.visibility = "standings"
    league.club.save()
    answer = client.get(address("team_embed", league))
    page = answer.content.decode()
    assert "frame-ancestors *" in answer["Content-Security-Policy"]
    assert "X-Frame-Options" not in answer
    assert "Rovers" in page
    assert "Rovers 1" not in page
    assert "<script" not in page


def test_a_secretary_who_leads_a_team_writes_its_card_as_captain_and_the_other_confirms_it():
    """STA 7a: both captains sign."""
    league = with_fixtures(squad_rules={"both_confirm": True})
    match = matches(league)[0]
    client = captain(league, match.home)
    league.secretary = match.home.captain
    league.save()
    card = address("team_card", league, match.public_id)
    client.post(card, filled_in(match, 5, held_on="2026-09-03"))
    match.refresh_from_db()
    assert match.written_by is None  # the other captain has no account
    other = matches(league, 2)[0]
    if league.secretary_id not in (other.home.captain_id, other.away.captain_id):
        other = matches(league, 2)[1]
    mine = other.home if other.home.captain_id == league.secretary_id else other.away
    captain(league, other.away if mine == other.home else other.home)
    page = address("team_card", league, other.public_id)
    client.post(page, filled_in(other, 5, held_on="2026-09-10"))
    other.refresh_from_db()
    assert other.written_by == mine


def test_a_message_is_named_on_the_leagues_page_and_to_the_captains_of_its_match_only(client):
    league = with_fixtures()
    match, another = matches(league)
    captains = [captain(league, team) for team in (match.home, another.home)]
    url = address("team_match_message", league, match.public_id)
    captains[0].post(url, {"text": "Game five was 21-7"})
    client.force_login(a_user(club=league.club))
    assert "Game five was 21-7" in client.get(address("team_league", league)).content.decode()
    shown = [client.get(address("team_mine", league)).content.decode() for client in captains]
    assert ["Game five was 21-7" in text for text in shown] == [True, False]
    public = captains[1].get(address("team_league", league)).content.decode()
    assert "Game five was 21-7" not in public


def test_the_leagues_page_names_each_match_and_opens_the_card_of_who_may_fill_it_in(client):
    league = with_fixtures()
    match = matches(league)[0]
    link = (
        f'href="{address("team_match", league, match.public_id)}">{match.home} – {match.away}</a>'
    )
    card = f'href="{address("team_card", league, match.public_id)}"'
    stranger = league.teams.exclude(pk__in=[match.home_id, match.away_id]).first()
    client.force_login(a_user(club=league.club))
    for reader, may in ((client, True), (captain(league, match.home), True),
                        (captain(league, stranger), False)):  # fmt: skip
        page = reader.get(address("team_league", league)).content.decode()
        assert link in page
        assert (card in page) == may
    written(match)
    page = client.get(address("team_league", league)).content.decode()
    assert link in page
    assert card not in page
