"""How a read is declared: GET and HEAD, for whom, and what it answers."""

from collections.abc import Callable
from typing import Any

from ninja import Router

from league.api.callers import Token

GET = ["GET", "HEAD"]


def read(router: Router, path: str, least: Token, response: Any) -> Callable[..., Any]:
    """Declare a view as a read of `router` for whoever `least` lets in.

    Its name is its operation's id, the first line of its docstring the summary.
    """

    def declare(view: Callable[..., Any]) -> Any:
        first, _rest, more = (view.__doc__ or "").strip().partition("\n")
        add = router.api_operation(
            GET,
            path,
            auth=least,
            response=response,
            operation_id=view.__name__,
            url_name=view.__name__,
            summary=first.rstrip("."),
            description=" ".join(more.split()) or None,
        )
        return add(view)

    return declare
