"""Changing one's own account."""

from league.members.models import User


def change_display_name(user: User, *, name: str) -> User:
    """Set the name others see; it was cleaned by whoever read it."""
    user.display_name = name
    user.save(update_fields=["display_name"])
    return user
