"""The pages of a league's rules: they have all settings, and printed rules follow the settings."""

import re
from datetime import date

import pytest
from django.urls import reverse
from django.utils import timezone

from league.errors import Refused
from league.members.actions import adopt_preset, revise_ruleset
from league.members.audit_changes import changes
from league.members.models import AuditEntry
from league.ranking.team_league.rules import LeagueRules
from league.teams import actions
from league.teams.models import TeamDivision, TeamLeague
from league.teams.presets import FALMOUTH, ST_AUSTELL, newer_rules
from league.teams.promotion import statuses
from league.teams.queries import rules_of
from league.teams.rules_forms import RulesForm
from league.teams.text import table_rule
from tests.builders import EIGHT, TEST, a_club, a_ruleset, a_user
from tests.pages import squeezed
from tests.teams.leagues import a_league, table, with_fixtures, written
from tests.teams.leagues import matches as matches_of
from tests.teams.test_pages import address, captain, messages_on

pytestmark = pytest.mark.django_db


def st_austell(**own):
    return a_league(
        4, preset="st-austell", rules={**ST_AUSTELL.rules, **own}, starts_on=date(2026, 10, 15)
    )


def page(client, name, league, data=None):
    address = reverse(name, args=[league.club.slug, league.public_id])
    answer = client.post(address, data) if data else client.get(address)
    return " ".join(answer.content.decode().split())


def save_form(client, name, league, **changed):
    """Save the form of a page as it is, with these fields changed."""
    initial = client.get(address(name, league)).context["form"].initial
    data = {
        key: value for key, value in initial.items() if value is not None and value is not False
    }
    answer = client.post(address(name, league), {**data, **changed})
    assert answer.status_code == 302, answer.context["form"].errors


def test_the_table_of_printed_rules_follows_the_settings(client):
    late = {"weekday": "sat", "time": "18:00", "points": 1, "from": "winner"}
    league = st_austell(late=late)
    client.force_login(a_user(club=league.club))
    shown = page(client, "team_rules", league)
    assert "A late card costs the winning team 1 point." in shown
    assert "a late card costs no point" not in shown
    row = re.search(r"8c</th>(.*?)</tr>", shown)[1]
    assert "This league has no sections." in row
    assert "A card arrives by 6 p.m. on the Saturday after the match." in shown
    new = client.get(reverse("team_league_new", args=[league.club.slug]), {"preset": "st-austell"})
    assert "Two of each section, if the league has sections." in new.content.decode()
    assert "Saturday 6 p.m." in page(client, "team_rules", st_austell_again(league))


def test_head_to_head_and_points_of_a_league_speak_of_matches_not_of_single_players():
    codes = ("head_to_head", "points_difference", "points_for")
    met, difference, points = table_rule(LeagueRules(tie_breaks=codes, after_split="first"))
    assert str(met.formula).startswith("Matches won minus matches lost")
    assert "start again" in str(met.formula)
    assert "three-handed" not in str(difference.formula)
    assert "hand" not in str(points.formula)


def st_austell_again(league):
    """The same league by the printed rules again."""
    league.rules = dict(ST_AUSTELL.rules)
    league.save()
    return league


def test_the_rules_page_has_everything_that_was_set(client):
    league = st_austell()
    client.force_login(a_user(club=league.club))
    moves = {"upper": "Top", "lower": "First", "up": 1, "down": 2, "play_off": 1}
    days = {"match_day": 3, "rearranged": 14, "cup_days": ["2026-11-19"], "derbies_early": True}
    actions.change_rules(
        league, rules={"moves": [moves]}, divisions=["Top", "First"], sections=False, by=TEST,
        squad_rules={"register_until": "2026-12-31", "transfers": 1},
        blank_days=["2026-12-24"], fixture_rules=days,
    )  # fmt: skip
    shown = page(client, "team_rules", league)
    for sentence in (
        "Last day for new players: 31 December 2026.",
        "A player may move to another team once a season.",
        "Divisions, the highest first: Top, First.",
        "Between Top and First: 1 up, 2 down, 1 play-off.",
        "Match day: Thursday.",
        "A postponed match is played within 14 days.",
        "No matches in the weeks of 24 December 2026.",
        "Only cup matches in the weeks of 19 November 2026.",
        "Teams of one pub or club meet early in the season.",
    ):
        assert sentence in shown


