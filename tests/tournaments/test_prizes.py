"""The winners and special prizes once all is played, and what a closed tournament offers."""

from dataclasses import replace

import pytest
from django.db.models import F
from django.urls import reverse

from league.play.actions import confirm_game, write_totals
from league.seating.models import Table
from league.standings.actions import hold_standings, release_standings
from league.tournaments import actions
from league.tournaments.prizes import prizes
from league.tournaments.standing import standing_of
from tests.builders import EIGHT, TEST, a_club, a_user
from tests.pages import squeezed
from tests.tournaments.playing import (
    a_swiss_then_a_final,
    a_tournament,
    of_pairs,
    play_round,
    published,
    state_of,
    tables,
)
from tests.tournaments.test_pages import address

pytestmark = pytest.mark.django_db


def test_a_best_game_that_several_won_at_the_target_is_no_prize():
    cup = a_tournament(8, "rotation", rounds=1)
    published(cup)
    play_round(cup)
    state = state_of(cup)
    standing = standing_of(state)
    target = state.matches[0].games[0].target
    names = [name.title for name in prizes(state, standing, str)]
    assert "First" in names
    lower = [line.who for line in standing.lines if line.rank > 3]
    standing.best_game.update(dict.fromkeys(standing.best_game, 0))
    standing.best_game.update(dict.fromkeys(lower[:2], target))
    assert "Best single game" not in [one.title for one in prizes(state, standing, str)]
    standing.best_game.update(dict.fromkeys(lower[:2], target + 2))
    assert "Best single game" in [one.title for one in prizes(state, standing, str)]
    standing.best_game[lower[0]] = target
    standing.best_game[lower[1]] = 0
    assert "Best single game" in [one.title for one in prizes(state, standing, str)]


@pytest.mark.parametrize(("format", "has_booby"), [("rotation", False), ("progressive", True)])
def test_only_progressive_euchre_has_a_booby_prize(format, has_booby):
    cup = a_tournament(8, format, rounds=1)
    published(cup)
    play_round(cup)
    state = state_of(cup)
    standing = standing_of(state)
    last = replace(standing.lines[-1], rank=8, shared=False)
    standing.lines[-1] = last
    standing.best_game.clear()
    titles = [prize.title for prize in prizes(state, standing, str)]
    assert ("Booby prize" in titles) == has_booby


def test_a_closed_seeding_round_is_not_closed_again_to_play_on_as_pairs(client):
    cup = a_tournament(8, "rotation", rounds=1)
    client.force_login(a_user(club=cup.club))
    published(cup)
    play_round(cup)
    assert "Close it and play on as pairs" in client.get(address("tournament", cup)).text
    actions.finish_tournament(cup, by=TEST, at=EIGHT)
    page = client.get(address("tournament", cup)).text
    assert "Was this a seeding round? Play on as pairs" in page


def test_the_winners_of_a_swiss_are_named_when_its_last_round_is_over_without_closing_it(client):
    cup = of_pairs(4, "swiss", club=a_club(confirm="opponent", auto_accept_minutes=None), rounds=1)
    published(cup)
    reader = a_user(club=cup.club)
    state = state_of(cup)
    member = state.entries[state.last.matches[0].entries[0]].member
    member.user = reader
    member.save()
    client.force_login(reader)
    assert not any("First</dt>" in text or "wall-winners" in text for text in read(client, cup))
    play_round(cup)
    hub, wall, night = read(client, cup)
    open_ = "So far: not all results are confirmed."
    assert hub.count("<dt>First</dt>") == hub.count(open_) == 1
    assert f"{open_} Still to confirm: tables 1, 2." in squeezed(hub)
    assert wall.count("wall-winners") == wall.count(open_) == 1
    assert "Your rounds are over. As it stands, you " in night
    for table in tables(cup):
        confirm_game(table, by=TEST, at=EIGHT)
    hub, wall, night = read(client, cup)
    assert open_ not in hub + wall
    assert "<dt>First</dt>" in hub
    assert "wall-winners" in wall
    assert "Your rounds are over. You " in night


def test_the_wall_names_the_winners_of_a_cup_as_it_stands_like_its_page(client):
    cup = of_pairs(2, "knockout", club=a_club(confirm="opponent", auto_accept_minutes=None))
    published(cup)
    play_round(cup)
    client.force_login(a_user(club=cup.club))
    hub, wall, _night = read(client, cup)
    open_ = "So far: not all results are confirmed."
    assert hub.count("<dt>First</dt>") == hub.count(open_) == 1
    assert wall.count("wall-winners") == wall.count(open_) == 1


def read(client, cup):
    """What is read on the tournament's page, on the wall and on the session's page."""
    session = [cup.club.slug, cup.session.public_id]
    pages = [address("tournament", cup), reverse("wall", args=session)]
    return [client.get(page).text for page in [*pages, reverse("session", args=session)]]


def test_before_the_last_round_the_standings_can_be_held_back_from_the_tournaments_page(client):
    """It was offered on the session's standings only, after the wall had shown the winners."""
    cup = of_pairs(4, "swiss", rounds=3)
    client.force_login(a_user(club=cup.club))
    hold = address("tournament_hold", cup)
    offered = []
    for seed in (1, 2, 3):
        published(cup, seed)
        offered.append(hold in client.get(address("tournament", cup)).text)
        play_round(cup, seed)
    assert offered == [False, True, True]
    page = client.get(address("tournament", cup)).text
    assert "Prizes to give? Everyone can see the standings." in page
    held = "The standings are held back until the prize-giving."
    assert held not in page
    answer = client.post(hold, follow=True)
    assert answer.redirect_chain == [
        (address("tournament", cup), 302)
    ]  # not the session's standings
    page = answer.text
    assert "Standings held back. Only organisers see them." in page
    assert held in page
    assert hold not in page
    client.force_login(a_user("member", club=cup.club, rank="member"))
    page = client.get(address("tournament", cup)).text
    assert "Release them at the prize-giving." not in page
    cup.session.refresh_from_db()
    release_standings(cup.session, by=TEST)
    client.force_login(cup.club.roles.first().user)
    assert hold not in client.get(address("tournament", cup)).text


