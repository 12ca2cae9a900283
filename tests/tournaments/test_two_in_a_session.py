"""A session with several tournaments: the latest ranks first, a final before a consolation."""

from copy import deepcopy
from functools import partial

import pytest
from django.urls import reverse
from django.utils.html import strip_tags

from league.sessions.actions import close_session
from league.standings.queries import session_standings
from league.tournaments import actions
from league.tournaments.models import Tournament
from league.tournaments.parameters import StageOptions
from league.tournaments.standing import standing_of
from tests.builders import EIGHT, TEST, a_club, a_user
from tests.pages import squeezed
from tests.tournaments.playing import (
    a_swiss_then_a_final,
    drawn,
    of_pairs,
    play_round,
    published,
    state_of,
    tables,
)
from tests.tournaments.test_session_places import ranked, recounted, stored

pytestmark = pytest.mark.django_db


def reader_of(client, cup, member, rank="member"):
    """A signed-in member who is this player."""
    member.user = a_user(f"reader-{member.pk}", club=cup.club, rank=rank)
    member.save()
    client.force_login(member.user)


def text_of(client, page, cup):
    address = reverse(page, args=[cup.club.slug, cup.session.public_id])
    return squeezed(strip_tags(client.get(address).text))


def test_the_sessions_page_offers_a_final_once_its_tournament_is_over(client):
    cup = of_pairs(4, "swiss", rounds=1)
    client.force_login(a_user(club=cup.club))
    published(cup)
    play_round(cup)
    final = reverse("tournament_final", args=[cup.club.slug, cup.session.public_id])
    session = reverse("session", args=[cup.club.slug, cup.session.public_id])
    assert final not in client.get(session).text
    actions.finish_tournament(cup, by=TEST, at=EIGHT)
    assert f'href="{final}?source=tournament-{cup.public_id}"' in client.get(session).text


def test_the_wall_says_of_a_late_pair_that_it_waits_not_that_it_sits_out(client):
    cup = of_pairs(4, "swiss")
    published(cup)
    play_round(cup)
    late = [cup.club.members.create(name=name) for name in ("Zoe", "Yves")]
    actions.enter(cup, late[0], partner=late[1], by=TEST, at=EIGHT)
    client.force_login(a_user(club=cup.club))
    wall = text_of(client, "wall", cup)
    assert "Waiting Yves, Zoe" in wall
    assert "Sitting out" not in wall


def test_a_tournament_after_a_bracket_has_its_figures_in_the_sessions_table():
    cup = of_pairs(2, "knockout")
    published(cup)
    play_round(cup)
    actions.finish_tournament(cup, by=TEST, at=EIGHT)
    choice = StageOptions(hands=2, rounds=1)
    swiss = actions.start_tournament(
        cup.session, name="Swiss", format="swiss", choice=choice, seed=1, by=TEST
    )
    for name in ("Olive", "Percy", "Queenie", "Rupert"):
        actions.enter(swiss, cup.club.members.create(name=name), by=TEST, at=EIGHT)
    actions.draw_partners(swiss, seed=1, by=TEST)
    published(swiss)
    play_round(swiss)
    assert session_standings(swiss.session, at=EIGHT).measures


def a_consolation_after(swiss, *entries):
    """A knock-out of these entries of the Swiss, played out."""
    choice = StageOptions(hands=2)
    consolation = actions.start_tournament(
        swiss.session, name="Consolation", format="knockout", choice=choice, seed=1, by=TEST
    )
    for entry in entries:
        actions.enter(consolation, entry.member, partner=entry.partner, by=TEST, at=EIGHT)
    published(consolation)
    play_round(consolation)
    actions.finish_tournament(consolation, by=TEST, at=EIGHT)
    return consolation


def test_a_final_ranks_before_a_consolation_that_was_played_after_it(client):
    """Its winners came behind those of the consolation."""
    swiss, final = a_swiss_then_a_final(5)
    play_round(final)
    actions.finish_tournament(final, by=TEST, at=EIGHT)
    finalists = set(stored(final)) - set(after_two(stored(final)))
    third, fourth = [
        state_of(swiss).entries[line.who] for line in standing_of(state_of(swiss)).lines[2:4]
    ]
    consolation = a_consolation_after(swiss, third, fourth)
    placed = stored(consolation)
    assert {player for player, place in placed.items() if place < 3} == finalists
    in_consolation = {member.pk for entry in (third, fourth) for member in entry.people}
    assert {player for player, place in placed.items() if place in (3, 4)} == in_consolation
    assert recounted(check=True)[0] == 0
    client.force_login(a_user(club=final.club))
    text = text_of(client, "session_standings", final)
    assert "first Final, then Consolation, Autumn Cup." in text


