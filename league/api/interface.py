"""The API object: reading bodies, ETags, problem details (RFC 9457), the OpenAPI description."""

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

# Every response under `/api/` with a status of 400 or above is `application/problem+json`: `code`
# is for programs, `title` and `fields` are for people.

API_PREFIX = "/api/"
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


def add_problem_handlers(api: NinjaAPI) -> None:
    """Let the API answer errors with problem details; unexpected exceptions are raised."""
    api.add_exception_handler(Refused, _refused)
    api.add_exception_handler(ValidationError, _validation_error)
    api.add_exception_handler(HttpError, _http_error)
    api.add_exception_handler(Http404, lambda request, error: problem_of(404))
    api.add_exception_handler(Exception, _crash)


def problem_of(status: int) -> HttpResponse:
    """The problem details for a status, when nothing else is known."""
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
    """Replaces any other error page under `/api/` with problem details."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        is_problem = response.get("Content-Type", "") == "application/problem+json"
        if not request.path_info.startswith(API_PREFIX) or response.status_code < 400:
            return response
        if not is_problem:
            response = _as_problem(response)
        response.headers.setdefault("Cache-Control", "no-store")
        return response


def _as_problem(response: HttpResponse) -> HttpResponse:
    refused = getattr(response, "refused", None)
    replacement = problem(refused) if refused else problem_of(response.status_code)
    for header in ("Allow", "Retry-After"):
        if header in response:
            replacement[header] = response[header]
    return replacement


def _refused(request: HttpRequest, refused: Any) -> HttpResponse:
    details = dict(refused.details)
    wait = details.pop("retry_after", None)
    response = problem(refused, **_extra_details(details))
    if wait is not None:
        response["Retry-After"] = str(wait)
    if refused.status == 401:
        response["WWW-Authenticate"] = 'Bearer error="invalid_token"'
    return response


def _extra_details(details: dict[str, Any]) -> dict[str, Any]:
    """Details that help a program: faults and, for a clash, the existing hand and the one sent."""
    names = ("faults", "warnings", "same")
    extra: dict[str, Any] = {name: details[name] for name in names if name in details}
    existing = details.get("hand")
    if isinstance(existing, Hand):
        extra["theirs"] = hand_shape(existing, with_reasons=True).model_dump(mode="json")
    if "yours" in details:
        extra["mine"] = details["yours"]
    return extra


def _validation_error(request: HttpRequest, error: Any) -> HttpResponse:
    """Answer an invalid body or parameter, with every fault at its field."""
    fields: dict[str, list[str]] = {}
    for fault in error.errors:
        path = [str(step) for step in fault["loc"] if step not in ("body", "query", "path")]
        fields.setdefault(".".join(path[-6:]), []).append(
            fault["msg"].removeprefix("Value error, ")
        )
    title = _("Nothing was changed: something here isn't possible.")
    return problem(Refused("bad-form", title, fields=fields))


def _http_error(request: HttpRequest, error: Any) -> HttpResponse:
    return problem_of(error.status_code)


def _crash(request: HttpRequest, error: Any) -> HttpResponse:
    raise error


VERSION = "1.0.0"
MAX_BODY_BYTES = 100_000  # as at a table's page: a hand with every card takes a few thousand
RECORD_SCHEMA = Path(scoring.__file__).with_name("hand-record.schema.json")
PROBLEM_DESCRIPTIONS = {
    "400": "The body cannot be read: it is not JSON, or has invalid characters.",
    "401": "No token, or one that is not valid.",
    "403": "The token is not allowed to do this.",
    "404": "Not found, or not for this token.",
    "409": "A conflict with the current state. For hands, `theirs` is the one saved, `mine` yours.",
    "413": "The body is too large.",
    "415": "The content type of the body is not JSON.",
    "422": "Something in the request is not valid or not possible: `fields` says what.",
    "429": "Too many requests: `Retry-After` says how long to wait.",
    "503": "The site is busy and nothing was saved. Send the same request again in a moment.",
}
DESCRIPTION = """Everything that a club's pages show, that the phone at a table records, and that
an organiser does, for programs.

