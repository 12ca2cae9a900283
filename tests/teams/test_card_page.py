"""The page of a match's card: what it fills in, and all faults at once, each at its field."""

from datetime import date

import pytest
from django.urls import reverse
from django.utils import timezone

from league.sessions.queries import local_date
from league.teams import actions
from league.teams.card_form import CardForm
from league.teams.eligibility import last_line_up
from league.teams.models import TeamLeague, TeamMatch, TeamPlayer
from league.teams.presets import FALMOUTH, PRESETS
from league.teams.queries import players_of
from league.templatetags.pages import faults
from tests.builders import EIGHT, TEST, a_club, a_ruleset, a_user, members_of
from tests.teams.leagues import matches, with_fixtures, written
from tests.teams.test_pages import ASKED, address, captain, filled_in

pytestmark = pytest.mark.django_db


def card_form(match, data=None, *, organiser=True):
    return CardForm(data, match=match, league=match.league, organiser=organiser)


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_a_printed_rulebook_brings_its_game(client, preset):
    club = a_club()
    a_ruleset(club)
    client.force_login(a_user(club=club))
    page = reverse("team_league_new", args=[club.slug])
    fields = {**ASKED, "preset": preset.code, "ruleset": "", "match_day": ""}
    fields["borrowed"] = preset.borrowed
    for name in ("Winter", "Summer"):
        assert client.post(page, {**fields, "name": name}).status_code == 302
    assert {league.ruleset.preset for league in TeamLeague.objects.all()} == {preset.game}
    others = [other.name for other in PRESETS.values() if other != preset]
    assert not any(name in TeamLeague.objects.first().ruleset.name for name in others)
    assert club.rulesets.filter(preset=preset.game, retired=False).count() == 1
    form = client.get(f"{page}?preset={preset.code}").context["form"]
    assert form.initial["ruleset"].preset == preset.game


def test_a_league_without_a_rulebook_has_to_choose_its_game(client):
    club = a_club()
    client.force_login(a_user(club=club))
    answer = client.post(reverse("team_league_new", args=[club.slug]), {**ASKED, "ruleset": ""})
    assert list(answer.context["form"].errors) == ["ruleset"]


def test_a_squad_of_one_line_up_is_filled_in_and_later_the_last_line_up_of_each_team():
    league = with_fixtures()
    first = matches(league)[0]
    squad = players_of(first.home)
    form = card_form(first)
    assert [form.initial[f"home{n}_{m}"] for n in (1, 2, 3) for m in (1, 2)] == [
        member.public_id for member in squad
    ]
    turned = list(reversed(squad))
    written(first, home=turned)
    later = next(
        match
        for match in TeamMatch.objects.filter(league=league, session=None)
        if first.home in (match.home, match.away)
    )
    later.league = league
    side = "home" if later.home == first.home else "away"
    form = card_form(later)
    assert [form.initial[f"{side}{n}_{m}"] for n in (1, 2, 3) for m in (1, 2)] == [
        member.public_id for member in turned
    ]


def test_the_seat_of_a_borrowed_player_goes_back_to_the_one_who_missed_the_last_match():
    league = with_fixtures()
    first, other = matches(league)
    squad, borrowed = players_of(first.home), players_of(other.home)[0]
    written(first, home=[borrowed, *squad[1:]])
    seats = last_line_up(first.home, squad)
    assert seats[1, 1] == squad[0]
    assert len(seats) == 6


def test_the_place_of_a_borrowed_player_that_nobody_can_fill_is_marked_as_missing(client):
    league = with_fixtures()
    first, other = matches(league)
    squad, (borrowed, newcomer) = players_of(first.home), members_of(league.club, 2)
    TeamPlayer.objects.create(league=league, team=first.home, member=newcomer)
    written(first, home=[borrowed, *squad[1:]])
    client.force_login(a_user(club=league.club))
    later = next(m for m in matches(league, 2) if first.home in (m.home, m.away))
    page = client.get(address("team_card", league, later.public_id)).content.decode()
    assert page.count('class="field vacant"') == 1
    assert "missing</strong>" in page.partition('class="field vacant"')[2].partition("<select")[0]
    page = client.get(address("team_card", league, other.public_id)).content.decode()
    assert "vacant" not in page


