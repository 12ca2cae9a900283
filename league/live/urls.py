"""Addresses of what is live."""

from django.urls import path

from league.live.revision import session_revision
from league.live.views import healthz, readyz

urlpatterns = [
    path("c/<slug:slug>/s/<str:public_id>/revision", session_revision, name="session_revision"),
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
]
