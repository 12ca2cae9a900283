"""Declaring operations: access, pagination, conditional requests, creating once; the reference
page."""

import secrets
from collections.abc import Callable, Iterable, Sequence
from functools import cache, wraps
from typing import Annotated, Any, Generic, Protocol, TypeVar

from django.db import transaction
from django.db.models import QuerySet
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from ninja import Router
from pydantic import BaseModel, BeforeValidator, Field

from league.api.callers import Caller, Token, caller_of
from league.api.interface import DESCRIPTION, VERSION, api
from league.errors import Refused
from league.members.models import ProgramRequest
from league.play.queries import auto_confirmed
from league.sessions.models import Session

Item = TypeVar("Item")
POST = ("POST",)
SEEDS = 2**31
MAX_LIMIT, DEFAULT_LIMIT, MAX_OFFSET = 100, 50, 1_000_000


def _digits(value: object) -> object:
    """Accept only digits: pydantic would also take 5.0 and 0_5 from a query string."""
    if isinstance(value, str) and not (value.isascii() and value.isdecimal()):
        raise ValueError("a whole number is written in digits")
    return value


Whole = Annotated[int, BeforeValidator(_digits)]


class Pagination(BaseModel):
    """Selects a page of a list."""

    limit: Whole = Field(DEFAULT_LIMIT, ge=1, le=MAX_LIMIT, description="The most items to return.")
    offset: Whole = Field(0, ge=0, le=MAX_OFFSET, description="How many items to skip.")


class Page(BaseModel, Generic[Item]):
    """A page of a list."""

    items: list[Item]
    count: int = Field(description="How many items the whole list has.")
    next: str | None = Field(description="The URL of the next page; null on the last one.")


def page_of(
    request: HttpRequest, query: QuerySet[Any], pagination: Pagination, shape: Callable[[Any], Item]
) -> Page[Item]:
    """A page of the query's rows, each converted by `shape`. Two queries, and those of `shape`."""
    count = query.count()
    rows: Iterable[Any] = query[pagination.offset : pagination.offset + pagination.limit]
    end = pagination.offset + pagination.limit
    params = request.GET.copy()
    params["offset"], params["limit"] = str(end), str(pagination.limit)
    next_url = f"{request.path}?{params.urlencode()}" if end < count else None
    return Page(items=[shape(row) for row in rows], count=count, next=next_url)


GET = ("GET", "HEAD")
View = Callable[..., Any]


def operation(
    router: Router, methods: Sequence[str], path: str, least: Token, response: Any
) -> Callable[[View], View]:
    """Declare a view as an operation of `router`, for callers that `least` accepts.

    The name of the view is the operation's id, and the first line of its docstring the summary.
    """

    def declare(view: View) -> View:
        summary, _rest, description = (view.__doc__ or "").strip().partition("\n")

        @wraps(view)
        def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            _refuse_unknown_parameters(request, allowed)
            return view(request, *args, **kwargs)

        checked.__doc__ = " ".join(description.split())  # ninja's description
        declared: View = router.api_operation(
            list(methods),
            path,
            auth=least,
            response=response,
            operation_id=view.__name__,
            url_name=view.__name__,
            summary=summary.rstrip("."),
        )(checked)
        allowed = _query_names(declared)
        return declared

    return declare


def read(router: Router, path: str, least: Token, response: Any) -> Callable[[View], View]:
    """Declare a read, by GET and HEAD."""
    return operation(router, GET, path, least, response)


def _query_names(view: Any) -> set[str]:
    """The names of the query parameters of an operation."""
    models = view._ninja_operation.models
    query = (m for m in models if m.__ninja_param_source__ == "query")
    return {name for model in query for name in model.__ninja_flatten_map__}


def _refuse_unknown_parameters(request: HttpRequest, allowed: set[str]) -> None:
    """Refuse query parameters that are unknown or sent twice."""
    fields: dict[str, list[str]] = {}
    for name, values in request.GET.lists():
        if name not in allowed:
            fields[name] = [_("There is no parameter with this name.")]
        elif len(values) > 1:
            fields[name] = [_("This was sent twice.")]
    if fields:
        title = _("Nothing was changed: something here isn't possible.")
        raise Refused("bad-form", title, fields=fields)


class NotModified(Exception):
    """The caller has the current response already; `answer` is the 304."""

    def __init__(self, answer: HttpResponse) -> None:
        super().__init__()
        self.answer = answer


