"""URLs of sessions."""

from django.urls import path

from league.sessions import door, links, sign_ups, views

urlpatterns = [
    path("c/<slug:slug>/seasons/", views.seasons, name="seasons"),
    path("c/<slug:slug>/sessions/", views.sessions, name="sessions"),
    path("c/<slug:slug>/sessions/new", views.session_new, name="session_new"),
    path("c/<slug:slug>/s/<str:public_id>/edit", views.session_edit, name="session_edit"),
    path("c/<slug:slug>/s/<str:public_id>/open", views.session_open, name="session_open"),
    path("c/<slug:slug>/s/<str:public_id>/close", views.session_close, name="session_close"),
    path("c/<slug:slug>/s/<str:public_id>/cancel", views.session_cancel, name="session_cancel"),
    path("c/<slug:slug>/s/<str:public_id>/unopen", views.session_unopen, name="session_unopen"),
    path("c/<slug:slug>/s/<str:public_id>/delete", views.session_delete, name="session_delete"),
    path("c/<slug:slug>/s/<str:public_id>/clock/start", views.clock_start, name="clock_start"),
    path("c/<slug:slug>/s/<str:public_id>/clock/pause", views.clock_pause, name="clock_pause"),
    path("c/<slug:slug>/s/<str:public_id>/clock/extend", views.clock_extend, name="clock_extend"),
    path("c/<slug:slug>/s/<str:public_id>/clock/stop", views.clock_stop, name="clock_stop"),
    path("c/<slug:slug>/s/<str:public_id>/door/", door.door_code, name="door_code"),
    path("c/<slug:slug>/s/<str:public_id>/door/revoke", door.door_revoke, name="door_revoke"),
    path("c/<slug:slug>/s/<str:public_id>/sign-ups/", sign_ups.sign_ups, name="sign_ups"),
    path("c/<slug:slug>/s/<str:public_id>/sign-up", sign_ups.sign_up, name="sign_up"),
    path(
        "c/<slug:slug>/s/<str:public_id>/sign-up/withdraw",
        sign_ups.sign_up_withdraw,
        name="sign_up_withdraw",
    ),
    path(
        "c/<slug:slug>/s/<str:public_id>/sign-up/others/withdraw",
        sign_ups.withdraw_others,
        name="withdraw_others",
    ),
    path(
        "c/<slug:slug>/s/<str:public_id>/sign-up/others/undo",
        sign_ups.withdrawal_undo,
        name="withdrawal_undo",
    ),
    path(
        "c/<slug:slug>/s/<str:public_id>/sign-up/others",
        sign_ups.sign_up_others,
        name="sign_up_others",
    ),
    path(
        "c/<slug:slug>/s/<str:public_id>/sign-up/guest",
        sign_ups.sign_up_guest,
        name="sign_up_guest",
    ),
    path("c/<slug:slug>/coming/", sign_ups.coming_sessions, name="coming"),
    path("c/<slug:slug>/coming/reminders", sign_ups.reminders, name="reminders"),
    path("door/<str:code>/", door.door, name="door"),
    path("mail/<str:code>/", links.mail_choice, name="mail_choice"),
    path("mail/<str:code>/agree", links.mail_agree, name="mail_agree"),
    path("mail/<str:code>/stop", links.mail_stop, name="mail_stop"),
]
