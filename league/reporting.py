"""Errors told to Sentry, where SENTRY_DSN is set, and nothing of anybody with them.

Off otherwise, and `sentry-sdk` is then not needed (docs/server.md). What is sent is made anew out
of a short list: which error, where in the code, of which version, at which page. Not the sentence
of an error (PostgreSQL's names the row), no value of a variable, no address, form, header, cookie.
"""

import re
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ImproperlyConfigured

KEPT = ("event_id", "timestamp", "level", "platform", "release", "environment", "transaction")
FUNCTION = re.compile(r"[A-Za-z_][\w.]*")
OF_A_FRAME = ("filename", "function", "module", "lineno", "in_app", "context_line")


def start(dsn: str, **more: Any) -> None:
    """Report from now on. `more` goes to the client as it is."""
    try:
        import sentry_sdk
        from sentry_sdk.integrations.django import DjangoIntegration
    except ImportError as error:
        sentence = "SENTRY_DSN is set, which needs: pip install sentry-sdk"
        raise ImproperlyConfigured(sentence) from error
    # Named by the function: the address has clubs and keys in it.
    pages = DjangoIntegration(transaction_style="function_name", middleware_spans=False)
    sentry_sdk.init(
        dsn=dsn,
        default_integrations=False,
        auto_enabling_integrations=False,
        integrations=[pages],
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
    """What may leave the server of one event."""
    errors = event.get("exception", {}).get("values", [])
    kept = {name: event[name] for name in KEPT if name in event}
    if not FUNCTION.fullmatch(str(kept.get("transaction", ""))):
        kept.pop("transaction", None)  # an address, which may be a key
    return kept | {"exception": {"values": [_error(error) for error in errors]}}


def _error(error: Mapping[str, Any]) -> dict[str, Any]:
    frames = (error.get("stacktrace") or {}).get("frames", [])
    return {
        "type": error.get("type"),
        "module": error.get("module"),
        "stacktrace": {"frames": [_frame(frame) for frame in frames]},
    }


def _frame(frame: Mapping[str, Any]) -> dict[str, Any]:
    return {name: frame[name] for name in OF_A_FRAME if name in frame}
