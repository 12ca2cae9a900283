"""Models of a team league: divisions, teams and players, deductions, play-offs, decisions."""

from typing import Any, Self

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Exists, ExpressionWrapper, OuterRef, Q
from django.template.defaultfilters import floatformat
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from league.errors import Refused
from league.members.fields import CopiedField, LineField, NameField
from league.members.models import Club, ClubRuleset, Member, Role, User, new_public_id
from league.members.validators import validate_day
from league.seasons.models import Season
from league.teams.validators import (
    validate_days,
    validate_fixture_rules,
    validate_league_rules,
    validate_squad_rules,
)

MOST_PAIRS, MOST_TURNS, MOST_POINTS, MOST_BORROWED = 6, 9, 20, 12
MOST_DAYS, MOST_DEDUCTED, MOST_DIVISIONS = 90, 99, 40


def _within(least: int, most: int) -> list[Any]:
    return [MinValueValidator(least), MaxValueValidator(most)]


class TeamLeague(models.Model):
    """A season of a league of teams, each made up of pairs.

    A match has `pairs` times `turns` games: in each turn every pair of one team plays a pair of
    the other, and then the visitors move on. `rules` say what a match is worth and how the table
    ranks (the JSON form of `ranking.LeagueRules`, without the rules that have a field here);
    `squad_rules` say who may play and `fixture_rules` when (both are read by
    `league.teams.validators`). `before` is the previous season. The `secretary`, if they have an
    account, may do in this league whatever an organiser may. `borrowed` is the number of players
    from outside a team who may play for it in a match. `preset` is the code of the printed rulebook
    from which the rules come. Divisions rank above one another, unless they are `sections` of equal
    rank. The weeks of `blank_days` have no round.
    """

    class State(models.TextChoices):
        SETUP = "setup", _("Being set up")
        RUNNING = "running", _("Under way")
        FINISHED = "finished", pgettext_lazy("a league", "Finished")
        CANCELLED = "cancelled", pgettext_lazy("a league", "Cancelled")

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
    rules = models.JSONField(default=dict, blank=True, validators=[validate_league_rules])
    squad_rules = models.JSONField(default=dict, blank=True, validators=[validate_squad_rules])
    fixture_rules = models.JSONField(default=dict, blank=True, validators=[validate_fixture_rules])
    preset = models.CharField(max_length=30, blank=True)
    before = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="seasons_after"
    )
    secretary = models.ForeignKey(
        Member, models.SET_NULL, null=True, blank=True, related_name="secretary_of"
    )
    sections = models.BooleanField(_("divisions are sections side by side"), default=False)
    blank_days = models.JSONField(default=list, blank=True, validators=[validate_days])
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
    def is_closed(self) -> bool:
        """Whether no more matches are played: the league is finished or called off."""
        return self.state in (self.State.FINISHED, self.State.CANCELLED)

    @property
    def games(self) -> int:
        """Number of games in a match."""
        return self.pairs * self.turns

    @property
    def confirms(self) -> str:
        """Who confirms a card: as in the club, except if the league wants both captains to."""
        if self.squad_rules.get("both_confirm") and self.club.confirm == Club.Confirm.NONE:
            return Club.Confirm.OPPONENT
        return self.club.confirm


class TeamDivision(models.Model):
    """A division or section of a league; number 1 is the highest."""

    TEXTS_WITH_NAMES = ("league__club", ("name",))
    WRITTEN_ON = (_("Division"), "team_league", "league__public_id")

    league = models.ForeignKey(TeamLeague, models.CASCADE, related_name="divisions")
    name = NameField(_("name"), max_length=40)
    number = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["league", "number"], name="one_team_division_a_number"),
            models.UniqueConstraint(fields=["league", "name"], name="one_team_division_a_name"),
        ]

    def __str__(self) -> str:
        return self.name


