"""EGN and EMN: recorded games read, checked and written again."""

from dataclasses import replace

import pytest

from scoring import HandRecord, ruleset
from scoring.egn import (
    EgnError,
    check_game,
    match_of,
    read_game,
    read_match,
    rewrite_game,
    write_game,
    write_match,
)
from scoring.playouts import random_game
from tests.scoring.notation import (
    HANDED_OVER,
    OURS,
    answer_to,
    changed,
    codes,
    data_of,
    sentences,
)

REAL = {
    "epic-comeback": (11, 9),
    "finals-left-of-loner": (8, 10),
    "hustle": (10, 7),
    "match-g1": (10, 3),
    "match-g2": (8, 10),
    "match-g3": (10, 6),
    "pairs-long": (10, 9),
    "six-points-in-two-hands": (10, 9),
}
MADE_UP = {"to-ten": (10, 6), "two-loners": (10, 6), "from-eight-nine": (11, 9)}
CALLS, PLAY = ("deals", 0, "phases", 0), ("deals", 0, "phases", 1)
GAMES = [(OURS, name, score) for name, score in MADE_UP.items()]
if HANDED_OVER.is_dir():
    GAMES += [(HANDED_OVER, name, score) for name, score in REAL.items()]


@pytest.mark.parametrize(("folder", "name", "score"), GAMES, ids=[name for _, name, _ in GAMES])
def test_a_recorded_game_ends_on_its_last_deal_with_a_winner_at_ten_or_more(folder, name, score):
    data = data_of(f"{name}.egn", folder)
    answer = answer_to(data)
    assert answer.faults == ()
    assert (answer.score, answer.over) == (score, True)
    assert max(score) >= 10
    assert answer.winners == ((0, 2) if score[0] > score[1] else (1, 3))
    data["metadata"].pop("finalScore", None)
    assert not answer_to(data | {"deals": data["deals"][:-1]}).over


@pytest.mark.parametrize(("folder", "name", "score"), GAMES, ids=[name for _, name, _ in GAMES])
def test_a_recorded_game_written_again_tells_the_same(folder, name, score):
    game = read_game(data_of(f"{name}.egn", folder))
    again = read_game(rewrite_game(game))
    assert [led_by_deduction(deal) for deal in again.deals] == [
        led_by_deduction(deal) for deal in game.deals
    ]
    assert (again.rules.options, again.players) == (game.rules.options, game.players)
    assert check_game(again).score == score


def test_a_final_score_that_differs_from_the_deduced_one_is_a_fault():
    answer = answer_to(changed(data_of("to-ten.egn"), "metadata", "finalScore", to=[10, 7]))
    assert not answer.valid
    assert answer.score == (10, 6)
    assert codes(answer.faults) == ["points-mismatch"]


def test_an_impossible_card_is_a_fault_of_its_hand_and_the_others_are_still_folded():
    data = data_of("to-ten.egn")
    trick = data["deals"][1]["phases"][1]["tricks"][0]
    trick[1] = trick[0]
    answer = answer_to(data)
    assert {found.hand for found in answer.faults if found.hand} == {2}
    assert [hand.valid for hand in answer.hands].count(False) == 1


def led_by_deduction(deal):
    """The record without the first leader, which files before EGN 1.4 named."""
    tricks = deal.record.tricks
    unled = None if tricks is None else tuple(trick._replace(leader=None) for trick in tricks)
    return replace(deal.record, tricks=unled)


# -- cards that nobody saw --------------------------------------------------------------------


def test_unseen_cards_make_a_hand_unverifiable_in_that_place_which_is_a_warning():
    answer = answer_to(data_of("unseen-cards.egn"))
    assert answer.faults == ()
    found = [sentences(hand.warnings) for hand in answer.hands]
    assert found == [
        ["unknown-cards/agreed"],
        ["unknown-cards/unverifiable"],
        ["unknown-cards/hand"],
        [],
    ]
    assert [hand.points is None for hand in answer.hands] == [False, True, False, False]


def test_unseen_cards_hide_no_fault_that_stands_whatever_they_were():
    data = data_of("unseen-cards.egn")
    cards = data["deals"][0]["phases"][1]["tricks"]
    seen = [card for trick in cards for card in trick if card != "Xx"]
    spot = next(t for t, trick in enumerate(cards) if "Xx" not in trick)
    cards[spot][0] = next(card for card in seen if card not in cards[spot])
    assert not answer_to(data).hands[0].valid


