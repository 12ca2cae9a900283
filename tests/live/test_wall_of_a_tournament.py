"""The wall of a tournament: who waits, and whom it honours at the prize-giving."""

import re

import pytest
from django.urls import reverse

from league.play.auth import table_code
from league.sessions.actions import close_session
from league.tournaments import actions
from league.tournaments.parameters import StageOptions
from league.tournaments.prizes import prizes
from league.tournaments.standing import standing_of
from tests.builders import EIGHT, TEST, a_user, members_of
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

pytestmark = pytest.mark.django_db
PODIUM = re.compile(r'<li value="\d"><b>(=?\d)</b>')


def wall_of(client, cup):
    address = reverse("wall", args=[cup.club.slug, cup.session.public_id])
    return squeezed(client.get(address).content.decode())


def test_after_a_final_the_wall_honours_the_first_three_of_the_evening_and_ranks_all(client):
    _swiss, final = a_swiss_then_a_final()
    client.force_login(a_user(club=final.club))
    play_round(final)
    table = tables(final).first()
    client.post(reverse("table_door"), {"code": table_code(table)})
    phone = client.get(reverse("table_standings", args=[table.public_id])).text
    assert phone.count('<th scope="row">') == 4
    for finish in (actions.finish_tournament, None):
        if finish:
            finish(final, by=TEST, at=EIGHT)
        else:
            close_session(final.session, by=TEST, at=EIGHT)
        wall = wall_of(client, final)
        assert PODIUM.findall(wall) == ["1", "2", "3"]
        standings = wall.partition('data-pages="ranks"')[2]
        assert standings.count('<th scope="row">') == 4
        assert standings.count(" &amp; ") == 4
        assert "<th>Pair</th>" in standings


def here_but_not_entered(cup, count):
    people = members_of(cup.club, cup.club.members.count() + count)[-count:]
    for member in people:
        cup.session.attendances.create(member=member, arrived_at=EIGHT)
    return people


def test_who_has_not_entered_the_tournament_waits_for_none_of_its_tables_on_the_wall(client):
    cup = of_pairs(4, "swiss")
    others = here_but_not_entered(cup, 3)
    published(cup)
    client.force_login(a_user(club=cup.club))
    wall = wall_of(client, cup)
    assert "Find your table" in wall
    assert 'class="wall-waiting"' not in wall
    assert not any(f"{member.name}<" in wall for member in others)


def test_who_has_entered_and_has_no_table_waits_in_one_word_everywhere_on_the_wall(client):
    cup = of_pairs(4, "swiss")
    published(cup)
    play_round(cup)
    published(cup)
    late = [cup.club.members.create(name=name) for name in ("Zoe", "Yves")]
    actions.enter(cup, late[0], partner=late[1], by=TEST, at=EIGHT)
    client.force_login(a_user(club=cup.club))
    wall = wall_of(client, cup)
    assert "<strong>Waiting</strong><span>Yves,</span><span>Zoe</span>" in wall
    assert wall.count("<small>waiting</small>") == 2


def test_in_a_final_the_wall_names_only_finalists(client):
    _swiss, final = a_swiss_then_a_final(publish=False)
    here_but_not_entered(final, 3)
    published(final)
    client.force_login(a_user(club=final.club))
    wall = wall_of(client, final)
    assert "Find your table" in wall
    assert 'class="wall-waiting"' not in wall
    assert wall.count("<li><span>") == 4


def test_at_the_end_the_wall_names_the_best_game_and_the_booby_prize_of_a_progressive(client):
    cup = a_tournament(12, rounds=2)
    client.force_login(a_user(club=cup.club))
    published(cup)
    play_round(cup)
    assert "Booby prize" not in wall_of(client, cup)
    published(cup, seed=2)
    play_round(cup, seed=2)
    state = state_of(cup)
    won = prizes(state, standing_of(state), lambda member: member.name)
    special = [prize for prize in won if prize.special]
    assert special
    wall = wall_of(client, cup)
    for prize in special:
        assert f"<dt>{prize.title}</dt><dd>{', '.join(prize.names)}" in wall


def test_after_a_final_the_wall_still_names_the_special_prizes_of_the_tournament_before_it(client):
    cup = a_tournament(12, rounds=2)
    for seed in (1, 2):
        published(cup, seed)
        play_round(cup, seed)
    state = state_of(cup)
    special = [one for one in prizes(state, standing_of(state), str) if one.special]
    actions.finish_tournament(cup, by=TEST, at=EIGHT)
    final = actions.start_tournament(
        cup.session, name="Final", format="knockout", choice=StageOptions(hands=2), seed=1, by=TEST
    )
    best = [state.entries[line.who].member for line in standing_of(state).lines[:4]]
    for one, other in (best[:2], best[2:]):
        actions.enter(final, one, partner=other, by=TEST, at=EIGHT)
    published(final)
    play_round(final)
    client.force_login(a_user(club=cup.club))
    wall = wall_of(client, final)
    assert special
    assert all(f"<dt>{prize.title}</dt>" in wall for prize in special)


def test_the_second_final_says_once_when_it_is_played(client):
    cup = of_pairs(4, "double")
    client.force_login(a_user(club=cup.club))
    for seed in (1, 2):
        published(cup, seed)
        play_round(cup, seed)
    published(cup)
    wall = wall_of(client, cup).replace("\N{NO-BREAK SPACE}", " ")
    assert len(re.findall(">only if the unbeaten side loses match", wall)) == 1


def test_pairs_that_wait_in_a_bracket_wait_on_the_chart_and_the_seating_page_too(client):
    cup = of_pairs(6, "double")
    client.force_login(a_user(club=cup.club))
    published(cup)
    play_round(cup)
    published(cup)
    assert len(tables(cup)) == 2
    for name in ("print_chart", "seating", "board"):
        address = reverse(name, args=[cup.club.slug, cup.session.public_id])
        text = client.get(address).text.partition("<main")[2]
        assert "Waiting" in text, name
        assert "without a table" not in text.lower(), name
