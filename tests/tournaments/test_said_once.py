"""What the pages of a tournament say: once, of the right match, and not before it is so."""

import pytest
from django.urls import reverse

from league.pairing.formats.bracket_matches import Kind, Part
from league.sessions.attendance import arrive
from league.tournaments import actions
from league.tournaments.bracket_page import bracket_parts
from league.tournaments.draws import rounds_due
from league.tournaments.draws.knockout import bracket_of
from league.tournaments.models import Tournament
from league.tournaments.next_step import next_action
from tests.builders import EIGHT, TEST, a_session, a_user
from tests.pages import squeezed
from tests.tournaments.playing import a_tournament, of_pairs, play_round, published, state_of
from tests.tournaments.test_pages import address

pytestmark = pytest.mark.django_db


def test_the_final_of_a_double_knock_out_is_drawn_by_its_name():
    cup = of_pairs(4, "double")
    published(cup)
    play_round(cup)
    seed = 2
    while not any(one.label.startswith("F") for one in bracket_of(state_of(cup)).ready()):
        published(cup, seed)
        play_round(cup, seed)
        seed += 1
    state = state_of(cup)
    assert next_action(state, rounds_due(state)).label == "Draw the final"


def test_the_consolation_names_no_loser_of_a_bye():
    cup = of_pairs(12, "knockout", consolation=True)
    published(cup)
    bracket = bracket_of(state_of(cup))
    byes = [m.number for m in bracket.matches.values() if m.part is Part.MAIN and m.round == 1]
    byes = [n for n in byes if bracket.side_counts[f"M1-{n}"] == 1]
    (part,) = [p for p in bracket_parts(state_of(cup), str) if p.code == "consolation"]
    names = {side.name for column in part.rounds for m in column.matches for side in m.sides}
    assert any(name.startswith("loser of match") for name in names)
    assert names.isdisjoint(f"loser of match\N{NO-BREAK SPACE}{n}" for n in byes)
    sources = [s for m in bracket.meetings for s in (m.first, m.second)]
    first = next(s for s in sources if s.kind is Kind.FIRST_LOSS and s.match == f"M1-{byes[0]}")
    assert bracket.origin(first).match.startswith("M2-")


def test_the_walls_line_names_the_tournament_and_its_final_once(client):
    cup = a_tournament(8, rounds=2)
    Tournament.objects.filter(pk=cup.pk).update(name=f"{cup.session.name}: Final")
    published(cup)
    client.force_login(a_user(club=cup.club))
    wall = client.get(reverse("wall", args=[cup.club.slug, cup.session.public_id])).text
    line = squeezed(wall.split('id="wall-line"')[1].partition("</span>")[0])
    assert line.count(cup.session.name) == 1


def test_entering_late_says_from_which_round_the_player_plays(client):
    cup = a_tournament(8)
    published(cup)
    late = cup.club.members.create(name="Late Lou")
    client.force_login(a_user(club=cup.club))
    data = {"member": late.public_id}
    page = client.post(address("tournament_enter", cup), data, follow=True).text
    assert "Entered: Late Lou. They play from round 2 on." in page


def test_the_note_on_points_in_brackets_waits_for_points(client):
    cup = of_pairs(2, "knockout", games=3)
    published(cup)
    client.force_login(a_user(club=cup.club))
    note = "Games won (points in the latest game)."
    assert note not in client.get(address("tournament", cup)).text
    play_round(cup)
    assert note in client.get(address("tournament", cup)).text


def test_a_request_is_confirmed_with_the_names_of_the_players_entered(client):
    cup = of_pairs(2, "swiss")
    walter = cup.club.members.create(name="Walter Dunn")
    actions.offer_places(cup, 8, by=TEST)
    request = actions.request_entry(
        cup, name="Walter Dun", partner="", contact="", by=TEST, at=EIGHT
    )
    client.force_login(a_user(club=cup.club))
    url = address("tournament_accept", cup, request.pk)
    assert "Entered: Walter Dunn." in client.post(url, {"name": walter.public_id}, follow=True).text


def test_check_in_counts_who_was_not_here_and_leaves_out_who_is_elsewhere(client):
    cup = a_tournament(4)
    names = [cup.club.members.create(name=name).name for name in ("Abe Gray", "Bea Gray")]
    away = cup.club.members.create(name="Cy Gray")
    a_session(cup.club, [away], name="Beginners")
    here = cup.club.members.get(name="Rose")
    arrive(cup.session, here, by=TEST, at=EIGHT)
    client.force_login(a_user(club=cup.club))
    url = reverse("checkin_paste", args=[cup.club.slug, cup.session.public_id])
    lines = "\n".join(["Rose", *names])
    assert "Checked in 2 players." in client.post(url, {"names": lines}, follow=True).text
    again = client.post(url, {"names": lines}, follow=True).text
    assert "Everyone on the list is already checked in." in again
    page = squeezed(client.post(url, {"names": "Rose\nCy Gray\nNewt Newman"}).text)
    assert "Checks in 1 player: Rose" in page
    assert "Not checked in, because they are at another session today: Cy Gray." in page
