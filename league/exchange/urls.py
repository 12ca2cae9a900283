"""Addresses of downloads and imports."""

from django.urls import path, register_converter

from league.exchange.sheets import SHEETS
from league.exchange.views import calendar, downloads, files, payments


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

IMPORT_FOLDERS = {
    "members": files.PEOPLE_IMPORT,
    "sessions": files.SESSIONS_IMPORT,
    "results": files.RESULTS_IMPORT,
    "hands": files.HANDS_IMPORT,
    "rounds": files.TOURNAMENTS_IMPORT,
}

urlpatterns = [
    path("you/data/", downloads.my_data, name="my_data"),
    path(f"{SESSION}standings.<kind:kind>", downloads.export_session, name="export_session"),
    path(
        f"{CLUB}seasons/<str:public_id>/standings.<kind:kind>",
        downloads.export_season,
        name="export_season",
    ),
    path(f"{GAME}game.egn", downloads.game_egn, name="game_egn"),
    path(f"{GAME}hands.jsonl", downloads.game_records, name="game_records"),
    path(f"{SESSION}session.ics", calendar.session_calendar, name="session_calendar"),
    path(f"{SESSION}files/", downloads.session_files, name="session_files"),
    path(f"{SESSION}games.emn", downloads.session_emn, name="session_emn"),
    path(f"{SESSION}hands.jsonl", downloads.session_records, name="session_records"),
    path(f"{SESSION}hands.<kind:kind>", downloads.session_hands, name="session_hands"),
    path(f"{SESSION}results.<kind:kind>", downloads.session_results, name="session_results"),
    path(f"{SESSION}payments.<kind:kind>", payments.session_payments, name="session_payments"),
    path(
        f"{CLUB}seasons/<str:public_id>/payments.<kind:kind>",
        payments.season_payments,
        name="season_payments",
    ),
    path(
        f"{CLUB}seasons/<str:public_id>/account.<kind:kind>",
        payments.season_account_file,
        name="season_account_file",
    ),
    path(f"{CLUB}results.<kind:kind>", downloads.club_results, name="club_results"),
    path(f"{CLUB}calendar.ics", calendar.club_calendar, name="club_calendar"),
    path(f"{CLUB}calendar/", calendar.calendar, name="calendar"),
    path(f"{CLUB}calendar/make", calendar.calendar_make, name="calendar_make"),
    path(f"{CLUB}calendar/revoke", calendar.calendar_revoke, name="calendar_revoke"),
    path("calendar/<str:code>/club.ics", calendar.calendar_feed, name="calendar_feed"),
    path("calendar/<str:code>/own.ics", calendar.own_calendar_feed, name="own_calendar_feed"),
    path(
        f"{CLUB}leagues/<str:public_id>/table.<kind:kind>",
        downloads.export_team_table,
        name="export_team_table",
    ),
    path(
        f"{CLUB}leagues/<str:public_id>/fixtures.<kind:kind>",
        files.export_team_fixtures,
        name="export_team_fixtures",
    ),
    path(
        f"{CLUB}leagues/<str:public_id>/teams.<kind:kind>",
        files.export_teams,
        name="export_teams",
    ),
    path(
        f"{CLUB}leagues/<str:public_id>/import/teams/",
        files.import_league_teams,
        name="import_teams",
    ),
    path(
        f"{CLUB}leagues/<str:public_id>/import/fixtures/",
        files.import_league_fixtures,
        name="import_fixtures",
    ),
    path(
        f"{CLUB}leagues/<str:public_id>/import/example-<slug:what>.<kind:kind>",
        files.league_example,
        name="league_example",
    ),
    path(
        f"{CLUB}tournaments/<str:public_id>/standings.<kind:kind>",
        downloads.export_tournament_standings,
        name="export_tournament_standings",
    ),
    path(
        f"{CLUB}tournaments/<str:public_id>/bracket.<kind:kind>",
        downloads.export_bracket,
        name="export_bracket",
    ),
    path(
        f"{CLUB}tournaments/<str:public_id>/rounds.<kind:kind>",
        downloads.export_rounds,
        name="export_rounds",
    ),
    path(f"{CLUB}archive.json", downloads.club_archive, name="club_archive"),
    path(f"{CLUB}jobs/<str:public_id>/check/", files.check_import, name="check_import"),
    path(f"{CLUB}jobs/<str:public_id>/file", files.job_file, name="job_file"),
    path(f"{CLUB}sessions.<kind:kind>", downloads.export_sessions, name="export_sessions"),
    *(
        path(
            f"{CLUB}{folder}/import/",
            files.import_sheet,
            {"kind": kind},
            name=f"import_{kind.what}",
        )
        for folder, kind in IMPORT_FOLDERS.items()
    ),
    path(f"{CLUB}files/", files.club_files, name="club_files"),
    path(
        f"{CLUB}files/example-<slug:what>.<kind:kind>",
        files.example_sheet,
        name="example_sheet",
    ),
    path(f"{CLUB}members.<kind:kind>", downloads.export_people, name="export_people"),
]
