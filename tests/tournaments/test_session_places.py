"""A session with a tournament has the tournament's places, whatever happens to its hands."""

import re
from copy import deepcopy
from functools import partial
from io import StringIO
from random import Random

import pytest
from django.core.management import call_command
from django.urls import reverse

from league.play.actions import correct_hand
from league.play.models import Hand
from league.sessions.actions import close_session
from league.standings.cached_tables import session_facts
from league.standings.models import SessionPlace
from league.standings.queries import session_standings
from league.standings.views.members import titles_of
from league.tournaments import actions
from league.tournaments.session_places import session_places
from league.tournaments.standing import standing_of
from tests.api.asking import Program, a_token
from tests.builders import EIGHT, TEST, a_session, a_user
from tests.pages import squeezed
from tests.play.hands import made, write
from tests.tournaments.playing import (
    a_tournament,
    match_of,
    of_pairs,
    play,
    play_round,
    published,
    state_of,
    tables,
)

pytestmark = pytest.mark.django_db


def stored(tournament):
    rows = SessionPlace.objects.filter(session=tournament.session)
    return dict(rows.values_list("member", "place"))


def ranked(tournament):
    """The places of the tournament's own standings, by member."""
    state = state_of(tournament)
    return {
        member.pk: line.rank
        for line in standing_of(state).lines
        for member in state.entries[line.who].people
    }


def recounted(**options):
    out = StringIO()
    try:
        call_command("recount", stdout=out, **options)
    except SystemExit as left:
        return left.code, out.getvalue()
    return 0, out.getvalue()


def semi_finals_played():
    cup = of_pairs(4, "knockout")
    published(cup)
    play_round(cup)
    return cup


def test_nobody_has_a_place_before_a_round_is_published():
    cup = a_tournament(8)
    assert stored(cup) == {}


def test_places_follow_every_game_that_ends():
    cup = a_tournament(8)
    published(cup)
    for table in tables(cup):
        play(table, Random(3))
        assert stored(cup) == ranked(cup)
    assert len(set(stored(cup).values())) > 1


def test_the_nights_standings_show_the_figures_of_the_tournaments_table():
    """Eleven play: points at the table of three stand apart in it, and a share counts for them."""
    cup = a_tournament(11)
    published(cup)
    play_round(cup)
    state, table = state_of(cup), session_standings(cup.session, at=EIGHT)
    own = {line.who: line.values for line in table.lines}
    for line in standing_of(state).lines:
        (member,) = state.entries[line.who].people
        assert {code: own[member.pk][code] for code in line.values} == line.values
    assert [one.code for one in table.columns][:3] == ["points", "won", "lone_marches"]
    assert "game_points" in [one.code for one in table.columns]


def test_partners_share_the_place_of_their_pair():
    cup = of_pairs(4, "swiss")
    published(cup)
    play_round(cup)
    assert stored(cup) == ranked(cup)
    for entry in state_of(cup).entries.values():
        assert stored(cup)[entry.member_id] == stored(cup)[entry.partner_id]


def test_a_pair_that_has_only_had_a_bye_takes_up_its_place_in_the_session_too(client):
    cup = of_pairs(7, "knockout", third_place=True)
    published(cup)
    play_round(cup)
    published(cup, seed=2)
    assert sorted(stored(cup).values()) == [1] * 8 + [5] * 6
    client.force_login(a_user(club=cup.club))
    for page in ("session_standings", "print_standings"):
        text = client.get(reverse(page, args=[cup.club.slug, cup.session.public_id])).text
        assert set(re.findall(r"=\d", text.partition("<tbody")[2])) == {"=5"}, page


