"""Every game of the site at its table: what the page asks says all there is to say of a hand."""

import pytest
from django.urls import reverse
from django.utils import translation

from league.errors import Refused
from league.members.presets import offered
from league.play.actions import correct_hand, record_hand, undo_last_hand
from league.play.auth import table_link
from league.play.entry import answers_of
from league.play.forms import answer_fields
from league.play.game_log import open_game_log
from league.play.questions import questions_of
from league.play.results import result_columns
from league.play.text import bid_text, hand_text
from scoring import check_hand, play_game, ruleset
from scoring.playouts import random_game, thinned
from tests.builders import EIGHT, TEST, a_game_table
from tests.play.test_entry import sent
from tests.scoring.test_worked_examples import EXAMPLES, record_of

ONE_OF_EACH = [(name, case) for name, cases in EXAMPLES.items() for case in cases[::4]]


@pytest.mark.parametrize(("preset", "case"), ONE_OF_EACH)
def test_a_worked_hand_can_be_told_by_the_page(preset, case):
    rules = ruleset(preset)
    questions = questions_of(rules)
    record = record_of(rules, case["hand"])
    posted = sent(answers_of(record, questions), questions)
    answer = check_hand(posted, rules)
    assert list(answer.points) == case["points"], posted


@pytest.mark.parametrize("preset", offered())
def test_no_hand_is_described_with_a_code(preset):
    rules = ruleset(preset)
    names = [f"P{seat}" for seat in range(rules.players)]
    for record in random_game(rules, seed=5)[:4]:
        text = hand_text(record.to_json(), check_hand(record, rules), names)
        assert text
        assert "_" not in text
        assert "None" not in text
    assert all("_" not in bid_text(special.name) for special in rules.specials)


def test_a_bid_goes_by_its_name():
    assert [bid_text(bid) for bid in ("bid10", "moon_alone", "7d", 6)] == [
        "10 (shoot)", "Moon alone", "7 diamonds", "6",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("preset", "bids"),
    [
        ("pepper", (1, 2, 3, 4, 5)),  # a plain six is little pepper
        ("pepper-eight", (3, 4, 5, 6, 7, 8)),
        ("bid-hoosier-four-player", tuple(range(1, 10))),
        ("napoleon", (1, 2, 3, 4)),
    ],
)
def test_bids_begin_with_the_least_and_leave_out_what_is_a_special_bid(preset, bids):
    assert questions_of(ruleset(preset)).bids == bids


def test_the_bids_of_five_hundred_are_its_table_of_values():
    values = questions_of(ruleset("five-hundred-four")).values
    assert len(values) == 25
    assert values[0] == ("6s", 40)
    assert values[-1] == ("10nt", 520)


@pytest.mark.parametrize("preset", offered())
def test_a_renege_can_be_ruled_with_the_hand_as_each_game_has_it(preset):
    """D-24: added or deducted, as chosen; Five Hundred and Napoleon have a rule of their own."""
    rules = ruleset(preset)
    questions = questions_of(rules)
    own = preset.startswith("five-hundred") or preset == "napoleon"
    assert questions.own_renege is own
    record = record_of(rules, EXAMPLES[preset][0]["hand"]) if preset in EXAMPLES else None
    if record is None or "clubs" in EXAMPLES[preset][0]["hand"]:
        return
    guilty = record["contract"]["seat"]
    answers = answers_of(record, questions) | {"renege_by": str(guilty)}
    answer = check_hand(
        sent(answers | ({"renege_form": "deduct"} if questions.penalty_form else {}), questions),
        rules,
    )
    assert (answer.outcome, answer.faults) == ("renege", ())
    assert any(answer.points)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("preset", "hint"),
    [
        ("pepper", "pass, bid 1, bid 2, pass"),
        ("five-hundred-four", "pass, bid 6 hearts, bid 7 spades, pass"),
    ],
)
def test_the_bidding_is_shown_as_this_game_bids(client, preset, hint):
    table = a_game_table(preset)
    client.post(reverse("table_door"), {"code": table_link(table)})
    page = client.get(reverse("table_entry", args=[table.public_id])).content.decode()
    assert f"For example: {hint}" in page


def test_a_hand_over_a_club_that_was_turned_up_is_shown_to_be_corrected_as_one():
    """A program may write it with no contract, as nobody called."""
    rules, questions = ruleset("buck-euchre"), questions_of(ruleset("buck-euchre"))
    record = {"dealer": 0, "upcard": "Jc", "auction": [], "tricks_won": [2, 1, 1, 1]}
    again = sent(answers_of(record, questions), questions)
    assert again["contract"] == {"seat": 0, "special": "dirty_clubs", "trump": "c"}
    assert check_hand(again, rules).points == check_hand(record, rules).points == (-2, -1, -1, -1)


def test_what_the_others_left_is_the_bidders():
    questions = questions_of(ruleset("buck-euchre-bid"))
    answers = {"dealer": "0", "maker": "1", "bid": "3", "won0": "1", "out2": "on"}
    assert sent(answers, questions)["tricks_won"] == [1, 4, 0, 0]


