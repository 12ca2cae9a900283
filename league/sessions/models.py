"""Sessions of a club, sign-ups for them, and attendance."""

from collections.abc import Callable
from datetime import date, time

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.errors import Refused
from league.members.fields import LineField, NameField
from league.members.models import Club, ClubRuleset, Member, User, new_public_id
from league.members.validators import validate_day, validate_measures
from league.seasons.models import Season

MOST_PLACES = 2000
MOST_ROUNDS = 60
LONGEST_ROUND = 240
"""Minutes; a session is over by then."""
LONGEST_PAUSE = 7 * 24 * 3600  # seconds left on a clock that was extended many times


class Session(models.Model):
    """One evening of the club. Every action on it raises `revision`, which live pages watch.

    `held_on` is its date in the club's time zone, even past midnight; `begins_at` is local time.
    `places` limits the sign-ups, unless empty. The clock runs while `clock_ends_at` is set, and is
    paused while `clock_paused_seconds` (seconds left) is; a closed session shows none. Raising
    `door_version` or `wall_version` revokes the door code or the wall link. `rounds_planned` is
    empty if unknown. While `standings_held`, only organisers see the standings. `rulesets`, at most
    one per table size, replace the club's own; so does `seating_policy`, unless empty. A session
    `of_team_match` holds the games of a league match: it is listed with its league, not with the
    club's sessions. `cancel_reason` is shown wherever a cancelled session is, and `note` until the
    session is closed. `taken_out_of` is the season that took the session out on being closed.
    """

    class State(models.TextChoices):
        PLANNED = "planned", _("Planned")
        OPEN = "open", _("Open")
        CLOSED = "closed", _("Closed")
        CANCELLED = "cancelled", _("Cancelled")

    TEXTS_WITH_NAMES = ("club", ("name", "note", "cancel_reason"))
    WRITTEN_ON = (_("Session"), "session_edit", "public_id")

    club = models.ForeignKey(Club, models.CASCADE, related_name="sessions")
    season = models.ForeignKey(
        Season, models.SET_NULL, null=True, blank=True, related_name="sessions"
    )
    taken_out_of = models.ForeignKey(
        Season, models.SET_NULL, null=True, blank=True, editable=False, related_name="+"
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
    note = LineField(_("note"), max_length=200, blank=True)
    cancel_reason = LineField(max_length=200, blank=True)
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

    @property
    def has_been_open(self) -> bool:
        return self.state in (self.State.OPEN, self.State.CLOSED)

    @property
    def is_in_the_evening(self) -> bool:
        """Whether it begins at four in the afternoon or later, so that people call it tonight."""
        return self.begins_at is not None and self.begins_at.hour >= 16

    @classmethod
    def touch(cls, club: Club, member: Member | None = None) -> None:
        """Raise the revision of all the club's sessions, or of those this member attended."""
        sessions = cls.objects.filter(club=club)
        if member is not None:
            sessions = sessions.filter(attendances__member=member)
        sessions.update(revision=models.F("revision") + 1)


class SignUp(models.Model):
    """A member's sign-up for a session. `placed_at` is empty while they are on the waiting list.

    Places are given in the order of signing up, and a place once given is kept. `moved_up` means
    that they got their place from the waiting list, and are notified by mail. `told_at` is set when
    that mail is sent, `told_off_at` when the mail about a cancelled session is, until the one that
    it takes place after all. `move_unsent` while the mail about another day or start time than
    `old_day` and `old_time` is still to be sent; sign-ups of earlier versions don't have these.
    """

    session = models.ForeignKey(Session, models.CASCADE, related_name="sign_ups")
    member = models.ForeignKey(Member, models.PROTECT, related_name="sign_ups")
    made_at = models.DateTimeField(default=timezone.now)
    placed_at = models.DateTimeField(null=True, blank=True)
    moved_up = models.BooleanField(default=False)
    told_at = models.DateTimeField(null=True, blank=True)
    told_off_at = models.DateTimeField(null=True, blank=True)
    move_unsent = models.BooleanField(default=False)
    old_day = models.DateField(null=True, blank=True)
    old_time = models.TimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["session", "member"], name="signs_up_once")]

    @classmethod
    def mark_moved(cls, session: Session, held_on: date, begins_at: time | None) -> None:
        """Everyone is to hear of the session's new day or time, unless it is the one they know."""
        rows, old = cls.objects.filter(session=session), (session.held_on, session.begins_at)
        rows.filter(move_unsent=False).update(move_unsent=True, old_day=old[0], old_time=old[1])
        rows.filter(old_day=held_on, old_time=begins_at).update(move_unsent=False)

    @classmethod
    def merge_rows(cls, source: Member, target: Member) -> None:
        """Merge sign-ups: of two for one session keep the earlier, with a place if either has."""
        target_rows = {row.session_id: row for row in cls.objects.filter(member=target)}
        for row in cls.objects.filter(member=source):
            other = target_rows.get(row.session_id)
            if other is None:
                row.member = target
                row.save(update_fields=["member"])
                continue
            first, later = sorted((row, other), key=lambda sign_up: sign_up.pk)
            later.delete()
            first.member, first.placed_at = target, first.placed_at or later.placed_at
            first.told_off_at = first.told_off_at or later.told_off_at
            first.save(update_fields=["member", "placed_at", "told_off_at"])


class Reminder(models.Model):
    """A reminder mail that was sent to a member: at most one per session."""

    ONE_ROW_PER = "session"

    session = models.ForeignKey(Session, models.CASCADE, related_name="reminders")
    member = models.ForeignKey(Member, models.PROTECT, related_name="reminded_of")
    sent_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["session", "member"], name="reminded_once")]


NO_SHOWS: list[Callable[[str, str], models.Q]] = []
"""Each finds, by the fields of a session and a player, who was checked in and did not turn up: the
later areas add theirs (in `league.apps`)."""


ROUNDS_BEGUN: list[Callable[[Session], int]] = []
"""Each counts the rounds of a session that have begun: seating adds its own (in `league.apps`)."""


def turned_up(session: str, member: str) -> models.Q:
    """The condition, by the fields of the session and the player, that a checked-in player came."""
    condition = models.Q()
    for no_show in NO_SHOWS:
        condition &= ~no_show(session, member)
    return condition


class Attendance(models.Model):
    """A member's attendance at a session; `left_at` is set while they are away."""

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
        """Refuse to erase a player who is checked in to an open session."""
        present_rows = cls.objects.filter(
            member=member, left_at=None, session__state=Session.State.OPEN
        )
        row = present_rows.select_related("session").first()
        if row is not None:
            sentence = gettext(
                "%(name)s is checked in to %(session)s. An organiser can check them out once their "
                "game is over, or close the session."
            ) % {"name": member.name, "session": row.session.name}
            raise Refused("checked-in", sentence, status=409)

    @classmethod
    def merge_rows(cls, source: Member, target: Member) -> None:
        """Merge attendances: of two at one session keep the first arrival and last departure."""
        target_rows = {row.session_id: row for row in cls.objects.filter(member=target)}
        for row in cls.objects.filter(member=source):
            target_row = target_rows.get(row.session_id)
            if target_row is None:
                row.member = target
                row.save(update_fields=["member"])
                continue
            target_row.arrived_at = min(target_row.arrived_at, row.arrived_at)
            if target_row.left_at and row.left_at:
                target_row.left_at = max(target_row.left_at, row.left_at)
            else:
                target_row.left_at = None
            target_row.resting = target_row.resting and row.resting
            row.delete()
            target_row.save()