class TeamQuerySet(models.QuerySet["Team"]):
    def with_captains(self) -> Self:
        """With the captains, and with `captain_left`, for which each team would ask by itself."""
        roles = Role.objects.filter(club=OuterRef("captain__club"), user=OuterRef("captain__user"))
        has_account = Q(captain__user__isnull=False)
        return self.select_related("captain").annotate(
            captain_left=ExpressionWrapper(has_account & ~Exists(roles), models.BooleanField())
        )


class Team(models.Model):
    """A team, its captain and its home venue.

    Teams with the same `venue` are never at home in the same round, unless it has room for several
    matches (`roomy`). `joined_at` is when a late team got its matches; `drawn_anew` says whether
    the remaining rounds were redrawn for it. Teams of the same `house` are its A, B and C teams.
    `code` is the team's id in an imported or exported file.
    """

    TEXTS_WITH_NAMES = ("league__club", ("name", "house", "venue"))
    WRITTEN_ON = (_("Team"), "team_edit", "league__public_id", "public_id")

    league = models.ForeignKey(TeamLeague, models.CASCADE, related_name="teams")
    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    division = models.ForeignKey(
        TeamDivision, models.PROTECT, null=True, blank=True, related_name="teams"
    )
    name = NameField(_("name"), max_length=40)
    code = models.CharField(max_length=40, blank=True)
    house = NameField(_("house"), max_length=60, blank=True)
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

    objects = TeamQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["league", "name"], name="one_team_a_name")]

    def __str__(self) -> str:
        return self.name

    @property
    def lost_captain(self) -> bool:
        """Whether the captain was erased or has left the club, so that the team needs another."""
        if self.captain is None:
            return False
        return self.captain.erased_at is not None or self.captain_left

    @property
    def captain_has_account(self) -> bool:
        """Whether the captain can sign in and see the league."""
        return bool(self.captain and self.captain.user_id and not self.captain_left)

    @cached_property
    def captain_left(self) -> bool:
        """Whether the captain has an account that is not in the club any more."""
        if self.captain is None or self.captain.user_id is None:
            return False
        roles = Role.objects.filter(club=self.captain.club_id, user=self.captain.user_id)
        return not roles.exists()

    @classmethod
    def note_on_leaving(cls, club: Club, user: User) -> str:
        """What to read before this account leaves the club: the teams that lose their captain."""
        teams = cls.objects.filter(
            captain__user=user, league__club=club, league__finished_at=None, withdrawn_at=None
        )
        if not teams:
            return ""
        text = gettext("You are the captain of %(teams)s. An organiser then chooses another.")
        return text % {"teams": ", ".join(team.name for team in teams)}

    @classmethod
    def note_on_joining(cls, member: Member) -> str:
        """What to read when this member gets an account: the teams to lead, with links."""
        teams = cls.objects.filter(captain=member, league__finished_at=None, withdrawn_at=None)
        if not teams:
            return ""
        links = [
            (reverse("team_mine", args=[member.club.slug, team.league.public_id]), team.name)
            for team in teams.select_related("league")
        ]
        text = gettext("You are the captain of %(teams)s: you fill in and confirm its cards.")
        named = format_html_join(", ", '<a href="{}">{}</a>', links)
        return format_html(text.replace("%(teams)s", "{teams}"), teams=named)


class TeamPlayer(models.Model):
    """A player of a team, registered on a day. A member plays for one team of a league only."""

    ONE_ROW_PER = "league"

    league = models.ForeignKey(TeamLeague, models.CASCADE, related_name="players")
    team = models.ForeignKey(Team, models.CASCADE, related_name="players")
    member = models.ForeignKey(Member, models.PROTECT, related_name="team_places")
    registered_on = models.DateField(null=True, blank=True, validators=[validate_day])

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["league", "member"], name="one_team_a_person")
        ]

    @classmethod
    def refuse_merge(cls, source: Member, target: Member) -> None:
        """Refuse to merge two members who play for different teams of a league."""
        teams = dict(cls.objects.filter(member=target).values_list("league", "team"))
        for place in cls.objects.filter(member=source).select_related("league"):
            if teams.get(place.league_id, place.team_id) != place.team_id:
                sentence = gettext(
                    "%(one)s and %(other)s play for different teams of %(league)s."
                ) % {
                    "one": source.name,
                    "other": target.name,
                    "league": place.league.name,
                }
                raise Refused("two-teams", sentence, status=409, fields={"into": [sentence]})