@pytest.mark.django_db
@pytest.mark.parametrize("preset", offered())
def test_a_game_written_down_at_its_table_comes_to_what_the_engine_says(preset):
    """One game of every preset, by all its ways: bare sheets, undo of the last, result rows."""
    rules = ruleset(preset)
    records = [thinned(r, rules, "counts").to_json() for r in random_game(rules, seed=11)[:2]]
    table = a_game_table(preset, players=rules.players)
    for number, record in enumerate(records, 1):
        hand = record_hand(table, record, client_id=f"hand-{number:04}", by=TEST, at=EIGHT,
                           confirm_unlikely=True)  # fmt: skip
    state = play_game(rules, records, first_dealer=0)
    log = open_game_log(table)
    assert log.game.score == list(state.score)
    assert log.game.winners == list(state.winners)
    down = -1 if rules.counts_down else 1
    gained = [(score - rules.start) * down for score in state.score]
    rows = {row["position"]: row["points"] for row in result_columns(log)}
    assert [rows[side[0]] for side in rules.sides] == gained
    undo_last_hand(table, by=TEST, at=EIGHT, number=hand.number, version=1)
    assert len(open_game_log(table).hands) == len(records) - 1


@pytest.mark.parametrize(
    ("preset", "record", "fields"),
    [
        ("pepper", {"contract": {"seat": 1, "tricks": 3}, "tricks_won": {"makers": 9}}, "tricks"),
        (
            "pepper",
            {"contract": {"seat": 1, "tricks": 3, "special": "moon"}, "tricks_won": {"makers": 3}},
            "bid",
        ),
        (
            "pepper-eight",
            {"contract": {"seat": 1, "tricks": 4, "trump": "nt"}, "tricks_won": {"makers": 4}},
            "bid",
        ),
        (
            "five-hundred-four",
            {
                "contract": {"seat": 0, "tricks": 5, "trump": "h"},
                "tricks_won": {"makers": 12},
                "out": [1],
            },
            "bid tricks out0",
        ),
        (
            "five-hundred-three",
            {"contract": {"seat": 0, "tricks": 7, "trump": "h"}, "tricks_won": {"makers": 7}},
            "tricks",
        ),
        (
            "napoleon",
            {"contract": {"seat": 0, "tricks": 3, "trump": "nt"}, "tricks_won": {"makers": 3}},
            "bid",
        ),
        (
            "buck-euchre",
            {"contract": {"seat": 0}, "out": [0, 2], "tricks_won": [3, 1, 0, 0]},
            "out0 tricks",
        ),
        (
            "call-ace-four",
            {"contract": {"seat": 2}, "partner": 2, "tricks_won": {"makers": 3}},
            "partner",
        ),
        (
            "set-minus",
            {"contract": {"seat": 2}, "tricks_won": {"makers": 3}, "fast_break": True},
            "fast_break",
        ),
    ],
)
@pytest.mark.django_db
def test_an_impossible_hand_is_refused_at_every_field_that_is_wrong(preset, record, fields):
    """By the one action that phone, API, import and the offline queue all call, and by the
    correction of a hand that was possible."""
    rules = ruleset(preset)
    table = a_game_table(preset, players=rules.players)
    good = random_game(rules, seed=3)[0].to_json()
    with pytest.raises(Refused) as refused:
        record_hand(table, {"dealer": 0, **record}, client_id="impossible-1", by=TEST, at=EIGHT)
    assert set(refused.value.fields) >= set(fields.split())
    hand = record_hand(table, good, client_id="possible-1", by=TEST, at=EIGHT,
                       confirm_unlikely=True)  # fmt: skip
    with pytest.raises(Refused) as again:
        correct_hand(table, 1, {"dealer": 0, **record}, reason="a slip", client_id="impossible-2",
                     expected_version=hand.version, by=TEST, at=EIGHT)  # fmt: skip
    assert again.value.fields == refused.value.fields


def test_bids_are_offered_in_the_readers_language_whoever_asked_before():
    questions = questions_of(ruleset("pepper"))

    def offered(language):
        with translation.override(language):
            fields = answer_fields(questions, ("Ann", "Bo", "Cy", "Di"))
            return str(dict(fields["bid"].choices)["big_pepper"])

    assert offered("de") != offered("en")


@pytest.mark.parametrize(
    ("preset", "options", "won"),
    [
        ("five-hundred-three", {}, {"won0": "4", "won1": "3", "won2": "3"}),
        ("pepper", {"all_pass": "play_no_trump"}, {"won0": "2", "won1": "3", "won2": "1"}),
    ],
)
def test_a_hand_that_nobody_bid_is_asked_for_the_tricks_of_every_player(preset, options, won):
    rules = ruleset({"extends": preset, "options": options})
    questions = questions_of(rules)
    record = sent({"dealer": "0", "maker": "passed", **won}, questions)
    answer = check_hand(record, rules)
    assert (answer.valid, answer.outcome) == (True, "played")
    fourth = {"won3": "0"} if rules.players == 4 else {}
    assert answers_of(record, questions) == {"dealer": "0", "maker": "passed", **won} | fourth
