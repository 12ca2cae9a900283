"""Clubs with their settings, roles, invitations, rulesets and API tokens."""

import json
from collections import Counter
from datetime import datetime
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.members.fields import LineField, LinesField, NameField
from league.members.models.accounts import User, new_public_id
from league.members.validators import (
    DAY_MINUTES,
    MOST_MINUTES,
    validate_language,
    validate_measures,
    validate_ruleset,
    validate_seating_table,
    validate_sheet_columns,
    validate_time_zone,
)
from scoring import Ruleset, RulesetError, ruleset


class Club(models.Model):
    """A club. Clubs share neither people nor sessions.

    While `guided`, organisers are shown the steps of the first session. With `joins_by_link`,
    anyone who has the club's link can join; raising `link_version` replaces the link.
    """

    class SeatingPolicy(models.TextChoices):
        CLUB = "club", _("Nobody sits out: fours, then threes and twos")
        NO_TWOS = "no_twos", _("Nobody plays at a table of two")
        SIT_OUT = "sitout", _("Tables of four only; others sit out in turn")
        FIVES = "fives", _("Fours, and fives rather than threes")
        SIXES = "sixes", _("Fours, and sixes rather than twos")
        FIVES_SIXES = "fives_sixes", _("Fours, fives and sixes")
        NO_SMALL = "no_small", _("Fours, fives and sixes; nobody at a smaller table")
        SIX_MAIN = "six_main", _("Sixes first, then fours, fives and eights")
        OWN = "own", _("Our own list of table sizes")

    class Confirm(models.TextChoices):
        NONE = "none", _("Nobody: games count when they end")
        OPPONENT = "opponent", _("The other side at the table")
        ORGANISER = "organiser", _("An organiser")

    class Visibility(models.TextChoices):
        MEMBERS = "members", _("Members only")
        STANDINGS = "standings", _("Anyone can see standings and games")

    class Names(models.TextChoices):
        FULL = "full", _("Full name")
        INITIALS = "initials", _("First name and initial")
        HIDDEN = "hidden", _("No names, unless a player agrees")

    class TricksEntry(models.TextChoices):
        OUTCOMES = "outcomes", _("Euchred, made or march")
        COUNT = "count", _("The number of tricks")

    class CoWinners(models.TextChoices):
        GAMES = "games", _("As the games say")
        SHARED = "shared", _("They share the win")
        FULL = "full", _("Each wins a game")

    TEXTS_WITH_NAMES = ("pk", ("welcome",))
    WRITTEN_ON = (_("Club"), "club_settings")

    slug = models.SlugField(_("web address"), max_length=60, unique=True)
    name = NameField(_("name"), max_length=80)
    time_zone = models.CharField(
        _("time zone"), max_length=60, default="UTC", validators=[validate_time_zone]
    )
    language = models.CharField(
        _("language"), max_length=10, blank=True, validators=[validate_language]
    )
    venue = LineField(_("where you play"), max_length=120, blank=True)
    welcome = LinesField(_("for newcomers"), max_length=600, blank=True)
    session_minutes = models.PositiveSmallIntegerField(
        _("length of a session (minutes)"),
        default=180,
        validators=[MinValueValidator(15), MaxValueValidator(DAY_MINUTES)],
    )
    seating_policy = models.CharField(
        _("table sizes"),
        max_length=12,
        choices=SeatingPolicy,
        default=SeatingPolicy.CLUB,
    )
    seating_table = models.JSONField(
        _("custom table sizes"), default=dict, blank=True, validators=[validate_seating_table]
    )
    sheet_columns = models.JSONField(
        default=dict, editable=False, validators=[validate_sheet_columns]
    )
    """The column for each heading of the club's own sheets, by kind of import."""
    confirm = models.CharField(
        _("who confirms a game"), max_length=10, choices=Confirm, default=Confirm.NONE
    )
    auto_accept_minutes = models.PositiveSmallIntegerField(
        _("auto-confirm after (minutes)"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_MINUTES)],
    )
    correction_minutes = models.PositiveIntegerField(
        _("players can fix hands for (minutes)"),
        default=120,
        validators=[MaxValueValidator(MOST_MINUTES)],
    )
    tricks_entry = models.CharField(
        _("trick entry"),
        max_length=10,
        choices=TricksEntry,
        default=TricksEntry.OUTCOMES,
    )
    measures = models.JSONField(
        _("ranking"),
        default=list,
        blank=True,
        validators=[validate_measures],
    )
    co_winners_credit = models.CharField(
        _("players who win a game together"),
        max_length=6,
        choices=CoWinners,
        default=CoWinners.GAMES,
    )
    shows_ratings = models.BooleanField(_("show ratings beside the standings"), default=False)
    keeps_pots = models.BooleanField(_("track prize money"), default=False)
    currency = LineField(_("currency"), max_length=8, blank=True)
    visibility = models.CharField(
        _("who can see results"), max_length=10, choices=Visibility, default=Visibility.MEMBERS
    )
    names_in_public = models.CharField(
        _("public names"), max_length=10, choices=Names, default=Names.INITIALS
    )
    findable = models.BooleanField(_("search engines may list the club's page"), default=True)
    guided = models.BooleanField(default=False, editable=False)
    joins_by_link = models.BooleanField(default=False, editable=False)
    link_version = models.PositiveIntegerField(default=1, editable=False)
    listed = models.BooleanField(_("listed on the first page"), default=True, editable=False)
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    @property
    def is_public(self) -> bool:
        return self.visibility == self.Visibility.STANDINGS

    def usual_size(self, policy: str = "") -> int:
        """The size of most tables by this policy, or by the club's own."""
        policy = policy or self.seating_policy
        if policy == self.SeatingPolicy.OWN and self.seating_table:
            sizes = Counter(size for sizes in self.seating_table.values() for size in sizes)
            return sizes.most_common(1)[0][0]
        return 6 if policy == self.SeatingPolicy.SIX_MAIN else 4

    @property
    def zone(self) -> ZoneInfo:
        """The club's time zone, in which its times are shown.

        UTC if this computer doesn't know it, so that the owner can still change the settings.
        """
        try:
            return ZoneInfo(self.time_zone)
        except (ZoneInfoNotFoundError, ValueError):
            return ZoneInfo("UTC")

    def local(self, at: datetime) -> datetime:
        """The same time in the club's time zone."""
        return at.astimezone(self.zone)


