"""Pages of players: listing, adding, editing, merging and erasing; and the user's own account."""

import re
from dataclasses import replace
from functools import partial
from typing import Any, cast

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth import logout
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import (
    require_GET,
    require_http_methods,
    require_POST,
)
from django_tables2 import RequestConfig

from league.access import UNSENT_FORM, ClubRequest, club_page, rank_of, reaches, signed_in
from league.errors import attempt, form_page
from league.members import actions, queries
from league.members.actions.erasing import closes_account, mentions_of, reason_not_to_erase
from league.members.actions.people import (
    FIELDS,
    LEAVING_NOTES,
    choose_appearance,
    is_to_be_added,
)
from league.members.audit import actor_of
from league.members.forms.people import (
    AccountForm,
    AddMemberForm,
    AppearanceForm,
    EditMemberForm,
    EraseForm,
    LinkAccountForm,
    MergeForm,
    PasteForm,
)
from league.members.languages import in_language, keep_choice
from league.members.models import Club, Member, User, public_name
from league.members.paste import Line, couples_in, digest, notes_in
from league.members.sign_in import wrong_passwords
from league.members.tables import PeopleFilter, PeopleTable

GET_POST = ["GET", "POST"]
MOST_MENTIONS = 50


def get_member(club: Club, public_id: str) -> Member:
    """The club's member with this id; 404 if there is none, or they were merged or erased."""
    return get_object_or_404(queries.people_of(club), public_id=public_id)


@require_GET
@club_page("member")
def members(request: HttpRequest, club: Club) -> HttpResponse:
    """The list of players, to search and sort; organisers can add players."""
    player_filter = PeopleFilter(request.GET, queryset=queries.people_of(club))
    may_edit = reaches(rank_of(request), "organiser")
    table = PeopleTable(player_filter.filtered, club=club, may_edit=may_edit)
    RequestConfig(request, paginate={"per_page": 50, "silent": True}).configure(table)
    context = {"club": club, "table": table, "filter": player_filter, "may_edit": may_edit}
    context |= {"form": AddMemberForm(), "here": "members"}
    return render(request, "members/members.html", context)


@require_http_methods(GET_POST)
@club_page("organiser")
def member_add(request: HttpRequest, club: Club) -> HttpResponse:
    """Add a player."""
    form, by = AddMemberForm(request.POST or None), actor_of(request)
    member = attempt(form, lambda: actions.add_member(club, by=by, **form.cleaned_data))
    if member is not None:
        messages.success(request, _("Added %(name)s.") % {"name": member})
        return redirect("members", club.slug)
    refused = getattr(form, "refused", None)
    if refused and refused.asks:
        form.data = request.POST.dict() | {"namesake": refused.details["namesake"]}
        form.data["name"] = refused.details.get("suggestion", form.data["name"])
    context = {"club": club, "form": form, "here": "members"}
    return form_page(request, "members/member_add.html", context)


@require_http_methods(GET_POST)
@club_page("organiser")
def members_paste(request: HttpRequest, club: Club) -> HttpResponse:
    """Add a pasted list of players: first a preview of each line, then all or nothing."""
    form = PasteForm(request.POST or None)
    if form.is_bound and form.is_valid() and form.cleaned_data["agreed"]:
        return _add_list(request, club, form)
    lines = attempt(form, lambda: actions.preview_people(club, text=form.cleaned_data["names"]))
    return _paste_page(request, club, form, lines)


def _add_list(request: HttpRequest, club: Club, form: PasteForm) -> HttpResponse:
    by, text = actor_of(request), form.cleaned_data["names"]
    data = {name: form.cleaned_data[name] for name in ("is_guest", "agreed", "also")}
    data["left_out"] = form.left_out
    lines = actions.preview_people(club, text=text)
    left_out = [
        line.name for line in lines if line.verdict == "like" and line.name not in data["also"]
    ]
    data["apart"] = _names_apart(request, lines)
    added = attempt(form, lambda: actions.add_people(club, text=text, by=by, **data))
    if added is None:
        return _paste_page(request, club, form, lines)
    words = ngettext("Added %(n)d player.", "Added %(n)d players.", len(added))
    messages.success(request, words % {"n": len(added)})
    if left_out:
        words = ngettext(
            "%(names)s was not added: the name looks like one you have already.",
            "%(names)s were not added: the names look like some you have already.",
            len(left_out),
        )
        messages.warning(request, words % {"names": ", ".join(left_out)})
    return redirect("members", club.slug)


def _names_apart(request: HttpRequest, lines: list[Line]) -> dict[int, str]:
    """The names for second players by their line: ticked, or changed from what was suggested."""
    ticked = request.POST.getlist("twice")
    names = {
        line: request.POST.get(f"apart:{line.number}", "").strip() for line in lines if line.apart
    }
    return {
        line.number: name
        for line, name in names.items()
        if str(line.number) in ticked or name not in ("", line.apart)
    }


