"""Fixed pairs, round robin and Swiss: fixtures, byes, best of games, leaving, the cross-table."""

from random import Random

import pytest

from league.members.models import namer
from league.tournaments import actions
from league.tournaments.models import Match
from league.tournaments.standing import standing_of
from league.tournaments.tables import cross_table
from tests.builders import EIGHT, TEST, members_of
from tests.tournaments.playing import of_pairs, play, play_round, published, state_of, tables
from tests.tournaments.test_progressive import refusal

pytestmark = pytest.mark.django_db


def met(cup):
    return [frozenset(m.entries) for m in state_of(cup).matches]


@pytest.mark.parametrize("pairs", [3, 4])
def test_in_a_round_robin_every_pair_meets_every_other_once(pairs):
    cup = of_pairs(pairs, "round_robin")
    for number in range(pairs - 1 + pairs % 2):
        published(cup, seed=number)
        play_round(cup, seed=number)
    assert refusal(published, cup) == "no-more-rounds"
    assert len(met(cup)) == len(set(met(cup))) == pairs * (pairs - 1) // 2
    byes = [one for facts in state_of(cup).published for one in facts.byes]
    assert sorted(byes) == (sorted(state_of(cup).entries) if pairs % 2 else [])


def test_a_pair_late_in_a_swiss_plays_in_the_next_round_and_another_has_the_bye():
    cup = of_pairs(4, "swiss", rounds=3)
    published(cup)
    play_round(cup)
    one, other = members_of(cup.club, 10)[-2:]
    late = actions.enter(cup, one, partner=other, by=TEST, at=EIGHT)
    for number in (2, 3):
        published(cup, seed=number)
        play_round(cup, seed=number)
        assert late.pk not in state_of(cup).last.byes
        assert len(state_of(cup).last.byes) == 1


def test_a_swiss_repeats_nobody_and_gives_nobody_a_second_bye_early():
    cup = of_pairs(5, "swiss", rounds=3)
    for number in range(1, 4):
        published(cup, seed=number)
        play_round(cup, seed=number)
    assert len(met(cup)) == len(set(met(cup)))
    byes = [one for facts in state_of(cup).published for one in facts.byes]
    assert len(byes) == len(set(byes)) == 3


def without_rematch(four, before):
    one, *others = four
    halves = ({frozenset((one, two)), frozenset(set(others) - {two})} for two in others)
    return any(before.isdisjoint(half) for half in halves)


@pytest.mark.parametrize("seed", range(2))
def test_the_bye_of_a_swiss_goes_to_the_lowest_in_its_table_without_one(seed):
    cup = of_pairs(5, "swiss", rounds=3)
    for number in range(1, 4):
        table = [line.who for line in reversed(standing_of(state_of(cup)).lines)]
        places = {line.who: line.rank for line in standing_of(state_of(cup)).lines}
        before = set(met(cup))
        had = {one for facts in state_of(cup).published for one in facts.byes}
        published(cup, seed=number + seed)
        (bye,) = state_of(cup).last.byes
        possible = [
            one
            for one in table
            if one not in had and without_rematch([two for two in table if two != one], before)
        ]
        assert places[bye] == places[possible[0]]
        play_round(cup, seed=number + seed)


def test_a_best_of_three_takes_further_games_until_one_pair_has_two():
    cup = of_pairs(2, "round_robin", games=3)
    published(cup)
    play_round(cup)
    match = state_of(cup).last.matches[0]
    assert max(match.wins.values()) == 2
    assert len(match.games) in (2, 3)
    assert match.over
    assert match.first is not None
    assert tables(cup).count() == 1


def test_who_would_meet_a_pair_that_left_late_wins_without_a_game():
    cup = of_pairs(4, "round_robin")
    for seed in (1, 2):
        published(cup, seed=seed)
        play_round(cup, seed=seed)
    gone = next(iter(state_of(cup).entries.values()))
    actions.withdraw_entry(gone, by=TEST, at=EIGHT)
    published(cup, seed=3)
    walked = [m for m in state_of(cup).last.matches if gone.pk in m.entries]
    assert [m.decided_by for m in walked] == ["walkover"]
    assert walked[0].sides[walked[0].first] != gone.pk


