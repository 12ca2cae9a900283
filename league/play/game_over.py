"""The end of a game at its table: the result in words, and where its players go next."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.functional import cached_property
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import npgettext

from league.labels import as_label, as_partners, one_stop
from league.play.auth import OVER
from league.play.final_scores import reached
from league.play.game_log import GameLog
from league.play.models import Confirmation, Game
from league.play.queries import SideState, session_short_names
from league.play.questions import questions_of
from league.play.sheet import after_match, scores_of_decision
from league.play.table_changes import time_was_called
from league.play.text import named_score, score_text, side_name
from league.seating.models import Seat, Table
from league.sessions.queries import came_to


class GameOver:
    """The end of a game, and what comes next at its table and for its players."""

    def __init__(self, log: GameLog, sides: list[SideState]) -> None:
        self.log, self.table, self.sides = log, log.table, sides

    @property
    def result_text(self) -> str:
        """The result of the game in one line."""
        winners = [side for side in self.sides if side.won]
        losers = [side for side in self.sides if not side.won]
        score = score_text([side.points for side in [*winners, *losers]])
        if not winners:
            return score
        if self.log.game.ended_by == Game.EndedBy.CONCEDED and not self.log.hands:
            names = as_partners([side.name for side in winners])
            return _("%(names)s won by concession") % {"names": names}
        if len(self.sides) > 2:
            return self._result_of_many(winners)
        values = {"names": _all_of(winners), "score": score}
        if self.log.game.ended_by == Game.EndedBy.CONCEDED:
            return _("%(names)s won %(score)s by concession") % values
        if losers and self._is_behind(winners[0], losers[0]):
            return _("%(names)s won by decision, %(score)s") % values
        if len(winners) == 1:
            return _("%(names)s won %(score)s") % values
        return _("%(names)s tied %(score)s") % values

    def _is_behind(self, side: SideState, other: SideState) -> bool:
        """Whether this side has the worse score of the two, as a decided winner may."""
        lead = side.points - other.points
        return lead > 0 if self.log.rules.counts_down else lead < 0

    def _result_of_many(self, winners: list[SideState]) -> str:
        """The result of more than two sides, in the order of the seats, each with its name."""
        score = named_score([s.name for s in self.sides], [s.points for s in self.sides])
        values = {"names": _all_of(winners), "scores": score}
        if len(winners) == 1:
            return _("%(names)s won. %(scores)s") % values
        if self._have_all_won(winners):
            values["names"] = as_partners([side.name for side in winners])
            return _("%(names)s won together. %(scores)s") % values
        return _("%(names)s tied. %(scores)s") % values

    def _have_all_won(self, winners: list[SideState]) -> bool:
        """Whether these sides have all won the game, not drawn it."""
        sides_at_target = reached(self.log.rules, [side.points for side in self.sides])
        is_decided = self.log.game.ended_by == Game.EndedBy.DECISION
        return is_decided or {self.sides.index(side) for side in winners} <= set(sides_at_target)

    @cached_property
    def how_ended(self) -> str:
        game, sentences = self.log.game, []
        if game.ended_by == Game.EndedBy.CONCEDED and game.ended_seat is not None:
            conceding = self.sides[game.ended_seat % len(self.sides)]
            name = next(name for side, name in self.answering if side == conceding)
            sentences.append(_("%(name)s conceded.") % {"name": name})
        if time_was_called(self.log):
            sentences.append(_("Time was called."))
        if self.decision:
            sentences.append(self._decided(self.decision))
        if sentences:
            return " ".join(sentences)
        if game.ended_by == Game.EndedBy.DECISION:
            return _("An organiser decided.")
        return ""

    def _decided(self, decision: Confirmation) -> str:
        """Who decided and why, with both scores where the decision was another one."""
        old_score, new_score = scores_of_decision(decision, self.log.game)
        values = {"who": decision.said_as, "reason": decision.reason}
        if not old_score:
            return _("%(who)s decided: “%(reason)s”") % values
        values["score"] = score_text(new_score or [side.points for side in self.sides])
        values["old"] = score_text(old_score)
        return _("%(who)s decided: %(score)s (was %(old)s): “%(reason)s”") % values

    @cached_property
    def decision(self) -> Confirmation | None:
        """The organiser's decision by which this game counts or does not, if any."""
        if self.log.game.state not in (Game.State.CONFIRMED, Game.State.ABANDONED):
            return None
        decisions = Confirmation.objects.filter(game=self.log.game, accepted=True)
        if self.log.game.state == Game.State.CONFIRMED:  # it was resumed since it was called off
            decisions = decisions.exclude(decision=Confirmation.Decision.ABANDONED)
        return decisions.exclude(decision="").order_by("-id").first()

    @property
    def to_confirm(self) -> str:
        """The side that is to confirm the result, where there is only one."""
        names = [name for side, name in self.answering if side.may_confirm]
        return names[0] if len(names) == 1 else ""

    @cached_property
    def answering(self) -> list[tuple[SideState, str]]:
        """The sides, those who may confirm first, each with the names of those who answer for it:
        the players who sit there now, even if a substitute has played no hand."""
        names = [self.log.shorts[seat.member_id] for seat in self.log.sitting()]
        sides = sorted(self.sides, key=lambda side: side.may_confirm, reverse=True)
        return [(side, side_name([names[seat] for seat in side.seats])) for side in sides]

    @property
    def several_may_confirm(self) -> bool:
        return sum(side.may_confirm for side in self.sides) > 1

    @property
    def winners_do_not_confirm(self) -> bool:
        """Whether several sides won or tied, so that only the others confirm."""
        is_tied = sum(side.won for side in self.sides) > 1
        return is_tied and not all(side.may_confirm for side in self.sides)

    @property
    def facts(self) -> list[tuple[str, int]]:
        """Figures of the game for the page shown at its end, each with its label."""
        answers = [answer for answer in self.log.state.answers if answer.valid]
        if not answers:
            return []
        outcomes = [answer.outcome for answer in answers]
        hands = (npgettext("below a number", "hand", "hands", len(answers)), len(answers))
        marches = outcomes.count("march")
        euchres = outcomes.count("euchred") + outcomes.count("set")
        made = outcomes.count("made") + marches
        if not questions_of(self.log.rules).is_turn_up:
            return [
                hands,
                (npgettext("below a number", "bid made", "bids made", made), made),
                (npgettext("below a number", "bid set", "bids set", euchres), euchres),
            ]
        if self.log.rules.counts_down:  # these games do not pay for a march
            return [
                hands,
                (npgettext("below a number", "call made", "calls made", made), made),
                (npgettext("below a number", "call set", "calls set", euchres), euchres),
            ]
        return [
            hands,
            (npgettext("below a number", "march", "marches", marches), marches),
            (npgettext("below a number", "euchre", "euchres", euchres), euchres),
        ]

    @cached_property
    def dispute(self) -> Confirmation | None:
        """The latest dispute, if any; an organiser may have decided since that play goes on."""
        disputes = Confirmation.objects.filter(game=self.log.game, accepted=False)
        return disputes.order_by("-id").first() if self.log.game.pk else None

    @property
    def disputed_by(self) -> str:
        """The side that disputed the game; empty if an organiser did."""
        if self.dispute is None or self.dispute.seat is None:
            return ""
        return next(name for side, name in self.answering if self.dispute.seat in side.seats)

    @property
    def disputing_seats(self) -> tuple[int, ...]:
        """The seats of the side that disputed the game; none if an organiser did."""
        if self.dispute is None or self.dispute.seat is None:
            return ()
        return next(side.seats for side in self.sides if self.dispute.seat in side.seats)

    @property
    def may_withdraw(self) -> bool:
        """Whether the side may take its dispute back; otherwise only an organiser decides."""
        return bool(self.disputed_by) and not self.table.session.of_team_match

    @cached_property
    def next_table(self) -> Table | None:
        """The live table with this number, once this one has ended."""
        return None if self.table.is_live else table_after(self.table)

    @property
    def welcome(self) -> str:
        return welcome(self.next_table) if self.next_table else ""

    @cached_property
    def next_seats(self) -> list["NextSeat"]:
        """The present tables of this game's players, if they have new seats."""
        if self.table.is_live:
            return []
        members = [seat.member_id for seat in self.log.sitting()]
        seats = Seat.objects.filter(
            session=self.table.session_id,
            seated=True,
            member__in=members,
            table__gt=self.table.pk,  # see table_after
        )
        tables = {seat.member_id: seat.table for seat in seats.select_related("table")}
        return [
            NextSeat(seat.member.label, tables[seat.member_id].number)
            for seat in self.log.sitting()
            if seat.member_id in tables
        ]

    @cached_property
    def after_match(self) -> list[tuple[str, str]]:
        """What comes next for those of a tournament's match who have no new seat."""
        return after_match(self.table)

    def arrival(self, table: Table) -> list[str]:
        """What a phone says when it goes on to this next table: who plays there, and where the
        others have gone. Nothing at the next game of a match, or once hands are saved there."""
        is_begun = table.games.filter(hands_written__gt=0).exists()
        if is_begun or member_ids_at(table) == member_ids_at(self.table):
            return []
        seats = self.next_seats
        moves = any(seat.table != table.number for seat in seats)
        others = [
            f"{as_label(names)} {text}" if names else text for names, text in self.after_match
        ]
        return [welcome(table), *([next_tables_text(seats)] if moves else []), *others]


