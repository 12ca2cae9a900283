"""The one app of the site."""

from django.apps import AppConfig


class LeagueConfig(AppConfig):
    name = "league"
    verbose_name = "Right Bower"

    def ready(self) -> None:
        from league import checks  # noqa: F401 - importing registers them
