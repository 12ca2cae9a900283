"""Forms for players, the user's own account, roles and invitations, and API tokens."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.forms import (
    LoginForm,
    ReauthenticateForm,
    ResetPasswordForm,
    SignupForm,
    default_token_generator,
)
from allauth.account.internal.flows.password_reset import request_password_reset
from allauth.account.internal.templatekit import get_entrance_context_data
from allauth.account.internal.userkit import filter_users_by_email, get_user_by_username
from allauth.core.context import request_context
from django import forms
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import format_html
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from league.members.account_mail import mail_is_set, run_in_background
from league.members.actions.roles import ranks_to_give
from league.members.fields import AnywayField, FormNameField
from league.members.languages import in_language, language_choices
from league.members.models import ApiToken, Club, Member
from league.members.names import LONGEST, name_key, sort_key


class TypedNameField(FormNameField):
    """A name as typed; the action cleans and validates it."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("label", _("Name"))
        kwargs.setdefault("error_messages", {"required": _("Enter a name.")})
        super().__init__(max_length=LONGEST * 4, **kwargs)
        self.widget.attrs.update({"maxlength": str(LONGEST), "autocomplete": "off"})


class AddMemberForm(forms.Form):
    name = TypedNameField()
    is_guest = forms.BooleanField(label=_("Guest"), required=False)
    email = forms.CharField(
        label=_("E-mail"), required=False, max_length=254, widget=forms.EmailInput
    )
    same_name = AnywayField(_("Different player – add anyway"))
    namesake = FormNameField(required=False, widget=forms.HiddenInput)


class EditMemberForm(forms.Form):
    name = TypedNameField()
    same_name = AnywayField(_("Different player – save anyway"))
    email = forms.CharField(
        label=_("E-mail"),
        required=False,
        max_length=254,
        widget=forms.EmailInput,
        help_text=_("Only organisers see it. Mail starts once the player agrees to it."),
    )
    is_guest = forms.BooleanField(label=_("Guest"), required=False)
    is_minor = forms.BooleanField(
        label=_("Under 18"),
        required=False,
        help_text=_("No name in public, unless you choose one below with a guardian's consent."),
    )
    shown = forms.ChoiceField(label=_("Shown in public"), choices=Member.Shown.choices)
    reminders = forms.ChoiceField(
        label=_("Reminded by e-mail"),
        required=False,
        choices=Member.Reminders.choices,
        help_text=_("Only if they asked for it. Members with an account choose for themselves."),
    )

    def clean_reminders(self) -> str:
        return self.cleaned_data["reminders"] or Member.Reminders.NEVER


class AppearanceForm(forms.Form):
    shown = forms.ChoiceField(
        label=_("Shown in public"), choices=Member.Shown.choices, widget=forms.RadioSelect
    )


class TickedNamesField(forms.MultipleChoiceField):
    """The ticked names of a pasted list: a tick stays with its name if the list changes."""

    def __init__(self) -> None:
        super().__init__(required=False)

    def valid_value(self, value: str) -> bool:
        return True  # names that are no longer on the list are ignored


class PasteForm(forms.Form):
    names = forms.CharField(
        label=_("One name per line"), max_length=30_000, strip=False, widget=forms.Textarea
    )
    is_guest = forms.BooleanField(label=_("Add them as guests, not as members"), required=False)
    agreed = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)
    also = TickedNamesField()
    listed = TickedNamesField()
    added = TickedNamesField()

    @property
    def left_out(self) -> list[str]:
        """The new names that were listed with a tick, and lost it."""
        added = self["added"].value() or []
        return [name for name in self["listed"].value() or [] if name not in added]


