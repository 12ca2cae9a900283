"""The table's page as its templates read it: the table's state, its form, and what may be done."""

import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.errors import Refused
from league.members.models import Club
from league.play.answer_fields import SUIT_NAMES
from league.play.book import Book
from league.play.entrance import Visit
from league.play.forms import HandForm, TotalsForm
from league.play.models import Confirmation, Game
from league.play.queries import HandTold, TableState, hand_told, state_of
from league.play.questions import Questions, deals_after, questions_of
from league.play.round_table import seat_of, slip
from league.play.telling import score_text, side_name
from league.seating.models import Table

SUIT_ORDER = "shdc"
CARD_KINDS = ("hand", "discard", "passed", "trick")
DETAILS = ("trump", "round", "upcard", "auction", "lone_maker", "lone_defender", "renege_by")


@dataclass(frozen=True)
class Line:
    """A line of cards to be filled in: as dealt, laid away, passed, or a trick."""

    field: Any
    label: str


class EntryPage:
    """Everything the page of a table shows to this visitor at this moment."""

    def __init__(self, visit: Visit, book: Book, *, at: datetime) -> None:
        self.visit, self.book, self.at = visit, book, at
        self.table: Table = visit.table
        self.club: Club = visit.table.session.club
        self.told: TableState = state_of(book, at=at)
        self.phase = self.told.phase
        self.sides = self.told.sides
        self.number = self.told.number
        self.last = self.told.last
        self.dealer = self.told.dealer
        self.may_undo = self.told.may_undo

    @cached_property
    def questions(self) -> Questions:
        return questions_of(self.book.rules, self.club.tricks_entry)

    def blank_form(self, **initial: Any) -> HandForm:
        """A form for the next hand, with an id of its own and the dealer whose turn it is."""
        initial = {
            "client_id": new_client_id(),
            "number": self.number,
            "dealer": self.dealer,
            **initial,
        }
        return self.form_of(None, initial=initial)

    def form_of(self, request: Any, **kwargs: Any) -> HandForm:
        return HandForm(request, questions=self.questions, names=self.told.names, **kwargs)

    def form_again(self, request: Any, refused: Refused) -> HandForm:
        """The form as it was sent, with what is wrong told at its fields."""
        return told_at_fields(self.form_of(request), refused)

    @property
    def stamp(self) -> str:
        """Changes with everything that is written at this table."""
        game = self.book.game
        return f"{game.hands_written}.{len(self.book.rulings)}.{self.number}.{self.phase}"

    @property
    def where(self) -> str:
        words = {"table": self.table.number, "hand": self.number}
        if self.phase == "playing":
            return _("Table %(table)d · hand %(hand)d") % words
        return _("Table %(table)d") % words

    @cached_property
    def my_seat(self) -> int | None:
        """Where the account that looks sits itself, if it plays at this table."""
        return seat_of(self.book.sitting(), self.visit.by.user)

    @property
    def seats(self) -> list[dict[str, Any]]:
        """The chairs in order, as the table's drawing has them."""
        return [
            {
                **slip(seat, self.questions, dealer=self.dealer, bottom=self.my_seat),
                "short": self.told.shorts[seat.position],
                "side": self._side_of(seat.position),
            }
            for seat in self.book.sitting()
        ]

    def _side_of(self, position: int) -> str:
        return self.sides[position % len(self.sides)].name

    @property
    def is_kept(self) -> bool:
        """Whether phones may keep this page for a reload without a network."""
        return bool(settings.OFFLINE_SHELL)

    @property
    def deals(self) -> dict[str, str]:
        return deals_after(self.book.rules)

    @property
    def deck_rows(self) -> list[list[str]]:
        """The deck by suits, high cards first."""
        deck = self.questions.deck
        rows = [[card for card in reversed(deck) if card[-1] == suit] for suit in SUIT_ORDER]
        joker = [card for card in deck if card == "B"]
        return rows + ([joker] if joker else [])

    @property
    def copies(self) -> int:
        """How often each card is in the deck."""
        return len(self.book.rules.deck) // len(self.questions.deck)

    def card_lines(self, form: HandForm) -> list[tuple[str, list[Line]]]:
        """The lines of cards of a form, by kind."""
        shorts = self.told.shorts
        kinds = [
            ("trick", range(1, self.questions.tricks + 1), _("Trick %(n)s")),
            ("hand", range(self.questions.players), _("%(n)s was dealt")),
            ("discard", range(self.questions.players), _("%(n)s laid away")),
        ]
        if not self.questions.is_turn_up:
            kinds.append(("passed", range(self.questions.players), _("%(n)s passed")))
        return [
            (
                kind,
                [
                    Line(
                        form[f"{kind}{place}"],
                        label % {"n": place if kind == "trick" else shorts[place]},
                    )
                    for place in places
                ],
            )
            for kind, places, label in kinds
        ]

    def context(self, form: HandForm) -> dict[str, Any]:
        """What the templates of a hand's form need."""
        chairs = range(self.questions.players) if self.questions.by_seat else ()
        return {
            "entry": self,
            "asked": self.questions,
            "form": form,
            "lines": self.card_lines(form),
            **opened(form),
            "won": [(self.told.shorts[seat], form[f"won{seat}"]) for seat in chairs],
        }

    @property
    def call_taps(self) -> list[dict[str, str]]:
        """The calls that can be tapped, as they would be typed."""
        asked = self.questions
        taps = [("pass", _("pass"))]
        if asked.is_turn_up:
            taps += [("order up", _("order up")), ("order up alone", _("order up alone"))]
            taps += [(f"name {suit}", str(SUIT_NAMES[suit])) for suit in asked.trumps]
            taps += [
                (f"name {suit} alone", _("%(suit)s alone") % {"suit": SUIT_NAMES[suit]})
                for suit in asked.trumps
            ]
        return [{"text": text, "label": label} for text, label in taps]

    @property
    def may_change(self) -> bool:
        """Whether the menu of rarer things is offered."""
        return self.phase in ("playing", "finished", "confirmed") and (
            self.may_undo or not self.book.hands or not self.visit.is_phone
        )

    @property
    def may_resume(self) -> bool:
        return self.may_change and self.book.game.ended_by in (
            Game.EndedBy.CONCEDED,
            Game.EndedBy.TIME,
        )

    @property
    def hands_told(self) -> list[HandTold]:
        """Every hand in words, the last first, to choose one to put right."""
        shorts = self.told.shorts
        return [hand_told(self.book, hand.number, shorts) for hand in reversed(self.book.hands)]

    @property
    def fresh_ids(self) -> list[str]:
        return [new_client_id(), new_client_id()]

    @property
    def totals_form(self) -> TotalsForm:
        return TotalsForm(None, sides=[side.name for side in self.sides])

    @property
    def confirm(self) -> str:
        return self.club.confirm

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
        return _("%(names)s share the win, %(score)s") % words

    @property
    def how_ended(self) -> str:
        game = self.book.game
        if game.ended_by == Game.EndedBy.CONCEDED and game.ended_seat is not None:
            return _("%(name)s conceded.") % {"name": self._side_of(game.ended_seat)}
        if game.ended_by == Game.EndedBy.TIME:
            return _("Time was called.")
        if game.ended_by == Game.EndedBy.DECISION:
            return _("An organiser decided.")
        return ""

    @property
    def facts(self) -> list[tuple[str, int]]:
        """A few figures of the game for its last page."""
        answers = [answer for answer in self.book.state.answers if answer.valid]
        if not answers:
            return []
        outcomes = [answer.outcome for answer in answers]
        euchres = outcomes.count("euchred") + outcomes.count("set")
        return [
            (ngettext("hand", "hands", len(answers)), len(answers)),
            (ngettext("march", "marches", outcomes.count("march")), outcomes.count("march")),
            (ngettext("euchre", "euchres", euchres), euchres),
        ]

    @cached_property
    def dispute(self) -> Confirmation | None:
        words = Confirmation.objects.filter(game=self.book.game, accepted=False, settled_at=None)
        return words.order_by("-id").first() if self.book.game.pk else None

    @property
    def accept_at(self) -> datetime | None:
        return self.book.game.accept_at

    @cached_property
    def next_table(self) -> Table | None:
        """The table that now stands here, once this one has ended."""
        if self.table.is_live:
            return None
        tables = Table.objects.filter(session=self.table.session, number=self.table.number)
        return tables.filter(is_live=True).first()

    @property
    def next_names(self) -> str:
        if self.next_table is None:
            return ""
        seats = self.next_table.seats.filter(until_hand=None).select_related("member")
        return side_name([seat.member.name for seat in seats.order_by("position")])

    def url(self, name: str) -> str:
        return reverse(name, args=[self.table.public_id])


def new_client_id() -> str:
    """An id for one entry, as a phone makes them: 128 random bits."""
    return secrets.token_hex(16)


def opened(form: HandForm) -> dict[str, bool]:
    """Which of the folded parts hold something, and so stand open."""
    filled = {name for name in form.fields if form[name].value()}
    cards = {name for name in filled if name.rstrip("0123456789") in CARD_KINDS}
    asked = set(DETAILS) if form.questions.is_turn_up else set(DETAILS) - {"trump"}
    return {"details_open": bool(filled & asked or cards), "cards_open": bool(cards)}


def told_at_fields(form: Any, refused: Refused) -> Any:
    """A form with a refusal's sentences at the fields that they are about."""
    form.is_valid()
    for name, sentences in refused.fields.items():
        for sentence in sentences:
            if name in form.fields and sentence not in form.errors.get(name, []):
                form.add_error(name, sentence)
    return form
