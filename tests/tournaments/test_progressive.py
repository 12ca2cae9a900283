"""Progressive Euchre through the actions: rounds as barriers, moves by results, byes, totals."""

from dataclasses import replace
from html import unescape

import pytest
from django.urls import reverse

from league.errors import Refused
from league.play.actions import write_totals
from league.play.game_log import open_game_log
from league.standings.labels import figure
from league.standings.queries import given_places
from league.tournaments import actions
from league.tournaments.draws.rounds import _finished_table
from league.tournaments.models import Match
from league.tournaments.prizes import prizes
from league.tournaments.session_places import session_places
from league.tournaments.standing import standing_of
from league.tournaments.tables import rows_of
from league.tournaments.ties import open_ties
from tests.builders import EIGHT, TEST, a_user, game_at
from tests.tournaments.playing import (
    a_tournament,
    drawn,
    match_of,
    play_round,
    published,
    state_of,
    tables,
    turn_round,
    write_one,
)

pytestmark = pytest.mark.django_db
NOTICED = ("tournament", "tournament_draw")
"""The pages that say that a draft is drawn from an old result."""


def refusal(order, *args, **kwargs):
    with pytest.raises(Refused) as caught:
        order(*args, **kwargs)
    return caught.value.code


def test_a_whole_tournament_is_played_and_everybody_sits_once_a_round():
    cup = a_tournament(5)
    for number in range(1, 4):
        published(cup, seed=number)
        play_round(cup, seed=number)
        last = state_of(cup).last
        seated = [one for match in last.matches for one in match.entries]
        assert sorted([*seated, *last.byes]) == sorted(state_of(cup).active_entries)
        assert last.open_matches == ()
    standing = standing_of(state_of(cup))
    assert len(standing.lines) == 5
    assert refusal(drawn, cup) == "no-more-rounds"


def test_the_next_round_waits_until_every_table_is_done():
    cup = a_tournament(8)
    published(cup)
    assert refusal(drawn, cup) == "round-open"


def test_an_organiser_ends_the_round_by_force_and_says_why():
    cup = a_tournament(8)
    published(cup)
    assert refusal(actions.force_round, cup, reason=" ", by=TEST, at=EIGHT) == "no-reason"
    row = actions.force_round(cup, reason="The hall closes at ten.", by=TEST, at=EIGHT)
    assert row.forced_reason == "The hall closes at ten."
    assert cup.club.audit.filter(action="force tournament round").get().new["tables"] == 2
    assert drawn(cup).number == 2


def test_winners_of_the_head_table_stay_and_its_losers_go_to_the_last():
    cup = a_tournament(12)
    published(cup)
    play_round(cup)
    first = state_of(cup).last.matches
    head = first[0]
    winners = {e for p, e in head.sides.items() if p % 2 == head.first % 2}
    published(cup, seed=2)
    second = state_of(cup).last.matches
    assert winners <= set(second[0].entries)
    assert set(head.entries) - winners <= set(second[-1].entries)


def test_nobody_keeps_the_partner_they_just_had():
    cup = a_tournament(12)
    pairs = []
    for seed in (1, 2, 3):
        published(cup, seed=seed)
        play_round(cup, seed=seed)
        pairs.append(
            {
                frozenset((m.sides[p], m.sides[p + 2]))
                for m in state_of(cup).last.matches
                for p in (0, 1)
            }
        )
    assert not pairs[0] & pairs[1]
    assert not pairs[1] & pairs[2]


def test_the_game_is_so_many_hands():
    cup = a_tournament(4, hands=3)
    published(cup)
    play_round(cup)
    game = tables(cup).get().games.get()
    assert game.hands_played == 3


@pytest.mark.parametrize(("count", "is_averaged"), [(7, True), (8, False)])
def test_the_standings_explain_how_points_at_small_tables_count(client, count, is_averaged):
    cup = a_tournament(count)
    published(cup)
    play_round(cup)
    client.force_login(a_user(club=cup.club))
    text = client.get(reverse("tournament_standings", args=[cup.club.slug, cup.public_id])).text
    assert ("the average of all players" in text) is is_averaged
    assert ("Points from every hand played, at any table" in text) is not is_averaged