def _with_typed_names(request: HttpRequest, lines: list[Line]) -> list[Line]:
    """The lines with the names typed for second players in place of those suggested."""
    return [
        replace(line, apart=request.POST.get(f"apart:{line.number}", line.apart))
        if line.apart
        else line
        for line in lines
    ]


def _paste_page(
    request: HttpRequest, club: Club, form: PasteForm, lines: list[Line] | None
) -> HttpResponse:
    context: dict[str, Any] = {"club": club, "form": form, "here": "members"}
    if lines:
        also, left_out = form["also"].value() or [], form.left_out
        to_add = [line for line in lines if is_to_be_added(line, also, left_out)]
        context["apart"] = apart = _names_apart(request, lines)
        context["new"] = len(to_add) + len(apart)
        context["lines"] = _with_typed_names(request, lines)
        context["ticked"] = request.POST.getlist("twice")
        context["agreed"] = digest(lines)
        context["asks"] = any(line.asks or line.apart for line in lines)
        context["bad"] = sum(line.verdict == "bad" for line in lines)
        context["couples"] = couples_in(form["names"].value())
        context["notes"] = notes_in(form["names"].value())
        context["like"] = sum(line.verdict == "like" for line in lines)
    return form_page(request, "members/paste.html", context)


@require_http_methods(GET_POST)
@club_page("organiser")
def member_edit(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Edit a player; links to everything else that can be done with them."""
    member, by = get_member(club, public_id), actor_of(request)
    form = EditMemberForm(request.POST or None, initial=_initial_values(member))
    if attempt(form, lambda: actions.edit_member(member, by=by, **form.cleaned_data)) is None:
        return _member_page(request, member, form)
    messages.success(request, _("Saved."))
    return redirect("member_edit", club.slug, public_id)


@require_POST
@club_page("organiser")
def member_account(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Link a player to an account."""
    member, by = get_member(club, public_id), actor_of(request)
    form = LinkAccountForm(request.POST)
    if attempt(form, lambda: actions.link_account(member, by=by, **form.cleaned_data)) is None:
        return _member_page(
            request, member, EditMemberForm(initial=_initial_values(member)), account=form
        )
    messages.success(request, _("Saved."))
    return redirect("member_edit", club.slug, public_id)


def _initial_values(member: Member) -> dict[str, Any]:
    return {field: getattr(member, field) for field in FIELDS}


def _member_page(
    request: HttpRequest,
    member: Member,
    form: EditMemberForm,
    *,
    account: LinkAccountForm | None = None,
) -> HttpResponse:
    account = account or LinkAccountForm(initial={"username": member.user and member.user.username})
    context = {"club": member.club, "member": member, "form": form, "account": account}
    submitted = account if account.errors else form
    page = form_page(request, "members/member_edit.html", {**context, "here": "members"})
    page.status_code = 422 if submitted.errors else page.status_code
    return page


@require_POST
@club_page("organiser")
def member_deactivate(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Deactivate a player; results stay."""
    member = get_member(club, public_id)
    actions.retire_member(member, by=actor_of(request), at=timezone.now())
    messages.success(request, _("Deactivated %(name)s.") % {"name": member})
    for text in filter(None, (note(member) for note in LEAVING_NOTES)):
        messages.warning(request, text)
    return redirect("member_edit", club.slug, public_id)


@require_POST
@club_page("organiser")
def member_reactivate(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Reactivate a player."""
    member = get_member(club, public_id)
    actions.return_member(member, by=actor_of(request))
    messages.success(request, _("Reactivated %(name)s.") % {"name": member})
    return redirect("member_edit", club.slug, public_id)


@require_POST
@club_page("organiser")
def member_admit(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Make a guest a member."""
    member = get_member(club, public_id)
    actions.admit_guest(member, by=actor_of(request))
    messages.success(request, _("%(name)s is now a member.") % {"name": member})
    return redirect("member_edit", club.slug, public_id)


@require_http_methods(GET_POST)
@club_page("organiser")
def member_merge(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Merge two rows of one person; the user chooses the name to keep."""
    member = get_member(club, public_id)
    similar_names = queries.similar_names(member)
    form = MergeForm(member, similar_names, request.POST or None)
    merged = attempt(form, lambda: _merge(form, member, request))
    if merged is not None:
        messages.success(request, _("Merged. Both are now %(name)s.") % {"name": merged})
        return redirect("member_edit", club.slug, merged.public_id)
    context = {
        "club": club,
        "member": member,
        "form": form,
        "alike": similar_names,
        "here": "members",
    }
    return form_page(request, "members/member_merge.html", context)


def _merge(form: MergeForm, member: Member, request: HttpRequest) -> Member:
    pair = (form.cleaned_data["other"], member)
    target, source = pair if form.cleaned_data["stays"] == "other" else pair[::-1]
    return actions.merge_members(source, into=target, by=actor_of(request), at=timezone.now())


@require_http_methods(GET_POST)
@club_page("organiser")
def member_erase(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Erase a person's data. The name has to be typed, because it can't be undone."""
    member, by = get_member(club, public_id), actor_of(request)
    form = EraseForm(member, request.POST or None)
    if attempt(form, lambda: actions.erase_member(member, by=by, at=timezone.now())) is not None:
        messages.success(request, _("Erased the personal data. The results stay."))
        return redirect("members", club.slug)
    context = {"club": club, "member": member, "form": form, "here": "members"}
    context["refusal"] = "" if form.is_bound else reason_not_to_erase(member)
    mentions = mentions_of(member)
    context |= {"mentions": mentions[:MOST_MENTIONS], "more": len(mentions) - MOST_MENTIONS}
    return form_page(request, "members/member_erase.html", context)


@require_http_methods(GET_POST)
@club_page("member")
@reauthentication_required
def erase_me(request: ClubRequest, club: Club) -> HttpResponse:
    """Erase the user's own player; 404 for an account without one in the club."""
    user, by = cast(User, request.user), actor_of(request)
    member = queries.player_of(club, user)
    if member is None:
        raise Http404
    form = EraseForm(member, request.POST or None)
    erase = partial(actions.erase_myself, member, by=by, at=timezone.now())
    if attempt(form, erase) is not None:
        if not User.objects.filter(pk=user.pk, is_active=True).exists():
            logout(request)
        sentence = _("Your name is erased and you have left %(club)s.") % {"club": club}
        messages.success(request, sentence)
        return redirect("home")
    context = {"club": club, "member": member, "form": form, "here": "account"}
    context["closes"] = closes_account(member, user)
    context["refusal"] = "" if form.is_bound else reason_not_to_erase(member)
    return form_page(request, "members/erase_me.html", context)


@require_http_methods(GET_POST)
@signed_in
@reauthentication_required
def account_close(request: HttpRequest) -> HttpResponse:
    """Close the user's account once it is in no club and plays in none."""
    if request.method == "GET":
        return render(request, "members/account_close.html", {"here": "account"})
    actions.close_account(cast(User, request.user))
    logout(request)
    messages.success(request, _("Your account is closed."))
    return redirect("home")


@require_http_methods(["GET", "POST"])
@signed_in
def you(request: HttpRequest) -> HttpResponse:
    """The user's account: display name, language, clubs, and links to its security settings."""
    user = cast(User, request.user)
    initial = {"display_name": user.display_name, "language": user.language}
    form = AccountForm(request.POST or None, initial=initial)
    if attempt(form, lambda: actions.change_account(user, **form.arguments)) is not None:
        with in_language(user.language, get_language() or ""):
            messages.success(request, _("Saved."))
        response = redirect("you")
        keep_choice(response, user)
        return response
    context = {"form": form, "clubs": queries.clubs_of(user), "players": queries.players_of(user)}
    context |= {"here": "account", "wrong_passwords": wrong_passwords(user)}
    return form_page(request, "members/you.html", context)


@require_http_methods(["GET", "POST"])
@club_page("member")
def my_appearance(request: ClubRequest, club: Club) -> HttpResponse:
    """How the public sees the user's name in this club; 404 without a player in it."""
    member = queries.player_of(club, request.user)
    if member is None:
        raise Http404
    form = AppearanceForm(request.POST or None, initial={"shown": member.shown})

    def choose() -> Member:
        return choose_appearance(member, form.cleaned_data["shown"], by=actor_of(request))

    if attempt(form, choose) is not None:
        messages.success(request, _("Saved."))
        return redirect("my_appearance", club.slug)
    context = {"club": club, "form": form, "public_name": public_name(member, club, None)}
    context |= {"usual": Club.Names(club.names_in_public).label}
    return form_page(request, "members/appearance.html", context)


CODE = re.compile(r"\s*|[a-z0-9_.:-]+|(?![A-Z]?[a-z]+$)[\w-]{12}", re.ASCII)
"""The value of a choice, a date, a number or an id in a form, and not text that a user typed."""


@require_http_methods(GET_POST)
@signed_in
def typed_again(request: HttpRequest) -> HttpResponse:
    """The texts of a form submitted after the sign-in had expired; POST discards them."""
    unsent_form = request.session.get(UNSENT_FORM)
    if request.method == "POST":
        request.session.pop(UNSENT_FORM, None)
    if request.method == "POST" or not unsent_form:
        return redirect("home")
    texts = [text for _name, text in unsent_form["fields"] if not CODE.fullmatch(text)]
    return render(request, "members/typed_again.html", {"typed": unsent_form, "shown": texts})