Send `Authorization: Bearer` with a club's token (an organiser creates it in the club's settings)
or with a table's code (the part after `#` in its link), which is valid for that table only. Lists
are paginated: follow `next` until it is null. Responses have an `ETag`; send it back as
`If-None-Match` to get 304 as long as nothing has changed. Errors are `application/problem+json`.
The token decides how players are named: in full, or as in public. Seats are numbered clockwise
from 0; in partnership games, one side has the even seats and the other the odd ones."""


class StrictParser(Parser):
    """Parses strict JSON: no duplicate keys, no NaN and no infinities."""

    def parse_body(self, request: HttpRequest) -> Any:
        return json.loads(
            request.body,
            object_pairs_hook=_unique_keys,
            parse_constant=_reject_constant,
            parse_float=_finite_float,
        )


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) != len(pairs):
        raise ValueError("a name appears twice")
    return data


def _finite_float(text: str) -> float:
    number = float(text)
    return number if isfinite(number) else _reject_constant(text)


def _reject_constant(text: str) -> Any:
    raise ValueError(f"{text} is not a number")


class Interface(NinjaAPI):
    """A NinjaAPI with ETags on its responses and the errors in its OpenAPI description."""

    _described: Any = None

    def create_response(self, request: HttpRequest, data: Any, **kwargs: Any) -> HttpResponse:
        """Add an ETag to the response, or answer 304 if the client has it already."""
        response = super().create_response(request, data, **kwargs)
        patch_vary_headers(response, ("Authorization",))
        if request.method not in ("GET", "HEAD"):
            response.headers.setdefault("Cache-Control", "no-store")
            return response
        etag = getattr(request, "etag", "") or f'"{sha256(response.content).hexdigest()[:32]}"'
        return with_etag(request, response, etag)

    def get_openapi_schema(self, **kwargs: Any) -> Any:
        """The description, built once per process: it is the same for all callers."""
        if self._described is None:
            self._described = self._describe(super().get_openapi_schema(**kwargs))
        return self._described

    def _describe(self, described: Any) -> Any:
        """Add error responses and the schema of hand records to ninja's description."""
        components = described["components"]
        components["schemas"] |= {"Problem": PROBLEM_SCHEMA} | record_schemas()
        components["responses"] = {
            f"Problem{s}": _problem_response(s) for s in PROBLEM_DESCRIPTIONS
        }
        for methods in described["paths"].values():
            methods.pop("head", None)
            for method in methods:
                methods[method] = _add_problem_responses(method, copy.deepcopy(methods[method]))
        return _link_hand_records(described)


def with_etag(request: HttpRequest, response: HttpResponse, etag: str) -> HttpResponse:
    """Add an ETag to a response that clients must revalidate; answer 304 if it matches."""
    response["ETag"] = etag
    response.headers.setdefault("Cache-Control", "private, no-cache")
    return get_conditional_response(request, etag=etag, response=response) or response


PROBLEM_SCHEMA: dict[str, Any] = {
    "title": "Problem",
    "description": "Why a request was refused (RFC 9457).",
    "type": "object",
    "required": ["type", "title", "status", "code", "fields"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string", "description": "One sentence for people to read."},
        "status": {"type": "integer"},
        "code": {"type": "string", "description": "A stable code for programs."},
        "fields": {
            "type": "object",
            "description": "Messages by field name.",
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
    """The published schema of hand records, with each of its definitions as a component: generators
    of clients follow references to components only."""
    text = re.sub(
        r'"#/\$defs/(\w+)"',
        lambda match: f'"#/components/schemas/{_part_name(match[1])}"',
        RECORD_SCHEMA.read_text("utf-8"),
    )
    schema: dict[str, Any] = json.loads(text)
    parts = {_part_name(part): body for part, body in schema.pop("$defs").items()}
    for name in ("$id", "$schema"):
        del schema[name]
    return {"HandRecord": schema} | parts


def _part_name(part: str) -> str:
    return f"HandRecord{part[0].upper()}{part[1:]}"


def _link_hand_records(part: Any) -> Any:
    """Replace the placeholders for hand records with references to their schema."""
    if isinstance(part, list):
        return [_link_hand_records(child) for child in part]
    if not isinstance(part, dict):
        return part
    if part.get("title") == "HandRecord":
        return {"$ref": "#/components/schemas/HandRecord"}
    return {name: _link_hand_records(child) for name, child in part.items()}


def _add_problem_responses(method: str, operation: dict[str, Any]) -> dict[str, Any]:
    is_read = method == "get"
    has_path_parameter = any(parameter["in"] == "path" for parameter in operation["parameters"])
    statuses = ["400", "401", "403", *(["404"] if has_path_parameter else []), "422", "429", "503"]
    statuses += [] if is_read else ["409", "413", "415"]
    answers = operation["responses"]
    answers |= {s: {"$ref": f"#/components/responses/Problem{s}"} for s in sorted(statuses)}
    if is_read:
        answers["200"] = answers.pop(200) | {
            "headers": {"ETag": _header("The version of this response.")}
        }
        answers["304"] = {"description": "Not modified: you have the current version."}
        operation["parameters"].append(IF_NONE_MATCH)
    operation["responses"] = {str(status): answer for status, answer in answers.items()}
    return operation


def _problem_response(status: str) -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/Problem"}
    answer: dict[str, Any] = {
        "description": PROBLEM_DESCRIPTIONS[status],
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
    "description": "The ETag of the response you have.",
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
add_problem_handlers(api)


@cache
def _described_bytes() -> bytes:
    return json.dumps(api.get_openapi_schema(), cls=NinjaJSONEncoder).encode()


def _serve_cached_description(_view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Serve the description as cached bytes: serialising it takes as long as a page."""

    def described(request: HttpRequest) -> HttpResponse:
        return HttpResponse(_described_bytes(), content_type="application/json; charset=utf-8")

    return described


api.docs_decorator = _serve_cached_description  # type: ignore[assignment]  # decorates any view


def _require_json(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Refuse a body that is not declared as JSON (415) or too large (413), before reading it."""

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        length = int(request.META.get("CONTENT_LENGTH") or 0)
        if length and request.content_type != "application/json":
            return problem_of(415)
        if length > MAX_BODY_BYTES:
            return problem_of(413)
        return view(request, *args, **kwargs)

    return checked


api.add_decorator(_require_json, mode="view")