def test_an_unseen_up_card_of_a_known_suit_still_makes_that_suit_trump():
    data = data_of("to-ten.egn")
    place = next(
        n for n, deal in enumerate(data["deals"]) if deal["phases"][0]["calls"][-1] == "Order"
    )
    card = data["deals"][place]["initialState"]["upCard"]
    data = changed(data, "deals", place, "initialState", "upCard", to="X" + card[1])
    data["deals"][place]["initialState"].pop("playerCards")
    data["deals"][place]["phases"][0].pop("discard", None)
    answer = answer_to(data)
    assert answer.faults == ()
    assert answer.hands[place].trump == card[1]
    assert "unknown-cards" in codes(answer.hands[place].warnings)


def test_annotations_and_alternative_lines_are_kept_through_a_round_trip():
    data = data_of("unseen-cards.egn")
    written = rewrite_game(read_game(data))
    for before, after in zip(data["deals"], written["deals"], strict=True):
        assert after.get("alternativeLines") == before.get("alternativeLines")
        for name, phase in (("callAnnotations", 0), ("playAnnotations", 1)):
            assert after["phases"][phase].get(name) == before["phases"][phase].get(name)
    assert written["deals"][0]["phases"][1]["playAnnotations"] == {"3": ["Short in clubs?", "?!"]}
    assert read_game(written).deals[0].unknown == 1


def test_who_when_and_where_are_kept_through_a_round_trip():
    data = data_of("to-ten.egn")
    about = {"gameId": "g-7", "date": "2026-06-02T19:02", "description": "Table 3"}
    about["players"] = [{"id": "a", "name": "Ada"}, "Ben", "Cleo", "Dov"]
    data["metadata"] |= about
    game = read_game(data)
    assert game.players == ("Ada", "Ben", "Cleo", "Dov")
    assert about.items() <= rewrite_game(game)["metadata"].items()


# -- odd files --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "value", "code"),
    [
        (("fileType",), "Chess", "bad-format"),
        (("deals",), "none", "bad-format"),
        (("deals", 0), "UGFzcw==", "bad-format"),
        (("deals", 0), 7, "bad-format"),
        (("metadata", "initialScore"), [0], "bad-format"),
        (("deals", 0, "initialState", "dealer"), 4, "bad-seat"),
        (("deals", 0, "initialState", "upCard"), "1h", "bad-card"),
        ((*CALLS, "calls"), "Pass", "bad-format"),
        ((*CALLS, "calls", 0), "x", "bad-format"),
        ((*CALLS, "calls", 0), "Maybe", "bad-format"),
        ((*CALLS, "calls", 0), "h", "call-not-allowed"),
        ((*CALLS, "aloneDefender"), 9, "bad-seat"),
        ((*CALLS, "discard"), "♥", "bad-card"),
        ((*PLAY, "initialLead"), 4, "bad-seat"),
        ((*PLAY, "tricks"), 5, "bad-format"),
        ((*PLAY, "tricks", 0), 5, "bad-format"),
        ((*PLAY, "tricks", 0, 0), 5, "bad-card"),
    ],
)
def test_what_is_wrong_in_a_file_is_said_and_never_raised(path, value, code):
    answer = answer_to(changed(data_of("to-ten.egn"), *path, to=value))
    assert not answer.valid
    assert code in codes(answer.faults)
    assert all(found.message for found in answer.faults)


@pytest.mark.parametrize(
    "path",
    [
        ("weather",),
        ("metadata", "weather"),
        ("deals", 0, "weather"),
        ("deals", 0, "initialState", "weather"),
        (*CALLS, "weather"),
        (*PLAY, "weather"),
        ("metadata", "ruleset", "weather"),
    ],
)
def test_a_field_that_egn_does_not_have_is_warned_of_and_left_aside(path):
    answer = answer_to(changed(data_of("to-ten.egn"), *path, to="fair"))
    assert answer.valid
    warnings = [*answer.warnings, *answer.hands[0].warnings]
    assert any("weather" in warning.message for warning in warnings if warning.code == "kept-as-is")