def test_points_that_are_partly_an_average_are_explained_where_they_are_read(client):
    """A player who made 2 points at a small table stood with 7.25, and nothing said why."""
    cup = a_tournament(7, rounds=2)
    for seed in (1, 2):
        published(cup, seed)
        play_round(cup, seed)
    state = state_of(cup)
    standing = standing_of(state)
    line = next(line for line in standing.lines if standing.made_up.get(line.who))
    own = line.values["points"] - standing.made_up[line.who]
    text = f"{figure('points', own)} at tables of four + "
    row = next(row for row in rows_of(state, standing, str) if row.who == line.who)
    assert any(text in reason for reason in row.why)
    client.force_login(a_user(club=cup.club))
    of_cup, of_session = [cup.club.slug, cup.public_id], [cup.club.slug, cup.session.public_id]
    pages = [reverse(name, args=of_cup) for name in ("tournament", "tournament_print")]
    note = "In the points, a round at a small table or sat out counts as the player's average"
    for page in [*pages, reverse("wall", args=of_session)]:
        assert note in unescape(client.get(page).text)


def test_points_of_small_tables_stand_apart():
    cup = a_tournament(7)
    published(cup)
    play_round(cup)
    standing = standing_of(state_of(cup))
    small = {e for m in state_of(cup).last.matches if m.players == 3 for e in m.entries}
    assert len(small) == 3
    points = {line.who: line.values["points"] for line in standing.lines}
    at_four = [points[one] for one in points if one not in small]
    assert {points[one] for one in small} == {sum(at_four) / 4}  # none of their own yet
    rows = [row for row in rows_of(state_of(cup), standing, str) if row.who in small]
    says = " points: the average of all players, until a round at a table of four."
    assert all(any(reason.endswith(says) for reason in row.why) for row in rows)
    assert sum(standing.small_table_points[one] for one in small) > 0
    assert sum(v for e, v in standing.small_table_points.items() if e not in small) == 0


def a_hand_at(table):
    game_at(table)
    write_one(table, open_game_log(table), 0, 3)


def tie_all(cup):
    """Every table of the round ends level."""
    for table in tables(cup):
        level = [3] * (2 if table.players == 4 else table.players)
        write_totals(table, level, by=TEST, at=EIGHT, as_organiser=True, no_hands=True)


def test_the_bell_ends_every_game_with_hands_and_the_head_table_plays_to_its_points():
    cup = a_tournament(8, unit="bell", bell_points=5)
    published(cup)
    head, other = tables(cup)
    assert head.ruleset.body["options"]["target"]["value"] == 5
    a_hand_at(head)
    a_hand_at(other)
    assert actions.ring_bell(cup, by=TEST, at=EIGHT) == 2
    assert state_of(cup).last.open_matches == ()
    assert drawn(cup).number == 2


def test_a_table_of_which_nothing_was_entered_waits_for_its_final_score_after_the_bell(client):
    cup = a_tournament(8, unit="bell")
    client.force_login(a_user(club=cup.club))
    published(cup)
    head, _other = tables(cup)
    hub = reverse("tournament", args=[cup.club.slug, cup.public_id])
    bell = reverse("tournament_bell", args=[cup.club.slug, cup.public_id])
    scores = reverse("final_scores", args=[cup.club.slug, cup.session.public_id])
    page = client.get(hub).text
    assert f'<a class="button primary" href="{scores}">Final scores</a>' in page
    assert bell not in page
    assert "Enter the final scores." in client.post(bell, follow=True).text
    assert len(client.get(scores).context["lines"]) == 2
    a_hand_at(head)
    page = client.get(hub).text
    assert "ring the bell: 1 game ends at its score. Tables with no hands entered wait" in page
    assert bell in page
    assert scores in page
    asks = "The head table has not reached its points here. End these games anyway?"
    assert asks in page
    client.post(bell)
    assert len(state_of(cup).last.open_matches) == 1
    assert len(client.get(scores).context["lines"]) == 1


