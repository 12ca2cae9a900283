"""What the pages tell an organiser to do next, and how they say a round was drawn."""

import re
from html import unescape

import pytest
from django.urls import reverse

from league.errors import Refused
from league.play.actions import write_totals
from league.tournaments import actions
from league.tournaments.draws import rounds_due
from league.tournaments.next_step import next_action
from league.tournaments.queries import entry_name
from tests.builders import EIGHT, TEST, a_club, a_user, members_of
from tests.tournaments.playing import (
    a_tournament,
    drawn,
    of_pairs,
    play_round,
    published,
    state_of,
    tables,
)

pytestmark = pytest.mark.django_db


def page(client, name, cup, *more):
    answer = client.get(reverse(name, args=[cup.club.slug, cup.public_id, *more]))
    return " ".join(answer.content.decode().split())


def test_a_later_round_of_a_swiss_is_drawn_by_match_points_not_at_random(client):
    cup = of_pairs(6, "swiss", rounds=3)
    client.force_login(a_user(club=cup.club))
    drawn(cup)
    assert "At random, from the draw number 1" in page(client, "tournament_draw", cup)
    published(cup)
    play_round(cup)
    drawn(cup)
    draft = page(client, "tournament_draw", cup)
    assert "Pairs with about as many match points meet" in draft
    assert "At random" not in draft


@pytest.mark.parametrize(("rounds", "is_long"), [(3, False), (5, True)])
def test_a_swiss_longer_than_its_field_needs_is_named_before_the_first_round(rounds, is_long):
    cup = of_pairs(6, "swiss", rounds=rounds)
    sentence = "Rounds planned: 5. To find the best of 6 pairs, 3 are enough;"
    assert (sentence in next_action(state_of(cup), rounds).text) is is_long
    many = of_pairs(11, "swiss", rounds=3, club=cup.club)
    sentence = "Rounds planned: 3. To find the best of 11 pairs, 4 are needed;"
    assert sentence in next_action(state_of(many), 3).text
    published(cup)
    assert "Rounds planned" not in next_action(state_of(cup), rounds).text


def test_after_the_groups_the_semi_finals_are_drawn_and_follow_from_the_groups(client):
    cup = of_pairs(6, "groups", groups=2, through=2)
    client.force_login(a_user(club=cup.club))
    for _round in range(3):
        published(cup)
        play_round(cup)
    step = next_action(state_of(cup), None)
    assert (step.title, step.label) == ("The group matches are over", "Draw the semi-finals")
    drawn(cup)
    draft = page(client, "tournament_draw", cup)
    assert "follow from the places in the groups" in draft
    assert "Redraw" not in draft
    assert "At random" not in draft
    published(cup)
    play_round(cup)
    drawn(cup)
    assert "follow from the bracket" in page(client, "tournament_draw", cup)


def test_a_round_of_a_bracket_has_one_name_also_on_the_button_and_the_score_sheet(client):
    cup = of_pairs(5, "knockout")
    client.force_login(a_user(club=cup.club))
    published(cup)
    play_round(cup)
    assert next_action(state_of(cup), None).label == "Draw the semi-finals"
    published(cup, seed=2)
    play_round(cup, seed=2)
    step = next_action(state_of(cup), None)
    assert (step.title, step.label) == ("The semi-finals are over", "Draw the final")
    published(cup, seed=3)
    actions.take_draw_back(cup, by=TEST, at=EIGHT)
    actions.publish_draw(cup, by=TEST, at=EIGHT)
    for name in ("print_sheets", "print_chart"):
        sheet = client.get(reverse(name, args=[cup.club.slug, cup.session.public_id])).text
        assert "Final" in sheet
        assert "ound 4" not in sheet
    assert ">Final</a>" in page(client, "tournament", cup)


