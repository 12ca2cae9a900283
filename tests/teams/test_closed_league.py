"""A league closed before all its matches are played: winners first, and nothing still to come."""

from datetime import timedelta
from random import Random

import pytest
from django.urls import reverse
from django.utils import timezone

from league.teams import actions
from league.teams.front_page import last_week, result_lists
from league.teams.models import TeamLeague, TeamMatch
from league.teams.promotion import due_play_offs
from league.teams.queries import fixtures_of, tables_of
from league.teams.tables import rounds_of, state_of
from tests.builders import EIGHT, TEST, a_user
from tests.teams.leagues import matches, with_fixtures, written
from tests.teams.test_notice import eight_on
from tests.teams.test_pages import address, captain

pytestmark = pytest.mark.django_db
State = TeamLeague.State


def closed() -> TeamLeague:
    """A league with one result, one postponed match and all others open, closed just now."""
    league = with_fixtures(teams=4, pairs=1)
    first, put_off = matches(league)
    written(first, held_on=first.held_on)
    day = first.held_on + timedelta(days=1)
    actions.move_match(put_off, held_on=day, venue="", reason="Snow", by=TEST)
    return actions.set_league_state(league, State.FINISHED, by=TEST, at=timezone.now())


def test_a_closed_league_names_its_winners_and_nothing_to_play(client):
    league = closed()
    client.force_login(a_user(club=league.club))
    text = client.get(address("team_league", league)).content.decode()
    assert text.index("Winners") < text.index("League table")
    winner = matches(league)[0].home
    assert text.index('<li value="1">') < text.index(f"<strong>{winner}</strong>")
    assert "Latest results" in text
    for gone in ("Round 1 of 6", "Round 2 of 6", "to play", "Postponed", "can still win"):
        assert gone not in text, gone


def test_the_open_matches_of_a_closed_league_are_not_played(client):
    league = closed()
    fixtures = fixtures_of(league)
    assert {state_of(fixture) for fixture in fixtures[1:]} == {"off"}
    assert not any(fixture.is_to_come for fixture in fixtures)
    assert not any(table.open for table in tables_of(league, league.teams.all(), fixtures).values())
    match = matches(league, 2)[0]
    client.force_login(a_user(club=league.club))
    text = client.get(address("team_match", league, match.public_id)).content.decode()
    assert "The league was closed before this match was played." in text
    assert "Blank cards" not in text
    for page in (address("team_fixtures", league), address("team", league, match.home.public_id)):
        text = client.get(page).content.decode()
        assert "not played" in text, page
        assert "to play" not in text, page


def test_the_notice_and_my_teams_of_a_closed_league_announce_no_matches(client):
    league = closed()
    home = captain(league, matches(league)[0].home)
    mine = home.get(address("team_mine", league)).content.decode()
    assert "Last results" in mine
    assert "Next matches" not in mine
    client.force_login(a_user(club=league.club))
    sheet = client.get(address("team_notice", league)).content.decode()
    assert "Results of round 1" in sheet
    assert "Next:" not in sheet
    assert "Postponed" not in sheet


def test_the_winners_wait_for_cards_that_are_still_to_be_confirmed(client):
    league = with_fixtures(teams=4, pairs=1)
    league.club.confirm = "opponent"
    league.club.save()
    match = matches(league)[0]
    written(match, side=0)
    actions.set_league_state(league, State.FINISHED, by=TEST, at=EIGHT)
    client.force_login(a_user(club=league.club))
    text = client.get(address("team_league", league)).content.decode()
    assert "The winners are named here when every card is confirmed." in text


def test_a_league_closed_lately_stays_on_the_clubs_page_without_what_waits(client):
    league = closed()
    league.matches.filter(session=None).update(held_on=timezone.localdate() + timedelta(days=7))
    client.force_login(a_user(club=league.club))
    page = reverse("club", args=[league.club.slug])
    text = client.get(page).content.decode()
    assert "Winter League" in text
    assert '<span class="badge">Finished</span>' in text
    assert "next matches" not in text
    assert reverse("team_leagues", args=[league.club.slug]) in text
    TeamLeague.objects.update(finished_at=timezone.now() - timedelta(days=61))
    assert "Winter League" not in client.get(page).content.decode()


def test_a_closed_league_offers_an_organiser_nothing_that_it_refuses(client):
    league = with_fixtures(teams=4, squad_rules={"sign_on": True})
    cup = actions.make_cup(league, name="Ship Cup", third_place=False, seed=1, by=TEST,
                           held_on=matches(league)[0].held_on)  # fmt: skip
    first = matches(league)[0]
    written(first, held_on=first.held_on)
    actions.deduct(first.home, 1, reason="Late", by=TEST, at=EIGHT)
    actions.set_league_state(league, State.FINISHED, by=TEST, at=timezone.now())
    team = first.home.public_id
    client.force_login(a_user(club=league.club))
    for page, gone in (
        (address("team_league", league), ("Calendar",)),
        (address("team_fixtures", league), ("postpone or move", "Delete the fixtures")),
        (address("team", league, team),
         ("Change the team", "Add a player", "Give back", "Calendar", "Deduct points")),
        (address("team_cup", league, cup.public_id), ("Delete the cup", "No day yet", "to come")),
    ):  # fmt: skip
        text = client.get(page).content.decode().partition("<main")[2]
        for words in gone:
            assert words not in text, (page, words)
    assert text.count("Not played") == 3
    home = captain(league, first.home)
    for page in (
        address("team_mine", league),
        address("team_match", league, first.public_id),
    ):
        text = home.get(page).content.decode()
        assert "Add a player" not in text
        assert "an organiser can fix it" not in text