def test_leading_players_name_the_team_of_a_borrowed_player_and_of_the_pair(client):
    league = with_fixtures()
    first, other = matches(league)
    (guest,) = members_of(league.club, 1)
    squad, lent = players_of(first.home), players_of(other.home)[0]
    written(first, home=[guest, squad[1], lent, squad[3], *squad[4:]])
    client.force_login(a_user(club=league.club))
    records = client.get(address("team_records", league)).context
    team = {name: team for _place, name, _record, _rate, team in records["players"]}
    assert (team[guest.name], team[lent.name]) == (first.home.name, other.home.name)
    pairs = {name: team for _place, name, _record, _rate, team in records["pairs"]}
    (with_guest,) = [team for name, team in pairs.items() if guest.name in name]
    (with_lent,) = [team for name, team in pairs.items() if lent.name in name]
    assert (with_guest, set(with_lent.split(", "))) == (
        first.home.name,
        {first.home.name, other.home.name},
    )


def test_the_page_never_fills_in_a_day_that_is_still_to_come():
    match = matches(with_fixtures(starts_on=date(2099, 1, 1)))[0]
    today = local_date(match.league.club, timezone.now())
    assert card_form(match).initial["held_on"] == today


def test_every_fault_of_a_card_is_shown_at_once_each_at_its_field():
    league = with_fixtures()
    match = matches(league)[0]
    first = players_of(match.home)[0].public_id
    data = filled_in(match, 5, held_on="2099-01-01", home2_1=first, away3_2="")
    data |= {"score1_1_home": 21, "score1_1_away": 21, "score2_1_home": 21, "score2_1_away": ""}
    errors = card_form(match, data).errors
    assert {"held_on", "home2_1", "away3_2", "score1_1_home", "score2_1_away"} <= set(errors)
    assert errors["home2_1"] == ["Rovers 1 is in two pairs."] or "in two pairs" in str(errors)


def test_an_early_day_and_players_who_may_not_play_are_asked_about_at_once():
    league = with_fixtures(borrowed=1)
    match = matches(league)[0]
    data = filled_in(match, 5, held_on="2026-09-01")  # before the day of the match
    for seat, member in enumerate(members_of(league.club, 2), 1):
        data[f"home1_{seat}"] = member.public_id
    form = card_form(match, data)
    assert set(form.errors) == {"held_on", "__all__"}
    assert card_form(match, {**data, "early": "on", "anyway": "on"}).is_valid()


def test_every_rule_of_squads_that_a_card_breaks_is_shown_at_once_and_may_be_saved_anyway():
    league = with_fixtures(rules=dict(FALMOUTH.rules), squad_rules={"minimum": 4}, borrowed=1)
    league.squad_rules["borrowed_season"] = 0  # as before the two limits were compared
    league.save()
    match = matches(league)[0]
    strangers = members_of(league.club, 2)
    data = filled_in(match, 5)
    data |= {f"home1_{seat}": member.public_id for seat, member in enumerate(strangers, 1)}
    form = card_form(match, data)
    assert {"__all__", "home1_1", "home1_2"} == set(form.errors)
    sentence = "isn't in this team, and this league doesn't allow borrowed players."
    assert form.errors["home1_1"] == [f"{strangers[0].name} {sentence}"]
    assert not form.fields["anyway"].widget.is_hidden
    assert card_form(match, {**data, "anyway": "on"}).is_valid()
    assert not card_form(match, {**data, "anyway": "on"}, organiser=False).is_valid()


def test_scores_without_players_ask_once_for_each_pair_who_played(client):
    """To empty the scores, as the card asked before, would throw the evening's work away."""
    match = matches(with_fixtures())[0]
    data = filled_in(match, 5)
    unnamed = {name: "" for name in data if name.startswith(("home", "away"))}
    sentence = "Choose the players of this pair, or leave its scores empty if it didn't come."
    errors = card_form(match, data | unnamed).errors
    pairs = {f"{side}{pair}_1" for side in ("home", "away") for pair in (1, 2, 3)}
    assert errors == {name: [sentence] for name in pairs}
    one_pair = dict.fromkeys(("home2_1", "home2_2"), "")
    assert card_form(match, data | one_pair).errors == {"home2_1": [sentence]}


