"""Actions on a club: its people, its roles, its rulesets, its settings."""

from league.members.actions.clubs import change_settings, create_club, show_guide
from league.members.actions.erasing import close_account, erase_member, erase_myself
from league.members.actions.merging import merge_members
from league.members.actions.people import (
    add_linked_member,
    add_member,
    add_people,
    admit_guest,
    change_account,
    edit_member,
    link_account,
    preview_people,
    retire_member,
    return_member,
)
from league.members.actions.rulesets import (
    adopt_preset,
    adopt_variant,
    archive_ruleset,
    make_default,
    rename_ruleset,
    restore_ruleset,
    return_to_version,
    revise_ruleset,
)

__all__ = [
    "add_linked_member",
    "add_member",
    "add_people",
    "admit_guest",
    "adopt_preset",
    "adopt_variant",
    "archive_ruleset",
    "change_account",
    "change_settings",
    "close_account",
    "create_club",
    "edit_member",
    "erase_member",
    "erase_myself",
    "link_account",
    "make_default",
    "merge_members",
    "preview_people",
    "rename_ruleset",
    "restore_ruleset",
    "retire_member",
    "return_member",
    "return_to_version",
    "revise_ruleset",
    "show_guide",
]