class Role(models.Model):
    """An account's role in a club.

    While `calendar_since` is set, a personal link opens the club's calendar. The time is part of
    the link: with another time, the earlier link expires.
    """

    class Rank(models.TextChoices):
        OWNER = "owner", _("Owner")
        ORGANISER = "organiser", _("Organiser")
        SCOREKEEPER = "scorekeeper", _("Scorekeeper")
        MEMBER = "member", _("Member")

    GIVEN_BY_ORGANISERS = (Rank.MEMBER, Rank.SCOREKEEPER)

    club = models.ForeignKey(Club, models.CASCADE, related_name="roles")
    user = models.ForeignKey(User, models.CASCADE, related_name="roles")
    rank = models.CharField(_("role"), max_length=12, choices=Rank)
    given_at = models.DateTimeField(default=timezone.now, editable=False)
    calendar_since = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["club", "user"], name="one_role_a_club")]

    def __str__(self) -> str:
        return f"{self.user}: {self.get_rank_display()}"


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def open(self, at: datetime) -> "InvitationQuerySet":
        """The invitations that can be accepted: not used, withdrawn or expired, and made by an
        active account that may still give that role."""
        owner = Q(made_by__roles__rank=Role.Rank.OWNER)
        organiser = Q(made_by__roles__rank=Role.Rank.ORGANISER, rank__in=Role.GIVEN_BY_ORGANISERS)
        return self.filter(
            owner | organiser,
            used_at=None,
            withdrawn_at=None,
            expires_at__gt=at,
            made_by__is_active=True,
            made_by__roles__club=F("club"),
        )


class Invitation(models.Model):
    """A role that can be accepted once: by anyone with the link, or by the account `to_user`.

    Only a hash of the link's secret is stored. If an account is created with the link, only that
    account can accept it.
    """

    club = models.ForeignKey(Club, models.CASCADE, related_name="invitations")
    rank = models.CharField(_("role"), max_length=12, choices=Role.Rank)
    member = models.ForeignKey(
        "league.Member", models.SET_NULL, null=True, blank=True, related_name="+"
    )
    to_user = models.ForeignKey(
        User, models.CASCADE, null=True, blank=True, related_name="invitations"
    )
    token_hash = models.CharField(max_length=64, unique=True)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    used_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    used_at = models.DateTimeField(null=True, blank=True)

    objects = InvitationQuerySet.as_manager()

    class Meta:
        ordering = ["-made_at"]


