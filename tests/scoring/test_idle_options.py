"""Every option that is offered changes something, and an idle one nothing: tried with hands."""

from functools import cache
from itertools import product

import pytest

from scoring import (
    RulesetError,
    Ruling,
    check_hand,
    dealer_after_throw_in,
    idle_options,
    play_game,
    ruleset,
)
from scoring.playouts import random_hand
from scoring.rulesets.options import OPTIONS

# A preset of each kind: sides, family, kitty, values, counting down, level payment. All of them
# take minutes.
EACH_KIND = pytest.mark.parametrize(
    "preset",
    [
        "standard-four-handed",
        "nanaimo-three-handed",
        "call-ace-five",
        "buck-euchre",
        "pepper",
        "auction-euchre",
        "napoleon",
    ],
)
# What the players do before a hand is written down: it shows in no record.
# Until when a renege can be claimed only shows where one was played: test_penalties has that.
AT_THE_TABLE = {"first_dealer", "deal_pattern", "cut_by", "renege_window"}
# Idle by what they mean: only a sheet that contradicts itself, a pass that nobody can make or a
# ruling about a loner that cannot be shows them.
BY_MEANING = {
    "nt",
    "min_nt",
    "dirty_clubs",
    "two_loner_lead",
    "passout_dealer",
    "renege_points_lone",
}
MANY, FEW = 300, 4  # random hands: to find a rare effect, and to see none
PENALTIES = ("renege", "false-claim", "table-talk", "abandoned")


def others(option, value):
    """Other values of an option, those first that show most."""
    if option.kind == "flag":
        return [not value]
    if option.kind in ("suits", "bids"):
        return [[], ["h"]] if option.kind == "suits" else [["high", "low"], []]
    listed = [one for one in option.values if one != value]
    if option.kind == "word_or_points":
        listed += [-6, option.lowest] if option.name == "lose_at" else [7, 0]
    if option.kind == "points":
        listed = [value + 1, 400, value + 3, 8, 1, 0]
    return [one for one in listed if one != value]


def variants(rules, name):
    """The ruleset with this one option otherwise, as far as rules can be so."""
    for value in others(OPTIONS[name], rules.options[name]):
        try:
            yield ruleset(rules, {name: value})
        except RulesetError:
            continue


def sheets(rules):
    """Hands as they are written down: every contract with every result, and what goes beside."""
    every = rules.hand_size
    yield {"dealer": 0, "contract": None}
    bare = {"dealer": 0, "contract": {"seat": 0, "trump": "h"}, "tricks_won": {"makers": 3}}
    for reason in ("farmers", "no_ace_no_face"):
        call = {"seat": 1, "call": "redeal", "special": reason}
        yield {"dealer": 0, "auction": [call], "contract": None}
    yield {"dealer": 0, "auction": [{"seat": 1, "call": "go-under"}]}
    yield {"dealer": 0, "auction": [{"seat": 1, "call": "mcevoy"}]}
    seen = {"upcard": "Ac", "upcard2": "Kd"}
    yield bare | seen | result(rules, 0, 3)
    turned_down = {"seat": 0, "trump": "c", "round": 2}
    for special in (None, "chuck"):
        again = {"contract": turned_down | {"special": special}, "upcard": "Ac"}
        yield bare | again | result(rules, 0, 3)
    yield bare | {"fast_break": True}
    yield bare | {"out": [1]}
    for contract in contracts(rules):
        for makers in range(every + 1):
            sheet = {"dealer": 3 % rules.players, "contract": contract}
            yield sheet | result(rules, contract["seat"], makers)
            if rules.partner_called:
                yield sheet | result(rules, contract["seat"], makers) | {"partner": 2}
        for kind in PENALTIES:
            for by in (0, 1):
                ruled = [{"kind": kind, "by": by}]
                yield sheet | result(rules, contract["seat"], makers) | {"penalties": ruled}


def contracts(rules):
    """Some contract of every kind this game has, or might have."""
    if rules.family == "turn_up":
        for trump in ("h", "c", "nt"):
            yield {"seat": 0, "trump": trump, "round": 2}
        for shown in ("jambone", "jamboree", "smitty", "smitty_game", "dirty_clubs"):
            yield {"seat": 0, "trump": "c" if shown == "dirty_clubs" else "h", "special": shown}
        yield {"seat": 0, "trump": "h", "round": 1, "alone": True, "special": "smitty"}
        yield {"seat": 0, "trump": "h", "round": 2, "alone": True}
        return
    least = rules.options["min"]
    for trump, tricks in product(("h", "nt", "ntl"), (1, least, least + 1, rules.hand_size)):
        yield {"seat": 0, "trump": trump, "tricks": tricks}
    for name in ("misere", "open_misere", "misery"):
        yield {"seat": 0, "special": name}
    for special in rules.specials:
        yield {"seat": 0, "trump": "h", "special": special.name}


def result(rules, seat, makers):
    """Tricks by seat: the makers', and those of the others all on the next of them."""
    tricks = [0] * rules.players
    tricks[seat], tricks[(seat + 1) % rules.players] = makers, rules.hand_size - makers
    return {"tricks_won": tricks, **({"partner": None} if rules.partner_called else {})}


