"""Addresses of sessions."""

from django.urls import path

from league.sessions.views import calendar, clock, door, nights

urlpatterns = [
    path("c/<slug:slug>/sessions/", nights.sessions, name="sessions"),
    path("c/<slug:slug>/sessions/new", nights.session_new, name="session_new"),
    path("c/<slug:slug>/s/<str:public_id>/edit", nights.session_edit, name="session_edit"),
    path("c/<slug:slug>/s/<str:public_id>/turn", nights.session_turn, name="session_turn"),
    path("c/<slug:slug>/s/<str:public_id>/clock", clock.clock, name="clock"),
    path("c/<slug:slug>/s/<str:public_id>/door/", door.door_code, name="door_code"),
    path("c/<slug:slug>/s/<str:public_id>/door/revoke", door.door_revoke, name="door_revoke"),
    path("c/<slug:slug>/calendar/", calendar.calendar, name="calendar"),
    path("c/<slug:slug>/calendar/revoke", calendar.calendar_revoke, name="calendar_revoke"),
    path("calendar/<str:code>/club.ics", calendar.calendar_feed, name="calendar_feed"),
    path("door/<str:code>/", door.door, name="door"),
]
