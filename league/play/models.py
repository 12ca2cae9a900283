"""Games, hands with all their versions, rulings, confirmations, and the derived result rows."""

from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from league.members.fields import CopiedField, LineField
from league.members.models import ClubRuleset, Member, User, new_public_id
from league.seating.models import Table
from league.sessions.models import Session
from scoring import HandRecord, RecordError

MOST_POINTS = 999  # of one entry: a final score, or points that an organiser adds
MOST_SCORE = 1_000_000  # of a whole game
MOST_SIDES = MOST_SEATS = 8


def validate_record(value: Any) -> None:
    """Check that the value is a hand record in the strict form of the engine."""
    try:
        strict = HandRecord.from_json(value).to_json()
    except RecordError as error:
        raise ValidationError(
            [ValidationError(fault.message, code=fault.code) for fault in error.faults]
        ) from error
    if strict != value:
        raise ValidationError(_("This is not a hand as it is stored."), code="record")


def validate_totals(value: Any) -> None:
    """Check for a list of whole numbers by side, as a person may enter them."""
    _validate_points(value, most=MOST_POINTS)


def validate_score(value: Any) -> None:
    """Check for a list of whole numbers by side, as a game may add up to; it may be empty."""
    _validate_points(value, most=MOST_SCORE)


def _validate_points(value: Any, *, most: int) -> None:
    is_list = isinstance(value, list) and len(value) <= MOST_SIDES
    if not is_list or not all(type(number) is int and abs(number) <= most for number in value):
        raise ValidationError(
            _("Give each side a whole number up to %(most)d."), params={"most": most}, code="points"
        )


def validate_seats(value: Any) -> None:
    """Check for a list of different seats of a table, counted from 0."""
    is_valid = isinstance(value, list) and all(
        type(seat) is int and 0 <= seat < MOST_SEATS for seat in value
    )
    if not is_valid or len(set(value)) < len(value):
        raise ValidationError(_("This is not a list of seats."), code="seats")


class Game(models.Model):
    """Hands at one table until a side has won.

    The source of truth is the hands, the rulings, `totals` (at a table that records only the final
    score) and an ending other than by play (`ended_by`, `ended_after`, `ended_seat`,
    `decided_winners`). Score, winners, hands played, `misfits` (hands that no longer fit) and state
    are derived; they are stored for speed, and `recount` checks them. `reopened`: a correction
    changed how the game ends after its players had moved on, and an organiser has to decide.
    """

    class State(models.TextChoices):
        PLAYING = "playing", _("Playing")
        FINISHED = "finished", _("Waiting to be confirmed")
        DISPUTED = "disputed", _("Disputed")
        CONFIRMED = "confirmed", pgettext_lazy("a game", "Done")
        ABANDONED = "abandoned", pgettext_lazy("a game", "Not played")

    class EndedBy(models.TextChoices):
        PLAY = "", _("Play")
        CONCEDED = "conceded", _("Conceded")
        TIME = "time", _("Time called")
        DECISION = "decision", _("Organiser's decision")

    session = models.ForeignKey(Session, models.CASCADE, related_name="games")
    table = models.ForeignKey(Table, models.CASCADE, related_name="games")
    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    number = models.PositiveSmallIntegerField(default=1)
    ruleset = models.ForeignKey(ClubRuleset, models.PROTECT, related_name="games")
    first_dealer = models.PositiveSmallIntegerField(default=0)
    state = models.CharField(max_length=10, choices=State, default=State.PLAYING)
    ended_by = models.CharField(max_length=10, choices=EndedBy, default=EndedBy.PLAY, blank=True)
    ended_after = models.PositiveSmallIntegerField(null=True, blank=True)
    ended_seat = models.PositiveSmallIntegerField(null=True, blank=True)
    decided_winners = models.JSONField(null=True, blank=True, validators=[validate_seats])
    totals = models.JSONField(null=True, blank=True, validators=[validate_totals])
    reopened = models.BooleanField(default=False)
    hands_played = models.PositiveSmallIntegerField(default=0)
    misfits = models.PositiveSmallIntegerField(default=0)
    hands_written = models.PositiveIntegerField(default=0)
    rulings_written = models.PositiveSmallIntegerField(default=0)
    score = models.JSONField(default=list, validators=[validate_score])
    winners = models.JSONField(default=list, blank=True, validators=[validate_seats])
    accept_at = models.DateTimeField(null=True, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["table", "number"]
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="one_game_a_number"),
            models.UniqueConstraint(
                fields=["table"], condition=Q(state="playing"), name="one_game_at_a_time"
            ),
        ]
        indexes = [models.Index(fields=["session", "state"], name="game_by_state")]

    @property
    def score_seen(self) -> str:
        """The score as a form carries it, to say which score was looked at."""
        return "-".join(map(str, self.score))

    @property
    def is_called_off(self) -> bool:
        """Whether it was marked as not played: it counts for nobody, whatever its hands say."""
        return self.state == self.State.ABANDONED

    @property
    def is_void(self) -> bool:
        """Whether it has a score, but was marked as not played since."""
        return self.is_called_off and bool(self.hands_played or self.totals)

    @property
    def is_walkover(self) -> bool:
        """Whether it was not played, as one side has the match by walk-over."""
        return self.is_called_off and self.is_conceded_unplayed

    @property
    def called_off_text(self) -> str:
        """A sentence that says that it counts for nobody."""
        if self.is_walkover:
            return gettext("This match is a walk-over.")
        if self.is_void:
            return gettext("This game is void.")
        return gettext("This game was not played.")

    def get_state_display(self) -> str:  # type: ignore[no-redef]  # Django leaves it as it is
        """The state in words; that of a game with a score that counts for nobody is void."""
        if self.is_walkover:
            return gettext("Walk-over")
        void = pgettext("a game", "Void")
        return void if self.is_void else str(self.State(self.state).label)

    @property
    def is_scored_by_hands(self) -> bool:
        """Whether it has ended at the score of its hands: it is for those who played the last."""
        return self.state != self.State.PLAYING and self.totals is None

    @property
    def is_conceded_unplayed(self) -> bool:
        """Whether a side conceded before a hand was played, so that no score says who won."""
        return self.ended_by == self.EndedBy.CONCEDED and not self.hands_played