def test_a_pair_that_has_only_had_a_bye_has_its_row_in_the_session(client):
    cup = of_pairs(5, "swiss")
    published(cup)
    play_round(cup)
    pairless = SessionPlace.objects.exclude(member__in=cup.session.results.values("member"))
    waiting = [place.member.name for place in pairless]
    assert len(waiting) == 2
    client.force_login(a_user(club=cup.club))
    page = reverse("session_standings", args=[cup.club.slug, cup.session.public_id])
    rows = client.get(page).text.partition("<tbody")[2].partition("</tbody>")[0]
    assert all(f">{name}<" in rows for name in waiting)
    assert rows.count("<tr") == 10
    sheet = reverse("export_session", args=[cup.club.slug, cup.session.public_id, "csv"])
    assert all(name in client.get(sheet).text for name in waiting)
    answer = Program(a_token(cup.club)).get(f"/sessions/{cup.session.public_id}/standings").json()
    assert len(answer["places"]) == 10


def test_the_tournaments_own_page_says_what_a_dash_for_a_place_means(client):
    cup = of_pairs(4, "knockout")
    client.force_login(a_user(club=cup.club))
    page = reverse("tournament_standings", args=[cup.club.slug, cup.public_id])
    for seed in (1, 2):
        published(cup, seed=seed)
        play_round(cup, seed=seed)
        said = "– means the tournament hasn't decided this place." in client.get(page).text
        assert said == (seed == 1)


def test_the_pair_that_won_the_final_has_the_title():
    cup = of_pairs(4, "knockout")
    for seed in (1, 2):
        published(cup, seed=seed)
        play_round(cup, seed=seed)
    actions.finish_tournament(cup, by=TEST, at=EIGHT)
    close_session(cup.session, by=TEST, at=EIGHT)
    winners = [place for place in cup.session.player_places.all() if titles_of(place.member)]
    assert [place.place for place in winners] == [1, 1]


@pytest.mark.parametrize("format", ["knockout", "swiss", "progressive"])
def test_a_session_says_that_it_counts_games_where_its_tournament_counts_matches(client, format):
    """A match won by one more hand read 2.5 games won there and 3 in the tournament."""
    is_of_pairs = format != "progressive"
    cup = of_pairs(4, format) if is_of_pairs else a_tournament(8)
    published(cup)
    play_round(cup)
    client.force_login(a_user(club=cup.club))
    said = "“Won” counts games, not matches: a tied game is half a win for each side"
    address = [cup.club.slug, cup.session.public_id]
    page = client.get(reverse("session_standings", args=address)).text
    assert page.count(said) == (2 if is_of_pairs else 0)  # below the table and in the fold
    assert (said in client.get(reverse("print_standings", args=address)).text) is is_of_pairs


def test_before_a_result_nothing_is_said_of_a_ranking_that_is_not_the_tournaments(client):
    cup = of_pairs(4, "swiss")
    published(cup)
    made_by = tables(cup).first()
    write(made_by, (0, 3))
    client.force_login(a_user(club=cup.club))
    for page in ("session_standings", "print_standings"):
        text = client.get(reverse(page, args=[cup.club.slug, cup.session.public_id])).text
        assert "Ranked by" not in text, page


def test_on_paper_the_players_of_a_pair_share_a_row(client):
    cup = of_pairs(4, "swiss")
    published(cup)
    play_round(cup)
    client.force_login(a_user(club=cup.club))
    sheet = client.get(reverse("print_standings", args=[cup.club.slug, cup.session.public_id])).text
    rows = sheet.partition("<tbody")[2].partition("</tbody>")[0]
    assert '<th scope="col">Pair</th>' in sheet
    assert rows.count("<tr") == 4
    for entry in cup.entries.all():
        assert f"{entry.member.name} &amp; {entry.partner.name}" in rows


@pytest.mark.parametrize("page", ["session_standings", "print_standings"])
def test_who_has_withdrawn_from_the_tournament_is_named_so_in_the_sessions_standings(client, page):
    cup = of_pairs(4, "swiss")
    published(cup)
    play_round(cup)
    client.force_login(a_user(club=cup.club))
    address = reverse(page, args=[cup.club.slug, cup.session.public_id])
    assert "(withdrawn)" not in client.get(address).text
    gone = next(iter(state_of(cup).entries.values()))
    actions.withdraw_entry(gone, by=TEST, at=EIGHT)
    of_both = 1 if page == "print_standings" else 2  # on paper a pair has one row
    assert client.get(address).text.count("(withdrawn)") == of_both