def test_the_page_and_the_notice_name_the_winners_of_the_league_and_its_cups(client):
    league = with_fixtures(teams=2)
    first = matches(league)[0]
    written(first, held_on=first.held_on)
    cup = actions.make_cup(league, name="Ship Cup", third_place=False, seed=1, by=TEST,
                           held_on=first.held_on)  # fmt: skip
    final = cup.matches.get()
    final.league = league
    actions.give_match(final, final.away, reason="Snow", by=TEST, at=EIGHT)
    actions.set_league_state(league, State.FINISHED, by=TEST, at=timezone.now())
    client.force_login(a_user(club=league.club))
    text = client.get(address("team_league", league)).content.decode()
    winners = text.index(f"Ship Cup: <strong>{final.away}</strong>")
    assert text.index("Winners</h2>") < winners < text.index("Latest results")
    sheet = client.get(address("team_notice", league)).content.decode()
    assert f"<strong>{matches(league)[0].home}</strong>" in sheet
    winners = sheet.index(f"Ship Cup: <strong>{final.away}</strong>")
    assert sheet.index("Winners</h2>") < winners < sheet.index("<caption>")


def test_fixtures_are_deleted_only_while_nothing_is_played(client):
    league = with_fixtures(teams=4, pairs=1)
    client.force_login(a_user(club=league.club))
    page = address("team_fixtures", league)
    assert "Delete the fixtures" in client.get(page).content.decode()
    written(matches(league)[0])
    assert "Delete the fixtures" not in client.get(page).content.decode()


def test_the_page_that_closes_a_league_says_what_is_not_played_and_not_finished(client):
    league = with_fixtures(teams=4, pairs=1)
    client.force_login(a_user(club=league.club))
    first, second = matches(league)
    written(first, held_on=first.held_on)
    cup = {"third_place": False, "seed": 1, "by": TEST, "held_on": first.held_on}
    actions.make_cup(league, name="Tinner's Cup", **cup)
    page = address("team_league_close", league)
    said = client.get(page).content.decode()
    assert "11 matches haven&#x27;t been played. Tinner&#x27;s Cup isn&#x27;t finished." in said
    league.matches.exclude(pk__in=(first.pk, second.pk)).delete()
    league.cups.all().delete()
    said = client.get(page).content.decode()
    assert "<strong>1 match hasn&#x27;t been played.</strong>" in said
    written(second, held_on=second.held_on)
    said = client.get(page).content.decode()
    assert "been played" not in said
    assert "finished." not in said


def a_season(seed: int) -> tuple[TeamLeague, list[TeamMatch]]:
    """A league whose matches are played in time, brought forward, postponed, awarded or open, with
    late cards among them; and the finished ones by the time at which their result came in."""
    league, rng = with_fixtures(teams=4, pairs=1), Random(seed)
    came_in = []
    for match in league.matches.select_related("home", "away"):
        planned = match.held_on
        fate = rng.choice(("played", "played", "late", "earlier", "later", "awarded", "open"))
        days = {"earlier": -rng.randint(2, 20), "later": rng.randint(2, 20)}.get(fate, 0)
        if days:
            match.held_on, match.first_date = planned + timedelta(days=days), planned
        if fate == "awarded":
            match.given_to = match.home
        elif fate != "open":
            match.card = [[21, 15]] * 5 + [[15, 21]] * 4
            wait = timedelta(days=14 if fate == "late" else 0, minutes=match.pk)
            match.received_at = eight_on(match.held_on) + wait
        match.save()
        if not match.is_untouched:
            came_in.append((match.received_at or eight_on(planned), match))
    return league, [match for _at, match in sorted(came_in, key=lambda pair: pair[0])]


def notices(client, league: TeamLeague) -> list[str]:
    """The sheet for the notice board and the results as text."""
    pages = [address(name, league) for name in ("team_notice", "team_results_text")]
    return [client.get(page).content.decode() for page in pages]


@pytest.mark.parametrize("seed", range(3))
def test_the_notice_and_the_text_of_a_closed_league_have_every_result_once(client, seed):
    league, finished = a_season(seed)
    client.force_login(a_user(club=league.club))
    for text in notices(client, league):
        assert all(text.count(f"{match}: ") <= 1 for match in finished)
    cup = actions.make_cup(league, name="Ship Cup", third_place=False, seed=1, by=TEST,
                           held_on=matches(league)[0].held_on)  # fmt: skip
    play_off = cup.matches.first()
    play_off.card = [[21, 15]] * 9
    play_off.save()
    TeamLeague.objects.update(state=State.FINISHED)
    for text in notices(client, league):
        results, _title, cups = text.rpartition("Ship Cup")
        assert [match for match in finished if results.count(f"{match}: ") != 1] == []
        assert f"{play_off}: 9–0" in cups


