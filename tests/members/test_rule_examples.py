"""The examples beside a club's rules agree with the rules, whatever the club chose."""

import re

import pytest

from league.members.forms.rulesets import RulesetForm
from league.members.game_facts import worked_hand
from league.members.idle_rules import WITHOUT_EFFECT
from league.members.rule_options import asked_first, meaning, option_field, value_of
from league.members.rule_questions import QUESTIONS, question_of
from scoring import RulesetError, preset_ids, ruleset
from scoring.rulesets.options import OPTIONS

NUMBERS = (1, 2, 3, 6, 7, 11, 250)
# Rules whose example is of the answer given; others explain each answer.
OF_THE_ANSWER = ("tie_rule", "win_rule", "both_over", "set_costs", "first_dealer", "upcard_goes_to")


def answers(name):
    option = OPTIONS[name]
    numbers = option.kind in ("points", "word_or_points")
    values = (*option.values, *(NUMBERS if numbers else ()))
    return (True, False) if option.kind == "flag" else values


def rule_sets():
    """Every preset, and each with one of its first questions answered otherwise."""
    for preset in preset_ids():
        yield ruleset(preset)
        for name in {*asked_first(ruleset(preset)), "target"}:
            for value in answers(name):
                try:
                    yield ruleset(preset, {name: value})
                except RulesetError:
                    continue


@pytest.fixture(scope="module")
def examples():
    """(rules, option, example) of all rule sets."""
    return [
        (rules, name, str(question_of(rules, name).example))
        for rules in rule_sets()
        for name in asked_first(rules)
    ]


def test_the_figure_of_an_example_is_the_one_of_its_rule(examples):
    for rules, name, example in examples:
        figure = re.match(r"At ([\d−]+):", example)
        if figure:
            assert int(figure[1]) == rules.options[name], (rules.id, name, example)


def test_a_hand_worked_out_has_a_loner_who_takes_three_or_four_tricks_too():
    loner = "Ruth plays alone and takes at least 3 tricks, but not all"
    assert dict(worked_hand(ruleset("standard-four-handed")).rows)[loner] == [1, 0]
    changed = ruleset("standard-four-handed", {"lone_made": 2})
    assert dict(worked_hand(changed).rows)[loner] == [2, 0]


def test_players_of_an_example_reach_the_target_that_the_rules_have(examples):
    for rules, name, example in examples:
        for ends in re.findall(r"(?:reach|ends at|others at|Walter at) ([\d−]+)", example):
            score, target = int(ends.replace("−", "-")), rules.target or 10
            reached = score <= target if rules.counts_down else score >= target
            assert reached, (rules.id, name, example)
            assert abs(score - target) <= 20, (rules.id, name, example)


def test_the_bids_of_an_example_can_be_made(examples):
    for rules, name, example in examples:
        for bid in re.findall(r"bids? (\d+)", example):
            assert int(bid) >= rules.options.get("min", 1), (rules.id, name, example)


def test_what_an_example_pays_or_costs_is_what_the_rules_say(examples):
    paid = {name for name, question in QUESTIONS.items() if "%(n)s" in str(question.example)}
    assert paid >= {"march", "lone_march", "euchre", "renege_points"}
    for rules, name, example in examples:
        for points in re.findall(r"(?:scores?|gets?|(?:down|up) by) (\d+)\.", example):
            assert int(points) == rules.options[name], (rules.id, name, example)
        for points in re.findall(r"loses? (\d+) points", example):
            cost = rules.options["set_costs"]
            bid = re.search(r"bids (\d+)", example)[1]
            assert points == (bid if cost == "bid" else str(cost)), (rules.id, example)


def test_an_example_is_of_the_answer_given_or_explains_yes_and_no(examples):
    for rules, name, example in examples:
        value = rules.options[name]
        if name in OF_THE_ANSWER and not isinstance(value, int):
            head, _colon, _rest = example.partition(":")
            assert head.lower() in value_of(rules, name, value), (rules.id, example)
        elif isinstance(value, bool) or name == "farmers":
            assert "No: " in example, (rules.id, name, example)


def test_a_game_to_seven_is_not_explained_with_ten():
    """Beside “the higher wins”, a club that plays to 7 read that both reach 10 and both win."""
    rules = ruleset("nanaimo-three-handed", {"target": 7})
    assert str(question_of(rules, "tie_rule").example) == (
        "The higher wins: Ruth ends at 8, Walter at 9. Walter wins."
    )


def test_a_worked_example_of_a_turn_up_game_has_a_row_for_every_number_of_tricks():
    """Two, three and five were there, and four was missing."""
    sentences = [sentence for sentence, _points in worked_hand(ruleset("somerset")).rows]
    tricks = [text.split()[3] for text in sentences if text.startswith("Her side takes")]
    assert tricks == ["3", "4", "5", "2"]


def test_a_rule_that_has_no_effect_here_says_what_it_is_and_why():
    """“Laps” said only where it is switched on, not what laps are."""
    for name in WITHOUT_EFFECT:
        form = RulesetForm(ruleset("standard-four-handed"))
        help_text = str(form.fields[option_field(name)].help_text)
        assert help_text.startswith(meaning(name))
        assert str(WITHOUT_EFFECT[name]) in help_text


@pytest.mark.parametrize(
    ("preset", "form", "ending"),
    [
        ("nanaimo-three-handed", "add", "The others get 2."),
        ("nanaimo-three-handed", "deduct", "Pat's score goes down by 2."),
        ("nanaimo-three-handed", "claimant_choice", "they get 2, or Pat loses 2."),
        ("nanaimo-two-handed", "claimant_choice", "she gets 2, or Walter loses 2."),
    ],
)
def test_the_example_of_a_renege_says_who_gets_or_loses_what(preset, form, ending):
    """It said "The others get 2" also where they choose, and where the points are taken away."""
    rules = ruleset(preset, {"renege_form": form})
    assert question_of(rules, "renege_points").example.endswith(ending)
