"""Knock-outs: seeding, byes for the best seeds, best of games, losers' bracket, corrections."""

from copy import deepcopy
from functools import partial

import pytest

from league.members.audit_changes import tables_in
from league.members.audit_rows import subject_words
from league.members.models import Club, namer
from league.pairing.formats.knockout import State
from league.seating.models import Table
from league.tournaments import actions
from league.tournaments.bracket_page import bracket_parts
from league.tournaments.draws.knockout import bracket_of
from league.tournaments.models import Tournament
from league.tournaments.next_step import next_action
from league.tournaments.prizes import prizes
from league.tournaments.standing import standing_of
from league.tournaments.tables import rows_of
from tests.builders import EIGHT, TEST
from tests.tournaments.playing import of_pairs, play_round, published, state_of, turn_round
from tests.tournaments.test_progressive import refusal

pytestmark = pytest.mark.django_db


def play_out(cup):
    """Round after round until the bracket is over; how many rounds it took."""
    for number in range(1, 40):
        published(cup, seed=number)
        play_round(cup, seed=number)
        if bracket_of(state_of(cup)).over:
            return number
    raise AssertionError("The bracket never ends.")


def semi_finals_played():
    cup = of_pairs(4, "knockout")
    published(cup)
    play_round(cup)
    return cup


@pytest.mark.parametrize(("pairs", "rounds"), [(2, 1), (5, 3)])
def test_a_knockout_ends_with_one_winner(pairs, rounds):
    cup = of_pairs(pairs, "knockout")
    assert play_out(cup) == rounds
    assert len(state_of(cup).matches) == pairs - 1
    assert bracket_of(state_of(cup)).champion is not None
    assert refusal(published, cup) == "no-more-rounds"


def test_in_a_double_knockout_only_a_second_loss_puts_a_pair_out():
    cup = of_pairs(5, "double")
    play_out(cup)
    lost = {}
    for match in state_of(cup).matches:
        loser = match.sides[1 - match.first]
        lost[loser] = lost.get(loser, 0) + 1
    champion = bracket_of(state_of(cup)).champion
    assert lost.pop(champion, 0) < 2
    assert set(lost.values()) == {2}


def test_the_losers_of_the_semi_finals_play_for_third_place():
    cup = of_pairs(5, "knockout", third_place=True)
    for seed in (1, 2, 3):
        published(cup, seed=seed)
        play_round(cup, seed=seed)
    assert state_of(cup).last.row.label == "Final"
    assert len(state_of(cup).last.matches) == 2
    listed = prizes(state_of(cup), standing_of(state_of(cup)), namer([], cup.club, "member"))
    assert [one.title for one in listed] == ["First", "Second", "Third"]


def test_a_consolation_gives_everybody_a_second_match():
    cup = of_pairs(8, "knockout", consolation=True)
    play_out(cup)
    played = [one for match in state_of(cup).matches for one in match.entries]
    assert min(played.count(one) for one in state_of(cup).entries) >= 2
    assert bracket_of(state_of(cup)).consolation_champion is not None


def test_the_best_seeds_start_a_round_later_and_meet_last():
    cup = of_pairs(6, "knockout")
    best, second = list(state_of(cup).entries.values())[3:5]
    actions.seed_entry(best, 1, by=TEST)
    actions.seed_entry(second, 2, by=TEST)
    published(cup)
    assert set(state_of(cup).last.byes) == {best.pk, second.pk}


def test_a_tie_has_to_be_played_off_before_the_bracket_goes_on():
    cup = of_pairs(4, "knockout")
    published(cup)
    actions.force_round(cup, reason="Late.", by=TEST, at=EIGHT)
    assert refusal(published, cup) == "tie-open"


def test_the_bracket_says_whence_a_side_comes_until_it_is_known():
    cup = of_pairs(4, "knockout")
    published(cup)
    (main,) = bracket_parts(state_of(cup), namer([], cup.club, "member"))
    assert [one.title for one in main.rounds] == ["Semi-finals", "Final"]
    final = main.rounds[1].matches[0]
    comes_from = "winner of match\N{NO-BREAK SPACE}"  # the number never begins a line
    assert [side.name for side in final.sides] == [f"{comes_from}1", f"{comes_from}2"]


def test_the_next_thing_to_do_calls_the_rounds_of_a_bracket_by_their_names():
    cup = of_pairs(8, "knockout")
    titles = []
    for what in ("quarter-finals are", "semi-finals are", "final is"):
        actions.draw_round(cup, by=TEST, seed=1)
        assert next_action(state_of(cup), 3).title == f"The {what} drawn"
        actions.publish_draw(cup, by=TEST, at=EIGHT)
        play_round(cup)
        after = next_action(state_of(cup), 3)
        titles.append((after.title, after.label))
    assert titles[:2] == [
        ("The quarter-finals are over", "Draw the semi-finals"),
        ("The semi-finals are over", "Draw the final"),
    ]


