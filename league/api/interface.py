"""The API itself: how bodies are read, answers tagged, and errors told in its description."""

import copy
import json
from collections.abc import Callable
from functools import wraps
from hashlib import sha256
from math import isfinite
from pathlib import Path
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_vary_headers
from ninja import NinjaAPI
from ninja.parser import Parser

import scoring
from league.api.problems import problem_of, tell_problems

VERSION = "1.0.0"
LARGEST = 100_000  # bytes, as at a table's page: a hand with every card is a few thousand
RECORD = Path(scoring.__file__).with_name("hand-record.schema.json")
PROBLEMS = {
    "400": "It cannot be read: no JSON, or a text with signs that are none.",
    "401": "No token, or one that opens nothing.",
    "403": "The token may not do this.",
    "404": "There is none, or not for this token.",
    "409": "It clashes with what is there: `theirs` is that, `mine` what was sent.",
    "413": "The body is too large.",
    "415": "The body is not declared as JSON.",
    "422": "Something cannot be: `fields` says what, and where.",
    "429": "Too often: `Retry-After` says when to ask again.",
    "503": "Busy; nothing was saved. Send the same again in a moment.",
}
DESCRIPTION = """What a club's pages show, and what a table's phone writes, for programs.

Send `Authorization: Bearer` with a token of a club (an organiser makes it in the club's settings)
or with the code of a table (what stands after `#` in its link), which opens that table alone.
Lists come in parts: ask again with `offset` while `next` is not null. Answers carry an `ETag`;
send it back as `If-None-Match` and get 304 while nothing changed. Errors are
`application/problem+json`. People are named as the token may read them. Seats count from 0
clockwise; in partnership games the sides are the even and the odd seats."""


class StrictParser(Parser):
    """Reads JSON and nothing else: no name twice, no number that is none, nothing huge."""

    def parse_body(self, request: HttpRequest) -> Any:
        return json.loads(
            request.body, object_pairs_hook=_once, parse_constant=_no_number, parse_float=_finite
        )


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    told = dict(pairs)
    if len(told) != len(pairs):
        raise ValueError("a name stands there twice")
    return told


def _finite(text: str) -> float:
    number = float(text)
    return number if isfinite(number) else _no_number(text)


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is no number")


class Interface(NinjaAPI):
    """Ninja's API with tags on its answers and a description that tells of its errors."""

    _described: Any = None

    def create_response(self, request: HttpRequest, data: Any, **kwargs: Any) -> HttpResponse:
        """An answer with its tag; 304 without a body for whoever has it already."""
        response = super().create_response(request, data, **kwargs)
        patch_vary_headers(response, ("Authorization",))
        if request.method not in ("GET", "HEAD"):
            response.headers.setdefault("Cache-Control", "no-store")
            return response
        etag = getattr(request, "etag", "") or f'"{sha256(response.content).hexdigest()[:32]}"'
        return tagged(request, response, etag)

    def get_openapi_schema(self, **kwargs: Any) -> Any:
        """The description, made once a process: nothing in it depends on who asks."""
        if self._described is None:
            self._described = self._describe(super().get_openapi_schema(**kwargs))
        return self._described

    def _describe(self, described: Any) -> Any:
        """Ninja's description with the errors operations may answer, and the hand record."""
        components = described["components"]
        components["schemas"] |= {"Problem": PROBLEM, "HandRecord": record_schema()}
        components["responses"] = {f"Problem{s}": _problem_answer(s) for s in PROBLEMS}
        for methods in described["paths"].values():
            methods.pop("head", None)
            for method in methods:
                methods[method] = _with_problems(method, copy.deepcopy(methods[method]))
        return _with_records(described)


def tagged(request: HttpRequest, response: HttpResponse, etag: str) -> HttpResponse:
    """The answer with its tag, to be asked for again each time; or 304."""
    response["ETag"] = etag
    response.headers.setdefault("Cache-Control", "private, no-cache")
    return get_conditional_response(request, etag=etag, response=response) or response


PROBLEM: dict[str, Any] = {
    "title": "Problem",
    "description": "Why something was not done (RFC 9457).",
    "type": "object",
    "required": ["type", "title", "status", "code", "fields"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string", "description": "One sentence for people."},
        "status": {"type": "integer"},
        "code": {"type": "string", "description": "Stable, for programs."},
        "fields": {
            "type": "object",
            "description": "Sentences by the field they are about.",
            "additionalProperties": {"type": "array", "items": {"type": "string"}},
        },
        "faults": {"type": "array", "items": {"type": "object"}},
        "warnings": {"type": "array", "items": {"type": "object"}},
        "mine": {"type": ["object", "null"]},
        "theirs": {"type": "object"},
        "same": {"type": "boolean"},
    },
}


def record_schema() -> dict[str, Any]:
    """The published schema of the hand record, as a part of the description."""
    text = RECORD.read_text("utf-8").replace('"#/$defs/', '"#/components/schemas/HandRecord/$defs/')
    told: dict[str, Any] = json.loads(text)
    return {name: value for name, value in told.items() if name not in ("$id", "$schema")}


def _with_records(part: Any) -> Any:
    """The same with the schema of the hand record wherever a shape only names it."""
    if isinstance(part, list):
        return [_with_records(one) for one in part]
    if not isinstance(part, dict):
        return part
    if part.get("title") == "HandRecord":
        return {"$ref": "#/components/schemas/HandRecord"}
    return {name: _with_records(one) for name, one in part.items()}


def _with_problems(method: str, operation: dict[str, Any]) -> dict[str, Any]:
    reads = method == "get"
    named = any(parameter["in"] == "path" for parameter in operation["parameters"])
    told = ["400", "401", "403", *(["404"] if named else []), "422", "429", "503"]
    told += [] if reads else ["409", "413", "415"]
    answers = operation["responses"]
    answers |= {s: {"$ref": f"#/components/responses/Problem{s}"} for s in sorted(told)}
    if reads:
        answers["200"] = answers.pop(200) | {"headers": {"ETag": _header("Its version.")}}
        answers["304"] = {"description": "It is what you have."}
        operation["parameters"].append(IF_NONE_MATCH)
    operation["responses"] = {str(status): answer for status, answer in answers.items()}
    return operation


def _problem_answer(status: str) -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/Problem"}
    answer: dict[str, Any] = {
        "description": PROBLEMS[status],
        "content": {"application/problem+json": {"schema": schema}},
    }
    if status in ("429", "503"):
        answer["headers"] = {"Retry-After": _header("Seconds to wait.", "integer")}
    return answer


def _header(description: str, kind: str = "string") -> dict[str, Any]:
    return {"description": description, "schema": {"type": kind}}


IF_NONE_MATCH = {
    "in": "header",
    "name": "If-None-Match",
    "description": "The ETag of the answer you have.",
    "required": False,
    "schema": {"type": "string"},
}

api = Interface(
    title="Right Bower",
    version=VERSION,
    description=DESCRIPTION,
    docs_url=None,
    openapi_url="/openapi.json",
    parser=StrictParser(),
    urls_namespace="api",
)
tell_problems(api)


def _json_alone(run: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A body is JSON and says so (415), and is not huge (413): seen before it is read."""

    @wraps(run)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        length = int(request.META.get("CONTENT_LENGTH") or 0)
        if length and request.content_type != "application/json":
            return problem_of(415)
        if length > LARGEST:
            return problem_of(413)
        return run(request, *args, **kwargs)

    return checked


api.add_decorator(_json_alone, mode="view")
