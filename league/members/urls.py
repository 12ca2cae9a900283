"""Addresses of clubs and their people."""

from django.urls import path

from league.members import views

urlpatterns = [path("", views.home, name="home")]