def test_the_matches_of_a_pair_that_left_early_count_for_nobody():
    cup = of_pairs(5, "round_robin")
    published(cup)
    play_round(cup)
    gone = state_of(cup).entries[state_of(cup).last.matches[0].entries[0]]
    actions.withdraw_entry(gone, by=TEST, at=EIGHT)
    published(cup, seed=2)
    play_round(cup, seed=2)
    standing = standing_of(state_of(cup))
    assert standing.struck == {gone.pk}
    line = next(line for line in standing.lines if line.who == gone.pk)
    assert line.values["match_points"] == 0
    assert (standing.lines[-1], line.rank) == (line, 5)  # below those who played and lost
    assert all(gone.pk not in m.entries for m in state_of(cup).last.matches)


def test_a_late_pair_takes_the_place_that_is_free_in_the_fixtures_and_no_other():
    cup = of_pairs(3, "round_robin")
    published(cup)
    one, other, third = members_of(cup.club, 9)[6:]
    entry = actions.enter(cup, one, partner=other, by=TEST, at=EIGHT)
    assert entry.number == 4
    code = refusal(actions.enter, cup, third, partner=third, by=TEST, at=EIGHT)
    assert code == "same-person"
    play_round(cup)
    published(cup, seed=2)
    assert state_of(cup).last.byes == ()


def test_pairs_without_a_partner_are_not_drawn():
    from tests.tournaments.playing import a_tournament

    cup = a_tournament(5, "swiss")
    actions.draw_partners(cup, seed=1, by=TEST)
    assert refusal(published, cup) == "no-partner"


def test_a_walkover_wants_a_reason_and_ends_a_game_that_was_on():
    cup = of_pairs(4, "swiss")
    published(cup)
    match = Match.objects.first()
    order = (cup, match, 1)
    say = {"how": "walkover", "by": TEST, "at": EIGHT}
    assert refusal(actions.decide_match, *order, **say) == "no-reason"
    actions.decide_match(*order, reason="They left.", **say)
    facts = state_of(cup).last.matches[0]
    assert facts.over
    assert facts.first == 1


def test_a_substitutes_points_stay_with_the_pair():
    from league.seating.actions import substitute

    cup = of_pairs(2, "round_robin")
    published(cup)
    late = members_of(cup.club, 5)[4]
    from league.sessions.attendance import arrive

    arrive(cup.session, late, by=TEST, at=EIGHT)
    table = tables(cup).get()
    substitute(table, 0, late, by=TEST)
    play(table, Random(3))
    game = table.games.get()
    facts = state_of(cup).last.matches[0]
    line = {one.who: one for one in standing_of(state_of(cup)).lines}[facts.sides[0]]
    assert line.values["points"] == game.score[0]


def test_a_member_who_takes_over_for_good_leaves_the_results_with_the_pair():
    cup = of_pairs(2, "round_robin", twice=True)
    published(cup)
    play_round(cup)
    entry = next(iter(state_of(cup).entries.values()))
    comes = members_of(cup.club, 5)[4]
    before = standing_of(state_of(cup)).tallies[entry.pk]
    actions.replace_player(entry, entry.partner, comes, by=TEST, at=EIGHT)
    published(cup, seed=2)
    assert standing_of(state_of(cup)).tallies[entry.pk] == before
    assert comes.seats.filter(seated=True).exists()


def test_the_cross_table_has_both_sides_of_every_match():
    cup = of_pairs(3, "round_robin")
    for seed in (1, 2, 3):
        published(cup, seed=seed)
        play_round(cup, seed=seed)
    facts = state_of(cup)
    rows = cross_table(facts, standing_of(facts), namer([], cup.club, "member"))
    for i, row in enumerate(rows):
        for j, cell in enumerate(row.cells):
            if i == j:
                assert cell.own
                continue
            own, theirs = cell.text.split("–")
            assert rows[j].cells[i].text == f"{theirs}–{own}"
