"""A club night, who means to come, and who is there."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.errors import Refused
from league.members.fields import NameField
from league.members.models import Club, ClubRuleset, Member, User, new_public_id
from league.members.validators import validate_day, validate_measures
from league.seasons.models import Season

MOST_PLACES = 2000
MOST_ROUNDS = 60
LONGEST_ROUND = 240
"""Minutes; a session is over by then."""
LONGEST_PAUSE = 7 * 24 * 3600  # seconds left on a clock that was given more and more


class Session(models.Model):
    """One club night. `revision` is raised by every action on it: live pages watch it alone.

    `held_on` is its date in the club's zone, also past midnight, `begins_at` the hour on the
    club's own clock. `places` is how many may sign up; empty: no limit. The clock runs while
    `clock_ends_at` is set, and stands while `clock_paused_seconds` (seconds left) is. Raising
    `door_version` or `wall_version` revokes the door's code or the wall's link. `rounds_planned` is
    how many rounds the evening has; empty: nobody said. While `standings_held`, only organisers
    see who stands where. `rulesets`, at most one a table size, take the place of the club's own;
    so does `seating_policy` (empty: table sizes as the club has them). `of_team_match`: it holds
    the games of a match of a league, is listed there and takes no part in club nights.
    """

    class State(models.TextChoices):
        PLANNED = "planned", _("Planned")
        OPEN = "open", _("Open")
        CLOSED = "closed", _("Closed")
        CANCELLED = "cancelled", _("Cancelled")

    TEXTS_WITH_NAMES = ("club", ("name",))
    WRITTEN_ON = (_("Session"), "session_edit", "public_id")

    club = models.ForeignKey(Club, models.CASCADE, related_name="sessions")
    season = models.ForeignKey(
        Season, models.SET_NULL, null=True, blank=True, related_name="sessions"
    )
    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    name = NameField(_("name"), max_length=80)
    held_on = models.DateField(_("date"), validators=[validate_day])
    begins_at = models.TimeField(_("start time"), null=True, blank=True)
    places = models.PositiveSmallIntegerField(
        _("max players"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_PLACES)],
    )
    state = models.CharField(max_length=10, choices=State, default=State.OPEN)
    revision = models.PositiveIntegerField(default=0)
    rulesets = models.ManyToManyField(ClubRuleset, blank=True, related_name="+")
    seating_policy = models.CharField(
        _("table sizes"), max_length=12, choices=Club.SeatingPolicy, blank=True
    )
    measures = models.JSONField(default=list, blank=True, validators=[validate_measures])
    door_version = models.PositiveIntegerField(default=1)
    wall_version = models.PositiveIntegerField(default=1)
    round_minutes = models.PositiveSmallIntegerField(
        _("round length (minutes)"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(LONGEST_ROUND)],
    )
    rounds_planned = models.PositiveSmallIntegerField(
        _("rounds planned"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_ROUNDS)],
    )
    standings_held = models.BooleanField(_("standings held back"), default=False)
    clock_ends_at = models.DateTimeField(null=True, blank=True)
    clock_paused_seconds = models.PositiveIntegerField(
        null=True, blank=True, validators=[MaxValueValidator(LONGEST_PAUSE)]
    )
    of_team_match = models.BooleanField(default=False, editable=False)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-held_on", "-id"]
        indexes = [models.Index(fields=["club", "-held_on"], name="session_by_date")]

    def __str__(self) -> str:
        return self.name

    @classmethod
    def touch(cls, club: Club, member: Member | None = None) -> None:
        """Raise the revision of every session of the club, or of those this person came to: their
        pages show something new."""
        sessions = cls.objects.filter(club=club)
        if member is not None:
            sessions = sessions.filter(attendances__member=member)
        sessions.update(revision=models.F("revision") + 1)


class SignUp(models.Model):
    """Somebody who means to come. `placed_at` is empty while they are on the waiting list.

    Places are given in the order of signing up, and a place once given is kept. `moved_up`: they
    waited first, and are told by mail; `told_at` is set when that mail is on its way, and
    `told_off_at` when the one is that says that the session is cancelled.
    """

    session = models.ForeignKey(Session, models.CASCADE, related_name="sign_ups")
    member = models.ForeignKey(Member, models.PROTECT, related_name="sign_ups")
    made_at = models.DateTimeField(default=timezone.now)
    placed_at = models.DateTimeField(null=True, blank=True)
    moved_up = models.BooleanField(default=False)
    told_at = models.DateTimeField(null=True, blank=True)
    told_off_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["session", "member"], name="signs_up_once")]

    @classmethod
    def merge_rows(cls, source: Member, target: Member) -> None:
        """One person signed up twice keeps the row that came first, and a place if either had."""
        theirs = {row.session_id: row for row in cls.objects.filter(member=target)}
        for row in cls.objects.filter(member=source):
            other = theirs.get(row.session_id)
            if other is None:
                row.member = target
                row.save(update_fields=["member"])
                continue
            first, later = sorted((row, other), key=lambda one: one.pk)
            later.delete()
            first.member, first.placed_at = target, first.placed_at or later.placed_at
            first.told_off_at = first.told_off_at or later.told_off_at
            first.save(update_fields=["member", "placed_at", "told_off_at"])


class Reminder(models.Model):
    """The mail about a coming session that somebody was sent: never a second one."""

    ONE_ROW_PER = "session"

    session = models.ForeignKey(Session, models.CASCADE, related_name="reminders")
    member = models.ForeignKey(Member, models.PROTECT, related_name="reminded_of")
    sent_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["session", "member"], name="reminded_once")]


class Attendance(models.Model):
    """Somebody who came to a session; `left_at` is set while they are gone."""

    session = models.ForeignKey(Session, models.CASCADE, related_name="attendances")
    member = models.ForeignKey(Member, models.PROTECT, related_name="attendances")
    arrived_at = models.DateTimeField(default=timezone.now)
    left_at = models.DateTimeField(null=True, blank=True)
    resting = models.BooleanField(_("sits out for now"), default=False)

    class Meta:
        ordering = ["arrived_at", "id"]
        constraints = [models.UniqueConstraint(fields=["session", "member"], name="attends_once")]

    @classmethod
    def refuse_erase(cls, member: Member) -> None:
        """Anyone who is checked in to an open session would go on playing there without a name."""
        here = cls.objects.filter(member=member, left_at=None, session__state=Session.State.OPEN)
        row = here.select_related("session").first()
        if row is not None:
            sentence = gettext(
                "%(name)s is checked in to %(session)s. Close that session, or let them leave it "
                "and finish at their table, first."
            ) % {"name": member.name, "session": row.session.name}
            raise Refused("checked-in", sentence, status=409)

    @classmethod
    def merge_rows(cls, source: Member, target: Member) -> None:
        """Two rows of one person: where both were ticked, they came first and left last."""
        theirs = {row.session_id: row for row in cls.objects.filter(member=target)}
        for row in cls.objects.filter(member=source):
            known = theirs.get(row.session_id)
            if known is None:
                row.member = target
                row.save(update_fields=["member"])
                continue
            known.arrived_at = min(known.arrived_at, row.arrived_at)
            if known.left_at and row.left_at:
                known.left_at = max(known.left_at, row.left_at)
            else:
                known.left_at = None
            known.resting = known.resting and row.resting
            row.delete()
            known.save()
