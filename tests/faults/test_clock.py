"""A server whose clock jumps keeps its hands in order and its people signed in."""

from tests.faults.injections import move_the_clock

AN_HOUR_ON, AN_HOUR_BACK, A_DAY_BACK = 1.0, -1.0, -24.0


def test_f8_a_clock_that_jumps_disorders_no_hand_and_signs_nobody_out(a_scene, tmp_path):
    clock = tmp_path / "clock"
    clock.write_text("0")
    scene = a_scene(app="tests.faults.clock:server", extra={"CLOCK": str(clock)})
    jumps = [0.0, AN_HOUR_ON, AN_HOUR_BACK, A_DAY_BACK, 0.0]
    move_the_clock(scene, clock=clock, hours=jumps, hands=2)
    assert scene.wrong() == []
    assert len(scene.ledger.acknowledged) == 2 * len(jumps)


def test_f8_control_a_clock_a_month_ahead_does_sign_people_out(a_scene, tmp_path):
    clock = tmp_path / "clock"
    clock.write_text("0")
    scene = a_scene(app="tests.faults.clock:server", extra={"CLOCK": str(clock)})
    move_the_clock(scene, clock=clock, hours=[0.0, 31 * 24.0], hands=1)
    assert any("/you/ was answered 302" in line for line in scene.wrong())
