"""URLs of sessions."""

from django.urls import path

from league.sessions.views import door, sessions

urlpatterns = [
    path("c/<slug:slug>/seasons/", sessions.seasons, name="seasons"),
    path("c/<slug:slug>/sessions/", sessions.sessions, name="sessions"),
    path("c/<slug:slug>/sessions/new", sessions.session_new, name="session_new"),
    path("c/<slug:slug>/s/<str:public_id>/edit", sessions.session_edit, name="session_edit"),
    path("c/<slug:slug>/s/<str:public_id>/open", sessions.session_open, name="session_open"),
    path("c/<slug:slug>/s/<str:public_id>/close", sessions.session_close, name="session_close"),
    path("c/<slug:slug>/s/<str:public_id>/cancel", sessions.session_cancel, name="session_cancel"),
    path("c/<slug:slug>/s/<str:public_id>/clock/start", sessions.clock_start, name="clock_start"),
    path("c/<slug:slug>/s/<str:public_id>/clock/pause", sessions.clock_pause, name="clock_pause"),
    path(
        "c/<slug:slug>/s/<str:public_id>/clock/extend", sessions.clock_extend, name="clock_extend"
    ),
    path("c/<slug:slug>/s/<str:public_id>/clock/stop", sessions.clock_stop, name="clock_stop"),
    path("c/<slug:slug>/s/<str:public_id>/door/", door.door_code, name="door_code"),
    path("c/<slug:slug>/s/<str:public_id>/door/revoke", door.door_revoke, name="door_revoke"),
    path("c/<slug:slug>/s/<str:public_id>/sign-ups/", sessions.sign_ups, name="sign_ups"),
    path("c/<slug:slug>/s/<str:public_id>/sign-up", sessions.sign_up, name="sign_up"),
    path(
        "c/<slug:slug>/s/<str:public_id>/sign-up/withdraw",
        sessions.sign_up_withdraw,
        name="sign_up_withdraw",
    ),
    path(
        "c/<slug:slug>/s/<str:public_id>/sign-up/others/withdraw",
        sessions.withdraw_others,
        name="withdraw_others",
    ),
    path(
        "c/<slug:slug>/s/<str:public_id>/sign-up/others",
        sessions.sign_up_others,
        name="sign_up_others",
    ),
    path("c/<slug:slug>/coming/", sessions.coming_sessions, name="coming"),
    path("c/<slug:slug>/coming/reminders", sessions.reminders, name="reminders"),
    path("door/<str:code>/", door.door, name="door"),
    path("mail/<str:code>/", door.mail_choice, name="mail_choice"),
    path("mail/<str:code>/agree", door.mail_agree, name="mail_agree"),
    path("mail/<str:code>/stop", door.mail_stop, name="mail_stop"),
]