class Transfer(models.Model):
    """A player's transfer between teams; games before that day still count for the old team."""

    TEXTS_WITH_NAMES = ("league__club", ("said_as",))
    WRITTEN_ON = (_("Transfer"), "team_league", "league__public_id")

    league = models.ForeignKey(TeamLeague, models.CASCADE, related_name="transfers")
    member = models.ForeignKey(Member, models.PROTECT, related_name="team_transfers")
    source = models.ForeignKey(Team, models.CASCADE, related_name="transfers_out")
    target = models.ForeignKey(Team, models.CASCADE, related_name="transfers_in")
    day = models.DateField(validators=[validate_day])
    said_as = CopiedField(max_length=80)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["id"]


class Deduction(models.Model):
    """Points deducted from a team, or added if negative, with a reason. A withdrawn deduction stays
    on record."""

    TEXTS_WITH_NAMES = ("team__league__club", ("reason", "said_as", "withdrawn_as"))
    WRITTEN_ON = (_("Points deduction"), "team", "team__league__public_id", "team__public_id")

    team = models.ForeignKey(Team, models.CASCADE, related_name="deductions")
    points = models.DecimalField(
        max_digits=4, decimal_places=2, validators=_within(-MOST_DEDUCTED, MOST_DEDUCTED)
    )
    reason = LineField(max_length=200)
    said_as = CopiedField(max_length=80)
    at = models.DateTimeField(default=timezone.now)
    withdrawn_as = CopiedField(max_length=80, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["id"]

    @property
    def amount(self) -> str:
        """The points in a list of deductions, which says if they were added."""
        points = floatformat(abs(self.points))
        return gettext("added %(points)s") % {"points": points} if self.points < 0 else points


class PlayOff(models.Model):
    """The result of a play-off, as its `places` in order: between teams that were level in a table,
    or between teams of two divisions for a place in the upper one."""

    class Kind(models.TextChoices):
        LEVEL = "level", _("teams level in the table")
        MOVE = "move", _("for a place in the upper division")

    TEXTS_WITH_NAMES = ("league__club", ("said_as",))
    WRITTEN_ON = (_("Play-off"), "team_league", "league__public_id")

    league = models.ForeignKey(TeamLeague, models.CASCADE, related_name="play_offs")
    kind = models.CharField(max_length=8, choices=Kind)
    said_as = CopiedField(max_length=80)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["id"]


class PlayOffPlace(models.Model):
    """A team's place in a play-off; 1 is the winner."""

    play_off = models.ForeignKey(PlayOff, models.CASCADE, related_name="places")
    team = models.ForeignKey(Team, models.CASCADE, related_name="play_off_places")
    number = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["play_off", "team"], name="once_in_a_play_off"),
            models.UniqueConstraint(fields=["play_off", "number"], name="one_play_off_place"),
        ]


class LeagueDecision(models.Model):
    """A decision of the committee about a match or the league, for everyone to read."""

    TEXTS_WITH_NAMES = ("league__club", ("text", "said_as"))
    WRITTEN_ON = (_("Decision"), "team_league", "league__public_id")

    league = models.ForeignKey(TeamLeague, models.CASCADE, related_name="decisions")
    match = models.ForeignKey(
        "TeamMatch", models.CASCADE, null=True, blank=True, related_name="decisions"
    )
    text = LineField(max_length=300)
    said_as = CopiedField(max_length=80)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-id"]
