"""Figures for Prometheus, where METRICS_TOKEN is set: how often each page is asked, how quickly.

Off otherwise, and `prometheus-client` is then not needed (docs/server.md). A page is identified by
its URL's name, never by the address: no club, no person and no key is ever in a figure. With
several worker processes `serve` gives them a folder to put their figures together in.
"""

import os
import time
from collections.abc import Callable
from functools import cache
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured, MiddlewareNotUsed
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.http import require_safe

METHODS = {"GET", "HEAD", "POST"}
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)  # seconds


@cache
def _seconds() -> Any:
    try:
        from prometheus_client import Histogram
    except ImportError as error:
        sentence = "METRICS_TOKEN is set, which needs: pip install prometheus-client"
        raise ImproperlyConfigured(sentence) from error
    labels = ("page", "method", "status")
    return Histogram("right_bower_request_seconds", "Requests", labels, buckets=BUCKETS)


class MetricsMiddleware:
    """Times every request; not there at all without METRICS_TOKEN."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        if not settings.METRICS_TOKEN:
            raise MiddlewareNotUsed
        self.get_response, self.seconds = get_response, _seconds()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = time.perf_counter()
        response = self.get_response(request)
        method = request.method if request.method in METHODS else "other"
        match = request.resolver_match
        page = match.view_name if match else "none"
        spent = time.perf_counter() - began
        self.seconds.labels(page, method, str(response.status_code)).observe(spent)
        return response


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Every figure, to whoever has the token: `Authorization: Bearer <METRICS_TOKEN>`."""
    given = request.headers.get("Authorization", "")
    if not settings.METRICS_TOKEN or not constant_time_compare(
        given, f"Bearer {settings.METRICS_TOKEN}"
    ):
        raise Http404
    from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

    return HttpResponse(generate_latest(_registry()), content_type=CONTENT_TYPE_LATEST)


def _registry() -> Any:
    from prometheus_client import REGISTRY, CollectorRegistry
    from prometheus_client.multiprocess import MultiProcessCollector

    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return REGISTRY
    registry = CollectorRegistry()
    MultiProcessCollector(registry)
    return registry
