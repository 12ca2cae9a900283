"""When the database cannot answer now: a 503 that keeps what was sent, and says when to try again.

A lock held too long, a full disk, a PostgreSQL that is starting again, an upgrade under way:
nobody's mistake, nothing was saved, and the same request will succeed in a moment. Everything else
stays a 500.
"""

import sys

from django.db import DatabaseError, InterfaceError, OperationalError, connection
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.template.loader import render_to_string
from django.views.decorators.csrf import requires_csrf_token
from django.views.defaults import server_error

from league.schema_guard import OtherVersion, is_of_another_version

RETRY_SECONDS = 5
# What SQLite says when it is the moment's trouble. Its other errors are ours ("no such column").
OF_THE_MOMENT = (
    "database is locked",
    "database table is locked",
    "database or disk is full",
    "disk I/O error",
    "unable to open database file",
    "attempt to write a readonly database",
)
NOT_SENT_BACK = ("password", "code", "token", "csrf", "key")
MOST_FIELDS, LONGEST = 200, 20_000


def is_busy(error: BaseException | None) -> bool:
    """Whether this is the database's trouble of the moment.

    PostgreSQL's operational errors all are: connections lost, no space, deadlocks, time-outs. Any
    error is, where the tables are not those of this version: another process has migrated them.
    """
    if isinstance(error, OtherVersion):
        return True
    if isinstance(error, DatabaseError) and is_of_another_version():
        return True
    if not isinstance(error, OperationalError | InterfaceError):
        return False
    return connection.vendor != "sqlite" or any(words in str(error) for words in OF_THE_MOMENT)


@requires_csrf_token
def on_error(request: HttpRequest) -> HttpResponse:
    """Answers every request that broke: 503 when the database was busy, else 500."""
    if not is_busy(sys.exc_info()[1]):
        return server_error(request)
    # Not a request's template: what asks the database (who is signed in) would break again.
    page = render_to_string(
        "busy.html", {"again": _sent(request), "csrf_token": get_token(request)}
    )
    answer = HttpResponse(page, status=503, headers={"Retry-After": str(RETRY_SECONDS)})
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _sent(request: HttpRequest) -> dict[str, object] | None:
    """The form that was sent, to be sent again by one press; None when it is not to be repeated."""
    if request.method != "POST" or request.FILES:
        return None
    fields = [(name, value) for name in request.POST for value in request.POST.getlist(name)]
    sent = [(name, value) for name, value in fields if name != "csrfmiddlewaretoken"]
    secret = any(word in name.lower() for name, _ in sent for word in NOT_SENT_BACK)
    if secret or len(sent) > MOST_FIELDS or sum(len(value) for _, value in sent) > LONGEST:
        return None
    return {"to": request.get_full_path(), "fields": sent}
