"""A league of teams: the teams and their people, the fixtures, the cup beside it."""

from typing import Any

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.errors import Refused
from league.members.fields import CopiedField, LineField, NameField
from league.members.models import Club, ClubRuleset, Member, User, new_public_id
from league.members.validators import validate_day
from league.seasons.models import Season
from league.sessions.models import Session

MOST_PAIRS, MOST_TURNS, MOST_POINTS, MOST_BORROWED = 6, 9, 20, 12
MOST_DAYS, MOST_DEDUCTED = 90, 99


def _within(least: int, most: int) -> list[Any]:
    return [MinValueValidator(least), MaxValueValidator(most)]


class TeamLeague(models.Model):
    """Teams of so many pairs that meet at home and away over a season.

    A match has `pairs` times `turns` games: in each turn every pair of one team plays a pair of
    the other, and the visitors move on. The points are for the table: for a match won, drawn and
    lost, and for each game won in it. `borrowed` people from outside a team may play for it in a
    match. `ranking` names the order of the tie-breaks (`ranking.ORDERS`).
    """

    class State(models.TextChoices):
        SETUP = "setup", _("Being set up")
        RUNNING = "running", _("Under way")
        FINISHED = "finished", _("Finished")
        CANCELLED = "cancelled", _("Cancelled")

    class Ranking(models.TextChoices):
        GAMES = "games", _("games won, head-to-head, points difference")
        MEETINGS = "meetings", _("head-to-head, games won, points difference")
        DIFFERENCE = "difference", _("points difference, games won, head-to-head")

    TEXTS_WITH_NAMES = ("club", ("name",))
    WRITTEN_ON = (_("League"), "team_league_edit", "public_id")

    club = models.ForeignKey(Club, models.CASCADE, related_name="team_leagues")
    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    name = NameField(_("name"), max_length=80)
    state = models.CharField(max_length=10, choices=State, default=State.SETUP)
    season = models.ForeignKey(
        Season,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="team_leagues",
        verbose_name=_("season"),
    )
    ruleset = models.ForeignKey(
        ClubRuleset, models.PROTECT, related_name="+", verbose_name=_("played by")
    )
    pairs = models.PositiveSmallIntegerField(
        _("pairs in a team"), default=3, validators=_within(1, MOST_PAIRS)
    )
    turns = models.PositiveSmallIntegerField(
        _("games of each pair"), default=3, validators=_within(1, MOST_TURNS)
    )
    points_win = models.PositiveSmallIntegerField(
        _("points for a match won"), default=2, validators=_within(0, MOST_POINTS)
    )
    points_draw = models.PositiveSmallIntegerField(
        _("for a match drawn"), default=1, validators=_within(0, MOST_POINTS)
    )
    points_loss = models.PositiveSmallIntegerField(
        _("for a match lost"), default=0, validators=_within(0, MOST_POINTS)
    )
    points_game = models.PositiveSmallIntegerField(
        _("for each game won"), default=0, validators=_within(0, MOST_POINTS)
    )
    ranking = models.CharField(
        _("teams level on points"), max_length=12, choices=Ranking, default=Ranking.GAMES
    )
    borrowed = models.PositiveSmallIntegerField(
        _("people borrowed for a match"), default=2, validators=_within(0, MOST_BORROWED)
    )
    twice = models.BooleanField(_("everybody meets at home and away"), default=True)
    starts_on = models.DateField(_("first round"), validators=[validate_day])
    days_between = models.PositiveSmallIntegerField(
        _("days from round to round"), default=7, validators=_within(1, MOST_DAYS)
    )
    seed = models.PositiveIntegerField(default=0)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-made_at", "-id"]

    def __str__(self) -> str:
        return self.name

    @property
    def games(self) -> int:
        """How many games a match has."""
        return self.pairs * self.turns


class Team(models.Model):
    """A team, its captain, and where it plays at home.

    Teams with the same `venue` share it: two of them are never at home in one round, unless the
    venue has room for several matches (`roomy`). `joined_at`: when it got its matches, for a team
    that came when the fixtures stood; `drawn_anew`: the rounds to come were redrawn for it.
    """

    TEXTS_WITH_NAMES = ("league__club", ("name", "venue"))
    WRITTEN_ON = (_("Team"), "team_edit", "league__public_id", "public_id")

    league = models.ForeignKey(TeamLeague, models.CASCADE, related_name="teams")
    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    name = NameField(_("name"), max_length=40)
    venue = NameField(_("plays at home at"), max_length=60, blank=True)
    roomy = models.BooleanField(_("several matches at once fit in there"), default=False)
    captain = models.ForeignKey(
        Member,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="captain_of",
        verbose_name=_("captain"),
    )
    joined_at = models.DateTimeField(null=True, blank=True)
    drawn_anew = models.BooleanField(default=False)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["league", "name"], name="one_team_a_name")]

    def __str__(self) -> str:
        return self.name


