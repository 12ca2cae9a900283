"""Every address of the site, by area."""

from django.contrib import admin
from django.urls import include, path

from league.live.views import healthz, readyz

urlpatterns = [
    path("", include("league.members.urls")),
    path("", include("league.sessions.urls")),
    path("", include("league.seating.urls")),
    path("", include("league.play.urls")),
    path("", include("league.standings.urls")),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
]