def withdrawn_with_a_bye(pairs):
    """A knock-out whose first seed has a bye, leaves before it plays, and which is played out."""
    cup = of_pairs(pairs, "knockout")
    published(cup)
    holder = min(state_of(cup).last.byes, key=lambda key: state_of(cup).entries[key].number)
    gone = state_of(cup).entries[holder]
    actions.withdraw_entry(gone, by=TEST, at=EIGHT)
    play_round(cup)
    for seed in range(2, 9):
        if bracket_of(state_of(cup)).over:
            return cup, gone
        published(cup, seed=seed)
        play_round(cup, seed=seed)
    raise AssertionError("The bracket never ends.")


@pytest.mark.parametrize("pairs", [5, 7])
def test_a_pair_that_never_played_is_last_and_wins_no_prize(pairs):
    cup, gone = withdrawn_with_a_bye(pairs)
    state, name_of = state_of(cup), namer([], cup.club, "member")
    standing = standing_of(state)
    last = rows_of(state, standing, name_of)[-1]
    assert (last.who, last.rank, last.shared) == (gone.pk, pairs, False)
    awarded = [name for prize in prizes(state, standing, name_of) for name in prize.names]
    assert last.name not in awarded
    assert len(awarded) == 3


@pytest.mark.parametrize("pairs", [5, 7])
def test_a_walk_over_after_a_withdrawal_counts_as_a_match_won(pairs):
    cup, gone = withdrawn_with_a_bye(pairs)
    state = state_of(cup)
    (walkover,) = [m for m in bracket_of(state).matches.values() if m.state is State.WALKOVER]
    won = {line.who: line.values["match_points"] for line in standing_of(state).lines}
    assert walkover.loser == gone.pk
    assert won[gone.pk] == 0
    assert won[walkover.winner] == 1 + sum(
        m.won(p) for m in state.matches for p, key in m.sides.items() if key == walkover.winner
    )
    assert sum(won.values()) == pairs - 1


def test_the_activity_log_names_the_rounds_of_a_bracket_in_the_club_s_language():
    cup = of_pairs(4, "knockout")
    Club.objects.update(language="de")
    cup = Tournament.objects.get()
    published(cup)
    actions.take_draw_back(cup, by=TEST, at=EIGHT)
    actions.publish_draw(cup, by=TEST, at=EIGHT)
    actions.force_round(cup, reason="late", by=TEST, at=EIGHT)
    entries = cup.club.audit.order_by("pk")
    assert [entry.subject for entry in entries if entry.action.endswith("round")][1:] == [
        "Halbfinale",
        "Halbfinale",
        "Halbfinale",
        "Autumn Cup",
    ]
    rounds = [entry.new["round"] for entry in entries if "round" in (entry.new or {})]
    assert rounds == ["Halbfinale"] * 3


def test_an_entry_about_a_table_has_the_title_of_its_round_in_the_bracket():
    cup = of_pairs(4, "knockout")
    play_out(cup)
    entries = list(cup.club.audit.filter(subject__contains="table").order_by("pk"))
    tables = tables_in(entries)
    subjects = [subject_words(entry.subject, tables[entry.pk].round_title) for entry in entries]
    assert sorted(set(subjects)) == [
        "Final, table 1",
        "Semi-final, table 1",
        "Semi-final, table 2",
    ]


@pytest.fixture(scope="class")
def semis(club_of_the_module):
    with club_of_the_module():
        yield partial(deepcopy, semi_finals_played())


class TestAfterTheSemiFinals:
    """A knock-out of four pairs, its semi-finals played."""

    def test_a_pair_that_leaves_gives_its_next_opponent_the_match(self, semis):
        cup = semis()
        match = state_of(cup).last.matches[0]
        winner = state_of(cup).entries[match.sides[match.first]]
        actions.withdraw_entry(winner, by=TEST, at=EIGHT)
        assert refusal(published, cup) == "no-more-rounds"
        other = state_of(cup).last.matches[1]
        assert bracket_of(state_of(cup)).champion == other.sides[other.first]

    def test_a_correction_after_the_next_round_is_published_leaves_the_bracket_and_says_so(
        self, semis
    ):
        cup = semis()
        table = Table.objects.get(pk=state_of(cup).last.matches[0].games[0].table)
        published(cup, seed=2)
        final = state_of(cup).last.matches[0].entries
        turn_round(table)
        first = state_of(cup).published[0].matches[0]
        assert first.corrected_since
        assert state_of(cup).last.matches[0].entries == final
        assert set(final) == set(bracket_of(state_of(cup)).matches["M2-1"].sides)

    def test_a_correction_before_the_next_round_is_published_wants_another_draw(self, semis):
        cup = semis()
        table = Table.objects.get(pk=state_of(cup).last.matches[0].games[0].table)
        actions.draw_round(cup, by=TEST, seed=2)
        turn_round(table)
        assert refusal(actions.publish_draw, cup, by=TEST, at=EIGHT) == "result-changed"
        published(cup, seed=2)
