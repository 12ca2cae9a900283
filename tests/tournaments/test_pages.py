"""The pages of a tournament: a fixed number of queries, what each visitor reads, kind refusals."""

from datetime import date

import pytest
from django.urls import reverse
from django.utils.html import escape

from league.labels import as_label
from league.members.models import Club
from league.sessions.attendance import arrive
from league.tournaments import actions
from league.tournaments.forms import TournamentForm
from league.tournaments.models import Stage
from league.tournaments.text import explanation
from tests.builders import EIGHT, TEST, a_session, a_user
from tests.tournaments.playing import a_tournament, of_pairs, play_round, published, state_of

pytestmark = pytest.mark.django_db
QUERIES = {
    "tournament": 19,
    "tournament_standings": 14,
    "tournament_entries": 23,
    "tournament_print": 15,
}


def address(page, cup, *more):
    return reverse(page, args=[cup.club.slug, cup.public_id, *more])


@pytest.mark.parametrize("people", [8, 24])
def test_a_page_asks_the_database_a_fixed_number_of_times(
    client, django_assert_num_queries, people
):
    cup = a_tournament(people, hands=1)
    published(cup)
    play_round(cup)
    client.force_login(a_user(club=cup.club))
    for page, queries in QUERIES.items():
        client.get(address(page, cup))
        with django_assert_num_queries(queries, info=page):
            assert client.get(address(page, cup)).status_code == 200


def test_the_page_says_by_which_house_rules_it_is_played(client):
    cup = a_tournament(8, hands=1)
    client.force_login(a_user(club=cup.club))
    usual = cup.club.rulesets.get(players=4, is_default=True).name
    assert f"Rules: {usual}" in client.get(address("tournament", cup)).content.decode()
    published(cup)
    rules = cup.session.tables.first().ruleset.name
    assert f"Rules: {rules}" in client.get(address("tournament", cup)).content.decode()


@pytest.mark.parametrize("format", ["swiss", "progressive"])
def test_a_player_finds_their_own_line_and_who_has_moved_since_the_round_before(client, format):
    cup = a_tournament(8, format) if format == "progressive" else of_pairs(4, format)
    own = cup.entries.first()
    own.member.user = a_user(club=cup.club, rank="member")
    own.member.save()
    client.force_login(own.member.user)
    pages = [address(page, cup) for page in ("tournament", "tournament_standings")]
    published(cup)
    play_round(cup)
    first = {row.who: row.rank for row in client.get(pages[1]).context["rows"]}
    published(cup)
    assert "places up or down" not in client.get(pages[1]).text  # nobody has played this round
    play_round(cup, seed=5)
    for page in pages:
        answer = client.get(page)
        rows = answer.context["rows"]
        assert [row.climbed for row in rows] == [first[row.who] - row.rank for row in rows]
        assert any(row.climbed for row in rows)
        assert "places up or down since the round before" in answer.text
        assert answer.text.count('class="mine"') == 1
        pinned = answer.text.partition('class="my-place"')[2]
        assert pinned.index("You") < pinned.index(" place")


def test_standings_come_with_the_first_hand_and_not_as_a_list_of_noughts(client):
    cup = a_tournament(8, hands=1)
    client.force_login(a_user(club=cup.club))
    published(cup)
    assert "Full standings" not in client.get(address("tournament", cup)).text
    play_round(cup)
    assert "Full standings" in client.get(address("tournament", cup)).text


@pytest.mark.parametrize("format", Stage.Format.values)
def test_every_format_has_its_pages_before_anything_is_drawn(client, format):
    cup = a_tournament(12, format, entered=False)
    client.force_login(a_user(club=cup.club))
    for _enter in range(2):
        assert [client.get(address(page, cup)).status_code for page in sorted(QUERIES)] == [200] * 4
        actions.enter_present(cup, by=TEST, at=EIGHT)


def test_nobody_but_an_organiser_sees_a_draw_before_it_is_published(client):
    cup = a_tournament(8)
    actions.draw_round(cup, by=TEST, seed=1)
    client.force_login(a_user("meg", club=cup.club, rank="member"))
    page = client.get(address("tournament", cup)).content.decode()
    assert "Table 1" not in page
    assert client.get(address("tournament_draw", cup)).status_code == 403
    assert client.get(address("tournament_round", cup, 1)).status_code == 404


