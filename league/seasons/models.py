"""Seasons: a club's sessions counted together; and the validators of a season's rules."""

from decimal import Decimal, InvalidOperation
from itertools import pairwise
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from league.members.fields import NameField
from league.members.models import Club, Member, new_public_id
from league.members.validators import validate_day, validate_measures

MOST_EVENINGS, MOST_PLACES, MOST_POINTS = 400, 60, 1000
MOST_ATTENDANCE, MOST_DIVISIONS, MOST_MOVING = 100, 12, 50
LONGEST_NUMBER = 8


def points_of(word: str) -> Decimal:
    """Parse a number of points; raises ValidationError for anything else."""
    try:
        points = Decimal(word.replace(",", "."))
    except InvalidOperation as error:
        raise ValidationError(
            _("“%(word)s” is not a number of points."), params={"word": word[:20]}
        ) from error
    exponent: Any = points.as_tuple().exponent
    if not points.is_finite() or not 0 <= points <= MOST_POINTS or exponent < -2:
        raise ValidationError(
            _("Points are from 0 to %(most)d, with two decimals at most."),
            params={"most": MOST_POINTS},
        )
    return points


def validate_place_points(value: Any) -> None:
    """Validate the points for the first, second, ... place: a list of numbers as texts."""
    if not isinstance(value, list) or not all(map(_is_number, value)):
        raise ValidationError(_("This is not a list of points."))
    numbers = [points_of(word) for word in value]
    if len(numbers) > MOST_PLACES:
        raise ValidationError(_("That is more places than a table has."))
    if any(lower > upper for upper, lower in pairwise(numbers)):
        raise ValidationError(_("A lower place can't give more than a higher one."))


def _is_number(value: Any) -> bool:
    return isinstance(value, str) and value.isascii() and 0 < len(value) <= LONGEST_NUMBER


class Season(models.Model):
    """A series of sessions with its own standings.

    `counts` is how its sessions count, with `counted_number` for the number of best or dropped
    sessions, or of best games. `place_points` are the points for the first, second, ... of each
    session, as texts ("2.5"). `measures` are the season's ranking; if empty, it is the club's. With
    divisions, `moving` is how many go up and down between neighbouring divisions, and `follows` is
    the season before, whose outcomes placed the players of this one.
    """

    class Counts(models.TextChoices):
        TOTAL = "total", _("All sessions added up")
        AVERAGE = "average", _("Average session")
        BEST = "best", _("Each player's best sessions")
        BEST_GAMES = "best_games", _("Each player's best games")
        DROP = "drop", _("All sessions but the worst")

    TEXTS_WITH_NAMES = ("club", ("name",))
    WRITTEN_ON = (_("Season"), "season_edit", "public_id")

    club = models.ForeignKey(Club, models.CASCADE, related_name="seasons")
    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    name = NameField(_("name"), max_length=80)
    starts_on = models.DateField(_("first day"), validators=[validate_day])
    ends_on = models.DateField(_("last day"), null=True, blank=True, validators=[validate_day])
    counts = models.CharField(_("what counts"), max_length=10, choices=Counts, default=Counts.TOTAL)
    counted_number = models.PositiveSmallIntegerField(
        _("how many sessions"), default=0, validators=[MaxValueValidator(MOST_EVENINGS)]
    )
    minimum_evenings = models.PositiveSmallIntegerField(
        _("sessions needed for a place"), default=0, validators=[MaxValueValidator(MOST_EVENINGS)]
    )
    guests_count = models.BooleanField(_("guests are in the table"), default=True)
    attendance_points = models.DecimalField(
        _("points for coming"),
        max_digits=5,
        decimal_places=2,
        default=0,
        validators=[MinValueValidator(0), MaxValueValidator(MOST_ATTENDANCE)],
    )
    place_points = models.JSONField(
        _("points for places"), default=list, blank=True, validators=[validate_place_points]
    )
    measures = models.JSONField(
        _("ranking of the season"), default=list, blank=True, validators=[validate_measures]
    )
    moving = models.PositiveSmallIntegerField(
        _("how many go up and down"), default=0, validators=[MaxValueValidator(MOST_MOVING)]
    )
    follows = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="followed_by"
    )
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)

    class Meta:
        ordering = ["-starts_on"]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        """Check the first and last day, and the rules, against each other."""
        faults: dict[str, Any] = {}
        if self.starts_on and self.ends_on and self.ends_on < self.starts_on:
            faults["ends_on"] = _("The last day comes before the first.")
        needs_number = self.counts in (self.Counts.BEST, self.Counts.BEST_GAMES, self.Counts.DROP)
        if needs_number and not self.counted_number:
            faults["counted_number"] = _("Enter how many.")
        if self.counts == self.Counts.BEST_GAMES and self.place_points:
            faults["place_points"] = _(
                "Points for places are for whole sessions. Leave this empty, or let sessions count."
            )
        if faults:
            raise ValidationError(faults)

    def placed(self) -> "models.QuerySet[Placement]":
        """The season's placements, by division, the highest first, then by name."""
        return self.placements.select_related("division", "member")

    def people_to_place(self) -> list[tuple[Member, str]]:
        """The club's active members and anyone placed already, by name, each with the number of
        their division or "". Two queries."""
        numbers = {
            placement.member_id: str(placement.division.number) for placement in self.placed()
        }
        active = models.Q(is_guest=False, retired_at=None, merged_into=None)
        people = self.club.members.filter(models.Q(pk__in=numbers) | active)
        return [
            (person, numbers.get(person.pk, "")) for person in people.order_by("sort_key", "pk")
        ]


