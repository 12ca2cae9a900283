"""Places that a tournament gives the players of its session; pots with their rules and payments."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league.members.fields import CopiedField, NameField
from league.members.models import Club, Member, new_public_id
from league.members.validators import validate_day
from league.ranking.measures import MEASURES
from league.ranking.pots import BY_PLACE, NOT_IN, PRIZE, REFUND, RETURN, STAKE, WAIVED
from league.ranking.tie_breaks import PAIR_MEASURES
from league.seasons.models import Season
from league.sessions.models import Session

POT_LABELS = {
    "euchred": {},
    "set": {
        "euchred": _("A player whose bid is set pays, each time"),
        "most_euchres": _("Most opponents' bids set"),
    },
    "both": {
        "euchred": _("A player who calls and is euchred or set pays, each time"),
        "most_euchres": _("Most opponents euchred or set"),
    },
}
"""Labels of a pot's sources and payouts that differ, by `statistics.beaten_word`."""
POT_SOURCES_OF_SESSIONS = {"entry": _("Every player pays"), "once": _("Every player pays")}
POT_SOURCES_OF_SEASONS = {
    "entry": _("Every player pays for each session they play"),
    "once": _("Every player pays once for the whole season"),
}
LEAST_AMOUNT, MOST_AMOUNT, MOST_PAID = Decimal("0.01"), Decimal(99_999), Decimal(999_999)
MOST_PLACES = 20
LONGEST_NUMBER = 8


def share_of(word: str) -> Decimal:
    """The number in a text, with two decimals at most. Raises `ValidationError` for any other."""
    try:
        share = Decimal(word.replace(",", "."))
    except InvalidOperation:
        share = Decimal("NaN")
    exponent: Any = share.as_tuple().exponent
    if not share.is_finite() or not 0 <= share <= MOST_AMOUNT or exponent < -2:
        raise ValidationError(
            _("“%(word)s” is not a number with at most two decimals."), params={"word": word[:20]}
        )
    return share


def validate_shares(value: Any) -> None:
    """Check for the percentages or amounts of the first, second, ... place as texts."""
    if not isinstance(value, list) or not all(_is_number(share) for share in value):
        raise ValidationError(_("This is not a list of numbers."))
    if len(value) > MOST_PLACES:
        raise ValidationError(_("That is more places than a table has."))
    for share in value:
        share_of(share)


def refuse_above_all(payout: str, shares: Sequence[str]) -> None:
    """Refuse percentages of more than 100 in total."""
    if payout != Pot.Payout.AMOUNTS and sum(map(share_of, shares)) > 100:
        raise ValidationError({"shares": _("These add up to more than 100 percent.")})


def _is_number(value: Any) -> bool:
    return isinstance(value, str) and value.isascii() and 0 < len(value) <= LONGEST_NUMBER


UNITS = (1, 5, 50, 100)
"""Cents to which the prizes of a pot can be rounded down."""


def cents_of(amount: Decimal) -> int:
    """Money as whole cents."""
    return int((amount * 100).to_integral_value())


def money_of(cents: int) -> Decimal:
    return Decimal(cents) / 100


