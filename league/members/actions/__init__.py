"""Orders to a club: its people, its roles, its rulesets, its settings."""

from league.members.actions.erasing import erase_member
from league.members.actions.joining import merge_members
from league.members.actions.lists import add_people, preview_people
from league.members.actions.people import (
    add_member,
    admit_guest,
    edit_member,
    link_account,
    retire_member,
    return_member,
)

__all__ = [
    "add_member",
    "add_people",
    "admit_guest",
    "edit_member",
    "erase_member",
    "link_account",
    "merge_members",
    "preview_people",
    "retire_member",
    "return_member",
]
