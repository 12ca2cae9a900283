"""A sheet's page: the file, then what it would do before anything is done, then all of it or
nothing. A small sheet is answered at once; a large one is worked on beside the pages."""

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
from league.errors import attempt
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
# What is answered at once: a list of a large club. Looking at more takes its time, and the others
# would wait for it where one process answers everybody.
AT_ONCE_ROWS = 200
AT_ONCE_BYTES = 200_000  # unpacked
LOOK, ORDER = "league.exchange.views.files.look_at_sheet", "league.exchange.views.files.order_sheet"


class Preview(Protocol):
    """What a sheet would do; nothing, where it has troubles."""

    @property
    def troubles(self) -> list[Trouble]: ...

    @property
    def agreed(self) -> str: ...

    @property
    def new(self) -> Sized | int: ...


@dataclass(frozen=True, slots=True)
class Agreement:
    """The order to do what was seen: `agreed` is the mark of it, `also` the lines beside it."""

    agreed: str
    also: Sequence[int]
    by: Actor
    at: datetime


@dataclass(frozen=True, slots=True)
class Import:
    """What one kind of sheet has of its own.

    `what` names its templates, its address and its example, `back` the page it leads back to;
    `passed_over` are columns our own export has besides; `notation` says that EGN and EMN files
    are taken too; `days` are the columns that hold one, `parts` those that can stand for
    another; `unlike` is said of a file that has none of the columns it needs. `look` says what its
    rows would do, `order` does it, `words` tell how many it made. `about` is what its addresses
    have beside the club, named `about_name`. Without a `kind` of job it is always answered at once;
    a sheet has up to `most` lines.
    """

    what: str
    kind: Job.Kind | None
    columns: Sequence[str]
    needed: Sequence[str]
    look: Callable[[Club, list[Row], datetime], Preview]
    order: Callable[[Club, list[Row], Agreement], Sized]
    words: Callable[[int], str]
    back: str = "sessions"
    passed_over: Sequence[str] = ()
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
        known = (*self.columns, *self.passed_over)
        return Columns(known, self.needed, self.days, self.parts)


@dataclass(frozen=True, slots=True)
class Seen:
    """What a look found, as a part of the page; `agreed` is empty where nothing can be ordered."""

    part: str
    agreed: str = ""
    wrong: bool = False


def import_page(request: HttpRequest, club: Club, kind: Import) -> HttpResponse:
    """The form, or what is found in its sheet; after a change meanwhile, what is found now.

    A file that is no sheet stays in the form, with the reason at its field.
    """
    form = SheetForm(request.POST or None, request.FILES or None, notation=kind.notation)
    if form.is_bound and form.is_valid():
        answer = _questions(request, club, kind, form) or _done(request, club, kind, form)
        if answer:
            return answer
    return _page(request, club, kind, form, _seen(club, kind, form))


def _questions(
    request: HttpRequest, club: Club, kind: Import, form: SheetForm
) -> HttpResponse | None:
    """The page that asks what has to be known about the file; None where all is known."""
    if form.cleaned_data["agreed"]:
        return None
    questions = attempt(form, lambda: questions_of(request, club, kind, form))
    return _questions_page(request, club, kind, form, questions) if questions else None


def _done(request: HttpRequest, club: Club, kind: Import, form: SheetForm) -> HttpResponse | None:
    """The answer where the work was done or begun; None where the page has to show what is found
    in the sheet."""
    if not form.is_valid():  # refused while its questions were read
        return None
    if kind.kind is not None and not is_small(form.content):
        return _begun(request, club, kind, kind.kind, form)
    data = form.cleaned_data
    if not data["agreed"]:
        return None
    agreement = Agreement(data["agreed"], data["also"], actor_of(request), timezone.now())
    made = attempt(
        form, lambda: kind.order(club, rows_of(kind, form.content, form.matched), agreement)
    )
    if made is None:
        return None
    messages.success(request, kind.words(len(made)) % {"n": len(made)})
    return redirect(kind.back, club.slug, *kind.about)


def _begun(
    request: HttpRequest, club: Club, kind: Import, work: Job.Kind, form: SheetForm
) -> HttpResponse:
    """The page of the job that works on a large sheet, or the form where none could be started."""
    job = attempt(form, lambda: _beside(request, club, work, form))
    if job is None:
        return _page(request, club, kind, form)
    return redirect("job", club.slug, job.public_id)