def test_the_bell_rings_without_a_question_once_the_head_table_is_done(client):
    cup = a_tournament(8, unit="bell", bell_points=5)
    client.force_login(a_user(club=cup.club))
    published(cup)
    head, other = tables(cup)
    write_totals(head, [5, 3], by=TEST, at=EIGHT, as_organiser=True, no_hands=True)
    a_hand_at(other)
    page = client.get(reverse("tournament", args=[cup.club.slug, cup.public_id])).text
    assert "Ring the bell" in page
    assert "has not reached its points" not in page


def test_a_tie_is_cut_where_the_organiser_chose_so_and_it_changes_no_place():
    cup = a_tournament(8, tie="cut", unit="bell")
    published(cup)
    play_round(cup)
    published(cup)
    tie_all(cup)
    drawn(cup, seed=2)
    assert [m.decided_by for m in state_of(cup).last.matches] == ["cut", "cut"]
    assert given_places(cup.session) == session_places(cup.session) != {}


def test_wins_at_a_small_table_are_counted_though_its_points_stand_apart():
    cup = a_tournament(7)
    published(cup)
    play_round(cup)
    state = state_of(cup)
    small = next(match for match in state.last.matches if match.players == 3)
    won = {line.who: line.values["won"] for line in standing_of(state).lines}
    assert sum(won[one] for one in small.entries) == 1


def test_a_tie_at_a_three_handed_table_asks_for_the_deciding_hand():
    cup = a_tournament(7, unit="bell", bell_points=10)
    published(cup)
    tie_all(cup)
    by_size = {match.players: match for match in state_of(cup).last.matches}
    assert {match.key for match in open_ties(state_of(cup))} == {
        one.key for one in by_size.values()
    }
    actions.decide_match(cup, match_of(by_size[4]), 0, how="extra_hand", by=TEST, at=EIGHT)
    assert refusal(drawn, cup) == "tie-open"
    three = by_size[3]
    actions.decide_match(cup, match_of(three), 2, how="extra_hand", by=TEST, at=EIGHT)
    ended = _finished_table(next(m for m in state_of(cup).last.matches if m.key == three.key))
    assert ended.winners == (three.sides[2],)
    assert drawn(cup).number == 2


def test_a_cut_at_a_three_handed_table_falls_on_any_of_those_tied():
    cup = a_tournament(7, unit="bell", tie="cut")
    published(cup)
    tie_all(cup)
    winners = set()
    for seed in range(12):
        drawn(cup, seed=seed)
        winners |= {m.winner for m in state_of(cup).last.matches if m.players == 3}
        actions.discard_draw(cup, by=TEST)
        Match.objects.update(winner=None, decided_by="")
    assert winners == {0, 1, 2}


def test_a_latecomer_starts_at_the_last_table_and_who_withdraws_is_not_drawn():
    from tests.builders import members_of

    cup = a_tournament(8)
    published(cup)
    play_round(cup)
    late = members_of(cup.club, 10)[9]
    entry = actions.enter(cup, late, by=TEST, at=EIGHT)
    assert entry.late
    gone = state_of(cup).entries[state_of(cup).last.matches[0].entries[0]]
    actions.withdraw_entry(gone, by=TEST, at=EIGHT)
    published(cup, seed=2)
    last = state_of(cup).last
    assert entry.pk in last.matches[-1].entries
    assert gone.pk not in [e for m in last.matches for e in m.entries]


def test_sitting_out_goes_round_before_anybody_sits_out_twice():
    cup = a_tournament(6, rounds=6)
    cup.club.seating_policy = "sitout"
    cup.club.save()
    had = []
    for seed in range(1, 4):
        published(cup, seed=seed)
        play_round(cup, seed=seed)
        had += state_of(cup).last.byes
    assert len(had) == len(set(had)) == 6


