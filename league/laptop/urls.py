"""URLs of the club's own laptop; on a server they all give 404."""

from django.urls import path

from league.laptop import views

urlpatterns = [
    path("start/", views.first_run, name="first_run"),
    path("start/club/", views.first_club, name="first_club"),
    path("start/restore/", views.restore, name="first_restore"),
    path("start/demo/", views.first_demo, name="first_demo"),
    path("demo/", views.demo, name="demo"),
    path("demo/<slug:username>/", views.demo_enter, name="demo_enter"),
    path("computer/", views.computer, name="computer"),
    path("computer/backup/", views.back_up_now, name="back_up_now"),
    path("computer/second-place/", views.second_place, name="second_place"),
    path("computer/recovery/", views.recovery_sheet, name="recovery_sheet"),
    path("computer/password/", views.forgotten_password, name="forgotten_password"),
    path("computer/phones/", views.phones, name="phones"),
    path("computer/phones/came/", views.phones_came, name="phones_came"),
    path("computer/phones/codes/", views.codes_by, name="codes_by"),
    path("computer/hands/<str:table>/", views.enter_hands, name="enter_returned"),
    path("t/<str:public_id>/copies", views.table_copies, name="table_copies"),
    path("hello/", views.phone_came, name="phone_came"),
    path("computer/close/", views.close, name="computer_close"),
    path("computer/here/<str:run>/", views.here, name="computer_here"),
]