class Hand(models.Model):
    """One version of one hand. A correction adds a version; the old one is kept.

    The phone creates `client_id` before it sends: the same id again is the same hand. `current`
    marks the version that counts. An undone hand has no current version and its number is free
    again; a deleted hand has a current version that is `struck`: it keeps its number and scores
    nothing. `out_of_turn`: it was another player's turn to deal, but the table confirmed the deal.
    """

    TEXTS_WITH_NAMES = ("game__session__club", ("entered_as", "undone_as", "reason"))
    WRITTEN_ON = (_("Hand"), "game", "game__public_id")

    game = models.ForeignKey(Game, models.CASCADE, related_name="hands")
    number = models.PositiveSmallIntegerField()
    version = models.PositiveSmallIntegerField(default=1)
    client_id = models.CharField(max_length=40)
    current = models.BooleanField(default=True)
    struck = models.BooleanField(default=False)
    out_of_turn = models.BooleanField(default=False)
    record = models.JSONField(validators=[validate_record])
    points = models.JSONField(blank=True, validators=[validate_score])
    outcome = models.CharField(max_length=20, blank=True)
    reason = LineField(max_length=200, blank=True)
    entered_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    entered_as = CopiedField(max_length=80)
    entered_at = models.DateTimeField(default=timezone.now)
    undone_at = models.DateTimeField(null=True, blank=True)
    undone_as = CopiedField(max_length=80, blank=True)

    class Meta:
        ordering = ["number", "version"]
        constraints = [
            models.UniqueConstraint(
                fields=["game", "number"], condition=Q(current=True), name="one_hand_a_number"
            ),
            models.UniqueConstraint(fields=["game", "client_id"], name="one_hand_a_client_id"),
            models.UniqueConstraint(
                fields=["game", "number", "version"], name="one_hand_a_version"
            ),
        ]