def test_the_next_round_has_its_time_in_the_one_style_of_the_sites_pages(client):
    today = timezone.localdate()
    league = with_fixtures(teams=4, starts_on=today, fixture_rules={"starts_at": "20:15"})
    client.force_login(a_user(club=league.club))
    sheet = " ".join(client.get(address("team_notice", league)).content.decode().split())
    assert f"Next: round 1, {today:%A} {today.day} {today:%B}, 8:15 p.m." in sheet
    match = client.get(
        address("team_match", league, matches_of(league)[0].public_id)
    ).content.decode()
    assert f"{today:%A} {today.day} {today:%B}, 8:15 p.m." in match
    rules = page(client, "team_rules", league)
    assert "Matches start at 8:15 p.m., unless one has its own time." in rules
    assert ".." not in rules.partition("<main")[2].partition("</main>")[0]


def test_the_start_time_is_set_in_the_leagues_settings_and_shown_wherever_matches_are(client):
    league = with_fixtures(teams=4, starts_on=timezone.localdate())
    client.force_login(a_user(club=league.club))
    settings = address("team_league_edit", league)
    fixtures = page(client, "team_fixtures", league)
    assert (
        f'No start time yet. <a href="{settings}#id_starts_at">Set the start time</a>' in fixtures
    )
    save_form(client, "team_league_edit", league, starts_at="19:30", ruleset=league.ruleset_id)
    assert 'name="starts_at" value="19:30"' in page(client, "team_league_edit", league)
    save_form(client, "team_rules_edit", league, rearranged="14")
    fixtures = page(client, "team_fixtures", league)
    sentence = "Matches start at 7:30 p.m., unless one has its own time."
    assert f'{sentence} <a href="{settings}#id_starts_at">Change</a>' in fixtures
    leader, match = captain(league, league.teams.first()), matches_of(league)[0]
    assert (
        "7:30 p.m." in client.get(address("team_match", league, match.public_id)).content.decode()
    )
    for name in ("team_fixtures_print", "team_notice", "team_results_text"):
        assert "7:30 p.m." in page(client, name, league), name
    assert sentence in page(leader, "team_mine", league)
    assert "#id_starts_at" not in page(leader, "team_fixtures", league)


def test_where_only_games_give_points_the_rules_say_so_instead_of_three_zeros(client):
    league = with_fixtures(rules=dict(FALMOUTH.rules))
    client.force_login(a_user(club=league.club))
    shown = page(client, "team_rules", league)
    assert "<li>Matches give no points of their own.</li>" in shown
    assert "<li>Each game won gives 1 point.</li>" in shown
    assert "drawn 0" not in shown


def test_every_field_of_the_rules_stands_under_a_heading_once():
    form = RulesForm(league=st_austell())
    names = [field.name for _title, fields in form.groups() for field in fields]
    assert sorted(names) == sorted(form.fields)


def test_the_printed_rules_stay_beside_their_fields_when_a_form_is_refused(client):
    league = a_league(0)
    client.force_login(a_user(club=league.club))
    address = reverse("team_league_new", args=[league.club.slug])
    wrong = {"preset": "st-austell", "starts_on": "2026-10-14", "match_day": "3"}
    shown = client.post(address, wrong).content.decode()
    assert "Choose a Thursday, the match day." in shown
    assert 'Rule 5: “<span lang="en">Matches to be played on Thursday' in shown


def test_before_the_first_match_no_team_has_a_place(client):
    league = with_fixtures(4)
    client.force_login(a_user(club=league.club))
    answer = client.get(reverse("team_league", args=[league.club.slug, league.public_id]))
    ((_none, rows),) = answer.context["divisions"]
    assert {row.place for row in rows} == {"–"}


def test_a_team_certain_of_a_play_off_is_not_said_to_be_going_down():
    league = with_fixtures(2, twice=False, pairs=1)
    written(matches_of(league)[0])
    border = {"upper": "1", "lower": "2", "up": 0, "down": 0, "play_off": 1}
    league.rules = {"moves": [border]}
    found = statuses(table(league), rules_of(league), "1")
    assert sorted(found.values()) == [("champions",), ("plays_off",)]


def test_a_division_too_small_to_draw_is_named():
    league = a_league(3)
    upper, lower = (TeamDivision(league=league, name=n, number=k) for k, n in enumerate("AB", 1))
    upper.save()
    lower.save()
    league.teams.update(division=upper)
    with pytest.raises(Refused, match="B has fewer than two teams"):
        actions.make_fixtures(league, seed=1, by=TEST, anyway=True)