class LinkAccountForm(forms.Form):
    username = forms.CharField(
        label=_("User name of the account"),
        required=False,
        max_length=150,
        help_text=_("The account needs a role in this club. Leave empty for none."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )


class LinkPlayerForm(forms.Form):
    """The player of an account that has joined the club: one without an account."""

    member = forms.ModelChoiceField(
        label=_("Player"),
        queryset=Member.objects.none(),
        to_field_name="public_id",
        empty_label=_("Choose a player"),
    )

    def __init__(self, club: Club, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.players = club.members.current().filter(user=None)
        self.fields["member"].queryset = self.players  # type: ignore[attr-defined]


class AddLinkedForm(forms.Form):
    """A new player for such an account."""

    name = TypedNameField()
    same_name = AnywayField(_("Different player – add anyway"))


class MergeForm(forms.Form):
    """The other row of the same person, and which name stays."""

    other = forms.ModelChoiceField(
        label=_("Same person as"),
        queryset=Member.objects.none(),
        to_field_name="public_id",
        empty_label=_("Choose a player"),
    )
    stays = forms.ChoiceField(label=_("Name to keep"), widget=forms.RadioSelect)

    def __init__(self, member: Member, similar_names: list[str], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        other_members = member.club.members.filter(merged_into=None, erased_at=None)
        self.fields["other"].queryset = other_members.exclude(pk=member.pk)  # type: ignore[attr-defined]
        self.fields["stays"].choices = [  # type: ignore[attr-defined]
            ("other", _("The other one")),
            ("this", member.name),
        ]
        self.initial.setdefault("stays", "other")
        if similar_names:
            similar_member = (
                other_members.filter(name__in=similar_names).exclude(pk=member.pk).first()
            )
            self.initial.setdefault("other", similar_member.public_id if similar_member else None)


class EraseForm(forms.Form):
    name = forms.CharField(
        label=_("Type the name to confirm"),
        max_length=LONGEST * 4,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, member: Member, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.member = member

    def clean_name(self) -> str:
        """Compare the name typed with the person's, with or without accents."""
        name = str(self.cleaned_data["name"])
        is_same = name_key(name) == name_key(self.member.name)
        plain_name = sort_key(self.member.name)
        if not is_same and not (plain_name and sort_key(name) == plain_name):
            raise forms.ValidationError(
                _("This isn't the name above. Type it exactly as it is there.")
            )
        return name


class RankForm(forms.Form):
    """A choice among the roles that the user may assign."""

    rank = forms.ChoiceField(label=_("Role"))

    def __init__(self, own_rank: str | None, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        ranks = [(rank.value, rank.label) for rank in ranks_to_give(own_rank)]
        self.fields["rank"].choices = ranks  # type: ignore[attr-defined]


class InviteAccountForm(RankForm):
    username = forms.CharField(
        label=_("User name"),
        max_length=150,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )
    field_order = ("username", "rank")


class InviteForm(RankForm):
    member = forms.ModelChoiceField(
        label=_("For"),
        queryset=Member.objects.none(),
        to_field_name="public_id",
        required=False,
        empty_label=_("Anyone with the link"),
        help_text=_("Choose a player to link the account to their results."),
    )

    def __init__(self, club: Club, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = club.members.current().filter(user=None)
        self.fields["member"].queryset = people  # type: ignore[attr-defined]


class TokenForm(forms.Form):
    """An API token's name, and what it allows."""

    name = TypedNameField(
        label=_("What is it for?"), help_text=_("For example “Screen in the bar”.")
    )
    scope = forms.ChoiceField(
        label=_("What it may do"), choices=ApiToken.Scope.choices, widget=forms.RadioSelect
    )


class AccountForm(forms.Form):
    display_name = FormNameField(
        label=_("Name shown to others"),
        required=False,
        max_length=LONGEST,
        help_text=_("Organisers see it in the activity log. Leave empty to use your user name."),
    )
    same_name = AnywayField(_("Different player – save anyway"))
    language = forms.ChoiceField(
        label=_("Language"),
        choices=language_choices,
        required=False,
        help_text=_("For pages and mail."),
    )

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments of `change_account`."""
        data = self.cleaned_data
        return {
            "name": str(data["display_name"]),
            "same_name": data["same_name"],
            "language": data["language"],
        }


class JoinForm(forms.Form):
    """The name by which organisers recognise who joins by the club's link."""

    display_name = FormNameField(
        label=_("The name you play under"),
        required=False,
        max_length=LONGEST,
        help_text=_("An organiser links your account to this player, and so to your results."),
    )
    same_name = AnywayField(_("Different player – save anyway"))

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments of `join_by_link`."""
        data = self.cleaned_data
        return {"name": str(data["display_name"]), "same_name": data["same_name"]}


class SignUpForm(SignupForm):
    """Sign-up, with help for user names and passwords."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].help_text = _(
            "You sign in with it. Letters from a to z and numbers, without spaces."
        )

    def full_clean(self) -> None:
        super().full_clean()
        if self.errors:
            password_field = self["password1"]
            text = _("For your safety, passwords are not shown again. Enter yours in both fields.")
            password_field.help_text = format_html("{}{}", text, password_field.help_text)

    def try_save(self, request: HttpRequest) -> tuple[Any, HttpResponse | None]:
        """Save, unless the name was taken after it was validated, by a second click for example."""
        try:
            with transaction.atomic():
                return super().try_save(request)
        except IntegrityError:
            name = self.cleaned_data["username"]
            if get_user_by_username(name) is None:
                raise
            self.add_error("username", get_adapter().error_messages["username_taken"])
            context = get_entrance_context_data(request)
            return None, render(
                request, "account/signup.html", {"form": self} | context, status=409
            )


class _PasswordForm:
    """A form with a link to reset the password only if the site sends mail."""

    fields: dict[str, Any]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.sends_mail = mail_is_set()
        if not self.sends_mail:
            self.fields["password"].help_text = ""


class SignInForm(_PasswordForm, LoginForm):
    pass


class PasswordAgainForm(_PasswordForm, ReauthenticateForm):
    pass


class AskForResetForm(ResetPasswordForm):
    """Looks up accounts in the background, so that the response time doesn't reveal them."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.sends_mail = mail_is_set()

    def clean_email(self) -> str:
        return str(self.cleaned_data["email"])

    def save(self, request: HttpRequest, **kwargs: Any) -> str:
        email = str(self.cleaned_data["email"])
        language = get_language() or ""  # the background thread has no language
        run_in_background(lambda: _send_links(request, email, language))
        return email


def _send_links(request: HttpRequest, email: str, language: str) -> None:
    users = filter_users_by_email(email, is_active=True, prefer_verified=True, for_login=True)
    with request_context(request), in_language(language):
        request_password_reset(request, email, users, default_token_generator)
