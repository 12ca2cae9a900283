"""The page of a table as its templates read it: the state of the game and what may be done."""

from datetime import datetime, timedelta
from math import ceil
from typing import Any
from zlib import crc32

from django.conf import settings
from django.db.models import Min
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from league.members.models import Club
from league.play.auth import OVER, TableAccess, receipt
from league.play.final_scores import keyboard
from league.play.forms import HandForm, TotalsForm
from league.play.game_log import GameLog, open_game_log
from league.play.game_over import GameOver
from league.play.keypad import Keypad, new_client_id
from league.play.latest_change import Change, changed_last, latest_change
from league.play.models import Game, Hand, Ruling
from league.play.queries import (
    HandSummary,
    RulingSummary,
    hand_summary,
    ruling_summaries,
    short_names_at,
    side_names_at,
    state_of,
)
from league.play.questions import questions_of
from league.play.results import as_of
from league.play.sheet import MatchNote, draw_warning, match_note
from league.play.table_changes import (
    changed_by_organiser,
    ended_by_organiser,
    reason_not_to_resume,
    reason_not_to_withdraw,
    too_late,
)
from league.play.text import score_text
from league.seating.models import Table
from league.sessions.queries import clock_started_at

REDO_FOR = timedelta(minutes=2)
ID_BEGINS = 8  # first letters of an id that a phone compares (second-copy.js)


def entry_page(access: TableAccess) -> "EntryPage":
    """The page of a table at this moment."""
    log, now = open_game_log(access.table), timezone.now()
    as_of(log.game, now)
    return EntryPage(access, log, at=now)


