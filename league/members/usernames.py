"""User names: plain characters, and none that looks like another account's.

Whoever signs in by such a name would be taken for the other, so a new one is refused, and not
asked about. It holds no @ either, as somebody's e-mail address does. Names from before this rule
stay and open their accounts.
"""

import re
from typing import Any

from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext as _

from league.members.fields import PlainColumn
from league.members.lookalikes import look

PLAIN = re.compile(r"[a-z0-9]+(?:[._-][a-z0-9]+)*", re.ASCII | re.IGNORECASE)


def validate_new(name: str, *, but: Any = None) -> None:
    """Refuse a user name that is not plain, or is read as another account's. One query."""
    if not PLAIN.fullmatch(name):
        sentence = _(
            "Use letters from a to z and numbers, with a single dot, hyphen or _ between them."
        )
        raise ValidationError(sentence, code="not-plain")
    others = apps.get_model("league", "User")._default_manager.exclude(pk=but)
    seen = look(name)
    if any(look(other) == seen for other in others.values_list("username", flat=True)):
        sentence = _("Another account has a user name that looks like this. Choose another.")
        raise ValidationError(sentence, code="looks-alike")


FOR_SIGN_UP = [validate_new]
"""What allauth asks of a user name."""


class UserNameField(PlainColumn, models.CharField):
    """A user name, judged where it is new: at sign-up, in the admin and by `createsuperuser`."""

    def validate(self, value: Any, model_instance: models.Model | None) -> None:
        super().validate(value, model_instance)
        pk = model_instance.pk if model_instance else None
        accounts = self.model._default_manager
        if pk is None or not accounts.filter(pk=pk, username=value).exists():
            validate_new(value, but=pk)
