"""Models of knock-out cups of pairs."""

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
    """A knock-out cup of pairs; its matches have only a final score."""

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
    """Two players of one team, and their place in the draw, from 1."""

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

    def __str__(self) -> str:
        return f"{self.first.name} & {self.second.name}"

    @classmethod
    def refuse_merge(cls, source: Member, target: Member) -> None:
        """Refuse to merge two members who play in the same cup."""
        target_cups = set(cls._pairs_with(target).values_list("cup", flat=True))
        for pair in cls._pairs_with(source).select_related("cup"):
            if pair.cup_id in target_cups:
                sentence = gettext("%(one)s and %(other)s both play in %(cup)s.") % {
                    "one": source.name,
                    "other": target.name,
                    "cup": pair.cup.name,
                }
                raise Refused("two-pairs", sentence, status=409, fields={"into": [sentence]})

    @classmethod
    def _pairs_with(cls, member: Member) -> "models.QuerySet[CupPair]":
        return cls.objects.filter(models.Q(first=member) | models.Q(second=member))


class PairsMatch(models.Model):
    """A match of a pairs cup, with its day and its `place` in the bracket. The result is the final
    score, or the pair that goes `through` without a game."""

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
        """The pair that goes through; None while the match is open."""
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

    @property
    def score(self) -> str:
        """The final score, or ""."""
        return "" if self.home_points is None else f"{self.home_points}–{self.away_points}"