def test_a_pair_that_withdraws_before_its_match_leads_to_the_walk_over(client):
    cup = of_pairs(4, "swiss", rounds=3)
    client.force_login(a_user(club=cup.club))
    published(cup)
    match = state_of(cup).last.matches[0]
    sentence = "Their match in this round is still open: award it on the tournament page."
    assert page(client, "tournament_entries", cup).count(sentence) == 4
    withdraw = reverse("tournament_withdraw", args=[cup.club.slug, cup.public_id, match.entries[0]])
    assert f"Their results stay. {sentence}" in client.post(withdraw, follow=True).content.decode()
    assert next_action(state_of(cup), 3).title == "A pair withdrew before its match"
    hub = page(client, "tournament", cup)
    assert f'id="walkover-{match.key}" open' in hub
    assert f"Withdrawn: {entry_name(cup.entries.get(pk=match.entries[0]), str)}" in unescape(hub)
    scores = client.get(reverse("final_scores", args=[cup.club.slug, cup.session.public_id])).text
    assert f"Withdrawn: {entry_name(cup.entries.get(pk=match.entries[0]), str)}" in unescape(scores)
    decide = reverse("tournament_decide", args=[cup.club.slug, cup.public_id, match.key])
    client.post(decide, {"how": "walkover", "winner": "1", "reason": "Withdrew"})
    assert "withdrew" not in next_action(state_of(cup), 3).title
    assert page(client, "tournament_entries", cup).count(sentence) == 2


def test_a_finished_table_leads_to_its_game_where_the_result_can_be_corrected(client):
    cup = of_pairs(4, "swiss", rounds=3)
    published(cup)
    game = reverse("game", args=[cup.club.slug, "x"])[:-2]
    client.force_login(a_user(club=cup.club))
    assert f'href="{game}' not in page(client, "tournament", cup)
    play_round(cup)
    published(cup, seed=2)
    first = page(client, "tournament_round", cup, 1)
    assert first.count(f'href="{game}') == 2
    assert "To correct a result, tap its table." in first
    address = re.search(rf'href="({game}[^"]+)"', first)[1]
    assert 'id="decide"' in client.get(address).content.decode()
    assert "To correct" not in page(client, "tournament_round", cup, 2)


def test_in_the_last_round_the_next_step_is_to_close_and_no_round_is_drawn():
    cup = of_pairs(4, "swiss", rounds=2)
    published(cup)
    assert next_action(state_of(cup), 2).text.startswith("Draw the next round when")
    play_round(cup)
    published(cup, seed=2)
    assert next_action(state_of(cup), 2).text.startswith("Close the tournament when")
    final = of_pairs(2, "knockout", club=a_club(slug="other"))
    published(final)
    assert next_action(state_of(final), None).text.startswith("Close the tournament when")


def test_final_scores_all_entered_lead_back_to_the_tournament_that_draws_the_next_round(client):
    cup = of_pairs(2, "swiss")
    published(cup)
    play_round(cup)
    client.force_login(a_user(club=cup.club))
    scores = reverse("final_scores", args=[cup.club.slug, cup.session.public_id])
    back = reverse("tournament", args=[cup.club.slug, cup.public_id])
    assert f'href="{back}"' in client.get(scores).content.decode()


def test_a_late_entry_is_confirmed_and_a_withdrawn_pair_is_awarded_no_match(client):
    cup = of_pairs(4, "swiss", rounds=3)
    client.force_login(a_user(club=cup.club))
    published(cup)
    late = [one.public_id for one in members_of(cup.club, 10)[8:]]
    enter = reverse("tournament_enter", args=[cup.club.slug, cup.public_id])
    said = client.post(enter, dict(zip(("member", "partner"), late, strict=True)), follow=True)
    assert "Entered: Lou &amp; Kit." in said.content.decode()
    match = state_of(cup).last.matches[0]
    gone, stays = (cup.entries.get(pk=key) for key in match.entries)
    actions.withdraw_entry(gone, by=TEST, at=EIGHT)
    hub = unescape(page(client, "tournament", cup))
    assert f"Award to {entry_name(stays, str)}" in hub
    assert f"Award to {entry_name(gone, str)}" not in hub
    assert 'required value="withdrawn"' in hub


