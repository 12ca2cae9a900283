"""Board and wall of a session on which a tournament is played."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from league.members.models import Member
from league.play.auth import table_code
from league.sessions.actions import close_session
from league.sessions.queries import local_date
from league.standings.labels import LABELS
from league.tournaments import actions
from league.tournaments.games_of_matches import people_out
from league.tournaments.standing import standing_of
from league.tournaments.tables import codes_of
from tests.builders import EIGHT, TEST, a_user
from tests.pages import squeezed
from tests.tournaments.playing import (
    a_tournament,
    drawn,
    match_of,
    of_pairs,
    play_round,
    published,
    state_of,
    tables,
)
from tests.tournaments.test_undoing import corrected_after_the_final, played_twice

pytestmark = pytest.mark.django_db
PODIUM = re.compile(r'<li value="\d"><b>(=?\d)</b>')


def page(client, cup, name):
    address = reverse(name, args=[cup.club.slug, cup.session.public_id])
    return client.get(address).content.decode()


def test_the_board_seats_nobody_anew_while_a_tournament_is_on(client):
    cup = a_tournament(8)
    published(cup)
    play_round(cup)
    client.force_login(a_user(club=cup.club))
    board = page(client, cup, "board")
    assert "seat anew" not in board
    assert "Next round with all" not in board
    assert "Every table of the round is done." in board
    actions.finish_tournament(cup, by=TEST, at=EIGHT)
    assert "Next round with all 8" not in page(client, cup, "board")
    assert "Next round with all 8" in page(client, cup, "seating")


def test_the_seating_of_a_cup_counts_no_games_as_rounds_and_offers_nothing_of_a_club_night(client):
    cup = of_pairs(6, "knockout", games=3)
    published(cup)
    client.force_login(a_user(club=cup.club))
    seating = page(client, cup, "seating")
    assert not any(said in seating for said in ("Round 1", "Unpublish", "Make tables for"))
    assert "Round 1" not in page(client, cup, "session")


def test_the_wall_shows_the_tournaments_standing_and_not_the_sessions(client):
    cup = of_pairs(4, "swiss")
    published(cup)
    play_round(cup)
    client.force_login(a_user(club=cup.club))
    wall = page(client, cup, "wall")
    assert "Autumn Cup · Round 1<" in squeezed(wall)
    assert "Match pts" in wall
    assert " &amp; " in wall
    assert "Above exp." not in wall


def test_the_wall_shows_every_group_while_groups_are_played(client):
    cup = of_pairs(6, "groups")
    client.force_login(a_user(club=cup.club))
    assert "Group 1" not in page(client, cup, "wall")
    published(cup)
    assert "Group 1" not in page(client, cup, "wall")  # no table of zeros
    play_round(cup)
    wall = page(client, cup, "wall")
    assert "Group 1" in wall
    assert "Group 2" in wall


def test_the_wall_names_the_round_of_a_cup_and_its_winners_once_it_is_finished(client):
    cup = of_pairs(4, "knockout", games=3)
    client.force_login(a_user(club=cup.club))
    published(cup)
    play_round(cup)
    wall = page(client, cup, "wall")
    assert "Semi-finals" in wall
    assert "round " not in wall.split('id="wall-clock"')[0].split('id="wall-line"')[1]
    assert "Winners" not in wall
    published(cup)
    wall = page(client, cup, "wall")
    assert "wall-waiting" not in wall
    assert "sits out" not in wall  # nor does the list of names say so of those who are out
    assert "wall-ranks" not in wall  # no places before the last pair has one
    assert squeezed(wall.split('id="wall-line"')[1]).startswith(
        " data-live>Thursday night · Autumn Cup · Final<"
    )
    play_round(cup)
    assert PODIUM.findall(page(client, cup, "wall")) == ["1", "2", "=3", "=3"]
    actions.finish_tournament(cup, by=TEST, at=EIGHT)
    assert "wall-winners" in page(client, cup, "wall")
    hub = client.get(reverse("tournament", args=[cup.club.slug, cup.public_id])).content.decode()
    third = squeezed(hub).partition("<dt>Third</dt>")[2].partition("</dd>")[0]
    assert third.count("&amp;") == 2  # both pairs that lost a semi-final


def test_while_a_correction_waits_nobody_is_named_a_winner_and_every_table_says_why(client):
    cup, semi = corrected_after_the_final()
    note = "The figures count the corrected result; the places follow when the bracket is updated."
    client.force_login(a_user(club=cup.club))
    assert "wall-winners" not in page(client, cup, "wall")
    link = reverse("tournament_print", args=[cup.club.slug, cup.public_id])
    standings = reverse("tournament_standings", args=[cup.club.slug, cup.public_id])
    actions.finish_tournament(cup, by=TEST, at=EIGHT)
    close_session(cup.session, by=TEST, at=EIGHT)
    texts = [
        *(page(client, cup, name) for name in ("wall", "session_standings", "print_standings")),
        client.get(link).text,
        client.get(standings).text,
    ]
    for text in texts:
        assert text.count(note) == 1
        assert not re.search('wall-winners|class="podium"|<dt>First</dt>', text)
    assert 'class="podium"' not in page(client, cup, "session")
    actions.reopen_with_session(cup, by=TEST, at=EIGHT)
    actions.follow_correction(cup, match_of(semi), by=TEST, at=EIGHT)
    assert note not in page(client, cup, "print_standings") + client.get(link).text


def test_who_is_knocked_out_is_not_counted_as_without_a_table(client):
    cup = of_pairs(8, "knockout")
    client.force_login(a_user(club=cup.club))
    published(cup)
    play_round(cup)
    published(cup, seed=2)
    assert "Without a table" not in page(client, cup, "board")
    answer = client.get(reverse("session", args=[cup.club.slug, cup.session.public_id]))
    assert answer.context.get("seatless_count") == 0


def test_between_an_updated_bracket_and_its_new_draw_the_session_stays_in_the_middle(client):
    cup, semi = corrected_after_the_final()
    actions.follow_correction(cup, match_of(semi), by=TEST, at=EIGHT)
    client.force_login(a_user(club=cup.club))
    session = squeezed(page(client, cup, "session"))
    assert "Sign-up" not in session
    assert not re.search(r"<dt>\w* ?waiting</dt>|>waiting<", session)
    assert "without a table" in session
    assert "Final scores" in session
    assert "Close the session…" in session
    wall = page(client, cup, "wall")
    assert "Tables will appear here" not in wall
    assert 'aria-label="Bracket"' in wall


def test_the_phones_places_of_pairs_are_headed_so_and_say_that_a_correction_waits(client):
    cup, _semi = corrected_after_the_final()
    table = tables(cup).first()
    client.post(reverse("table_door"), {"code": table_code(table)})
    read = client.get(reverse("table_standings", args=[table.public_id])).text
    assert "<th>Pair</th>" in read
    assert read.count("the places follow when the bracket is updated") == 1


def test_the_walls_bracket_names_the_table_of_a_match_while_it_is_played_there(client):
    cup = of_pairs(3, "knockout")
    published(cup)
    client.force_login(a_user(club=cup.club))
    wall = page(client, cup, "wall")
    assert wall.count("<strong>table 1</strong>") == 1
    assert re.search(r"<strong>Bye</strong> <span>[\w\s.]+ &amp;\s[\w\s.]+</span></p>", wall)
    play_round(cup)
    assert "<strong>table" not in page(client, cup, "wall")


def test_the_walls_bracket_says_from_which_table_a_winner_will_come_while_it_plays(client):
    cup = of_pairs(9, "knockout")
    published(cup)
    client.force_login(a_user(club=cup.club))
    names = set(
        re.findall('class="tree-name" title="((?:winner|loser).*?)"', page(client, cup, "wall"))
    )
    assert {name.replace("\N{NO-BREAK SPACE}", " ") for name in names} == {
        *(f"winner of table {n}" for n in (1, 2, 3, 4)),
        *(f"winner of match {n}" for n in (9, 13, 14)),  # not played at any table yet
    }


def test_the_tables_of_a_round_that_plays_two_rounds_of_the_bracket_name_theirs(client):
    cup = of_pairs(9, "knockout")
    drawn(cup)
    client.force_login(a_user(club=cup.club))
    draft = client.get(reverse("tournament_draw", args=[cup.club.slug, cup.public_id])).content
    labels = re.findall("Match [0-9]+ · ([^<]+)<", draft.decode())
    assert labels == ["Last 16", *["Quarter-final"] * 3]
    actions.publish_draw(cup, by=TEST, at=EIGHT)
    assert page(client, cup, "wall").count("<small>Quarter-final</small>") == 3


def test_no_line_of_the_walls_bracket_ends_with_the_sign_between_partners(client):
    cup = of_pairs(4, "knockout")
    published(cup)
    client.force_login(a_user(club=cup.club))
    names = re.findall('class="tree-name" title="(.*?)"', page(client, cup, "wall"))
    assert sum(" &amp;\N{NO-BREAK SPACE}" in name for name in names) == 4
    assert not any("&amp; " in name for name in names)


@pytest.mark.parametrize("pairs", [4, 8])
def test_the_match_for_third_place_is_below_the_final_on_the_wall_from_the_first_round_on(
    client, pairs
):
    cup = of_pairs(pairs, "knockout", third_place=True)
    client.force_login(a_user(club=cup.club))
    rounds = ["Quarter-finals", "Semi-finals"][-(pairs // 4) :]
    for _round in rounds:
        published(cup)
        assert wall_headings(page(client, cup, "wall")) == [*rounds, "Final", "Third place"]
        play_round(cup)
    published(cup)
    play_round(cup)
    over = page(client, cup, "wall")
    assert wall_headings(over) == [*rounds, "Final", "Third place"]
    assert 'aria-label="Third place"' not in over


def wall_headings(wall):
    panel = wall.partition('aria-label="Bracket"')[2].partition("</section>")[0]
    return re.findall("<h3>(.*?)</h3>", panel)


def test_once_a_cup_is_closed_its_players_wait_for_tables_as_on_any_night(client):
    cup = of_pairs(3, "knockout")
    published(cup)
    client.force_login(a_user(club=cup.club))
    assert page(client, cup, "wall").count("<small>bye</small></li>") == 2
    play_round(cup)
    published(cup)
    assert "sits out" not in page(client, cup, "wall")
    play_round(cup)
    actions.finish_tournament(cup, by=TEST, at=EIGHT)
    assert not people_out(state_of(cup))


@pytest.mark.parametrize("seed", range(2))
def test_the_wall_shows_every_figure_that_parted_two_pairs(client, seed):
    cup = of_pairs(8, "swiss", games=1)
    for round_number in range(3):
        published(cup, seed)
        play_round(cup, seed=10 * seed + round_number)
    standing = standing_of(state_of(cup))
    decided = {one.measure for line in standing.lines for one in line.decisions}
    client.force_login(a_user(club=cup.club))
    heads = re.findall(r'<th class="number">(.*?)</th>', page(client, cup, "wall"))
    labels = [LABELS[code] for code in codes_of(standing) if code in decided]
    shown = [escape(label.brief or label.column) for label in labels]
    assert shown
    assert set(shown) <= set(heads), (decided, heads)


def test_players_who_are_out_of_a_cup_are_not_said_to_sit_out(client):
    cup = of_pairs(4, "knockout")
    published(cup)
    play_round(cup)
    published(cup)  # the final: one table
    client.force_login(a_user(club=cup.club))
    for name in ("board", "seating", "session"):
        seen = squeezed(page(client, cup, name))
        assert "ithout a table" not in seen, name
        assert "itting out" not in seen.replace("Who is here, sitting out or gone", ""), name


def test_a_withdrawn_pair_sits_out_no_round_and_a_closed_tournament_seats_nobody(client):
    cup = of_pairs(5, "swiss", rounds=2)
    published(cup)
    client.force_login(a_user(club=cup.club))
    entry = cup.entries.get(pk=state_of(cup).last.byes[0])
    assert page(client, cup, "wall").count("<small>bye</small></li>") == 2
    actions.withdraw_entry(entry, by=TEST, at=EIGHT)
    wall = page(client, cup, "wall")
    assert "<small>bye" not in wall
    assert "sits out" not in wall
    assert "Find your table" in wall
    play_round(cup)
    assert "Find your table" not in page(client, cup, "wall")
    actions.finish_tournament(cup, by=TEST, at=EIGHT)
    wall = page(client, cup, "wall")
    assert "Find your table" not in wall
    assert 'aria-label="Tables"' not in wall
    assert "Tables will appear here" not in wall
    assert "Match pts" in wall


def test_who_has_entered_reads_so_on_the_home_page_before_the_draw(client):
    cup = of_pairs(2, "knockout")
    ted = a_user("ted", club=cup.club, rank="member")
    cup.session.held_on = local_date(cup.club, timezone.now())
    cup.session.save()
    Member.objects.filter(pk=cup.entries.first().partner_id).update(user=ted)
    client.force_login(ted)
    assert "You are entered: Autumn Cup" in client.get(reverse("home")).text
    published(cup)
    assert "You are entered" not in client.get(reverse("home")).text


def test_a_final_drawn_again_is_the_final_on_paper_and_in_the_lists_of_games(client):
    cup, _undone = played_twice()
    play_round(cup, seed=3)
    client.force_login(a_user(club=cup.club))
    prints = ("print_tickets", "print_movement", "print_sheets", "print_chart")
    for name in (*prints, "tables_to_enter", "games_table"):
        read = squeezed(page(client, cup, name))
        assert "Final" in read, name
        assert not re.search(r"[Rr]ound \d", read), name
        assert "Third place" in read, name


def test_the_movement_leaves_out_who_is_knocked_out(client):
    cup = of_pairs(6, "knockout", third_place=True)
    client.force_login(a_user(club=cup.club))
    published(cup)
    assert page(client, cup, "print_movement").count("bye</td>") == 4  # two pairs
    play_round(cup)
    losers = [match.sides[1 - match.first] for match in state_of(cup).last.matches]
    out = [member.name for key in losers for member in state_of(cup).entries[key].people]
    published(cup, seed=2)
    read = page(client, cup, "print_movement")
    assert read.count('<th scope="row">') == 8
    assert not [name for name in out if f'<th scope="row">{name}</th>' in read]


def test_the_chart_marks_the_bye_and_leaves_out_who_is_knocked_out(client):
    cup = of_pairs(7, "knockout", third_place=True)
    client.force_login(a_user(club=cup.club))
    published(cup)
    read = page(client, cup, "print_chart")
    assert read.count("<small>bye</small>") == 2
    assert "<strong>Bye:</strong>" in read
    assert "ithout a table" not in read
    play_round(cup)
    published(cup, seed=2)
    read = page(client, cup, "print_chart")
    names = read.partition('class="chart-names"')[2]
    assert names.count("<li>") == 8  # the semi-finals
    assert "ithout a table" not in read


def test_after_the_closing_of_a_cup_no_paper_says_that_who_is_knocked_out_lacks_a_table(client):
    cup = of_pairs(4, "knockout")
    client.force_login(a_user(club=cup.club))
    for seed in (1, 2):
        published(cup, seed=seed)
        play_round(cup, seed=seed)
    actions.finish_tournament(cup, by=TEST, at=EIGHT)
    assert "ithout a table" not in page(client, cup, "print_chart")
    movement = page(client, cup, "print_movement")
    assert "without a table" not in movement
    assert movement.count('<th scope="row">') == 4


def test_the_tables_of_the_final_and_of_the_match_for_third_place_are_named_on_paper(client):
    cup = of_pairs(4, "knockout", third_place=True)
    client.force_login(a_user(club=cup.club))
    for seed in (1, 2):
        assert "Third place" not in page(client, cup, "print_chart")
        published(cup, seed=seed)
        if seed == 1:
            play_round(cup)
    chart = page(client, cup, "print_chart")
    assert "Third place" not in chart.partition("<h2>2</h2>")[0]
    assert "<strong>Final</strong>" in chart.partition("<h2>2</h2>")[0]
    assert chart.count("<strong>Third place</strong>") == 1
    movement = page(client, cup, "print_movement")
    assert movement.count('<td class="number">2 · Third place</td>') == 4
    assert movement.count("Third place") == 4
    assert movement.count('<td class="number">1 · Final</td>') == 4


def test_a_tournament_promises_nobody_a_place_in_its_session_after_a_first_game(client):
    cup = of_pairs(4, "knockout")
    published(cup)
    play_round(cup)
    reader = a_user("may", club=cup.club)
    Member.objects.create(club=cup.club, name="May", user=reader)
    client.force_login(reader)
    actions.finish_tournament(cup, by=TEST, at=EIGHT)
    read = page(client, cup, "session_standings")
    assert "after your first game" not in read
    assert "because you haven't played in this session." in read
