"""check_hands, check_game and rulesets, run as people run them: lines, order, exit status."""

import io
import json
import os
import subprocess
import sys

import pytest
from django.core.management import CommandError, call_command

from scoring import check_hand, preset_ids, ruleset
from scoring.playouts import random_hand, thinned
from tests.architecture.source import ROOT
from tests.scoring.notation import OURS, changed, data_of

GOOD = {"ruleset": "standard-four-handed", "dealer": 3, "contract": {"seat": 0, "trump": "h"},
        "outcome": "march"}  # fmt: skip
BAD = {**GOOD, "dealer": 9}


@pytest.fixture
def run(capfd, monkeypatch):
    """Runs a command; gives its exit status, what it printed as JSON lines, and its complaints."""

    def command(name, *files, stdin=b""):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        status = 0
        try:
            call_command(name, *map(str, files))
        except SystemExit as ended:
            status = ended.code
        out, err = capfd.readouterr()
        return status, [json.loads(line) for line in out.splitlines()], err.splitlines()

    return command


@pytest.fixture
def file(tmp_path):
    """Writes a file of lines, or of one JSON text."""

    def write(name, *lines):
        path = tmp_path / name
        texts = [x if isinstance(x, bytes) else json.dumps(x).encode() for x in lines]
        path.write_bytes(b"\n".join(texts) + b"\n")
        return path

    return write


def validities(lines):
    return [line["valid"] for line in lines]


# -- check_hands ------------------------------------------------------------------------------


def test_check_hands_answers_every_line_in_order(run, file):
    status, lines, _ = run("check_hands", file("hands.jsonl", GOOD, BAD, b"", GOOD))
    assert (status, validities(lines)) == (1, [True, False, True])
    assert lines[0] == check_hand(GOOD).to_json()
    assert lines[1]["faults"][0]["code"] == "bad-seat"


def test_check_hands_is_content_when_all_are_valid(run, file):
    assert run("check_hands", file("hands.jsonl", GOOD, GOOD))[0] == 0


def test_check_hands_reads_standard_input(run):
    status, lines, _ = run("check_hands", "-", stdin=json.dumps(GOOD).encode())
    assert (status, validities(lines)) == (0, [True])


def test_check_hands_goes_on_after_a_line_that_is_not_json(run, file):
    status, lines, _ = run(
        "check_hands", file("hands.jsonl", b'{"dealer"', GOOD, b"\xff\xfe", GOOD)
    )
    assert (status, validities(lines)) == (1, [False, True, False, True])
    assert lines[0]["faults"][0]["code"] == lines[2]["faults"][0]["code"] == "bad-format"


def test_check_hands_says_in_one_line_which_file_it_cannot_read_and_does_the_others(run, file):
    good = file("good.jsonl", GOOD)
    status, lines, complaints = run("check_hands", good, "missing.jsonl", file("b.jsonl", BAD))
    assert (status, validities(lines)) == (2, [True, False])
    assert len(complaints) == 1
    assert "missing.jsonl" in complaints[0]


def test_check_hands_cannot_read_a_folder(run, tmp_path):
    status, lines, complaints = run("check_hands", tmp_path)
    assert (status, lines, len(complaints)) == (2, [], 1)


def test_check_hands_takes_windows_lines_and_a_byte_order_mark(run, file):
    text = b"\xef\xbb\xbf" + json.dumps(GOOD).encode() + b"\r"
    assert run("check_hands", file("hands.jsonl", text, text))[:2] == (
        0,
        [check_hand(GOOD).to_json()] * 2,
    )


def test_check_hands_checks_full_cards_of_every_preset(run, file):
    records = []
    for name in preset_ids():
        rules = ruleset(name)
        hand = random_hand(rules, 3, wild=True)
        records += [thinned(hand, rules, level).to_json() for level in ("cards", "counts")]
        for record in records[-2:]:
            record["ruleset"] = name
    status, lines, _ = run("check_hands", file("hands.jsonl", *records))
    assert (status, len(lines)) == (0, 2 * len(preset_ids()))


def test_whatever_is_asked_the_answer_is_lines_of_utf_8_and_json(run, file):
    odd = [
        json.dumps({"dealer": 0, "\ud800": "\udfff", "upcard": "🂡", "outcome": "\x00"}).encode(),
        '{"dealer": 0, "upcard": "A♥", "ruleset": "☃"}'.encode(),
        json.dumps({**GOOD, "contract": {"seat": 0, "trump": "h", "special": "\ud83d"}}).encode(),
        b'{"ruleset": "\\ud800", "dealer": 0}',
        b'{"ruleset": "standard-four-handed", "options": {"\\ud800": 1}, "dealer": 0}',
        b'{"\\ud800": 1, "\\ud800": 2}',
    ]
    status, lines, _ = run("check_hands", file("hands.jsonl", *odd))
    assert (status, validities(lines)) == (1, [False] * len(odd))
    assert all(line["faults"] for line in lines)


NO_SITE = {
    "DJANGO_SETTINGS_MODULE": "league.settings",
    "RIGHT_BOWER_ENV_FILE": os.devnull,
    "SECRET_KEY": "",
    "DEBUG": "0",
}


@pytest.mark.parametrize("environment", [NO_SITE, {"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C"}])
def test_answers_can_be_printed_on_any_terminal_and_for_any_name_of_a_file(tmp_path, environment):
    """Also in a checkout fresh from a clone, with no key of a site: the rules alone need none."""
    name = os.fsencode(tmp_path) + b"/\xff.egn"
    with open(name, "wb") as copy:
        data = changed(data_of("to-ten.egn"), "deals", 0, "phases", 1, "tricks", 0, 0, to="Jc")
        copy.write(json.dumps(data).encode())
    ran = subprocess.run(
        [sys.executable, "manage.py", "check_game", name],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
    )
    assert (ran.returncode, ran.stderr) == (1, b"")
    assert os.fsencode(json.loads(ran.stdout.decode("utf-8"))["file"]) == name


