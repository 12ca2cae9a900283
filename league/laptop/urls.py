"""Addresses of the club's own laptop; on a server every one of them is a 404."""

from django.urls import path

from league.laptop import phones, safety, unplaced, views

urlpatterns = [
    path("start/", views.first_run, name="first_run"),
    path("start/club/", views.first_club, name="first_club"),
    path("start/restore/", safety.restore, name="first_restore"),
    path("start/demo/", views.first_demo, name="first_demo"),
    path("demo/", views.demo, name="demo"),
    path("demo/<slug:username>/", views.demo_enter, name="demo_enter"),
    path("computer/", views.computer, name="computer"),
    path("computer/backup/", safety.back_up_now, name="back_up_now"),
    path("computer/second-place/", safety.second_place, name="second_place"),
    path("computer/recovery/", safety.recovery_sheet, name="recovery_sheet"),
    path("computer/password/", safety.forgotten_password, name="forgotten_password"),
    path("computer/phones/", phones.phones, name="phones"),
    path("computer/phones/came/", phones.phones_came, name="phones_came"),
    path("computer/phones/codes/", phones.codes_by, name="codes_by"),
    path("computer/hands/<str:table>/", views.enter_hands, name="enter_unplaced"),
    path("t/<str:public_id>/copies", unplaced.table_copies, name="table_copies"),
    path("hello/", phones.phone_came, name="phone_came"),
    path("computer/close/", views.close, name="computer_close"),
    path("computer/here/<str:run>/", views.here, name="computer_here"),
]
