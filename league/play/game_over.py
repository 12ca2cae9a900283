"""What a table's page says once its game is over: who won, what decides, where everybody goes."""

from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext as _
from django.utils.translation import npgettext

from league.play.game_log import GameLog
from league.play.models import Confirmation, Game
from league.play.queries import SideState
from league.play.text import score_text, short_names, side_name
from league.seating.models import Seat, Table


class GameOver:
    """The end of a game, and what comes next at its table and for its players."""

    def __init__(self, log: GameLog, sides: list[SideState]) -> None:
        self.log, self.table, self.sides = log, log.table, sides

    @property
    def result_text(self) -> str:
        """How the game came out, in one line."""
        winners = [side for side in self.sides if side.won]
        others = [side for side in self.sides if not side.won]
        score = score_text([side.points for side in [*winners, *others]])
        if not winners:
            return score
        words = {"names": ", ".join(side.name for side in winners), "score": score}
        if len(winners) == 1:
            return _("%(names)s won %(score)s") % words
        return _("Tied: %(names)s, %(score)s") % words

    @property
    def how_ended(self) -> str:
        game = self.log.game
        if game.ended_by == Game.EndedBy.CONCEDED and game.ended_seat is not None:
            side = self.sides[game.ended_seat % len(self.sides)]
            return _("%(name)s conceded.") % {"name": side.name}
        if game.ended_by == Game.EndedBy.TIME:
            return _("Time was called.")
        if game.ended_by == Game.EndedBy.DECISION:
            return _("An organiser decided.")
        return ""

    @property
    def facts(self) -> list[tuple[str, int]]:
        """A few figures of the game for its last page."""
        answers = [answer for answer in self.log.state.answers if answer.valid]
        if not answers:
            return []
        outcomes = [answer.outcome for answer in answers]
        marches = outcomes.count("march")
        euchres = outcomes.count("euchred") + outcomes.count("set")
        return [
            (npgettext("below a number", "hand", "hands", len(answers)), len(answers)),
            (npgettext("below a number", "march", "marches", marches), marches),
            (npgettext("below a number", "euchre", "euchres", euchres), euchres),
        ]

    @cached_property
    def dispute(self) -> Confirmation | None:
        disputes = Confirmation.objects.filter(game=self.log.game, accepted=False, settled_at=None)
        return disputes.order_by("-id").first() if self.log.game.pk else None

    @cached_property
    def next_table(self) -> Table | None:
        """The table that now stands here, once this one has ended."""
        return None if self.table.is_live else table_after(self.table)

    @property
    def welcome(self) -> str:
        return welcome(self.next_table) if self.next_table else ""

    @cached_property
    def next_seats(self) -> list["NextSeat"]:
        """Where the players of this game sit now, if they have been seated again."""
        if self.table.is_live:
            return []
        members = [seat.member_id for seat in self.log.sitting()]
        seats = Seat.objects.filter(
            session=self.table.session_id, seated=True, member__in=members
        ).exclude(table=self.table)
        found = {seat.member_id: seat.table for seat in seats.select_related("table")}
        return [
            NextSeat(seat.member.name, found[seat.member_id].number)
            for seat in self.log.sitting()
            if seat.member_id in found
        ]


@dataclass(frozen=True, slots=True)
class NextSeat:
    """Somebody's next table."""

    name: str
    table: int


def table_after(table: Table) -> Table | None:
    """The live table that stands where this one stood."""
    here = Table.objects.filter(session=table.session_id, number=table.number, is_live=True)
    return here.first()


def welcome(table: Table) -> str:
    """Who sits at a table now and who deals: "Now at table 2: Rose & Ted, Ann & Bill. Rose deals
    first." """
    seats = list(table.seats.filter(until_hand=None).select_related("member").order_by("position"))
    names = short_names([seat.member.name for seat in seats])
    many = table.ruleset.sides
    sides = [side_name(names[side::many]) for side in range(many)]
    return _("Now at table %(number)d: %(sides)s. %(dealer)s deals first.") % {
        "number": table.number,
        "sides": " – ".join(sides),
        "dealer": names[table.first_dealer],
    }
