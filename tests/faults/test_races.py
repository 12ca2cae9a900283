"""Entries that race each other: sent twice, entered twice, corrected by two at once."""

from tests.faults.injections import correct_in_a_race, race, send_twice


def test_f3_f4_f5_a_hand_sent_twice_is_one_hand_and_of_two_in_a_race_one_is_told(a_scene):
    scene = a_scene()
    send_twice(scene, hands=5)
    scene.alone = True  # both connections are the same phone's: nothing may ever be refused
    assert scene.wrong() == []
    scene.alone = False
    assert race(scene, hands=6)["conflicts"] == 6
    assert correct_in_a_race(scene, rounds=5)["conflicts"] == 6 + 5
    assert scene.wrong() == []


def test_f3_control_a_site_that_knows_no_ids_is_found_out(a_scene):
    scene = a_scene(breaks="forget_ids")
    send_twice(scene, hands=3)
    assert any("was saved and then answered 409" in line for line in scene.wrong())


def test_f4_f5_control_a_site_that_takes_any_number_and_overwrites_is_found_out(a_scene):
    """And the verdict sees scores that were not kept."""
    scene = a_scene(breaks="take_any_number,overwrite,forget_totals")
    race(scene, hands=3)
    correct_in_a_race(scene, rounds=3)
    wrong = scene.wrong()
    assert any("both scorekeepers were told" in line for line in wrong)
    assert any("['ok', 'ok']" in line for line in wrong)
    assert any("score is" in line for line in wrong)
    assert any("results" in line for line in wrong)


def test_f3_f4_f5_with_two_workers_that_take_turns_at_sqlite_s_lock_it_is_the_same(a_scene):
    scene = a_scene(workers=2)
    send_twice(scene, hands=5)
    race(scene, hands=6)
    correct_in_a_race(scene, rounds=5)
    assert scene.wrong() == []
    assert scene.ledger.count(409) == 6 + 5