class TeamPlayer(models.Model):
    """Somebody who plays for a team; for one team of a league only."""

    ONE_ROW_PER = "league"

    league = models.ForeignKey(TeamLeague, models.CASCADE, related_name="players")
    team = models.ForeignKey(Team, models.CASCADE, related_name="players")
    member = models.ForeignKey(Member, models.PROTECT, related_name="team_places")

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["league", "member"], name="one_team_a_person")
        ]

    @classmethod
    def refuse_merge(cls, source: Member, target: Member) -> None:
        """Whoever plays for two teams of one league cannot be one person."""
        teams = dict(cls.objects.filter(member=target).values_list("league", "team"))
        for place in cls.objects.filter(member=source).select_related("league"):
            if teams.get(place.league_id, place.team_id) != place.team_id:
                sentence = gettext("%(one)s and %(other)s play for two teams of %(league)s.") % {
                    "one": source.name,
                    "other": target.name,
                    "league": place.league.name,
                }
                raise Refused("two-teams", sentence, status=409, fields={"into": [sentence]})


class Deduction(models.Model):
    """Points taken off a team, with the reason; one taken back stays for the record."""

    TEXTS_WITH_NAMES = ("team__league__club", ("reason", "said_as", "withdrawn_as"))
    WRITTEN_ON = (_("Points deduction"), "team", "team__league__public_id", "team__public_id")

    team = models.ForeignKey(Team, models.CASCADE, related_name="deductions")
    points = models.PositiveSmallIntegerField(validators=_within(1, MOST_DEDUCTED))
    reason = LineField(max_length=200)
    said_as = CopiedField(max_length=80)
    at = models.DateTimeField(default=timezone.now)
    withdrawn_as = CopiedField(max_length=80, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["id"]


class TeamCup(models.Model):
    """A knock-out of a league's teams."""

    TEXTS_WITH_NAMES = ("league__club", ("name",))
    WRITTEN_ON = (_("Cup"), "team_cup", "league__public_id", "public_id")

    league = models.ForeignKey(TeamLeague, models.CASCADE, related_name="cups")
    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    name = NameField(_("name"), max_length=80)
    third_place = models.BooleanField(_("with a match for the third place"), default=False)
    seed = models.PositiveIntegerField(default=0)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return self.name


class CupPlace(models.Model):
    """A team's place in the draw of a cup, from 1."""

    cup = models.ForeignKey(TeamCup, models.CASCADE, related_name="places")
    team = models.ForeignKey(Team, models.CASCADE, related_name="cup_places")
    number = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["cup", "team"], name="drawn_once_a_cup"),
            models.UniqueConstraint(fields=["cup", "number"], name="one_team_a_place"),
        ]


class TeamMatch(models.Model):
    """A fixture of two teams, of the league or of a cup, and the session that has its games.

    The session is made when the card is first written: a table for each game, of which only the
    score is kept, so that the games are in every member's figures. `first_date` is the day a
    postponed match was meant for. `given_to` won without, or in spite of, the games: a walk-over,
    or a play-off; `given_reason` says which. `written_by` is the team whose captain wrote the
    card: the other one confirms it. `revision` rises with every change of the fixture.
    """

    TEXTS_WITH_NAMES = (
        "league__club",
        ("venue", "postponed_reason", "given_reason", "given_as", "written_as"),
    )
    WRITTEN_ON = (_("Fixture"), "team_match", "league__public_id", "public_id")

    league = models.ForeignKey(TeamLeague, models.CASCADE, related_name="matches")
    cup = models.ForeignKey(TeamCup, models.CASCADE, null=True, blank=True, related_name="matches")
    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    round = models.PositiveSmallIntegerField()
    number = models.PositiveSmallIntegerField()
    place = models.CharField(max_length=10, blank=True)
    home = models.ForeignKey(Team, models.PROTECT, related_name="at_home")
    away = models.ForeignKey(Team, models.PROTECT, related_name="away")
    held_on = models.DateField(_("date"), null=True, blank=True, validators=[validate_day])
    first_date = models.DateField(null=True, blank=True, validators=[validate_day])
    venue = NameField(_("played at"), max_length=60, blank=True)
    postponed_reason = LineField(max_length=200, blank=True)
    session = models.OneToOneField(
        Session, models.PROTECT, null=True, blank=True, related_name="team_match"
    )
    written_by = models.ForeignKey(Team, models.SET_NULL, null=True, blank=True, related_name="+")
    written_as = CopiedField(max_length=80, blank=True)
    given_to = models.ForeignKey(Team, models.PROTECT, null=True, blank=True, related_name="+")
    given_reason = LineField(max_length=200, blank=True)
    given_as = CopiedField(max_length=80, blank=True)
    revision = models.PositiveIntegerField(default=0)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["round", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["league", "round", "number"],
                condition=models.Q(cup=None),
                name="one_fixture_a_number",
            ),
            models.UniqueConstraint(fields=["cup", "place"], name="one_match_a_place"),
        ]

    def __str__(self) -> str:
        return f"{self.home} – {self.away}"

    def side_of(self, team: Any) -> int | None:
        """0 for the home team, 1 for the visitors, None for another."""
        return {self.home_id: 0, self.away_id: 1}.get(getattr(team, "pk", team))