class Pot(models.Model):
    """A pot of one session or one season: where its money comes from and who wins it.

    These are only the rules: what the pot holds, who owes and who has won is computed from the
    results. `amount` is money in the club's currency, with two decimals. `shares` are the
    percentages of the first, second, ... place, or their amounts, as texts ("50"), where the places
    win it. Prizes are `rounded_to` so many cents, downwards. Of a season, only the sessions since
    `counts_from` count, or all; but its places are those of the whole season.
    `left_to_club` is what the club decided about a pot that nobody has won; `payout` stays, for the
    sessions planned after it.
    """

    class Source(models.TextChoices):
        ENTRY = "entry", _("Everyone pays, each session they play")
        ONCE = "once", _("Every player pays once")
        EUCHRED = "euchred", _("A player who calls and is euchred pays, each time")
        SUM = "sum", _("The club puts in a fixed sum")

    class Payout(models.TextChoices):
        PLACES = "places", _("Top places, by percent")
        AMOUNTS = "amounts", _("Top places, fixed amounts")
        MOST_LONERS = "most_loners", _("Most lone marches")
        EACH_LONER = "each_loner", _("Shared out by lone marches")
        MOST_EUCHRES = "most_euchres", _("Most euchres made")
        KEPT = "kept", _("Nobody: it stays with the club")

    TEXTS_WITH_NAMES = ("club", ("name",))
    WRITTEN_ON = (_("Pot"), "standings")

    club = models.ForeignKey(Club, models.CASCADE, related_name="pots")
    session = models.ForeignKey(Session, models.CASCADE, null=True, blank=True, related_name="pots")
    season = models.ForeignKey(Season, models.CASCADE, null=True, blank=True, related_name="pots")
    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    name = NameField(_("name"), max_length=60)
    source = models.CharField(_("where it comes from"), max_length=10, choices=Source)
    amount = models.DecimalField(
        _("amount"),
        max_digits=8,
        decimal_places=2,
        validators=[MinValueValidator(LEAST_AMOUNT), MaxValueValidator(MOST_AMOUNT)],
    )
    payout = models.CharField(_("who wins it"), max_length=12, choices=Payout)
    shares = models.JSONField(
        _("for the places"), default=list, blank=True, validators=[validate_shares]
    )
    rounded_to = models.PositiveSmallIntegerField(
        _("round prizes down to"), choices=[(unit, str(unit)) for unit in UNITS], default=1
    )
    counts_from = models.DateField(
        _("counts sessions from"), null=True, blank=True, validators=[validate_day]
    )
    left_to_club = models.BooleanField(default=False, editable=False)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(session__isnull=True) ^ Q(season__isnull=True),
                name="pot_of_a_session_or_a_season",
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def scope(self) -> Session | Season:
        scope: Any = self.season or self.session
        return scope

    @property
    def is_paid_each_session_of_season(self) -> bool:
        return self.season_id is not None and self.source != self.Source.ONCE

    @property
    def is_by_place(self) -> bool:
        return self.payout in BY_PLACE

    @property
    def current_payout(self) -> str:
        """Who wins it now: the club, if nobody has won it and it was left to the club."""
        return self.Payout.KEPT if self.left_to_club else self.payout

    @property
    def is_over(self) -> bool:
        """Whether its session or season is closed, so that nobody can win it any more."""
        if self.season:
            return self.season.closed_at is not None
        return self.session is not None and self.session.state == Session.State.CLOSED

    def clean(self) -> None:
        """Check that the pot has exactly one scope, and shares if places win it."""
        if (self.session_id is None) == (self.season_id is None):
            raise ValidationError(_("A pot belongs to a session or to a season."))
        if self.is_by_place and not self.shares:
            raise ValidationError({"shares": _("Enter the share of each place: “50 30 20”.")})
        refuse_above_all(self.payout, self.shares)


def pot_labels(beaten: str, *, of_season: bool) -> dict[str, str | Promise]:
    """The labels of the sources and payouts of the pots of a session or a season."""
    labels: dict[str, str | Promise] = dict([*Pot.Source.choices, *Pot.Payout.choices])
    sources = POT_SOURCES_OF_SEASONS if of_season else POT_SOURCES_OF_SESSIONS
    return labels | sources | POT_LABELS[beaten]


class Payment(models.Model):
    """Money paid into a pot or from it: by or to a member, or booked to the club; or, without
    money, what a member was let off, or (of amount 0) that they are not in the pot. An entry may be
    withdrawn but never changes."""

    class Kind(models.TextChoices):
        STAKE = STAKE, _("paid the stake")
        REFUND = REFUND, _("got the stake back")
        PRIZE = PRIZE, _("was paid a prize")
        RETURN = RETURN, _("gave a prize back")
        WAIVED = WAIVED, _("was let off")
        NOT_IN = NOT_IN, _("is not in this pot")
        CLUB = "club", _("to the club")

    TEXTS_WITH_NAMES = ("pot__club", ("entered_as", "withdrawn_as"))

    pot = models.ForeignKey(Pot, models.PROTECT, related_name="payments")
    member = models.ForeignKey(
        Member, models.PROTECT, null=True, blank=True, related_name="payments"
    )
    kind = models.CharField(_("kind"), max_length=6, choices=Kind)
    amount = models.DecimalField(
        _("amount"),
        max_digits=8,
        decimal_places=2,
        validators=[MinValueValidator(0), MaxValueValidator(MOST_PAID)],
    )
    entered_at = models.DateTimeField(default=timezone.now)
    entered_as = CopiedField(max_length=80)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    withdrawn_as = CopiedField(max_length=80, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind="club") ^ Q(member__isnull=False),
                name="payment_of_a_member_or_to_the_club",
            )
        ]

    @property
    def is_out(self) -> bool:
        return self.kind in (self.Kind.REFUND, self.Kind.PRIZE, self.Kind.CLUB)

    @property
    def is_money(self) -> bool:
        return self.kind not in (self.Kind.WAIVED, self.Kind.NOT_IN)

    @property
    def cents(self) -> int:
        return cents_of(self.amount)