def test_a_player_reads_first_where_she_sits_while_the_tournament_is_on(client):
    cup = a_tournament(8)
    row = published(cup)
    user = a_user("meg", club=cup.club, rank="member")
    seat = row.seating.tables.get(number=2).seats.first()
    seat.member.user = user
    seat.member.save()
    client.force_login(user)
    assert "You: table 2" in client.get(address("tournament", cup)).content.decode()
    play_round(cup)
    actions.finish_tournament(cup, by=TEST, at=EIGHT)
    assert "You: table 2" not in client.get(address("tournament", cup)).content.decode()


def test_a_player_finds_the_row_of_her_own_pair_marked_in_the_standings(client):
    cup = of_pairs(4, "swiss")
    published(cup)
    play_round(cup)
    user = a_user("meg", club=cup.club, rank="member")
    assert 'class="mine"' not in client.get(address("tournament_standings", cup)).text
    member = cup.entries.first().partner
    member.user = user
    member.save()
    client.force_login(user)
    page = client.get(address("tournament_standings", cup)).text
    rows = page.partition('<tr class="mine"')[2].partition("</tr>")[0]
    assert member.name in rows
    assert page.count('<tr class="mine"') == 1


def test_the_public_reads_names_as_the_club_shows_them(client):
    cup = a_tournament(8)
    cup.club.visibility, cup.club.names_in_public = "standings", "hidden"
    cup.club.save()
    published(cup)
    play_round(cup)
    for page in ("tournament", "tournament_standings"):
        text = client.get(address(page, cup)).content.decode()
        assert "Player " in text
        assert not any(f">{one.member.name}<" in text for one in state_of(cup).entries.values())


def test_the_trail_of_a_visitor_leads_from_a_game_to_the_standings_and_not_to_sign_in(client):
    cup = a_tournament(4)
    Club.objects.update(visibility="standings")
    published(cup)
    play_round(cup)
    game = cup.session.games.first()
    page = client.get(reverse("game", args=[cup.club.slug, game.public_id])).text
    trail = page.partition('<nav class="crumbs"')[2].partition("</nav>")[0]
    standings = reverse("session_standings", args=[cup.club.slug, cup.session.public_id])
    assert f'href="{standings}"' in trail
    assert client.get(standings).status_code == 200


def test_an_old_draft_is_not_published_by_who_has_not_seen_the_new_one(client):
    cup = a_tournament(8)
    actions.draw_round(cup, by=TEST, seed=1)
    client.force_login(a_user(club=cup.club))
    answer = client.post(address("tournament_publish", cup), {"version": 9}, follow=True)
    assert [str(message) for message in answer.context["messages"]] == [
        "The draft has changed since you looked at it."
    ]


@pytest.mark.parametrize(
    ("button", "data"),
    [("publish", {}), ("publish", {"version": "x"}), ("move", {}), ("pick", {"partner": "x"})],
)
def test_a_senseless_form_is_refused_kindly(client, button, data):
    cup = a_tournament(4)
    client.force_login(a_user(club=cup.club))
    answer = client.post(address(f"tournament_{button}", cup), data, follow=True)
    assert answer.status_code == 200
    assert len(list(answer.context["messages"])) == 1


@pytest.mark.parametrize(
    ("format", "label"), [("knockout", "Draw the bracket"), ("swiss", "Draw round 1")]
)
def test_the_first_draw_is_called_what_it_makes(client, format, label):
    cup = of_pairs(4, format)
    client.force_login(a_user(club=cup.club))
    assert label in client.get(address("tournament", cup)).content.decode()


def test_a_draw_for_one_person_is_refused_with_a_sentence(client):
    cup = a_tournament(1)
    client.force_login(a_user(club=cup.club))
    answer = client.post(address("tournament_draw_round", cup), follow=True)
    assert "One player has to wait" in answer.content.decode()


def test_two_tournaments_in_one_session_are_refused_at_the_form(client):
    cup = a_tournament(4)
    client.force_login(a_user(club=cup.club))
    url = reverse("tournament_new", args=[cup.club.slug, cup.session.public_id])
    answer = client.post(f"{url}?format=rotation", {"name": "Second", "rounds": 3})
    assert answer.status_code == 422
    assert "This session already has a tournament" in answer.content.decode()