def test_teams_without_a_division_are_named_before_the_draw_with_the_way_to_their_page(client):
    league = a_league(5)
    TeamDivision.objects.bulk_create(
        TeamDivision(league=league, name=name, number=n) for n, name in enumerate("AB", 1)
    )
    rovers, united, *_others = league.teams.all()
    league.teams.exclude(pk=united.pk).update(division=league.divisions.first())
    client.force_login(a_user(club=league.club))
    answer = client.get(address("team_draw", league), follow=True)
    assert messages_on(answer) == ["United has no division."]
    assert address("team_edit", league, united.public_id) in answer.text
    league.teams.filter(pk=rovers.pk).update(division=None)
    answer = client.get(address("team_draw", league), follow=True)
    assert messages_on(answer) == ["Rovers & United have no division."]
    league.teams.filter(pk__in=[rovers.pk, united.pk]).update(withdrawn_at=EIGHT)
    assert messages_on(client.get(address("team_draw", league), follow=True)) == [
        "B has fewer than two teams."
    ]


def filled_rules(league, **changed):
    """The data of the league's rules form, with some fields changed."""
    form = RulesForm(league=league)
    data = {name: form[name].value() for name in form.fields}
    return RulesForm({k: v for k, v in data.items() if v is not None and v is not False} | changed,
                     league=league)  # fmt: skip


def test_bonus_points_walk_over_games_and_the_order_of_tie_breaks_are_settings_on_the_page(client):
    league = st_austell()
    client.force_login(a_user(club=league.club))
    more = {"side": "any", "games": 9, "points": 3}  # what only a file can have stays
    league.rules = {**league.rules, "bonus": [more]}
    league.save()
    form = filled_rules(
        league, walkover_games="9-0", walkover_points="189 – 0", loser_bonus="1", loser_games="4",
        winner_bonus="0.5", winner_games="7", tie_1="game_difference", tie_2="fewest_walkovers",
    )  # fmt: skip
    assert form.is_valid(), form.errors
    actions.change_rules(league, by=TEST, **form.chosen())
    league.refresh_from_db()
    rules = rules_of(league)
    assert (rules.walkover.games, rules.walkover.points) == ((9, 0), (189, 0))
    assert rules.tie_breaks == ("game_difference", "fewest_walkovers")
    assert [(bonus.side, bonus.games, str(bonus.points)) for bonus in rules.bonus] == [
        ("winner", 7, "1/2"), ("loser", 4, "1"), ("any", 9, "3"),
    ]  # fmt: skip
    shown = page(client, "team_rules", league)
    for sentence in (
        "A winning team with at least 7 games gets 0.5 more.",
        "A losing team with at least 4 games gets 1 more.",
        "A walk-over counts as 9–0 in games.",
        "A walk-over counts as 189–0 in points of games.",
    ):
        assert sentence in shown
    again = filled_rules(league)
    assert again.is_valid()
    assert again.chosen()["rules"] == {**league.rules, "bonus": again.chosen()["rules"]["bonus"]}
    assert len(again.chosen()["rules"]["bonus"]) == 3


def test_a_repeated_tie_break_and_an_invalid_score_are_refused_at_their_fields():
    form = filled_rules(st_austell(), tie_3="play_off", walkover_games="nine nil")
    assert set(form.errors) == {"tie_2", "tie_3", "walkover_games"}


def test_sections_by_st_austells_rules_send_two_each_to_the_play_off():
    """STA 8c: section winners and runners up play off."""
    form = filled_rules(st_austell(), divisions="East\nWest")
    assert form.is_valid(), form.errors
    play_off = form.chosen()["rules"]["section_play_off"]
    assert play_off == {"divisions": ["East", "West"], "places": 2}
    assert form.chosen()["sections"]


def test_guernseys_divisions_exchange_two_teams_as_the_page_says():
    league = a_league(4, preset="guernsey", borrowed=0, starts_on=date(2026, 10, 15))
    form = filled_rules(league, divisions="Top\nFirst")
    assert form.is_valid(), form.errors
    moves = {"upper": "Top", "lower": "First", "up": 2, "down": 2, "play_off": 0}
    assert form.chosen()["rules"]["moves"] == [moves]
    assert not form.chosen()["sections"]


def test_a_club_with_one_set_of_house_rules_finds_it_chosen_for_a_new_league(client):
    club = a_club()
    client.force_login(a_user(club=club))
    only = a_ruleset(club)
    page = reverse("team_league_new", args=[club.slug])
    offered = client.get(page).content.decode()
    assert f'<option value="{only.pk}"' in offered
    assert ">Choose<" not in offered
    a_ruleset(club, "railroad")
    assert '<option value="" selected>Choose</option>' in client.get(page).content.decode()


