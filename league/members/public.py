"""The name under which a player is shown to each reader.

Members of the club see the full name. The public sees what the player chose, or else what the
club chose: the full name, "Rose W.", or an alias ("Player KTRB"). Players under 18 are shown by
alias until an organiser chooses otherwise, with the guardians' consent.
"""

from collections.abc import Callable, Iterable

from django.utils.translation import gettext

from league.members.models import Club, Member
from league.members.names import distinct_initials, initials

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
    """The member's name for this viewer. `viewer_rank` is `request.rank`: None for the public."""
    form = FULL if viewer_rank else _public_form(member, club)
    if form == FULL:
        return member.name
    if form == INITIALS:
        return initials(member.name)
    return gettext("Player %(code)s") % {"code": member.alias_code}


def distinct_names(
    people: Iterable[Member], club: Club, viewer_rank: str | None, *, in_hall: bool = False
) -> dict[int, str]:
    """The names of all members shown in one view, by primary key: no two short names are the same.

    With `in_hall` (the hall's own screen, where players look for their seats) short names replace
    aliases, and those who show initials are named in full where they would be numbered.
    """
    names, shortened_members, open_names = {}, [], []
    for member in people:
        form = FULL if viewer_rank else _public_form(member, club)
        if form == INITIALS or (form == ALIAS and in_hall):
            shortened_members.append(member)
            open_names.append(in_hall and form == INITIALS)
        else:
            names[member.pk] = public_name(member, club, viewer_rank)
    short_names = distinct_initials(
        [member.name for member in shortened_members], may_be_whole=open_names
    )
    return names | {
        member.pk: name for member, name in zip(shortened_members, short_names, strict=True)
    }


def namer(
    people: Iterable[Member], club: Club, viewer_rank: str | None, *, in_hall: bool = False
) -> Callable[[Member], str]:
    """`distinct_names` as a function, which also names members who are not among `people`."""

    def names_of(members: Iterable[Member]) -> dict[int, str]:
        return distinct_names(members, club, viewer_rank, in_hall=in_hall)

    names = names_of({person.pk: person for person in people}.values())

    def name_of(member: Member) -> str:
        return names.get(member.pk) or names_of([member])[member.pk]

    return name_of


def has_public_page(member: Member, club: Club, viewer_rank: str | None) -> bool:
    """Whether this viewer can see the member's page; otherwise it is a 404."""
    if viewer_rank:
        return True
    return club.is_public and member.erased_at is None and _public_form(member, club) != ALIAS


def _public_form(member: Member, club: Club) -> str:
    choice = Member.Shown(member.shown)
    if choice in _BY_PERSON:
        return _BY_PERSON[choice]
    return ALIAS if member.is_minor else _BY_CLUB[Club.Names(club.names_in_public)]
