"""A tournament, its stages, its entries, and the links from matches to tables."""

from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from league.errors import Refused
from league.members.fields import CopiedField, LineField, NameField
from league.members.models import Club, Member, User, new_public_id
from league.pairing.formats.knockout import LETTERS, Part
from league.seating.models import Round, Table
from league.sessions.models import Session
from league.tournaments.parameters import invalid_options

MOST_ENTRIES, MOST_ROUNDS, MOST_CARDS, MOST_PLACES = 2000, 400, 100, 400


def validate_parameters(value: Any) -> None:
    """Refuse options that a stage cannot be played by."""
    invalid_names = invalid_options(value)
    if invalid_names:
        raise ValidationError(
            _("These choices are not allowed: %(names)s."),
            params={"names": ", ".join(invalid_names)},
            code="parameters",
        )


def validate_cards(value: Any) -> None:
    """Refuse what is no list of movement card inputs: rounds, players by draw number, seed."""
    if not _is_list(value, MOST_CARDS) or not all(map(_is_card, value)):
        raise ValidationError(_("This is not a list of movement cards."), code="cards")


def validate_redrawn(value: Any) -> None:
    """Refuse what is no list of rounds redrawn for late entries, with entries by draw number."""
    if not _is_list(value, MOST_ENTRIES) or not all(map(_is_redrawn, value)):
        raise ValidationError(_("This is not a list of redrawn rounds."), code="redrawn")


def _is_card(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and value.keys() == {"from", "to", "players", "seed"}
        and 1 <= _number(value["from"], MOST_ROUNDS) <= _number(value["to"], MOST_ROUNDS)
        and _number(value["seed"]) >= 0
        and _are_numbers(value["players"])
    )


def _is_redrawn(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and value.keys() == {"late", "group", "after", "seed", "rounds"}
        and all(_number(value[name]) >= 0 for name in ("late", "group", "after", "seed"))
        and _is_list(value["rounds"], MOST_ROUNDS)
        and all(map(_is_round, value["rounds"]))
    )


def _is_round(value: Any) -> bool:
    return _is_list(value, MOST_ENTRIES) and all(map(_is_pairing, value))


def _is_pairing(value: Any) -> bool:
    return _are_numbers(value) and 1 <= len(value) <= 2


def _are_numbers(value: Any) -> bool:
    are_valid = _is_list(value, MOST_ENTRIES) and all(_number(n, MOST_ENTRIES) >= 1 for n in value)
    return are_valid and len(set(value)) == len(value)


def _is_list(value: Any, most: int) -> bool:
    return isinstance(value, list) and len(value) <= most


def _number(value: Any, most: int = 2**31 - 1) -> int:
    """The value if it is a whole number from 0 to `most`, else -1."""
    return value if type(value) is int and 0 <= value <= most else -1


def round_name(field_size: int) -> str:
    """The name of a main round of a bracket that begins with this many entries."""
    names = {2: gettext("Final"), 4: gettext("Semi-finals"), 8: gettext("Quarter-finals")}
    return names.get(field_size) or gettext("Last %(n)d") % {"n": field_size}


def match_name(field_size: int) -> str:
    """The name of one match of such a round."""
    names = {4: gettext("Semi-final"), 8: gettext("Quarter-final")}
    return names.get(field_size) or round_name(field_size)


class Tournament(models.Model):
    """A competition of a club, played in a session, whose tables, games, board and wall it uses.

    It may continue in another session; every round keeps the session it was played in. `follows`
    is the seeding round whose standings decide how players find partners, or the tournament whose
    best play this final. `places` is the number
    of entries the public entry form takes before requests wait; None closes the form.
    """

    class State(models.TextChoices):
        SETUP = "setup", _("Being set up")
        RUNNING = "running", _("Under way")
        FINISHED = "finished", pgettext_lazy("a tournament", "Finished")
        CANCELLED = "cancelled", pgettext_lazy("a tournament", "Cancelled")

    TEXTS_WITH_NAMES = ("club", ("name",))
    WRITTEN_ON = (_("Tournament"), "tournament_edit", "public_id")

    club = models.ForeignKey(Club, models.CASCADE, related_name="tournaments")
    session = models.ForeignKey(Session, models.CASCADE, related_name="tournaments")
    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    name = NameField(_("name"), max_length=80)
    follows = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="followed_by"
    )
    state = models.CharField(max_length=10, choices=State, default=State.SETUP)
    places = models.PositiveSmallIntegerField(
        _("places"),
        null=True,
        blank=True,
        validators=[MinValueValidator(2), MaxValueValidator(MOST_PLACES)],
    )
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-made_at", "-id"]

    def __str__(self) -> str:
        return self.name

    def last_drawn(self) -> datetime | None:
        """When the latest round, including a draft, was drawn."""
        rounds = StageRound.objects.filter(stage__tournament=self)
        valid_rounds = rounds.exclude(seating__state=Round.State.WITHDRAWN)
        return valid_rounds.aggregate(at=models.Max("seating__made_at"))["at"]


