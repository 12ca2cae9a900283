"""The order and the plan as JSON, and the command that reads one and prints the other."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from league.pairing import PairingRefused
from league.pairing.seating.json_io import plan_from_json
from tests.pairing.seating.judging import checker


def order(**keys):
    return json.dumps({"players": list(range(1, 11)), "rounds": 3, **keys})


def test_what_is_printed_is_what_the_checker_reads():
    given = order(
        players=list(range(1, 14)),
        fixed=[[1, 2]],
        apart=[[3, 4]],
        apart_partner=[[5, 6]],
        presence={"7": [2, 3], "8": [1, 1]},
        policy="no_twos",
        seed=4,
    )
    plan = json.loads(plan_from_json(given))
    assert plan["policy"] == "no_twos"
    assert 7 not in plan["rounds"][0]["present"]
    assert 8 not in plan["rounds"][2]["present"]
    assert plan["certificate"]["seed"] == 4
    module = checker()
    if module:
        report = module.check(plan)
        assert report["valid"]
        assert report["ratio"] == pytest.approx(plan["certificate"]["ratio"], abs=1e-5)


def test_the_same_order_is_delivered_the_same():
    assert (
        plan_from_json(order(seed=3))
        == plan_from_json(order(seed=3))
        != plan_from_json(order(seed=4))
    )


def test_what_was_played_is_looked_at():
    first = json.loads(plan_from_json(order(rounds=2)))
    tables = [one["tables"] for one in first["rounds"]]
    history = [tables[0], {"tables": tables[1], "out": [], "age": 1}]
    plan = json.loads(plan_from_json(order(rounds=2, history=history)))
    before = {frozenset(t[i::2]) for ts in tables for t in ts if len(t) == 4 for i in (0, 1)}
    after = {
        frozenset(t[i::2])
        for one in plan["rounds"]
        for t in one["tables"]
        if len(t) == 4
        for i in (0, 1)
    }
    assert not before & after


REFUSED = {
    "not JSON": ("{", "not JSON"),
    "no object": ("[]", "one JSON object"),
    "unknown key": (order(colour="red"), "Unknown keys: colour"),
    "no players": ('{"rounds": 2}', "lacks players"),
    "no rounds": ('{"players": [1, 2]}', "lacks rounds"),
    "players no list": (order(players="abc"), "players must be a list"),
    "a player is no id": (order(players=[1, 2.5]), "players must be a list"),
    "true is no id": (order(players=[1, True]), "players must be a list"),
    "a player twice": (order(players=[1, 2, 2]), "names 2 twice"),
    "nobody": (order(players=[]), "Nobody is here"),
    "one": (order(players=[1]), "at least two"),
    "rounds no number": (order(rounds="3"), "rounds must be a whole number"),
    "rounds none": (order(rounds=0), "at least 1"),
    "rounds true": (order(rounds=True), "rounds must be a whole number"),
    "seed no number": (order(seed=1.5), "seed must be a whole number"),
    "policy": (order(policy="any"), "policy must be one of"),
    "effort": (order(effort="glance"), "effort must be one of"),
    "level_always": (order(level_always=1), "level_always"),
    "pair of three": (order(apart=[[1, 2, 3]]), "apart must be a list of pairs"),
    "a stranger": (order(apart=[[1, 99]]), "99, who is no player"),
    "fixed and apart": (order(fixed=[[1, 2]], apart=[[2, 1]]), "1 and 2 are a fixed pair"),
    "presence no object": (order(presence=[1]), "presence must be"),
    "presence of a stranger": (order(presence={"99": [1, 2]}), "presence names 99"),
    "presence no span": (order(presence={"1": [1]}), "presence must be"),
    "presence out of range": (order(presence={"1": [2, 9]}), "round 2 to round 9 of 3"),
    "presence backwards": (order(presence={"1": [3, 2]}), "round 3 to round 2"),
    "history no list": (order(history={}), "history must be a list"),
    "history of nines": (order(history=[[list(range(1, 10))]]), "round 1"),
    "history twice": (order(history=[[[1, 2], [2, 3]]]), "names 2 twice"),
    "history keys": (order(history=[{"tables": [[1, 2]], "who": 1}]), "round 1"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_bad_order_is_refused_with_a_sentence_that_names_what_is_wrong(case):
    text, words = REFUSED[case]
    with pytest.raises(PairingRefused) as refused:
        plan_from_json(text)
    assert words in str(refused.value)


@pytest.mark.usefixtures("short_search")
def test_an_order_no_seating_fits_is_refused_naming_the_wish_and_the_round():
    apart = [[a, b] for a in (1, 2) for b in range(3, 8)]
    clash = order(players=list(range(1, 8)), rounds=1, apart=apart)
    with pytest.raises(PairingRefused) as refused:
        plan_from_json(clash)
    assert refused.value.code == "constraints-unkept"
    assert "Round 1:" in str(refused.value)


def test_the_command_reads_a_file_and_prints_the_plan(tmp_path):
    given = tmp_path / "order.json"
    given.write_text(order())
    printed = io.StringIO()
    call_command("plan_seating", str(given), stdout=printed)
    assert len(json.loads(printed.getvalue())["rounds"]) == 3


def test_the_command_reads_standard_input(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(order()))
    printed = io.StringIO()
    call_command("plan_seating", "-", stdout=printed)
    assert json.loads(printed.getvalue())["policy"] == "club"


@pytest.mark.parametrize("content", ["{}", '{"players": [1], "rounds": 1}'])
def test_the_command_leaves_with_two_and_a_sentence(tmp_path, content):
    given = tmp_path / "order.json"
    given.write_text(content)
    with pytest.raises(CommandError) as left:
        call_command("plan_seating", str(given))
    assert left.value.returncode == 2
    with pytest.raises(CommandError) as left:
        call_command("plan_seating", str(tmp_path / "missing.json"))
    assert left.value.returncode == 2
