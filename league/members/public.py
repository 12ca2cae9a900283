"""How a person is named to each reader: the one place that decides it.

Members of the club see the name. In public it is as the person wishes, else as the club does:
the whole name, "Rose W.", or an alias ("Player KTRB"). Somebody under age appears by alias until
an organiser, with the guardians' consent, chooses otherwise for them by name.
"""

from collections.abc import Callable, Iterable

from django.utils.translation import gettext

from league.members.models import Club, Member
from league.members.names import initials, initials_apart

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


def names_apart(
    people: Iterable[Member], club: Club, viewer_rank: str | None, *, in_hall: bool = False
) -> dict[int, str]:
    """The same for everybody named in one view, by primary key: short names are made distinct.

    `in_hall`: on the hall's own screen everybody must find their seat, so an alias there is the
    short name, and nobody who shows initials has to know whether they are "Bob O. 1" or "2".
    """
    names, short, open_names = {}, [], []
    for member in people:
        form = FULL if viewer_rank else _public_form(member, club)
        if form == INITIALS or (form == ALIAS and in_hall):
            short.append(member)
            open_names.append(in_hall and form == INITIALS)
        else:
            names[member.pk] = public_name(member, club, viewer_rank)
    apart = initials_apart([member.name for member in short], may_be_whole=open_names)
    return names | {member.pk: name for member, name in zip(short, apart, strict=True)}


def namer(
    people: Iterable[Member], club: Club, viewer_rank: str | None, *, in_hall: bool = False
) -> Callable[[Member], str]:
    """`names_apart` as a function; somebody it does not know is named as if alone."""

    def names_of(some: Iterable[Member]) -> dict[int, str]:
        return names_apart(some, club, viewer_rank, in_hall=in_hall)

    names = names_of({person.pk: person for person in people}.values())

    def name_of(member: Member) -> str:
        return names.get(member.pk) or names_of([member])[member.pk]

    return name_of


def has_public_page(member: Member, club: Club, viewer_rank: str | None) -> bool:
    """Whether a page about this person exists for this viewer; where not, it is a 404."""
    if viewer_rank:
        return True
    return club.is_public and member.erased_at is None and _public_form(member, club) != ALIAS


def _public_form(member: Member, club: Club) -> str:
    chosen = Member.Shown(member.shown)
    if chosen in _BY_PERSON:
        return _BY_PERSON[chosen]
    return ALIAS if member.is_minor else _BY_CLUB[Club.Names(club.names_in_public)]
