"""A club: its settings, what each account may do in it, its rulesets, and its API tokens."""

import json
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

from league.members.fields import LineField, NameField
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
from scoring import RulesetError, ruleset


class Club(models.Model):
    """One club: its people and sessions are strictly its own.

    `guided`: its organisers are shown the steps of the first night until they hide them.
    `joins_by_link`: its invitation link is open to anyone who has it; raising `link_version`
    replaces the link.
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
    """For each kind of import the headings of the club's own sheets, with the columns they are."""
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

    @property
    def zone(self) -> ZoneInfo:
        """The club's time zone: what its times are shown in. UTC where this computer does not know
        it, so that its owner can open the settings and choose another."""
        try:
            return ZoneInfo(self.time_zone)
        except (ZoneInfoNotFoundError, ValueError):
            return ZoneInfo("UTC")

    def local(self, at: datetime) -> datetime:
        """The same moment on the club's clock."""
        return at.astimezone(self.zone)


class Role(models.Model):
    """What an account may do in one club.

    While `calendar_since` is set, a link of its own shows the account the club's calendar. The
    moment is part of the link: setting another makes the link before void.
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
        """Those that can be accepted: not used, withdrawn or expired, and the one who made them
        still has an account here and may still give that role."""
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
    """A role that somebody may accept, once: by a link, or the one account it is for (`to_user`).

    Only a hash of the link's secret is kept. An account created with a link is the only one that
    can accept it.
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


MAY_CHANGE = frozenset({"is_default", "retired"})


class RulesetQuerySet(models.QuerySet["ClubRuleset"]):
    def update(self, **fields: Any) -> int:
        if not MAY_CHANGE.issuperset(fields):
            raise TypeError("A ruleset version is never changed: make a new version.")
        return super().update(**fields)

    rename = models.QuerySet.update  # of all versions of one ruleset at once


@lru_cache(maxsize=256)
def _sides(body: str) -> int:
    return len(ruleset(json.loads(body)).sides)


@lru_cache(maxsize=256)
def _lone_bids(body: str) -> frozenset[str]:
    specials = ruleset(json.loads(body)).specials
    return frozenset(special.name for special in specials if special.alone and not special.lose_all)


@lru_cache(maxsize=256)
def _scale(body: str) -> str:
    rules = ruleset(json.loads(body))
    counted = "down" if rules.counts_down else "up"
    if rules.family == "turn_up":
        return f"turn_up {counted}"
    return f"{rules.family} {counted} {rules.target}"


class ClubRuleset(models.Model):
    """One version of a club's ruleset for a table size. Never changed once made: games keep it.

    `body` is the whole ruleset as the engine reads it; `preset` the id of the preset it began
    with. Only what does not touch a game may change later: the default mark, retirement, the name.
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
    def sides(self) -> int:
        """How many sides score apart: two of partners, or every player for themselves."""
        return _sides(json.dumps(self.body, sort_keys=True))

    @property
    def lone_bids(self) -> frozenset[str]:
        """The special bids whose bidder plays alone to take tricks, and not to take none."""
        return _lone_bids(json.dumps(self.body, sort_keys=True))

    @property
    def scale(self) -> str:
        """What the points of this game compare with: those of games of the same scale. All games
        of Euchre with a card turned up are one; bid games are the same with the same target."""
        return _scale(json.dumps(self.body, sort_keys=True))

    def clean(self) -> None:
        """The rules are for tables of `players`."""
        try:
            players = ruleset(self.body).players
        except RulesetError:  # told by the field
            return
        if players != self.players:
            raise ValidationError({"players": _("The rules are for another number of players.")})

    def save(self, *args: Any, **kwargs: Any) -> None:
        changed = kwargs.get("update_fields")
        if self.pk and (changed is None or not MAY_CHANGE.issuperset(changed)):
            raise TypeError("A ruleset version is never changed: make a new version.")
        super().save(*args, **kwargs)


class ApiToken(models.Model):
    """What one program may do in one club. Only a hash of its secret is kept.

    A token opens no more than its maker may do at the moment it is used: it stops working with
    her role and her account. `used_at` is the hour of its last use, not the second.
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
        """Remember the hour: one write an hour, however much it asks."""
        hour = at.replace(minute=0, second=0, microsecond=0)
        if self.used_at is None or self.used_at < hour:
            self.used_at = hour
            self.save(update_fields=["used_at"])