def test_a_pair_that_did_not_turn_up_is_not_counted_among_those_who_came(client):
    cup = of_pairs(4, "knockout")
    published(cup)
    match = match_of(state_of(cup).last.matches[0])
    actions.decide_match(cup, match, 0, how="walkover", reason="No show", by=TEST, at=EIGHT)
    close_session(cup.session, by=TEST, at=EIGHT)
    client.force_login(a_user(club=cup.club))
    assert "6 came" in squeezed(client.get(reverse("sessions", args=[cup.club.slug])).text)
    program, path = Program(a_token(cup.club)), f"/sessions/{cup.session.public_id}"
    assert program.get(path).json()["came"] == 6
    assert len(program.get(f"{path}/people").json()["came"]) == 6
    assert session_facts(cup.session).people == 6


def test_before_anybody_is_out_of_a_bracket_the_session_ranks_by_its_games():
    """Everybody in one place would be so many places, or half as many pairs: nobody could tell."""
    cup = of_pairs(4, "double")
    published(cup)
    play_round(cup)
    assert stored(cup) == {}


def test_while_third_place_is_open_only_the_champion_has_the_first_place():
    cup = of_pairs(4, "knockout", third_place=True)
    published(cup)
    play_round(cup)
    published(cup, seed=2)
    play(tables(cup)[0], Random(1))
    assert sorted(stored(cup).values()) == [1, 1, 2, 2, 2, 2, 2, 2]
    play(tables(cup)[1], Random(1))
    assert sorted(stored(cup).values()) == [1, 1, 2, 2, 3, 3, 4, 4]


def test_who_goes_through_out_of_groups_is_placed_before_the_others():
    cup = of_pairs(6, "groups", groups=2, through=1)
    while not actions_done(cup):
        published(cup)
        play_round(cup)
    assert sorted(stored(cup).values())[:4] == [1, 1, 2, 2]
    through = {m.pk for who in last_entries(cup) for m in state_of(cup).entries[who].people}
    assert {who for who, place in stored(cup).items() if place < 3} == through
    assert min(place for place in stored(cup).values() if place > 2) == 3


def actions_done(cup):
    state = state_of(cup)
    return state.in_bracket and not state.last.open_matches


def last_entries(cup):
    return state_of(cup).last.matches[0].entries


def test_a_corrected_hand_of_a_closed_tournament_changes_the_places():
    cup = a_tournament(8, hands=1, rounds=1)
    published(cup)
    play_round(cup)
    actions.finish_tournament(cup, by=TEST, at=EIGHT)
    before = stored(cup)
    hand = Hand.objects.select_related("game__table__session__club").first()
    table, loser = hand.game.table, int(hand.points[0] > hand.points[1])
    worse = made(loser, 5, hand.record["dealer"])
    correct_hand(
        table,
        1,
        worse,
        reason="slip",
        expected_version=1,
        client_id="c1",
        by=TEST,
        at=EIGHT,
        as_organiser=True,
        confirm_unlikely=True,
    )
    assert stored(cup) == ranked(cup)
    assert stored(cup) != before


def test_a_tournament_called_off_leaves_the_session_to_its_games():
    cup = a_tournament(8)
    published(cup)
    play_round(cup)
    actions.cancel_tournament(cup, by=TEST, at=EIGHT)
    assert stored(cup) == {}


def test_a_tournament_that_moves_takes_its_places_along():
    cup = a_tournament(8)
    published(cup)
    play_round(cup)
    first, other = cup.session, a_session(cup.club, name="Friday night")
    actions.move_to_session(cup, other, by=TEST)
    assert session_places(first) == {}
    assert not SessionPlace.objects.filter(session=first).exists()
    assert SessionPlace.objects.filter(session=other).count() == 8