class Division(models.Model):
    """A division of a season with its own standings; number 1 is the highest."""

    TEXTS_WITH_NAMES = ("season__club", ("name",))
    WRITTEN_ON = (_("Division"), "season_divisions", "season__public_id")

    season = models.ForeignKey(Season, models.CASCADE, related_name="divisions")
    number = models.PositiveSmallIntegerField(
        _("number"), validators=[MinValueValidator(1), MaxValueValidator(MOST_DIVISIONS)]
    )
    name = NameField(_("name"), max_length=60)

    class Meta:
        ordering = ["season", "number"]
        constraints = [
            models.UniqueConstraint(fields=["season", "number"], name="one_division_a_number")
        ]

    def __str__(self) -> str:
        return self.name


class Placement(models.Model):
    """A member's division in a season. Placements of past seasons are kept.

    `outcome` is where they go after the season: proposed when it is closed, and changed by
    organisers until the next season begins. `by_lot` means that they were tied with a player who
    got another outcome, and a random draw decided.
    """

    ONE_ROW_PER = "season"

    class Outcome(models.TextChoices):
        NONE = "", _("not decided yet")
        UP = "up", _("goes up")
        STAY = "stay", _("stays")
        DOWN = "down", _("goes down")
        OUT = "out", _("leaves")

    season = models.ForeignKey(Season, models.CASCADE, related_name="placements")
    division = models.ForeignKey(Division, models.RESTRICT, related_name="placements")
    member = models.ForeignKey(Member, models.PROTECT, related_name="placements")
    outcome = models.CharField(max_length=5, choices=Outcome, default=Outcome.NONE, blank=True)
    by_lot = models.BooleanField(default=False)

    class Meta:
        ordering = ["division__number", "member__sort_key", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["season", "member"], name="placed_once_a_season")
        ]


class Champion(models.Model):
    """A winner of a season, or of one of its divisions, when it was closed."""

    ONE_ROW_PER = "season"

    season = models.ForeignKey(Season, models.CASCADE, related_name="champions")
    division = models.ForeignKey(
        Division, models.RESTRICT, null=True, blank=True, related_name="champions"
    )
    member = models.ForeignKey(Member, models.PROTECT, related_name="seasons_won")

    class Meta:
        ordering = ["season", "division__number", "member"]
        constraints = [
            models.UniqueConstraint(fields=["season", "member"], name="champion_once_a_season")
        ]
