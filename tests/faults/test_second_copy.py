"""F20 in short; at length it is `python -m tests.faults.second_copy`."""

from tests.faults.second_copy import Evenings, lose_laptop


def test_phones_bring_what_a_vanished_laptop_had_in_no_backup_and_one_without_copies_cannot(
    unpacked, tmp_path
):
    evenings = Evenings(phones=3, one_forgets=True)
    lose_laptop(tmp_path, evenings, rounds=1, site=unpacked)
    assert evenings.wrong() == []
    assert evenings.missing  # of the one that forgot: without the copies they are lost
