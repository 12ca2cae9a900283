"""Pages of the club's own laptop: first start, management, backups, connecting phones.

Phones return hands of tables that a restored club does not have.
"""

import shutil
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from allauth.account.utils import perform_login
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league import limits
from league.errors import Refused, attempt, form_page
from league.exchange import demo_club
from league.laptop import actions, backups
from league.laptop.access import (
    before_first_account,
    for_organisers,
    for_owners,
    latest_contacts,
    on_laptop,
    on_this_computer,
)
from league.laptop.forms import FirstClubForm, NewPasswordForm, RestoreForm, ReturnedHandsForm
from league.laptop.place import Place
from league.members.audit import Actor, actor_of, club_language
from league.members.models import AuditEntry, Club, User
from league.members.queries import listed_clubs
from league.network import (
    NAME,
    codes_use_name,
    own_addresses,
    previous_address,
    use_name_in_codes,
)
from league.play.auth import form_post, table_in_cookie, table_qr
from league.play.returned_hands import enter_returned_hands, returned_tables, store_returned_hands
from league.seating.models import Table
from league.sessions.models import Session

ALMOST_FULL = 500_000_000  # bytes


@require_safe
@on_this_computer
def here(request: HttpRequest, run: str) -> HttpResponse:
    """Confirm to a second start that this is the server it looks for.

    Answers with the process id, so that a server left running can be ended.
    """
    if not constant_time_compare(run, settings.LAPTOP_RUN):
        raise Http404
    return HttpResponse(str(actions.server_process()), content_type="text/plain")


@require_safe
@never_cache
@before_first_account
def first_run(request: HttpRequest) -> HttpResponse:
    """Choose to start a new club, restore one, or look at the demo."""
    return render(request, "laptop/first_run.html")


@require_http_methods(["GET", "POST"])
@never_cache
@before_first_account
def first_club(request: HttpRequest) -> HttpResponse:
    """Create the club and its first account."""
    form = FirstClubForm(request.POST or None)
    result = attempt(
        form, lambda: actions.first_club(username=form.username(), **form.cleaned_data)
    )
    if result is None:
        return form_page(request, "laptop/first_club.html", {"form": form})
    club, user = result
    perform_login(request, user, email_verification="none")
    sentence = _("%(club)s is ready. Sign in as “%(name)s” next time.")
    messages.success(request, sentence % {"club": club, "name": user.username})
    return redirect("recovery_sheet")


@require_POST
@before_first_account
def first_demo(request: HttpRequest) -> HttpResponse:
    """Start the demo as a second site beside this one."""
    actions.open_demo()
    return render(request, "laptop/demo_opens.html")


@require_safe
@never_cache
@on_this_computer
def demo(request: HttpRequest) -> HttpResponse:
    """Choose an account of the demo."""
    _refuse_outside_demo()
    return render(request, "laptop/demo.html", {"accounts": demo_club.ACCOUNTS, "here": "demo"})


@require_POST
@on_this_computer
def demo_enter(request: HttpRequest, username: str) -> HttpResponse:
    """Sign in to the demo with one of its accounts."""
    _refuse_outside_demo()
    user = User.objects.filter(username=username).first()
    if user is None:
        raise Http404
    perform_login(request, user, email_verification="none")
    return redirect("club", demo_club.SLUG)


def _refuse_outside_demo() -> None:
    if settings.LAPTOP != "demo":
        raise Http404


@require_safe
@for_organisers
@on_this_computer
def computer(request: HttpRequest) -> HttpResponse:
    """The page about this computer: its data, its backups, the button that closes the site."""
    return _computer_page(request)


def _computer_page(request: HttpRequest, *, failed: bool = False) -> HttpResponse:
    """The page about this computer; `failed` says that the backup just requested has failed."""
    context = {"folder": settings.DATA_FOLDER, "here": "computer", "failed": failed}
    now = timezone.now()
    returned = returned_tables(at=now)
    context |= returned_counts(at=now) | {"returned_tables": returned}
    context["to_be_made"] = [table for table in returned if table.played is None]
    context["moved"] = previous_address()
    context |= backup_context(settings.DATA_FOLDER)
    return render(request, "laptop/computer.html", context, status=503 if failed else 200)


