"""Rounds, tables and seats: who sits where, and the club's constraints on it."""

import re
import secrets
from datetime import datetime
from itertools import pairwise
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from league.errors import Refused
from league.members.models import Club, ClubRuleset, Member, new_public_id
from league.pairing.seating.dealers import CUSTOMS
from league.sessions.models import Session

MOST_PLAYERS = 8
MOST_CARDS = 64
MOST_CARRIED = 9_999
CARD = re.compile("[789TJQKA][cdhs]")


def validate_dealer_draw(value: Any) -> None:
    """Validate how the first dealer was drawn: the custom, the seed, each seat's cards."""
    is_valid = (
        isinstance(value, dict)
        and value.keys() <= {"custom", "seed", "cards"}
        and _is_custom(value.get("custom", ""))
        and type(value.get("seed", 0)) is int
        and _are_cards(value.get("cards", []))
    )
    if not is_valid:
        raise ValidationError(_("This is not a draw for the deal."), code="dealer-draw")


def validate_carried(value: Any) -> None:
    """Validate the points that each side begins a game with; an empty list for none."""
    is_valid = isinstance(value, list) and len(value) <= MOST_PLAYERS
    if not is_valid or any(
        type(points) is not int or not 0 <= points <= MOST_CARRIED for points in value
    ):
        raise ValidationError(_("These are not points carried over."), code="carried")


def _is_custom(value: Any) -> bool:
    return isinstance(value, str) and value in {"", "turn", "by_hand", *CUSTOMS}


def _are_cards(value: Any) -> bool:
    return isinstance(value, list) and len(value) <= MOST_CARDS and all(map(_is_drawn_card, value))


def _is_drawn_card(value: Any) -> bool:
    if not isinstance(value, list) or len(value) != 2:
        return False
    seat, card = value
    is_card = isinstance(card, str) and CARD.fullmatch(card) is not None
    return is_card and type(seat) is int and 0 <= seat < MOST_PLAYERS


class SeatingRequest(models.Model):
    """A club's standing request about seating one player, or two players together."""

    class Kind(models.TextChoices):
        NEVER = "never", _("Never at the same table")
        AVOID = "avoid", _("Preferably not at the same table")
        FIXED = "fixed", _("Always partners")
        APART = "apart", _("Same table, but not partners")
        TOGETHER = "together", _("Always at the same table")
        STAYS = "stays", _("Doesn't change tables")

    club = models.ForeignKey(Club, models.CASCADE, related_name="seating_requests")
    kind = models.CharField(_("Request"), max_length=10, choices=Kind)
    first = models.ForeignKey(Member, models.CASCADE, related_name="+")
    second = models.ForeignKey(Member, models.CASCADE, null=True, blank=True, related_name="+")

    @classmethod
    def merge_rows(cls, source: Member, target: Member) -> None:
        """Move the requests of `source` to `target`, and delete those between the two."""
        cls.objects.filter(first=source, second=target).delete()
        cls.objects.filter(first=target, second=source).delete()
        cls.objects.filter(first=source).update(first=target)
        cls.objects.filter(second=source).update(second=target)


class Round(models.Model):
    """A seating, first drafted, then published. Its number is only a label: each table ends when
    its own game does.

    `releases` are the tables whose players get new seats: publishing ends them, and unpublishing
    gives them their players back. A withdrawn round is kept for the record. `version` rises with
    every change to the draft, so that nobody publishes a draft they have not seen. A round
    `by_tournament` is a barrier: it is drawn and changed on the tournament's pages.
    """

    class State(models.TextChoices):
        DRAFT = "draft", _("Draft")
        PUBLISHED = "published", _("Published")
        WITHDRAWN = "withdrawn", pgettext_lazy("a round", "Withdrawn")

    session = models.ForeignKey(Session, models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=10, choices=State, default=State.DRAFT)
    seed = models.PositiveIntegerField()
    version = models.PositiveIntegerField(default=1)
    planner = models.CharField(max_length=20, blank=True)
    by_tournament = models.BooleanField(default=False)
    releases: models.ManyToManyField = models.ManyToManyField(
        "Table", blank=True, related_name="released_by"
    )
    sits_out = models.ManyToManyField(Member, blank=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now)
    published_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(
                fields=["session", "number"],
                condition=~Q(state="withdrawn"),
                name="one_round_a_number",
            ),
            models.UniqueConstraint(
                fields=["session"], condition=Q(state="draft"), name="one_draft_a_session"
            ),
        ]