def _all_of(sides: Sequence[SideState]) -> str:
    """The names of these sides: "Rose & Ted and Ann & Bill"."""
    return get_text_list([side.name for side in sides], _("and"))


@dataclass(frozen=True, slots=True)
class NextSeat:
    """The next table of a player."""

    name: str
    table: int


def next_tables_text(seats: Sequence[NextSeat]) -> str:
    """Where these players go: "Where everyone plays next: Rose, table 2 · Ann, table 5"."""
    places = [f"{seat.name}, {_('table %(n)d') % {'n': seat.table}}" for seat in seats]
    return f"{as_label(_('Where everyone plays next'))} {' · '.join(places)}"


def table_after(table: Table) -> Table | None:
    """The live table with the same number made after this one, while the session is open.

    After "Unpublish" the tables of the round before are live again: nobody is sent back to them.
    """
    live_tables = Table.objects.filter(session=table.session_id, number=table.number, is_live=True)
    return None if table.session.state in OVER else live_tables.filter(pk__gt=table.pk).first()


def member_ids_at(table: Table) -> list[int]:
    """The ids of the members who sit at a table now, by seat."""
    seats = table.seats.filter(until_hand=None).order_by("position")
    return list(seats.values_list("member_id", flat=True))


def welcome(table: Table) -> str:
    """The players at a table now and the dealer: "Now at table 2: Rose & Ted – Ann & Bill. Rose
    deals first." """
    seats = list(table.seats.filter(until_hand=None).select_related("member").order_by("position"))
    shorts = session_short_names([*came_to(table.session), *(seat.member for seat in seats)])
    names = [shorts[seat.member_id] for seat in seats]
    side_count = table.ruleset.sides
    sides = [side_name(names[side::side_count]) for side in range(side_count)]
    sentence = _("Now at table %(number)d: %(sides)s. %(dealer)s deals first.") % {
        "number": table.number,
        "sides": " – ".join(sides),
        "dealer": names[table.first_dealer],
    }
    return one_stop(sentence)