def raise_if_unchanged(request: HttpRequest, club_session: Session) -> None:
    """Raise `NotModified` if the session has not changed since the response that the caller has.

    Every visible change of a session raises its revision: hands, seats, names, settings. Games
    accepted by silence do not, so they are counted in the ETag.
    """
    n_silent = club_session.games.filter(auto_confirmed(timezone.now())).count()
    caller = caller_of(request)
    reader = "table" if caller.table else caller.rank or "public"
    etag = f'"{VERSION}.{club_session.revision}.{n_silent}.{reader}.{get_language()}"'
    request.etag = etag  # type: ignore[attr-defined]
    answer = get_conditional_response(request, etag=etag)
    if answer is not None and answer.status_code == 304:
        answer["ETag"] = etag
        answer["Cache-Control"] = "private, no-cache"
        patch_vary_headers(answer, ("Authorization",))
        raise NotModified(answer)


def _not_modified(request: HttpRequest, unchanged: Any) -> HttpResponse:
    answer: HttpResponse = unchanged.answer
    return answer


api.add_exception_handler(NotModified, _not_modified)


class HasPublicId(Protocol):
    """Anything with a public id."""

    public_id: str


def create_once(caller: Caller, kind: str, client_id: str, make: Callable[[], HasPublicId]) -> str:
    """Create an object with `make`, unless this `client_id` was sent before. Return its public id.

    Refuses (`client-id-used`) an id that was used for another kind of object (`kind`).
    """
    now = timezone.now()
    with transaction.atomic():
        requests = ProgramRequest.objects.filter(club=caller.club)
        requests.filter(made_at__lt=now - ProgramRequest.KEPT_FOR).delete()
        program_request, is_new = ProgramRequest.objects.get_or_create(
            club=caller.club, client_id=client_id, defaults={"what": kind, "made_at": now}
        )
        if is_new:
            program_request.made = make().public_id
            program_request.save(update_fields=["made"])
        elif program_request.what != kind:
            message = _("This client_id was already used for something else.")
            raise Refused("client-id-used", message, fields={"client_id": [message]}, status=409)
    return program_request.made


def seed_or_random(seed: int | None) -> int:
    """The seed that was sent, or a random one."""
    return secrets.randbelow(SEEDS) if seed is None else seed


def validated(form: BaseForm, names: dict[str, str] | None = None) -> BaseForm:
    """Return a valid form. Refuses an invalid one, with every message at its field; `names` are the
    API's names of form fields, where they differ."""
    if form.is_valid():
        return form
    fields = {
        (names or {}).get(name, name): [str(sentence) for sentence in sentences]
        for name, sentences in form.errors.items()
    }
    raise Refused(
        "bad-form", _("Nothing was changed: something here isn't possible."), fields=fields
    )


@require_safe
def reference(request: HttpRequest) -> HttpResponse:
    """The reference page: all operations with their parameters and responses."""
    about = [paragraph.split("`") for paragraph in DESCRIPTION.split("\n\n")]
    context = {"groups": groups(), "about": about}
    return render(request, "api/reference.html", context)


@cache
def groups() -> dict[str, list[dict[str, Any]]]:
    """The operations by tag, for the reference page."""
    by_tag: dict[str, list[dict[str, Any]]] = {}
    root = reverse("api:api-root")
    described = api.get_openapi_schema()
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            by_tag.setdefault(operation["tags"][0], []).append(
                {
                    "method": method.upper(),
                    "path": path,
                    "after": path.removeprefix(root),
                    "summary": operation["summary"],
                    "description": operation.get("description", ""),
                    "params": [p for p in operation["parameters"] if p["in"] == "query"],
                    "body": _fields(described, _body_schema(operation)),
                    "answers": sorted(operation["responses"]),
                }
            )
    return by_tag


def _body_schema(operation: dict[str, Any]) -> dict[str, Any]:
    sent: dict[str, Any] = operation.get("requestBody", {}).get("content", {})
    schema: dict[str, Any] = sent.get("application/json", {}).get("schema", {})
    return schema


def _fields(described: dict[str, Any], schema: dict[str, Any]) -> list[dict[str, Any]]:
    """The fields of a body, each with whether it is required."""
    if "$ref" in schema:
        schema = described["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    required = schema.get("required", ())
    return [
        {"name": name, "needed": name in required, "description": field.get("description", "")}
        for name, field in schema.get("properties", {}).items()
    ]
