"""Forms on the club's own laptop: first start, lost password, restoring, returned hands."""

import json
import re
from typing import Any

from django import forms
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from league.members.fields import FormNameField, refuse_reserved_name
from league.members.languages import zone_aliases, zone_choices
from league.members.models import User
from league.play.forms import matching

IDS = r"^[0-9A-Za-z_ -]{1,160}\Z"
ANSWER = re.compile(r"[\w♠♥♦♣, '’-]{0,2000}")  # to any question of a hand

NO_NAME = "keeper"
"""The user name for a name without any letter from a to z."""


class FirstClubForm(forms.Form):
    club = FormNameField(label=_("Name of the club"), max_length=80)
    club.widget.attrs["autofocus"] = True
    name = FormNameField(label=_("Your name"), max_length=60)
    password = forms.CharField(
        label=_("Password"),
        strip=False,
        max_length=1000,
        help_text=_("At least 10 characters. Three or four words are easy to remember."),
        widget=forms.PasswordInput(render_value=True, attrs={"autocomplete": "new-password"}),
    )
    # Filled in by the browser (site.js); can be changed in the club's settings.
    time_zone = forms.ChoiceField(choices=zone_choices, initial="UTC", required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["time_zone"].widget.attrs = {
            "data-here": json.dumps(zone_aliases()),
            "hidden": True,
        }

    def username(self) -> str:
        """The user name, made from the name in lowercase: “ruth-delgado”."""
        slug = slugify(self.cleaned_data.get("name", ""))[:60].replace("_", "-").strip("-")
        try:
            refuse_reserved_name(slug)
        except ValidationError:
            return NO_NAME
        return slug or NO_NAME

    def clean(self) -> None:
        data = self.cleaned_data
        if "password" in data:
            user = User(username=self.username(), display_name=data.get("name", ""))
            try:
                validate_password(data["password"], user)
            except ValidationError as error:
                self.add_error("password", error)


class WordsField(forms.CharField):
    """The six words of the recovery sheet, as they are typed."""

    def __init__(self, **kwargs: Any) -> None:
        widget = forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"})
        super().__init__(max_length=200, widget=widget, **kwargs)


class RestoreForm(forms.Form):
    file = forms.FileField(
        label=_("The backup"),
        help_text=_("The newest file in “Right Bower backups”, on your stick or synced folder."),
    )
    words = WordsField(
        label=_("The six words of your recovery sheet"),
        required=False,
        help_text=_("With them, printed codes still work. Without them, print new ones."),
    )


class NewPasswordForm(forms.Form):
    username = forms.ChoiceField(label=_("Whose password?"))
    words = WordsField(label=_("The six words of your recovery sheet"))
    password = forms.CharField(
        label=_("A new password"),
        strip=False,
        max_length=1000,
        help_text=_("At least 10 characters. Three or four words are easy to remember."),
        widget=forms.PasswordInput(render_value=True, attrs={"autocomplete": "new-password"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        accounts = User.objects.filter(is_active=True).order_by("username")
        choices = [(user.username, f"{user} ({user.username})") for user in accounts]
        self.fields["username"].choices = choices  # type: ignore[attr-defined]

    def clean(self) -> None:
        data = self.cleaned_data
        if "password" in data and "username" in data:
            try:
                validate_password(data["password"], User.objects.get(username=data["username"]))
            except ValidationError as error:
                self.add_error("password", error)


class ReturnedHandsForm(forms.Form):
    """The data a phone sends about a table: its number, its players, the answers of every hand."""

    session = matching(IDS, required=True)
    number = forms.IntegerField(min_value=1, max_value=999)
    people = matching(IDS, required=True)
    hands = forms.JSONField()

    def clean_people(self) -> list[str]:
        return str(self.cleaned_data["people"]).split()

    def clean_hands(self) -> list[dict[str, str]]:
        hands = self.cleaned_data["hands"]
        if not isinstance(hands, list) or not all(_is_a_hand(hand) for hand in hands):
            raise ValidationError(_("This cannot be read."))
        return hands


def _is_a_hand(hand: Any) -> bool:
    if not isinstance(hand, dict) or len(hand) > 80:
        return False
    texts = [*hand.keys(), *hand.values()]
    if not all(isinstance(text, str) and ANSWER.fullmatch(text) for text in texts):
        return False
    number, client_id = hand.get("number", ""), hand.get("client_id", "")
    return bool(re.fullmatch("[0-9]{1,4}", number)) and 8 <= len(client_id) <= 40
