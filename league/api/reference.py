"""The page for people who write programs: every operation, out of the description itself."""

from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from league.api.interface import DESCRIPTION, api


@require_safe
def reference(request: HttpRequest) -> HttpResponse:
    """Which operations there are, what each takes and answers. The same for everybody."""
    about = [paragraph.split("`") for paragraph in DESCRIPTION.split("\n\n")]
    context = {"groups": groups(), "about": about}
    return render(request, "api/reference.html", context)


@cache
def groups() -> dict[str, list[dict[str, Any]]]:
    """The operations by what they are about."""
    found: dict[str, list[dict[str, Any]]] = {}
    root = reverse("api:api-root")
    described = api.get_openapi_schema()
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            found.setdefault(operation["tags"][0], []).append(
                {
                    "method": method.upper(),
                    "path": path,
                    "after": path.removeprefix(root),
                    "summary": operation["summary"],
                    "description": operation.get("description", ""),
                    "params": [one for one in operation["parameters"] if one["in"] == "query"],
                    "body": _fields(described, _body(operation)),
                    "answers": sorted(operation["responses"]),
                }
            )
    return found


def _body(operation: dict[str, Any]) -> dict[str, Any]:
    sent: dict[str, Any] = operation.get("requestBody", {}).get("content", {})
    schema: dict[str, Any] = sent.get("application/json", {}).get("schema", {})
    return schema


def _fields(described: dict[str, Any], schema: dict[str, Any]) -> list[dict[str, Any]]:
    """The fields of a body, each with whether it is needed."""
    if "$ref" in schema:
        schema = described["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    needed = schema.get("required", ())
    return [
        {"name": name, "needed": name in needed, "description": one.get("description", "")}
        for name, one in schema.get("properties", {}).items()
    ]
