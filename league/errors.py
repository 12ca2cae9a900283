"""Refusals that a person can understand, and how a page answers a form: the action is done, or the
form comes back as it was typed. Errors of our own are left to crash."""

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
    """An action cannot be done, and the person can read why.

    `code` is stable and for programs; `message` one sentence for people; `fields` further
    sentences by form field name; `status` the HTTP status when nobody catches it: 422 for input
    that cannot be, 409 for a clash with what is already there, 403 for what is not theirs.
    `details` carries what a page needs to help further (the other phone's hand, say); `asks` is
    the form's tick by which the person goes on all the same, shown from now on.
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
        """Put each sentence at its field of the form; what has no field there goes on top."""
        for field, sentences in self.fields.items():
            for sentence in sentences:
                form.add_error(field if field in form.fields else None, sentence)
        if not self.fields:
            form.add_error(None, self.message)
        if self.asks in form.fields:
            form.fields[self.asks].widget = CheckboxInput()


def valid(form: BaseForm) -> dict[str, Any]:
    """The values of a button's form; refuses (`bad-form`) one that is wrong, with its reason."""
    if form.is_valid():
        return form.cleaned_data
    name, sentences = next(iter(form.errors.items()))
    label = form.fields[name].label if name in form.fields else ""
    raise Refused("bad-form", f"{as_label(label)} {sentences[0]}" if label else str(sentences[0]))


def attempt(form: BaseForm, action: Callable[[], Made]) -> Made | None:
    """What the action returned; None when the form is not valid or the action was refused.

    A refusal is put at its fields, and stays as `form.refused` for a page that can help further.
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
    """The page with its form; 422 (or the refusal's own status) when something is wrong."""
    form = context["form"]
    refused = getattr(form, "refused", None)
    status = refused.status if refused else 422 if form.errors else 200
    return render(request, template, context, status=status)


REFUSED_FORM = "refused_form"  # in the visitor's session: address and fields
LONGEST_TYPED = 4000


def keep_typed(request: HttpRequest) -> None:
    """Keep what was typed into the form of a button that was refused, for the page it leads to."""
    typed = request.POST.copy()
    typed.pop("csrfmiddlewaretoken", None)
    text = typed.urlencode()
    if len(text) <= LONGEST_TYPED:
        request.session[REFUSED_FORM] = [request.path, text]


def typed_at(request: HttpRequest, address: str) -> QueryDict | None:
    """What was typed into the form that goes to this address, once, after it was refused."""
    typed = request.session.get(REFUSED_FORM)
    if not typed or typed[0] != address:
        return None
    del request.session[REFUSED_FORM]
    return QueryDict(typed[1])


@contextmanager
def pairing_refusals(in_words: Callable[[PairingRefused], str] | None = None) -> Iterator[None]:
    """Tell people, in their language, what the pairing engine refuses in this block.

    `in_words` gives the sentence where the engine's own does not do: it names players by number.
    """
    try:
        yield
    except PairingRefused as refused:
        sentence = in_words(refused) if in_words else _(refused.sentence) % refused.values
        raise Refused(refused.code, sentence, status=409) from refused


class RefusedMiddleware:
    """Shows a refusal that no view caught as a page (or, for htmx, a part) with its status.

    Also answers somebody who opens the address of a form's action, as after signing in again.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if isinstance(response, HttpResponseNotAllowed) and request.method == "GET":
            return _only_a_form(request, response)
        return response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if isinstance(error, Refused):
            return refusal_page(request, error)
        if _is_a_persons_form(request) and _came_second(error):
            logger.exception("%s met what somebody else did", request.method)
            sentence = _(
                "Not saved: someone else changed this at the same moment. Reload the page."
            )
            return refusal_page(request, Refused("changed-meanwhile", sentence, status=409))
        return None


def _is_a_persons_form(request: HttpRequest) -> bool:
    """A form that somebody signed in sent and can send again. What a table's phone sends is sent
    again by itself after an error, and must not be taken for refused."""
    asks_for_json = "application/json" in request.headers.get("Accept", "")
    return request.method == "POST" and request.user.is_authenticated and not asks_for_json


TAKEN, GONE = ("unique constraint", "duplicate key"), ("foreign key constraint",)


def _came_second(error: Exception) -> bool:
    """Whether what was to be changed is gone since it was asked for, or there already: the
    database has the last word when two press at once."""
    words = str(error).lower()
    if isinstance(error, IntegrityError):
        return any(part in words for part in (*TAKEN, *GONE))
    gone = isinstance(error, DatabaseError) and "did not affect any rows" in words
    return gone or isinstance(error, ObjectDoesNotExist)


def refusal_page(request: HttpRequest, refused: Refused) -> HttpResponse:
    """A refusal as a page of its own, or for htmx as the part that tells it."""
    template = "parts/_refused.html" if getattr(request, "htmx", False) else "refused.html"
    page = render(request, template, {"refused": refused}, status=refused.status)
    page.refused = refused  # type: ignore[attr-defined]  # for who answers programs
    return say_when(page, refused)


def say_when(response: HttpResponse, refused: Refused) -> HttpResponse:
    """The answer with the seconds to wait, where a refusal has them."""
    if "retry_after" in refused.details:
        response.headers["Retry-After"] = str(refused.details["retry_after"])
    return response


NOT_SENT_BACK = ("password", "code", "token", "csrf", "key")
MOST_FIELDS, LONGEST = 200, 20_000


def sent_form(request: HttpRequest) -> dict[str, object] | None:
    """The form that was sent, to be sent again by one press; None when it is not to be repeated."""
    if request.method != "POST" or request.FILES:
        return None
    fields = [(name, value) for name in request.POST for value in request.POST.getlist(name)]
    sent = [(name, value) for name, value in fields if name != "csrfmiddlewaretoken"]
    secret = any(word in name.lower() for name, _ in sent for word in NOT_SENT_BACK)
    if secret or len(sent) > MOST_FIELDS or sum(len(value) for _, value in sent) > LONGEST:
        return None
    return {"to": request.get_full_path(), "fields": sent}


def on_expired_form(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The page for a form whose cookie is gone: a form of this site can be sent again from there. A
    part of a page is loaded afresh whole."""
    if getattr(request, "htmx", False):
        return HttpResponseClientRefresh()
    if request.headers.get("Origin") != f"{request.scheme}://{request.get_host()}":
        return csrf_failure(request, reason)  # another site may have sent it
    return render(request, "403_csrf.html", {"again": sent_form(request)}, status=403)


def on_bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The site's page for what cannot be read; it says so where more was sent than is taken."""
    sentence = ""
    if isinstance(exception, TooManyFieldsSent | TooManyFilesSent):
        sentence = _("This form has more fields than this site takes at once (%(most)d).")
    elif isinstance(exception, RequestDataTooBig):
        sentence = _("That is more than this site takes at once.")
    sentence %= {"most": settings.DATA_UPLOAD_MAX_NUMBER_FIELDS}
    # Not a request's template: what reads the request would break again.
    return HttpResponseBadRequest(render_to_string("400.html", {"too_much": sentence}))


def _only_a_form(request: HttpRequest, response: HttpResponseNotAllowed) -> HttpResponse:
    """Django's own answer is empty, which a browser shows as a broken site."""
    page = render(request, "405.html", status=405)
    page["Allow"] = response["Allow"]
    return page
