"""The print-out of a round: the day of the session, and standings once there are results."""

from dataclasses import replace

import pytest
from django.urls import reverse

from league.play.text import score_text
from league.tournaments import actions
from league.tournaments.bracket_page import bracket_parts
from league.tournaments.following import champions_of
from league.tournaments.models import Tournament
from league.tournaments.standing import standing_of
from league.tournaments.tables import cross_table
from tests.builders import EIGHT, TEST, a_user
from tests.tournaments.playing import (
    a_swiss_then_a_final,
    of_pairs,
    play_round,
    published,
    state_of,
)
from tests.tournaments.test_pages import address

pytestmark = pytest.mark.django_db


def test_a_print_out_has_the_day_of_a_session_with_a_name_of_its_own(client):
    cup = of_pairs(4, "swiss")
    cup.session.name = "Harvest cup"
    cup.session.save()
    published(cup)
    client.force_login(a_user(club=cup.club))
    head = client.get(address("tournament_print", cup)).text.partition("sheet-head")[2]
    assert str(cup.session.held_on.day) in head.partition("Harvest cup")[2].partition("</p>")[0]


@pytest.mark.parametrize("format", ["swiss", "groups"])
def test_the_standings_are_printed_once_a_match_is_over(client, format):
    cup = of_pairs(4, format)
    client.force_login(a_user(club=cup.club))
    published(cup)
    assert "standings" not in printed(client, cup)
    play_round(cup)
    assert "standings" in printed(client, cup)


def printed(client, cup):
    return client.get(address("tournament_print", cup)).text.partition("<body")[2]


@pytest.mark.parametrize(("pairs", "format"), [(5, "swiss"), (7, "knockout")])
def test_the_list_by_name_has_everyone_also_the_pair_with_the_bye(client, pairs, format):
    cup = of_pairs(pairs, format)
    published(cup)
    client.force_login(a_user(club=cup.club))
    by_name = printed(client, cup).partition("By name")[2].partition("</table>")[0]
    names = [m.name for entry in cup.entries.all() for m in entry.people]
    assert all(f">{name}</th>" in by_name for name in names)
    assert by_name.count(">bye</td>") == 2


def test_the_first_round_prints_where_to_sit_and_from_the_second_on_who_moves_where(client):
    cup = of_pairs(4, "swiss")
    published(cup)
    client.force_login(a_user(club=cup.club))
    movement = reverse("print_movement", args=[cup.club.slug, cup.session.public_id])
    first = client.get(movement).text.partition("<main")[2]
    assert "Who sits where" in first
    assert "From table" not in first
    assert "–</td>" not in first
    play_round(cup)
    published(cup, seed=2)
    second = client.get(movement).text
    assert "Who moves where" in second
    assert "From table" in second


def test_a_printed_final_of_several_games_has_the_score_of_each_in_the_order_of_its_pairs(client):
    cup = of_pairs(2, "knockout", games=3)
    published(cup)
    play_round(cup)
    actions.finish_tournament(cup, by=TEST, at=EIGHT)
    client.force_login(a_user(club=cup.club))
    tree = printed(client, cup).partition('class="tree"')[2]
    match = state_of(cup).last.matches[0]
    side = next(iter(bracket_parts(state_of(cup), str)[0].rounds[0].matches[0].sides))
    first = next(position for position, entry in match.sides.items() if entry == side.entry)
    scores = [score_text([g.score[first], g.score[1 - first]]) for g in match.games]
    assert len(scores) >= 2
    assert ", ".join(scores) in tree


def test_an_organiser_prints_tickets_from_the_tournaments_page_while_tables_play(client):
    cup = of_pairs(4, "swiss", rounds=1)
    published(cup)
    client.force_login(a_user(club=cup.club))
    tickets = reverse("print_tickets", args=[cup.club.slug, cup.session.public_id])
    assert f'href="{tickets}"' in client.get(address("tournament", cup)).text
    client.force_login(a_user("ann", club=cup.club, rank="member"))
    assert f'href="{tickets}"' not in client.get(address("tournament", cup)).text


def test_the_print_out_of_a_closed_tournament_names_who_won_its_final(client):
    swiss, final = a_swiss_then_a_final()
    Tournament.objects.filter(pk=final.pk).update(follows=swiss)
    client.force_login(a_user(club=swiss.club))
    assert "The final:" not in printed(client, swiss)
    play_round(final)
    champions = champions_of(final)
    won = f"The final: {champions.member.name} &amp; {champions.partner.name} won"
    sheet = printed(client, swiss)
    assert won in sheet
    assert "First:" not in sheet
    actions.finish_tournament(final, by=TEST, at=EIGHT)
    first = f"<strong>{champions.member.name} &amp; {champions.partner.name}</strong>"
    assert f"First: {first}" in printed(client, final)


def test_the_result_grid_has_tied_pairs_in_their_shared_place(client):
    cup = of_pairs(4, "swiss")
    published(cup)
    play_round(cup)
    state = state_of(cup)
    lines = [replace(line, rank=1, shared=True) for line in standing_of(state).lines]
    rows = cross_table(state, replace(standing_of(state), lines=lines), str)
    assert [row.rank for row in rows] == ["=1"] * 4