class Stage(models.Model):
    """One part of a tournament, played in one format.

    `parameters` are the chosen options, read by `read_options`. `cards` are the inputs of the
    movement cards so far (players by draw number, first and last round, seed); the same inputs
    give the same card. `redrawn` has a record for each time the remaining rounds of a
    round robin or a group were redrawn for an entry that joined when it was full: the late entry,
    the last round before it, the seed, and the pairings by draw number.
    """

    class Format(models.TextChoices):
        PROGRESSIVE = "progressive", _("Progressive Euchre")
        ROTATION = "rotation", _("Individual rotation")
        ROUND_ROBIN = "round_robin", _("Round robin of pairs")
        SWISS = "swiss", _("Swiss for pairs")
        KNOCKOUT = "knockout", _("Knock-out")
        DOUBLE = "double", _("Double knock-out")
        GROUPS = "groups", _("Groups, then knock-out")

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="stages")
    number = models.PositiveSmallIntegerField(default=1)
    format = models.CharField(_("format"), max_length=12, choices=Format)
    parameters = models.JSONField(default=dict, blank=True, validators=[validate_parameters])
    cards = models.JSONField(default=list, blank=True, validators=[validate_cards])
    redrawn = models.JSONField(default=list, blank=True, validators=[validate_redrawn])
    seed = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="one_stage_a_number")
        ]


