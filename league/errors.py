"""Refusals with a reason for people, and how pages answer a form: the action is done, or the form
comes back as it was filled in. Programming errors are left to crash."""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from django.conf import settings
from django.core.exceptions import (
    ObjectDoesNotExist,
    RequestDataTooBig,
    TooManyFieldsSent,
    TooManyFilesSent,
)
from django.db import DatabaseError, IntegrityError
from django.forms import BaseForm, CheckboxInput
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBadRequest,
    HttpResponseNotAllowed,
    QueryDict,
)
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.csrf import csrf_failure
from django_htmx.http import HttpResponseClientRefresh

from league.labels import as_label
from league.pairing import PairingRefused

logger = logging.getLogger(__name__)
Made = TypeVar("Made")


class Refused(Exception):
    """An action was refused, with a reason that a person can read.

    `code` is stable and for programs; `message` is one sentence for people; `fields` are further
    sentences by form field. `status` is the HTTP status if no view catches the refusal: 422 for
    invalid input, 409 for a conflict with existing data, 403 for a lack of permission. `details`
    has data that helps a page to go on, such as the hand that another phone entered; `asks` is the
    name of a form's checkbox that is shown from now on to do the action anyway.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        fields: Mapping[str, Sequence[str]] | None = None,
        status: int = 422,
        details: Mapping[str, object] | None = None,
        asks: str = "",
    ) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message
        self.fields = {name: list(sentences) for name, sentences in (fields or {}).items()}
        self.status = status
        self.details = dict(details or {})
        self.asks = asks

    def __str__(self) -> str:
        return str(self.message)

    def show_in(self, form: BaseForm) -> None:
        """Add each sentence to its field of the form, or to the form itself if it has no such
        field."""
        for field, sentences in self.fields.items():
            for sentence in sentences:
                form.add_error(field if field in form.fields else None, sentence)
        if not self.fields:
            form.add_error(None, self.message)
        if self.asks in form.fields:
            form.fields[self.asks].widget = CheckboxInput()


def valid(form: BaseForm) -> dict[str, Any]:
    """The cleaned data of a button's form; refuses an invalid form with `bad-form`."""
    if form.is_valid():
        return form.cleaned_data
    name, sentences = next(iter(form.errors.items()))
    label = form.fields[name].label if name in form.fields else ""
    raise Refused("bad-form", f"{as_label(label)} {sentences[0]}" if label else str(sentences[0]))


def attempt(form: BaseForm, action: Callable[[], Made]) -> Made | None:
    """The result of the action; None if the form is invalid or the action was refused.

    A refusal is shown at its fields, and stored as `form.refused` for pages that use its details.
    """
    if not form.is_valid():
        return None
    try:
        return action()
    except Refused as refused:
        refused.show_in(form)
        form.refused = refused  # type: ignore[attr-defined]
        return None


