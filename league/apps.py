"""The one app of the site."""

from django.apps import AppConfig


class LeagueConfig(AppConfig):
    name = "league"
    verbose_name = "Right Bower"

    def ready(self) -> None:
        from league import checks  # noqa: F401 - importing registers them
        from league.version import own_migrations

        own_migrations()  # now, before an upgrade puts other files in their place
