"""Refusals told to a program at a table instead of to a person: problem details (RFC 9457)."""

from typing import Any

from django.http import HttpRequest, JsonResponse

from league.errors import Refused

JSON, PAGE = "application/json", "text/html"


def wants_json(request: HttpRequest) -> bool:
    """Whether the sender asked for JSON rather than a page; whoever takes anything gets a page."""
    if JSON not in request.META.get("HTTP_ACCEPT", "").lower():
        return False  # without asking Django, which reads every type there is
    return request.get_preferred_type([PAGE, JSON]) == JSON


def problem(refused: Refused, **more: Any) -> JsonResponse:
    """A refusal as problem details: `code` for programs, `title` and `fields` for people."""
    told = {
        "type": "about:blank",
        "title": str(refused.message),
        "status": refused.status,
        "code": refused.code,
        "fields": refused.fields,
        **more,
    }
    kind = "application/problem+json"
    return JsonResponse(told, status=refused.status, content_type=kind)