def lone_defences():
    for alone, tricks in product((False, True), range(6)):
        contract = {"seat": 0, "trump": "h", "alone": alone}
        hand = {"dealer": 0, "contract": contract, "lone_defender": 1}
        yield hand | {"tricks_won": [tricks, 5 - tricks, 0, 0]}
    led = [{"leader": 0, "cards": ["Ah", "Kh"]}]
    yield {"dealer": 3, "contract": contract, "lone_defender": 1, "tricks": led}


@cache
def written(rules):
    turned_up = rules.family == "turn_up" and rules.players == 4
    return [*sheets(rules), *(lone_defences() if turned_up else ())]


@cache
def dealt(rules, seed):
    return random_hand(rules, seed, dealer=seed % rules.players, wild=True)


def answered(hand, rules):
    answer = check_hand(hand, rules)
    codes = [sorted({one.code for one in listed}) for listed in (answer.faults, answer.warnings)]
    return answer.valid, answer.points, answer.next_dealer, answer.token, codes


def first_scores(rules):
    """Scores from which a hand can end the game, for one side and for several."""
    sides, target = len(rules.sides), rules.target
    if target is None:
        return [(9,) * sides]
    down = -1 if rules.counts_down else 1
    near = target - down
    return [
        (rules.start,) * sides,
        (near,) * sides,
        *((target - down * steps, *(near,) * (sides - 1)) for steps in (2, 4, 60)),
        (near, *(target - 4 * down,) * (sides - 1)),
        (near, *(rules.start,) * (sides - 1)),
    ]


LATE = [
    [Ruling(after=0, kind="renege", by=0, form=form, lone=lone)]
    for form, lone in product(("add", "deduct", None), (True, False))
]


def ends(rules, scores, hands, rulings=()):
    """How a game of these hands stands, from each of these scores."""
    for score in scores:
        game = play_game(rules, hands, initial_score=score, rulings=rulings)
        yield game.score, game.over, game.winners, game.why, game.excess, game.games_counted


def same_games(one, other, scores, hands, rulings=()):
    return list(ends(one, scores, hands, rulings)) == list(ends(other, scores, hands, rulings))


def fallen(rules):
    """Scores so low that a hand or a ruling can sink a side, or meet the floor."""
    return [(0,) * len(rules.sides), (-5,) * len(rules.sides), (-499,) * len(rules.sides)]


def sheets_differ(one, other):
    """Whether a hand as it is written down, or the end of a game with it alone, is another."""
    sources = [one] if written(one) == written(other) else [one, other]
    hands = [(source, n, hand) for source in sources for n, hand in enumerate(written(source))]
    if any(answer(one, source, n) != answered(hand, other) for source, n, hand in hands):
        return True
    return any(
        answer(one, source, n)[0] and game_of(one, source, n) != [*ends(other, near(one), [hand])]
        for source, n, hand in hands[::3]
    )


def differ(one, other, seeds=MANY):
    """Whether some hand, some dealer or the end of some game is not the same under both."""
    plain = (one.target, one.hands, one.start, one.deck)
    if plain != (other.target, other.hands, other.start, other.deck):
        return True
    for why, seat in product(("passed", "joker"), range(one.players)):
        if dealer_after_throw_in(one, seat, why) != dealer_after_throw_in(other, seat, why):
            return True
    scores = first_scores(one)
    low = [(-7,) * len(one.sides)]
    lost = [Ruling(after=0, kind="adjustment", points=(-9,) * len(one.sides))]
    for rulings in (*LATE, lost):
        if not same_games(one, other, [*scores, *low], [], rulings):
            return True
    if sheets_differ(one, other):
        return True
    chances = ((source, seed) for seed in range(seeds) for source in (one, other))
    return any(
        answered(dealt(*chance), one) != answered(dealt(*chance), other) for chance in chances
    )


# The first ruleset of `differ` is the same for every option of a preset.
@cache
def answer(rules, source, number):
    return answered(written(source)[number], rules)


@cache
def game_of(rules, source, number):
    return [*ends(rules, near(rules), [written(source)[number]])]


def near(rules):
    """Scores from which one hand can show what a game's end follows."""
    return [*first_scores(rules), *fallen(rules)]


@EACH_KIND
def test_every_option_offered_changes_a_hand_a_fault_a_dealer_or_the_end_of_a_game(preset):
    rules = ruleset(preset)
    idle = idle_options(rules)
    without = [
        name
        for name in rules.options
        if name not in idle
        and name not in AT_THE_TABLE
        and (tried := list(variants(rules, name)))
        and not any(differ(rules, variant) for variant in tried)
    ]
    assert without == []


@EACH_KIND
def test_an_option_called_idle_changes_nothing(preset):
    rules = ruleset(preset)
    wrong = [
        name
        for name in idle_options(rules).keys() - BY_MEANING
        for variant in variants(rules, name)
        if name in idle_options(variant) and differ(rules, variant, FEW)
    ]
    assert wrong == []
