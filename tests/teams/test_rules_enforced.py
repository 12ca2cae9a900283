"""Printed rules that the pages enforce, each with a test named after it (docs/leagues.md)."""

from datetime import date, time

import pytest
from django.urls import reverse

from league.errors import Refused
from league.exchange.views.calendar import match_entries
from league.members.models import Club
from league.pairing import Rng
from league.seating.models import Seat
from league.teams import actions
from league.teams.card import game_line_ups
from league.teams.card_form import CardForm
from league.teams.forms import LeagueForm
from league.teams.models import TeamLeague
from league.teams.presets import FALMOUTH, GUERNSEY, ST_AUSTELL
from league.teams.queries import fixtures_of, match_records, players_of
from tests.builders import EIGHT, TEST, a_club, a_user
from tests.teams.leagues import a_card, a_league, matches, table, with_fixtures, written
from tests.teams.test_pages import ASKED, address, captain, filled_in
from tests.tournaments.test_progressive import refusal

pytestmark = pytest.mark.django_db
SAY = {"by": TEST, "at": EIGHT}


def league_by(preset, *, fixtures=True, **chosen):
    make = with_fixtures if fixtures else a_league
    return make(
        4, rules=dict(preset.rules), squad_rules=dict(preset.squads), preset=preset.code,
        fixture_rules=dict(preset.fixtures), **{"borrowed": preset.borrowed, **chosen},
    )  # fmt: skip


def days_of_the_form(preset, starts_on, **more):
    club = Club.objects.first() or a_club()
    data = {**ASKED, "preset": preset.code, "match_day": str(preset.fixtures["match_day"])}
    data |= {"ruleset": "", "starts_on": starts_on, **more}
    return set(LeagueForm(data, club=club, preset=preset).errors)


def test_sta_5_every_round_is_on_a_thursday_unless_a_match_is_moved_with_a_reason():
    league = league_by(ST_AUSTELL)
    assert days_of_the_form(ST_AUSTELL, "2026-09-02") == {"starts_on"}
    assert {fixture.match.held_on.weekday() for fixture in fixtures_of(league)} == {3}
    match = matches(league)[0]
    moved = {"held_on": date(2026, 9, 4), "venue": "", "by": TEST}
    assert refusal(actions.move_match, match, reason="", **moved) == "no-reason"
    actions.move_match(match, reason="The secretary agrees", **moved)


def test_fal_4_every_round_is_on_a_wednesday():
    league = league_by(FALMOUTH, starts_on=date(2026, 9, 2))
    assert days_of_the_form(FALMOUTH, "2026-09-03") == {"starts_on"}
    assert days_of_the_form(FALMOUTH, "2026-09-02", days_between="10") == {"days_between"}
    assert {fixture.match.held_on.weekday() for fixture in fixtures_of(league)} == {2}
    hours = {
        league.club.local(entry.begins).time() for entry in match_entries(league.club, date.min)
    }
    assert hours == {time(20, 15)}


def test_sta_7a_both_captains_confirm_also_in_a_club_where_nobody_does():
    league = league_by(ST_AUSTELL)
    assert league.club.confirm == "none"
    match = written(matches(league)[0], side=0)
    assert match_records([match], league)[0].waits
    actions.confirm_card(match, side=1, **SAY)
    assert match_records([match], league)[0].counts


def test_sta_9b_visitors_move_after_each_game_and_the_same_six_play_all_games():
    league = league_by(ST_AUSTELL)
    match = written(matches(league)[0])
    games = game_line_ups(match, league)
    assert [(game.home_pair, game.away_pair) for game in games] == [
        (1, 1), (2, 2), (3, 3), (1, 2), (2, 3), (3, 1), (1, 3), (2, 1), (3, 2),
    ]  # fmt: skip
    for turn in (1, 2, 3):
        seats = Seat.objects.filter(session=match.session, table__round__number=turn)
        assert len(set(seats.values_list("member", flat=True))) == 12
    assert len(set(Seat.objects.filter(session=match.session).values_list("member"))) == 12


