"""Addresses of downloads and imports."""

from django.urls import path, register_converter

from league.exchange.sheets import SHEETS
from league.exchange.views import (
    archive,
    calendar,
    games,
    hands,
    jobs,
    overview,
    people,
    results,
    sessions,
    standings,
    teams,
)


class KindConverter:
    """The kinds of sheet there are."""

    regex = "|".join(SHEETS)

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(KindConverter, "kind")

CLUB = "c/<slug:slug>/"
SESSION = CLUB + "s/<str:public_id>/"
GAME = CLUB + "g/<str:public_id>/"

urlpatterns = [
    path(f"{SESSION}standings.<kind:kind>", standings.export_session, name="export_session"),
    path(
        f"{CLUB}seasons/<str:public_id>/standings.<kind:kind>",
        standings.export_season,
        name="export_season",
    ),
    path(f"{GAME}game.egn", games.game_egn, name="game_egn"),
    path(f"{GAME}hands.jsonl", games.game_records, name="game_records"),
    path(f"{SESSION}files/", games.session_files, name="session_files"),
    path(f"{SESSION}games.emn", games.session_emn, name="session_emn"),
    path(f"{SESSION}hands.jsonl", games.session_records, name="session_records"),
    path(f"{SESSION}hands.<kind:kind>", games.session_hands, name="session_hands"),
    path(f"{SESSION}results.<kind:kind>", results.session_results, name="session_results"),
    path(f"{CLUB}results.<kind:kind>", results.club_results, name="club_results"),
    path(f"{CLUB}calendar/", calendar.calendar, name="calendar"),
    path(f"{CLUB}calendar/make", calendar.calendar_make, name="calendar_make"),
    path(f"{CLUB}calendar/revoke", calendar.calendar_revoke, name="calendar_revoke"),
    path("calendar/<str:code>/club.ics", calendar.calendar_feed, name="calendar_feed"),
    path("calendar/<str:code>/own.ics", calendar.own_calendar_feed, name="own_calendar_feed"),
    path(
        f"{CLUB}leagues/<str:public_id>/table.<kind:kind>",
        teams.export_team_table,
        name="export_team_table",
    ),
    path(
        f"{CLUB}leagues/<str:public_id>/fixtures.<kind:kind>",
        teams.export_team_fixtures,
        name="export_team_fixtures",
    ),
    path(f"{CLUB}archive.json", archive.club_archive, name="club_archive"),
    path(f"{CLUB}jobs/<str:public_id>/check/", jobs.check_import, name="check_import"),
    path(f"{CLUB}jobs/<str:public_id>/file", jobs.job_file, name="job_file"),
    path(f"{CLUB}hands/import/", hands.import_hands_page, name="import_hands"),
    path(f"{CLUB}sessions.<kind:kind>", sessions.export_sessions, name="export_sessions"),
    path(f"{CLUB}sessions/import/", sessions.import_sessions_page, name="import_sessions"),
    path(f"{CLUB}files/", overview.club_files, name="club_files"),
    path(
        f"{CLUB}files/example-<slug:what>.<kind:kind>",
        overview.example_sheet,
        name="example_sheet",
    ),
    path(f"{CLUB}results/import/", results.import_results_page, name="import_results"),
    path(f"{CLUB}members.<kind:kind>", people.export_people, name="export_people"),
    path(f"{CLUB}members/import/", people.import_people_page, name="import_people"),
]