def test_a_waiting_request_is_beside_the_button_that_draws_the_first_round(client):
    cup = of_pairs(4, "swiss", rounds=3)
    client.force_login(a_user(club=cup.club))
    cup.places = 8
    cup.save()
    assert "request" not in page(client, "tournament", cup)
    cup.requests.create(name="Vera", contact="", made_at=EIGHT)
    assert "1 request to enter is waiting" in page(client, "tournament", cup)


def test_after_the_last_round_the_prizes_are_a_tap_away_and_then_the_session_is_closed(client):
    cup = of_pairs(4, "swiss", rounds=1)
    client.force_login(a_user(club=cup.club))
    published(cup)
    play_round(cup)
    assert "Prizes and pots" not in page(client, "tournament", cup)
    cup.club.keeps_pots = True
    cup.club.save()
    assert "Prizes and pots" in page(client, "tournament", cup)
    actions.finish_tournament(cup, by=TEST, at=EIGHT)
    closing = reverse("disputes", args=[cup.club.slug, cup.session.public_id])
    assert f'class="button primary end" href="{closing}?close=1"' in page(client, "tournament", cup)
    client.post(reverse("session_close", args=[cup.club.slug, cup.session.public_id]))
    assert "The tournament is closed" not in page(client, "tournament", cup)


def test_who_is_still_in_another_session_is_refused_with_what_to_do(client):
    cup = of_pairs(2, "swiss", rounds=1)
    other = a_tournament(4, "swiss", club=cup.club, entered=False)
    with pytest.raises(Refused, match="Check them in here too, or close that session"):
        actions.enter(other, cup.entries.first().member, by=TEST, at=EIGHT)
    client.force_login(a_user(club=cup.club))
    enter = reverse("tournament_enter", args=[cup.club.slug, other.public_id])
    answer = client.post(enter, {"member": cup.entries.first().member.public_id})
    elsewhere = reverse("session", args=[cup.club.slug, cup.session.public_id])
    assert f'<a href="{elsewhere}">{cup.session.name}</a>' in answer.content.decode()


def test_a_late_pair_still_in_another_session_is_asked_about_before_the_effect_is_shown(client):
    cup = of_pairs(2, "swiss", rounds=1)
    other = of_pairs(7, "knockout", club=cup.club)
    published(other)
    pair = cup.entries.first()
    client.force_login(a_user(club=cup.club))
    data = {"member": pair.member.public_id, "partner": pair.partner.public_id}
    enter = reverse("tournament_enter", args=[cup.club.slug, other.public_id])
    answer = client.post(enter, data)
    assert answer.status_code == 422
    assert "in here too" in answer.text
    data["here_too"] = re.search(r'name="here_too" value="([^"]+)"', answer.text)[1]
    assert "Enter them here" in client.post(enter, data, follow=True).text


def test_the_page_of_a_tournament_leads_to_the_wall_which_names_who_has_withdrawn(client):
    cup = of_pairs(4, "swiss")
    published(cup)
    play_round(cup)
    actions.withdraw_entry(cup.entries.last(), by=TEST, at=EIGHT)
    client.force_login(a_user(club=cup.club))
    address = reverse("wall_made", args=[cup.club.slug, cup.session.public_id])
    assert f'href="{address}"' in page(client, "tournament", cup)
    wall = client.get(reverse("wall", args=[cup.club.slug, cup.session.public_id])).text
    assert wall.count("(withdrawn)") == 1


