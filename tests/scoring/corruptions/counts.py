"""Counts, points, penalties and the names of rules spoilt."""

from dataclasses import replace

from scoring import check_hand
from scoring.records import Penalty
from scoring.rulesets.options import TURN_UP
from tests.scoring.corruptions.registry import corruption, other
from tests.scoring.terms import terms_of


@corruption("tricks-mismatch")
def one_trick_counted_for_another(record, rules, random):
    active = terms_of(record, rules).active if record.tricks else ()
    if len(active) < 2:  # all others may have dropped out
        return None
    won = list(check_hand(record, rules).tricks_won)
    loser = random.choice([seat for seat in active if won[seat]])
    won[loser] -= 1
    won[other(random, active, loser)] += 1
    return replace(record, tricks_won=tuple(won))


@corruption("tricks-mismatch")
def the_makers_tricks_counted_wrong(record, rules, random):
    if not record.tricks:
        return None
    makers = terms_of(record, rules).makers
    count = sum(check_hand(record, rules).tricks_won[seat] for seat in makers)
    return replace(record, makers_tricks=other(random, range(rules.hand_size + 1), count))


@corruption("wrong-trick-count")
def the_tricks_won_do_not_add_up(record, rules, random):
    if not record.tricks:
        return None
    won = check_hand(record, rules).tricks_won
    return replace(record, tricks=None, tricks_won=tuple(count * 2 for count in won))


@corruption("tricks-mismatch", "bad-format")
def another_outcome(record, rules, random):
    outcome = check_hand(record, rules).outcome
    return replace(record, outcome=other(random, ("made", "march", "euchred"), outcome))


@corruption("points-mismatch")
def other_points(record, rules, random):
    points = list(check_hand(record, rules).points)
    points[random.randrange(rules.players)] += random.choice([-1, 1, 2])
    return replace(record, points=tuple(points))


@corruption("bad-seat")
def a_penalty_for_nobody(record, rules, random):
    return replace(record, penalties=(Penalty("renege", rules.players),))


@corruption("bad-penalty")
def a_renege_ruled_that_the_cards_do_not_show(record, rules, random):
    terms = terms_of(record, rules)
    by = random.choice(terms.active) if terms else 0
    trick = random.randint(1, rules.hand_size)
    return replace(record, penalties=(Penalty("renege", by, trick),))


@corruption("bad-penalty")
def a_ruling_on_a_trick_there_is_not(record, rules, random):
    return replace(record, penalties=(Penalty("renege", 0, rules.hand_size + 1),))


@corruption("bad-format")
def another_ruleset_than_the_games(record, rules, random):
    elsewhere = "bid-barrie" if rules.family == TURN_UP else "keller-1887-two-handed"
    return replace(record, ruleset=elsewhere)


@corruption("unknown-option")
def an_option_that_there_is_not(record, rules, random):
    return replace(record, options=(("nonsense", True),))