CHANGEABLE_FIELDS = frozenset({"is_default", "retired"})


class RulesetQuerySet(models.QuerySet["ClubRuleset"]):
    def update(self, **fields: Any) -> int:
        if not CHANGEABLE_FIELDS.issuperset(fields):
            raise TypeError("A ruleset version is never changed: make a new version.")
        return super().update(**fields)

    rename = models.QuerySet.update  # of all versions of a ruleset at once


@lru_cache(maxsize=256)
def _parsed(body: str) -> Ruleset:
    return ruleset(json.loads(body))


class ClubRuleset(models.Model):
    """A version of a club's ruleset for a table size. It is never changed, since games use it.

    `body` is the whole ruleset as the engine reads it, `preset` the id of the preset it was made
    from. Only `is_default`, `retired` and the name can change, which don't affect games.
    """

    WRITTEN_ON = (_("House rules"), "ruleset", "public_id")

    club = models.ForeignKey(Club, models.PROTECT, related_name="rulesets")
    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    name = NameField(_("name"), max_length=80)
    players = models.PositiveSmallIntegerField(_("players"))
    version = models.PositiveSmallIntegerField(default=1)
    preset = models.CharField(max_length=60, blank=True)
    body = models.JSONField(validators=[validate_ruleset])
    is_default = models.BooleanField(default=False)
    retired = models.BooleanField(default=False)
    made_at = models.DateTimeField(default=timezone.now)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")

    objects = RulesetQuerySet.as_manager()

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
        if self.version == 1:
            return self.name
        return str(_("%(name)s, version %(version)s") % vars(self))

    @property
    def rules(self) -> Ruleset:
        """The rules as the engine reads them, parsed once per process."""
        return _parsed(json.dumps(self.body, sort_keys=True))

    @property
    def sides(self) -> int:
        """The number of sides that score separately: two with partners, else one per player."""
        return len(self.rules.sides)

    @property
    def lone_bids(self) -> frozenset[str]:
        """The special bids whose bidder plays alone, except those to take no trick."""
        specials = self.rules.specials
        return frozenset(bid.name for bid in specials if bid.alone and not bid.lose_all)

    @property
    def scale(self) -> str:
        """The scale of the game's points: only points on the same scale can be compared.

        All turn-up games share a scale; bid games do if they have the same target.
        """
        rules = self.rules
        counted = "down" if rules.counts_down else "up"
        if rules.family == "turn_up":
            return f"turn_up {counted}"
        return f"{rules.family} {counted} {rules.target}"

    def clean(self) -> None:
        """Check that the rules are for tables of `players`."""
        try:
            players = ruleset(self.body).players
        except RulesetError:  # reported by the field
            return
        if players != self.players:
            raise ValidationError({"players": _("The rules are for another number of players.")})

    def save(self, *args: Any, **kwargs: Any) -> None:
        changed = kwargs.get("update_fields")
        if self.pk and (changed is None or not CHANGEABLE_FIELDS.issuperset(changed)):
            raise TypeError("A ruleset version is never changed: make a new version.")
        super().save(*args, **kwargs)


class ApiToken(models.Model):
    """What a program may do in a club. Only a hash of the token's secret is stored.

    A token never allows more than its maker may do when it is used: it stops working with the
    maker's role and account. `used_at` is the hour of its last use.
    """

    class Scope(models.TextChoices):
        PUBLIC = "public", _("Read what anyone can see, with public names")
        READ = "read", _("Read what members see")
        RECORD = "record", _("Read, and enter hands at every table")
        ORGANISE = (
            "organise",
            _("Do what an organiser does: read everything, run sessions, tournaments and leagues"),
        )

    TEXTS_WITH_NAMES = ("club", ("name",))
    WRITTEN_ON = (_("API access"), "tokens")

    club = models.ForeignKey(Club, models.CASCADE, related_name="tokens")
    name = NameField(_("name"), max_length=60)
    scope = models.CharField(_("what it may do"), max_length=10, choices=Scope)
    token_hash = models.CharField(max_length=64, unique=True)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now)
    used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-made_at", "-id"]

    def __str__(self) -> str:
        return self.name

    def was_used(self, at: datetime) -> None:
        """Save the hour of use, with at most one write per hour."""
        hour = at.replace(minute=0, second=0, microsecond=0)
        if self.used_at is None or self.used_at < hour:
            self.used_at = hour
            self.save(update_fields=["used_at"])
