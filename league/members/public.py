"""How a person is named to whoever is looking: the one place that decides it.

Members of the club see the name. In public it is as the person wishes, else as the club does:
the whole name, "Rose W.", or an alias ("Player KTRB"). Somebody under age appears by alias until
an organiser, with the guardians' consent, chooses otherwise for them by name.
"""

from django.utils.translation import gettext

from league.members.models import Club, Member
from league.members.names import initials

FULL, INITIALS, ALIAS = "full", "initials", "alias"

_BY_CLUB = {
    Club.Names.FULL: FULL,
    Club.Names.INITIALS: INITIALS,
    Club.Names.HIDDEN: ALIAS,
}
_BY_PERSON = {
    Member.Shown.NAME: FULL,
    Member.Shown.INITIALS: INITIALS,
    Member.Shown.HIDDEN: ALIAS,
}


def public_name(member: Member, club: Club, viewer_rank: str | None) -> str:
    """The name this viewer may read. `viewer_rank` is `request.rank`: None for the public."""
    form = FULL if viewer_rank else _public_form(member, club)
    if form == FULL:
        return member.name
    if form == INITIALS:
        return initials(member.name)
    return gettext("Player %(code)s") % {"code": member.alias_code}


def shows_alias(member: Member, club: Club) -> bool:
    """Whether the public reads an alias in the place of this name."""
    return _public_form(member, club) == ALIAS


def has_public_page(member: Member, club: Club, viewer_rank: str | None) -> bool:
    """Whether a page about this person exists for this viewer; where not, it is a 404."""
    if viewer_rank:
        return True
    return club.is_public and member.erased_at is None and _public_form(member, club) != ALIAS


def _public_form(member: Member, club: Club) -> str:
    shown = Member.Shown(member.shown)
    if shown in _BY_PERSON:
        return _BY_PERSON[shown]
    return ALIAS if member.is_minor else _BY_CLUB[Club.Names(club.names_in_public)]
