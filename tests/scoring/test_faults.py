"""The catalogue of sentences: whole, used, translatable, in words a player understands."""

import re
import string
from pathlib import Path

from scoring import check_hand, ruleset
from scoring.faults import Fault, fault
from scoring.sentences import SENTENCES, WORDS
from tests.scoring.builders import bid, turn_up

PUBLIC = {
    "bad-format", "unknown-ruleset", "unknown-option", "bad-seat", "bad-card", "card-not-in-deck",
    "duplicate-card", "wrong-hand-size", "upcard-in-hand", "call-out-of-turn", "call-not-allowed",
    "auction-unfinished", "contract-mismatch", "bad-discard", "bad-exchange", "wrong-leader",
    "wrong-card-count", "card-not-held", "renege", "wrong-dealer", "wrong-trick-count",
    "tricks-mismatch", "points-mismatch", "partner-played", "bad-penalty", "game-over",
}  # fmt: skip
WARNINGS = {"no-trick", "late-claim", "form-assumed", "up-card-discarded"}
SOURCES = [
    path.read_text("utf-8")
    for path in (Path(__file__).parents[2] / "scoring").rglob("*.py")
    if path.name != "sentences.py"
]


def test_every_public_code_has_a_sentence():
    assert {key.partition("/")[0] for key in SENTENCES} >= PUBLIC | WARNINGS


def test_every_sentence_is_used_and_every_sentence_used_exists():
    made = {f"contract-mismatch/{name}" for name in ("round", "tricks")}
    made |= {
        f"{kind}/{name}"
        for kind in ("bad-discard", "bad-exchange")
        for name in ("count", "not-held")
    }
    used = {key for text in SOURCES for key in re.findall(r'"([a-z-]+/[a-z0-9-]+)"', text)}
    known = {key.partition("/")[0] for key in SENTENCES}
    assert {key for key in used if key.partition("/")[0] in known} | made == set(SENTENCES)


def test_sentences_are_whole_and_fill_in_only_what_a_translator_is_told_of():
    kinds = {
        "who", "who_due", "who_other", "who_taker", "suit", "suit_other", "Suit", "card", "cards",
        "trick", "field", "count", "found", "limit", "choices", "text", "text_found", "name",
        "path", "form", "outcome", "outcome_said",
    }  # fmt: skip
    for key, sentence in SENTENCES.items():
        assert sentence[0].isupper() or sentence[0] == "{", key
        assert sentence.endswith("."), key
        assert {name for _, name, _, _ in string.Formatter().parse(sentence) if name} <= kinds, key


def test_a_fault_is_told_with_names_and_in_other_words():
    found = fault("card-not-held/held", 4, seat=1, trick=3, card="Th")
    assert found.message == "East played the 10♥ in trick 3 without holding it."
    assert found.say(names=["Ann", "Bob", "Cy", "Di"]).startswith("Bob played the 10♥")
    french = {SENTENCES[found.sentence]: "{who} n'avait pas le {card} à la levée {trick}."}
    assert (
        found.say(translate=lambda text: french.get(text, text))
        == "East n'avait pas le 10♥ à la levée 3."
    )


def test_at_other_tables_than_of_four_seats_are_letters():
    assert fault("bad-discard/nobody", 3, seat=2).message.startswith("Player C ")
    assert fault("bad-discard/nobody", 8, seat=7).message.startswith("Player H ")


def test_a_fault_as_json_says_what_is_known_of_its_place():
    found = Fault("renege/suit", trick=2, seat=3, values=(("suit", "s"), ("card", "As")))
    assert found.to_json() == {
        "code": "renege", "trick": 2, "seat": 3,
        "message": "West could follow spades in trick 2 with the A♠.",
    }  # fmt: skip


def test_every_word_for_a_suit_is_in_the_catalogue():
    assert set(WORDS) >= {"c", "d", "h", "s", "nt", "ntl"}


def test_an_answer_that_is_not_valid_has_no_points_and_the_other_way_round():
    rules = ruleset("standard-four-handed")
    good = check_hand(turn_up(rules, 0, 3), rules).to_json()
    bad = check_hand(turn_up(rules, 0, 7), rules).to_json()
    assert list(good) == [
        "valid", "outcome", "trump", "makers", "tricks_won", "points", "next_dealer", "faults",
        "warnings",
    ]  # fmt: skip
    assert (bad["valid"], "points" in bad, len(bad["faults"])) == (False, False, 1)


def test_an_unlikely_hand_is_valid_and_remarked_on():
    rules = ruleset("standard-four-handed")
    answer = check_hand(turn_up(rules, 0, 0), rules)
    assert answer.valid
    assert [warning.message for warning in answer.warnings] == [
        "North made trump and took no trick."
    ]
    rules = ruleset("pepper")
    answer = check_hand(bid(rules, 0, 0, tricks=3), rules)
    assert [warning.message for warning in answer.warnings] == [
        "North won the bid and took no trick."
    ]


def test_no_sentence_counts_in_a_plural_what_may_be_one():
    """ "1 tricks were written down" is said by nobody: a number that may be 1 stands by itself."""
    counting = re.compile(r"\{(?:found|count)\} (?:cards|tricks|points|players)")
    more_than_one = {
        "bad-format/wrong-length", "card-not-in-deck/deck", "call-not-allowed/below-least",
        "call-not-allowed/below-least-nt", "call-not-allowed/above-most", "wrong-card-count/cards",
        "wrong-trick-count/one",
    }  # fmt: skip
    assert {key for key, text in SENTENCES.items() if counting.search(text)} == more_than_one