def test_what_is_played_stands_once_a_round_is_drawn_but_rounds_may_be_added(client):
    cup = a_tournament(8, "rotation")
    published(cup)
    client.force_login(a_user(club=cup.club))
    url = address("tournament_edit", cup)
    assert client.post(url, {"name": "Cup", "rounds": 5}).status_code == 302
    assert state_of(cup).options.rounds == 5
    assert client.post(url, {"name": "Cup", "rounds": 0}).status_code == 422


def test_the_sessions_page_leads_to_the_tournament_that_is_on(client):
    cup = of_pairs(2, "swiss")
    client.force_login(a_user(club=cup.club))
    page = client.get(reverse("session", args=[cup.club.slug, cup.session.public_id]))
    assert address("tournament", cup) in page.content.decode()
    assert page.context["step"].label == "Go to the tournament"


def test_where_a_tournament_seats_people_check_in_and_seating_lead_to_it(client):
    cup = a_tournament(8)
    client.force_login(a_user(club=cup.club))
    there = [cup.club.slug, cup.session.public_id]
    checkin, seating, session = (
        reverse(name, args=there) for name in ("checkin", "seating", "session")
    )
    assert address("tournament_entries", cup) in client.get(checkin).content.decode()
    published(cup)
    page = client.get(checkin).content.decode()
    assert address("tournament", cup) in page
    assert "Make tables" not in page
    page = client.get(seating).content.decode()
    assert address("tournament", cup) in page
    assert "Unpublish" not in page
    assert "Round 1" not in client.get(session).content.decode()


def test_without_anybody_checked_in_the_entries_lead_to_check_in(client):
    cup = a_tournament(4, entered=False)
    cup.session.attendances.all().delete()
    client.force_login(a_user(club=cup.club))
    page = client.get(address("tournament_entries", cup)).content.decode()
    assert "Check in who is here, then enter them all at once." in page


def test_a_pair_without_a_game_has_a_bye(client):
    cup = of_pairs(5, "swiss")
    published(cup)
    client.force_login(a_user(club=cup.club))
    assert "<strong>Bye:</strong> " in client.get(address("tournament", cup)).content.decode()


def test_a_closed_tournament_takes_no_more_orders_and_offers_none(client):
    cup = a_tournament(4)
    published(cup)
    play_round(cup)
    actions.finish_tournament(cup, by=TEST, at=EIGHT)
    client.force_login(a_user(club=cup.club))
    answer = client.post(address("tournament_draw_round", cup), follow=True)
    assert "This tournament is closed." in answer.content.decode()
    page = client.get(address("tournament_entries", cup)).content.decode()
    assert "The tournament is over." in page
    assert not [word for word in ("Late entry", "Withdraw", "Replace", "Change") if word in page]


def test_a_tournament_goes_on_another_day_in_another_session(client):
    cup = a_tournament(8)
    published(cup)
    later = a_session(cup.club, name="Next week", held_on=date(2026, 11, 26))
    client.force_login(a_user(club=cup.club))
    url, data = address("tournament_move", cup), {"session": later.public_id}
    answer = client.post(url, data, follow=True)
    assert "A round is still in play. Finish it first." in answer.content.decode()
    play_round(cup)
    answer = client.post(url, data, follow=True)
    assert "The tournament continues in Next week." in answer.content.decode()
    cup.session.attendances.update(left_at=EIGHT)
    cup.refresh_from_db()
    for entry in state_of(cup).entries.values():
        arrive(later, entry.member, by=TEST, at=EIGHT)
    published(cup, seed=2)
    assert cup.session == later
    assert later.tables.filter(is_live=True).count() == 2


def test_prizes_are_told_when_all_is_played_and_nobody_has_two(client):
    cup = a_tournament(8, rounds=2)
    client.force_login(a_user(club=cup.club))
    published(cup)
    play_round(cup)
    assert "prizes" not in client.get(address("tournament_standings", cup)).context
    published(cup, seed=2)
    play_round(cup, seed=2)
    page = client.get(address("tournament_standings", cup))
    prizes = page.context["prizes"]
    names = [name for prize in prizes for name in prize.names]
    assert prizes[0].title == "First"
    assert len(names) == len(set(names))
    assert "players who have one are left out of the next" in page.content.decode()


