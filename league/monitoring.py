"""Errors for Sentry and metrics for Prometheus, each only if the server's settings ask for it.

With SENTRY_DSN, errors are reported without personal data; only then is `sentry-sdk` needed
(docs/server.md). A report has the type of the error, its place in the code, the version and the
page. It has no error messages (PostgreSQL's quote rows), values of variables, URLs, forms, headers
or cookies.

With METRICS_TOKEN, the site counts and times the requests of each page; only then is
`prometheus-client` needed. A page is identified by its URL's name, never by the URL itself, so no
metric names a club, a person or a secret. Several worker processes share their metrics in a folder
that `serve` provides.
"""

import os
import re
import time
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured, MiddlewareNotUsed
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.http import require_safe

SENT = ("event_id", "timestamp", "level", "platform", "release", "environment", "transaction")
FUNCTION = re.compile(r"[A-Za-z_][\w.]*")
METHODS = {"GET", "HEAD", "POST"}
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)  # seconds
FRAME_FIELDS = ("filename", "function", "module", "lineno", "in_app", "context_line")


def start(dsn: str, **more: Any) -> None:
    """Start reporting errors. `more` are further options of Sentry's client."""
    try:
        import sentry_sdk
        from sentry_sdk.integrations.django import DjangoIntegration
    except ImportError as error:
        sentence = "SENTRY_DSN is set, which needs: pip install sentry-sdk"
        raise ImproperlyConfigured(sentence) from error
    # Transactions are named by view function, since URLs have clubs and secrets in them.
    integration = DjangoIntegration(transaction_style="function_name", middleware_spans=False)
    sentry_sdk.init(
        dsn=dsn,
        default_integrations=False,
        auto_enabling_integrations=False,
        integrations=[integration],
        send_default_pii=False,
        include_local_variables=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        auto_session_tracking=False,
        send_client_reports=False,
        before_send=lambda event, hint: bare(event),
        before_send_transaction=lambda event, hint: None,
        **more,
    )


def bare(event: Mapping[str, Any]) -> Any:
    """The part of an event that may leave the server."""
    errors = event.get("exception", {}).get("values", [])
    sent = {name: event[name] for name in SENT if name in event}
    if not FUNCTION.fullmatch(str(sent.get("transaction", ""))):
        sent.pop("transaction", None)  # a URL, which may be a secret
    return sent | {"exception": {"values": [_error(error) for error in errors]}}


def _error(error: Mapping[str, Any]) -> dict[str, Any]:
    frames = (error.get("stacktrace") or {}).get("frames", [])
    return {
        "type": error.get("type"),
        "module": error.get("module"),
        "stacktrace": {"frames": [_frame(frame) for frame in frames]},
    }


def _frame(frame: Mapping[str, Any]) -> dict[str, Any]:
    return {name: frame[name] for name in FRAME_FIELDS if name in frame}


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
    """Times every request; not installed without METRICS_TOKEN."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        if not settings.METRICS_TOKEN:
            raise MiddlewareNotUsed
        self.get_response, self.seconds = get_response, _seconds()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        started = time.perf_counter()
        response = self.get_response(request)
        method = request.method if request.method in METHODS else "other"
        match = request.resolver_match
        page = match.view_name if match else "none"
        spent = time.perf_counter() - started
        self.seconds.labels(page, method, str(response.status_code)).observe(spent)
        return response


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """All metrics, for requests with the token: `Authorization: Bearer <METRICS_TOKEN>`."""
    authorization = request.headers.get("Authorization", "")
    if not settings.METRICS_TOKEN or not constant_time_compare(
        authorization, f"Bearer {settings.METRICS_TOKEN}"
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