class Table(models.Model):
    """A table from the publishing of its seats to the end of its play.

    `link_version` is part of every printed code: raising it revokes them all. `asked_at` is when
    an organiser last nudged this table for its hands. `called_at` is when the table called an
    organiser and `coming_at` when one answered; both are cleared when the call is settled.
    `current_seats` is filled in by the queries in `queries`.
    """

    current_seats: "list[Seat]"

    session = models.ForeignKey(Session, models.CASCADE, related_name="tables")
    round = models.ForeignKey(Round, models.CASCADE, related_name="tables")
    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    number = models.PositiveSmallIntegerField()
    players = models.PositiveSmallIntegerField(
        validators=[MinValueValidator(2), MaxValueValidator(MOST_PLAYERS)]
    )
    ruleset = models.ForeignKey(ClubRuleset, models.PROTECT, related_name="+")
    first_dealer = models.PositiveSmallIntegerField(default=0)
    carried = models.JSONField(default=list, blank=True, validators=[validate_carried])
    dealer_draw = models.JSONField(default=dict, blank=True, validators=[validate_dealer_draw])
    totals_only = models.BooleanField(default=False)
    link_version = models.PositiveIntegerField(default=1)
    is_live = models.BooleanField(default=False)
    asked_at = models.DateTimeField(null=True, blank=True)
    called_at = models.DateTimeField(null=True, blank=True)
    coming_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["round", "number"], name="one_table_a_number"),
            models.UniqueConstraint(
                fields=["session", "number"],
                condition=Q(is_live=True),
                name="one_live_table_a_number",
            ),
        ]

    @property
    def name_in_log(self) -> str:
        """Its name in the activity log: rounds number their tables alike."""
        return f"round {self.round.number}, table {self.number}"

    def substitutions(self) -> "list[tuple[Seat, Seat]]":
        """The seats that substitutes have now, each after the one they took over; one query."""
        seats = self.seats.select_related("member").order_by("position", "from_hand")
        return [
            (earlier, seat)
            for earlier, seat in pairwise(seats)
            if seat.position == earlier.position and seat.until_hand is None
        ]

    def is_off_clock(self, started: datetime | None, first_round: int) -> bool:
        """Whether a clock `started` for an earlier round, the first in play, ran already when these
        seats were published: it is not for this table."""
        published, number = self.round.published_at, self.round.number
        if started is None or published is None or self.round.by_tournament:
            return False
        return number > first_round and published > started


CARD_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # without letters that look alike
CARD_LENGTH = 8


def new_card_code() -> str:
    """A random code for a table card: short enough to type, one of 850 billion."""
    return "".join(secrets.choice(CARD_LETTERS) for _place in range(CARD_LENGTH))


class TableCard(models.Model):
    """The card of a club's table number. Its code opens the table with that number tonight."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="table_cards")
    number = models.PositiveSmallIntegerField()
    code = models.CharField(max_length=CARD_LENGTH, unique=True, default=new_card_code)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["club", "number"], name="one_card_a_number"),
        ]

    @property
    def typed(self) -> str:
        """The code as people read it out: "K7QM-WPRT"."""
        return f"{self.code[:4]}-{self.code[4:]}"


class Seat(models.Model):
    """A player in a seat from one hand to another. A substitute gets a seat of their own.

    `seated` is true while the player sits there; nobody can sit at two tables at once.
    `from_hand` and `until_hand` are numbers of the table's game, both included: hands are
    credited to who played them. `locked` keeps a seat when the draft is redrawn.
    """

    session = models.ForeignKey(Session, models.CASCADE, related_name="seats")
    table = models.ForeignKey(Table, models.CASCADE, related_name="seats")
    position = models.PositiveSmallIntegerField()
    member = models.ForeignKey(Member, models.PROTECT, related_name="seats")
    from_hand = models.PositiveSmallIntegerField(default=1)
    until_hand = models.PositiveSmallIntegerField(null=True, blank=True)
    seated = models.BooleanField(default=False)
    locked = models.BooleanField(default=False)

    class Meta:
        ordering = ["position", "from_hand"]
        constraints = [
            models.UniqueConstraint(
                fields=["session", "member"],
                condition=Q(seated=True),
                name="nobody_sits_at_two_tables",
            ),
            models.UniqueConstraint(
                fields=["table", "position"], condition=Q(until_hand=None), name="one_on_a_chair"
            ),
        ]

    def member_in_hand(self, number: int) -> int:
        """The key of the member who played this hand here: of an earlier one, at one query."""
        if number >= self.from_hand:
            return self.member_id
        same = Seat.objects.filter(table=self.table_id, position=self.position)
        spans = same.filter(from_hand__lte=number, until_hand__gte=number)
        return spans.values_list("member", flat=True).first() or self.member_id

    @classmethod
    def refuse_erase(cls, member: Member) -> None:
        """Refuse to erase a player who has a seat at a live table of an open session."""
        open_state = Session.State.OPEN
        row = cls.objects.filter(member=member, seated=True, session__state=open_state).first()
        if row is not None:
            sentence = gettext(
                "%(name)s sits at table %(number)d of %(session)s. Put in a substitute there, or "
                "close that session, first."
            ) % {
                "name": member.name,
                "number": row.table.number,
                "session": row.session.name,
            }
            raise Refused("seated", sentence, status=409)

    @classmethod
    def refuse_merge(cls, source: Member, target: Member) -> None:
        """Refuse to merge two players who both had seats in one round: they are not the same."""
        rounds = cls.objects.filter(member=target).exclude(table__round__state="withdrawn")
        shared_rounds = cls.objects.filter(
            member=source, table__round__in=rounds.values("table__round")
        ).select_related("session")
        seat = shared_rounds.first()
        if seat is None:
            return
        sentence = gettext("%(one)s and %(other)s both sat in one round of %(session)s.") % {
            "one": source.name,
            "other": target.name,
            "session": seat.session.name,
        }
        raise Refused("sat-together", sentence, status=409, fields={"into": [sentence]})