@require_POST
@for_organisers
@on_this_computer
def enter_hands(request: HttpRequest, table: str) -> HttpResponse:
    """Enter the hands that phones returned of a table missing from the backup."""
    now = timezone.now()
    tables = [row for row in returned_tables(at=now) if row.id == table]
    if not tables:
        raise Http404
    try:
        entered = enter_returned_hands(tables[0], by=actor_of(request), at=now)
    except Refused as refused:
        messages.error(request, str(refused.message))
        return redirect("computer")
    sentence = ngettext("Entered %(n)d hand.", "Entered %(n)d hands.", entered)
    messages.success(request, sentence % {"n": entered})
    return redirect("computer")


@require_POST
@for_organisers
@on_this_computer
def close(request: HttpRequest) -> HttpResponse:
    """Close Right Bower on this computer."""
    actions.close_site()
    return render(request, "laptop/closed.html")


def backup_context(folder: Path) -> dict[str, Any]:
    """The template context about backups: the newest one, its status, disk space, second place."""
    place = Place(folder)
    file = backups.newest_backup(place)
    newest = datetime.fromtimestamp(file.stat().st_mtime, UTC) if file else None
    free_bytes = shutil.disk_usage(folder).free
    return {
        "free": free_bytes if free_bytes < ALMOST_FULL else None,
        "status": backups.status(place),
        "newest": newest,
        "backups": place.backups,
        "second": backups.second_place(place),
        "has_sheet": (folder / backups.RECOVERY).exists(),
    }


def returned_counts(*, at: datetime) -> dict[str, int]:
    """The numbers of hands that phones returned in the last day, and of those phones.

    Hands that the organiser entered for a table's phone count as that phone's.
    """
    entries = AuditEntry.objects.filter(action="record hand", at__gte=at - timedelta(days=1))
    senders = list(
        entries.filter(new__came_back=True).values_list("session", "subject", "actor", "source")
    )
    return {"hands_back": len(senders), "phones_back": len(set(senders))}


@require_http_methods(["GET", "POST"])
@for_owners
@on_this_computer
def second_place(request: HttpRequest) -> HttpResponse:
    """Choose where a copy of every backup goes; the first copy is made at once."""
    place, places = Place(settings.DATA_FOLDER), backups.possible_places()
    chosen = backups.second_place(place)
    if chosen and chosen not in places:  # a stick that is not plugged in
        places.append(chosen)
    if request.method == "POST":
        folder = {str(folder): folder for folder in places}.get(request.POST.get("place", ""))
        backups.choose_second_place(place, folder)
        if folder:
            backups.make_backup(place, at=datetime.now(UTC))
        messages.success(request, _("Saved."))
        return redirect("computer")
    context = {"places": places, "chosen": chosen}
    return render(request, "laptop/second_place.html", context | {"here": "computer"})


@require_http_methods(["GET", "POST"])
@never_cache
@for_owners
@on_this_computer
def recovery_sheet(request: HttpRequest) -> HttpResponse:
    """Show the words of a new recovery sheet to print; they cannot be shown again."""
    clubs = list(Club.objects.order_by("name"))
    next_url = reverse("club", args=[clubs[0].slug]) if len(clubs) == 1 else reverse("home")
    context: dict[str, Any] = {"here": "computer", "go_on": next_url}
    if request.method == "POST":
        context |= {"words": actions.new_sheet(), "on": timezone.localdate()}
        context |= {"clubs": clubs, "user_name": request.user.username}
        return render(request, "laptop/recovery_words.html", context)
    context["has_sheet"] = backup_context(settings.DATA_FOLDER)["has_sheet"]
    return render(request, "laptop/recovery_sheet.html", context)


@require_http_methods(["GET", "POST"])
@never_cache
@on_this_computer
def forgotten_password(request: HttpRequest) -> HttpResponse:
    """Set a new password with the words of the recovery sheet, without email."""
    form = NewPasswordForm(request.POST or None)
    user = attempt(form, lambda: actions.new_password(**form.cleaned_data))
    if user is None:
        has_sheet = (settings.DATA_FOLDER / backups.RECOVERY).exists()
        context = {"form": form, "has_sheet": has_sheet, "command": actions.password_command()}
        return form_page(request, "laptop/forgotten_password.html", context)
    sentence = _("New password set. Sign in as “%(name)s”.") % {"name": user.username}
    messages.success(request, sentence)
    return redirect("account_login")


