"""Clubs, their people, what each may do, their rulesets, and the record of who did what."""

import secrets
import unicodedata

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


def new_public_id() -> str:
    """An id that cannot be counted through: 72 random bits, safe in an address."""
    return secrets.token_urlsafe(9)


def name_key(name: str) -> str:
    """What two spellings of one name share: case, accents' encoding and spaces do not count."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


class User(AbstractUser):
    """An account. Players need none; organisers and whoever wants a page of their own do."""

    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    display_name = models.CharField(_("name shown to others"), max_length=80, blank=True)

    def __str__(self) -> str:
        return self.display_name or self.username

    def get_full_name(self) -> str:
        return str(self)

    def get_short_name(self) -> str:
        return str(self)


class Club(models.Model):
    """One club: its people and sessions are strictly its own."""

    class SeatingPolicy(models.TextChoices):
        CLUB = "club", _("Nobody sits out, as many fours as can be")
        NO_TWOS = "no_twos", _("No two-handed table")
        SIT_OUT = "sitout", _("Tables of four; the rest sit out in turn")
        OWN = "own", _("The club's own table of numbers")

    class Confirm(models.TextChoices):
        NONE = "none", _("Nobody: a game counts when it ends")
        OPPONENT = "opponent", _("The other side at the table")
        ORGANISER = "organiser", _("An organiser")

    class Visibility(models.TextChoices):
        MEMBERS = "members", _("Members only")
        STANDINGS = "standings", _("Anybody may see standings and games")

    class Names(models.TextChoices):
        FULL = "full", _("The name as written")
        INITIALS = "initials", _("First name and initial")

    class TricksEntry(models.TextChoices):
        OUTCOMES = "outcomes", _("Euchred, made or march")
        COUNT = "count", _("The number of tricks")

    slug = models.SlugField(_("address"), max_length=60, unique=True)
    name = models.CharField(_("name"), max_length=80)
    time_zone = models.CharField(_("time zone"), max_length=60, default="UTC")
    seating_policy = models.CharField(
        _("how tables are made up"),
        max_length=10,
        choices=SeatingPolicy,
        default=SeatingPolicy.CLUB,
    )
    seating_table = models.JSONField(_("own table of numbers"), default=dict, blank=True)
    confirm = models.CharField(
        _("who confirms a game"), max_length=10, choices=Confirm, default=Confirm.NONE
    )
    auto_accept_minutes = models.PositiveSmallIntegerField(
        _("accepted by itself after (minutes)"), null=True, blank=True
    )
    correction_minutes = models.PositiveIntegerField(
        _("the table may correct its hands for (minutes)"), default=120
    )
    tricks_entry = models.CharField(
        _("what the table page asks for"),
        max_length=10,
        choices=TricksEntry,
        default=TricksEntry.OUTCOMES,
    )
    measures = models.JSONField(_("what standings rank by, in order"), default=list, blank=True)
    visibility = models.CharField(
        _("who may look"), max_length=10, choices=Visibility, default=Visibility.MEMBERS
    )
    names_in_public = models.CharField(
        _("names in public"), max_length=10, choices=Names, default=Names.INITIALS
    )
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    @property
    def is_public(self) -> bool:
        return self.visibility == self.Visibility.STANDINGS


class Role(models.Model):
    """What an account may do in one club."""

    class Rank(models.TextChoices):
        OWNER = "owner", _("Owner")
        ORGANISER = "organiser", _("Organiser")
        SCOREKEEPER = "scorekeeper", _("Scorekeeper")
        MEMBER = "member", _("Member")

    club = models.ForeignKey(Club, models.CASCADE, related_name="roles")
    user = models.ForeignKey(User, models.CASCADE, related_name="roles")
    rank = models.CharField(_("rank"), max_length=12, choices=Rank)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["club", "user"], name="one_role_a_club")]

    def __str__(self) -> str:
        return f"{self.user}: {self.get_rank_display()}"


class Member(models.Model):
    """Somebody who plays: a member of the club or a guest. A name and, if they like, an e-mail."""

    class Shown(models.TextChoices):
        AS_CLUB = "club", _("As the club decides")
        NAME = "name", _("The name as written")
        INITIALS = "initials", _("First name and initial")
        HIDDEN = "hidden", _("Not shown in public")

    club = models.ForeignKey(Club, models.CASCADE, related_name="members")
    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    name = models.CharField(_("name"), max_length=60)
    name_key = models.CharField(max_length=80, editable=False)
    email = models.EmailField(_("e-mail"), blank=True)
    is_guest = models.BooleanField(_("guest"), default=False)
    shown = models.CharField(
        _("shown in public"), max_length=10, choices=Shown, default=Shown.AS_CLUB
    )
    user = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="players")
    joined_at = models.DateTimeField(default=timezone.now, editable=False)
    retired_at = models.DateTimeField(null=True, blank=True, editable=False)
    merged_into = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="merged", editable=False
    )

    class Meta:
        ordering = ["name_key"]
        indexes = [models.Index(fields=["club", "name_key"], name="member_by_name")]
        constraints = [
            models.UniqueConstraint(
                fields=["club", "user"],
                condition=Q(user__isnull=False),
                name="one_player_an_account",
            )
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, *args, **kwargs) -> None:  # type: ignore[no-untyped-def]
        self.name_key = name_key(self.name)
        super().save(*args, **kwargs)


class Invitation(models.Model):
    """A link that gives whoever follows it one role, once. Only a hash of it is kept."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="invitations")
    rank = models.CharField(max_length=12, choices=Role.Rank)
    member = models.ForeignKey(Member, models.CASCADE, null=True, blank=True)
    token_hash = models.CharField(max_length=64, unique=True)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    used_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    used_at = models.DateTimeField(null=True, blank=True)


class ClubRuleset(models.Model):
    """One version of a club's ruleset for a table size. Never changed once made: games keep it."""

    club = models.ForeignKey(Club, models.PROTECT, related_name="rulesets")
    name = models.CharField(_("name"), max_length=80)
    players = models.PositiveSmallIntegerField(_("players"))
    version = models.PositiveSmallIntegerField(default=1)
    body = models.JSONField()
    is_default = models.BooleanField(default=False)
    retired = models.BooleanField(default=False)
    made_at = models.DateTimeField(default=timezone.now)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ["players", "name", "-version"]
        constraints = [
            models.UniqueConstraint(
                fields=["club", "name", "players", "version"], name="one_ruleset_version"
            ),
            models.UniqueConstraint(
                fields=["club", "players"],
                condition=Q(is_default=True),
                name="one_default_ruleset_a_size",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.players}), version {self.version}"


class AuditEntry(models.Model):
    """Who did what, when and from where, with the old and the new. Only ever added to."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="audit")
    session = models.ForeignKey(
        "league.Session", models.CASCADE, null=True, blank=True, related_name="audit"
    )
    at = models.DateTimeField(default=timezone.now)
    user = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    actor = models.CharField(max_length=80)
    source = models.CharField(max_length=60, blank=True)
    action = models.CharField(max_length=40)
    subject = models.CharField(max_length=120, blank=True)
    old = models.JSONField(null=True, blank=True)
    new = models.JSONField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["club", "-id"], name="audit_by_club")]

    def save(self, *args, **kwargs) -> None:  # type: ignore[no-untyped-def]
        if self.pk:
            raise TypeError("An audit entry is never changed.")
        super().save(*args, **kwargs)
