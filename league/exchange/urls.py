"""Addresses of downloads."""

from django.urls import path, register_converter

from league.exchange import views
from league.exchange.sheets import TYPES


class KindConverter:
    """The kinds of file there are."""

    regex = "|".join(TYPES)

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(KindConverter, "kind")

urlpatterns = [
    path(
        "c/<slug:slug>/s/<str:public_id>/standings.<kind:kind>",
        views.export_session,
        name="export_session",
    ),
    path(
        "c/<slug:slug>/seasons/<str:public_id>/standings.<kind:kind>",
        views.export_season,
        name="export_season",
    ),
]
