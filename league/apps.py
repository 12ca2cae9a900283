"""The one app of the site."""

from django.apps import AppConfig


class LeagueConfig(AppConfig):
    name = "league"
    verbose_name = "Right Bower"