def form_page(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    """The page with its form; its status is that of the refusal, or 422 if the form has errors."""
    form = context["form"]
    refused = getattr(form, "refused", None)
    status = refused.status if refused else 422 if form.errors else 200
    return render(request, template, context, status=status)


REFUSED_FORM = "refused_form"  # session key of the path and fields of a refused form
LONGEST_TYPED = 4000


def keep_typed(request: HttpRequest) -> None:
    """Keep the input of a refused form in the session, for the page that the user returns to."""
    typed = request.POST.copy()
    typed.pop("csrfmiddlewaretoken", None)
    text = typed.urlencode()
    if len(text) <= LONGEST_TYPED:
        request.session[REFUSED_FORM] = [request.path, text]


def typed_at(request: HttpRequest, address: str) -> QueryDict | None:
    """The kept input of a refused form with this address, which is then forgotten."""
    typed = request.session.get(REFUSED_FORM)
    if not typed or typed[0] != address:
        return None
    del request.session[REFUSED_FORM]
    return QueryDict(typed[1])


@contextmanager
def pairing_refusals(in_words: Callable[[PairingRefused], str] | None = None) -> Iterator[None]:
    """Turn refusals of the pairing engine in this block into `Refused`, translated.

    `in_words` can replace the engine's sentences, which name players by number.
    """
    try:
        yield
    except PairingRefused as refused:
        sentence = in_words(refused) if in_words else _(refused.sentence) % refused.values
        raise Refused(refused.code, sentence, status=409) from refused


class RefusedMiddleware:
    """Shows a refusal that no view caught as a page (or, for htmx, a part) with its status.

    Also answers a GET of a form's action, as happens after signing in again.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if isinstance(response, HttpResponseNotAllowed) and request.method == "GET":
            return _not_allowed_page(request, response)
        return response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if isinstance(error, Refused):
            return refusal_page(request, error)
        if _is_a_persons_form(request) and _is_conflict(error):
            logger.exception("%s met what somebody else did", request.method)
            sentence = _(
                "Not saved: someone else changed this at the same moment. Reload the page."
            )
            return refusal_page(request, Refused("changed-meanwhile", sentence, status=409))
        return None


def _is_a_persons_form(request: HttpRequest) -> bool:
    """Whether a signed-in user sent a form, and can send it again. A table's phone resends by
    itself after an error, and must not take it for a refusal."""
    asks_for_json = "application/json" in request.headers.get("Accept", "")
    return request.method == "POST" and request.user.is_authenticated and not asks_for_json


CONFLICTS = ("unique constraint", "duplicate key", "foreign key constraint")


def _is_conflict(error: Exception) -> bool:
    """Whether someone else changed the data first: a row was deleted since it was read, or exists
    already. The database decides when two people act at once."""
    words = str(error).lower()
    if isinstance(error, IntegrityError):
        return any(conflict in words for conflict in CONFLICTS)
    is_deleted = isinstance(error, DatabaseError) and "did not affect any rows" in words
    return is_deleted or isinstance(error, ObjectDoesNotExist)


def refusal_page(request: HttpRequest, refused: Refused) -> HttpResponse:
    """A refusal as a page, or for htmx as a part of one."""
    template = "parts/_refused.html" if getattr(request, "htmx", False) else "refused.html"
    page = render(request, template, {"refused": refused}, status=refused.status)
    page.refused = refused  # type: ignore[attr-defined]  # for the API's middleware
    return add_retry_after(page, refused)


def add_retry_after(response: HttpResponse, refused: Refused) -> HttpResponse:
    """The response with a `Retry-After` header, if the refusal has a time to wait."""
    if "retry_after" in refused.details:
        response.headers["Retry-After"] = str(refused.details["retry_after"])
    return response


NOT_SENT_BACK = ("password", "code", "token", "csrf", "key")
MOST_FIELDS, LONGEST = 200, 20_000


def sent_form(request: HttpRequest) -> dict[str, object] | None:
    """The form that was sent, for a button that resends it; None if it must not be repeated."""
    if request.method != "POST" or request.FILES:
        return None
    fields = [(name, value) for name in request.POST for value in request.POST.getlist(name)]
    fields = [(name, value) for name, value in fields if name != "csrfmiddlewaretoken"]
    is_secret = any(word in name.lower() for name, _ in fields for word in NOT_SENT_BACK)
    if is_secret or len(fields) > MOST_FIELDS or sum(len(value) for _, value in fields) > LONGEST:
        return None
    return {"to": request.get_full_path(), "fields": fields}


def on_expired_form(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The page for a form whose CSRF cookie is gone, from which a form of this site can be resent.
    For htmx, the whole page is reloaded."""
    if getattr(request, "htmx", False):
        return HttpResponseClientRefresh()
    if request.headers.get("Origin") != f"{request.scheme}://{request.get_host()}":
        return csrf_failure(request, reason)  # another site may have sent it
    return render(request, "403_csrf.html", {"again": sent_form(request)}, status=403)


def on_bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The page for a bad request, which says so if the request was too large."""
    sentence = ""
    if isinstance(exception, TooManyFieldsSent | TooManyFilesSent):
        sentence = _("This form has more fields than this site takes at once (%(most)d).")
    elif isinstance(exception, RequestDataTooBig):
        sentence = _("That is more than this site takes at once.")
    sentence %= {"most": settings.DATA_UPLOAD_MAX_NUMBER_FIELDS}
    # Rendered without the request, since reading it would fail again.
    return HttpResponseBadRequest(render_to_string("400.html", {"too_much": sentence}))


def _not_allowed_page(request: HttpRequest, response: HttpResponseNotAllowed) -> HttpResponse:
    """A page for Django's 405 response, which is empty and looks like a broken site."""
    page = render(request, "405.html", status=405)
    page["Allow"] = response["Allow"]
    return page
