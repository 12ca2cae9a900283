"""How an operation is declared: for whom, what it answers, and that nothing unknown is asked."""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja import Router

from league.api.callers import Token
from league.errors import Refused

GET = ("GET", "HEAD")
View = Callable[..., Any]


def operation(
    router: Router, methods: Sequence[str], path: str, least: Token, response: Any
) -> Callable[[View], View]:
    """Declare a view as an operation of `router` for whoever `least` lets in.

    Its name is the operation's id, the first line of its docstring the summary.
    """

    def declare(view: View) -> View:
        first, _rest, more = (view.__doc__ or "").strip().partition("\n")

        @wraps(view)
        def asked(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            _refuse_unknown(request, known)
            return view(request, *args, **kwargs)

        asked.__doc__ = " ".join(more.split())  # what ninja takes for the description
        declared: View = router.api_operation(
            list(methods),
            path,
            auth=least,
            response=response,
            operation_id=view.__name__,
            url_name=view.__name__,
            summary=first.rstrip("."),
        )(asked)
        known = _asked_by(declared)
        return declared

    return declare


def read(router: Router, path: str, least: Token, response: Any) -> Callable[[View], View]:
    """Declare a read, by GET and HEAD."""
    return operation(router, GET, path, least, response)


def _asked_by(view: Any) -> set[str]:
    """The names that may stand in the query of this operation's address."""
    models = view._ninja_operation.models
    asked = (m for m in models if m.__ninja_param_source__ == "query")
    return {name for model in asked for name in model.__ninja_flatten_map__}


def _refuse_unknown(request: HttpRequest, known: set[str]) -> None:
    """A name that nothing is known of, or one said twice, means something else than is read."""
    fields: dict[str, list[str]] = {}
    for name, values in request.GET.lists():
        if name not in known:
            fields[name] = [_("Nothing of this name can be asked here.")]
        elif len(values) > 1:
            fields[name] = [_("This was sent twice.")]
    if fields:
        title = _("Nothing was done: something here cannot be.")
        raise Refused("bad-form", title, fields=fields)
