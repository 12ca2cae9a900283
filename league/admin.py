"""The admin site, for the person who runs the server: accounts can be changed, everything else is
read-only.

Scores, players and rules are changed on the club's own pages, which check and log every change.
The admin uses the site's own sign-in, with its limits and its second step.
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


class ReadOnlyAdmin(admin.ModelAdmin):
    """Rows to search and read; they are changed on the club's pages."""

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
    """Accounts, to help users back in or deactivate them. They are never deleted."""

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
class ClubAdmin(ReadOnlyAdmin):
    """Clubs; whether one is listed on the front page is decided here."""

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
class RoleAdmin(ReadOnlyAdmin):
    list_display = ("club", "user", "rank", "given_at")
    list_filter = ("rank",)
    list_select_related = ("club", "user")
    search_fields = ("club__name", "user__username")


@admin.register(Member)
class MemberAdmin(ReadOnlyAdmin):
    list_display = ("name", "club", "is_guest", "retired_at", "merged_into")
    list_select_related = ("club", "merged_into")
    search_fields = ("name", "club__name")


@admin.register(ClubRuleset)
class RulesetAdmin(ReadOnlyAdmin):
    list_display = ("name", "players", "version", "club", "is_default", "retired", "made_at")
    list_select_related = ("club",)
    search_fields = ("name", "club__name")


@admin.register(Session)
class SessionAdmin(ReadOnlyAdmin):
    list_display = ("name", "club", "held_on", "state", "revision")
    list_filter = ("state",)
    list_select_related = ("club",)
    search_fields = ("name", "club__name", "public_id")


@admin.register(AuditEntry)
class AuditAdmin(ReadOnlyAdmin):
    list_display = ("at", "club", "actor", "action", "subject", "source")
    list_select_related = ("club",)
    search_fields = ("actor", "action", "subject")
