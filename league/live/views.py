"""Whether the site is alive and ready."""

from django.http import HttpRequest, HttpResponse

from league.version import is_ours


def healthz(request: HttpRequest) -> HttpResponse:
    """The process answers; touches no database."""
    return HttpResponse("ok\n", content_type="text/plain")


def readyz(request: HttpRequest) -> HttpResponse:
    """The database answers and its tables are those of this version."""
    if not is_ours():
        return HttpResponse("another version\n", status=503, content_type="text/plain")
    return HttpResponse("ready\n", content_type="text/plain")
