"""A knock-out of pairs from the squads, beside a league."""

from django.core.validators import MaxValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.errors import Refused
from league.members.fields import NameField
from league.members.models import Member, new_public_id
from league.members.validators import validate_day
from league.teams.models.leagues import Team, TeamLeague

MOST_SCORE = 999


class PairsCup(models.Model):
    """A knock-out of pairs; its matches have only a final score."""

    TEXTS_WITH_NAMES = ("league__club", ("name",))
    WRITTEN_ON = (_("Cup"), "team_pairs", "league__public_id", "public_id")

    league = models.ForeignKey(TeamLeague, models.CASCADE, related_name="pairs_cups")
    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    name = NameField(_("name"), max_length=80)
    seed = models.PositiveIntegerField(default=0)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return self.name


class CupPair(models.Model):
    """Two players of one squad, and their place in the draw, from 1."""

    cup = models.ForeignKey(PairsCup, models.CASCADE, related_name="pairs")
    number = models.PositiveSmallIntegerField()
    team = models.ForeignKey(Team, models.CASCADE, related_name="cup_pairs")
    first = models.ForeignKey(Member, models.PROTECT, related_name="pairs_first_in")
    second = models.ForeignKey(Member, models.PROTECT, related_name="pairs_second_in")

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["cup", "number"], name="one_pair_a_place"),
        ]

    @classmethod
    def refuse_merge(cls, source: Member, target: Member) -> None:
        """Whoever is drawn twice in one cup cannot be one person."""
        theirs = cls._cups_of(target)
        for pair in cls._of(source).select_related("cup"):
            if pair.cup_id in theirs:
                sentence = gettext("%(one)s and %(other)s both play in %(cup)s.") % {
                    "one": source.name,
                    "other": target.name,
                    "cup": pair.cup.name,
                }
                raise Refused("two-pairs", sentence, status=409, fields={"into": [sentence]})

    @classmethod
    def _of(cls, member: Member) -> "models.QuerySet[CupPair]":
        return cls.objects.filter(models.Q(first=member) | models.Q(second=member))

    @classmethod
    def _cups_of(cls, member: Member) -> set[int]:
        return set(cls._of(member).values_list("cup", flat=True))


class PairsMatch(models.Model):
    """A match of a pairs cup at its `place` of the bracket, with its day. Its result is the final
    score, or the pair that went `through` without a game."""

    cup = models.ForeignKey(PairsCup, models.CASCADE, related_name="matches")
    place = models.CharField(max_length=10)
    home = models.ForeignKey(CupPair, models.CASCADE, related_name="+")
    away = models.ForeignKey(CupPair, models.CASCADE, related_name="+")
    held_on = models.DateField(_("date"), validators=[validate_day])
    home_points = models.PositiveSmallIntegerField(
        null=True, blank=True, validators=[MaxValueValidator(MOST_SCORE)]
    )
    away_points = models.PositiveSmallIntegerField(
        null=True, blank=True, validators=[MaxValueValidator(MOST_SCORE)]
    )
    through = models.ForeignKey(CupPair, models.CASCADE, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["cup", "place"], name="one_pairs_match_a_place"),
        ]

    @property
    def winner_id(self) -> int | None:
        """The pair that goes on; None while the match is open."""
        if self.through_id is not None:
            return self.through_id if self.through_id in self.sides else None
        if self.home_points is None or self.away_points is None:
            return None
        if self.home_points == self.away_points:
            return None
        return self.home_id if self.home_points > self.away_points else self.away_id

    @property
    def sides(self) -> tuple[int, int]:
        return self.home_id, self.away_id