def test_the_print_has_the_cross_table_and_what_decided_each_place(client):
    cup = of_pairs(3, "round_robin")
    for seed in range(3):
        published(cup)
        play_round(cup, seed)
    client.force_login(a_user(club=cup.club))
    page = client.get(address("tournament_print", cup))
    text = page.content.decode()
    assert "Results between pairs" in text
    decided = [row for row in page.context["rows"] if row.decided]
    assert text.count("why-printed") == len(decided)


def test_the_explanation_says_as_many_rounds_as_the_field_offers() -> None:
    form = TournamentForm(format=Stage.Format.SWISS)
    assert form.current.rounds == form["rounds"].initial
    assert f"{form.current.rounds} rounds are played." in explanation(
        Stage.Format.SWISS, form.current
    )


def test_a_swiss_offers_as_many_rounds_as_its_field_needs(client):
    offered = {n: TournamentForm(format="swiss", players=n)["rounds"].initial for n in (0, 12, 34)}
    assert offered == {0: 5, 12: 3, 34: 5}
    cup = a_tournament(12, entered=False)
    actions.cancel_tournament(cup, by=TEST, at=EIGHT)
    client.force_login(a_user(club=cup.club))
    page = reverse("tournament_new", args=[cup.club.slug, cup.session.public_id])
    assert client.get(f"{page}?format=swiss").context["form"]["rounds"].initial == 3


def test_a_tie_break_is_named_only_where_its_figure_is_not_beside_it_on_a_phone(client):
    cup = of_pairs(8, "swiss")
    for seed in (1, 2):
        published(cup, seed)
        play_round(cup, seed)
    client.force_login(a_user(club=cup.club))
    hub, full = (client.get(address(page, cup)) for page in ("tournament", "tournament_standings"))
    decided = [row for row in hub.context["rows"] if row.decided]
    assert {row.in_view for row in decided} == {True, False}
    for row in decided:
        named = f"{escape(as_label(row.measure))} <b>{row.deciding}</b></small>"
        for page in (hub, full):
            assert (named in name_of(page.text, row)) == (not row.in_view)


def test_a_tie_break_is_called_by_its_column_on_screens_and_on_paper(client):
    cup = of_pairs(8, "swiss")
    for seed in (1, 2):
        published(cup, seed)
        play_round(cup, seed)
    client.force_login(a_user(club=cup.club))
    for page in ("tournament_standings", "tournament_print"):
        answer = client.get(address(page, cup))
        heads = [label.column for label in answer.context["columns"]]
        deciding = [r for r in answer.context["rows"] if r.deciding and not r.in_view]
        assert deciding
        for row in deciding:
            assert row.measure in heads
            assert f"{escape(as_label(row.measure))} <b>{row.deciding}</b>" in answer.text


def test_the_print_of_a_closed_swiss_says_how_its_last_round_ended_and_not_where_to_sit(client):
    cup = of_pairs(4, "swiss")
    published(cup)
    cup.entries.update(late=True)
    play_round(cup)
    client.force_login(a_user(club=cup.club))
    assert "By name" in client.get(address("tournament_print", cup)).text
    actions.finish_tournament(cup, by=TEST, at=EIGHT)
    paper = client.get(address("tournament_print", cup))
    assert "By name" not in paper.text
    assert paper.text.count('<span class="moved">(late)</span>') == 4
    last = paper.text.rpartition("<h2>Round 1</h2>")[2]
    for side in (side for match in paper.context["round"].matches for side in match.sides):
        name = escape(side.name)
        assert f"<td>{f'<b>{name}</b>' if side.won else name}</td>" in last
        assert f'<td class="number">{side.points}</td>' in last


def name_of(text, row):
    return text.split(f'id="why-{row.who}"')[0].rpartition('class="name"')[2].split("</th>")[0]


def test_scores_of_a_round_kept_on_paper_are_one_tap_away(client):
    cup = of_pairs(4, "swiss")
    published(cup)
    client.force_login(a_user(club=cup.club))
    page = client.get(address("tournament", cup)).content.decode()
    assert reverse("final_scores", args=[cup.club.slug, cup.session.public_id]) in page
