"""A server killed while it brings a sheet in has all of it or nothing, and takes it again."""

from tests.faults.imports import FEW, HANDS, in_the_middle, kill_import, once_some_are_there


def test_f11_an_import_killed_in_its_middle_leaves_nothing_and_is_sent_again(a_scene):
    scene = a_scene()
    figures = kill_import(scene, rounds=1, moment=in_the_middle(scene), again=1)
    assert scene.wrong() == []
    assert figures["rows"] == FEW * HANDS == 375


def test_f11_control_an_import_without_one_transaction_is_found_out(a_scene):
    scene = a_scene(breaks="import_by_pieces")
    kill_import(scene, rounds=1, moment=once_some_are_there(scene))
    assert any(f"of {FEW * HANDS} hands of Evening 0 are there" in line for line in scene.wrong())
