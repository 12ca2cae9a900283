"""The server keeper's desk: accounts to help with, and everything else to look at only.

Scores, people and rules are changed on the club's own pages, which check and note every change.
Signing in here goes the way of everybody else: limited attempts, and a second step where set up.
"""

from typing import Any

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from league.members.account_mail import confirm_address_of
from league.members.models import AuditEntry, Club, ClubRuleset, Member, Role, User
from league.sessions.models import Session

admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
admin.site.site_header = "Right Bower"
admin.site.site_title = "Right Bower"
admin.site.unregister(Group)


class ToLookAt(admin.ModelAdmin):
    """Rows to find and read; the club's pages are where they are changed."""

    list_per_page = 50
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(User)
class AccountAdmin(UserAdmin):
    """Accounts: help somebody back in, or switch an account off. Never deleted."""

    fieldsets = (
        (None, {"fields": ("username", "password")}),
        (_("Person"), {"fields": ("display_name", "email")}),
        (_("Rights on this server"), {"fields": ("is_active", "is_staff", "is_superuser")}),
        (_("Dates"), {"fields": ("last_login", "date_joined")}),
    )
    list_display = ("username", "display_name", "email", "is_active", "is_staff", "last_login")
    list_filter = ("is_active", "is_staff")
    search_fields = ("username", "display_name", "email")
    readonly_fields = ("last_login", "date_joined")
    filter_horizontal = ()

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if "email" in form.changed_data:
            confirm_address_of(obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Club)
class ClubAdmin(ToLookAt):
    """A club is listed on the first page, or not: the one thing about it that is decided here."""

    list_display = ("name", "slug", "time_zone", "visibility", "listed", "made_at")
    list_filter = ("visibility", "listed")
    search_fields = ("name", "slug")
    actions = ("put_on_list", "take_off_list")

    @admin.action(description=_("List on the first page"), permissions=["view"])
    def put_on_list(self, request: HttpRequest, clubs: QuerySet[Club]) -> None:
        clubs.update(listed=True)

    @admin.action(description=_("Do not list on the first page"), permissions=["view"])
    def take_off_list(self, request: HttpRequest, clubs: QuerySet[Club]) -> None:
        clubs.update(listed=False)


@admin.register(Role)
class RoleAdmin(ToLookAt):
    list_display = ("club", "user", "rank", "given_at")
    list_filter = ("rank",)
    list_select_related = ("club", "user")
    search_fields = ("club__name", "user__username")


@admin.register(Member)
class MemberAdmin(ToLookAt):
    list_display = ("name", "club", "is_guest", "retired_at", "merged_into")
    list_select_related = ("club", "merged_into")
    search_fields = ("name", "club__name")


@admin.register(ClubRuleset)
class RulesetAdmin(ToLookAt):
    list_display = ("name", "players", "version", "club", "is_default", "retired", "made_at")
    list_select_related = ("club",)
    search_fields = ("name", "club__name")


@admin.register(Session)
class SessionAdmin(ToLookAt):
    list_display = ("name", "club", "held_on", "state", "revision")
    list_filter = ("state",)
    list_select_related = ("club",)
    search_fields = ("name", "club__name", "public_id")


@admin.register(AuditEntry)
class AuditAdmin(ToLookAt):
    list_display = ("at", "club", "actor", "action", "subject", "source")
    list_select_related = ("club",)
    search_fields = ("actor", "action", "subject")