class Ruling(models.Model):
    """A penalty or a misdeal, or an organiser's adjustment of the score.

    `after_hand` is the number of the hand it follows (0: before the first), `about_hand` the hand
    in which it happened. `points` by side are an organiser's adjustment.
    """

    class Kind(models.TextChoices):
        RENEGE = "renege", _("Renege")
        ADJUSTMENT = "adjustment", _("Adjustment")
        MISDEAL = "misdeal", _("Misdeal")

    TEXTS_WITH_NAMES = ("game__session__club", ("entered_as", "withdrawn_as", "reason"))
    WRITTEN_ON = (_("Penalty"), "game", "game__public_id")

    game = models.ForeignKey(Game, models.CASCADE, related_name="rulings")
    after_hand = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=20, choices=Kind)
    by_seat = models.PositiveSmallIntegerField(null=True, blank=True)
    about_hand = models.PositiveSmallIntegerField(null=True, blank=True)
    form = models.CharField(max_length=10, blank=True)
    against_lone = models.BooleanField(null=True, blank=True)
    points = models.JSONField(null=True, blank=True, validators=[validate_totals])
    reason = LineField(max_length=200, blank=True)
    client_id = models.CharField(max_length=40)
    entered_as = CopiedField(max_length=80)
    entered_at = models.DateTimeField(default=timezone.now)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    withdrawn_as = CopiedField(max_length=80, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "client_id"], name="one_ruling_a_client_id")
        ]


class Confirmation(models.Model):
    """A side's confirmation of a game that has ended, a side's dispute with a reason, or an
    organiser's `decision` with a reason."""

    class Decision(models.TextChoices):
        STANDS = "stands", _("It counts at its score")
        SCORE = "score", _("It counts at a corrected score")
        PLAY_ON = "play_on", _("They play on")
        NEW_END = "new_end", _("It ended earlier")
        DECIDED = "decided", _("Winner decided")
        ABANDONED = "abandoned", pgettext_lazy("a game", "Not played")

    TEXTS_WITH_NAMES = ("game__session__club", ("said_as", "reason"))
    WRITTEN_ON = (_("Dispute"), "game", "game__public_id")

    game = models.ForeignKey(Game, models.CASCADE, related_name="confirmations")
    accepted = models.BooleanField()
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    reason = LineField(max_length=200, blank=True)
    said_as = CopiedField(max_length=80)
    decision = models.CharField(max_length=10, choices=Decision, blank=True)
    at = models.DateTimeField(default=timezone.now)
    settled_at = models.DateTimeField(null=True, blank=True)


class Result(models.Model):
    """The result of one player in one game, derived from the hands in the same transaction.

    `points` and `points_against` count the hands this player sat for. `win_share` is 1 for a sole
    winner, 1/2 for one of two co-winners, 0 otherwise, and goes to the player who sat there at the
    end. `target` is what the points are a share of: the distance from the start of the game to its
    target, and where the score counts down at least the points taken.
    """

    session = models.ForeignKey(Session, models.CASCADE, related_name="results")
    game = models.ForeignKey(Game, models.CASCADE, related_name="results")
    member = models.ForeignKey(Member, models.PROTECT, related_name="results")
    position = models.PositiveSmallIntegerField()
    players = models.PositiveSmallIntegerField()
    hands = models.PositiveSmallIntegerField()
    finished = models.BooleanField()
    provisional = models.BooleanField(default=False)
    games = models.PositiveSmallIntegerField(default=1)
    win_share = models.FloatField(default=0)
    expected = models.FloatField(default=0)
    points = models.IntegerField(default=0)
    points_against = models.FloatField(default=0)
    target = models.PositiveSmallIntegerField(default=0)
    calls = models.PositiveSmallIntegerField(default=0)
    calls_made = models.PositiveSmallIntegerField(default=0)
    euchred = models.PositiveSmallIntegerField(default=0)
    euchres = models.PositiveSmallIntegerField(default=0)
    marches = models.PositiveSmallIntegerField(default=0)
    lone_tried = models.PositiveSmallIntegerField(default=0)
    lone_marches = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["game", "member", "position"], name="one_result_a_person_a_chair"
            )
        ]
        indexes = [models.Index(fields=["member", "session"], name="result_by_member")]


class ReturnedHand(models.Model):
    """A hand that a phone still has from a table that a restored backup lacks.

    `table` is the public id of that table and `people` are those of its players, by seat. `answers`
    are those to the form of a hand, from which it can be entered once its table exists again.
    """

    session = models.ForeignKey(Session, models.CASCADE, related_name="returned_hands")
    table = models.CharField(max_length=40)
    table_number = models.PositiveSmallIntegerField()
    people = models.JSONField()
    number = models.PositiveSmallIntegerField()
    client_id = models.CharField(max_length=40)
    answers = models.JSONField()
    returned_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["session", "client_id"], name="a_returned_hand_once_a_session"
            )
        ]