class Entry(models.Model):
    """A participant: one player, or two who stay partners. Results belong to the entry.

    `number` is its place in the draw, set when play begins. A `late` entry came afterwards, in a
    bracket in place of the bye of the entry `bye_of`, which it meets first. `apart_from` are
    entries that the organiser keeps it from meeting.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="entries")
    member = models.ForeignKey(Member, models.PROTECT, related_name="entries")
    partner = models.ForeignKey(
        Member, models.PROTECT, null=True, blank=True, related_name="entries_as_partner"
    )
    seed = models.PositiveSmallIntegerField(_("seed"), null=True, blank=True)
    number = models.PositiveSmallIntegerField(null=True, blank=True)
    late = models.BooleanField(default=False)
    bye_of = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="late_opponents"
    )
    apart_from = models.ManyToManyField("self", blank=True)
    entered_at = models.DateTimeField(default=timezone.now)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "member"], name="enters_once"),
            models.UniqueConstraint(fields=["tournament", "partner"], name="partners_once"),
            models.UniqueConstraint(fields=["tournament", "number"], name="one_entry_a_number"),
        ]

    @property
    def people(self) -> list[Member]:
        return [self.member, *([self.partner] if self.partner else [])]

    @classmethod
    def refuse_merge(cls, source: Member, target: Member) -> None:
        """Refuse (`entered-together`) to merge members who entered the same tournament."""
        target_tournaments = _tournaments_of(target)
        for entry in cls.objects.filter(models.Q(member=source) | models.Q(partner=source)):
            if entry.tournament_id in target_tournaments:
                sentence = gettext("%(one)s and %(other)s entered the same tournament.") % {
                    "one": source.name,
                    "other": target.name,
                }
                raise Refused("entered-together", sentence, status=409, fields={"into": [sentence]})

    @classmethod
    def merge_rows(cls, source: Member, target: Member) -> None:
        """Move the entries of a merged member to the member that remains."""
        cls.objects.filter(member=source).update(member=target)
        cls.objects.filter(partner=source).update(partner=target)


def _tournaments_of(member: Member) -> set[Any]:
    entries = Entry.objects.filter(models.Q(member=member) | models.Q(partner=member))
    return set(entries.values_list("tournament", flat=True))


class EntryRequest(models.Model):
    """A request on the public form, by a player or a pair, to be entered by the organiser.

    It is deleted when it is accepted or declined, and when the tournament is closed. One that
    `has_place` keeps it, also when the form is closed.
    """

    TEXTS_WITH_NAMES = ("tournament__club", ("name", "partner", "contact"))
    WRITTEN_ON = (_("Entries"), "tournament_entries", "tournament__public_id")

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="requests")
    name = NameField(_("name"), max_length=80)
    partner = NameField(_("partner"), max_length=80, blank=True)
    contact = LineField(_("how to reach you"), max_length=120, blank=True)
    has_place = models.BooleanField(default=False, editable=False)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]

    @property
    def names(self) -> list[str]:
        return [name for name in (self.name, self.partner) if name]


class StageRound(models.Model):
    """A round of a stage; it ends before the next begins. Its tables are those of `seating`.

    It is a draft, published or withdrawn just as that seating round is. `field_size` is the number
    of entries that begin the round, if it is a single main round of a bracket. `forced_reason` is
    set if the organiser ended it before every match was decided.
    """

    TEXTS_WITH_NAMES = ("stage__tournament__club", ("forced_reason", "forced_as"))
    WRITTEN_ON = (_("Round"), "tournament", "stage__tournament__public_id")

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    field_size = models.PositiveSmallIntegerField(null=True, blank=True)
    seating = models.OneToOneField(Round, models.CASCADE, related_name="stage_round")
    forced_reason = LineField(max_length=200, blank=True)
    forced_as = CopiedField(max_length=80, blank=True)
    forced_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "number"], name="one_stage_round_a_number")
        ]

    @property
    def label(self) -> str:
        """The name of a round of a bracket; empty if it goes by its number."""
        return "" if self.field_size is None else round_name(self.field_size)

    @property
    def match_label(self) -> str:
        """The name of one of its matches; empty if it goes by its number."""
        return "" if self.field_size is None else match_name(self.field_size)

    @property
    def title(self) -> str:
        """The name of a round: that of the bracket, else its number."""
        return self.label or gettext("Round %(n)d") % {"n": self.number}


class Match(models.Model):
    """A match of a round: two pairs over one or more games, or the players of one table.

    It belongs to a `group`, by number, or has a `place` in a bracket, by its key there; one that a
    correction has undone has lost its place.

    The games decide who won. `winner` (a position) is set only if they cannot: after a tie that
    was cut or played off, or a walk-over; `decided_by` says which. Publishing the next round of a
    bracket also sets it.
    """

    class By(models.TextChoices):
        PLAY = "", _("Play")
        EXTRA_HAND = "extra_hand", _("One more hand")
        CUT = "cut", _("Cut of the cards")
        WALKOVER = "walkover", _("Walk-over")

    TEXTS_WITH_NAMES = ("stage_round__stage__tournament__club", ("reason", "decided_as"))
    WRITTEN_ON = (_("Match"), "tournament", "stage_round__stage__tournament__public_id")

    stage_round = models.ForeignKey(StageRound, models.CASCADE, related_name="matches")
    number = models.PositiveSmallIntegerField()
    group = models.PositiveSmallIntegerField(null=True, blank=True)
    place = models.CharField(max_length=20, blank=True)
    winner = models.PositiveSmallIntegerField(null=True, blank=True)
    decided_by = models.CharField(max_length=10, choices=By, default=By.PLAY, blank=True)
    reason = LineField(max_length=200, blank=True)
    decided_as = CopiedField(max_length=80, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["stage_round", "number"], name="one_match_a_number")
        ]

    @property
    def title(self) -> str:
        """The name of a match of its round, with that of its part of a bracket beside the main one;
        only that of its round once a correction has made it void."""
        if self.stage_round.label and not self.place:
            # The final has the last, odd number of a full main bracket; third place the next one.
            is_third = self.stage_round.field_size == 2 and self.number % 2 == 0
            return gettext("Third place") if is_third else self.stage_round.label
        if self.place.startswith(LETTERS[Part.THIRD_PLACE]):
            return gettext("Third place")
        if self.place.startswith(LETTERS[Part.FINAL]):
            return gettext("Second final") if self.place[1] == "2" else gettext("Final")
        parts = {
            LETTERS[Part.LOSERS]: gettext("Losers' bracket"),
            LETTERS[Part.CONSOLATION]: gettext("Consolation"),
        }
        name = self.stage_round.match_label or self.stage_round.title
        return " · ".join(filter(None, (name, parts.get(self.place[:1]))))


class MatchSide(models.Model):
    """An entry in a match: a player on the seat `position`, a pair on that one and its opposite."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="sides")
    entry = models.ForeignKey(Entry, models.CASCADE, related_name="sides")
    position = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["match", "position"], name="one_entry_a_side"),
            models.UniqueConstraint(fields=["match", "entry"], name="one_side_a_match"),
        ]


class MatchGame(models.Model):
    """One game of a match and its table; a match of several games uses a new table for each."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="games")
    table = models.OneToOneField(Table, models.CASCADE, related_name="match_game")
    number = models.PositiveSmallIntegerField(default=1)

    class Meta:
        ordering = ["number"]


class Bye(models.Model):
    """An entry that sits out a round."""

    stage_round = models.ForeignKey(StageRound, models.CASCADE, related_name="byes")
    entry = models.ForeignKey(Entry, models.CASCADE, related_name="byes")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["stage_round", "entry"], name="one_bye_a_round")
        ]
