"""Servers killed, frozen and stopped in the middle of a burst lose nothing and double nothing."""

from tests.faults.injections import freeze, kill_server, kill_worker, redeploy
from tests.faults.verdict import lost

PHONES = 6


def test_f1_a_server_killed_in_a_burst_has_every_hand_it_acknowledged(a_scene):
    scene = a_scene()
    figures = kill_server(scene, rounds=1, phones=PHONES)
    assert scene.wrong() == []
    assert figures["acked"] > PHONES


def test_f1_control_a_site_that_acknowledges_before_it_saves_is_found_out(a_scene):
    scene = a_scene(breaks="acknowledge_first")
    kill_server(scene, rounds=1, phones=PHONES)
    assert lost(scene.wrong())
    assert scene.ledger.dropped  # what F14 must not see


def test_f2_a_worker_killed_in_a_burst_is_replaced_and_nothing_is_lost(a_scene):
    scene = a_scene()
    kill_worker(scene, rounds=1, phones=PHONES)
    assert scene.wrong() == []


def test_f14_a_server_that_stands_still_for_a_while_doubles_nothing(a_scene):
    scene = a_scene()
    freeze(scene, seconds=1, phones=PHONES)
    assert scene.wrong() == []
    assert scene.ledger.unanswered == 0


def test_f14_a_redeploy_in_a_burst_answers_what_it_accepted(a_scene):
    scene = a_scene()
    redeploy(scene, phones=PHONES)
    assert scene.wrong() == []
    assert scene.ledger.dropped == 0  # those that found nobody there asked again
