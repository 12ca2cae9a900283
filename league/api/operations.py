"""How an operation is declared (for whom, its answer, lists in pages, what is done only once), and
the page that lists every operation."""

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

Shown = TypeVar("Shown")
POST = ("POST",)
SEEDS = 2**31
MOST, USUAL, FURTHEST = 100, 50, 1_000_000


def _digits(value: object) -> object:
    """Digits and nothing else: an address that says 5.0 or 0_5 means something else."""
    if isinstance(value, str) and not (value.isascii() and value.isdecimal()):
        raise ValueError("a whole number is written in digits")
    return value


Whole = Annotated[int, BeforeValidator(_digits)]


class Part(BaseModel):
    """Which part of a list is asked for."""

    limit: Whole = Field(USUAL, ge=1, le=MOST, description="How many at most.")
    offset: Whole = Field(0, ge=0, le=FURTHEST, description="How many to leave out before.")


class Page(BaseModel, Generic[Shown]):
    """A part of a list."""

    items: list[Shown]
    count: int = Field(description="How many there are in all.")
    next: str | None = Field(description="Where the next part is; null after the last.")


def page_of(
    request: HttpRequest, query: QuerySet[Any], part: Part, shape: Callable[[Any], Shown]
) -> Page[Shown]:
    """A part of what was found, each shown as `shape` says. Two queries beside its own."""
    count = query.count()
    rows: Iterable[Any] = query[part.offset : part.offset + part.limit]
    end = part.offset + part.limit
    params = request.GET.copy()
    params["offset"], params["limit"] = str(end), str(part.limit)
    more = f"{request.path}?{params.urlencode()}" if end < count else None
    return Page(items=[shape(row) for row in rows], count=count, next=more)


GET = ("GET", "HEAD")
View = Callable[..., Any]


def operation(
    router: Router, methods: Sequence[str], path: str, least: Token, response: Any
) -> Callable[[View], View]:
    """Declare a view as an operation of `router` for anyone `least` lets in.

    Its name is the operation's id, the first line of its docstring the summary.
    """

    def declare(view: View) -> View:
        first, _rest, more = (view.__doc__ or "").strip().partition("\n")

        @wraps(view)
        def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            _refuse_unknown(request, known)
            return view(request, *args, **kwargs)

        checked.__doc__ = " ".join(more.split())  # what ninja takes for the description
        declared: View = router.api_operation(
            list(methods),
            path,
            auth=least,
            response=response,
            operation_id=view.__name__,
            url_name=view.__name__,
            summary=first.rstrip("."),
        )(checked)
        known = _query_of(declared)
        return declared

    return declare


def read(router: Router, path: str, least: Token, response: Any) -> Callable[[View], View]:
    """Declare a read, by GET and HEAD."""
    return operation(router, GET, path, least, response)


def _query_of(view: Any) -> set[str]:
    """The names that may stand in the query of this operation's address."""
    models = view._ninja_operation.models
    query = (m for m in models if m.__ninja_param_source__ == "query")
    return {name for model in query for name in model.__ninja_flatten_map__}


def _refuse_unknown(request: HttpRequest, known: set[str]) -> None:
    """A name that nothing is known of, or one said twice, means something else than is read."""
    fields: dict[str, list[str]] = {}
    for name, values in request.GET.lists():
        if name not in known:
            fields[name] = [_("There is no parameter with this name.")]
        elif len(values) > 1:
            fields[name] = [_("This was sent twice.")]
    if fields:
        title = _("Nothing was changed: something here isn't possible.")
        raise Refused("bad-form", title, fields=fields)


class Unchanged(Exception):
    """The program has this answer already: `answer` says so."""

    def __init__(self, answer: HttpResponse) -> None:
        super().__init__()
        self.answer = answer


def unless_changed(request: HttpRequest, club_session: Session) -> None:
    """Answer 304 here and now, if the session has not moved since what the program has.

    Everything that shows of a session raises its revision: hands, seats, names, settings; but for
    what silence has accepted since, which is counted.
    """
    silent = club_session.games.filter(auto_confirmed(timezone.now())).count()
    caller = caller_of(request)
    who = "table" if caller.table else caller.rank or "public"
    etag = f'"{VERSION}.{club_session.revision}.{silent}.{who}.{get_language()}"'
    request.etag = etag  # type: ignore[attr-defined]
    answer = get_conditional_response(request, etag=etag)
    if answer is not None and answer.status_code == 304:
        answer["ETag"] = etag
        answer["Cache-Control"] = "private, no-cache"
        patch_vary_headers(answer, ("Authorization",))
        raise Unchanged(answer)


def _unchanged(request: HttpRequest, unchanged: Any) -> HttpResponse:
    answer: HttpResponse = unchanged.answer
    return answer


api.add_exception_handler(Unchanged, _unchanged)


class Named(Protocol):
    """Whatever has an id that pages show."""

    public_id: str


def once(caller: Caller, what: str, client_id: str, make: Callable[[], Named]) -> str:
    """The public id of what `make` makes, or of what it made when this id was sent before.

    Refuses (`client-id-used`) an id that made something of another kind.
    """
    now = timezone.now()
    with transaction.atomic():
        requests = ProgramRequest.objects.filter(club=caller.club)
        requests.filter(made_at__lt=now - ProgramRequest.KEPT_FOR).delete()
        known, is_new = ProgramRequest.objects.get_or_create(
            club=caller.club, client_id=client_id, defaults={"what": what, "made_at": now}
        )
        if is_new:
            known.made = make().public_id
            known.save(update_fields=["made"])
        elif known.what != what:
            message = _("This client_id was already used for something else.")
            raise Refused("client-id-used", message, fields={"client_id": [message]}, status=409)
    return known.made


def seed_of(seed: int | None) -> int:
    """The seed a program sent, or a new one."""
    return secrets.randbelow(SEEDS) if seed is None else seed


def cleaned(form: BaseForm, names: dict[str, str] | None = None) -> BaseForm:
    """The page's own form, valid; refuses it with every sentence at its field, under the name the
    field has here."""
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
    """Which operations there are, what each takes and answers. The same for everybody."""
    about = [paragraph.split("`") for paragraph in DESCRIPTION.split("\n\n")]
    context = {"groups": groups(), "about": about}
    return render(request, "api/reference.html", context)


@cache
def groups() -> dict[str, list[dict[str, Any]]]:
    """The operations by what they are about."""
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
                    "params": [one for one in operation["parameters"] if one["in"] == "query"],
                    "body": _fields(described, _body(operation)),
                    "answers": sorted(operation["responses"]),
                }
            )
    return by_tag


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