class EntryPage:
    """Everything that the page of a table shows to this visitor at this moment.

    `keypad` holds the questions for a hand, `over` what is shown once the game has ended.
    """

    def __init__(self, access: TableAccess, log: GameLog, *, at: datetime) -> None:
        self.access, self.log, self.at = access, log, at
        self.table = access.table
        self.club: Club = access.table.session.club
        self.state = state_of(log, at=at)
        self.phase = self.state.phase
        self.sides = self.state.sides
        self.number = self.state.number
        self.last = self.state.last
        self.dealer = self.state.dealer
        may_undo = self.state.may_correct if access.is_organiser else self.state.may_undo
        self.may_undo = may_undo and not self.is_closed
        self.over = GameOver(log, self.sides)

    @cached_property
    def keypad(self) -> Keypad:
        return self.keypad_for(None)

    def keypad_for(self, hand: Hand | None) -> Keypad:
        """The questions for the next hand, or for `hand` to be corrected; the latter asks for an
        outcome or a count, whichever was recorded."""
        by_count = hand is not None and "outcome" not in hand.record and "tricks_won" in hand.record
        entry = Club.TricksEntry.COUNT if by_count else self.club.tricks_entry
        return Keypad(
            rules=self.log.rules,
            questions=questions_of(self.log.rules, entry),
            shorts=short_names_at(self.log, hand.number if hand else None),
            number=self.number if hand is None else hand.number,
            dealer=self.dealer if hand is None else hand.record["dealer"],
        )

    def context(self, form: HandForm, hand: Hand | None = None) -> dict[str, Any]:
        """The template context of the page, with the form of the next hand or to correct `hand`."""
        keypad = self.keypad_for(hand) if hand else self.keypad
        return {"entry": self, "seats": self.seats(keypad, hand), **keypad.context(form)}

    @cached_property
    def match(self) -> MatchNote | None:
        """The note about the match of several games that this game is part of."""
        return match_note(self.table, [side.name for side in self.sides])

    @cached_property
    def draw_warning(self) -> str:
        """What a tied match or a corrected result at this table still needs; empty for nothing."""
        return draw_warning(self.table) if self.table.round.by_tournament else ""

    @property
    def stamp(self) -> str:
        """A version stamp: the progress of the game, and after the dash its setup (players, rules,
        first dealer, the start, which a correction of the previous game may change, and what comes
        next for those who have played)."""
        game, next_table, table = self.log.game, self.over.next_table, self.table
        progress = [game.hands_written, len(self.log.rulings), self.number, self.phase]
        progress.append("".join(map(str, game.winners or ())))
        seats = [(seat.member_id, seat.from_hand) for seat in self.log.sitting()]
        table_fields = [table.ruleset_id, table.first_dealer]
        next_key = next_table.pk if next_table else table.is_live  # nobody may sit here next
        texts = self.over.after_match if self.phase == "confirmed" and not self.is_closed else []
        setup = [seats, table_fields, next_key, self.log.start, self.is_closed, texts]
        return f"{'.'.join(map(str, progress))}-{crc32(repr(setup).encode())}"

    @property
    def is_called(self) -> bool:
        """Whether the head of the page shows the status of a call; no key moves for it there."""
        return bool(self.table.called_at and self.table.is_live and self.phase == "playing")

    @cached_property
    def round_ends_at(self) -> datetime | None:
        """When the round's time is up, while the table plays by the session's clock."""
        ends_at = self.table.session.clock_ends_at
        if self.is_closed or self.phase != "playing":
            return None
        if ends_at is None or self._is_off_clock():
            return None
        return ends_at

    @property
    def is_clock_stopped(self) -> bool:
        """Whether the session's clock, by which the table plays, is paused."""
        is_paused = self.table.session.clock_paused_seconds is not None
        is_playing = self.phase == "playing" and not self.is_closed
        return is_paused and is_playing and not self._is_off_clock()

    def _is_off_clock(self) -> bool:
        table = self.table
        live = Table.objects.filter(session=table.session_id, is_live=True)
        first = live.aggregate(first=Min("round__number"))["first"]
        if first is None or first == table.round.number:
            return False
        return table.is_off_clock(clock_started_at(table.session), first)

    @property
    def seconds_left(self) -> int | None:
        """The seconds until the round's time is up: 0 from then on, None without a clock."""
        if self.round_ends_at is None:
            return None
        return max(0, ceil((self.round_ends_at - self.at).total_seconds()))

    @property
    def known_hands(self) -> str:
        """The first letters of the ids of this game's hands, for a phone that keeps copies; undone
        hands have a minus before them. Corrected hands are included: if the server loses the
        correction, the original is sent again."""
        hands = self.log.versions
        return " ".join(f"{'-' if h.undone_at else ''}{h.client_id[:ID_BEGINS]}" for h in hands)

    @property
    def receipts(self) -> str:
        """A receipt for each of the `known_hands`, in the same order."""
        return " ".join(receipt(self.table, hand.client_id) for hand in self.log.versions)

    def moved_since(self, seen: str) -> str:
        """What has changed since the page had this stamp: "hands", "seats" or ""."""
        hands, _dash, seats = self.stamp.partition("-")
        seen_hands, _dash, seen_seats = seen.partition("-")
        return "seats" if seen_seats != seats else "hands" if seen_hands != hands else ""

    @property
    def where(self) -> str:
        values = {"table": self.table.number, "hand": self.number, "hands": self.log.rules.hands}
        if self.phase == "playing" and self.log.rules.hands:
            return _("Table %(table)d · hand %(hand)d of %(hands)d") % values
        if self.phase == "playing":
            return _("Table %(table)d · hand %(hand)d") % values
        return _("Table %(table)d") % values

    @property
    def why_not_over(self) -> str:
        """Why play goes on although a side has reached the target; else empty."""
        if self.phase != "playing" or all(side.needs != 0 for side in self.sides):
            return ""
        rule = self.log.rules.options.get("win_rule", "any")
        if rule == "made_only":
            return _("Play goes on: the game is won only by making a bid of your own.")
        if rule == "made_or_set":
            return _("Play goes on: the game is won only by making a bid or setting one.")
        return _("Level at the target: play goes on until one side is ahead.")

    @cached_property
    def my_seat(self) -> int | None:
        """The position of the visitor's own seat, if they play at this table."""
        if (user := self.access.by.user) is None:
            return None
        seats = self.log.sitting()
        return next((seat.position for seat in seats if seat.member.user_id == user.pk), None)

    def seats(self, keypad: Keypad, hand: Hand | None) -> list[dict[str, Any]]:
        """The seats by position, for the drawing of the table, with the players of `hand` if that
        is corrected. `place` counts clockwise from the
        seat drawn at the bottom: the visitor's own, else one that puts North at the top. `person`
        is the id by which a phone remembers its own seat; `people` has the id of a substitute who
        has not played, too. Eldest hand leads, unless the bidder does. `team` marks partners where
        they do not simply sit opposite."""
        questions, own_seat = keypad.questions, self.my_seat
        opposite = questions.players // 2 if questions.players < 5 else 0
        bottom = opposite if own_seat is None else own_seat
        eldest = (keypad.dealer + 1) % questions.players
        teams = questions.players > 4 and len(self.sides) == 2
        number = hand.number if hand else None
        sides = side_names_at(self.log, number)
        seats = zip(self.log.seats_of(number), self.log.sitting(), strict=True)
        return [
            {
                "position": seat.position,
                "value": str(seat.position),
                "name": seat.member.label,
                "short": keypad.shorts[seat.position],
                "side": sides[seat.position % len(sides)],
                "team": seat.position % 2 if teams else None,
                "person": seat.member.public_id,
                "people": sorted({seat.member.public_id, sitting.member.public_id}),
                "deals": seat.position == keypad.dealer,
                "leads": questions.eldest_leads and seat.position == eldest,
                "is_mine": seat.position == own_seat and (hand is None or seat == sitting),
                "place": (seat.position - bottom) % questions.players,
            }
            for seat, sitting in seats
        ]

    @cached_property
    def change(self) -> Change | None:
        """What was changed here by somebody else, until something else happens at the table."""
        change = latest_change(self.log, self.state.side_names, self.access.by.user)
        if change and (decision := self.over.decision) and decision.at >= change.at:
            return None  # the page says what was decided
        return change

    @property
    def changed_last(self) -> str:
        """Which hand was corrected, deleted or undone last, if nothing was entered since."""
        return changed_last(self.log)

    @property
    def is_confirmed(self) -> bool:
        """Whether the page of a game that counts says that it was confirmed."""
        return self.club.confirm != Club.Confirm.NONE and self.log.was_confirmed

    @property
    def is_closed(self) -> bool:
        """Whether the session is over, so that nothing is entered or undone here. An organiser may
        still correct a game that has ended."""
        return self.table.session.state in OVER

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, even if its result is not settled."""
        return self.phase not in ("playing", "totals")

    @property
    def may_reload_offline(self) -> bool:
        """Whether phones may cache this page for a reload while offline."""
        return bool(settings.OFFLINE_SHELL)

    @property
    def may_change(self) -> bool:
        """Whether the menu of less common actions is offered."""
        if self.is_closed:
            return self.access.is_organiser and self.phase in ("finished", "confirmed")
        if self.phase == "playing" and not self.access.is_phone:
            return True
        return self.phase in ("playing", "finished", "confirmed") and (
            self.may_correct or self._may_change_start or self.access.is_organiser
        )

    @cached_property
    def _is_bound(self) -> bool:
        """Whether an organiser has ended the game, which this visitor may not change."""
        return not self.access.is_organiser and bool(ended_by_organiser(self.log))

    @property
    def may_correct(self) -> bool:
        """Whether hands can still be corrected here, but for those that an organiser changed."""
        return self.state.may_correct and not self._is_bound and not self.is_closed

    @property
    def _may_change_start(self) -> bool:
        """Whether no hand is entered yet and the table may still change how the game stands."""
        in_time = not too_late(self.log, None, at=self.at)
        return not self.log.hands and in_time and not self._is_bound

    @cached_property
    def may_resume(self) -> bool:
        ended_outside = (Game.EndedBy.CONCEDED, Game.EndedBy.TIME)
        if self.is_closed or not self.may_change or self.log.game.ended_by not in ended_outside:
            return False
        return self.access.is_organiser or not reason_not_to_resume(self.log, at=self.at)

    @cached_property
    def organisers_hands(self) -> set[int]:
        """The numbers of the hands that an organiser changed, so that this visitor may not."""
        if self.access.is_organiser:
            return set()
        return {hand.number for hand in self.log.hands if changed_by_organiser(self.log, hand)}

    @property
    def hand_beyond(self) -> int | None:
        """The last hand, if it lies beyond the game's end and the table may still undo it."""
        beyond = [fault.hand for fault in self.log.conflicts() if fault.code == "game-over"]
        return beyond[-1] if beyond and self.may_undo else None

    @property
    def was_alone(self) -> bool:
        """Whether a player was alone in the last hand, which a penalty after it then counts."""
        answers = self.log.state.answers
        return bool(answers and answers[-1].alone)

    @property
    def undone(self) -> Hand | None:
        """The hand just undone, while it can be restored and nothing was entered since."""
        versions = self.log.versions_of(self.number)
        latest = max(versions, key=lambda hand: hand.version, default=None)
        if self.phase != "playing" or latest is None or latest.undone_at is None:
            return None
        entered = [version.entered_at for version in self.log.versions]
        entered += [ruling.entered_at for ruling in self.log.rulings]
        played_on = any(moment > latest.undone_at for moment in entered)
        return latest if self.at - latest.undone_at < REDO_FOR and not played_on else None

    @property
    def hand_summaries(self) -> list[HandSummary]:
        """Every hand in words, latest first, to choose one to correct."""
        return [hand_summary(self.log, hand.number) for hand in reversed(self.log.hands)]

    @cached_property
    def rulings(self) -> list[RulingSummary]:
        return ruling_summaries(self.log)

    @property
    def last_ruling(self) -> RulingSummary | None:
        """The penalty or misdeal after the last hand, while the table may withdraw it."""
        valid_rulings = [ruling for ruling in self.log.rulings if ruling.withdrawn_at is None]
        latest = valid_rulings[-1] if valid_rulings else None
        if latest is None or latest.after_hand != len(self.log.hands) or latest.points is not None:
            return None
        return self.rulings[-1] if self._may_withdraw(latest) else None

    def _may_withdraw(self, ruling: Ruling) -> bool:
        if self.access.is_organiser:
            return not too_late(self.log, ruling, at=self.at)
        return not self.is_closed and not reason_not_to_withdraw(self.log, ruling, at=self.at)

    @cached_property
    def organisers_rulings(self) -> set[int]:
        """The ids of the rulings that this visitor may not withdraw."""
        if self.access.is_organiser:
            return set()
        return {ruling.pk for ruling in self.log.rulings if not self._may_withdraw(ruling)}

    @property
    def earlier(self) -> list[HandSummary | RulingSummary]:
        """Hands and rulings in words, latest first."""
        rulings, summaries = self.rulings[::-1], list[HandSummary | RulingSummary]()
        for hand in self.hand_summaries:
            summaries += [ruling for ruling in rulings if ruling.after_hand == hand.number]
            summaries.append(hand)
        return summaries + [ruling for ruling in rulings if ruling.after_hand == 0]

    @property
    def fresh_id(self) -> str:
        """A new id for an entry other than a hand, different on each access."""
        return new_client_id()

    @property
    def score_now(self) -> str:
        return score_text([side.points for side in self.sides])

    @property
    def totals_form(self) -> TotalsForm:
        sides = [side.name for side in self.sides]
        return TotalsForm(None, sides=sides, keyboard=keyboard(self.log.rules))