def test_a_pair_still_in_another_session_can_be_checked_in_here_too(client):
    cup = of_pairs(2, "swiss", rounds=1)
    other = a_tournament(4, "swiss", club=cup.club, entered=False)
    client.force_login(a_user(club=cup.club))
    pair = cup.entries.first()
    enter = reverse("tournament_enter", args=[cup.club.slug, other.public_id])
    data = {"member": pair.member.public_id, "partner": pair.partner.public_id}
    answer = client.post(enter, data).text
    names = f"{pair.member} &amp; {pair.partner}"
    assert f"{names} are checked in to {cup.session}." in answer
    assert f"Enter and check {names} in here too" in answer
    data["here_too"] = re.search(r'name="here_too" value="([^"]+)"', answer)[1]
    assert client.post(enter, data).status_code == 302
    assert other.entries.get().people == pair.people


@pytest.mark.parametrize("format", ["swiss", "knockout"])
def test_only_a_match_that_needs_a_winner_asks_for_the_deciding_hand(client, format):
    """A drawn match of a Swiss is half a point each."""
    cup = of_pairs(4, format, rounds=3)
    client.force_login(a_user(club=cup.club))
    published(cup)
    actions.force_round(cup, reason="The hall closes.", by=TEST, at=EIGHT)
    asks_for_winner = "Who won the deciding hand?" in page(client, "tournament", cup)
    assert asks_for_winner == (format == "knockout")
    assert ("tied" in next_action(state_of(cup), 3).title) == asks_for_winner


def test_who_is_in_another_session_is_not_offered_to_replace_a_player(client):
    cup = of_pairs(2, "swiss", rounds=2)
    other = a_tournament(4, "swiss", club=cup.club)
    (stranger,) = members_of(cup.club, 1)
    client.force_login(a_user(club=cup.club))
    published(cup)
    entries = reverse("tournament_entries", args=[cup.club.slug, cup.public_id])
    assert client.get(entries).context["free"] == [stranger]
    other.session.attendances.update(left_at=EIGHT)
    assert len(client.get(entries).context["free"]) == 5


def test_a_forced_progressive_round_offers_no_winner_of_a_tie_but_the_next_draw(client):
    cup = a_tournament(8)
    client.force_login(a_user(club=cup.club))
    published(cup)
    actions.force_round(cup, reason="The hall closes at ten.", by=TEST, at=EIGHT)
    assert "deciding hand" not in page(client, "tournament", cup)
    step = next_action(state_of(cup), 3)
    assert (step.label, step.action) == ("Draw round 2", "tournament_draw_round")
    assert step.text == "Where a table is tied, the draw cuts the cards for it."


def test_where_a_cut_decides_the_organiser_may_enter_it_or_leave_it_to_the_draw(client):
    cup = a_tournament(8, tie="cut", unit="bell")
    client.force_login(a_user(club=cup.club))
    published(cup)
    for table in tables(cup):
        write_totals(table, [3, 3], by=TEST, at=EIGHT, as_organiser=True, no_hands=True)
    hub = page(client, "tournament", cup)
    assert "Who won the cut?" in hub
    assert 'name="how" value="cut"' in hub
    assert next_action(state_of(cup), 3).action == "tournament_draw_round"


def test_the_sessions_page_says_the_step_that_the_tournaments_page_says(client):
    cup = of_pairs(4, "knockout")
    client.force_login(a_user(club=cup.club))
    address = reverse("session", args=[cup.club.slug, cup.session.public_id])

    def next_step():
        step = client.get(address).context["step"]
        state = state_of(cup)
        assert step.title == next_action(state, rounds_due(state)).title
        return step.title, step.label

    assert next_step() == ("4 entries", "Go to the tournament")
    published(cup)
    assert next_step() == ("2 tables are not done", "Open the board")
    play_round(cup)
    assert next_step() == ("The semi-finals are over", "Go to the tournament")
    published(cup, seed=2)
    assert next_step() == ("1 table is not done", "Open the board")
    play_round(cup, seed=2)
    assert next_step() == ("All rounds are played", "Go to the tournament")