def test_sta_10a_teams_of_one_house_are_named_a_b_c():
    league = league_by(ST_AUSTELL, fixtures=False)
    team = {"venue": "", "roomy": False, "names": [], "house": "The Ship", "by": TEST}
    first = actions.save_team(league, None, name="Ship", **team)
    with pytest.raises(Refused, match="Add a letter to Ship"):
        actions.save_team(league, None, name="Ship B", **team)
    actions.save_team(league, first, name="Ship A", **team)
    actions.save_team(league, None, name="Ship B", **team, same_name=True)
    assert refusal(actions.save_team, league, None, name="Mermaid", **team) == "house-letters"


def test_fal_3_squads_of_fewer_than_seven_are_refused_at_the_draw_and_let_pass_on_purpose(client):
    league = league_by(FALMOUTH, fixtures=False, starts_on=date(2026, 9, 2))
    with pytest.raises(Refused, match="Albion has 6 players; a squad needs at least 7"):
        actions.make_fixtures(league, seed=1, by=TEST)
    client.force_login(a_user(club=league.club))
    page = client.get(address("team_draw", league))
    assert len(page.context["notes"]) == 4
    seen = {name: page.context[name] for name in ("seed", "seen")}
    again = client.post(address("team_fixtures_make", league), seen, follow=True)
    assert not league.matches.exists()
    assert again.context["seed"] == seen["seed"]  # the draw that was liked comes back
    client.post(address("team_fixtures_make", league), {**seen, "anyway": "on"})
    assert league.matches.count() == 12


def test_a_squad_cannot_become_too_small_during_the_season():
    league = with_fixtures(squad_rules={"least": 6})
    team = league.teams.first()
    names = [player.name for player in players_of(team)]
    data = {"name": team.name, "venue": "", "roomy": False, "by": TEST}
    assert refusal(actions.save_team, league, team, names=names[:5], **data) == "squad-small"


def test_fal_8_a_captain_signs_a_new_player_on_who_plays_that_night():
    league = league_by(FALMOUTH, starts_on=date(2026, 9, 2))
    match = matches(league)[0]
    client = captain(league, match.home)
    page = address("team_sign_on", league, match.home.public_id)
    assert client.post(page, {"name": "Zebedee Quick"}).status_code == 302
    (new,) = (player for player in players_of(match.home) if player.name == "Zebedee Quick")
    assert client.get(address("team_sign_on", league, match.away.public_id)).status_code == 403
    squad = players_of(match.home)
    home = [*[player for player in squad if player != new][:5], new]
    actions.write_card(match, a_card(match, home=home), side=0, **SAY)


def test_captains_sign_nobody_on_where_the_rules_do_not_say_so():
    league = league_by(GUERNSEY)
    match = matches(league)[0]
    client = captain(league, match.home)
    page = address("team_sign_on", league, match.home.public_id)
    assert client.get(page).status_code == 403


def test_nobody_is_registered_after_the_last_day_for_new_players():
    league = with_fixtures(squad_rules={"register_until": "2026-11-18"})
    team = league.teams.first()
    team.league = league
    assert refusal(actions.sign_on, team, name="Zoe", **SAY) == "registration-closed"
    names = [player.name for player in players_of(team)]
    data = {"name": team.name, "venue": "", "roomy": False, **SAY}
    actions.save_team(league, team, names=names, **data)
    late = [*names, "Zoe"]
    assert refusal(actions.save_team, league, team, names=late, **data) == "registration-closed"


