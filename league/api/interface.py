"""The API itself: how bodies are read, answers tagged, and errors answered (RFC 9457)."""

import copy
import json
import re
from collections.abc import Callable
from functools import cache, wraps
from hashlib import sha256
from math import isfinite
from pathlib import Path
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import gettext as _
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError
from ninja.parser import Parser
from ninja.responses import NinjaJSONEncoder

import scoring
from league.api.shapes.games import hand_shape
from league.errors import Refused
from league.play.auth import problem
from league.play.models import Hand

# Every answer of 400 and above under `/api/` is `application/problem+json` with `code` for
# programs, `title` and `fields` for people.

HERE = "/api/"
CODES = {
    400: "bad-request",
    401: "no-token",
    403: "forbidden",
    404: "not-found",
    405: "method-not-allowed",
    413: "too-large",
    415: "not-json",
    429: "too-many-requests",
    503: "busy",
}


def tell_problems(api: NinjaAPI) -> None:
    """Let the API answer errors as problem details; what is our own trouble is left to crash."""
    api.add_exception_handler(Refused, _refused)
    api.add_exception_handler(ValidationError, _invalid)
    api.add_exception_handler(HttpError, _http)
    api.add_exception_handler(Http404, lambda request, error: problem_of(404))
    api.add_exception_handler(Exception, _crash)


def problem_of(status: int) -> HttpResponse:
    """A problem of which nothing is known but its status."""
    titles = {
        400: _("This request cannot be read."),
        401: _("A token is needed: Authorization: Bearer …"),
        403: _("This is not allowed."),
        404: _("Nothing was found here."),
        405: _("This address does not allow this method."),
        413: _("This request is too large."),
        415: _("JSON was expected."),
        503: _("The site is busy; nothing was saved. Send the same again in a moment."),
    }
    title = titles.get(status) or _("Something went wrong on our side.")
    response = problem(Refused(CODES.get(status, "error"), title, status=status))
    if status == 401:
        response["WWW-Authenticate"] = "Bearer"
    return response


class ProblemMiddleware:
    """Makes problem details of whatever error page anything else answered under `/api/`."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        is_problem = response.get("Content-Type", "") == "application/problem+json"
        if not request.path_info.startswith(HERE) or response.status_code < 400:
            return response
        if not is_problem:
            response = _problem_instead(response)
        response.headers.setdefault("Cache-Control", "no-store")
        return response


def _problem_instead(response: HttpResponse) -> HttpResponse:
    refused = getattr(response, "refused", None)
    instead = problem(refused) if refused else problem_of(response.status_code)
    for header in ("Allow", "Retry-After"):
        if header in response:
            instead[header] = response[header]
    return instead


def _refused(request: HttpRequest, refused: Any) -> HttpResponse:
    details = dict(refused.details)
    wait = details.pop("retry_after", None)
    response = problem(refused, **_helpful(details))
    if wait is not None:
        response["Retry-After"] = str(wait)
    if refused.status == 401:
        response["WWW-Authenticate"] = 'Bearer error="invalid_token"'
    return response


def _helpful(details: dict[str, Any]) -> dict[str, Any]:
    """What helps a program further: the faults; of a clash the hand that is there and its own."""
    names = ("faults", "warnings", "same")
    more: dict[str, Any] = {name: details[name] for name in names if name in details}
    there = details.get("hand")
    if isinstance(there, Hand):
        more["theirs"] = hand_shape(there, with_reasons=True).model_dump(mode="json")
    if "yours" in details:
        more["mine"] = details["yours"]
    return more


def _invalid(request: HttpRequest, error: Any) -> HttpResponse:
    """A body or a parameter that is not as described: every fault at its field."""
    fields: dict[str, list[str]] = {}
    for fault in error.errors:
        where = [str(step) for step in fault["loc"] if step not in ("body", "query", "path")]
        fields.setdefault(".".join(where[-6:]), []).append(
            fault["msg"].removeprefix("Value error, ")
        )
    title = _("Nothing was changed: something here isn't possible.")
    return problem(Refused("bad-form", title, fields=fields))


def _http(request: HttpRequest, error: Any) -> HttpResponse:
    return problem_of(error.status_code)


def _crash(request: HttpRequest, error: Any) -> HttpResponse:
    raise error


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
DESCRIPTION = """What a club's pages show, what a table's phone writes, and what an organiser
does, for programs.

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
    data = dict(pairs)
    if len(data) != len(pairs):
        raise ValueError("a name stands there twice")
    return data


def _finite(text: str) -> float:
    number = float(text)
    return number if isfinite(number) else _no_number(text)


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is no number")


class Interface(NinjaAPI):
    """Ninja's API with tags on its answers and a description that tells of its errors."""

    _described: Any = None

    def create_response(self, request: HttpRequest, data: Any, **kwargs: Any) -> HttpResponse:
        """An answer with its tag; 304 without a body for anyone who has it already."""
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
        components["schemas"] |= {"Problem": PROBLEM} | record_schemas()
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


def record_schemas() -> dict[str, Any]:
    """The published schema of the hand record, each part a schema beside it: generators of clients
    follow references to components alone."""
    text = re.sub(
        r'"#/\$defs/(\w+)"',
        lambda match: f'"#/components/schemas/{_part_name(match[1])}"',
        RECORD.read_text("utf-8"),
    )
    schema: dict[str, Any] = json.loads(text)
    parts = {_part_name(part): body for part, body in schema.pop("$defs").items()}
    for name in ("$id", "$schema"):
        del schema[name]
    return {"HandRecord": schema} | parts


def _part_name(part: str) -> str:
    return f"HandRecord{part[0].upper()}{part[1:]}"


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
    statuses = ["400", "401", "403", *(["404"] if named else []), "422", "429", "503"]
    statuses += [] if reads else ["409", "413", "415"]
    answers = operation["responses"]
    answers |= {s: {"$ref": f"#/components/responses/Problem{s}"} for s in sorted(statuses)}
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


@cache
def _described_bytes() -> bytes:
    return json.dumps(api.get_openapi_schema(), cls=NinjaJSONEncoder).encode()


def _finished(_view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """The description from its finished bytes: making them of it takes as long as a page."""

    def described(request: HttpRequest) -> HttpResponse:
        return HttpResponse(_described_bytes(), content_type="application/json; charset=utf-8")

    return described


api.docs_decorator = _finished  # type: ignore[assignment]  # of functions of any kind


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