def after_two(placed):
    return [player for player, place in placed.items() if place > 2]


def test_who_had_a_bye_before_a_final_is_told_of_it_and_does_not_lack_a_table(client):
    """Only the session's page told of the final, and neither page after a bye in the last round."""
    swiss, final = a_swiss_then_a_final(5, 5, publish=False)
    in_final = "You play in Final: your seat appears here once the tables are published."
    last = state_of(swiss).last
    for entry in {last.matches[0].entries[0], *last.byes}:
        reader_of(client, swiss, state_of(swiss).entries[entry].member)
        home = client.get(reverse("club", args=[final.club.slug])).text
        assert in_final in squeezed(strip_tags(home))
        assert in_final in text_of(client, "session", swiss)
    client.force_login(a_user(club=final.club))
    for page in ("board", "seating", "wall"):
        assert "Without a table" not in text_of(client, page, final), page
    assert "Bye" in text_of(client, "board", final)


def test_a_phone_at_a_table_changes_when_its_tournament_is_closed_or_reopened(client):
    cup = of_pairs(4, "swiss", rounds=2, club=a_club(confirm="none"))
    published(cup)
    table = tables(cup).first()
    play_round(cup)
    client.force_login(a_user(club=cup.club))
    phone = reverse("table_entry", args=[table.public_id])
    news = reverse("table_news", args=[table.public_id])
    for change in (
        lambda: actions.finish_tournament(cup, by=TEST, at=EIGHT),
        lambda: actions.reopen_tournament(cup, by=TEST),
    ):
        stamp = client.get(phone).context["entry"].stamp
        assert "data-moved" not in client.get(news, {"seen": stamp}).text
        change()
        assert 'data-moved="seats"' in client.get(news, {"seen": stamp}).text


@pytest.fixture(scope="class")
def prepared(club_of_the_module):
    with club_of_the_module():
        yield partial(deepcopy, a_swiss_then_a_final(publish=False))


