"""Addresses of what is live."""

from django.urls import path

from league.live import board, home, hub, paper, wall
from league.live.revision import healthz, readyz, session_revision
from league.monitoring import metrics

NIGHT = "c/<slug:slug>/s/<str:public_id>"

urlpatterns = [
    path("", home.home, name="home"),
    path("help/", home.help_page, name="help"),
    path("robots.txt", home.robots, name="robots"),
    path("c/<slug:slug>/", home.club, name="club"),
    path(f"{NIGHT}/revision", session_revision, name="session_revision"),
    path(f"{NIGHT}/", hub.session, name="session"),
    path(f"{NIGHT}/board/", board.board, name="board"),
    path(f"{NIGHT}/tables/<str:table>/", board.table_desk, name="table_desk"),
    path(f"{NIGHT}/tables/<str:table>/substitute", board.table_substitute, name="table_substitute"),
    path(f"{NIGHT}/tables/<str:table>/answer", board.table_answer, name="table_answer"),
    path(f"{NIGHT}/tables/<str:table>/settle", board.table_settle, name="table_settle"),
    path(f"{NIGHT}/wall/", wall.wall, name="wall"),
    path(f"{NIGHT}/wall/link", wall.wall_made, name="wall_made"),
    path(f"{NIGHT}/wall/revoke", wall.wall_revoke, name="wall_revoke"),
    path("wall/<str:code>/", wall.wall_shown, name="wall_shown"),
    path("t/<str:public_id>/standings", wall.table_standings, name="table_standings"),
    path("door/<str:code>/seat", wall.door_seat, name="door_seat"),
    path("door/<str:code>/standings", wall.door_standings, name="door_standings"),
    path(f"{NIGHT}/print/", paper.paper, name="paper"),
    path(f"{NIGHT}/print/cards/", paper.print_cards, name="print_cards"),
    path(f"{NIGHT}/print/cards/make", paper.make_cards, name="make_cards"),
    path(f"{NIGHT}/print/sheets/", paper.print_sheets, name="print_sheets"),
    path(f"{NIGHT}/print/tickets/", paper.print_tickets, name="print_tickets"),
    path(f"{NIGHT}/print/chart/", paper.print_chart, name="print_chart"),
    path(f"{NIGHT}/print/movement/", paper.print_movement, name="print_movement"),
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("metrics", metrics, name="metrics"),
]
