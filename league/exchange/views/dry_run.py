"""The page of an import: the file, then a preview of what it would do, then all of it or nothing.
A small sheet is imported during the request; a large one in a background job."""

import zipfile
from collections.abc import Callable, Mapping, Sequence, Sized
from dataclasses import dataclass, field
from datetime import datetime
from io import BytesIO
from typing import Any, Protocol

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from league.access import rank_of
from league.errors import Refused, attempt
from league.exchange.egn_import import is_notation, notation_rows
from league.exchange.forms import SheetForm, packed, questions_of
from league.exchange.sheet_import import Trouble, read_rows
from league.exchange.sheet_reading import NO_MATCH, Columns, Match, Row
from league.exchange.sheets import SHEETS, column_labels
from league.members.actions.jobs import Work, start_job
from league.members.audit import Actor, actor_of
from league.members.models import Club, Job, Role
from league.members.queries import visible_jobs

MOST = 5000
# The largest sheet handled during a request: the player list of a large club. More would keep
# everyone else waiting where a single process serves the site.
AT_ONCE_ROWS = 200
AT_ONCE_BYTES = 200_000  # unpacked
LOOK, ORDER = "league.exchange.views.files.look_at_sheet", "league.exchange.views.files.order_sheet"


class Preview(Protocol):
    """What importing a sheet would do; nothing if it has troubles."""

    @property
    def troubles(self) -> list[Trouble]: ...

    @property
    def agreed(self) -> str: ...

    @property
    def new(self) -> Sized | int: ...


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement to a preview: `agreed` is its digest, `also` the doubtful lines to include."""

    agreed: str
    also: Sequence[int]
    by: Actor
    at: datetime


@dataclass(frozen=True, slots=True)
class Import:
    """One kind of import.

    `what` names its templates, URL and example; `kind` is that of its background job, None if it
    always runs during the request; `back` is the page to return to. `ignored` are columns that only
    our own exports have; `notation` says that EGN and EMN files are accepted too; `days` are the
    columns with dates, `parts` columns that can replace another; `unlike` is the message for a file
    without any of the needed columns. `preview` says what the rows would do, `save` does it, and
    `words` reports how many objects it made. `about` are further URL arguments after the club,
    `about_name` the name of what they identify. A sheet has at most `most` lines.
    """

    what: str
    kind: Job.Kind | None
    columns: Sequence[str]
    needed: Sequence[str]
    preview: Callable[[Club, list[Row], datetime], Preview]
    save: Callable[[Club, list[Row], Agreement], Sized]
    words: Callable[[int], str]
    back: str = "sessions"
    ignored: Sequence[str] = ()
    notation: bool = False
    days: Sequence[str] = ("date",)
    parts: Mapping[str, Sequence[str]] = field(default_factory=dict)
    unlike: object = ""
    about: Sequence[str] = ()
    about_name: str = ""
    most: int = MOST

    @property
    def sheet(self) -> Columns:
        """The columns of its sheets."""
        known = (*self.columns, *self.ignored)
        return Columns(known, self.needed, self.days, self.parts)


@dataclass(frozen=True, slots=True)
class RenderedPreview:
    """A rendered preview; `agreed` is its digest, "" where there is nothing to import."""

    part: str
    agreed: str = ""
    has_troubles: bool = False


def import_page(request: HttpRequest, club: Club, kind: Import) -> HttpResponse:
    """The form, with the preview of its sheet; a new preview if the data changed since the last.

    A file that cannot be read is refused at its field.
    """
    form = SheetForm(request.POST or None, request.FILES or None, notation=kind.notation)
    if form.is_bound and form.is_valid():
        response = _ask(request, club, kind, form) or _save(request, club, kind, form)
        if response:
            return response
    return _page(request, club, kind, form, _preview(club, kind, form))


def _ask(request: HttpRequest, club: Club, kind: Import, form: SheetForm) -> HttpResponse | None:
    """The page with questions about the file; None where nothing is left to ask."""
    if form.cleaned_data["agreed"]:
        return None
    questions = attempt(form, lambda: questions_of(request, club, kind, form))
    return _questions_page(request, club, kind, form, questions) if questions else None


def _save(request: HttpRequest, club: Club, kind: Import, form: SheetForm) -> HttpResponse | None:
    """Import the sheet if it was agreed to, or start the job of a large one; None where the page
    must show the preview or a refusal."""
    if not form.is_valid():  # refused by `_ask`
        return None
    if kind.kind is not None and not is_small(form.content):
        return _start_job(request, club, kind, kind.kind, form)
    data = form.cleaned_data
    if not data["agreed"]:
        return None
    agreement = Agreement(data["agreed"], data["also"], actor_of(request), timezone.now())
    made = attempt(
        form, lambda: kind.save(club, rows_of(kind, form.content, form.matched), agreement)
    )
    if made is None:
        return None
    messages.success(request, kind.words(len(made)) % {"n": len(made)})
    return redirect(kind.back, club.slug, *kind.about)


def _start_job(
    request: HttpRequest, club: Club, kind: Import, job_kind: Job.Kind, form: SheetForm
) -> HttpResponse:
    """Start the job of a large sheet, and lead to its page; the form where that was refused."""
    job = attempt(form, lambda: _job(request, club, job_kind, form))
    if job is None:
        return _page(request, club, kind, form)
    return redirect("job", club.slug, job.public_id)


def is_small(content: bytes) -> bool:
    """Whether a sheet is small enough to import during the request, judged without reading it."""
    if len(content) > AT_ONCE_BYTES:
        return False
    if content.startswith(b"PK\x03\x04"):
        try:
            with zipfile.ZipFile(BytesIO(content)) as packed_sheet:
                return sum(part.file_size for part in packed_sheet.infolist()) <= AT_ONCE_BYTES
        except (zipfile.BadZipFile, NotImplementedError, ValueError):
            return True  # refused when it is read
    if is_notation(content):
        return True
    lines = max(content.count(b"\n"), content.count(b"\r"))
    return lines <= AT_ONCE_ROWS


def rows_of(kind: Import, content: bytes, match: Match = NO_MATCH) -> list[Row]:
    """The rows of a file, or a refusal at the field of the file."""
    if kind.notation and is_notation(content):
        return notation_rows(content, match)
    return read_rows(content, kind.sheet, most=kind.most, match=match)


def render_preview(
    club: Club, kind: Import, preview: Preview, also: Sequence[int] = ()
) -> RenderedPreview:
    """The rendered preview; `also` are the lines that were ticked before."""
    form = {"also": {"value": [str(number) for number in also]}}
    context = {"club": club, "found": preview, "form": form}
    part = render_to_string(f"exchange/_{kind.what}_found.html", context)
    if preview.troubles:
        return RenderedPreview(part, has_troubles=True)
    return RenderedPreview(
        part, preview.agreed if preview.new or kind.kind == Job.Kind.IMPORT_PEOPLE else ""
    )


def page_context(club: Club, kind: Import, seen: RenderedPreview | None) -> dict[str, Any]:
    """The context of every page of an import."""
    example = "league_example" if kind.about else "example_sheet"
    return {
        "club": club,
        "here": "leagues" if kind.about else kind.back,
        "what": kind.what,
        "address": reverse(f"import_{kind.what}", args=[club.slug, *kind.about]),
        "back_url": reverse(kind.back, args=[club.slug, *kind.about]) if kind.about else "",
        "back_name": kind.about_name,
        "examples": [
            reverse(example, args=[club.slug, *kind.about, kind.what, file_kind])
            for file_kind in SHEETS
        ],
        "needed": column_labels(kind.needed),
        "columns": column_labels(kind.columns),
        "seen": seen,
    }


def _job(request: HttpRequest, club: Club, job_kind: Job.Kind, form: SheetForm) -> Job:
    """Start the job that previews the sheet, or saves what was agreed to."""
    agreed, also = form.cleaned_data["agreed"], form.cleaned_data["also"]
    return start_job(
        club,
        Work(job_kind, ORDER if agreed else LOOK, Role.Rank.ORGANISER),
        by=actor_of(request),
        params={"agreed": agreed, "also": also, "match": form.matched.to_text()},
        upload=form.content,
    )


def _preview(club: Club, kind: Import, form: SheetForm) -> RenderedPreview | None:
    def preview() -> RenderedPreview:
        found = kind.preview(club, rows_of(kind, form.content, form.matched), timezone.now())
        return render_preview(club, kind, found, form.cleaned_data["also"])

    if not hasattr(form, "refused"):
        return attempt(form, preview) if form.is_bound else None
    try:  # what was refused on saving comes back with the file and all answers
        return preview()
    except Refused:
        return None


def _questions_page(
    request: HttpRequest, club: Club, kind: Import, form: SheetForm, questions: Form
) -> HttpResponse:
    context = page_context(club, kind, None)
    context |= {"form": questions, "carried": packed(form.content)}
    context["match"] = form.matched.to_text()
    status = 422 if questions.errors else 200
    return render(request, "exchange/questions.html", context, status=status)


def _page(
    request: HttpRequest,
    club: Club,
    kind: Import,
    form: SheetForm,
    seen: RenderedPreview | None = None,
) -> HttpResponse:
    form.fields["file"].required = True  # the page asks for another file
    refused = getattr(form, "refused", None)
    has_errors = bool(form.errors) or bool(seen and seen.has_troubles)
    status = refused.status if refused else 422 if has_errors else 200
    context = page_context(club, kind, seen)
    context |= {"form": form, "carried": packed(form.content) if seen else ""}
    context |= {"match": form.matched.to_text(), "matched": form.matched}
    has_jobs = not form.is_bound and kind.kind is not None
    context["jobs"] = visible_jobs(club, rank_of(request)) if has_jobs else []
    return render(request, f"exchange/{kind.what}.html", context, status=status)