class TestAPlayOffIsPrepared:
    """A Swiss is over; a final of its best two pairs is not published yet."""

    def test_pairs_outside_a_play_off_follow_in_the_order_of_the_tournament_before_it(
        self, client, prepared
    ):
        swiss, final = prepared()
        published(final)
        play_round(final)
        placed, own = stored(final), ranked(swiss)
        in_final = {m.pk for entry in state_of(final).entries.values() for m in entry.people}
        outside = sorted((own[who], place) for who, place in placed.items() if who not in in_final)
        assert sorted(placed[who] for who in in_final) == [1, 1, 2, 2]
        assert [place for _rank, place in outside] == [3, 3, 4, 4]
        assert recounted(check=True)[0] == 0
        client.force_login(a_user(club=final.club))
        sentence = (
            "The tournaments of this session decide the places: first Final, then Autumn Cup."
        )
        for page in ("session_standings", "print_standings"):
            text = squeezed(
                client.get(reverse(page, args=[final.club.slug, final.session.public_id])).text
            )
            assert sentence in text, page
            assert "Did not play" not in text, page
            assert "The place in the tournament" not in text, page
            assert "A player who did not play in it" not in text, page

    @pytest.mark.parametrize("drawn_too", [False, True])
    def test_until_a_play_off_is_published_wall_and_board_stay_with_the_tournament_before(
        self, client, drawn_too, prepared
    ):
        """The wall said "A knock-out needs at least two entries.", the board "Next round"."""
        swiss, final = prepared()
        if drawn_too:
            drawn(final)
        client.force_login(a_user(club=final.club))
        address = [final.club.slug, final.session.public_id]
        wall = client.get(reverse("wall", args=address))
        assert wall.status_code == 200
        assert swiss.name in wall.text
        assert f"{final.name} · " not in squeezed(wall.text)
        board = squeezed(client.get(reverse("board", args=address)).text)
        assert "Next round with all" not in board
        assert reverse("tournament", args=[final.club.slug, final.public_id]) in board
        assert client.get(reverse("session", args=address)).status_code == 200
        assert "arrived after this draw" not in client.get(reverse("seating", args=address)).text

    @pytest.mark.parametrize("drawn_too", [False, True])
    def test_while_a_play_off_is_prepared_players_read_how_the_one_before_it_ended(
        self, client, drawn_too, prepared
    ):
        swiss, final = prepared()
        if drawn_too:
            drawn(final)
        first, second, third, _last = [
            state_of(swiss).entries[line.who].member for line in standing_of(state_of(swiss)).lines
        ]
        in_final = "You play in Final: your seat appears here once the tables are published."
        for player, place in ((first, "You have won"), (second, "You finished 2nd.")):
            reader_of(client, swiss, player)
            text = text_of(client, "session", swiss)
            assert place in text
            assert in_final in text
        reader_of(client, swiss, third)
        text = text_of(client, "session", swiss)
        assert "You finished 3rd." in text
        assert in_final not in text
        assert "Your next seat appears here" not in text

    def test_once_a_play_off_is_published_who_is_not_in_it_reads_how_the_one_before_it_ended(
        self, client, prepared
    ):
        swiss, _final = prepared()
        published(_final)
        third = state_of(swiss).entries[standing_of(state_of(swiss)).lines[2].who].member
        reader_of(client, swiss, third)
        text = text_of(client, "session", swiss)
        assert "You finished 3rd." in text

    def test_the_sessions_page_leads_to_each_of_its_tournaments(self, client, prepared):
        swiss, final = prepared()
        client.force_login(a_user(club=final.club))
        page = client.get(reverse("session", args=[final.club.slug, final.session.public_id])).text
        for cup in (swiss, final):
            assert f'href="{reverse("tournament", args=[cup.club.slug, cup.public_id])}"' in page

    def test_the_board_says_whose_tables_it_shows_while_a_play_off_is_prepared(
        self, client, prepared
    ):
        _swiss, final = prepared()
        client.force_login(a_user(club=final.club))
        assert "Autumn Cup · Round 2" in text_of(client, "board", final)

    def test_the_name_of_a_round_that_is_that_of_its_tournament_is_written_once(
        self, client, prepared
    ):
        _swiss, final = prepared()
        published(final)
        client.force_login(a_user(club=final.club))
        for page in ("board", "wall"):
            assert "Final · Final" not in text_of(client, page, final), page

    def test_the_seating_page_leaves_the_draft_of_a_tournament_to_the_tournaments_page(
        self, client, prepared
    ):
        """It offered to swap, redraw, discard and publish, and refused each."""
        _swiss, final = prepared()
        drawn(final)
        client.force_login(a_user(club=final.club))
        address = [final.club.slug, final.session.public_id]
        page = client.get(reverse("seating", args=address)).text
        assert reverse("tournament", args=[final.club.slug, final.public_id]) in page
        for button in ("seating_swap", "seating_redraw", "seating_discard", "seating_publish"):
            assert reverse(button, args=address) not in page, button

    def test_while_a_play_off_is_on_its_pairs_share_the_places_before_the_others(self, prepared):
        _swiss, final = prepared()
        published(final)
        assert sorted(stored(final).values())[:5] == [1, 1, 1, 1, 3]

    def test_a_bracket_of_players_of_an_earlier_bracket_ranks_before_it(self, prepared):
        swiss, final = prepared()
        published(final)
        play_round(final)
        actions.finish_tournament(final, by=TEST, at=EIGHT)
        second, last = [
            state_of(swiss).entries[line.who] for line in standing_of(state_of(swiss)).lines[1::2]
        ]
        placed = stored(a_consolation_after(swiss, second, last))
        latest = {member.pk for entry in (second, last) for member in entry.people}
        assert {player for player, place in placed.items() if place < 3} == latest

    def test_after_a_final_the_session_says_which_tournament_gives_each_place(
        self, client, prepared
    ):
        """Fourth had won more games than third: the Swiss counts its byes and matches."""
        swiss, final = prepared()
        published(final)
        play_round(final)
        for cup, name in ((swiss, "Declan's Cup"), (final, "Grand final")):
            Tournament.objects.filter(pk=cup.pk).update(name=name)
        actions.finish_tournament(final, by=TEST, at=EIGHT)
        close_session(final.session, by=TEST, at=EIGHT)
        client.force_login(a_user(club=final.club))
        address = reverse("tournament_standings", args=[swiss.club.slug, swiss.public_id])
        for page in ("session_standings", "print_standings", "wall"):
            text = squeezed(
                client.get(reverse(page, args=[final.club.slug, final.session.public_id])).text
            )
            table = text.partition("<thead")[2].partition("</table>")[0]
            rows = 8 if page == "session_standings" else 4  # a row for each player, or pair
            assert table.count("Grand final</td>") == rows / 2
            assert table.count("Declan&#x27;s Cup</td>") == rows / 2
            assert "Won" not in table
            assert "Buchholz" not in text
            assert (f'href="{address}">Standings of Declan' in text) is (
                page == "session_standings"
            )