def test_while_standings_are_held_back_no_badge_and_no_seed_of_the_final_gives_them_away(client):
    swiss, final = a_swiss_then_a_final()
    a_user(club=swiss.club)
    final.follows = swiss
    final.save()
    final.entries.update(seed=F("pk"))
    hold_standings(swiss.session, by=TEST)
    client.force_login(a_user("member", club=swiss.club, rank="member"))
    assert "tree-seed" in page_of(client, final)
    assert "Seed" not in page_of(client, final)
    wall = reverse("wall", args=[swiss.club.slug, swiss.session.public_id])
    assert "Seed" not in client.get(wall).text
    cup = of_pairs(4, "swiss", rounds=1, club=swiss.club)
    published(cup)
    for table in tables(cup):
        write_totals(table, [7, 7], by=TEST, at=EIGHT, as_organiser=True, no_hands=True)
    tied = '<span class="badge ">tied</span>'
    assert tied in squeezed(page_of(client, cup))
    hold_standings(cup.session, by=TEST)
    assert tied not in squeezed(page_of(client, cup))


def test_a_tournament_that_has_a_final_says_that_its_winners_are_those_before_it(client):
    """ "First: Bill & Ann" stood below "The final: Zoë & Renée won"."""
    swiss, final = a_swiss_then_a_final()
    client.force_login(a_user(club=swiss.club))
    before = "After the rounds, before the final:"
    assert before not in page_of(client, swiss)
    final.follows = swiss
    final.save()
    assert before in page_of(client, swiss)


def test_the_full_standings_name_the_tournament_and_its_session(client):
    cup = of_pairs(4, "swiss", rounds=1)
    published(cup)
    play_round(cup)
    client.force_login(a_user(club=cup.club))
    page = squeezed(client.get(address("tournament_standings", cup)).text)
    assert f'<h1>Standings</h1><p class="soft">{cup.name} · {cup.session.name}' in page


def test_a_bracket_says_from_its_final_on_why_no_standings_are_held_back(client):
    cup = of_pairs(4, "knockout")
    client.force_login(a_user(club=cup.club))
    said = []
    for seed in (1, 2):
        published(cup, seed)
        said.append("there are no standings to hold back" in page_of(client, cup))
        play_round(cup, seed)
    assert said == [False, True]
    page = page_of(client, cup)
    assert "there are no standings to hold back" in page
    assert address("tournament_hold", cup) not in page


def page_of(client, cup):
    return client.get(address("tournament", cup)).text


def test_the_prizes_say_what_decided_between_two_places_with_the_same_figure():
    """Both read "3 match points"."""
    cup = of_pairs(4, "swiss", rounds=1)
    published(cup)
    play_round(cup)
    state = state_of(cup)
    standing = standing_of(state)
    first, second, third, *_rest = standing.lines
    code = standing.measures[0].code
    assert [line.values[code] for line in (first, second, third)] == [1, 1, 0]
    standing.lines[:3] = [
        replace(line, rank=n, shared=False) for n, line in enumerate((first, second, third), 1)
    ]
    figures = [prize.figure for prize in prizes(state, standing, str)]
    assert ["; tie" in figure for figure in figures] == [True, True, True]


def test_who_has_gone_home_gets_no_booby_prize():
    cup = a_tournament(8, rounds=1)
    published(cup)
    play_round(cup)
    state = state_of(cup)
    standing = standing_of(state)
    for place in (-1, -2):
        standing.lines[place] = replace(standing.lines[place], rank=9 + place, shared=False)
    standing.best_game.clear()
    gone = state.entries[standing.lines[-1].who]
    actions.withdraw_entry(gone, by=TEST, at=EIGHT)
    booby = [p.names for p in prizes(state_of(cup), standing, str) if p.title == "Booby prize"]
    assert booby == [(state.entries[standing.lines[-2].who].member.name,)]


def test_the_best_single_game_is_one_whose_points_count_in_the_ranking():
    cup = a_tournament(7, rounds=1)
    published(cup)
    play_round(cup)
    state = state_of(cup)
    small = {e for m in state.last.matches if m.players < 4 for e in m.entries}
    best = standing_of(state).best_game
    assert {best[entry] for entry in small} == {0}
    assert any(best[entry] for entry in state.entries if entry not in small)


def test_every_prize_that_a_tie_break_decided_says_so_also_the_last():
    """Two pairs of four had the points of the third, who read only "1 match point"."""
    cup = of_pairs(4, "swiss", rounds=2)
    published(cup)
    for match, score in zip(state_of(cup).last.matches, ([10, 4], [10, 6]), strict=True):
        table = Table.objects.select_related("session__club", "ruleset").get(
            pk=match.games[0].table
        )
        write_totals(table, score, by=TEST, at=EIGHT, as_organiser=True, no_hands=True)
    state = state_of(cup)
    third = prizes(state, standing_of(state), str)[2]
    assert third.figure == "0 match points; tie-break: points difference"
