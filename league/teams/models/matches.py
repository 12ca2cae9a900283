"""Models of fixtures and their cards, in the league and in its cups of teams."""

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from typing import Any, ClassVar, Self

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Exists, F, OuterRef, Q, Value
from django.db.models.functions import NullIf
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.members.fields import CopiedField, LineField, NameField
from league.members.models import Club, Member, User, new_public_id
from league.members.validators import validate_day
from league.play.models import Game
from league.sessions.models import Session
from league.teams.models.leagues import Team, TeamLeague
from league.teams.validators import validate_card, validate_decider


class TeamCup(models.Model):
    """A knock-out cup of a league's teams."""

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


class TeamMatchQuerySet(models.QuerySet["TeamMatch"]):
    def to_confirm(self, user: int | None) -> Self:
        """The matches whose card the account `user` has to confirm as the other captain."""
        if user is None:
            return self.none()
        waits = self.filter(session__games__state=Game.State.FINISHED)
        own = waits.filter(Q(home__captain__user=user) | Q(away__captain__user=user))
        own = own.exclude(league__club__confirm=Club.Confirm.ORGANISER)
        return own.exclude(Q(written_by__captain__user=user) | Q(league__state="cancelled"))


class TeamMatch(models.Model):
    """A fixture of two teams, in the league or in a cup, and the session with its games.

    `begins_at` is its own start time, in place of the league's usual one. The session is created
    when the card is first saved. It has a table for each game, with only the score, so that the
    games count in the members' figures. `first_date` is the original day of a match that was moved.
    `given_to` is the team to which the match was awarded, whatever was played, for example for a
    walk-over or a play-off; `given_reason` says why. `given_nobody`: neither team came, and both
    lose. `written_by` is the team whose captain wrote the card; the other captain confirms it.
    `revision` rises with every change of the fixture.

    `card` has an entry per game: "home" or "away" for a game awarded to a side, "void" for one that
    does not count, the points of one whose players are unknown, and None for one with a table.
    `received_at`: when the first accepted copy of the card arrived, or when the match was awarded
    without a card. `late_lifted`: why the penalty for a late card is waived. `decider`: the points
    of the deciding game of a drawn cup match, home first. `half`: the half of the season in the
    fixture list. `totals_only`: the card comes from a sheet with totals only, and its games add up
    to them. `card_note`: why games of the card were decided; without a card, why the match is to be
    played again.
    """

    TEXTS_WITH_NAMES = (
        "league__club",
        (
            "venue",
            "postponed_reason",
            "given_reason",
            "given_as",
            "written_as",
            "card_note",
            "late_lifted",
        ),
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
    begins_at = models.TimeField(_("start time"), null=True, blank=True)
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
    given_nobody = models.BooleanField(default=False)
    half = models.PositiveSmallIntegerField(
        default=1, validators=[MinValueValidator(1), MaxValueValidator(2)]
    )
    card = models.JSONField(default=list, blank=True, validators=[validate_card])
    card_note = LineField(max_length=200, blank=True)
    totals_only = models.BooleanField(default=False)
    received_at = models.DateTimeField(null=True, blank=True)
    late_lifted = LineField(max_length=200, blank=True)
    decider = models.JSONField(default=list, blank=True, validators=[validate_decider])
    revision = models.PositiveIntegerField(default=0)
    made_at = models.DateTimeField(default=timezone.now)

    objects = TeamMatchQuerySet.as_manager()

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

    UNTOUCHED: ClassVar[dict[str, Any]] = {
        "session": None,
        "given_to": None,
        "given_nobody": False,
        "card": [],
    }
    """Filter for matches that have no card and have not been awarded."""

    @property
    def is_given(self) -> bool:
        """Whether the match was awarded to a side, or to neither."""
        return self.given_to_id is not None or self.given_nobody

    @property
    def is_untouched(self) -> bool:
        """Whether the match has no card and has not been awarded."""
        return self.session_id is None and not self.is_given and not self.card

    @property
    def is_replay(self) -> bool:
        """Whether the match is to be played again."""
        return bool(self.card_note) and self.is_untouched

    @property
    def is_brought_forward(self) -> bool:
        """Whether the match was moved to a day before the one first planned."""
        return bool(self.held_on and self.first_date and self.held_on < self.first_date)

    round_shift = timedelta(0)  # of a round that was moved whole; see `with_round_shifts`

    @property
    def planned_on(self) -> date | None:
        """The day first planned, or the one to which its whole round was moved."""
        day = self.first_date or self.held_on
        return day and day + self.round_shift

    @property
    def is_moved(self) -> bool:
        """Whether the match was moved by itself, away from its round."""
        return self.first_date is not None and self.held_on != self.planned_on

    @property
    def is_early(self) -> bool:
        """Whether the match was moved to a day before its round."""
        days = self.held_on, self.planned_on
        return bool(self.is_moved and days[0] and days[1] and days[0] < days[1])

    @property
    def left_team(self) -> Team | None:
        """The team that has left; None if neither or both have."""
        left = [team for team in (self.home, self.away) if team.withdrawn_at]
        return left[0] if len(left) == 1 else None

    @property
    def remaining_team(self) -> Team | None:
        """The opponent of a team that has left; None if neither team or both have."""
        return next((t for t in (self.home, self.away) if self.left_team not in (t, None)), None)

    def has_games(self, state: str) -> bool:
        """Whether any game of the card is in this state. One query."""
        games = Game.objects.filter(session=self.session_id, state=state)
        return self.session_id is not None and games.exists()

    def side_of(self, team: Any) -> int | None:
        """0 for the home team, 1 for the visitors, None for any other team (or its key)."""
        return {self.home_id: 0, self.away_id: 1}.get(getattr(team, "pk", team))


class MatchMessageQuerySet(models.QuerySet["MatchMessage"]):
    RECENT, MOST_RECENT = timedelta(days=14), 5

    def to_read(self, club: Club, user: int | None, read: Mapping[int, int]) -> Self:
        """The club's recent messages that the account `user` has neither written nor answered with
        a later one on the same match, and that is not older than the match's card; `read` has the
        last one marked as read, by league."""
        messages = self.filter(match__league__club=club, at__gte=timezone.now() - self.RECENT)
        messages = messages.exclude(match__received_at__gt=F("at"))
        for league, last in read.items():
            messages = messages.exclude(match__league=league, pk__lte=last)
        if user is None:
            return messages
        account = User.objects.filter(pk=user)
        own = MatchMessage.objects.filter(
            Q(said_as__in=club.members.filter(user=user).values("name"))
            | Q(said_as__in=account.values(label=NullIf("display_name", Value(""))))
            | Q(said_as__in=account.values("username")),
            match=OuterRef("match"),
            pk__gte=OuterRef("pk"),
        )
        return messages.exclude(Exists(own))

    def latest_to_read(
        self,
        league: TeamLeague,
        user: int | None,
        read: Mapping[int, int],
        teams: Iterable[Team] | None = None,
    ) -> Self:
        """The latest messages to read on matches of the league, or of these teams, newest first.
        One query."""
        messages = self.to_read(league.club, user, read).filter(match__league=league)
        if teams is not None:
            keys = [team.pk for team in teams]
            messages = messages.filter(Q(match__home__in=keys) | Q(match__away__in=keys))
        messages = messages.select_related("match__home", "match__away").order_by("-pk")
        return messages[: self.MOST_RECENT]


class MatchMessage(models.Model):
    """A message about a match, from one of its captains or an organiser."""

    TEXTS_WITH_NAMES = ("match__league__club", ("text", "said_as"))
    WRITTEN_ON = (_("Message"), "team_match", "match__league__public_id", "match__public_id")

    match = models.ForeignKey(TeamMatch, models.CASCADE, related_name="messages")
    text = LineField(max_length=300)
    said_as = CopiedField(max_length=80)
    at = models.DateTimeField(default=timezone.now)

    objects = MatchMessageQuerySet.as_manager()

    class Meta:
        ordering = ["id"]


class CardCopy(models.Model):
    """A captain's own copy of a card, if it differs from the card saved first.

    `games` are in the format of `TeamMatch.card`, with the points of every game played.
    """

    TEXTS_WITH_NAMES = ("match__league__club", ("said_as",))
    WRITTEN_ON = (_("Card"), "team_match", "match__league__public_id", "match__public_id")

    match = models.ForeignKey(TeamMatch, models.CASCADE, related_name="copies")
    team = models.ForeignKey(Team, models.CASCADE, related_name="+")
    games = models.JSONField(validators=[validate_card])
    said_as = CopiedField(max_length=80)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["id"]


class CardPhotograph(models.Model):
    """A photograph of the signed card, sent by a team's captain, as a small JPEG; one per team.

    The two captains and the organisers can see it until the league is closed.
    """

    TEXTS_WITH_NAMES = ("match__league__club", ("said_as",))

    match = models.ForeignKey(TeamMatch, models.CASCADE, related_name="photographs")
    team = models.ForeignKey(Team, models.CASCADE, related_name="+")
    image = models.BinaryField()
    said_as = CopiedField(max_length=80)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["match", "team"], name="one_photograph_a_team")
        ]

    @classmethod
    def delete_at_erasing(cls, member: Member) -> None:
        """Delete all photographs of the club: any of them may show the member's name."""
        cls.objects.filter(match__league__club=member.club_id).delete()
