"""Changing one's own account."""

from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.lookalikes import look
from league.members.models import User


def change_display_name(user: User, *, name: str, same_name: bool = False) -> User:
    """Set the name others see; it was cleaned by whoever read it.

    One that looks like another account's in a club of theirs needs `same_name`, said on purpose.
    """
    if name and name != user.display_name and not same_name:
        _ask_about_look(user, name)
    user.display_name = name
    user.save(update_fields=["display_name"])
    return user


def _ask_about_look(user: User, name: str) -> None:
    clubs = user.roles.values("club")
    others = User.objects.filter(roles__club__in=clubs).exclude(pk=user.pk).distinct()
    like = next((str(other) for other in others if look(str(other)) == look(name)), None)
    if like is not None:
        sentence = _("Looks like %(name)s. Same person?") % {"name": like}
        fields = {"display_name": [sentence]}
        raise Refused("name-like", sentence, fields=fields, status=409, asks="same_name")
