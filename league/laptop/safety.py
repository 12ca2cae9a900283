"""The pages by which losing the laptop loses nothing: backups, the recovery sheet, restoring."""

import json
import shutil
import tempfile
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from league.laptop import actions, backups
from league.laptop.access import before_first_account, for_keepers, for_owners, on_this_computer
from league.laptop.forms import NewPasswordForm, RestoreForm
from league.laptop.place import Place
from league.members.models import AuditEntry, Club
from league.members.views.answers import attempt, form_page

ALMOST_FULL = 500_000_000  # bytes


def safety_of(folder: Path) -> dict[str, Any]:
    """What the page of the computer says about backups."""
    place = Place(folder)
    status: dict[str, Any] = {}
    with suppress(OSError, ValueError):
        status = json.loads((folder / "backup-status.json").read_text("ascii"))
        status["at"] = datetime.fromisoformat(status["at"])
    made = sorted(place.backups.glob("right-bower-*.zip"), reverse=True)
    newest = datetime.fromtimestamp(made[0].stat().st_mtime, UTC) if made else None
    free = shutil.disk_usage(folder).free
    return {
        "free": free if free < ALMOST_FULL else None,
        "status": status,
        "newest": newest,
        "backups": place.backups,
        "second": backups.second_place(place),
        "has_sheet": (folder / backups.RECOVERY).exists(),
    }


def came_back(*, at: datetime) -> dict[str, int]:
    """How many hands phones brought back in the last day, and how many phones."""
    entries = AuditEntry.objects.filter(action="record hand", at__gte=at - timedelta(days=1))
    senders = list(entries.filter(new__came_back=True).values_list("actor", "source"))
    return {"hands_back": len(senders), "phones_back": len(set(senders))}


@require_http_methods(["GET", "POST"])
@for_owners
@on_this_computer
def second_place(request: HttpRequest) -> HttpResponse:
    """Choose where a copy of every backup goes."""
    places = backups.possible_places()
    if request.method == "POST":
        chosen = {str(folder): folder for folder in places}.get(request.POST.get("place", ""))
        backups.choose_second_place(Place(settings.DATA_FOLDER), chosen)
        messages.success(request, _("Saved."))
        return redirect("computer")
    context = {"places": places, "chosen": backups.second_place(Place(settings.DATA_FOLDER))}
    return render(request, "laptop/second_place.html", context | {"here": "computer"})


@require_http_methods(["GET", "POST"])
@never_cache
@for_owners
@on_this_computer
def recovery_sheet(request: HttpRequest) -> HttpResponse:
    """The words, once, to print; nobody can show them again."""
    if request.method == "POST":
        context = {"words": actions.new_sheet(), "here": "computer", "on": timezone.localdate()}
        context |= {"clubs": Club.objects.order_by("name"), "user_name": request.user.username}
        return render(request, "laptop/recovery_words.html", context)
    context = {"has_sheet": safety_of(settings.DATA_FOLDER)["has_sheet"], "here": "computer"}
    return render(request, "laptop/recovery_sheet.html", context)


@require_http_methods(["GET", "POST"])
@never_cache
@on_this_computer
def forgotten_password(request: HttpRequest) -> HttpResponse:
    """A new password by the words of the sheet, without any mail."""
    form = NewPasswordForm(request.POST or None)
    user = attempt(form, lambda: actions.new_password(**form.cleaned_data))
    if user is None:
        return form_page(request, "laptop/forgotten_password.html", {"form": form})
    sentence = _("New password set. Sign in as “%(name)s”.") % {"name": user.username}
    messages.success(request, sentence)
    return redirect("account_login")


@require_http_methods(["GET", "POST"])
@never_cache
@before_first_account
def restore(request: HttpRequest) -> HttpResponse:
    """The same club on another computer, from the file of a backup."""
    form = RestoreForm(request.POST or None, request.FILES or None)
    with tempfile.TemporaryDirectory(dir=settings.DATA_FOLDER) as folder:
        uploaded = Path(folder) / "backup"

        def take() -> dict[str, bool]:
            with uploaded.open("wb") as file:
                shutil.copyfileobj(form.cleaned_data["file"], file)
            return {"same_codes": actions.restore(uploaded, words=form.cleaned_data["words"])}

        done = attempt(form, take)
    if done is None:
        return form_page(request, "laptop/restore.html", {"form": form})
    actions.restart()
    return render(request, "laptop/restoring.html", done)


@require_POST
@for_keepers
def back_up_now(request: HttpRequest) -> HttpResponse:
    """A backup at once, for whoever would rather see it."""
    made = backups.make_backup(Place(settings.DATA_FOLDER), at=datetime.now(UTC))
    if made is None:
        messages.error(request, _("The backup failed. Is the disk full?"))
    else:
        messages.success(request, _("Backup made and checked."))
    return redirect("computer")