def is_small(content: bytes) -> bool:
    """Whether a sheet is small enough to be checked and saved at once, without reading it."""
    if len(content) > AT_ONCE_BYTES:
        return False
    if content.startswith(b"PK\x03\x04"):
        try:
            with zipfile.ZipFile(BytesIO(content)) as packed_sheet:
                return sum(part.file_size for part in packed_sheet.infolist()) <= AT_ONCE_BYTES
        except (zipfile.BadZipFile, NotImplementedError, ValueError):
            return True  # refused at the first look
    if is_notation(content):
        return True
    lines = max(content.count(b"\n"), content.count(b"\r"))
    return lines <= AT_ONCE_ROWS


def rows_of(kind: Import, content: bytes, match: Match = NO_MATCH) -> list[Row]:
    """The rows of a file, or a refusal at the field of the file."""
    if kind.notation and is_notation(content):
        return notation_rows(content, match)
    return read_rows(content, kind.sheet, most=kind.most, match=match)


def seen_of(club: Club, kind: Import, preview: Preview, also: Sequence[int] = ()) -> Seen:
    """What is shown of a look; `also` are the lines that were ticked before."""
    ticked = {"also": {"value": [str(number) for number in also]}}
    context = {"club": club, "found": preview, "form": ticked}
    part = render_to_string(f"exchange/_{kind.what}_found.html", context)
    if preview.troubles:
        return Seen(part, wrong=True)
    return Seen(part, preview.agreed if preview.new or kind.kind == Job.Kind.IMPORT_PEOPLE else "")


def page_context(club: Club, kind: Import, seen: Seen | None) -> dict[str, Any]:
    """What every page of an import shows."""
    example = "league_example" if kind.about else "example_sheet"
    return {
        "club": club,
        "here": "leagues" if kind.about else kind.back,
        "what": kind.what,
        "address": reverse(f"import_{kind.what}", args=[club.slug, *kind.about]),
        "back_url": reverse(kind.back, args=[club.slug, *kind.about]) if kind.about else "",
        "back_name": kind.about_name,
        "examples": [
            reverse(example, args=[club.slug, *kind.about, kind.what, one]) for one in SHEETS
        ],
        "needed": column_labels(kind.needed),
        "columns": column_labels(kind.columns),
        "seen": seen,
    }


def _beside(request: HttpRequest, club: Club, work: Job.Kind, form: SheetForm) -> Job:
    """The job that looks at the sheet, or does what was agreed to."""
    agreed, also = form.cleaned_data["agreed"], form.cleaned_data["also"]
    return start_job(
        club,
        Work(work, ORDER if agreed else LOOK, Role.Rank.ORGANISER),
        by=actor_of(request),
        params={"agreed": agreed, "also": also, "match": form.matched.to_text()},
        upload=form.content,
    )


def _seen(club: Club, kind: Import, form: SheetForm) -> Seen | None:
    def look() -> Seen:
        preview = kind.look(club, rows_of(kind, form.content, form.matched), timezone.now())
        return seen_of(club, kind, preview, form.cleaned_data["also"])

    refused = getattr(form, "refused", None)
    if refused and refused.status == 409:
        return look()
    return attempt(form, look) if form.is_bound else None


def _questions_page(
    request: HttpRequest, club: Club, kind: Import, form: SheetForm, questions: Form
) -> HttpResponse:
    context = page_context(club, kind, None)
    context |= {"form": questions, "carried": packed(form.content)}
    context["match"] = form.matched.to_text()
    status = 422 if questions.errors else 200
    return render(request, "exchange/questions.html", context, status=status)


def _page(
    request: HttpRequest, club: Club, kind: Import, form: SheetForm, seen: Seen | None = None
) -> HttpResponse:
    form.fields["file"].required = True  # what is shown asks for another file
    refused = getattr(form, "refused", None)
    wrong = bool(form.errors) or bool(seen and seen.wrong)
    status = refused.status if refused else 422 if wrong else 200
    context = page_context(club, kind, seen)
    context |= {"form": form, "carried": packed(form.content) if seen else ""}
    context |= {"match": form.matched.to_text(), "matched": form.matched}
    here = [] if form.is_bound or kind.kind is None else visible_jobs(club, rank_of(request))
    context["jobs"] = here
    return render(request, f"exchange/{kind.what}.html", context, status=status)