def test_a_league_names_house_rules_that_the_club_has_changed_with_their_changes(client):
    """They read "Euchre (standard, four-handed), version 2" where a game was to 5."""
    club = a_club()
    client.force_login(a_user(club=club))
    rules = adopt_preset(club, preset="standard-four-handed", by=TEST)
    changed = revise_ruleset(rules, options={"target": 5}, by=TEST)
    new_league = client.get(reverse("team_league_new", args=[club.slug])).text
    assert f'<option value="{changed.pk}"' in new_league
    assert ">Euchre, to 5</option>" in new_league
    league = a_league(2, club=club)
    TeamLeague.objects.filter(pk=league.pk).update(ruleset=changed)
    for name in ("team_league", "team_rules"):
        assert "Euchre, to 5</a>" in page(client, name, league), name


def test_players_borrowed_in_a_match_but_never_in_a_season_are_refused_in_settings_and_rules():
    league = a_league(0, borrowed=2)
    say = {"divisions": [], "sections": False, "blank_days": [], "rules": {}, "by": TEST}
    with pytest.raises(Refused, match="Leave this empty") as refused:
        actions.change_rules(league, squad_rules={"borrowed_season": 0}, **say)
    assert set(refused.value.fields) == {"borrowed_season"}
    none = a_league(0, club=league.club, borrowed=0, squad_rules={"borrowed_season": 0})
    settings = {name: getattr(none, name) for name in ("ruleset", "pairs", "turns", "twice")}
    settings |= {"rules": {}, "target": None, "by": TEST}
    with pytest.raises(Refused, match="under Rules first") as refused:
        actions.change_league(none, borrowed=2, **settings)
    assert set(refused.value.fields) == {"borrowed"}
    actions.change_rules(none, squad_rules={}, **say)
    actions.change_league(none, borrowed=2, **settings)


def test_a_league_goes_on_by_the_rules_it_began_with_and_takes_the_newest_in_one_step(client):
    """A lone march was changed; a league set to the rules paid the old one and no page said so."""
    league = a_league(2)  # to 21
    rules, other = league.club.rulesets.get(retired=False), a_league(2, club=league.club)
    TeamLeague.objects.filter(pk=other.pk).update(ruleset=rules)
    client.force_login(a_user(club=league.club))
    assert "To 21 · 4 for a march alone" in page(client, "team_rules", league)
    assert "still plays by the rules" not in page(client, "team_rules", league)
    newest = revise_ruleset(rules, options={"lone_march": 3}, by=TEST)
    shown = client.get(reverse("ruleset", args=[league.club.slug, newest.public_id])).text
    for facts in ("To 21 · 4 for a march alone", "To 10 · 4 for a march alone"):
        assert f"still plays by the rules it began with: {facts}." in squeezed(shown)
    assert f'href="{address("team_rules", league)}"' in shown
    assert rules.public_id in page(client, "team_league", other)
    for one, target in ((league, 21), (other, 10)):
        shown = page(client, "team_rules", one)
        assert (
            "changed its house rules: Lone march: 3 points instead of 4 points. This league"
            in shown
        )
        answer = client.post(address("team_rules_newest", one), follow=True)
        assert f"The next matches are played by: To {target} · 3 for a march alone." in answer.text
        assert "still plays by the rules" not in answer.text
    other.refresh_from_db()
    assert other.ruleset == newest
    entry = AuditEntry.objects.filter(action="change team league").latest("pk")
    assert (entry.old, entry.new) == ({"ruleset": str(rules)}, {"ruleset": str(newest)})


def test_a_target_changed_in_the_house_rules_is_no_news_for_a_league_with_its_own(client):
    league = a_league(2)
    rules = league.club.rulesets.get(retired=False)
    revise_ruleset(rules, options={"target": 11}, by=TEST)
    assert newer_rules(league) is None


def test_the_log_of_a_changed_setting_lists_no_rules_that_stay_as_they_were(client):
    league = a_league(0)  # its rules are the defaults, none of them stored
    client.force_login(a_user(club=league.club))
    save_form(client, "team_league_edit", league, starts_at="19:30", ruleset=league.ruleset_id)
    entry = AuditEntry.objects.filter(action="change team league").latest("pk")
    assert [(line.label, line.new) for line in changes(entry)] == [
        ("Matches start at", "7:30 p.m.")
    ]
    rules = {"rules": league.rules, "squad_rules": league.squad_rules, "by": TEST}
    actions.change_rules(league, divisions=["A", "B"], sections=False, blank_days=[], **rules)
    actions.change_rules(league, divisions=["A", "B"], sections=False, blank_days=[], **rules)
    assert AuditEntry.objects.filter(action="change league rules").count() == 1