def joined_today(match, players):
    """Players of the home team who joined it after the day of the match."""
    today, members = timezone.localdate(), players_of(match.home)[:players]
    TeamPlayer.objects.filter(member__in=members).update(registered_on=today)
    return members, f"{today.day} {today:%B %Y}"


def test_players_who_joined_after_the_match_are_named_and_an_organiser_accepts_them_once():
    match = matches(with_fixtures(borrowed=1))[0]
    members, day = joined_today(match, 2)
    data = filled_in(match, 5, held_on="2026-09-03")
    form = card_form(match, data)
    assert form.errors == {
        f"home1_{n}": [
            f"{member.name} joined {match.home} on {day}, after this match, so counts as borrowed."
        ]
        for n, member in enumerate(members, 1)
    }
    accepted = card_form(match, {**data, "anyway": "on"})
    assert accepted.is_valid()
    actions.write_card(match, accepted.card(), side=None, by=TEST, at=EIGHT, anyway=True)
    only_a_score = data | {"score3_3_home": 18, "why": "Misread"}
    corrected = card_form(match, only_a_score)
    assert corrected.is_valid(), corrected.errors
    actions.write_card(match, corrected.card(), side=None, by=TEST, at=EIGHT)
    assert not card_form(match, {**only_a_score, "held_on": "2026-09-04"}).is_valid()


def test_a_team_with_too_many_borrowed_players_reads_their_names():
    league = with_fixtures(borrowed=1)
    match = matches(league)[0]
    strangers = members_of(league.club, 2)
    data = filled_in(match, 5)
    data |= {f"home1_{seat}": member.public_id for seat, member in enumerate(strangers, 1)}
    names = ", ".join(member.name for member in strangers)
    sentence = f"A team may borrow 1 player for a match; {match.home} has more: {names}."
    assert card_form(match, data).errors == {"__all__": [sentence]}


def test_a_card_not_sent_yet_says_so_on_a_laptop_too(client):
    league = with_fixtures()
    client.force_login(a_user(club=league.club))
    shown = client.get(address("team_card", league, matches(league)[0].public_id)).content.decode()
    assert "This is what you typed here before." in shown
    assert "this phone" not in shown


def test_the_summary_says_which_game_and_which_pair(client):
    league = with_fixtures()
    match = matches(league)[0]
    client.force_login(a_user(club=league.club))
    data = filled_in(match, 5, home2_1="", score2_1_home=21, score2_1_away=21)
    page = client.post(address("team_card", league, match.public_id), data).content.decode()
    assert f"{match.home.name}, pair 2" in page
    assert f"Game 4, {match.home.name}" in page


def test_a_match_brought_forward_is_not_called_postponed(client):
    league = with_fixtures()
    earlier, later = matches(league, 2)
    client.force_login(a_user(club=league.club))
    actions.move_match(earlier, held_on=date(2026, 9, 1), venue="", reason="Derby", by=TEST)
    actions.move_match(later, held_on=date(2026, 9, 30), venue="", reason="Snow", by=TEST)
    page = client.get(address("team_match", league, earlier.public_id)).content.decode()
    assert "Brought forward from 10 September: Derby" in page
    assert "ostponed from" not in page
    page = client.get(address("team_match", league, later.public_id)).content.decode()
    assert "Postponed from 10 September: Snow" in page
    fixtures = client.get(address("team_fixtures", league)).content.decode()
    assert "Brought forward from 10 September: Derby" in fixtures
    written(earlier, held_on=date(2026, 9, 1))
    fixtures = client.get(address("team_fixtures", league)).content.decode()
    assert "Brought forward from 10 September" in fixtures
    assert "Derby" not in fixtures


def test_the_games_of_each_team_stand_beside_its_name(client):
    league = with_fixtures()
    match = written(matches(league)[0], 6)
    client.force_login(a_user(club=league.club))
    page = client.get(address("team_fixtures", league)).content.decode()
    home, away = page.partition('class="match-sides"')[2].split("</li>")[:2]
    assert match.home.name in home
    assert '<span class="number">6</span>' in home
    assert match.away.name in away
    assert '<span class="number">3</span>' in away