@dataclass(frozen=True, slots=True)
class GivenPlace:
    """The place that a tournament gives a player of its session, and the figures it ranks by."""

    place: int
    figures: Mapping[str, Fraction | None] = field(default_factory=dict)

    @property
    def stored(self) -> list[list[str | None]]:
        """The figures in the form in which they are stored, in order."""
        return [
            [code, None if value is None else str(value)] for code, value in self.figures.items()
        ]

    @classmethod
    def of(cls, place: int, stored: Sequence[Sequence[str | None]]) -> "GivenPlace":
        return cls(place, {str(code): Fraction(value) if value else None for code, value in stored})


FIGURE = re.compile(r"-?[0-9]{1,9}(/[1-9][0-9]{0,8})?")


def validate_figures(value: Any) -> None:
    """Check for figures in the form of `GivenPlace.stored`."""
    measures = MEASURES | PAIR_MEASURES
    if not isinstance(value, list) or not all(
        isinstance(figure, list)
        and len(figure) == 2
        and isinstance(figure[0], str)
        and figure[0] in measures
        and (figure[1] is None or (isinstance(figure[1], str) and FIGURE.fullmatch(figure[1])))
        for figure in value
    ):
        raise ValidationError(_("This is not a list of figures."))


@dataclass(frozen=True, slots=True)
class TournamentRanking:
    """The tournaments that give a session's places, by name, the one that ranks first in front,
    each with the codes of the measures it ranks by (a bracket has none); the players who have
    withdrawn from the one that places them; the key in the address of each tournament, and the one
    that places each player, by name."""

    tournaments: Mapping[str, Sequence[str]] = field(default_factory=dict)
    withdrawn: frozenset[int] = frozenset()
    pages: Mapping[str, str] = field(default_factory=dict)
    placed_by: Mapping[int, str] = field(default_factory=dict)


RANKING: list[Callable[[Session], TournamentRanking]] = []
"""Gives the tournaments that rank a session's players; the area of tournaments adds its own (in
`league.apps`), as for `PARTNERS`."""
PARTNERS: list[Callable[[Session], dict[int, int]]] = []
"""Gives the partner of the first player of each pair of a session's tournaments."""


def tournament_ranking(club_session: Session) -> TournamentRanking:
    """The tournaments that rank the session's players, as `RANKING` gives them."""
    found = [ranking(club_session) for ranking in RANKING]
    return found[0] if found else TournamentRanking()


class SessionPlace(models.Model):
    """A player's place in a session whose tournament ranks its players.

    Derived data: areas that rank a session other than by its games save it with
    `league.standings.actions.save_places`, and `recount --check` checks it. A session without rows
    is ranked by its games. Tied players have the same place. `figures` are those of the
    tournament's table, in its order: a measure's code and its figure as a text ("33/2").
    """

    ONE_ROW_PER = "session"

    session = models.ForeignKey(Session, models.CASCADE, related_name="player_places")
    member = models.ForeignKey(Member, models.PROTECT, related_name="session_places")
    place = models.PositiveSmallIntegerField(validators=[MinValueValidator(1)])
    figures = models.JSONField(default=list, blank=True, validators=[validate_figures])

    class Meta:
        ordering = ["place", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["session", "member"], name="one_place_a_session")
        ]
