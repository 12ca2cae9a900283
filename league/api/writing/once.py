"""What makes something new makes it once: the same `client_id` again answers what was made."""

from collections.abc import Callable
from typing import Protocol

from django.db import transaction
from django.forms import BaseForm
from django.utils import timezone
from django.utils.translation import gettext as _

from league.api.callers import Caller
from league.errors import Refused
from league.members.models import ProgramRequest


class Named(Protocol):
    """Whatever has an id that pages show."""

    public_id: str


def once(caller: Caller, what: str, client_id: str, make: Callable[[], Named]) -> str:
    """The public id of what `make` makes, or of what it made when this id was sent before.

    Refuses (`client-id-used`) an id that made something of another kind.
    """
    now = timezone.now()
    with transaction.atomic():
        requests = ProgramRequest.objects.filter(club=caller.club)
        requests.filter(made_at__lt=now - ProgramRequest.KEPT_FOR).delete()
        kept, is_new = ProgramRequest.objects.get_or_create(
            club=caller.club, client_id=client_id, defaults={"what": what, "made_at": now}
        )
        if is_new:
            kept.made = make().public_id
            kept.save(update_fields=["made"])
        elif kept.what != what:
            message = _("Something else was made with this client_id.")
            raise Refused("client-id-used", message, fields={"client_id": [message]}, status=409)
    return kept.made


def cleaned(form: BaseForm, names: dict[str, str] | None = None) -> BaseForm:
    """The page's own form, valid; refuses it with every sentence at its field, under the name the
    field has here."""
    if form.is_valid():
        return form
    fields = {
        (names or {}).get(name, name): [str(sentence) for sentence in sentences]
        for name, sentences in form.errors.items()
    }
    raise Refused("bad-form", _("Nothing was done: something here cannot be."), fields=fields)
