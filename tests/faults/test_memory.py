"""With little memory and everybody exporting at once, hands are kept as ever."""

from tests.faults.memory import EXPORTS, export_at_once, limited


def test_f17_fifty_exports_at_once_with_300_mb_are_answered_and_no_hand_is_lost(a_scene):
    scene = a_scene(before=limited())
    figures = export_at_once(scene, phones=4, sheets=1, kind="csv")
    assert scene.wrong() == []
    assert figures["exports"] == EXPORTS


def test_f17_control_a_site_that_hoards_runs_out_of_memory_and_still_loses_no_hand(a_scene):
    scene = a_scene(before=limited(), breaks="hoard")
    figures = export_at_once(scene, phones=4, sheets=0, kind="csv")
    assert 0 < figures["exports"] < EXPORTS  # some before the memory was gone
    assert [line for line in scene.wrong() if "answered 500" not in line] == []
