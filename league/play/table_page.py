"""The page of a table as its templates read it: how the game stands, what may be done, and what
comes after its end."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from zlib import crc32

from django.conf import settings
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import npgettext

from league.labels import as_partners
from league.members.models import Club
from league.play.auth import OVER, TableAccess, receipt
from league.play.final_scores import reached
from league.play.forms import HandForm, TotalsForm
from league.play.game_log import GameLog, open_game_log
from league.play.keypad import Keypad, new_client_id
from league.play.models import Confirmation, Game, Hand
from league.play.queries import (
    HandSummary,
    RulingSummary,
    SideState,
    hand_summary,
    may_change,
    ruling_summaries,
    state_of,
)
from league.play.questions import questions_of
from league.play.results import as_of
from league.play.sheet import MatchNote, match_note
from league.play.text import named_score, score_text, short_names, side_name
from league.seating.models import Seat, Table

REDO_FOR = timedelta(minutes=2)
ID_BEGINS = 8  # letters of an id that a phone compares (second-copy.js)


def entry_page(access: TableAccess) -> "EntryPage":
    """The page of a table, read now."""
    log, now = open_game_log(access.table), timezone.now()
    as_of(log.game, now)
    return EntryPage(access, log, at=now)


class EntryPage:
    """Everything the page of a table shows to this visitor at this moment.

    `keypad` is how a hand is asked for, `over` what is said once the game has ended.
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
        self.may_undo = self.state.may_undo
        self.over = GameOver(log, self.sides)

    @cached_property
    def keypad(self) -> Keypad:
        return self.keypad_for(None)

    def keypad_for(self, hand: Hand | None) -> Keypad:
        """The questions for the next hand, or for a hand to be corrected: in the way that hand
        was answered, by outcome or by count."""
        by_count = hand is not None and "outcome" not in hand.record and "tricks_won" in hand.record
        entry = Club.TricksEntry.COUNT if by_count else self.club.tricks_entry
        return Keypad(
            rules=self.log.rules,
            questions=questions_of(self.log.rules, entry),
            names=self.state.names,
            shorts=self.state.shorts,
            number=self.number if hand is None else hand.number,
            dealer=self.dealer if hand is None else hand.record["dealer"],
        )

    def context(self, form: HandForm, keypad: Keypad | None = None) -> dict[str, Any]:
        """What the templates of the page need."""
        keypad = keypad or self.keypad
        return {"entry": self, "seats": self.seats(keypad), **keypad.context(form)}

    @cached_property
    def match(self) -> MatchNote | None:
        """What the match of several games says that this game is part of."""
        return match_note(self.table, [side.name for side in self.sides])

    @property
    def stamp(self) -> str:
        """What the page shows of the game, and after the dash who plays at this table and deals
        first, by which rules and from which score: the game before in a match may be corrected."""
        game, after, table = self.log.game, self.over.next_table, self.table
        written = [game.hands_written, len(self.log.rulings), self.number, self.phase]
        seats = [(seat.member_id, seat.from_hand) for seat in self.log.sitting()]
        given = [table.ruleset_id, table.first_dealer, table.called_at, table.coming_at]
        begins = crc32(repr([seats, given, after and after.pk, self.log.start]).encode())
        return f"{'.'.join(map(str, written))}-{begins}"

    @property
    def is_called(self) -> bool:
        """Whether the page's head says what has become of a call: no key moves for it there."""
        return bool(self.table.called_at and self.table.is_live and self.phase == "playing")

    @property
    def known_hands(self) -> str:
        """The beginnings of the ids of this game's hands, for a phone that keeps copies: one that
        was undone has a minus before it. The phone still needs one that was corrected: where the
        correction is lost with the server, it comes back as it was entered."""
        hands = self.log.versions
        return " ".join(f"{'-' if h.undone_at else ''}{h.client_id[:ID_BEGINS]}" for h in hands)

    @property
    def receipts(self) -> str:
        """A receipt for each of those hands, in the same order."""
        return " ".join(receipt(self.table, hand.client_id) for hand in self.log.versions)

    def moved_since(self, seen: str) -> str:
        """What has changed since the page had this stamp: "hands", "seats" or nothing."""
        hands, _dash, seats = self.stamp.partition("-")
        seen_hands, _dash, seen_seats = seen.partition("-")
        return "seats" if seen_seats != seats else "hands" if seen_hands != hands else ""

    @property
    def where(self) -> str:
        words = {"table": self.table.number, "hand": self.number, "hands": self.log.rules.hands}
        if self.phase == "playing" and self.log.rules.hands:
            return _("Table %(table)d · hand %(hand)d of %(hands)d") % words
        if self.phase == "playing":
            return _("Table %(table)d · hand %(hand)d") % words
        return _("Table %(table)d") % words

    @property
    def why_not_over(self) -> str:
        """Why play goes on though a side has come as far as the target; else nothing."""
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
        """Where the account that looks sits itself, if it plays at this table."""
        if (user := self.access.by.user) is None:
            return None
        sitting = self.log.sitting()
        return next((one.position for one in sitting if one.member.user_id == user.pk), None)

    def seats(self, keypad: Keypad) -> list[dict[str, Any]]:
        """The seats in order, as the table's drawing has them. `place` is where a seat is drawn,
        clockwise from the one at the bottom: one's own, else so that North is above; `person` is
        how a phone remembers which of them is its own. Eldest hand leads, unless the bidder will.
        `team` marks who plays together where it is not the two who sit opposite."""
        questions, mine = keypad.questions, self.my_seat
        opposite = questions.players // 2 if questions.players < 5 else 0
        bottom = opposite if mine is None else mine
        eldest = (keypad.dealer + 1) % questions.players
        teams = questions.players > 4 and len(self.sides) == 2
        return [
            {
                "position": seat.position,
                "value": str(seat.position),
                "name": seat.member.name,
                "short": self.state.shorts[seat.position],
                "side": self.sides[seat.position % len(self.sides)].name,
                "team": seat.position % 2 if teams else None,
                "person": seat.member.public_id,
                "deals": seat.position == keypad.dealer,
                "leads": questions.eldest_leads and seat.position == eldest,
                "is_mine": seat.position == mine,
                "place": (seat.position - bottom) % questions.players,
            }
            for seat in self.log.sitting()
        ]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, whatever is still said about its result."""
        return self.phase not in ("playing", "totals")

    @property
    def may_reload_offline(self) -> bool:
        """Whether phones may keep this page for a reload without a network."""
        return bool(settings.OFFLINE_SHELL)

    @property
    def may_change(self) -> bool:
        """Whether the menu of rarer things is offered."""
        return self.phase in ("playing", "finished", "confirmed") and (
            self.may_undo or not self.log.hands or not self.access.is_phone
        )

    @property
    def may_resume(self) -> bool:
        ended_outside = (Game.EndedBy.CONCEDED, Game.EndedBy.TIME)
        return self.may_change and self.log.game.ended_by in ended_outside

    @property
    def undone(self) -> Hand | None:
        """The hand just undone, as long as it can be put back and nothing else was done since."""
        versions = self.log.versions_of(self.number)
        last = max(versions, key=lambda hand: hand.version, default=None)
        if self.phase != "playing" or last is None or last.undone_at is None:
            return None
        entered = [version.entered_at for version in self.log.versions]
        entered += [ruling.entered_at for ruling in self.log.rulings]
        played_on = any(moment > last.undone_at for moment in entered)
        return last if self.at - last.undone_at < REDO_FOR and not played_on else None

    @property
    def hand_summaries(self) -> list[HandSummary]:
        """Every hand in words, the last first, to choose one to correct."""
        return [hand_summary(self.log, hand.number) for hand in reversed(self.log.hands)]

    @cached_property
    def rulings(self) -> list[RulingSummary]:
        return ruling_summaries(self.log)

    @property
    def last_ruling(self) -> RulingSummary | None:
        """The penalty or misdeal after the last hand, as long as the table may take it back."""
        after = [ruling for ruling in self.log.rulings if ruling.withdrawn_at is None]
        last = after[-1] if after else None
        if last is None or last.after_hand != len(self.log.hands) or last.points is not None:
            return None
        return self.rulings[-1] if may_change(self.log, last, at=self.at) else None

    @property
    def earlier(self) -> list[HandSummary | RulingSummary]:
        """Hands and rulings in words, the last first."""
        rulings, summaries = self.rulings[::-1], list[HandSummary | RulingSummary]()
        for hand in self.hand_summaries:
            summaries += [ruling for ruling in rulings if ruling.after_hand == hand.number]
            summaries.append(hand)
        return summaries + [ruling for ruling in rulings if ruling.after_hand == 0]

    @property
    def fresh_id(self) -> str:
        """An id for one entry beside the hand, another one each time."""
        return new_client_id()

    @property
    def score_now(self) -> str:
        return score_text([side.points for side in self.sides])

    @property
    def totals_form(self) -> TotalsForm:
        return TotalsForm(None, sides=[side.name for side in self.sides])


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
        if len(self.sides) > 2:  # in the order of the seats, each number with its name
            score = named_score([s.name for s in self.sides], [s.points for s in self.sides])
            words = {"names": ", ".join(side.name for side in winners), "scores": score}
            if len(winners) == 1:
                return _("%(names)s won. %(scores)s") % words
            if self._won_together(winners):
                words["names"] = as_partners([side.name for side in winners])
                return _("%(names)s won together. %(scores)s") % words
            return _("Tied: %(names)s. %(scores)s") % words
        words = {"names": ", ".join(side.name for side in winners), "score": score}
        if len(winners) == 1:
            return _("%(names)s won %(score)s") % words
        return _("Tied: %(names)s, %(score)s") % words

    def _won_together(self, winners: list[SideState]) -> bool:
        """Whether these have all won the game, and did not only draw it."""
        there = reached(self.log.rules, [side.points for side in self.sides])
        decided = self.log.game.ended_by == Game.EndedBy.DECISION
        return decided or {self.sides.index(side) for side in winners} <= set(there)

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
        if self.log.rules.counts_down:  # nobody is paid for a march there
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
        """The last dispute; behind it, that an organiser decided to let them play on."""
        disputes = Confirmation.objects.filter(game=self.log.game, accepted=False)
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
        tables = {seat.member_id: seat.table for seat in seats.select_related("table")}
        return [
            NextSeat(seat.member.name, tables[seat.member_id].number)
            for seat in self.log.sitting()
            if seat.member_id in tables
        ]


@dataclass(frozen=True, slots=True)
class NextSeat:
    """Somebody's next table."""

    name: str
    table: int


def table_after(table: Table) -> Table | None:
    """The live table that stands where this one stood, while the session is open."""
    here = Table.objects.filter(session=table.session_id, number=table.number, is_live=True)
    return None if table.session.state in OVER else here.first()


def people_at(table: Table) -> list[int]:
    """Who sits at a table now, by seat."""
    seats = table.seats.filter(until_hand=None).order_by("position")
    return list(seats.values_list("member_id", flat=True))


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
