"""URLs of the live pages, the home pages and print-outs."""

from django.urls import path

from league.live import board, help, home, hub, paper, place, wall
from league.live.revision import healthz, readyz, session_revision
from league.monitoring import metrics

SESSION = "c/<slug:slug>/s/<str:public_id>"

urlpatterns = [
    path("", home.home, name="home"),
    path("help/", help.help_page, name="help"),
    path("robots.txt", home.robots, name="robots"),
    path("c/<slug:slug>/", home.club, name="club"),
    path(f"{SESSION}/revision", session_revision, name="session_revision"),
    path(f"{SESSION}/", hub.session, name="session"),
    path(f"{SESSION}/repeat", hub.session_repeat, name="session_repeat"),
    path(f"{SESSION}/board/", board.board, name="board"),
    path(f"{SESSION}/board/end-games", board.end_games, name="end_games"),
    path(f"{SESSION}/tables/<str:table>/", board.table_desk, name="table_desk"),
    path(
        f"{SESSION}/tables/<str:table>/substitute", board.table_substitute, name="table_substitute"
    ),
    path(
        f"{SESSION}/tables/<str:table>/substitute/undo",
        board.table_substitute_undo,
        name="table_substitute_undo",
    ),
    path(f"{SESSION}/tables/<str:table>/answer", board.table_answer, name="table_answer"),
    path(f"{SESSION}/tables/<str:table>/settle", board.table_settle, name="table_settle"),
    path(f"{SESSION}/wall/", wall.wall, name="wall"),
    path(f"{SESSION}/wall/link", wall.wall_made, name="wall_made"),
    path(f"{SESSION}/wall/revoke", wall.wall_revoke, name="wall_revoke"),
    path("wall/<str:code>/", wall.wall_shown, name="wall_shown"),
    path("t/<str:public_id>/standings", wall.table_standings, name="table_standings"),
    path("t/<str:public_id>/rules", paper.table_house_rules, name="table_house_rules"),
    path("t/<str:public_id>/help", help.table_help, name="table_help"),
    path("door/<str:code>/in", place.door_in, name="door_in"),
    path("door/<str:code>/undo", place.door_undo, name="door_undo"),
    path("door/<str:code>/seat", place.door_seat, name="door_seat"),
    path("door/<str:code>/standings", wall.door_standings, name="door_standings"),
    path(f"{SESSION}/print/", paper.paper, name="paper"),
    path(f"{SESSION}/print/cards/", paper.print_cards, name="print_cards"),
    path(f"{SESSION}/print/cards/make", paper.make_cards, name="make_cards"),
    path(f"{SESSION}/print/sheets/", paper.print_sheets, name="print_sheets"),
    path(f"{SESSION}/print/tickets/", paper.print_tickets, name="print_tickets"),
    path(f"{SESSION}/print/chart/", paper.print_chart, name="print_chart"),
    path(f"{SESSION}/print/movement/", paper.print_movement, name="print_movement"),
    path(f"{SESSION}/print/rules/", paper.print_rules, name="print_rules"),
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("metrics", metrics, name="metrics"),
]