def test_fal_14_the_pairs_of_a_match_are_drawn_from_those_who_play(client):
    league = league_by(FALMOUTH)
    match = matches(league)[0]
    form = CardForm(match=match, league=league)
    before = [form.initial[name] for name in form.seats()]
    form.draw_pairs(Rng(7))
    after = [form.initial[name] for name in form.seats()]
    assert before != after
    assert set(before[:6]) == set(after[:6])
    client.force_login(a_user(club=league.club))
    data = filled_in(match, 5)
    answer = client.post(address("team_card_draw", league, match.public_id), data)
    shown = answer.context["form"]
    assert {shown.initial[name] for name in form.seats()} == set(before)
    assert str(shown.initial["score1_1_home"]) == "21"
    assert match.session_id is None


def test_fal_17_a_team_of_which_fewer_than_five_stay_is_named_at_the_next_draw():
    league = league_by(FALMOUTH)
    actions.set_league_state(league, "finished", **SAY)
    chosen = {"name": "Next", "starts_on": date(2027, 9, 1), "seed": 1, "moves": {}, **SAY}
    made = actions.start_next_league(league, **chosen)
    team = made.teams.first()
    kept = [player.name for player in players_of(team)][:4]
    data = {"name": team.name, "venue": "", "roomy": False, "by": TEST}
    actions.save_team(made, team, names=[*kept, "New Uno", "New Duo", "New Tres"], **data)
    with pytest.raises(Refused, match="squad") as refused:
        actions.make_fixtures(made, seed=1, by=TEST)
    assert refused.value.code == "squads"
    from league.teams.eligibility import squad_notes

    assert "Players of Rovers who stayed: 4; it takes 5 to keep its division." in squad_notes(made)


def test_gue_6_a_transfer_is_agreed_by_both_captains():
    league = league_by(GUERNSEY)
    match = matches(league)[0]
    player = players_of(match.home)[5]
    moved = {"day": date(2026, 11, 19), **SAY}
    assert refusal(
        actions.transfer_player, player, match.away, agreed=False, **moved
    ) == "captains-agree"  # fmt: skip
    actions.transfer_player(player, match.away, agreed=True, anyway=True, **moved)


def test_the_rules_page_sets_every_rule_of_days_and_squads(client):
    league = league_by(FALMOUTH)
    client.force_login(a_user(club=league.club))
    page = reverse("team_rules_edit", args=[league.club.slug, league.public_id])
    form = client.get(page).context["form"]
    data = {k: v for k, v in form.initial.items() if v is not None and v is not False}
    data |= {"after_split": "same", "register_until": "2026-12-31", "rearranged": "14"}
    data |= {"cup_days": "2026-10-14", "derbies_early": "on", "both_confirm": "on"}
    answer = client.post(page, data)
    assert client.get(page).context["form"].initial["cup_days"] == "14 October 2026"
    assert answer.status_code == 302, answer.context["form"].errors
    league = TeamLeague.objects.get()
    assert league.squad_rules["register_until"] == "2026-12-31"
    assert league.squad_rules["both_confirm"]
    assert league.squad_rules["sign_on"]
    assert league.fixture_rules == {
        "match_day": 2, "cup_days": ["2026-10-14"], "rearranged": 14, "derbies_early": True,
        "starts_at": "20:15",
    }  # fmt: skip


def test_fal_11_and_fal_14_the_ben_toy_is_a_second_table_on_the_same_nights(client):
    league = league_by(FALMOUTH, starts_on=date(2026, 9, 2))
    client.force_login(a_user(club=league.club))
    client.post(address("team_second", league), {"name": "Ben Toy", "walkover": "2"})
    toy = TeamLeague.objects.get(name="Ben Toy")
    nights = [
        sorted((m.round, m.held_on, str(m)) for m in a_league.matches.all())
        for a_league in (league, toy)
    ]
    assert nights[0] == nights[1]
    match = matches(toy)[0]
    actions.give_match(match, match.home, reason="Nobody came", **SAY)
    assert table(toy).records[match.home_id].points == 2
    assert not table(league).records[matches(league)[0].home_id].played
    written(matches(toy)[1])
    written(matches(league)[1])
