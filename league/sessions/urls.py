"""Addresses of sessions."""

from django.urls import path

from league.sessions.views import clock, door, nights

urlpatterns = [
    path("c/<slug:slug>/sessions/", nights.sessions, name="sessions"),
    path("c/<slug:slug>/sessions/new", nights.session_new, name="session_new"),
    path("c/<slug:slug>/s/<str:public_id>/edit", nights.session_edit, name="session_edit"),
    path("c/<slug:slug>/s/<str:public_id>/turn", nights.session_turn, name="session_turn"),
    path("c/<slug:slug>/s/<str:public_id>/clock", clock.clock, name="clock"),
    path("c/<slug:slug>/s/<str:public_id>/door/", door.door_code, name="door_code"),
    path("c/<slug:slug>/s/<str:public_id>/door/revoke", door.door_revoke, name="door_revoke"),
    path("door/<str:code>/", door.door, name="door"),
]