def test_a_void_match_says_so_on_its_own_page_and_in_the_lists(client):
    league = with_fixtures(rules={"withdrawal": "void"})
    match = written(matches(league)[0])
    client.force_login(a_user(club=league.club))
    match.home.league = league
    page = address("team_match", league, match.public_id)
    assert client.get(page).context["shown"].state == "done"
    client.post(address("team_withdraw", league, match.home.public_id), {"sure": "on"})
    answer = client.get(page)
    assert answer.context["shown"].state == "void"
    assert "does not count" in answer.content.decode()
    rounds = client.get(address("team_fixtures", league)).context["rounds"]
    states = {fixture.match.pk: fixture.state for round_ in rounds for fixture in round_.matches}
    assert states[match.pk] == "void"


def test_the_card_of_a_match_against_a_team_that_has_left_is_not_filled_in(client):
    league = with_fixtures(rules={"withdrawal": "stand"})
    match = matches(league)[0]
    client.force_login(a_user(club=league.club))
    page, card = (address(name, league, match.public_id) for name in ("team_match", "team_card"))
    assert "Fill in the card" in client.get(page).text
    actions.withdraw_team(match.home, by=TEST, at=EIGHT)
    assert "Fill in the card" not in client.get(page).text
    for send in (client.get, client.post):
        answer = send(card, follow=True)
        assert answer.redirect_chain[-1][0] == page
        assert "A team has left, so this match is not played." in answer.text


@pytest.mark.parametrize(("more", "is_begun"), [(1, True), (2, True), (3, False)])
def test_a_squad_with_a_few_more_than_a_line_up_begins_the_first_card(more, is_begun):
    """FAL 3: squads have seven players or more; twelve empty fields are no help."""
    league = with_fixtures()
    first = matches(league)[0]
    squad = [*players_of(first.home), *members_of(league.club, more)]
    seats = last_line_up(first.home, squad)
    assert list(seats.values()) == (squad[:6] if is_begun else [])


def test_who_may_add_players_to_a_team_reads_on_its_card_how(client):
    league = with_fixtures(squad_rules={"sign_on": True})
    match = matches(league)[0]
    card = address("team_card", league, match.public_id)
    links = [address("team_sign_on", league, team.public_id) for team in (match.home, match.away)]
    client.force_login(a_user(club=league.club))
    shown = client.get(card).text
    assert "A player not listed? Add them to the team" in shown
    assert all(link in shown for link in links)
    drawn = client.post(address("team_card_draw", league, match.public_id), filled_in(match))
    assert all(link in drawn.text for link in links)
    leader = captain(league, match.home)
    assert [link in leader.get(card).text for link in links] == [True, False]
    TeamLeague.objects.update(squad_rules={})
    assert "A player not listed?" not in leader.get(card).text


def test_the_day_a_card_was_received_is_corrected_later_and_stays_if_nobody_touches_it(client):
    late = {"weekday": "sat", "time": "12:00", "points": 1, "from": "winner"}
    league = with_fixtures(rules={"late": late})
    match = matches(league)[0]
    at = EIGHT.replace(second=30)
    written(match, held_on=match.held_on, at=at)
    client.force_login(a_user(club=league.club))
    card = address("team_card", league, match.public_id)
    shown = client.get(card).context["form"]["received"].value()
    assert shown.isoformat() == "2026-11-19T20:00:00"
    data = filled_in(match, held_on=str(match.held_on), why="Found the envelope")
    client.post(card, {**data, "received": "2026-11-19T20:00"})
    match.refresh_from_db()
    assert match.received_at == at
    client.post(card, {**data, "received": "2026-09-05T11:00"})
    match.refresh_from_db()
    assert match.received_at.isoformat() == "2026-09-05T11:00:00+00:00"


def test_a_hint_to_captains_is_not_counted_among_the_things_to_fix():
    league = with_fixtures(borrowed=1)
    match = matches(league)[0]
    joined_today(match, 2)
    data = filled_in(match, 5, held_on="2026-09-03")
    form = card_form(match, data, organiser=False)
    assert faults(form) == 2
    assert form.hint == "If these players are right, ask the organisers."