def test_the_club_night_cannot_seat_a_tournaments_people_anew():
    from league.seating.actions import discard_draft, draft_round, publish, swap, take_back

    cup = a_tournament(8)
    drawn(cup)
    one, other = (e.member for e in list(state_of(cup).entries.values())[:2])
    draft = state_of(cup).draft.row.seating
    assert refusal(swap, draft, one, other, by=TEST) == "by-tournament"
    assert refusal(draft_round, cup.session, by=TEST, seed=1) == "by-tournament"
    assert refusal(publish, draft, by=TEST, at=EIGHT) == "by-tournament"
    assert refusal(discard_draft, draft, by=TEST) == "by-tournament"
    row = actions.publish_draw(cup, by=TEST, at=EIGHT)
    assert refusal(take_back, row.seating, by=TEST, at=EIGHT) == "by-tournament"


def test_a_correction_in_a_finished_round_moves_the_standings_and_not_the_next_draw():
    from league.play.actions import correct_hand
    from league.seating.models import Table

    cup = a_tournament(8)
    published(cup)
    play_round(cup)
    table = Table.objects.get(pk=state_of(cup).last.matches[0].games[0].table)
    published(cup, seed=2)
    before, seats = standing_of(state_of(cup)), [m.entries for m in state_of(cup).last.matches]
    hand = table.games.get().hands.filter(current=True).first()
    record = {**hand.record, "tricks_won": {"makers": 0 if sum(hand.points) else 5}}
    correct_hand(
        table,
        1,
        record,
        reason="Misread.",
        expected_version=1,
        client_id="right-1",
        by=TEST,
        at=EIGHT,
        as_organiser=True,
        confirm_unlikely=True,
    )
    after = standing_of(state_of(cup))
    assert {w: t[0].points for w, t in before.tallies.items() if t} != {
        w: t[0].points for w, t in after.tallies.items() if t
    }
    assert [m.entries for m in state_of(cup).last.matches] == seats


def test_a_card_drawn_again_is_kept_and_the_next_round_is_read_from_it():
    cup = a_tournament(8, "rotation", rounds=3)
    drawn(cup, seed=1)
    drawn(cup, seed=2)
    assert [card["seed"] for card in state_of(cup).stage.cards] == [2]
    actions.publish_draw(cup, by=TEST, at=EIGHT)
    play_round(cup)
    published(cup, seed=3)
    assert [card["seed"] for card in state_of(cup).stage.cards] == [2]


def test_a_progressive_says_that_a_round_was_drawn_from_a_result_corrected_since(client):
    """The wrong players moved up, without a word."""
    cup = a_tournament(8)
    client.force_login(a_user(club=cup.club))
    pages = [reverse(name, args=[cup.club.slug, cup.public_id]) for name in NOTICED]
    published(cup)
    table = tables(cup).first()
    play_round(cup)
    drawn(cup, seed=2)
    reminder = "A result was corrected since this draw. Redraw, or publish it as it is."
    assert [reminder in client.get(page).text for page in pages] == [False, False]
    turn_round(table)
    assert [reminder in client.get(page).text for page in pages] == [True, True]
    drawn(cup, seed=3)
    assert [reminder in client.get(page).text for page in pages] == [False, False]
    actions.publish_draw(cup, by=TEST, at=EIGHT)
    turn_round(table)
    assert "A result was corrected after round 2 was drawn." in client.get(pages[0]).text
    actions.take_draw_back(cup, by=TEST, at=EIGHT)
    assert [reminder in client.get(page).text for page in pages] == [True, True]


def test_who_withdrew_before_playing_has_no_place_and_no_booby_prize(client):
    cup = a_tournament(9, rounds=1)
    published(cup)
    actions.take_draw_back(cup, by=TEST, at=EIGHT)
    omar = cup.entries.get(pk=state_of(cup).draft.matches[0].entries[0])
    actions.withdraw_entry(omar, by=TEST, at=EIGHT)
    published(cup, seed=2)
    play_round(cup)
    state = state_of(cup)
    standing = standing_of(state)
    assert [row.rank for row in rows_of(state, standing, str)].count(9) == 0
    assert omar.pk not in [row.who for row in rows_of(state, standing, str)]
    assert omar.member_id not in session_places(cup.session)
    standing.lines[-2] = replace(standing.lines[-2], rank=8, shared=False)
    standing.best_game.clear()
    booby = [prize.names for prize in prizes(state, standing, str) if "Booby" in prize.title]
    assert booby == [(state.entries[standing.lines[-2].who].member.name,)]