def test_recount_proves_the_places_and_puts_them_right():
    cup = a_tournament(8)
    published(cup)
    play_round(cup)
    right = stored(cup)
    assert recounted(check=True)[0] == 0
    wrong = SessionPlace.objects.first()
    SessionPlace.objects.filter(pk=wrong.pk).update(place=8)
    code, said = recounted(check=True)
    assert (code, f"member {wrong.member_id}: stored 8, counted {wrong.place}" in said) == (1, True)
    assert recounted()[0] == 0
    assert stored(cup) == right


@pytest.fixture(scope="class")
def semis(club_of_the_module):
    with club_of_the_module():
        yield partial(deepcopy, semi_finals_played())


class TestAfterTheSemiFinals:
    """A knock-out of four pairs, its semi-finals played."""

    def test_who_is_out_of_a_bracket_comes_after_those_still_in_who_share_the_first_place(
        self, semis
    ):
        cup = semis()
        assert sorted(stored(cup).values()) == [1, 1, 1, 1, 3, 3, 3, 3]
        published(cup, seed=2)
        play_round(cup, seed=2)
        assert sorted(stored(cup).values()) == [1, 1, 2, 2, 3, 3, 3, 3]

    def test_who_is_still_in_a_bracket_has_a_dash_for_a_place_on_every_page(self, client, semis):
        cup = semis()
        cup.club.visibility = "standings"
        cup.club.save()
        client.force_login(a_user(club=cup.club))
        own = [cup.club.slug, cup.session.public_id]
        for page in ("session_standings", "print_standings", "session_embed", "session_picture"):
            text = client.get(reverse(page, args=own)).text
            assert "=1<" not in text, page
            assert text.count("–</") == (2 if page == "print_standings" else 4), (
                page
            )  # there by pair
            assert "=3<" in text, page
        sheet = client.get(reverse("export_session", args=[*own, "csv"])).text
        assert [line.split(",")[0] for line in sheet.splitlines()[1:]] == [""] * 4 + ["3"] * 4

    def test_who_is_still_in_a_bracket_has_no_rank_in_the_api_nor_a_place_of_her_own(
        self, client, semis
    ):
        cup = semis()
        player = a_user(club=cup.club)
        member = cup.session.player_places.first().member
        member.user = player
        member.save()
        client.force_login(player)
        answer = (
            Program(a_token(cup.club)).get(f"/sessions/{cup.session.public_id}/standings").json()
        )
        assert [place["rank"] for place in answer["places"]] == [None] * 4 + [3] * 4
        page = reverse("session_standings", args=[cup.club.slug, cup.session.public_id])
        own = client.get(page).text.partition('class="my-place"')[2]
        assert '<span class="rank">No place yet</span>' in own
        assert "The tournament hasn&#x27;t decided this place." in own

    def test_a_bracket_that_was_closed_before_its_final_gives_nobody_a_title_or_a_podium(
        self, client, semis
    ):
        cup = semis()
        actions.finish_tournament(cup, by=TEST, at=EIGHT)
        close_session(cup.session, by=TEST, at=EIGHT)
        assert not any(titles_of(place.member) for place in cup.session.player_places.all())
        client.force_login(a_user(club=cup.club))
        page = reverse("session_standings", args=[cup.club.slug, cup.session.public_id])
        assert 'class="podium"' not in client.get(page).text

    def test_pairs_that_are_tied_for_third_stand_on_the_podium_as_pairs(self, client, semis):
        cup = semis()
        published(cup)
        play_round(cup)
        actions.finish_tournament(cup, by=TEST, at=EIGHT)
        close_session(cup.session, by=TEST, at=EIGHT)
        client.force_login(a_user(club=cup.club))
        for name in ("session", "session_standings"):
            page = client.get(reverse(name, args=[cup.club.slug, cup.session.public_id])).text
            podium = page.partition('class="podium"')[2].partition("</ol>")[0]
            assert podium.count("<strong>") == 4, name
            assert podium.count("&amp;") == 4, name