# -- check_game -------------------------------------------------------------------------------


def test_check_game_answers_one_line_a_game_in_the_order_of_the_files(run):
    names = ["two-loners.egn", "two-games.emn", "three-handed.json", "to-ten.egn", "barrie.json"]
    status, lines, complaints = run("check_game", *[OURS / name for name in names])
    assert (status, complaints) == (0, [])
    assert [(line["file"].rpartition("/")[2], line["score"]) for line in lines] == [
        ("two-loners.egn", [10, 6]),
        ("two-games.emn", [11, 9]),
        ("two-games.emn", [10, 6]),
        ("three-handed.json", [11, 6, 6]),
        ("to-ten.egn", [10, 6]),
        ("barrie.json", [33, 17]),
    ]
    needed = {"file", "valid", "score", "over", "winners", "hands", "faults"}
    assert all(line.keys() >= needed for line in lines)
    assert all(line["over"] and line["valid"] for line in lines)
    assert lines[3]["winners"] == [0]


def test_check_game_tells_a_fault_with_the_number_of_its_hand(run, file):
    data = data_of("three-handed.json")
    data["hands"][1]["dealer"] = data["hands"][0]["dealer"]
    status, lines, _ = run("check_game", file("game.json", data))
    assert status == 1
    assert {found["hand"] for found in lines[0]["faults"]} >= {2}
    assert {found["code"] for found in lines[0]["faults"]} & {"wrong-dealer", "call-out-of-turn"}


def test_check_game_finds_a_final_score_that_differs(run, file):
    data = changed(data_of("to-ten.egn"), "metadata", "finalScore", to=[10, 9])
    status, lines, _ = run("check_game", file("game.egn", data))
    assert (status, lines[0]["valid"], lines[0]["score"]) == (1, False, [10, 6])


def test_check_game_reads_standard_input_and_names_it(run):
    text = (OURS / "to-ten.egn").read_bytes()
    status, lines, _ = run("check_game", "-", stdin=text)
    assert (status, [line["file"] for line in lines]) == (0, ["-"])


def test_check_game_does_the_other_files_when_one_cannot_be_read(run, tmp_path):
    status, lines, complaints = run(
        "check_game", tmp_path / "none.egn", OURS / "to-ten.egn", tmp_path
    )
    assert (status, validities(lines), len(complaints)) == (2, [True], 2)


@pytest.mark.parametrize(
    ("text", "field"),
    [
        (b"not json", None),
        (b"[]", "fileType"),
        (b"{}", "hands"),
        (b'{"fileType": "Portable Game Notation"}', "fileType"),
        (b'{"fileType": "Euchre Match Notation"}', "games"),
        (b'{"fileType": "Euchre Game Notation"}', "deals"),
        (b'{"ruleset": "none-such", "hands": []}', "ruleset"),
        (b'{"ruleset": 3, "hands": []}', "ruleset"),
        (b'{"ruleset": "bid-barrie", "hands": [], "options": 5}', "options"),
        (b'{"ruleset": "bid-barrie", "hands": [], "first_dealer": 4}', "first_dealer"),
        (b'{"ruleset": "bid-barrie", "hands": [], "initial_score": [1]}', "initial_score"),
        (b'{"ruleset": "bid-barrie", "hands": [], "players": ["\\ud800"], "\\ud800": 1}', None),
        (b'{"ruleset": "bid-barrie", "hands": {}}', "hands"),
        (b'{"ruleset": "bid-barrie", "hands": [], "players": ["Ada", "Ben"]}', "players"),
        (b'{"ruleset": "bid-barrie", "hands": [], "players": "Ada"}', "players"),
    ],
)
def test_check_game_says_what_is_no_game(run, file, text, field):
    status, lines, _ = run("check_game", file("game.json", text))
    assert (status, validities(lines)) == (1, [False])
    faults = lines[0]["faults"]
    assert faults
    assert field is None or field in [found.get("field") for found in faults]


def test_check_game_is_not_stopped_by_one_bad_game_of_a_match(run, file):
    data = changed(data_of("two-games.emn"), "games", 0, "gameData", "deals", to=None)
    status, lines, _ = run("check_game", file("match.emn", data))
    assert (status, validities(lines)) == (1, [False, True])


# -- rulesets ---------------------------------------------------------------------------------


def test_rulesets_lists_every_preset(capsys):
    call_command("rulesets")
    listed = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert tuple(listed) == preset_ids()


def test_rulesets_shows_one_in_full_with_the_source_of_every_choice(capsys):
    call_command("rulesets", "guide-four-handed")
    output = capsys.readouterr().out
    rules = ruleset("guide-four-handed")
    for name, choice in rules.choices.items():
        assert f"{name} = {json.dumps(choice.value)}" in output
        assert choice.source in output
        assert choice.note in output


def test_rulesets_gives_data_that_make_the_same_ruleset(capsys):
    call_command("rulesets", "bid-alber-double-deck", "--json")
    assert ruleset(json.loads(capsys.readouterr().out)) == ruleset("bid-alber-double-deck")


def test_rulesets_refuses_an_id_there_is_not():
    with pytest.raises(CommandError, match="none-such"):
        call_command("rulesets", "none-such")