@require_http_methods(["GET", "POST"])
@never_cache
@before_first_account
def restore(request: HttpRequest) -> HttpResponse:
    """Restore a club on this computer from a backup file."""
    form = RestoreForm(request.POST or None, request.FILES or None)
    with tempfile.TemporaryDirectory(dir=settings.DATA_FOLDER) as folder:
        uploaded = Path(folder) / "backup"

        def save_and_restore() -> dict[str, bool]:
            with uploaded.open("wb") as file:
                shutil.copyfileobj(form.cleaned_data["file"], file)
            return {"same_codes": actions.restore(uploaded, words=form.cleaned_data["words"])}

        context = attempt(form, save_and_restore)
    if context is None:
        return form_page(request, "laptop/restore.html", {"form": form})
    actions.restart()
    return render(request, "laptop/restoring.html", context)


@require_POST
@for_organisers
def back_up_now(request: HttpRequest) -> HttpResponse:
    """Make a backup now."""
    backup = backups.make_backup(Place(settings.DATA_FOLDER), at=datetime.now(UTC))
    if backup is None:  # shown on this page, since a full disk could not store a message
        return _computer_page(request, failed=True)
    messages.success(request, _("Backup made and checked."))
    return redirect("computer")


OFFERS = limits.Limit(most=60, within=10 * limits.MINUTE)


@dataclass(frozen=True)
class Route:
    """An address by which a phone may reach this computer."""

    host: str

    @property
    def address(self) -> str:
        return f"http://{self.host}:{settings.PORT}"

    @property
    def code(self) -> SafeString:
        """The code to scan, for the page that says “you are through”."""
        return mark_safe(table_qr(self.address + reverse("phone_came")))  # noqa: S308


@require_safe
@never_cache
@for_organisers
def phones(request: HttpRequest) -> HttpResponse:
    """The codes to scan, and help for phones that cannot connect."""
    routes = [Route(address) for address in own_addresses()]
    context = {
        "ways": routes,
        "name": Route(NAME),
        "uses_name": codes_use_name(),
        "here": "computer",
    }
    context |= {"before": previous_address()}
    return render(request, "laptop/phones.html", context | {"came": latest_contacts()})


@require_safe
@never_cache
@for_organisers
def phones_came(request: HttpRequest) -> HttpResponse:
    """The part of that page about phones that got through, and about a changed address."""
    has_moved = request.GET.get("at", "") not in ["", *own_addresses()]
    context = {"came": latest_contacts(), "has_moved": has_moved}
    return render(request, "laptop/_came.html", context)


@require_safe
@never_cache
@on_laptop
def phone_came(request: HttpRequest) -> HttpResponse:
    """The page that tells a phone that it is connected."""
    return render(request, "laptop/phone_came.html", {"clubs": listed_clubs()[:20]})


@require_POST
@for_organisers
def codes_by(request: HttpRequest) -> HttpResponse:
    """Choose whether codes to scan contain this computer's name or its address."""
    by_name = request.POST.get("by") == "name"
    use_name_in_codes(by_name)
    sentence = _("New codes use the name.") if by_name else _("New codes use the address.")
    messages.success(request, sentence)
    return redirect("phones")


@form_post
@on_laptop
def table_copies(request: HttpRequest, public_id: str) -> JsonResponse:
    """Store the hands that a phone still has of a table that is missing here.

    The phone's cookie, signed with the club's key, shows that it was admitted to the table.
    """
    limits.refuse_over(f"copies:{limits.network_of(request)}", OFFERS)
    form = ReturnedHandsForm(request.POST)
    has_table = Table.objects.filter(public_id=public_id).exists()
    if has_table or table_in_cookie(request) != public_id or not form.is_valid():
        raise Http404
    data = form.cleaned_data
    sessions = Session.objects.select_related("club")
    session = get_object_or_404(sessions, public_id=data.pop("session"))
    with club_language(session.club):
        label = _("phone at table %(number)d") % {"number": data["number"]}
    by = Actor(label, source=request.META.get("REMOTE_ADDR", ""))
    store_returned_hands(session, public_id, **data, by=by, at=timezone.now())
    return JsonResponse({"noted": len(data["hands"])})