def test_the_notice_of_a_closed_league_has_the_walk_overs_of_a_team_that_left(client):
    """L-13: it keeps its results and stands below all that play on, whatever its points."""
    league = with_fixtures(teams=4, rules={"withdrawal": "stand"})
    leaver = league.teams.first()
    for match in league.matches.select_related("home", "away")[:8]:
        match.league = league
        written(match, 9 if match.home == leaver else 0 if match.away == leaver else 5,
                held_on=match.held_on)  # fmt: skip
    actions.withdraw_team(leaver, by=TEST, at=EIGHT)
    TeamLeague.objects.update(state=State.FINISHED)
    client.force_login(a_user(club=league.club))
    unplayed = [m for m in fixtures_of(league) if leaver.pk in m.met.teams and not m.met.games]
    assert len(unplayed) == 2
    sheet, text = notices(client, league)
    for record in unplayed:
        assert f"{record.match}: awarded to {record.unplayed_winner}" in sheet
        assert f"{record.match}: awarded to {record.unplayed_winner}" in text
    below = "A team that has left is below all that play on."
    assert below in sheet
    assert below in client.get(address("team_league", league)).text


@pytest.mark.parametrize("seed", range(4))
def test_each_result_is_on_the_notice_board_when_it_comes_in(seed):
    league, finished = a_season(seed)
    teams = list(league.teams.all())
    late = league.matches.filter(pk__in=[match.pk for match in finished])
    fields = {match.pk: (match.card, match.given_to) for match in late}
    league.matches.update(card=[], given_to=None)
    for match in finished:
        match.card, match.given_to = fields[match.pk]
        match.save()
        rounds = rounds_of(fixtures_of(league), teams)
        today = (match.received_at or eight_on(match.held_on)).date()
        lists = result_lists(rounds, last_week(rounds, today), is_closed=False)
        lines = [line for _title, lines in lists for line in lines if line.startswith(f"{match}: ")]
        assert len(lines) == 1, match


@pytest.fixture
def one_card_open() -> TeamLeague:
    """A league of two teams whose last card waits for the other captain."""
    league = with_fixtures(teams=2, twice=False)
    league.club.confirm = "opponent"
    league.club.save()
    written(matches(league)[0], side=0)
    return league


def test_before_closing_a_league_the_cards_not_confirmed_are_named(client, one_card_open):
    match = matches(one_card_open)[0]
    client.force_login(a_user(club=one_card_open.club))
    page = address("team_match", one_card_open, match.public_id)
    text = client.get(address("team_league_close", one_card_open)).text
    assert "1 card is not confirmed:" in text
    assert f'<a href="{page}">{match}</a>' in text
    assert "The table is final." not in text
    captain(one_card_open, match.away)
    text = client.get(address("team_league", one_card_open)).text
    assert f"{match}: the card is not confirmed" in text
    actions.set_league_state(one_card_open, State.FINISHED, by=TEST, at=timezone.now())
    text = client.get(address("team_league", one_card_open)).text
    assert f'<a href="{page}">{match}</a>' in text[text.index("1 card is not confirmed:") :]


def test_nobody_is_champion_before_every_card_is_confirmed(client, one_card_open):
    client.force_login(a_user(club=one_card_open.club))
    page = address("team_league", one_card_open)
    for state in (State.RUNNING, State.FINISHED):
        actions.set_league_state(one_card_open, state, by=TEST, at=timezone.now())
        assert "champions" not in client.get(page).text, state
    actions.confirm_card(matches(one_card_open)[0], side=None, by=TEST, at=timezone.now())
    assert "champions" in client.get(page).text


def test_the_captain_is_still_reminded_of_a_card_when_the_league_is_closed(one_card_open):
    match = matches(one_card_open)[0]
    theirs = captain(one_card_open, match.away)
    pages = (reverse("home"), reverse("club", args=[one_card_open.club.slug]))
    for state in (State.RUNNING, State.FINISHED):
        actions.set_league_state(one_card_open, state, by=TEST, at=timezone.now())
        texts = [theirs.get(page).text for page in pages]
        assert "a card is waiting for you to confirm it" in texts[0], state
        assert "A card to confirm" in texts[1], state
    actions.set_league_state(one_card_open, State.CANCELLED, by=TEST, at=timezone.now())
    assert "is waiting for you" not in theirs.get(pages[0]).text


def test_a_play_off_is_due_when_every_card_is_confirmed():
    rules = {"tie_breaks": ["play_off"]}
    league = with_fixtures(teams=2, twice=False, pairs=2, turns=1, rules=rules)
    league.club.confirm = "opponent"
    league.club.save()
    match = written(matches(league)[0], 1, side=0)
    assert due_play_offs(league) == []
    actions.confirm_card(match, side=None, by=TEST, at=timezone.now())
    assert len(due_play_offs(league)) == 1
