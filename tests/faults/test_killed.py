"""Servers killed, frozen and stopped in the middle of a burst lose nothing and double nothing."""

from tests.faults.injections import freeze, kill_server, kill_worker, redeploy
from tests.faults.verdict import lost

PHONES = 4


def test_f1_f2_a_worker_and_a_server_killed_in_a_burst_have_every_hand_they_acknowledged(a_scene):
    scene = a_scene()
    kill_worker(scene, rounds=1, phones=PHONES)
    assert scene.wrong() == []
    before = len(scene.ledger.acknowledged)
    kill_server(scene, rounds=1, phones=PHONES)
    assert scene.wrong() == []
    assert len(scene.ledger.acknowledged) > before + PHONES


def test_f1_control_a_site_that_acknowledges_before_it_saves_is_found_out(a_scene):
    scene = a_scene(breaks="acknowledge_first")
    kill_server(scene, rounds=1, phones=PHONES)
    assert lost(scene.wrong())
    assert scene.ledger.dropped  # what F14 must not see


def test_f14_a_server_that_stands_still_or_is_redeployed_answers_what_it_accepted_once(a_scene):
    scene = a_scene()
    freeze(scene, seconds=1, phones=PHONES)
    assert scene.wrong() == []
    assert scene.ledger.unanswered == 0
    redeploy(scene, phones=PHONES)
    assert scene.wrong() == []
    assert scene.ledger.dropped == 0  # those that found nobody there asked again
