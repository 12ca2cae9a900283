"""Members and guests of a club, and the name under which each reader sees them.

Members of the club see the full name. The public sees what the player chose, or else what the
club chose: the full name, "Rose W.", or an alias ("Player KTRB"). Players under 18 are shown by
alias until an organiser chooses otherwise, with the guardians' consent.
"""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.members.fields import NameField, NamesField
from league.members.initials import distinct_initials, initials
from league.members.models.accounts import User, new_public_id
from league.members.models.clubs import Club
from league.members.names import name_key, sort_key

ALIAS_LETTERS = "BCDFGHJKLMNPQRSTVWXZ"


class PeopleQuerySet(models.QuerySet["Member"]):
    def current(self) -> "PeopleQuerySet":
        """Active people: not deactivated, merged into another row or erased."""
        return self.filter(retired_at=None, merged_into=None, erased_at=None)


class Member(models.Model):
    """A player: a member of the club or a guest, with a name and, optionally, an e-mail address.

    Rows are never deleted. A merged duplicate is empty except for `merged_into`, the row that
    stays. An erased person keeps their results under an anonymous name. `former_names` are earlier
    spellings, by which old lists still find the person.

    Mail is sent to `email` only after its owner has agreed: then `confirmed_email` is the same.
    `asked_email` is the last address that was asked, so that nobody is asked twice.
    """

    class Shown(models.TextChoices):
        AS_CLUB = "club", _("Same as the club")
        NAME = "name", _("Full name")
        INITIALS = "initials", _("First name and initial")
        HIDDEN = "hidden", _("No name")

    class Reminders(models.TextChoices):
        NEVER = "never", _("Never")
        MINE = "mine", _("Before sessions I am signed up for")
        ALL = "all", _("Before every session of the club")

    club = models.ForeignKey(Club, models.CASCADE, related_name="members")
    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    name = NameField(_("name"), max_length=60)
    name_key = models.CharField(max_length=120, editable=False)
    sort_key = models.CharField(max_length=120, editable=False, default="")
    former_names = NamesField(default=list, blank=True, editable=False)
    email = models.EmailField(_("e-mail"), blank=True)
    confirmed_email = models.EmailField(blank=True, default="", editable=False)
    asked_email = models.EmailField(blank=True, default="", editable=False)
    is_guest = models.BooleanField(_("guest"), default=False)
    is_minor = models.BooleanField(_("under 18"), default=False)
    shown = models.CharField(
        _("shown in public"), max_length=10, choices=Shown, default=Shown.AS_CLUB
    )
    reminders = models.CharField(
        _("reminded by e-mail"), max_length=10, choices=Reminders, default=Reminders.NEVER
    )
    user = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="players")
    joined_at = models.DateTimeField(default=timezone.now, editable=False)
    retired_at = models.DateTimeField(null=True, blank=True, editable=False)
    erased_at = models.DateTimeField(null=True, blank=True, editable=False)
    erased_marks = models.JSONField(default=list, blank=True, editable=False)
    merged_into = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="merged", editable=False
    )

    number = 0  # set by `number_namesakes`

    objects = PeopleQuerySet.as_manager()

    class Meta:
        ordering = ["sort_key", "id"]
        indexes = [models.Index(fields=["club", "name_key"], name="member_by_name")]
        constraints = [
            models.UniqueConstraint(
                fields=["club", "user"],
                condition=Q(user__isnull=False),
                name="one_player_an_account",
            )
        ]

    def __str__(self) -> str:
        return self.label

    @property
    def label(self) -> str:
        """The full name, with the number that tells players of the same name apart."""
        return f"{self.name} {self.number}" if self.number else self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.set_keys()
        super().save(*args, **kwargs)

    def set_keys(self) -> None:
        """Set the keys for finding and sorting the name, for rows stored without `save`."""
        self.name_key, self.sort_key = name_key(self.name), sort_key(self.name)

    @property
    def alias(self) -> str:
        """What stands for the name of a player who is not named in public."""
        return gettext("Player %(code)s") % {"code": self.alias_code}

    @property
    def alias_code(self) -> str:
        """Four letters that identify this person in public without naming them.

        Erasing changes them, so that the earlier letters do not lead to the erased person.
        """
        key = f"erased {self.public_id}" if self.erased_at else self.public_id
        digest = hashlib.sha256(key.encode()).digest()
        return "".join(ALIAS_LETTERS[byte % len(ALIAS_LETTERS)] for byte in digest[:4])


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


def number_namesakes(people: Iterable[Member]) -> None:
    """Number a club's players on one page who have the very same name, by order of joining it.

    A number is the same on every page. One query where there are such players, else none.
    """
    by_key = defaultdict(list)
    for member in people:
        by_key[name_key(member.name)].append(member)
    groups = [group for group in by_key.values() if len({member.pk for member in group}) > 1]
    namesakes = [member for group in groups for member in group]
    if not namesakes:
        return
    keys = {name_key(member.name) for member in namesakes}
    rows = Member.objects.filter(club=namesakes[0].club_id, merged_into=None)
    joined = defaultdict(list)
    rows = rows.filter(name_key__in=keys).order_by("pk")
    for key, pk in rows.values_list("name_key", "pk"):
        joined[key].append(pk)
    for member in namesakes:
        pks = joined[name_key(member.name)]
        member.number = pks.index(member.pk) + 1 if member.pk in pks else 0


def public_name(member: Member, club: Club, viewer_rank: str | None) -> str:
    """The member's name for this viewer. `viewer_rank` is `request.rank`: None for the public."""
    form = FULL if viewer_rank else _public_form(member, club)
    if form == FULL:
        return member.name
    if form == INITIALS:
        return initials(member.name)
    return member.alias


def distinct_names(
    people: Iterable[Member],
    club: Club,
    viewer_rank: str | None,
    *,
    in_hall: bool = False,
    numbered: bool = True,
) -> dict[int, str]:
    """The names of all members shown in one view, by primary key: no two names are the same.

    With `in_hall` (the hall's own screen, where players look for their seats) short names replace
    aliases, and those who show initials are named in full where they would be numbered. Without
    `numbered`, for files and programs, two full names may be the same.
    """
    names, shortened_members, open_names = {}, [], []
    people = list(people)
    if numbered:
        number_namesakes(people)
    for member in people:
        form = FULL if viewer_rank else _public_form(member, club)
        is_short = form == INITIALS or (form == ALIAS and in_hall)
        if form == FULL:
            names[member.pk] = member.label if numbered else member.name
        elif is_short and member.number:
            names[member.pk] = f"{initials(member.name)} {member.number}"
        elif is_short:
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
    people: Iterable[Member],
    club: Club,
    viewer_rank: str | None,
    *,
    in_hall: bool = False,
    numbered: bool = True,
) -> Callable[[Member], str]:
    """`distinct_names` as a function, which also names members who are not among `people`."""

    def names_of(members: Iterable[Member]) -> dict[int, str]:
        return distinct_names(members, club, viewer_rank, in_hall=in_hall, numbered=numbered)

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