def test_a_version_that_is_not_known_is_warned_of():
    assert codes(answer_to(changed(data_of("to-ten.egn"), "version", to="2.0")).warnings) == [
        "kept-as-is"
    ]


def test_an_exchange_of_cards_is_warned_of_kept_and_its_hand_checked_by_the_play_alone():
    passed = [{"sender": 0, "receiver": 2, "cards": ["9c"]}]
    data = changed(data_of("to-ten.egn"), *CALLS, "cardExchanges", to=passed)
    answer = answer_to(data)
    assert answer.valid
    assert "kept-as-is/exchanges" in sentences(answer.hands[0].warnings)
    assert read_game(data).deals[0].record.hands is None
    written = rewrite_game(read_game(data))
    assert written["deals"][0]["phases"][0]["cardExchanges"] == passed


# -- what EGN cannot hold ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("preset", "options", "reason"),
    [
        ("bid-barrie", {}, "four players"),
        ("nanaimo-three-handed", {}, "four players"),
        ("standard-four-handed", {"made": 2}, "made: 2"),
        ("standard-four-handed", {"smitty": True}, "smitty: True"),
        ("standard-four-handed", {"defend_alone": "always"}, "defend_alone: always"),
        ("standard-four-handed", {"hands": 8, "passout_dealer": "next"}, "passout_dealer: next"),
    ],
)
def test_rules_that_egn_has_no_switch_for_are_refused_by_name(preset, options, reason):
    with pytest.raises(EgnError, match=reason):
        write_game(ruleset(preset, options), [], "ABCD")


@pytest.mark.parametrize(
    ("hand", "reason"),
    [
        ({"contract": {"seat": 1, "trump": "h"}, "outcome": "made"}, "contract.round"),
        ({"contract": {"seat": 1, "trump": "h", "round": 1}, "outcome": "made"}, "its tricks"),
        ({"contract": None, "penalties": [{"kind": "renege", "by": 0}]}, "penalties of hand 1"),
        ({"contract": None, "lone_maker": 2}, "lone_maker of hand 1"),
    ],
)
def test_hands_that_egn_has_no_place_for_are_refused_by_number(hand, reason):
    record = HandRecord.from_json({"dealer": 0, **hand})
    with pytest.raises(EgnError, match=reason):
        write_game(ruleset("standard-four-handed"), [record], "ABCD")


def test_a_game_that_could_not_be_read_whole_is_not_written_again():
    with pytest.raises(EgnError):
        rewrite_game(read_game(changed(data_of("to-ten.egn"), "deals", 0, to=7)))


# -- matches ----------------------------------------------------------------------------------


def test_a_match_keeps_its_games_in_order_with_the_players_of_each():
    match = read_match(data_of("two-games.emn"))
    assert match.faults == ()
    assert [check_game(game).score for game in match.games] == [(11, 9), (10, 6)]
    assert match.games[1].players == ("Ben", "Cleo", "Dov", "Ada")
    again = read_match(write_match(match))
    assert (again.seats, again.about) == (match.seats, match.about)
    assert [check_game(game).score for game in again.games] == [(11, 9), (10, 6)]


def test_a_match_can_be_put_together_from_games():
    rules = ruleset("standard-four-handed")
    game = read_game(write_game(rules, random_game(rules, 1), ["Ada", "Ben", "Cleo", "Dov"]))
    people = {"a": "Ada", "b": "Ben", "c": "Cleo", "d": "Dov"}
    match = read_match(write_match(match_of([game, game], [list("abcd"), list("dcba")], people)))
    assert [game.players[0] for game in match.games] == ["Ada", "Dov"]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("games", 1, "players"), ["p1", "p2", "p3", "nobody"]),
        (("games", 1, "players"), ["p1"]),
        (("games", 1, "gameData"), {}),
        (("games", 1), "a game"),
    ],
)
def test_what_is_wrong_with_one_game_of_a_match_stands_in_that_game(path, value):
    match = read_match(changed(data_of("two-games.emn"), *path, to=value))
    assert [bool(game.faults) for game in match.games] == [False, True]


@pytest.mark.parametrize("data", [{}, [], {"fileType": "Euchre Match Notation", "games": 3}])
def test_what_is_no_match_is_said(data):
    assert codes(read_match(data).faults) == ["bad-format"]
